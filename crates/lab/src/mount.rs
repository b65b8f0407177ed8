//! File systems on loop devices, and in memory.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::laws::MIB;
use crate::loopdev::Attachment;
use crate::names::new_name;
use crate::tools::{report_failure, run_tool};
use crate::undo::{unmount_or_hide, unmount_path};
use crate::{LabError, LoopDevice, LoopOptions, Result, Scratch, written_file};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileSystem {
    Ext4,
    /// ext4 with `data=journal`: `O_DIRECT` is accepted and silently goes through the page cache.
    Ext4DataJournal,
    Xfs,
    Btrfs {
        /// Compress everything (zstd), whether or not it seems to be worth it.
        compress: bool,
    },
}

impl FileSystem {
    /// The smallest device that it can be made on, in bytes.
    pub fn size_min(self) -> u64 {
        match self {
            FileSystem::Ext4 | FileSystem::Ext4DataJournal => 16 * MIB,
            FileSystem::Xfs => 300 * MIB,
            FileSystem::Btrfs { .. } => 128 * MIB,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            FileSystem::Ext4 | FileSystem::Ext4DataJournal => "ext4",
            FileSystem::Xfs => "xfs",
            FileSystem::Btrfs { .. } => "btrfs",
        }
    }

    /// How it is made. Never with a discard, which would punch the backing file full of holes; and
    /// ext4 with its tables written at once, and with the blocks that it has on real disks.
    fn mkfs_command(self) -> (&'static str, &'static [&'static str]) {
        const EXT4: &[&str] =
            &["-q", "-F", "-b", "4096", "-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0"];
        match self {
            FileSystem::Ext4 | FileSystem::Ext4DataJournal => ("mkfs.ext4", EXT4),
            FileSystem::Xfs => ("mkfs.xfs", &["-q", "-f", "-K"]),
            FileSystem::Btrfs { .. } => ("mkfs.btrfs", &["-q", "-f", "-K"]),
        }
    }

    fn mount_options(self) -> &'static str {
        match self {
            FileSystem::Ext4 | FileSystem::Xfs | FileSystem::Btrfs { compress: false } => {
                "nodiscard"
            }
            FileSystem::Ext4DataJournal => "nodiscard,data=journal",
            FileSystem::Btrfs { compress: true } => "nodiscard,compress-force=zstd:1",
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
    /// Fails when the device is too small, or when making or mounting fails.
    pub fn new(device: &LoopDevice, system: FileSystem) -> Result<Mount> {
        Mount::on_node(device, device.path(), system, "rw")
    }

    /// Makes the file system on the device itself or on its partition, and mounts it `rw` or `ro`.
    pub fn on_node(
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
        let options = format!("{access},{}", system.mount_options());
        let point = MountPoint::new(system.name(), &options, node)?;
        Ok(Mount { point, _device: device.share_attachment() })
    }

    pub fn path(&self) -> &Path {
        &self.point.path
    }

    /// A loop device over a new file in it, all of it written; it is unmounted when the device is
    /// detached.
    pub fn attach_file(self, size: u64) -> Result<LoopDevice> {
        let file = written_file(self.path(), "disk.img", size)?;
        LoopOptions::over(&file, Arc::new(self)).attach()
    }

    /// Unmounts now. Fails when something still uses it.
    pub fn unmount(mut self) -> Result<()> {
        unmount_path(&self.point.path)?;
        self.point.mounted = false;
        Ok(())
    }
}

/// A file system in memory; unmounted on drop.
#[derive(Debug)]
pub struct Tmpfs {
    point: MountPoint,
}

impl Tmpfs {
    /// A tmpfs that holds up to `size` bytes.
    pub fn new(size: u64) -> Result<Tmpfs> {
        let source = new_name("tmpfs");
        let point = MountPoint::new("tmpfs", &format!("size={size}"), Path::new(&source))?;
        Ok(Tmpfs { point })
    }

    pub fn path(&self) -> &Path {
        &self.point.path
    }
}

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
}

impl Drop for MountPoint {
    fn drop(&mut self) {
        if self.mounted {
            report_failure(unmount_or_hide(&self.path));
        }
    }
}
