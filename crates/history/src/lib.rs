//! The history: every run that was measured, kept, found again, handed on.
//!
//! SQLite with compressed records beside it for one host, PostgreSQL for a team, with the same
//! statements over a small trait.
//!
//! What it deliberately does not do: judge a record, draw anything, decide what is a regression.
//!
//! Invariants
//! - A run is there as a whole or not at all: the record is safe before its row is written, and
//!   row and figures are one transaction.
//! - Records are stored as they were measured; what stands in the rows can be made again from
//!   them.
//! - Nothing is deleted but by [`History::delete`].
//! - A history of a newer truedisk is refused, not half understood.
//!
//! Start reading at [`History`], then `schema`.
#![forbid(unsafe_code)]

mod database;
mod error;
pub mod export;
mod files;
mod history;
pub mod import;
mod postgres;
mod rows;
mod schema;
mod sqlite;
mod suggestions;

pub use error::{DatabaseFailure, HistoryError};
pub use files::HistoryLocation;
pub use history::{Filter, History, ImportOutcome, SeriesPoint};
