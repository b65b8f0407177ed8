//! Chores of this repository, as Rust instead of shell: `cargo xtask` lists them.
//!
//! What it deliberately does not do: ship. Only `bench`, the chores that measure, depends on it.
//!
//! Invariants
//! - A chore that fails says which step failed, and exits with status 1.
//! - `dist` writes into `target` and nothing else.
//! - `tidy` changes nothing.
//! - Rules are functions of text, so that each is tested on a few lines of sample.
//!
//! Start reading at [`run`].
#![forbid(unsafe_code)]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore's whole purpose is to talk to the person who runs it"
)]

mod campaign;
mod dist;
mod fuzz;
pub mod process;
mod test;
mod tidy;

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result};

pub use tidy::target_folder;

const USAGE: &str = "\
usage: cargo xtask CHORE [ARGUMENTS]

chores:
  test [-- ARGS]    fmt, tidy, clippy and every test; ARGS go to `cargo test`
  ci                what .ci/run does: `test`
  tidy [--count]    the house rules that a compiler does not know, and the figures of the code
  bench [NAME...]   measure, and rewrite those sections of BENCHMARKS.md; all without a NAME
  fuzz [--seconds N] [TARGET...]
                    changed inputs for the readers of foreign files and messages (`fleet`);
                    all without a TARGET
  campaign [--worlds N] [--seed S] [--first NUMBER] [--shrink N]
                    random simulated worlds, and where a judgement of them is wrong
  dist [ARCH...]    static programs, tarballs, packages, SBOM and checksums in target/dist;
                    x86_64 and aarch64 without an ARCH
  lab [...]         disks that lie: `list`, `up NAME` and `score [NAME...]`
";

/// Runs the chore that the arguments name. Exit status 0: passed; 1: failed; 2: no such chore.
pub fn run(arguments: &[String]) -> ExitCode {
    let (chore, rest) = match arguments.split_first() {
        Some((chore, rest)) => (chore.as_str(), rest),
        None => ("", arguments),
    };
    // Each gives whether what it looked at is well; it has printed its findings by then.
    let outcome = match chore {
        "test" => find_root().and_then(|root| test::run(&root, rest)),
        "ci" if rest.is_empty() => find_root().and_then(|root| test::run(&root, rest)),
        "tidy" => find_root().and_then(|root| tidy::run(&root, rest)),
        "bench" | "lab" => find_root().and_then(|root| become_bench(&root, arguments)),
        "fuzz" => find_root().and_then(|root| fuzz::run(&root, rest)),
        "campaign" => find_root().and_then(|root| campaign::run(&root, rest)),
        "dist" => find_root().and_then(|root| dist::run(&root, rest)),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    end_chore(chore, outcome)
}

/// The exit status of a chore, which gives whether what it looked at is well.
pub fn end_chore(chore: &str, outcome: Result<bool>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {chore}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the program of the chores that measure, in place of this one: Ctrl-C is its own.
fn become_bench(root: &Path, arguments: &[String]) -> Result<bool> {
    let mut command = process::cargo_command(root, &["run", "--quiet", "--package", "bench", "--"]);
    command.args(arguments);
    let error = command.exec();
    Err(error).with_context(|| format!("cannot run `{}`", process::command_line(&command)))
}

/// The repository's root. The folder at compile time serves a binary that is called by hand.
///
/// # Errors
/// When the package that runs has no folder above its own.
pub fn find_root() -> Result<PathBuf> {
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    let root = package.parent().map(Path::to_path_buf);
    root.with_context(|| format!("{} has no parent folder", package.display()))
}
