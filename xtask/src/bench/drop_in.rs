//! The bench `drop-in`: `truedisk fio` against fio, with the same words.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Result, ensure};
use lab::Scratch;
use serde_json::Value;

use super::harness::{Bench, BenchContext, Bound, Section, number_at, run_alternately};
use crate::process;

const DEPTHS: [&str; 3] = ["1", "16", "64"];
const STONEWALLED_JOBS: usize = 100;

#[derive(Clone, Copy)]
struct FioProgram<'a> {
    truedisk: Option<&'a Path>,
    folder: &'a Path,
}

impl FioProgram<'_> {
    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(self.truedisk.unwrap_or(Path::new("fio")));
        command.args(self.truedisk.map(|_| "fio"));
        command.args(words).current_dir(self.folder);
        command
    }

    fn measure_iops(&self, depth: &str) -> Result<f64> {
        let mut command = self.command(&["--name=read", "--filename=data", "--rw=randread"]);
        command.args(["--bs=4k", "--size=1g", "--direct=1", "--ioengine=io_uring", "--runtime=2"]);
        command.args(["--time_based", "--randrepeat=0", "--output-format=json"]);
        command.arg(format!("--iodepth={depth}"));
        let value: Value = process::capture_json(&mut command)?;
        number_at(&value, "/jobs/0/read/iops")
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

pub(super) const BENCH: Bench = Bench {
    name: "drop-in",
    heading: "fio, drop-in",
    method: "`truedisk fio` and fio with the same words, taking turns: random reads of 4 KiB of a \
             written file of 1 GiB, `O_DIRECT`, io_uring, 2 s; a layout of 1 GiB for one read of \
             4 KiB; a job of 1 s; 100 jobs of 4 KiB, each behind a stonewall.",
    columns: "what | ours | fio | ratio of medians (of single rounds) | n",
    tools: &["fio"],
    rounds: 7,
    run,
};

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    let truedisk = context.build_truedisk()?;
    let scratch = Scratch::new()?;
    let folder = scratch.path();
    let ours = FioProgram { truedisk: Some(&truedisk), folder };
    let fio = FioProgram { truedisk: None, folder };
    lab::written_file(folder, "data", 1 << 30)?;
    for depth in DEPTHS {
        let rounds = context.rounds;
        let pairs =
            run_alternately(rounds, || ours.measure_iops(depth), || fio.measure_iops(depth))?;
        let bound = if depth == "1" { Bound::Above(1.0) } else { Bound::AtLeast(0.99) };
        let (label, what) =
            (format!("IOPS, depth {depth}"), format!("IOPS at depth {depth}, ours / fio"));
        section.compare(&[&label], &pairs, 0, what, bound);
    }
    let time_both = |words: &[&str], made: &str| {
        let (ours, fio) = (|| ours.time_run(words, made), || fio.time_run(words, made));
        run_alternately(context.rounds, ours, fio)
    };
    let layout = ["--name=l", "--rw=randread", "--size=1g", "--bs=4k", "--number_ios=1"];
    let pairs = time_both(&layout, "l.")?;
    let third = Bound::AtMost(1.0 / 3.0);
    section.compare(&["layout of 1 GiB, s"], &pairs, 2, "layout time, ours / fio", third);
    let second =
        ["--name=data", "--filename=data", "--direct=1", "--bs=4k", "--runtime=1", "--time_based"];
    let pairs = time_both(&second, "none")?;
    section.add_pairs(&["a job of 1 s, s"], &pairs, 3);
    section.require("seconds of a job of 1 s", Bound::AtMost(1.1), pairs.median_a());
    let taken = time_stonewalled_jobs(&ours)?;
    section.require("seconds of 100 stonewalled jobs", Bound::AtMost(3.0), taken);
    Ok(())
}

fn time_stonewalled_jobs(ours: &FioProgram<'_>) -> Result<f64> {
    let mut jobs = "[global]\nrw=write\nsize=4k\nbs=4k\n".to_owned();
    for number in 0..STONEWALLED_JOBS {
        jobs.push_str(&format!("[j{number}]\nstonewall\n"));
    }
    std::fs::write(ours.folder.join("jobs.fio"), jobs)?;
    ours.time_run(&["jobs.fio"], "j")
}
