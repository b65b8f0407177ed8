//! The engine's job of an instance.

use units::{Bytes, BytesPerSecond, Depth, Iops, Nanos, Seed};
use workload::{
    Access, Arrivals, BackendChoice, BlockSizes, Cap, Caps, DurableWrites, IoClass, IoPriority,
    Job, Mix, OnError, Pacing, Payload, Placement, Sizes, Span, Stop, SyncKind, SyncPolicy,
    TargetOrder, ThinkTime, UringSwitches, Weight,
};

use super::region::smallest_block;
use super::{Instance, PlanError, Region, Section};
use crate::options::job::{
    BufferMemory, CpuPolicy, Distribution, Engine, FileService, JobOptions, MemoryPolicy,
    Operation, PerDirection, READS, RateProcess, SequenceKind, SyncMode, TRIMS, WRITES, ZoneMode,
};

/// Seed of jobs that repeat theirs (`randrepeat`), of no meaning.
const REPEATED_SEED: u64 = 0x5EED;

/// An instance's job, and how its figures are to be read.
#[derive(Debug, Clone, PartialEq)]
pub struct Work {
    /// What the engine runs.
    pub job: Job,
    /// Where latencies are counted from.
    pub latencies: Latencies,
    /// What is not as fio does it.
    pub notes: Vec<String>,
}

/// Where latencies are counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Latencies {
    /// From submission.
    Submission,
    /// From the planned start: a rate was asked for.
    Plan,
}

/// The job of `instance`. `fresh` is a random number, for jobs that do not repeat their seed.
///
/// # Errors
/// What the engine cannot do, by the option's name.
pub fn work(
    section: &Section,
    instance: &Instance,
    region: &Region,
    fresh: u64,
) -> Result<Work, PlanError> {
    let options = &section.options;
    let refuse = |conflict: String| PlanError::new(&section.name, conflict, None);
    let mut notes = Vec::new();
    let backend = backend(options, &mut notes);
    let depth = depth(options);
    let operation = options.pattern.rw.operation;
    let (block_size, sizes) = sizes(options).map_err(refuse)?;
    let (pacing, caps) = pacing(options, block_size, sizes.is_plain(), depth);
    let job = Job {
        name: section.name.clone(),
        access: access(section, block_size).map_err(refuse)?,
        mix: mix(operation, read_share(options)),
        block_size,
        sizes,
        depth: Depth(depth),
        pacing,
        caps,
        think: think(options).map_err(refuse)?,
        sync: sync(options),
        durable: match options.engine.sync {
            SyncMode::Sync if operation.writes() => Some(DurableWrites::DataAndMetadata),
            SyncMode::Dsync if operation.writes() => Some(DurableWrites::Data),
            _ => None,
        },
        warm_up: Nanos(options.time.ramp_time_us * 1000),
        stop: stop(section, region),
        span: Span { offset: Bytes(region.offset), length: Bytes(region.length) },
        targets: match options.target.file_service {
            FileService::RoundRobin { .. } => TargetOrder::RoundRobin,
            FileService::Sequential { .. } => TargetOrder::Sequential,
            _ => TargetOrder::Random,
        },
        payload: payload(options).map_err(refuse)?,
        verify: None,
        direct: options.engine.direct,
        seed: seed(options, instance, fresh),
        backend,
        on_error: on_error(options),
        placement: placement(section, instance)?,
        interval: Nanos::millis(interval_ms(options)),
        ..Job::base()
    };
    let latencies = match job.pacing {
        Pacing::Open { .. } => Latencies::Plan,
        _ => Latencies::Submission,
    };
    Ok(Work { job, latencies, notes })
}

