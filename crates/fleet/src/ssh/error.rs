//! Errors of a launch.

use std::io;
use std::path::PathBuf;

/// Printed by the script if the program does not run on the host.
pub(super) const CANNOT_RUN: &str = "the program that was sent cannot run there";

/// ssh's message if the port on the host is taken or forbidden.
pub(super) const TUNNEL_REFUSED: &str = "remote port forwarding failed";

/// Why agents could not be launched.
#[derive(Debug, thiserror::Error)]
pub enum SshError {
    #[error("host '{text}' {why}")]
    Destination { text: String, why: &'static str },
    #[error("hosts '{one}' and '{two}' would both be the agent '{name}'")]
    DuplicateName { one: String, two: String, name: String },
    #[error("cannot read the program {} to send it: {source}", path.display())]
    Program { path: PathBuf, source: io::Error },
    #[error("no nats-server on this host's PATH")]
    NoServer,
    #[error("{} did not start: {said}", program.display())]
    Server { program: PathBuf, said: String },
    #[error("cannot make credentials: {0}")]
    Key(nkeys::error::Error),
    #[error("{}", hosts.iter().map(LaunchFailure::to_string).collect::<Vec<_>>().join("\n"))]
    Hosts { hosts: Vec<LaunchFailure> },
    #[error("stopped while agents were launched")]
    Stopped,
}

impl SshError {
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            SshError::Destination { .. } => "write hosts as for ssh, with commas between them",
            SshError::DuplicateName { .. } => "name each host once",
            SshError::NoServer => {
                "install nats-server (Debian: `apt install nats-server`), give its path with \
                 --nats-server, or use a server of yours with --nats"
            }
            SshError::Server { .. } => "give another with --nats-server, or a server with --nats",
            SshError::Hosts { hosts } => return hosts.iter().find_map(LaunchFailure::hint),
            SshError::Program { .. } | SshError::Key(_) | SshError::Stopped => return None,
        };
        Some(hint.to_owned())
    }
}

/// A host whose agent could not be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchFailure {
    pub host: String,
    pub said: String,
}

impl std::fmt::Display for LaunchFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot start an agent on {}: {}", self.host, self.said)
    }
}

impl LaunchFailure {
    fn hint(&self) -> Option<String> {
        let has = |text| self.said.contains(text);
        let host = &self.host;
        if has(CANNOT_RUN) {
            return Some(format!(
                "a static program runs on any Linux of the same processor: {STATIC_BUILD}; or the \
                 folder for temporary files on {host} forbids programs (noexec)"
            ));
        }
        if has(TUNNEL_REFUSED) {
            return Some(format!(
                "allow forwarding in sshd on {host} (AllowTcpForwarding), or use a server that \
                 it reaches by itself, with --nats"
            ));
        }
        let refused = has("Permission denied") || has("Host key verification failed");
        refused.then(|| format!("`ssh -o BatchMode=yes {host} true` must work without questions"))
    }
}

pub(super) const STATIC_BUILD: &str = "`cargo build --release --target x86_64-unknown-linux-musl`";
