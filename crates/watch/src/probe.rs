//! A slow reader of our own: what one new request waits for. It needs no privilege but to read, and
//! it is the only part of a watch that adds I/O.

use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use target::{BlockReader, open_for_reading};
use units::{Bytes, Nanos};

use crate::clock::read_clock;
use crate::error::WatchError;
use crate::sample::ProbeSample;

const BLOCK: Bytes = Bytes::kib(4);
const EVERY: Duration = Duration::from_secs(1);
/// A read that has not ended after this time hangs.
const WAITING_MIN: Duration = Duration::from_secs(1);

/// Reads one block at a random place once a second, on a thread of its own, until dropped. A read
/// that hangs holds nobody up.
pub struct Probe {
    state: Arc<Mutex<ProbeState>>,
    _stop: Sender<()>,
}

#[derive(Default)]
struct ProbeState {
    sample: ProbeSample,
    begun: Option<Instant>,
}

impl Probe {
    /// An existing file or block device, which is only read; past the page cache, or not at all.
    pub fn open(path: &Path) -> Result<Self, WatchError> {
        let named = |reason: &str| WatchError::Probe(format!("{} {reason}", path.display()));
        let opened =
            open_for_reading(path, true).map_err(|error| WatchError::Probe(error.to_string()))?;
        if !opened.direct {
            return Err(named("has no direct I/O"));
        }
        let blocks = opened.size.0 / BLOCK.0;
        if blocks == 0 {
            return Err(named("is smaller than 4 KiB"));
        }
        let from_system = |error: std::io::Error| WatchError::Probe(error.to_string());
        let mut reader = BlockReader::new(&opened, BLOCK).map_err(from_system)?;
        let state = Arc::new(Mutex::new(ProbeState::default()));
        let shared = Arc::clone(&state);
        let (stop, stopped) = channel();
        let mut places = Places::new();
        let run = move || {
            loop {
                let begun = Instant::now();
                lock(&shared).begun = Some(begun);
                let read = reader.read(places.next() % blocks * BLOCK.0);
                let latency_ns = begun.elapsed().as_nanos() as u64;
                let mut state = lock(&shared);
                state.begun = None;
                match read {
                    Ok(()) => state.sample.total.record(latency_ns),
                    Err(_) => state.sample.errors += 1,
                }
                drop(state);
                let left = EVERY.saturating_sub(begun.elapsed());
                if !matches!(stopped.recv_timeout(left), Err(RecvTimeoutError::Timeout)) {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name("watch-probe".to_owned()).spawn(run);
        thread.map_err(from_system)?;
        Ok(Self { state, _stop: stop })
    }

    /// What ended since the last time, and how long a read has been waiting.
    pub fn take(&self) -> ProbeSample {
        let mut state = lock(&self.state);
        let waited = state.begun.map(|begun| begun.elapsed());
        let waiting = waited.filter(|waited| *waited >= WAITING_MIN);
        let sample = std::mem::take(&mut state.sample);
        ProbeSample { waiting: waiting.map(|waited| Nanos(waited.as_nanos() as u64)), ..sample }
    }
}

/// The thread leaves no half of a state behind when it panics.
fn lock(state: &Mutex<ProbeState>) -> MutexGuard<'_, ProbeState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Places that differ from one watch to the next (Knuth's linear congruences).
struct Places {
    state: u64,
}

impl Places {
    fn new() -> Self {
        Self { state: read_clock() }
    }

    fn next(&mut self) -> u64 {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.state >> 20
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_refused() {
        let refused = |path: &str| Probe::open(Path::new(path)).err().unwrap().to_string();
        for path in ["/dev", "/dev/null", "/no/such/file", "/proc/self/status"] {
            let said = refused(path);
            assert!(said.starts_with(&format!("cannot probe: {path}")), "{said}");
        }
    }
}
