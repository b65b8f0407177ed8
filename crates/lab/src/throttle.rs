//! Caps on what a process may do to a device: cgroup v1 `blkio`.
//!
//! The kernel counts in slices of 100 ms: 500 IOPS at depth 1 are 50 fast requests and a pause. A
//! limit holds for what the process itself submits, not for what the kernel writes back later. An
//! `fsync` costs as well: at a cap of 100, pairs of a write and an `fsync` come to 55 per second.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::block::read_stat_by_number;
use crate::credits::TokenBucketState;
use crate::names::new_name;
use crate::sweep::sweep_once;
use crate::tools::{copy_context, report_failure, retry, write_text};
use crate::undo::{REMOVE_LIMIT, find_blkio_root, read_members, remove_group};
use crate::{LabError, MajorMinor, Result, Timeline, TokenBucket};

/// A cap on one kind of request; 0 lifts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Reads per second.
    ReadIops(u64),
    WriteIops(u64),
    ReadBytesPerSecond(u64),
    WriteBytesPerSecond(u64),
}

impl Limit {
    fn file_and_value(self) -> (&'static str, u64) {
        match self {
            Limit::ReadIops(n) => ("blkio.throttle.read_iops_device", n),
            Limit::WriteIops(n) => ("blkio.throttle.write_iops_device", n),
            Limit::ReadBytesPerSecond(n) => ("blkio.throttle.read_bps_device", n),
            Limit::WriteBytesPerSecond(n) => ("blkio.throttle.write_bps_device", n),
        }
    }
}

/// A control group that caps what its processes do to one device; removed on drop. Its processes
/// then go back to the group above, uncapped.
#[derive(Debug)]
pub struct Throttle {
    group: Arc<ControlGroup>,
}

impl Throttle {
    /// A group without limits as yet. Fails when cgroup v1 blkio is not ours to use.
    pub fn new(device: MajorMinor) -> Result<Throttle> {
        sweep_once();
        let root = find_blkio_root()?;
        let path = root.join(new_name("throttle"));
        fs::create_dir(&path).map_err(|e| LabError::io("create the group", &path, e))?;
        Ok(Throttle { group: Arc::new(ControlGroup { root, path, device }) })
    }

    /// Sets a limit, now, also on requests that already wait; 0 lifts it.
    pub fn set_limit(&self, limit: Limit) -> Result<()> {
        self.group.set(limit)
    }

    /// Caps reads per second; 0 lifts the cap.
    pub fn cap_read_iops(&self, n: u64) -> Result<()> {
        self.set_limit(Limit::ReadIops(n))
    }

    /// Puts a running process, with all its threads, into the group.
    pub fn add_process(&self, pid: u32) -> Result<()> {
        write_text(self.group.path.join("cgroup.procs"), &pid.to_string())
    }

    /// The same command, started inside the group. Its standard streams are to be set on the
    /// returned one.
    pub fn wrap_command(&self, command: &Command) -> Command {
        let mut inside = Command::new("sh");
        // If joining fails, the program must not start at all.
        inside.args(["-c", "echo $$ > \"$0\" && exec \"$@\""]);
        inside.arg(self.group.path.join("cgroup.procs"));
        inside.arg(command.get_program()).args(command.get_args());
        copy_context(command, &mut inside);
        inside
    }

    /// Changes limits at given times, counted from now. Fails when they are not in order.
    pub fn schedule_limits(&self, steps: Vec<(Duration, Limit)>) -> Result<Timeline> {
        self.start_schedule(|| Ok(true), steps)
    }

    /// As [`Throttle::schedule_limits`], with times counted from when the device has served `reads`
    /// reads more than now. Fails also when the device has no counters.
    pub fn schedule_after_reads(
        &self,
        reads: u64,
        steps: Vec<(Duration, Limit)>,
    ) -> Result<Timeline> {
        let device = self.group.device;
        let served = move || read_stat_by_number(device).map(|stat| stat.read_ios);
        let before = served()?;
        self.start_schedule(move || Ok(served()?.wrapping_sub(before) >= reads), steps)
    }

    /// Caps reads as a burstable volume does, in real time, until the returned value is dropped.
    /// Fails when the kernel refuses a cap, or the device has no counters.
    pub fn start_token_bucket(&self, bucket: TokenBucket) -> Result<Timeline> {
        let group = Arc::clone(&self.group);
        let reads = read_stat_by_number(group.device)?.read_ios;
        let mut credits = TokenBucketState::new_full(bucket, reads, Instant::now());
        let mut cap = credits.cap();
        group.set(Limit::ReadIops(cap))?;
        let count = move || {
            credits.update(read_stat_by_number(group.device)?.read_ios, Instant::now());
            if credits.cap() != cap {
                cap = credits.cap();
                group.set(Limit::ReadIops(cap))?;
            }
            // It never begins anything: it is asked for ever, and that is its work.
            Ok(false)
        };
        Timeline::start(count, Vec::<(Duration, ())>::new(), |()| Ok(()))
    }

    fn start_schedule(
        &self,
        begins: impl FnMut() -> Result<bool> + Send + 'static,
        steps: Vec<(Duration, Limit)>,
    ) -> Result<Timeline> {
        let group = Arc::clone(&self.group);
        Timeline::start(begins, steps, move |limit| group.set(limit))
    }

    pub fn path(&self) -> &Path {
        &self.group.path
    }
}

#[derive(Debug)]
struct ControlGroup {
    root: PathBuf,
    path: PathBuf,
    device: MajorMinor,
}

impl ControlGroup {
    fn set(&self, limit: Limit) -> Result<()> {
        let (file, value) = limit.file_and_value();
        write_text(self.path.join(file), &format!("{} {value}", self.device))
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        let outcome = retry(REMOVE_LIMIT, || {
            for pid in read_members(&self.path)? {
                // A process that has just ended cannot be moved, and need not be.
                let _ = write_text(self.root.join("cgroup.procs"), &pid.to_string());
            }
            remove_group(&self.path)
        });
        report_failure(outcome);
    }
}
