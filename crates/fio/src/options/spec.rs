//! The shape of the option table: one entry per option that fio's HOWTO names.

/// One option.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OptionSpec {
    /// Its name in job files and on the command line.
    pub name: &'static str,
    /// Other names of it (`bs` for `blocksize`).
    pub aliases: &'static [&'static str],
    /// What its value looks like.
    pub kind: ValueKind,
    /// Whether it may stand without a value.
    pub value: ValueNeed,
    /// Default, as text; `None` when it has none.
    pub default: Option<&'static str>,
    /// Least and most, for numbers (after units).
    pub range: Option<(i64, i64)>,
    /// Values it may take, each with a word of help; for `Kind::Choice` and the like.
    pub choices: &'static [(&'static str, &'static str)],
    /// Values of fio's which we do not take, each with the reason and what to use instead.
    pub refused_choices: &'static [(&'static str, &'static str)],
    /// Option without which it means nothing.
    pub parent: Option<&'static str>,
    /// Engines it belongs to; empty for options of every job.
    pub engines: &'static [&'static str],
    /// Chapter of the reference page.
    pub category: Category,
    /// One sentence in our own words.
    pub help: &'static str,
    /// What we do with it.
    pub support: Support,
}

/// Whether an option may stand without a value. fio's getopt takes the next word as the value of
/// an option that needs one (`--direct --rw=read` is an error), and never as that of a switch
/// (`--thread 1` names the job file `1`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueNeed {
    /// `direct=1`; a value is needed everywhere.
    Needed,
    /// `write_bw_log` alone is fine as a line of a job file, not on the command line.
    OptionalInFile,
    /// `time_based`: may stand alone everywhere; a value is attached with `=`.
    Optional,
}

/// What a value looks like. "Unit" is what a bare number means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// A text; kept as it is.
    Text,
    /// A text that may be given several times, which accumulates (`filename`).
    TextList,
    /// 0, 1, true, false; bare means 1.
    Flag,
    /// A whole number without a unit.
    Integer,
    /// A whole number with k, m, g, t, p: sizes. `percent`: also `N%`; `zones`: also `Nz`.
    Size {
        /// `20%`.
        percent: bool,
        /// `4z`.
        zones: bool,
    },
    /// Up to three sizes `read,write,trim`.
    SizePerDirection,
    /// Up to three ranges `a-b` of sizes, per direction.
    SizeRange,
    /// A time; what a bare number means.
    Time(TimeUnit),
    /// A decimal number.
    Float,
    /// Decimal numbers separated by colons (`percentile_list`).
    FloatList,
    /// One of `choices`, perhaps followed by `:` and an argument.
    Choice,
    /// Something with a syntax of its own (`bssplit`, `steadystate`, `cpus_allowed`); text.
    Special,
    /// Known, no longer of any effect.
    Deprecated,
}

/// What a bare number of time means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeUnit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
    /// Microseconds.
    Microseconds,
    /// Nanoseconds.
    Nanoseconds,
}

/// What we do with an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// It works.
    Run,
    /// It tunes fio's own internals: accepted, and listed in a note.
    Noted(&'static str),
    /// Not run: an error that says why, and what to use instead.
    Refused(&'static str),
}

/// Chapters of the reference page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Category {
    /// Name, description, number of instances.
    Job,
    /// Files and devices.
    Target,
    /// Sizes and places.
    Size,
    /// Order and mix of operations.
    Pattern,
    /// What is written.
    Data,
    /// Interfaces and depth.
    Engine,
    /// Durability.
    Sync,
    /// Run time and start.
    Time,
    /// Rates and pauses.
    Rate,
    /// Latency targets and steady states.
    Goal,
    /// Reading back.
    Verify,
    /// Logs and replay.
    Log,
    /// What is printed.
    Report,
    /// What errors do.
    Error,
    /// Processors, memory, priorities.
    Placement,
    /// Zones.
    Zone,
    /// Commands.
    Exec,
}
