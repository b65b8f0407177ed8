//! Durability.

use super::build::*;
use crate::options::spec::{Category, OptionSpec};

const C: Category = Category::Sync;

pub(super) const TABLE: &[OptionSpec] = &[
    choice("sync", C, "Whether each write waits until data is safe.", SYNC).default("none"),
    int("fsync", C, "Flush data and metadata after so many writes; 0 is never.").default("0"),
    int("fdatasync", C, "Flush data after so many writes; 0 is never.").default("0"),
    int("write_barrier", C, "Make every so many-th write a barrier; 0 is never.")
        .default("0")
        .noted("writes are sent plainly, as fio sends them: no call has barriers; use fdatasync"),
    special("sync_file_range", C, "Start write-back after so many writes: words:number.")
        .words(RANGE),
    flag("end_fsync", C, "Flush the files when the job ends.").default("0"),
    flag("fsync_on_close", C, "Flush each file when it is closed.").default("0"),
    flag("end_syncfs", C, "Flush the whole file system when the job ends (newer versions).")
        .default("0"),
];

const SYNC: &[(&str, &str)] = &[
    ("none", "writes do not wait"),
    ("0", "the same as none"),
    ("sync", "data and metadata are safe (O_SYNC)"),
    ("1", "the same as sync"),
    ("dsync", "data is safe (O_DSYNC)"),
];

const RANGE: &[(&str, &str)] = &[
    ("wait_before", "first wait for write-back that is on its way"),
    ("write", "start the write-back"),
    ("wait_after", "then wait for its end"),
];
