//! What uses a block device.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::identity::{Mount, device_name, mounts, unescape};
use crate::roots::{Roots, entries, name_of, read_trimmed};

/// What uses the device `major:minor`, a partition of it, or the disk that it is a partition of;
/// `None` when nothing does. What cannot be looked at counts as a use.
pub(crate) fn in_use(device: &str, roots: &Roots) -> Option<String> {
    uses(device, roots).into_iter().next()
}

/// Everything that uses it: a line for each of its parts that something uses.
pub(crate) fn uses(device: &str, roots: &Roots) -> Vec<String> {
    let Some(folder) = roots.block_device(device) else {
        let why = format!("sysfs does not know {device}: it cannot be told whether it is used");
        return vec![why];
    };
    let table = mounts(roots);
    let swaps = fs::read(roots.proc.join("swaps"));
    let (Ok(swaps), false) = (swaps, table.is_empty()) else {
        return vec!["/proc cannot be read: it cannot be told whether it is used".to_owned()];
    };
    let swaps = swap_files(&swaps);
    let used = |part: &PathBuf| of_part(part, &table, &swaps, roots);
    family(&folder).iter().filter_map(used).collect()
}

/// What uses the regular file at `path`, which is resolved: swap, or a loop device; `None` when
/// neither does.
pub(crate) fn file_in_use(path: &Path, roots: &Roots) -> Option<String> {
    let is_it = |file: &str| Path::new(file) == path;
    let swaps = fs::read(roots.proc.join("swaps")).unwrap_or_default();
    if swap_files(&swaps).iter().any(|file| is_it(file)) {
        return Some("it is swapped on".to_owned());
    }
    loop_over(&is_it, roots).map(|above| format!("it is the file behind {above}"))
}

/// The device itself, its partitions, and its disk: a file system on the whole disk lies under
/// what is written to a partition.
fn family(folder: &Path) -> Vec<PathBuf> {
    let is_partition = |path: &PathBuf| path.join("partition").exists();
    let mut parts = vec![folder.to_owned()];
    parts.extend(entries(folder).into_iter().filter(is_partition));
    if folder.join("partition").exists() {
        parts.extend(folder.parent().map(Path::to_owned));
    }
    parts
}

/// The files of `/proc/swaps`, below a line of titles.
fn swap_files(text: &[u8]) -> Vec<String> {
    let lines = text.split(|&byte| byte == b'\n').skip(1);
    let first = lines.filter_map(|line| line.split(u8::is_ascii_whitespace).next());
    first
        .filter(|name| !name.is_empty())
        .map(|name| String::from_utf8_lossy(&unescape(name)).into_owned())
        .collect()
}

fn of_part(part: &Path, table: &[Mount], swaps: &[String], roots: &Roots) -> Option<String> {
    let Some(number) = read_trimmed(&part.join("dev")) else {
        return Some(format!("sysfs does not tell the number of {}", part.display()));
    };
    let name = name_of(part);
    let is_it = |file: &str| names(file, &name, &number, roots);
    let mounted = |mount: &&Mount| {
        mount.device == number
            || (mount.source.starts_with("/dev/") && mount.source.split(':').any(is_it))
    };
    if let Some(mount) = table.iter().find(mounted) {
        return Some(format!("{name} is mounted on {}", mount.mount_point.display()));
    }
    if swaps.iter().any(|file| is_it(file)) {
        return Some(format!("{name} is swapped on"));
    }
    if let Some(holder) = entries(&part.join("holders")).first() {
        let holder = name_of(holder);
        let title = read_trimmed(&part.join("holders").join(&holder).join("dm/name"));
        let title = title.map(|title| format!(" ({title})")).unwrap_or_default();
        return Some(format!("{name} is part of {holder}{title}"));
    }
    loop_over(&is_it, roots).map(|above| format!("{name} is the device behind {above}"))
}

