//! Counting: results out of cargo's output, skipped tests out of their log.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result};

/// The sum of all `test result:` lines.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) passed: usize,
    pub(super) failed: usize,
    pub(super) ignored: usize,
}

impl Tally {
    /// Adds the line's numbers if it is one of cargo's results.
    pub(super) fn count(&mut self, line: &str) {
        let Some(result) = line.trim().strip_prefix("test result: ") else {
            return;
        };
        // "ok. 3 passed; 0 failed; 1 ignored; ...": the status ends at the first full stop.
        let Some((_, numbers)) = result.split_once(". ") else {
            return;
        };
        for part in numbers.split("; ") {
            let Some((number, what)) = part.split_once(' ') else {
                continue;
            };
            let number: usize = number.parse().unwrap_or(0);
            match what {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" => self.ignored += number,
                _ => {}
            }
        }
    }

    /// `N passed, N failed, N skipped`. A test that skips itself has passed for cargo; here it
    /// counts once, as skipped.
    pub(super) fn summary(&self, skipped: &Skipped) -> String {
        let passed = self.passed.saturating_sub(skipped.reasons.len());
        let skipped = self.ignored + skipped.reasons.len();
        format!("{passed} passed, {} failed, {skipped} skipped", self.failed)
    }
}

/// The tests that skipped themselves, by name, each with its reasons.
#[derive(Debug, Default)]
pub(super) struct Skipped {
    reasons: BTreeMap<String, Vec<String>>,
}

impl Skipped {
    /// Reads the log that the tests appended to.
    pub(super) fn read(log: &Path) -> Result<Self> {
        let bytes = std::fs::read(log).with_context(|| format!("cannot read {}", log.display()))?;
        Ok(Self::parse(&String::from_utf8_lossy(&bytes)))
    }

    /// `skipped: NAME: REASON` per line; a name may have `::` in it, so a colon and a space part
    /// them. A line of another shape is kept under its own text: nothing is lost in silence.
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

    /// One line per test.
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
        let mut tally = Tally::default();
        for line in lines {
            tally.count(line);
        }
        assert_eq!(tally, Tally { passed, failed, ignored }, "{lines:?}");
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

    #[test]
    fn a_skipped_test_is_not_counted_as_passed() {
        let tally = Tally { passed: 5, failed: 1, ignored: 1 };
        let skipped = Skipped::parse("skipped: a::b: no FUSE\nskipped: c: no xfs\n");
        assert_eq!(tally.summary(&skipped), "3 passed, 1 failed, 3 skipped");
        assert_eq!(tally.summary(&Skipped::default()), "5 passed, 1 failed, 1 skipped");
    }

    #[test]
    fn skipped_tests_are_told_once_each_with_every_reason() {
        let text = "skipped: b: no xfs\n\nskipped: a::x: no loop: none free\n\
                    skipped: b: no btrfs\nskipped: b: no xfs\nodd\n";
        let lines: Vec<_> = Skipped::parse(text).lines().collect();
        let expected = [
            "skipped: a::x: no loop: none free",
            "skipped: b: no xfs; no btrfs",
            "skipped: odd: no reason given",
        ];
        assert_eq!(lines, expected);
    }
}
