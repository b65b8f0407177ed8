//! Threads that work at the same time, and what each did.

use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use engine::Clock;
use record::{CacheState, MetadataOp};
use stats::LatencyHistogram;
use units::Nanos;

use super::sample::{EndReason, OperationSample};

/// From the word to begin until the beginning, for each thread: the kernel wakes so many threads
/// one after the other, and each of them is to be there.
const START_LEAD: Nanos = Nanos::micros(100);

#[derive(Debug)]
pub(super) struct ThreadWork {
    pub(super) begun_ns: u64,
    pub(super) ended_ns: u64,
    pub(super) operations: u64,
    pub(super) latency: LatencyHistogram,
}

impl ThreadWork {
    pub(super) fn start_together(start: &StartBarrier) -> Result<Self, EndReason> {
        let latency = LatencyHistogram::new();
        let begun_ns = start.wait()?;
        Ok(Self { begun_ns, ended_ns: begun_ns, operations: 0, latency })
    }
}

pub(super) struct StartBarrier {
    clock: Clock,
    state: Mutex<BarrierState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct BarrierState {
    arrived: u32,
    /// [`Some`] without a time where it does not take place.
    begin_ns: Option<Option<u64>>,
}

impl StartBarrier {
    fn new(clock: Clock) -> Self {
        Self { clock, state: Mutex::default(), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, BarrierState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// For a thread that has made ready: says so, and returns when all begin, with the time.
    fn wait(&self) -> Result<u64, EndReason> {
        let mut state = self.state();
        state.arrived += 1;
        self.changed.notify_all();
        let begin_ns = loop {
            if let Some(told) = state.begin_ns {
                break told.ok_or(EndReason::Stopped)?;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        };
        drop(state);
        loop {
            let now = self.clock.now();
            if now >= begin_ns {
                return Ok(now);
            }
            // There may be more threads than processors.
            std::thread::yield_now();
        }
    }

    /// Lets them begin once `threads` have arrived, or tells them not to.
    fn release(&self, threads: u32, all: bool) {
        let mut state = self.state();
        while all && state.arrived < threads {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let lead = if threads > 1 { START_LEAD.0 * u64::from(threads) } else { 0 };
        state.begin_ns = Some(all.then(|| self.clock.now() + lead));
        self.changed.notify_all();
    }
}

/// Runs a job on so many threads. Each makes ready, waits for the [`Start`], and works: it must
/// not end before without having waited.
pub(super) fn run_threads(
    threads: u32,
    clock: Clock,
    job: impl Fn(u32, &StartBarrier) -> Result<ThreadWork, EndReason> + Sync,
) -> Result<Vec<ThreadWork>, EndReason> {
    let start = StartBarrier::new(clock);
    let (job, start) = (&job, &start);
    std::thread::scope(|scope| {
        let begin = |thread: u32| {
            let name = format!("small-{thread}");
            std::thread::Builder::new().name(name).spawn_scoped(scope, move || job(thread, start))
        };
        let begun = (0..threads).map(begin).collect::<io::Result<Vec<_>>>();
        start.release(threads, begun.is_ok());
        let mut works = Vec::new();
        for thread in begun? {
            match thread.join() {
                Ok(work) => works.push(work?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(works)
    })
}

pub(super) fn merge_work(
    operation: MetadataOp,
    cache: CacheState,
    works: &[ThreadWork],
) -> OperationSample {
    let begun = works.iter().map(|work| work.begun_ns).min().unwrap_or(0);
    let ended = works.iter().map(|work| work.ended_ns).max().unwrap_or(0);
    let operations: u64 = works.iter().map(|work| work.operations).sum();
    let mut latency = LatencyHistogram::new();
    works.iter().for_each(|work| latency.merge(&work.latency));
    let seconds = Nanos(ended.saturating_sub(begun).max(1)).as_secs_f64();
    OperationSample { operation, cache, rate: operations as f64 / seconds, latency }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_begin_together_and_not_before_all_are_ready() {
        let clock = Clock::best();
        let ready = std::sync::atomic::AtomicU32::new(0);
        let works = run_threads(6, clock, |thread, start| {
            // One that takes longer to make ready than others.
            (0..u64::from(thread) * 200).for_each(|_| std::thread::yield_now());
            ready.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            let work = ThreadWork::start_together(start)?;
            assert_eq!(ready.load(std::sync::atomic::Ordering::SeqCst), 6);
            Ok(work)
        });
        assert_eq!(works.unwrap().len(), 6);
    }
}
