//! Devices, file systems and files: up, as they claim to be, and gone afterwards.

#![allow(clippy::unwrap_used, reason = "a test's helpers may fail the test")]

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use lab::{FileSystem, LoopDevice, Mount, Need, Scratch, Tmpfs, Zram, skip_unless};
use lab::{preallocated_file, sparse_file, written_file};

const MIB: u64 = 1 << 20;
/// `O_DIRECT` on x86-64 and, as `asm-generic` has it, on most others.
const O_DIRECT: i32 = 0o40000;

/// The folder in sysfs that a loop device has only while it is attached.
fn attachment(device: &LoopDevice) -> PathBuf {
    Path::new("/sys/block").join(device.name()).join("loop")
}

/// The file that this device, and not a later user of the same number, is attached to.
fn backing(device: &LoopDevice) -> PathBuf {
    fs::read_to_string(attachment(device).join("backing_file")).unwrap().trim().into()
}

fn mounted(path: &Path) -> bool {
    let path = path.to_str().unwrap();
    fs::read_to_string("/proc/self/mountinfo").unwrap().lines().any(|line| line.contains(path))
}

/// Reads 4 KiB past the page cache, into a buffer that is aligned as that needs.
fn read_direct(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut buffer = vec![0u8; 8192];
    let start = buffer.as_ptr().align_offset(4096);
    let file = OpenOptions::new().read(true).custom_flags(O_DIRECT).open(path)?;
    file.read_exact_at(&mut buffer[start..start + 4096], 0)?;
    Ok(buffer[start..start + 4096].to_vec())
}

#[test]
fn a_loop_device_comes_and_goes() {
    skip_unless!(Need::LoopDevices);
    let device = LoopDevice::new(8 * MIB).unwrap();
    assert_eq!(device.size().unwrap(), 8 * MIB);
    assert_eq!(device.path(), Path::new("/dev").join(device.name()));
    assert_eq!(device.major_minor().major, 7);
    let file = backing(&device);
    assert_eq!(fs::metadata(&file).unwrap().blocks() * 512, 8 * MIB);

    let before = device.read_stat().unwrap();
    assert!(read_direct(device.path()).unwrap().iter().any(|byte| *byte != 0));
    let served = device.read_stat().unwrap().since(before);
    assert_eq!((served.read_ios, served.read_sectors), (1, 8));

    drop(device);
    assert!(!file.exists());
}

#[test]
fn a_panic_detaches_too() {
    skip_unless!(Need::LoopDevices);
    let seen = std::sync::Mutex::new(PathBuf::new());
    let outcome = std::panic::catch_unwind(|| {
        let device = LoopDevice::options(MIB).sparse().attach().unwrap();
        *seen.lock().unwrap() = backing(&device);
        // Without the harness's report of a panic, which here is meant.
        std::panic::resume_unwind(Box::new(()));
    });
    assert!(outcome.is_err());
    let file = seen.into_inner().unwrap();
    assert!(!file.exists());
    let listed = Command::new("losetup").arg("--associated").arg(&file).output().unwrap();
    assert!(listed.stdout.is_empty());
}

#[test]
fn a_loop_device_is_as_it_was_ordered() {
    skip_unless!(Need::LoopDevices);
    let options = LoopDevice::options(MIB).sparse().sector_size(4096).direct_io(false);
    let device = options.attach().unwrap();
    let queue = Path::new("/sys/block").join(device.name()).join("queue/logical_block_size");
    assert_eq!(fs::read_to_string(queue).unwrap().trim(), "4096");
    assert_eq!(fs::read_to_string(attachment(&device).join("dio")).unwrap().trim(), "0");
    assert_eq!(fs::metadata(backing(&device)).unwrap().blocks(), 0);
    let error = LoopDevice::options(1000).attach().unwrap_err().to_string();
    assert!(error.contains("no whole sectors"), "{error}");
}

/// Mounts, writes, reads back, unmounts.
fn check_file_system(system: FileSystem, shown: &str) {
    let size = system.size_min();
    let device = LoopDevice::options(size).sparse().attach().unwrap();
    let mount = Mount::new(&device, system).unwrap();
    let line = fs::read_to_string("/proc/self/mounts").unwrap();
    let line = line.lines().find(|l| l.contains(mount.path().to_str().unwrap())).unwrap();
    assert!(line.contains(shown), "{line}");
    File::create(mount.path().join("a")).unwrap().write_all(b"truedisk").unwrap();
    assert_eq!(fs::read(mount.path().join("a")).unwrap(), b"truedisk");
    // The device outlives the mount, in whichever order they go.
    let (file, point) = (backing(&device), mount.path().to_owned());
    drop(device);
    assert!(file.exists());
    drop(mount);
    assert!(!mounted(&point) && !file.exists());
}

#[test]
fn ext4_and_ext4_that_journals_data() {
    skip_unless!(Need::LoopDevices, Need::FileSystem("ext4"));
    check_file_system(FileSystem::Ext4, " ext4 rw");
    check_file_system(FileSystem::Ext4DataJournal, "data=journal");
}

