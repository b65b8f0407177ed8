//! A cell: a job at one set of parameters, and everything measured of it.

use serde::{Deserialize, Serialize};
use stats::{Estimate, SparseHistogram};
use units::JsonSchema;
use units::Nanos;
use workload::{Direction, Job};

use crate::absent::is_unset;
use crate::latency::LatencySummary;
use crate::ledger::Ledger;
use crate::percentile_map::PercentileMap;
use crate::preset::StepCell;
use crate::trial::Trial;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CellRole {
    /// A row of the table.
    Main,
    /// A point of a curve.
    Ladder,
    /// A round of writing towards a steady state.
    Round,
    /// A repetition of an earlier cell, to see whether anything drifted.
    Repeat,
    /// Requests with an idle target between them.
    Idle,
    /// A probe of the search for a limit.
    Probe,
    /// A probe that decides nothing: others used the disk or the processors meanwhile, and it was
    /// measured again; or it was cut short.
    Disturbed,
    /// A probe that differs in one thing, to see what sets a limit.
    Contrast,
    /// A point of a matrix.
    Point,
    /// Reads next to writes at a rate, and the two alone.
    Interference,
    /// Answers one truth check's question: see [`Cell::trial`].
    Trial,
    /// A pass of a step of a preset: see [`Cell::step`].
    Step,
    /// A captured load, replayed.
    Replay,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cell {
    /// Unique in its record: `randread-4k-qd1`.
    pub name: String,
    pub role: CellRole,
    /// The cell that was measured at the same time on the same target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<String>,
    /// What it tries out, when that is its role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trial: Option<Trial>,
    /// Which step and pass of a preset it is, when that is its role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<StepCell>,
    pub job: Job,
    /// What ran it: `io_uring`, `threads`.
    pub backend: String,
    /// What the backend could not do as asked: `buffers not registered: ENOMEM`.
    pub backend_notes: Vec<String>,
    pub started: Nanos,
    /// Time measured; warm-up and drain not included.
    pub elapsed: Nanos,
    /// Time of the one sync after the last operation, where that was asked: in no other figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_sync: Option<Nanos>,
    /// The time series, in ascending time, without warm-up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub intervals: Vec<Interval>,
    /// Counts at a finer step than the intervals, for the confidence of the means.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub ticks: TickSeries,
    /// Everything of the measured time.
    pub totals: Directions,
    /// Operations outstanding, on average.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub achieved_depth: AchievedDepth,
    #[serde(default, skip_serializing_if = "is_unset")]
    pub cpu: CpuTime,
    /// Bytes as asked, as charged, as served.
    pub ledger: Ledger,
    #[serde(default, skip_serializing_if = "is_unset")]
    pub confidence: Confidence,
    /// Times within the measured time in which the generator itself did not run, ascending. Absent
    /// where there was none, and in records of versions that did not look.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pauses: Vec<Pause>,
    /// From the end of the measured time until the first of the operations outstanding then came
    /// back, without pauses of this process; absent where none was outstanding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drain_silence: Option<Nanos>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_loop: Option<Box<OpenLoop>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<Verified>,
    /// Operations that failed, by kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<Failures>,
    /// Why it ended early, when it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<CellError>,
}

impl Cell {
    /// Operations per second of all reads and writes together.
    pub fn iops(&self) -> f64 {
        self.data_directions().map(|t| t.iops).sum()
    }

    /// Bytes per second of all reads and writes together.
    pub fn bytes_per_second(&self) -> f64 {
        self.data_directions().map(|t| t.bytes_per_second).sum()
    }

    /// Reads and writes, without syncs.
    pub fn data_directions(&self) -> impl Iterator<Item = &DirectionTotals> {
        [Direction::Read, Direction::Write].into_iter().filter_map(|d| self.totals.get(d))
    }
}

/// A value per direction; absent where the job has none of it.
// Most are absent, and the records of thousands of hosts are in memory together: hence the boxes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PerDirection<T> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<Box<T>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write: Option<Box<T>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sync: Option<Box<T>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trim: Option<Box<T>>,
}

impl<T> Default for PerDirection<T> {
    fn default() -> Self {
        Self { read: None, write: None, sync: None, trim: None }
    }
}

impl<T> PerDirection<T> {
    pub fn get(&self, direction: Direction) -> Option<&T> {
        match direction {
            Direction::Read => self.read.as_deref(),
            Direction::Write => self.write.as_deref(),
            Direction::Sync => self.sync.as_deref(),
            Direction::Trim => self.trim.as_deref(),
        }
    }

    pub fn set(&mut self, direction: Direction, value: T) {
        match direction {
            Direction::Read => self.read = Some(Box::new(value)),
            Direction::Write => self.write = Some(Box::new(value)),
            Direction::Sync => self.sync = Some(Box::new(value)),
            Direction::Trim => self.trim = Some(Box::new(value)),
        }
    }

    /// The value of a direction; one that has none gets it from `make`.
    pub fn get_or_insert_with(&mut self, direction: Direction, make: impl FnOnce() -> T) -> &mut T {
        let value = match direction {
            Direction::Read => &mut self.read,
            Direction::Write => &mut self.write,
            Direction::Sync => &mut self.sync,
            Direction::Trim => &mut self.trim,
        };
        value.get_or_insert_with(|| Box::new(make()))
    }

