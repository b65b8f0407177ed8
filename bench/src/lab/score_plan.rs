//! What is to be run, in which order, how many at a time, and how long it takes.
//!
//! A round is every scenario once, so that a night that is cut short leaves as many runs of each.

use lab::{Need, Scenario};
use record::Effort;

use super::outcome_file::OutcomeFile;

/// Seconds of a run with building and undoing its disk, until one was measured.
const QUICK_S: f64 = 30.0;
const STANDARD_S: f64 = 80.0;
const FIO_S: f64 = 8.0;

/// A rate that a simulated disk keeps only with two processors to itself.
const HIGH_IOPS_MIN: f64 = 5000.0;

#[derive(Debug)]
pub(super) struct ScorePlan {
    pub(super) scenarios: Vec<Scenario>,
    pub(super) runs: u32,
    /// At a time, of those that may.
    pub(super) jobs: usize,
    pub(super) processor_pairs: usize,
}

/// Every scenario that lacks this round.
#[derive(Debug)]
pub(super) struct Round {
    /// Files on this machine's own disk, and high rates: one by one, and nothing else.
    pub(super) exclusive: Vec<Scenario>,
    /// Devices over this machine's disk or memory: one by one on the first pair of processors.
    pub(super) local_devices: Vec<Scenario>,
    /// Simulated disks: one by one on each pair of processors.
    pub(super) simulated: Vec<Scenario>,
    /// Disks that are throttled: beside each other.
    pub(super) concurrent: Vec<Scenario>,
}

impl ScorePlan {
    pub(super) fn remaining_rounds(&self, raw: &OutcomeFile) -> Vec<Round> {
        let lacks = |n: u32| self.scenarios.iter().copied().filter(move |s| raw.done_runs(s) < n);
        (1..=self.runs)
            .map(|n| Round::from_scenarios(lacks(n).collect()))
            .filter(|r| !r.is_empty())
            .collect()
    }

    pub(super) fn summary(&self, raw: &OutcomeFile, fio: bool) -> String {
        let remains = self.remaining_rounds(raw);
        let left: usize = remains.iter().map(Round::len).sum();
        let asks = self.scenarios.iter().filter(|s| fio && !raw.has_fio(s)).count();
        let lasts = |round: &Round| round.seconds(raw, self.processor_pairs, self.jobs);
        let seconds: f64 = remains.iter().map(lasts).sum();
        let all = f64::from(self.runs) * lasts(&Round::from_scenarios(self.scenarios.clone()));
        format!(
            "{} scenarios, {} runs of each: about {} in all; {left} of {} runs remain, about {}",
            self.scenarios.len(),
            self.runs,
            format_time(all),
            self.scenarios.len() * self.runs as usize,
            format_time(seconds + asks as f64 * FIO_S),
        )
    }
}

impl Round {
    fn from_scenarios(scenarios: Vec<Scenario>) -> Round {
        let has = |s: &Scenario, needs: &[Need]| needs.iter().any(|need| s.needs().contains(need));
        // Simulated disks alone: there is one /dev/zram0, and a file written for one loop device
        // stalls the others.
        let beside = |s: &Scenario| s.light && has(s, &[Need::Fuse]);
        let single = |s: &Scenario| {
            let on_the_disk = !has(s, &[Need::LoopDevices, Need::Zram, Need::Fuse]);
            on_the_disk || s.truth.read_iops.is_some_and(|iops| iops >= HIGH_IOPS_MIN)
        };
        let (beside, alone): (Vec<_>, Vec<_>) = scenarios.into_iter().partition(beside);
        let (single, alone): (Vec<_>, Vec<_>) = alone.into_iter().partition(single);
        let (simulated, own) = alone.into_iter().partition(|s| has(s, &[Need::Fuse]));
        Round { exclusive: single, local_devices: own, simulated, concurrent: beside }
    }

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn len(&self) -> usize {
        let Round { exclusive, local_devices, simulated, concurrent } = self;
        exclusive.len() + local_devices.len() + simulated.len() + concurrent.len()
    }

