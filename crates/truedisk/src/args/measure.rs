//! The arguments of commands that measure.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use units::{Bytes, Nanos};
use workload::Bound;

use super::values::{Workload, parse_depth, parse_percent, parse_size, parse_time};

/// Which findings make the exit status 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// Only `invalid`
    Invalid,
    /// `warning` and `invalid`
    Warning,
}

/// What every command that measures takes.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Folder, file or block device to measure [default: .]
    pub(crate) path: Option<PathBuf>,

    /// Measure an existing file or device and write nothing to it
    #[arg(long)]
    pub(crate) read_only: bool,

    /// Size of the test file, or of the part of a file or device [default: 4g, less for a short
    /// run; at most a tenth of the free space]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) size: Option<Bytes>,

    /// Most bytes written, test file included [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) max_written: Option<Bytes>,

    /// Leave to destroy all data on the block device DEVICE, which must be the one measured
    #[arg(long, value_name = "DEVICE", conflicts_with = "read_only")]
    pub(crate) yes_destroy_data_on: Option<PathBuf>,

    /// Write the record as JSON to FILE, or print nothing else with `-`
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,

    /// Write the page to FILE instead of next to the record
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Keep no record and no page of this run, and leave it out of the history
    #[arg(long)]
    pub(crate) no_history: bool,

    /// Show no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Exit with status 3 when a finding is at least this bad
    #[arg(long, value_name = "STATUS")]
    pub(crate) fail_on: Option<FailOn>,

    /// Seed of offsets and data: the same seed makes the same operations [default: random]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
}

impl Common {
    /// What is measured.
    pub(crate) fn path(&self) -> PathBuf {
        self.path.clone().unwrap_or_else(|| PathBuf::from("."))
    }
}

/// What the target is held against.
#[derive(Debug, Args)]
pub(crate) struct PromiseArgs {
    /// Judge what was measured against numbers that were promised: iops=5000, mbps=200,
    /// latency=p99<10ms, tolerance=2%, joined with commas; exit status 3 when one is not kept
    #[arg(long, value_name = "NUMBERS", conflicts_with = "plan")]
    pub(crate) promise: Option<String>,

    /// Judge what was measured against a plan: aws:gp3:100GiB,iops=6000, or ./plans.toml:NAME of
    /// your own; `truedisk model` lists them; exit status 3 when a number is not kept
    #[arg(long, value_name = "PLAN")]
    pub(crate) plan: Option<String>,
}

/// Identify, measure, judge and report: the main job.
///
/// A folder is measured through a test file of truedisk's own, which is removed at the end.
/// Nothing that exists is ever written to. An existing file or a device is measured with
/// --read-only.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) common: Common,

    /// Take about 15 s instead of 60 s
    #[arg(long, conflicts_with = "thorough")]
    pub(crate) quick: bool,

    /// Measure until settled: about 6 minutes
    #[arg(long)]
    pub(crate) thorough: bool,

    /// First read at full load until a burst ends (credits of a cloud volume): then the figures are
    /// what the disk sustains. Takes as long as the burst, at most --budget
    #[arg(long)]
    pub(crate) until_throttled: bool,

    /// Longest time that --until-throttled waits for a burst to end
    #[arg(long, value_name = "TIME", default_value = "2h", value_parser = parse_time,
          requires = "until_throttled")]
    pub(crate) budget: Nanos,

    /// Latency bound of the best IOPS: mean, max or a percentile, and a time; several are judged
    /// from the same measurements
    #[arg(long, value_name = "BOUND", default_value = "p99<10ms", value_delimiter = ',')]
    pub(crate) bound: Vec<Bound>,

    #[command(flatten)]
    pub(crate) promise: PromiseArgs,
}

/// Find the deepest queue, and so the most IOPS, that keeps latency within a bound.
///
/// The search doubles the depth until the bound breaks or operations stop rising, then closes in,
/// and measures its answer again. Several bounds share their measurements.
#[derive(Debug, Args)]
pub(crate) struct LimitArgs {
    #[command(flatten)]
    pub(crate) common: Common,

    /// randread, randwrite, randrw, read, write, rw; or two independent jobs, such as
    /// randread+randwrite
    #[arg(long, value_name = "WORKLOAD", default_value = "randread")]
    pub(crate) rw: Workload,

    /// Bytes per operation; of two jobs, each may have its own: 4k,64k
    #[arg(long, value_name = "SIZE", default_value = "4k", value_delimiter = ',',
          value_parser = parse_size)]
    pub(crate) bs: Vec<Bytes>,

    /// Share of reads in percent: of the operations of randrw, of the depth of two jobs
    /// [default: 75]
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent)]
    pub(crate) mix: Option<u8>,

    /// Latency bound: mean, max or a percentile, and a time
    #[arg(long, value_name = "BOUND", default_value = "p99<10ms", value_delimiter = ',')]
    pub(crate) bound: Vec<Bound>,

    /// Search the highest rate of arrivals instead of the deepest queue: what happens to
    /// requests that do not wait for each other
    #[arg(long, value_name = "ARRIVALS", num_args = 0..=1, require_equals = true,
          default_missing_value = "poisson")]
    pub(crate) open_loop: Option<ArrivalsArg>,

    /// The deepest queue tried
    #[arg(long, value_name = "DEPTH", default_value = "1024", value_parser = parse_depth)]
    pub(crate) depth_max: u32,

    /// The longest single measurement; a slow disk and a high percentile need long ones
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = parse_time)]
    pub(crate) probe_max: Nanos,

    /// Longest time of the whole search; it ends with what it knows then
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = parse_time)]
    pub(crate) budget: Nanos,

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
