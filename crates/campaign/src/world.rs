//! A world: a simulated device, what disturbs it, and the procedure that measures it.

mod build;
mod draw;

use std::fmt;

use engine::simulated::{
    Bucket, Congestion, DeviceModel, Hdd, LatencyNoise, Medium, NoisyNeighbour, Schedule, Ssd,
    Throttle, ThrottleScope,
};
use record::IoLimit;
use units::{Bytes, BytesPerSecond, Iops};

pub(crate) use draw::worlds;

pub(crate) const CAPACITY: Bytes = Bytes::gib(16);
/// What a limit of a control group names it by.
pub(crate) const DEVICE_NUMBER: &str = "254:0";
const SECOND_NS: u64 = 1_000_000_000;
const MILLISECOND_NS: u64 = 1_000_000;
/// What alternates this fast is one rate.
const FAST_PERIOD_MS: u64 = 200;
/// Noise of one server, below which it is calmer than chance (`analysis::calm`).
const EVEN_BELOW_PERCENT: u32 = 50;
pub(crate) const CROWDED_FACTOR: f64 = 1.5;
const QUOTA_PERIOD_MS: u64 = 100;
/// A control group's limits count anew after this time (`throtl_slice` of the kernel).
const GROUP_SLICE_NS: u64 = 100 * MILLISECOND_NS;

/// The kinds of worlds, in the order in which they take turns.
pub(crate) const KINDS: [&str; 19] = [
    "plain",
    "cap",
    "step",
    "period",
    "ramp",
    "bucket",
    "stall",
    "neighbour",
    "stop",
    "quota",
    "sleep",
    "error",
    "holes",
    "disk",
    "page cache",
    "write cache",
    "two",
    "freeze",
    "group",
];
pub(crate) fn kind_of(number: u64) -> &'static str {
    KINDS[number as usize % KINDS.len()]
}

/// All that decides what a procedure measures.
#[derive(Clone, PartialEq)]
pub(crate) struct SimulatedWorld {
    pub(crate) device: DeviceLaw,
    pub(crate) disturbance: Disturbance,
    pub(crate) procedure: Procedure,
    pub(crate) seed: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Procedure {
    Quick,
    Standard,
    /// A search for the most within this p99, as a multiple of the service time.
    Limit(u32),
    /// A standard check against a promise of random reads, in percent of the ceiling.
    Promise(u32),
    Preset(&'static str),
}

/// Channels in parallel, with random service times, behind a link.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DeviceLaw {
    pub(crate) channels: u32,
    pub(crate) service_us: u64,
    /// Time of a write in percent of that of a read.
    pub(crate) write_percent: u64,
    pub(crate) link_mb: u32,
    /// Standard deviation of the logarithm of service times in percent; above 100: exponential.
    pub(crate) noise_percent: u32,
    /// Requests in the channels from which on each takes half as long again; 0 for none.
    pub(crate) crowded_from: u32,
    /// One arm over one platter, and no channels.
    pub(crate) rotates: bool,
    /// A cap of requests that is there beside any disturbance, in percent of the ceiling; 0 for
    /// none.
    pub(crate) capped_percent: u32,
}

impl DeviceLaw {
    /// Reads per second with every channel busy.
    pub(crate) fn ceiling(&self) -> f64 {
        let channels = if self.rotates { 1 } else { self.channels };
        f64::from(channels) * 1e6 / self.service_us as f64
    }

    /// A single server of constant time is as even as a cap: nobody can tell them apart.
    pub(crate) fn is_even(&self) -> bool {
        self.channels == 1 && self.noise_percent < EVEN_BELOW_PERCENT
    }

    pub(crate) fn percent_of_ceiling(&self, percent: u32) -> f64 {
        (self.ceiling() * f64::from(percent) / 100.0).max(20.0).round()
    }

    /// The cap that is there beside any disturbance.
    fn cap(&self) -> Option<Throttle> {
        let rate = self.percent_of_ceiling(self.capped_percent);
        (self.capped_percent > 0).then(|| Throttle::of_requests(Schedule::constant(rate)))
    }

