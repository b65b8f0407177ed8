//! Loop devices, and what lies behind each.
//!
//! sysfs names the file by one path of many. So files are compared by device and inode, as the loop
//! device states them to root; any other user resolves the path.
//!
//! Blind spot: a file reached both through an overlay and through a layer below it has two inodes.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use crate::handle::FileIdentity;
use crate::identity::format_device_number;
use crate::roots::{Roots, file_name_of, list_entries, read_number, read_trimmed};

/// `LOOP_GET_STATUS64` of linux/loop.h.
const LOOP_GET_STATUS64: libc::Ioctl = 0x4C05;
/// Shift from bytes to the sectors in which sysfs counts, whatever the device's own.
const SECTOR_SHIFT: u32 = 9;

/// `struct loop_info64` of linux/loop.h: 232 bytes. The numbers are those of the kernel's own
/// `stat`.
#[repr(C)]
struct LoopInfo {
    device: u64,
    inode: u64,
    /// Not 0 for a device.
    rdevice: u64,
    rest: [u64; 26],
}

pub(crate) struct LoopDevice {
    pub(crate) name: String,
    /// As sysfs has it.
    pub(crate) file: PathBuf,
    folder: PathBuf,
    backing: Option<FileIdentity>,
}

impl LoopDevice {
    /// Whether this regular file lies behind it.
    pub(crate) fn is_backed_by_file(&self, file: &Metadata) -> bool {
        match self.backing {
            Some(backing) => backing == FileIdentity::from_metadata(file),
            // Any file could be it, except those from which no device of this size comes.
            None => matches_size(&self.folder, file.len()),
        }
    }

    /// Whether the block device `major:minor` lies behind it; `None` where only the path tells.
    pub(crate) fn is_backed_by_device(&self, number: &str) -> Option<bool> {
        match self.backing? {
            FileIdentity::Device { number: behind } => Some(format_device_number(behind) == number),
            FileIdentity::File { .. } => Some(false),
        }
    }
}

pub(crate) fn list_loop_devices(roots: &Roots) -> Vec<LoopDevice> {
    let devices = list_entries(&roots.sys.join("block")).into_iter();
    let set_up = devices.filter_map(|folder| {
        let file = PathBuf::from(read_trimmed(&folder.join("loop/backing_file"))?);
        let name = file_name_of(&folder);
        let backing =
            query_backing(&name, &folder, roots).or_else(|| resolve_backing(&file, &folder, roots));
        Some(LoopDevice { name, file, folder, backing })
    });
    set_up.collect()
}

fn query_backing(name: &str, folder: &Path, roots: &Roots) -> Option<FileIdentity> {
    let node = roots.host_path(&Path::new("/dev").join(name));
    let mut options = OpenOptions::new();
    let device = options.read(true).custom_flags(libc::O_NONBLOCK).open(node).ok()?;
    let number = format_device_number(device.metadata().ok()?.rdev());
    if read_trimmed(&folder.join("dev")).as_ref() != Some(&number) {
        return None;
    }
    let info = query_status(&device).ok()?;
    Some(match info.rdevice {
        0 => FileIdentity::File { device: info.device, inode: info.inode },
        number => FileIdentity::Device { number },
    })
}

fn query_status(device: &File) -> io::Result<LoopInfo> {
    let mut info = LoopInfo { device: 0, inode: 0, rdevice: 0, rest: [0; 26] };
    // SAFETY: the call fills one `loop_info64`, which `info` is as long as, and keeps no pointer.
    let result = unsafe { libc::ioctl(device.as_raw_fd(), LOOP_GET_STATUS64, &raw mut info) };
    if result == 0 { Ok(info) } else { Err(io::Error::last_os_error()) }
}

/// What the path of sysfs leads to; in this namespace it may be another file, told by its size.
fn resolve_backing(file: &Path, folder: &Path, roots: &Roots) -> Option<FileIdentity> {
    let found = fs::metadata(roots.host_path(file)).ok()?;
    let agrees = !found.is_file() || matches_size(folder, found.len());
    agrees.then(|| FileIdentity::from_metadata(&found))
}

