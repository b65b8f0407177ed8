//! What is written.
// A field is the option of its name; its entry in the table says what it is.
#![allow(missing_docs)]

use super::fill::{FillPattern, PATTERN_HOSTS, read_pattern};
use super::spec::{
    Choice, Entry, Hosts::Any, NO_MAX, choice, flag, percent, size, special, switch,
};

/// Content of what is written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DataOptions {
    pub zero_buffers: bool,
    pub refill_buffers: bool,
    pub scramble_buffers: bool,
    pub buffer_pattern: Option<FillPattern>,
    pub compress_percentage: Option<u8>,
    pub dedupe_percentage: Option<u8>,
    pub dedupe_mode: DedupeMode,
    /// Percent of `size`.
    pub dedupe_working_set_percentage: u8,
}

type O = DataOptions;

pub(super) const TABLE: &[Entry<O>] = &[
    switch("zero_buffers", "Write zeroes.").sets(Any, |o: &mut O| &mut o.zero_buffers),
    switch("refill_buffers", "New random contents for each write.")
        .sets(Any, |o: &mut O| &mut o.refill_buffers),
    flag("scramble_buffers", "A few changed bytes in each sector of each write.")
        .default("1")
        .sets(Any, |o: &mut O| &mut o.scramble_buffers),
    special("buffer_pattern", "Bytes to write again and again: text, number, file, %o.").reads(
        PATTERN_HOSTS,
        |o: &mut O, reader| {
            o.buffer_pattern = Some(read_pattern(reader, false)?);
            Ok(())
        },
    ),
    percent("buffer_compress_percentage", "Share that compression can save, in percent.")
        .sets(Any, |o: &mut O| &mut o.compress_percentage),
    size("buffer_compress_chunk", "Pieces in which compressible parts are spread.")
        .default("512")
        .range(0, NO_MAX)
        .under("buffer_compress_percentage")
        .checks(),
    percent("dedupe_percentage", "Share of blocks that repeat an earlier one, in percent.")
        .sets(Any, |o: &mut O| &mut o.dedupe_percentage),
    choice("dedupe_mode", "Which earlier blocks repeat.")
        .default("repeat")
        .under("dedupe_percentage")
        .sets(Any, |o: &mut O| &mut o.dedupe_mode),
    percent("dedupe_working_set_percentage", "Share of the file whose blocks repeat.")
        .default("5")
        .under("dedupe_percentage")
        .sets(Any, |o: &mut O| &mut o.dedupe_working_set_percentage),
    flag("dedupe_global", "Share the repeated blocks between jobs.")
        .default("0")
        .refused("each job repeats its own blocks; leave it out")
        .checks(),
];

/// Where duplicates come from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DedupeMode {
    #[default]
    Repeat,
    WorkingSet,
}

impl Choice for DedupeMode {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("repeat", "a few blocks written before", Self::Repeat),
        ("working_set", "the first dedupe_working_set_percentage of the size", Self::WorkingSet),
    ];
}
