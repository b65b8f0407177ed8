//! Running the system's tools, waiting, and small files of sysfs.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::{LabError, Result};

/// How often a condition is looked at: short against all that we wait for, long against its cost.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

pub(crate) fn run_tool<I, S>(program: &str, arguments: I) -> Result<String>
where
    I: IntoIterator<Item = S>,
    S: AsRef<OsStr>,
{
    let mut command = Command::new(program);
    command.args(arguments).env("LC_ALL", "C").stdin(Stdio::null());
    let written = command_line(&command);
    let output = command
        .output()
        .map_err(|e| LabError::Tool { command: written.clone(), said: e.to_string() })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    let said = if said.is_empty() { output.status.to_string() } else { said };
    Err(LabError::Tool { command: written, said })
}

pub(crate) fn command_line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}

/// Gives another command the folder and the environment of this one.
pub(crate) fn copy_context(command: &Command, other: &mut Command) {
    if let Some(folder) = command.get_current_dir() {
        other.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => other.env(name, value),
            None => other.env_remove(name),
        };
    }
}

/// Reads a small file without its last newline.
pub(crate) fn read_text(path: impl AsRef<Path>) -> Result<String> {
    let text = fs::read_to_string(&path).map_err(|e| LabError::io("read", &path, e))?;
    Ok(text.trim_end().to_owned())
}

/// Writes to a file of sysfs or of a control group, which exists already.
pub(crate) fn write_text(path: impl AsRef<Path>, text: &str) -> Result<()> {
    let mut file = fs::OpenOptions::new()
        .write(true)
        .open(&path)
        .map_err(|e| LabError::io("open for writing", &path, e))?;
    file.write_all(text.as_bytes()).map_err(|e| LabError::io("write to", &path, e))
}

pub(crate) fn wait_until(
    event: &'static str,
    path: &Path,
    limit: Duration,
    mut holds: impl FnMut() -> Result<bool>,
) -> Result<()> {
    let started = Instant::now();
    while !holds()? {
        if started.elapsed() > limit {
            return Err(LabError::Timeout { event, path: path.to_owned(), waited: limit });
        }
        thread::sleep(POLL_INTERVAL);
    }
    Ok(())
}

/// Tries again while the system says no: a device stays busy for a moment after its last user.
pub(crate) fn retry(limit: Duration, mut attempt: impl FnMut() -> Result<()>) -> Result<()> {
    let started = Instant::now();
    loop {
        match attempt() {
            Err(_) if started.elapsed() < limit => thread::sleep(POLL_INTERVAL),
            outcome => return outcome,
        }
    }
}

/// Says on stderr that an undo failed: a `Drop` has no other way to tell.
pub(crate) fn report_failure(outcome: Result<()>) {
    if let Err(error) = outcome {
        write_stderr_line(&format!("lab: {error}"));
    }
}

/// Where temporary folders are made, and whose lock a sweep takes.
pub(crate) fn base_folder() -> PathBuf {
    env::var_os("TRUEDISK_LAB_DIR").map_or_else(|| PathBuf::from("/var/tmp"), PathBuf::from)
}

/// Writes a line to stderr, past the test harness's capture; a closed stderr is no error.
pub(crate) fn write_stderr_line(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}
