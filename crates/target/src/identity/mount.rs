//! The mount table.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use record::{FileSystem, redact_secrets};
use rustix::fs::{StatFs, StatVfs};
use units::Bytes;

use crate::roots::{Roots, file_name_of, list_entries, read_trimmed};

/// Magic numbers of file systems that live in memory (linux/magic.h): tmpfs, ramfs.
const MAGIC_MEMORY: [u64; 2] = [0x0102_1994, 0x8584_58f6];
/// Of those that are another host's: NFS, CIFS, SMB2, Ceph, 9p.
const MAGIC_NETWORK: [u64; 5] = [0x6969, 0xff53_4d42, 0xfe53_4d42, 0x00c3_6400, 0x0102_1997];

/// File systems of the kernel's own that keep no files of users. autofs stands for what is not
/// mounted yet, and would be by being asked.
const PSEUDO_FILE_SYSTEMS: &str = "autofs binder binfmt_misc bpf cgroup cgroup2 configfs cpuset \
    debugfs devpts efivarfs functionfs fusectl fuse.lxcfs gadgetfs hugetlbfs ibmasmfs ipathfs \
    mqueue nfsd nsfs ocfs2_dlmfs openpromfs oprofilefs pidfs proc pstore resctrl rpc_pipefs \
    s390_hypfs securityfs selinuxfs smackfs spufs sysfs tracefs xenfs";

/// One line of `/proc/self/mountinfo`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mount {
    /// Its number, and that of the mount that its mount point lies on.
    id: u32,
    parent: u32,
    pub(crate) device: String,
    /// What of its file system is mounted: `/`, or a folder or file for a bind mount.
    pub(crate) root: PathBuf,
    pub(crate) mount_point: PathBuf,
    pub(crate) options: Vec<String>,
    pub(crate) kind: String,
    pub(crate) source: String,
    pub(crate) super_options: Vec<String>,
}

impl Mount {
    /// Whether it is of the kernel's own: what is written to its files is no data of theirs.
    pub(crate) fn is_pseudo(&self) -> bool {
        PSEUDO_FILE_SYSTEMS.split(' ').any(|kind| kind == self.kind)
    }

    /// Its block devices in sysfs: by its number, or by its source where that is anonymous.
    pub(crate) fn block_devices(&self, roots: &Roots) -> Vec<PathBuf> {
        if let Some(folder) = roots.block_device(&self.device) {
            return vec![folder];
        }
        if !self.source.starts_with("/dev/") {
            return Vec::new();
        }
        // bcachefs names all its devices, with colons between.
        let sources = self.source.split(':').filter_map(|name| resolve_device_file(name, roots));
        let found: Vec<PathBuf> = sources.collect();
        if self.kind == "btrfs" {
            find_btrfs_members(&found, roots).unwrap_or(found)
        } else {
            found
        }
    }

    pub(crate) fn overlay_upper(&self) -> Option<String> {
        (self.kind == "overlay")
            .then(|| self.super_options.iter().find_map(|o| o.strip_prefix("upperdir=")))
            .flatten()
            .map(str::to_owned)
    }
}

/// The folder in sysfs of a device by its file, or any link to one.
pub(crate) fn resolve_device_file(file: &str, roots: &Roots) -> Option<PathBuf> {
    let name = file.strip_prefix("/dev/")?;
    roots.block_device_named(name).or_else(|| resolve_mapper_name(name, roots)).or_else(|| {
        let resolved = std::fs::canonicalize(roots.host_path(Path::new(file))).ok()?;
        roots.block_device_named(&file_name_of(&resolved))
    })
}

/// `/dev/mapper/NAME` is a link to dm-N, which sysfs knows by its name file.
fn resolve_mapper_name(name: &str, roots: &Roots) -> Option<PathBuf> {
    let wanted = name.strip_prefix("mapper/")?;
    let is_it =
        |folder: &PathBuf| read_trimmed(&folder.join("dm/name")).is_some_and(|name| name == wanted);
    let folder = list_entries(&roots.sys.join("class/block")).into_iter().find(is_it)?;
    std::fs::canonicalize(folder).ok()
}

/// mountinfo names one device of a btrfs; `/sys/fs/btrfs/UUID/devices` has all of them.
fn find_btrfs_members(known: &[PathBuf], roots: &Roots) -> Option<Vec<PathBuf>> {
    let name = file_name_of(known.first()?);
    let devices = list_entries(&roots.sys.join("fs/btrfs"))
        .into_iter()
        .map(|folder| folder.join("devices"))
        .find(|devices| devices.join(&name).exists())?;
    let members = list_entries(&devices);
    Some(members.iter().filter_map(|path| std::fs::canonicalize(path).ok()).collect())
}

pub(crate) fn read_mounts(roots: &Roots) -> Vec<Mount> {
    let bytes = std::fs::read(roots.proc.join("self/mountinfo")).unwrap_or_default();
    bytes.split(|&byte| byte == b'\n').filter_map(parse_mount_line).collect()
}

