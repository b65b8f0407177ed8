use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Raised to end a run early; may be raised from a signal handler's thread.
#[derive(Debug, Clone, Default)]
pub struct StopSignal(Arc<AtomicBool>);

impl StopSignal {
    /// Asks every run that holds this signal to end.
    pub fn raise(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
