//! The engine's job of an instance.

use units::{Bytes, Depth, Nanos, Seed};
use workload::{
    Access, BackendChoice, BlockSizes, Direction, Distribution, DurableWrites, Failure, IoClass,
    IoPriority, Job, Mix, MmapSwitches, NameCall, OnError, OperationPriority, Pacing, Payload,
    Placement, Span, SyncKind, SyncPolicy, TargetOrder, UringSwitches,
};

use super::access::{has_order_per_direction, plan_accesses};
use super::pace::{plan_pacing, plan_read_percent, plan_think_time};
use super::passes::{PassPlan, plan_passes};
use super::region::{Region, smallest_block};
use super::section::{Instance, PlanError, Section};
use super::sizes::plan_sizes;
use crate::options::data::DedupeMode;
use crate::options::distribution::FileService;
use crate::options::engine::{CpuMode, Engine, StatCall};
use crate::options::job::JobOptions;
use crate::options::parse::{READS, WRITES};
use crate::options::pattern::Operation;
use crate::options::placement::{BufferMemory, CpuPolicy, MemoryPolicy};
use crate::options::sync::SyncMode;
use crate::options::target::FadviseHint;

/// Seed of jobs that repeat theirs (`randrepeat`), of no meaning.
const DEFAULT_SEED: u64 = 0x5EED;

/// An instance's job, and how its figures are to be read.
#[derive(Debug, Clone, PartialEq)]
pub struct InstancePlan {
    pub job: Job,
    pub passes: PassPlan,
    pub latencies: LatencyOrigin,
    /// What is not as fio does it.
    pub notes: Vec<String>,
}

const ACCESS_HINT: &str = "change one of these options; --cmdhelp=NAME says what it takes";
const PAYLOAD_HINT: &str = "leave one of the two out";

/// Where latencies are counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LatencyOrigin {
    Submission,
    Plan,
}

/// The job of `instance`. `fresh` is a random number, for jobs that do not repeat their seed.
/// Errors: what the engine cannot do, by the option's name.
pub fn plan_instance(
    section: &Section,
    instance: &Instance,
    region: &Region,
    fresh: u64,
) -> Result<InstancePlan, PlanError> {
    let options = &section.options;
    let refuse = |hint: &'static str| {
        move |conflict: String| PlanError::new(&section.name, conflict, Some(hint))
    };
    let mut notes = Vec::new();
    let backend = choose_backend(options, &mut notes);
    let (depth, operation) = (plan_depth(options), options.pattern.rw.operation);
    let (seed, name_call) = (plan_seed(options, instance, fresh), plan_name_call(options));
    let passes = plan_passes(section, region, seed);
    if options.target.unlink_each_loop && options.run.loops > 1 && passes.passes == 1 {
        let kept = "unlink_each_loop: a job that only reads, or that time ends, keeps its files";
        notes.push(kept.to_owned());
    }
    let (block_size, sizes) = match name_call {
        None => plan_sizes(options, region.length).map_err(refuse(ACCESS_HINT))?,
        Some(_) => (Bytes(smallest_block(section)), BlockSizes::default()),
    };
    let (pacing, caps) = plan_pacing(options, block_size, sizes.is_plain(), depth);
    let (access, write_access) = match name_call {
        None => plan_accesses(section, block_size, &sizes, region).map_err(refuse(ACCESS_HINT))?,
        Some(_) => (Access::Sequential, None),
    };
    let mix = plan_mix(operation, plan_read_percent(options));
    let job = Job {
        name: section.name.clone(),
        order_per_direction: has_order_per_direction(options, &access),
        access,
        write_access: write_access.map(Box::new),
        mix,
        block_size,
        sizes,
        depth: Depth(depth),
        one_by_one: is_one_by_one(options, &mut notes),
        serialize_overlap: options.engine.serialize_overlap,
        pacing,
        caps,
        think: plan_think_time(options),
        sync: plan_sync(options).filter(|_| mix.writes()),
        durable: plan_durability(options).filter(|_| mix.writes()),
        warm_up: Nanos(options.run.ramp_time_us * 1000),
        stop: passes.stop,
        span: Span { offset: Bytes(region.offset), length: Bytes(region.length) },
        span_lengths: region.span_lengths(),
        targets: plan_target_order(options),
        target_batch: plan_target_batch(options),
        open_targets: (options.target.openfiles > 0).then_some(options.target.openfiles),
        repeat: passes.repetition.map(Box::new),
        payload: plan_payload(options, region.whole).map_err(refuse(PAYLOAD_HINT))?,
        verify: None,
        direct: options.engine.direct && name_call.is_none(),
        seed,
        backend,
        on_error: plan_on_error(options),
        placement: plan_placement(section, instance)?,
        priorities: plan_priorities(options),
        interval: Nanos::millis(interval_ms(options)),
        ..Job::base()
    };
    let latencies = match job.pacing {
        Pacing::Open { .. } => LatencyOrigin::Plan,
        _ => LatencyOrigin::Submission,
    };
    Ok(InstancePlan { job, passes, latencies, notes })
}

