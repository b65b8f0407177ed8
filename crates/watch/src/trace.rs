//! The source for kernels without eBPF or without type information: the block tracepoints, whose
//! records are matched here.
//!
//! Each request costs three records, so this costs several times what a program in the kernel does.
//! Who waits is not known, and flushes are counted among the writes.

use std::fs;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use target::{Roots, TraceField, TraceRing, Tracepoint, Tracepoints, count_possible_processors};

use crate::clock::read_clock;
use crate::counters::{DiskCounters, sample_counters};
use crate::disks::{Disk, is_accounted, is_request_based};
use crate::error::WatchError;
use crate::host::HostReader;
use crate::sample::{DeviceSample, DirectionSample, Sample, SourceKind};
use crate::source::Source;

mod matcher;

use matcher::{DirectionTotals, Event, Matcher, Point};

/// Of all processors: memory that the kernel locks.
const RINGS_BYTES: usize = 64 << 20;
/// Of one: 15,000 records, or 50 ms of 100,000 requests per second.
const RING_BYTES_MAX: usize = 2 << 20;
const RING_BYTES_MIN: usize = 64 << 10;
const DRAIN_EVERY: Duration = Duration::from_millis(10);

/// Those that do not merge it.
const RECORDS_OF_A_REQUEST: u64 = 3;

const POINTS: [(Point, &str); 4] = [
    (Point::Accepted, "block/block_getrq"),
    (Point::Issued, "block/block_rq_issue"),
    (Point::Completed, "block/block_rq_complete"),
    (Point::Merged, "block/block_rq_merge"),
];

