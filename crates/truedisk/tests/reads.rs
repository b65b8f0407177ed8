//! Disks that lie to those who read, in real time: what the trials of reads find of them.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::io::Write as _;

use engine::simulated::{
    Cache, DeviceModel, FirstTouch, IdleSleep, LatencyNoise, Medium, Quirks, Ssd,
};
use lab::{Fill, LoopDevice, Need, SimulatedDisk};
use record::{FindingId, Record, Status};
use support::{alone, assert_status, beside, check, finding, one_of, record_of};

const MIB: u64 = 1 << 20;

/// Sixteen channels: slow enough that what FUSE adds to a read (30 to 80 us) is the smaller part.
fn law(capacity: u64, read_ns: u64, cache: Option<Cache>) -> DeviceModel {
    let medium = Medium::Ssd(Ssd {
        channels: 16,
        read_ns,
        write_ns: 50_000,
        bytes_per_second: 2e9,
        flush_ns: 500_000,
        ..Ssd::FLASH
    });
    let (bucket, stall, noise) = (None, None, LatencyNoise::LogNormal(0.1));
    DeviceModel { cache, bucket, stall, noise, ..DeviceModel::new(capacity, medium) }
}

fn cache(bytes: u64) -> Option<Cache> {
    Some(Cache { bytes, latency_ns: 10_000, write_back: false })
}

/// A quick check of a simulated disk, read through a loop device.
fn read(law: DeviceModel, quirks: Quirks, fill: Fill) -> Record {
    let disk = SimulatedDisk::options(law).quirks(quirks).fill(fill).serve().unwrap();
    let device = disk.attach().unwrap();
    read_only(&device)
}

fn read_only(device: &LoopDevice) -> Record {
    record_of(check(["--read-only".as_ref(), device.path().as_os_str()]))
}

fn noise() -> Fill {
    Fill::Noise(1)
}

fn has(id: FindingId, status: Status) -> impl Fn(&Record) -> bool {
    move |record| finding(record, id).status == status
}

#[test]
fn host_cache_that_keeps_everything() {
    lab::skip_unless!(Need::Fuse, Need::LoopDevices);
    let _alone = alone();
    let law = law(512 * MIB, 250_000, cache(1 << 30));
    let shows = has(FindingId::HostCache, Status::Warning);
    let record = one_of(|| read(law.clone(), Quirks::default(), noise()), shows);
    assert_status(&record, FindingId::HostCache, Status::Warning);
}

#[test]
fn device_cache_and_its_size() {
    lab::skip_unless!(Need::Fuse, Need::LoopDevices);
    let _alone = alone();
    let law = law(1 << 30, 250_000, cache(40 * MIB));
    let near = |record: &Record| (0.5..=2.0).contains(&(cache_size(record) / (40 * MIB) as f64));
    let shows = |record: &Record| has(FindingId::DeviceCache, Status::Note)(record) && near(record);
    let record = one_of(|| read(law.clone(), Quirks::default(), noise()), shows);
    assert_status(&record, FindingId::DeviceCache, Status::Note);
    assert!(near(&record), "{:#?}", finding(&record, FindingId::DeviceCache));
}

/// The size of the cache that was found, in bytes; 0 where none was.
fn cache_size(record: &Record) -> f64 {
    let facts = &finding(record, FindingId::DeviceCache).evidence;
    let size = facts.iter().find(|fact| fact.what == "size of the cache");
    size.and_then(|fact| fact.figure).unwrap_or(0.0)
}

#[test]
fn first_touch_of_blocks_that_lie_elsewhere() {
    lab::skip_unless!(Need::Fuse, Need::LoopDevices);
    let _alone = alone();
    let first_touch = Some(FirstTouch { block_bytes: 64 << 10, fetch_ns: 3_000_000 });
    let quirks = Quirks { first_touch, ..Quirks::default() };
    let make = || read(law(4 << 30, 200_000, None), quirks.clone(), noise());
    let record = one_of(make, has(FindingId::FirstTouch, Status::Warning));
    assert_status(&record, FindingId::FirstTouch, Status::Warning);
}

#[test]
fn idle_latency_of_a_device_that_sleeps() {
    lab::skip_unless!(Need::Fuse, Need::LoopDevices);
    let _alone = alone();
    let sleep = Some(IdleSleep { after_ns: 20_000_000, wake_ns: 8_000_000 });
    let quirks = Quirks { sleep, ..Quirks::default() };
    let record = read(law(1 << 30, 200_000, None), quirks, noise());
    // With busy processors a note is all that can be said.
    assert!(finding(&record, FindingId::IdleLatency).status >= Status::Note, "{record:#?}");
}

#[test]
fn zero_blocks_of_a_device_that_holds_nothing_else() {
    lab::skip_unless!(Need::Fuse, Need::LoopDevices);
    let _beside = beside();
    let record = read(law(1 << 30, 200_000, None), Quirks::default(), Fill::Zeros);
    assert_status(&record, FindingId::ZeroBlocks, Status::Warning);
}

/// A thin volume in truth: the file behind the device has no blocks in its second half.
#[test]
fn zero_blocks_of_a_volume_that_is_half_empty() {
    lab::skip_unless!(Need::LoopDevices);
    let _beside = beside();
    let device = LoopDevice::options(512 * MIB).sparse().attach().unwrap();
    let source = lab::Scratch::new().unwrap();
    let data = lab::written_file(source.path(), "data", 256 * MIB).unwrap();
    let mut file = std::fs::OpenOptions::new().write(true).open(device.path()).unwrap();
    std::io::copy(&mut std::fs::File::open(data).unwrap(), &mut file).unwrap();
    file.flush().unwrap();
    file.sync_all().unwrap();
    drop(file);
    let record = read_only(&device);
    let found = finding(&record, FindingId::ZeroBlocks);
    assert_eq!(found.status, Status::Warning, "{found:#?}");
    let share = found.evidence[0].figure.unwrap();
    assert!((0.35..0.65).contains(&share), "{share}");
}
