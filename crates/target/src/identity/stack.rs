//! The stack of block devices under a device number.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use record::{Layer, LayerKind, QueueLimits};
use units::Bytes;

use super::link;
use crate::roots::{Roots, read_number, read_trimmed};

/// sysfs counts sizes and starts in units of 512 bytes, whatever the sector size.
const SYSFS_SECTOR: u64 = 512;
/// More layers than this are a loop in a broken tree.
const LAYERS_MAX: usize = 64;
/// Queue settings that are kept by the kernel's name beside those with a field of their own.
const QUEUE_OTHER: [&str; 9] = [
    "nomerges",
    "wbt_lat_usec",
    "read_ahead_kb",
    "max_hw_sectors_kb",
    "minimum_io_size",
    "optimal_io_size",
    "io_poll",
    "rq_affinity",
    "discard_granularity",
];

/// The layers under the block device `major:minor`, topmost first.
#[must_use]
pub fn describe_stack(device: &str, roots: &Roots) -> Vec<Layer> {
    let mut layers = Vec::new();
    if let Some(folder) = roots.block_device(device) {
        descend(&folder, None, roots, &mut layers);
    }
    layers
}

fn descend(folder: &Path, above: Option<&str>, roots: &Roots, layers: &mut Vec<Layer>) {
    let Some(mut layer) = layer(folder, roots) else {
        return;
    };
    if layers.len() >= LAYERS_MAX || layers.iter().any(|known| known.name == layer.name) {
        return;
    }
    layer.above = above.map(str::to_owned);
    let name = layer.name.clone();
    let backing = layer.backing_file.clone();
    let is_partition = layer.kind == LayerKind::Partition;
    layers.push(layer);
    if is_partition {
        if let Some(disk) = folder.parent() {
            descend(disk, Some(&name), roots, layers);
        }
        return;
    }
    for below in below(folder) {
        descend(&below, Some(&name), roots, layers);
    }
    if let Some(file) = backing {
        let mut deeper = super::below_backing_file(&file, roots);
        if let Some(first) = deeper.first_mut() {
            first.above = Some(name);
        }
        deeper.retain(|layer| layers.iter().all(|known| known.name != layer.name));
        layers.extend(deeper);
    }
}

/// The devices that a stacked device lies on, resolved, in the order of their names.
fn below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder.join("slaves")) else {
        return Vec::new();
    };
    let mut found: Vec<PathBuf> =
        entries.flatten().filter_map(|entry| fs::canonicalize(entry.path()).ok()).collect();
    found.sort();
    found
}

fn layer(folder: &Path, roots: &Roots) -> Option<Layer> {
    let name = folder.file_name()?.to_string_lossy().replace('!', "/");
    let device = read_trimmed(&folder.join("dev"))?;
    let kind = kind_of(folder, &name);
    let udev = udev_properties(&device, roots);
    let attribute = |file: &str| read_trimmed(&folder.join("device").join(file));
    let property = |key: &str| udev.get(key).cloned();
    let sectors = |file: &str| Some(Bytes(read_number(&folder.join(file))? * SYSFS_SECTOR));
    let flag = |file: &str| read_trimmed(&folder.join(file)).map(|text| text == "1");
    Some(Layer {
        size: sectors("size")?,
        kind,
        above: None,
        model: attribute("model").or_else(|| property("ID_MODEL")),
        vendor: attribute("vendor").filter(|v| v != "ATA" && !v.starts_with("0x")),
        serial: read_trimmed(&folder.join("serial"))
            .or_else(|| attribute("serial"))
            .or_else(|| property("ID_SERIAL_SHORT")),
        firmware: attribute("firmware_rev").or_else(|| attribute("rev")),
        wwid: read_trimmed(&folder.join("wwid")).or_else(|| attribute("wwid")),
        transport: transport(folder, &name, kind),
        rotational: flag("queue/rotational"),
        read_only: flag("ro").unwrap_or(false),
        start: if kind == LayerKind::Partition { sectors("start") } else { None },
        queue: queue(folder),
        link: if kind == LayerKind::Disk { link::of_disk(folder, roots) } else { None },
        backing_file: read_trimmed(&folder.join("loop/backing_file")),
        backing_direct: flag("loop/dio"),
        detail: detail(folder, kind),
        name,
        device,
    })
}