fn plan_durability(options: &JobOptions) -> Option<DurableWrites> {
    let writes = options.pattern.rw.operation.writes();
    match options.sync.mode {
        _ if plan_name_call(options).is_some() || options.engine.engine.has_no_target() => None,
        SyncMode::Sync if writes => Some(DurableWrites::DataAndMetadata),
        SyncMode::Dsync if writes => Some(DurableWrites::Data),
        _ => None,
    }
}

fn plan_name_call(options: &JobOptions) -> Option<NameCall> {
    Some(match options.engine.engine {
        Engine::FileCreate => NameCall::CreateFile,
        Engine::FileDelete => NameCall::RemoveFile,
        Engine::DirCreate => NameCall::CreateFolder,
        Engine::DirDelete => NameCall::RemoveFolder,
        Engine::FileStat | Engine::DirStat => match options.engine.stat_type {
            StatCall::Stat => NameCall::Stat,
            StatCall::Lstat => NameCall::Lstat,
            StatCall::Statx => NameCall::Statx,
        },
        _ => return None,
    })
}

fn choose_backend(options: &JobOptions, notes: &mut Vec<String>) -> BackendChoice {
    if let Some(call) = plan_name_call(options) {
        return BackendChoice::Names(call);
    }
    let engine = &options.engine;
    if only_trims(options) {
        // One call for all of them; a trim is waited for when it is submitted, as in fio.
        return BackendChoice::Psync;
    }
    let durable = options.sync.mode != SyncMode::None && options.pattern.rw.operation.writes();
    let takes_flags = !matches!(engine.engine, Engine::Mmap | Engine::Splice)
        && !engine.engine.has_no_target()
        && !engine.engine.changes_length();
    if durable && engine.engine.is_synchronous() && takes_flags {
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
        Engine::Mmap => BackendChoice::MmapWith(MmapSwitches {
            random: (options.target.fadvise_hint != FadviseHint::None)
                .then(|| options.pattern.rw.operation.is_random()),
            huge_pages: engine.thp,
        }),
        Engine::Splice => BackendChoice::Splice,
        Engine::Falloc => BackendChoice::Falloc,
        Engine::Ftruncate => BackendChoice::Ftruncate,
        Engine::CpuIo => BackendChoice::Busy {
            time: Nanos(engine.cpu.chunk_us.saturating_mul(1000)),
            sorts: engine.cpu.mode == CpuMode::Qsort,
        },
        Engine::Exec => BackendChoice::Busy { time: Nanos::ZERO, sorts: false },
        Engine::Net => BackendChoice::Socket { answers: engine.network.pingpong },
        // Calls on names are planned above.
        Engine::Null
        | Engine::FileCreate
        | Engine::FileStat
        | Engine::FileDelete
        | Engine::DirCreate
        | Engine::DirStat
        | Engine::DirDelete => BackendChoice::Null,
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

/// Whether the job only trims, on an engine that moves data to its files.
fn only_trims(options: &JobOptions) -> bool {
    use Engine::{IoUring, Libaio, Mmap, Posixaio, Splice};
    matches!(options.pattern.rw.operation, Operation::Trim | Operation::RandTrim)
        && matches!(options.engine.engine, IoUring | Libaio | Mmap | Posixaio | Splice)
}

/// Operations in flight: synchronous engines have one, and so have trims.
fn plan_depth(options: &JobOptions) -> u32 {
    let engine = options.engine.engine;
    if engine.is_synchronous() || engine == Engine::Vsync || only_trims(options) {
        1
    } else {
        options.engine.iodepth.max(1)
    }
}

/// fio's loop takes one completion and starts its successor, by a call each, unless batches are
/// asked for.
fn is_one_by_one(options: &JobOptions, notes: &mut Vec<String>) -> bool {
    let engine = &options.engine;
    if engine.is_batched() {
        notes.push("iodepth_batch: what is ready is sent and taken together".to_owned());
    }
    matches!(engine.engine, Engine::Libaio | Engine::IoUring) && !engine.is_batched()
}

fn plan_mix(operation: Operation, read_percent: u8) -> Mix {
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

fn plan_sync(options: &JobOptions) -> Option<SyncPolicy> {
    let sync = &options.sync;
    let has_none = options.engine.engine.calls_names() || options.engine.engine == Engine::Net;
    if !options.pattern.rw.operation.writes() || has_none {
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

fn plan_target_order(options: &JobOptions) -> TargetOrder {
    match options.target.file_service {
        FileService::RoundRobin { .. } => TargetOrder::RoundRobin,
        FileService::Sequential { .. } => TargetOrder::Sequential,
        FileService::Random { .. } => TargetOrder::Random,
        FileService::Zipf { theta } => TargetOrder::Distributed(Distribution::Zipf { theta }),
        FileService::Pareto { h } => TargetOrder::Distributed(Distribution::Pareto { h }),
        FileService::Normal { deviation } => {
            TargetOrder::Distributed(Distribution::Normal { deviation_percent: deviation })
        }
    }
}

fn plan_target_batch(options: &JobOptions) -> u32 {
    match options.target.file_service {
        FileService::RoundRobin { batch } | FileService::Random { batch } => batch,
        _ => 1,
    }
}

/// What a file of `size` bytes is filled with before the job. As in fio, what the job writes, but
/// every block is made anew.
pub fn plan_layout_payload(options: &JobOptions, size: u64) -> Payload {
    match plan_payload(options, size) {
        Ok(Payload::Repeated { .. }) | Err(_) => Payload::Unique,
        Ok(payload) => payload,
    }
}

/// What is written; `size` bytes in a loop.
fn plan_payload(options: &JobOptions, size: u64) -> Result<Payload, String> {
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
        (0, 0) if data.refill_buffers => Ok(Payload::Unique),
        // As in fio, a share of 0 % leaves the buffers as they are.
        (0, 0) => Ok(Payload::Repeated {
            scrambled: data.scramble_buffers && data.compress_percentage.is_none(),
        }),
        (0, percent) => Ok(Payload::Compressible { percent }),
        (copies_percent, compressible_percent) if data.dedupe_mode == DedupeMode::WorkingSet => {
            let share = u128::from(data.dedupe_working_set_percentage);
            let bytes = (u128::from(size) * share / 100) as u64;
            // Threads that stand for one queue have a part of the set each.
            let threads = match options.engine.engine {
                Engine::Posixaio => u64::from(plan_depth(options)),
                _ => 1,
            };
            let blocks = (bytes / options.pattern.min_bs(WRITES).max(1) / threads).max(1);
            let shared = None;
            Ok(Payload::WorkingSet { copies_percent, blocks, compressible_percent, shared })
        }
        (percent, 0) => Ok(Payload::Dedupable { percent }),
        (copies_percent, compressible_percent) => {
            Ok(Payload::DedupableCompressible { copies_percent, compressible_percent })
        }
    }
}

/// Offsets repeat from run to run unless `randrepeat=0`; every instance has its own.
pub(crate) fn plan_seed(options: &JobOptions, instance: &Instance, fresh: u64) -> Seed {
    let pattern = &options.pattern;
    let base = match pattern.randseed {
        Some(seed) => seed,
        None if pattern.randrepeat => DEFAULT_SEED,
        None => fresh,
    };
    Seed(base.wrapping_add(u64::from(instance.number).wrapping_mul(0x9E37_79B9_7F4A_7C15)))
}

/// Failures of the medium (EIO, EILSEQ) are those that `continue_on_error` goes on after; any
/// other, such as a full file system, still ends the job.
const MEDIUM_ERRORS: [i32; 2] = [5, 84];

fn plan_on_error(options: &JobOptions) -> OnError {
    let errors = &options.errors;
    let of = |goes_on: bool, ignored: &[i32], directions: &[Direction]| {
        let usual = if goes_on { &MEDIUM_ERRORS[..] } else { &[] };
        let numbers: Vec<i32> = usual.iter().chain(ignored).copied().collect();
        let each = |&direction| {
            numbers.iter().map(move |&errno| Failure { direction, errno }).collect::<Vec<_>>()
        };
        directions.iter().flat_map(each).collect::<Vec<_>>()
    };
    let changes = [Direction::Write, Direction::Sync, Direction::Trim];
    let mut failures = of(errors.continue_on.read, &errors.ignore.read, &[Direction::Read]);
    failures.extend(of(errors.continue_on.write, &errors.ignore.write, &changes));
    if failures.is_empty() { OnError::Stop } else { OnError::ContinueAfter(failures) }
}

/// The operations whose priority is not that of the job.
fn plan_priorities(options: &JobOptions) -> Vec<OperationPriority> {
    let cmdprio = &options.engine.cmdprio;
    let has = options.pattern.rw.operation.directions();
    let mut priorities = Vec::new();
    if !matches!(options.engine.engine, Engine::Libaio | Engine::IoUring) {
        return priorities;
    }
    for (place, direction) in [(READS, Direction::Read), (WRITES, Direction::Write)] {
        if !has[place] {
            continue;
        }
        let (ioprio, percent) = (cmdprio.ioprio(place), cmdprio.percentage[place]);
        if percent > 0 {
            priorities.push(OperationPriority { direction, size: None, percent, ioprio });
        }
        priorities.extend(cmdprio.bssplit[place].iter().map(|share| OperationPriority {
            direction,
            size: Some(Bytes(share.size)),
            percent: share.percent,
            ioprio: share.ioprio.unwrap_or(ioprio),
        }));
    }
    priorities
}

fn plan_placement(section: &Section, instance: &Instance) -> Result<Placement, PlanError> {
    let asked = &section.options.placement;
    let numa_node = match &asked.numa_mem_policy {
        MemoryPolicy::Unset | MemoryPolicy::Default | MemoryPolicy::Local => None,
        MemoryPolicy::Prefer(node) => Some(*node),
        MemoryPolicy::Bind(nodes) if nodes.len() == 1 => nodes.first().copied(),
        MemoryPolicy::Bind(_) | MemoryPolicy::Interleave(_) => {
            let conflict = "numa_mem_policy over several nodes: one is preferred here";
            return Err(PlanError::new(&section.name, conflict, Some("give one: prefer:0")));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_failures_of_the_medium_are_gone_on_after_unless_others_are_named() {
        let check = |change: fn(&mut JobOptions), expected: &[(Direction, i32)]| {
            let mut options = JobOptions::default();
            change(&mut options);
            let failure = |&(direction, errno): &(Direction, i32)| Failure { direction, errno };
            let expected: Vec<Failure> = expected.iter().map(failure).collect();
            assert_eq!(plan_on_error(&options), OnError::ContinueAfter(expected));
        };
        assert_eq!(plan_on_error(&JobOptions::default()), OnError::Stop);
        let (read, write) = (Direction::Read, Direction::Write);
        check(|o| o.errors.continue_on.read = true, &[(read, 5), (read, 84)]);
        let changes = [write, Direction::Sync, Direction::Trim];
        check(|o| o.errors.ignore.write = vec![28], &changes.map(|direction| (direction, 28)));
    }

    #[test]
    fn blocks_may_be_copies_and_compressible() {
        let mut options = JobOptions::default();
        options.data.dedupe_percentage = Some(40);
        let payload = |options: &JobOptions| plan_payload(options, 1 << 20);
        assert_eq!(payload(&options), Ok(Payload::Dedupable { percent: 40 }));
        options.data.compress_percentage = Some(50);
        let both = Payload::DedupableCompressible { copies_percent: 40, compressible_percent: 50 };
        assert_eq!(payload(&options), Ok(both));
        options.data.dedupe_mode = DedupeMode::WorkingSet;
        options.data.dedupe_working_set_percentage = 10;
        let (copies_percent, blocks, compressible_percent) = (40, 25, 50);
        let shared = None;
        let set = Payload::WorkingSet { copies_percent, blocks, compressible_percent, shared };
        assert_eq!(payload(&options), Ok(set));
    }
}