    pub(crate) fn model(&self) -> DeviceModel {
        let read_ns = self.service_us * 1_000;
        if self.rotates {
            return DeviceModel::new(CAPACITY.0, Medium::Hdd(self.platter()));
        }
        let medium = Medium::Ssd(Ssd {
            channels: self.channels,
            read_ns,
            write_ns: read_ns * self.write_percent / 100,
            bytes_per_second: f64::from(self.link_mb) * 1e6,
            flush_ns: read_ns,
            crowding: (self.crowded_from > 0)
                .then_some(Congestion { beyond: self.crowded_from, factor: CROWDED_FACTOR }),
        });
        let noise = match self.noise_percent {
            percent @ 0..=100 => LatencyNoise::LogNormal(f64::from(percent) / 100.0),
            _ => LatencyNoise::Exponential,
        };
        DeviceModel { noise, ..DeviceModel::new(CAPACITY.0, medium) }
    }

    /// A disk whose random reads take about the service time: a third of it is half a turn.
    fn platter(&self) -> Hdd {
        let service_ns = self.service_us * 1_000;
        let outer = f64::from(self.link_mb) * 1e5;
        Hdd {
            rpm: 60e9 / (service_ns as f64 * 2.0 / 3.0),
            seek_min_ns: service_ns / 12,
            seek_max_ns: service_ns * 3 / 2,
            bytes_per_second_outer: outer,
            bytes_per_second_inner: outer / 2.0,
            ncq: self.channels * 4,
        }
    }
}

/// What disturbs the device. Rates are percents of the device's ceiling of reads.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Disturbance {
    Nothing,
    Cap {
        percent: u32,
        in_bytes: bool,
        scope: ThrottleScope,
        slice_ms: u64,
    },
    /// A limit of a control group that this host shows, of requests of the device into which
    /// longer operations are split.
    Group {
        percent: u32,
        in_bytes: bool,
        scope: ThrottleScope,
        split_kib: u32,
    },
    Step {
        before: u32,
        at_ms: u64,
        after: u32,
    },
    Period {
        high: u32,
        high_ms: u64,
        low: u32,
        low_ms: u64,
    },
    Ramp {
        before: u32,
        start_ms: u64,
        lasts_ms: u64,
        after: u32,
    },
    Bucket {
        burst: u32,
        base: u32,
        lasts_ms: u64,
    },
    Stall {
        every_ms: u64,
        lasts_ms: u64,
    },
    /// The file system is frozen once: writes wait for its end.
    Freeze {
        start_ms: u64,
        lasts_ms: u64,
    },
    Neighbour {
        start_ms: u64,
        lasts_ms: u64,
        every_ms: u64,
        /// What 4 KiB reads of the bytes that it asks for would come to.
        percent: u32,
        length_kib: u32,
    },
    /// The process that measures is stopped; `every_ms` between two stops, 0 for a single one.
    Stop {
        start_ms: u64,
        lasts_ms: u64,
        every_ms: u64,
    },
    /// That process may run for a share of the time, and an operation takes some of that.
    Quota {
        percent: u64,
        operation_us: u64,
    },
    Sleep {
        after_ms: u64,
        wake_ms: u64,
    },
    /// Reads and writes of a place fail, from a time on.
    Error {
        at_percent: u64,
        length: Bytes,
        start_ms: u64,
    },
    /// What is behind a share of the file was never written; reads of that skip the device.
    Holes {
        written_percent: u64,
        read_us: u64,
    },
    /// Reads of the first part come from the memory of the host.
    PageCache {
        cached_percent: u64,
        read_us: u64,
    },
    /// The device takes writes into its memory, and keeps what it reads and writes last.
    WriteCache {
        mib: u64,
        latency_us: u64,
    },
}

