//! Disks that lie: real storage situations, built for tests and undone afterwards.
//!
//! Development only. A test asks for a [`LoopDevice`], a [`Mount`] on it, a [`Throttle`] around
//! the measured process, a [`Neighbour`] beside it, a [`SimulatedDisk`], or a [`Scenario`]. For a
//! fleet there are [`Hosts`], a [`NatsServer`] and an [`Sshd`]. Every type undoes its work in its
//! `Drop`; what a killed run left behind is removed by [`sweep_leftovers`], which a process's
//! first [`Scratch`] or [`Throttle`] calls.
//!
//! What it deliberately does not do: measure, judge.
//!
//! Invariants
//! - What is ours is called `truedisk-lab-<pid>-...`: folders, groups, processes, mount sources,
//!   network namespaces. A sweep touches nothing else, and nothing whose owner is alive.
//! - The machine's own network is not touched. No device number is assumed; the one `/dev/zram0`
//!   is taken under a lock.
//! - An undo that fails is said on stderr, never hidden. There is no `unsafe`.
//!
//! Start reading at [`LoopDevice`], then [`Throttle`]. A test begins with [`skip_unless!`].

#![forbid(unsafe_code)]

mod block;
mod control_group;
mod credits;
mod error;
mod exchange;
mod files;
mod freezer;
pub mod fuzz;
mod hosts;
pub mod laws;
mod loopdev;
mod mount;
mod names;
mod need;
mod neighbour;
mod postgres;
mod recorded;
mod scenario;
mod scratch;
mod services;
mod simulated;
mod sweep;
mod throttle;
mod timeline;
mod tools;
mod tree;
mod undo;
mod zram;

pub use block::{DeviceStat, MajorMinor};
pub use control_group::CpuQuota;
pub use credits::TokenBucket;
pub use error::{LabError, Result};
pub use exchange::NameExchanger;
pub use files::{preallocated_file, sparse_file, written_file};
pub use freezer::Freezer;
pub use hosts::{Host, Hosts};
pub use loopdev::{LoopDevice, LoopOptions};
pub use mount::{FileSystem, Mount, Tmpfs};
pub use names::PREFIX;
pub use need::{Missing, Need, has_program, is_root, require, settle};
pub use neighbour::Neighbour;
pub use postgres::{PostgresServer, closed_port, postgres_needs};
pub use recorded::RecordedMachine;
pub use scenario::{
    ALARM_STATUS, GroundTruth, Question, Scenario, Situation, all_scenarios, find_scenario,
};
pub use scratch::Scratch;
pub use services::{Certificate, CertificateAuthority, NatsOptions, NatsServer, Sshd, Validity};
pub use simulated::{DiskOptions, Fill, SimulatedDisk};
pub use sweep::sweep_leftovers;
pub use throttle::{Limit, Throttle};
pub use timeline::Timeline;
pub use tree::SysfsTree;
pub use zram::Zram;
