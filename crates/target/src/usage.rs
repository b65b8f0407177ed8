//! What uses a block device.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use message::{Message, label, messages};

use crate::handle::FileIdentity;
use crate::identity::{Mount, format_device_number, read_mounts, unescape_octal};
use crate::loop_device::list_loop_devices;
use crate::roots::{Roots, file_name_of, list_entries, read_trimmed};

/// What uses the device `major:minor`, a part or the disk of it. What cannot be seen counts as
/// used.
pub(crate) fn find_use(device: &str, roots: &Roots) -> Option<Message> {
    find_uses(device, roots).into_iter().next()
}

pub(crate) fn find_uses(device: &str, roots: &Roots) -> Vec<Message> {
    let Some(folder) = roots.block_device(device) else {
        return vec![UnknownToSysfs { device: device.to_owned() }.into()];
    };
    let table = read_mounts(roots);
    let swaps = fs::read(roots.proc.join("swaps"));
    let (Ok(swaps), false) = (swaps, table.is_empty()) else {
        return vec![label("use-proc-unreadable")];
    };
    let swaps = parse_swap_files(&swaps);
    let used = |part: &PathBuf| find_part_use(part, &table, &swaps, roots);
    related_devices(&folder, roots).iter().filter_map(used).collect()
}

/// The programs that have block devices open for writing, by device number, as far as `/proc` shows
/// them: databases and virtual machines do so without a claim that the kernel would know of.
#[derive(Debug, Default)]
pub(crate) struct DeviceWriters {
    programs: BTreeMap<String, Program>,
}

#[derive(Debug, Clone)]
struct Program {
    name: String,
    process: String,
}

impl DeviceWriters {
    pub(crate) fn scan_processes(roots: &Roots) -> Self {
        let own = std::process::id().to_string();
        let mut programs = BTreeMap::new();
        for process in list_entries(&roots.proc) {
            let number = file_name_of(&process);
            if number == own || !number.bytes().all(|byte| byte.is_ascii_digit()) {
                continue;
            }
            for open in list_entries(&process.join("fd")) {
                if let Some(device) = written_device(&process, &open) {
                    let name = read_trimmed(&process.join("comm")).unwrap_or_default();
                    let program = Program { name, process: number.clone() };
                    programs.entry(device).or_insert(program);
                }
            }
        }
        Self { programs }
    }

    /// Who may write to the device, a part of it, or what it is a part of.
    pub(crate) fn find_writer(&self, device: &str, roots: &Roots) -> Option<Message> {
        related_devices(&roots.block_device(device)?, roots).iter().find_map(|part| {
            let Program { name, process } =
                self.programs.get(&read_trimmed(&part.join("dev"))?)?.clone();
            Some(OpenForWriting { program: name, process, device: file_name_of(part) }.into())
        })
    }
}

fn written_device(process: &Path, open: &Path) -> Option<String> {
    // Asked by name first: to look at any file of another program may wait for its server.
    if !fs::read_link(open).ok()?.starts_with("/dev") {
        return None;
    }
    let found = fs::metadata(open).ok()?;
    if !found.file_type().is_block_device() {
        return None;
    }
    let about = fs::read_to_string(process.join("fdinfo").join(open.file_name()?)).ok()?;
    let flags = about.lines().find_map(|line| line.strip_prefix("flags:"))?;
    let flags = i32::from_str_radix(flags.trim(), 8).ok()?;
    (flags & libc::O_ACCMODE != libc::O_RDONLY).then(|| format_device_number(found.rdev()))
}

/// What uses a regular file: swap, or a loop device.
pub fn find_file_use(file: &Metadata, roots: &Roots) -> Option<String> {
    let identity = FileIdentity::from_metadata(file);
    let swaps = fs::read(roots.proc.join("swaps")).unwrap_or_default();
    // One whose path leads nowhere from here is left to the kernel, which lets nobody write to it.
    let is_it = |swap: &String| {
        let found = fs::metadata(roots.host_path(Path::new(swap)));
        found.is_ok_and(|found| FileIdentity::from_metadata(&found) == identity)
    };
    if parse_swap_files(&swaps).iter().any(is_it) {
        return Some("it is in use as swap space".to_owned());
    }
    let above =
        list_loop_devices(roots).into_iter().find(|device| device.is_backed_by_file(file))?;
    Some(format!("it is the file behind {}", above.name))
}

