//! How much faster some contents are than unique data, for `compressible` and `dedup`: the
//! geometric mean of the ratios of neighbouring rounds. Medians of latency are compared, as other
//! load spoils the rate of a slice by up to five times and its median by a fifth.

use message::{Message, label, messages};
use record::{Cell, Content, Evidence, Measured, Trial};
use stats::{Estimate, LatencyHistogram};
use units::Bytes;

use crate::finding::FindingBuilder;

/// Ratio to unique data from which a content counts as faster (methodology, section 5, row 6).
pub(crate) const FASTER_MIN: f64 = 1.15;
/// Lower end of the interval: of four comparisons, one in forty would touch 1 by chance.
pub(crate) const CLEAR_MIN: f64 = 1.05;
/// Where the interval ends below this, a gain of half as much again is excluded.
pub(crate) const EXCLUDED_MAX: f64 = 1.5;

/// Minimum number of operations for a median; slices with fewer are merged with the next.
const SLICE_OPS_MIN: u64 = 8;

pub(crate) struct Speedup {
    /// In writing; else in reading back.
    pub(crate) written: bool,
    pub(crate) ratio: Estimate,
}

/// In the order in which one comparison decides for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SpeedupVerdict {
    Faster,
    Unclear,
    AsFast,
}

impl Speedup {
    pub(crate) fn verdict(&self) -> SpeedupVerdict {
        match self.ratio.interval() {
            Some((low, _)) if self.ratio.value > FASTER_MIN && low > CLEAR_MIN => {
                SpeedupVerdict::Faster
            }
            Some((_, high)) if high < EXCLUDED_MAX => SpeedupVerdict::AsFast,
            _ => SpeedupVerdict::Unclear,
        }
    }

    pub(crate) fn to_evidence(&self, what: impl Into<Message>) -> Evidence {
        let (times, pairs) = (self.ratio.value, self.ratio.n);
        let value: Message = match (self.written, self.ratio.interval()) {
            (true, Some((low, high))) => WrittenFaster { times, low, high, pairs }.into(),
            (true, None) => WrittenFasterInFew { times, pairs }.into(),
            (false, Some((low, high))) => ReadBackFaster { times, low, high, pairs }.into(),
            (false, None) => ReadBackFasterInFew { times, pairs }.into(),
        };
        Evidence::figure(what, value, times)
    }
}

pub(crate) fn add_speedups(
    finding: &mut FindingBuilder,
    speedups: &[Speedup],
    what: impl Into<Message>,
) {
    let what: Message = what.into();
    finding.evidence.extend(speedups.iter().map(|speedup| speedup.to_evidence(&what)));
}

pub(crate) fn compare_contents(
    measured: &Measured,
    content: Content,
    against: Content,
) -> Vec<Speedup> {
    let speedup = |written: bool| {
        let mut ratios = Vec::new();
        let (mut one, mut other) = (LatencyHistogram::new(), LatencyHistogram::new());
        for round in 1..=measured.cells.len() as u32 {
            let sides = slice_latencies(measured, content, written, round)
                .zip(slice_latencies(measured, against, written, round));
            let Some((of_one, of_other)) = sides else { continue };
            one.merge(&of_one);
            other.merge(&of_other);
            if one.count().min(other.count()) >= SLICE_OPS_MIN {
                let medians = one.quantile(0.5).zip(other.quantile(0.5));
                ratios.extend(medians.map(|(one, other)| other as f64 / one.max(1) as f64));
                (one, other) = (LatencyHistogram::new(), LatencyHistogram::new());
            }
        }
        (!ratios.is_empty())
            .then(|| Speedup { written, ratio: stats::geometric_mean_of_few(&ratios) })
    };
    [true, false].into_iter().filter_map(speedup).collect()
}

pub(crate) fn combine_verdicts(speedups: &[Speedup]) -> SpeedupVerdict {
    speedups.iter().map(Speedup::verdict).min().unwrap_or(SpeedupVerdict::Unclear)
}

/// The largest of those that show a gain: the interval of another may include 1.
pub(crate) fn find_fastest(speedups: &[Speedup]) -> Option<&Speedup> {
    let clear = speedups.iter().filter(|one| one.verdict() == SpeedupVerdict::Faster);
    clear.max_by(|a, b| a.ratio.value.total_cmp(&b.ratio.value))
}

/// A slice that read back counts only where all of its span had been written.
fn slice_latencies(
    measured: &Measured,
    content: Content,
    written: bool,
    round: u32,
) -> Option<LatencyHistogram> {
    let filled = find_slice(measured, content, true, round)?;
    let cell = if written { filled } else { find_slice(measured, content, false, round)? };
    if !written && cell.job.span.length > filled.ledger.write_bytes {
        return None;
    }
    cell.data_directions().next()?.latency_ns.histogram.to_histogram().ok()
}

