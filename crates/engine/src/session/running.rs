//! A job under way, as the control plane sees it.

use std::os::unix::thread::JoinHandleExt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;
use std::time::Duration;

use rtrb::Consumer;

use crate::backend::SimulatedDevice;
use crate::clock::Clock;
use crate::collect::{Collector, Progress};
use crate::heartbeat::{PauseMonitor, confirm_pauses};
use crate::interval::{SliceSink, TICKS_PER_INTERVAL};
use crate::outcome::{Activity, EndReason, IntervalOutcome, Outcome, PauseKind, TracedOperation};
use crate::wake_signal;
use crate::worker::{DONE, LOOPING, Schedule, VERIFYING, WorkerReport, WorkerStatus};

/// How often the control plane polls the workers. On a virtual clock they never wait for it.
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// The same before the start, when there is only a stop to look for, and where nothing but the
/// deadline is expected to end a run.
const POLL_INTERVAL_LONG: Duration = Duration::from_millis(50);
/// The same just after the deadline, when most workers end.
const POLL_INTERVAL_SHORT: Duration = Duration::from_micros(100);
/// After the deadline, the next poll is due when this part of the time since then has passed.
const LATENESS_PART: u32 = 20;
const POLL_INTERVAL_VIRTUAL: Duration = Duration::from_micros(50);
pub(super) const WAKE_GRACE_NS: u64 = 5_000_000;
/// How long outstanding operations are waited for after a stop.
const DRAIN_STOPPED_NS: u64 = 1_000_000_000;
/// A longer silence with operations outstanding is reported, and then each time again.
const SILENCE_MIN_NS: u64 = 1_000_000_000;

pub(super) struct WorkerHandle {
    pub(super) thread: JoinHandle<Option<WorkerReport>>,
    pub(super) status: Arc<WorkerStatus>,
    pub(super) sink: SliceSink,
    pub(super) start: Sender<Schedule>,
}

impl WorkerHandle {
    fn state(&self) -> u8 {
        self.status.state.load(Ordering::Acquire)
    }

    /// Whether it still works. A thread that died never says that it is done.
    fn is_busy(&self) -> bool {
        self.state() != DONE && !self.thread.is_finished()
    }
}

pub struct Session {
    pub(super) schedule: Schedule,
    pub(super) workers: Vec<WorkerHandle>,
    pub(super) backend: &'static str,
    pub(super) notes: Vec<String>,
    pub(super) traces: Vec<Consumer<TracedOperation>>,
    pub(super) collector: Collector,
    pub(super) pauses: Option<PauseMonitor>,
    /// The target that has a clock of its own.
    pub(super) virtual_device: Option<SimulatedDevice>,
    pub(super) give_up_ns: u64,
    pub(super) stopping: bool,
    pub(super) silence_reported_ns: u64,
    /// Whether all pauses until now are known.
    pub(super) pauses_known: bool,
    /// Tick counts of the streamed intervals in which there may have been a pause.
    pub(super) late_ticks: Vec<IntervalOutcome>,
}

impl Session {
    /// Collects slices, reports progress to `watch`, and wakes sleepers; to be called every few
    /// milliseconds. `stop` ends it early. `false` when every worker is done or given up.
    pub fn poll(&mut self, clock: &Clock, stop: bool, watch: &mut dyn FnMut(&Progress)) -> bool {
        let (mut busy, mut verifying) = (false, false);
        for (worker, handle) in self.workers.iter_mut().enumerate() {
            self.collector.drain_worker(worker, &mut handle.sink);
            busy |= handle.is_busy();
            verifying |= handle.state() == VERIFYING;
        }
        // On a virtual clock no real moment is a deadline.
        let now = if self.virtual_device.is_some() { 0 } else { clock.now() };
        self.pauses_known = self.update_pauses(clock);
        if let Some(progress) = self.collector.progress(now) {
            watch(&progress);
        }
        // Unless all pauses are known, this process itself may be the reason for a delay.
        if self.pauses_known {
            self.report_silence(now, watch);
            let given_up = now >= self.give_up_ns && (self.stopping || !verifying);
            if !busy || given_up {
                return false;
            }
        }
        if (stop || self.has_early_finish(now)) && !self.stopping {
            self.stopping = true;
            self.give_up_ns =
                if self.virtual_device.is_some() { u64::MAX } else { now + DRAIN_STOPPED_NS };
            self.workers.iter().for_each(|w| w.status.stop.store(true, Ordering::SeqCst));
        }
        if self.stopping || now >= self.schedule.deadline_ns.saturating_add(WAKE_GRACE_NS) {
            self.wake_sleeping_workers();
        }
        true
    }

