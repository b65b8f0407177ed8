//! Activity of the block devices under the files.

use std::collections::BTreeSet;
use std::fs::Metadata;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};

use fio::results::DiskUse;
use record::{Layer, LayerKind};
use target::{CounterSnapshot, FolderEntry, Roots, describe_target};

pub(super) struct DiskCounters {
    stacks: Vec<Vec<Layer>>,
    before: Vec<CounterSnapshot>,
}

impl DiskCounters {
    pub(super) fn start<'e>(entries: impl Iterator<Item = &'e FolderEntry>, roots: &Roots) -> Self {
        let (mut known, mut seen) = (BTreeSet::new(), BTreeSet::new());
        let mut stacks = Vec::new();
        for entry in entries {
            // A missing file lies where its folder lies.
            let found = std::fs::metadata(entry.path()).or_else(|_| entry.folder().metadata());
            // One of many files on a device is enough.
            if found.is_ok_and(|found| !known.insert(disk_number(&found))) {
                continue;
            }
            let found =
                describe_target(entry, roots).or_else(|_| describe_target(entry.folder(), roots));
            let Ok(info) = found else { continue };
            let stack: Vec<Layer> = without_backing_devices(info.stack)
                .into_iter()
                .filter(|l| l.kind != LayerKind::Partition)
                .collect();
            let Some(top) = stack.first() else { continue };
            if seen.insert(top.name.clone()) {
                stacks.push(stack);
            }
        }
        let before = stacks.iter().map(|stack| CounterSnapshot::take(stack, roots)).collect();
        Self { stacks, before }
    }

    /// The run begins only now.
    pub(super) fn restart(&mut self, roots: &Roots) {
        self.before = self.stacks.iter().map(|stack| CounterSnapshot::take(stack, roots)).collect();
    }

    pub(super) fn usage_since_start(&self, elapsed_ms: u64, roots: &Roots) -> Vec<DiskUse> {
        let of = |(stack, before): (&Vec<Layer>, &CounterSnapshot)| {
            let counted = CounterSnapshot::take(stack, roots).device_statistics(before);
            let mut disks = counted.into_iter().map(|(name, f)| to_disk_use(name, &f, elapsed_ms));
            let mut top = disks.next()?;
            top.slaves = disks.collect();
            Some(top)
        };
        self.stacks.iter().zip(&self.before).filter_map(of).collect()
    }
}

/// The number of the device that it is or lies on, and whether it is one.
pub(super) fn disk_number(found: &Metadata) -> (bool, u64) {
    match found.file_type().is_block_device() {
        true => (true, found.rdev()),
        false => (false, found.dev()),
    }
}

/// As in fio, the devices under the file of a loop device are left out.
fn without_backing_devices(stack: Vec<Layer>) -> Vec<Layer> {
    let mut kept: Vec<Layer> = Vec::new();
    for layer in stack {
        let is_above = |top: &Layer| Some(&top.name) == layer.above.as_ref();
        let above = kept.iter().find(|top| is_above(top));
        if layer.above.is_none() || above.is_some_and(|top| top.backing_file.is_none()) {
            kept.push(layer);
        }
    }
    kept
}

fn to_disk_use(name: String, fields: &[u64; 11], elapsed_ms: u64) -> DiskUse {
    let busy = fields[9] as f64 * 100.0 / elapsed_ms.max(1) as f64;
    DiskUse {
        name,
        ios: [fields[0], fields[4]],
        sectors: [fields[2], fields[6]],
        merges: [fields[1], fields[5]],
        ticks: [fields[3], fields[7]],
        in_queue: fields[10],
        util: busy.min(100.0),
        slaves: Vec::new(),
    }
}