fn find_slice(measured: &Measured, content: Content, written: bool, round: u32) -> Option<&Cell> {
    measured.cells.iter().find(|cell| match cell.trial {
        Some(Trial::Content { content: c, written: w, round: r, .. }) => {
            (c, w, r) == (content, written, round)
        }
        _ => false,
    })
}

/// Encoded bytes of the zeros that were written, and their size.
pub(crate) fn encoded_zeros(measured: &Measured) -> Option<(Bytes, Bytes)> {
    measured.cells.iter().find_map(|cell| match cell.trial {
        Some(Trial::Content { encoded, .. }) => Some((encoded?, cell.job.span.length)),
        _ => None,
    })
}

pub(crate) fn reason_not_compared(measured: &Measured) -> Message {
    let tried = measured.cells.iter().any(|cell| matches!(cell.trial, Some(Trial::Content { .. })));
    match measured.target() {
        _ if measured.layout.is_none() => label("contents-not-written"),
        Some(target) if !target.direct => label("contents-in-page-cache"),
        _ if tried => label("contents-too-few-operations"),
        _ => label("contents-not-compared"),
    }
}

messages! {
    WrittenFaster = "contents-written" { times: f64, low: f64, high: f64, pairs: u64 };
    WrittenFasterInFew = "contents-written-in-few" { times: f64, pairs: u64 };
    ReadBackFaster = "contents-read-back" { times: f64, low: f64, high: f64, pairs: u64 };
    ReadBackFasterInFew = "contents-read-back-in-few" { times: f64, pairs: u64 };
}

#[cfg(test)]
pub(crate) mod testing {
    use record::{Cell, CellRole, Content, Measured, Trial};
    use stats::LatencyHistogram;
    use units::Bytes;

    /// Adds the cells of a content trial of four rounds. `gain` says how many times as fast as
    /// unique data a content is (written or read back); every slice is off by up to `noise`, by
    /// chance that follows from `seed`.
    pub(crate) fn tried(
        measured: &mut Measured,
        (noise, seed): (f64, u64),
        gain: impl Fn(Content, bool) -> f64,
    ) {
        let sample = measured.cell("seqwrite-1m").unwrap().clone();
        let mut state = seed;
        for round in 1..=4_u32 {
            for content in [Content::Unique, Content::Zeros, Content::Repeated] {
                for written in [true, false] {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let chance = (state >> 33) as f64 / f64::from(1_u32 << 30) - 1.0;
                    let latency = 250e3 * (1.0 + noise * chance) / gain(content, written);
                    let trial = Trial::Content { content, written, round, encoded: None };
                    let number = measured.cells.len();
                    measured.cells.push(trial_cell(&sample, number, latency as u64, trial));
                }
            }
        }
    }

    fn trial_cell(sample: &Cell, number: usize, latency_ns: u64, trial: Trial) -> Cell {
        let mut cell = sample.clone();
        cell.name = format!("trial-{number}");
        cell.role = CellRole::Trial;
        cell.trial = Some(trial);
        cell.job.span.length = Bytes::mib(8);
        cell.ledger.write_bytes = Bytes::mib(8);
        let mut histogram = LatencyHistogram::new();
        histogram.record_many(latency_ns, 128);
        cell.totals.write.as_mut().unwrap().latency_ns = crate::summarise_latency(&histogram);
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample_record;
    use units::Bytes;

    /// What 1000 trials of four rounds say, written and read back, each slice off by chance.
    fn says(noise: f64, gain: f64) -> Vec<SpeedupVerdict> {
        let mut state = 1_u64;
        let mut wobble = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            1.0 + noise * ((state >> 33) as f64 / f64::from(1_u32 << 30) - 1.0)
        };
        let mut pairs = |written| {
            let ratios: Vec<f64> = (0..4).map(|_| gain * wobble() / wobble()).collect();
            Speedup { written, ratio: stats::geometric_mean_of_few(&ratios) }
        };
        (0..1000).map(|_| combine_verdicts(&[pairs(true), pairs(false)])).collect()
    }

    #[test]
    fn a_ratio_whose_interval_includes_1_is_not_the_fastest() {
        let speedup = |ratios: &[f64]| {
            let ratio = stats::geometric_mean_of_few(ratios);
            Speedup { written: true, ratio }
        };
        let (clear, unclear) = (speedup(&[1.20; 4]), speedup(&[0.8, 1.4, 2.0]));
        assert!(unclear.ratio.interval().unwrap().0 < 1.0 && unclear.ratio.value > 1.25);
        let both = [unclear, clear];
        assert_eq!(find_fastest(&both).map(|one| one.ratio.n), Some(4));
        assert!(find_fastest(&both[..1]).is_none());
    }

