//! The chores that measure: `cargo xtask bench` and `cargo xtask lab` build and run this.
//!
//! They know the crates that they measure with, which `cargo xtask test` would have to build before
//! it does anything.
//!
//! Invariants
//! - `bench` and `lab score --write` write BENCHMARKS.md and nothing else; `lab score` appends to
//!   its file of raw outcomes.
//!
//! Start reading at [`bench::run`] and [`lab::run`].
#![forbid(unsafe_code)]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore's whole purpose is to talk to the person who runs it"
)]

mod bench;
mod lab;

use std::process::ExitCode;

use anyhow::bail;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (chore, rest) =
        arguments.split_first().map_or(("", &[][..]), |(c, rest)| (c.as_str(), rest));
    let outcome = xtask::find_root().and_then(|root| match chore {
        "bench" => bench::run(&root, rest),
        "lab" => lab::run(&root, rest),
        _ => bail!("no chore that measures\nhint: `cargo xtask` lists the chores"),
    });
    xtask::end_chore(chore, outcome)
}
