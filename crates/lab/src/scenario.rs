//! Scenarios: storage situations with a name and a truth. `cargo xtask lab` shows them to people.

mod base;
mod catalogue;
mod definition;
mod disks;
mod situation;

pub use catalogue::{all_scenarios, find_scenario};
pub use definition::{ALARM_STATUS, GroundTruth, Question, Scenario};
pub use situation::Situation;

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use record::{FindingId, Status};

    use super::*;

    /// Only a fault of the generator breaks Little's law, and `check` asks for no rate: their unit
    /// tests stand for them.
    const NO_DISK_FOR: [&str; 2] = ["little", "backlog"];

    #[test]
    fn every_truth_check_has_its_disk() {
        for id in FindingId::ALL {
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
