//! Where the measured part lies on the disk, and how much of it there is.

use record::Effort::Quick;
use record::FindingId::{Coverage, DeviceCache, HostCache, Misaligned, ShortStroke};
use record::Status::Warning;

use super::situation::{Parts, Situation};
use super::{GroundTruth, Scenario};
use crate::Result;
use crate::files::written_file;
use crate::laws::{self, GIB, MIB};
use crate::loopdev::LoopDevice;
use crate::mount::{FileSystem, Mount};
use crate::need::Need;
use crate::scratch::Scratch;
use crate::simulated::SimulatedDisk;

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "coverage",
        about: "a file of 32 MiB, which any cache holds",
        truth: GroundTruth {
            raises: &[(Coverage, Warning)],
            allows: &[HostCache, DeviceCache],
            read_iops: None,
        },
        needs: &[],
        effort: Quick,
        light: false,
        build: small,
    },
    Scenario {
        name: "misaligned",
        about: "a partition that begins at sector 63",
        truth: GroundTruth { raises: &[(Misaligned, Warning)], allows: &[], read_iops: None },
        needs: &[Need::LoopDevices, Need::Program("addpart")],
        effort: Quick,
        light: false,
        build: misaligned,
    },
    Scenario {
        name: "misaligned-written",
        about: "ext4 on a partition that begins at sector 63",
        truth: GroundTruth { raises: &[(Misaligned, Warning)], allows: &[], read_iops: None },
        needs: &[Need::LoopDevices, Need::Program("addpart"), Need::FileSystem("ext4")],
        effort: Quick,
        light: false,
        build: misaligned_written,
    },
    Scenario {
        name: "short-stroke",
        about: "the first 2 of the 64 GiB of a disk of 7200 rpm",
        truth: GroundTruth {
            raises: &[(ShortStroke, Warning)],
            allows: &[Coverage],
            read_iops: None,
        },
        needs: &[Need::Fuse, Need::LoopDevices],
        effort: Quick,
        light: true,
        build: short_stroke,
    },
];

fn small() -> Result<Situation> {
    let scratch = Scratch::new()?;
    let path = written_file(scratch.path(), "small", 32 * MIB)?;
    Ok(Situation::from_read_only(&path, Parts { scratch: Some(scratch), ..Parts::default() }))
}

fn misaligned() -> Result<Situation> {
    // Where DOS put the first partition: after one track.
    let device = LoopDevice::options(GIB).partition_at(63).attach()?;
    let path = device.partition();
    Ok(Situation::from_read_only(&path, Parts { device: Some(device), ..Parts::default() }))
}

fn misaligned_written() -> Result<Situation> {
    let device = LoopDevice::options(2 * GIB).partition_at(63).attach()?;
    let mount = Mount::on_partition(&device, FileSystem::Ext4)?;
    let path = mount.path().to_owned();
    let parts = Parts { mount: Some(mount), device: Some(device), ..Parts::default() };
    // So much that no cache is suspected of holding it.
    Ok(Situation::from_folder(&path, parts).with_size(GIB))
}

fn short_stroke() -> Result<Situation> {
    let disk = SimulatedDisk::new(laws::hdd(64 * GIB))?;
    let device = disk.attach()?;
    let parts = Parts { disk: Some(disk), device: Some(device), ..Parts::default() };
    Ok(Situation::from_device(parts)?.with_size(2 * GIB))
}
