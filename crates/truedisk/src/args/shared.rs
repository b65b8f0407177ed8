//! Options that several commands have: one declaration, one meaning.

use std::path::PathBuf;

use clap::{Arg, Args, ValueEnum};
use units::{Bytes, Nanos};

use super::values::{parse_max_written, parse_precision, parse_size, parse_time, parse_whole};

/// Headings of the help.
pub(super) const OUTPUT: &str = "Output";
pub(super) const TARGET: &str = "Target";

/// Default of `--size` in the help of all commands but `preset`.
pub(super) const SIZE_DEFAULT: &str = "4g or less";

/// The result as JSON.
#[derive(Debug, Clone, Default, PartialEq, Args)]
pub(crate) struct JsonArg {
    /// Write the result as JSON to FILE; - or no FILE: to stdout, and nothing else there
    #[arg(long, value_name = "FILE|-", num_args = 0..=1, default_missing_value = "-",
          help_heading = OUTPUT)]
    pub(crate) json: Option<PathBuf>,
}

/// The result as JSON and as a page.
#[derive(Debug, Clone, Default, PartialEq, Args)]
pub(crate) struct ResultArgs {
    #[command(flatten)]
    pub(crate) json: JsonArg,

    /// Write the page to FILE
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) html: Option<PathBuf>,
}

/// The result as a table.
#[derive(Debug, Clone, Default, PartialEq, Args)]
pub(crate) struct TableArgs {
    /// Write the results as a Markdown table to FILE; - or no FILE: to stdout
    #[arg(long, value_name = "FILE|-", num_args = 0..=1, default_missing_value = "-",
          help_heading = OUTPUT)]
    pub(crate) markdown: Option<PathBuf>,

    /// Write the results as comma-separated values to FILE; - or no FILE: to stdout
    #[arg(long, value_name = "FILE|-", num_args = 0..=1, default_missing_value = "-",
          help_heading = OUTPUT)]
    pub(crate) csv: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct QuietArg {
    /// Print the result only, and warnings
    #[arg(long, short, help_heading = OUTPUT)]
    pub(crate) quiet: bool,
}

/// How much of the target is measured, and what may be written.
#[derive(Debug, Clone, Args)]
pub(crate) struct ExtentArgs {
    /// Measure existing files or devices and write nothing to them
    #[arg(long, help_heading = TARGET)]
    pub(crate) read_only: bool,

    /// Size of the test file, or of the part of a file or device
    #[arg(long, value_name = "SIZE", value_parser = parse_size, help_heading = TARGET,
          allow_negative_numbers = true)]
    pub(crate) size: Option<Bytes>,

    /// Most bytes written, test files included [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = parse_max_written, help_heading = TARGET)]
    pub(crate) max_written: Option<Bytes>,

    /// Seed of offsets and data; the same seed makes the same operations [default: random]
    #[arg(long, value_name = "NUMBER", value_parser = parse_whole, help_heading = TARGET)]
    pub(crate) seed: Option<u64>,
}

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct BudgetArg {
    /// Longest time of the run
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) budget: Option<Nanos>,
}

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct PrecisionArg {
    /// Measure until half the 95 % interval is at most this share
    #[arg(long, value_name = "PERCENT", value_parser = parse_precision)]
    pub(crate) precision: Option<f64>,
}

/// The default of a shared option where each command has its own.
pub(super) fn with_default(arg: Arg, default: &str) -> Arg {
    let help = format!("{} [default: {default}]", arg.get_help().cloned().unwrap_or_default());
    arg.help(help)
}

/// Which findings make the exit status 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// Only `invalid`
    Invalid,
    /// `warning` and `invalid`
    Warning,
}

/// Which comparison makes the exit status 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOnWorse {
    /// By more than the intervals explain
    #[value(alias = "slower", alias = "regression")]
    Worse,
}
