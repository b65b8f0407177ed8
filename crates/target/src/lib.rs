//! What is measured: devices and files. Identity, guard, extents, counters, the test file.
//!
//! [`describe`] says what lies under a path, in the record's words. [`TestFile`] is the file of
//! our own that a folder is measured through. [`guard`] is the one gate that hands out a
//! [`WritePermit`], and [`open_for_writing`] the one function that opens a measured thing for
//! writing, and it wants that permit.
//!
//! What it deliberately does not do: measure, judge, print.
//!
//! Invariants
//! - sysfs, procfs, /run and /etc come in as [`Roots`]: everything is tested on recorded trees.
//! - Nothing is written to what is not ours without a permit; an existing file never gets one.
//!   A permit is for a file, not for its name: what came in its place is not written.
//! - What is opened stays the same: a [`PathHandle`] is a descriptor, and a [`FolderEntry`] a name
//!   in an open folder. Exchanging folders for links leads nowhere else.
//! - What cannot be looked at counts as in use.
//! - A leftover is removed only when its name, its content and its lock all say that it is ours
//!   and nobody's any more.
//! - What cannot be found out is absent, never guessed.
//!
//! Start reading at [`describe`], then [`TestFile`].

mod blocks;
mod counters;
mod ebs;
mod entry;
mod environment;
mod error;
mod extents;
pub mod guard;
mod handle;
mod identity;
mod inventory;
mod lifetime;
mod loops;
mod open;
mod ownfolder;
mod residency;
mod roots;
mod signature;
mod size;
mod sweep;
mod testfile;
#[cfg(test)]
mod testing;
mod usage;
mod workfile;

pub use blocks::BlockReader;
pub use counters::{Difference, Snapshot};
pub use ebs::{counted_since, volume_counters};
pub use entry::{FolderEntry, Location, resolve_path};
pub use environment::environment;
pub use error::TargetError;
pub use extents::extents;
pub use guard::{
    Confirm, Named, WritePermit, open_for_writing, open_for_writing_buffered, permit_device,
    permit_named,
};
pub use handle::PathHandle;
pub use identity::{describe, describe_stack};
pub use inventory::inventory;
pub use lifetime::{Lifetime, expect_lifetime};
pub use open::{
    Opened, bypass_cache, keeps_nothing, open_for_reading, open_for_reading_buffered,
    open_without_contents,
};
pub use ownfolder::{Leaf, OwnFolder, SmallName};
pub use residency::{drop_cache, drop_host_caches, residency};
pub use roots::Roots;
pub use signature::Look;
pub use size::{Room, file_size_limit, fit_size, kept_free, plan_size, room, usable_by_own_files};
pub use sweep::sweep;
pub use testfile::{TestFile, remove_all};
pub use usage::file_in_use;
pub use workfile::{KEPT_NAME, WorkFile};
