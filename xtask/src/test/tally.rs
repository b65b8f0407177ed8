//! Counting: results out of cargo's output, skipped tests out of their log.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, Result};

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct TestTally {
    pub(super) passed: usize,
    pub(super) failed: usize,
    pub(super) ignored: usize,
    pub(super) names_failed: BTreeSet<String>,
    pub(super) names_passed: BTreeSet<String>,
    /// Test programs that began and have no result yet.
    open: usize,
}

impl TestTally {
    pub(super) fn count_line(&mut self, line: &str) {
        if let Some((name, end)) =
            line.trim().strip_prefix("test ").and_then(|test| test.split_once(" ... "))
        {
            match end {
                "ok" => self.names_passed.insert(name.to_owned()),
                "FAILED" => self.names_failed.insert(name.to_owned()),
                _ => false,
            };
        }
        if line.starts_with("running ") && (line.ends_with(" tests") || line.ends_with(" test")) {
            self.open += 1;
        }
        let Some(result) = line.trim().strip_prefix("test result: ") else { return };
        self.open = self.open.saturating_sub(1);
        // "ok. 3 passed; 0 failed; 1 ignored; ...": the status ends at the first full stop.
        let Some((_, numbers)) = result.split_once(". ") else { return };
        for (number, what) in numbers.split("; ").filter_map(|part| part.split_once(' ')) {
            let number: usize = number.parse().unwrap_or(0);
            match what {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" => self.ignored += number,
                _ => {}
            }
        }
    }

    /// The tests that may run once more: few, all with a name, and no test program broke off.
    pub(super) fn few_failed(&self, most: usize) -> Option<&BTreeSet<String>> {
        let known = self.names_failed.len() == self.failed && self.open == 0;
        Some(&self.names_failed).filter(|_| known && (1..=most).contains(&self.failed))
    }

    /// Gives those that pass the second time: they are unsteady, not failed.
    pub(super) fn merge_rerun(&mut self, again: &Self) -> Vec<String> {
        let passes =
            |name: &String| again.names_passed.contains(name) && !again.names_failed.contains(name);
        let unsteady: Vec<String> =
            self.names_failed.iter().filter(|name| passes(name)).cloned().collect();
        self.names_failed.retain(|name| !unsteady.contains(name));
        self.failed -= unsteady.len();
        self.passed += unsteady.len();
        unsteady
    }

    /// `N passed, N failed, N skipped`. A test that skips itself has passed for cargo.
    pub(super) fn summary(&self, skipped: &SkippedTests) -> String {
        let passed = self.passed.saturating_sub(skipped.reasons.len());
        let skipped = self.ignored + skipped.reasons.len();
        format!("{passed} passed, {} failed, {skipped} skipped", self.failed)
    }
}

#[derive(Debug, Default)]
pub(super) struct SkippedTests {
    reasons: BTreeMap<String, Vec<String>>,
}

impl SkippedTests {
    pub(super) fn read(log: &Path) -> Result<Self> {
        let bytes = std::fs::read(log).with_context(|| format!("cannot read {}", log.display()))?;
        Ok(Self::parse(&String::from_utf8_lossy(&bytes)))
    }

    /// `skipped: NAME: REASON` per line. A line of another shape is kept under its own text.
    fn parse(text: &str) -> Self {
        let mut skipped = Self::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let line = line.strip_prefix("skipped: ").unwrap_or(line);
            let (name, reason) = line.split_once(": ").unwrap_or((line, "no reason given"));
            let reasons = skipped.reasons.entry(name.to_owned()).or_default();
            if !reasons.iter().any(|known| known == reason) {
                reasons.push(reason.to_owned());
            }
        }
        skipped
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        let line = |(name, reasons): (&String, &Vec<_>)| {
            format!("skipped: {name}: {}", reasons.join("; "))
        };
        self.reasons.iter().map(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &[&str], passed: usize, failed: usize, ignored: usize) {
        let mut tally = TestTally::default();
        for line in lines {
            tally.count_line(line);
        }
        let counted = (tally.passed, tally.failed, tally.ignored);
        assert_eq!(counted, (passed, failed, ignored), "{lines:?}");
    }

    #[test]
    fn results_are_summed() {
        let ok = "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; \
                  finished in 0.10s";
        let bad = "test result: FAILED. 4 passed; 2 failed; 0 ignored; 0 measured";
        check(&[ok, bad], 16, 2, 1);
        check(&["running 4 tests", "test a ... ok", "see test result: ok. 9 passed"], 0, 0, 0);
        check(&["test result: ok."], 0, 0, 0);
    }

    fn tally(lines: &[&str]) -> TestTally {
        let mut tally = TestTally::default();
        lines.iter().for_each(|line| tally.count_line(line));
        tally
    }

    #[test]
    fn who_passes_when_asked_again_is_unsteady_and_who_fails_twice_has_failed() {
        let mut first = tally(&[
            "test a::b ... ok",
            "test slow ... FAILED",
            "test wrong ... FAILED",
            "test result: FAILED. 1 passed; 2 failed; 0 ignored",
        ]);
        assert_eq!(first.few_failed(2).map(BTreeSet::len), Some(2));
        assert_eq!(first.few_failed(1), None, "too many to be bad luck");
        let again = tally(&["test slow ... ok", "test wrong ... FAILED"]);
        assert_eq!(first.merge_rerun(&again), ["slow"]);
        assert_eq!((first.passed, first.failed), (2, 1));
        assert!(first.names_failed.contains("wrong"));
    }

    #[test]
    fn who_gives_no_clear_second_answer_has_failed() {
        const RESULT_OF_A: &str = "test result: FAILED. 0 passed; 1 failed";
        let mut first = tally(&["running 1 test", "test a ... FAILED", RESULT_OF_A]);
        assert!(first.few_failed(3).is_some());
        assert!(first.merge_rerun(&tally(&["running 0 tests"])).is_empty());
        // Two tests of one name, in two programs.
        assert!(first.merge_rerun(&tally(&["test a ... ok", "test a ... FAILED"])).is_empty());
        assert_eq!(first.failed, 1);
        let broken = ["running 1 test", "running 3 tests", "test a ... FAILED", RESULT_OF_A];
        assert_eq!(tally(&broken).few_failed(3), None, "one program told no result");
        let broken = tally(&["test a ... FAILED", "test result: FAILED. 0 passed; 2 failed"]);
        assert_eq!(broken.few_failed(3), None);
        assert_eq!(tally(&["test result: ok. 1 passed; 0 failed"]).few_failed(3), None);
    }

    #[test]
    fn a_skipped_test_is_not_counted_as_passed() {
        let tally = TestTally { passed: 5, failed: 1, ignored: 1, ..TestTally::default() };
        let skipped = SkippedTests::parse("skipped: a::b: no FUSE\nskipped: c: no xfs\n");
        assert_eq!(tally.summary(&skipped), "3 passed, 1 failed, 3 skipped");
        assert_eq!(tally.summary(&SkippedTests::default()), "5 passed, 1 failed, 1 skipped");
    }

    #[test]
    fn skipped_tests_are_told_once_each_with_every_reason() {
        let text = "skipped: b: no xfs\n\nskipped: a::x: no loop: none free\n\
                    skipped: b: no btrfs\nskipped: b: no xfs\nodd\n";
        let lines: Vec<_> = SkippedTests::parse(text).lines().collect();
        let expected = [
            "skipped: a::x: no loop: none free",
            "skipped: b: no xfs; no btrfs",
            "skipped: odd: no reason given",
        ];
        assert_eq!(lines, expected);
    }
}
