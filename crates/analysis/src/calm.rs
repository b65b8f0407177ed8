//! Calm rates: only a throttle, which counts operations, varies less than independent operations
//! do.

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

/// Three windows in four deviate by at most this; `None` with too few of them.
pub(crate) fn typical_deviation(deviations: &[f64]) -> Option<f64> {
    let enough = deviations.len() >= WINDOWS_MIN;
    enough.then(|| stats::quantile_of(deviations, CALM_QUANTILE)).flatten()
}
