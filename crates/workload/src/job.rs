//! The job: one workload as it was asked.

use serde::{Deserialize, Serialize};
use units::JsonSchema;
use units::{Bytes, Depth, Nanos, Seed};

use crate::access::{Access, TargetOrder};
use crate::backend::BackendChoice;
use crate::blocks::BlockSizes;
use crate::durability::{DurableWrites, SyncPolicy, TrimKind};
use crate::pacing::{Caps, Pacing, Stop, ThinkTime};
use crate::payload::{Payload, Seal, Verify};
use crate::placement::Placement;

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    Read,
    Write,
    /// A flush of what was written (fsync, fdatasync).
    Sync,
    /// Blocks given back or zeroed.
    Trim,
}

impl Direction {
    /// Every direction, in the order of their discriminants.
    pub const ALL: [Self; 4] = [Self::Read, Self::Write, Self::Sync, Self::Trim];

    /// `read`, `write`, `sync`, `trim`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Sync => "sync",
            Self::Trim => "trim",
        }
    }
}

/// How operations divide into reads, writes and trims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mix {
    /// Reads only.
    Read,
    /// Writes only.
    Write,
    /// Reads and writes by ratio, in a shuffled order with the exact ratio.
    Mixed {
        /// Share of reads among all operations, in percent: 1 to 99.
        read_percent: u8,
    },
    /// Trims only.
    Trim,
    /// Every place first trimmed, then written.
    TrimWrite,
}

impl Mix {
    /// Whether the job changes its target.
    pub const fn writes(self) -> bool {
        !matches!(self, Self::Read)
    }

    /// Whether the job reads from its target.
    pub const fn reads(self) -> bool {
        matches!(self, Self::Read | Self::Mixed { .. })
    }

    /// Whether bytes are sent to the target.
    pub const fn sends_data(self) -> bool {
        matches!(self, Self::Write | Self::Mixed { .. } | Self::TrimWrite)
    }

    /// Whether blocks are given back.
    pub const fn trims(self) -> bool {
        matches!(self, Self::Trim | Self::TrimWrite)
    }
}

/// The part of the target that a job touches; of each target, where there are several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    pub offset: Bytes,
    pub length: Bytes,
}

/// A share of the operations that is sent with a priority of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OperationPriority {
    pub direction: Direction,
    /// Only operations of this size; absent for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Bytes>,
    /// Share of these operations, in percent.
    pub percent: u8,
    /// Class and level, as ioprio_set(2) takes them.
    pub ioprio: u16,
}

/// What an operation's failure does to its job.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnError {
    #[default]
    Stop,
    /// Is counted by its kind; after a number of failures the job ends.
    Continue {
        /// Failures that are accepted.
        most: u64,
    },
    /// Is counted by its kind when it is one of these; any other ends the job.
    ContinueAfter(Vec<Failure>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    pub direction: Direction,
    /// The system's number of the error; a transfer that came short without one counts as `EIO`.
    pub errno: i32,
}

