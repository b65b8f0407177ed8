//! Laws of ordinary disks, for scenarios to change.

use engine::simulated::{DeviceModel, Hdd, LatencyNoise, Medium, Ssd};

pub(crate) const MIB: u64 = 1 << 20;
pub(crate) const GIB: u64 = 1 << 30;

/// How much a plain disk's times differ, by the standard deviation of their logarithm.
const SCATTER: f64 = 0.1;

/// A law of nothing but its medium and some scatter.
pub fn plain(capacity: u64, medium: Medium) -> DeviceModel {
    let noise = LatencyNoise::LogNormal(SCATTER);
    DeviceModel { noise, ..DeviceModel::new(capacity, medium) }
}

/// Flash with reads of `read_ns`, writes a third faster, four channels and 600 MB/s.
pub fn flash(read_ns: u64) -> Ssd {
    Ssd {
        read_ns,
        write_ns: read_ns * 2 / 3,
        bytes_per_second: 600e6,
        flush_ns: read_ns * 4,
        ..Ssd::FLASH
    }
}

/// An SSD of 1 GiB: 300 us per read, some 13,000 IOPS.
pub fn ssd() -> DeviceModel {
    plain(GIB, Medium::Ssd(flash(300_000)))
}

/// A disk of 7200 rpm and `capacity` bytes, seeks from 0.8 to 15 ms, 180 to 90 MB/s.
pub fn hdd(capacity: u64) -> DeviceModel {
    let hdd = Hdd {
        rpm: 7200.0,
        seek_min_ns: 800_000,
        seek_max_ns: 15_000_000,
        bytes_per_second_outer: 180e6,
        bytes_per_second_inner: 90e6,
        ncq: 32,
    };
    DeviceModel { noise: LatencyNoise::None, ..plain(capacity, Medium::Hdd(hdd)) }
}
