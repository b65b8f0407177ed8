//! The deepest queue, and so the most IOPS, that keeps a latency statistic within a bound.
//!
//! This module decides, and nothing else: it has no device, no clock and no randomness. It says
//! which load level to probe next ([`Search::next_step`]), takes what the probe measured
//! ([`Search::add_probe`]), and ends with one [`Answer`] per bound. The same answers give the same
//! questions.
//!
//! Why it is not a bisection: what disturbs a device usually disturbs a whole probe, so the
//! percentile of one probe is wrong by far more than its own standard error says. One unlucky
//! probe sends a bisection to the wrong half for good. Here each probe is one observation among
//! all others near the crossing, of which a robust line gives the crossing and its uncertainty.
//!
//! Invariants
//! - Every probed level is on the [`Grid`].
//! - At most [`SearchLimits::probes_max`] probes serve one bound.
//! - Everything but the level being confirmed follows from the probes alone, so a later bound
//!   starts from all that the earlier ones measured.
//!
//! Start reading at [`Search`].

mod driver;
mod evidence;
mod fit;
mod grid;
mod probe;
mod throughput;

pub use driver::Search;
pub use grid::Grid;
pub use probe::{
    Answer, NextStep, ProbePurpose, ProbeResult, SearchEnd, SearchLimits, TriedLevel, UnsureReason,
    Verdict,
};
