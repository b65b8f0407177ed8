//! The arguments: every flag has its one definition here.

mod compare;
mod devices;
mod fleet;
mod history;
mod model;
mod preset;
mod sweep;

use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use record::FindingId;
use units::{Bytes, Nanos};
use workload::Bound;

pub(crate) use compare::{CompareArgs, FailOnCompare};
pub(crate) use devices::DevicesArgs;
pub(crate) use fleet::{
    AgentArgs, CollectArgs, FleetArgs, FleetCommand, FleetFioArgs, ServerArgs, SpanArg,
};
pub(crate) use history::{
    ExportArgs, FilterArgs, FormatArg, HistoryCommand, ImportArgs, ListArgs, RowsArg, ShowArgs,
    TrendArgs,
};
pub(crate) use model::ModelArgs;
pub(crate) use preset::PresetArgs;
pub(crate) use sweep::{Depths, SweepArgs};

/// Measure storage and tell the truth about it.
///
/// Without a command: `truedisk check .`, the main job on the current folder.
#[derive(Debug, Parser)]
#[command(name = "truedisk", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Identify, measure, judge and report: the main job
    Check(CheckArgs),
    /// The most IOPS within a latency bound, and the curve behind it
    Limit(LimitArgs),
    /// A matrix of workloads over block size and depth, or reads next to writes
    Sweep(SweepArgs),
    /// The tests of other tools and of applications: cloud, etcd, sd-a1, ...
    Preset(PresetArgs),
    /// What a price list or physics says: IOPS and MB/s over block size and over time
    Model(ModelArgs),
    /// Hold runs against each other: ratios with intervals, verdicts, or why none can be given
    Compare(CompareArgs),
    /// The runs that were kept: list, show, tag, diff, delete, export, import, trend
    #[command(subcommand)]
    History(HistoryCommand),
    /// What is here, what it is, what it claims, what may be written
    Devices(DevicesArgs),
    /// Many hosts at once: list, check, limit, sweep, fio, collect, stop
    Fleet(Box<FleetArgs>),
    /// Measure on this host what a coordinator elsewhere asks
    Agent(AgentArgs),
    /// Request by request, as ioping does it: latency while you watch
    ///
    /// `truedisk ping -h` lists the options, which are ioping's and a few more. The same binary
    /// called `ioping` does this too.
    #[command(disable_help_flag = true)]
    Ping {
        /// ioping's own options, and paths [default: .]
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    /// Take fio's command line and job files, print what fio prints
    ///
    /// `truedisk fio --help` lists the switches, `truedisk fio --cmdhelp=all` the options. The same
    /// binary called `fio` does this too.
    #[command(disable_help_flag = true)]
    Fio {
        /// fio's own arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    /// What a finding means, how it is found, what to do
    Explain {
        /// A finding, such as stall; without one, all are listed
        #[arg(value_parser = finding(), hide_possible_values = true)]
        finding: Option<FindingId>,
    },
    /// Print the JSON Schema of the record
    Schema,
}

impl Default for Command {
    fn default() -> Self {
        // Parsing no arguments cannot fail: every flag of `check` has a default.
        match Arguments::try_parse_from(["truedisk", "check"]) {
            Ok(Arguments { command: Some(command) }) => command,
            _ => Self::Schema,
        }
    }
}

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
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) size: Option<Bytes>,

    /// Most bytes written, test file included [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = size)]
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
    #[arg(long, value_name = "TIME", default_value = "2h", value_parser = time,
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
          value_parser = size)]
    pub(crate) bs: Vec<Bytes>,

    /// Share of reads in percent: of the operations of randrw, of the depth of two jobs
    /// [default: 75]
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
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
    #[arg(long, value_name = "DEPTH", default_value = "1024", value_parser = depth)]
    pub(crate) depth_max: u32,

    /// The longest single measurement; a slow disk and a high percentile need long ones
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = time)]
    pub(crate) probe_max: Nanos,

    /// Longest time of the whole search; it ends with what it knows then
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = time)]
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

/// What is asked of the device: one job, or two that do not wait for each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Workload(pub(crate) Vec<Kind>);

