//! Durability.

use super::parse::{ValueProblem, ValueResult};
use super::reader::ValueReader;
use super::spec::*;

/// Flushes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SyncOptions {
    pub mode: SyncMode,
    /// After every n writes; 0: never.
    pub fsync: u32,
    /// After every n writes; 0: never.
    pub fdatasync: u32,
    pub sync_file_range: Option<SyncFileRange>,
    pub end_fsync: bool,
    pub fsync_on_close: bool,
    pub end_syncfs: bool,
}

type O = SyncOptions;

pub(super) const TABLE: &[Entry<O>] = &[
    choice("sync", "none", "Whether each write waits until data is safe.")
        .sets(Any, |o: &mut O| &mut o.mode),
    int("fsync", "0", "Number of writes between flushes of data and metadata; 0: never.")
        .sets(Any, |o: &mut O| &mut o.fsync),
    int("fdatasync", "0", "Number of writes between flushes of data; 0: never.")
        .sets(Any, |o: &mut O| &mut o.fdatasync),
    int("write_barrier", "0", "Make every n-th write a barrier; 0: never.")
        .noted("writes are sent plainly, as fio sends them: no call has barriers; use fdatasync"),
    special("sync_file_range", "", "Start write-back after a number of writes: words:number.")
        .words(FILE_RANGE)
        .sets(Any, |o: &mut O| &mut o.sync_file_range),
    flag("end_fsync", "0", "Flush the files when the job ends.")
        .sets(Any, |o: &mut O| &mut o.end_fsync),
    flag("fsync_on_close", "0", "Flush each file when it is closed.")
        .sets(Any, |o: &mut O| &mut o.fsync_on_close),
    flag("end_syncfs", "0", "Flush the whole file system when the job ends (newer versions).")
        .sets(Any, |o: &mut O| &mut o.end_syncfs),
];

/// `sync`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SyncMode {
    #[default]
    None,
    Sync,
    Dsync,
}

impl Choice for SyncMode {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("none", "writes do not wait", Self::None),
        ("0", "the same as none", Self::None),
        ("sync", "data and metadata are safe (O_SYNC)", Self::Sync),
        ("1", "the same as sync", Self::Sync),
        ("dsync", "data is safe (O_DSYNC)", Self::Dsync),
    ];
}

/// `sync_file_range=wait_before,write,wait_after:n`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SyncFileRange {
    pub wait_before: bool,
    pub write: bool,
    pub wait_after: bool,
    pub every: u32,
}

impl ReadValue for SyncFileRange {
    fn read(reader: &mut ValueReader<'_>, _: &OptionSpec) -> ValueResult<Self> {
        let expected = "wait_before, write, wait_after with commas, then :number of writes";
        let text = reader.require_text(expected)?;
        let (words, every) = text.split_once(':').unwrap_or((text, "1"));
        let mut range = Self::default();
        for word in words.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            match word {
                "wait_before" => range.wait_before = true,
                "write" => range.write = true,
                "wait_after" => range.wait_after = true,
                _ => return Err(ValueProblem::new(format!("{word} is not known"), expected)),
            }
        }
        let every = reader.parse_number(every.trim(), expected)?;
        range.every = u32::try_from(every)
            .ok()
            .filter(|every| *every > 0)
            .ok_or_else(|| ValueProblem::new(format!("{every} is out of range"), expected))?;
        Ok(range)
    }
}

const FILE_RANGE: Words = &[
    ("wait_before", "first wait for write-back that is on its way"),
    ("write", "start the write-back"),
    ("wait_after", "then wait for its end"),
];
