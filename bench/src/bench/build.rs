//! The bench `build`: how long a clean build takes.

use std::path::Path;

use anyhow::Result;
use lab::Scratch;

use super::harness::{Bench, BenchContext, Bound, Section, median, time_command};
use xtask::process;

pub(super) const BENCH: Bench = Bench {
    name: "build",
    heading: "Clean build",
    method: "`cargo build --release` of the truedisk package into an empty target folder, the \
             sources already fetched.",
    columns: "median, s | least | most | n",
    tools: &[],
    // One is enough: what is measured is a minute, and the limit is far away.
    rounds: 1,
    run,
};

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    // The network is not what is measured.
    process::run_command(&mut process::cargo_command(context.root, &["fetch", "--quiet"]))?;
    let seconds = context.repeat(|_| time_clean_build(context.root))?;
    section.add_spread(&[], &seconds, 1);
    section.require_with_unit("clean build", Bound::AtMost(180.0), median(&seconds), " s");
    Ok(())
}

fn time_clean_build(root: &Path) -> Result<f64> {
    let target = Scratch::new()?;
    let arguments = ["build", "--release", "--quiet", "--offline", "-p", "truedisk"];
    let mut command = process::cargo_command(root, &arguments);
    command.arg("--target-dir").arg(target.path());
    // A wrapper such as sccache would hand out what was built before.
    command.env_remove("RUSTC_WRAPPER");
    time_command(&mut command)
}
