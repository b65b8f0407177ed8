//! A level that falls once and stays down: where, and whether it is no luck.
//!
//! The rule of ShaperProbe (Kanuparthy and Dovrolis, "ShaperProbe: End-to-end Detection of ISP
//! Traffic Shaping using Active Methods", IMC 2011): what comes before the place ranks above what
//! comes after it, a few outliers aside, both sides last, and the medians are apart. Two rules more
//! keep drift and wandering from being taken for the end of a burst: neither side goes anywhere by
//! itself, and the step is more than what correlated noise wanders.

use crate::batch::mean_of_series;
use crate::estimate::Estimate;
use crate::series::{effective_samples, quantile_of};

/// Least fall: the median before over the median after. Disks vary by more than ShaperProbe's 1.1,
/// and the smallest burst sold is 1.5 times the baseline (DigitalOcean 7,500 for 5,000; Vultr "up
/// to 50 %").
const FALL_MIN: f64 = 1.25;
/// Share of either side that may lie on the wrong side of the threshold: outliers, stalls.
const OUTLIER_SHARE_MAX: f64 = 0.05;
/// One outlier is always accepted from this many values on.
const OUTLIER_SAMPLE_MIN: f64 = 10.0;
/// With steps of a second or more, this share of the values beyond `PAUSE_FREE_VALUES` may be low
/// before the fall: pauses of the host, which only lower a rate.
const PAUSE_SHARE_MAX: f64 = 0.25;
const PAUSE_FREE_VALUES: f64 = 5.0;
/// Seconds; shorter steps hold too few of a throttle's slices to tell a pause from one.
const WHOLE_STEP_S: f64 = 1.0;
/// A side whose thirds differ by more than this share of the step drifts by itself: those of a
/// straight line differ by two thirds, those of half a slow wave by a third.
const DRIFT_SHARE_MAX: f64 = 0.25;
/// The step in standard errors of the residuals, given their correlation.
const STEP_ERRORS: f64 = 6.0;
/// The spread within a side, from its first quartile to its third, as a share of the step.
const SPREAD_SHARE_MAX: f64 = 0.5;
/// A value is far below the others when it is this many times as far below the median as the upper
/// quartile is above it (Tukey's outer fence, of one half), and by this share of the level at
/// least.
const FENCE: f64 = 7.0;
const FENCE_SHARE_MIN: f64 = 0.05;
/// Turns until the threshold between the levels no longer moves.
const ROUNDS_MAX: usize = 8;

/// A series that falls to another level and stays there.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelFall {
    /// Number of values before the fall.
    pub at: usize,
    pub before: f64,
    pub after: f64,
}

impl LevelFall {
    /// The level before over that after.
    pub fn ratio(&self) -> f64 {
        self.before / self.after
    }
}

/// Where a series falls to another level for good, with at least `sides` values before and after,
/// more than noise or drift would do. Each value stands for `step_s` seconds: of whole ones, more
/// may be pauses.
pub fn find_level_fall(series: &[f64], step_s: f64, sides: (usize, usize)) -> Option<LevelFall> {
    let (least_before, least_after) = (sides.0.max(3), sides.1.max(3));
    if series.len() < least_before + least_after || series.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let at = find_split(series, least_before, least_after)?;
    let (before, after) = series.split_at(at);
    let median = |side: &[f64]| quantile_of(side, 0.5);
    let (high, low) = (median(before)?, median(after)?);
    let step = high - low;
    // Falling silent is a stall or the end, and no level.
    if low <= 0.0 || high < FALL_MIN * low {
        return None;
    }
    let threshold = f64::midpoint(high, low);
    let wrong_before = before.iter().filter(|x| **x <= threshold).count() as f64;
    let wrong_after = after.iter().filter(|x| **x > threshold).count() as f64;
    let (n_before, n_after) = (before.len() as f64, after.len() as f64);
    let pauses =
        if step_s >= WHOLE_STEP_S { PAUSE_SHARE_MAX * (n_before - PAUSE_FREE_VALUES) } else { 0.0 };
    let outliers = |n: f64| {
        let least = if n >= OUTLIER_SAMPLE_MIN { 1.0 } else { 0.0 };
        (OUTLIER_SHARE_MAX * n).max(least)
    };
    let apart = wrong_before <= pauses.max(outliers(n_before)) && wrong_after <= outliers(n_after);
    let still = [before, after].iter().all(|side| thirds_drift(side) <= DRIFT_SHARE_MAX * step)
        && [before, after].iter().all(|side| quartile_spread(side) <= SPREAD_SHARE_MAX * step);
    let fall = LevelFall { at, before: high, after: low };
    (apart && still && step >= STEP_ERRORS * step_error(series, &fall)).then_some(fall)
}

