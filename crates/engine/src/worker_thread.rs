//! A worker thread: makes its buffers and its backend, reports ready, waits, runs.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender};

use workload::{Job, Payload, SyncKind, UringSwitches};

use crate::backend::{
    Backend, Blocking, Libaio, Mapped, Null, RealTimeSimulated, Ring, RingConfig, Simulated,
    SyscallMode,
};
use crate::backend_choice::BackendKind;
use crate::clock::Clock;
use crate::flow::FlowMember;
use crate::interval::{Slice, SliceSource};
use crate::payload::Buffers;
use crate::placement::{self, CpuRotation};
use crate::sequence::{OperationGenerator, ScriptStep, mix64};
use crate::target::{Target, TargetMedium};
use crate::worker::{
    DONE, PacePlan, Schedule, Tracer, Verifier, Worker, WorkerParts, WorkerReport, WorkerStatus,
};

/// What went wrong while a worker was armed.
pub(crate) type ArmError = (&'static str, io::Error);

/// What a worker thread is given.
pub(crate) struct WorkerSetup {
    pub(crate) job: Job,
    pub(crate) targets: Vec<Target>,
    pub(crate) clock: Clock,
    pub(crate) kind: BackendKind,
    pub(crate) worker: u64,
    pub(crate) workers: u64,
    pub(crate) shared: Arc<WorkerStatus>,
    pub(crate) source: SliceSource,
    pub(crate) slice: Box<Slice>,
    pub(crate) tracer: Option<Tracer>,
    pub(crate) script: Option<Arc<[ScriptStep]>>,
    pub(crate) flow: Option<FlowMember>,
    pub(crate) ready: Sender<Result<Vec<String>, ArmError>>,
    pub(crate) start: Receiver<Schedule>,
    pub(crate) report: Sender<WorkerReport>,
}

impl WorkerSetup {
    fn depth(&self) -> u32 {
        if self.kind.is_synchronous() {
            return 1;
        }
        let (depth, workers) = (u64::from(self.job.depth.0), self.workers.max(1));
        (depth / workers + u64::from(self.worker < depth % workers)) as u32
    }

    fn sync_kind(&self) -> SyncKind {
        self.job.sync.map_or(SyncKind::Fdatasync, |sync| sync.kind)
    }
}

/// The body of a worker thread.
pub(crate) fn run_worker_thread(recruit: WorkerSetup) {
    let refused = recruit.ready.clone();
    if let Err(error) = arm_and_run(recruit) {
        let _ = refused.send(Err(error));
    }
}

fn arm_and_run(recruit: WorkerSetup) -> Result<(), ArmError> {
    placement::apply_placement(&recruit.job.placement, recruit.worker)?;
    let mut notes = Vec::new();
    let mut buffers =
        make_buffers(&recruit, &mut notes).map_err(|error| ("allocate buffers", error))?;
    if recruit.job.payload == Payload::DevZero {
        buffers.set_source(File::open("/dev/zero").map_err(|error| ("open /dev/zero", error))?);
    }
    let abandoned = run_on_backend(recruit, &mut buffers, notes)?;
    if abandoned {
        // The kernel may still write into them.
        buffers.arena.leak();
    }
    Ok(())
}

fn make_buffers(recruit: &WorkerSetup, notes: &mut Vec<String>) -> io::Result<Buffers> {
    let job = &recruit.job;
    let align = recruit.targets.iter().map(|t| t.memory_align.0).max().unwrap_or(0).max(4096);
    let key = mix64(job.seed.0 ^ mix64(recruit.clock.now()) ^ recruit.worker);
    // Verified blocks are made in the buffers of reads.
    let payload = (job.mix.sends_data() && job.verify.is_none()).then_some(&job.payload);
    let reads = job.mix.reads() || job.verify.is_some();
    let (slots, block) = (recruit.depth() as usize, job.max_block_size().0 as usize);
    let pages = if job.placement.huge_pages { PageSize::Huge } else { PageSize::Small };
    let buffers = Buffers::new(slots, block, align as usize, reads, payload, key, pages)?;
    if pages == PageSize::Huge && !buffers.arena.has_reserved_pages() {
        notes.push("no huge pages are reserved: transparent ones were asked for".to_owned());
    }
    Ok(buffers)
}

pub(crate) use crate::arena::PageSize;

/// Runs the loop on its backend; whether operations were abandoned, so that the kernel may still
/// write into the buffers.
fn run_on_backend(
    recruit: WorkerSetup,
    buffers: &mut Buffers,
    mut notes: Vec<String>,
) -> Result<bool, ArmError> {
    let depth = recruit.depth();
    let targets = recruit.targets.clone();
    let opened: Vec<BorrowedFd<'_>> =
        targets.iter().filter_map(Target::file).map(AsFd::as_fd).collect();
    let raw: Vec<i32> = opened.iter().map(AsRawFd::as_raw_fd).collect();
    let (job, sync) = (&recruit.job, recruit.sync_kind());
    let write_flags = SyscallMode::durability_flags(job.durable);
    match recruit.kind {
        BackendKind::Blocking(calls, _) => {
            let device = targets.iter().any(|target| target.device);
            let manner = SyscallMode { sync, trim: job.trim, write_flags, device };
            run_loop(Blocking::new(raw, calls, manner), recruit, depth, buffers, notes)
        }
        BackendKind::Mmap => {
            let sized: Vec<_> =
                opened.iter().zip(&targets).map(|(fd, t)| (*fd, t.limits.size.0)).collect();
            let mapped = Mapped::new(&sized, job.mix.writes(), sync);
            let mapped = mapped.map_err(|error| ("map the target", error))?;
            run_loop(mapped, recruit, depth, buffers, notes)
        }
        BackendKind::Libaio => {
            let context = Libaio::new(depth, raw, sync, write_flags);
            let context = context.map_err(|error| ("set up libaio", error))?;
            run_loop(context, recruit, depth, buffers, notes)
        }
        BackendKind::Null => run_loop(Null::new(depth), recruit, depth, buffers, notes),
        BackendKind::Simulated => match targets.first().map(|target| &target.medium) {
            Some(TargetMedium::Simulated(device)) if device.is_virtual() => {
                run_loop(Simulated::new(device, depth), recruit, depth, buffers, notes)
            }
            Some(TargetMedium::Simulated(device)) => {
                let in_time = RealTimeSimulated::new(device, depth, recruit.clock);
                run_loop(in_time, recruit, depth, buffers, notes)
            }
            _ => Err(("find the simulated device", io::Error::from(io::ErrorKind::NotFound))),
        },
        BackendKind::IoUring(_) | BackendKind::Nop => {
            let (switches, nop) = match recruit.kind {
                BackendKind::IoUring(switches) => (switches, false),
                _ => (UringSwitches::default(), true),
            };
            let arena = &buffers.arena;
            let plan =
                RingConfig { depth, files: &opened, arena, sync, write_flags, switches, nop };
            let mut ring = Ring::new(plan).map_err(|error| ("set up io_uring", error))?;
            notes.extend_from_slice(ring.notes());
            run_loop(ring.split(), recruit, depth, buffers, notes)
        }
    }
}

fn run_loop<B: Backend>(
    backend: B,
    recruit: WorkerSetup,
    depth: u32,
    buffers: &mut Buffers,
    notes: Vec<String>,
) -> Result<bool, ArmError> {
    let WorkerSetup { job, targets, clock, kind, worker, workers, shared, source, slice, .. } =
        recruit;
    let (tracer, script, flow) = (recruit.tracer, recruit.script, recruit.flow);
    let count = targets.len() as u16;
    let generator = match &script {
        Some(script) => OperationGenerator::with_script(&job, worker, workers, Arc::clone(script)),
        None => OperationGenerator::with_targets(&job, worker, workers, count),
    };
    let verifier =
        Verifier::from_job(&job, count, worker).map_err(|error| ("prepare to verify", error))?;
    let pace = PacePlan::from_job(&job, worker, workers, script, flow);
    let _ = recruit.ready.send(Ok(notes));
    let Ok(schedule) = recruit.start.recv() else {
        return Ok(false); // the control plane gave up before the start
    };
    // Who was told where to run stays there.
    let free = job.placement.cpus.is_empty();
    let rotation = schedule.in_crowd.filter(|_| free).and_then(CpuRotation::new);
    let parts = WorkerParts {
        backend,
        buffers,
        generator,
        clock,
        schedule,
        shared: Arc::clone(&shared),
        source,
        slice,
        depth,
        nop: kind == BackendKind::Nop,
        touch: job.touch,
        rotation,
        tracer,
        pace,
        verifier,
        on_error: job.on_error.clone(),
    };
    let report = Worker::new(parts).run();
    let abandoned = report.requested.abandoned > 0;
    let _ = recruit.report.send(report);
    shared.state.store(DONE, Ordering::Release);
    Ok(abandoned)
}
