//! What is written.

use super::build::*;
use crate::options::spec::{Category, OptionSpec};

const C: Category = Category::Data;

pub(super) const TABLE: &[OptionSpec] = &[
    switch("zero_buffers", C, "Write zeroes."),
    switch("refill_buffers", C, "New random contents for each write."),
    flag("scramble_buffers", C, "A few changed bytes in each sector of each write.").default("1"),
    special("buffer_pattern", C, "Bytes to write again and again: text, number, file, %o."),
    percent("buffer_compress_percentage", C, "Share that compression can save, in percent."),
    size("buffer_compress_chunk", C, "Pieces in which compressible parts are spread.")
        .default("512")
        .range(0, NO_MAX)
        .under("buffer_compress_percentage"),
    percent("dedupe_percentage", C, "Share of blocks that repeat an earlier one, in percent."),
    choice("dedupe_mode", C, "Which earlier blocks repeat.", DEDUPE)
        .default("repeat")
        .under("dedupe_percentage"),
    percent("dedupe_working_set_percentage", C, "Share of the file whose blocks repeat.")
        .default("5")
        .under("dedupe_percentage"),
    flag("dedupe_global", C, "Share the repeated blocks between jobs.")
        .default("0")
        .refused("each job repeats its own blocks; leave it out"),
];

const DEDUPE: &[(&str, &str)] = &[
    ("repeat", "a few blocks written before"),
    ("working_set", "the first dedupe_working_set_percentage of the size"),
];
