//! Mathematics: histograms, estimates with intervals, trends, proportions.
//!
//! This crate knows nothing of disks: it is given numbers and answers with numbers, and every
//! answer that could be luck comes with its interval, its sample size and the method behind it.
//!
//! Invariants
//! - No percentile is given for a sample that cannot support it ([`percentile_supported`]).
//! - Nothing here is random from run to run: resampling is seeded, so the same input gives the
//!   same answer on every machine.
//! - Merging histograms is exact: merged buckets equal the buckets of the concatenated samples.
//!
//! Start reading at [`LatencyHistogram`], then [`Estimate`].
#![forbid(unsafe_code)]

mod batch;
mod bootstrap;
mod change;
mod estimate;
mod histogram;
mod isotonic;
mod knee;
mod level_fall;
mod no_interval;
mod nonnegative;
mod outliers;
mod percentile;
mod proportion;
#[cfg(test)]
mod queueing_tests;
mod rate_fall;
pub mod search;
mod seek_fit;
mod series;
mod sign_test;
mod simplex;
mod slope;
mod small_samples;
mod sparse_sum;
mod steadiness;
mod two_limits;
mod two_samples;
mod usl;

pub use batch::{mean_of_series, ratio_of_series};
pub use change::{Level, SIDE_MIN, find_levels, values_needed};
pub use estimate::Estimate;
pub use histogram::{LatencyHistogram, SparseHistogram, SparseHistogramError};
pub use isotonic::{Monotone, Point, check_monotone, fit_isotonic};
pub use knee::{asymptotic_knee, kneedle};
pub use level_fall::{LevelFall, TokenBucketFit, find_level_fall, fit_token_bucket};
pub use outliers::{
    PriorSpread, RobustSpread, adjust_benjamini_hochberg, binomial_tail, combine_simes,
    hypergeometric_tail,
};
pub use percentile::{
    minimum_samples, percentile_estimate, percentile_estimates, percentile_supported,
};
pub use proportion::{Decision, decide_proportion};
pub use rate_fall::{Fall, RatePoint, find_fall};
pub use seek_fit::{SeekFit, SeekSample, fit_seek};
pub use series::{effective_samples, median, quantile_of};
pub use sign_test::sign_test;
pub use slope::{CurveShape, Slope, deviation_sign, fit_slope};
pub use small_samples::{geometric_mean_of_few, median_of_few, upper_prediction_of_few};
pub use sparse_sum::SparseSum;
pub use steadiness::{
    Settled, Shift, Trend, check_five_rounds, check_settled, find_shift, fit_trend,
};
pub use two_limits::{LimitKind, TwoLimits, fit_two_limits};
pub use two_samples::{
    adjust_holm, estimate_difference, mann_whitney_test, min_runs, runs_needed, standard_deviation,
};
pub use usl::{Usl, fit_usl};
