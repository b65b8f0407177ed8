//! What is written, and how it is checked.

use serde::{Deserialize, Serialize};
use units::JsonSchema;
use units::Seed;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Payload {
    /// Incompressible bytes; every 512-byte sector ever written is unique.
    Unique,
    /// One incompressible buffer per outstanding operation, written again and again: what a device
    /// can compress or deduplicate.
    Repeated {
        /// Each sector gets its offset and the time of the write, 24 bytes, as fio's default does.
        scrambled: bool,
    },
    Zero,
    /// Zeros that the client reads from `/dev/zero` before each write, into one buffer of the slot,
    /// as `dd if=/dev/zero` does: a part of what its figures say of memory.
    DevZero,
    /// The same bytes over and over.
    Pattern {
        /// The pattern; at least one byte.
        bytes: Vec<u8>,
    },
    /// Unique blocks that a compressor makes smaller.
    Compressible {
        /// What it saves, in percent: 0 to 100.
        percent: u8,
    },
    /// Incompressible blocks of which some are copies of others.
    Dedupable {
        /// Share of the blocks that are copies, in percent: 0 to 100.
        percent: u8,
    },
    /// Blocks of which some are copies of others, and all of which a compressor makes smaller.
    DedupableCompressible {
        /// Share of the blocks that are copies, in percent: 0 to 100.
        copies_percent: u8,
        /// What a compressor saves of each, in percent: 0 to 100.
        compressible_percent: u8,
    },
    /// Blocks of which some are copies of the first ones that the worker wrote.
    WorkingSet {
        /// Share of the blocks that are copies, in percent: 0 to 100.
        copies_percent: u8,
        /// Blocks that are copied, equally likely; at least 1.
        blocks: u64,
        /// What a compressor saves of each block, in percent: 0 to 100.
        compressible_percent: u8,
        /// The set has blocks of other jobs, too.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shared: Option<SharedSet>,
    },
}

/// A working set of several jobs: each has the same part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SharedSet {
    pub seed: Seed,
    /// Number of the job among those that share, from 0.
    pub job: u64,
    /// At least 1.
    pub jobs: u64,
}

impl Payload {
    pub(crate) fn conflict(&self) -> Option<String> {
        match self {
            Self::Unique | Self::Repeated { .. } | Self::Zero | Self::DevZero => None,
            Self::Pattern { bytes } => bytes.is_empty().then(|| "an empty pattern".to_owned()),
            Self::Compressible { percent } | Self::Dedupable { percent } => {
                (*percent > 100).then(|| format!("a payload of {percent} %"))
            }
            Self::WorkingSet { blocks: 0, .. } => Some("a working set of no blocks".to_owned()),
            Self::DedupableCompressible { copies_percent, compressible_percent }
            | Self::WorkingSet { copies_percent, compressible_percent, .. } => {
                let percent = (*copies_percent).max(*compressible_percent);
                (percent > 100).then(|| format!("a payload of {percent} %"))
            }
        }
    }
}

/// When written blocks are read back and compared. Every block is sealed as [`Seal`] says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verify {
    /// After a number of writes, those.
    Batches {
        /// 1: each at once.
        writes: u32,
    },
    AtEnd,
    /// Nothing is written: the job reads what an earlier one with the same seal wrote.
    Earlier,
    /// Written blocks are sealed, and read back by a later job.
    SealOnly,
}

/// How a written block can be told from any other when it is read back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Seal {
    pub method: SealMethod,
    pub layout: SealLayout,
    /// Bytes from one header of a block to the next; 0: one header per block.
    pub interval: u32,
    /// How far a header lies from the start of its interval, in bytes.
    pub header_offset: u32,
    /// What fills the rest; empty: noise that follows from the header.
    pub pattern: Vec<u8>,
    /// Where in the pattern the offset of the block stands, in 8 bytes each.
    pub pattern_offsets: Vec<u32>,
    /// Bytes of a block after which the pattern starts again; 0: never.
    pub pattern_interval: u32,
    /// Seed of the blocks; absent: the job's.
    pub seed: Option<u64>,
    /// Writes of earlier jobs on the same blocks: the numbers go on from there.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub writes_before: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde calls it with a reference
const fn is_zero(value: &u64) -> bool {
    *value == 0
}

/// Headers and checksums on the target.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SealLayout {
    /// The layout of this program: names the write that a block is of, and covers every byte.
    #[default]
    Own,
    /// The layout of fio 3.33, for data that fio wrote or is to verify.
    Fio,
    /// The layout of fio 3.41, whose headers have a version.
    Fio341,
}

impl SealLayout {
    pub const fn is_fio(self) -> bool {
        matches!(self, Self::Fio | Self::Fio341)
    }
}

/// How a block proves that it is what was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SealMethod {
    /// CRC-32C by the processor's own instruction.
    #[default]
    Crc32c,
    /// CRC-32 of Ethernet.
    Crc32,
    /// CRC-16/ARC.
    Crc16,
    /// CRC-64/XZ.
    Crc64,
    /// CRC-7 of SD cards: 1 of 128 damages goes unseen.
    Crc7,
    Md5,
    Sha1,
    Sha224,
    Sha256,
    Sha512,
    /// XXH64.
    XxHash,
    /// A header without a checksum of the body, which may be anything.
    Meta,
    /// The whole block is the pattern, without a header.
    Pattern,
    /// A header, and the rest is the pattern, compared byte by byte.
    PatternHeader,
    /// Nothing is checked.
    Null,
    Sha3_224,
    Sha3_256,
    Sha3_384,
    Sha3_512,
}

impl SealMethod {
    /// All of them by their code, with fio's name of each in `verify=`.
    pub const NAMES: [(Self, &str); 19] = [
        (Self::Crc32c, "crc32c"),
        (Self::Crc32, "crc32"),
        (Self::Crc16, "crc16"),
        (Self::Crc64, "crc64"),
        (Self::Crc7, "crc7"),
        (Self::Md5, "md5"),
        (Self::Sha1, "sha1"),
        (Self::Sha224, "sha224"),
        (Self::Sha256, "sha256"),
        (Self::Sha512, "sha512"),
        (Self::XxHash, "xxhash"),
        (Self::Meta, "meta"),
        (Self::Pattern, "pattern"),
        (Self::PatternHeader, "pattern_hdr"),
        (Self::Null, "null"),
        (Self::Sha3_224, "sha3-224"),
        (Self::Sha3_256, "sha3-256"),
        (Self::Sha3_384, "sha3-384"),
        (Self::Sha3_512, "sha3-512"),
    ];

    /// Its number in headers on disk, for ever: its place in [`Self::NAMES`], from 1.
    pub const fn code(self) -> u8 {
        self as u8 + 1
    }

    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize].1
    }

    /// Whether intervals have a header.
    pub const fn has_header(self) -> bool {
        !matches!(self, Self::Pattern | Self::Null)
    }
}
