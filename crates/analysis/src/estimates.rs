//! Arithmetic on estimates.

use stats::Estimate;

/// The same estimate in another unit.
pub(crate) fn scale(estimate: &Estimate, factor: f64) -> Estimate {
    Estimate {
        value: estimate.value * factor,
        low: estimate.low.map(|low| low * factor),
        high: estimate.high.map(|high| high * factor),
        ..estimate.clone()
    }
}