impl SimulatedWorld {
    /// The cap in front of the device, where there is one; that of a bucket follows from its use.
    pub(crate) fn throttle(&self) -> Option<Throttle> {
        let rate = |percent| self.device.percent_of_ceiling(percent);
        let ns = |ms: u64| ms * MILLISECOND_NS;
        Some(match self.disturbance {
            Disturbance::Cap { percent, in_bytes, scope, slice_ms } => {
                let unit = if in_bytes { 4096.0 } else { 1.0 };
                let schedule = Schedule::constant(rate(percent) * unit);
                Throttle { schedule, in_bytes, scope, slice_ns: ns(slice_ms) }
            }
            Disturbance::Group { percent, in_bytes, scope, .. } => {
                let unit = if in_bytes { 4096.0 } else { 1.0 };
                let schedule = Schedule::constant(rate(percent) * unit);
                Throttle { schedule, in_bytes, scope, slice_ns: GROUP_SLICE_NS }
            }
            Disturbance::Step { before, at_ms, after } => {
                Throttle::of_requests(Schedule::step(rate(before), ns(at_ms), rate(after)))
            }
            Disturbance::Period { high, high_ms, low, low_ms } => Throttle::of_requests(
                Schedule::period((rate(high), ns(high_ms)), (rate(low), ns(low_ms))),
            ),
            Disturbance::Ramp { before, start_ms, lasts_ms, after } => {
                let span = (ns(start_ms), ns(start_ms + lasts_ms));
                Throttle::of_requests(Schedule::ramp(rate(before), span, rate(after)))
            }
            _ => return None,
        })
    }

    pub(crate) fn bucket(&self) -> Option<Bucket> {
        let Disturbance::Bucket { burst, base, lasts_ms } = self.disturbance else { return None };
        let rate = |percent| self.device.percent_of_ceiling(percent);
        let (burst_iops, iops) = (rate(burst), rate(base));
        let credits = ((burst_iops - iops).max(0.0) * lasts_ms as f64 / 1e3).round();
        Some(Bucket { iops, burst_iops, credits, bytes_per_second: None })
    }

    fn neighbour(&self) -> Option<NoisyNeighbour> {
        let Disturbance::Neighbour { start_ms, lasts_ms, every_ms, percent, length_kib } =
            self.disturbance
        else {
            return None;
        };
        Some(NoisyNeighbour {
            start_ns: start_ms * MILLISECOND_NS,
            every_ns: if every_ms == 0 { 0 } else { (lasts_ms + every_ms) * MILLISECOND_NS },
            lasts_ns: lasts_ms * MILLISECOND_NS,
            iops: self.device.percent_of_ceiling(percent) * 4.0 / f64::from(length_kib),
            length: length_kib << 10,
        })
    }

    /// The overlap of a time with a silence of the device or of the file system above it.
    pub(crate) fn silence_ns(&self, from_ns: u64, to_ns: u64, writes: bool) -> u64 {
        let ns = |ms: u64| ms * MILLISECOND_NS;
        let overlap = |start: u64, end: u64| end.min(to_ns).saturating_sub(start.max(from_ns));
        match self.disturbance {
            // The silence is the end of each period.
            Disturbance::Stall { every_ms, lasts_ms } => {
                let ends = (from_ns / ns(every_ms) + 1)..=(to_ns / ns(every_ms) + 1);
                let of = |number: u64| {
                    let end = number * ns(every_ms);
                    overlap(end.saturating_sub(ns(lasts_ms)), end)
                };
                ends.map(of).sum()
            }
            Disturbance::Freeze { start_ms, lasts_ms } if writes => {
                overlap(ns(start_ms), ns(start_ms + lasts_ms))
            }
            _ => 0,
        }
    }

    /// Whether the same job gets the same at any time.
    pub(crate) fn is_stationary(&self) -> bool {
        match self.disturbance {
            Disturbance::Nothing
            | Disturbance::Cap { .. }
            | Disturbance::Group { .. }
            | Disturbance::Sleep { .. }
            | Disturbance::Error { .. }
            | Disturbance::Holes { .. }
            | Disturbance::PageCache { .. } => true,
            Disturbance::Period { high_ms, low_ms, .. } => high_ms + low_ms <= FAST_PERIOD_MS,
            _ => false,
        }
    }

