//! What sysfs and udev say of one block device.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use message::Message;
use record::{Layer, LayerKind, QueueLimits};
use units::Bytes;

use super::link::{self, find_nvme_controller};
use super::unseen::SerialUnseen;
use crate::roots::{
    Roots, file_name_of, is_forbidden, list_entries, read_lossy, read_number, read_trimmed,
};

/// sysfs counts sizes and starts in units of 512 bytes, whatever the sector size.
const SYSFS_SECTOR: u64 = 512;
/// Queue settings that are kept by the kernel's name.
const QUEUE_OTHER: &str = "nomerges wbt_lat_usec read_ahead_kb max_hw_sectors_kb minimum_io_size \
    optimal_io_size io_poll rq_affinity discard_granularity zoned";

/// The device at a folder of sysfs; what only its permissions hide goes to `unknown`.
pub(crate) fn read_layer(
    folder: &Path,
    roots: &Roots,
    unknown: &mut Vec<Message>,
) -> Option<Layer> {
    let name = file_name_of(folder).replace('!', "/");
    let device = read_trimmed(&folder.join("dev"))?;
    let kind = layer_kind(folder, &name);
    let udev = read_udev_properties(&device, roots);
    let attribute = |file: &str| read_trimmed(&folder.join("device").join(file));
    let sectors = |file: &str| Some(Bytes(read_number(&folder.join(file))? * SYSFS_SECTOR));
    let flag = |file: &str| read_trimmed(&folder.join(file)).map(|text| text == "1");
    let is_disk = kind == LayerKind::Disk;
    // A stacked device may have a `device` of its own; only a disk's is hardware.
    let of_disk = |value: Option<String>| value.filter(|_| is_disk);
    let serial = if is_disk { read_serial(folder, &udev) } else { None };
    if is_disk && serial.is_none() {
        note_forbidden(folder, &name, unknown);
    }
    Some(Layer {
        size: sectors("size")?,
        kind,
        above: None,
        model: of_disk(choose_model(attribute("model"), &udev)),
        vendor: of_disk(attribute("vendor").filter(|v| v != "ATA" && !v.starts_with("0x"))),
        serial,
        firmware: of_disk(attribute("firmware_rev").or_else(|| attribute("rev"))),
        wwid: of_disk(read_trimmed(&folder.join("wwid")).or_else(|| attribute("wwid"))),
        transport: if is_disk { detect_transport(folder, &name, roots) } else { None },
        rotational: flag("queue/rotational"),
        read_only: flag("ro").unwrap_or(false),
        start: if kind == LayerKind::Partition { sectors("start") } else { None },
        queue: read_queue_limits(folder),
        link: if is_disk { link::find_link(folder, roots) } else { None },
        backing_file: read_trimmed(&folder.join("loop/backing_file")),
        backing_direct: flag("loop/dio"),
        backing_offset: read_number(&folder.join("loop/offset")).map(Bytes),
        detail: read_detail(folder, kind),
        name,
        device,
    })
}

fn layer_kind(folder: &Path, name: &str) -> LayerKind {
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
    let kinds = [
        ("dm-", LayerKind::DeviceMapper),
        ("md", LayerKind::Raid),
        ("loop", LayerKind::Loop),
        ("zram", LayerKind::Zram),
        ("ram", LayerKind::Ram),
        ("nbd", LayerKind::NetworkBlock),
        ("rbd", LayerKind::NetworkBlock),
        ("drbd", LayerKind::NetworkBlock),
        ("bcache", LayerKind::Bcache),
        ("sr", LayerKind::Optical),
    ];
    let known = kinds.iter().find(|(prefix, _)| is_numbered(name, prefix, "_"));
    known.map_or(LayerKind::Disk, |(_, kind)| *kind)
}

/// Whether a digit, or one of `also`, follows the prefix.
fn is_numbered(name: &str, prefix: &str, also: &str) -> bool {
    let next = name.strip_prefix(prefix).and_then(|rest| rest.chars().next());
    next.is_some_and(|c| c.is_ascii_digit() || also.contains(c))
}

/// SCSI cuts a model to 16 characters; udev has asked the disk itself.
fn choose_model(sysfs: Option<String>, udev: &BTreeMap<String, String>) -> Option<String> {
    let full = udev.get("ID_MODEL").map(|model| model.replace('_', " ").trim().to_owned());
    match (sysfs, full) {
        (Some(cut), Some(full)) if full.starts_with(&cut) => Some(full),
        (Some(cut), _) => Some(cut),
        (None, full) => full,
    }
}

/// Files that may hold a serial number, by how the disk is attached: virtio, NVMe.
fn serial_paths(folder: &Path) -> [PathBuf; 2] {
    [folder.join("serial"), folder.join("device/serial")]
}

