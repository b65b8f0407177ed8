//! What fio's options and switches are called, take and do; and their help.
//!
//! A file per chapter of the reference page has the chapter's typed options and its table of
//! entries; `registry` puts the chapters together.
//!
//! A field is the option of its name; its entry in the table says what it is.

pub mod blocks;
pub mod cmdprio;
pub mod data;
pub mod distribution;
pub mod engine;
pub mod errors;
pub mod fill;
mod foreign;
pub mod goal;
pub mod help;
pub mod job;
pub mod log;
pub mod lookup;
pub mod network;
pub mod parse;
pub mod pattern;
pub mod placement;
pub mod rate;
mod reader;
mod registry;
pub mod replay;
pub mod report;
pub mod resolve;
pub mod run;
pub mod sizes;
pub mod spec;
pub mod switches;
pub mod sync;
pub mod target;
#[cfg(test)]
mod tests;
pub mod values;
pub mod verify;
pub mod zone;
