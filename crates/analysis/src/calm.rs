//! Calm rates: only a throttle, which counts operations, varies less than independent operations
//! do. And rates that come in slices.

use record::Cell;
use units::{Nanos, Ratio};

use crate::cells::{placed_tick_rates, tick_rates};

/// A throttle that serves in slices is wild within a tenth of a second and calm over this.
pub(crate) const WINDOW_NS: u64 = 500_000_000;
const WINDOWS_MIN: usize = 4;
/// Share of the windows that must be calm: a throttle that lacked processor time catches up.
const CALM_QUANTILE: f64 = 0.75;
/// Variation between windows of a calm rate (methodology of throttles: 2 % over seconds).
pub(crate) const CALM_MAX: f64 = 0.02;
/// Maximum share of the variation by chance.
pub(crate) const CHANCE_SHARE_MAX: f64 = 0.5;

/// Probes within this share one ceiling: a device's own most differs more from probe to probe.
pub(crate) const CEILING_WITHIN: Ratio = Ratio(0.005);

/// Variation by chance between windows: one over the root of the number of operations.
pub(crate) fn chance_variation(rate: f64) -> f64 {
    (rate * WINDOW_NS as f64 / 1e9).max(1.0).sqrt().recip()
}

pub(crate) fn is_calm(variation: f64, rate: f64) -> bool {
    variation <= CALM_MAX.min(CHANCE_SHARE_MAX * chance_variation(rate))
}

/// Share of ticks without any operation, from which operations come in slices.
const SLICED_SHARE_MIN: f64 = 0.2;
const SLICED_RATIO_MIN: f64 = 3.0;
/// A throttle serves in slices of this length (blk-throttle's `throtl_slice`).
pub(crate) const SLICE: Nanos = Nanos::millis(100);
/// Ticks of a slice that can show it.
const PLACES: std::ops::RangeInclusive<usize> = 2..=100;
/// Ticks at one place of a slice have at most this share of the operations of those at another...
const RHYTHM_SHARE_MAX: f64 = 0.5;
/// ... and the places differ by this many times what chance allows: one in 10^8 (chi-square over
/// degrees of freedom, of nine).
const RHYTHM_RATIO_MIN: f64 = 6.0;
/// Least correlation of the places in the first half of a cell with those in the second: bursts of
/// another period come at other places.
const RHYTHM_CORRELATION_MIN: f64 = 0.6;

/// The share of the time in which nothing completes, where a throttle lets operations through in
/// slices.
pub(crate) fn sliced_share(cells: &[&Cell]) -> Option<Ratio> {
    let ticks: Vec<f64> = cells.iter().flat_map(|cell| tick_rates(cell)).collect();
    let empty = ticks.iter().filter(|rate| **rate == 0.0).count() as f64;
    let share = empty / ticks.len().max(1) as f64;
    // The share that is empty by chance where operations are rare.
    let tick_s = cells.first()?.ticks.tick.as_secs_f64();
    let per_tick = ticks.iter().sum::<f64>() / ticks.len().max(1) as f64 * tick_s;
    let is_empty_often = share >= SLICED_SHARE_MIN && share >= SLICED_RATIO_MIN * (-per_tick).exp();
    // A deep queue of the device itself fills the time between two slices.
    (is_empty_often || are_in_rhythm(cells)).then_some(Ratio(share))
}

/// Whether most of the cells have the rhythm of a throttle's slices.
pub(crate) fn are_in_rhythm(cells: &[&Cell]) -> bool {
    cells.iter().filter(|cell| has_slice_rhythm(cell)).count() * 2 > cells.len()
}

/// Whether more operations complete at some places of a slice than at others, slice after slice.
/// So does the quota of a process, which is no throttle of a disk.
pub(crate) fn has_slice_rhythm(cell: &Cell) -> bool {
    let places = (SLICE.0 / cell.ticks.tick.0.max(1)) as usize;
    let held_back = cell.ledger.cpu_throttle.as_ref().is_some_and(|held| held.throttled.0 > 0);
    if !PLACES.contains(&places) || held_back {
        return false;
    }
    let tick_s = cell.ticks.tick.as_secs_f64();
    let ticks: Vec<(usize, f64)> = placed_tick_rates(cell)
        .into_iter()
        .map(|(at, rate)| (at % places, rate * tick_s))
        .collect();
    let profile = mean_by_place(&ticks, places);
    let mean = profile.iter().sum::<f64>() / places as f64;
    let turns = ticks.len() as f64 / places as f64;
    let differ = profile.iter().map(|own| (own - mean).powi(2) / mean * turns).sum::<f64>();
    let least = profile.iter().copied().fold(f64::MAX, f64::min);
    let most = profile.iter().copied().fold(0.0, f64::max);
    let (first, second) = ticks.split_at(ticks.len() / 2);
    differ >= RHYTHM_RATIO_MIN * (places - 1) as f64
        && least <= RHYTHM_SHARE_MAX * most
        && correlate(&mean_by_place(first, places), &mean_by_place(second, places))
            >= RHYTHM_CORRELATION_MIN
}

