//! The arguments of `replay`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use units::Nanos;
use workload::Bound;

use super::measure::Common;
use super::shared::{BudgetArg, SIZE_DEFAULT, with_default};
use super::values::{parse_bound, parse_speed, parse_time};

const SEARCH: &str = "Search";

#[derive(Debug, Args)]
#[command(
    mut_arg("size", |arg| with_default(arg, SIZE_DEFAULT)),
    mut_arg("budget", |arg| with_default(arg, "5m").requires("limit").help_heading(SEARCH))
)]
pub(crate) struct ReplayArgs {
    /// The load: a profile or trace of truedisk, a trace of blktrace or fio, blkparse's text
    pub(crate) load: PathBuf,

    #[command(flatten)]
    pub(crate) common: Common,

    /// How many times as fast as it was captured: 2x, 0.5x
    #[arg(long, value_name = "FACTOR", default_value = "1x", value_parser = parse_speed)]
    pub(crate) speed: f64,

    /// Where requests go on a target of another size [default: as-is where they fit, else scale]
    #[arg(long, value_name = "RULE")]
    pub(crate) map: Option<MapArg>,

    /// Search how many times this load keeps the bound
    #[arg(long, help_heading = SEARCH)]
    pub(crate) limit: bool,

    /// Latency bound of the search: mean, max or a percentile, and a time
    #[arg(long, value_name = "BOUND", default_value = "p99<10ms", value_delimiter = ',',
          value_parser = parse_bound, requires = "limit", help_heading = SEARCH)]
    pub(crate) bound: Vec<Bound>,

    /// Longest probe; of a longer load, each probe replays another part
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_time,
          requires = "limit", help_heading = SEARCH)]
    pub(crate) probe_max: Nanos,

    #[command(flatten)]
    pub(crate) budget: BudgetArg,

    /// Compute whether a plan would carry this load, such as aws:gp3:500GiB or ./plans.toml:NAME,
    /// and measure nothing; exit status 3 when it would not
    #[arg(long, value_name = "PLAN", conflicts_with_all = MEASURING_OPTIONS)]
    pub(crate) plan: Option<String>,

    /// Write the profile as a job file of fio to FILE, with what it cannot express as comments; -:
    /// to stdout
    #[arg(long, value_name = "FILE|-", help_heading = EXPORT)]
    #[arg(conflicts_with_all = MEASURING_OPTIONS.into_iter().chain(JUDGING_OPTIONS))]
    pub(crate) as_fio: Option<PathBuf>,

    /// Write the profile as a preset to FILE, for truedisk preset FILE; -: to stdout
    #[arg(long, value_name = "FILE|-", help_heading = EXPORT)]
    #[arg(conflicts_with_all = MEASURING_OPTIONS.into_iter().chain(JUDGING_OPTIONS))]
    pub(crate) as_preset: Option<PathBuf>,
}

const EXPORT: &str = "Other forms";

/// Options that need a measurement.
const MEASURING_OPTIONS: [&str; 15] = [
    "path",
    "limit",
    "map",
    "read_only",
    "size",
    "max_written",
    "yes_destroy_data_on",
    "html",
    "markdown",
    "csv",
    "fail_on",
    "bound",
    "probe_max",
    "budget",
    "no_history",
];

/// Options that a plan is judged with, and another form of the load is not.
const JUDGING_OPTIONS: [&str; 4] = ["speed", "seed", "plan", "json"];

/// Where requests go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MapArg {
    /// Spread over the target
    Scale,
    /// Wrap around at the end of the target
    Wrap,
    /// Where they were; refused where they do not fit
    AsIs,
}
