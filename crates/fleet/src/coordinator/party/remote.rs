//! One host of a run, as the coordinator sees it.

use std::time::Instant;

use record::{FleetHost, HostClock, Lost};

use crate::clock::ClockBook;
use crate::message::{Going, Introduction, Live, Phase, State};
use crate::name::Name;

/// One host.
pub(super) struct Remote {
    introduction: Introduction,
    pub(super) clock: ClockBook,
    heard: Instant,
    state: Option<State>,
    /// When and why it was given up.
    pub(super) lost: Option<Lost>,
    /// Whether it is one of those that the method knows.
    pub(super) was_ready: bool,
    /// Whether its record is here.
    pub(super) gathered: bool,
}

impl Remote {
    pub(super) fn new(introduction: Introduction) -> Self {
        Self {
            introduction,
            clock: ClockBook::default(),
            heard: Instant::now(),
            state: None,
            lost: None,
            was_ready: false,
            gathered: false,
        }
    }

    pub(super) const fn name(&self) -> &Name {
        &self.introduction.name
    }

    /// It said how it is getting on.
    pub(super) fn heard(&mut self, state: State) {
        self.heard = Instant::now();
        self.state = Some(state);
    }

    pub(super) const fn last_heard(&self) -> Instant {
        self.heard
    }

    pub(super) fn phase(&self) -> Option<&Phase> {
        self.state.as_ref().map(|state| &state.phase)
    }

    /// How its cell goes, where it can be believed.
    pub(super) fn live(&self) -> Option<Live> {
        self.state.as_ref().and_then(|state| state.live).filter(Live::is_sound)
    }

    /// How its jobs of fio go, where that can be believed.
    pub(super) fn going(&self) -> Option<&Going> {
        self.state.as_ref().and_then(|state| state.going.as_ref()).filter(|going| going.is_sound())
    }

    /// From now on its clock's drift is counted.
    pub(super) fn begin(&mut self) {
        self.clock.begin(engine::monotonic_ns_now());
    }

    pub(super) fn clock_now(&self) -> Option<HostClock> {
        self.clock.clock(engine::monotonic_ns_now())
    }

    /// What the record says of it, before anything was measured.
    pub(super) fn host(&self) -> FleetHost {
        FleetHost {
            labels: self.introduction.labels.clone(),
            environment: self.introduction.environment.clone(),
            clock: self.clock_now(),
            lost: self.lost.clone(),
            ..FleetHost::named(self.name().as_str())
        }
    }
}
