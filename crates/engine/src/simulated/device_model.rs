//! The model of a simulated device: every number that decides when a request completes.
//!
//! Rates that are not positive and finite mean "no limit"; times of zero count as one nanosecond
//! where the clock would otherwise stand still.

/// Bytes in a page: the grain of channel choice and of the cache.
pub const PAGE_BYTES: u64 = 4096;

/// Everything that decides how a simulated device behaves, apart from its seed.
///
/// A stall stops the cache and the medium, while the bucket goes on refilling.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceModel {
    /// Size of the device in bytes. Only a disk's geometry depends on it.
    pub capacity: u64,
    pub medium: Medium,
    pub cache: Option<Cache>,
    /// A limit on admission in front of everything else.
    pub bucket: Option<Bucket>,
    pub stall: Option<Stall>,
    /// How service times of the medium differ; not transfers on a shared link, nor a cache's
    /// latency.
    pub noise: LatencyNoise,
}

impl DeviceModel {
    /// A model of its medium alone, without noise.
    pub const fn new(capacity: u64, medium: Medium) -> Self {
        let noise = LatencyNoise::None;
        Self { capacity, medium, cache: None, bucket: None, stall: None, noise }
    }
}

/// How service times differ, by a factor with mean one.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum LatencyNoise {
    /// All are the same.
    #[default]
    None,
    /// Log-normal, with this standard deviation of the logarithm.
    LogNormal(f64),
    /// Exponential: a server with a queue then is M/M/1 under Poisson arrivals.
    Exponential,
}

/// What too many requests at once do: they cost each other time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Congestion {
    /// Up to this many at once are served as one alone.
    pub beyond: u32,
    /// With more outstanding, the service time of each new one is multiplied by this.
    pub factor: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Medium {
    /// Memory: any number of requests are served side by side and share only the bandwidth.
    Ram {
        /// Nanoseconds per request, before its transfer.
        service_ns: u64,
        /// Bandwidth that all requests share, in bytes per second.
        bytes_per_second: f64,
    },
    /// Solid state: channels in parallel behind one link.
    Ssd(Ssd),
    /// A rotating disk with one head.
    Hdd(Hdd),
}

/// Solid state: a request queues first in, first out at the channel that a hash of its first 4 KiB
/// page number names, and then for its turn on the shared link.
#[derive(Debug, Clone, PartialEq)]
pub struct Ssd {
    /// Servers in parallel; 0 counts as 1.
    pub channels: u32,
    /// Nanoseconds a read holds its channel, whatever its length.
    pub read_ns: u64,
    /// Nanoseconds a write or a trim holds its channel, whatever its length.
    pub write_ns: u64,
    /// Rate of the shared bus or link, in bytes per second; transfers take turns on it.
    pub bytes_per_second: f64,
    /// Nanoseconds a flush takes once every earlier write has left its channel.
    pub flush_ns: u64,
    /// What too many requests at once do.
    pub crowding: Option<Congestion>,
}

impl Ssd {
    /// A plain device to start from.
    pub const FLASH: Self = Self {
        channels: 4,
        read_ns: 100_000,
        write_ns: 100_000,
        bytes_per_second: 1e9,
        flush_ns: 100_000,
        crowding: None,
    };
}

/// A rotating disk without a write cache of its own (add a [`Cache`] for one). Byte offset 0 is at
/// the outer edge; seek distance is a share of the stroke, taken as the share of the capacity.
#[derive(Debug, Clone, PartialEq)]
pub struct Hdd {
    pub rpm: f64,
    /// Nanoseconds of a seek from one track to the next.
    pub seek_min_ns: u64,
    /// Nanoseconds of a seek over the full stroke.
    pub seek_max_ns: u64,
    /// Media rate at offset 0, in bytes per second.
    pub bytes_per_second_outer: f64,
    /// Media rate at the last byte; between the two it changes linearly with the offset.
    pub bytes_per_second_inner: f64,
    /// Requests the drive sorts among, shortest positioning time first; 0 and 1 mean none.
    pub ncq: u32,
}

/// A cache of least recently used 4 KiB pages, filled by reads that miss and by writes. With
/// `write_back`, up to `bytes` of written data wait to drain; a write that finds no room waits.
/// Rewrites of a waiting page are not merged.
#[derive(Debug, Clone, PartialEq)]
pub struct Cache {
    /// Room for cached pages and, with `write_back`, the bound on data that waits to drain.
    pub bytes: u64,
    /// Nanoseconds of a read hit and of a write that is taken into the cache; longer only where
    /// the transfers of several together exceed 16 GB/s.
    pub latency_ns: u64,
    /// Whether writes complete before the medium has them.
    pub write_back: bool,
}

/// A token bucket as cloud volumes have it: reads and writes each take one credit. A saturated
/// volume runs at `burst_iops` for `credits / (burst_iops - iops)` seconds, then at `iops`.
#[derive(Debug, Clone, PartialEq)]
pub struct Bucket {
    /// Credits gained per second; not positive means no limit on operations.
    pub iops: f64,
    /// Most operations admitted per second while credits last; below `iops` it counts as `iops`.
    pub burst_iops: f64,
    /// Credits at the start and the most that are kept, in operations; at least one is kept.
    pub credits: f64,
    /// Most bytes admitted per second.
    pub bytes_per_second: Option<f64>,
}

/// Periodic pauses: the last `lasts_ns` of every `every_ns` nanoseconds; 0 means none. Nothing
/// completes in a pause, and work in progress goes on after it where it stood.
#[derive(Debug, Clone, PartialEq)]
pub struct Stall {
    /// Nanoseconds from the start of one pause to the start of the next.
    pub every_ns: u64,
    pub lasts_ns: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpKind {
    Read,
    Write,
    /// Make every earlier write durable; offset and length do not matter.
    Flush,
    /// Discard `length` bytes; nothing is transferred.
    Trim,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Op {
    pub kind: OpKind,
    pub offset: u64,
    pub length: u32,
}

impl Op {
    /// Bytes the request moves between host and medium.
    pub(super) fn moved_bytes(&self) -> u32 {
        match self.kind {
            OpKind::Read | OpKind::Write => self.length,
            OpKind::Flush | OpKind::Trim => 0,
        }
    }

    /// Numbers of the pages the request touches.
    pub(super) fn pages(&self) -> std::ops::RangeInclusive<u64> {
        let last = self.offset.saturating_add(u64::from(self.length.max(1)) - 1);
        self.offset / PAGE_BYTES..=last / PAGE_BYTES
    }
}

/// Nanoseconds per unit of a rate per second; zero, hence no limit, unless it is positive.
pub(super) fn ns_per_unit(per_second: f64) -> f64 {
    if per_second.is_finite() && per_second > 0.0 { 1e9 / per_second } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_touches_every_page_from_its_first_to_its_last_byte() {
        let op = |offset, length| Op { kind: OpKind::Read, offset, length };
        assert_eq!(op(0, 4096).pages(), 0..=0);
        assert_eq!(op(4095, 2).pages(), 0..=1);
        assert_eq!(op(8192, 0).pages(), 2..=2);
        assert_eq!(op(u64::MAX, 10).pages(), u64::MAX / 4096..=u64::MAX / 4096);
    }

    #[test]
    fn rates_that_are_not_positive_mean_no_limit() {
        assert_eq!(ns_per_unit(1e9), 1.0);
        for rate in [0.0, -5.0, f64::NAN, f64::INFINITY] {
            assert_eq!(ns_per_unit(rate), 0.0);
        }
    }
}
