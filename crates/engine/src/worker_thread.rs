//! A worker thread: makes its buffers and its backend, reports ready, waits, runs.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender};

use workload::{Job, Payload, SyncKind, UringSwitches};

use crate::arena::PageSize;
use crate::backend::{
    Backend, Blocking, Busy, Libaio, Mapped, NameCalls, Null, OneAtATime, Ring, RingConfig,
    Simulated, Sockets, Spliced, SyscallMode, WithTrims,
};
use crate::backend_choice::BackendKind;
use crate::clock::Clock;
use crate::flow::FlowMember;
use crate::mix::mix64;
use crate::payload::{Buffers, SECTOR_BYTES};
use crate::placement;
use crate::sequence::{OperationGenerator, ScriptStep, StepStream};
use crate::target::{Target, TargetMedium};
use crate::worker::{
    DONE, OperationSource, Pace, Priorities, RunQueueClock, Schedule, Verifier, Worker, WorkerLink,
    WorkerPlan, WorkerReport,
};

/// Worker threads of the kernel (io-wq): requests that block take one each.
const IOWQ_WORKERS: u32 = 64;

pub(crate) type ArmError = (&'static str, io::Error);

pub(crate) struct WorkerSetup {
    pub(crate) job: Job,
    pub(crate) targets: Vec<Target>,
    pub(crate) clock: Clock,
    pub(crate) kind: BackendKind,
    pub(crate) worker: u64,
    pub(crate) workers: u64,
    pub(crate) script: Option<Arc<[ScriptStep]>>,
    pub(crate) stream: Option<StepStream>,
    pub(crate) flow: Option<FlowMember>,
    pub(crate) drops_cache: bool,
    pub(crate) link: WorkerLink,
    pub(crate) ready: Sender<Result<Vec<String>, ArmError>>,
    pub(crate) start: Receiver<Schedule>,
    /// Whether its thread has real-time priority.
    pub(crate) is_realtime: bool,
}

impl WorkerSetup {
    fn depth(&self) -> u32 {
        if self.kind.is_synchronous() {
            return 1;
        }
        let (depth, workers) = (u64::from(self.job.depth.0), self.workers.max(1));
        (depth / workers + u64::from(self.worker < depth % workers)) as u32
    }

    fn make_buffers(&self, notes: &mut Vec<String>) -> io::Result<Buffers> {
        let job = &self.job;
        let align = self.targets.iter().map(|t| t.memory_align.0).max().unwrap_or(0).max(4096);
        let key = mix64(job.seed.0 ^ mix64(self.clock.now()) ^ self.worker);
        // Verified blocks are made in the buffers of reads.
        let moves_data = self.kind != BackendKind::Simulated;
        let sends_data = moves_data && job.mix.sends_data() && job.verify.is_none();
        let payload = sends_data.then_some(&job.payload);
        let reads = job.mix.reads() || job.verify.is_some();
        let slots = self.depth() as usize;
        let block = if moves_data { job.max_block_size().0 as usize } else { SECTOR_BYTES };
        let pages = if job.placement.huge_pages { PageSize::Huge } else { PageSize::Small };
        let buffers = Buffers::new(slots, block, align as usize, reads, payload, key, pages)?;
        if pages == PageSize::Huge && !buffers.arena.reserved {
            notes.push("no huge pages are reserved: transparent ones were asked for".to_owned());
        }
        Ok(buffers)
    }
}

/// The body of a worker thread; `None` when nothing was run.
pub(crate) fn run_worker_thread(setup: WorkerSetup) -> Option<WorkerReport> {
    let ready = setup.ready.clone();
    arm_and_run(setup).unwrap_or_else(|error| {
        let _ = ready.send(Err(error));
        None
    })
}

fn arm_and_run(mut setup: WorkerSetup) -> Result<Option<WorkerReport>, ArmError> {
    placement::apply_placement(&setup.job.placement, setup.worker)?;
    let (mut notes, mut awake) = (Vec::new(), None);
    if setup.stream.is_some() && setup.kind != BackendKind::Simulated {
        let is_realtime = placement::set_realtime_priority();
        setup.is_realtime = is_realtime.is_ok();
        let held = is_realtime.and_then(|()| placement::keep_processors_awake());
        awake = held.map_err(|note| notes.push(note)).ok();
    }
    let mut buffers =
        setup.make_buffers(&mut notes).map_err(|error| ("allocate buffers", error))?;
    if setup.job.payload == Payload::DevZero {
        buffers.source = Some(File::open("/dev/zero").map_err(|error| ("open /dev/zero", error))?);
    }
    let mut report = run_on_backend(setup, &mut buffers, notes)?;
    if let Some(open_loop) = report.as_mut().and_then(|report| report.open_loop.as_mut()) {
        open_loop.processors_awake = awake.is_some();
    }
    drop(awake);
    if report.as_ref().is_some_and(|report| report.requested.abandoned > 0) {
        // The kernel may still write into them: the memory stays mapped for ever.
        std::mem::forget(buffers.arena);
    }
    Ok(report)
}

fn run_on_backend(
    setup: WorkerSetup,
    buffers: &mut Buffers,
    notes: Vec<String>,
) -> Result<Option<WorkerReport>, ArmError> {
    let depth = setup.depth();
    let targets = setup.targets.clone();
    let files: Vec<BorrowedFd<'_>> =
        targets.iter().filter_map(Target::file).map(AsFd::as_fd).collect();
    let raw: Vec<i32> = files.iter().map(AsRawFd::as_raw_fd).collect();
    let locks = targets.iter().filter_map(|target| target.lock.clone()).collect();
    let job = &setup.job;
    let sync = job.sync.map_or(SyncKind::Fdatasync, |sync| sync.kind);
    let write_flags = SyscallMode::durability_flags(job.durable);
    let device = targets.iter().any(|target| target.device);
    let mode = SyscallMode { sync, trim: job.trim, write_flags, device };
    match setup.kind {
        BackendKind::Blocking(calls, _) => run_loop(
            OneAtATime::new(Blocking { files: raw, calls, mode }, locks),
            setup,
            buffers,
            notes,
        ),
        BackendKind::Mmap(switches) => {
            let sized: Vec<_> =
                files.iter().zip(&targets).map(|(fd, t)| (*fd, t.limits.size.0)).collect();
            let mapped = Mapped::new(&sized, job.mix.writes(), sync, switches);
            let mapped = mapped.map_err(|error| ("map the target", error))?;
            run_loop(OneAtATime::new(mapped, locks), setup, buffers, notes)
        }
        BackendKind::Splice => {
            let spliced = Spliced::new(raw, sync).map_err(|error| ("make a pipe", error))?;
            run_loop(OneAtATime::new(spliced, locks), setup, buffers, notes)
        }
        BackendKind::Libaio => {
            let context = Libaio::new(depth, raw.clone(), sync, write_flags);
            let context = context.map_err(|error| ("set up libaio", error))?;
            match job.mix.trims() {
                true => run_loop(WithTrims::new(context, raw, mode, depth), setup, buffers, notes),
                false => run_loop(context, setup, buffers, notes),
            }
        }
        BackendKind::Busy(time_ns, sorts) => {
            let busy = make_busy(&setup, time_ns, sorts);
            run_loop(OneAtATime::new(busy, Vec::new()), setup, buffers, notes)
        }
        BackendKind::Names(call) => {
            let entries = targets.iter().filter_map(Target::named_entry).cloned().collect();
            run_loop(NameCalls::new(entries, call), setup, buffers, notes)
        }
        BackendKind::Socket(answers) => run_on_socket(setup, buffers, notes, answers),
        BackendKind::Null => run_loop(Null::new(depth), setup, buffers, notes),
        BackendKind::Simulated => match targets.first().map(|target| &target.medium) {
            Some(TargetMedium::Simulated(device)) => {
                run_loop(Simulated::new(device, depth, Some(setup.clock)), setup, buffers, notes)
            }
            _ => Err(("find the simulated device", io::Error::from(io::ErrorKind::NotFound))),
        },
        BackendKind::IoUring(_) | BackendKind::Nop => {
            run_on_ring(setup, buffers, notes, &files, mode)
        }
    }
}

fn run_on_socket(
    setup: WorkerSetup,
    buffers: &mut Buffers,
    notes: Vec<String>,
    answers: bool,
) -> Result<Option<WorkerReport>, ArmError> {
    let missing = || ("find the connection", io::Error::from(io::ErrorKind::NotFound));
    let end = setup.targets.first().and_then(Target::socket_end).ok_or_else(missing)?;
    let status = Arc::clone(&setup.link.status);
    let is_stopped = move || status.stop.load(Ordering::Relaxed);
    let sockets = Sockets::new(Arc::clone(end), answers, is_stopped);
    run_loop(OneAtATime::new(sockets, Vec::new()), setup, buffers, notes)
}

fn run_on_ring(
    setup: WorkerSetup,
    buffers: &mut Buffers,
    mut notes: Vec<String>,
    files: &[BorrowedFd<'_>],
    mode: SyscallMode,
) -> Result<Option<WorkerReport>, ArmError> {
    let (switches, nop) = match setup.kind {
        BackendKind::IoUring(switches) => (switches, false),
        _ => (UringSwitches::default(), true),
    };
    let (depth, arena) = (setup.depth(), &buffers.arena);
    // An operation of an open loop starts at its time: it waits for no thread.
    let iowq_workers_max = setup.job.is_open_loop().then(|| count_iowq_workers(depth));
    let SyscallMode { sync, write_flags, .. } = mode;
    let config =
        RingConfig { depth, files, arena, sync, write_flags, switches, nop, iowq_workers_max };
    let mut ring = Ring::new(config).map_err(|error| ("set up io_uring", error))?;
    notes.extend_from_slice(&ring.notes);
    if setup.job.mix.trims() && !nop {
        let raw = files.iter().map(AsRawFd::as_raw_fd).collect();
        return run_loop(WithTrims::new(ring.split(), raw, mode, depth), setup, buffers, notes);
    }
    run_loop(ring.split(), setup, buffers, notes)
}

/// Never fewer than the kernel's own number.
fn count_iowq_workers(depth: u32) -> u32 {
    let processors = std::thread::available_parallelism().map_or(1, usize::from) as u32;
    depth.clamp(1, IOWQ_WORKERS.max(processors.saturating_mul(4)))
}

fn make_busy(setup: &WorkerSetup, time_ns: u64, sorts: bool) -> Busy<impl Fn() -> bool + use<>> {
    let job = &setup.job;
    let run_ns = job.stop.time.map_or(u64::MAX, |time| job.warm_up.0.saturating_add(time.0));
    let status = Arc::clone(&setup.link.status);
    Busy::new(setup.clock, time_ns, run_ns, sorts, move || status.stop.load(Ordering::Relaxed))
}

fn run_loop<B: Backend>(
    backend: B,
    setup: WorkerSetup,
    buffers: &mut Buffers,
    notes: Vec<String>,
) -> Result<Option<WorkerReport>, ArmError> {
    let depth = setup.depth();
    let WorkerSetup {
        job,
        targets,
        clock,
        kind,
        worker,
        workers,
        script,
        stream,
        flow,
        drops_cache,
        link,
        is_realtime,
        ..
    } = setup;
    let is_virtual = targets.iter().any(Target::is_virtual);
    let count = targets.len() as u16;
    let generator = OperationSource::new(match &script {
        Some(steps) => OperationGenerator::with_script(&job, worker, workers, Arc::clone(steps)),
        None => OperationGenerator::with_targets(&job, worker, workers, count),
    });
    let plan = WorkerPlan {
        generator: match drops_cache {
            true => generator.dropping_cache(&job, targets),
            false => generator,
        },
        verifier: Verifier::from_job(&job, count, worker, script.as_deref().unwrap_or_default())
            .map_err(|error| ("prepare to verify", error))?,
        pace: Pace::from_job(&job, worker, workers, script, flow)
            .map(|pace| Box::new(pace.with_stream(stream, is_realtime))),
        priorities: Priorities::from_job(&job, worker, depth),
        run_queue: match is_virtual {
            true => RunQueueClock::stopped(),
            false => RunQueueClock::of_this_thread(),
        },
        depth,
        nop: kind == BackendKind::Nop,
    };
    let _ = setup.ready.send(Ok(notes));
    let Ok(schedule) = setup.start.recv() else {
        return Ok(None); // the control plane gave up before the start
    };
    let status = Arc::clone(&link.status);
    let report = Worker::new(&job, backend, buffers, plan, link, clock, schedule).run();
    status.state.store(DONE, Ordering::Release);
    Ok(Some(report))
}