    pub fn map<U>(self, change: impl Fn(T) -> U) -> PerDirection<U> {
        let Self { read, write, sync, trim } = self;
        let change = |value: Box<T>| Box::new(change(*value));
        PerDirection {
            read: read.map(change),
            write: write.map(change),
            sync: sync.map(change),
            trim: trim.map(change),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    pub fn iter(&self) -> impl Iterator<Item = (Direction, &T)> {
        Direction::ALL.into_iter().filter_map(|d| self.get(d).map(|value| (d, value)))
    }
}

pub type Directions = PerDirection<DirectionTotals>;

/// Everything of one direction over the measured time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DirectionTotals {
    pub ops: u64,
    pub bytes: u64,
    pub iops: f64,
    pub bytes_per_second: f64,
    /// Total latency: from just before submission until reaped. In an open loop: service time.
    /// Absent where another program measured none.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub latency_ns: LatencySummary,
    /// Response time: from the planned start until reaped; in an open loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_ns: Option<Box<LatencySummary>>,
    /// Those of the requests of a replay that met no deeper queue than where they were captured;
    /// absent where none did, or the queue there is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparable_ns: Option<Box<LatencySummary>>,
    /// Submission latency: duration of the submitting call, where it was timed alone (one batch
    /// in 16, or one in 256 at depth 1); absent for synchronous backends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submission_ns: Option<Box<LatencySummary>>,
}

/// One slice of the time series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interval {
    /// Start, from the start of measuring.
    pub start: Nanos,
    /// Length; longer than asked when the device was silent or the host late.
    pub length: Nanos,
    #[serde(flatten)]
    pub directions: PerDirection<DirectionInterval>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DirectionInterval {
    pub ops: u64,
    pub bytes: u64,
    pub total: SparseHistogram,
    /// Submission latency, of the batches in which it was timed alone; in records of earlier
    /// versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submission: Option<SparseHistogram>,
    /// Response time, in an open loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<SparseHistogram>,
    /// Of the requests of a replay that met no deeper queue than where they were captured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparable: Option<SparseHistogram>,
}

/// Counts at a fine step.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TickSeries {
    pub tick: Nanos,
    #[serde(flatten)]
    pub directions: PerDirection<Ticks>,
}

/// One direction at a fine step. Only whole ticks of the measured time are kept.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ticks {
    pub ops: Vec<u64>,
    pub latency_sum_ns: Vec<u64>,
}

/// Operations outstanding, on average over the measured time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AchievedDepth {
    /// By counting: the time integral of what was outstanding, over the time.
    pub counted: f64,
    /// By Little's law: IOPS times mean total latency.
    pub little: f64,
    /// The part of `counted` that no latency holds: operations that failed, and those that had not
    /// come back at the end, less the time before the start of those that were outstanding then.
    /// With it, Little's law is exact. Absent where the tool that measured did not count it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outside_latencies: Option<f64>,
}

/// Processor time of the worker threads over the measured time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CpuTime {
    /// In user mode.
    pub user: Nanos,
    /// In the kernel, on behalf of the workers.
    pub system: Nanos,
    /// Both, per operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ns_per_op: Option<f64>,
    pub threads: u32,
    /// Time in which workers were ready to run and did not run, their sum; absent where the kernel
    /// does not count it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_queue_wait: Option<Nanos>,
}

/// How the plan of an open loop was kept.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OpenLoop {
    /// Operations started in the measured time.
    pub started: u64,
    /// Held back because the maximum of the job was outstanding.
    pub held: u64,
    /// Of those: never started; their response time is counted as the time they had waited.
    pub unstarted: u64,
    /// How late operations were handed over while a slot was free: the generator's own fault.
    pub lag_ns: LatencySummary,
    /// The generator, not the disk, was late: the response times say nothing of the disk.
    pub generator_late: bool,
    /// Idle processors were kept awake meanwhile: starts and completions were seen sooner than on a
    /// host that lets them sleep.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub processors_awake: bool,
}

/// What reading back found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Verified {
    pub blocks: u64,
    pub mismatched: u64,
    /// The first of those, each with both blocks, for people.
    pub mismatches: Vec<String>,
}

/// Operations that failed in one way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failures {
    pub direction: Direction,
    /// The system's error number; 0 for a transfer that ended short.
    pub errno: i32,
    pub message: String,
    pub count: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Confidence {
    pub iops: PerDirection<Estimate>,
    pub mean_latency_ns: PerDirection<Estimate>,
    /// Percentiles of total latency in nanoseconds, by name.
    #[schemars(with = "PerDirection<std::collections::BTreeMap<String, Estimate>>")]
    pub percentiles_ns: PerDirection<PercentileMap<Estimate>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CellError {
    /// For people, with the system's own words.
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errno: Option<i32>,
}

/// Time in which the generator did not run. The rates of a closed loop leave it out; operations
/// that were outstanding have it in their latencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pause {
    /// Start, from the start of measuring, known to 10 ms.
    pub start: Nanos,
    pub length: Nanos,
    pub kind: PauseKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PauseKind {
    /// The process: it was stopped, or got no processor.
    Stopped,
    /// The machine: it was suspended. Rates do not leave it out: clocks may have stopped too.
    Suspended,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_has_room_for_what_most_cells_have() {
        // Those of thousands of hosts are in memory together: what is rare takes a pointer.
        assert!(size_of::<Cell>() <= 1696, "{}", size_of::<Cell>());
        assert!(size_of::<DirectionTotals>() <= 208, "{}", size_of::<DirectionTotals>());
        assert!(size_of::<crate::HostCell>() <= 16, "{}", size_of::<crate::HostCell>());
    }
}
