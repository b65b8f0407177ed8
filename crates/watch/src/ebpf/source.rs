//! The program loaded, and its map read once per interval.

use std::fs;
use std::io;
use std::path::Path;

use stats::LatencyHistogram;
use target::{BpfLink, BpfLoadError, BpfMap, BpfMapKind, BpfProgram, BpfStatistics, Roots};

use super::assembler::JumpError;
use super::bios::BioPrograms;
use super::btf::{Btf, BtfError};
use super::buckets::{Counter, Part, Totals, VALUE_BYTES};
use super::layout::Layout;
use super::program::{self, ERASURES, FLUSHES, KINDS, Maps, NumberedDisk, READS, WRITES, map_key};
use super::sampling::Sampling;
use super::submitters::{SubmitterReader, SubmittersOfGroups};
use super::waiters::WaiterReader;
use crate::counters::{DiskCounters, sample_counters};
use crate::disks::{Disk, is_accounted, is_request_based};
use crate::error::WatchError;
use crate::host::HostReader;
use crate::sample::{DeviceSample, DirectionSample, Sample, SourceKind};
use crate::source::Source;

/// Each disk costs 49 kB per processor, and two instructions per request.
const DISKS_MAX: usize = 64;

const NAME: &str = "truedisk_watch";

/// Why this source does not work here.
#[derive(Debug, thiserror::Error)]
pub enum EbpfUnavailable {
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
    #[error("{disk} hands its requests on to other disks; name one of those")]
    NoRequests { disk: String },
    #[error("the kernel does not time the requests of {disk} (/sys/block/{disk}/queue/iostats)")]
    NotTimed { disk: String },
    #[error("{count} disks are more than {DISKS_MAX}")]
    TooManyDisks { count: usize },
}

impl EbpfUnavailable {
    pub(super) fn from_system(error: io::Error, other: impl FnOnce(io::Error) -> Self) -> Self {
        match error.kind() {
            io::ErrorKind::PermissionDenied => Self::NotPermitted,
            _ => other(error),
        }
    }

    /// The verifier says "permission denied" as well, about what the program may not do, and why.
    pub(super) fn from_load(error: BpfLoadError) -> Self {
        let is_ours = error.source.kind() == io::ErrorKind::PermissionDenied;
        if is_ours && error.log.is_empty() { Self::NotPermitted } else { Self::Load(error) }
    }
}

pub struct EbpfSource {
    disks: Vec<WatchedDisk>,
    map: BpfMap,
    buffer: Vec<u8>,
    waiters: WaiterReader,
    sampling: Sampling,
    /// Absent where the kernel cannot tell.
    submitters: Option<SubmitterReader>,
    program: BpfProgram,
    _link: BpfLink,
    /// For the disks without a request queue; absent without one, and where the kernel cannot.
    bios: Option<BioPrograms>,
    counters: DiskCounters,
    host: HostReader,
    roots: Roots,
}

struct WatchedDisk {
    disk: Disk,
    /// It has a queue of requests; other disks have bios.
    is_request_based: bool,
    /// By kind of request.
    totals: [Totals; KINDS as usize],
    completeness: Completeness,
    /// Among the writes that the kernel counts.
    flushes: CountedPart,
    erasures: CountedPart,
    erased_bytes: CountedPart,
}

/// How many of the requests that the kernel counted the program has seen. The kernel skips the
/// program now and then: bursts of some 10 ms were seen on Linux 6.18, up to 12 % of a busy second,
/// and its own count of misses stayed zero.
#[derive(Debug, Default)]
struct Completeness {
    counted: u64,
    seen: u64,
    lost: u64,
}

impl Completeness {
    /// The requests lost since the last time. A request is seen before it is counted.
    fn add(&mut self, counted: u64, seen: u64) -> u64 {
        self.counted += counted;
        self.seen += seen;
        let lost = self.counted.saturating_sub(self.seen).max(self.lost);
        lost - std::mem::replace(&mut self.lost, lost)
    }
}

