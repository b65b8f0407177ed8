//! Something answers that is not the disk, or not for long.

use engine::simulated::{Cache, DeviceModel, Medium, Quirks};
use record::Effort::Quick;
use record::FindingId::{
    self, ClientBound, Coverage, DeviceCache, Flush, HostCache, Impossible, NotSettled, PageCache,
};
use record::Status::{Invalid, Note, Warning};

use super::situation::{Parts, Situation};
use super::{GroundTruth, Scenario};
use crate::Result;
use crate::laws::{self, GIB, MIB};
use crate::loopdev::LoopDevice;
use crate::mount::{FileSystem, Mount, Tmpfs};
use crate::need::Need;
use crate::simulated::{DiskOptions, SimulatedDisk};

/// Memory is true of these: faster than any disk and than this host can ask, and small.
const MEMORY: &[FindingId] = &[Coverage, HostCache, Impossible, DeviceCache, ClientBound];

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "page-cache-tmpfs",
        about: "a folder in memory",
        truth: GroundTruth { raises: &[(PageCache, Invalid)], allows: MEMORY, read_iops: None },
        needs: &[Need::Root],
        effort: Quick,
        light: false,
        build: tmpfs,
    },
    Scenario {
        name: "page-cache-journal",
        about: "ext4 with data=journal, which takes O_DIRECT and does not do it",
        truth: GroundTruth { raises: &[(PageCache, Invalid)], allows: MEMORY, read_iops: None },
        needs: &[Need::LoopDevices, Need::FileSystem("ext4")],
        effort: Quick,
        light: false,
        build: journal,
    },
    Scenario {
        name: "page-cache-loop",
        about: "a loop device whose file is in the page cache",
        truth: GroundTruth { raises: &[(PageCache, Invalid)], allows: MEMORY, read_iops: None },
        needs: &[Need::LoopDevices],
        effort: Quick,
        light: false,
        build: cached_loop,
    },
    Scenario {
        name: "host-cache",
        about: "an SSD of 1 ms behind a host that remembers every block: 10 us the second time",
        truth: GroundTruth {
            raises: &[(HostCache, Warning)],
            allows: &[DeviceCache, Impossible, NotSettled],
            read_iops: None,
        },
        needs: &[Need::Fuse, Need::LoopDevices],
        effort: Quick,
        light: false,
        build: host_cache,
    },
    Scenario {
        name: "device-cache",
        about: "an SSD of 1 ms with a cache of 64 MiB, of 1 GiB",
        truth: GroundTruth {
            raises: &[(DeviceCache, Note)],
            allows: &[HostCache],
            read_iops: None,
        },
        needs: &[Need::Fuse, Need::LoopDevices],
        effort: Quick,
        light: true,
        build: device_cache,
    },
    Scenario {
        name: "flush-ignored",
        about: "an SSD with a write cache that says it is flushed at once, under ext4",
        truth: GroundTruth { raises: &[(Flush, Note)], allows: &[], read_iops: None },
        needs: &[Need::Fuse, Need::LoopDevices, Need::FileSystem("ext4")],
        effort: Quick,
        light: false,
        build: flush_ignored,
    },
];

fn tmpfs() -> Result<Situation> {
    let memory = Tmpfs::new(128 * MIB)?;
    let path = memory.path().to_owned();
    let parts = Parts { memory: Some(memory), ..Parts::default() };
    Ok(Situation::from_folder(&path, parts).with_size(32 * MIB))
}

fn journal() -> Result<Situation> {
    let device = LoopDevice::new(256 * MIB)?;
    let mount = Mount::new(&device, FileSystem::Ext4DataJournal)?;
    let path = mount.path().to_owned();
    let parts = Parts { mount: Some(mount), device: Some(device), ..Parts::default() };
    Ok(Situation::from_folder(&path, parts).with_size(32 * MIB))
}

fn cached_loop() -> Result<Situation> {
    let device = LoopDevice::options(128 * MIB).direct_io(false).attach()?;
    // Warm the cache of the backing file: from then on it answers.
    let path = device.path();
    let read = std::fs::File::open(path)
        .and_then(|mut file| std::io::copy(&mut file, &mut std::io::sink()));
    read.map_err(|e| crate::LabError::io("read", path, e))?;
    Situation::from_device(Parts { device: Some(device), ..Parts::default() })
}

/// A simulated disk to be read through a loop device.
pub(super) fn build_read_only(disk: DiskOptions) -> Result<Situation> {
    let disk = disk.serve()?;
    let device = disk.attach()?;
    Situation::from_device(Parts { disk: Some(disk), device: Some(device), ..Parts::default() })
}

/// A simulated disk under ext4, on which a test file may be made.
pub(super) fn build_written(disk: DiskOptions) -> Result<Situation> {
    let disk = disk.serve()?;
    let device = disk.attach()?;
    let mount = Mount::new(&device, FileSystem::Ext4)?;
    let path = mount.path().to_owned();
    let parts =
        Parts { mount: Some(mount), device: Some(device), disk: Some(disk), ..Parts::default() };
    Ok(Situation::from_folder(&path, parts))
}

fn slow_with_cache(capacity: u64, bytes: u64) -> DiskOptions {
    let cache = Some(Cache { bytes, latency_ns: 10_000, write_back: false });
    let medium = Medium::Ssd(laws::flash(1_000_000));
    SimulatedDisk::options(DeviceModel { cache, ..laws::plain(capacity, medium) })
}

fn host_cache() -> Result<Situation> {
    // So small that a quick run comes back to what it has read.
    build_read_only(slow_with_cache(GIB / 2, GIB / 2))
}

fn device_cache() -> Result<Situation> {
    build_read_only(slow_with_cache(GIB, 64 * MIB))
}

fn flush_ignored() -> Result<Situation> {
    // The way through a loop device and a server takes some 70 us: next to a write of 30 us that
    // alone would make a flush look dear.
    let cache = Some(Cache { bytes: 16 * MIB, latency_ns: 90_000, write_back: true });
    let law = DeviceModel { cache, ..laws::ssd() };
    let quirks = Quirks { ignored_flush_ns: Some(5_000), ..Quirks::default() };
    Ok(build_written(SimulatedDisk::options(law).quirks(quirks))?.with_size(256 * MIB))
}