/// The device, its partitions, and its disk, with every other path to the same disk.
fn related_devices(folder: &Path, roots: &Roots) -> Vec<PathBuf> {
    let is_partition = |path: &PathBuf| path.join("partition").exists();
    let mut parts = vec![folder.to_owned()];
    parts.extend(list_entries(folder).into_iter().filter(is_partition));
    let mut disk = folder;
    if folder.join("partition").exists() {
        let Some(parent) = folder.parent() else { return parts };
        parts.push(parent.to_owned());
        disk = parent;
    }
    for other in multipath_siblings(disk, roots) {
        parts.extend(list_entries(&other).into_iter().filter(is_partition));
        parts.push(other);
    }
    parts
}

/// Other paths to this disk: those with its worldwide name; emulated disks may share another.
fn multipath_siblings(disk: &Path, roots: &Roots) -> Vec<PathBuf> {
    let name = |disk: &Path| {
        let name =
            ["wwid", "device/wwid"].iter().find_map(|file| read_trimmed(&disk.join(file)))?;
        ["naa.", "eui.", "uuid."].iter().any(|kind| name.starts_with(kind)).then_some(name)
    };
    let Some(own) = name(disk) else { return Vec::new() };
    let disks = list_entries(&roots.sys.join("block")).into_iter();
    let resolved = disks.filter_map(|other| fs::canonicalize(other).ok());
    resolved.filter(|other| other != disk && name(other).as_ref() == Some(&own)).collect()
}

/// The files of `/proc/swaps`, below a line of titles.
fn parse_swap_files(text: &[u8]) -> Vec<String> {
    let lines = text.split(|&byte| byte == b'\n').skip(1);
    let first = lines.filter_map(|line| line.split(u8::is_ascii_whitespace).next());
    first
        .filter(|name| !name.is_empty())
        .map(|name| String::from_utf8_lossy(&unescape_octal(name)).into_owned())
        .collect()
}

fn find_part_use(part: &Path, table: &[Mount], swaps: &[String], roots: &Roots) -> Option<Message> {
    let Some(number) = read_trimmed(&part.join("dev")) else {
        return Some(NumberUnknown { device: part.display().to_string() }.into());
    };
    let name = file_name_of(part);
    let is_it = |file: &str| is_device_named(file, &name, &number, roots);
    let mounted = |mount: &&Mount| {
        mount.device == number
            || (mount.source.starts_with("/dev/") && mount.source.split(':').any(is_it))
            || mount.block_devices(roots).iter().any(|device| device == part)
    };
    if let Some(mount) = table.iter().find(mounted) {
        let path = mount.mount_point.display().to_string();
        return Some(MountedOn { device: name, path }.into());
    }
    if swaps.iter().any(|file| is_it(file)) {
        return Some(SwappedOn { device: name }.into());
    }
    if let Some(holder) = list_entries(&part.join("holders")).first() {
        let holder = file_name_of(holder);
        let title = read_trimmed(&part.join("holders").join(&holder).join("dm/name"));
        let title = title.map(|title| format!(" ({title})")).unwrap_or_default();
        let whole = format!("{holder}{title}");
        return Some(PartOf { device: name, whole }.into());
    }
    // Loop devices do not show among the holders.
    let above = list_loop_devices(roots).into_iter().find(|above| {
        above.is_backed_by_device(&number).unwrap_or_else(|| is_it(&above.file.to_string_lossy()))
    })?;
    Some(BehindLoop { device: name, above: above.name }.into())
}

