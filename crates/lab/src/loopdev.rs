//! Loop devices: block devices over a file of ours.

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::block::{self, DeviceStat, MajorMinor};
use crate::files::{sparse_file, written_file};
use crate::scratch::Scratch;
use crate::simulated::{Served, SimulatedDisk};
use crate::tools::{complain, read, run, wait_until};
use crate::{LabError, Result};

/// How long a detached device may stay busy with its last requests.
const DETACH_LIMIT: Duration = Duration::from_secs(5);

/// How long a partition's node may take to appear.
const PARTITION_LIMIT: Duration = Duration::from_secs(5);

/// The name of a backing file of our own.
const FILE: &str = "disk.img";

/// How a loop device is to be; ends with [`attach`](LoopOptions::attach).
#[derive(Debug, Clone)]
pub struct LoopOptions {
    backing: Backing,
    direct_io: bool,
    sector_size: u32,
    partition: Option<u32>,
}

/// What is below a device.
#[derive(Debug, Clone)]
enum Backing {
    /// A new file of random data of so many bytes.
    Written(u64),
    /// A new file of so many bytes without a block.
    Sparse(u64),
    /// A simulated disk.
    Disk(Arc<Served>),
}

impl LoopOptions {
    /// A device over a simulated disk, reading it with `O_DIRECT`.
    #[must_use]
    pub fn over(disk: &SimulatedDisk) -> LoopOptions {
        LoopOptions {
            backing: Backing::Disk(disk.share()),
            direct_io: true,
            sector_size: 512,
            partition: None,
        }
    }

    /// Whether the device reads its file with `O_DIRECT` (the default), or through the page cache
    /// of the file system below: a host's cache, as a virtual machine sees it.
    #[must_use]
    pub fn direct_io(mut self, direct_io: bool) -> LoopOptions {
        self.direct_io = direct_io;
        self
    }

    /// The logical sector size, 512 unless told.
    #[must_use]
    pub fn sector_size(mut self, bytes: u32) -> LoopOptions {
        self.sector_size = bytes;
        self
    }

    /// Leaves the backing file without blocks instead of filling it with random data: fast to
    /// make, and a lie to measure. It changes nothing of a simulated disk.
    #[must_use]
    pub fn sparse(mut self) -> LoopOptions {
        if let Backing::Written(size) = self.backing {
            self.backing = Backing::Sparse(size);
        }
        self
    }

    /// With a partition that begins at this sector of 512 bytes and takes the rest; see
    /// [`LoopDevice::partition`].
    #[must_use]
    pub fn partition_at(mut self, sector: u32) -> LoopOptions {
        self.partition = Some(sector);
        self
    }

    /// Makes the backing file and attaches a free device to it.
    ///
    /// # Errors
    /// When the size is no multiple of the sector size, when there is no free device, or when the
    /// kernel does not do direct I/O where it was asked for.
    pub fn attach(self) -> Result<LoopDevice> {
        let (file, below) = self.below()?;
        if let Some(sector) = self.partition {
            partition(&file, sector)?;
        }
        let direct = if self.direct_io { "--direct-io=on" } else { "--direct-io=off" };
        let sector = format!("--sector-size={}", self.sector_size);
        // Without --partscan there is nothing that would have to be waited for.
        let mut words: Vec<&std::ffi::OsStr> =
            ["--find", "--show", direct, &sector].into_iter().map(std::ffi::OsStr::new).collect();
        if self.partition.is_some() {
            words.push("--partscan".as_ref());
        }
        words.push(file.as_os_str());
        let path = PathBuf::from(run("losetup", words)?);
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
        let name = name.ok_or_else(|| LabError::unusable(&path, "is no loop device"))?;
        // From here on the device is undone by its own Drop.
        let attached = Attached { name, path, _below: below };
        attached.check(self.direct_io)?;
        if self.partition.is_some() {
            let path = attached.partition();
            wait_until("appear", &path, PARTITION_LIMIT, || Ok(path.exists()))?;
        }
        let major_minor = block::major_minor(&attached.name)?;
        Ok(LoopDevice { attached: Arc::new(attached), major_minor })
    }

    /// The file below, and what keeps it.
    fn below(&self) -> Result<(PathBuf, Below)> {
        let (size, sparse) = match &self.backing {
            Backing::Disk(disk) => return Ok((disk.path().to_owned(), Below::Disk(disk.clone()))),
            Backing::Written(size) => (*size, false),
            Backing::Sparse(size) => (*size, true),
        };
        let scratch = Scratch::new()?;
        if size == 0 || !size.is_multiple_of(u64::from(self.sector_size.max(1))) {
            let why = format!("cannot have {size} bytes: no whole sectors");
            return Err(LabError::unusable(scratch.path().join(FILE), why));
        }
        let make = if sparse { sparse_file } else { written_file };
        let file = make(scratch.path(), FILE, size)?;
        Ok((file, Below::File(scratch)))
    }
}

