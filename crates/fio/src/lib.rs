//! fio's dialect: its job files and command lines in, its text, terse lines, JSON and logs out;
//! and the JSON that fio itself printed, into records.
//!
//! What it deliberately does not do: open a file, run a job, read a clock. It reads job files and
//! command lines into typed options, plans the engine's jobs from them, and prints the figures that
//! `fio-run` measured.
//!
//! Invariants
//! - No code of fio's: its documentation, and what the program does, are the reference.
//! - An option is declared once, in the file of its chapter in `options`; the command line, job
//!   files, defaults, `--cmdhelp` and the reference page follow from its entry.
//! - No option is ignored in silence: it runs, or is noted, or is an error that says why.
//!
//! Start reading at [`plan`] and [`results`].
#![forbid(unsafe_code)]

mod bins;
mod fuzz;
pub mod import;
pub mod iolog;
pub mod logs;
pub mod options;
pub mod plan;
pub mod print;
pub mod read;
pub mod remote;
pub mod request;
pub mod results;
#[cfg(test)]
mod tests;
pub mod verify;

pub use fuzz::fuzz_one;
