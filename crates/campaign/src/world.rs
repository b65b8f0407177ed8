//! A world: a simulated device, what disturbs it, and the procedure that measures it.

use std::fmt;

use engine::SimulatedDevice;
use engine::simulated::{
    BadRange, Bucket, Congestion, DeviceModel, IdleSleep, LatencyNoise, Medium, NoisyNeighbour,
    ProcessQuota, ProcessStops, Quirks, Schedule, Ssd, Stall, Throttle, ThrottleScope,
};
use proptest::prelude::*;
use units::Bytes;

pub(crate) const CAPACITY: Bytes = Bytes::gib(16);
const SECOND_NS: u64 = 1_000_000_000;
const MILLISECOND_NS: u64 = 1_000_000;
/// What alternates this fast is one rate.
const FAST_PERIOD_MS: u64 = 200;
/// Noise of one server, below which it is calmer than chance (`analysis::calm`).
const EVEN_BELOW_PERCENT: u32 = 50;
const CROWDED_FACTOR: f64 = 1.5;
const QUOTA_PERIOD_MS: u64 = 100;

/// The kinds of worlds, in the order in which they take turns.
pub(crate) const KINDS: [&str; 12] = [
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
];
/// Of random and sequential reads and writes, without page cache and small files.
const PRESETS: [&str; 4] = ["vps", "web-server", "oltp", "gnome-disks"];

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
}

impl DeviceLaw {
    /// Reads per second with every channel busy.
    pub(crate) fn ceiling(&self) -> f64 {
        f64::from(self.channels) * 1e6 / self.service_us as f64
    }

    /// A single server of constant time is as even as a cap: nobody can tell them apart.
    pub(crate) fn is_even(&self) -> bool {
        self.channels == 1 && self.noise_percent < EVEN_BELOW_PERCENT
    }

    pub(crate) fn percent_of_ceiling(&self, percent: u32) -> f64 {
        (self.ceiling() * f64::from(percent) / 100.0).max(20.0).round()
    }

