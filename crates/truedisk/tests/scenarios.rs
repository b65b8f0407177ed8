//! Disks that lie, one real situation per truth check, and the plain run that must raise nothing.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::time::Duration;

use lab::{FileSystem, Limit, LoopDevice, Mount, Need, Neighbour, Throttle, Tmpfs, Zram};
use record::{FindingId, Record, Status};
use support::{alone, assert_clean, assert_status, check, finding, record_of};

/// Large enough that no cache on the way is suspected of holding it.
const LARGE: u64 = 1 << 30;
const SMALL: u64 = 128 << 20;
/// How long a device is silent.
const STALL: Duration = Duration::from_millis(400);

type Step = (Duration, Limit);

fn read_only(path: &std::path::Path) -> std::process::Command {
    check(["--read-only".as_ref(), path.as_os_str()])
}

/// Whether the kernel itself saw the hypervisor take processor time away: what such a run raises
/// is true of the host, and no false alarm.
fn robbed(record: &Record) -> bool {
    let neighbour = finding(record, FindingId::Neighbour);
    neighbour.evidence.iter().any(|fact| fact.value.contains("stolen by the hypervisor"))
}

/// A noisy host can spoil one plain run: then two others must both be clean. Runs in which the
/// host was robbed prove nothing either way.
#[test]
fn control_a_plain_loop_device_raises_nothing() {
    lab::skip_unless!(Need::LoopDevices);
    let _alone = alone();
    let device = LoopDevice::new(LARGE).unwrap();
    let (mut clean, mut spoiled) = (Vec::new(), Vec::new());
    for _ in 0..8 {
        let record = record_of(read_only(device.path()));
        let raised: Vec<_> =
            record.findings.iter().filter(|f| f.status >= Status::Warning).cloned().collect();
        match raised.is_empty() {
            true => clean.push(record),
            false if robbed(&record) => {}
            false => spoiled.push(raised),
        }
        if clean.len() > spoiled.len() || spoiled.len() > 1 {
            break;
        }
    }
    assert!(spoiled.len() < 2 && clean.len() > spoiled.len(), "{spoiled:#?}");
    let record = clean.remove(0);
    // The books of the run against the kernel's: within 0.1 %.
    // A request of 1 MiB is split by the queue's limits: only 4 KiB ones can be counted.
    for cell in record.cells.iter().filter(|cell| cell.job.block_size.0 == 4096) {
        let device = &cell.ledger.layers[0];
        let (ours, theirs) = (cell.ledger.read_ops as f64, device.read_ops as f64);
        assert!((theirs / ours - 1.0).abs() <= 0.001, "{}: {ours} {theirs}", cell.name);
    }
}

#[test]
fn page_cache_memory_file_system() {
    lab::skip_unless!(Need::Root);
    let _alone = alone();
    let memory = Tmpfs::new(SMALL).unwrap();
    let folder = memory.path().as_os_str();
    let record = record_of(check(["--size".as_ref(), "32m".as_ref(), folder]));
    assert_status(&record, FindingId::PageCache, Status::Invalid);
    assert_eq!(finding(&record, FindingId::PageCache).cells.len(), record.cells.len());
    assert_clean(memory.path());
}

#[test]
fn page_cache_direct_io_that_is_not() {
    lab::skip_unless!(Need::LoopDevices);
    let _alone = alone();
    let device = LoopDevice::new(256 << 20).unwrap();
    let mount = Mount::new(&device, FileSystem::Ext4DataJournal).unwrap();
    let folder = mount.path().as_os_str();
    let record = record_of(check(["--size".as_ref(), "32m".as_ref(), folder]));
    assert_status(&record, FindingId::PageCache, Status::Invalid);
    assert_clean(mount.path());
}

#[test]
fn page_cache_behind_a_loop_device() {
    lab::skip_unless!(Need::LoopDevices);
    let _alone = alone();
    let device = LoopDevice::options(SMALL).direct_io(false).attach().unwrap();
    // Warm the cache of the backing file: from then on it answers.
    let mut buffered = std::fs::File::open(device.path()).unwrap();
    std::io::copy(&mut buffered, &mut std::io::sink()).unwrap();
    let record = record_of(read_only(device.path()));
    assert_status(&record, FindingId::PageCache, Status::Invalid);
}

#[test]
fn unwritten_holes_and_preallocated_blocks() {
    let _alone = alone();
    let scratch = lab::Scratch::new().unwrap();
    let sparse = lab::sparse_file(scratch.path(), "sparse", SMALL).unwrap();
    let preallocated = lab::preallocated_file(scratch.path(), "preallocated", SMALL).unwrap();
    let written = lab::written_file(scratch.path(), "written", SMALL).unwrap();
    for (file, status) in
        [(sparse, Status::Invalid), (preallocated, Status::Invalid), (written, Status::Ok)]
    {
        let record = record_of(read_only(&file));
        assert_status(&record, FindingId::Unwritten, status);
    }
}

#[test]
fn client_bound_on_a_device_faster_than_the_host() {
    lab::skip_unless!(Need::Zram);
    let _alone = alone();
    let zram = Zram::new(LARGE).unwrap();
    let record = record_of(read_only(zram.path()));
    assert_status(&record, FindingId::ClientBound, Status::Warning);
}