fn parse_mount_line(line: &[u8]) -> Option<Mount> {
    let fields: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
    // Optional fields end with a lone hyphen; the first six are always there.
    let hyphen = 6 + fields.get(6..)?.iter().position(|field| *field == b"-")?;
    let text = |i: usize| {
        let field = fields.get(i)?;
        Some(String::from_utf8_lossy(&unescape_octal(field)).into_owned())
    };
    let path = |i: usize| Some(PathBuf::from(OsString::from_vec(unescape_octal(fields.get(i)?))));
    let list = |text: String| text.split(',').map(str::to_owned).collect();
    Some(Mount {
        id: text(0)?.parse().ok()?,
        parent: text(1)?.parse().ok()?,
        device: text(2)?,
        root: path(3)?,
        mount_point: path(4)?,
        options: list(text(5)?),
        kind: text(hyphen + 1)?,
        source: text(hyphen + 2)?,
        super_options: text(hyphen + 3).map(list).unwrap_or_default(),
    })
}

/// The kernel writes blanks, tabs, line ends and backslashes as octal escapes: `\040`.
pub(crate) fn unescape_octal(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut place = 0;
    while let Some(&byte) = bytes.get(place) {
        let octal = bytes
            .get(place + 1..place + 4)
            .filter(|_| byte == b'\\')
            .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok());
        out.push(octal.unwrap_or(byte));
        place += if octal.is_some() { 4 } else { 1 };
    }
    out
}

/// The mount that `path` is on: the longest mount point, of equal ones the last; one with the right
/// device number is preferred.
pub(crate) fn find_mount<'a>(table: &'a [Mount], path: &Path, device: &str) -> Option<&'a Mount> {
    let leading = |mount: &&Mount| path.starts_with(&mount.mount_point);
    let longest = |mounts: &mut dyn Iterator<Item = &'a Mount>| {
        mounts.max_by_key(|mount| mount.mount_point.components().count())
    };
    longest(&mut table.iter().filter(leading).filter(|mount| mount.device == device))
        .or_else(|| longest(&mut table.iter().filter(leading)))
}

/// Whether another mount lies over it, so that no path leads to it.
pub(crate) fn is_hidden(mount: &Mount, table: &[Mount]) -> bool {
    let lies_on = |other: &Mount| {
        let mut below = mount;
        // A table that leads in circles ends too.
        for _ in table {
            if below.id == other.id {
                return true;
            }
            match table.iter().find(|candidate| candidate.id == below.parent) {
                Some(parent) => below = parent,
                None => return false,
            }
        }
        false
    };
    let place = table.iter().position(|other| other.id == mount.id);
    table.iter().enumerate().any(|(at, other)| {
        let covers = if other.mount_point == mount.mount_point {
            Some(at) > place
        } else {
            mount.mount_point.starts_with(&other.mount_point)
        };
        covers && !lies_on(other)
    })
}

/// The mount under an overlay's upper folder, and whether it was inferred from a file that the
/// container's runtime keeps beside it and mounts into the container.
pub(crate) fn find_upper_mount<'a>(
    table: &'a [Mount],
    overlay: &Mount,
    upper: &Path,
    roots: &Roots,
) -> Option<(&'a Mount, bool)> {
    const RUNTIMES_FILES: [&str; 3] = ["/etc/hosts", "/etc/hostname", "/etc/resolv.conf"];
    let seen = find_mount(table, upper, "").filter(|mount| mount.kind != "overlay");
    // Under an overlay on `/` the name may be one of the host outside: then it is not here.
    let ours = overlay.mount_point != Path::new("/") || roots.host_path(upper).exists();
    if let Some(mount) = seen.filter(|_| ours) {
        return Some((mount, false));
    }
    let is_beside = |mount: &&Mount| {
        RUNTIMES_FILES.iter().any(|file| mount.mount_point == Path::new(file))
            && runtime_root(&mount.root).is_some_and(|home| upper.starts_with(home))
    };
    table.iter().find(is_beside).map(|mount| (mount, true))
}

/// `/var/lib/docker` of `/var/lib/docker/containers/ID/hosts`: where a runtime keeps its layers,
/// too.
fn runtime_root(root: &Path) -> Option<PathBuf> {
    const PARTS: usize = 4; // the root and three names
    let home: PathBuf = root.components().take(PARTS).collect();
    (home.components().count() == PARTS && home != root).then_some(home)
}