    pub(crate) fn model(&self) -> DeviceModel {
        let read_ns = self.service_us * 1_000;
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
    Neighbour {
        start_ms: u64,
        lasts_ms: u64,
        every_ms: u64,
        percent: u32,
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
    /// Reads and writes of a place fail.
    Error {
        at_percent: u64,
        length: Bytes,
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
        let Disturbance::Neighbour { start_ms, lasts_ms, every_ms, percent } = self.disturbance
        else {
            return None;
        };
        Some(NoisyNeighbour {
            start_ns: start_ms * MILLISECOND_NS,
            every_ns: if every_ms == 0 { 0 } else { (lasts_ms + every_ms) * MILLISECOND_NS },
            lasts_ns: lasts_ms * MILLISECOND_NS,
            iops: self.device.percent_of_ceiling(percent),
            length: 4096,
        })
    }

    /// Whether the same job gets the same at any time.
    pub(crate) fn is_stationary(&self) -> bool {
        match self.disturbance {
            Disturbance::Nothing
            | Disturbance::Cap { .. }
            | Disturbance::Sleep { .. }
            | Disturbance::Error { .. } => true,
            Disturbance::Period { high_ms, low_ms, .. } => high_ms + low_ms <= FAST_PERIOD_MS,
            _ => false,
        }
    }

    /// Whether what is always the same slows a loaded device down.
    pub(crate) fn is_slowed(&self) -> bool {
        !matches!(self.disturbance, Disturbance::Sleep { .. } | Disturbance::Error { .. })
    }

    /// The device alone, behind a cap of requests that does not change.
    pub(crate) fn build_capped_device(&self, iops: f64, seed: u64) -> SimulatedDevice {
        let throttles = vec![Throttle::of_requests(Schedule::constant(iops))];
        let quirks = Quirks { throttles, ..Quirks::default() };
        SimulatedDevice::with_quirks(self.device.model(), quirks, seed)
    }

    /// The device, with or without what disturbs it.
    pub(crate) fn build_device(&self, disturbed: bool, seed: u64) -> SimulatedDevice {
        let mut model = self.device.model();
        let mut quirks = Quirks::default();
        if disturbed {
            if let Disturbance::Stall { every_ms, lasts_ms } = self.disturbance {
                let (every_ns, lasts_ns) = (every_ms * MILLISECOND_NS, lasts_ms * MILLISECOND_NS);
                model.stall = Some(Stall { every_ns, lasts_ns });
            }
            model.bucket = self.bucket();
            quirks.throttles.extend(self.throttle());
            quirks.neighbour = self.neighbour();
        }
        match disturbed {
            true => {
                self.add_quirks(&mut quirks);
                let device = SimulatedDevice::with_quirks(model, quirks, seed);
                device.measured_by(self.stops(), self.quota())
            }
            false => SimulatedDevice::with_quirks(model, quirks, seed),
        }
    }

    fn add_quirks(&self, quirks: &mut Quirks) {
        match self.disturbance {
            Disturbance::Sleep { after_ms, wake_ms } => {
                let (after_ns, wake_ns) = (after_ms * MILLISECOND_NS, wake_ms * MILLISECOND_NS);
                quirks.sleep = Some(IdleSleep { after_ns, wake_ns });
            }
            Disturbance::Error { at_percent, length } => {
                let offset = CAPACITY.0 / 100 * at_percent;
                quirks.bad.push(BadRange { offset, length: length.0 });
            }
            _ => {}
        }
    }

    /// When the process that measures is stopped.
    pub(crate) fn stops(&self) -> Option<ProcessStops> {
        let Disturbance::Stop { start_ms, lasts_ms, every_ms } = self.disturbance else {
            return None;
        };
        Some(ProcessStops {
            start_ns: start_ms * MILLISECOND_NS,
            every_ns: if every_ms == 0 { 0 } else { (lasts_ms + every_ms) * MILLISECOND_NS },
            lasts_ns: lasts_ms * MILLISECOND_NS,
        })
    }

    fn quota(&self) -> Option<ProcessQuota> {
        let Disturbance::Quota { percent, operation_us } = self.disturbance else { return None };
        Some(ProcessQuota {
            period_ns: QUOTA_PERIOD_MS * MILLISECOND_NS,
            quota_ns: QUOTA_PERIOD_MS * MILLISECOND_NS / 100 * percent,
            operation_ns: operation_us * 1_000,
        })
    }
}

impl fmt::Debug for SimulatedWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DeviceLaw { channels, service_us, write_percent, link_mb, .. } = self.device;
        let DeviceLaw { noise_percent, crowded_from, .. } = self.device;
        write!(
            f,
            "{:?} of {channels} channels x {service_us} us (ceiling {:.0}), writes {write_percent} \
             %, link {link_mb} MB/s, noise {noise_percent} %, crowded from {crowded_from}, {:?}, \
             seed {}",
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

fn devices() -> impl Strategy<Value = DeviceLaw> {
    let crowded_from = prop_oneof![3 => Just(0_u32), 1 => 8..=64_u32];
    let numbers = (1..=12_u32, 0..=12_i32, 30..=150_u64, 200..=2000_u32, 5..=120_u32, crowded_from);
    numbers.prop_map(|(channels, quarters, write_percent, link_mb, noise_percent, crowded_from)| {
        let service_us = (300.0 * (f64::from(quarters) / 4.0).exp2()).round() as u64;
        DeviceLaw { channels, service_us, write_percent, link_mb, noise_percent, crowded_from }
    })
}

fn procedures() -> impl Strategy<Value = Procedure> {
    prop_oneof![
        12 => Just(Procedure::Quick),
        5 => Just(Procedure::Standard),
        3 => (4..=40_u32).prop_map(Procedure::Limit),
        1 => (5..=150_u32).prop_map(Procedure::Promise),
        1 => proptest::sample::select(&PRESETS[..]).prop_map(Procedure::Preset),
    ]
}

fn disturbances(kind: &str) -> BoxedStrategy<Disturbance> {
    let time = 1_000..30_000_u64;
    match kind {
        "cap" => {
            let scope = prop_oneof![
                2 => Just(ThrottleScope::Both),
                1 => Just(ThrottleScope::Reads),
                1 => Just(ThrottleScope::Writes),
            ];
            (10..=90_u32, any::<bool>(), scope, prop_oneof![Just(0_u64), Just(100)])
                .prop_map(|(percent, in_bytes, scope, slice_ms)| Disturbance::Cap {
                    percent,
                    in_bytes,
                    scope,
                    slice_ms,
                })
                .boxed()
        }
        "step" => (30..=300_u32, time, 5..=100_u32)
            .prop_map(|(before, at_ms, after)| Disturbance::Step { before, at_ms, after })
            .boxed(),
        "period" => {
            let time = || prop_oneof![20..=100_u64, 1_000..8_000_u64];
            (40..=200_u32, time(), 5..=60_u32, time())
                .prop_map(|(high, high_ms, low, low_ms)| Disturbance::Period {
                    high,
                    high_ms,
                    low,
                    low_ms,
                })
                .boxed()
        }
        "ramp" => (50..=150_u32, 0..10_000_u64, time, 5..=100_u32)
            .prop_map(|(before, start_ms, lasts_ms, after)| Disturbance::Ramp {
                before,
                start_ms,
                lasts_ms,
                after,
            })
            .boxed(),
        "bucket" => (40..=120_u32, 5..=60_u32, time)
            .prop_map(|(burst, base, lasts_ms)| Disturbance::Bucket { burst, base, lasts_ms })
            .boxed(),
        "stall" => (1_000..8_000_u64, 150..900_u64)
            .prop_map(|(every_ms, lasts_ms)| Disturbance::Stall { every_ms, lasts_ms })
            .boxed(),
        "neighbour" => {
            let every = prop_oneof![Just(0_u64), 1_000..10_000_u64];
            (0..12_000_u64, 1_000..15_000_u64, every, 10..=90_u32)
                .prop_map(|(start_ms, lasts_ms, every_ms, percent)| Disturbance::Neighbour {
                    start_ms,
                    lasts_ms,
                    every_ms,
                    percent,
                })
                .boxed()
        }
        _ => odd_disturbances(kind),
    }
}

/// Of the process that measures, of rests, and of errors.
fn odd_disturbances(kind: &str) -> BoxedStrategy<Disturbance> {
    match kind {
        "stop" => {
            let every = prop_oneof![Just(0_u64), 1_000..10_000_u64];
            (500..12_000_u64, 90..2_000_u64, every)
                .prop_map(|(start_ms, lasts_ms, every_ms)| Disturbance::Stop {
                    start_ms,
                    lasts_ms,
                    every_ms,
                })
                .boxed()
        }
        "quota" => (2..=60_u64, 20..=200_u64)
            .prop_map(|(percent, operation_us)| Disturbance::Quota { percent, operation_us })
            .boxed(),
        "sleep" => (20..3_000_u64, 1..60_u64)
            .prop_map(|(after_ms, wake_ms)| Disturbance::Sleep { after_ms, wake_ms })
            .boxed(),
        "error" => (0..99_u64, 12..30_u32)
            .prop_map(|(at_percent, power)| Disturbance::Error {
                at_percent,
                length: Bytes(1 << power),
            })
            .boxed(),
        _ => Just(Disturbance::Nothing).boxed(),
    }
}

/// The worlds of a kind.
pub(crate) fn worlds(kind: &str) -> BoxedStrategy<SimulatedWorld> {
    (devices(), disturbances(kind), procedures(), 0..1_000_u64)
        .prop_map(|(device, disturbance, procedure, seed)| SimulatedWorld {
            device,
            disturbance,
            procedure,
            seed,
        })
        .boxed()
}

/// Nanoseconds of virtual time in seconds.
pub(crate) fn seconds(ns: u64) -> f64 {
    ns as f64 / SECOND_NS as f64
}
