//! Calm rates: only a throttle, which counts operations, varies less than independent operations
//! do. And rates that come in slices.

use record::Cell;
use units::Ratio;

use crate::cells::tick_rates;

/// A throttle that serves in slices is wild within a tenth of a second and calm over this.
pub(crate) const WINDOW_NS: u64 = 500_000_000;
const WINDOWS_MIN: usize = 4;
/// Share of the windows that must be calm: a throttle that lacked processor time catches up.
const CALM_QUANTILE: f64 = 0.75;
/// Variation between windows of a calm rate (methodology of throttles: 2 % over seconds).
pub(crate) const CALM_MAX: f64 = 0.02;
/// Maximum share of the variation by chance.
const CHANCE_SHARE_MAX: f64 = 0.5;

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

/// The share of the time in which nothing completes, where a throttle lets operations through in
/// slices.
pub(crate) fn sliced_share(cells: &[&Cell]) -> Option<Ratio> {
    let ticks: Vec<f64> = cells.iter().flat_map(|cell| tick_rates(cell)).collect();
    let empty = ticks.iter().filter(|rate| **rate == 0.0).count() as f64;
    let share = empty / ticks.len().max(1) as f64;
    // The share that is empty by chance where operations are rare.
    let tick_s = cells.first()?.ticks.tick.as_secs_f64();
    let per_tick = ticks.iter().sum::<f64>() / ticks.len().max(1) as f64 * tick_s;
    let is_sliced = share >= SLICED_SHARE_MIN && share >= SLICED_RATIO_MIN * (-per_tick).exp();
    is_sliced.then_some(Ratio(share))
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
