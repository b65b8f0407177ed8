//! Files and devices.

use super::build::*;
use crate::options::spec::{Category, OptionSpec};

const C: Category = Category::Target;

pub(super) const TABLE: &[OptionSpec] = &[
    texts("filename", C, "Files or devices to use, separated by colons; repeats add up."),
    choice("lockfile", C, "Lock each file while an operation is on it.", LOCK)
        .default("none")
        .under("filename")
        .refused("files are not locked around operations; leave it out"),
    text("directory", C, "Folders in which files are made, separated by colons."),
    text("filename_format", C, "How names of files are made from job, instance and number.")
        .default("$jobname.$jobnum.$filenum"),
    flag("unique_filename", C, "Put the client's address before file names; only for servers.")
        .default("1"),
    text("opendir", C, "Read all files found below this folder, which are of one size."),
    int("nrfiles", C, "Number of files of each instance.").alias(&["nr_files"]).default("1"),
    int("openfiles", C, "Number of files kept open at the same time; all, when not given.")
        .noted("all files of a job stay open from its start to its end, and are served in turn"),
    choice("file_service_type", C, "Which file is next; may be followed by :number.", SERVICE)
        .default("roundrobin")
        .under("nrfiles"),
    flag("create_serialize", C, "Make the files of jobs one after the other.").default("1"),
    flag("create_fsync", C, "Flush a file after it was made.").default("1"),
    flag("create_on_open", C, "Make a file when the run opens it, not before.")
        .default("0")
        .noted("files are made, without being filled for writes, before any job starts"),
    flag("create_only", C, "Make the files, and end.").default("0"),
    flag("allow_file_create", C, "Whether missing files may be made.").default("1"),
    flag("allow_mounted_write", C, "Whether a mounted device may be written to.").default("0"),
    choice("fallocate", C, "How space is reserved before a file is laid out.", FALLOCATE)
        .default("native"),
    choice("fadvise_hint", C, "Which access the kernel is told to expect.", FADVISE)
        .default("1")
        .noted("the kernel is told nothing; use invalidate or direct to keep the cache out"),
    flag("overwrite", C, "Lay a file out before writing, so that writes replace data.")
        .default("0"),
    flag("pre_read", C, "Read the files into the cache before the run.").default("0"),
    flag("unlink", C, "Remove the files of the job, which this run must have made, at its end.")
        .default("0"),
    flag(
        "unlink_each_loop",
        C,
        "Remove the files, which this run must have made, between two writing loops.",
    )
    .default("0"),
    flag("invalidate", C, "Drop the files from the page cache before the run.").default("1"),
    choice("write_hint", C, "How long written data is expected to live.", HINT),
];

const LOCK: &[(&str, &str)] = &[
    ("none", "no lock"),
    ("exclusive", "one operation at a time"),
    ("readwrite", "many readers or one writer"),
];

const SERVICE: &[(&str, &str)] = &[
    ("roundrobin", "one file after the other, in turn"),
    ("random", "any file, all alike"),
    ("sequential", "a file to its end, then the next"),
    ("zipf", "some files more often, by Zipf's law"),
    ("pareto", "some files more often, by Pareto's law"),
    ("normal", "files around the middle more often"),
    ("gauss", "the same as normal"),
];

const FALLOCATE: &[(&str, &str)] = &[
    ("none", "reserve nothing"),
    ("native", "as the file system does it best; not an error when it cannot"),
    ("posix", "by posix_fallocate"),
    ("keep", "by fallocate, without a change of the size"),
    ("truncate", "set the size only"),
    ("0", "the same as none"),
    ("1", "the same as posix"),
];

const FADVISE: &[(&str, &str)] = &[
    ("0", "no advice"),
    ("1", "advice that fits the pattern"),
    ("random", "random access"),
    ("sequential", "sequential access"),
    ("noreuse", "data is used once (newer versions)"),
];

const HINT: &[(&str, &str)] = &[
    ("none", "no particular life time"),
    ("short", "short"),
    ("medium", "longer than short"),
    ("long", "longer than medium"),
    ("extreme", "longer than long"),
];
