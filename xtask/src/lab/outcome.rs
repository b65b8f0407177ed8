//! What the runs on one scenario came to.

use std::collections::BTreeMap;

use lab::{Scenario, Truth};
use record::{FindingId, Record, Status};

use super::fio::Printed;
use crate::bench::median;

/// Of twenty runs so many may miss: one.
const SHARE: f64 = 0.95;
/// How far a figure may be from the truth that the disk was given.
const FIGURE: f64 = 0.01;

/// The runs on one scenario.
#[derive(Debug)]
pub(super) struct Runs {
    pub(super) scenario: Scenario,
    /// Runs that gave a record.
    pub(super) count: u32,
    /// Runs that gave none.
    pub(super) failed: u32,
    /// How often each truth was found.
    pub(super) found: BTreeMap<FindingId, u32>,
    /// How often something else was cried.
    pub(super) false_alarms: BTreeMap<FindingId, u32>,
    /// The most reads per second of each run, where the scenario fixes them.
    pub(super) read_iops: Vec<f64>,
    pub(super) fio: Option<Printed>,
}

impl Runs {
    pub(super) fn new(scenario: Scenario) -> Runs {
        let found = scenario.truth.raises.iter().map(|(id, _)| (*id, 0)).collect();
        let (false_alarms, read_iops) = (BTreeMap::new(), Vec::new());
        Runs { scenario, count: 0, failed: 0, found, false_alarms, read_iops, fio: None }
    }

    pub(super) fn add(&mut self, record: &Record) {
        self.count += 1;
        for finding in &record.findings {
            self.judge(finding.id, finding.status);
        }
        if self.scenario.truth.read_iops.is_some() {
            let limit = record.curves.first().and_then(|curve| curve.limit());
            self.read_iops.extend(limit.map(|limit| limit.iops.value));
        }
    }

    fn judge(&mut self, id: FindingId, status: Status) {
        let truth: &Truth = &self.scenario.truth;
        if truth.is_met(id, status) {
            *self.found.entry(id).or_default() += 1;
        }
        if truth.is_false_alarm(id, status) {
            *self.false_alarms.entry(id).or_default() += 1;
        }
    }

    /// The median of the fixed rate, and what it should be.
    pub(super) fn rate(&self) -> Option<(f64, f64)> {
        let truth = self.scenario.truth.read_iops.filter(|_| !self.read_iops.is_empty())?;
        Some((median(&self.read_iops), truth))
    }

    /// Whether it is as it must be: found in 19 of 20 runs, nothing cried of plain disks, rates
    /// within a hundredth.
    pub(super) fn is_well(&self) -> bool {
        let least = f64::from(self.count) * SHARE;
        let found = self.found.values().all(|found| f64::from(*found) >= least);
        let quiet = !self.scenario.is_control() || self.false_alarms.is_empty();
        let right = self.rate().is_none_or(|(rate, truth)| (rate / truth - 1.0).abs() <= FIGURE);
        self.count > 0 && self.failed == 0 && found && quiet && right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(name: &str, judged: &[(FindingId, Status, u32)]) -> Runs {
        let mut runs = Runs::new(lab::scenario(name).unwrap());
        runs.count = 20;
        for &(id, status, times) in judged {
            (0..times).for_each(|_| runs.judge(id, status));
        }
        runs
    }

    #[test]
    fn one_miss_in_twenty_is_well_and_two_are_not() {
        let check = |status, times, expected| {
            let well = runs("stall", &[(FindingId::Stall, status, times)]).is_well();
            assert_eq!(well, expected, "{status} {times}");
        };
        check(Status::Warning, 20, true);
        check(Status::Invalid, 19, true);
        check(Status::Warning, 18, false);
        check(Status::Note, 20, false);
    }

    #[test]
    fn nothing_may_be_cried_of_a_plain_disk() {
        assert!(runs("control-loop", &[(FindingId::Stall, Status::Note, 20)]).is_well());
        assert!(!runs("control-loop", &[(FindingId::Stall, Status::Warning, 1)]).is_well());
    }

    #[test]
    fn a_rate_must_be_right() {
        let mut runs = runs("provider-limit-3000", &[(FindingId::ProviderLimit, Status::Note, 20)]);
        runs.read_iops = vec![2990.0, 3000.0, 1000.0];
        assert!(runs.is_well());
        runs.read_iops = vec![2900.0];
        assert!(!runs.is_well());
    }
}
