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
mod falls;
mod few;
mod histogram;
mod isotonic;
mod knee;
mod level;
mod nonnegative;
mod percentile;
mod proportion;
mod queueing;
pub mod search;
mod series;
mod settle;
mod signs;
mod simplex;
mod slope;
mod stall;
mod travel;
mod two_limits;
mod two_samples;
mod usl;

pub use batch::{mean_of_series, ratio_of_series};
pub use change::{Level, SIDE_MIN, levels, needed};
pub use estimate::Estimate;
pub use falls::{Fall, RatePoint, falls};
pub use few::{mean_of_few, median_of_few, ratio_of_few};
pub use histogram::{LatencyHistogram, SparseHistogram, SparseHistogramError};
pub use isotonic::{Monotone, Point, isotonic, monotone};
pub use knee::{asymptotic_knee, kneedle};
pub use level::{BucketFit, LevelFall, bucket_fit, level_fall};
pub use percentile::{
    minimum_samples, percentile_block_estimate, percentile_estimate, percentile_estimates,
    percentile_supported,
};
pub use proportion::{Decision, decide_proportion};
pub use queueing::{erlang_c, md1_mean, mm1, mmc_mean};
pub use series::{effective_samples, quantile_of};
pub use settle::{Settled, Shift, Trend, five_rounds, settled, shift, trend};
pub use signs::sign_test;
pub use slope::{Bend, Slope, off, slope};
pub use stall::{Gaps, gaps, longest_zero_run};
pub use travel::{Stretch, Travel, travel};
pub use two_limits::{Limits, TwoLimits, two_limits};
pub use two_samples::{difference, holm, least_runs, order_test, runs_for, spread};
pub use usl::{Usl, usl};
