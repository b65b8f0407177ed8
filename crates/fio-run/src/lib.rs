//! Runs jobs of fio on the engine.
//!
//! [`run_jobs`] takes typed sections and returns the figures that `fio` prints. `prepare` makes
//! files ready, `scheduler` starts and stops instances, `instance_run` is one instance.
//! [`RemoteJobs`] are jobs sent by another host: validated again, bounded, started on command.
//!
//! It does not read job files, print, or open devices itself.
//!
//! Invariants
//! - A job that reads never changes a file that this program did not make, or that another changed.
//! - All refusals come before the first byte is written.
//! - Only files that this program made, and no other changed, are removed.
//!
//! Start reading at [`run_jobs`], then `scheduler`.
#![forbid(unsafe_code)]

mod commands;
mod control_groups;
mod disks;
mod error;
mod file_layout;
mod file_ops;
mod files;
mod flow;
mod goals;
mod host;
mod host_name;
mod idle;
mod instance_run;
mod judge;
mod log_files;
mod logs;
mod memory;
mod names;
mod network;
mod next_session;
mod observation;
mod opendir;
mod own_files;
mod path_policy;
mod planned_growth;
mod prepare;
mod remote_jobs;
mod remote_result;
mod replay;
mod request;
mod result_files;
mod run;
mod running_totals;
mod scheduler;
mod search;
mod survey;
mod target_paths;
mod verify;

pub use commands::kill_commands;
pub use error::JobsError;
pub use host::host_keywords;
pub use idle::IdleProfile;
pub use path_policy::{PathAccess, PathPolicy, PathRefusal};
pub use remote_jobs::{RemoteJobs, RunPolicy, type_sent_jobs};
pub use remote_result::{RemoteResult, sanitize_line};
pub use request::{JobsObserver, JobsOutcome, JobsRequest, StartGate};
pub use run::run_jobs;
pub use target_paths::{TargetPaths, data_files, list_target_paths};

pub use fio::print::EtaState;
pub use fio::read::{Keywords, SentJobs};
pub use fio::request::Jobs;