    fn share(said: &[SpeedupVerdict], what: SpeedupVerdict) -> f64 {
        said.iter().filter(|says| **says == what).count() as f64 / said.len() as f64
    }

    /// On a host that is starved a slice has some operations only; several together have a median.
    #[test]
    fn slices_of_few_operations_are_taken_together() {
        let pairs = |ops: u64, rounds: u32| {
            let mut record = sample_record();
            testing::tried(&mut record, (0.0, 1), |content, _| match content {
                Content::Repeated => 4.0,
                _ => 1.0,
            });
            let mut trials: Vec<Cell> =
                record.cells.iter().filter(|cell| cell.trial.is_some()).cloned().collect();
            for cell in &mut trials {
                let write = cell.totals.write.as_mut().unwrap();
                let median = write.latency_ns.histogram.to_histogram().unwrap().quantile(0.5);
                let mut few = LatencyHistogram::new();
                few.record_many(median.unwrap(), ops);
                write.latency_ns = crate::summarise_latency(&few);
            }
            record.cells.retain(|cell| cell.trial.is_none());
            for again in 0..rounds / 4 {
                record.cells.extend(trials.iter().cloned().map(|mut cell| {
                    if let Some(Trial::Content { round, .. }) = &mut cell.trial {
                        *round += again * 4;
                    }
                    cell
                }));
            }
            compare_contents(&record, Content::Repeated, Content::Unique)
        };
        let check = |ops, rounds, expected: u64| {
            let gains = pairs(ops, rounds);
            assert_eq!(gains[0].ratio.n, expected, "{ops} operations, {rounds} rounds");
            assert!((gains[0].ratio.value / 4.0 - 1.0).abs() < 0.05);
        };
        check(8, 4, 4);
        check(4, 8, 4);
        check(3, 8, 2);
        assert_eq!(combine_verdicts(&pairs(4, 8)), SpeedupVerdict::Faster);
        assert!(pairs(1, 4).is_empty());
        let mut record = sample_record();
        testing::tried(&mut record, (0.0, 1), |_, _| 1.0);
        let why = reason_not_compared;
        assert_eq!(why(&record).id(), "contents-too-few-operations");
        record.cells.retain(|cell| cell.trial.is_none());
        assert_eq!(why(&record).id(), "contents-not-compared");
    }

    #[test]
    fn a_gain_is_told_from_noise_and_noise_from_none() {
        let check = |noise: f64, gain: f64, what: SpeedupVerdict, at_least: f64| {
            let said = says(noise, gain);
            assert!(share(&said, what) >= at_least, "{noise} {gain}: {}", share(&said, what));
        };
        check(0.03, 1.0, SpeedupVerdict::AsFast, 1.0);
        check(0.03, 1.1, SpeedupVerdict::AsFast, 0.95); // below what counts
        check(0.03, 1.3, SpeedupVerdict::Faster, 0.99);
        check(0.2, 3.0, SpeedupVerdict::Faster, 0.99);
    }

    #[test]
    fn noise_alone_is_hardly_ever_called_a_gain() {
        for noise in [0.1, 0.2, 0.4, 0.8] {
            let false_alarms = share(&says(noise, 1.0), SpeedupVerdict::Faster);
            assert!(false_alarms <= 0.04, "{noise}: {false_alarms}");
        }
        assert!(share(&says(0.9, 1.0), SpeedupVerdict::AsFast) < 0.05, "nor called an even device");
    }

    #[test]
    fn what_was_read_beyond_what_was_written_is_not_compared() {
        let mut record = sample_record();
        testing::tried(&mut record, (0.02, 1), |_, _| 1.0);
        let zeros = |cell: &&mut Cell| {
            matches!(
                cell.trial,
                Some(Trial::Content { content: Content::Zeros, written: true, .. })
            )
        };
        for cell in record.cells.iter_mut().filter(zeros).take(2) {
            cell.ledger.write_bytes = Bytes::mib(3);
        }
        let gains = compare_contents(&record, Content::Zeros, Content::Unique);
        assert_eq!(gains.iter().map(|gain| gain.ratio.n).collect::<Vec<_>>(), [4, 2]);
        assert_eq!(
            combine_verdicts(&gains),
            SpeedupVerdict::Unclear,
            "two are too few for an interval"
        );
        assert_eq!(combine_verdicts(&[]), SpeedupVerdict::Unclear);
    }
}