    /// Passes the complete intervals to `sink`, once all pauses in them are known.
    pub fn stream_intervals(&mut self, sink: &mut dyn FnMut(IntervalOutcome)) {
        if !self.pauses_known {
            return;
        }
        let (pauses, measure_ns) = (&self.pauses, self.schedule.measure_ns);
        let late_ticks = &mut self.late_ticks;
        self.collector.stream_intervals(&mut |interval| {
            let start_ns = measure_ns + interval.start_ns;
            if pauses.as_ref().is_some_and(|all| all.overlaps(start_ns, interval.length_ns)) {
                late_ticks.push(interval.without_histograms());
            }
            sink(interval);
        });
    }

    /// What the workers did until the newest interval.
    pub fn activity(&self) -> Activity {
        self.collector.activity()
    }

    /// Passes the operations traced since the last call to `sink`, in each worker's order; once
    /// more after [`Self::poll`] returned `false`.
    pub fn drain_trace(&mut self, sink: &mut dyn FnMut(&TracedOperation)) {
        for trace in &mut self.traces {
            while let Ok(traced) = trace.pop() {
                sink(&traced);
            }
        }
    }

    /// How long the caller may sleep before it polls again.
    pub(crate) fn poll_delay(&self, clock: &Clock) -> Duration {
        if self.virtual_device.is_some() {
            return POLL_INTERVAL_VIRTUAL;
        }
        let now = clock.now();
        let Schedule { start_ns, deadline_ns, .. } = self.schedule;
        if now < start_ns {
            return POLL_INTERVAL_LONG.min(Duration::from_nanos(start_ns - now));
        }
        if now < deadline_ns {
            let until_deadline = Duration::from_nanos(deadline_ns - now);
            return self.running_poll_interval().min(until_deadline + POLL_INTERVAL_SHORT);
        }
        let since_deadline = Duration::from_nanos(now - deadline_ns);
        (since_deadline / LATENESS_PART).clamp(POLL_INTERVAL_SHORT, POLL_INTERVAL)
    }

    /// While the workers run: as rarely as it can be, since polls take from the processors that are
    /// measured with. The workers' rings have room for a few intervals, those of a trace for some
    /// milliseconds.
    fn running_poll_interval(&self) -> Duration {
        if !self.traces.is_empty() || !self.schedule.is_timed() {
            return POLL_INTERVAL;
        }
        let interval = Duration::from_nanos(self.schedule.tick_ns * TICKS_PER_INTERVAL as u64);
        (interval / 2).clamp(POLL_INTERVAL, POLL_INTERVAL_LONG)
    }

    /// Extends the workers' time by new pauses; whether all pauses until now are known.
    fn update_pauses(&mut self, clock: &Clock) -> bool {
        let Some(pauses) = &mut self.pauses else { return true };
        let is_current = pauses.is_current();
        self.give_up_ns = self.give_up_ns.saturating_add(pauses.update(clock));
        is_current
    }

