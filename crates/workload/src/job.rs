//! The job: target part, access pattern, block size, depth, pacing, stop condition.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use units::{Bytes, Depth, Nanos, Seed};

/// The kind of one operation.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Bytes from the target.
    Read,
    /// Bytes to the target.
    Write,
    /// A flush of what was written (fsync, fdatasync).
    Sync,
}

impl Direction {
    /// Every direction, in the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Sync];

    /// `read`, `write`, `sync`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Sync => "sync",
        }
    }
}

/// In which order the blocks of the span are visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Ascending, from the start of the span, over and over.
    Sequential,
    /// In an order that follows from the seed; every block exactly once per pass.
    Random,
}

/// How operations divide into reads and writes.
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
}

impl Mix {
    /// Whether the job writes to its target.
    #[must_use]
    pub const fn writes(self) -> bool {
        !matches!(self, Self::Read)
    }

    /// Whether the job reads from its target.
    #[must_use]
    pub const fn reads(self) -> bool {
        !matches!(self, Self::Write)
    }
}

/// When the next operation starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pacing {
    /// Closed loop: a new operation for each that completes.
    Closed,
    /// One operation at a time, started at fixed intervals, with an idle target between them.
    Spaced {
        /// From one start to the next.
        interval: Nanos,
    },
}

/// Which call makes written data durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SyncKind {
    /// fsync(2): data and all metadata.
    Fsync,
    /// fdatasync(2): data and what is needed to find it again.
    Fdatasync,
}

/// A durability call after every so many writes, timed on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SyncPolicy {
    /// The call.
    pub kind: SyncKind,
    /// After each so many writes; at least 1.
    pub every: u32,
}

/// When a job ends: at whichever of these comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stop {
    /// After this time of measuring; warm-up does not count.
    pub time: Option<Nanos>,
    /// After this many bytes, warm-up included.
    pub bytes: Option<Bytes>,
    /// After this many operations, warm-up included.
    pub operations: Option<u64>,
}

impl Stop {
    /// Ends after `time` of measuring.
    #[must_use]
    pub const fn after(time: Nanos) -> Self {
        Self { time: Some(time), bytes: None, operations: None }
    }
}

/// The part of the target that a job touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    /// First byte.
    pub offset: Bytes,
    /// Length.
    pub length: Bytes,
}

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Payload {
    /// Incompressible bytes; every 512-byte sector ever written is unique.
    Unique,
}

/// Through which kernel interface the engine works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BackendChoice {
    /// io_uring where the kernel allows it, else threads.
    Auto,
    /// io_uring or an error.
    IoUring,
    /// One thread per outstanding operation, each with preadv2/pwritev2.
    Threads,
}

/// One workload as asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Job {
    /// Short name, such as `randread-4k-qd1`.
    pub name: String,
    /// Order of the blocks.
    pub access: Access,
    /// Reads, writes or both.
    pub mix: Mix,
    /// Bytes per operation.
    pub block_size: Bytes,
    /// Operations kept outstanding.
    pub depth: Depth,
    /// When the next one starts.
    pub pacing: Pacing,
    /// Durability calls between the writes.
    pub sync: Option<SyncPolicy>,
    /// Time at the start that is run but not counted.
    pub warm_up: Nanos,
    /// When it ends.
    pub stop: Stop,
    /// Where on the target.
    pub span: Span,
    /// What is written.
    pub payload: Payload,
    /// Whether the page cache is bypassed (O_DIRECT).
    pub direct: bool,
    /// What offsets, mix and payload follow from.
    pub seed: Seed,
    /// Kernel interface.
    pub backend: BackendChoice,
    /// Length of one interval of the time series.
    pub interval: Nanos,
}

/// What a target demands of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Size of the target in bytes.
    pub size: Bytes,
    /// Alignment that direct I/O needs for offsets and lengths.
    pub offset_align: Bytes,
    /// Whether the target was opened for writing.
    pub writable: bool,
}

/// Two parts of a job, or a job and its target, that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("job '{job}': {conflict}")]
pub struct JobError {
    /// Name of the job.
    pub job: String,
    /// Both sides of the contradiction.
    pub conflict: String,
}

/// The deepest queue that is accepted: io_uring's largest submission ring.
const DEPTH_MAX: u32 = 32_768;

impl Job {
    /// Number of whole blocks in the span.
    #[must_use]
    pub const fn blocks(&self) -> u64 {
        match self.block_size.0 {
            0 => 0,
            size => self.span.length.0 / size,
        }
    }

    /// Checks the job against itself and against what its target demands.
    ///
    /// # Errors
    /// The first contradiction, naming both sides.
    pub fn validate(&self, limits: &Limits) -> Result<(), JobError> {
        match self.conflict(limits) {
            None => Ok(()),
            Some(conflict) => Err(JobError { job: self.name.clone(), conflict }),
        }
    }

    fn conflict(&self, limits: &Limits) -> Option<String> {
        self.shape_conflict().or_else(|| self.target_conflict(limits))
    }

