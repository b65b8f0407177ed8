//! What a run of the engine gives back.

use stats::{LatencyHistogram, SparseHistogram};
use workload::Direction;

/// Everything measured of one job.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// `io_uring` or `threads`.
    pub backend: &'static str,
    /// What the backend could not do as asked.
    pub notes: Vec<String>,
    /// Worker threads.
    pub threads: u32,
    /// Clock reading at which measuring began, after the warm-up.
    pub started_ns: u64,
    /// Time measured.
    pub elapsed_ns: u64,
    /// The time series of the measured time, ascending, without gaps.
    pub intervals: Vec<IntervalOutcome>,
    /// Length of one tick of the interval's fine counts.
    pub tick_ns: u64,
    /// Per direction ([`Direction::ALL`] order): everything of the measured time.
    pub totals: [DirectionSum; 3],
    /// Time integral of outstanding operations over the measured time, in operation-nanoseconds.
    pub outstanding_ns: f64,
    /// Processor time of the workers over the measured time: user, system.
    pub cpu_ns: (u64, u64),
    /// Everything that was asked: warm-up, measured time and drain.
    pub asked: Asked,
    /// Why it ended.
    pub ended: EndReason,
}

impl Outcome {
    /// The totals of one direction.
    #[must_use]
    pub fn total(&self, direction: Direction) -> &DirectionSum {
        &self.totals[direction as usize]
    }
}

/// One direction over the measured time.
#[derive(Debug, Clone, Default)]
pub struct DirectionSum {
    /// Operations completed.
    pub ops: u64,
    /// Bytes moved.
    pub bytes: u64,
    /// Total latency.
    pub total: LatencyHistogram,
    /// Submission latency of the sampled batches.
    pub submission: LatencyHistogram,
}

/// One slice of the time series.
#[derive(Debug, Clone)]
pub struct IntervalOutcome {
    /// Start, from the start of measuring.
    pub start_ns: u64,
    /// Length.
    pub length_ns: u64,
    /// Per direction; `None` where nothing completed.
    pub directions: [Option<DirectionInterval>; 3],
    /// Operations completed per tick and direction; as many as whole ticks were measured.
    pub tick_ops: [Vec<u64>; 3],
    /// Sum of their total latencies.
    pub tick_latency_ns: [Vec<u64>; 3],
}

/// One direction in one interval.
#[derive(Debug, Clone)]
pub struct DirectionInterval {
    /// Operations completed.
    pub ops: u64,
    /// Bytes moved.
    pub bytes: u64,
    /// Total latency.
    pub total: SparseHistogram,
    /// Submission latency of the sampled batches.
    pub submission: Option<SparseHistogram>,
}

/// Operations and bytes over warm-up, measured time and drain, in [`Direction::ALL`] order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asked {
    /// Operations completed.
    pub ops: [u64; 3],
    /// Bytes moved.
    pub bytes: [u64; 3],
    /// Operations given up, still outstanding at the drain limit.
    pub abandoned: u64,
}

impl Asked {
    pub(crate) fn add(&mut self, other: &Self) {
        for i in 0..3 {
            self.ops[i] += other.ops[i];
            self.bytes[i] += other.bytes[i];
        }
        self.abandoned += other.abandoned;
    }
}

/// Why a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndReason {
    /// As the job said: its time, bytes or operations were used up.
    Done,
    /// The stop flag was raised.
    Stopped,
    /// An operation failed.
    Failed(OperationError),
}

/// An operation that failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} of {length} bytes at offset {offset}: {}", direction.name(), describe(*errno, *short))]
pub struct OperationError {
    /// What was tried.
    pub direction: Direction,
    /// Where.
    pub offset: u64,
    /// How much.
    pub length: u64,
    /// The system's error number; 0 for a short transfer.
    pub errno: i32,
    /// Bytes that a short transfer moved.
    pub short: u64,
}

fn describe(errno: i32, short: u64) -> String {
    if errno == 0 {
        format!("only {short} bytes were transferred")
    } else {
        std::io::Error::from_raw_os_error(errno).to_string()
    }
}
