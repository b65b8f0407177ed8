//! What errors do.

use super::build::*;
use crate::options::spec::{Category, OptionSpec};

const C: Category = Category::Error;

pub(super) const TABLE: &[OptionSpec] = &[
    choice("continue_on_error", C, "After which errors the job goes on.", CONTINUE).default("none"),
    special("ignore_error", C, "Errors that do not count: read, write, verify; names by colons.")
        .under("rw"),
    flag("error_dump", C, "Tell of each error, also of one that does not count.").default("0"),
    switch("exitall_on_error", C, "When this job fails, end all jobs."),
];

const CONTINUE: &[(&str, &str)] = &[
    ("none", "none; the job ends"),
    ("read", "errors of reads"),
    ("write", "errors of writes"),
    ("io", "errors of any operation"),
    ("verify", "data that is not as it was written"),
    ("all", "all errors"),
    ("0", "the same as none"),
    ("1", "the same as all"),
];
