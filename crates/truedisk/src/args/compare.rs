//! The arguments of `compare`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use units::{Bytes, Nanos};

use super::values::{
    Depths, Kind, parse_percent, parse_price, parse_share, parse_size, parse_time, parse_visits,
};

/// Hold runs against each other: cell by cell, the ratio with its interval, and a verdict.
///
/// A side is a record, a folder of records, a JSON file of fio's, or a run of the history by its
/// tag, its id, the beginning of one, or `latest`; several of them, joined with commas, are runs of
/// the same side: compare a1.json,a2.json before-1,before-2. Four runs of each side are the least
/// that carry an interval of the difference between runs.
///
/// With --interleave, A and B are paths of this host, which are measured in turns: A B B A.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The sides; the others are held against the first
    #[arg(value_name = "RUNS", conflicts_with_all = ["a", "b"])]
    pub(crate) sides: Vec<String>,

    /// Runs of side A
    #[arg(long, value_name = "RUN", num_args = 1.., value_delimiter = ',', requires = "b")]
    pub(crate) a: Vec<String>,

    /// Runs of side B
    #[arg(long, value_name = "RUN", num_args = 1.., value_delimiter = ',', requires = "a")]
    pub(crate) b: Vec<String>,

    /// Price of each side a month, in the order of the sides: 24,48
    #[arg(long, value_name = "PRICES", value_delimiter = ',', value_parser = parse_price)]
    pub(crate) price: Vec<f64>,

    /// Currency of the prices
    #[arg(long, value_name = "CURRENCY", requires = "price")]
    pub(crate) currency: Option<String>,

    /// Equivalence margin: two sides count as equal if the whole interval lies within it
    #[arg(long, value_name = "PERCENT", default_value = "5%", value_parser = parse_share)]
    pub(crate) margin: f64,

    /// Exit with status 3 when a side is worse than the first
    #[arg(long, value_name = "WHEN")]
    pub(crate) fail_on: Option<FailOnCompare>,

    /// Write the comparison as JSON to FILE, or print nothing else with `-`
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,

    /// Write the page to FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Measure two paths of this host in turns, and compare them
    #[arg(long, conflicts_with_all = ["a", "b"])]
    pub(crate) interleave: bool,

    #[command(flatten)]
    pub(crate) turns: InterleaveArgs,
}

/// What --interleave takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "With --interleave")]
pub(crate) struct InterleaveArgs {
    /// Measure existing files or devices and write nothing to them
    #[arg(long, requires = "interleave")]
    pub(crate) read_only: bool,

    /// Size of each test file, or of the part of a file or device [default: 1g]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, requires = "interleave")]
    pub(crate) size: Option<Bytes>,

    /// Maximum of bytes written, half of it on each side, the test files included; the comparison
    /// ends before it writes more [default: no bound]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, requires = "interleave")]
    pub(crate) max_written: Option<Bytes>,

    /// Workloads [default: what a quick check measures]
    #[arg(long, value_name = "WORKLOADS", value_delimiter = ',', requires = "interleave")]
    pub(crate) rw: Vec<Kind>,

    /// Bytes per operation of these workloads
    #[arg(long, value_name = "SIZE", default_value = "4k")]
    #[arg(value_parser = parse_size, requires = "rw")]
    pub(crate) bs: Bytes,

    /// Depths of these workloads
    #[arg(
        long,
        value_name = "DEPTHS",
        default_value = "1,32",
        value_delimiter = ',',
        requires = "rw"
    )]
    pub(crate) depth: Vec<Depths>,

    /// Share of reads in mixes, in percent
    #[arg(long, value_name = "PERCENT", default_value = "75", value_parser = parse_percent,
          requires = "rw")]
    pub(crate) mix: u8,

    /// Time of each cell of a visit
    #[arg(long, value_name = "TIME", default_value = "400ms", value_parser = parse_time,
          requires = "interleave")]
    pub(crate) cell_time: Nanos,

    /// Longest time of all visits, unless --visits fixes their number
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = parse_time,
          requires = "interleave")]
    pub(crate) budget: Nanos,

    /// A ratio is known well enough when half its interval is this share of it
    #[arg(long, value_name = "PERCENT", default_value = "2.4%", value_parser = parse_share,
          requires = "interleave")]
    pub(crate) precision: f64,

    /// Fixed number of visits per side
    #[arg(long, value_name = "NUMBER", value_parser = parse_visits, requires = "interleave")]
    pub(crate) visits: Option<u32>,

    /// Keep the record of every visit in this folder, numbered after the existing ones
    #[arg(long, value_name = "FOLDER", requires = "interleave")]
    pub(crate) keep: Option<PathBuf>,

    /// Seed of offsets and data [default: random]
    #[arg(long, value_name = "NUMBER", requires = "interleave")]
    pub(crate) seed: Option<u64>,

    /// Show no progress
    #[arg(long, short, requires = "interleave")]
    pub(crate) quiet: bool,
}

/// Which verdicts make the exit status 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOnCompare {
    /// A side is worse than the first, over all cells or in one that holds in the whole
    Slower,
}
