//! What a run of the engine gives back.

use stats::{LatencyHistogram, SparseHistogram};
use workload::Direction;

use crate::payload::Mismatch;
use crate::sequence::Operation;

#[derive(Debug, Clone)]
pub struct Outcome {
    /// What ran it: `io_uring`, `threads`, `libaio`, `psync`, ...
    pub backend: &'static str,
    /// What the backend could not do as asked.
    pub notes: Vec<String>,
    pub threads: u32,
    /// Clock reading at which measuring began, after the warm-up.
    pub started_ns: u64,
    pub elapsed_ns: u64,
    /// The time series of the measured time, ascending, without gaps.
    pub intervals: Vec<IntervalOutcome>,
    /// Length of one tick of the interval's fine counts.
    pub tick_ns: u64,
    /// Per direction ([`Direction::ALL`] order): everything of the measured time.
    pub totals: [DirectionSum; 4],
    /// What the workers did to the system, and how they used their slots.
    pub activity: Activity,
    /// Everything that was asked: warm-up, measured time and drain.
    pub requested: RequestedOps,
    /// Failed operations by kind, also those that were put up with.
    pub errors: Vec<ErrorCount>,
    /// How the plan of an open loop was kept.
    pub open_loop: Option<OpenLoopOutcome>,
    /// Times within the measured time in which this process did not run, ascending.
    pub pauses: Vec<Pause>,
    /// What reading back found; of jobs that verify.
    pub verified: Option<VerifyOutcome>,
    pub ended: EndReason,
}

/// Latencies of the operations of one priority.
#[derive(Debug, Clone)]
pub struct PriorityLatency {
    pub direction: Direction,
    /// `None`: the priority of the process.
    pub ioprio: Option<u16>,
    pub total: LatencyHistogram,
    /// Without the submission.
    pub completion: LatencyHistogram,
}

impl PriorityLatency {
    pub(crate) fn new(direction: Direction, ioprio: Option<u16>) -> Self {
        let (total, completion) = (LatencyHistogram::new(), LatencyHistogram::new());
        Self { direction, ioprio, total, completion }
    }

    /// Adds `others` to `sums`: one entry per direction and priority.
    pub fn merge_all(sums: &mut Vec<Self>, others: &[Self]) {
        for other in others {
            let key = (other.direction, other.ioprio);
            match sums.iter_mut().find(|sum| (sum.direction, sum.ioprio) == key) {
                Some(sum) => {
                    sum.total.merge(&other.total);
                    sum.completion.merge(&other.completion);
                }
                None => sums.push(other.clone()),
            }
        }
    }
}

impl Outcome {
    pub fn total(&self, direction: Direction) -> &DirectionSum {
        &self.totals[direction as usize]
    }

    /// How long this process was stopped during the measured time.
    pub fn stopped_ns(&self) -> u64 {
        let stopped = self.pauses.iter().filter(|pause| pause.kind == PauseKind::Stopped);
        stopped.map(|pause| pause.length_ns).sum()
    }
}

/// Time in which this process did not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    /// Start, from the start of measuring, known to 10 ms.
    pub start_ns: u64,
    pub length_ns: u64,
    pub kind: PauseKind,
}

/// What stands still in a pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PauseKind {
    /// This process: it was stopped, or got no processor.
    Stopped,
    /// The machine: it was suspended. Whether clocks went on is not known.
    Suspended,
}

#[derive(Debug, Clone, Default)]
pub struct DirectionSum {
    pub ops: u64,
    pub bytes: u64,
    pub total: LatencyHistogram,
    /// Submission latency of the sampled batches.
    pub submission: LatencyHistogram,
    /// Response time: from the planned start until reaped; in an open loop.
    pub response: Option<LatencyHistogram>,
    /// Those of the operations of a replay that met no deeper queue than where they were captured.
    pub comparable: Option<LatencyHistogram>,
    /// Of a whole job whose operations have priorities of their own.
    pub priorities: Vec<PriorityLatency>,
}

impl DirectionSum {
    /// Adds what `other` counted, but for the priorities.
    pub fn merge(&mut self, other: &Self) {
        self.ops += other.ops;
        self.bytes += other.bytes;
        self.total.merge(&other.total);
        self.submission.merge(&other.submission);
        let sums = [&mut self.response, &mut self.comparable];
        for (sum, other) in sums.into_iter().zip([&other.response, &other.comparable]) {
            if let Some(other) = other {
                sum.get_or_insert_default().merge(other);
            }
        }
    }

    /// Clears the counts and keeps the memory.
    pub(crate) fn reset(&mut self) {
        (self.ops, self.bytes) = (0, 0);
        self.total.reset();
        self.submission.reset();
        let optional = [&mut self.response, &mut self.comparable];
        optional.into_iter().flatten().for_each(LatencyHistogram::reset);
    }
}