#[test]
fn a_file_system_on_a_partition_lies_where_the_partition_does() {
    skip_unless!(Need::LoopDevices, Need::FileSystem("ext4"), Need::Program("addpart"));
    let device = LoopDevice::options(32 * MIB).sparse().partition_at(63).attach().unwrap();
    let mount = Mount::on_node(&device, &device.partition(), FileSystem::Ext4, "rw").unwrap();
    let node = device.partition().to_string_lossy().into_owned();
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap();
    assert!(mounts.lines().any(|line| line.starts_with(&format!("{node} "))), "{mounts}");
    let start = Path::new("/sys/class/block").join(node.trim_start_matches("/dev/"));
    assert_eq!(fs::read_to_string(start.join("start")).unwrap().trim(), "63");
    let whole = LoopDevice::options(32 * MIB).sparse().attach().unwrap();
    let error = Mount::on_node(&whole, &whole.partition(), FileSystem::Ext4, "rw");
    assert!(error.is_err(), "a device without a partition");
    assert!(mount.path().exists());
}

#[test]
fn xfs() {
    skip_unless!(Need::LoopDevices, Need::FileSystem("xfs"));
    check_file_system(FileSystem::Xfs, " xfs rw");
}

#[test]
fn btrfs_plain_and_compressed() {
    skip_unless!(Need::LoopDevices, Need::FileSystem("btrfs"));
    check_file_system(FileSystem::Btrfs { compress: false }, " btrfs rw");
    check_file_system(FileSystem::Btrfs { compress: true }, "compress-force=zstd:1");
}

/// Reads of a file with `O_DIRECT`, right after it was written, that reach the device.
fn direct_reads_served(system: FileSystem) -> u64 {
    let device = LoopDevice::options(32 * MIB).sparse().attach().unwrap();
    let mount = Mount::new(&device, system).unwrap();
    let path = mount.path().join("f");
    fs::write(&path, [7; 65536]).unwrap();
    File::open(&path).unwrap().sync_all().unwrap();
    let before = device.read_stat().unwrap();
    assert_eq!(read_direct(&path).unwrap()[0], 7);
    device.read_stat().unwrap().since(before).read_ios
}

#[test]
fn journalled_data_makes_direct_reads_come_from_the_page_cache() {
    skip_unless!(Need::LoopDevices, Need::FileSystem("ext4"));
    assert_eq!(direct_reads_served(FileSystem::Ext4), 1);
    assert_eq!(direct_reads_served(FileSystem::Ext4DataJournal), 0);
}

#[test]
fn a_read_only_mount_takes_no_file() {
    skip_unless!(Need::LoopDevices, Need::FileSystem("ext4"));
    let device = LoopDevice::options(16 * MIB).sparse().attach().unwrap();
    let mount = Mount::on_node(&device, device.path(), FileSystem::Ext4, "ro").unwrap();
    let error = File::create(mount.path().join("a")).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::ReadOnlyFilesystem);
    mount.unmount().unwrap();
    let error = Mount::new(&device, FileSystem::Xfs).unwrap_err().to_string();
    assert!(error.contains("is smaller than"), "{error}");
}

#[test]
fn a_tmpfs_holds_what_it_may() {
    skip_unless!(Need::Root);
    let tmpfs = Tmpfs::new(MIB).unwrap();
    let error = fs::write(tmpfs.path().join("a"), vec![1; 2 << 20]).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    let point = tmpfs.path().to_owned();
    drop(tmpfs);
    assert!(!mounted(&point));
}

#[test]
fn zram_is_set_up_and_reset() {
    skip_unless!(Need::Zram);
    let zram = Zram::new(16 * MIB).unwrap();
    assert_eq!(fs::read_to_string("/sys/block/zram0/disksize").unwrap().trim(), "16777216");
    let before = zram.read_stat().unwrap();
    let written = OpenOptions::new().write(true).open(zram.path()).unwrap();
    (&written).write_all(&[1; 65536]).unwrap();
    written.sync_all().unwrap();
    drop(written);
    assert_eq!(zram.read_stat().unwrap().since(before).write_sectors, 128);
    let mut first = [0];
    File::open(zram.path()).unwrap().read_exact(&mut first).unwrap();
    assert_eq!(first, [1]);
    // Another test of this machine may take it at once after the drop, with a size of its own.
    drop(zram);
    let again = Zram::new(32 * MIB).unwrap();
    assert_eq!(fs::read_to_string("/sys/block/zram0/disksize").unwrap().trim(), "33554432");
    drop(again);
}

#[test]
fn files_are_absent_unwritten_or_written() {
    let scratch = Scratch::new().unwrap();
    let blocks = |path: &Path| fs::metadata(path).unwrap().blocks() * 512;
    let sparse = sparse_file(scratch.path(), "sparse", MIB).unwrap();
    let reserved = preallocated_file(scratch.path(), "reserved", MIB).unwrap();
    let written = written_file(scratch.path(), "written", MIB + 5).unwrap();
    let other = written_file(scratch.path(), "other", MIB + 5).unwrap();
    assert_eq!((blocks(&sparse), fs::metadata(&sparse).unwrap().len()), (0, MIB));
    assert!(blocks(&reserved) >= MIB && blocks(&written) >= MIB);
    assert_eq!(fs::read(&reserved).unwrap(), vec![0; MIB as usize]);
    let data = fs::read(&written).unwrap();
    assert_eq!(data.len() as u64, MIB + 5);
    assert_ne!(data, fs::read(other).unwrap());
    assert!(sparse_file(scratch.path(), "sparse", 1).unwrap_err().to_string().contains("create"));

    skip_unless!(Need::Program("filefrag"));
    let unwritten = |path: &Path| {
        let shown = Command::new("filefrag").arg("-v").arg(path).output().unwrap().stdout;
        String::from_utf8(shown).unwrap().contains("unwritten")
    };
    assert!(unwritten(&reserved));
    assert!(!unwritten(&written));
}
