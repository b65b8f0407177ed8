//! Something holds the disk back, all the time or from some time on.

use std::time::Duration;

use engine::simulated::{
    Bucket, DeviceModel, GarbageCollection, IdleSleep, NoisyNeighbour, Quirks, SlcCache,
};
use record::Effort::{Quick, Standard};
use record::FindingId::{
    Burst, ClientBound, HostCache, IdleLatency, Impossible, Neighbour as Other, NotSettled,
    OsThrottle, PageCache, ProviderLimit, Stall, ZeroBlocks,
};
use record::Status::{Note, Warning};

use super::caches::{build_read_only, build_written};
use super::situation::{Parts, Situation};
use super::{GroundTruth, Scenario};
use crate::Result;
use crate::laws::{self, GIB, MIB};
use crate::loopdev::LoopDevice;
use crate::need::Need;
use crate::neighbour::Neighbour;
use crate::simulated::{DiskOptions, SimulatedDisk};
use crate::throttle::{Limit, LimitPlan, Throttle};
use crate::zram::Zram;

const FUSE_LOOP: &[Need] = &[Need::Fuse, Need::LoopDevices];
const WRITTEN: &[Need] = &[Need::Fuse, Need::LoopDevices, Need::FileSystem("ext4")];
const THROTTLE: &[Need] = &[Need::BlkioV1, Need::LoopDevices];

const fn capped(iops: f64) -> GroundTruth {
    GroundTruth { raises: &[(ProviderLimit, Note)], allows: &[], read_iops: Some(iops) }
}

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "burst",
        about: "a volume of 4000 IOPS until 8000 credits are spent, then 1000",
        truth: GroundTruth {
            raises: &[(Burst, Warning)],
            allows: &[NotSettled, ProviderLimit],
            read_iops: None,
        },
        needs: FUSE_LOOP,
        effort: Quick,
        light: true,
        build: burst,
    },
    Scenario {
        name: "burst-slc",
        about: "an SSD that writes 320 MiB fast and then 8 MB/s, under ext4",
        truth: GroundTruth { raises: &[(Burst, Warning)], allows: &[NotSettled], read_iops: None },
        needs: WRITTEN,
        effort: Standard,
        light: true,
        build: slc,
    },
    Scenario {
        name: "burst-collection",
        about: "an SSD that collects garbage after 24 MiB of random writes: 8 MB/s, under ext4",
        truth: GroundTruth { raises: &[(Burst, Warning)], allows: &[NotSettled], read_iops: None },
        needs: WRITTEN,
        effort: Standard,
        light: true,
        build: collection,
    },
    Scenario {
        name: "provider-limit-3000",
        about: "a volume that its provider limits to 3000 IOPS",
        truth: capped(3000.0),
        needs: FUSE_LOOP,
        effort: Standard,
        light: true,
        build: || cap(3000.0),
    },
    Scenario {
        name: "provider-limit-5000",
        about: "the same, 5000 IOPS",
        truth: capped(5000.0),
        needs: FUSE_LOOP,
        effort: Standard,
        light: false,
        build: || cap(5000.0),
    },
    Scenario {
        name: "provider-limit-10000",
        about: "the same, 10,000 IOPS",
        truth: capped(10_000.0),
        needs: FUSE_LOOP,
        effort: Standard,
        light: false,
        build: || cap(10_000.0),
    },
    Scenario {
        name: "provider-limit-15000",
        about: "the same, 15,000 IOPS",
        truth: capped(15_000.0),
        needs: FUSE_LOOP,
        effort: Standard,
        light: false,
        build: || cap(15_000.0),
    },
    Scenario {
        name: "os-throttle",
        about: "a control group that caps reads at 1000 per second",
        truth: GroundTruth {
            raises: &[(OsThrottle, Warning)],
            allows: &[ProviderLimit],
            read_iops: Some(1000.0),
        },
        needs: THROTTLE,
        effort: Quick,
        light: true,
        build: os_throttle,
    },
    Scenario {
        name: "stall",
        about: "a device that falls silent for 400 ms",
        truth: GroundTruth {
            raises: &[(Stall, Warning)],
            allows: &[OsThrottle, NotSettled],
            read_iops: None,
        },
        needs: THROTTLE,
        effort: Quick,
        light: true,
        build: stall,
    },
    Scenario {
        name: "not-settled",
        about: "a cap that falls from 1000 to 300 after the first cell",
        truth: GroundTruth {
            raises: &[(NotSettled, Warning)],
            // What waits while the kernel sets the new cap, waits by the new one for all it had:
            // 190 ms of silence were seen.
            allows: &[OsThrottle, Burst, Stall],
            read_iops: None,
        },
        needs: THROTTLE,
        effort: Quick,
        light: true,
        build: falling,
    },
    Scenario {
        name: "neighbour-process",
        about: "another process that reads from the same device",
        truth: GroundTruth { raises: &[(Other, Warning)], allows: &[NotSettled], read_iops: None },
        needs: &[Need::LoopDevices, Need::Program("fio")],
        effort: Quick,
        light: false,
        build: neighbour,
    },
    Scenario {
        name: "neighbour-hidden",
        about: "somebody behind the device who takes most of it for 1 of every 3 seconds",
        truth: GroundTruth {
            raises: &[(NotSettled, Note)],
            allows: &[Other, Stall, Burst],
            read_iops: None,
        },
        needs: FUSE_LOOP,
        effort: Standard,
        light: false,
        build: hidden,
    },
    Scenario {
        name: "client-bound",
        about: "a disk of memory, faster than this host can ask",
        truth: GroundTruth {
            raises: &[(ClientBound, Warning)],
            allows: &[ZeroBlocks, HostCache, Impossible, PageCache],
            read_iops: None,
        },
        needs: &[Need::Zram],
        effort: Quick,
        light: false,
        build: client_bound,
    },
    Scenario {
        name: "idle-latency",
        about: "an SSD that sleeps after 20 ms and needs 10 ms to wake up",
        truth: GroundTruth { raises: &[(IdleLatency, Note)], allows: &[], read_iops: None },
        needs: FUSE_LOOP,
        effort: Quick,
        light: false,
        build: sleeping,
    },
    Scenario {
        name: "host-cache-and-cap",
        about: "a host's cache in front of an SSD of 600 us, and a provider's limit of 5000 IOPS",
        truth: GroundTruth {
            raises: &[(HostCache, Warning), (ProviderLimit, Note)],
            allows: &[Impossible, NotSettled, record::FindingId::DeviceCache],
            read_iops: None,
        },
        needs: FUSE_LOOP,
        effort: Standard,
        light: false,
        build: cached_cap,
    },
];