/// Why this source does not work here.
#[derive(Debug, thiserror::Error)]
pub enum TraceUnavailable {
    #[error("it needs root, or CAP_PERFMON and read access to tracefs")]
    NotPermitted,
    #[error("this kernel has no block tracepoints (/sys/kernel/tracing): {0}")]
    NoTracepoints(io::Error),
    #[error("the tracepoint {0} has no field {1}")]
    NoField(&'static str, &'static str),
    #[error("cannot open a ring of records: {0}")]
    Ring(io::Error),
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    #[error(transparent)]
    Watch(#[from] WatchError),
}

impl TraceUnavailable {
    fn from_system(error: io::Error, other: impl FnOnce(io::Error) -> Self) -> Self {
        match error.kind() {
            io::ErrorKind::PermissionDenied => Self::NotPermitted,
            _ => other(error),
        }
    }
}

pub struct TraceSource {
    disks: Vec<Disk>,
    collector: Arc<Mutex<Collector>>,
    is_ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    counters: DiskCounters,
    host: HostReader,
    roots: Roots,
}

impl TraceSource {
    pub fn open(disks: &[Disk], roots: &Roots) -> Result<Self, TraceUnavailable> {
        let collector = Arc::new(Mutex::new(Collector::open(disks, roots)?));
        let is_ended = Arc::new(AtomicBool::new(false));
        let (for_thread, ends) = (Arc::clone(&collector), Arc::clone(&is_ended));
        let drain = move || {
            while !ends.load(Ordering::Relaxed) {
                lock(&for_thread).drain();
                std::thread::sleep(DRAIN_EVERY);
            }
        };
        let thread = std::thread::Builder::new().name("watch-trace".to_owned()).spawn(drain);
        Ok(Self {
            disks: disks.to_vec(),
            collector,
            is_ended,
            thread: Some(thread.map_err(TraceUnavailable::Thread)?),
            counters: DiskCounters::open(roots)?,
            host: HostReader::open(roots),
            roots: roots.clone(),
        })
    }
}

impl Drop for TraceSource {
    fn drop(&mut self) {
        self.is_ended.store(true, Ordering::Relaxed);
        // A thread that panicked has nothing to say here.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

impl Source for TraceSource {
    fn kind(&self) -> SourceKind {
        SourceKind::Trace
    }

    fn sample(&mut self) -> Result<Sample, WatchError> {
        let interval = self.host.end_interval();
        self.counters.advance(interval.length_ns)?;
        let mut collector = lock(&self.collector);
        collector.drain();
        let mut devices = Vec::new();
        for (index, disk) in self.disks.iter().enumerate() {
            let totals = collector.matcher.take_totals(index);
            let reading = self.counters.reading(disk).filter(|_| is_accounted(disk, &self.roots));
            let counted = reading.map(|reading| sample_counters(disk, reading, interval.length_ns));
            if !is_request_based(disk, &self.roots) {
                devices.extend(counted);
                continue;
            }
            let is_counted = counted.is_some();
            let uncounted = || DeviceSample { name: disk.name.clone(), ..DeviceSample::default() };
            let mut device = counted.unwrap_or_else(uncounted);
            device.errors = Some(totals.errors);
            for (direction, seen) in
                [(&mut device.read, totals.read), (&mut device.write, totals.write)]
            {
                add_latencies(direction, seen, is_counted);
            }
            devices.push(device);
        }
        let missing_requests = collector.take_missing();
        Ok(Sample {
            length_ns: interval.length_ns,
            devices,
            host: interval.host,
            missing_requests,
            ..Sample::default()
        })
    }
}

/// The time in the queue and in the device is absent as a whole where it is of some requests.
fn add_latencies(direction: &mut DirectionSample, seen: DirectionTotals, is_counted: bool) {
    if !is_counted {
        (direction.operations, direction.bytes) = (seen.operations, seen.bytes);
    }
    direction.mean_ns = seen.total.mean_ns().or(direction.mean_ns);
    let is_issued = seen.unissued == 0;
    direction.total = Some(seen.total);
    direction.queue = is_issued.then_some(seen.queue);
    direction.device = is_issued.then_some(seen.device);
}

/// A thread that panicked while it held the lock left no half of an event: records are whole.
fn lock(collector: &Mutex<Collector>) -> MutexGuard<'_, Collector> {
    collector.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Collector {
    rings: Vec<TraceRing>,
    points: Vec<PointLayout>,
    /// By device number, as the kernel has it: a disk or one of its partitions.
    numbers: Vec<(u64, usize)>,
    /// Read, and perhaps not the oldest that are not matched.
    waiting: Vec<Event>,
    matcher: Matcher,
    lost_records: u64,
    /// When the last ring was open: of what was accepted before, records may be missing.
    begin_ns: u64,
}

struct PointLayout {
    point: Point,
    id: u64,
    kind: TraceField,
    device: TraceField,
    sector: TraceField,
    sectors: TraceField,
    flags: TraceField,
    error: Option<TraceField>,
}

impl Collector {
    fn open(disks: &[Disk], roots: &Roots) -> Result<Self, TraceUnavailable> {
        let missing = |error| TraceUnavailable::from_system(error, TraceUnavailable::NoTracepoints);
        let tracepoints = Tracepoints::open(roots).map_err(missing)?;
        let mut points = Vec::new();
        for (point, name) in POINTS {
            match tracepoints.find(name) {
                // It came with Linux 5.11: before, merged requests are lost sight of.
                Err(_) if point == Point::Merged => {}
                found => points.push(PointLayout::new(point, name, &found.map_err(missing)?)?),
            }
        }
        let ids: Vec<u64> = points.iter().map(|layout| layout.id).collect();
        let from_ring = |error| TraceUnavailable::from_system(error, TraceUnavailable::Ring);
        let processors = count_possible_processors().map_err(from_ring)?;
        let bytes = choose_ring_bytes(processors);
        let mut rings = Vec::new();
        for processor in 0..processors as u32 {
            rings.extend(TraceRing::open(processor, &ids, bytes).map_err(from_ring)?);
        }
        let numbers = disks.iter().enumerate();
        let numbers = numbers.flat_map(|(index, disk)| {
            list_numbers(disk, roots).into_iter().map(move |number| (number, index))
        });
        Ok(Self {
            rings,
            points,
            numbers: numbers.collect(),
            waiting: Vec::new(),
            matcher: Matcher::new(disks.len()),
            lost_records: 0,
            begin_ns: read_clock(),
        })
    }

    /// Matches all records that were made until now, in the order of their times: one processor
    /// accepts a request that another completes.
    fn drain(&mut self) {
        let now_ns = read_clock();
        let Self { rings, points, numbers, waiting, lost_records, begin_ns, .. } = self;
        for ring in rings {
            *lost_records += ring.read(|time_ns, record| {
                waiting.extend(parse(points, numbers, time_ns, record));
            });
        }
        waiting.sort_by_key(|event| event.time_ns);
        let ready = waiting.partition_point(|event| event.time_ns < now_ns);
        for event in waiting.drain(..ready) {
            if event.point != Point::Accepted || event.time_ns >= *begin_ns {
                self.matcher.add(&event);
            }
        }
    }

    /// Requests whose latency is not known.
    fn take_missing(&mut self) -> u64 {
        let lost = std::mem::take(&mut self.lost_records) / RECORDS_OF_A_REQUEST;
        self.matcher.take_unmatched() + lost
    }
}

impl PointLayout {
    fn new(point: Point, name: &'static str, found: &Tracepoint) -> Result<Self, TraceUnavailable> {
        let field = |field| found.field(field).ok_or(TraceUnavailable::NoField(name, field));
        Ok(Self {
            point,
            id: found.id,
            kind: field("common_type")?,
            device: field("dev")?,
            sector: field("sector")?,
            sectors: field("nr_sector")?,
            flags: field("rwbs")?,
            error: found.field("error").or_else(|| found.field("errors")),
        })
    }
}

fn parse(
    points: &[PointLayout],
    numbers: &[(u64, usize)],
    time_ns: u64,
    record: &[u8],
) -> Option<Event> {
    let layout = points.iter().find(|layout| layout.kind.read(record) == Some(layout.id))?;
    let device = layout.device.read(record)?;
    let (_, disk) = numbers.iter().find(|(number, _)| *number == device)?;
    let error = layout.error.and_then(|field| field.read(record));
    Some(Event {
        time_ns,
        point: layout.point,
        disk: *disk,
        sector: layout.sector.read(record)?,
        sectors: layout.sectors.read(record)?,
        direction: matcher::parse_direction(layout.flags.read_bytes(record)?),
        is_failed: error.is_some_and(|error| error != 0),
    })
}

/// A power of two of pages.
fn choose_ring_bytes(processors: usize) -> usize {
    let share = RINGS_BYTES / processors.max(1);
    let power = 1 << share.max(1).ilog2();
    power.clamp(RING_BYTES_MIN, RING_BYTES_MAX)
}

/// Of a disk and of its partitions: a request is accepted from one of these.
fn list_numbers(disk: &Disk, roots: &Roots) -> Vec<u64> {
    let number = |(major, minor): (u32, u32)| u64::from(major) << 20 | u64::from(minor);
    let entries = fs::read_dir(roots.disk_folder(&disk.name)).into_iter().flatten().flatten();
    let partition = |path: std::path::PathBuf| {
        let text = path.join("partition").exists().then(|| fs::read_to_string(path.join("dev")))?;
        let text = text.ok()?;
        let (major, minor) = text.trim().split_once(':')?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    };
    let partitions = entries.filter_map(|entry| partition(entry.path()));
    std::iter::once(disk.number).chain(partitions).map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_of_many_processors_are_smaller() {
        let sizes = [1, 2, 48, 256, 4096, 1 << 16].map(choose_ring_bytes);
        assert_eq!(sizes.map(|bytes| bytes >> 10), [2048, 2048, 1024, 256, 64, 64]);
    }

    #[test]
    fn a_partition_stands_for_its_disk() {
        let tree = lab::SysfsTree::from_text(
            "sys/block/sda/dev = 8:0\n\
             sys/block/sda/queue/iostats = 1\n\
             sys/block/sda/sda2/dev = 259:17\n\
             sys/block/sda/sda2/partition = 2\n",
        )
        .unwrap();
        let disk = Disk { name: "sda".to_owned(), number: (8, 0) };
        let numbers = list_numbers(&disk, &Roots::under(tree.root()));
        assert_eq!(numbers, [8 << 20, 259 << 20 | 17]);
    }
}
