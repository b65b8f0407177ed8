//! What a scenario is built on.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::situation::Situation;
use crate::{
    CpuQuota, DiskOptions, LabError, Limit, LoopDevice, Need, Neighbour, Result, Scratch, Throttle,
    Tmpfs, Zram,
};

/// What is measured, or lies below the file system that is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Base {
    /// A folder in memory: its room in bytes.
    Memory(u64),
    /// A folder on this machine's own disk.
    Folder,
    /// A file in such a folder: how it is made, and its bytes.
    File(fn(&Path, &str, u64) -> Result<PathBuf>, u64),
    /// A loop device over a file of random data: its bytes.
    Loop(u64, LoopVariant),
    /// A loop device over a simulated disk.
    Simulated(fn() -> DiskOptions),
    /// `/dev/zram0`: its bytes.
    Zram(u64),
}

/// What is special about a loop device.
#[derive(Debug, Clone, Copy)]
pub(super) enum LoopVariant {
    Plain,
    /// Its file is read through the page cache, which holds all of it.
    Cached,
    /// A partition that begins at this sector.
    Partition(u32),
    /// At most 1000 reads per second, and after this number of reads these limits.
    Throttled(u64, &'static [(Duration, Limit)]),
    /// Another process reads from it: its blocks per second.
    Neighbour(u64),
    /// Another process reads from it as fast as it can, from this time on, for this long.
    PassingNeighbour(Duration, Duration),
    /// Who measures has this many percent of one processor.
    CpuQuota(u32),
}

impl Base {
    pub(super) fn needs(self) -> Vec<Need> {
        match self {
            Base::Memory(_) => vec![Need::Root],
            Base::Folder | Base::File(..) => Vec::new(),
            Base::Simulated(_) => vec![Need::Fuse, Need::LoopDevices],
            Base::Zram(_) => vec![Need::Zram],
            Base::Loop(_, variant) => match variant {
                LoopVariant::Plain | LoopVariant::Cached => vec![Need::LoopDevices],
                LoopVariant::Partition(_) => vec![Need::LoopDevices, Need::Program("addpart")],
                LoopVariant::Throttled(..) => vec![Need::BlkioV1, Need::LoopDevices],
                LoopVariant::Neighbour(_) | LoopVariant::PassingNeighbour(..) => {
                    vec![Need::LoopDevices, Need::Program("fio")]
                }
                LoopVariant::CpuQuota(_) => vec![Need::CpuV1, Need::LoopDevices],
            },
        }
    }

    /// Builds it into `built`; gives the folder, file or device.
    pub(super) fn build(self, built: &mut Situation) -> Result<PathBuf> {
        let path = match self {
            Base::Memory(bytes) => built.memory.insert(Tmpfs::new(bytes)?).path().to_owned(),
            Base::Folder => built.scratch.insert(Scratch::new()?).path().to_owned(),
            Base::File(create, bytes) => {
                create(built.scratch.insert(Scratch::new()?).path(), "data", bytes)?
            }
            Base::Zram(bytes) => built.zram.insert(Zram::new(bytes)?).path().to_owned(),
            Base::Simulated(options) => {
                let disk = built.disk.insert(options().serve()?);
                built.device.insert(disk.attach()?).path().to_owned()
            }
            Base::Loop(bytes, variant) => variant.build(bytes, built)?,
        };
        Ok(path)
    }
}

impl LoopVariant {
    fn build(self, bytes: u64, built: &mut Situation) -> Result<PathBuf> {
        let options = LoopDevice::options(bytes);
        let options = match self {
            LoopVariant::Cached => options.direct_io(false),
            LoopVariant::Partition(sector) => options.partition_at(sector),
            _ => options,
        };
        let device = built.device.insert(options.attach()?);
        let path = device.path().to_owned();
        match self {
            LoopVariant::Plain => {}
            LoopVariant::Cached => {
                // Reading it once fills the cache of the backing file, which answers from then on.
                let read = File::open(&path).and_then(|mut f| io::copy(&mut f, &mut io::sink()));
                read.map_err(|e| LabError::io("read", &path, e))?;
            }
            LoopVariant::Partition(_) => return Ok(device.partition()),
            LoopVariant::Throttled(reads_before, steps) => {
                let throttle = built.throttle.insert(Throttle::new(device.major_minor())?);
                throttle.cap_read_iops(1000)?;
                if !steps.is_empty() {
                    let schedule = throttle.schedule_after_reads(reads_before, steps.to_vec())?;
                    built.schedule = Some(schedule);
                }
            }
            LoopVariant::Neighbour(iops) => built.neighbour = Some(Neighbour::new(&path, iops)?),
            LoopVariant::PassingNeighbour(after, lasts) => {
                built.neighbour = Some(Neighbour::passing(&path, after, lasts)?);
            }
            LoopVariant::CpuQuota(percent) => built.quota = Some(CpuQuota::new(percent)?),
        }
        Ok(path)
    }
}
