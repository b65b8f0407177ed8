//! The link that a disk hangs on, and what it carries at most.

use std::fs;
use std::path::{Path, PathBuf};

use record::Link;
use units::BytesPerSecond;

use crate::roots::{Roots, file_name_of, list_entries, read_trimmed};

/// Megabytes per second of one PCIe lane, after line coding, by transfer rate (PCIe base
/// specifications 1 to 6: 8b/10b up to 5 GT/s, 128b/130b up to 32 GT/s, FLIT at 64 GT/s).
const PCIE_LANE_MB: [(f64, f64); 6] =
    [(2.5, 250.0), (5.0, 500.0), (8.0, 985.0), (16.0, 1969.0), (32.0, 3938.0), (64.0, 7563.0)];
/// SATA and SAS up to 12 Gb/s send ten bits for a byte (8b/10b).
const MB_PER_GBPS: f64 = 100.0;
/// SAS at 22.5 Gb/s sends 128 bits in 150 (SAS-4).
const SAS_4: (f64, f64) = (22.5, 2400.0);
/// PCI vendors whose disks are a hypervisor's: their links are made up. Red Hat (QEMU), VMware,
/// VirtualBox, Amazon, Google, Microsoft.
const EMULATED: [&str; 6] = ["0x1b36", "0x15ad", "0x80ee", "0x1d0f", "0x1ae0", "0x1414"];
/// Words 76 of a disk's ATA identification: bits 1 to 3 are the SATA speeds it can do (ACS-3).
const ATA_WORD_SPEEDS: usize = 76;

pub(super) fn find_link(folder: &Path, roots: &Roots) -> Option<Link> {
    if file_name_of(folder).starts_with("nvme") {
        // PCIe counts only for what sits on it itself: not for a SATA disk behind an adapter.
        let controller = find_nvme_controller(folder)?;
        return sysfs_ancestors(&controller, roots).find_map(find_pcie_link);
    }
    sysfs_ancestors(folder, roots).find_map(|ancestor| {
        find_sata_link(ancestor, roots)
            .or_else(|| find_sas_link(ancestor, roots))
            .or_else(|| find_usb_link(ancestor))
    })
}

fn sysfs_ancestors<'a>(folder: &'a Path, roots: &'a Roots) -> impl Iterator<Item = &'a Path> {
    folder.ancestors().take_while(|ancestor| ancestor.starts_with(&roots.sys))
}

/// The number at the start of `16.0 GT/s PCIe` or `6.0 Gbps`; none of `Unknown`.
fn parse_leading_number(text: &str) -> Option<f64> {
    text.split_whitespace().next()?.parse().ok()
}

fn read_leading_number(path: &Path) -> Option<f64> {
    parse_leading_number(&read_trimmed(path)?)
}

#[derive(Clone, Copy, PartialEq)]
struct PcieSpeed {
    gt_per_second: f64,
    lanes: f64,
}

impl PcieSpeed {
    fn read(folder: &Path, which: &str) -> Option<Self> {
        let value = |what: &str| read_leading_number(&folder.join(format!("{which}_link_{what}")));
        let (gt_per_second, lanes) = (value("speed")?, value("width")?);
        // A width of 0 or 255 stands for no link.
        (lanes > 0.0 && lanes <= 32.0).then_some(Self { gt_per_second, lanes })
    }

    fn slower_of(self, other: Self) -> Self {
        Self {
            gt_per_second: self.gt_per_second.min(other.gt_per_second),
            lanes: self.lanes.min(other.lanes),
        }
    }

    fn is_at_least(self, other: Self) -> bool {
        self.slower_of(other) == other
    }
}

impl std::fmt::Display for PcieSpeed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.1} GT/s x{}", self.gt_per_second, self.lanes)
    }
}

fn find_pcie_link(folder: &Path) -> Option<Link> {
    // QEMU fills in the slowest link that there is for a disk that has none.
    let vendor = read_trimmed(&folder.join("vendor"));
    if vendor.is_some_and(|vendor| EMULATED.contains(&vendor.as_str())) {
        return None;
    }
    let current = PcieSpeed::read(folder, "current")?;
    let (_, lane_mb) = PCIE_LANE_MB.iter().find(|(gt, _)| *gt == current.gt_per_second)?;
    let disk = PcieSpeed::read(folder, "max").filter(|max| max.is_at_least(current));
    // The port above is the other end. A virtual one may claim less than what runs: no evidence.
    let port = folder.parent().and_then(|port| PcieSpeed::read(port, "max"));
    let port = port.filter(|max| max.is_at_least(current));
    let both = disk.map(|disk| port.map_or(disk, |port| disk.slower_of(port)));
    let max = disk.zip(both).map(|(disk, both)| match port {
        Some(port) if both != disk => format!("{disk} (its slot {port})"),
        _ => disk.to_string(),
    });
    Some(Link {
        kind: "pcie".to_owned(),
        current: current.to_string(),
        max,
        ceiling: BytesPerSecond::from_mb(lane_mb * current.lanes),
        downtrained: both.is_some_and(|both| both != current),
    })
}