fn backend(options: &JobOptions, notes: &mut Vec<String>) -> BackendChoice {
    let engine = &options.engine;
    let durable = engine.sync != SyncMode::None && options.pattern.rw.operation.writes();
    if durable && engine.engine.is_synchronous() && engine.engine != Engine::Mmap {
        // A flag of the call in place of one of the open file: the kernel treats them alike.
        return BackendChoice::Pvsync2 { hipri: engine.hipri, nowait: engine.nowait };
    }
    match engine.engine {
        Engine::Sync => BackendChoice::Sync,
        Engine::Psync => BackendChoice::Psync,
        Engine::Vsync => {
            notes.push("vsync joins neighbouring operations in fio; here it is pvsync".to_owned());
            BackendChoice::Pvsync
        }
        Engine::Pvsync => BackendChoice::Pvsync,
        Engine::Pvsync2 => BackendChoice::Pvsync2 { hipri: engine.hipri, nowait: engine.nowait },
        Engine::Libaio => BackendChoice::Libaio,
        Engine::Posixaio => {
            notes.push("posixaio is threads of pread and pwrite, as glibc's is".to_owned());
            BackendChoice::Psync
        }
        Engine::Mmap => BackendChoice::Mmap,
        Engine::Null => BackendChoice::Null,
        Engine::IoUring => {
            let switches = UringSwitches {
                iopoll: engine.hipri,
                sqpoll: engine.sqthread_poll,
                sqpoll_cpu: engine.sqthread_poll_cpu,
                force_async: engine.force_async > 0,
                plain: false,
            };
            if switches == UringSwitches::default() {
                BackendChoice::IoUring
            } else {
                BackendChoice::IoUringWith(switches)
            }
        }
    }
}

/// Operations in flight: synchronous engines have one.
fn depth(options: &JobOptions) -> u32 {
    let engine = options.engine.engine;
    if engine.is_synchronous() || engine == Engine::Vsync {
        1
    } else {
        options.engine.iodepth.max(1)
    }
}

/// Percent of reads in a mix. Where both directions have a rate, it is theirs: what comes is one
/// sequence, in which neither waits for the other.
fn read_share(options: &JobOptions) -> u8 {
    let (rate, pattern) = (&options.rate, &options.pattern);
    let iops = |direction: usize| match (rate.rate_iops[direction], rate.rate[direction]) {
        (0, bytes) => bytes as f64 / pattern.min_bs(direction).max(1) as f64,
        (iops, _) => iops as f64,
    };
    let (reads, writes) = (iops(READS), iops(WRITES));
    if reads > 0.0 && writes > 0.0 {
        return (reads * 100.0 / (reads + writes)).round().clamp(1.0, 99.0) as u8;
    }
    pattern.rwmixread
}

fn mix(operation: Operation, read_percent: u8) -> Mix {
    match operation {
        Operation::Read | Operation::RandRead => Mix::Read,
        Operation::Write | Operation::RandWrite => Mix::Write,
        Operation::Trim | Operation::RandTrim => Mix::Trim,
        Operation::TrimWrite | Operation::RandTrimWrite => Mix::TrimWrite,
        Operation::ReadWrite | Operation::RandReadWrite => match read_percent {
            0 => Mix::Write,
            1..=99 => Mix::Mixed { read_percent },
            _ => Mix::Read,
        },
    }
}

/// The job's block size, and what differs from it.
fn sizes(options: &JobOptions) -> Result<(Bytes, BlockSizes), String> {
    let pattern = &options.pattern;
    if pattern.bs_unaligned {
        return Err("bs_unaligned: sizes are multiples of the smallest here".to_owned());
    }
    if pattern.bs_is_seq_rand {
        return Err("bs_is_seq_rand: sizes follow the direction here, not the order".to_owned());
    }
    let operation = pattern.rw.operation;
    let has = [operation.reads(), operation.writes(), operation.trims()];
    let first = has.iter().position(|has| *has).unwrap_or(READS);
    // A trim and the write after it are of one place and one size.
    let both = operation.trims() && operation.writes();
    let like = |direction: usize| if both { TRIMS } else { direction };
    let mut of: PerDirection<Sizes> = [
        sizes_of(options, like(READS))?,
        sizes_of(options, like(WRITES))?,
        sizes_of(options, TRIMS)?,
    ];
    let all_alike = (0..3).filter(|&d| has[d]).all(|d| of[d] == of[first]);
    let align = (0..3).filter(|&d| has[d]).find_map(|d| pattern.blockalign[d]).map(Bytes);
    if let (Sizes::Fixed(size), true, None) = (&of[first], all_alike, align) {
        return Ok((*size, BlockSizes::default()));
    }
    for direction in (0..3).filter(|&d| !has[d]) {
        of[direction] = of[first].clone();
    }
    let [read, write, trim] = of;
    let block = Bytes(pattern.min_bs(first));
    Ok((block, BlockSizes { read, write, trim, align }))
}

