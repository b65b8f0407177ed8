//! What is known of a site, and the clock of a run on it.

use engine::Clock;
use record::{Calibration, LayoutRun, RunHealth, TargetInfo};
use target::Roots;
use units::{Bytes, Nanos};
use workload::Span;

#[derive(Debug, Clone)]
pub(crate) struct SiteFacts {
    /// The target, as it was opened; of many hosts that of the first.
    pub(crate) info: TargetInfo,
    pub(crate) span: Span,
    pub(crate) direct: bool,
    pub(crate) writable: bool,
    pub(crate) offset_align: Bytes,
    /// Size of the device or file that was given, whatever part of it is measured.
    pub(crate) given_size: Bytes,
    pub(crate) layout: Option<LayoutRun>,
    pub(crate) calibration: Calibration,
    pub(crate) roots: Roots,
    /// Of this host's disks before anything was written, where they say something of it.
    pub(crate) health: Vec<RunHealth>,
}

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