pub(crate) fn describe_file_system(
    mount: &Mount,
    statvfs: Option<&StatVfs>,
    statfs: Option<&StatFs>,
) -> FileSystem {
    let kind = mount.kind.as_str();
    let mut options = mount.options.clone();
    options.extend(mount.super_options.iter().filter(|o| !mount.options.contains(o)).cloned());
    let unit = statvfs.map_or(0, |s| s.f_frsize);
    // The kernel's type is signed or unsigned, 32 or 64 bits wide; all magic numbers fit 32.
    let magic = statfs.map_or(0, |s| s.f_type as u64 & 0xffff_ffff);
    let network = matches!(kind, "nfs" | "nfs4" | "cifs" | "smb3" | "ceph" | "9p" | "glusterfs")
        || kind.starts_with("fuse.ssh")
        || kind.starts_with("fuse.gluster")
        || MAGIC_NETWORK.contains(&magic);
    FileSystem {
        kind: kind.to_owned(),
        // FUSE and davfs keep addresses with passwords here.
        source: redact_secrets(&mount.source),
        mount_point: mount.mount_point.to_string_lossy().into_owned(),
        read_only: options.iter().any(|o| o == "ro"),
        options: options.iter().map(|option| redact_secrets(option)).collect(),
        size: Bytes(statvfs.map_or(0, |s| s.f_blocks.saturating_mul(unit))),
        free: Bytes(statvfs.map_or(0, |s| s.f_bavail.saturating_mul(unit))),
        block_size: Bytes(statvfs.map_or(0, |s| s.f_bsize)),
        memory: matches!(kind, "tmpfs" | "ramfs" | "devtmpfs" | "hugetlbfs" | "rootfs")
            || MAGIC_MEMORY.contains(&magic),
        network,
        overlay_upper: mount.overlay_upper(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_mount_covers_is_hidden() {
        let lines = "\
            21 27 0:4 / /proc rw - proc proc rw\n\
            27 1 8:2 / / rw - ext4 /dev/sda2 rw\n\
            28 27 8:16 / /a rw - ext4 /dev/sdb rw\n\
            29 28 8:32 / /a/b rw - ext4 /dev/sdc rw\n\
            30 27 8:48 / /c rw - ext4 /dev/sdd rw\n\
            31 30 8:64 / /c rw - ext4 /dev/sde rw\n\
            32 28 8:80 / /a rw - ext4 /dev/sdf rw\n\
            33 32 8:96 / /a/d rw - ext4 /dev/sdg rw\n";
        let table: Vec<Mount> =
            lines.lines().filter_map(|line| parse_mount_line(line.as_bytes())).collect();
        assert_eq!(table.len(), 8);
        let hidden = table.iter().filter(|mount| is_hidden(mount, &table));
        let hidden: Vec<&str> = hidden.map(|mount| mount.source.as_str()).collect();
        // `/` stands behind what was moved onto it, and hides nothing of it.
        assert_eq!(hidden, ["/dev/sdb", "/dev/sdc", "/dev/sdd"]);
    }

    #[test]
    fn lines_are_read_with_escapes_and_optional_fields() {
        let line = b"36 35 98:0 /mnt1 /my\\040disk\\134 rw,noatime master:1 shared:2 - ext3 \
                    /dev/root\\011x rw,errors=continue";
        let mount = parse_mount_line(line).unwrap();
        assert_eq!(mount.device, "98:0");
        assert_eq!(mount.root, Path::new("/mnt1"));
        assert_eq!(mount.mount_point, Path::new("/my disk\\"));
        assert_eq!(mount.source, "/dev/root\tx");
        assert_eq!(mount.options, ["rw", "noatime"]);
        assert_eq!(parse_mount_line(b"no separator here"), None);
        assert_eq!(parse_mount_line(b""), None);
        let strange = parse_mount_line(b"36 35 8:1 / /\xff\xfe rw - ext4 /dev/sda1 rw").unwrap();
        assert_eq!(strange.mount_point.as_os_str().len(), 3, "bytes that are not UTF-8 are kept");
    }

    #[test]
    fn passwords_of_mounts_are_in_no_record() {
        let line = b"36 35 0:98 / /dav rw - fuse https://ann:PW@dav/x rw,user_id=0,password=PW";
        let system = describe_file_system(&parse_mount_line(line).unwrap(), None, None);
        assert_eq!(system.source, "https://***@dav/x");
        assert_eq!(system.options, ["rw", "user_id=0", "password=***"]);
    }

    #[test]
    fn the_longest_and_last_mount_wins() {
        let at = |point: &str, device: &str| Mount {
            id: 0,
            parent: 0,
            device: device.to_owned(),
            root: PathBuf::from("/"),
            mount_point: PathBuf::from(point),
            options: vec![],
            kind: "ext4".to_owned(),
            source: String::new(),
            super_options: vec![],
        };
        let table =
            [at("/", "8:1"), at("/data", "8:2"), at("/database", "8:3"), at("/data", "8:4")];
        let check = |path: &str, device: &str, expected: &str| {
            assert_eq!(find_mount(&table, Path::new(path), device).unwrap().device, expected);
        };
        check("/data/x", "", "8:4");
        check("/data/x", "8:2", "8:2");
        check("/database/x", "", "8:3");
        check("/dat", "9:9", "8:1");
    }

    #[test]
    fn a_runtime_has_its_home_three_names_deep() {
        let check = |root: &str, expected: Option<&str>| {
            assert_eq!(runtime_root(Path::new(root)), expected.map(PathBuf::from), "{root}");
        };
        check("/var/lib/docker/containers/1f/hosts", Some("/var/lib/docker"));
        check("/containers/1f/hosts", None);
        check("/", None);
    }
}
