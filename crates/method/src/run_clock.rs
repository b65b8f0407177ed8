//! The clock of a run, and the share of its budget that is used up.

use engine::Clock;
use units::Nanos;

#[derive(Clone, Copy)]
pub(crate) struct RunClock {
    pub(crate) clock: Clock,
    pub(crate) epoch_ns: u64,
    pub(crate) budget: Nanos,
}

impl RunClock {
    pub(crate) fn start(clock: Clock, budget: Nanos) -> Self {
        Self { clock, epoch_ns: clock.now(), budget }
    }

    pub(crate) fn elapsed(&self) -> Nanos {
        Nanos(self.clock.now() - self.epoch_ns)
    }

    pub(crate) fn share_used(&self) -> f64 {
        (self.elapsed().0 as f64 / self.budget.0 as f64).min(1.0)
    }
}
