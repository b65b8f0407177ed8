//! Another process on the same disk.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::names::new_name;
use crate::services::daemon::Daemon;
use crate::{Result, Scratch};

const START_LIMIT: Duration = Duration::from_secs(5);
/// It ends by itself after this time, should its owner be killed and nobody sweep.
const LIFE_SECONDS: u64 = 600;

/// A process of its own (fio) that reads randomly and directly; killed on drop.
#[derive(Debug)]
pub struct Neighbour {
    daemon: Daemon,
    /// Holds what fio said.
    _scratch: Scratch,
}

impl Neighbour {
    /// Reads of 4 KiB at `iops` per second, or without a limit if that is 0; returns when the
    /// first is done. Fails when fio cannot be started, or cannot read there.
    pub fn new(path: &Path, iops: u64) -> Result<Neighbour> {
        let mut command = fio_command(path, Duration::from_secs(LIFE_SECONDS));
        if iops > 0 {
            command.arg(format!("--rate_iops={iops}"));
        }
        let Neighbour { mut daemon, _scratch } = Self::start(command)?;
        // Of what a process is charged for, its program's pages come before it opens the target.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let pid = daemon.pid();
        let mut at_open = None;
        daemon.wait_until("show fio's first read", START_LIMIT, || {
            if at_open.is_none() && has_open(pid, &target) {
                at_open = Some(bytes_read(pid));
            }
            Ok(at_open.is_some_and(|then| bytes_read(pid) > then))
        })?;
        Ok(Neighbour { daemon, _scratch })
    }

    /// The same without a limit, from a time on, for as long. Fails when fio cannot be started.
    pub fn passing(path: &Path, after: Duration, lasts: Duration) -> Result<Neighbour> {
        let mut command = fio_command(path, lasts);
        command.arg(format!("--startdelay={}", after.as_secs()));
        Self::start(command)
    }

    fn start(mut command: Command) -> Result<Neighbour> {
        let scratch = Scratch::new()?;
        command.current_dir(scratch.path());
        let daemon = Daemon::start(command, &scratch.path().join("fio.log"))?;
        Ok(Neighbour { daemon, _scratch: scratch })
    }

    pub fn pid(&self) -> u32 {
        self.daemon.pid()
    }
}

/// Whether a process has opened the target; no, of one that is just ending.
fn has_open(pid: u32, target: &Path) -> bool {
    let mut files = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    files.any(|fd| fs::read_link(fd.path()).is_ok_and(|link| link == target))
}

/// What a process was charged for reading; nothing, of one that is just ending.
fn bytes_read(pid: u32) -> u64 {
    let io = fs::read_to_string(format!("/proc/{pid}/io")).unwrap_or_default();
    let read = io.lines().find_map(|line| line.strip_prefix("read_bytes: "));
    read.and_then(|bytes| bytes.parse().ok()).unwrap_or(0)
}

fn fio_command(path: &Path, lasts: Duration) -> Command {
    let mut command = Command::new("fio");
    // The name by which a sweep knows it.
    command.arg0(new_name("neighbour"));
    // One process, without children that would outlive a kill.
    command.args(["--name=neighbour", "--thread", "--invalidate=0", "--readonly", "--norandommap"]);
    command.args(["--rw=randread", "--direct=1", "--ioengine=libaio", "--time_based"]);
    command.args(["--bs=4096", "--iodepth=4"]).arg(format!("--runtime={}", lasts.as_secs()));
    // fio takes a colon for a separator of file names.
    let name = path.to_string_lossy().replace(':', "\\:");
    command.arg(format!("--filename={name}"));
    command
}