/// A part of what the kernel counts as one, as large as the program saw it.
#[derive(Debug, Default)]
struct CountedPart {
    owed: f64,
}

impl CountedPart {
    /// Takes the part out of `counted`. What is seen before it is counted comes the next time.
    fn take(&mut self, seen: f64, counted: &mut u64) -> u64 {
        let owed = self.owed + seen;
        let part = (owed.round().max(0.0) as u64).min(*counted);
        self.owed = (owed - part as f64).min(seen);
        *counted -= part;
        part
    }
}

impl EbpfSource {
    pub fn open(disks: &[Disk], roots: &Roots) -> Result<Self, EbpfUnavailable> {
        if disks.len() > DISKS_MAX {
            return Err(EbpfUnavailable::TooManyDisks { count: disks.len() });
        }
        let layout = Layout::find(&read_types(&roots.sys.join("kernel/btf/vmlinux"))?)?;
        let entries = KINDS * disks.len() as u32;
        let map = BpfMap::create(BpfMapKind::PerCpuArray, NAME, 4, VALUE_BYTES, entries);
        let map = map.map_err(|error| EbpfUnavailable::from_system(error, EbpfUnavailable::Map))?;
        let waiters = WaiterReader::create(NAME, roots);
        let waiters =
            waiters.map_err(|error| EbpfUnavailable::from_system(error, EbpfUnavailable::Map))?;
        let sampling = Sampling::create(NAME);
        let sampling =
            sampling.map_err(|error| EbpfUnavailable::from_system(error, EbpfUnavailable::Map))?;
        let maps = Maps {
            disks: map.raw_descriptor(),
            waiters: waiters.map_descriptor(),
            blank: waiters.blank_descriptor(),
            mask: sampling.descriptor(),
        };
        let numbered: Vec<NumberedDisk> = disks.iter().enumerate().collect();
        let is_bio_based = |disk: &NumberedDisk| !is_request_based(disk.1, roots);
        let bio_based: Vec<NumberedDisk> = numbered.iter().copied().filter(is_bio_based).collect();
        let instructions = program::build(&layout, &numbered, maps)?;
        let program = BpfProgram::load(NAME, &instructions, layout.completion, program::LICENCE);
        let program = program.map_err(EbpfUnavailable::from_load)?;
        let link = program.attach();
        let link =
            link.map_err(|error| EbpfUnavailable::from_system(error, EbpfUnavailable::Attach))?;
        let submitters = SubmitterReader::open(NAME, &layout, &numbered, maps.mask);
        let counts = submitters.as_ref().map(SubmitterReader::map_descriptor);
        let bios = layout.bio.as_ref().filter(|_| !bio_based.is_empty());
        let bios =
            bios.and_then(|bio| BioPrograms::attach(NAME, &layout, bio, &bio_based, maps, counts));
        let watched = |disk: &Disk| WatchedDisk {
            disk: disk.clone(),
            is_request_based: is_request_based(disk, roots),
            totals: Default::default(),
            completeness: Completeness::default(),
            flushes: CountedPart::default(),
            erasures: CountedPart::default(),
            erased_bytes: CountedPart::default(),
        };
        Ok(Self {
            disks: disks.iter().map(watched).collect(),
            buffer: map.new_buffer(),
            map,
            waiters,
            sampling,
            submitters,
            bios,
            program,
            _link: link,
            counters: DiskCounters::open(roots)?,
            host: HostReader::open(roots),
            roots: roots.clone(),
        })
    }

    /// Whether it has latencies of disks without a request queue.
    pub(crate) fn has_bios(&self) -> bool {
        self.bios.is_some()
    }