fn sizes_of(options: &JobOptions, direction: usize) -> Result<Sizes, String> {
    let pattern = &options.pattern;
    let split = &pattern.bssplit[direction];
    if !split.is_empty() {
        let weight = |share: &crate::options::job::BlockShare| Weight {
            size: Bytes(share.size),
            percent: share.percent,
        };
        return Ok(Sizes::Weighted(split.iter().map(weight).collect()));
    }
    match pattern.bsrange[direction] {
        Some(range) if range.min < range.max => {
            if !range.max.is_multiple_of(range.min) {
                let most = range.max / range.min * range.min;
                return Ok(Sizes::Range { least: Bytes(range.min), most: Bytes(most) });
            }
            Ok(Sizes::Range { least: Bytes(range.min), most: Bytes(range.max) })
        }
        Some(range) => Ok(Sizes::Fixed(Bytes(range.min))),
        None => Ok(Sizes::Fixed(Bytes(pattern.bs[direction]))),
    }
}

fn access(section: &Section, block: Bytes) -> Result<Access, String> {
    let options = &section.options;
    let (pattern, zone) = (&options.pattern, &options.zone);
    let rw = pattern.rw;
    let strided = zone.mode == ZoneMode::Strided && zone.size > 0;
    if !rw.operation.is_random() {
        if strided {
            let range = if zone.range == 0 { zone.size } else { zone.range };
            let skip = match zone.skip {
                crate::options::job::SizeValue::Bytes(skip) => skip,
                _ => return Err("zoneskip needs a number of bytes".to_owned()),
            };
            let skip = range.saturating_sub(zone.size) + skip;
            return Ok(Access::Gapped { run: Bytes(zone.size), skip: Bytes(skip) });
        }
        let back = -(2 * block.0 as i64);
        return match rw.gap {
            0 => Ok(Access::Sequential),
            gap if gap > 0 => Ok(Access::Gapped { run: block, skip: Bytes(gap as u64) }),
            gap if gap == back => Ok(Access::Backward),
            gap => Err(format!(
                "rw={}:{gap} goes back by other than one block; use {back} for backward order",
                rw.operation.word()
            )),
        };
    }
    if strided {
        return Ok(Access::ZonedRandom {
            zone: Bytes(if zone.range == 0 { zone.size } else { zone.range }),
            skip: match zone.skip {
                crate::options::job::SizeValue::Bytes(skip) => Bytes(skip),
                _ => return Err("zoneskip needs a number of bytes".to_owned()),
            },
            bytes: Bytes(zone.size),
        });
    }
    if rw.run_length > 1 {
        return Ok(Access::RandomRuns {
            operations: rw.run_length,
            identical: pattern.rw_sequencer == SequenceKind::Identical,
        });
    }
    let first = if rw.operation.reads() { READS } else { WRITES };
    match pattern.percentage_random[first] {
        0 => return Ok(Access::Sequential),
        percent @ 1..=99 => return Ok(Access::PartlyRandom { random_percent: percent }),
        _ => {}
    }
    distribution(&pattern.random_distribution[first], pattern.norandommap)
}

fn distribution(law: &Distribution, norandommap: bool) -> Result<Access, String> {
    use workload::Distribution as Law;
    let centred = |center: Option<f64>| match center {
        None => Ok(()),
        Some(_) => Err("a centre of random_distribution: hot blocks are scattered here".to_owned()),
    };
    let law = match law {
        Distribution::Random if norandommap => return Ok(Access::RandomRepeating),
        Distribution::Random => return Ok(Access::Random),
        Distribution::Zipf { theta, center, .. } => {
            centred(*center)?;
            Law::Zipf { theta: *theta }
        }
        Distribution::Pareto { h, center } => {
            centred(*center)?;
            Law::Pareto { h: *h }
        }
        Distribution::Normal { deviation, center } => {
            centred(*center)?;
            Law::Normal { deviation_percent: *deviation }
        }
        Distribution::Zoned(zones) => {
            let zone = |zone: &crate::options::job::ZoneShare| workload::ShareZone {
                access_percent: zone.accesses,
                span_percent: zone.length as u8,
            };
            Law::ZonedByShare(zones.iter().map(zone).collect())
        }
        Distribution::ZonedAbs(zones) => {
            let zone = |zone: &crate::options::job::ZoneShare| workload::SizeZone {
                access_percent: zone.accesses,
                size: Bytes(zone.length),
            };
            Law::ZonedBySize(zones.iter().map(zone).collect())
        }
    };
    Ok(Access::Distributed(law))
}