/// The loop device over it: those do not show among the holders.
fn loop_over(is_it: &dyn Fn(&str) -> bool, roots: &Roots) -> Option<String> {
    let devices = entries(&roots.sys.join("block"));
    let over = devices.iter().find(|device| {
        read_trimmed(&device.join("loop/backing_file")).is_some_and(|file| is_it(&file))
    })?;
    Some(name_of(over))
}

/// Whether a device file is the device `name`, by its name or, for a link, by its number.
fn names(file: &str, name: &str, number: &str, roots: &Roots) -> bool {
    let Some(short) = file.strip_prefix("/dev/") else {
        return false;
    };
    short.replace('/', "!") == name
        || fs::metadata(roots.absolute(Path::new(file)))
            .is_ok_and(|found| found.rdev() != 0 && device_name(found.rdev()) == number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Tree;

    fn check(tree: &Tree, device: &str, expected: Option<&str>) {
        let found = in_use(device, &tree.roots);
        match (&found, expected) {
            (None, None) => {}
            (Some(found), Some(expected)) if found.contains(expected) => {}
            _ => panic!("{device}: {found:?}, not {expected:?}"),
        }
    }

    /// LVM on the third partition of a disk, a RAID with one disk beside it, a loop device.
    const BUSY: &str = "\
        sys/dev/block/259:0 -> ../../devices/nvme0n1\n\
        sys/devices/nvme0n1/dev = 259:0\n\
        sys/devices/nvme0n1/nvme0n1p2/dev = 259:2\n\
        sys/devices/nvme0n1/nvme0n1p2/partition = 2\n\
        sys/dev/block/259:3 -> ../../devices/nvme0n1/nvme0n1p3\n\
        sys/devices/nvme0n1/nvme0n1p3/dev = 259:3\n\
        sys/devices/nvme0n1/nvme0n1p3/partition = 3\n\
        sys/devices/nvme0n1/nvme0n1p3/holders/dm-0 -> ../../../dm-0\n\
        sys/dev/block/253:0 -> ../../devices/dm-0\n\
        sys/devices/dm-0/dev = 253:0\n\
        sys/devices/dm-0/dm/name = vg0-root\n\
        sys/dev/block/253:1 -> ../../devices/dm-1\n\
        sys/devices/dm-1/dev = 253:1\n\
        sys/dev/block/8:32 -> ../../devices/sdc\n\
        sys/devices/sdc/dev = 8:32\n\
        sys/devices/sdc/sdc1/dev = 8:33\n\
        sys/devices/sdc/sdc1/partition = 1\n\
        sys/dev/block/254:16 -> ../../devices/vdb\n\
        sys/devices/vdb/dev = 254:16\n\
        sys/block/loop1/loop/backing_file = /dev/vdb\n\
        proc/swaps = Filename Type Size Used Priority\\n/dev/dm-1 partition 8 0 -2\\n\n\
        proc/self/mountinfo = 25 1 253:0 / / rw - ext4 /dev/mapper/vg0-root rw\\n\
        26 25 259:2 / /boot rw - ext4 /dev/nvme0n1p2 rw\\n\n";

    #[test]
    fn what_uses_a_device_is_named() {
        let busy = Tree::of(BUSY);
        check(&busy, "259:0", Some("nvme0n1p2 is mounted on /boot"));
        check(&busy, "259:3", Some("nvme0n1p3 is part of dm-0 (vg0-root)"));
        check(&busy, "253:0", Some("dm-0 is mounted on /"));
        check(&busy, "253:1", Some("dm-1 is swapped on"));
        check(&busy, "254:16", Some("vdb is the device behind loop1"));
        check(&busy, "8:32", None);
    }

    #[test]
    fn what_cannot_be_looked_at_counts_as_used() {
        let tree = Tree::of(BUSY);
        check(&tree, "99:9", Some("cannot be told"));
        std::fs::remove_file(tree.roots.proc.join("swaps")).unwrap();
        check(&tree, "8:32", Some("cannot be told"));
    }
}
