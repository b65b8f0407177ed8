//! Rates and pauses.

use super::build::*;
use crate::options::spec::{Category, OptionSpec};

const C: Category = Category::Rate;

pub(super) const TABLE: &[OptionSpec] = &[
    sizes("rate", C, "At most so many bytes per second: one, or read,write,trim."),
    sizes("rate_min", C, "At least so many bytes per second, else the job fails.")
        .alias(&["ratemin"])
        .under("rate"),
    sizes("rate_iops", C, "At most so many operations per second: one, or read,write,trim."),
    sizes("rate_iops_min", C, "At least so many operations per second, else the job fails.")
        .under("rate_iops"),
    choice("rate_process", C, "How operations of a rate are spread over time.", PROCESS)
        .default("linear")
        .under("rate"),
    msecs("rate_cycle", C, "Time over which rate_min and rate_iops_min are averaged, in ms.")
        .alias(&["ratecycle"])
        .default("1000")
        .under("rate"),
    flag("rate_ignore_thinktime", C, "After a pause go on at the rate, without catching up.")
        .under("rate"),
    usecs("thinktime", C, "Pause between operations, in microseconds.").default("0"),
    usecs("thinktime_spin", C, "Part of the pause spent busy, in microseconds.")
        .default("0")
        .under("thinktime"),
    int("thinktime_blocks", C, "Number of operations between pauses.")
        .default("1")
        .under("thinktime"),
    choice("thinktime_blocks_type", C, "Which operations thinktime_blocks counts.", BLOCKS)
        .default("complete")
        .under("thinktime"),
    secs("thinktime_iotime", C, "Time of operations between pauses, in seconds.")
        .default("0")
        .under("thinktime"),
    int("thinkcycles", C, "Processor cycles to spend between operations (newer versions).")
        .under("thinktime")
        .refused("cycles differ between processors; use thinktime with thinktime_spin"),
    int("flow_id", C, "Number of the flow: jobs with the same one keep in step.").default("0"),
    int("flow", C, "Weight of the job in its flow.").default("0").range(0, 1000).under("flow_id"),
    int("flow_sleep", C, "Microseconds to sleep when the job is ahead of its flow.")
        .default("0")
        .under("flow_id"),
];

const PROCESS: &[(&str, &str)] = &[
    ("linear", "at even distances"),
    ("poisson", "at random distances, as independent users arrive"),
];

const BLOCKS: &[(&str, &str)] =
    &[("complete", "those that have ended"), ("issue", "those that were sent")];
