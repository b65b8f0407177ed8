//! Recorded machines: what sysfs says of hardware that is not here, with the number of a device
//! of ours in the disk's place.

use crate::{MajorMinor, Result, SysfsTree};

/// A machine whose one disk answers to the number of a device of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordedMachine {
    /// A SATA disk that can do 6 Gb/s behind a port that came up with this rate: `1.5 Gbps`.
    Sata {
        /// As libata writes it.
        rate: &'static str,
    },
    /// An NVMe disk that can do PCIe 4.0 x4, in a slot that gave it PCIe 1.1 x1: 250 MB/s.
    PcieDowntrained,
    /// A virtual disk under a control group of version 2 that caps its reads at 3000 per second.
    GroupCapped,
}

impl RecordedMachine {
    /// The machine, with a device of `sectors` sectors of 512 bytes in the disk's place.
    pub fn build_tree(self, device: MajorMinor, sectors: u64) -> Result<SysfsTree> {
        let text = match self {
            RecordedMachine::Sata { rate } => sata_listing(device, sectors, rate),
            RecordedMachine::PcieDowntrained => downtrained_listing(device, sectors),
            RecordedMachine::GroupCapped => capped_listing(device, sectors),
        };
        SysfsTree::from_text(&text)
    }
}

/// From a desktop's AHCI controller, Linux 6.1.
fn sata_listing(device: MajorMinor, sectors: u64, rate: &str) -> String {
    let disk = "devices/pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sda";
    // Word 76 of its identification says what the disk can do: 6 Gb/s (ACS-4, 7.13.6.35).
    let words = vec!["0000"; 76].join(" ");
    format!(
        "sys/dev/block/{device} -> ../../{disk}\n\
         sys/class/block/sda -> ../../{disk}\n\
         sys/{disk}/dev = {device}\n\
         sys/{disk}/size = {sectors}\n\
         sys/class/ata_link/link1/sata_spd = {rate}\n\
         sys/class/ata_link/link1/hw_sata_spd_limit = 6.0 Gbps\n\
         sys/class/ata_device/dev1.0/id = {words} 8f0e\n\
         proc/self/mountinfo =\n"
    )
}

/// From a workstation whose second slot hangs behind the chipset, Linux 6.1.
fn downtrained_listing(device: MajorMinor, sectors: u64) -> String {
    let slot = "devices/pci0000:00/0000:00:1d.0";
    let card = format!("{slot}/0000:04:00.0");
    let disk = format!("{card}/nvme/nvme0/nvme0n1");
    format!(
        "sys/dev/block/{device} -> ../../{disk}\n\
         sys/class/block/nvme0n1 -> ../../{disk}\n\
         sys/{disk}/dev = {device}\n\
         sys/{disk}/size = {sectors}\n\
         sys/{disk}/ro = 0\n\
         sys/{disk}/queue/rotational = 0\n\
         sys/{disk}/queue/write_cache = write back\n\
         sys/{disk}/queue/fua = 1\n\
         sys/{disk}/device -> ../../nvme0\n\
         sys/{card}/nvme/nvme0/transport = pcie\n\
         sys/{card}/nvme/nvme0/model = Samsung SSD 990 PRO 1TB\n\
         sys/{card}/nvme/nvme0/device -> ../..\n\
         sys/{card}/current_link_speed = 2.5 GT/s PCIe\n\
         sys/{card}/max_link_speed = 16.0 GT/s PCIe\n\
         sys/{card}/current_link_width = 1\n\
         sys/{card}/max_link_width = 4\n\
         sys/{slot}/current_link_speed = 2.5 GT/s PCIe\n\
         sys/{slot}/max_link_speed = 16.0 GT/s PCIe\n\
         sys/{slot}/current_link_width = 1\n\
         sys/{slot}/max_link_width = 4\n\
         proc/self/mountinfo =\n"
    )
}

/// From a container on a virtual machine, Linux 6.1.
fn capped_listing(device: MajorMinor, sectors: u64) -> String {
    let disk = "devices/pci0000:00/0000:00:01.0/virtio0/block/vda";
    format!(
        "proc/self/cgroup = 0::/system.slice/docker-abc.scope\\n\n\
         proc/self/mountinfo = 30 25 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\\n\n\
         sys/fs/cgroup/system.slice/docker-abc.scope/io.max = \
         {device} rbps=max wbps=max riops=3000 wiops=max\n\
         sys/dev/block/{device} -> ../../{disk}\n\
         sys/class/block/vda -> ../../{disk}\n\
         sys/{disk}/dev = {device}\n\
         sys/{disk}/size = {sectors}\n"
    )
}
