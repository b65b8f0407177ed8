//! Worlds at random.

use engine::simulated::ThrottleScope;
use proptest::prelude::*;
use units::Bytes;

use super::{DeviceLaw, Disturbance, Procedure, SimulatedWorld};

/// Of random and sequential reads and writes, without page cache and small files.
const PRESETS: [&str; 5] = ["vps", "web-server", "oltp", "gnome-disks", "etcd"];

fn devices() -> impl Strategy<Value = DeviceLaw> {
    let crowded_from = prop_oneof![3 => Just(0_u32), 1 => 8..=64_u32];
    let numbers = (1..=12_u32, 0..=12_i32, 30..=150_u64, 200..=2000_u32, 5..=120_u32, crowded_from);
    numbers.prop_map(|(channels, quarters, write_percent, link_mb, noise_percent, crowded_from)| {
        let service_us = (300.0 * (f64::from(quarters) / 4.0).exp2()).round() as u64;
        let (rotates, capped_percent) = (false, 0);
        DeviceLaw {
            channels,
            service_us,
            write_percent,
            link_mb,
            noise_percent,
            crowded_from,
            rotates,
            capped_percent,
        }
    })
}

/// Behind a cap, a crowded device has two rates, and what was before decides.
fn capped_devices() -> impl Strategy<Value = DeviceLaw> {
    (devices(), 10..=80_u32).prop_map(|(device, capped_percent)| DeviceLaw {
        crowded_from: 0,
        capped_percent,
        ..device
    })
}

/// Rotating disks take from 6 to 16 ms.
fn disks() -> impl Strategy<Value = DeviceLaw> {
    (devices(), 6_000..16_000_u64).prop_map(|(device, service_us)| DeviceLaw {
        service_us,
        crowded_from: 0,
        rotates: true,
        ..device
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
        "ramp" => (50..=150_u32, 0..10_000_u64, 1_000..120_000_u64, 5..=100_u32)
            .prop_map(|(before, start_ms, lasts_ms, after)| Disturbance::Ramp {
                before,
                start_ms,
                lasts_ms,
                after,
            })
            .boxed(),
        "bucket" => (40..=120_u32, 5..=60_u32, time)
            .prop_map(|(burst, base, lasts_ms)| Disturbance::Bucket {
                burst,
                // Without credits it would be a cap.
                base: base.min(burst * 4 / 5),
                lasts_ms,
            })
            .boxed(),
        "stall" => (1_000..8_000_u64, 150..900_u64)
            .prop_map(|(every_ms, lasts_ms)| Disturbance::Stall { every_ms, lasts_ms })
            .boxed(),
        "neighbour" => {
            let every = prop_oneof![Just(0_u64), 1_000..10_000_u64];
            let percent = prop_oneof![3 => 10..=90_u32, 1 => 1..=10_u32];
            let length_kib = prop_oneof![2 => Just(4_u32), 1 => 4..=1024_u32];
            (0..12_000_u64, 1_000..15_000_u64, every, percent, length_kib)
                .prop_map(|(start_ms, lasts_ms, every_ms, percent, length_kib)| {
                    Disturbance::Neighbour { start_ms, lasts_ms, every_ms, percent, length_kib }
                })
                .boxed()
        }
        _ => odd_disturbances(kind),
    }
}

/// Of a limit that is shown, of the process that measures, of rests, and of errors.
fn odd_disturbances(kind: &str) -> BoxedStrategy<Disturbance> {
    match kind {
        // A control group counts reads and writes apart.
        "group" => {
            let scope = prop_oneof![Just(ThrottleScope::Reads), Just(ThrottleScope::Writes)];
            let split_kib = proptest::sample::select(&[64_u32, 128, 512, 1024][..]);
            (10..=150_u32, any::<bool>(), scope, split_kib)
                .prop_map(|(percent, in_bytes, scope, split_kib)| Disturbance::Group {
                    percent,
                    in_bytes,
                    scope,
                    split_kib,
                })
                .boxed()
        }
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
        "freeze" => (500..20_000_u64, 150..4_000_u64)
            .prop_map(|(start_ms, lasts_ms)| Disturbance::Freeze { start_ms, lasts_ms })
            .boxed(),
        "quota" => (2..=60_u64, 20..=200_u64)
            .prop_map(|(percent, operation_us)| Disturbance::Quota { percent, operation_us })
            .boxed(),
        "sleep" => (20..3_000_u64, 1..60_u64)
            .prop_map(|(after_ms, wake_ms)| Disturbance::Sleep { after_ms, wake_ms })
            .boxed(),
        "error" => (0..99_u64, 12..30_u32, prop_oneof![Just(0_u64), 1_000..30_000_u64])
            .prop_map(|(at_percent, power, start_ms)| Disturbance::Error {
                at_percent,
                length: Bytes(1 << power),
                start_ms,
            })
            .boxed(),
        "holes" => (0..95_u64, 5..40_u64)
            .prop_map(|(written_percent, read_us)| Disturbance::Holes { written_percent, read_us })
            .boxed(),
        "page cache" => (1..100_u64, 1..20_u64)
            .prop_map(|(cached_percent, read_us)| Disturbance::PageCache {
                cached_percent,
                read_us,
            })
            .boxed(),
        // Up to a thirtieth of the device: reads that it keeps are few.
        "write cache" => (4..512_u64, 5..60_u64)
            .prop_map(|(mib, latency_us)| Disturbance::WriteCache { mib, latency_us })
            .boxed(),
        // Beside the cap of the device; what changes a cap would be another cap.
        "two" => {
            let others = ["stall", "neighbour", "stop", "quota", "sleep", "error", "holes"];
            let others = others.into_iter().chain(["page cache", "write cache"]);
            proptest::strategy::Union::new(others.map(disturbances)).boxed()
        }
        _ => Just(Disturbance::Nothing).boxed(),
    }
}

/// The worlds of a kind.
pub(crate) fn worlds(kind: &str) -> BoxedStrategy<SimulatedWorld> {
    let devices = match kind {
        "disk" => disks().boxed(),
        "two" => capped_devices().boxed(),
        _ => devices().boxed(),
    };
    (devices, disturbances(kind), procedures(), 0..1_000_u64)
        .prop_map(|(device, disturbance, procedure, seed)| SimulatedWorld {
            device,
            disturbance,
            procedure,
            seed,
        })
        .boxed()
}