    fn report_silence(&mut self, now: u64, watch: &mut dyn FnMut(&Progress)) {
        let resumed_ns = self.pauses.as_ref().map_or(0, PauseMonitor::last_end_ns);
        let running_since = self.schedule.start_ns.max(resumed_ns);
        let silence = |worker: &WorkerHandle| {
            let outstanding = worker.status.outstanding.load(Ordering::Relaxed) > 0;
            let last = worker.status.reaped_ns.load(Ordering::Relaxed).max(running_since);
            (outstanding && worker.state() == LOOPING).then(|| now.saturating_sub(last))
        };
        let silent_ns = self.workers.iter().filter_map(silence).max().unwrap_or(0);
        let since_report_ns = now.saturating_sub(self.silence_reported_ns);
        if silent_ns > SILENCE_MIN_NS && since_report_ns > SILENCE_MIN_NS {
            self.silence_reported_ns = now;
            let measured_ns = now as i64 - self.schedule.measure_ns as i64;
            watch(&Progress { measured_ns, iops: 0.0, bytes_per_second: 0.0, silent_ns });
        }
    }

    /// Whether a worker ended before its time by itself: one failure ends them all.
    fn has_early_finish(&self, now: u64) -> bool {
        self.schedule.is_timed()
            && self.virtual_device.is_none()
            && now < self.schedule.deadline_ns.min(self.schedule.last_start_ns)
            && self.workers.iter().any(|worker| worker.state() != LOOPING)
    }

    fn wake_sleeping_workers(&self) {
        for worker in &self.workers {
            if worker.state() == LOOPING && !worker.thread.is_finished() {
                wake_signal::wake_thread(worker.thread.as_pthread_t());
            }
        }
    }

    /// Everything measured. Workers that never came back are left to the kernel.
    pub fn into_outcome(mut self) -> Outcome {
        let schedule = self.schedule;
        let mut sum = WorkerReport::default();
        let threads = self.workers.len() as u32;
        for (number, mut worker) in self.workers.into_iter().enumerate() {
            let report = if worker.is_busy() { None } else { worker.thread.join().ok().flatten() };
            let Some(report) = report else {
                sum.requested.abandoned += 1; // stuck in a system call that does not return
                let planned = schedule.deadline_ns.saturating_sub(schedule.measure_ns);
                sum.elapsed_ns = sum.elapsed_ns.max(planned);
                continue;
            };
            self.collector.drain_worker(number, &mut worker.sink);
            sum.merge(report);
        }
        let (intervals, mut totals) = self.collector.finish(sum.elapsed_ns);
        for latency in std::mem::take(&mut sum.priorities) {
            totals[latency.direction as usize].priorities.push(latency);
        }
        if let Some(open_loop) = &mut sum.open_loop {
            open_loop.judge_lag(&totals);
        }
        let late_ticks: Vec<&IntervalOutcome> = self.late_ticks.iter().chain(&intervals).collect();
        let pauses_within =
            |start_ns: u64, length_ns: u64| match (&self.pauses, &self.virtual_device) {
                (Some(monitor), _) => monitor.pauses_within(start_ns, length_ns),
                (None, Some(device)) => device.pauses_within(start_ns, length_ns),
                (None, None) => Vec::new(),
            };
        if let Some(silence_ns) = &mut sum.activity.drain_silence_ns {
            let end_ns = schedule.measure_ns.saturating_add(sum.elapsed_ns);
            let paused = pauses_within(end_ns, *silence_ns);
            let stopped = paused.iter().filter(|pause| pause.kind == PauseKind::Stopped);
            *silence_ns = silence_ns.saturating_sub(stopped.map(|pause| pause.length_ns).sum());
        }
        let late = pauses_within(schedule.measure_ns, sum.elapsed_ns);
        let pauses = confirm_pauses(&late, &late_ticks, schedule.tick_ns);
        Outcome {
            backend: self.backend,
            notes: self.notes,
            threads,
            started_ns: schedule.measure_ns,
            elapsed_ns: sum.elapsed_ns,
            intervals,
            tick_ns: schedule.tick_ns,
            totals,
            activity: sum.activity,
            requested: sum.requested,
            errors: sum.errors,
            open_loop: sum.open_loop,
            pauses,
            verified: sum.verified,
            ended: match sum.error {
                Some(error) => EndReason::Failed(error),
                None if sum.stopped => EndReason::Stopped,
                None => EndReason::Done,
            },
        }
    }
}
