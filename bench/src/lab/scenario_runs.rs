//! What the runs on one scenario came to.

use std::collections::{BTreeMap, BTreeSet};

use lab::Scenario;
use record::{FindingId, Status};

use super::fio::FioResult;
use super::outcome_file::{OutcomeLine, RunOutcome};
use crate::bench::median;

/// Where a disk lies, 1 of 20 runs may raise a false alarm; of a plain disk none may.
const DETECTION_SHARE_MIN: f64 = 0.95;
/// How far the figure of any run may be from the truth.
const RATE_ERROR_MAX: f64 = 0.01;

#[derive(Debug)]
pub(super) struct ScenarioRuns {
    pub(super) scenario: Scenario,
    pub(super) count: u32,
    pub(super) failed: u32,
    /// Runs from which the hypervisor took the processors; they are in no other number.
    pub(super) starved: u32,
    pub(super) found: BTreeMap<FindingId, u32>,
    complete: u32,
    pub(super) false_alarms: BTreeMap<FindingId, u32>,
    with_false_alarm: u32,
    pub(super) read_iops: Vec<f64>,
    pub(super) programs: BTreeSet<String>,
    pub(super) fio: Option<FioResult>,
}

impl ScenarioRuns {
    pub(super) fn from_lines<'a>(
        scenario: Scenario,
        lines: impl Iterator<Item = &'a OutcomeLine>,
    ) -> ScenarioRuns {
        let mut runs = ScenarioRuns {
            scenario,
            count: 0,
            failed: 0,
            starved: 0,
            found: scenario.truth.raises.iter().map(|(id, _)| (*id, 0)).collect(),
            complete: 0,
            false_alarms: BTreeMap::new(),
            with_false_alarm: 0,
            read_iops: Vec::new(),
            programs: BTreeSet::new(),
            fio: None,
        };
        lines.for_each(|line| runs.count_line(line));
        runs
    }

    fn count_line(&mut self, line: &OutcomeLine) {
        match &line.outcome {
            RunOutcome::Fio(printed) => return self.fio = Some(*printed),
            RunOutcome::Failed(_) => self.failed += 1,
            RunOutcome::Judged(judged) if judged.starved => self.starved += 1,
            RunOutcome::Judged(judged) => {
                self.count += 1;
                judged.findings.iter().for_each(|(id, status)| self.count_finding(*id, *status));
                let truth = &self.scenario.truth;
                let met = |id: &FindingId| {
                    judged.findings.get(id).is_some_and(|status| truth.is_met(*id, *status))
                };
                self.complete += u32::from(truth.raises.iter().all(|(id, _)| met(id)));
                let cries =
                    |(id, status): (&FindingId, &Status)| truth.is_false_alarm(*id, *status);
                self.with_false_alarm += u32::from(judged.findings.iter().any(cries));
                self.read_iops.extend(judged.read_iops);
            }
        }
        self.programs.insert(line.program.clone());
    }

    fn count_finding(&mut self, id: FindingId, status: Status) {
        let truth = &self.scenario.truth;
        if truth.is_met(id, status) {
            *self.found.entry(id).or_default() += 1;
        }
        if truth.is_false_alarm(id, status) {
            *self.false_alarms.entry(id).or_default() += 1;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count + self.failed + self.starved == 0
    }

    pub(super) fn median_rate(&self) -> Option<(f64, f64)> {
        let truth = self.scenario.truth.read_iops.filter(|_| !self.read_iops.is_empty())?;
        Some((median(&self.read_iops), truth))
    }

    /// Whether all is found in 19 of 20 runs, nothing else in more than one of 20 and nothing at
    /// all of plain disks; a provider's limit in every run, and each rate within a hundredth.
    pub(super) fn is_as_required(&self) -> bool {
        let least = f64::from(self.count) * DETECTION_SHARE_MIN;
        let may_cry = if self.scenario.is_control() { 0.0 } else { f64::from(self.count) - least };
        // Twenty times a twentieth is one, whatever the rounding.
        let quiet = f64::from(self.with_false_alarm) <= may_cry + 1e-9;
        let found = match self.scenario.truth.read_iops {
            None => f64::from(self.complete) >= least,
            // A limit of this system is read from its group, and judged by its median.
            Some(truth) => {
                let near = |rate: &f64| (rate / truth - 1.0).abs() <= RATE_ERROR_MAX;
                let told = self.read_iops.len() == self.count as usize;
                let limit = self.found.contains_key(&FindingId::ProviderLimit);
                let each = self.complete == self.count && self.read_iops.iter().all(near);
                let most = f64::from(self.complete) >= least && near(&median(&self.read_iops));
                told && if limit { each } else { most }
            }
        };
        self.count > 0 && self.failed == 0 && found && quiet
    }
}

#[cfg(test)]
mod tests {
    use super::super::outcome_file::JudgedRun;
    use super::super::outcome_file::tests::{judged, line};
    use super::*;

