//! Places where a series of figures goes to another level, by ranks.
//!
//! The rank sum of the first sample (Mann and Whitney 1947), standardised, is looked at for every
//! place; the largest is held against what a series without any change reaches (Miller and Siegmund
//! 1982, "Maximally selected chi-square statistics", Biometrics 38). Each side of a place found is
//! looked at again (binary segmentation).

use message::Message;

use crate::estimate::Estimate;
use crate::series::quantile_of;

/// Least runs on either side: a level is more than two runs that happened to be alike.
pub const SIDE_MIN: usize = 3;
/// Probability of finding a change where there is none, in one look at a whole series.
const ALPHA: f64 = 0.01;
/// Values of a level, nearest to the change, used to estimate its shift.
const NEAREST_MAX: usize = 200;

/// A stretch of a series at one level.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// Number of its first value.
    pub from: usize,
    /// Number of the first value after it.
    pub to: usize,
    pub median: f64,
    /// This level over the one before it (Hodges and Lehmann 1963, over logarithms); none of the
    /// first.
    pub ratio: Option<Estimate>,
}

/// The levels of a series, in its order. None of an empty series, or one with values not above
/// zero.
pub fn find_levels(series: &[f64]) -> Vec<Level> {
    if series.is_empty() || series.iter().any(|x| !(x.is_finite() && *x > 0.0)) {
        return Vec::new();
    }
    let mut cuts = vec![0, series.len()];
    split_series(series, 0, &mut cuts);
    cuts.sort_unstable();
    let stretches: Vec<(usize, usize)> = cuts.windows(2).map(|pair| (pair[0], pair[1])).collect();
    let level = |(place, &(from, to)): (usize, &(usize, usize))| {
        let before = place.checked_sub(1).map(|before| stretches[before]);
        let ratio = before.map(|(a, b)| level_ratio(&series[a..b], &series[from..to]));
        Level { from, to, median: quantile_of(&series[from..to], 0.5).unwrap_or(f64::NAN), ratio }
    };
    stretches.iter().enumerate().map(level).collect()
}

/// How many values at least must follow `before` others, all of them apart, for the change to be
/// seen; `None` when more than `before` are needed.
pub fn values_needed(before: usize) -> Option<usize> {
    (SIDE_MIN..=before).find(|&after| {
        let series: Vec<f64> = (0..before + after)
            .map(|i| if i < before { 2.0 } else { 1.0 } + i as f64 * 1e-9)
            .collect();
        find_change(&series) == Some(before)
    })
}

fn split_series(series: &[f64], offset: usize, cuts: &mut Vec<usize>) {
    if let Some(at) = find_change(series) {
        cuts.push(offset + at);
        split_series(&series[..at], offset, cuts);
        split_series(&series[at..], offset + at, cuts);
    }
}

/// The number of values before the most certain change.
fn find_change(series: &[f64]) -> Option<usize> {
    let n = series.len();
    if n < 2 * SIDE_MIN {
        return None;
    }
    let (ranks, ties) = rank_series(series);
    let count = n as f64;
    let spread = (count + 1.0 - ties / (count * (count - 1.0))) / 12.0;
    if spread <= 0.0 {
        return None;
    }
    let mut sum = 0.0;
    let mut most = (0.0, 0);
    for (place, rank) in ranks.iter().enumerate().take(n - SIDE_MIN) {
        sum += rank;
        let first = (place + 1) as f64;
        if place + 1 < SIDE_MIN {
            continue;
        }
        let apart = (sum - first * (count + 1.0) / 2.0).abs();
        let z = apart / (first * (count - first) * spread).sqrt();
        if z > most.0 {
            most = (z, place + 1);
        }
    }
    (change_probability(most.0, n) < ALPHA).then_some(most.1)
}

/// The probability that the largest of a series of `n` without a change reaches `z`.
fn change_probability(z: f64, n: usize) -> f64 {
    if z <= 1.0 {
        return 1.0;
    }
    let share = SIDE_MIN as f64 / n as f64;
    let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let places = 2.0 * ((1.0 - share) / share).ln();
    ((z - 1.0 / z) * density * places + 4.0 * density / z).min(1.0)
}

/// Ranks from 1, equal values share their mean; and the sum of `t^3 - t` over groups of equals.
fn rank_series(series: &[f64]) -> (Vec<f64>, f64) {
    let mut order: Vec<usize> = (0..series.len()).collect();
    order.sort_by(|&a, &b| series[a].total_cmp(&series[b]));
    let mut ranks = vec![0.0; series.len()];
    let mut ties = 0.0;
    let mut from = 0;
    while from < order.len() {
        let value = series[order[from]];
        let equal = order[from..].iter().take_while(|&&i| series[i] == value).count();
        let mean = from as f64 + (equal as f64 + 1.0) / 2.0;
        for &i in &order[from..from + equal] {
            ranks[i] = mean;
        }
        let equals = equal as f64;
        ties += equals * equals * equals - equals;
        from += equal;
    }
    (ranks, ties)
}