/// A rate of one direction is an open loop, whose latencies count from the plan; rates of several
/// are caps, each for itself.
fn pacing(options: &JobOptions, block: Bytes, plain: bool, depth: u32) -> (Pacing, Caps) {
    let rate = &options.rate;
    let operation = options.pattern.rw.operation;
    let has = [operation.reads(), operation.writes(), operation.trims()];
    let cap = |direction: usize| match (rate.rate_iops[direction], rate.rate[direction]) {
        (0, 0) => None,
        (0, bytes) => Some(Cap::Bytes(BytesPerSecond(bytes as f64))),
        (iops, _) => Some(Cap::Operations(Iops(iops as f64))),
    };
    let only = match has {
        [true, false, false] => Some(READS),
        [false, true, false] => Some(WRITES),
        [false, false, true] => Some(TRIMS),
        _ => None,
    };
    let alone = depth == 1 || !options.engine.engine.is_synchronous();
    // What is held back on purpose is late by no plan.
    let held_back = options.rate.thinktime_us > 0 || options.flow.flow > 0;
    let closed = options.engine.engine == Engine::Posixaio || held_back;
    if let (Some(direction), true, true, false) = (only, alone, plain, closed)
        && let Some(cap) = cap(direction)
    {
        let rate = match cap {
            Cap::Operations(rate) => rate,
            Cap::Bytes(bytes) => Iops(bytes.0 / block.0 as f64),
        };
        let arrivals = match options.rate.rate_process {
            RateProcess::Linear => Arrivals::Constant,
            RateProcess::Poisson => Arrivals::Poisson,
        };
        return (Pacing::Open { rate, arrivals }, Caps::default());
    }
    let of = |direction: usize| cap(direction).filter(|_| has[direction]);
    (Pacing::Closed, Caps { read: of(READS), write: of(WRITES), trim: of(TRIMS) })
}

fn think(options: &JobOptions) -> Result<Option<ThinkTime>, String> {
    let rate = &options.rate;
    if rate.thinktime_us == 0 {
        return Ok(None);
    }
    if rate.thinktime_iotime_us > 0 {
        return Err("thinktime_iotime: pauses come after operations here, not after a time; use \
                    thinktime_blocks"
            .to_owned());
    }
    Ok(Some(ThinkTime {
        time: Nanos(rate.thinktime_us * 1000),
        spin: Nanos(rate.thinktime_spin_us.min(rate.thinktime_us) * 1000),
        every: u32::try_from(rate.thinktime_blocks.unwrap_or(1).max(1)).unwrap_or(u32::MAX),
    }))
}

fn sync(options: &JobOptions) -> Option<SyncPolicy> {
    let sync = &options.sync;
    if !options.pattern.rw.operation.writes() {
        return None;
    }
    if sync.fsync > 0 {
        return Some(SyncPolicy { kind: SyncKind::Fsync, every: sync.fsync });
    }
    if sync.fdatasync > 0 {
        return Some(SyncPolicy { kind: SyncKind::Fdatasync, every: sync.fdatasync });
    }
    let range = sync.sync_file_range.filter(|range| range.every > 0)?;
    Some(SyncPolicy { kind: SyncKind::FileRange, every: range.every })
}

fn stop(section: &Section, region: &Region) -> Stop {
    let (time, size) = (&section.options.time, &section.options.size);
    let runtime = (time.runtime_us > 0).then(|| Nanos(time.runtime_us * 1000));
    let operations = (size.number_ios > 0).then_some(size.number_ios);
    if time.time_based && runtime.is_some() {
        return Stop { time: runtime, bytes: None, operations };
    }
    // Whole blocks: what is left of the size has no operation of its own.
    let smallest = smallest_block(section);
    let whole = (region.per_loop / smallest).max(1) * smallest;
    // Every place is trimmed and written: so much of each.
    let operation = section.options.pattern.rw.operation;
    let times = if operation.trims() && operation.writes() { 2 } else { 1 };
    let bytes = Bytes(whole.saturating_mul(u64::from(time.loops.max(1))).saturating_mul(times));
    Stop { time: runtime, bytes: Some(bytes), operations }
}

