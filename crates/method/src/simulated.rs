//! Procedures on a simulated device, on its virtual clock: for tests and the campaign.

use engine::{SimulatedDevice, StopSignal};
use record::{Record, TargetInfo};
use units::Bytes;

use crate::check::{self, CheckRequest};
use crate::error::MethodError;
use crate::limit::{self, LimitRequest};
use crate::observer::SilentObserver;
use crate::preset::{self, PresetRequest};
use crate::replay::ReplayRequest;
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
}

impl SimulatedTarget {
    /// As [`crate::check`].
    pub fn check(&self, request: &CheckRequest) -> Result<Record, MethodError> {
        let (stop, mut observer) = (StopSignal::default(), SilentObserver);
        let mut session = self.open(&request.ask, &stop, &mut observer);
        session.run_steps(|session| check::measure_cells(session, request))?;
        Ok(session.finish(&request.ask, check::build_plan(request)))
    }

    /// As [`crate::limit`].
    pub fn limit(&self, request: &LimitRequest) -> Result<Record, MethodError> {
        limit::validate_request(request)?;
        let (stop, mut observer) = (StopSignal::default(), SilentObserver);
        let mut session = self.open(&request.ask, &stop, &mut observer);
        session.run_steps(|session| limit::run_search(session, request))?;
        Ok(session.finish(&request.ask, limit::build_plan(request)))
    }

    /// As [`crate::preset`], without small files.
    pub fn preset(&self, request: &PresetRequest) -> Result<Record, MethodError> {
        let (stop, mut observer) = (StopSignal::default(), SilentObserver);
        let mut session = self.open(&request.ask, &stop, &mut observer);
        let mut departures = Vec::new();
        session.run_steps(|session| {
            let preset = &request.preset;
            preset::measure_preset(session, preset, preset.repeat_time(), &mut departures)
        })?;
        let (preset, time) = (request.preset.clone(), request.preset.time_max());
        let plan = preset::build_plan(preset, &request.ask, departures, time);
        Ok(session.finish(&request.ask, plan))
    }

    /// As [`crate::replay`].
    pub fn replay(&self, request: &ReplayRequest) -> Result<Record, MethodError> {
        let (stop, mut observer) = (StopSignal::default(), SilentObserver);
        let mut session = self.open(&request.ask, &stop, &mut observer);
        let map = crate::replay::run_replay(&mut session, request)?;
        Ok(session.finish(&request.ask, crate::replay::build_plan(request, map)))
    }

    fn open<'a>(
        &self,
        ask: &MeasureRequest,
        stop: &'a StopSignal,
        observer: &'a mut SilentObserver,
    ) -> Session<'a> {
        let mut session = Session::simulated(self.device.clone(), self.capacity, stop, observer);
        session.facts.info = self.info.clone();
        session.facts.writable = !ask.read_only;
        session.seed = ask.seed;
        session
    }
}
