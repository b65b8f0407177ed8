//! What was measured: path, file system, the stack of devices under it.

use std::collections::BTreeMap;

use message::Message;
use serde::{Deserialize, Serialize};
use units::JsonSchema;
use units::{Bytes, BytesPerSecond, Nanos};

use crate::absent::is_unset;
use crate::secret::{redact_text, redact_texts};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TargetKind {
    /// A folder, measured through a test file of our own.
    Directory,
    /// A file that exists.
    File,
    BlockDevice,
}

/// One target: its path and everything under it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TargetInfo {
    /// The path as given, made absolute. Bytes that are not UTF-8 are replaced.
    pub path: String,
    pub kind: TargetKind,
    /// The file system it is on; absent for a raw device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_system: Option<FileSystem>,
    /// The layers under it, topmost first, as far as sysfs tells. A stack that branches (RAID,
    /// LVM over several disks) lists every layer once; `above` says where each hangs.
    pub stack: Vec<Layer>,
    pub size: Bytes,
    /// Whether O_DIRECT was accepted.
    pub direct: bool,
    /// Alignment that direct I/O needs in memory, from statx.
    pub dio_memory_align: Bytes,
    /// Alignment that direct I/O needs for offsets and lengths, from statx.
    pub dio_offset_align: Bytes,
    /// Where the alignment comes from: `statx`, `BLKSSZGET`, `assumed`.
    pub dio_align_source: String,
    /// How the measured range is allocated; absent when the file system cannot say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extents: Option<ExtentSummary>,
    pub unknown: Vec<String>,
}

impl TargetInfo {
    /// Whether its file system keeps its files in memory.
    pub fn is_in_memory_file_system(&self) -> bool {
        self.file_system.as_ref().is_some_and(|fs| fs.memory)
    }

    /// Whether its file system or a device of its stack is memory: tmpfs, zram, a RAM disk.
    pub fn is_memory(&self) -> bool {
        let is_ram = |layer: &Layer| matches!(layer.kind, LayerKind::Zram | LayerKind::Ram);
        self.is_in_memory_file_system() || self.stack.iter().any(is_ram)
    }

    /// The topmost block device whose counters can be read.
    pub fn top_device(&self) -> Option<&Layer> {
        self.stack.iter().find(|layer| layer.kind != LayerKind::Partition).or(self.stack.first())
    }