/// A loop device over a file of its own; detached on drop, and the file removed.
///
/// A [`Mount`](crate::Mount) on it keeps it attached until it is itself unmounted, whichever of
/// the two is dropped first.
#[derive(Debug)]
pub struct LoopDevice {
    attached: Arc<Attached>,
    major_minor: MajorMinor,
}

impl LoopDevice {
    /// A device of `size` bytes, all of them written, that reads past the page cache.
    ///
    /// # Errors
    /// As [`LoopOptions::attach`].
    pub fn new(size: u64) -> Result<LoopDevice> {
        LoopDevice::options(size).attach()
    }

    /// A device of `size` bytes that differs from [`LoopDevice::new`].
    #[must_use]
    pub fn options(size: u64) -> LoopOptions {
        LoopOptions {
            backing: Backing::Written(size),
            direct_io: true,
            sector_size: 512,
            partition: None,
        }
    }

    /// `/dev/loop3`.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.attached.path
    }

    /// `/dev/loop3p1`, where [`LoopOptions::partition_at`] asked for it.
    #[must_use]
    pub fn partition(&self) -> PathBuf {
        self.attached.partition()
    }

    /// `loop3`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.attached.name
    }

    /// `7:3`.
    #[must_use]
    pub fn major_minor(&self) -> MajorMinor {
        self.major_minor
    }

    /// What the device has served so far, over all the uses that it ever had.
    ///
    /// # Errors
    /// When sysfs cannot be read.
    pub fn stat(&self) -> Result<DeviceStat> {
        block::stat(self.name())
    }

    /// Its size in bytes.
    ///
    /// # Errors
    /// When sysfs cannot be read.
    pub fn size(&self) -> Result<u64> {
        let path = block::sysfs(self.name()).join("size");
        let sectors: u64 = read(&path)?
            .parse()
            .map_err(|_| LabError::unusable(&path, "holds no number of sectors"))?;
        Ok(sectors * 512)
    }

    pub(crate) fn share(&self) -> Arc<Attached> {
        Arc::clone(&self.attached)
    }
}

/// The attachment itself, shared by the device and the mounts on it.
#[derive(Debug)]
pub(crate) struct Attached {
    name: String,
    path: PathBuf,
    /// What is below, so it goes after the detaching in `drop`.
    _below: Below,
}

/// What keeps the backing file.
#[derive(Debug)]
enum Below {
    /// A folder of our own.
    File(#[expect(dead_code, reason = "held for its drop")] Scratch),
    /// The mount of a simulated disk.
    Disk(#[expect(dead_code, reason = "held for its drop")] Arc<Served>),
}

impl Attached {
    fn partition(&self) -> PathBuf {
        Path::new("/dev").join(format!("{}p1", self.name))
    }

    /// Sees that the kernel did what it was asked: it falls back to the page cache in silence.
    fn check(&self, direct_io: bool) -> Result<()> {
        let done = read(block::sysfs(&self.name).join("loop/dio"))? == "1";
        if done == direct_io {
            return Ok(());
        }
        let word = if direct_io { "does not read" } else { "reads" };
        Err(LabError::unusable(&self.path, format!("{word} its file with O_DIRECT")))
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        complain(detach(&self.name));
    }
}

/// Writes a partition table with one partition. The layout of a master boot record: four entries of
/// 16 bytes from byte 446 on, each with its type (0x83, Linux) at 4, its first sector at 8 and its
/// length at 12, little-endian; and the mark 55 AA at the end.
fn partition(file: &Path, sector: u32) -> Result<()> {
    let open = OpenOptions::new().read(true).write(true).open(file);
    let open = open.map_err(|e| LabError::io("open", file, e))?;
    let size = open.metadata().map_err(|e| LabError::io("look at", file, e))?.len();
    let length = u32::try_from((size / 512).saturating_sub(u64::from(sector)));
    let length = length.map_err(|_| LabError::unusable(file, "is too long for a partition"))?;
    let mut table = [0; 66];
    table[4] = 0x83;
    table[8..12].copy_from_slice(&sector.to_le_bytes());
    table[12..16].copy_from_slice(&length.to_le_bytes());
    table[64..].copy_from_slice(&[0x55, 0xaa]);
    open.write_all_at(&table, 446).map_err(|e| LabError::io("write to", file, e))?;
    open.sync_all().map_err(|e| LabError::io("sync", file, e))
}

/// Detaches a device and waits until it is free. Whoever calls must own it: nobody else may have
/// taken the device in between.
pub(crate) fn detach(name: &str) -> Result<()> {
    let path = Path::new("/dev").join(name);
    run("losetup", [Path::new("--detach"), &path])?;
    // With a user left, the kernel only promises to detach at the last close.
    let folder = block::sysfs(name).join("loop");
    wait_until("be detached", &path, DETACH_LIMIT, || Ok(!folder.exists()))
}