fn is_device_named(file: &str, name: &str, number: &str, roots: &Roots) -> bool {
    file.strip_prefix("/dev/").is_some_and(|short| short.replace('/', "!") == name)
        || fs::metadata(roots.host_path(Path::new(file)))
            .is_ok_and(|found| found.rdev() != 0 && format_device_number(found.rdev()) == number)
}

messages! {
    MountedOn = "use-mounted" { device: String, path: String };
    SwappedOn = "use-swap" { device: String };
    PartOf = "use-part-of" { device: String, whole: String };
    BehindLoop = "use-behind-loop" { device: String, above: String };
    OpenForWriting = "use-open" { program: String, process: String, device: String };
    UnknownToSysfs = "use-unknown-to-sysfs" { device: String };
    NumberUnknown = "use-number-unknown" { device: String };
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::process::Command;

    use lab::{LoopDevice, Need};

    use super::*;
    use crate::testing::Tree;

    fn check(tree: &Tree, device: &str, expected: Option<&str>) {
        let found = find_use(device, &tree.roots);
        match (&found, expected) {
            (None, None) => {}
            (Some(found), Some(expected)) if found.text().contains(expected) => {}
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
        check(&busy, "253:1", Some("dm-1 is in use as swap space"));
        check(&busy, "254:16", Some("vdb is the device behind loop1"));
        check(&busy, "8:32", None);
    }

    #[test]
    fn the_same_disk_by_another_path_is_one_disk() {
        const PATHS: &str = "\
            sys/dev/block/8:0 -> ../../devices/sda\n\
            sys/block/sda -> ../devices/sda\n\
            sys/devices/sda/dev = 8:0\n\
            sys/devices/sda/device/wwid = naa.5000\n\
            sys/dev/block/8:16 -> ../../devices/sdb\n\
            sys/block/sdb -> ../devices/sdb\n\
            sys/devices/sdb/dev = 8:16\n\
            sys/devices/sdb/device/wwid = naa.5000\n\
            sys/devices/sdb/sdb1/dev = 8:17\n\
            sys/devices/sdb/sdb1/partition = 1\n\
            sys/dev/block/8:32 -> ../../devices/sdc\n\
            sys/block/sdc -> ../devices/sdc\n\
            sys/devices/sdc/dev = 8:32\n\
            sys/devices/sdc/device/wwid = naa.5001\n\
            proc/swaps = Filename Type Size Used Priority\n\n\
            proc/self/mountinfo = 25 1 8:17 / /data rw - ext4 /dev/sdb1 rw\n\n";
        let tree = Tree::of(PATHS);
        check(&tree, "8:0", Some("sdb1 is mounted on /data"));
        check(&tree, "8:32", None);
    }

    #[test]
    fn who_has_a_device_open_for_writing_uses_it() {
        lab::skip_unless!(Need::Root, Need::LoopDevices);
        let device = LoopDevice::options(1 << 20).sparse().direct_io(false).attach().unwrap();
        let number = format_device_number(fs::metadata(device.path()).unwrap().rdev());
        let used = |by: fn(&mut OpenOptions) -> &mut OpenOptions| {
            let file = by(&mut OpenOptions::new()).open(device.path()).unwrap();
            // A program of its own, which has it as its input and waits.
            let mut program = Command::new("sleep").arg("60").stdin(file).spawn().unwrap();
            let used =
                DeviceWriters::scan_processes(&Roots::host()).find_writer(&number, &Roots::host());
            program.kill().unwrap();
            program.wait().unwrap();
            used
        };
        let writer = used(|open| open.read(true).write(true)).unwrap();
        assert!(
            writer.text().contains("sleep (process ") && writer.text().contains("for writing"),
            "{writer:?}"
        );
        assert_eq!(used(|open| open.read(true)), None);
    }

    #[test]
    fn what_cannot_be_looked_at_counts_as_used() {
        let tree = Tree::of(BUSY);
        check(&tree, "99:9", Some("is in use is unknown"));
        std::fs::remove_file(tree.roots.proc.join("swaps")).unwrap();
        check(&tree, "8:32", Some("is in use is unknown"));
    }
}
