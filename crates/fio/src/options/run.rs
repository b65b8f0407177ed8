//! Name, number, order and run time of jobs.

use super::parse::{TimeUnit, ValueResult, describe_time, parse_time, split_range};
use super::reader::ValueReader;
use super::spec::*;

/// Name, number, order and run time of a job's instances.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunOptions {
    pub name: Option<String>,
    pub description: Option<String>,
    pub numjobs: u32,
    pub loops: u32,
    pub thread: bool,
    pub group_reporting: bool,
    pub new_group: bool,
    pub stonewall: bool,
    pub wait_for: Option<String>,
    pub exitall: bool,
    pub exit_what: ExitWhat,
    /// 0: no limit.
    pub runtime_us: u64,
    pub time_based: bool,
    pub ramp_time_us: u64,
    pub startdelay: TimeRange,
    /// Shell commands before and after the job.
    pub exec_prerun: Option<String>,
    pub exec_postrun: Option<String>,
}

type O = RunOptions;

pub(super) const JOBS: &[Entry<O>] = &[
    text("name", "", "Name of the job; on the command line it also starts a new job.")
        .sets(Any, |o: &mut O| &mut o.name),
    text("description", "", "A sentence about the job, repeated in the results.")
        .sets(Any, |o: &mut O| &mut o.description),
    int("numjobs", "1", "Number of equal instances of the job, run at the same time.")
        .reads(Any, |o: &mut O, reader| reader.read_u32(1).map(|value| o.numjobs = value)),
    int("loops", "1", "How often the job is run, one run after the other.").reads(
        Any,
        |o: &mut O, reader| {
            o.loops = reader.read_u32(0)?.max(1);
            Ok(())
        },
    ),
    text("comm", "", "Name of the job's process (newer versions).")
        .noted("jobs are threads of one process, and keep its name"),
    switch("thread", "", "Run instances as threads of one process, not as processes.")
        .alias(&["threads"])
        .sets(Any, |o: &mut O| &mut o.thread),
    switch("group_reporting", "", "One result for all instances of a group.")
        .sets(Any, |o: &mut O| &mut o.group_reporting),
    switch("new_group", "", "Start a new group of results with this job.")
        .sets(Any, |o: &mut O| &mut o.new_group),
    switch("stonewall", "", "Start this job only when all jobs before it have ended.")
        .alias(&["wait_for_previous"])
        .sets(Any, |o: &mut O| &mut o.stonewall),
    text("wait_for", "", "Start this job only when the job of this name has ended.")
        .sets(Any, |o: &mut O| &mut o.wait_for),
    switch("exitall", "", "When this job ends, end the others too (see exit_what).")
        .sets(Any, |o: &mut O| &mut o.exitall),
    choice("exit_what", "group", "Which jobs exitall ends.")
        .sets(Any, |o: &mut O| &mut o.exit_what),
];

pub(super) const TIME: &[Entry<O>] = &[
    secs("runtime", "0", "End after this time at the latest; a bare number is seconds.")
        .alias(&["timeout"])
        .sets(Any, |o: &mut O| &mut o.runtime_us),
    switch("time_based", "", "Start again at the end of the files until runtime is over.")
        .sets(Any, |o: &mut O| &mut o.time_based),
    secs("ramp_time", "", "Time to run before measuring; it comes on top of runtime.")
        .sets(Any, |o: &mut O| &mut o.ramp_time_us),
    size("ramp_size", "", "Bytes to move before measuring (newer versions).")
        .refused("the start is left out by time only; use ramp_time")
        .unread(),
    special("startdelay", "0", "Time to wait before the start; from-to for a random one.")
        .sets(Any, |o: &mut O| &mut o.startdelay),
    choice("clocksource", "", "Which clock times operations.")
        .words(CLOCK)
        .noted("operations are timed with the clock our engine prefers"),
    int("gtod_cpu", "", "Processor that does nothing but tell the time.")
        .noted("no processor is set aside; reading the clock is cheap"),
    int("job_start_clock_id", "0", "Clock of the job_start field (newer versions).")
        .noted("job_start is wall clock time"),
];

const CLOCK: Words = &[
    ("gettimeofday", "the call of this name"),
    ("clock_gettime", "the call of this name"),
    ("cpu", "the processor's own counter"),
];

/// `exit_what`: which jobs `exitall` ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ExitWhat {
    #[default]
    Group,
    Stonewall,
    All,
}

impl Choice for ExitWhat {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("group", "jobs of the same group of results", Self::Group),
        ("stonewall", "jobs that run now, up to the next stonewall", Self::Stonewall),
        ("all", "all jobs, also those that have not started", Self::All),
    ];
}

/// Two times in microseconds, both included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TimeRange {
    pub min_us: u64,
    pub max_us: u64,
}

/// A time, or a range of times, swapped when reversed.
impl ReadValue for TimeRange {
    fn read(reader: &mut ValueReader<'_>, _: &OptionSpec) -> ValueResult<Self> {
        let text = reader.require_text(&describe_time(TimeUnit::Seconds))?;
        let (low, high) = split_range(text).unwrap_or((text, text));
        let low = parse_time(low, TimeUnit::Seconds)?.div_ceil(1000);
        let high = parse_time(high, TimeUnit::Seconds)?.div_ceil(1000);
        Ok(Self { min_us: low.min(high), max_us: low.max(high) })
    }
}