#[test]
fn os_throttle_cap_of_a_control_group() {
    lab::skip_unless!(Need::BlkioV1, Need::LoopDevices);
    let _alone = alone();
    let device = LoopDevice::new(LARGE).unwrap();
    let throttle = Throttle::new(device.major_minor()).unwrap();
    throttle.read_iops(1000).unwrap();
    let record = record_of(throttle.run(&read_only(device.path())));
    assert_status(&record, FindingId::OsThrottle, Status::Warning);
    let limit = record.curves[0].limit().unwrap();
    assert!((limit.iops.value / 1000.0 - 1.0).abs() < 0.03, "{}", limit.iops.value);
}

#[test]
fn neighbour_on_the_same_device() {
    lab::skip_unless!(Need::LoopDevices, Need::Program("fio"));
    let _alone = alone();
    let device = LoopDevice::new(LARGE).unwrap();
    let _neighbour = Neighbour::new(device.path(), 8000).unwrap();
    let record = record_of(read_only(device.path()));
    assert_status(&record, FindingId::Neighbour, Status::Warning);
}

#[test]
fn coverage_of_a_span_that_fits_any_cache() {
    let _alone = alone();
    let scratch = lab::Scratch::new().unwrap();
    let small = lab::written_file(scratch.path(), "small", 32 << 20).unwrap();
    let record = record_of(read_only(&small));
    assert_status(&record, FindingId::Coverage, Status::Warning);
}

/// A quick check of the device in its group, whose limits change when it has read so much.
fn throttled(throttle: &Throttle, device: &LoopDevice, reads: u64, steps: Vec<Step>) -> Record {
    let schedule = throttle.schedule_after_reads(reads, steps).unwrap();
    let record = record_of(throttle.run(&read_only(device.path())));
    schedule.finish().unwrap();
    record
}

#[test]
fn stall_of_a_device_that_falls_silent() {
    lab::skip_unless!(Need::BlkioV1, Need::LoopDevices);
    let _alone = alone();
    let device = LoopDevice::new(LARGE).unwrap();
    let throttle = Throttle::new(device.major_minor()).unwrap();
    throttle.read_iops(1000).unwrap();
    // In the middle of the first cell, which takes a second.
    let stall = vec![(Duration::ZERO, Limit::ReadIops(2)), (STALL, Limit::ReadIops(1000))];
    let record = throttled(&throttle, &device, 500, stall);
    assert_status(&record, FindingId::Stall, Status::Warning);
}

#[test]
fn not_settled_when_the_cap_falls_during_the_run() {
    lab::skip_unless!(Need::BlkioV1, Need::LoopDevices);
    let _alone = alone();
    let device = LoopDevice::new(LARGE).unwrap();
    let throttle = Throttle::new(device.major_minor()).unwrap();
    throttle.read_iops(1000).unwrap();
    // After the first cell, which reads 1100 with its warm-up, and before it is repeated.
    let fall = vec![(Duration::ZERO, Limit::ReadIops(300))];
    let record = throttled(&throttle, &device, 1250, fall);
    assert_status(&record, FindingId::NotSettled, Status::Warning);
}

/// A made-up sysfs says that the loop device is a SATA disk on a 1.5 Gb/s link: what it then
/// delivers is more than that link carries.
#[test]
fn link_bound_and_impossible_on_a_link_that_is_too_slow() {
    lab::skip_unless!(Need::LoopDevices);
    let _alone = alone();
    let device = LoopDevice::new(SMALL).unwrap();
    let number = device.major_minor().to_string();
    let disk = "devices/pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sda";
    let text = format!(
        "sys/dev/block/{number} -> ../../{disk}\n\
         sys/{disk}/dev = {number}\n\
         sys/{disk}/size = 262144\n\
         sys/class/ata_link/link1/sata_spd = 1.5 Gbps\n\
         sys/class/ata_link/link1/hw_sata_spd_limit = 6.0 Gbps\n\
         sys/class/ata_device/dev1.0/id = {} 8f0e\n\
         proc/self/mountinfo = \n",
        // Word 76 of its identification says what the disk can do: 6 Gb/s.
        vec!["0000"; 76].join(" ")
    );
    let tree = lab::SysfsTree::from_text(&text).unwrap();
    let ask = method::Ask {
        path: device.path().to_owned(),
        size: None,
        read_only: true,
        destroy: None,
        seed: units::Seed(1),
        command: Vec::new(),
        version: "test".to_owned(),
    };
    let bounds = vec!["p99<10ms".parse().unwrap()];
    let request =
        method::CheckRequest { ask, effort: record::Effort::Quick, bounds, until_throttled: None };
    let roots = target::Roots::under(tree.root());
    let stop = engine::StopFlag::default();
    let record = method::check(&request, &roots, &stop, &mut method::Silent).unwrap();
    assert_status(&record, FindingId::LinkBound, Status::Warning);
    assert_status(&record, FindingId::Impossible, Status::Invalid);
}
