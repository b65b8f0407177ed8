//! A session over a device with a law, on the virtual clock.

use std::path::Path;

use engine::{Clock, SimulatedDevice, StopSignal, Target};
use record::IoLimit;
use target::Roots;
use units::{Bytes, Nanos, Seed};
use workload::Span;

use super::Session;
use crate::cell::CellRunner;
use crate::observer::Observer;
use crate::site::Site;
use crate::site::facts::{RunClock, SiteFacts};
use crate::site::local::LocalSite;

/// No host is described: what is measured does not depend on this one.
const NO_HOST: &str = "/nonexistent";

impl<'a> Session<'a> {
    /// A session over a device with a law, on the virtual clock.
    pub(crate) fn simulated(
        device: SimulatedDevice,
        capacity: Bytes,
        stop: &'a StopSignal,
        observer: &'a mut dyn Observer,
    ) -> Self {
        let measured = record::fixture::ssd_record().measured;
        let clock = RunClock::start(Clock::monotonic(), Nanos::secs(3600));
        let runner = CellRunner {
            target: Target::simulated(device, capacity),
            observed: None,
            clock: clock.clock,
            epoch_ns: 0,
            end_sync: None,
            steps: None,
            simulated_limits: Vec::new(),
        };
        let facts = SiteFacts {
            info: measured.targets[0].clone(),
            span: Span { offset: Bytes(0), length: capacity },
            direct: true,
            writable: true,
            offset_align: Bytes(512),
            given_size: capacity,
            layout: None,
            calibration: measured.calibration,
            roots: Roots::under(Path::new(NO_HOST)),
            health: Vec::new(),
        };
        let site = LocalSite { runner, test_file: None };
        Self::new(Site::Local(Box::new(site)), facts, clock, Seed(1), stop, observer)
    }

    /// The session where each cell reads these limits of control groups.
    pub(crate) fn with_simulated_limits(mut self, limits: &[IoLimit]) -> Self {
        if let Site::Local(site) = &mut self.site {
            site.runner.simulated_limits = limits.to_vec();
        }
        self
    }
}
