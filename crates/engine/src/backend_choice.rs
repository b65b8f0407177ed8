//! Which kernel interface a job runs through.

use workload::{BackendChoice, Job, MmapSwitches, NameCall, SyncKind, UringSwitches};

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
    Mmap(MmapSwitches),
    Splice,
    Names(NameCall),
    /// Whether each block is answered.
    Socket(bool),
    /// Its nanoseconds, and whether they are spent on sorting.
    Busy(u64, bool),
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
            Self::Mmap(_) => "mmap",
            Self::Splice => "splice",
            Self::Names(_) => "names",
            Self::Socket(_) => "socket",
            Self::Busy(..) => "busy",
            Self::Null => "null",
            Self::Simulated => "simulated",
            Self::Nop => "nop",
        }
    }

    /// Whether an operation blocks its thread: then depth takes threads.
    pub(crate) const fn is_synchronous(self) -> bool {
        matches!(
            self,
            Self::Blocking(..)
                | Self::Mmap(_)
                | Self::Splice
                | Self::Names(_)
                | Self::Socket(_)
                | Self::Busy(..)
        )
    }

    /// Threads of a job: at most one per outstanding operation, and one on a virtual clock.
    pub(crate) fn worker_count(self, job: &Job) -> u64 {
        match self {
            _ if self.is_synchronous() => u64::from(job.depth.0),
            Self::Simulated => 1,
            _ => u64::from(job.workers.clamp(1, job.depth.0.max(1))),
        }
    }
}

/// One thread per outstanding operation, each with preadv2 and pwritev2.
const THREADS_BACKEND: BackendKind = BackendKind::Blocking(SyscallFamily::Pvsync2(0), "threads");

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
    let mut note = None;
    let kind = match job.backend {
        BackendChoice::Null => BackendKind::Null,
        BackendChoice::Auto if nothing => BackendKind::Null,
        BackendChoice::Busy { time, sorts } if nothing => BackendKind::Busy(time.0, sorts),
        BackendChoice::Auto | BackendChoice::Simulated if simulated => BackendKind::Simulated,
        BackendChoice::Simulated => {
            let conflict = "the simulated backend needs one simulated device as its target";
            return Err(unsuited(conflict.to_owned()));
        }
        BackendChoice::Names(call) if targets.iter().all(|t| t.named_entry().is_some()) => {
            BackendKind::Names(call)
        }
        BackendChoice::Socket { answers } if targets.iter().all(|t| t.socket_end().is_some()) => {
            BackendKind::Socket(answers)
        }
        asked if without_file => {
            return Err(unsuited(format!(
                "{asked:?} is asked, but the target is no file and no device of the system"
            )));
        }
        BackendChoice::Auto => {
            note = threads_reason(job, targets);
            match note {
                None => BackendKind::IoUring(UringSwitches::default()),
                Some(_) => THREADS_BACKEND,
            }
        }
        BackendChoice::IoUring => require_ring(UringSwitches::default())?,
        BackendChoice::IoUringWith(switches) => require_ring(switches)?,
        BackendChoice::Libaio => BackendKind::Libaio,
        BackendChoice::Sync => BackendKind::Blocking(SyscallFamily::Sync, "sync"),
        BackendChoice::Psync => BackendKind::Blocking(SyscallFamily::Psync, "psync"),
        BackendChoice::Pvsync => BackendKind::Blocking(SyscallFamily::Pvsync, "pvsync"),
        BackendChoice::Pvsync2 { hipri, nowait } => {
            let flags = i32::from(hipri) * libc::RWF_HIPRI + i32::from(nowait) * libc::RWF_NOWAIT;
            BackendKind::Blocking(SyscallFamily::Pvsync2(flags), "pvsync2")
        }
        BackendChoice::Falloc => BackendKind::Blocking(SyscallFamily::Falloc, "falloc"),
        BackendChoice::Ftruncate => BackendKind::Blocking(SyscallFamily::Ftruncate, "ftruncate"),
        BackendChoice::Threads => THREADS_BACKEND,
        BackendChoice::Mmap => BackendKind::Mmap(MmapSwitches::default()),
        BackendChoice::MmapWith(switches) => BackendKind::Mmap(switches),
        BackendChoice::Splice => BackendKind::Splice,
        BackendChoice::Names(_) | BackendChoice::Busy { .. } | BackendChoice::Socket { .. } => {
            return Err(unsuited("no file or device is a target of it".to_owned()));
        }
    };
    match find_conflict(job, kind) {
        None => Ok((kind, note.into_iter().collect())),
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
    use SyscallFamily::Pvsync2;
    let takes_no_flags =
        matches!(kind, BackendKind::Mmap(_) | BackendKind::Splice | BackendKind::Names(_))
            || matches!(kind, BackendKind::Socket(_))
            || matches!(kind, BackendKind::Blocking(calls, _) if !matches!(calls, Pvsync2(_)));
    if job.durable.is_some() && takes_no_flags {
        return Some(format!("durable writes take a flag that {} has not", kind.name()));
    }
    let sync = job.sync.map(|sync| sync.kind);
    if sync.is_some() && matches!(kind, BackendKind::Names(_) | BackendKind::Socket(_)) {
        return Some(format!("a sync is asked, but {} keeps no file open", kind.name()));
    }
    if sync == Some(SyncKind::FileRange) && kind == BackendKind::Libaio {
        let conflict = "sync_file_range is asked, but libaio has only fsync and fdatasync";
        return Some(conflict.to_owned());
    }
    let takes_priorities = matches!(kind, BackendKind::IoUring(_) | BackendKind::Libaio);
    if !job.priorities.is_empty() && !takes_priorities {
        return Some(format!("{} sends no priority with an operation", kind.name()));
    }
    let BackendKind::IoUring(switches) = kind else { return None };
    if switches.iopoll && sync.is_some() {
        return Some("completions are polled for, but a sync has none to poll".to_owned());
    }
    (switches.iopoll && !job.direct)
        .then(|| "completions are polled for, which takes direct I/O".to_owned())
}

/// Why threads serve `job` better than io_uring; `None` when they do not.
fn threads_reason(job: &Job, targets: &[Target]) -> Option<String> {
    if job.mix.trims() {
        return Some("threads: trims are calls that block".to_owned());
    }
    let kernel_threads = || targets.iter().find_map(|target| kernel_thread_reason(job, target));
    let reason = io_uring_refusal().or_else(kernel_threads)?;
    Some(format!("no io_uring: {reason}"))
}

/// Why io_uring would not work asynchronously here. A device that blocks gets each request from a
/// kernel thread, at most four per processor: our own threads reach the depth, and are cheaper.
/// Open loops and verification need one thread that has all operations.
fn kernel_thread_reason(job: &Job, target: &Target) -> Option<String> {
    let one_thread = job.is_open_loop() || job.verify.is_some();
    if !job.direct || job.depth.0 > THREAD_DEPTH_MAX || target.nowait || one_thread {
        return None;
    }
    Some("the device takes no request without blocking (RWF_NOWAIT)".to_owned())
}
