//! The state of one worker thread's loop.

use std::sync::atomic::Ordering;

use workload::{Job, OnError, Verify};

use super::error_counts::ErrorCounts;
use super::operation_source::OperationSource;
use super::pace::Pace;
use super::priorities::Priorities;
use super::schedule::Schedule;
use super::slots::SlotTable;
use super::status::WorkerLink;
use super::usage::RunQueueClock;
use super::verifier::Verifier;
use crate::backend::Backend;
use crate::clock::Clock;
use crate::outcome::{Activity, OperationError, RequestedOps};
use crate::payload::Buffers;
use crate::placement::CpuRotation;

pub(super) struct Timing {
    pub(super) clock: Clock,
    pub(super) last_ns: u64,
    pub(super) last_reap_ns: u64,
    /// When the clock next passes the end of a tick, an interval, the warm-up or the job.
    pub(super) next_event_ns: u64,
    pub(super) tick: usize,
    pub(super) measuring: bool,
}

#[derive(Default)]
pub(super) struct Counters {
    pub(super) started_operations: u64,
    pub(super) started_bytes: u64,
    /// Time integral of outstanding operations over the measured time.
    pub(super) outstanding_ns: u64,
    pub(super) requested: RequestedOps,
    pub(super) activity: Activity,
    pub(super) cpu_at_start: (u64, u64),
    /// Absent until measuring begins.
    pub(super) run_queue_wait_at_start_ns: Option<u64>,
}

pub(super) struct Failures {
    pub(super) on_error: OnError,
    pub(super) counts: ErrorCounts,
    /// The failure that ends the job.
    pub(super) fatal: Option<OperationError>,
}

/// Switches of the loop, resolved before it starts.
pub(super) struct Behaviour {
    /// Requests are no-operations: any result counts as a whole block.
    pub(super) nop: bool,
    pub(super) touches_reads: bool,
    /// Every submission is timed, and the completion latency after it.
    pub(super) splits_submission: bool,
    /// Every read is compared with what verification expects.
    pub(super) compares_reads: bool,
    /// Completions are taken one by one.
    pub(super) one_by_one: bool,
    /// An operation waits while another on its bytes is outstanding.
    pub(super) serializes_overlap: bool,
    /// The first wrong block ends the job.
    pub(super) mismatch_is_fatal: bool,
}

/// Everything one worker thread needs; made before the start.
pub(crate) struct Worker<'run, B> {
    pub(super) backend: B,
    pub(super) buffers: &'run mut Buffers,
    pub(super) generator: OperationSource,
    pub(super) link: WorkerLink,
    pub(super) schedule: Schedule,
    pub(super) timing: Timing,
    pub(super) slots: SlotTable,
    pub(super) counters: Counters,
    pub(super) failures: Failures,
    pub(super) behaviour: Behaviour,
    pub(super) rotation: Option<CpuRotation>,
    pub(super) pace: Option<Box<Pace>>,
    pub(super) verifier: Option<Box<Verifier>>,
    pub(super) priorities: Option<Box<Priorities>>,
    pub(super) run_queue: RunQueueClock,
}

pub(crate) struct WorkerPlan {
    pub(crate) generator: OperationSource,
    pub(crate) pace: Option<Box<Pace>>,
    pub(crate) verifier: Option<Box<Verifier>>,
    pub(crate) priorities: Option<Box<Priorities>>,
    pub(crate) run_queue: RunQueueClock,
    /// Operations that it may have outstanding.
    pub(crate) depth: u32,
    /// Requests are no-operations.
    pub(crate) nop: bool,
}

impl<'run, B: Backend> Worker<'run, B> {
    pub(crate) fn new(
        job: &Job,
        backend: B,
        buffers: &'run mut Buffers,
        plan: WorkerPlan,
        link: WorkerLink,
        clock: Clock,
        schedule: Schedule,
    ) -> Self {
        let WorkerPlan { generator, pace, verifier, priorities, run_queue, depth, nop } = plan;
        // A worker with processors of its own stays on them.
        let is_free = job.placement.cpus.is_empty();
        let rotation = schedule.crowd_place.filter(|_| is_free).and_then(CpuRotation::new);
        Self {
            backend,
            buffers,
            generator,
            link,
            schedule,
            timing: Timing {
                clock,
                last_ns: 0,
                last_reap_ns: 0,
                next_event_ns: 0,
                tick: 0,
                measuring: false,
            },
            slots: SlotTable::new(depth),
            counters: Counters::default(),
            failures: Failures {
                on_error: job.on_error.clone(),
                counts: ErrorCounts::default(),
                fatal: None,
            },
            behaviour: Behaviour {
                nop,
                touches_reads: job.touch,
                splits_submission: B::SPLITS_SUBMISSION && schedule.sample_every == 1,
                compares_reads: verifier.as_ref().is_some_and(|v| v.mode == Verify::Earlier),
                one_by_one: job.one_by_one && B::SPLITS_SUBMISSION,
                serializes_overlap: job.serialize_overlap && depth > 1,
                mismatch_is_fatal: job.verify_stops,
            },
            rotation,
            pace,
            verifier,
            priorities,
            run_queue,
        }
    }

    #[inline]
    pub(super) fn now(&self) -> u64 {
        self.backend.now(&self.timing.clock)
    }

    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.link.status.stop.load(Ordering::Relaxed)
    }
}
