//! The program loaded, and its map read once per interval.

use std::fs;
use std::io;
use std::path::Path;

use target::{BpfLink, BpfLoadError, BpfMap, BpfMapKind, BpfProgram, BpfStatistics, Roots};

use super::assembler::JumpError;
use super::btf::{Btf, BtfError};
use super::buckets::{Counter, Part, Totals, VALUE_BYTES};
use super::layout::Layout;
use super::program::{self, map_key};
use crate::counters::{DiskCounters, sample_counters, sample_load};
use crate::disks::{Disk, is_accounted, is_request_based};
use crate::error::WatchError;
use crate::host::HostReader;
use crate::sample::{DeviceSample, DirectionSample, Sample, SourceKind};
use crate::source::Source;

/// Each disk costs 25 kB per processor, and an instruction per request.
const DISKS_MAX: usize = 64;

/// Reading a kernel's memory is allowed to programs that say so.
const LICENCE: &std::ffi::CStr = c"Dual MIT/GPL";
const NAME: &str = "truedisk_watch";

/// Why this source does not work here.
#[derive(Debug, thiserror::Error)]
pub enum Obstacle {
    #[error("it needs root, or CAP_BPF and CAP_PERFMON")]
    NotPermitted,
    #[error("this kernel has no type information (/sys/kernel/btf/vmlinux)")]
    NoTypes,
    #[error(transparent)]
    Types(#[from] BtfError),
    #[error("cannot create a map: {0}")]
    Map(io::Error),
    #[error(transparent)]
    Load(BpfLoadError),
    #[error("cannot attach the program to block_rq_complete: {0}")]
    Attach(io::Error),
    #[error(transparent)]
    Jump(#[from] JumpError),
    #[error(transparent)]
    Watch(#[from] WatchError),
    #[error("{count} disks are more than {DISKS_MAX}")]
    TooManyDisks { count: usize },
}

impl Obstacle {
    fn from_system(error: io::Error, other: impl FnOnce(io::Error) -> Self) -> Self {
        match error.kind() {
            io::ErrorKind::PermissionDenied => Self::NotPermitted,
            _ => other(error),
        }
    }
}

pub struct EbpfSource {
    disks: Vec<WatchedDisk>,
    map: BpfMap,
    buffer: Vec<u8>,
    program: BpfProgram,
    _link: BpfLink,
    missed: u64,
    counters: DiskCounters,
    host: HostReader,
    roots: Roots,
}

struct WatchedDisk {
    disk: Disk,
    /// The program sees it; other disks have counters only.
    is_request_based: bool,
    read: Totals,
    write: Totals,
}

impl EbpfSource {
    pub fn open(disks: &[Disk], roots: &Roots) -> Result<Self, Obstacle> {
        if disks.len() > DISKS_MAX {
            return Err(Obstacle::TooManyDisks { count: disks.len() });
        }
        let layout = Layout::find(&read_types(&roots.sys.join("kernel/btf/vmlinux"))?)?;
        let entries = 2 * disks.len() as u32;
        let map = BpfMap::create(BpfMapKind::PerCpuArray, NAME, 4, VALUE_BYTES, entries);
        let map = map.map_err(|error| Obstacle::from_system(error, Obstacle::Map))?;
        let instructions = program::build(&layout, disks, map.raw_descriptor())?;
        let program = BpfProgram::load(NAME, &instructions, layout.completion, LICENCE);
        let program = program.map_err(|error| match error.source.kind() {
            io::ErrorKind::PermissionDenied => Obstacle::NotPermitted,
            _ => Obstacle::Load(error),
        })?;
        let link = program.attach();
        let link = link.map_err(|error| Obstacle::from_system(error, Obstacle::Attach))?;
        let watched = |disk: &Disk| WatchedDisk {
            disk: disk.clone(),
            is_request_based: is_request_based(disk, roots),
            read: Totals::default(),
            write: Totals::default(),
        };
        Ok(Self {
            disks: disks.iter().map(watched).collect(),
            buffer: map.new_buffer(),
            map,
            program,
            _link: link,
            missed: 0,
            counters: DiskCounters::open(roots)?,
            host: HostReader::open(roots),
            roots: roots.clone(),
        })
    }

    /// How often the program ran and for how long, while the kernel's statistics are enabled.
    pub fn statistics(&self) -> Result<BpfStatistics, WatchError> {
        self.program.statistics().map_err(WatchError::Kernel)
    }

    /// What the program counted of a disk since the last time.
    fn read_totals(&mut self, index: usize, is_write: bool) -> Result<Totals, WatchError> {
        let key = map_key(index, is_write).to_ne_bytes();
        self.map.read_values(&key, &mut self.buffer).map_err(WatchError::Kernel)?;
        let mut now = Totals::default();
        self.map.split_buffer(&self.buffer).for_each(|value| now.add(value));
        let disk = &mut self.disks[index];
        let last = if is_write { &mut disk.write } else { &mut disk.read };
        let delta = now.since(last);
        *last = now;
        Ok(delta)
    }

    fn sample_device(
        &mut self,
        index: usize,
        length_ns: u64,
    ) -> Result<Option<DeviceSample>, WatchError> {
        let WatchedDisk { disk, is_request_based, .. } = &self.disks[index];
        let delta = self.counters.delta(disk);
        let is_accounted = is_accounted(disk, &self.roots);
        if !is_request_based {
            let delta = delta.filter(|_| is_accounted);
            return Ok(delta.map(|delta| sample_counters(disk, &delta, length_ns)));
        }
        let mut device = match delta.filter(|_| is_accounted) {
            Some(delta) => sample_load(disk, &delta, length_ns),
            None => DeviceSample {
                name: disk.name.clone(),
                number: disk.number,
                ..DeviceSample::default()
            },
        };
        let read = self.read_totals(index, false)?;
        let write = self.read_totals(index, true)?;
        device.read = sample_direction(&read);
        device.write = sample_direction(&write);
        device.flushes = Some(write.counter(Counter::Flushes));
        device.errors = Some(read.counter(Counter::Errors) + write.counter(Counter::Errors));
        Ok(Some(device))
    }
}

impl Source for EbpfSource {
    fn kind(&self) -> SourceKind {
        SourceKind::Ebpf
    }

    fn sample(&mut self) -> Result<Sample, WatchError> {
        let interval = self.host.end_interval();
        self.counters.advance()?;
        let mut devices = Vec::new();
        for index in 0..self.disks.len() {
            devices.extend(self.sample_device(index, interval.length_ns)?);
        }
        let missed = self.statistics()?.missed;
        let lost_events = missed - std::mem::replace(&mut self.missed, missed).min(missed);
        Ok(Sample {
            unix_ns: interval.unix_ns,
            length_ns: interval.length_ns,
            devices,
            host: interval.host,
            lost_events,
            ..Sample::default()
        })
    }
}

fn read_types(path: &Path) -> Result<Btf, Obstacle> {
    let bytes = fs::read(path).map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied => Obstacle::NotPermitted,
        _ => Obstacle::NoTypes,
    })?;
    Ok(Btf::parse(bytes)?)
}

/// A part is absent as a whole where some requests lack it: a percentile of the rest says nothing.
fn sample_direction(delta: &Totals) -> DirectionSample {
    let is_timed = delta.counter(Counter::Untimed) == 0;
    let is_issued = is_timed && delta.counter(Counter::Unissued) == 0;
    let part = |part: Part, is_known: bool| is_known.then(|| delta.histogram(part));
    let total = part(Part::Total, is_timed);
    DirectionSample {
        operations: delta.counter(Counter::Operations),
        bytes: delta.counter(Counter::Bytes),
        mean_ns: total.as_ref().and_then(|total| total.mean_ns()),
        total,
        queue: part(Part::Queue, is_issued),
        device: part(Part::Device, is_issued),
    }
}