    /// How often the program of completed requests ran, and for how long all programs did, while
    /// the kernel's statistics are enabled.
    pub fn statistics(&self) -> Result<BpfStatistics, WatchError> {
        let mut all = self.program.statistics().map_err(WatchError::Kernel)?;
        let bios = self.bios.iter().flat_map(|bios| &bios.programs);
        let submitters = self.submitters.iter().map(SubmitterReader::program);
        for program in bios.chain(submitters) {
            all.run_time_ns += program.statistics().map_err(WatchError::Kernel)?.run_time_ns;
        }
        Ok(all)
    }

    /// What the program counted of a disk since the last time.
    fn read_totals(&mut self, index: usize, kind: u32) -> Result<Totals, WatchError> {
        let key = map_key(index, kind).to_ne_bytes();
        self.map.read_values(&key, &mut self.buffer).map_err(WatchError::Kernel)?;
        let mut now = Totals::default();
        self.map.split_buffer(&self.buffer).for_each(|value| now.add(value));
        let last = &mut self.disks[index].totals[kind as usize];
        let delta = now.since(last);
        *last = now;
        Ok(delta)
    }

    /// A device, and how many of its requests the program did not see.
    fn sample_device(
        &mut self,
        index: usize,
        length_ns: u64,
    ) -> Result<Option<(DeviceSample, u64)>, WatchError> {
        let WatchedDisk { disk, is_request_based, .. } = &self.disks[index];
        let is_request_based = *is_request_based;
        let reading = self.counters.reading(disk).filter(|_| is_accounted(disk, &self.roots));
        let counted = reading.map(|reading| sample_counters(disk, reading, length_ns));
        if !is_request_based && !self.has_bios() {
            return Ok(counted.map(|device| (device, 0)));
        }
        let uncounted = DeviceSample { name: disk.name.clone(), ..DeviceSample::default() };
        let is_counted = counted.is_some();
        let mut device = counted.unwrap_or(uncounted);
        let read = self.read_totals(index, READS)?;
        let write = self.read_totals(index, WRITES)?;
        let flush = self.read_totals(index, FLUSHES)?;
        let erasure = self.read_totals(index, ERASURES)?;
        let all = [&read, &write, &flush, &erasure];
        let sum = |counter| all.iter().map(|of| of.counter(counter)).sum::<u64>();
        let mut flushes = flush.counter(Counter::Operations);
        let mut missing = 0;
        if is_counted {
            let counted = device.read.operations + device.write.operations;
            let seen = sum(Counter::Operations);
            let watched = &mut self.disks[index];
            // Of a bio that is split, the kernel counts each part.
            if is_request_based {
                missing = watched.completeness.add(counted, seen);
            }
            // The kernel counts a pure flush as a write. The missing requests are assumed to hold
            // the same share of flushes.
            let scale = (seen + missing) as f64 / seen.max(1) as f64;
            let part = |of: &Totals, counter| of.counter(counter) as f64 * scale;
            let write = &mut device.write;
            flushes =
                watched.flushes.take(part(&flush, Counter::Operations), &mut write.operations);
            watched.erasures.take(part(&erasure, Counter::Operations), &mut write.operations);
            watched.erased_bytes.take(part(&erasure, Counter::Bytes), &mut write.bytes);
        } else {
            (device.read.operations, device.read.bytes) = count_operations(&read);
            (device.write.operations, device.write.bytes) = count_operations(&write);
        }
        device.errors = Some(sum(Counter::Errors));
        add_latencies(&mut device.read, &read);
        add_latencies(&mut device.write, &write);
        let mut sample = DirectionSample { operations: flushes, ..DirectionSample::default() };
        add_latencies(&mut sample, &flush);
        device.flush = Some(sample);
        Ok(Some((device, missing)))
    }
}

impl Source for EbpfSource {
    fn kind(&self) -> SourceKind {
        SourceKind::Ebpf
    }

