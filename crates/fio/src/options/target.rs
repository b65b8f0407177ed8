//! Files and devices.

use super::distribution::{FileService, SERVICES};
use super::spec::*;

/// Files and devices of a job.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TargetOptions {
    /// Empty: names are made from `filename_format`.
    pub filenames: Vec<String>,
    pub directories: Vec<String>,
    pub opendirs: Vec<String>,
    pub lock: LockMode,
    pub filename_format: String,
    pub unique_filename: bool,
    pub nrfiles: u32,
    /// 0 for all.
    pub openfiles: u32,
    pub file_service: FileService,
    pub create_only: bool,
    pub create_fsync: bool,
    pub fallocate: Fallocate,
    pub write_hint: WriteHint,
    pub overwrite: bool,
    pub pre_read: bool,
    pub unlink: bool,
    pub unlink_each_loop: bool,
    pub invalidate: bool,
    pub fadvise_hint: FadviseHint,
    pub allow_file_create: bool,
    pub allow_mounted_write: bool,
}

type O = TargetOptions;

const NO_GUARD: &str = "it would silence the guard of another host; unmount the device there, and \
                        name it with --yes-destroy-data-on";

pub(super) const TABLE: &[Entry<O>] = &[
    texts("filename", "", "Files or devices to use, separated by colons; repeats add up.").reads(
        Any,
        |o: &mut O, reader| {
            o.filenames.extend(reader.read_names("file names separated by colons")?);
            Ok(())
        },
    ),
    choice("lockfile", "none", "Lock each file while an operation of a job is on it.")
        .under("filename")
        .sets(Any, |o: &mut O| &mut o.lock),
    text("directory", "", "Folders in which files are made, separated by colons.").reads(
        Any,
        |o: &mut O, reader| {
            reader.read_names("folders separated by colons").map(|value| o.directories = value)
        },
    ),
    text(
        "filename_format",
        "$jobname.$jobnum.$filenum",
        "How names of files are made from job, instance and number.",
    )
    .sets(Any, |o: &mut O| &mut o.filename_format),
    flag("unique_filename", "1", "Put the client's address before file names; only for servers.")
        .sets(Any, |o: &mut O| &mut o.unique_filename),
    text("opendir", "", "Read all files found below this folder, which are of one size.").reads(
        Any,
        |o: &mut O, reader| {
            reader.read_names("folders separated by colons").map(|value| o.opendirs = value)
        },
    ),
    int("nrfiles", "1", "Number of files of each instance.")
        .alias(&["nr_files"])
        .reads(Any, |o: &mut O, reader| reader.read_u32(1).map(|value| o.nrfiles = value)),
    int("openfiles", "", "Files that are served at the same time; all, when not given.")
        .reads(Any, |o: &mut O, reader| reader.read_u32(0).map(|value| o.openfiles = value)),
    choice("file_service_type", "roundrobin", "Which file is next; may be followed by :number.")
        .words(SERVICES)
        .under("nrfiles")
        .sets(Any, |o: &mut O| &mut o.file_service),
    flag("create_serialize", "1", "Make the files of jobs one after the other.").checks(),
    flag("create_fsync", "1", "Flush a file after it was made.")
        .sets(Any, |o: &mut O| &mut o.create_fsync),
    flag("create_on_open", "0", "Make a file when the run opens it, not before.")
        .noted("files are made, without being filled for writes, before any job starts"),
    flag("create_only", "0", "Make the files, and end.").sets(
        LocalUnlessOff("files are made before all hosts start; leave it out"),
        |o: &mut O| &mut o.create_only,
    ),
    flag("allow_file_create", "1", "Whether missing files may be made.")
        .sets(Any, |o: &mut O| &mut o.allow_file_create),
    choice("filetype", "none", "Type of all files of the job (newer versions); it is looked up.")
        .words(FILE_TYPES)
        .checks(),
    flag("allow_mounted_write", "0", "Whether a mounted device may be written to.")
        .sets(LocalUnlessOff(NO_GUARD), |o: &mut O| &mut o.allow_mounted_write),
    choice("fallocate", "native", "How space is reserved before a file is laid out.")
        .sets(Any, |o: &mut O| &mut o.fallocate),
    choice("fadvise_hint", "1", "Access pattern that is announced to the kernel.")
        .sets(Any, |o: &mut O| &mut o.fadvise_hint),
    flag("overwrite", "0", "Lay a file out before writing, so that writes replace data.")
        .sets(Any, |o: &mut O| &mut o.overwrite),
    flag("pre_read", "0", "Read the files into the cache before the run.")
        .sets(Any, |o: &mut O| &mut o.pre_read),
    flag("unlink", "0", "Remove the files of the job, which this run must have made, at its end.")
        .sets(Any, |o: &mut O| &mut o.unlink),
    flag(
        "unlink_each_loop",
        "0",
        "Remove the files, which this run must have made, between two writing loops.",
    )
    .sets(Any, |o: &mut O| &mut o.unlink_each_loop),
    flag("invalidate", "1", "Drop the files from the page cache before each pass over them.")
        .sets(Any, |o: &mut O| &mut o.invalidate),
    choice("write_hint", "", "How long written data is expected to live.")
        .sets(Any, |o: &mut O| &mut o.write_hint),
];

const FILE_TYPES: Words = &[
    ("none", "not given"),
    ("file", "regular files"),
    ("block", "block devices"),
    ("char", "character devices"),
];

/// `lockfile`
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LockMode {
    #[default]
    None,
    Exclusive,
    ReadWrite,
}

impl Choice for LockMode {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("none", "no lock", Self::None),
        ("exclusive", "one operation at a time", Self::Exclusive),
        ("readwrite", "many readers or one writer", Self::ReadWrite),
    ];
}

/// `fadvise_hint`: advice to the kernel's read-ahead.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FadviseHint {
    #[default]
    None,
    ByPattern,
    Random,
    Sequential,
    NoReuse,
}

impl Choice for FadviseHint {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("0", "no advice", Self::None),
        ("1", "advice that fits the pattern", Self::ByPattern),
        ("random", "random access", Self::Random),
        ("sequential", "sequential access", Self::Sequential),
        ("noreuse", "data is used once (newer versions)", Self::NoReuse),
    ];
}

/// How a file's space is reserved before it is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Fallocate {
    None,
    #[default]
    Native,
    Posix,
    Keep,
    Truncate,
}

impl Choice for Fallocate {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("none", "reserve nothing", Self::None),
        ("native", "as the file system does it best; not an error when it cannot", Self::Native),
        ("posix", "by posix_fallocate", Self::Posix),
        ("keep", "by fallocate, without a change of the size", Self::Keep),
        ("truncate", "set the size only", Self::Truncate),
        ("0", "the same as none", Self::None),
        ("1", "the same as posix", Self::Posix),
    ];
}

/// Expected life time of what is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WriteHint {
    #[default]
    NotSet,
    None,
    Short,
    Medium,
    Long,
    Extreme,
}

impl Choice for WriteHint {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("none", "no particular life time", Self::None),
        ("short", "short", Self::Short),
        ("medium", "longer than short", Self::Medium),
        ("long", "longer than medium", Self::Long),
        ("extreme", "longer than long", Self::Extreme),
    ];
}
