//! Logs of the run.

use super::parse::{ValueProblem, ValueResult};
use super::reader::ValueReader;
use super::spec::*;

/// Time series written to files.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LogOptions {
    pub bw: Option<LogName>,
    pub iops: Option<LogName>,
    pub lat: Option<LogName>,
    pub hist: Option<LogName>,
    pub per_job: bool,
    /// One line per window; 0: one line per operation.
    pub avg_ms: u64,
    pub window_value: WindowValue,
    /// One histogram per window; 0: no histograms.
    pub hist_ms: u64,
    /// 0 to 6; each step halves the number of bins.
    pub hist_coarseness: u8,
    pub offset: bool,
    pub unix_epoch: bool,
    pub alternate_epoch: bool,
    /// Clock of `alternate_epoch`.
    pub epoch_clock: u32,
    pub prio: bool,
    /// Compressed, in files that end with `.fz`.
    pub stored: bool,
    pub issue_time: bool,
}

type O = LogOptions;

const LOGS: &str = "it writes a file on the host; percentiles, and with json+ all bins, are in \
                    the results";
/// Realtime, monotonic, and their raw, coarse and alarm kin.
const CLOCKS: [u32; 8] = [0, 1, 4, 5, 6, 7, 8, 9];

pub(super) const TABLE: &[Entry<O>] = &[
    text("write_bw_log", "", "Begin of the name of a log of bytes per second.")
        .bare_in_file()
        .sets(Local(LOGS), |o: &mut O| &mut o.bw),
    text("write_lat_log", "", "Begin of the names of logs of latencies.")
        .bare_in_file()
        .sets(Local(LOGS), |o: &mut O| &mut o.lat),
    text("write_iops_log", "", "Begin of the name of a log of operations per second.")
        .bare_in_file()
        .sets(Local(LOGS), |o: &mut O| &mut o.iops),
    text("write_hist_log", "", "Begin of the name of a log of latency histograms.")
        .bare_in_file()
        .sets(Local(LOGS), |o: &mut O| &mut o.hist),
    // Tools always set the options of logs: other hosts take them without the logs.
    flag("per_job_logs", "1", "A number per instance in the names of logs.")
        .sets(Any, |o: &mut O| &mut o.per_job),
    msecs("log_avg_msec", "0", "Time of which a log line is the mean, in ms; 0: each operation.")
        .sets(Any, |o: &mut O| &mut o.avg_ms),
    choice("log_window_value", "avg", "What a line of log_avg_msec tells.")
        .alias(&["log_max_value"])
        .sets(Any, |o: &mut O| &mut o.window_value),
    msecs("log_hist_msec", "0", "Time between lines of write_hist_log, in ms.")
        .sets(Any, |o: &mut O| &mut o.hist_ms),
    int("log_hist_coarseness", "0", "How often neighbouring bins are joined, two by two.")
        .range(0, 6)
        .sets(Any, |o: &mut O| &mut o.hist_coarseness),
    flag("log_offset", "0", "Add the place of each operation.")
        .sets(Any, |o: &mut O| &mut o.offset),
    flag("log_unix_epoch", "", "Times since 1970 instead of since the start.")
        .sets(Any, |o: &mut O| &mut o.unix_epoch),
    flag("log_alternate_epoch", "", "Log times of the clock log_alternate_epoch_clock_id.")
        .sets(Any, |o: &mut O| &mut o.alternate_epoch),
    int("log_alternate_epoch_clock_id", "", "Number of that clock, as in clock_gettime(2).").reads(
        Any,
        |o: &mut O, reader| {
            let clock = reader.read_u32(0)?;
            if !CLOCKS.contains(&clock) {
                let expected = "0 (since 1970), 1 (since the start of the host), 4, 5, 6, 7, 8, 9";
                return Err(ValueProblem::new("it is no clock of all processes", expected));
            }
            o.epoch_clock = clock;
            Ok(())
        },
    ),
    flag("log_prio", "0", "Tell the whole priority, not only whether it is high.")
        .sets(Any, |o: &mut O| &mut o.prio),
    flag("log_issue_time", "0", "Add the time each operation was sent (newer versions).")
        .sets(Any, |o: &mut O| &mut o.issue_time),
    int("log_entries", "1024", "Lines for which memory is reserved at first.")
        .range(1024, 1_048_576)
        .noted("memory for logs grows as needed"),
    size("log_compression", "", "Bytes of a log after which they are compressed in memory.")
        .range(1024, 536_870_912)
        .noted("logs are written as they grow, and not held in memory"),
    special("log_compression_cpus", "", "Processors that compress.")
        .under("log_compression")
        .noted("logs are not compressed"),
    flag("log_store_compressed", "", "Write logs compressed; --inflate-log prints them.")
        .sets(Any, |o: &mut O| &mut o.stored),
];

/// Name of a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum LogName {
    #[default]
    JobName,
    Prefix(String),
}

impl ReadValue for LogName {
    fn read(reader: &mut ValueReader<'_>, _: &OptionSpec) -> ValueResult<Self> {
        let prefix = reader.optional_text().map(|prefix| Self::Prefix(prefix.to_owned()));
        Ok(prefix.unwrap_or_default())
    }
}

/// `log_window_value`, `log_max_value`: what stands for a window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WindowValue {
    #[default]
    Average,
    Max,
    /// The mean, then the largest value, in a column more. Of fio 3.42; 3.33 has no such thing.
    Both,
}

impl Choice for WindowValue {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("avg", "the mean", Self::Average),
        ("max", "the largest value", Self::Max),
        ("both", "the mean, and the largest value after it", Self::Both),
        ("0", "the same as avg", Self::Average),
        ("1", "the same as max", Self::Max),
    ];
}