    fn sample(&mut self) -> Result<Sample, WatchError> {
        let interval = self.host.end_interval();
        // The counters are read before the map: so no request is counted that is not seen.
        self.counters.advance(interval.length_ns)?;
        let mut devices = Vec::new();
        let mut missing_requests = 0;
        for index in 0..self.disks.len() {
            if let Some((device, missing)) = self.sample_device(index, interval.length_ns)? {
                devices.push(device);
                missing_requests += missing;
            }
        }
        let requests = |device: &DeviceSample| device.read.operations + device.write.operations;
        let requests = devices.iter().map(requests).sum();
        let waiters_estimated = self.sampling.is_on();
        self.sampling.adapt(requests, interval.length_ns).map_err(WatchError::Kernel)?;
        let submitters = match &mut self.submitters {
            Some(reader) => reader.read()?,
            None => SubmittersOfGroups::new(),
        };
        let disks: Vec<&Disk> = self.disks.iter().map(|watched| &watched.disk).collect();
        Ok(Sample {
            length_ns: interval.length_ns,
            devices,
            waiters: self.waiters.read(&disks, &submitters)?,
            host: interval.host,
            missing_requests,
            waiters_estimated,
            ..Sample::default()
        })
    }
}

pub(super) fn read_types(path: &Path) -> Result<Btf, EbpfUnavailable> {
    let bytes = fs::read(path).map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied => EbpfUnavailable::NotPermitted,
        _ => EbpfUnavailable::NoTypes,
    })?;
    Ok(Btf::parse(bytes)?)
}

fn count_operations(delta: &Totals) -> (u64, u64) {
    (delta.counter(Counter::Operations), delta.counter(Counter::Bytes))
}

/// A part is absent as a whole where some requests lack it: a percentile of the rest says nothing.
fn add_latencies(direction: &mut DirectionSample, delta: &Totals) {
    let is_timed = delta.counter(Counter::Untimed) == 0;
    let is_issued = is_timed && delta.counter(Counter::Unissued) == 0;
    let part = |part: Part, is_known: bool| is_known.then(|| delta.histogram(part));
    direction.total = part(Part::Total, is_timed);
    direction.queue = part(Part::Queue, is_issued);
    direction.device = part(Part::Device, is_issued);
    direction.mean_ns = direction.total.as_ref().and_then(LatencyHistogram::mean_ns);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_privilege_is_told_from_a_refused_program() {
        let load = |log: &str| {
            let source = io::Error::from(io::ErrorKind::PermissionDenied);
            EbpfUnavailable::from_load(BpfLoadError { source, log: log.to_owned() }).to_string()
        };
        assert_eq!(load(""), "it needs root, or CAP_BPF and CAP_PERFMON");
        let refused = load("12: (61) r1 = *(u32 *)(r6 +9999)\naccess beyond struct request\n");
        assert!(refused.ends_with("(access beyond struct request)"), "{refused}");
    }

    #[test]
    fn flushes_are_taken_out_of_the_writes_once() {
        let mut part = CountedPart::default();
        let mut check = |seen: f64, mut counted: u64, expected: u64| {
            let before = counted;
            assert_eq!(part.take(seen, &mut counted), expected, "{seen} of {counted}");
            assert_eq!(counted + expected, before);
        };
        // Seen, and counted in the next interval.
        check(5.0, 3, 3);
        check(1.0, 9, 3);
        // A tenth of the requests is missing: the parts add up.
        check(3.3, 9, 3);
        check(3.3, 9, 4);
        check(3.3, 9, 3);
        check(0.0, 9, 0);
        // What is never counted is not taken from later writes.
        check(9.0, 0, 0);
        check(0.0, 0, 0);
        check(0.0, 9, 0);
    }

    #[test]
    fn requests_that_were_not_seen_are_lost_once() {
        let mut completeness = Completeness::default();
        // A request that is seen and not counted yet hides no loss for long.
        assert_eq!(completeness.add(100, 101), 0);
        assert_eq!(completeness.add(101, 95), 5);
        assert_eq!(completeness.add(100, 100), 0);
        assert_eq!(completeness.add(100, 98), 2);
    }
}
