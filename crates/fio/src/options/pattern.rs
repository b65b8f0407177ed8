//! Order, mix and sizes of operations.

use super::blocks::{BlockShare, read_block_align, read_bs, read_bsrange, read_bssplit};
use super::distribution::{DISTRIBUTIONS, Distribution};
use super::parse::{
    PerDirection, READS, TRIMS, ValueProblem, ValueResult, WRITES, parse_per_direction,
    parse_percent,
};
use super::reader::{ValueReader, pick_choice};
use super::sizes::SizeRange;
use super::spec::*;

/// Order, mix and sizes of the operations.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PatternOptions {
    pub rw: ReadWrite,
    pub bs: PerDirection<u64>,
    /// Boundary of random offsets in bytes; `None`: the smallest block.
    pub blockalign: PerDirection<Option<u64>>,
    pub bsrange: PerDirection<Option<SizeRange>>,
    /// Wins over both where it is not empty; percents add up to 100.
    pub bssplit: PerDirection<Vec<BlockShare>>,
    pub bs_unaligned: bool,
    pub bs_is_seq_rand: bool,
    pub rw_sequencer: SequenceKind,
    /// Percent of reads in a mix.
    pub rwmixread: u8,
    pub percentage_random: PerDirection<u8>,
    pub random_distribution: PerDirection<Distribution>,
    pub random_places: RandomPlaces,
    pub randrepeat: bool,
    /// `None`: the built-in one (with `randrepeat`), or a fresh one.
    pub randseed: Option<u64>,
}

type O = PatternOptions;

pub(super) const TABLE: &[Entry<O>] = &[
    choice("rw", "read", "What is done, in which order; may be followed by :number.")
        .alias(&["readwrite"])
        .sets(Any, |o: &mut O| &mut o.rw),
    sizes("bs", "4k", "Bytes of an operation: one size, or read,write,trim.")
        .alias(&["blocksize"])
        .range(1, NO_MAX)
        .under("rw")
        .reads(Any, |o: &mut O, reader| read_bs(&mut o.bs, reader)),
    sizes("ba", "", "Multiple at which random operations begin; bs, when not given.")
        .alias(&["blockalign"])
        .range(1, NO_MAX)
        .under("rw")
        .reads(Any, |o: &mut O, reader| read_block_align(&mut o.blockalign, reader)),
    ranges("bsrange", "", "Sizes from-to of operations; also one range per direction.")
        .alias(&["blocksize_range"])
        .under("rw")
        .reads(Any, |o: &mut O, reader| read_bsrange(&mut o.bsrange, &mut o.bssplit, reader)),
    special("bssplit", "", "Sizes and their shares, size/percent:size/percent, per direction.")
        .under("rw")
        .reads(Any, |o: &mut O, reader| read_bssplit(&mut o.bssplit, &mut o.bsrange, reader)),
    switch("bs_unaligned", "", "Sizes of a range need not be multiples of the smallest.")
        .alias(&["blocksize_unaligned"])
        .under("rw")
        .sets(Any, |o: &mut O| &mut o.bs_unaligned),
    flag("bs_is_seq_rand", "0", "The sizes of bs are for sequential,random, not read,write.")
        .sets(Any, |o: &mut O| &mut o.bs_is_seq_rand),
    choice("rw_sequencer", "sequential", "What the :number after rw does.")
        .sets(Any, |o: &mut O| &mut o.rw_sequencer),
    percent("rwmixread", "50", "Share of reads in a mix, in percent.")
        .sets(Any, |o: &mut O| &mut o.rwmixread),
    percent("rwmixwrite", "50", "Share of writes in a mix, in percent; the later of both wins.")
        .reads(Any, |o: &mut O, reader| {
            reader.read_percent().map(|value| o.rwmixread = 100 - value)
        }),
    sizes(
        "percentage_random",
        "100,100,100",
        "Share of random operations in percent, per direction.",
    )
    .range(0, 100)
    .reads(Any, |o: &mut O, reader| {
        let expected = "a percentage from 0 to 100";
        let text = reader.require_text(expected)?;
        parse_per_direction(&mut o.percentage_random, text, expected, parse_percent)
    }),
    choice("random_distribution", "random", "How random places are spread.")
        .words(DISTRIBUTIONS)
        .without(&[("sequence", "it is of newer versions; use one of the others, or rw=read")])
        .sets(Any, |o: &mut O| &mut o.random_distribution),
    int("random_sequence_stride", "", "Distance of random_distribution=sequence (newer versions).")
        .refused("random_distribution=sequence is not run; use rw=read with a gap: rw=read:64k")
        .unread(),
    switch("norandommap", "", "Random places may come up again before all were used.")
        .under("rw")
        .sets(Any, |o: &mut O| &mut o.random_places.norandommap),
    flag("softrandommap", "0", "Do without the map of used blocks when memory is short.").checks(),
    choice("random_generator", "tausworthe", "Whether random places may repeat: not with lfsr.")
        .sets(Any, |o: &mut O| &mut o.random_places.generator),
    flag("randrepeat", "1", "The same random places in every run.")
        .under("rw")
        .sets(Any, |o: &mut O| &mut o.randrepeat),
    flag("allrandrepeat", "1", "The same as randrepeat, as in newer versions.")
        .sets(Any, |o: &mut O| &mut o.randrepeat),
    int("randseed", "", "Number from which random choices are derived.")
        .implied_default("0x89")
        .any()
        .under("rw")
        .reads(Any, |o: &mut O, reader| read_seed(reader).map(|value| o.randseed = Some(value))),
    int("num_range", "1", "Number of places one trim command covers (newer versions).")
        .range(1, 256)
        .refused("a trim command covers one place; leave it out")
        .unread(),
    flag("sprandom", "0", "Precondition a drive in one pass (newer versions; experimental).")
        .refused(SPRANDOM)
        .unread(),
    float("spr_op", "", "Over-provisioning that sprandom assumes (newer versions).")
        .under("sprandom")
        .refused(SPRANDOM)
        .unread(),
    int("spr_num_regions", "", "Number of regions sprandom makes (newer versions).")
        .under("sprandom")
        .refused(SPRANDOM)
        .unread(),
    size("spr_cs", "", "Size of the drive's cache that sprandom assumes (newer versions).")
        .under("sprandom")
        .refused(SPRANDOM)
        .unread(),
];

