//! Logs of the run.

use super::build::*;
use crate::options::spec::{Category, OptionSpec};

const C: Category = Category::Log;

pub(super) const TABLE: &[OptionSpec] = &[
    text("write_bw_log", C, "Begin of the name of a log of bytes per second.").bare_in_file(),
    text("write_lat_log", C, "Begin of the names of logs of latencies.").bare_in_file(),
    text("write_iops_log", C, "Begin of the name of a log of operations per second.")
        .bare_in_file(),
    text("write_hist_log", C, "Begin of the name of a log of latency histograms.").bare_in_file(),
    flag("per_job_logs", C, "A number per instance in the names of logs.").default("1"),
    msecs("log_avg_msec", C, "Time of which a log line is the mean, in ms; 0: each operation.")
        .default("0"),
    choice("log_window_value", C, "What a line of log_avg_msec tells.", WINDOW)
        .alias(&["log_max_value"])
        .default("avg"),
    msecs("log_hist_msec", C, "Time between lines of write_hist_log, in ms.").default("0"),
    int("log_hist_coarseness", C, "How often neighbouring bins are joined, two by two.")
        .default("0")
        .range(0, 6),
    flag("log_offset", C, "Add the place of each operation.").default("0"),
    flag("log_unix_epoch", C, "Times since 1970 instead of since the start."),
    flag("log_alternate_epoch", C, "Times of the clock log_alternate_epoch_clock_id.")
        .refused("times count from the start, or from 1970; use log_unix_epoch=1"),
    int("log_alternate_epoch_clock_id", C, "Number of the clock of log_alternate_epoch.")
        .refused("times count from the start, or from 1970; use log_unix_epoch=1"),
    flag("log_prio", C, "Tell the whole priority, not only whether it is high.")
        .default("0")
        .refused("all operations of a job have one priority, that of prio and prioclass"),
    flag("log_issue_time", C, "Add the time each operation was sent (newer versions).")
        .default("0")
        .refused("a line has the time of the end; its latency leads back to the start"),
    int("log_entries", C, "Lines for which memory is reserved at first.")
        .default("1024")
        .range(1024, 1_048_576)
        .noted("memory for logs grows as needed"),
    size("log_compression", C, "Bytes of a log after which they are compressed in memory.")
        .range(1024, 536_870_912)
        .noted("logs are written as they grow, and not held in memory"),
    special("log_compression_cpus", C, "Processors that compress.")
        .under("log_compression")
        .noted("logs are not compressed"),
    flag("log_store_compressed", C, "Write logs compressed.")
        .refused("only fio reads that format; compress the finished logs, for instance with zstd"),
];

const WINDOW: &[(&str, &str)] = &[
    ("avg", "the mean"),
    ("max", "the largest value"),
    ("both", "the mean, and the largest value after it"),
    ("0", "the same as avg"),
    ("1", "the same as max"),
];
