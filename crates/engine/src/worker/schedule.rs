//! When things of a run happen.

use units::Bytes;
use workload::{Job, Mix, Verify};

use crate::interval::TICKS_PER_INTERVAL;

/// How long outstanding operations are waited for at the end of a cell.
const DRAIN_NS: u64 = 10_000_000_000;
/// One batch of this many is submitted by a call of its own, to time submission.
const SAMPLE_EVERY_DEPTH_1: u32 = 256;
const SAMPLE_EVERY_DEEP: u32 = 16;
/// Polls of the ring before a sleep, where completions come faster than a sleeper is woken.
const POLLS_BEFORE_SLEEP: u32 = 128;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Schedule {
    /// Common start of all workers.
    pub(crate) start_ns: u64,
    pub(crate) measure_ns: u64,
    /// End of measuring; `u64::MAX` when only bytes or operations end it.
    pub(crate) deadline_ns: u64,
    /// No operation starts from here on; operations under way count until the end of measuring.
    pub(crate) last_start_ns: u64,
    /// Length of an interval: [`TICKS_PER_INTERVAL`] times `tick_ns`.
    pub(crate) tick_ns: u64,
    /// Limits of data operations and bytes; `u64::MAX` when something else ends it.
    pub(crate) operations: u64,
    pub(crate) bytes: u64,
    pub(crate) drain_ns: u64,
    pub(crate) polls_before_sleep: u32,
    /// Place among workers that are more than the processors; they must not poll.
    pub(crate) crowd_place: Option<usize>,
    /// One batch of this many is submitted by a call of its own, which is timed.
    pub(crate) sample_every: u32,
}

impl Schedule {
    pub(crate) fn new(
        job: &Job,
        start_ns: u64,
        time_submissions: bool,
        crowd_place: Option<usize>,
    ) -> Self {
        let measure_ns = start_ns + job.warm_up.0;
        // Operations of one size: a number of them, which workers can share exactly.
        // What is read back in between counts as operations.
        let reads_back = matches!(job.verify, Some(Verify::Batches { .. }));
        let has_one_size = job.sizes.is_plain() && !reads_back;
        // What is trimmed is then written.
        let together = if job.mix == Mix::TrimWrite { 2 } else { 1 };
        let by_bytes = |bytes: Bytes| {
            bytes.0.div_ceil(job.block_size.0).div_ceil(together).saturating_mul(together)
        };
        let bytes_as_operations = job.stop.bytes.filter(|_| has_one_size).map(by_bytes);
        let bytes = job.stop.bytes.filter(|_| !has_one_size).map(|bytes| bytes.0);
        let operations = [bytes_as_operations, job.stop.operations].into_iter().flatten().min();
        let end_ns = job.stop.time.map_or(u64::MAX, |time| measure_ns.saturating_add(time.0));
        let (deadline_ns, last_start_ns) = match job.finish {
            true => (end_ns.saturating_add(DRAIN_NS), end_ns),
            false => (end_ns, u64::MAX),
        };
        Self {
            start_ns,
            measure_ns,
            deadline_ns,
            last_start_ns,
            tick_ns: job.interval.0 / TICKS_PER_INTERVAL as u64,
            operations: operations.unwrap_or(u64::MAX),
            bytes: bytes.unwrap_or(u64::MAX),
            drain_ns: DRAIN_NS,
            polls_before_sleep: if crowd_place.is_none() { POLLS_BEFORE_SLEEP } else { 0 },
            crowd_place,
            sample_every: match job.depth.0 {
                _ if time_submissions => 1,
                1 => SAMPLE_EVERY_DEPTH_1,
                _ => SAMPLE_EVERY_DEEP,
            },
        }
    }

    /// The part of one of `workers` workers.
    pub(crate) fn share(&self, worker: u64, workers: u64) -> Self {
        let of_limit = |limit: u64, share: u64| if limit == u64::MAX { limit } else { share };
        let extra = u64::from(worker < self.operations % workers);
        Self {
            operations: of_limit(self.operations, self.operations / workers + extra),
            bytes: of_limit(self.bytes, self.bytes.div_ceil(workers)),
            ..*self
        }
    }

    pub(crate) fn is_timed(&self) -> bool {
        self.operations == u64::MAX && self.bytes == u64::MAX
    }
}
