//! A nats-server for one launch: on the loopback only, for holders of its credentials only.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use engine::StopSignal;

use super::credentials::Credentials;
use super::error::SshError;
use super::script::{encode_text_file, server_script};
use super::shell::{Shell, ShellEvent, ShellInput};

const START_TIMEOUT: Duration = Duration::from_secs(20);

const GRACE: Duration = Duration::from_secs(10);

const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Often not on an ordinary user's PATH.
const ROOT_TOOL_FOLDERS: [&str; 2] = ["/usr/sbin", "/usr/local/sbin"];

/// A running server; ended on drop, with its folder.
#[derive(Debug)]
pub(super) struct LaunchedServer {
    /// Ends before its folder.
    _shell: Shell,
    folder: PathBuf,
    port: u16,
    user: String,
}

impl LaunchedServer {
    pub(super) fn start(program: &Path, stop: &StopSignal) -> Result<LaunchedServer, SshError> {
        let Credentials { server, user } = Credentials::new()?;
        let mut command = Command::new("sh");
        command.args(["-c", &server_script(program)]);
        // -1 is a free port.
        let settings = format!("host: \"127.0.0.1\"\nport: -1\n{server}");
        let input = ShellInput {
            text: encode_text_file(&settings) + &encode_text_file(&user),
            program: None,
        };
        let fail = |said: String| SshError::Server { program: program.to_owned(), said };
        let mut shell = Shell::start(command, input, GRACE).map_err(|e| fail(e.to_string()))?;
        let folder = loop {
            match shell.next_event(START_TIMEOUT, stop) {
                ShellEvent::Line(folder) => break PathBuf::from(folder),
                ShellEvent::ErrorLine(_) => {}
                ShellEvent::Stopped => return Err(SshError::Stopped),
                ShellEvent::Ended | ShellEvent::TimedOut => return Err(fail(shell.last_errors())),
            }
        };
        let port = wait_for_port(&mut shell, &folder.join("ports"), stop, fail)?;
        Ok(LaunchedServer { _shell: shell, folder, port, user })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn credentials(&self) -> &str {
        &self.user
    }

    /// Exists as long as the server runs.
    pub(super) fn credentials_file(&self) -> PathBuf {
        self.folder.join("fleet.creds")
    }
}

fn wait_for_port(
    shell: &mut Shell,
    ports: &Path,
    stop: &StopSignal,
    fail: impl Fn(String) -> SshError,
) -> Result<u16, SshError> {
    let started = Instant::now();
    loop {
        if let Some(port) = read_port(ports) {
            return Ok(port);
        }
        if stop.is_raised() {
            return Err(SshError::Stopped);
        }
        if shell.exit_status().is_some() || started.elapsed() > START_TIMEOUT {
            return Err(fail(shell.last_errors()));
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

fn read_port(folder: &Path) -> Option<u16> {
    let file = fs::read_dir(folder).ok()?.flatten().next()?;
    let text = input::read_text(&file.path(), input::TEXT_MAX).ok()?;
    // A half-written file is no JSON.
    let ports: serde_json::Value = serde_json::from_str(&text).ok()?;
    let (_, port) = ports.get("nats")?.get(0)?.as_str()?.rsplit_once(':')?;
    port.parse().ok()
}

/// nats-server on the PATH, or in the folders of root's tools.
pub(super) fn find_program() -> Result<PathBuf, SshError> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders = env::split_paths(&path).chain(ROOT_TOOL_FOLDERS.map(PathBuf::from));
    let found = folders.find_map(|folder| {
        let program = folder.join("nats-server");
        program.is_file().then_some(program)
    });
    found.ok_or(SshError::NoServer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_that_of_the_first_url() {
        let folder = tempfile::tempdir().unwrap();
        let check = |text: &str, expected| {
            fs::write(folder.path().join("nats-server_1.ports"), text).unwrap();
            assert_eq!(read_port(folder.path()), expected, "{text}");
        };
        check("{\"nats\":[\"nats://127.0.0.1:41327\"],\"monitoring\":[]}", Some(41327));
        check("{\"nats\":[\"nats://127.0.0.1:41", None);
        check("{\"nats\":[]}", None);
        assert_eq!(read_port(Path::new("/no/such/folder")), None);
    }

    #[test]
    fn a_server_that_is_none_is_refused_with_its_own_words() {
        let error =
            LaunchedServer::start(Path::new("/no/such/nats"), &StopSignal::default()).unwrap_err();
        assert!(error.to_string().contains("/no/such/nats"), "{error}");
    }
}
