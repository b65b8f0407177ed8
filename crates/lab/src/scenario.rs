//! Scenarios: storage situations with a name and a truth.
//!
//! A scenario is a value: what it is called, what a check must say of it, and how it is built.
//! [`all_scenarios`] has them all: at least one for every truth check, two lies at once, and plain
//! disks of which nothing may be said. `cargo xtask lab` shows them to people.

mod caches;
mod content;
mod controls;
mod limits;
mod links;
mod placement;
mod situation;

use record::{Effort, FindingId, Status};

use crate::Result;
use crate::need::{Missing, Need, require};

pub use situation::Situation;

/// A situation that can be built, and what is true of it.
#[derive(Debug, Clone, Copy)]
pub struct Scenario {
    /// As it is asked for: `host-cache`.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// What a check must say of it.
    pub truth: GroundTruth,
    /// What the machine must have for it.
    pub needs: &'static [Need],
    /// The shortest check that claims to see it.
    pub effort: Effort,
    /// Whether its disk is held back so far that a check of it needs little of the processors:
    /// several of these can be checked beside each other.
    pub light: bool,
    build: fn() -> Result<Situation>,
}

/// What a check must say of a situation.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GroundTruth {
    /// Each of these, so bad or worse; empty of a plain disk.
    pub raises: &'static [(FindingId, Status)],
    /// These are true of it too, and no false alarm: they may be raised or not.
    pub allows: &'static [FindingId],
    /// Random reads per second at the most, where the situation fixes them.
    pub read_iops: Option<f64>,
}

/// From here on a finding cries: nothing of a plain disk may.
pub const ALARM_STATUS: Status = Status::Warning;

impl GroundTruth {
    /// Whether a finding of this status is what has to be found.
    #[must_use]
    pub fn is_met(&self, id: FindingId, status: Status) -> bool {
        self.raises.iter().any(|&(raised, least)| raised == id && status >= least)
    }

    /// Whether a finding of this status is a false alarm.
    #[must_use]
    pub fn is_false_alarm(&self, id: FindingId, status: Status) -> bool {
        let known = self.raises.iter().any(|&(raised, _)| raised == id);
        status >= ALARM_STATUS && !known && !self.allows.contains(&id)
    }
}

impl Scenario {
    /// Builds it.
    ///
    /// # Errors
    /// When the system refuses a part of it; what was built until then is undone.
    pub fn set_up(&self) -> Result<Situation> {
        (self.build)()
    }

    /// Whether this machine has what it needs.
    ///
    /// # Errors
    /// What is missing.
    pub fn require(&self) -> std::result::Result<(), Missing> {
        require(self.needs)
    }

    /// Whether nothing may be raised of it.
    #[must_use]
    pub fn is_control(&self) -> bool {
        self.truth.raises.is_empty()
    }
}

/// All scenarios, the controls last.
#[must_use]
pub fn all_scenarios() -> Vec<Scenario> {
    let all: [&[Scenario]; 6] = [
        caches::SCENARIOS,
        content::SCENARIOS,
        limits::SCENARIOS,
        links::SCENARIOS,
        placement::SCENARIOS,
        controls::SCENARIOS,
    ];
    all.concat()
}

/// The scenario of that name.
#[must_use]
pub fn find_scenario(name: &str) -> Option<Scenario> {
    all_scenarios().into_iter().find(|scenario| scenario.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Nothing but a fault of the generator itself can break Little's law: no disk can be built
    /// for it, and its unit tests stand for it.
    const NO_DISK_FOR: [&str; 1] = ["little"];

    const IDS: [FindingId; 23] = [
        FindingId::PageCache,
        FindingId::Unwritten,
        FindingId::ZeroBlocks,
        FindingId::HostCache,
        FindingId::DeviceCache,
        FindingId::Compressible,
        FindingId::Dedup,
        FindingId::Flush,
        FindingId::FirstTouch,
        FindingId::Burst,
        FindingId::ProviderLimit,
        FindingId::NotSettled,
        FindingId::Neighbour,
        FindingId::ClientBound,
        FindingId::LinkBound,
        FindingId::OsThrottle,
        FindingId::IdleLatency,
        FindingId::Misaligned,
        FindingId::ShortStroke,
        FindingId::Impossible,
        FindingId::Coverage,
        FindingId::Little,
        FindingId::Stall,
    ];

    #[test]
    fn every_truth_check_has_its_disk() {
        for id in IDS {
            let has = all_scenarios().iter().any(|s| s.truth.raises.iter().any(|r| r.0 == id));
            assert_eq!(has, !NO_DISK_FOR.contains(&id.name()), "{id}");
        }
    }

    #[test]
    fn names_are_unique_and_truths_consistent() {
        let mut names = HashSet::new();
        for scenario in all_scenarios() {
            assert!(names.insert(scenario.name), "{} twice", scenario.name);
            assert!(find_scenario(scenario.name).is_some());
            for (id, status) in scenario.truth.raises {
                assert!(*status >= Status::Note, "{}", scenario.name);
                assert!(!scenario.truth.allows.contains(id), "{}: {id}", scenario.name);
                assert!(scenario.truth.is_met(*id, *status));
                assert!(!scenario.truth.is_false_alarm(*id, Status::Invalid));
            }
            let strange = FindingId::Little;
            assert!(scenario.truth.is_false_alarm(strange, Status::Warning), "{}", scenario.name);
            assert!(!scenario.truth.is_false_alarm(strange, Status::Note));
        }
        assert!(all_scenarios().iter().filter(|s| s.is_control()).count() >= 3);
        assert!(all_scenarios().iter().filter(|s| s.truth.raises.len() > 1).count() >= 2);
    }
}
