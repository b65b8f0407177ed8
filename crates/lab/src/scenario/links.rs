//! What the hardware says of itself, and what it then delivers.

use record::Effort::Quick;
use record::FindingId::{Coverage, HostCache, Impossible, LinkBound, OsThrottle, ProviderLimit};
use record::Status::{Invalid, Warning};

use super::situation::{Parts, Situation};
use super::{GroundTruth, Scenario};
use crate::Result;
use crate::laws::{self, GIB};
use crate::loopdev::LoopDevice;
use crate::need::Need;
use crate::recorded::RecordedMachine;
use crate::simulated::SimulatedDisk;

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "link-downtrained-sata",
        about: "a SATA disk for 6 Gb/s whose port came up with 3 Gb/s, and delivers 250 MB/s",
        truth: GroundTruth {
            raises: &[(LinkBound, Warning)],
            allows: &[Coverage],
            read_iops: None,
        },
        needs: &[Need::Fuse, Need::LoopDevices],
        effort: Quick,
        light: false,
        build: sata,
    },
    Scenario {
        name: "link-downtrained-pcie",
        about: "an NVMe disk for PCIe 4.0 x4 in a slot that gives it 2.5 GT/s x1, 220 MB/s",
        truth: GroundTruth {
            raises: &[(LinkBound, Warning)],
            allows: &[Coverage],
            read_iops: None,
        },
        needs: &[Need::Fuse, Need::LoopDevices],
        effort: Quick,
        light: false,
        build: pcie,
    },
    Scenario {
        name: "impossible",
        about: "a disk that delivers more than the link of 1.5 Gb/s it is said to hang on",
        truth: GroundTruth {
            raises: &[(LinkBound, Warning), (Impossible, Invalid)],
            allows: &[HostCache],
            read_iops: None,
        },
        needs: &[Need::LoopDevices],
        effort: Quick,
        light: false,
        build: impossible,
    },
    Scenario {
        name: "os-throttle-recorded",
        about: "a container whose group of version 2 caps reads at 3000, on a volume that does so",
        truth: GroundTruth {
            raises: &[(OsThrottle, Warning)],
            allows: &[ProviderLimit],
            read_iops: Some(3000.0),
        },
        needs: &[Need::Fuse, Need::LoopDevices],
        effort: Quick,
        light: true,
        build: capped,
    },
];

/// An SSD with so many bytes per second, on another machine.
fn build_on_machine(machine: RecordedMachine, bytes_per_second: f64) -> Result<Situation> {
    let flash = engine::simulated::Ssd { bytes_per_second, ..laws::flash(200_000) };
    let medium = engine::simulated::Medium::Ssd(flash);
    let disk = SimulatedDisk::new(laws::plain(GIB, medium))?;
    let device = disk.attach()?;
    let parts = Parts { disk: Some(disk), device: Some(device), ..Parts::default() };
    Situation::from_device(parts)?.on_machine(machine)
}

fn sata() -> Result<Situation> {
    // 3 Gb/s carry 300 MB/s, of which frames leave some 275.
    build_on_machine(RecordedMachine::Sata { rate: "3.0 Gbps" }, 275e6)
}

fn pcie() -> Result<Situation> {
    build_on_machine(RecordedMachine::PcieDowntrained, 230e6)
}

fn impossible() -> Result<Situation> {
    let device = LoopDevice::new(GIB)?;
    let parts = Parts { device: Some(device), ..Parts::default() };
    Situation::from_device(parts)?.on_machine(RecordedMachine::Sata { rate: "1.5 Gbps" })
}

fn capped() -> Result<Situation> {
    let bucket = super::limits::fixed_bucket(3000.0);
    let law = engine::simulated::DeviceModel { bucket: Some(bucket), ..laws::ssd() };
    let disk = SimulatedDisk::new(law)?;
    let device = disk.attach()?;
    let parts = Parts { disk: Some(disk), device: Some(device), ..Parts::default() };
    Situation::from_device(parts)?.on_machine(RecordedMachine::GroupCapped)
}
