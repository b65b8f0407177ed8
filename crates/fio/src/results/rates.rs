//! Rates over a direction's run time.

/// Whole bytes per second; 0 without a run time.
pub(crate) fn bytes_per_second(bytes: u64, runtime_ms: u64) -> u64 {
    let rate = (u128::from(bytes) * 1000).checked_div(u128::from(runtime_ms)).unwrap_or(0);
    u64::try_from(rate).unwrap_or(u64::MAX)
}

/// Operations per second; 0 without a run time.
pub(crate) fn ops_per_second(ops: u64, runtime_ms: u64) -> f64 {
    if runtime_ms == 0 { 0.0 } else { ops as f64 * 1000.0 / runtime_ms as f64 }
}
