//! The bench `drop-in`: `truedisk fio` against fio, with the same words.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Result, ensure};
use lab::{LoopDevice, Scratch};
use serde_json::Value;

use super::harness::{
    Bench, BenchContext, Bound, PairedSamples, Section, number_at, run_alternately, run_in_turns,
};
use xtask::process;

const DEPTHS: [&str; 7] = ["1", "2", "4", "8", "16", "32", "64"];
const ENGINES: [&str; 2] = ["libaio", "io_uring"];
const DATA_BYTES: u64 = 1 << 30;
const STONEWALLED_JOBS: usize = 100;

struct ReadFigures {
    iops: f64,
    p50_ns: f64,
    /// Operations that filled the queue (`iodepth_level` of the depth).
    full_percent: f64,
}

type Figure = fn(&ReadFigures) -> f64;

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

    fn measure_reads(&self, data: &Path, engine: &str, depth: &str) -> Result<ReadFigures> {
        let mut command = self.command(&["--name=read", "--rw=randread", "--bs=4k", "--direct=1"]);
        command.arg(format!("--filename={}", data.display()));
        command.args(["--size=1g", "--runtime=1", "--time_based", "--randrepeat=0"]);
        command.args([format!("--ioengine={engine}"), format!("--iodepth={depth}")]);
        command.arg("--output-format=json");
        let value: Value = process::capture_json(&mut command)?;
        let number = |pointer: &str| number_at(&value, pointer);
        let level = if depth == "64" { ">=64" } else { depth };
        Ok(ReadFigures {
            iops: number("/jobs/0/read/iops")?,
            p50_ns: number("/jobs/0/read/clat_ns/percentile/50.000000")?,
            full_percent: number(&format!("/jobs/0/iodepth_level/{level}"))?,
        })
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
             written file and of a loop device of 1 GiB, `O_DIRECT`, 1 s: IOPS, p50 of clat, and \
             the share of operations that filled the queue; a layout of 1 GiB for one read of \
             4 KiB; a job of 1 s; 100 jobs of 4 KiB, each behind a stonewall.",
    columns: "what | ours | fio | ratio of medians (of single rounds) | n",
    tools: &["fio"],
    // With these the bench takes less than 6 minutes.
    rounds: 4,
    run,
};

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    let truedisk = context.build_truedisk()?;
    let scratch = Scratch::new()?;
    let folder = scratch.path();
    let ours = FioProgram { truedisk: Some(&truedisk), folder };
    let fio = FioProgram { truedisk: None, folder };
    let data = lab::written_file(folder, "data", DATA_BYTES)?;
    let device = LoopDevice::options(DATA_BYTES).direct_io(true).attach()?;
    for (place, data) in [("file", data.as_path()), ("loop device", device.path())] {
        for (engine, depth) in ENGINES.iter().flat_map(|engine| DEPTHS.map(|depth| (engine, depth)))
        {
            let sides = run_in_turns(context.rounds, 2, |side, _| {
                [ours, fio][side].measure_reads(data, engine, depth)
            })?;
            compare_reads(section, &format!("{place}, {engine}, depth {depth}"), &sides);
        }
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

fn compare_reads(section: &mut Section, case: &str, sides: &[Vec<ReadFigures>]) {
    let [ours, fio] = sides else { return };
    let figures: [(&str, Figure, usize, Bound); 3] = [
        ("IOPS", |of| of.iops, 0, Bound::AtLeast(0.99)),
        ("p50, ns", |of| of.p50_ns, 0, Bound::Within(0.97, 1.03)),
        ("full queue, %", |of| of.full_percent, 1, Bound::Within(0.99, 1.01)),
    ];
    for (name, figure, digits, bound) in figures {
        let pairs = PairedSamples::from_readings(ours, fio, figure);
        let (label, what) = (format!("{name}: {case}"), format!("{name}, ours / fio: {case}"));
        section.compare(&[&label], &pairs, digits, what, bound);
    }
}

fn time_stonewalled_jobs(ours: &FioProgram<'_>) -> Result<f64> {
    let mut jobs = "[global]\nrw=write\nsize=4k\nbs=4k\n".to_owned();
    for number in 0..STONEWALLED_JOBS {
        jobs.push_str(&format!("[j{number}]\nstonewall\n"));
    }
    std::fs::write(ours.folder.join("jobs.fio"), jobs)?;
    ours.time_run(&["jobs.fio"], "j")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_figure_is_compared_and_required() {
        let read = |iops, p50_ns| ReadFigures { iops, p50_ns, full_percent: 100.0 };
        let mut section = Section::new("Heading", "how", "");
        let sides = [vec![read(9_950.0, 100_000.0)], vec![read(10_000.0, 90_000.0)]];
        compare_reads(&mut section, "file, libaio, depth 8", &sides);
        let text = section.render_markdown();
        for line in [
            "| IOPS: file, libaio, depth 8 | 9950 | 10000 | 0.995 (0.995 to 0.995) | 1 |",
            "p50, ns, ours / fio: file, libaio, depth 8: required 0.970 to 1.030, measured 1.111",
            "full queue, %, ours / fio: file, libaio, depth 8: required 0.990 to 1.010, measured \
             1.000",
        ] {
            assert!(text.contains(line), "{line} is not in {text}");
        }
    }
}
