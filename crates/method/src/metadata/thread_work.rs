//! Threads that work at the same time, and what each did.

use std::io;
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};

use engine::Clock;
use record::{CacheState, MetadataOp};
use stats::LatencyHistogram;
use units::Nanos;

/// From the signal to begin until the beginning, for each thread: the kernel wakes threads one
/// after the other, and all of them are to be there.
const START_LEAD: Nanos = Nanos::micros(100);

#[derive(Debug)]
pub(super) enum EndReason {
    Stopped,
    TimeUp,
    Failed(io::Error),
    /// The files found are not those that were made: in words.
    Inconsistent(String),
}

impl From<io::Error> for EndReason {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

#[derive(Debug)]
pub(super) struct OperationSample {
    pub(super) operation: MetadataOp,
    pub(super) cache: CacheState,
    pub(super) rate: f64,
    pub(super) latency: LatencyHistogram,
}

#[derive(Debug)]
pub(super) struct ThreadWork {
    pub(super) begun_ns: u64,
    pub(super) ended_ns: u64,
    pub(super) operations: u64,
    pub(super) latency: LatencyHistogram,
}

impl ThreadWork {
    /// For a thread that has made ready: says so, and returns when all begin.
    pub(super) fn start_together(start: &StartBarrier) -> Result<Self, EndReason> {
        let latency = LatencyHistogram::new();
        let _ = start.ready.send(());
        let begin_ns = start.begin_ns.wait().ok_or(EndReason::Stopped)?;
        let begun_ns = loop {
            let now_ns = start.clock.now();
            if now_ns >= begin_ns {
                break now_ns;
            }
            // There may be more threads than processors.
            std::thread::yield_now();
        };
        Ok(Self { begun_ns, ended_ns: begun_ns, operations: 0, latency })
    }
}

pub(super) struct StartBarrier {
    clock: Clock,
    ready: Sender<()>,
    /// `None` inside where the work does not take place.
    begin_ns: OnceLock<Option<u64>>,
}

/// Runs a job on `threads` threads. Each makes ready, waits for the start, and works: it must not
/// end before without having waited.
pub(super) fn run_threads(
    threads: u32,
    clock: Clock,
    job: impl Fn(u32, &StartBarrier) -> Result<ThreadWork, EndReason> + Sync,
) -> Result<Vec<ThreadWork>, EndReason> {
    let (ready, arrivals) = channel();
    let start = StartBarrier { clock, ready, begin_ns: OnceLock::new() };
    let (job, start) = (&job, &start);
    std::thread::scope(|scope| {
        let begin = |thread: u32| {
            let name = format!("small-{thread}");
            std::thread::Builder::new().name(name).spawn_scoped(scope, move || job(thread, start))
        };
        let begun = (0..threads).map(begin).collect::<io::Result<Vec<_>>>();
        if begun.is_ok() {
            arrivals.iter().take(threads as usize).for_each(drop);
        }
        let lead_ns = if threads > 1 { START_LEAD.0 * u64::from(threads) } else { 0 };
        start.begin_ns.get_or_init(|| begun.is_ok().then(|| clock.now() + lead_ns));
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