    fn seconds(&self, raw: &OutcomeFile, lanes: usize, jobs: usize) -> f64 {
        let default = |effort| if effort == Effort::Quick { QUICK_S } else { STANDARD_S };
        let one = |s: &Scenario| raw.mean_seconds(s).unwrap_or(default(s.effort));
        let sum = |scenarios: &[Scenario]| scenarios.iter().map(one).sum::<f64>();
        let longest = |scenarios: &[Scenario]| scenarios.iter().map(one).fold(0.0, f64::max);
        let own = sum(&self.local_devices);
        let alone = (own + sum(&self.simulated)) / lanes.max(1) as f64;
        let beside = longest(&self.concurrent).max(sum(&self.concurrent) / jobs.max(1) as f64);
        sum(&self.exclusive) + alone.max(own).max(longest(&self.simulated)) + beside
    }
}

fn format_time(seconds: f64) -> String {
    let minutes = (seconds / 60.0).ceil() as u64;
    match minutes / 60 {
        0 => format!("{minutes} min"),
        hours => format!("{hours} h {:02} min", minutes % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::super::outcome_file::tests::judged;
    use super::*;

    fn of(names: &[&str]) -> ScorePlan {
        let scenarios = names.iter().map(|name| lab::find_scenario(name).unwrap()).collect();
        ScorePlan { scenarios, runs: 3, jobs: 2, processor_pairs: 1 }
    }

    fn names(scenarios: &[Scenario]) -> Vec<&str> {
        scenarios.iter().map(|scenario| scenario.name).collect()
    }

    #[test]
    fn what_is_done_is_not_done_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut raw = OutcomeFile::open(&folder.path().join("raw")).unwrap();
        let agenda = of(&["limit-provider", "dedup", "burst"]);
        let told = agenda.summary(&raw, true);
        assert!(told.starts_with("3 scenarios, 3 runs of each: about 3 min in all"), "{told}");
        for name in ["dedup", "dedup", "burst"] {
            raw.append(judged(name, &[])).unwrap();
        }
        let rounds = agenda.remaining_rounds(&raw);
        assert_eq!(rounds.len(), 3);
        let at = |n: usize| (names(&rounds[n].simulated), names(&rounds[n].concurrent));
        assert_eq!(at(0), (vec![], vec!["limit-provider"]));
        assert_eq!(at(1), (vec![], vec!["limit-provider", "burst"]));
        assert_eq!(at(2), (vec!["dedup"], vec!["limit-provider", "burst"]));
        // 30 + 30 + (20 + 30) s, as the runs took 20 s, and none yet of the throttle: 30 s.
        let told = agenda.summary(&raw, false);
        assert!(told.ends_with("6 of 9 runs remain, about 2 min"), "{told}");
    }

    #[test]
    fn what_keeps_the_processors_or_the_machines_own_disk_busy_is_alone() {
        for scenario in lab::all_scenarios() {
            let round = Round::from_scenarios(vec![scenario]);
            let simulated = scenario.needs().contains(&Need::Fuse);
            let alone = !scenario.light || !simulated;
            assert_eq!(round.concurrent.is_empty(), alone, "{}", scenario.name);
            assert!(round.local_devices.is_empty() || (alone && !simulated), "{}", scenario.name);
            assert!(round.simulated.is_empty() || (alone && simulated), "{}", scenario.name);
            assert_eq!(round.len(), 1, "{}", scenario.name);
            assert!(
                !(scenario.light && scenario.needs().contains(&Need::Zram)),
                "{}",
                scenario.name
            );
        }
    }

    #[test]
    fn two_lanes_take_half_the_time_where_the_machines_own_disk_is_not_asked() {
        let folder = tempfile::tempdir().unwrap();
        let raw = OutcomeFile::open(&folder.path().join("raw")).unwrap();
        let seconds = |names: &[&str], lanes| {
            let scenarios = names.iter().map(|name| lab::find_scenario(name).unwrap()).collect();
            Round::from_scenarios(scenarios).seconds(&raw, lanes, 1)
        };
        assert_eq!((seconds(&["dedup", "zero-blocks"], 1), 30.0), (60.0, seconds(&["dedup"], 2)));
        assert_eq!(seconds(&["dedup", "zero-blocks"], 2), 30.0);
        assert_eq!(seconds(&["impossible", "control-loop"], 2), 60.0);
        assert_eq!(seconds(&["impossible", "dedup"], 2), 30.0);
        assert_eq!(seconds(&["control-folder", "dedup"], 2), 60.0);
        assert_eq!(seconds(&["provider-limit-10000", "dedup"], 2), 110.0);
    }

    #[test]
    fn times_are_told_in_hours_and_minutes() {
        assert_eq!(format_time(0.0), "0 min");
        assert_eq!(format_time(61.0), "2 min");
        assert_eq!(format_time(7500.0), "2 h 05 min");
    }
}
