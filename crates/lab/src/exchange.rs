//! Two names that are exchanged for each other again and again, as an attacker would.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};

use rustix::fs::{CWD, RenameFlags, renameat_with};

/// A thread that exchanges two names until it is dropped.
#[derive(Debug)]
pub struct NameExchanger {
    ended: Arc<AtomicBool>,
    exchanges: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl NameExchanger {
    /// Starts to exchange `one` and `other`, which both exist.
    pub fn start(one: &Path, other: &Path) -> Self {
        let ended = Arc::new(AtomicBool::new(false));
        let exchanges = Arc::new(AtomicU64::new(0));
        let (seen, one, other) = (Arc::clone(&ended), one.to_owned(), other.to_owned());
        let counter = Arc::clone(&exchanges);
        let thread = thread::spawn(move || {
            let exchange = || renameat_with(CWD, &one, CWD, &other, RenameFlags::EXCHANGE).is_ok();
            while !seen.load(Ordering::Relaxed) {
                if exchange() {
                    counter.fetch_add(1, Ordering::Relaxed);
                    // Both places for a moment each: with one processor nobody else would come.
                    thread::yield_now();
                    // A test that removed one of the two ends it, too.
                    let mut tries = 0..1_000_000;
                    while !exchange() && tries.next().is_some() {}
                }
                thread::yield_now();
            }
        });
        Self { ended, exchanges, thread: Some(thread) }
    }

    /// Number of times that `one` had the other's name.
    pub fn exchange_count(&self) -> u64 {
        self.exchanges.load(Ordering::Relaxed)
    }
}

impl Drop for NameExchanger {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A panic there is nothing to undo here.
            let _ = thread.join();
        }
    }
}
