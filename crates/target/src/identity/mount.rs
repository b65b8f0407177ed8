//! The mount table.

use std::path::Path;

use record::FileSystem;
use rustix::fs::StatVfs;
use units::Bytes;

use crate::roots::Roots;

/// One line of `/proc/self/mountinfo`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mount {
    pub(crate) device: String,
    pub(crate) mount_point: String,
    pub(crate) options: Vec<String>,
    pub(crate) kind: String,
    pub(crate) source: String,
    pub(crate) super_options: Vec<String>,
}

impl Mount {
    /// `major:minor` of the block device under it: its own number, or its source's where the
    /// file system has an anonymous number (btrfs).
    pub(crate) fn block_device(&self, roots: &Roots) -> Option<String> {
        if roots.block_device(&self.device).is_some() {
            return Some(self.device.clone());
        }
        let name = self.source.strip_prefix("/dev/")?;
        // /dev/mapper/NAME is a link to dm-N, which sysfs knows by its name file.
        let by_name = roots.sys.join("class/block").join(name.replace('/', "!"));
        crate::roots::read_trimmed(&by_name.join("dev")).or_else(|| mapper(name, roots))
    }

    /// The folder of an overlay that takes the writes.
    pub(crate) fn overlay_upper(&self) -> Option<String> {
        (self.kind == "overlay")
            .then(|| self.super_options.iter().find_map(|o| o.strip_prefix("upperdir=")))
            .flatten()
            .map(str::to_owned)
    }
}

fn mapper(name: &str, roots: &Roots) -> Option<String> {
    let wanted = name.strip_prefix("mapper/")?;
    std::fs::read_dir(roots.sys.join("class/block")).ok()?.flatten().find_map(|entry| {
        let folder = entry.path();
        let is_it = crate::roots::read_trimmed(&folder.join("dm/name"))? == wanted;
        is_it.then(|| crate::roots::read_trimmed(&folder.join("dev"))).flatten()
    })
}

/// The mount table; empty when it cannot be read.
pub(crate) fn mounts(roots: &Roots) -> Vec<Mount> {
    let text = std::fs::read_to_string(roots.proc.join("self/mountinfo")).unwrap_or_default();
    text.lines().filter_map(parse).collect()
}

fn parse(line: &str) -> Option<Mount> {
    let (left, right) = line.split_once(" - ")?;
    let left: Vec<&str> = left.split(' ').collect();
    let right: Vec<&str> = right.split(' ').collect();
    let list = |text: &str| text.split(',').map(str::to_owned).collect();
    Some(Mount {
        device: (*left.get(2)?).to_owned(),
        mount_point: unescape(left.get(4)?),
        options: list(left.get(5)?),
        kind: (*right.first()?).to_owned(),
        source: unescape(right.get(1)?),
        super_options: right.get(2).map(|text| list(text)).unwrap_or_default(),
    })
}

/// mountinfo writes blanks, tabs, line ends and backslashes as `\040` and the like.
fn unescape(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut place = 0;
    while place < bytes.len() {
        let octal = bytes
            .get(place + 1..place + 4)
            .filter(|_| bytes[place] == b'\\')
            .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok());
        match octal {
            Some(byte) => {
                out.push(byte);
                place += 4;
            }
            None => {
                out.push(bytes[place]);
                place += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The mount that `path` is on: of those whose mount point leads to it, the longest, and of equal
/// ones the last, which hides the others; one with the right device number is preferred.
pub(crate) fn of_path<'a>(table: &'a [Mount], path: &Path, device: &str) -> Option<&'a Mount> {
    let leading = |mount: &&Mount| path.starts_with(&mount.mount_point);
    let longest = |mounts: &mut dyn Iterator<Item = &'a Mount>| {
        mounts.max_by_key(|mount| mount.mount_point.len())
    };
    longest(&mut table.iter().filter(leading).filter(|mount| mount.device == device))
        .or_else(|| longest(&mut table.iter().filter(leading)))
}

/// The file system in the record's words.
pub(crate) fn file_system(mount: &Mount, statvfs: Option<&StatVfs>) -> FileSystem {
    let kind = mount.kind.as_str();
    let mut options = mount.options.clone();
    options.extend(mount.super_options.iter().filter(|o| !mount.options.contains(o)).cloned());
    let unit = statvfs.map_or(0, |s| s.f_frsize);
    let network = matches!(kind, "nfs" | "nfs4" | "cifs" | "smb3" | "ceph" | "9p" | "glusterfs")
        || kind.starts_with("fuse.ssh")
        || kind.starts_with("fuse.gluster");
    FileSystem {
        kind: kind.to_owned(),
        source: mount.source.clone(),
        mount_point: mount.mount_point.clone(),
        read_only: options.iter().any(|o| o == "ro"),
        options,
        size: Bytes(statvfs.map_or(0, |s| s.f_blocks * unit)),
        free: Bytes(statvfs.map_or(0, |s| s.f_bavail * unit)),
        block_size: Bytes(statvfs.map_or(0, |s| s.f_bsize)),
        memory: matches!(kind, "tmpfs" | "ramfs" | "devtmpfs" | "hugetlbfs" | "rootfs"),
        network,
        overlay_upper: mount.overlay_upper(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_with_escapes_and_optional_fields() {
        let line = "36 35 98:0 /mnt1 /my\\040disk rw,noatime master:1 shared:2 - ext3 \
                    /dev/root\\011x rw,errors=continue";
        let mount = parse(line).unwrap();
        assert_eq!(mount.device, "98:0");
        assert_eq!(mount.mount_point, "/my disk");
        assert_eq!(mount.source, "/dev/root\tx");
        assert_eq!(mount.options, ["rw", "noatime"]);
        assert_eq!(parse("no separator here"), None);
    }

    #[test]
    fn the_longest_and_last_mount_wins() {
        let at = |point: &str, device: &str| Mount {
            device: device.to_owned(),
            mount_point: point.to_owned(),
            options: vec![],
            kind: "ext4".to_owned(),
            source: String::new(),
            super_options: vec![],
        };
        let table =
            [at("/", "8:1"), at("/data", "8:2"), at("/database", "8:3"), at("/data", "8:4")];
        let check = |path: &str, device: &str, expected: &str| {
            assert_eq!(of_path(&table, Path::new(path), device).unwrap().device, expected);
        };
        check("/data/x", "", "8:4");
        check("/data/x", "8:2", "8:2");
        check("/database/x", "", "8:3");
        check("/dat", "9:9", "8:1");
    }
}