fn find_sata_link(folder: &Path, roots: &Roots) -> Option<Link> {
    let (link, disk) = find_ata_port(&file_name_of(folder), roots)?;
    let current = read_trimmed(&link.join("sata_spd"))?;
    let gbps = parse_leading_number(&current)?;
    // Often `<unknown>`: then the host sets no limit.
    let host = read_leading_number(&link.join("hw_sata_spd_limit"));
    let both = disk.map(|disk| host.map_or(disk, |host| disk.min(host)));
    Some(Link {
        kind: "sata".to_owned(),
        ceiling: BytesPerSecond::from_mb(gbps * MB_PER_GBPS),
        // A slow link alone is no proof: the disk may be as old as that.
        downtrained: both.is_some_and(|both| gbps < both),
        max: both.or(host).map(|most| format!("{most:.1} Gbps")),
        current,
    })
}

/// The folder of an `ataN`'s link, and the fastest SATA speed that its disk knows.
fn find_ata_port(name: &str, roots: &Roots) -> Option<(PathBuf, Option<f64>)> {
    let number: u32 = name.strip_prefix("ata")?.parse().ok()?;
    let disk = roots.sys.join(format!("class/ata_device/dev{number}.0/id"));
    Some((roots.sys.join(format!("class/ata_link/link{number}")), read_ata_speed(&disk)))
}

pub(super) fn is_sata_port(name: &str, roots: &Roots) -> bool {
    find_ata_port(name, roots).is_some_and(|(link, disk)| {
        disk.is_some() || read_leading_number(&link.join("sata_spd")).is_some()
    })
}

/// The fastest SATA speed in a disk's identification: 256 words in hexadecimal.
fn read_ata_speed(path: &Path) -> Option<f64> {
    let text = read_trimmed(path)?;
    let word = u16::from_str_radix(text.split_whitespace().nth(ATA_WORD_SPEEDS)?, 16).ok()?;
    if word == u16::MAX {
        return None;
    }
    [(3, 6.0), (2, 3.0), (1, 1.5)].iter().find(|(bit, _)| word & (1 << bit) != 0).map(|(_, s)| *s)
}

fn find_sas_link(folder: &Path, roots: &Roots) -> Option<Link> {
    file_name_of(folder).strip_prefix("end_device-")?;
    let port = folder.parent()?;
    let names = list_entries(port).into_iter().map(|entry| file_name_of(&entry));
    let phys: Vec<String> = names.filter(|name| name.starts_with("phy-")).collect();
    let first = roots.sys.join("class/sas_phy").join(phys.first()?);
    let current = read_trimmed(&first.join("negotiated_linkrate"))?;
    let max = read_trimmed(&first.join("maximum_linkrate"));
    let gbps = parse_leading_number(&current)?;
    let phy_mb = if gbps >= SAS_4.0 { SAS_4.1 } else { gbps * MB_PER_GBPS };
    let wide = |text: String| match phys.len() {
        1 => text,
        lanes => format!("{text} x{lanes}"),
    };
    Some(Link {
        kind: "sas".to_owned(),
        ceiling: BytesPerSecond::from_mb(phy_mb * phys.len() as f64),
        downtrained: max.as_deref().and_then(parse_leading_number).is_some_and(|most| gbps < most),
        current: wide(current),
        max: max.map(wide),
    })
}

fn find_usb_link(folder: &Path) -> Option<Link> {
    read_trimmed(&folder.join("bMaxPacketSize0"))?; // only a USB device has it
    let speed = read_trimmed(&folder.join("speed"))?;
    let mbit: f64 = speed.parse().ok()?;
    // Up to 480 Mbit/s there is no line code but stuffed bits; 5 Gbit/s has 8b/10b; from
    // 10 Gbit/s on 128b/132b (USB 2.0 and 3.2 specifications).
    let ceiling = match mbit {
        m if m >= 10_000.0 => m / 8.0 * 128.0 / 132.0,
        m if m >= 5_000.0 => m / 10.0,
        m => m / 8.0,
    };
    Some(Link {
        kind: "usb".to_owned(),
        current: format!("{speed} Mbit/s"),
        max: None,
        ceiling: BytesPerSecond::from_mb(ceiling),
        downtrained: false,
    })
}

/// The controller of an NVMe disk; of several behind a subsystem the first.
pub(super) fn find_nvme_controller(folder: &Path) -> Option<PathBuf> {
    let device = fs::canonicalize(folder.join("device")).ok()?;
    if device.join("transport").exists() {
        return Some(device);
    }
    let is_controller =
        |path: &PathBuf| file_name_of(path).starts_with("nvme") && path.join("transport").exists();
    let first = list_entries(&device).into_iter().find(is_controller)?;
    fs::canonicalize(first).ok()
}