fn read_serial(folder: &Path, udev: &BTreeMap<String, String>) -> Option<String> {
    let [virtio, nvme] = serial_paths(folder);
    read_trimmed(&virtio)
        .or_else(|| read_trimmed(&nvme))
        .or_else(|| udev.get("ID_SERIAL_SHORT").cloned())
        .or_else(|| read_vpd_serial(&folder.join("device/vpd_pg80")))
}

/// SCSI's page 80h: four bytes of header, the last two of them the length, then the serial.
fn read_vpd_serial(path: &Path) -> Option<String> {
    let page = fs::read(path).ok()?;
    let length = usize::from(u16::from_be_bytes([*page.get(2)?, *page.get(3)?]));
    let text = String::from_utf8_lossy(page.get(4..4 + length)?).trim().to_owned();
    (!text.is_empty()).then_some(text)
}

fn note_forbidden(folder: &Path, name: &str, unknown: &mut Vec<Message>) {
    let page = folder.join("device/vpd_pg80");
    if serial_paths(folder).iter().chain([&page]).any(|file| is_forbidden(file)) {
        unknown.push(SerialUnseen { device: name.to_owned() }.into());
    }
}

fn detect_transport(folder: &Path, name: &str, roots: &Roots) -> Option<String> {
    if name.starts_with("nvme") {
        let controller = find_nvme_controller(folder);
        let over = controller.and_then(|folder| read_trimmed(&folder.join("transport")));
        return Some(match over.as_deref() {
            None | Some("pcie") => "nvme".to_owned(),
            Some(network) => format!("nvme over {network}"),
        });
    }
    let parts: Vec<String> =
        folder.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    // From the bus that says most to the one that says least.
    let words = [
        ("usb", "usb"),
        ("ata", "sata"),
        ("end_device-", "sas"),
        ("virtio", "virtio"),
        ("vbd-", "xen"),
        ("mmc", "mmc"),
        ("session", "iscsi"),
        ("rport-", "fibre channel"),
        ("host", "scsi"),
    ];
    let has = |prefix: &str| parts.iter().any(|part| is_numbered(part, prefix, ""));
    let (_, word) = words.iter().find(|(prefix, _)| has(prefix))?;
    // libata has parallel ports too, which have no SATA speed.
    if *word == "sata" && !parts.iter().any(|part| link::is_sata_port(part, roots)) {
        return Some("ata".to_owned());
    }
    // A SATA disk behind a SAS adapter says so in place of a vendor.
    let is_ata = read_trimmed(&folder.join("device/vendor")).is_some_and(|vendor| vendor == "ATA");
    Some(if *word == "sas" && is_ata { "sata" } else { word }.to_owned())
}

fn read_detail(folder: &Path, kind: LayerKind) -> Option<String> {
    match kind {
        LayerKind::Raid => read_trimmed(&folder.join("md/level")),
        LayerKind::Zram => read_trimmed(&folder.join("comp_algorithm")).map(bracketed_choice),
        _ => read_trimmed(&folder.join("dm/name")),
    }
}

/// The choice in `none [mq-deadline] kyber`.
fn bracketed_choice(text: String) -> String {
    let inside = text.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    inside.map(|(word, _)| word.to_owned()).unwrap_or(text)
}

fn read_queue_limits(folder: &Path) -> Option<QueueLimits> {
    let queue = Some(folder.join("queue")).filter(|queue| queue.is_dir())?;
    let text = |file: &str| read_trimmed(&queue.join(file));
    let number = |file: &str| read_number(&queue.join(file));
    let other = QUEUE_OTHER.split(' ').filter_map(|name| Some((name.to_owned(), text(name)?)));
    let mq = folder.join("mq");
    Some(QueueLimits {
        scheduler: text("scheduler").map(bracketed_choice),
        logical_block_size: number("logical_block_size").map(Bytes),
        physical_block_size: number("physical_block_size").map(Bytes),
        write_cache: text("write_cache"),
        fua: text("fua").map(|value| value == "1"),
        nr_requests: number("nr_requests"),
        max_request: number("max_sectors_kb").map(Bytes::kib),
        hardware_queues: mq.is_dir().then(|| list_entries(&mq).len() as u64),
        other: other.collect(),
    })
}

/// What udev knows of a device; readable by everyone where sysfs is not.
pub(crate) fn read_udev_properties(device: &str, roots: &Roots) -> BTreeMap<String, String> {
    read_lossy(&roots.run.join("udev/data").join(format!("b{device}")))
        .lines()
        .filter_map(|line| line.strip_prefix("E:")?.split_once('='))
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect()
}
