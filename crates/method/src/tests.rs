//! Whole checks of simulated devices.

mod promised;
pub(crate) mod simulated;
