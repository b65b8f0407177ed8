//! Whether a series has settled, and where it is going.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::series::{effective_samples, mean, range_of};

/// Limits of a steady state for five rounds, as fractions of their mean (SNIA PTS practice).
const RANGE_MAX: f64 = 0.20;
const SLOPE_MAX: f64 = 0.10;

/// The five-round rule applied to a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settled {
    /// (largest - smallest) / mean of the rounds.
    pub range: f64,
    /// Least-squares slope per round times four, over the mean: the change across the window.
    pub slope: f64,
    /// Both within their limits.
    pub steady: bool,
}

/// The rule of the SNIA performance test specification on five rounds: range at most 20 % and slope
/// across the window at most 10 % of the mean.
pub fn check_five_rounds(rounds: [f64; 5]) -> Settled {
    let mean = rounds.iter().sum::<f64>() / 5.0;
    if mean <= 0.0 {
        return Settled { range: 0.0, slope: 0.0, steady: false };
    }
    let (smallest, largest) = range_of(rounds.iter().copied());
    let slope: f64 = rounds.iter().zip(-2..=2).map(|(y, x)| f64::from(x) * y).sum::<f64>() / 10.0;
    let (range, slope) = ((largest - smallest) / mean, 4.0 * slope / mean);
    Settled { range, slope, steady: range <= RANGE_MAX && slope.abs() <= SLOPE_MAX }
}

/// Cuts a series into five equal rounds and applies the rule; `None` below ten values.
pub fn check_settled(series: &[f64]) -> Option<Settled> {
    let length = series.len() / 5;
    if length < 2 {
        return None;
    }
    let mut rounds = [0.0; 5];
    // What does not divide by five is left out at the start, where warm-up would be.
    let tail = &series[series.len() - 5 * length..];
    for (round, values) in rounds.iter_mut().zip(tail.chunks(length)) {
        *round = mean(values);
    }
    Some(check_five_rounds(rounds))
}

/// A straight line through a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trend {
    /// Change from first to last value, as a fraction of the mean.
    pub change: f64,
    /// Probability of a slope this steep without any trend, given the residuals' correlation.
    pub p_value: f64,
}

/// The linear trend of a series; `None` below ten values or for a mean of zero.
pub fn fit_trend(series: &[f64]) -> Option<Trend> {
    let n = series.len() as f64;
    let mean = mean(series);
    if series.len() < 10 || mean <= 0.0 {
        return None;
    }
    let centre = (n - 1.0) / 2.0;
    let at = |i: usize| i as f64 - centre;
    let spread: f64 = (0..series.len()).map(|i| at(i) * at(i)).sum();
    let slope = series.iter().enumerate().map(|(i, y)| at(i) * y).sum::<f64>() / spread;
    let residuals: Vec<f64> =
        series.iter().enumerate().map(|(i, y)| y - mean - slope * at(i)).collect();
    let worth = effective_samples(&residuals);
    let change = slope * (n - 1.0) / mean;
    if worth < 5.0 {
        return Some(Trend { change, p_value: 1.0 });
    }
    let variance = residuals.iter().map(|r| r * r).sum::<f64>() / (n - 2.0) * n / worth;
    let t = if variance > 0.0 { slope / (variance / spread).sqrt() } else { f64::INFINITY };
    let p_value = if slope == 0.0 { 1.0 } else { two_sided_p(t.abs(), worth - 2.0) };
    Some(Trend { change, p_value })
}

/// A series that changes its level once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shift {
    /// Number of values before the change.
    pub at: usize,
    /// Level after it minus level before it, as a fraction of the mean.
    pub change: f64,
    /// Probability of a change this large at any place, given the residuals' correlation.
    pub p_value: f64,
}

/// Independent places that the search for a shift tries in effect (Bonferroni).
const SHIFT_PLACES: f64 = 10.0;

