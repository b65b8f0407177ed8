//! Sealed blocks: what fio's `verify` options can ask of a written block, and its check.
//!
//! A block is cut into intervals (one, unless `verify_interval` says otherwise). Each interval
//! carries a header (see [`header`] for its bytes) and a body: noise that follows from (seed,
//! offset, sequence), or a pattern. So an interval proves by itself what it is, and the expected
//! bytes can be made again. `seal` and `check` neither allocate nor lock; the method is chosen
//! once per block.
//!
//! Two methods have no header: [`Method::Pattern`], whose bytes are those that fio writes, and
//! [`Method::Null`].

mod body;
mod checksum;
mod defect;
mod header;
mod pattern;
mod plan;
mod sealing;

pub use defect::{BlockDefect, DefectKind, ShortBytes};
pub(crate) use pattern::{PatternPiece, PatternPlan};
pub(crate) use plan::{SealPlan, SealSettings, Stamp};

#[cfg(test)]
mod golden_tests;
#[cfg(test)]
mod tests;
