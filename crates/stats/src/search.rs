//! The deepest queue, and so the most IOPS, that keeps a latency statistic within a bound. This
//! module decides, and nothing else: it says which load level to probe next
//! ([`Search::next_step`]), takes what the probe measured ([`Search::add_probe`]), and ends with
//! one [`Answer`] per bound. The same answers give the same questions.
//!
//! It is no bisection: what disturbs a device usually disturbs a whole probe, and one unlucky probe
//! would send a bisection to the wrong half for good. Here each probe is one observation near the
//! crossing, of which a robust line gives the crossing and its uncertainty. A later bound starts
//! from all that the earlier ones measured. Start reading at [`Search`].

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