/// The split with the fewest values on the wrong side of the threshold between the medians, found
/// in rounds from both ends.
fn find_split(series: &[f64], least_before: usize, least_after: usize) -> Option<usize> {
    let n = series.len();
    let (mut high, mut low) =
        (quantile_of(&series[..least_before], 0.5)?, quantile_of(&series[n - least_after..], 0.5)?);
    let mut at = None;
    for _ in 0..ROUNDS_MAX {
        let threshold = f64::midpoint(high, low);
        let found = best_split(series, threshold, least_before, least_after)?;
        if at == Some(found) {
            break;
        }
        at = Some(found);
        (high, low) = (quantile_of(&series[..found], 0.5)?, quantile_of(&series[found..], 0.5)?);
    }
    at
}

fn best_split(
    series: &[f64],
    threshold: f64,
    least_before: usize,
    least_after: usize,
) -> Option<usize> {
    // Right values gained by moving the split past each one.
    let mut right: i64 = 0;
    let mut best = None;
    for (i, value) in series.iter().enumerate().take(series.len() - least_after) {
        right += if *value > threshold { 1 } else { -1 };
        let split = i + 1;
        if split >= least_before && best.is_none_or(|(most, _)| right > most) {
            best = Some((right, split));
        }
    }
    best.map(|(_, split)| split)
}

/// The range of the medians of a side's thirds; 0 for a short side.
fn thirds_drift(side: &[f64]) -> f64 {
    if side.len() < 9 {
        return 0.0;
    }
    let (third, rest) = (side.len() / 3, side.len() % 3);
    let medians = [0, third, 2 * third + rest]
        .map(|from| quantile_of(&side[from..from + third], 0.5).unwrap_or(0.0));
    let highest = medians.iter().copied().fold(f64::MIN, f64::max);
    highest - medians.iter().copied().fold(f64::MAX, f64::min)
}

fn quartile_spread(side: &[f64]) -> f64 {
    let quartiles = quantile_of(side, 0.25).zip(quantile_of(side, 0.75));
    quartiles.map_or(0.0, |(low, high)| high - low)
}

/// The standard error of the step, by residuals clipped to the step and their independent number.
fn step_error(series: &[f64], fall: &LevelFall) -> f64 {
    let most = fall.before - fall.after;
    let level = |i: usize| if i < fall.at { fall.before } else { fall.after };
    let residuals: Vec<f64> =
        series.iter().enumerate().map(|(i, x)| (x - level(i)).clamp(-most, most)).collect();
    let n = residuals.len() as f64;
    let variance = residuals.iter().map(|r| r * r).sum::<f64>() / (n - 2.0).max(1.0);
    let share = fall.at as f64 / n;
    let worth = effective_samples(&residuals).max(1.0);
    // An efficiency of the median of 0.64 for normal noise.
    (variance / worth / 0.64 * (1.0 / share + 1.0 / (1.0 - share))).sqrt()
}

/// A token bucket as a saturating load shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenBucketFit {
    /// Seconds from the start of the series to the fall.
    pub after_s: f64,
    /// Per second while it lasts.
    pub burst: Estimate,
    /// Per second from then on.
    pub baseline: Estimate,
    /// What was served before the fall beyond the baseline: a lower bound of what fits into it.
    pub size: Estimate,
}

