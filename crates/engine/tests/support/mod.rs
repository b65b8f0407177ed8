//! What the engine's tests share: a job to start from, and a target on the real disk.
// Helpers of tests; each test uses its part.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use engine::{Clock, Outcome, StopSignal, Target, run_job};
use units::{Bytes, Depth, Nanos, Seed};
use workload::{Access, BackendChoice, Job, Mix, Pacing, Payload, Span, Stop, TargetLimits};

/// Size of the test file.
pub const SIZE: Bytes = Bytes::mib(16);

/// Random reads of 4 KiB over the whole test file for 200 ms.
pub fn job() -> Job {
    Job {
        name: "test".to_owned(),
        access: Access::Random,
        mix: Mix::Read,
        block_size: Bytes::kib(4),
        depth: Depth(8),
        pacing: Pacing::Closed,
        sync: None,
        warm_up: Nanos::ZERO,
        stop: Stop::after(Nanos::millis(200)),
        span: Span { offset: Bytes(0), length: SIZE },
        payload: Payload::Unique,
        direct: true,
        seed: Seed(7),
        backend: BackendChoice::Auto,
        interval: Nanos::millis(20),
        ..Job::base()
    }
}

/// A written file on the real disk, gone with the folder.
pub fn file(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("file");
    let mut file = std::fs::File::create(&path).unwrap();
    file.write_all(&vec![0x5a; SIZE.0 as usize]).unwrap();
    file.sync_all().unwrap();
    path
}

/// Opens `path` for reading and writing, with O_DIRECT.
pub fn target(path: &Path, size: Bytes) -> Target {
    let file =
        OpenOptions::new().read(true).write(true).custom_flags(libc::O_DIRECT).open(path).unwrap();
    target_of(file, size)
}

/// A target of an open file.
pub fn target_of(file: std::fs::File, size: Bytes) -> Target {
    let limits = TargetLimits { size, offset_align: Bytes(512), writable: true };
    Target::new(file, limits, Bytes(4096))
}

/// Opens `path` for reading and writing, through the page cache.
pub fn buffered(path: &Path, size: Bytes) -> Target {
    target_of(OpenOptions::new().read(true).write(true).open(path).unwrap(), size)
}

/// A folder on the real disk.
pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/var/tmp").unwrap()
}

/// Runs a job to its end.
pub fn go(job: &Job, target: &Target) -> Outcome {
    go_over(job, std::slice::from_ref(target))
}

/// Runs a job over several targets to its end.
pub fn go_over(job: &Job, targets: &[Target]) -> Outcome {
    run_job(job, targets, &Clock::best(), &StopSignal::default(), &mut |_| {}).unwrap()
}

/// Why a job is refused.
pub fn refusal(job: &Job, target: &Target) -> String {
    refusal_over(job, std::slice::from_ref(target))
}

/// Why a job over several targets is refused.
pub fn refusal_over(job: &Job, targets: &[Target]) -> String {
    let outcome = run_job(job, targets, &Clock::best(), &StopSignal::default(), &mut |_| {});
    outcome.unwrap_err().to_string()
}