/// One slice of the time series.
#[derive(Debug, Clone, Default)]
pub struct IntervalOutcome {
    /// Start, from the start of measuring.
    pub start_ns: u64,
    pub length_ns: u64,
    /// Per direction; `None` where nothing completed.
    pub directions: [Option<DirectionInterval>; 4],
    /// Operations completed per tick and direction, in each whole tick.
    pub tick_ops: [Vec<u64>; 4],
    /// Sum of their total latencies.
    pub tick_latency_ns: [Vec<u64>; 4],
}

impl IntervalOutcome {
    pub(crate) fn without_histograms(&self) -> Self {
        Self {
            start_ns: self.start_ns,
            length_ns: self.length_ns,
            tick_ops: self.tick_ops.clone(),
            ..Self::default()
        }
    }
}

#[derive(Debug, Clone)]
pub struct DirectionInterval {
    pub ops: u64,
    pub bytes: u64,
    pub total: SparseHistogram,
    pub submission: Option<SparseHistogram>,
    /// From the end of submission, where every submission was timed.
    pub completion: Option<SparseHistogram>,
    /// Response time, in an open loop.
    pub response: Option<SparseHistogram>,
    /// Of the operations of a replay that met no deeper queue than where they were captured.
    pub comparable: Option<SparseHistogram>,
}

/// Operations and bytes over warm-up, measured time and drain, in [`Direction::ALL`] order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RequestedOps {
    pub ops: [u64; 4],
    pub bytes: [u64; 4],
    /// Operations given up, still outstanding at the drain limit.
    pub abandoned: u64,
    /// Transfers that ended short and were gone on with.
    pub resumed: u64,
}

impl RequestedOps {
    /// Adds the counts of another run or worker.
    pub fn add(&mut self, other: &Self) {
        for i in 0..4 {
            self.ops[i] += other.ops[i];
            self.bytes[i] += other.bytes[i];
        }
        self.abandoned += other.abandoned;
        self.resumed += other.resumed;
    }
}

/// One operation of a trace. Times are readings of the run's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TracedOperation {
    pub operation: Operation,
    /// When it was handed over.
    pub submitted_ns: u64,
    /// How long handing over took, where that was timed; else 0.
    pub submission_ns: u64,
    /// When it was planned to start; 0 without a plan.
    pub due_ns: u64,
    /// When it came back.
    pub reaped_ns: u64,
    /// The number of a sealed write; else 0.
    pub sequence: u64,
    /// Its priority (ioprio_set(2)); 0 for that of the process.
    pub ioprio: u16,
}

/// Queue depth at starts and cost of the workers, over warm-up, measured time and drain unless a
/// field says otherwise.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Activity {
    /// How late the last worker began, behind the common start.
    pub start_skew_ns: u64,
    /// Time integral of outstanding operations over the measured time, in operation-nanoseconds.
    pub outstanding_ns: f64,
    /// The part of it that no latency holds, in operation-nanoseconds: operations that failed, and
    /// those that had not come back at the end, less the time before the start of those that were
    /// outstanding then.
    pub outside_latencies_ns: i64,
    /// Processor time over the measured time: user, system.
    pub cpu_ns: (u64, u64),
    /// Time within the measured time in which workers were ready to run and did not run; absent
    /// where the kernel does not count it.
    pub run_queue_wait_ns: Option<u64>,
    /// From the end of the measured time until the first of the operations outstanding then came
    /// back, without pauses of this process; absent where none was outstanding.
    pub drain_silence_ns: Option<u64>,
    /// Operations submitted at a depth, themselves included, of 1, 2-3, 4-7, 8-15, 16-31, 32-63,
    /// 64+.
    pub started_at: [u64; 7],
    /// Submissions of 0, 1-4, 5-8, 9-16, 17-32, 33-64, and more operations.
    pub submitted: [u64; 7],
    /// Reaps, by the same classes.
    pub reaped: [u64; 7],
    /// Context switches of the workers, voluntary and not.
    pub switches: u64,
    /// Page faults that were read from a disk.
    pub major_faults: u64,
    /// Page faults that were not.
    pub minor_faults: u64,
}

impl Activity {
    #[inline]
    pub(crate) fn record_submission(&mut self, outstanding: u64, count: u64) {
        if count == 0 {
            return;
        }
        self.submitted[batch_class(count)] += 1;
        for depth in outstanding + 1..=outstanding + count {
            self.started_at[(depth.ilog2() as usize).min(6)] += 1;
        }
    }

    #[inline]
    pub(crate) fn record_reap(&mut self, count: u64) {
        if count > 0 {
            self.reaped[batch_class(count)] += 1;
        }
    }

