//! Run time and start.

use super::build::*;
use crate::options::spec::{Category, OptionSpec};

const C: Category = Category::Time;

pub(super) const TABLE: &[OptionSpec] = &[
    secs("runtime", C, "End after this time at the latest; a bare number is seconds.")
        .alias(&["timeout"])
        .default("0"),
    switch("time_based", C, "Start again at the end of the files until runtime is over."),
    secs("ramp_time", C, "Time to run before measuring; it comes on top of runtime."),
    size("ramp_size", C, "Bytes to move before measuring (newer versions).")
        .refused("the start is left out by time only; use ramp_time"),
    special("startdelay", C, "Time to wait before the start; from-to for a random one.")
        .default("0"),
    choice("clocksource", C, "Which clock times operations.", CLOCK)
        .noted("operations are timed with the clock our engine prefers"),
    int("gtod_cpu", C, "Processor that does nothing but tell the time.")
        .noted("no processor is set aside; reading the clock is cheap"),
    int("job_start_clock_id", C, "Clock of the job_start field (newer versions).")
        .default("0")
        .noted("job_start is wall clock time"),
];

const CLOCK: &[(&str, &str)] = &[
    ("gettimeofday", "the call of this name"),
    ("clock_gettime", "the call of this name"),
    ("cpu", "the processor's own counter"),
];
