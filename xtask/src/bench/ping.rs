//! The bench `ping`: `truedisk ping` against Debian's ioping, with the same words.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use lab::{LoopDevice, Scratch};

use super::section::{Bound, Section};
use super::{BenchContext, programs, run_alternately};
use crate::process;

/// Rounds of back to back, and of paused requests, which take longer.
const ROUNDS: usize = 31;
/// Ours by theirs.
const RATIO_BOUND: Bound = Bound::Within(0.97, 1.03);
/// Size of the file and of the loop device.
const SIZE: u64 = 256 << 20;
/// Requests back to back: enough for a mean within a per cent on a quiet machine.
const BACK_TO_BACK: [&str; 4] = ["-i", "0", "-c", "10000"];
/// Requests with a pause: 3 s a round.
const PAUSED: [&str; 4] = ["-i", "100ms", "-c", "31"];

/// Gives the section.
pub(super) fn section(setting: &BenchContext) -> Result<String> {
    programs::require_tools(&["ioping"])?;
    let n = programs::round_count(ROUNDS)?;
    let arguments = ["-p", "truedisk", "--bin", "truedisk"];
    let [truedisk] = programs::build_programs(setting.root, &arguments, ["truedisk"])?;
    let scratch = Scratch::new()?;
    let file = lab::written_file(scratch.path(), "data", SIZE)?;
    let device = LoopDevice::new(SIZE)?;
    let mut section = Section::new(
        "ping, next to ioping",
        "`truedisk ping` and ioping 1.3 with the same words (`-D -B`), taking turns: the mean time \
         of a random read of 4 KiB from a written file of 256 MiB on the disk, and from a loop \
         device over another. 10,000 requests back to back (`-i 0`), or 31 of them 100 ms apart, a \
         round; medians of rounds.",
        &["what", "ours, us", "ioping, us", "ratio of medians (of single rounds)", "n"],
    );
    for (target, path) in [("disk", file.as_path()), ("loop device", device.path())] {
        for (pace, words) in [("-i 0", BACK_TO_BACK), ("-i 100ms", PAUSED)] {
            let ours = || measure_mean_us(Command::new(&truedisk).arg("ping"), &words, path);
            let theirs = || measure_mean_us(&mut Command::new("ioping"), &words, path);
            let pairs = run_alternately(n, ours, theirs)?;
            let what = format!("{target}, {pace}");
            section.add_row([
                what.clone(),
                format!("{:.1}", pairs.median_a()),
                format!("{:.1}", pairs.median_b()),
                pairs.ratio().to_string(),
                n.to_string(),
            ]);
            section.require(format!("{what}: ours / ioping"), RATIO_BOUND, pairs.ratio().ratio);
        }
    }
    Ok(section.render_markdown())
}

/// The sixth number of the raw line: the mean in nanoseconds.
fn measure_mean_us(command: &mut Command, words: &[&str], path: &Path) -> Result<f64> {
    let said = process::capture_stdout(command.args(["-D", "-B"]).args(words).arg(path))?;
    let mean = said.split_whitespace().nth(5).context("no raw line")?;
    Ok(mean.parse::<f64>().with_context(|| format!("no number: {mean}"))? / 1000.0)
}