/// The one change of level that explains a series best, with a fifth of it at least on either
/// side; `None` below ten values or for a mean of zero.
pub fn find_shift(series: &[f64]) -> Option<Shift> {
    let count = series.len();
    if count < 10 || mean(series) <= 0.0 {
        return None;
    }
    let least = count.div_ceil(5);
    // The largest sum of squares between the two levels leaves the smallest within them.
    let between = |at: usize| {
        let (before, after) = series.split_at(at);
        let difference = mean(after) - mean(before);
        difference * difference * at as f64 * (count - at) as f64
    };
    let at = (least..=count - least).max_by(|a, b| between(*a).total_cmp(&between(*b)))?;
    let (before, after) = series.split_at(at);
    let levels = (mean(before), mean(after));
    let residuals: Vec<f64> =
        before.iter().map(|x| x - levels.0).chain(after.iter().map(|x| x - levels.1)).collect();
    let change = (levels.1 - levels.0) / mean(series);
    let worth = effective_samples(&residuals);
    if worth < 5.0 {
        return Some(Shift { at, change, p_value: 1.0 });
    }
    let n = count as f64;
    let variance = residuals.iter().map(|r| r * r).sum::<f64>() / (n - 2.0);
    // Each side is worth its share of the effective samples.
    let share = at as f64 / n;
    let error = (variance / worth * (1.0 / share + 1.0 / (1.0 - share))).sqrt();
    let t = (levels.1 - levels.0).abs() / error;
    let p_value = if levels.0 == levels.1 { 1.0 } else { two_sided_p(t, worth - 2.0) };
    Some(Shift { at, change, p_value: (p_value * SHIFT_PLACES).min(1.0) })
}

/// The probability of a Student's t at least as far from 0.
fn two_sided_p(t: f64, freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom).map_or(1.0, |d| 2.0 * (1.0 - d.cdf(t)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::tests::Normal;

    #[test]
    fn the_rule_on_rounds() {
        let check =
            |rounds, steady| assert_eq!(check_five_rounds(rounds).steady, steady, "{rounds:?}");
        check([100.0; 5], true);
        check([100.0, 105.0, 95.0, 102.0, 99.0], true);
        check([100.0, 100.0, 100.0, 100.0, 125.0], false); // range
        check([100.0, 97.0, 94.0, 91.0, 88.0], false); // slope 13 %
        check([0.0; 5], false);
    }

    #[test]
    fn series_are_cut_into_rounds() {
        assert_eq!(check_settled(&[1.0; 9]), None);
        assert!(check_settled(&[7.0; 23]).unwrap().steady);
        let falling: Vec<f64> = (0..100).map(|i| 200.0 - f64::from(i)).collect();
        assert!(!check_settled(&falling).unwrap().steady);
    }

    #[test]
    fn trends_are_told_from_noise() {
        let mut normal = Normal(11);
        let false_alarms =
            (0..200).filter(|_| fit_trend(&normal.ar1(100, 0.3)).unwrap().p_value < 0.01).count();
        assert!(false_alarms <= 8, "{false_alarms} of 200 at 1 %");
        let found = (0..100)
            .filter(|_| {
                let mut series = normal.ar1(100, 0.3);
                series.iter_mut().enumerate().for_each(|(i, y)| *y -= 0.05 * i as f64);
                fit_trend(&series).unwrap().p_value < 0.01
            })
            .count();
        assert!(found >= 95, "{found} of 100");
        assert_eq!(fit_trend(&[5.0; 20]).unwrap().p_value, 1.0);
    }

    #[test]
    fn shifts_are_told_from_noise() {
        let mut normal = Normal(13);
        let false_alarms =
            (0..200).filter(|_| find_shift(&normal.ar1(60, 0.3)).unwrap().p_value < 0.01).count();
        assert!(false_alarms <= 6, "{false_alarms} of 200 at 1 %");
        let mut places = Vec::new();
        for _ in 0..100 {
            let mut series = normal.ar1(60, 0.3);
            series[36..].iter_mut().for_each(|y| *y -= 4.0);
            let shift = find_shift(&series).unwrap();
            if shift.p_value < 0.01 && shift.at.abs_diff(36) <= 3 {
                places.push(shift.at);
            }
        }
        assert!(places.len() >= 95, "{} of 100", places.len());
        assert_eq!(find_shift(&[5.0; 20]).unwrap().p_value, 1.0);
        assert_eq!(find_shift(&[5.0; 9]), None);
    }
}