    fn runs(name: &str, of: &[(FindingId, Status, usize)]) -> ScenarioRuns {
        let with = |n| {
            let some = of.iter().filter(move |(.., times)| n < *times);
            judged(name, &some.map(|&(id, status, _)| (id, status)).collect::<Vec<_>>())
        };
        let lines: Vec<OutcomeLine> = (0..20).map(with).collect();
        ScenarioRuns::from_lines(lab::find_scenario(name).unwrap(), lines.iter())
    }

    #[test]
    fn one_miss_in_twenty_is_well_and_two_are_not() {
        let check = |status, times, expected| {
            let well = runs("stall", &[(FindingId::Stall, status, times)]).is_as_required();
            assert_eq!(well, expected, "{status} {times}");
        };
        check(Status::Warning, 20, true);
        check(Status::Invalid, 19, true);
        check(Status::Warning, 18, false);
        check(Status::Note, 20, false);
    }

    #[test]
    fn two_lies_must_be_found_together() {
        let lies = |compressible, burst| {
            let of = [
                (FindingId::Compressible, Status::Warning, compressible),
                (FindingId::Burst, Status::Warning, burst),
            ];
            runs("compressible-and-burst", &of).is_as_required()
        };
        assert!(lies(20, 19) && lies(19, 19));
        assert!(!lies(20, 18));
    }

    #[test]
    fn nothing_may_be_cried_of_a_plain_disk() {
        assert!(runs("control-loop", &[(FindingId::Stall, Status::Note, 20)]).is_as_required());
        assert!(!runs("control-loop", &[(FindingId::Stall, Status::Warning, 1)]).is_as_required());
    }

    #[test]
    fn a_lie_is_no_leave_to_cry_another() {
        let stalls = (FindingId::Stall, Status::Warning, 20);
        let cry = |times| runs("stall", &[stalls, (FindingId::Little, Status::Warning, times)]);
        assert!(cry(1).is_as_required());
        assert!(!cry(2).is_as_required());
        // Runs count, not kinds: the first run cries one and the second both.
        let both = [
            stalls,
            (FindingId::Little, Status::Warning, 2),
            (FindingId::Dedup, Status::Warning, 1),
        ];
        assert!(!runs("stall", &both).is_as_required());
        // What the scenario allows is true of it.
        assert!(
            runs("stall", &[stalls, (FindingId::OsThrottle, Status::Warning, 20)]).is_as_required()
        );
    }

    #[test]
    fn a_rate_must_be_right_and_there() {
        let of = |rates: &[f64]| {
            let findings = BTreeMap::from([(FindingId::ProviderLimit, Status::Note)]);
            let of = |rate: &f64| {
                let (findings, said) = (findings.clone(), BTreeMap::new());
                let read_iops = Some(*rate).filter(|rate| *rate > 0.0);
                RunOutcome::Judged(JudgedRun { findings, read_iops, starved: false, said })
            };
            let lines: Vec<OutcomeLine> =
                rates.iter().map(|rate| line("provider-limit-3000", of(rate))).collect();
            ScenarioRuns::from_lines(
                lab::find_scenario("provider-limit-3000").unwrap(),
                lines.iter(),
            )
        };
        assert!(of(&[2990.0, 3000.0, 3029.0]).is_as_required());
        assert!(!of(&[3000.0, 3000.0, 2900.0]).is_as_required(), "each of them");
        assert!(!of(&[2900.0]).is_as_required());
        assert!(!of(&[0.0]).is_as_required());
    }

    #[test]
    fn runs_on_a_starved_host_do_not_count() {
        let starved = || {
            let (findings, said) = (BTreeMap::new(), BTreeMap::new());
            line(
                "stall",
                RunOutcome::Judged(JudgedRun { findings, read_iops: None, starved: true, said }),
            )
        };
        let found = judged("stall", &[(FindingId::Stall, Status::Warning)]);
        let runs = ScenarioRuns::from_lines(
            lab::find_scenario("stall").unwrap(),
            [starved(), found].iter(),
        );
        assert_eq!((runs.count, runs.starved, runs.is_as_required()), (1, 1, true));
        let runs =
            ScenarioRuns::from_lines(lab::find_scenario("stall").unwrap(), [starved()].iter());
        assert_eq!((runs.count, runs.is_empty(), runs.is_as_required()), (0, false, false));
    }

    #[test]
    fn a_run_without_a_record_is_not_well() {
        let lines = [
            judged("stall", &[(FindingId::Stall, Status::Warning)]),
            line("stall", RunOutcome::Failed("it would not start".to_owned())),
        ];
        let runs = ScenarioRuns::from_lines(lab::find_scenario("stall").unwrap(), lines.iter());
        assert_eq!((runs.count, runs.failed, runs.is_as_required()), (1, 1, false));
        assert_eq!(runs.programs.iter().collect::<Vec<_>>(), ["abc"]);
    }
}
