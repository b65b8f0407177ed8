//! What is printed.

use super::build::*;
use crate::options::spec::{Category, OptionSpec};

const C: Category = Category::Report;

pub(super) const TABLE: &[OptionSpec] = &[
    flag("stats", C, "Whether the job is in the results at all.").default("1"),
    choice("unified_rw_reporting", C, "Reads, writes and trims apart or together.", UNIFIED)
        .default("none"),
    flag("clat_percentiles", C, "Percentiles of the time from sending to the end.").default("1"),
    flag("lat_percentiles", C, "Percentiles of the whole time.").default("0"),
    flag("slat_percentiles", C, "Percentiles of the time of sending.").default("0"),
    floats("percentile_list", C, "Which percentiles, at most 20, separated by colons.")
        .default("1:5:10:20:30:40:50:60:70:80:90:95:99:99.5:99.9:99.95:99.99")
        .range(0, 100),
    int("significant_figures", C, "Digits of numbers in normal output.").default("4").range(1, 10),
    choice("kb_base", C, "What a bare k, m, g means.", KB).default("1024"),
    choice("unit_base", C, "Bytes or bits in normal output.", UNIT),
    msecs("bwavgtime", C, "Time of one sample of bytes per second, in ms.")
        .default("500")
        .under("write_bw_log"),
    msecs("iopsavgtime", C, "Time of one sample of operations per second, in ms.")
        .default("500")
        .under("write_iops_log"),
    flag("disk_util", C, "Tell how busy the disk was.").default("1"),
    flag("gtod_reduce", C, "Read the clock as seldom as possible: no latencies, no samples.")
        .default("0"),
    flag("disable_lat", C, "No whole times.").default("0").under("gtod_reduce"),
    flag("disable_clat", C, "No times from sending to the end.").default("0").under("gtod_reduce"),
    flag("disable_slat", C, "No times of sending.").default("0").under("gtod_reduce"),
    flag("disable_bw_measurement", C, "No samples of bytes per second.")
        .alias(&["disable_bw"])
        .default("0")
        .under("gtod_reduce"),
    flag("block_error_percentiles", C, "A histogram of errors of trims.")
        .default("0")
        .refused("errors are counted, without a histogram; see error_dump"),
];

const UNIFIED: &[(&str, &str)] = &[
    ("none", "apart"),
    ("mixed", "together, under the name mixed"),
    ("both", "apart, and together as well"),
    ("0", "the same as none"),
    ("1", "the same as mixed"),
    ("2", "the same as both"),
];

const KB: &[(&str, &str)] = &[
    ("1024", "powers of 1024; ki, mi with a B are powers of 1000"),
    ("1000", "powers of 1000; ki, mi are powers of 1024"),
];

const UNIT: &[(&str, &str)] = &[("0", "as it fits the job"), ("8", "bytes"), ("1", "bits")];