const SPRANDOM: &str = "precondition with a job of its own: rw=write, then rw=randwrite, loops=2";

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RandomPlaces {
    pub norandommap: bool,
    pub generator: RandomGenerator,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RandomGenerator {
    #[default]
    Tausworthe,
    /// Visits each place once, without a map.
    Lfsr,
    Tausworthe64,
}

impl Choice for RandomGenerator {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("tausworthe", "the usual one", Self::Tausworthe),
        ("lfsr", "one that visits each block once without a map", Self::Lfsr),
        ("tausworthe64", "as the usual one, for very large files", Self::Tausworthe64),
    ];
}

impl PatternOptions {
    /// Whether bytes may come up again before all have. A register repeats no place, with or
    /// without a map; but of several sizes, blocks of neighbouring places overlap.
    pub fn repeats_places(&self) -> bool {
        match self.random_places.generator {
            RandomGenerator::Lfsr => self.block_sizes_vary(),
            _ => self.random_places.norandommap,
        }
    }

    /// Whether the blocks of one direction have several sizes.
    pub fn block_sizes_vary(&self) -> bool {
        let has = self.rw.operation.directions();
        (0..3).any(|direction| has[direction] && self.min_bs(direction) != self.max_bs(direction))
    }

    /// Smallest block of a direction, in bytes.
    pub fn min_bs(&self, direction: usize) -> u64 {
        let split = self.bssplit[direction].iter().map(|share| share.size).min();
        split.or(self.bsrange[direction].map(|range| range.min)).unwrap_or(self.bs[direction])
    }

    /// Largest block of a direction, in bytes.
    pub fn max_bs(&self, direction: usize) -> u64 {
        let split = self.bssplit[direction].iter().map(|share| share.size).max();
        split.or(self.bsrange[direction].map(|range| range.max)).unwrap_or(self.bs[direction])
    }
}

/// `rw`, with what may follow its colon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadWrite {
    pub operation: Operation,
    /// Random patterns, `rw=randread:8`: operations per new offset, 1 by default.
    pub run_length: u32,
    /// Sequential patterns, `rw=read:4k`: bytes added to the offset after each block; may be
    /// negative.
    pub gap: i64,
}

