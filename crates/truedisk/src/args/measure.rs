//! The arguments of commands that measure.

use std::path::PathBuf;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use units::Nanos;
use workload::Bound;

use super::shared::{
    BudgetArg, ExtentArgs, FailOn, OUTPUT, QuietArg, ResultArgs, SIZE_DEFAULT, TARGET, TableArgs,
    with_default,
};
use super::values::{Depths, JobSizes, Workload, parse_bound, parse_percent, parse_time};

/// What every command that measures takes.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Folder, file or block device to measure [default: .]
    #[arg(value_parser = path_parser())]
    pub(crate) path: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) extent: ExtentArgs,

    /// Permission to destroy all data on the block device DEVICE, which must be the one measured
    #[arg(long, value_name = "DEVICE", conflicts_with = "read_only", help_heading = TARGET)]
    pub(crate) yes_destroy_data_on: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) result: ResultArgs,

    #[command(flatten)]
    pub(crate) tables: TableArgs,

    /// Keep no record and no page of this run, and leave it out of the history
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) no_history: bool,

    #[command(flatten)]
    pub(crate) quiet: QuietArg,

    /// Exit with status 3 when a finding is at least this bad
    #[arg(long, value_name = "STATUS", help_heading = OUTPUT)]
    pub(crate) fail_on: Option<FailOn>,
}

/// A value without its option, or without `=`, would be taken for a path.
fn path_parser() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        let meant = path.to_str().filter(|_| !path.exists()).and_then(describe_value);
        meant.map_or(Ok(path), Err)
    })
}

/// How a word that is no path is written as a value.
fn describe_value(word: &str) -> Option<String> {
    if let Ok(bound) = word.parse::<Bound>() {
        return Some(describe_bound(&bound));
    }
    if ArrivalsArg::from_str(word, false).is_ok() {
        return Some(format!("arrivals are written --open-loop={word}"));
    }
    let is_time = word.ends_with(char::is_alphabetic) && word.parse::<Nanos>().is_ok();
    is_time.then(|| format!("no such path; a time is written --until-throttled={word}"))
}

/// How a bound is written.
pub(super) fn describe_bound(bound: &Bound) -> String {
    format!("a bound is written --bound '{bound}'")
}

impl Common {
    /// What is measured.
    pub(crate) fn path(&self) -> PathBuf {
        self.path.clone().unwrap_or_else(|| PathBuf::from("."))
    }
}

const PROMISE: &str = "Promise";

/// What the target is held against.
#[derive(Debug, Args)]
pub(crate) struct PromiseArgs {
    /// Promised numbers, such as iops=5000,mbps=200,latency=p99<10ms,tolerance=2%; exit status 3
    /// when one is not kept
    #[arg(long, value_name = "NUMBERS", conflicts_with = "plan", help_heading = PROMISE)]
    pub(crate) promise: Option<String>,

    /// A plan that was bought, such as aws:gp3:100GiB,iops=6000 or ./plans.toml:NAME (`truedisk
    /// model` lists them); exit status 3 when a number is not kept
    #[arg(long, value_name = "PLAN", help_heading = PROMISE)]
    pub(crate) plan: Option<String>,
}

#[derive(Debug, Args)]
#[command(mut_arg("size", |arg| with_default(arg, SIZE_DEFAULT)))]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) common: Common,

    /// Take about 15 s instead of 60 s
    #[arg(long, conflicts_with = "thorough")]
    pub(crate) quick: bool,

    /// Measure until settled: about 6 minutes
    #[arg(long)]
    pub(crate) thorough: bool,

    /// First read until the burst of a cloud volume ends, at most for TIME [default TIME: 2h]
    #[arg(long, value_name = "TIME", num_args = 0..=1, require_equals = true,
          default_missing_value = "2h", value_parser = parse_time)]
    pub(crate) until_throttled: Option<Nanos>,

    /// The TIME of --until-throttled, as older versions had it; refused without it
    #[arg(long, value_name = "TIME", value_parser = parse_time, hide = true)]
    pub(crate) budget: Option<Nanos>,

    /// Print one line as a plugin of Nagios does, and end with its statuses: 0 OK, 1 WARNING (a
    /// finding warns), 2 CRITICAL (a promise or --fail-on is not met), 3 UNKNOWN
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) nagios: bool,

    /// Latency bound of the best IOPS: mean, max or a percentile, and a time; several with commas
    #[arg(long, value_name = "BOUND", default_value = "p99<10ms", value_delimiter = ',',
          value_parser = parse_bound)]
    pub(crate) bound: Vec<Bound>,

    #[command(flatten)]
    pub(crate) promise: PromiseArgs,
}

#[derive(Debug, Args)]
#[command(
    mut_arg("size", |arg| with_default(arg, SIZE_DEFAULT)),
    mut_arg("budget", |arg| with_default(arg, "10m"))
)]
pub(crate) struct LimitArgs {
    #[command(flatten)]
    pub(crate) common: Common,

    /// randread, randwrite, randrw, read, write, rw; or two independent jobs, such as
    /// randread+randwrite
    #[arg(long, value_name = "WORKLOAD", default_value = "randread")]
    pub(crate) rw: Workload,

    /// Bytes per operation; of two jobs, each may have its own: 4k+64k
    #[arg(long, value_name = "SIZE", default_value = "4k")]
    pub(crate) bs: JobSizes,

    /// Share of reads in percent: of the operations of randrw, of the depth of two jobs
    /// [default: 75]
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent)]
    pub(crate) mix: Option<u8>,

    /// Latency bound: mean, max or a percentile, and a time
    #[arg(long, value_name = "BOUND", default_value = "p99<10ms", value_delimiter = ',',
          value_parser = parse_bound)]
    pub(crate) bound: Vec<Bound>,

    /// Search over the rate of arrivals instead of the depth; arrivals do not wait for each other
    #[arg(long, value_name = "ARRIVALS", num_args = 0..=1, require_equals = true,
          default_missing_value = "poisson")]
    pub(crate) open_loop: Option<ArrivalsArg>,

    /// Operations outstanding: the deepest queue tried; of a range, also the shallowest: 8..256
    #[arg(
        long,
        alias = "depth-max",
        value_name = "DEPTHS",
        default_value = "1024",
        value_delimiter = ','
    )]
    pub(crate) depth: Vec<Depths>,

    /// The longest single measurement; a slow disk and a high percentile need long ones
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = parse_time)]
    pub(crate) probe_max: Nanos,

    #[command(flatten)]
    pub(crate) budget: BudgetArg,

    #[command(flatten)]
    pub(crate) promise: PromiseArgs,
}

/// How arrivals are spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ArrivalsArg {
    /// Independent of each other, as those of many clients
    Poisson,
    /// Equally far apart
    Constant,
}
