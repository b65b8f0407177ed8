//! Caps on what a process may do to a device: cgroup v1 `blkio`.
//!
//! The kernel counts in slices of 100 ms: 500 IOPS at depth 1 are 50 fast requests and a pause. A
//! limit holds for what the process itself submits, not for what the kernel writes back later. An
//! `fsync` costs as well: at a cap of 100, pairs of a write and an `fsync` come to 55 per second.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::block::read_stat_by_number;
use crate::control_group::ControlGroup;
use crate::credits::TokenBucketState;
use crate::{MajorMinor, Result, Timeline, TokenBucket};

/// A cap on one kind of request; 0 lifts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
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
    device: MajorMinor,
}

impl Throttle {
    /// A group without limits as yet. Fails when cgroup v1 blkio is not ours to use.
    pub fn new(device: MajorMinor) -> Result<Throttle> {
        Ok(Throttle { group: Arc::new(ControlGroup::create("blkio", "throttle")?), device })
    }

    /// Sets a limit, now, also on requests that already wait; 0 lifts it.
    pub fn set_limit(&self, limit: Limit) -> Result<()> {
        write_limit(&self.group, self.device, limit)
    }

    /// Caps reads per second; 0 lifts the cap.
    pub fn cap_read_iops(&self, n: u64) -> Result<()> {
        self.set_limit(Limit::ReadIops(n))
    }

    /// Puts a running process, with all its threads, into the group.
    pub fn add_process(&self, pid: u32) -> Result<()> {
        self.group.add_process(pid)
    }

    /// The same command, started inside the group. Its standard streams are to be set on the
    /// returned one.
    pub fn wrap_command(&self, command: &Command) -> Command {
        self.group.wrap_command(command)
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
        let device = self.device;
        let served = move || read_stat_by_number(device).map(|stat| stat.read_ios);
        let before = served()?;
        self.start_schedule(move || Ok(served()?.wrapping_sub(before) >= reads), steps)
    }

    /// Caps reads as a burstable volume does, in real time, until the returned value is dropped.
    /// Fails when the kernel refuses a cap, or the device has no counters.
    pub fn start_token_bucket(&self, bucket: TokenBucket) -> Result<Timeline> {
        let (group, device) = (Arc::clone(&self.group), self.device);
        let reads = read_stat_by_number(device)?.read_ios;
        let mut credits = TokenBucketState::new_full(bucket, reads, Instant::now());
        let mut cap = credits.cap();
        write_limit(&group, device, Limit::ReadIops(cap))?;
        let count = move || {
            credits.update(read_stat_by_number(device)?.read_ios, Instant::now());
            if credits.cap() != cap {
                cap = credits.cap();
                write_limit(&group, device, Limit::ReadIops(cap))?;
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
        let (group, device) = (Arc::clone(&self.group), self.device);
        Timeline::start(begins, steps, move |limit| write_limit(&group, device, limit))
    }

    pub fn path(&self) -> &Path {
        self.group.path()
    }
}

fn write_limit(group: &ControlGroup, device: MajorMinor, limit: Limit) -> Result<()> {
    let (file, value) = limit.file_and_value();
    group.write(file, &format!("{device} {value}"))
}
