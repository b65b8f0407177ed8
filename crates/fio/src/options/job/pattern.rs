//! Order, mix, sizes and content of the operations.

use super::{PerDirection, SizeRange};

/// Order, mix and sizes of the operations.
#[derive(Debug, Clone, PartialEq)]
pub struct PatternOptions {
    /// `rw`.
    pub rw: ReadWrite,
    /// `rw_sequencer`: what the number after `rw=...:` means.
    pub rw_sequencer: SequenceKind,
    /// `rwmixread`, or 100 minus `rwmixwrite`: percent of reads in a mix.
    pub rwmixread: u8,
    /// `percentage_random`: percent of random offsets in random patterns.
    pub percentage_random: PerDirection<u8>,
    /// `bs`: block sizes in bytes.
    pub bs: PerDirection<u64>,
    /// `bsrange`: wins over `bs` where it is set.
    pub bsrange: PerDirection<Option<SizeRange>>,
    /// `bssplit`: wins over both where it is not empty; percents add up to 100.
    pub bssplit: PerDirection<Vec<BlockShare>>,
    /// `blockalign`: boundary of random offsets in bytes; `None`: the smallest block.
    pub blockalign: PerDirection<Option<u64>>,
    /// `bs_unaligned`: any size in `bsrange`, not only multiples of its least.
    pub bs_unaligned: bool,
    /// `bs_is_seq_rand`: the sizes of reads are for sequential, of writes for random operations.
    pub bs_is_seq_rand: bool,
    /// `random_distribution`.
    pub random_distribution: PerDirection<Distribution>,
    /// `norandommap`: blocks may repeat before all are done.
    pub norandommap: bool,
    /// `softrandommap`: go on without a map when there is no memory for it.
    pub softrandommap: bool,
    /// `random_generator`.
    pub random_generator: RandomGenerator,
    /// `randrepeat`: the same offsets in every run.
    pub randrepeat: bool,
    /// `allrandrepeat`: the same of every random choice.
    pub allrandrepeat: bool,
    /// `randseed`; `None`: the built-in one (with `randrepeat`), or a fresh one.
    pub randseed: Option<u64>,
}

impl Default for PatternOptions {
    fn default() -> Self {
        Self {
            rw: ReadWrite::new(Operation::Read),
            rw_sequencer: SequenceKind::Sequential,
            rwmixread: 50,
            percentage_random: [100; 3],
            bs: [4096; 3],
            bsrange: [None; 3],
            bssplit: [const { Vec::new() }; 3],
            blockalign: [None; 3],
            bs_unaligned: false,
            bs_is_seq_rand: false,
            random_distribution: [const { Distribution::Random }; 3],
            norandommap: false,
            softrandommap: false,
            random_generator: RandomGenerator::Tausworthe,
            randrepeat: true,
            allrandrepeat: false,
            randseed: None,
        }
    }
}

impl PatternOptions {
    /// Smallest block of a direction, in bytes.
    #[must_use]
    pub fn min_bs(&self, direction: usize) -> u64 {
        let (Some(split), Some(range), Some(bs)) =
            (self.bssplit.get(direction), self.bsrange.get(direction), self.bs.get(direction))
        else {
            return 0;
        };
        let split = split.iter().map(|share| share.size).min();
        split.or(range.map(|range| range.min)).unwrap_or(*bs)
    }

    /// Largest block of a direction, in bytes.
    #[must_use]
    pub fn max_bs(&self, direction: usize) -> u64 {
        let (Some(split), Some(range), Some(bs)) =
            (self.bssplit.get(direction), self.bsrange.get(direction), self.bs.get(direction))
        else {
            return 0;
        };
        let split = split.iter().map(|share| share.size).max();
        split.or(range.map(|range| range.max)).unwrap_or(*bs)
    }
}

/// `rw`, with what may follow its colon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadWrite {
    /// Directions and order.
    pub operation: Operation,
    /// Random patterns, `rw=randread:8`: operations per new offset, 1 by default.
    pub run_length: u32,
    /// Sequential patterns, `rw=read:4k`: bytes added to the offset after each block; may be
    /// negative.
    pub gap: i64,
}

impl ReadWrite {
    /// A plain pattern.
    #[must_use]
    pub const fn new(operation: Operation) -> Self {
        Self { operation, run_length: 1, gap: 0 }
    }
}

/// Directions and order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Sequential reads.
    Read,
    /// Sequential writes.
    Write,
    /// Sequential trims.
    Trim,
    /// Random reads.
    RandRead,
    /// Random writes.
    RandWrite,
    /// Random trims.
    RandTrim,
    /// Sequential reads and writes.
    ReadWrite,
    /// Random reads and writes.
    RandReadWrite,
    /// Each block is trimmed, then written; sequential.
    TrimWrite,
    /// Each block is trimmed, then written; random.
    RandTrimWrite,
}

impl Operation {
    /// Whether offsets are random.
    #[must_use]
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