/// `after` over `before`: the median of the ratios of all pairs, with its 95 % ranks.
fn level_ratio(before: &[f64], after: &[f64]) -> Estimate {
    let before = &before[before.len().saturating_sub(NEAREST_MAX)..];
    let after = &after[..after.len().min(NEAREST_MAX)];
    let mut logs: Vec<f64> =
        after.iter().flat_map(|b| before.iter().map(move |a| b.ln() - a.ln())).collect();
    logs.sort_by(f64::total_cmp);
    let (m, n) = (before.len() as f64, after.len() as f64);
    let half = 1.96 * (m * n * (m + n + 1.0) / 12.0).sqrt();
    // At least the outermost pairs: with three values on a side they are all there is.
    let low = (m * n / 2.0 - half).floor().max(0.0) as usize;
    let value = quantile_of(&logs, 0.5).unwrap_or(f64::NAN).exp();
    let n = (before.len() + after.len()) as u64;
    Estimate {
        low: logs.get(low).map(|x| x.exp()),
        high: logs.get(logs.len() - 1 - low).map(|x| x.exp()),
        ..Estimate::without_interval(
            value,
            n,
            Message::from_text("Hodges-Lehmann over logarithms, 95 %"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::tests::Normal;

    /// Values around 1.
    fn around(normal: &mut Normal, deviation: f64) -> f64 {
        1.0 + deviation * normal.draw()
    }

    fn cuts(series: &[f64]) -> Vec<usize> {
        find_levels(series).iter().skip(1).map(|level| level.from).collect()
    }

    #[test]
    fn a_step_is_found_where_it_is() {
        let mut noise = Normal(7);
        let mut series: Vec<f64> = (0..40).map(|_| 1000.0 * around(&mut noise, 0.01)).collect();
        series.extend((0..20).map(|_| 900.0 * around(&mut noise, 0.01)));
        series.extend((0..30).map(|_| 1200.0 * around(&mut noise, 0.01)));
        assert_eq!(cuts(&series), [40, 60]);
        let levels = find_levels(&series);
        assert!((levels[1].median / 900.0 - 1.0).abs() < 0.01);
        let ratio = levels[2].ratio.clone().unwrap();
        let (low, high) = ratio.interval().unwrap();
        assert!(low < 1.333 && 1.333 < high && high - low < 0.03, "{ratio:?}");
    }

    #[test]
    fn one_wild_run_is_no_level() {
        let mut noise = Normal(3);
        let mut series: Vec<f64> = (0..30).map(|_| 1000.0 * around(&mut noise, 0.01)).collect();
        series[12] = 10.0;
        series[29] = 50.0;
        assert!(cuts(&series).is_empty());
    }

    #[test]
    fn of_series_without_a_change_at_most_one_in_fifty_is_said_to_have_one() {
        // Twice the 1 % that is promised: 400 series have 4 on average, 8 are reached once in 30.
        for length in [8, 12, 20, 50, 200] {
            let found = (0..400)
                .filter(|&seed| {
                    let mut noise = Normal(seed * 1000 + length);
                    let series: Vec<f64> = (0..length).map(|_| around(&mut noise, 0.1)).collect();
                    find_levels(&series).len() > 1
                })
                .count();
            assert!(found <= 8, "{found} of 400 at length {length}");
        }
    }

    #[test]
    fn rounded_and_equal_figures_do_no_harm() {
        assert_eq!(cuts(&[5.0; 40]), [] as [usize; 0]);
        let mut series = vec![5.0; 20];
        series.extend([4.0; 20]);
        assert_eq!(cuts(&series), [20]);
        assert!(find_levels(&[]).is_empty());
        assert!(find_levels(&[1.0, 0.0, 1.0]).is_empty());
        assert!(find_levels(&[1.0, f64::NAN]).is_empty());
        assert_eq!(find_levels(&[3.0]).len(), 1);
    }

    #[test]
    fn how_many_runs_a_change_needs_is_known() {
        assert_eq!(values_needed(3), None);
        let few = values_needed(10).unwrap();
        let many = values_needed(60).unwrap();
        assert!((4..=10).contains(&few) && (3..=few).contains(&many), "{few} {many}");
    }

    #[test]
    fn the_interval_of_a_shift_holds_the_truth() {
        // 500 times a shift of 5 %, 12 and 12 values: the interval is to miss it in 5 %.
        let missed = (0..500)
            .filter(|&seed| {
                let mut noise = Normal(seed + 90_000);
                let a: Vec<f64> = (0..12).map(|_| around(&mut noise, 0.02)).collect();
                let b: Vec<f64> = (0..12).map(|_| 1.05 * around(&mut noise, 0.02)).collect();
                let (low, high) = level_ratio(&a, &b).interval().unwrap();
                !(low..=high).contains(&1.05)
            })
            .count();
        assert!((8..=45).contains(&missed), "{missed} of 500");
    }
}
