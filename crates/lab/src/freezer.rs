//! Stopping and continuing a process: a client that is not there when it should submit.

use std::ops::Range;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use crate::tools::report_failure;
use crate::{LabError, Result, Timeline};

/// Stops another process (SIGSTOP) during given spans of time; lets it go on when dropped.
#[derive(Debug)]
pub struct Freezer {
    timeline: Option<Timeline>,
    process: Arc<FrozenProcess>,
}

impl Freezer {
    /// Stops `pid` during every span, counted from now; the spans are in order and apart.
    /// Fails when there is no such process, or when it is this one.
    pub fn new(pid: u32, spans: &[Range<Duration>]) -> Result<Freezer> {
        let shown = PathBuf::from(format!("process {pid}"));
        if pid == std::process::id() {
            return Err(LabError::unusable(shown, "is this one: it could not wake itself"));
        }
        // A pidfd, not a pid: the number may soon belong to another process.
        let process = i32::try_from(pid)
            .ok()
            .and_then(Pid::from_raw)
            .ok_or_else(|| LabError::unusable(&shown, "cannot exist"))?;
        let fd = pidfd_open(process, PidfdFlags::empty())
            .map_err(|e| LabError::io("find", &shown, e))?;
        let frozen = Arc::new(FrozenProcess { fd, shown });
        let steps = spans
            .iter()
            .flat_map(|span| [(span.start, Signal::STOP), (span.end, Signal::CONT)])
            .collect();
        let target = Arc::clone(&frozen);
        let timeline =
            Timeline::start(|| Ok(true), steps, move |signal| target.send_signal(signal))?;
        Ok(Freezer { timeline: Some(timeline), process: frozen })
    }

    /// Waits for the end of the last span.
    /// Fails when the process ended before.
    pub fn finish(mut self) -> Result<()> {
        self.timeline.take().map_or(Ok(()), Timeline::finish)
    }
}

impl Drop for Freezer {
    fn drop(&mut self) {
        // First no more stops, then go on.
        drop(self.timeline.take());
        match self.process.send_signal(Signal::CONT) {
            // It has ended: there is nothing to wake.
            Err(LabError::Io { source, .. })
                if source.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error()) => {}
            outcome => report_failure(outcome),
        }
    }
}

#[derive(Debug)]
struct FrozenProcess {
    fd: OwnedFd,
    shown: PathBuf,
}

impl FrozenProcess {
    fn send_signal(&self, signal: Signal) -> Result<()> {
        pidfd_send_signal(&self.fd, signal).map_err(|e| LabError::io("signal", &self.shown, e))
    }
}
