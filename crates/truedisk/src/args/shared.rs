//! Options that several commands have: one declaration, one meaning.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use units::{Bytes, Nanos};

use super::values::{parse_precision, parse_size, parse_time};

/// The result as JSON.
#[derive(Debug, Clone, Default, PartialEq, Args)]
pub(crate) struct JsonArg {
    /// Write the result as JSON to FILE; `-` or no FILE is stdout, which then has nothing else
    #[arg(long, value_name = "FILE|-", num_args = 0..=1, default_missing_value = "-")]
    pub(crate) json: Option<PathBuf>,
}

/// The result as JSON and as a page.
#[derive(Debug, Clone, Default, PartialEq, Args)]
pub(crate) struct ResultArgs {
    #[command(flatten)]
    pub(crate) json: JsonArg,

    /// Write the page to FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct QuietArg {
    /// Print the result only: no progress, no notes
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// How much of the target is measured, and what may be written.
#[derive(Debug, Clone, Args)]
pub(crate) struct ExtentArgs {
    /// Measure existing files or devices and write nothing to them
    #[arg(long)]
    pub(crate) read_only: bool,

    /// Size of the test file, or of the part of a file or device [default: 4g, of compare 1g, of a
    /// preset its own; less for a short run; at most a tenth of the free space]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) size: Option<Bytes>,

    /// Most bytes written, test files included [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) max_written: Option<Bytes>,

    /// Seed of offsets and data: the same seed makes the same operations [default: random]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
}

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct BudgetArg {
    /// Longest time of the run [default: limit 10m, sweep and compare 2m, others as they need]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) budget: Option<Nanos>,
}

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct PrecisionArg {
    /// Measure until half the 95 % interval is this share of the figure [default: sweep 2%,
    /// compare 2.4%]
    #[arg(long, value_name = "PERCENT", value_parser = parse_precision)]
    pub(crate) precision: Option<f64>,
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
    /// By more than the intervals explain: of compare, a side than the first; of a trend, the
    /// newest level than the one before
    #[value(alias = "slower", alias = "regression")]
    Worse,
}