/// An SSD behind a bucket.
fn behind_bucket(bucket: Bucket) -> DeviceModel {
    let medium = engine::simulated::Medium::Ssd(laws::flash(100_000));
    DeviceModel { bucket: Some(bucket), ..laws::plain(GIB, medium) }
}

/// 4000 IOPS until the credits are spent, 2.7 s later at full speed, then 1000: a quick check of a
/// device loads it for some 4.5 s.
pub(super) fn bursting_law() -> DeviceModel {
    let (iops, burst_iops, credits) = (1000.0, 4000.0, 8000.0);
    behind_bucket(Bucket { iops, burst_iops, credits, bytes_per_second: None })
}

fn burst() -> Result<Situation> {
    build_read_only(SimulatedDisk::options(bursting_law()))
}

fn slc() -> Result<Situation> {
    // The test file takes 256 MiB of it; the rest is written while it is measured.
    let slc = Some(SlcCache {
        bytes: 320 * MIB,
        drain_bytes_per_second: 0.0,
        direct_bytes_per_second: 8e6,
    });
    Ok(build_written(ssd(Quirks { slc, ..Quirks::default() }))?.with_size(256 * MIB))
}

fn collection() -> Result<Situation> {
    let collection = Some(GarbageCollection { after_bytes: 24 * MIB, bytes_per_second: 8e6 });
    Ok(build_written(ssd(Quirks { collection, ..Quirks::default() }))?.with_size(256 * MIB))
}

/// A cap. Its few credits are used up before a cell is measured, and let it catch up on a host that
/// pauses for up to 50 ms, as the buckets of providers do.
pub(super) fn fixed_bucket(iops: f64) -> Bucket {
    Bucket { iops, burst_iops: iops * 2.0, credits: iops / 20.0, bytes_per_second: None }
}

fn cap(iops: f64) -> Result<Situation> {
    build_read_only(SimulatedDisk::options(behind_bucket(fixed_bucket(iops))))
}

fn cached_cap() -> Result<Situation> {
    let cache = engine::simulated::Cache { bytes: GIB, latency_ns: 10_000, write_back: false };
    // Without the cache 6700 IOPS by its four channels: the cap is below.
    let medium = engine::simulated::Medium::Ssd(laws::flash(600_000));
    let (cache, bucket) = (Some(cache), Some(fixed_bucket(5000.0)));
    build_read_only(SimulatedDisk::options(DeviceModel {
        cache,
        bucket,
        ..laws::plain(GIB, medium)
    }))
}

fn ssd(quirks: Quirks) -> DiskOptions {
    SimulatedDisk::options(laws::ssd()).quirks(quirks)
}

fn sleeping() -> Result<Situation> {
    let sleep = Some(IdleSleep { after_ns: 20_000_000, wake_ns: 10_000_000 });
    build_read_only(ssd(Quirks { sleep, ..Quirks::default() }))
}

fn hidden() -> Result<Situation> {
    let neighbour = Some(NoisyNeighbour {
        every_ns: 3_000_000_000,
        lasts_ns: 1_000_000_000,
        // Of the 13,000 that the disk can do.
        iops: 9000.0,
        length: 4096,
    });
    build_read_only(ssd(Quirks { neighbour, ..Quirks::default() }))
}

fn throttled(reads_before: u64, steps: Vec<(Duration, Limit)>) -> Result<Situation> {
    let device = LoopDevice::new(GIB)?;
    let throttle = Throttle::new(device.major_minor())?;
    throttle.cap_read_iops(1000)?;
    let schedule = match steps.is_empty() {
        true => None,
        false => Some(throttle.schedule_after_reads(reads_before, steps)?),
    };
    let (throttle, device) = (Some(throttle), Some(device));
    Situation::from_device(Parts { schedule, throttle, device, ..Parts::default() })
}

fn os_throttle() -> Result<Situation> {
    throttled(0, Vec::new())
}

fn stall() -> Result<Situation> {
    // In the middle of the first cell, which takes a second.
    throttled(1200, LimitPlan::stall(Duration::ZERO, Duration::from_millis(400), 1000))
}

fn falling() -> Result<Situation> {
    // After the first cell, which reads 1100 with its warm-up, and before it is repeated.
    throttled(3000, vec![(Duration::ZERO, Limit::ReadIops(300))])
}

fn neighbour() -> Result<Situation> {
    let device = LoopDevice::new(GIB)?;
    let neighbour = Some(Neighbour::new(device.path(), 8000)?);
    Situation::from_device(Parts { neighbour, device: Some(device), ..Parts::default() })
}

fn client_bound() -> Result<Situation> {
    let zram = Zram::new(GIB)?;
    let path = zram.path().to_owned();
    Ok(Situation::from_read_only(&path, Parts { zram: Some(zram), ..Parts::default() }))
}
