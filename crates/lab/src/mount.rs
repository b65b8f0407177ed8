//! File systems on loop devices, and in memory.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::loopdev::{Attachment, LoopDevice};
use crate::names::new_name;
use crate::scratch::Scratch;
use crate::tools::{report_failure, retry, run_tool};
use crate::{LabError, Result};

/// How long an unmount may fail for a user that is about to go.
const UNMOUNT_LIMIT: Duration = Duration::from_secs(2);

const MIB: u64 = 1 << 20;

/// Which file system a device gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileSystem {
    /// ext4 as usual.
    Ext4,
    /// ext4 with `data=journal`: `O_DIRECT` is accepted and silently goes through the page cache.
    Ext4DataJournal,
    /// XFS.
    Xfs,
    /// Btrfs.
    Btrfs {
        /// Compress everything (zstd), whether or not it seems to be worth it.
        compress: bool,
    },
}

impl FileSystem {
    /// The smallest device it can be made on: mkfs.xfs refuses less than 300 MiB, and mkfs.btrfs
    /// less than about 110 MiB.
    #[must_use]
    pub fn size_min(self) -> u64 {
        match self {
            FileSystem::Ext4 | FileSystem::Ext4DataJournal => 16 * MIB,
            FileSystem::Xfs => 300 * MIB,
            FileSystem::Btrfs { .. } => 128 * MIB,
        }
    }

    /// How it is made. Never with a discard, which would punch the backing file full of holes; and
    /// ext4 with its tables written at once, not in the background of a measurement, and with the
    /// blocks that it has on real disks: below 512 MiB it would take 1 KiB, beside theirs.
    fn mkfs_command(self) -> (&'static str, &'static [&'static str]) {
        const EXT4: &[&str] =
            &["-q", "-F", "-b", "4096", "-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0"];
        match self {
            FileSystem::Ext4 | FileSystem::Ext4DataJournal => ("mkfs.ext4", EXT4),
            FileSystem::Xfs => ("mkfs.xfs", &["-q", "-f", "-K"]),
            FileSystem::Btrfs { .. } => ("mkfs.btrfs", &["-q", "-f", "-K"]),
        }
    }

    /// Its type and its mount options; btrfs would discard by itself.
    fn mount_options(self) -> (&'static str, &'static str) {
        match self {
            FileSystem::Ext4 => ("ext4", "nodiscard"),
            FileSystem::Ext4DataJournal => ("ext4", "nodiscard,data=journal"),
            FileSystem::Xfs => ("xfs", "nodiscard"),
            FileSystem::Btrfs { compress: false } => ("btrfs", "nodiscard"),
            FileSystem::Btrfs { compress: true } => ("btrfs", "nodiscard,compress-force=zstd:1"),
        }
    }
}

/// A new file system on a loop device, mounted; unmounted on drop.
#[derive(Debug)]
pub struct Mount {
    point: MountPoint,
    /// Detached after the unmount: fields are dropped in this order.
    _device: Arc<Attachment>,
}

impl Mount {
    /// Makes the file system and mounts it.
    ///
    /// # Errors
    /// When the device is too small, or when making or mounting fails.
    pub fn new(device: &LoopDevice, system: FileSystem) -> Result<Mount> {
        Mount::with_access(device, system, "rw")
    }

    /// Makes the file system, empty, and mounts it read-only.
    ///
    /// # Errors
    /// As [`Mount::new`].
    pub fn read_only(device: &LoopDevice, system: FileSystem) -> Result<Mount> {
        Mount::with_access(device, system, "ro")
    }

    /// Makes the file system on the device's partition and mounts it.
    ///
    /// # Errors
    /// As [`Mount::new`], and when the device was attached without a partition.
    pub fn on_partition(device: &LoopDevice, system: FileSystem) -> Result<Mount> {
        Mount::on_node(device, &device.partition(), system, "rw")
    }

    fn with_access(device: &LoopDevice, system: FileSystem, access: &str) -> Result<Mount> {
        Mount::on_node(device, device.path(), system, access)
    }

    /// From the device itself, or a part of it.
    fn on_node(
        device: &LoopDevice,
        node: &Path,
        system: FileSystem,
        access: &str,
    ) -> Result<Mount> {
        if device.size()? < system.size_min() {
            let why = format!("is smaller than the {} bytes of {system:?}", system.size_min());
            return Err(LabError::unusable(device.path(), why));
        }
        let (program, words) = system.mkfs_command();
        let mut words: Vec<OsString> = words.iter().map(OsString::from).collect();
        words.push(node.into());
        run_tool(program, words)?;
        let (kind, options) = system.mount_options();
        let point = MountPoint::new(kind, &format!("{access},{options}"), node)?;
        Ok(Mount { point, _device: device.share_attachment() })
    }

    /// The mount point.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.point.path
    }

    /// Unmounts now, and says whether that worked.
    ///
    /// # Errors
    /// When something still uses it.
    pub fn unmount(mut self) -> Result<()> {
        self.point.unmount()
    }
}

/// A file system in memory; unmounted on drop.
#[derive(Debug)]
pub struct Tmpfs {
    point: MountPoint,
}

impl Tmpfs {
    /// A tmpfs that holds up to `size` bytes.
    ///
    /// # Errors
    /// When it cannot be mounted.
    pub fn new(size: u64) -> Result<Tmpfs> {
        let source = new_name("tmpfs");
        let point = MountPoint::new("tmpfs", &format!("size={size}"), Path::new(&source))?;
        Ok(Tmpfs { point })
    }

    /// The mount point.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.point.path
    }
}

/// A mount point in a folder of its own.
#[derive(Debug)]
struct MountPoint {
    path: PathBuf,
    mounted: bool,
    /// Removed after the unmount in `drop`.
    _scratch: Scratch,
}

impl MountPoint {
    fn new(kind: &str, options: &str, source: &Path) -> Result<MountPoint> {
        let scratch = Scratch::new()?;
        let path = scratch.path().join("mnt");
        fs::create_dir(&path).map_err(|e| LabError::io("create", &path, e))?;
        let words = [Path::new("-t"), Path::new(kind), Path::new("-o"), Path::new(options)];
        run_tool("mount", words.into_iter().chain([source, &path]))?;
        Ok(MountPoint { path, mounted: true, _scratch: scratch })
    }

    fn unmount(&mut self) -> Result<()> {
        if self.mounted {
            unmount_path(&self.path)?;
            self.mounted = false;
        }
        Ok(())
    }
}

impl Drop for MountPoint {
    fn drop(&mut self) {
        let outcome = self.unmount();
        if outcome.is_err() {
            // A user that stays must not keep the folder: it is taken out of sight, and the
            // kernel ends the mount with its last user.
            report_failure(unmount_path_lazily(&self.path));
        }
        report_failure(outcome);
    }
}

/// Unmounts, with patience for users that are about to go.
pub(crate) fn unmount_path(point: &Path) -> Result<()> {
    retry(UNMOUNT_LIMIT, || run_tool("umount", [point]).map(drop))
}

/// Takes a mount out of sight at once; the kernel ends it with its last user.
pub(crate) fn unmount_path_lazily(point: &Path) -> Result<()> {
    run_tool("umount", [Path::new("--lazy"), point]).map(drop)
}
