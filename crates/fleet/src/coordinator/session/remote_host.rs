//! One host of a run, as the coordinator sees it.

use std::time::Instant;

use engine::StopSignal;
use fio_run::EtaState;
use record::{FleetHost, HostClock, Lost, OthersSeen};
use workload::Bound;

use crate::clock::ClockEstimator;
use crate::message::{AgentInfo, CellProgress, Phase, RunState, is_jobs_progress_sound};
use crate::name::AgentName;

pub(super) struct RemoteHost {
    name: AgentName,
    instance: u64,
    /// What it said of itself, until the record of the run has it.
    agent: Option<Box<AgentInfo>>,
    pub(super) clock: ClockEstimator,
    heard_at: Instant,
    state: Option<RunState>,
    pub(super) lost: Option<Lost>,
    /// It is one of the method's hosts.
    pub(super) was_ready: bool,
    pub(super) has_result: bool,
}

impl RemoteHost {
    pub(super) fn new(agent: AgentInfo) -> Self {
        Self {
            name: agent.name.clone(),
            instance: agent.instance,
            agent: Some(Box::new(agent)),
            clock: ClockEstimator::default(),
            heard_at: Instant::now(),
            state: None,
            lost: None,
            was_ready: false,
            has_result: false,
        }
    }

    pub(super) const fn name(&self) -> &AgentName {
        &self.name
    }

    /// To whom its orders are.
    pub(super) fn addressee(&self) -> (AgentName, u64) {
        (self.name.clone(), self.instance)
    }

    /// Others' requests that break the bound of `stop_on` raise its signal.
    pub(super) fn take_state(&mut self, state: RunState, stop_on: Option<&(Bound, StopSignal)>) {
        if let (Some((_, stop)), Some(others)) = (stop_on, &state.others)
            && others.breach.is_some()
        {
            stop.raise();
        }
        self.heard_at = Instant::now();
        self.state = Some(state);
    }

    pub(super) const fn set_heard(&mut self, at: Instant) {
        self.heard_at = at;
    }

    pub(super) const fn last_heard(&self) -> Instant {
        self.heard_at
    }

    pub(super) fn phase(&self) -> Option<&Phase> {
        self.state.as_ref().map(|state| &state.phase)
    }

    pub(super) fn live(&self) -> Option<CellProgress> {
        self.state.as_ref().and_then(|state| state.live).filter(CellProgress::is_sound)
    }

    pub(super) fn others(&self) -> Option<&OthersSeen> {
        self.state.as_ref()?.others.as_ref()
    }

    pub(super) fn jobs_progress(&self) -> Option<&EtaState> {
        let going = self.state.as_ref().and_then(|state| state.going.as_ref());
        going.filter(|going| is_jobs_progress_sound(going))
    }

    pub(super) fn begin_drift(&mut self) {
        self.clock.begin_drift(engine::monotonic_ns());
    }

    pub(super) fn clock_now(&self) -> Option<HostClock> {
        self.clock.estimate(engine::monotonic_ns())
    }

    /// The host as recorded before anything was measured: what it said of itself is held there
    /// only.
    pub(super) fn take_fleet_host(&mut self) -> FleetHost {
        let said = self.agent.take().map(|agent| (agent.labels, agent.environment));
        let (labels, environment) = said.unwrap_or_default();
        FleetHost {
            labels,
            environment,
            clock: self.clock_now(),
            lost: self.lost.clone(),
            ..FleetHost::new(self.name().as_str())
        }
    }
}
