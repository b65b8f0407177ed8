//! A figure over many runs: where its level changed, and whether the newest is worse.

use jiff::Timestamp;
use record::{Figure, Metric};
use stats::{Estimate, Level, find_levels, values_needed};

use crate::lists::upper_median;

#[derive(Debug, Clone, PartialEq)]
pub struct TrendPoint {
    pub id: String,
    pub started: Timestamp,
    pub figure: Figure,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Trend {
    pub metric: Metric,
    /// The runs, oldest first.
    pub points: Vec<TrendPoint>,
    /// Its levels; one, where nothing changed. None of no runs.
    pub levels: Vec<Level>,
    /// Half the 95 % interval of the median run by itself, as a share of its figure.
    pub within: Option<f64>,
    pub newest: NewestLevel,
}

/// What the newest level is to the one before.
#[derive(Debug, Clone, PartialEq)]
pub enum NewestLevel {
    /// Too few runs for any change to be seen.
    TooFew {
        /// Minimum number of runs, in all.
        needed: usize,
    },
    /// There is only one level.
    Same,
    Better(Estimate),
    /// Worse, by more than the intervals explain.
    Worse(Estimate),
    /// Changed, but by no more than the intervals explain.
    Within(Estimate),
    /// Changed, of watches: their loads differ, so that it is neither better nor worse.
    Changed(Estimate),
}

impl Trend {
    /// The same of watches, which support no verdict on the disk.
    pub fn without_verdict(self) -> Self {
        let newest = match self.newest {
            NewestLevel::Better(ratio) | NewestLevel::Worse(ratio) | NewestLevel::Within(ratio) => {
                NewestLevel::Changed(ratio)
            }
            other => other,
        };
        Self { newest, ..self }
    }
}

/// Looks at a series, oldest first.
pub fn analyse_trend(metric: Metric, points: Vec<TrendPoint>) -> Trend {
    let values: Vec<f64> = points.iter().map(|point| point.figure.value).collect();
    let levels = find_levels(&values);
    let within = typical_half_width(&points);
    let newest = judge_newest(metric, &levels, within, points.len());
    Trend { metric, points, levels, within, newest }
}

fn min_runs() -> usize {
    (2 * stats::SIDE_MIN..)
        .find(|&all| values_needed(all / 2) == Some(all / 2))
        .unwrap_or(usize::MAX)
}

fn judge_newest(metric: Metric, levels: &[Level], within: Option<f64>, runs: usize) -> NewestLevel {
    let Some(ratio) = levels.last().and_then(|level| level.ratio.clone()) else {
        let needed = min_runs();
        return if runs < needed { NewestLevel::TooFew { needed } } else { NewestLevel::Same };
    };
    let (low, high) = ratio.interval().unwrap_or((ratio.value, ratio.value));
    // A shift smaller than the uncertainty of one run is none that a user would see.
    let floor = within.unwrap_or(0.0);
    let more = low > 1.0 && ratio.value > 1.0 + floor;
    let less = high < 1.0 && ratio.value < 1.0 - floor;
    match (more, less, metric.more_is_better()) {
        (true, _, true) | (_, true, false) => NewestLevel::Better(ratio),
        (true, _, false) | (_, true, true) => NewestLevel::Worse(ratio),
        (false, false, _) => NewestLevel::Within(ratio),
    }
}

fn typical_half_width(points: &[TrendPoint]) -> Option<f64> {
    let half = |point: &TrendPoint| {
        let (low, high) = point.figure.between?;
        (point.figure.value > 0.0).then(|| (high - low) / 2.0 / point.figure.value)
    };
    upper_median(points.iter().filter_map(half))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs an hour apart with these figures, each known to `share`.
    fn points(values: &[f64], share: f64) -> Vec<TrendPoint> {
        let point = |(place, &value): (usize, &f64)| TrendPoint {
            id: format!("run-{place}"),
            started: Timestamp::from_second(1_795_000_000 + 3600 * place as i64).unwrap(),
            figure: Figure { value, between: Some((value * (1.0 - share), value * (1.0 + share))) },
        };
        values.iter().enumerate().map(point).collect()
    }

    /// A level with a little that varies.
    fn level(middle: f64, count: usize) -> Vec<f64> {
        (0..count).map(|i| middle * (1.0 + 0.002 * ((i * 7 % 5) as f64 - 2.0))).collect()
    }

    fn of(metric: Metric, values: &[f64], share: f64) -> NewestLevel {
        analyse_trend(metric, points(values, share)).newest
    }

    #[test]
    fn less_iops_and_more_latency_are_worse() {
        let fall = [level(1000.0, 20), level(900.0, 10)].concat();
        let rise = [level(900.0, 20), level(1000.0, 10)].concat();
        assert!(matches!(of(Metric::Iops, &fall, 0.01), NewestLevel::Worse(_)));
        assert!(matches!(of(Metric::Iops, &rise, 0.01), NewestLevel::Better(_)));
        assert!(matches!(of(Metric::P99, &fall, 0.01), NewestLevel::Better(_)));
        assert!(matches!(of(Metric::P99, &rise, 0.01), NewestLevel::Worse(_)));
    }

    #[test]
    fn a_change_within_what_one_run_is_known_to_is_no_regression() {
        let fall = [level(1000.0, 20), level(970.0, 10)].concat();
        assert!(matches!(of(Metric::Iops, &fall, 0.01), NewestLevel::Worse(_)));
        assert!(matches!(of(Metric::Iops, &fall, 0.05), NewestLevel::Within(_)));
    }

    #[test]
    fn only_the_newest_level_counts() {
        let back = [level(1000.0, 20), level(800.0, 20), level(900.0, 20)].concat();
        assert!(matches!(of(Metric::Iops, &back, 0.01), NewestLevel::Better(_)));
        assert_eq!(of(Metric::Iops, &level(1000.0, 40), 0.01), NewestLevel::Same);
    }

    #[test]
    fn few_runs_say_that_they_are_few() {
        let NewestLevel::TooFew { needed } = of(Metric::Iops, &[1000.0, 500.0, 400.0], 0.01) else {
            panic!("three runs are said to be enough")
        };
        assert!((6..=20).contains(&needed), "{needed}");
        // The number that is said to be needed is enough.
        let half = needed / 2;
        let values = [level(1000.0, half), level(500.0, needed - half)].concat();
        assert!(matches!(of(Metric::Iops, &values, 0.01), NewestLevel::Worse(_)));
        assert!(matches!(of(Metric::Iops, &[], 0.01), NewestLevel::TooFew { .. }));
    }
}
