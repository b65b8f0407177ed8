//! The simulated disks of the scenarios.

use engine::simulated::{
    Bucket, Cache, ContentTimes, DeviceModel, FirstTouch, GarbageCollection, IdleSleep, Medium,
    NoisyNeighbour, Quirks, SlcCache, Ssd, UnmappedReads,
};

use crate::laws::{self, GIB, MIB};
use crate::{DiskOptions, Fill, SimulatedDisk};

pub(super) fn plain_ssd() -> DiskOptions {
    SimulatedDisk::options(laws::ssd())
}

pub(super) fn hdd(capacity: u64) -> DiskOptions {
    SimulatedDisk::options(laws::hdd(capacity))
}

fn ssd(quirks: Quirks) -> DiskOptions {
    plain_ssd().quirks(quirks)
}

pub(super) fn slow_with_cache(capacity: u64, bytes: u64) -> DiskOptions {
    let cache = Some(Cache { bytes, latency_ns: 10_000, write_back: false });
    let medium = Medium::Ssd(laws::flash(1_000_000));
    SimulatedDisk::options(DeviceModel { cache, ..laws::plain(capacity, medium) })
}

pub(super) fn ignoring_flushes() -> DiskOptions {
    // The way through a loop device and a server takes some 70 us.
    let cache = Some(Cache { bytes: 16 * MIB, latency_ns: 90_000, write_back: true });
    let quirks = Quirks { ignored_flush_ns: Some(5_000), ..Quirks::default() };
    SimulatedDisk::options(DeviceModel { cache, ..laws::ssd() }).quirks(quirks)
}

pub(super) fn blank() -> DiskOptions {
    let unmapped = Some(UnmappedReads { read_ns: 20_000, is_counted: true, mapped_bytes: 0 });
    ssd(Quirks { unmapped, ..Quirks::default() }).fill(Fill::Zeros)
}

fn compressing() -> Quirks {
    let fast = Some(30_000);
    let content = ContentTimes { zeros_ns: fast, compressible_ns: fast, copy_ns: None };
    Quirks { content: Some(content), ..Quirks::default() }
}

pub(super) fn deduplicating() -> DiskOptions {
    let content = ContentTimes { copy_ns: Some(30_000), ..ContentTimes::default() };
    ssd(Quirks { content: Some(content), ..Quirks::default() })
}

pub(super) fn from_snapshot() -> DiskOptions {
    let first_touch = Some(FirstTouch { block_bytes: 512 << 10, fetch_ns: 5_000_000 });
    let law = laws::plain(4 * GIB, laws::ssd().medium);
    SimulatedDisk::options(law).quirks(Quirks { first_touch, ..Quirks::default() })
}

fn behind_bucket(bucket: Bucket) -> DeviceModel {
    let medium = Medium::Ssd(laws::flash(100_000));
    DeviceModel { bucket: Some(bucket), ..laws::plain(GIB, medium) }
}

/// 4000 IOPS until the credits are spent, 2.7 s later at full speed, then 1000.
fn bursting() -> DeviceModel {
    let (iops, burst_iops, credits) = (1000.0, 4000.0, 8000.0);
    behind_bucket(Bucket { iops, burst_iops, credits, bytes_per_second: None })
}

/// A cap. Its few credits let it catch up on a host that pauses for up to 50 ms.
fn fixed_bucket(iops: f64) -> Bucket {
    Bucket { iops, burst_iops: iops * 2.0, credits: iops / 20.0, bytes_per_second: None }
}

pub(super) fn capped(iops: f64) -> DiskOptions {
    SimulatedDisk::options(behind_bucket(fixed_bucket(iops)))
}

pub(super) fn cached_and_capped() -> DiskOptions {
    let cache = Some(Cache { bytes: GIB, latency_ns: 10_000, write_back: false });
    // Without the cache 6700 IOPS by its four channels: the cap is below.
    let medium = Medium::Ssd(laws::flash(600_000));
    let bucket = Some(fixed_bucket(5000.0));
    SimulatedDisk::options(DeviceModel { cache, bucket, ..laws::plain(GIB, medium) })
}

pub(super) fn with_slc_cache() -> DiskOptions {
    let slc = Some(SlcCache {
        bytes: 320 * MIB,
        drain_bytes_per_second: 0.0,
        direct_bytes_per_second: 8e6,
    });
    ssd(Quirks { slc, ..Quirks::default() })
}

pub(super) fn collecting_garbage() -> DiskOptions {
    let collection = Some(GarbageCollection { after_bytes: 24 * MIB, bytes_per_second: 8e6 });
    ssd(Quirks { collection, ..Quirks::default() })
}

pub(super) fn with_noisy_neighbour() -> DiskOptions {
    let neighbour = Some(NoisyNeighbour {
        start_ns: 2_000_000_000,
        every_ns: 3_000_000_000,
        lasts_ns: 1_000_000_000,
        // Of the 13,000 that the disk can do.
        iops: 9000.0,
        length: 4096,
    });
    ssd(Quirks { neighbour, ..Quirks::default() })
}

pub(super) fn sleeping() -> DiskOptions {
    let sleep = Some(IdleSleep { after_ns: 20_000_000, wake_ns: 10_000_000 });
    ssd(Quirks { sleep, ..Quirks::default() })
}

pub(super) fn linked(bytes_per_second: f64) -> DiskOptions {
    let medium = Medium::Ssd(Ssd { bytes_per_second, ..laws::flash(200_000) });
    SimulatedDisk::options(laws::plain(GIB, medium))
}

pub(super) fn cached_hdd() -> DiskOptions {
    let cache = Some(Cache { bytes: 16 * MIB, latency_ns: 60_000, write_back: true });
    SimulatedDisk::options(DeviceModel { cache, ..laws::hdd(GIB) })
}

pub(super) fn compressing_ssd() -> DiskOptions {
    ssd(compressing())
}

/// A burstable volume of a compressing provider.
pub(super) fn compressing_burst() -> DiskOptions {
    burst().quirks(compressing())
}

pub(super) fn burst() -> DiskOptions {
    SimulatedDisk::options(bursting())
}

pub(super) fn capped_ssd() -> DiskOptions {
    SimulatedDisk::options(DeviceModel { bucket: Some(fixed_bucket(3000.0)), ..laws::ssd() })
}
