//! The end of a run before its time.

use std::sync::{Mutex, PoisonError};
use std::thread::Thread;

use engine::StopSignal;

/// A stop signal that also wakes requesters between two requests.
#[derive(Debug, Default)]
pub struct PingStop {
    stop: StopSignal,
    waiting: Mutex<Vec<Thread>>,
}

impl PingStop {
    /// Asks every requester to end, and wakes those that wait. For any thread, not for a signal
    /// handler itself.
    pub fn raise(&self) {
        self.stop.raise();
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.iter().for_each(Thread::unpark);
    }

    pub fn is_raised(&self) -> bool {
        self.stop.is_raised()
    }

    pub(crate) fn wake_this_thread(&self) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push(std::thread::current());
    }
}
