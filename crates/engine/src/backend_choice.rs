//! Which kernel interface a job runs through.

use workload::{BackendChoice, Job, SyncKind, UringSwitches};

use crate::backend::{SyscallFamily, io_uring_refusal};
use crate::error::EngineError;
use crate::target::{Target, TargetMedium};

/// Beyond this depth a thread per operation costs more than it gives.
const THREAD_DEPTH_MAX: u32 = 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BackendKind {
    IoUring(UringSwitches),
    Libaio,
    /// Calls that block, and their name.
    Blocking(SyscallFamily, &'static str),
    Mmap,
    Null,
    Simulated,
    /// io_uring with no-operations: what the loop itself costs.
    Nop,
}

impl BackendKind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::IoUring(_) => "io_uring",
            Self::Libaio => "libaio",
            Self::Blocking(_, name) => name,
            Self::Mmap => "mmap",
            Self::Null => "null",
            Self::Simulated => "simulated",
            Self::Nop => "nop",
        }
    }

    /// Whether an operation blocks its thread: then depth takes threads.
    pub(crate) const fn is_synchronous(self) -> bool {
        matches!(self, Self::Blocking(..) | Self::Mmap)
    }

    /// Threads of a job: at most one per outstanding operation, and one on a virtual clock.
    pub(crate) fn worker_count(self, job: &Job) -> u64 {
        match self {
            Self::Blocking(..) | Self::Mmap => u64::from(job.depth.0),
            Self::Simulated => 1,
            _ => u64::from(job.workers.clamp(1, job.depth.0.max(1))),
        }
    }
}

/// One thread per outstanding operation, each with preadv2 and pwritev2.
const THREADS_BACKEND: BackendKind = BackendKind::Blocking(SyscallFamily::Pvsync2(0), "threads");
const RING_BACKEND: BackendKind = BackendKind::IoUring(UringSwitches {
    iopoll: false,
    sqpoll: false,
    sqpoll_cpu: None,
    force_async: false,
    plain: false,
});

/// The interface for `job`, with notes for the reader.
pub(crate) fn choose_backend(
    job: &Job,
    targets: &[Target],
) -> Result<(BackendKind, Vec<String>), EngineError> {
    let unsuited = |conflict: String| EngineError::invalid_job(job, conflict);
    let is = |wanted: fn(&TargetMedium) -> bool| targets.iter().all(|t| wanted(&t.medium));
    let without_file = targets.iter().any(|t| t.file().is_none());
    let nothing = is(|m| matches!(m, TargetMedium::Null));
    let simulated = targets.len() == 1 && is(|m| matches!(m, TargetMedium::Simulated(_)));
    let plain = |kind| Ok((kind, Vec::new()));
    let (kind, notes) = match job.backend {
        BackendChoice::Null => plain(BackendKind::Null),
        BackendChoice::Auto if nothing => plain(BackendKind::Null),
        BackendChoice::Auto | BackendChoice::Simulated if simulated => {
            plain(BackendKind::Simulated)
        }
        BackendChoice::Simulated => Err(unsuited(
            "the simulated backend needs one simulated device as its target".to_owned(),
        )),
        asked if without_file => Err(unsuited(format!(
            "{asked:?} is asked, but the target is no file and no device of the system"
        ))),
        BackendChoice::Auto => Ok(choose_automatically(job, targets)),
        BackendChoice::IoUring => {
            require_ring(UringSwitches::default()).map(|kind| (kind, Vec::new()))
        }
        BackendChoice::IoUringWith(switches) => {
            require_ring(switches).map(|kind| (kind, Vec::new()))
        }
        BackendChoice::Libaio => plain(BackendKind::Libaio),
        BackendChoice::Sync => plain(BackendKind::Blocking(SyscallFamily::Sync, "sync")),
        BackendChoice::Psync => plain(BackendKind::Blocking(SyscallFamily::Psync, "psync")),
        BackendChoice::Pvsync => plain(BackendKind::Blocking(SyscallFamily::Pvsync, "pvsync")),
        BackendChoice::Pvsync2 { hipri, nowait } => {
            let flag = |wanted: bool, flag: i32| if wanted { flag } else { 0 };
            let flags = flag(hipri, libc::RWF_HIPRI) | flag(nowait, libc::RWF_NOWAIT);
            plain(BackendKind::Blocking(SyscallFamily::Pvsync2(flags), "pvsync2"))
        }
        BackendChoice::Threads => plain(THREADS_BACKEND),
        BackendChoice::Mmap => plain(BackendKind::Mmap),
    }?;
    match find_conflict(job, kind) {
        None => Ok((kind, notes)),
        Some(conflict) => Err(unsuited(conflict)),
    }
}

fn require_ring(switches: UringSwitches) -> Result<BackendKind, EngineError> {
    match io_uring_refusal() {
        None => Ok(BackendKind::IoUring(switches)),
        Some(reason) => Err(EngineError::NoIoUring(reason)),
    }
}

fn find_conflict(job: &Job, kind: BackendKind) -> Option<String> {
    let flags = matches!(
        kind,
        BackendKind::Blocking(
            SyscallFamily::Sync | SyscallFamily::Psync | SyscallFamily::Pvsync,
            _
        ) | BackendKind::Mmap
    );
    if job.durable.is_some() && flags {
        return Some(format!("durable writes take a flag that {} has not", kind.name()));
    }
    let sync = job.sync.map(|sync| sync.kind);
    if sync == Some(SyncKind::FileRange) && kind == BackendKind::Libaio {
        return Some(
            "sync_file_range is asked, but libaio has only fsync and fdatasync".to_owned(),
        );
    }
    let BackendKind::IoUring(switches) = kind else { return None };
    if switches.iopoll && sync.is_some() {
        return Some("completions are polled for, but a sync has none to poll".to_owned());
    }
    (switches.iopoll && !job.direct)
        .then(|| "completions are polled for, which takes direct I/O".to_owned())
}

/// io_uring, or threads where it cannot be used or would gain nothing.
fn choose_automatically(job: &Job, targets: &[Target]) -> (BackendKind, Vec<String>) {
    if job.mix.trims() {
        return (THREADS_BACKEND, vec!["threads: trims are calls that block".to_owned()]);
    }
    let kernel_threads = || targets.iter().find_map(|target| kernel_thread_reason(job, target));
    match io_uring_refusal().or_else(kernel_threads) {
        None => (RING_BACKEND, Vec::new()),
        Some(reason) => (THREADS_BACKEND, vec![format!("no io_uring: {reason}")]),
    }
}

/// Why io_uring would not work asynchronously here. A device that cannot take a request without
/// blocking gets each from a kernel thread, of which there are at most four per processor: the
/// depth would not be reached, and our own threads are cheaper. Open loops and verification need
/// one thread that has all operations.
fn kernel_thread_reason(job: &Job, target: &Target) -> Option<String> {
    let one_thread = job.is_open_loop() || job.verify.is_some();
    if !job.direct || job.depth.0 > THREAD_DEPTH_MAX || target.nowait || one_thread {
        return None;
    }
    Some("the device takes no request without blocking (RWF_NOWAIT)".to_owned())
}