fn matches_size(folder: &Path, length: u64) -> bool {
    let number = |name: &str| read_number(&folder.join(name)).unwrap_or(0);
    let Some(rest) = length.checked_sub(number("loop/offset")) else { return false };
    let most = match number("loop/sizelimit") {
        0 => rest,
        limit => rest.min(limit),
    };
    most >> SECTOR_SHIFT == number("size")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Tree, on_disk};
    use crate::usage::find_file_use;
    use lab::{FileSystem, LoopDevice as LabLoop, Mount, Need, Scratch};
    use std::process::Command;

    fn run(program: &str, words: &[&str]) -> String {
        let output = Command::new(program).args(words).output().unwrap();
        assert!(output.status.success(), "{program} {words:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// A loop device over a file; detached on drop.
    struct Over(String);

    impl Over {
        fn file(file: &Path) -> Self {
            Self(run("losetup", &["--find", "--show", file.to_str().unwrap()]))
        }
    }

    impl Drop for Over {
        /// The kernel detaches when the last one closes the device, and others look at it too.
        fn drop(&mut self) {
            run("losetup", &["--detach", &self.0]);
            let name = self.0.trim_start_matches("/dev/");
            let backing = format!("/sys/block/{name}/loop/backing_file");
            for _ in 0..500 {
                if !Path::new(&backing).exists() {
                    break;
                }
                // sleeps because nothing tells when a device is detached
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
        }
    }

    /// A mount; undone on drop.
    struct Bound(Scratch);

    impl Bound {
        fn of(words: &[&str]) -> Self {
            let point = on_disk();
            run("mount", &[words, &[point.path().to_str().unwrap()]].concat());
            Self(point)
        }
    }

    impl Drop for Bound {
        fn drop(&mut self) {
            run("umount", &[self.0.path().to_str().unwrap()]);
        }
    }

    #[track_caller]
    fn check(path: &Path, used: bool) {
        let found = find_file_use(&fs::metadata(path).unwrap(), &Roots::host());
        let said = found.as_ref().is_some_and(|usage| usage.starts_with("it is the file behind"));
        assert_eq!(said, used, "{}: {found:?}", path.display());
    }

    /// One file by all of its paths, and its neighbour, which has the same size.
    fn check_all_paths(folder: &Path) {
        let at = |name: &str| folder.join(name);
        for name in ["image", "other"] {
            fs::write(at(name), vec![0; 1 << 20]).unwrap();
        }
        fs::hard_link(at("image"), at("linked")).unwrap();
        std::os::unix::fs::symlink("image", at("symbolic")).unwrap();
        let over = Over::file(&at("image"));
        let bound = Bound::of(&["--bind", folder.to_str().unwrap()]);
        for name in ["image", "linked", "symbolic"] {
            check(&at(name), true);
            check(&bound.0.path().join(name), true);
        }
        check(&at("other"), false);
        fs::rename(at("image"), at("renamed")).unwrap();
        check(&at("renamed"), true);
        fs::remove_file(at("renamed")).unwrap();
        check(&at("linked"), true);
        drop(over);
        check(&at("linked"), false);
    }

    #[test]
    fn a_file_behind_a_loop_device_is_known_by_every_path() {
        lab::skip_unless!(Need::Root, Need::LoopDevices);
        check_all_paths(on_disk().path());
    }

    #[test]
    fn a_file_on_btrfs_is_known_in_each_of_its_subvolumes() {
        lab::skip_unless!(Need::Root, Need::LoopDevices, Need::FileSystem("btrfs"));
        let device = LabLoop::options(256 << 20).sparse().direct_io(false).attach().unwrap();
        let mount = Mount::new(&device, FileSystem::Btrfs { compress: false }).unwrap();
        check_all_paths(mount.path());
        let volume = mount.path().join("volume");
        run("btrfs", &["subvolume", "create", volume.to_str().unwrap()]);
        check_all_paths(&volume);
    }

    #[test]
    fn a_file_in_an_overlay_is_known_by_every_path_of_the_overlay() {
        lab::skip_unless!(Need::Root, Need::LoopDevices);
        let layers = lab::Tmpfs::new(64 << 20).unwrap();
        for name in ["lower", "upper", "work"] {
            fs::create_dir(layers.path().join(name)).unwrap();
        }
        let at = layers.path().display();
        let options = format!("lowerdir={at}/lower,upperdir={at}/upper,workdir={at}/work");
        let overlay = Bound::of(&["-t", "overlay", "none", "-o", &options]);
        check_all_paths(overlay.0.path());
    }

    #[test]
    fn a_device_behind_a_loop_device_is_known_by_any_node_of_it() {
        lab::skip_unless!(Need::Root, Need::LoopDevices);
        let below = LabLoop::options(1 << 20).sparse().direct_io(false).attach().unwrap();
        let folder = on_disk();
        let node = folder.path().join("node");
        let number = format_device_number(fs::metadata(below.path()).unwrap().rdev());
        let (major, minor) = number.split_once(':').unwrap();
        run("mknod", &[node.to_str().unwrap(), "b", major, minor]);
        let above = Over::file(&node);
        let used = crate::usage::find_use(&number, &Roots::host());
        let name = above.0.trim_start_matches("/dev/");
        assert!(used.as_ref().is_some_and(|usage| usage.text().contains(name)), "{used:?}");
    }

    #[test]
    fn without_leave_to_ask_only_files_of_the_right_size_could_be_it() {
        let tree = Tree::of(
            "sys/block/loop7/loop/backing_file = /srv/there\n\
             sys/block/loop7/loop/offset = 1024\n\
             sys/block/loop7/loop/sizelimit = 0\n\
             sys/block/loop7/size = 8\n\
             sys/block/loop8/loop/backing_file = /srv/gone (deleted)\n\
             sys/block/loop8/loop/offset = 0\n\
             sys/block/loop8/loop/sizelimit = 4096\n\
             sys/block/loop8/size = 8\n\
             proc/swaps = Filename Type Size Used Priority\\n/srv/swap file 8 0 -2\\n\n",
        );
        let folder = tree.roots.host_path(Path::new("/srv"));
        fs::create_dir(&folder).unwrap();
        let file = |name: &str, size: usize| {
            fs::write(folder.join(name), vec![0; size]).unwrap();
            fs::metadata(folder.join(name)).unwrap()
        };
        let check = |file: &Metadata, expected: Option<&str>| {
            let found = find_file_use(file, &tree.roots);
            assert_eq!(found.as_deref(), expected);
        };
        let there = file("there", 5120);
        check(&there, Some("it is the file behind loop7"));
        fs::hard_link(folder.join("there"), folder.join("linked")).unwrap();
        check(&fs::metadata(folder.join("linked")).unwrap(), Some("it is the file behind loop7"));
        // The other path leads nowhere, so each file that is large enough could be it.
        check(&file("large", 8192), Some("it is the file behind loop8"));
        check(&file("small", 4095), None);
        // What the path leads to here is another file than there: it has another size.
        fs::write(folder.join("there"), vec![0; 600]).unwrap();
        fs::write(folder.join("same"), vec![0; 5120 + 511]).unwrap();
        let same = fs::metadata(folder.join("same")).unwrap();
        check(&same, Some("it is the file behind loop7"));
        let swap = file("swap", 100);
        check(&swap, Some("it is in use as swap space"));
        fs::hard_link(folder.join("swap"), folder.join("swap too")).unwrap();
        check(&fs::metadata(folder.join("swap too")).unwrap(), Some("it is in use as swap space"));
    }
}
