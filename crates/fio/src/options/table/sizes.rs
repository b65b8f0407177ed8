//! Sizes and places.

use super::build::*;
use crate::options::spec::{Category, OptionSpec};

const C: Category = Category::Size;

pub(super) const TABLE: &[OptionSpec] = &[
    place("size", C, "Bytes of all files of an instance together; also a percentage."),
    place("io_size", C, "Bytes to move before the job ends; size, when not given.")
        .alias(&["io_limit"]),
    ranges("filesize", C, "Size of each file; a range gives each file a random size in it."),
    flag(
        "fill_device",
        C,
        "Write until the device is full; of a file system, 1 % or 1 GiB stays free.",
    )
    .alias(&["fill_fs"])
    .default("0"),
    flag("file_append", C, "Begin at the end of the file.").default("0"),
    place("offset", C, "Where the used part of the file begins; also a percentage.")
        .alias(&["fileoffset"])
        .default("0"),
    place("offset_increment", C, "Added to the offset once per number of the instance.")
        .default("0")
        .under("offset"),
    sizes("offset_align", C, "Multiple to which an offset given in percent is rounded.")
        .default("0"),
    size("number_ios", C, "End after so many operations (flushes not counted).").default("0"),
];