/// fio's words for order and direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) random: bool,
    pub(crate) reads: bool,
    pub(crate) writes: bool,
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let (random, verb) = match word.strip_prefix("rand") {
            Some(verb) => (true, verb),
            None => (false, word),
        };
        let (reads, writes) = match verb {
            "read" => (true, false),
            "write" => (false, true),
            "rw" | "readwrite" => (true, true),
            _ => {
                return Err(format!(
                    "unknown workload '{word}'; use randread, randwrite, randrw, read, write, rw, \
                     or two joined with '+'"
                ));
            }
        };
        Ok(Self { random, reads, writes })
    }
}

impl FromStr for Workload {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let kinds: Vec<Kind> = text.split('+').map(str::parse).collect::<Result<_, _>>()?;
        match kinds.as_slice() {
            [_] => {}
            [a, b] if a.reads != a.writes && b.reads != b.writes && a.reads != b.reads => {}
            [_, _] => {
                return Err("two jobs at the same time are one of reads and one of writes, such \
                            as randread+randwrite"
                    .to_owned());
            }
            _ => return Err("at most two jobs can be searched together".to_owned()),
        }
        Ok(Self(kinds))
    }
}

/// Takes the names of the findings; of an unknown one, clap offers those that are near.
fn finding() -> impl TypedValueParser<Value = FindingId> {
    PossibleValuesParser::new(FindingId::ALL.map(FindingId::name))
        .try_map(|name| FindingId::from_name(&name).ok_or("no such finding"))
}

pub(crate) fn size(text: &str) -> Result<Bytes, String> {
    match text.parse::<Bytes>() {
        Ok(Bytes(0)) => Err("a size of 0 measures nothing".to_owned()),
        Ok(bytes) => Ok(bytes),
        Err(error) => Err(error.reason),
    }
}

fn percent(text: &str) -> Result<u8, String> {
    match text.strip_suffix('%').unwrap_or(text).parse() {
        Ok(percent @ 1..=99) => Ok(percent),
        Ok(percent) => Err(format!("a share of {percent} % is no mix; use 1 to 99")),
        Err(_) => Err("a share is a whole number of percent, 1 to 99".to_owned()),
    }
}

fn depth(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(0) => Err("a depth of 0 asks for nothing; the least is 1".to_owned()),
        Ok(depth @ 1..=4096) => Ok(depth),
        Ok(depth) => Err(format!("a depth of {depth} is beyond 4096")),
        Err(_) => Err("a depth is a whole number, 1 to 4096".to_owned()),
    }
}

fn time(text: &str) -> Result<Nanos, String> {
    match text.parse::<Nanos>() {
        Ok(Nanos::ZERO) => Err("no time measures nothing".to_owned()),
        Ok(time) => Ok(time),
        Err(error) => Err(error.reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn no_arguments_mean_a_check_of_the_current_folder() {
        let Command::Check(check) = Command::default() else { panic!("not check") };
        assert_eq!(check.common.path(), PathBuf::from("."));
        assert_eq!(check.bound[0].to_string(), "p99<10ms");
    }

    #[test]
    fn bad_input_is_refused_with_what_and_why() {
        let check = |args: &[&str], words: &str| {
            let full = ["truedisk", "check"].iter().chain(args);
            let error = Arguments::try_parse_from(full).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{args:?}");
            assert!(error.to_string().contains(words), "{args:?}: {error}");
        };
        check(&["--size", "10x"], "unknown suffix 'x'");
        check(&["--size", "0"], "measures nothing");
        check(&["--bound", "p99<"], "time after '<' is missing");
        check(&["--bound", "p101<1ms"], "between 0 and 100");
        check(&["--quick", "--thorough"], "cannot be used with");
        check(&["--read-only", "--yes-destroy-data-on", "/dev/x"], "cannot be used with");
    }

    #[test]
    fn findings_are_known_by_name_and_near_ones_are_offered() {
        let parse = |name: &str| Arguments::try_parse_from(["truedisk", "explain", name]);
        for id in FindingId::ALL {
            let Some(Command::Explain { finding }) = parse(id.name()).unwrap().command else {
                panic!("not explain")
            };
            assert_eq!(finding, Some(id));
        }
        let error = parse("page-cash").unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("'page-cache'"), "{error}");
    }
}
