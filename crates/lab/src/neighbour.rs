//! Another process on the same disk.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::names::new_name;
use crate::scratch::Scratch;
use crate::tools::{command_line, report_failure, wait_until};
use crate::{LabError, Result};

/// How long fio may take until its first read is done.
const START_LIMIT: Duration = Duration::from_secs(5);
/// It ends by itself after this time, should its owner be killed and nobody sweep.
const LIFE_SECONDS: u32 = 600;

/// What a neighbour does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// Reads per second; 0 for no limit.
    pub iops: u64,
    /// Bytes of a read.
    pub block_size: u32,
    /// Reads at a time.
    pub depth: u32,
}

impl Default for Load {
    fn default() -> Load {
        Load { iops: 1000, block_size: 4096, depth: 4 }
    }
}

/// A process of its own (fio) that reads randomly and directly from a device or a file, so that
/// the device's counters rise and this process's `/proc/self/io` does not; killed on drop.
#[derive(Debug)]
pub struct Neighbour {
    child: Child,
    command: String,
    errors: PathBuf,
    /// Holds what fio said on stderr.
    _scratch: Scratch,
}

impl Neighbour {
    /// Reads of 4 KiB at `iops` per second; returns when the first is done.
    /// Fails when fio cannot be started, or cannot read there.
    pub fn new(path: &Path, iops: u64) -> Result<Neighbour> {
        Neighbour::with_load(path, Load { iops, ..Load::default() })
    }

    /// Reads with this load; returns when the first is done.
    /// Fails as [`Neighbour::new`].
    pub fn with_load(path: &Path, load: Load) -> Result<Neighbour> {
        let scratch = Scratch::new()?;
        let errors = scratch.path().join("fio.err");
        let file = File::create(&errors).map_err(|e| LabError::io("create", &errors, e))?;
        let mut command = fio_command(path, load);
        command.current_dir(scratch.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(file);
        let shown = command_line(&command);
        let child = command
            .spawn()
            .map_err(|e| LabError::Tool { command: shown.clone(), said: e.to_string() })?;
        let mut neighbour = Neighbour { child, command: shown, errors, _scratch: scratch };
        // A process is charged for the pages of its program too: only what it reads after opening
        // the target counts.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let mut at_open = None;
        wait_until("be read by fio", path, START_LIMIT, || {
            neighbour.check_running()?;
            if at_open.is_none() && neighbour.has_open(&target) {
                at_open = Some(neighbour.bytes_read());
            }
            Ok(at_open.is_some_and(|then| neighbour.bytes_read() > then))
        })?;
        Ok(neighbour)
    }

    /// Its process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// An error, with fio's own words, when it has ended.
    fn check_running(&mut self) -> Result<()> {
        let ended = self.child.try_wait().map_err(|e| LabError::io("wait for", "fio", e))?;
        let Some(status) = ended else { return Ok(()) };
        let said = fs::read_to_string(&self.errors).unwrap_or_default();
        let said = format!("{status}: {}", said.trim());
        Err(LabError::Tool { command: self.command.clone(), said })
    }

    /// Whether it has opened the target; no, of a process that is just ending.
    fn has_open(&self, target: &Path) -> bool {
        let files = fs::read_dir(format!("/proc/{}/fd", self.pid()));
        let mut files = files.into_iter().flatten().flatten();
        files.any(|fd| fs::read_link(fd.path()).is_ok_and(|link| link == target))
    }

    /// What it was charged for reading; nothing, of a process that is just ending.
    fn bytes_read(&self) -> u64 {
        let io = fs::read_to_string(format!("/proc/{}/io", self.pid())).unwrap_or_default();
        let read = io.lines().find_map(|line| line.strip_prefix("read_bytes: "));
        read.and_then(|bytes| bytes.parse().ok()).unwrap_or(0)
    }
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        // It may have ended already; then there is only its status to collect.
        let _ = self.child.kill();
        report_failure(self.child.wait().map(drop).map_err(|e| LabError::io("wait for", "fio", e)));
    }
}

fn fio_command(path: &Path, load: Load) -> Command {
    let mut command = Command::new("fio");
    // The name by which a sweep knows it.
    command.arg0(new_name("neighbour"));
    // One process, without children that would outlive a kill; and no invalidation of the page
    // cache, which is the measured process's business.
    command.args(["--name=neighbour", "--thread", "--invalidate=0", "--readonly", "--norandommap"]);
    command.args(["--rw=randread", "--direct=1", "--ioengine=libaio", "--time_based"]);
    command.arg(format!("--runtime={LIFE_SECONDS}"));
    command.arg(format!("--bs={}", load.block_size));
    command.arg(format!("--iodepth={}", load.depth));
    if load.iops > 0 {
        command.arg(format!("--rate_iops={}", load.iops));
    }
    // fio takes a colon for a separator of file names.
    let name = path.to_string_lossy().replace(':', "\\:");
    command.arg(format!("--filename={name}"));
    command
}