/// The token bucket behind a series of rates per second, one for every `step_s` seconds, of a load
/// that always takes what it gets. `None` where the series does not fall for good.
///
/// The size is `sum of (rate - baseline) * step` up to and with the step in which it ran out (the
/// law of the token bucket). Its interval is that of the baseline, and half a step of burst for the
/// place.
pub fn fit_token_bucket(
    series: &[f64],
    step_s: f64,
    sides: (usize, usize),
) -> Option<TokenBucketFit> {
    let fall = find_level_fall(series, step_s, sides)?;
    let (before, after) = series.split_at(fall.at);
    // The step in which it ran out is on neither side quite; what is further off than half of the
    // fall is a stall. Of whole seconds, what is far below most of them is a pause.
    let apart = (fall.before - fall.after) / 2.0;
    let usual = |side: &[f64], level: f64| -> Vec<f64> {
        let lowest = quantile_of(side, 0.75)
            .filter(|_| step_s >= WHOLE_STEP_S)
            .map_or(0.0, |high| level - (FENCE * (high - level)).max(FENCE_SHARE_MIN * level));
        // The one after a pause has what was saved in it.
        let paused = |i: usize| side.get(i).is_some_and(|rate| *rate < lowest);
        let told = |i: &usize| !paused(*i) && !i.checked_sub(1).is_some_and(paused);
        let is_usual = |rate: &f64| (rate - level).abs() < apart;
        (0..side.len()).filter(told).map(|i| side[i]).filter(is_usual).collect()
    };
    let burst = mean_of_series(&usual(before, fall.before));
    let baseline = mean_of_series(&usual(after.get(1..)?, fall.after));
    let through = &series[..(fall.at + 1).min(series.len())];
    let value = through.iter().map(|rate| rate - baseline.value).sum::<f64>() * step_s;
    let seconds = fall.at as f64 * step_s;
    let size = match baseline.interval() {
        Some((low, high)) => {
            let place = (fall.before - fall.after) * step_s / 2.0;
            let half = (high - low) / 2.0 * seconds + place;
            let method = "served before the fall beyond the baseline";
            let ends = ((value - half).max(0.0), value + half);
            Estimate::with_interval(value, ends, series.len() as u64, method)
        }
        None => Estimate::without_interval(value, series.len() as u64, baseline.method.clone()),
    };
    Some(TokenBucketFit { after_s: seconds, burst, baseline, size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::tests::Normal;

    /// Rates of each second of a bucket that is full at the start, with relative noise.
    fn trace(burst: f64, base: f64, size: f64, seconds: usize, noise: f64, seed: u64) -> Vec<f64> {
        let mut normal = Normal(seed);
        let mut credits = size;
        (0..seconds)
            .map(|_| {
                let wanted = burst * (1.0 + noise * normal.draw());
                // Noise of the disk while it bursts; of the clock while the bucket paces it.
                let most = credits + base * (1.0 + noise * normal.draw());
                let got = wanted.min(most);
                credits = (credits + base - got).min(size);
                got
            })
            .collect()
    }

    #[test]
    fn buckets_that_are_sold_are_recovered() {
        let check = |burst: f64, base: f64, size: f64, seconds: usize| {
            for (noise, most) in [(0.0, 0.01), (0.02, 0.05), (0.05, 0.05)] {
                for seed in 0..20 {
                    let series = trace(burst, base, size, seconds, noise, seed);
                    let fit = fit_token_bucket(&series, 1.0, (5, 10)).expect("a fall");
                    let near = |got: f64, truth: f64| (got / truth - 1.0).abs() < most;
                    let all = near(fit.burst.value, burst)
                        && near(fit.baseline.value, base)
                        && near(fit.size.value, size);
                    assert!(all, "{burst} {base} {size}, noise {noise}: {fit:#?}");
                }
            }
        };
        check(7500.0, 5000.0, 150e3, 180); // DigitalOcean, Basic: 60 s
        check(10_000.0, 7500.0, 150e3, 180); // Optimized
        check(15_000.0, 10_000.0, 300e3, 180); // Vultr: 60 s
        check(3000.0, 300.0, 5.4e6, 2200); // gp2 of 100 GiB: 2000 s
        check(3000.0, 100.0, 5.4e6, 2000); // gp2 of 33 GiB
        check(3500.0, 120.0, 6.084e6, 2000); // Azure premium P4: 1800 s
    }

    #[test]
    fn the_interval_holds_the_size() {
        let held = (0..200)
            .filter(|seed| {
                let series = trace(7500.0, 5000.0, 150e3, 200, 0.02, *seed);
                let fit = fit_token_bucket(&series, 1.0, (5, 10)).unwrap();
                let (low, high) = fit.size.interval().unwrap();
                (low..=high).contains(&150e3)
            })
            .count();
        assert!(held >= 180, "{held} of 200");
    }

    #[test]
    fn too_short_to_see_the_end_is_no_fall() {
        for seed in 0..50 {
            // 120 seconds of a burst that lasts 2000.
            let series = trace(3000.0, 300.0, 5.4e6, 120, 0.05, seed);
            assert_eq!(find_level_fall(&series, 1.0, (5, 10)), None);
        }
        assert_eq!(find_level_fall(&[], 1.0, (5, 10)), None);
        assert_eq!(find_level_fall(&[f64::NAN; 40], 1.0, (5, 10)), None);
        assert_eq!(find_level_fall(&[5.0; 40], 1.0, (5, 10)), None);
    }

    /// A trace of a disk without a bucket: noise that remembers, drift, stalls, waves, dips.
    fn plain(seed: u64, n: usize) -> Vec<f64> {
        let mut normal = Normal(seed * 7919 + 1);
        let phi = [0.0, 0.3, 0.6, 0.9][(seed % 4) as usize];
        let sd = [0.02, 0.05, 0.10][(seed % 3) as usize];
        let mut x = 0.0;
        let mut series: Vec<f64> = (0..n)
            .map(|_| {
                x = phi * x + (1.0 - f64::powi(phi, 2)).sqrt() * normal.draw();
                1000.0 * (1.0 + sd * x).max(0.01)
            })
            .collect();
        let place = |normal: &mut Normal| (normal.uniform() * n as f64) as usize;
        match seed % 8 {
            1 => series.iter_mut().enumerate().for_each(|(i, y)| {
                *y *= 1.0 - 0.5 * i as f64 / n as f64; // drift to half
            }),
            2 => series.iter_mut().enumerate().for_each(|(i, y)| {
                *y *= 0.6 + 0.4 * (-6.0 * i as f64 / n as f64).exp(); // decay to a floor
            }),
            3 => (0..3).for_each(|_| {
                let from = place(&mut normal);
                let until = (from + n / 40).min(n);
                series[from..until].iter_mut().for_each(|y| *y = 0.0); // stalls
            }),
            4 => series.iter_mut().enumerate().for_each(|(i, y)| {
                *y *= 1.0 + 0.3 * (i as f64 / 7.0).sin(); // waves
            }),
            5 => {
                let from = place(&mut normal);
                let until = (from + n / 5).min(n * 9 / 10);
                // another user, for a while.
                if from < until {
                    series[from..until].iter_mut().for_each(|y| *y *= 0.5);
                }
            }
            6 => {
                // A stall at the very end.
                let from = n - n / 10;
                series[from..].iter_mut().for_each(|y| *y = 0.0);
            }
            7 => series.iter_mut().enumerate().for_each(|(i, y)| {
                *y *= 1.0 + 0.5 * i as f64 / n as f64; // it rises
            }),
            _ => {}
        }
        series
    }

    #[test]
    fn disks_without_a_bucket_raise_less_than_one_alarm_in_two_hundred() {
        for n in [40, 120, 600] {
            let alarms =
                (0..1000).filter(|s| find_level_fall(&plain(*s, n), 1.0, (5, 10)).is_some());
            let alarms: Vec<u64> = alarms.collect();
            assert!(alarms.len() < 5, "{n} values: {alarms:?}");
        }
    }

    #[test]
    fn short_series_raise_as_few() {
        let soak = [(60, 1.0, (3, 10)), (600, 1.0, (3, 10)), (60, 1.0, (4, 8))];
        for (n, step_s, sides) in [(20, 0.1, (4, 5)), (30, 0.1, (4, 5))].into_iter().chain(soak) {
            for share in [0.0, 0.2] {
                let alarms = (0..4000).filter(|seed| {
                    let mut series = plain(*seed, n);
                    paused(&mut series, share, *seed);
                    find_level_fall(&series, step_s, sides).is_some()
                });
                let alarms = alarms.count();
                assert!(alarms < 20, "{n} values, {share} paused: {alarms} of 4000");
            }
        }
    }

    #[test]
    fn stalls_and_outliers_do_not_hide_a_fall() {
        for seed in 0..50 {
            let mut series = trace(7500.0, 5000.0, 150e3, 180, 0.02, seed);
            series[20] = 0.0;
            series[130] = 0.0;
            series[150] = 9000.0;
            let fall = find_level_fall(&series, 1.0, (5, 10)).expect("a fall");
            assert!(fall.at.abs_diff(60) <= 1, "{fall:?}");
        }
    }

    #[test]
    fn one_pause_does_not_hide_a_fall_in_a_short_series() {
        // Of a simulated SSD that begins to collect garbage, on a host that paused in the tenth.
        let mut series = [
            3190.0, 3350.0, 3130.0, 3370.0, 3340.0, 3360.0, 3490.0, 3410.0, 3180.0, 2360.0, 3240.0,
            3390.0, 3450.0, 3300.0, 3350.0, 3310.0, 2270.0, 1580.0, 1560.0, 1570.0, 1630.0, 1590.0,
            1600.0, 1630.0, 1620.0, 1630.0, 1620.0, 1630.0, 1620.0, 1650.0,
        ];
        assert_eq!(find_level_fall(&series, 0.1, (4, 5)).map(|fall| fall.at), Some(16));
        series[4] = 2000.0;
        assert_eq!(find_level_fall(&series, 0.1, (4, 5)), None, "two are no chance any more");
    }

    /// Some seconds lose a part of their time to other users of the processors.
    fn paused(series: &mut [f64], share: f64, seed: u64) {
        let mut normal = Normal(seed + 31);
        for rate in series {
            if normal.uniform() < share {
                *rate *= 1.0 - normal.uniform();
            }
        }
    }

    #[test]
    fn a_host_that_pauses_does_not_hide_a_fall() {
        let check = |burst: f64, base: f64, size: f64, share: f64, found_of_100: usize| {
            let found: Vec<TokenBucketFit> = (0..100)
                .filter_map(|seed| {
                    let mut series = trace(burst, base, size, 120, 0.01, seed);
                    paused(&mut series, share, seed);
                    fit_token_bucket(&series, 1.0, (3, 10))
                })
                .collect();
            let near = |got: f64, truth: f64| (got / truth - 1.0).abs() < 0.02;
            let right = found
                .iter()
                .filter(|fit| near(fit.burst.value, burst) && near(fit.baseline.value, base));
            let right = right.count();
            assert!(found.len() >= found_of_100, "{burst} {base}, {share}: {}", found.len());
            assert!(right * 100 >= found.len() * 98, "{burst} {base}, {share}: {right}");
        };
        for (share, least) in [(0.0, 100), (0.1, 97), (0.2, 88)] {
            check(4000.0, 1000.0, 75_000.0, share, least);
            check(7500.0, 5000.0, 150_000.0, share, least);
        }
    }

    #[test]
    fn what_was_saved_in_a_pause_is_no_part_of_a_rate() {
        // Twice a pause reaches the end of a second, and the next has what was saved.
        let mut series = vec![4000.0; 25];
        series.extend([1000.0; 30]);
        for pause in [30, 44] {
            (series[pause], series[pause + 1]) = (500.0, 1500.0);
        }
        let fit = fit_token_bucket(&series, 1.0, (3, 10)).expect("a fall");
        assert_eq!((fit.burst.value, fit.baseline.value), (4000.0, 1000.0));
        assert_eq!(fit.size.value, 25.0 * 3000.0);
    }

    #[test]
    fn what_comes_back_was_no_fall() {
        let mut series = trace(7500.0, 5000.0, 150e3, 120, 0.02, 1);
        series.extend(trace(7500.0, 5000.0, 1e9, 60, 0.02, 2));
        assert_eq!(find_level_fall(&series, 1.0, (5, 10)), None);
    }
}
