//! Plain disks, of which nothing may be raised.

use engine::simulated::{Cache, DeviceModel};
use record::Effort::Quick;
use record::FindingId::{Burst, NotSettled, Stall};

use super::caches::{build_read_only, build_written};
use super::situation::{Parts, Situation};
use super::{GroundTruth, Scenario};
use crate::Result;
use crate::laws::{self, GIB, MIB};
use crate::loopdev::LoopDevice;
use crate::need::Need;
use crate::scratch::Scratch;
use crate::simulated::SimulatedDisk;

const PLAIN: GroundTruth = GroundTruth { raises: &[], allows: &[], read_iops: None };

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "control-folder",
        about: "a folder on the real disk of this machine",
        truth: PLAIN,
        needs: &[],
        effort: Quick,
        light: false,
        build: folder,
    },
    Scenario {
        name: "control-loop",
        about: "an idle loop device over a file of random data",
        truth: PLAIN,
        needs: &[Need::LoopDevices],
        effort: Quick,
        light: false,
        build: idle_loop,
    },
    Scenario {
        name: "control-ssd",
        about: "a simulated SSD of 300 us, to be read",
        truth: PLAIN,
        needs: &[Need::Fuse, Need::LoopDevices],
        effort: Quick,
        light: false,
        build: ssd,
    },
    Scenario {
        name: "control-ssd-written",
        about: "the same under ext4, with flushes that cost what they should",
        truth: PLAIN,
        needs: &[Need::Fuse, Need::LoopDevices, Need::FileSystem("ext4")],
        effort: Quick,
        light: false,
        build: ssd_written,
    },
    Scenario {
        name: "control-hdd",
        about: "a simulated disk of 7200 rpm and 8 GiB, to be read as a whole",
        truth: PLAIN,
        needs: &[Need::Fuse, Need::LoopDevices],
        effort: Quick,
        light: true,
        build: hdd,
    },
    Scenario {
        name: "control-hdd-written",
        about: "a simulated disk of 7200 rpm with a write cache of 16 MiB, under ext4",
        // Writes are fast until the cache is full, as they are: that may be said. And so may the
        // silence of some 600 ms after random writes, until there is room for a large one.
        truth: GroundTruth { raises: &[], allows: &[Burst, NotSettled, Stall], read_iops: None },
        needs: &[Need::Fuse, Need::LoopDevices, Need::FileSystem("ext4")],
        effort: Quick,
        light: true,
        build: hdd_written,
    },
];

fn folder() -> Result<Situation> {
    let scratch = Scratch::new()?;
    let path = scratch.path().to_owned();
    Ok(Situation::from_folder(&path, Parts { scratch: Some(scratch), ..Parts::default() }))
}

fn idle_loop() -> Result<Situation> {
    let device = Some(LoopDevice::new(GIB)?);
    Situation::from_device(Parts { device, ..Parts::default() })
}

fn ssd() -> Result<Situation> {
    build_read_only(SimulatedDisk::options(laws::ssd()))
}

fn ssd_written() -> Result<Situation> {
    Ok(build_written(SimulatedDisk::options(laws::ssd()))?.with_size(256 * MIB))
}

fn hdd_written() -> Result<Situation> {
    // Most of it is measured, so that the arm has its way to go.
    let cache = Some(Cache { bytes: 16 * MIB, latency_ns: 60_000, write_back: true });
    let law = DeviceModel { cache, ..laws::hdd(GIB) };
    Ok(build_written(SimulatedDisk::options(law))?.with_size(640 * MIB))
}

fn hdd() -> Result<Situation> {
    build_read_only(SimulatedDisk::options(laws::hdd(8 * GIB)))
}
