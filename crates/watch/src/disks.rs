//! The disks that can be watched: whole devices, no partitions.

use std::fs;

use record::{Layer, LayerKind};
use target::Roots;

use crate::diskstats::read_diskstats;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disk {
    /// The kernel's name: `vda`.
    pub name: String,
    /// Major and minor.
    pub number: (u32, u32),
}

impl Disk {
    /// `8:0`, as the kernel and records have it.
    pub fn device_number(&self) -> String {
        format!("{}:{}", self.number.0, self.number.1)
    }
}

/// The disks that have done I/O since the boot. A loop device whose file was detached has no size.
pub fn list_disks(roots: &Roots) -> Vec<Disk> {
    let lines = read_diskstats(roots).unwrap_or_default();
    let is_whole = |name: &str| {
        let folder = roots.disk_folder(name);
        let is_empty = fs::read_to_string(folder.join("size")).is_ok_and(|t| t.trim() == "0");
        folder.exists() && !is_empty
    };
    let lines = lines.into_iter().filter(|line| line.has_io() && is_whole(&line.name));
    lines.map(|line| Disk { name: line.name, number: line.number }).collect()
}

/// The disks of a stack of layers, topmost first.
pub fn disks_of_stack(stack: &[Layer]) -> Vec<Disk> {
    let disk = |layer: &Layer| {
        let (major, minor) = layer.device.split_once(':')?;
        let number = (major.parse().ok()?, minor.parse().ok()?);
        Some(Disk { name: layer.name.clone(), number })
    };
    stack.iter().filter(|layer| layer.kind != LayerKind::Partition).filter_map(disk).collect()
}

/// Whether its requests pass the block layer's queues. Device mapper, md, zram and the heads of
/// NVMe multipath hand their I/O on without.
pub fn is_request_based(disk: &Disk, roots: &Roots) -> bool {
    roots.disk_folder(&disk.name).join("mq").exists()
}

/// Whether the kernel counts and times this disk's requests (`queue/iostats`). A zram device says
/// no and counts them itself.
pub(crate) fn is_accounted(disk: &Disk, roots: &Roots) -> bool {
    let folder = roots.disk_folder(&disk.name);
    let is_off = fs::read_to_string(folder.join("queue/iostats")).is_ok_and(|t| t.trim() == "0");
    !is_off || disk.name.starts_with("zram")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_and_untouched_devices_are_left_out() {
        let tree = lab::SysfsTree::from_text(
            "proc/diskstats = 259 0 nvme0n1 5 0 40 1 0 0 0 0 0 1 1\\n\
             259 1 nvme0n1p1 5 0 40 1 0 0 0 0 0 1 1\\n\
             7 0 loop0 0 0 0 0 0 0 0 0 0 0 0\\n\
             7 1 loop1 5 0 40 1 0 0 0 0 0 1 1\\n\
             104 0 cciss/c0d0 0 0 0 0 3 0 24 1 0 1 1\\n\n\
             sys/block/nvme0n1/queue/iostats = 0\n\
             sys/block/loop0/queue/iostats = 1\n\
             sys/block/loop1/size = 0\n\
             sys/block/nvme0n1/size = 4096\n\
             sys/block/cciss!c0d0/queue/iostats = 1\n",
        )
        .unwrap();
        let roots = Roots::under(tree.root());
        let disks = list_disks(&roots);
        let names: Vec<&str> = disks.iter().map(|disk| disk.name.as_str()).collect();
        assert_eq!(names, ["nvme0n1", "cciss/c0d0"]);
        assert_eq!(disks[0].number, (259, 0));
        assert!(!is_accounted(&disks[0], &roots));
        assert!(is_accounted(&disks[1], &roots));
    }

    #[test]
    fn a_stack_has_its_disks_without_its_partitions() {
        let tree = lab::SysfsTree::from_text(
            "sys/dev/block/253:0 -> ../../devices/dm-0\n\
             sys/devices/dm-0/dev = 253:0\n\
             sys/devices/dm-0/size = 4096\n\
             sys/devices/dm-0/slaves/sda2 -> ../../sda/sda2\n\
             sys/devices/sda/dev = 8:0\n\
             sys/devices/sda/size = 4096\n\
             sys/devices/sda/sda2/dev = 8:2\n\
             sys/devices/sda/sda2/size = 2048\n\
             sys/devices/sda/sda2/partition = 2\n",
        )
        .unwrap();
        let stack = target::describe_stack("253:0", &Roots::under(tree.root()));
        assert_eq!(stack.len(), 3);
        let disks = disks_of_stack(&stack);
        assert_eq!(disks.len(), 2);
        assert_eq!((disks[1].name.as_str(), disks[1].number), ("sda", (8, 0)));
    }
}