    /// The layers that nothing lies under: the disks themselves.
    pub fn bottom_devices(&self) -> Vec<&Layer> {
        self.stack
            .iter()
            .filter(|layer| !self.stack.iter().any(|l| l.above.as_ref() == Some(&layer.name)))
            .collect()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileSystem {
    /// `ext4`, `xfs`, `tmpfs`, `overlay`.
    pub kind: String,
    /// What is mounted: a device, an export.
    #[serde(deserialize_with = "redact_text")]
    pub source: String,
    pub mount_point: String,
    /// Mount options, per mount and per file system together.
    #[serde(deserialize_with = "redact_texts")]
    pub options: Vec<String>,
    pub size: Bytes,
    /// Free to this user.
    pub free: Bytes,
    pub block_size: Bytes,
    pub read_only: bool,
    /// Whether it keeps its files in memory (tmpfs, ramfs).
    pub memory: bool,
    /// Whether it is another host's (NFS, CIFS, Ceph).
    pub network: bool,
    /// For an overlay: the folder that takes the writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlay_upper: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LayerKind {
    Partition,
    Disk,
    Lvm,
    Crypt,
    DeviceMapper,
    Raid,
    Loop,
    Zram,
    Ram,
    Multipath,
    NetworkBlock,
    Bcache,
    Optical,
}

/// One block device of the stack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Layer {
    /// Kernel name: `nvme0n1p2`, `dm-0`.
    pub name: String,
    /// `major:minor`.
    pub device: String,
    pub kind: LayerKind,
    /// Name of the layer that lies on this one; absent for the topmost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<String>,
    pub size: Bytes,
    /// Model as the device claims.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Vendor as the device claims.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vendor: Option<String>,
    /// Serial number, where it may be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serial: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub firmware: Option<String>,
    /// World-wide or namespace identifier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wwid: Option<String>,
    /// How it is attached: `nvme`, `sata`, `sas`, `usb`, `virtio`, `scsi`, `xen`, `mmc`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transport: Option<String>,
    /// Whether the device claims to rotate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotational: Option<bool>,
    pub read_only: bool,
    /// First byte on its disk, for a partition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Bytes>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<QueueLimits>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<Link>,
    /// For a loop device: the file behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backing_file: Option<String>,
    /// For a loop device: whether it bypasses the page cache of the file behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backing_direct: Option<bool>,
    /// For a loop device: where in that file it begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backing_offset: Option<Bytes>,
    /// For LVM, RAID, crypt: its own name or level (`vg0-root`, `raid1`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl Layer {
    /// Whether it is a virtual disk by its transport.
    pub fn is_virtual(&self) -> bool {
        matches!(self.transport.as_deref(), Some("virtio" | "xen"))
    }

    /// Whether it is a drive that is attached to this machine by SATA, SAS or USB.
    pub fn is_attached_drive(&self) -> bool {
        matches!(self.transport.as_deref(), Some("sata" | "sas" | "usb"))
    }

    /// What it claims to be: how it is attached, whether it rotates, its model; `None` where it
    /// says nothing.
    pub fn describe_claim(&self) -> Option<String> {
        let rotates = |rotates| if rotates { "rotational" } else { "non-rotational" }.to_owned();
        let mut words: Vec<String> = self.transport.iter().cloned().collect();
        words.extend(self.rotational.map(rotates));
        words.extend(self.model.as_ref().map(|model| model.trim().to_owned()));
        (!words.is_empty()).then(|| words.join(", "))
    }
}

/// Settings of a request queue (`/sys/block/X/queue`), by the kernel's file names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QueueLimits {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheduler: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logical_block_size: Option<Bytes>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub physical_block_size: Option<Bytes>,
    /// `write_cache`: `write back` or `write through`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_cache: Option<String>,
    /// `fua`: whether a write can be forced through the cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fua: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nr_requests: Option<u64>,
    /// `max_sectors_kb` in bytes: longer requests are split.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_request: Option<Bytes>,
    /// Number of hardware queues (entries of `mq`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hardware_queues: Option<u64>,
    /// Every other numeric setting worth keeping, by the kernel's name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub other: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Link {
    /// `pcie`, `sata`, `sas`, `usb`.
    pub kind: String,
    /// As negotiated: `8.0 GT/s x4`, `3.0 Gbps`.
    pub current: String,
    /// As it could be, where the kernel tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<String>,
    /// What the negotiated link carries at most, after line coding, before protocol overhead.
    pub ceiling: BytesPerSecond,
    /// Whether it was negotiated below what both ends can.
    pub downtrained: bool,
}

/// How a range of a file is allocated, from FIEMAP. All in bytes of the measured range.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExtentSummary {
    pub length: Bytes,
    pub extents: u64,
    /// No extent at all: reads give zeros without any device.
    pub holes: Bytes,
    /// Allocated but never written: reads give zeros without any device.
    pub unwritten: Bytes,
    /// Not yet allocated, waiting in memory.
    pub delayed: Bytes,
    /// Compressed or encrypted by the file system.
    pub encoded: Bytes,
    /// Shared with another file (reflink, snapshot).
    pub shared: Bytes,
    /// Kept inside metadata.
    pub inline: Bytes,
    /// Where 4 KiB blocks of the file do not start at such a block of the device.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub misaligned: Bytes,
}

impl ExtentSummary {
    /// Bytes whose reading needs no device.
    pub fn bytes_without_media(&self) -> Bytes {
        Bytes(self.holes.0 + self.unwritten.0)
    }

    /// Adds the extents of another file.
    pub fn add(&mut self, other: &Self) {
        self.extents += other.extents;
        for (sum, more) in [
            (&mut self.length, other.length),
            (&mut self.holes, other.holes),
            (&mut self.unwritten, other.unwritten),
            (&mut self.delayed, other.delayed),
            (&mut self.encoded, other.encoded),
            (&mut self.shared, other.shared),
            (&mut self.inline, other.inline),
            (&mut self.misaligned, other.misaligned),
        ] {
            sum.0 += more.0;
        }
    }
}

/// How the test file was written: the first write of its blocks, kept as evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LayoutRun {
    pub wanted: Bytes,
    pub written: Bytes,
    /// Why it is smaller than wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortened: Option<Message>,
    pub block_size: Bytes,
    /// Writes kept outstanding.
    pub depth: u32,
    /// Time from first to last write.
    pub elapsed: Nanos,
    /// Bytes written, per interval.
    pub series: Vec<u64>,
    pub interval: Nanos,
    /// Time of the fsync at the end.
    pub sync: Nanos,
}

impl LayoutRun {
    /// Rate of the first write.
    pub fn rate(&self) -> BytesPerSecond {
        BytesPerSecond(self.written.0 as f64 / self.elapsed.as_secs_f64().max(1e-9))
    }
}
