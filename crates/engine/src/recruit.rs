//! A worker thread: makes its buffers and its backend, reports ready, waits, runs.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender};

use workload::{Job, Payload, SyncKind, UringSwitches};

use crate::backend::{
    Backend, Blocking, Libaio, Manner, Mapped, Null, RealTime, Ring, RingPlan, Simulated,
};
use crate::choose::Kind;
use crate::clock::Clock;
use crate::flow::FlowSeat;
use crate::interval::{Slice, SliceSource};
use crate::payload::Buffers;
use crate::placement::{self, Rotation};
use crate::sequence::{Generator, Step, mix64};
use crate::target::{Medium, Target};
use crate::worker::{
    DONE, PacePlan, Parts, Schedule, Shared, Tracer, Verifier, Worker, WorkerReport,
};

/// What went wrong while a worker was armed.
pub(crate) type ArmError = (&'static str, io::Error);

/// What a worker thread is given.
pub(crate) struct Recruit {
    pub(crate) job: Job,
    pub(crate) targets: Vec<Target>,
    pub(crate) clock: Clock,
    pub(crate) kind: Kind,
    pub(crate) worker: u64,
    pub(crate) workers: u64,
    pub(crate) shared: Arc<Shared>,
    pub(crate) source: SliceSource,
    pub(crate) slice: Box<Slice>,
    pub(crate) tracer: Option<Tracer>,
    pub(crate) script: Option<Arc<[Step]>>,
    pub(crate) flow: Option<FlowSeat>,
    pub(crate) ready: Sender<Result<Vec<String>, ArmError>>,
    pub(crate) start: Receiver<Schedule>,
    pub(crate) report: Sender<WorkerReport>,
}

impl Recruit {
    fn depth(&self) -> u32 {
        if self.kind.is_synchronous() {
            return 1;
        }
        let (depth, workers) = (u64::from(self.job.depth.0), self.workers.max(1));
        (depth / workers + u64::from(self.worker < depth % workers)) as u32
    }

    fn sync(&self) -> SyncKind {
        self.job.sync.map_or(SyncKind::Fdatasync, |sync| sync.kind)
    }
}

/// The body of a worker thread.
pub(crate) fn serve(recruit: Recruit) {
    let refused = recruit.ready.clone();
    if let Err(error) = armed(recruit) {
        let _ = refused.send(Err(error));
    }
}

fn armed(recruit: Recruit) -> Result<(), ArmError> {
    placement::apply(&recruit.job.placement, recruit.worker)?;
    let mut notes = Vec::new();
    let mut buffers = buffers(&recruit, &mut notes).map_err(|error| ("allocate buffers", error))?;
    if recruit.job.payload == Payload::DevZero {
        buffers.read_from(File::open("/dev/zero").map_err(|error| ("open /dev/zero", error))?);
    }
    let abandoned = work(recruit, &mut buffers, notes)?;
    if abandoned {
        // The kernel may still write into them.
        buffers.arena.leak();
    }
    Ok(())
}

fn buffers(recruit: &Recruit, notes: &mut Vec<String>) -> io::Result<Buffers> {
    let job = &recruit.job;
    let align = recruit.targets.iter().map(|t| t.memory_align.0).max().unwrap_or(0).max(4096);
    let key = mix64(job.seed.0 ^ mix64(recruit.clock.now()) ^ recruit.worker);
    // Verified blocks are made in the buffers of reads.
    let payload = (job.mix.sends() && job.verify.is_none()).then_some(&job.payload);
    let reads = job.mix.reads() || job.verify.is_some();
    let (slots, block) = (recruit.depth() as usize, job.largest().0 as usize);
    let pages = if job.placement.huge_pages { Pages::Huge } else { Pages::Small };
    let buffers = Buffers::new(slots, block, align as usize, reads, payload, key, pages)?;
    if pages == Pages::Huge && !buffers.arena.has_reserved_pages() {
        notes.push("no huge pages are reserved: transparent ones were asked for".to_owned());
    }
    Ok(buffers)
}

pub(crate) use crate::arena::Pages;

/// Runs the loop on its backend; whether operations were abandoned, so that the kernel may still
/// write into the buffers.
fn work(recruit: Recruit, buffers: &mut Buffers, mut notes: Vec<String>) -> Result<bool, ArmError> {
    let depth = recruit.depth();
    let targets = recruit.targets.clone();
    let opened: Vec<BorrowedFd<'_>> =
        targets.iter().filter_map(Target::file).map(AsFd::as_fd).collect();
    let raw: Vec<i32> = opened.iter().map(AsRawFd::as_raw_fd).collect();
    let (job, sync) = (&recruit.job, recruit.sync());
    let write_flags = Manner::flags(job.durable);
    match recruit.kind {
        Kind::Blocking(calls, _) => {
            let device = targets.iter().any(|target| target.device);
            let manner = Manner { sync, trim: job.trim, write_flags, device };
            loop_on(Blocking::new(raw, calls, manner), recruit, depth, buffers, notes)
        }
        Kind::Mmap => {
            let sized: Vec<_> =
                opened.iter().zip(&targets).map(|(fd, t)| (*fd, t.limits.size.0)).collect();
            let mapped = Mapped::new(&sized, job.mix.writes(), sync);
            let mapped = mapped.map_err(|error| ("map the target", error))?;
            loop_on(mapped, recruit, depth, buffers, notes)
        }
        Kind::Libaio => {
            let context = Libaio::new(depth, raw, sync, write_flags);
            let context = context.map_err(|error| ("set up libaio", error))?;
            loop_on(context, recruit, depth, buffers, notes)
        }
        Kind::Null => loop_on(Null::new(depth), recruit, depth, buffers, notes),
        Kind::Simulated => match targets.first().map(|target| &target.medium) {
            Some(Medium::Simulated(device)) if device.is_virtual() => {
                loop_on(Simulated::new(device, depth), recruit, depth, buffers, notes)
            }
            Some(Medium::Simulated(device)) => {
                let in_time = RealTime::new(device, depth, recruit.clock);
                loop_on(in_time, recruit, depth, buffers, notes)
            }
            _ => Err(("find the simulated device", io::Error::from(io::ErrorKind::NotFound))),
        },
        Kind::IoUring(_) | Kind::Nop => {
            let (switches, nop) = match recruit.kind {
                Kind::IoUring(switches) => (switches, false),
                _ => (UringSwitches::default(), true),
            };
            let arena = &buffers.arena;
            let plan = RingPlan { depth, files: &opened, arena, sync, write_flags, switches, nop };
            let mut ring = Ring::new(plan).map_err(|error| ("set up io_uring", error))?;
            notes.extend_from_slice(ring.notes());
            loop_on(ring.split(), recruit, depth, buffers, notes)
        }
    }
}

fn loop_on<B: Backend>(
    backend: B,
    recruit: Recruit,
    depth: u32,
    buffers: &mut Buffers,
    notes: Vec<String>,
) -> Result<bool, ArmError> {
    let Recruit { job, targets, clock, kind, worker, workers, shared, source, slice, .. } = recruit;
    let (tracer, script, flow) = (recruit.tracer, recruit.script, recruit.flow);
    let count = targets.len() as u16;
    let generator = match &script {
        Some(script) => Generator::scripted(&job, worker, workers, Arc::clone(script)),
        None => Generator::over(&job, worker, workers, count),
    };
    let verifier =
        Verifier::of(&job, count, worker).map_err(|error| ("prepare to verify", error))?;
    let pace = PacePlan::of(&job, worker, workers, script, flow);
    let _ = recruit.ready.send(Ok(notes));
    let Ok(schedule) = recruit.start.recv() else {
        return Ok(false); // the control plane gave up before the start
    };
    // Who was told where to run stays there.
    let free = job.placement.cpus.is_empty();
    let rotation = schedule.in_crowd.filter(|_| free).and_then(Rotation::new);
    let parts = Parts {
        backend,
        buffers,
        generator,
        clock,
        schedule,
        shared: Arc::clone(&shared),
        source,
        slice,
        depth,
        nop: kind == Kind::Nop,
        touch: job.touch,
        rotation,
        tracer,
        pace,
        verifier,
        on_error: job.on_error.clone(),
    };
    let report = Worker::new(parts).run();
    let abandoned = report.asked.abandoned > 0;
    let _ = recruit.report.send(report);
    shared.state.store(DONE, Ordering::Release);
    Ok(abandoned)
}
