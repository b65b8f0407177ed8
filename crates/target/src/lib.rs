//! What is measured: devices and files. Identity, guard, extents, counters, the test file.
//!
//! What it deliberately does not do: measure, judge, print.
//!
//! Invariants
//! - sysfs, procfs, /run and /etc come in as [`Roots`]: everything is tested on recorded trees.
//! - Nothing is written to what is not ours without a permit, which is for a file, not for its
//!   name.
//! - What is opened stays the same: exchanging folders for links leads nowhere else.
//! - What cannot be looked at counts as in use.
//! - A leftover is removed only when its name, its content and its lock say so.
//! - What cannot be found out is absent, never guessed.
//!
//! Start reading at [`describe_target`], then [`TestFile`], `guard` and [`open_for_writing`].

mod block_reader;
mod bpf;
mod content_scan;
mod control_groups;
mod counters;
mod cpu_throttle;
mod ebs;
mod environment;
mod error;
mod extents;
mod folder_entry;
mod guard;
mod handle;
mod health;
mod identity;
mod inventory;
mod job_groups;
mod leftovers;
mod limits;
mod loop_device;
mod mapping;
mod nvme;
mod open;
mod own_files;
mod prepare;
mod residency;
mod roots;
mod size;
mod test_file;
mod test_folder;
#[cfg(test)]
mod testing;
mod tracepoint;
mod usage;
mod work_file;
mod write_lifetime;

pub use block_reader::BlockReader;
pub use bpf::{
    BpfLink, BpfLoadError, BpfMap, BpfMapKind, BpfProgram, BpfRing, BpfStatistics,
    count_possible_processors, enable_bpf_statistics, list_bpf_programs,
};
pub use content_scan::ContentScan;
pub use control_groups::{IoGroup, find_group_ids, find_io_group};
pub use counters::{
    CPU_TICK_FIELDS, CounterDeltas, CounterSnapshot, read_cpu_ticks, read_pressure,
};
pub use ebs::{
    is_ebs_volume, read_counters_of_disk, read_volume_counters, subtract_volume_counters,
};
pub use environment::describe_environment;
pub use environment::io_limits::find_io_limits;
pub use error::TargetError;
pub use extents::query_extents;
pub use folder_entry::{FolderEntry, Location, resolve_path};
pub use guard::{
    PermitOptions, WritePermit, create_in_folder, open_for_writing, open_parent_folder,
    permit_named, refuse_kernel_interface,
};
pub use handle::PathHandle;
pub use health::{read_disk_health, read_health_again, read_stack_health};
pub use identity::{describe_stack, describe_target, find_mounted_folder};
pub use inventory::{shell_quote, take_inventory};
pub use job_groups::JobGroups;
pub use leftovers::{remove_leftovers, remove_test_files};
pub use limits::file_size_limit;
pub use open::{
    OpenTarget, is_contentless_device, open_contentless_device, open_for_reading, set_direct_io,
};
pub use prepare::{PreparePolicy, PreparedTarget, TargetAccess, prepare};
pub use residency::{
    AccessAdvice, announce_access, drop_file_cache, drop_host_caches, query_residency,
};
pub use roots::{Roots, read_boot_id};
pub use size::{
    FreeSpace, plan_span_size, query_free_space, reserved_inodes, reserved_space, usable_space,
};
pub use test_file::TestFile;
pub use test_folder::{LeafFolder, SmallFileName, TestFolder};
pub use tracepoint::{TraceField, TraceRing, Tracepoint, Tracepoints};
pub use usage::find_file_use;
pub use work_file::{KEPT_WORK_FILE_NAME, WorkFile};
pub use write_lifetime::{WriteLifetime, set_lifetime_hint};
