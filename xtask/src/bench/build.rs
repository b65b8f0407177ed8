//! The bench `build`: how long a clean build takes.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use lab::Scratch;

use super::section::{Bound, Section};
use super::{BenchContext, median, programs};
use crate::process;

/// One is enough: what is measured is a minute, and the limit is far away.
const RUNS: usize = 1;

/// Gives the section.
pub(super) fn section(setting: &BenchContext) -> Result<String> {
    let n = programs::round_count(RUNS)?;
    // The network is not what is measured.
    process::run_command(&mut process::cargo_command(setting.root, &["fetch", "--quiet"]))?;
    let seconds: Vec<f64> =
        (0..n).map(|_| time_clean_build(setting.root)).collect::<Result<_>>()?;
    let least = seconds.iter().copied().fold(f64::INFINITY, f64::min);
    let most = seconds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut section = Section::new(
        "Clean build",
        "`cargo build --release` of the truedisk package into an empty target folder, the \
         sources already fetched.",
        &["median, s", "least", "most", "n"],
    );
    let figures = [median(&seconds), least, most].map(|value| format!("{value:.1}"));
    section.add_row(figures.into_iter().chain([n.to_string()]));
    section.require_with_unit("clean build", Bound::AtMost(180.0), median(&seconds), " s");
    Ok(section.render_markdown())
}

/// How long one takes.
fn time_clean_build(root: &Path) -> Result<f64> {
    let target = Scratch::new()?;
    let arguments = ["build", "--release", "--quiet", "--offline", "-p", "truedisk"];
    let mut command = process::cargo_command(root, &arguments);
    command.arg("--target-dir").arg(target.path());
    // A wrapper such as sccache would hand out what was built before.
    command.env_remove("RUSTC_WRAPPER");
    let started = Instant::now();
    process::run_command(&mut command)?;
    Ok(started.elapsed().as_secs_f64())
}
