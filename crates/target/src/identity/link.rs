//! The link that a disk hangs on, and what it carries at most.

use std::path::Path;

use record::Link;
use units::BytesPerSecond;

use crate::roots::{Roots, read_trimmed};

/// Megabytes per second of one PCIe lane, after line coding, by transfer rate (PCIe base
/// specifications 1 to 6: 8b/10b up to 5 GT/s, 128b/130b up to 32 GT/s, FLIT at 64 GT/s).
const PCIE_LANE_MB: [(f64, f64); 6] =
    [(2.5, 250.0), (5.0, 500.0), (8.0, 985.0), (16.0, 1969.0), (32.0, 3938.0), (64.0, 7563.0)];

/// The nearest link above a disk's folder in sysfs.
pub(crate) fn of_disk(folder: &Path, roots: &Roots) -> Option<Link> {
    folder
        .ancestors()
        .take_while(|ancestor| ancestor.starts_with(&roots.sys))
        .find_map(|ancestor| {
            sata(ancestor, roots).or_else(|| sas(ancestor, roots)).or_else(|| usb(ancestor))
        })
        .or_else(|| pcie_of(folder, roots))
}

/// PCIe counts only for devices that sit on it themselves: an NVMe disk, not a SATA disk behind
/// an adapter.
fn pcie_of(folder: &Path, roots: &Roots) -> Option<Link> {
    let is_nvme = folder.file_name()?.to_string_lossy().starts_with("nvme");
    let ancestors = folder.ancestors().take_while(|a| a.starts_with(&roots.sys));
    if is_nvme { ancestors.filter_map(pcie).next() } else { None }
}

fn pcie(folder: &Path) -> Option<Link> {
    let speed = read_trimmed(&folder.join("current_link_speed"))?;
    let width = read_trimmed(&folder.join("current_link_width"))?;
    let rate = |text: &str| text.split_whitespace().next()?.parse::<f64>().ok();
    let lanes: f64 = width.parse().ok()?;
    let per_lane = PCIE_LANE_MB.iter().find(|(gt, _)| Some(*gt) == rate(&speed))?.1;
    let max_speed = read_trimmed(&folder.join("max_link_speed"));
    let max_width = read_trimmed(&folder.join("max_link_width"));
    let below = |now: Option<f64>, most: Option<f64>| now.zip(most).is_some_and(|(n, m)| n < m);
    let downtrained = below(rate(&speed), max_speed.as_deref().and_then(rate))
        || below(Some(lanes), max_width.as_deref().and_then(|w| w.parse().ok()));
    let max = max_speed.zip(max_width).map(|(s, w)| pcie_words(&s, &w));
    Some(Link {
        kind: "pcie".to_owned(),
        current: pcie_words(&speed, &width),
        max,
        ceiling: BytesPerSecond::mb(per_lane * lanes),
        downtrained,
    })
}

fn pcie_words(speed: &str, width: &str) -> String {
    format!("{} x{width}", speed.trim_end_matches(" PCIe"))
}

/// An `ataN` folder has its negotiated speed under `class/ata_link/linkN`.
fn sata(folder: &Path, roots: &Roots) -> Option<Link> {
    let name = folder.file_name()?.to_str()?;
    let number = name.strip_prefix("ata")?;
    number.parse::<u32>().ok()?;
    let link = roots.sys.join("class/ata_link").join(format!("link{number}"));
    let current = read_trimmed(&link.join("sata_spd"))?;
    let gbps = |text: &str| text.split_whitespace().next()?.parse::<f64>().ok();
    let now = gbps(&current)?;
    let max = read_trimmed(&link.join("hw_sata_spd_limit")).filter(|text| gbps(text).is_some());
    Some(Link {
        kind: "sata".to_owned(),
        // 8b/10b: ten bits on the wire for a byte.
        ceiling: BytesPerSecond::mb(now * 100.0),
        downtrained: max.as_deref().and_then(gbps).is_some_and(|most| now < most),
        current,
        max,
    })
}

/// A SAS end device has its phys under `class/sas_phy`.
fn sas(folder: &Path, roots: &Roots) -> Option<Link> {
    let name = folder.file_name()?.to_str()?;
    let phy = name.strip_prefix("phy-").map(|_| roots.sys.join("class/sas_phy").join(name))?;
    let current = read_trimmed(&phy.join("negotiated_linkrate"))?;
    let gbps = |text: &str| text.split_whitespace().next()?.parse::<f64>().ok();
    let max = read_trimmed(&phy.join("maximum_linkrate"));
    Some(Link {
        kind: "sas".to_owned(),
        ceiling: BytesPerSecond::mb(gbps(&current)? * 100.0),
        downtrained: max.as_deref().and_then(gbps) > gbps(&current),
        current,
        max,
    })
}

fn usb(folder: &Path) -> Option<Link> {
    read_trimmed(&folder.join("bMaxPacketSize0"))?; // only a USB device has it
    let speed = read_trimmed(&folder.join("speed"))?;
    let mbit: f64 = speed.parse().ok()?;
    // 480 Mbit/s and 5 Gbit/s lose a fifth to coding; from 10 Gbit/s on 128b/132b.
    let ceiling = if mbit >= 10_000.0 { mbit / 8.0 * 128.0 / 132.0 } else { mbit / 10.0 };
    Some(Link {
        kind: "usb".to_owned(),
        current: format!("{speed} Mbit/s"),
        max: None,
        ceiling: BytesPerSecond::mb(ceiling),
        downtrained: false,
    })
}