/// The sequence of operations begins anew, as fio's loops do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Repetition {
    /// Bytes after which it does.
    pub after: Bytes,
    /// With the same random numbers, or with others.
    pub same_order: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Job {
    /// Short name, such as `randread-4k-qd1`.
    pub name: String,
    pub access: Access,
    /// Order of the writes of a mix, where it is not that of the reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_access: Option<Box<Access>>,
    /// Reads, writes, trims.
    pub mix: Mix,
    /// Whether reads and writes visit the places each in an order of their own, as in fio; else
    /// they share one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub order_per_direction: bool,
    pub block_size: Bytes,
    #[serde(default, skip_serializing_if = "BlockSizes::is_plain")]
    pub sizes: BlockSizes,
    /// Operations kept outstanding; in an open loop the most that may be.
    pub depth: Depth,
    /// Whether a closed loop takes one completion and starts its successor, by calls of their own,
    /// before it takes the next: the depth is always full, at the price of two calls for each.
    #[serde(default, skip_serializing_if = "is_default")]
    pub one_by_one: bool,
    /// Whether an operation waits while another on the same bytes is outstanding. For interfaces
    /// whose one worker has all operations.
    #[serde(default, skip_serializing_if = "is_default")]
    pub serialize_overlap: bool,
    /// Threads that share the depth on an asynchronous interface: more than one where a single
    /// processor cannot keep the target busy. Blocking interfaces have one per operation anyway.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub workers: u32,
    pub pacing: Pacing,
    #[serde(default, skip_serializing_if = "Caps::is_none")]
    pub caps: Caps,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub think: Option<ThinkTime>,
    /// Durability calls between the writes.
    pub sync: Option<SyncPolicy>,
    /// Durability of every single write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub durable: Option<DurableWrites>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub trim: TrimKind,
    /// Time at the start that is run but not counted.
    pub warm_up: Nanos,
    pub stop: Stop,
    pub span: Span,
    /// Length of the span on each target, where they differ; `span` has the largest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub span_lengths: Vec<Bytes>,
    /// Which of several targets comes next.
    #[serde(default, skip_serializing_if = "is_default")]
    pub targets: TargetOrder,
    /// Operations on a target before the next is chosen.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub target_batch: u32,
    /// Targets in use at a time; the next joins when one is finished. Absent: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_targets: Option<u32>,
    /// How the sequence begins anew before the job ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<Box<Repetition>>,
    pub payload: Payload,
    /// Whether what was written is read back and compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<Verify>,
    /// Whether the first wrong block ends the job.
    #[serde(default, skip_serializing_if = "is_default")]
    pub verify_stops: bool,
    /// How it can be told whether that is what was written.
    #[serde(default, skip_serializing_if = "is_default")]
    pub seal: Seal,
    /// Whether the client changes a byte in each 512 of what it read before the slot's next read,
    /// as hdparm does: a part of what its figures say of memory.
    #[serde(default, skip_serializing_if = "is_default")]
    pub touch: bool,
    /// Whether operations that are under way when the time is up are waited for and counted, with
    /// their time, as a program has it that looks at its clock between operations. Otherwise they
    /// are in no figure.
    #[serde(default, skip_serializing_if = "is_default")]
    pub finish: bool,
    /// Whether the page cache is bypassed (O_DIRECT).
    pub direct: bool,
    /// What offsets, mix and payload follow from.
    pub seed: Seed,
    pub backend: BackendChoice,
    /// What a failing operation does.
    #[serde(default, skip_serializing_if = "is_default")]
    pub on_error: OnError,
    #[serde(default, skip_serializing_if = "is_default")]
    pub placement: Placement,
    /// Operations with a priority of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub priorities: Vec<OperationPriority>,
    /// Length of one interval of the time series.
    pub interval: Nanos,
}

const fn one() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde calls it with a reference
const fn is_one(value: &u32) -> bool {
    *value == 1
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Job {
    /// Random reads of 4 KiB, one at a time, for a second, on the first MiB: what jobs are made
    /// from by struct update, so that a new field does not touch every one of them.
    pub fn base() -> Self {
        Self {
            name: "job".to_owned(),
            access: Access::Random,
            write_access: None,
            mix: Mix::Read,
            block_size: Bytes::kib(4),
            sizes: BlockSizes::default(),
            depth: Depth(1),
            one_by_one: false,
            serialize_overlap: false,
            order_per_direction: false,
            workers: 1,
            pacing: Pacing::Closed,
            caps: Caps::default(),
            think: None,
            sync: None,
            durable: None,
            trim: TrimKind::default(),
            warm_up: Nanos::ZERO,
            stop: Stop::after(Nanos::secs(1)),
            span: Span { offset: Bytes(0), length: Bytes::mib(1) },
            span_lengths: Vec::new(),
            targets: TargetOrder::default(),
            target_batch: 1,
            open_targets: None,
            repeat: None,
            payload: Payload::Unique,
            verify: None,
            verify_stops: false,
            seal: Seal::default(),
            touch: false,
            finish: false,
            direct: true,
            seed: Seed(1),
            backend: BackendChoice::Auto,
            on_error: OnError::default(),
            placement: Placement::default(),
            priorities: Vec::new(),
            interval: Nanos::millis(100),
        }
    }

    /// Whether a block may come again before all others have come once.
    pub fn repeats_blocks(&self) -> bool {
        self.access.repeats_blocks() || self.write_access.is_some()
    }

    /// Number of whole blocks in the span, in units of the smallest place.
    pub fn blocks(&self) -> u64 {
        self.span.length.0.checked_div(self.smallest_place().0).unwrap_or(0)
    }

    /// What every place is a multiple of.
    pub fn smallest_place(&self) -> Bytes {
        self.sizes.grid(self.block_size)
    }

    /// Length of the span on target number `target`.
    pub fn span_length(&self, target: usize) -> Bytes {
        self.span_lengths.get(target).copied().unwrap_or(self.span.length)
    }

    /// Every size of an operation is a multiple of a common divisor of these.
    pub fn data_sizes(&self) -> Vec<Bytes> {
        self.sizes.data_sizes(self.block_size)
    }

    pub fn max_block_size(&self) -> Bytes {
        self.sizes.bounds(self.block_size).1.max(self.block_size)
    }

    /// Whether the plan of starts, not the completions, sets the pace.
    pub const fn is_open_loop(&self) -> bool {
        matches!(self.pacing, Pacing::Open { .. })
    }
}