fn payload(options: &JobOptions) -> Result<Payload, String> {
    let data = &options.data;
    if data.zero_buffers {
        return Ok(Payload::Zero);
    }
    if let Some(pattern) = &data.buffer_pattern {
        let mixed = data.compress_percentage.is_some_and(|percent| percent > 0);
        if mixed {
            return Err(
                "buffer_pattern with buffer_compress_percentage: compressible blocks have \
                        zeros here"
                    .to_owned(),
            );
        }
        return Ok(Payload::Pattern { bytes: pattern.bytes.clone() });
    }
    match (data.dedupe_percentage.unwrap_or(0), data.compress_percentage.unwrap_or(0)) {
        (0, 0) => Ok(Payload::Unique),
        (0, percent) => Ok(Payload::Compressible { percent }),
        (percent, 0) => Ok(Payload::Dedupable { percent }),
        _ => Err("dedupe_percentage with buffer_compress_percentage: only one of them at a time"
            .to_owned()),
    }
}

/// Offsets repeat from run to run unless `randrepeat=0`; every instance has its own.
fn seed(options: &JobOptions, instance: &Instance, fresh: u64) -> Seed {
    let pattern = &options.pattern;
    let base = match pattern.randseed {
        Some(seed) => seed,
        None if pattern.randrepeat || pattern.allrandrepeat => REPEATED_SEED,
        None => fresh,
    };
    Seed(base.wrapping_add(u64::from(instance.number).wrapping_mul(0x9E37_79B9_7F4A_7C15)))
}

fn on_error(options: &JobOptions) -> OnError {
    let errors = &options.errors;
    let goes_on = errors.continue_on.read
        || errors.continue_on.write
        || !errors.ignore.read.is_empty()
        || !errors.ignore.write.is_empty();
    if goes_on { OnError::Continue { most: u64::MAX } } else { OnError::Stop }
}

fn placement(section: &Section, instance: &Instance) -> Result<Placement, PlanError> {
    let asked = &section.options.placement;
    let refuse = |conflict: &str| PlanError::new(&section.name, conflict, None);
    let numa_node = match &asked.numa_mem_policy {
        MemoryPolicy::Unset | MemoryPolicy::Default | MemoryPolicy::Local => None,
        MemoryPolicy::Prefer(node) => Some(*node),
        MemoryPolicy::Bind(nodes) if nodes.len() == 1 => nodes.first().copied(),
        MemoryPolicy::Bind(_) | MemoryPolicy::Interleave(_) => {
            return Err(refuse("numa_mem_policy over several nodes: one is preferred here"));
        }
    };
    let cpus = match asked.cpus_policy {
        CpuPolicy::Split if !asked.cpus_allowed.is_empty() => {
            let place = instance.clone as usize % asked.cpus_allowed.len();
            vec![asked.cpus_allowed[place]]
        }
        _ => asked.cpus_allowed.clone(),
    };
    let class = match asked.prioclass {
        Some(1) => IoClass::Realtime,
        Some(3) => IoClass::Idle,
        _ => IoClass::BestEffort,
    };
    let io_priority = (asked.prio.is_some() || asked.prioclass.is_some_and(|class| class > 0))
        .then(|| IoPriority { class, level: asked.prio.unwrap_or(0) });
    Ok(Placement {
        cpus,
        one_cpu_each: false,
        numa_node,
        io_priority,
        nice: i8::try_from(asked.nice).ok().filter(|nice| *nice != 0),
        huge_pages: matches!(asked.mem, BufferMemory::ShmHuge | BufferMemory::MmapHuge(_)),
    })
}

/// Length of the engine's intervals: every window that is reported is a whole number of them.
fn interval_ms(options: &JobOptions) -> u64 {
    let (report, log) = (&options.report, &options.log);
    let windows = [report.bwavgtime_ms, report.iopsavgtime_ms, log.avg_ms, log.hist_ms];
    let common = windows.into_iter().filter(|ms| *ms > 0).fold(100, greatest_common_divisor);
    common.max(10)
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