fn kind_of(folder: &Path, name: &str) -> LayerKind {
    if folder.join("partition").exists() {
        return LayerKind::Partition;
    }
    if let Some(uuid) = read_trimmed(&folder.join("dm/uuid")) {
        return match uuid.split('-').next() {
            Some("LVM") => LayerKind::Lvm,
            Some("CRYPT") => LayerKind::Crypt,
            Some("mpath") => LayerKind::Multipath,
            _ => LayerKind::DeviceMapper,
        };
    }
    let starts = |prefix: &str| name.starts_with(prefix);
    match () {
        () if starts("dm-") => LayerKind::DeviceMapper,
        () if starts("md") => LayerKind::Raid,
        () if starts("loop") => LayerKind::Loop,
        () if starts("zram") => LayerKind::Zram,
        () if starts("ram") => LayerKind::Ram,
        () if starts("nbd") || starts("rbd") => LayerKind::NetworkBlock,
        () if starts("bcache") => LayerKind::Bcache,
        () => LayerKind::Disk,
    }
}

fn detail(folder: &Path, kind: LayerKind) -> Option<String> {
    match kind {
        LayerKind::Raid => read_trimmed(&folder.join("md/level")),
        LayerKind::Zram => read_trimmed(&folder.join("comp_algorithm")),
        _ => read_trimmed(&folder.join("dm/name")),
    }
}

/// How a disk is attached, from its place in the device tree.
fn transport(folder: &Path, name: &str, kind: LayerKind) -> Option<String> {
    if kind != LayerKind::Disk {
        return None;
    }
    let place = folder.to_string_lossy();
    let words = [
        ("/usb", "usb"),
        ("/ata", "sata"),
        ("/end_device-", "sas"),
        ("/virtio", "virtio"),
        ("/vbd-", "xen"),
        ("/mmc", "mmc"),
        ("/session", "iscsi"),
        ("/rport-", "fibre channel"),
        ("/host", "scsi"),
    ];
    if name.starts_with("nvme") {
        return Some(read_trimmed(&folder.join("device/transport")).map_or_else(
            || "nvme".to_owned(),
            |t| {
                if t == "pcie" { "nvme".to_owned() } else { format!("nvme over {t}") }
            },
        ));
    }
    words.iter().find(|(part, _)| place.contains(part)).map(|(_, word)| (*word).to_owned())
}

fn queue(folder: &Path) -> Option<QueueLimits> {
    let queue = folder.join("queue");
    if !queue.is_dir() {
        return None;
    }
    let text = |file: &str| read_trimmed(&queue.join(file));
    let number = |file: &str| read_number(&queue.join(file));
    let active = |text: String| {
        text.split('[')
            .nth(1)
            .and_then(|rest| rest.split(']').next())
            .map_or(text.clone(), str::to_owned)
    };
    let other = QUEUE_OTHER
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), text(name)?)))
        .collect::<BTreeMap<_, _>>();
    let hardware = fs::read_dir(folder.join("mq")).ok().map(|entries| entries.flatten().count());
    Some(QueueLimits {
        scheduler: text("scheduler").map(active),
        logical_block_size: number("logical_block_size").map(Bytes),
        physical_block_size: number("physical_block_size").map(Bytes),
        write_cache: text("write_cache"),
        fua: text("fua").map(|value| value == "1"),
        nr_requests: number("nr_requests"),
        max_request: number("max_sectors_kb").map(Bytes::kib),
        hardware_queues: hardware.map(|n| n as u64),
        other,
    })
}

/// What udev knows of a device; readable by everyone where sysfs is not.
fn udev_properties(device: &str, roots: &Roots) -> BTreeMap<String, String> {
    let text = fs::read_to_string(roots.run.join("udev/data").join(format!("b{device}")));
    text.unwrap_or_default()
        .lines()
        .filter_map(|line| line.strip_prefix("E:")?.split_once('='))
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect()
}