    /// Whether what is always the same slows a loaded device down.
    pub(crate) fn is_slowed(&self) -> bool {
        use Disturbance::{Error, Holes, PageCache, Sleep};
        let none = matches!(
            self.disturbance,
            Sleep { .. } | Error { .. } | Holes { .. } | PageCache { .. }
        );
        !none
    }

    /// The longest request of the device; 0 where none is split.
    fn split_bytes(&self) -> u32 {
        let Disturbance::Group { split_kib, .. } = self.disturbance else { return 0 };
        split_kib << 10
    }

    /// Requests of the device that an operation of this length becomes.
    pub(crate) fn count_requests(&self, bytes: u64) -> u64 {
        match u64::from(self.split_bytes()) {
            0 => 1,
            longest => bytes.div_ceil(longest),
        }
    }

    /// The limit that this host shows.
    pub(crate) fn shown_limit(&self) -> Option<IoLimit> {
        let Disturbance::Group { in_bytes, scope, .. } = self.disturbance else { return None };
        let rate = self.throttle()?.schedule.rate_at(0);
        let of = |held: bool, is_unit: bool| (held && is_unit).then_some(rate);
        let (reads, writes) = (scope != ThrottleScope::Writes, scope != ThrottleScope::Reads);
        Some(IoLimit {
            cgroup: "/box".to_owned(),
            file: "io.max".to_owned(),
            device: DEVICE_NUMBER.to_owned(),
            device_name: None,
            read_iops: of(reads, !in_bytes).map(Iops),
            write_iops: of(writes, !in_bytes).map(Iops),
            read_bytes: of(reads, in_bytes).map(BytesPerSecond),
            write_bytes: of(writes, in_bytes).map(BytesPerSecond),
            other: None,
        })
    }

    /// Bytes of the target that were never written.
    pub(crate) fn holes(&self) -> Option<Bytes> {
        let Disturbance::Holes { written_percent, .. } = self.disturbance else { return None };
        Some(Bytes(CAPACITY.0 - CAPACITY.0 / 100 * written_percent))
    }
}

impl fmt::Debug for SimulatedWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DeviceLaw { channels, service_us, write_percent, link_mb, .. } = self.device;
        let DeviceLaw { noise_percent, crowded_from, .. } = self.device;
        let what = if self.device.rotates { "a disk, " } else { "" };
        let cap = match self.device.capped_percent {
            0 => String::new(),
            percent => format!(", capped at {percent} %"),
        };
        write!(
            f,
            "{:?} of {what}{channels} channels x {service_us} us (ceiling {:.0}), writes \
             {write_percent} %, link {link_mb} MB/s, noise {noise_percent} %, crowded from \
             {crowded_from}{cap}, {:?}, seed {}",
            self.procedure,
            self.device.ceiling(),
            self.disturbance,
            self.seed
        )?;
        match (self.throttle(), self.bucket()) {
            (Some(throttle), _) => {
                let pieces: Vec<String> = throttle
                    .schedule
                    .pieces
                    .iter()
                    .map(|p| match p.from == p.to {
                        true => format!("{} for {} s", p.from, p.lasts_ns as f64 / 1e9),
                        false => format!("{} to {} in {} s", p.from, p.to, p.lasts_ns as f64 / 1e9),
                    })
                    .collect();
                write!(f, " [{}]", pieces.join(", "))
            }
            (None, Some(bucket)) => write!(
                f,
                " [{} for {} credits, then {}]",
                bucket.burst_iops, bucket.credits, bucket.iops
            ),
            (None, None) => Ok(()),
        }
    }
}

/// Nanoseconds of virtual time in seconds.
pub(crate) fn seconds(ns: u64) -> f64 {
    ns as f64 / SECOND_NS as f64
}
