//! Sealed blocks: what fio's `verify` options can ask of a written block, and its check.
//!
//! A block is cut into intervals (one, unless `verify_interval` says otherwise), each with a header
//! (see [`header`]) and a body: noise that follows from (seed, offset, sequence), or a pattern. So
//! an interval proves what it is, and its bytes can be made again. `seal` and `check` neither
//! allocate nor lock. [`Method::Pattern`] and [`Method::Null`] have no header. Data of fio, and for
//! it, has the layout of [`fio_layout`].

mod body;
mod checksum;
mod defect;
mod fio_checksum;
mod fio_layout;
mod header;
mod pattern;
mod plan;
mod sealing;

pub use defect::{BlockDefect, DefectKind, ShortBytes};
pub(crate) use fio_layout::{header_of as fio_header, method_number, sums as fio_sums};
pub(crate) use pattern::{PatternPiece, PatternPlan};
pub(crate) use plan::{SealPlan, SealSettings, Stamp};

#[cfg(test)]
mod golden_tests;
#[cfg(test)]
mod tests;
