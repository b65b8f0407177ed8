//! A profile on many hosts: each draws the same requests from it, all from one instant.

use record::profile::Profile;
use record::{CapturedLoad, OffsetMap, Plan, Purpose};
use serde::{Deserialize, Serialize};
use units::{Bytes, Seed};

use super::load::{ArrivalEvent, LoadError, LoadFile, LoadFormat};
use super::steps::{ReadFailure, StepRules, load_steps, take_failure};
use super::{Part, ReplayRequest, choose_map, describe_failure};
use crate::cell::CellRunner;
use crate::error::{MethodError, refuse};
use crate::site::facts::SiteFacts;

/// It is a part of one message.
const SENT_BYTES_MAX: usize = 256 << 10;

/// A profile on its way to other hosts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentProfile {
    /// As in its file.
    pub toml: String,
    /// What is drawn from it follows from this.
    pub seed: Seed,
    /// Where requests go; absent: as they are where they fit, else scaled.
    pub map: Option<OffsetMap>,
}

impl SentProfile {
    /// # Errors
    /// Loads that are no profile, large profiles and searches are refused.
    pub(super) fn from_request(request: &ReplayRequest) -> Result<Self, MethodError> {
        let (file, path) = (&request.load.file, &request.load.path);
        if request.search.is_some() {
            return refuse(
                "--limit searches on one host, and these are many",
                "give the speed: --speed 2x",
            );
        }
        let Some((profile, seed)) = file.profile.as_ref().filter(|_| is_profile(file)) else {
            let what = format!("{}: only a profile is sent to other hosts", path.display());
            return refuse(what, "capture one: truedisk capture DISK -o load.tdprofile");
        };
        let toml = profile.to_toml().map_err(|error| {
            MethodError::invalid_request(format!("{}: {error}", path.display()), "capture another")
        })?;
        let sent = Self { toml, seed: *seed, map: request.map };
        match sent.find_violation() {
            Some(what) => refuse(what, "capture a shorter time"),
            None => Ok(sent),
        }
    }

    /// What makes it no profile that a host would take.
    pub fn find_violation(&self) -> Option<String> {
        let (bytes, most) = (Bytes(self.toml.len() as u64), Bytes(SENT_BYTES_MAX as u64));
        (bytes > most).then(|| format!("a profile of {bytes}; {most} are the most"))
    }
}

fn is_profile(file: &LoadFile) -> bool {
    file.format == LoadFormat::Profile
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
        runner.steps = Some(Box::new(load_steps(requests, rules, self.failure.clone())));
        Ok(())
    }

    /// Why the newest replay ended before its end.
    pub(crate) fn take_failure(&self) -> Option<MethodError> {
        take_failure(&self.failure).map(|error| describe_failure("profile".as_ref(), &error))
    }
}