    /// Whether it reads.
    #[must_use]
    pub const fn reads(self) -> bool {
        matches!(self, Self::Read | Self::RandRead | Self::ReadWrite | Self::RandReadWrite)
    }

    /// Whether it writes.
    #[must_use]
    pub const fn writes(self) -> bool {
        matches!(
            self,
            Self::Write
                | Self::RandWrite
                | Self::ReadWrite
                | Self::RandReadWrite
                | Self::TrimWrite
                | Self::RandTrimWrite
        )
    }

    /// Whether it trims.
    #[must_use]
    pub const fn trims(self) -> bool {
        matches!(self, Self::Trim | Self::RandTrim | Self::TrimWrite | Self::RandTrimWrite)
    }

    /// The word that fio prints for it (`rw=randrw`).
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Trim => "trim",
            Self::RandRead => "randread",
            Self::RandWrite => "randwrite",
            Self::RandTrim => "randtrim",
            Self::ReadWrite => "rw",
            Self::RandReadWrite => "randrw",
            Self::TrimWrite => "trimwrite",
            Self::RandTrimWrite => "randtrimwrite",
        }
    }
}

/// `rw_sequencer`: what happens between two new random offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SequenceKind {
    /// The blocks after the random one.
    Sequential,
    /// The same block again.
    Identical,
}

/// One block size of `bssplit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockShare {
    /// Size in bytes.
    pub size: u64,
    /// Percent of the operations.
    pub percent: u8,
}

/// `random_distribution`: where random offsets fall.
#[derive(Debug, Clone, PartialEq)]
pub enum Distribution {
    /// Everywhere alike.
    Random,
    /// Zipf; `center` is where the hot spot is, as a fraction of the region; `None`: hashed over
    /// the region.
    Zipf {
        /// Above 0, not 1.
        theta: f64,
        /// 0 to 1.
        center: Option<f64>,
        /// `zipf64`: a 64-bit generator.
        wide: bool,
    },
    /// Pareto.
    Pareto {
        /// Above 0, below 1.
        h: f64,
        /// 0 to 1.
        center: Option<f64>,
    },
    /// Normal.
    Normal {
        /// Deviation in percent of the region.
        deviation: f64,
        /// 0 to 1.
        center: Option<f64>,
    },
    /// Shares of the accesses over shares of the region.
    Zoned(Vec<ZoneShare>),
    /// Shares of the accesses over sizes; lengths are bytes.
    ZonedAbs(Vec<ZoneShare>),
}

/// One part of a zoned distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ZoneShare {
    /// Percent of the accesses.
    pub accesses: u8,
    /// Percent of the region (`zoned`) or bytes (`zoned_abs`); `zoned_abs` 0: the rest.
    pub length: u64,
}

/// `random_generator`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RandomGenerator {
    /// Tausworthe, 32 bits; 64 where the region needs it.
    Tausworthe,
    /// A shift register which visits every block once without a map.
    Lfsr,
    /// Tausworthe, 64 bits.
    Tausworthe64,
}

/// Content of what is written.
#[derive(Debug, Clone, PartialEq)]
pub struct DataOptions {
    /// `refill_buffers`: new random content for every write.
    pub refill_buffers: bool,
    /// `scramble_buffers`: change a little in every write.
    pub scramble_buffers: bool,
    /// `zero_buffers`.
    pub zero_buffers: bool,
    /// `buffer_pattern`.
    pub buffer_pattern: Option<FillPattern>,
    /// `buffer_compress_percentage`.
    pub compress_percentage: Option<u8>,
    /// `buffer_compress_chunk`, in bytes; 0: the block.
    pub compress_chunk: u64,
    /// `dedupe_percentage`.
    pub dedupe_percentage: Option<u8>,
    /// `dedupe_mode`.
    pub dedupe_mode: DedupeMode,
    /// `dedupe_working_set_percentage`: percent of `size`.
    pub dedupe_working_set_percentage: u8,
    /// `dedupe_global`: duplicates are shared between jobs.
    pub dedupe_global: bool,
}

impl Default for DataOptions {
    fn default() -> Self {
        Self {
            refill_buffers: false,
            scramble_buffers: true,
            zero_buffers: false,
            buffer_pattern: None,
            compress_percentage: None,
            compress_chunk: 512,
            dedupe_percentage: None,
            dedupe_mode: DedupeMode::Repeat,
            dedupe_working_set_percentage: 5,
            dedupe_global: false,
        }
    }
}

/// Where duplicates come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DedupeMode {
    /// Earlier writes.
    Repeat,
    /// A fixed set of blocks.
    WorkingSet,
}

/// Bytes that fill a buffer over and over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FillPattern {
    /// The bytes; not empty. Zeros where an offset goes.
    pub bytes: Vec<u8>,
    /// Places of `%o`: 8 bytes from there become the block's offset in the file, little-endian.
    pub offsets: Vec<usize>,
}
