//! The arguments of `compare`.

use std::path::PathBuf;

use clap::{Arg, Args};
use units::Nanos;

use super::shared::{
    BudgetArg, ExtentArgs, FailOnWorse, OUTPUT, PrecisionArg, QuietArg, ResultArgs, TableArgs,
    with_default,
};
use super::values::{
    Depths, Kind, Sizes, parse_kind, parse_percent, parse_price, parse_share, parse_time,
    parse_visits,
};

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The sides; each is compared with the first
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
    #[arg(long, value_name = "WHEN", help_heading = OUTPUT)]
    pub(crate) fail_on: Option<FailOnWorse>,

    #[command(flatten)]
    pub(crate) result: ResultArgs,

    #[command(flatten)]
    pub(crate) tables: TableArgs,

    #[command(flatten)]
    pub(crate) quiet: QuietArg,

    /// Measure two paths of this host in turns, and compare them
    #[arg(long, conflicts_with_all = ["a", "b"])]
    pub(crate) interleave: bool,

    #[command(flatten)]
    pub(crate) turns: InterleaveArgs,
}

/// What --interleave takes.
#[derive(Debug, Args)]
#[command(next_help_heading = INTERLEAVE)]
#[command(
    mut_arg("read_only", with_interleave),
    mut_arg("size", |arg| with_interleave(with_default(arg, "1g or less"))),
    mut_arg("max_written", |arg| with_interleave(arg).help(MAX_WRITTEN_HELP)),
    mut_arg("seed", with_interleave),
    mut_arg("budget", |arg| with_interleave(with_default(arg, "2m"))),
    mut_arg("precision", |arg| with_interleave(with_default(arg, "2.4%")))
)]
pub(crate) struct InterleaveArgs {
    #[command(flatten)]
    pub(crate) extent: ExtentArgs,

    /// Workloads [default: what a quick check measures]
    #[arg(long, value_name = "WORKLOADS", value_delimiter = ',', value_parser = parse_kind,
          requires = "interleave")]
    pub(crate) rw: Vec<Kind>,

    /// Bytes per operation of these workloads; 4k..64k is 4k, 8k and so on
    #[arg(
        long,
        value_name = "SIZES",
        default_value = "4k",
        value_delimiter = ',',
        requires = "rw"
    )]
    pub(crate) bs: Vec<Sizes>,

    /// Operations outstanding of these workloads; 1..256 is 1, 2, 4 and so on
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

    #[command(flatten)]
    pub(crate) budget: BudgetArg,

    #[command(flatten)]
    pub(crate) precision: PrecisionArg,

    /// Fixed number of visits per side, whatever the budget
    #[arg(long, value_name = "NUMBER", value_parser = parse_visits, requires = "interleave")]
    pub(crate) visits: Option<u32>,

    /// Write the record of every visit to this folder, numbered after the existing ones
    #[arg(long, alias = "keep", value_name = "FOLDER", requires = "interleave")]
    pub(crate) records: Option<PathBuf>,
}

const INTERLEAVE: &str = "With --interleave";
const MAX_WRITTEN_HELP: &str =
    "Most bytes written, half of it on each side, test files included [default: no limit]";

fn with_interleave(arg: Arg) -> Arg {
    arg.requires("interleave").help_heading(INTERLEAVE)
}
