//! Files and devices.
// A field is the option of its name; its entry in the table says what it is.
#![allow(missing_docs)]

use super::distribution::FileService;
use super::spec::{
    Choice, Entry,
    Hosts::{Any, LocalUnlessOff},
    Words, choice, flag, int, text, texts,
};

/// Files and devices of a job.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TargetOptions {
    /// Empty: names are made from `filename_format`.
    pub filenames: Vec<String>,
    /// The clones of a job take them in turn.
    pub directories: Vec<String>,
    pub opendirs: Vec<String>,
    /// With `$jobname`, `$jobnum`, `$filenum`, `$clientuid`.
    pub filename_format: String,
    pub unique_filename: bool,
    pub nrfiles: u32,
    /// `None`: all.
    pub openfiles: Option<u32>,
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
    pub allow_file_create: bool,
    pub allow_mounted_write: bool,
}

type O = TargetOptions;

const NO_GUARD: &str = "it would silence the guard of another host; unmount the device there, and \
                        name it with --yes-destroy-data-on";

pub(super) const TABLE: &[Entry<O>] = &[
    texts("filename", "Files or devices to use, separated by colons; repeats add up.").reads(
        Any,
        |o: &mut O, reader| {
            o.filenames.extend(reader.read_names("file names separated by colons")?);
            Ok(())
        },
    ),
    choice("lockfile", "Lock each file while an operation is on it.")
        .words(LOCK)
        .default("none")
        .under("filename")
        .refused("files are not locked around operations; leave it out")
        .checks(),
    text("directory", "Folders in which files are made, separated by colons.").reads(
        Any,
        |o: &mut O, reader| {
            o.directories = reader.read_names("folders separated by colons")?;
            Ok(())
        },
    ),
    text("filename_format", "How names of files are made from job, instance and number.")
        .default("$jobname.$jobnum.$filenum")
        .sets(Any, |o: &mut O| &mut o.filename_format),
    flag("unique_filename", "Put the client's address before file names; only for servers.")
        .default("1")
        .sets(Any, |o: &mut O| &mut o.unique_filename),
    text("opendir", "Read all files found below this folder, which are of one size.").reads(
        Any,
        |o: &mut O, reader| {
            o.opendirs = reader.read_names("folders separated by colons")?;
            Ok(())
        },
    ),
    int("nrfiles", "Number of files of each instance.").alias(&["nr_files"]).default("1").reads(
        Any,
        |o: &mut O, reader| {
            o.nrfiles = reader.read_u32(1)?;
            Ok(())
        },
    ),
    int("openfiles", "Number of files kept open at the same time; all, when not given.")
        .noted("all files of a job stay open from its start to its end, and are served in turn")
        .reads(Any, |o: &mut O, reader| {
            o.openfiles = Some(reader.read_u32(0)?).filter(|files| *files > 0);
            Ok(())
        }),
    choice("file_service_type", "Which file is next; may be followed by :number.")
        .default("roundrobin")
        .under("nrfiles")
        .sets(Any, |o: &mut O| &mut o.file_service),
    flag("create_serialize", "Make the files of jobs one after the other.").default("1").checks(),
    flag("create_fsync", "Flush a file after it was made.")
        .default("1")
        .sets(Any, |o: &mut O| &mut o.create_fsync),
    flag("create_on_open", "Make a file when the run opens it, not before.")
        .default("0")
        .noted("files are made, without being filled for writes, before any job starts")
        .checks(),
    flag("create_only", "Make the files, and end.").default("0").sets(
        LocalUnlessOff("files are made before all hosts start; leave it out"),
        |o: &mut O| &mut o.create_only,
    ),
    flag("allow_file_create", "Whether missing files may be made.")
        .default("1")
        .sets(Any, |o: &mut O| &mut o.allow_file_create),
    flag("allow_mounted_write", "Whether a mounted device may be written to.")
        .default("0")
        .sets(LocalUnlessOff(NO_GUARD), |o: &mut O| &mut o.allow_mounted_write),
    choice("fallocate", "How space is reserved before a file is laid out.")
        .default("native")
        .sets(Any, |o: &mut O| &mut o.fallocate),
    choice("fadvise_hint", "Which access the kernel is told to expect.")
        .words(FADVISE)
        .default("1")
        .noted("the kernel is told nothing; use invalidate or direct to keep the cache out")
        .checks(),
    flag("overwrite", "Lay a file out before writing, so that writes replace data.")
        .default("0")
        .sets(Any, |o: &mut O| &mut o.overwrite),
    flag("pre_read", "Read the files into the cache before the run.")
        .default("0")
        .sets(Any, |o: &mut O| &mut o.pre_read),
    flag("unlink", "Remove the files of the job, which this run must have made, at its end.")
        .default("0")
        .sets(Any, |o: &mut O| &mut o.unlink),
    flag(
        "unlink_each_loop",
        "Remove the files, which this run must have made, between two writing loops.",
    )
    .default("0")
    .sets(Any, |o: &mut O| &mut o.unlink_each_loop),
    flag("invalidate", "Drop the files from the page cache before the run.")
        .default("1")
        .sets(Any, |o: &mut O| &mut o.invalidate),
    choice("write_hint", "How long written data is expected to live.")
        .sets(Any, |o: &mut O| &mut o.write_hint),
];

const LOCK: Words = &[
    ("none", "no lock"),
    ("exclusive", "one operation at a time"),
    ("readwrite", "many readers or one writer"),
];

const FADVISE: Words = &[
    ("0", "no advice"),
    ("1", "advice that fits the pattern"),
    ("random", "random access"),
    ("sequential", "sequential access"),
    ("noreuse", "data is used once (newer versions)"),
];

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
    /// Nothing is said.
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
