//! The bench `drop-in`: `truedisk fio` against fio, with the same words.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use lab::Scratch;
use serde_json::Value;

use super::section::{Bound, Section};
use super::{BenchContext, PairedSamples, programs, run_alternately};
use crate::process;

const ROUNDS: usize = 7;
const DEPTHS: [&str; 3] = ["1", "16", "64"];
const STONEWALLED_JOBS: usize = 100;

/// A program that takes fio's words.
#[derive(Clone, Copy)]
struct FioProgram<'a> {
    truedisk: Option<&'a Path>,
    folder: &'a Path,
}

impl FioProgram<'_> {
    fn command(&self, words: &[&str]) -> Command {
        let mut command = match self.truedisk {
            Some(path) => {
                let mut command = Command::new(path);
                command.arg("fio");
                command
            }
            None => Command::new("fio"),
        };
        command.args(words).current_dir(self.folder);
        command
    }

    /// Operations per second of random reads.
    fn measure_iops(&self, depth: &str) -> Result<f64> {
        let depth = format!("--iodepth={depth}");
        let words = [
            "--name=read",
            "--filename=data",
            "--rw=randread",
            "--bs=4k",
            "--size=1g",
            "--direct=1",
            "--ioengine=io_uring",
            "--runtime=2",
            "--time_based",
            "--randrepeat=0",
            "--output-format=json",
            &depth,
        ];
        let text = process::capture_stdout(&mut self.command(&words))?;
        let value: Value = serde_json::from_str(&text).context("no JSON")?;
        programs::number_at(&value, "/jobs/0/read/iops")
    }

    /// Seconds that it takes, results thrown away; the files of `made` are removed after.
    fn time_run(&self, words: &[&str], made: &str) -> Result<f64> {
        let begin = Instant::now();
        let status = self.command(words).stdout(Stdio::null()).status()?;
        let seconds = begin.elapsed().as_secs_f64();
        ensure!(status.success(), "{words:?} ended with {status}");
        for entry in std::fs::read_dir(self.folder)? {
            let path = entry?.path();
            if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(made)) {
                std::fs::remove_file(path)?;
            }
        }
        Ok(seconds)
    }
}

/// Gives the section.
pub(super) fn section(setting: &BenchContext) -> Result<String> {
    programs::require_tools(&["fio"])?;
    let n = programs::round_count(ROUNDS)?;
    let arguments = ["-p", "truedisk", "--bin", "truedisk"];
    let [truedisk] = programs::build_programs(setting.root, &arguments, ["truedisk"])?;
    let scratch = Scratch::new()?;
    let folder = scratch.path();
    let ours = FioProgram { truedisk: Some(&truedisk), folder };
    let fio = FioProgram { truedisk: None, folder };
    lab::written_file(folder, "data", 1 << 30)?;
    let mut section = Section::new(
        "fio, drop-in",
        "`truedisk fio` and fio with the same words, taking turns: random reads of 4 KiB of a \
         written file of 1 GiB, `O_DIRECT`, io_uring, 2 s; a layout of 1 GiB for one read of \
         4 KiB; a job of 1 s; 100 jobs of 4 KiB, each behind a stonewall.",
        &["what", "ours", "fio", "ratio of medians (of single rounds)", "n"],
    );
    for depth in DEPTHS {
        let pairs = run_alternately(n, || ours.measure_iops(depth), || fio.measure_iops(depth))?;
        add_row(&mut section, &format!("IOPS, depth {depth}"), &pairs, 0);
        let least = if depth == "1" { Bound::Above(1.0) } else { Bound::AtLeast(0.99) };
        section.require(iops_requirement(depth), least, pairs.ratio().ratio);
    }
    let layout = ["--name=l", "--rw=randread", "--size=1g", "--bs=4k", "--number_ios=1"];
    let pairs =
        run_alternately(n, || ours.time_run(&layout, "l."), || fio.time_run(&layout, "l."))?;
    add_row(&mut section, "layout of 1 GiB, s", &pairs, 2);
    section.require("layout time, ours / fio", Bound::AtMost(1.0 / 3.0), pairs.ratio().ratio);
    let second =
        ["--name=data", "--filename=data", "--direct=1", "--bs=4k", "--runtime=1", "--time_based"];
    let pairs =
        run_alternately(n, || ours.time_run(&second, "none"), || fio.time_run(&second, "none"))?;
    add_row(&mut section, "a job of 1 s, s", &pairs, 3);
    section.require("seconds of a job of 1 s", Bound::AtMost(1.1), pairs.median_a());
    let taken = time_stonewalled_jobs(&ours)?;
    section.require("seconds of 100 stonewalled jobs", Bound::AtMost(3.0), taken);
    Ok(section.render_markdown())
}

fn iops_requirement(depth: &str) -> &'static str {
    match depth {
        "1" => "IOPS at depth 1, ours / fio",
        "16" => "IOPS at depth 16, ours / fio",
        _ => "IOPS at depth 64, ours / fio",
    }
}

fn add_row(section: &mut Section, what: &str, pairs: &PairedSamples, digits: usize) {
    section.add_row([
        what.to_owned(),
        format!("{:.digits$}", pairs.median_a()),
        format!("{:.digits$}", pairs.median_b()),
        pairs.ratio().to_string(),
        pairs.a.len().to_string(),
    ]);
}

fn time_stonewalled_jobs(ours: &FioProgram<'_>) -> Result<f64> {
    let mut jobs = "[global]\nrw=write\nsize=4k\nbs=4k\n".to_owned();
    for number in 0..STONEWALLED_JOBS {
        jobs.push_str(&format!("[j{number}]\nstonewall\n"));
    }
    std::fs::write(ours.folder.join("jobs.fio"), jobs)?;
    ours.time_run(&["jobs.fio"], "j")
}
