//! A server's process: started, watched, ended.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::names::new_name;
use crate::tools::{command_line, report_failure, wait_until};
use crate::{Host, LabError, Result};

/// How long a server may take to end when asked to.
const STOP_LIMIT: Duration = Duration::from_secs(10);

/// How much of a server's last words an error repeats, in bytes.
const LOG_TAIL_BYTES: usize = 2000;

#[derive(Debug)]
pub(crate) struct Daemon {
    child: Child,
    command: String,
    log: PathBuf,
}

/// A program that is to run on a host, or on the machine itself, by a name that a sweep knows.
pub(crate) fn server_command(name: &str, on: Option<&Host>) -> Command {
    if let Some(host) = on {
        return host.command(name);
    }
    let mut command = Command::new(name);
    command.arg0(new_name("server"));
    command
}

impl Daemon {
    /// Starts it; what it says goes to the end of the file `log`.
    pub(crate) fn start(mut command: Command, log: &Path) -> Result<Daemon> {
        let open = || File::options().create(true).append(true).open(log);
        let file = open().map_err(|e| LabError::io("open for writing", log, e))?;
        let copy = file.try_clone().map_err(|e| LabError::io("open twice", log, e))?;
        command.stdin(Stdio::null()).stdout(file).stderr(copy);
        let shown = command_line(&command);
        let child = command
            .spawn()
            .map_err(|e| LabError::Tool { command: shown.clone(), said: e.to_string() })?;
        Ok(Daemon { child, command: shown, log: log.to_owned() })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits until the server is ready; an error with its own words when it ends before.
    pub(crate) fn wait_until(
        &mut self,
        event: &'static str,
        limit: Duration,
        mut holds: impl FnMut() -> Result<bool>,
    ) -> Result<()> {
        let log = self.log.clone();
        wait_until(event, &log, limit, || {
            self.check_running()?;
            holds()
        })
    }

    fn check_running(&mut self) -> Result<()> {
        let ended = self.child.try_wait().map_err(|e| LabError::io("wait for", "it", e))?;
        let Some(status) = ended else { return Ok(()) };
        let said = format!("{status}: {}", read_log_tail(&self.log));
        Err(LabError::Tool { command: self.command.clone(), said })
    }

    pub(crate) fn stop(mut self) -> Result<()> {
        // Until it is waited for, the number belongs to it.
        if let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            kill_process(pid, Signal::TERM).map_err(|e| LabError::io("end", &self.log, e))?;
        }
        let log = self.log.clone();
        wait_until("end", &log, STOP_LIMIT, || {
            let ended = self.child.try_wait().map_err(|e| LabError::io("wait for", &log, e))?;
            Ok(ended.is_some())
        })
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // It may have ended already; then there is only its status to collect.
        let _ = self.child.kill();
        report_failure(
            self.child.wait().map(drop).map_err(|e| LabError::io("wait for", &self.log, e)),
        );
    }
}

fn read_log_tail(log: &Path) -> String {
    let said = fs::read(log).unwrap_or_default();
    let end = said.len().saturating_sub(LOG_TAIL_BYTES);
    String::from_utf8_lossy(&said[end..]).trim().to_owned()
}
