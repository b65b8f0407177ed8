//! Loop devices: block devices over a file of ours.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::block;
use crate::tools::{read_text, report_failure, run_tool, wait_until};
use crate::undo::detach_device;
use crate::{DeviceStat, LabError, MajorMinor, Result, Scratch, sparse_file, written_file};

/// How long a partition's node may take to appear.
const PARTITION_LIMIT: Duration = Duration::from_secs(5);

const BACKING_FILE_NAME: &str = "disk.img";

/// How a loop device is to be; ends with [`attach`](LoopOptions::attach).
#[derive(Debug, Clone)]
pub struct LoopOptions {
    /// Bytes of a new backing file.
    size: u64,
    sparse: bool,
    /// The backing file instead of a new one.
    backing: Option<(PathBuf, Guard)>,
    direct_io: bool,
    sector_size: u32,
    partition: Option<u32>,
}

/// What keeps a backing file in place until the device is detached.
pub(crate) type Guard = Arc<dyn fmt::Debug + Send + Sync>;

impl LoopOptions {
    /// A device over a file that exists as long as its guard, read with `O_DIRECT`.
    pub(crate) fn over(path: &Path, guard: Guard) -> LoopOptions {
        LoopOptions { backing: Some((path.to_owned(), guard)), ..LoopDevice::options(0) }
    }

    /// Whether the device reads its file with `O_DIRECT` (the default), or through the page cache.
    pub fn direct_io(mut self, direct_io: bool) -> LoopOptions {
        self.direct_io = direct_io;
        self
    }

    /// The logical sector size, 512 by default.
    pub fn sector_size(mut self, bytes: u32) -> LoopOptions {
        self.sector_size = bytes;
        self
    }

    /// Leaves the backing file without blocks instead of filling it with random data: fast to
    /// make, and a lie to measure.
    pub fn sparse(mut self) -> LoopOptions {
        self.sparse = true;
        self
    }

    /// With a partition that begins at this sector of 512 bytes and takes the rest.
    pub fn partition_at(mut self, sector: u32) -> LoopOptions {
        self.partition = Some(sector);
        self
    }

    /// Attaches a free device to its backing file.
    /// Fails when the size is no multiple of the sector size, when there is no free device, or when
    /// the kernel does not do direct I/O where it was asked for.
    pub fn attach(self) -> Result<LoopDevice> {
        let (file, below) = self.create_backing()?;
        let direct = if self.direct_io { "--direct-io=on" } else { "--direct-io=off" };
        let sector = format!("--sector-size={}", self.sector_size);
        // Without --partscan there is nothing that would have to be waited for.
        let partscan = self.partition.map(|_| "--partscan");
        let words = ["--find", "--show", direct, &sector].into_iter().chain(partscan);
        let words = words.map(Path::new).chain([file.as_path()]);
        let path = PathBuf::from(run_tool("losetup", words)?);
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
        let name = name.ok_or_else(|| LabError::unusable(&path, "is no loop device"))?;
        // From here on the device is undone by its own Drop.
        let attached = Attachment { name, path, _backing: below };
        attached.verify_direct_io(self.direct_io)?;
        if let Some(sector) = self.partition {
            attached.add_partition(sector)?;
            let path = attached.partition();
            wait_until("appear", &path, PARTITION_LIMIT, || Ok(path.exists()))?;
        }
        let major_minor = block::read_major_minor(&attached.name)?;
        Ok(LoopDevice { attached: Arc::new(attached), major_minor })
    }

    fn create_backing(&self) -> Result<(PathBuf, Guard)> {
        if let Some(backing) = &self.backing {
            return Ok(backing.clone());
        }
        let (scratch, size) = (Scratch::new()?, self.size);
        if size == 0 || !size.is_multiple_of(u64::from(self.sector_size.max(1))) {
            let why = format!("cannot have {size} bytes: no whole sectors");
            return Err(LabError::unusable(scratch.path().join(BACKING_FILE_NAME), why));
        }
        let make = if self.sparse { sparse_file } else { written_file };
        let file = make(scratch.path(), BACKING_FILE_NAME, size)?;
        Ok((file, Arc::new(scratch)))
    }
}

/// A loop device over a file of its own; detached on drop, after any mount on it.
#[derive(Debug)]
pub struct LoopDevice {
    attached: Arc<Attachment>,
    major_minor: MajorMinor,
}

impl LoopDevice {
    /// A device of `size` bytes, all of them written, that reads past the page cache.
    pub fn new(size: u64) -> Result<LoopDevice> {
        LoopDevice::options(size).attach()
    }

    /// A device of `size` bytes that differs from [`LoopDevice::new`].
    pub fn options(size: u64) -> LoopOptions {
        let (sparse, backing, direct_io) = (false, None, true);
        LoopOptions { size, sparse, backing, direct_io, sector_size: 512, partition: None }
    }

    /// `/dev/loop3`.
    pub fn path(&self) -> &Path {
        &self.attached.path
    }

    /// `/dev/loop3p1`, where [`LoopOptions::partition_at`] asked for it.
    pub fn partition(&self) -> PathBuf {
        self.attached.partition()
    }

    pub fn name(&self) -> &str {
        &self.attached.name
    }

    /// `7:3`.
    pub fn major_minor(&self) -> MajorMinor {
        self.major_minor
    }

    /// What the device has served over all the uses that it ever had.
    pub fn read_stat(&self) -> Result<DeviceStat> {
        block::read_stat(self.name())
    }

    /// Fails when sysfs cannot be read.
    pub fn size(&self) -> Result<u64> {
        Ok(read_sector_count(self.name())? * 512)
    }

    pub(crate) fn share_attachment(&self) -> Arc<Attachment> {
        Arc::clone(&self.attached)
    }
}

#[derive(Debug)]
pub(crate) struct Attachment {
    name: String,
    path: PathBuf,
    _backing: Guard,
}

impl Attachment {
    fn partition(&self) -> PathBuf {
        Path::new("/dev").join(format!("{}p1", self.name))
    }

    /// Tells the kernel of a partition from this sector to the end: not every kernel reads tables.
    fn add_partition(&self, sector: u32) -> Result<()> {
        let length = read_sector_count(&self.name)?.saturating_sub(u64::from(sector)).to_string();
        let sector = sector.to_string();
        let words = ["1", &sector, &length].map(Path::new);
        run_tool("addpart", [self.path.as_path()].into_iter().chain(words)).map(drop)
    }

    /// Sees that the kernel did what it was asked: it falls back to the page cache in silence.
    fn verify_direct_io(&self, direct_io: bool) -> Result<()> {
        let done = read_text(block::sysfs_folder(&self.name).join("loop/dio"))? == "1";
        if done == direct_io {
            return Ok(());
        }
        let word = if direct_io { "does not read" } else { "reads" };
        Err(LabError::unusable(&self.path, format!("{word} its file with O_DIRECT")))
    }
}

impl Drop for Attachment {
    fn drop(&mut self) {
        report_failure(detach_device(&self.name));
    }
}

fn read_sector_count(name: &str) -> Result<u64> {
    let path = block::sysfs_folder(name).join("size");
    let sectors = read_text(&path)?.parse();
    sectors.map_err(|_| LabError::unusable(&path, "holds no number of sectors"))
}
