//! What the engine's tests share: a job to start from, and a target on the real disk.
// Helpers of tests; each test uses its part.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use engine::Target;
use units::{Bytes, Depth, Nanos, Seed};
use workload::{Access, BackendChoice, Job, Limits, Mix, Pacing, Payload, Span, Stop};

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
    let limits = Limits { size, offset_align: Bytes(512), writable: true };
    Target::new(file, limits, Bytes(4096))
}