    fn shape_conflict(&self) -> Option<String> {
        if self.block_size.0 == 0 {
            return Some("the block size is 0".to_owned());
        }
        if self.depth.0 == 0 || self.depth.0 > DEPTH_MAX {
            return Some(format!("depth {} is outside 1 to {DEPTH_MAX}", self.depth));
        }
        if let Mix::Mixed { read_percent } = self.mix
            && !(1..=99).contains(&read_percent)
        {
            return Some(format!("a mix of {read_percent} % reads is no mix; use 1 to 99"));
        }
        if let Some(sync) = self.sync {
            if !self.mix.writes() {
                return Some("it syncs but writes nothing".to_owned());
            }
            if sync.every == 0 {
                return Some("a sync after every 0 writes".to_owned());
            }
            if self.depth.0 > 1 {
                return Some(format!(
                    "a sync orders the writes of one client, but the depth is {}",
                    self.depth
                ));
            }
        }
        if let Pacing::Spaced { interval } = self.pacing {
            if self.depth.0 > 1 {
                return Some(format!(
                    "spaced requests are one at a time, but the depth is {}",
                    self.depth
                ));
            }
            if interval == Nanos::ZERO {
                return Some("spaced requests with an interval of 0".to_owned());
            }
        }
        let Stop { time, bytes, operations } = self.stop;
        if time.is_none() && bytes.is_none() && operations.is_none() {
            return Some("nothing ends it: no time, no bytes, no operations".to_owned());
        }
        if time == Some(Nanos::ZERO) || bytes == Some(Bytes(0)) || operations == Some(0) {
            return Some("it ends before it starts".to_owned());
        }
        (self.interval < Nanos::millis(1))
            .then(|| format!("intervals of {} are shorter than 1 ms", self.interval))
    }

    fn target_conflict(&self, limits: &Limits) -> Option<String> {
        let Span { offset, length } = self.span;
        if length < self.block_size {
            return Some(format!(
                "the span of {length} is smaller than a block of {}",
                self.block_size
            ));
        }
        if offset.0.checked_add(length.0).is_none_or(|end| end > limits.size.0) {
            return Some(format!(
                "the span ends at {}, the target at {}",
                Bytes(offset.0.saturating_add(length.0)),
                limits.size
            ));
        }
        if self.mix.writes() && !limits.writable {
            return Some("it writes, but the target is open for reading only".to_owned());
        }
        let align = limits.offset_align.0.max(1);
        let unaligned = |bytes: Bytes| !bytes.0.is_multiple_of(align);
        (self.direct && (unaligned(self.block_size) || unaligned(offset))).then(|| {
            format!(
                "direct I/O on this target needs multiples of {}, but the block size is {} and \
                 the span starts at {}",
                limits.offset_align, self.block_size, offset.0
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> Job {
        Job {
            name: "test".to_owned(),
            access: Access::Random,
            mix: Mix::Read,
            block_size: Bytes::kib(4),
            depth: Depth(1),
            pacing: Pacing::Closed,
            sync: None,
            warm_up: Nanos::ZERO,
            stop: Stop::after(Nanos::secs(1)),
            span: Span { offset: Bytes(0), length: Bytes::mib(1) },
            payload: Payload::Unique,
            direct: true,
            seed: Seed(1),
            backend: BackendChoice::Auto,
            interval: Nanos::millis(100),
        }
    }

    const LIMITS: Limits = Limits { size: Bytes::mib(1), offset_align: Bytes(512), writable: true };

    #[test]
    fn a_sound_job_is_accepted() {
        job().validate(&LIMITS).unwrap();
    }

    #[test]
    fn contradictions_are_refused_and_both_sides_named() {
        let check = |spoil: &dyn Fn(&mut Job, &mut Limits), expected: &str| {
            let (mut job, mut limits) = (job(), LIMITS);
            spoil(&mut job, &mut limits);
            let error = job.validate(&limits).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check(&|j, _| j.block_size = Bytes(0), "block size is 0");
        check(&|j, _| j.depth = Depth(0), "depth 0");
        check(&|j, _| j.mix = Mix::Mixed { read_percent: 100 }, "100 % reads is no mix");
        let sync = Some(SyncPolicy { kind: SyncKind::Fdatasync, every: 1 });
        check(&|j, _| j.sync = sync, "syncs but writes nothing");
        check(
            &|j, _| (j.sync, j.mix, j.depth) = (sync, Mix::Write, Depth(4)),
            "one client, but the depth is 4",
        );
        check(
            &|j, _| {
                j.pacing = Pacing::Spaced { interval: Nanos::millis(1) };
                j.depth = Depth(2);
            },
            "one at a time, but the depth is 2",
        );
        check(&|j, _| j.stop.time = None, "nothing ends it");
        check(&|j, _| j.stop.time = Some(Nanos::ZERO), "before it starts");
        check(&|j, _| j.span.length = Bytes(2048), "smaller than a block");
        check(&|j, _| j.span.offset = Bytes(4096), "the target at 1 MiB");
        check(&|j, _| j.span.offset = Bytes(u64::MAX), "the target at 1 MiB");
        check(&|j, l| (j.mix, l.writable) = (Mix::Write, false), "open for reading only");
        check(&|_, l| l.offset_align = Bytes(8192), "needs multiples of 8 KiB");
    }
}