    /// Adds the counts of another run or worker.
    pub fn add(&mut self, other: &Self) {
        let classes = |mine: &mut [u64; 7], theirs: &[u64; 7]| {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
        };
        self.start_skew_ns = self.start_skew_ns.max(other.start_skew_ns);
        self.outstanding_ns += other.outstanding_ns;
        self.outside_latencies_ns += other.outside_latencies_ns;
        self.cpu_ns = (self.cpu_ns.0 + other.cpu_ns.0, self.cpu_ns.1 + other.cpu_ns.1);
        if let Some(wait_ns) = other.run_queue_wait_ns {
            *self.run_queue_wait_ns.get_or_insert(0) += wait_ns;
        }
        let silences = [self.drain_silence_ns, other.drain_silence_ns];
        self.drain_silence_ns = silences.into_iter().flatten().min();
        classes(&mut self.started_at, &other.started_at);
        classes(&mut self.submitted, &other.submitted);
        classes(&mut self.reaped, &other.reaped);
        self.switches += other.switches;
        self.major_faults += other.major_faults;
        self.minor_faults += other.minor_faults;
    }
}

#[inline]
fn batch_class(count: u64) -> usize {
    match count {
        0 => 0,
        1..=4 => 1,
        _ => ((count - 1).ilog2() as usize).min(6),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorCount {
    pub direction: Direction,
    /// The system's error number; 0 for a transfer that ended short.
    pub errno: i32,
    pub count: u64,
}

/// How the plan of an open loop was kept, over the measured time.
#[derive(Debug, Clone, Default)]
pub struct OpenLoopOutcome {
    pub started: u64,
    /// Held back because the job's depth was outstanding.
    pub held: u64,
    /// Of those: never started. Their response times are counted as the time they had waited.
    pub unstarted: u64,
    /// How late operations were handed over while a slot was free: the generator's own fault.
    pub lag: LatencyHistogram,
    /// The generator, not the disk, was late: response times cannot be trusted.
    pub generator_late: bool,
    /// Idle processors were kept awake meanwhile.
    pub processors_awake: bool,
}

/// Lag below a scheduler's tick is not reported.
const LAG_MIN_NS: u64 = 100_000;

impl OpenLoopOutcome {
    /// Adds another job's.
    pub fn merge(&mut self, other: &Self) {
        self.started += other.started;
        self.held += other.held;
        self.unstarted += other.unstarted;
        self.lag.merge(&other.lag);
        self.generator_late |= other.generator_late;
        self.processors_awake |= other.processors_awake;
    }

    /// The lag's 99th percentile must stay below a tenth of the response times'.
    pub(crate) fn judge_lag(&mut self, totals: &[DirectionSum]) {
        let p99 = |histogram: &LatencyHistogram| histogram.quantile(0.99);
        let responses = totals.iter().filter_map(|total| total.response.as_ref());
        let response = responses.filter_map(p99).max().unwrap_or(0);
        let lag = p99(&self.lag).unwrap_or(0);
        self.generator_late = lag > LAG_MIN_NS && lag > response / 10;
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct VerifyOutcome {
    pub blocks: u64,
    pub mismatched: u64,
    /// The first of those, with both blocks.
    pub mismatches: Vec<Mismatch>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndReason {
    /// As the job said: its time, bytes or operations were used up.
    Done,
    Stopped,
    Failed(OperationError),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} of {length} bytes at offset {offset}: {}", direction.name(), self.describe())]
pub struct OperationError {
    pub direction: Direction,
    pub offset: u64,
    pub length: u64,
    /// The system's error number; 0 for a short transfer.
    pub errno: i32,
    /// Bytes that a short transfer moved.
    pub short: u64,
}

impl OperationError {
    fn describe(&self) -> String {
        match self.errno {
            0 => format!("only {} bytes were transferred", self.short),
            errno => std::io::Error::from_raw_os_error(errno).to_string(),
        }
    }
}

/// Directions index arrays by their discriminant.
const _: () = {
    assert!(Direction::Read as usize == 0);
    assert!(Direction::Write as usize == 1);
    assert!(Direction::Sync as usize == 2);
    assert!(Direction::Trim as usize == 3);
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_and_depths_are_counted_by_class() {
        let classes = [(1, 1), (4, 1), (5, 2), (8, 2), (9, 3), (16, 3), (32, 4), (64, 5), (65, 6)];
        for (count, class) in classes {
            assert_eq!(batch_class(count), class, "{count}");
        }
        let mut activity = Activity::default();
        activity.record_submission(0, 5); // at depths 1 to 5
        activity.record_submission(70, 1);
        activity.record_reap(9);
        assert_eq!(activity.started_at, [1, 2, 2, 0, 0, 0, 1]);
        assert_eq!(activity.submitted, [0, 1, 1, 0, 0, 0, 0]);
        assert_eq!(activity.reaped, [0, 0, 0, 1, 0, 0, 0]);
    }
}
