//! The bench `ping`: `truedisk ping` against Debian's ioping, with the same words.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use lab::LoopDevice;

use super::harness::{Bench, BenchContext, Bound, Section, run_alternately, scratch_file};
use xtask::process;

const SIZE: u64 = 256 << 20;
/// 10,000 requests back to back give a mean within a per cent; 31 with a pause take 3 s.
const PACES: [(&str, [&str; 4]); 2] =
    [("-i 0", ["-i", "0", "-c", "10000"]), ("-i 100ms", ["-i", "100ms", "-c", "31"])];

pub(super) const BENCH: Bench = Bench {
    name: "ping",
    heading: "ping, next to ioping",
    method: "`truedisk ping` and ioping 1.3 with the same words (`-D -B`), taking turns: the mean \
             time of a random read of 4 KiB from a written file of 256 MiB on the disk, and from a \
             loop device over another. 10,000 requests back to back (`-i 0`), or 31 of them 100 ms \
             apart, a round; medians of rounds.",
    columns: "what | ours, us | ioping, us | ratio of medians (of single rounds) | n",
    tools: &["ioping"],
    rounds: 31,
    run,
};

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    let truedisk = context.build_truedisk()?;
    let (_scratch, file) = scratch_file(SIZE)?;
    let device = LoopDevice::new(SIZE)?;
    for (target, path) in [("disk", file.as_path()), ("loop device", device.path())] {
        for (pace, words) in PACES {
            let ours = || measure_mean_us(Command::new(&truedisk).arg("ping"), &words, path);
            let theirs = || measure_mean_us(&mut Command::new("ioping"), &words, path);
            let pairs = run_alternately(context.rounds, ours, theirs)?;
            let what = format!("{target}, {pace}");
            let bound = Bound::Within(0.97, 1.03);
            section.compare(&[&what], &pairs, 1, format!("{what}: ours / ioping"), bound);
        }
    }
    Ok(())
}

/// The sixth number of the raw line: the mean in nanoseconds.
fn measure_mean_us(command: &mut Command, words: &[&str], path: &Path) -> Result<f64> {
    let printed = process::capture_stdout(command.args(["-D", "-B"]).args(words).arg(path))?;
    let mean = printed.split_whitespace().nth(5).context("no raw line")?;
    Ok(mean.parse::<f64>().with_context(|| format!("no number: {mean}"))? / 1000.0)
}
