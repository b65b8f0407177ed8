//! What was measured: the record's schema, and its files.
//!
//! A [`Record`] is one JSON document per run: everything that was measured, the environment it
//! was measured in, and the judgement that was made of it. Analyses and reports are functions of
//! it, so an old run can be judged again by a better analysis. It is also the only place for
//! types that are stored: no other crate defines what stands on disk.
//!
//! Invariants
//! - [`SCHEMA_VERSION`] rises with every change that an older reader would misread; a record of
//!   a newer schema is refused, not half understood.
//! - What could not be observed is `None` (absent in JSON), never zero.
//! - Latencies are integer nanoseconds, sizes integer bytes, rates per second.
//! - No command line that is stored holds a secret: [`CommandLine`] redacts whatever it is made of.
//! - This crate measures nothing and judges nothing.
//!
//! Start reading at [`Record`], then [`Cell`]; [`store`] has the files.
#![forbid(unsafe_code)]

mod absent;
mod anonymous;
mod cell;
pub mod compare;
mod curve;
mod environment;
mod finding;
#[cfg(feature = "fixture")]
pub mod fixture;
mod fleet;
mod health;
mod inventory;
mod latency;
mod ledger;
mod metadata;
mod named;
mod outliers;
mod percentile_map;
mod ping;
mod plan;
mod preset;
pub mod profile;
mod promise;
pub mod reasons;
mod replay;
mod run;
mod run_id;
mod secret;
pub mod store;
mod summary;
mod surface;
mod target;
mod tool;
mod trace;
mod trial;
mod upgrade;
mod verdict;
mod volume;
mod watch;
mod waves;
mod write_state;

pub use anonymous::*;
pub use cell::*;
pub use curve::*;
pub use environment::*;
pub use finding::*;
pub use fleet::*;
pub use health::*;
pub use inventory::*;
pub use latency::*;
pub use ledger::*;
pub use metadata::*;
pub use outliers::*;
pub use percentile_map::*;
pub use ping::*;
pub use plan::*;
pub use preset::*;
pub use promise::*;
pub use replay::*;
pub use run::*;
pub use run_id::*;
pub use secret::*;
pub use summary::*;
pub use surface::*;
pub use target::*;
pub use tool::*;
pub use trace::*;
pub use trial::*;
pub use verdict::*;
pub use volume::*;
pub use watch::*;
pub use waves::*;
pub use write_state::*;