impl ReadWrite {
    /// A plain pattern.
    pub const fn new(operation: Operation) -> Self {
        Self { operation, run_length: 1, gap: 0 }
    }
}

impl Default for ReadWrite {
    fn default() -> Self {
        Self::new(Operation::Read)
    }
}

impl ReadValue for ReadWrite {
    fn read(reader: &mut ValueReader<'_>, _: &OptionSpec) -> ValueResult<Self> {
        let text = reader.require_text("a pattern such as randread")?;
        let (word, argument) = match text.split_once(':') {
            Some((word, argument)) => (word.trim(), Some(argument.trim())),
            None => (text, None),
        };
        let mut rw = Self::new(pick_choice(word, Operation::CHOICES)?);
        if let Some(argument) = argument {
            let expected = match rw.operation.is_random() {
                true => "a number of operations from 1 on after the colon, such as randread:8",
                false => "bytes to skip after the colon, such as read:4k or read:-4k",
            };
            let number = reader.parse_number(argument, expected)?;
            let wrong = || ValueProblem::new(format!("{argument} is out of range"), expected);
            if rw.operation.is_random() {
                let length = u32::try_from(number).ok().filter(|length| *length > 0);
                rw.run_length = length.ok_or_else(wrong)?;
            } else {
                rw.gap = i64::try_from(number).map_err(|_| wrong())?;
            }
        }
        Ok(rw)
    }

    fn words() -> WordList {
        listed_words(Operation::CHOICES)
    }
}

/// Directions and order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    Read,
    Write,
    Trim,
    RandRead,
    RandWrite,
    RandTrim,
    ReadWrite,
    RandReadWrite,
    TrimWrite,
    RandTrimWrite,
}

impl Choice for Operation {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("read", "sequential reads", Self::Read),
        ("write", "sequential writes", Self::Write),
        ("trim", "sequential trims", Self::Trim),
        ("randread", "random reads", Self::RandRead),
        ("randwrite", "random writes", Self::RandWrite),
        ("randtrim", "random trims", Self::RandTrim),
        ("rw", "sequential reads and writes, mixed", Self::ReadWrite),
        ("readwrite", "the same as rw", Self::ReadWrite),
        ("randrw", "random reads and writes, mixed", Self::RandReadWrite),
        ("trimwrite", "each block trimmed, then written; sequential", Self::TrimWrite),
        ("randtrimwrite", "each block trimmed, then written; random", Self::RandTrimWrite),
    ];
}

impl Operation {
    /// Whether offsets are random.
    pub const fn is_random(self) -> bool {
        matches!(
            self,
            Self::RandRead
                | Self::RandWrite
                | Self::RandTrim
                | Self::RandReadWrite
                | Self::RandTrimWrite
        )
    }

    pub const fn reads(self) -> bool {
        self.directions()[READS]
    }

    pub const fn writes(self) -> bool {
        self.directions()[WRITES]
    }

    pub const fn trims(self) -> bool {
        self.directions()[TRIMS]
    }

    /// Whether it reads, writes and trims.
    pub const fn directions(self) -> PerDirection<bool> {
        match self {
            Self::Read | Self::RandRead => [true, false, false],
            Self::Write | Self::RandWrite => [false, true, false],
            Self::Trim | Self::RandTrim => [false, false, true],
            Self::ReadWrite | Self::RandReadWrite => [true, true, false],
            Self::TrimWrite | Self::RandTrimWrite => [false, true, true],
        }
    }

    /// The word that fio prints for it (`rw=randrw`).
    pub fn word(self) -> &'static str {
        self.choice_word()
    }
}

/// `rw_sequencer`: what happens between two new random offsets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SequenceKind {
    #[default]
    Sequential,
    Identical,
}

impl Choice for SequenceKind {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        (
            "sequential",
            "a new random place after each run of operations in sequence",
            Self::Sequential,
        ),
        ("identical", "the same place for that number of operations", Self::Identical),
    ];
}

fn read_seed(reader: &mut ValueReader<'_>) -> ValueResult<u64> {
    let expected = "a whole number of 64 bits";
    let number = reader.parse_number(reader.require_text(expected)?, expected)?;
    let seed = u64::try_from(number).ok().or_else(|| {
        // A negative seed is its two's complement.
        i64::try_from(number).ok().map(i64::cast_unsigned)
    });
    seed.ok_or_else(|| ValueProblem::new("it is too large", expected))
}
