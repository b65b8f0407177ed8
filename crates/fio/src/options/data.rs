//! What is written.

use super::fill::{FillPattern, PATTERN_HOSTS, read_pattern};
use super::spec::*;

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
    pub dedupe_global: bool,
}

type O = DataOptions;

pub(super) const TABLE: &[Entry<O>] = &[
    switch("zero_buffers", "", "Write zeroes.").sets(Any, |o: &mut O| &mut o.zero_buffers),
    switch("refill_buffers", "", "New random contents for each write.")
        .sets(Any, |o: &mut O| &mut o.refill_buffers),
    flag("scramble_buffers", "1", "A few changed bytes in each sector of each write.")
        .sets(Any, |o: &mut O| &mut o.scramble_buffers),
    special("buffer_pattern", "", "Bytes to write again and again: text, number, file, %o.")
        .reads(PATTERN_HOSTS, |o: &mut O, reader| {
            read_pattern(reader, false).map(|value| o.buffer_pattern = Some(value))
        }),
    percent("buffer_compress_percentage", "", "Share that compression can save, in percent.")
        .sets(Any, |o: &mut O| &mut o.compress_percentage),
    size("buffer_compress_chunk", "512", "Pieces in which compressible parts are spread.")
        .range(0, NO_MAX)
        .under("buffer_compress_percentage")
        .checks(),
    percent("dedupe_percentage", "", "Share of blocks that repeat an earlier one, in percent.")
        .sets(Any, |o: &mut O| &mut o.dedupe_percentage),
    choice("dedupe_mode", "repeat", "Which earlier blocks repeat.")
        .under("dedupe_percentage")
        .sets(Any, |o: &mut O| &mut o.dedupe_mode),
    percent("dedupe_working_set_percentage", "5", "Share of the file whose blocks repeat.")
        .under("dedupe_percentage")
        .sets(Any, |o: &mut O| &mut o.dedupe_working_set_percentage),
    flag("dedupe_global", "0", "Share the working set between jobs.")
        .under("dedupe_percentage")
        .sets(Any, |o: &mut O| &mut o.dedupe_global),
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
