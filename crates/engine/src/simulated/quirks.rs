//! What a device does beside its model: the habits that make a benchmark's number a lie.
//!
//! A quirk looks at what a request *is* (a block never written, a first touch, a flush) and either
//! serves it beside the medium, or holds its completion back. All are optional and independent.

use super::device_model::{Op, OpKind};
use super::throttle::Throttle;

/// The habits of a device; none by default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Quirks {
    /// The host's memory answers a part of the reads.
    pub page_cache: Option<PageCache>,
    /// Blocks never written are answered without the medium.
    pub unmapped: Option<UnmappedReads>,
    /// The first access of a block fetches it from somewhere slower.
    pub first_touch: Option<FirstTouch>,
    /// Nanoseconds of a flush that ignores what waits to be written.
    pub ignored_flush_ns: Option<u64>,
    /// Writes are fast until a cache in the flash is full.
    pub slc: Option<SlcCache>,
    /// Random writes are slow when the spare blocks are used up.
    pub collection: Option<GarbageCollection>,
    /// The device falls asleep when it is idle.
    pub sleep: Option<IdleSleep>,
    /// Another host uses the medium from time to time.
    pub neighbour: Option<NoisyNeighbour>,
    /// What the bytes are decides how long they take.
    pub content: Option<ContentTimes>,
    /// Places whose reads and writes fail with an I/O error, after their usual time.
    pub bad: Vec<BadRange>,
    /// Caps in front of the device; a request passes all that are about it.
    pub throttles: Vec<Throttle>,
    /// The length of the requests into which longer ones are split before caps and counters see
    /// them; 0 where none are.
    pub split_bytes: u32,
    /// The file system above holds writes back for a time.
    pub freeze: Option<Freeze>,
}

impl Quirks {
    /// Requests of the device that an operation becomes.
    pub(super) fn count_requests(&self, op: &Op) -> u64 {
        match u64::from(self.split_bytes) {
            0 => 1,
            longest => u64::from(op.length).div_ceil(longest).max(1),
        }
    }
}

/// A frozen file system (`fsfreeze`): what would change it waits for the end; reads pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freeze {
    pub start_ns: u64,
    pub lasts_ns: u64,
}

impl Freeze {
    /// When a request that comes at `now_ns` is let through.
    pub(super) fn admit_ns(self, now_ns: u64, op: &Op) -> u64 {
        let since_ns = now_ns.checked_sub(self.start_ns);
        let is_held = op.kind != OpKind::Read && since_ns.is_some_and(|ns| ns < self.lasts_ns);
        if is_held { self.start_ns + self.lasts_ns } else { now_ns }
    }
}

/// A bad place: from a time on, each request that touches it fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadRange {
    pub offset: u64,
    pub length: u64,
    pub from_ns: u64,
}

impl BadRange {
    pub(super) fn fails(self, now_ns: u64, op: &Op) -> bool {
        let end = op.offset.saturating_add(u64::from(op.length));
        let overlaps = op.offset < self.offset.saturating_add(self.length) && self.offset < end;
        overlaps && now_ns >= self.from_ns
    }
}

/// Reads of the first bytes come from the page cache: the device neither serves nor counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageCache {
    pub bytes: u64,
    pub read_ns: u64,
}

impl PageCache {
    pub(super) fn holds(self, op: &Op) -> bool {
        let end = op.offset.saturating_add(u64::from(op.length));
        op.kind == OpKind::Read && end <= self.bytes
    }
}

/// Reads of pages never written are answered from the table of blocks alone; a trim makes
/// unwritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnmappedReads {
    pub read_ns: u64,
    /// Whether the device counts them: a thin volume does; the holes of a file are above it.
    pub is_counted: bool,
    /// Bytes from offset 0 on that count as written from the start.
    pub mapped_bytes: u64,
}

/// The first access of a block waits until it has been fetched, as volumes restored from a snapshot
/// do (Amazon EBS User Guide, "Initialize Amazon EBS volumes"); fetches run side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstTouch {
    /// Bytes fetched at a time; 0 counts as one page.
    pub block_bytes: u64,
    pub fetch_ns: u64,
}

/// A part of the flash that is written with one bit per cell, fast, and emptied in the background.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlcCache {
    pub bytes: u64,
    /// Bytes per second it is emptied at, all the time.
    pub drain_bytes_per_second: f64,
    /// Bytes per second that are written once it is full.
    pub direct_bytes_per_second: f64,
}

/// Garbage collection: after a number of bytes of random writes, each further one shares the flash
/// with the moving of old data. A trim gives back the bytes it covers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GarbageCollection {
    /// Bytes that can be written out of order before it begins.
    pub after_bytes: u64,
    /// Bytes per second of random writes from then on.
    pub bytes_per_second: f64,
}

/// Saving power: after a rest, the next requests wait until the device is awake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdleSleep {
    /// Nanoseconds without a request in flight after which it sleeps.
    pub after_ns: u64,
    pub wake_ns: u64,
}

/// Reads of another host or program during busy times, evenly spaced, at random places.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NoisyNeighbour {
    /// Nanoseconds until the first busy time.
    pub start_ns: u64,
    /// Nanoseconds from the start of one busy time to the next; 0 for a single one.
    pub every_ns: u64,
    /// Nanoseconds of a busy time; as long as `every_ns` is always.
    pub lasts_ns: u64,
    /// Its reads per second while it is busy.
    pub iops: f64,
    pub length: u32,
}

/// Times of requests whose bytes need not go to the medium as they are. None means as usual.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ContentTimes {
    /// Nanoseconds of a request that is all zeros.
    pub zeros_ns: Option<u64>,
    /// Nanoseconds of a request that compresses well.
    pub compressible_ns: Option<u64>,
    /// Nanoseconds of a request whose bytes are stored already, elsewhere.
    pub copy_ns: Option<u64>,
}

impl ContentTimes {
    /// Time of a request with this content that bypasses the medium.
    pub(super) fn served_ns(self, content: Content) -> Option<u64> {
        match content {
            Content::Noise => None,
            Content::Zeros => self.zeros_ns,
            Content::Compressible => self.compressible_ns,
            Content::Copy => self.copy_ns,
        }
    }
}

/// What the bytes of a request are, as far as a device could tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Content {
    /// Nothing that could be made smaller.
    #[default]
    Noise,
    Zeros,
    /// Much smaller when compressed.
    Compressible,
    /// Stored already, at another place.
    Copy,
}
