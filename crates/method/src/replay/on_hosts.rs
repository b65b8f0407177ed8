//! A profile on many hosts: each draws the same requests from it, all from one instant.

use record::profile::Profile;
use record::{CapturedLoad, OffsetMap, Plan, Purpose};

use super::load::{ArrivalEvent, LoadError, LoadFile};
use super::steps::{QueueThere, ReadFailure, StepRules, load_steps, take_failure};
use super::{Part, ReplayRequest, choose_map, describe_failure};
use crate::cell::CellRunner;
use crate::error::{MethodError, refuse};
use crate::sent_profile::SentProfile;
use crate::site::facts::SiteFacts;

impl ReplayRequest {
    /// What other hosts draw the same requests from.
    ///
    /// # Errors
    /// Loads that are no profile, large profiles and searches are refused.
    pub(super) fn to_sent_profile(&self) -> Result<SentProfile, MethodError> {
        let (file, path) = (&self.load.file, &self.load.path);
        if self.search.is_some() {
            return refuse(
                "--limit searches on one host, and these are many",
                "give the speed: --speed 2x",
            );
        }
        let Some((profile, seed)) = &file.profile else {
            let what = format!("{}: only a profile is sent to other hosts", path.display());
            return refuse(what, "capture one: truedisk capture DISK -o load.tdprofile");
        };
        let toml = profile.to_toml().map_err(|error| {
            MethodError::invalid_request(format!("{}: {error}", path.display()), "capture another")
        })?;
        let sent = SentProfile { toml, seed: *seed, map: self.map };
        match sent.find_violation() {
            Some(what) => refuse(what, "capture a shorter time"),
            None => Ok(sent),
        }
    }
}

/// What a host replays.
#[derive(Debug)]
pub(crate) struct HostReplay {
    file: LoadFile,
    map: Option<OffsetMap>,
    load: CapturedLoad,
    speed: f64,
    /// Why the newest replay ended before its end.
    failure: ReadFailure,
}

impl HostReplay {
    /// The plan says how much the load asks for, and how fast it is replayed.
    pub(crate) fn new(sent: &SentProfile, plan: &Plan) -> Result<Self, MethodError> {
        let Purpose::Replay(replay) = &plan.purpose else {
            return refuse("a profile without a replay", "send it with a plan of a replay");
        };
        let profile = Profile::from_toml(&sent.toml).map_err(|error| {
            let error = LoadError::from(error);
            MethodError::invalid_request(error.problem(), error.hint())
        })?;
        Ok(Self {
            file: LoadFile::from_profile(profile, sent.seed),
            map: sent.map,
            load: replay.load.clone(),
            speed: replay.speed,
            failure: ReadFailure::default(),
        })
    }

    /// The next job of `runner` replays the load.
    pub(crate) fn load_into(
        &self,
        runner: &mut CellRunner,
        facts: &SiteFacts,
        span: workload::Span,
    ) -> Result<(), MethodError> {
        let map = choose_map(span.length, self.map, &self.load)?;
        let rules = StepRules {
            span,
            align: facts.offset_align,
            ..Part::WHOLE.rules(&self.load, map, self.speed)
        };
        let requests = self.file.requests(ArrivalEvent::Queue);
        let requests = requests.map_err(|error| describe_failure("profile".as_ref(), &error))?;
        let queue = QueueThere::new(&self.file, self.speed);
        let steps = load_steps(requests, rules, queue, self.failure.clone());
        runner.steps = Some(Box::new(steps));
        Ok(())
    }

    /// Why the newest replay ended before its end.
    pub(crate) fn take_failure(&self) -> Option<MethodError> {
        take_failure(&self.failure).map(|error| describe_failure("profile".as_ref(), &error))
    }
}
