//! Procedures on a simulated device, on its virtual clock: for tests and the campaign.

use engine::{SimulatedDevice, StopSignal};
use record::{IoLimit, Plan, Record, TargetInfo};
use units::Bytes;

use crate::check::{self, CheckRequest};
use crate::error::MethodError;
use crate::limit::{self, LimitRequest};
use crate::observer::SilentObserver;
use crate::preset::{self, PresetRequest};
use crate::replay::{self, ReplayRequest};
use crate::request::MeasureRequest;
use crate::session::Session;

/// A simulated device, as the procedures find it. Nothing is laid out.
#[derive(Debug, Clone)]
pub struct SimulatedTarget {
    /// The device; its virtual time goes on from one procedure to the next.
    pub device: SimulatedDevice,
    pub info: TargetInfo,
    /// Its size, all of which is measured.
    pub capacity: Bytes,
    /// Limits of control groups that the host shows; the device has them of its own.
    pub io_limits: Vec<IoLimit>,
}

impl SimulatedTarget {
    /// As [`crate::check`].
    pub fn check(&self, request: &CheckRequest) -> Result<Record, MethodError> {
        self.measure(&request.ask, |session| {
            session.run_steps(|session| check::measure_cells(session, request))?;
            Ok(check::build_plan(request))
        })
    }

    /// As [`crate::limit`].
    pub fn limit(&self, request: &LimitRequest) -> Result<Record, MethodError> {
        limit::validate_request(request)?;
        self.measure(&request.ask, |session| {
            session.run_steps(|session| limit::run_search(session, request))?;
            Ok(limit::build_plan(request))
        })
    }

    /// As [`crate::preset`], without small files.
    pub fn preset(&self, request: &PresetRequest) -> Result<Record, MethodError> {
        self.measure(&request.ask, |session| {
            let (preset, mut departures) = (&request.preset, Vec::new());
            session.run_steps(|session| {
                preset::measure_preset(session, preset, preset.repeat_time(), &mut departures)
            })?;
            let time = preset.time_max();
            Ok(preset::build_plan(preset.clone(), &request.ask, departures, time))
        })
    }

    /// As [`crate::replay`].
    pub fn replay(&self, request: &ReplayRequest) -> Result<Record, MethodError> {
        self.measure(&request.ask, |session| {
            let map = replay::run_replay(session, request)?;
            Ok(replay::build_plan(request, map))
        })
    }

    fn measure(
        &self,
        ask: &MeasureRequest,
        run: impl FnOnce(&mut Session<'_>) -> Result<Plan, MethodError>,
    ) -> Result<Record, MethodError> {
        let (stop, mut observer) = (StopSignal::default(), SilentObserver);
        let device = self.device.clone();
        let mut session = Session::simulated(device, self.capacity, &stop, &mut observer)
            .with_simulated_limits(&self.io_limits);
        session.facts.info = self.info.clone();
        session.facts.writable = !ask.read_only;
        session.seed = ask.seed;
        let plan = run(&mut session)?;
        Ok(session.finish(ask, plan))
    }
}