/// Ticks of a cell that are looked through for a period, and the longest period in ticks: what is
/// longer moves the rate of half a second.
const SWING_TICKS: std::ops::RangeInclusive<usize> = 50..=500;
const SWING_PERIOD_MAX: usize = 20;
/// Probability with which independent ticks would have such a period.
const SWING_CHANCE: f64 = 1e-7;

/// Whether the rate of most of the cells goes up and down with one short period. A cap does that
/// whose rate changes; no device does by itself.
pub(crate) fn swing_together(cells: &[&Cell]) -> bool {
    cells.iter().filter(|cell| swings(&tick_rates(cell))).count() * 2 > cells.len()
}

fn swings(rates: &[f64]) -> bool {
    let rates = &rates[..rates.len().min(*SWING_TICKS.end())];
    let n = rates.len();
    if n < *SWING_TICKS.start() {
        return false;
    }
    let mean = rates.iter().sum::<f64>() / n as f64;
    let whole = rates.iter().map(|rate| (rate - mean).powi(2)).sum::<f64>() * n as f64 / 2.0;
    let power = |turns: usize| {
        let angle = std::f64::consts::TAU * turns as f64 / n as f64;
        let wave = |(tick, rate): (usize, &f64)| {
            let (sine, cosine) = (angle * tick as f64).sin_cos();
            ((rate - mean) * sine, (rate - mean) * cosine)
        };
        let sums = rates.iter().enumerate().map(wave);
        let (sine, cosine) = sums.fold((0.0, 0.0), |(s, c), (ds, dc)| (s + ds, c + dc));
        sine * sine + cosine * cosine
    };
    let most = (n.div_ceil(SWING_PERIOD_MAX)..=n / 2).map(power).fold(0.0, f64::max);
    // Fisher's test for periodicity: the share of the variation that the strongest period has.
    let periods = (n / 2) as f64;
    let least = 1.0 - (SWING_CHANCE / periods).powf(1.0 / (periods - 1.0));
    whole > 0.0 && most >= least * whole
}

fn mean_by_place(ticks: &[(usize, f64)], places: usize) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); places];
    for (place, ops) in ticks {
        let (sum, count) = &mut sums[*place];
        (*sum, *count) = (*sum + ops, *count + 1.0);
    }
    sums.into_iter().map(|(sum, count)| sum / f64::max(count, 1.0)).collect()
}

fn correlate(a: &[f64], b: &[f64]) -> f64 {
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len().max(1) as f64;
    let (of_a, of_b) = (mean(a), mean(b));
    let product = |x: &[f64], y: &[f64], of_x: f64, of_y: f64| {
        x.iter().zip(y).map(|(x, y)| (x - of_x) * (y - of_y)).sum::<f64>()
    };
    let spread = (product(a, a, of_a, of_a) * product(b, b, of_b, of_b)).sqrt();
    product(a, b, of_a, of_b) / spread.max(1e-9)
}

/// Whether a throttle lets the operations of these cells through in slices.
pub fn is_sliced(cells: &[&Cell]) -> bool {
    sliced_share(cells).is_some()
}

/// Three windows in four deviate by at most this; `None` with too few of them.
pub(crate) fn typical_deviation(deviations: &[f64]) -> Option<f64> {
    let enough = deviations.len() >= WINDOWS_MIN;
    enough.then(|| stats::quantile_of(deviations, CALM_QUANTILE)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_period_swings_and_chance_a_trend_and_a_step_do_not() {
        let check = |rate: &dyn Fn(f64, f64) -> f64, expected: bool| {
            // Even over 0 to 1 and in no order.
            let by_chance = |tick: usize| (tick as f64 * 0.618_033_988_749_895).fract();
            let noise = |tick: usize| by_chance(tick * tick) - 0.5;
            let rates = Vec::from_iter((0..200).map(|tick| rate(tick as f64, noise(tick))));
            assert_eq!(swings(&rates), expected, "{rates:?}");
        };
        let square = |tick: f64, high: f64, period: f64| f64::from(tick % period < high);
        check(&|tick, noise| 18.0 + 53.0 * square(tick, 3.8, 10.3) + 20.0 * noise, true);
        check(&|tick, noise| 18.0 + 53.0 * square(tick, 2.0, 4.1) + 20.0 * noise, true);
        check(&|_, noise| 50.0 + 20.0 * noise, false);
        check(&|tick, noise| 50.0 + tick / 10.0 + 20.0 * noise, false);
        check(&|tick, noise| 18.0 + 53.0 * square(tick, 90.0, 1e9) + 20.0 * noise, false);
        check(&|_, _| 50.0, false);
    }

    /// Also in the shortest cells, where a fifth of the variation is often that of one period.
    #[test]
    fn independent_ticks_do_not_swing_whatever_their_number() {
        for n in [50, 100, 200, 500] {
            let mut state = 7_u64;
            let mut draw = |_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 40) as f64
            };
            let cell = |_| Vec::from_iter((0..n).map(&mut draw));
            assert!(!(0..500).map(cell).any(|rates| swings(&rates)), "{n} ticks");
        }
    }
}
