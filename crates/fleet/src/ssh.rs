//! Agents for one run, started over the system's ssh, and a nats-server for them.
//!
//! Each host is one ssh connection. It carries the program, the credentials, and the tunnel to our
//! nats-server, which listens on the loopback only. It does not ask for passwords or install
//! anything.
//!
//! Invariants
//! - Secrets are in no command line and no environment.
//! - Our end, by SIGKILL too, ends the agents, the server, and their folders.
//!
//! Start reading at [`launch`].

mod credentials;
mod error;
mod nats_server;
mod program;
mod script;
mod shell;

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, RandomState};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use engine::StopSignal;

pub use error::{LaunchFailure, SshError};
use error::{STATIC_BUILD, TUNNEL_REFUSED};
use nats_server::LaunchedServer;
use program::Program;
use script::{AgentFiles, ServerRoute};
pub use script::{AgentRules, Destination};
use shell::{Shell, ShellEvent, ShellInput};

/// A program of 50 MB comes at a megabyte a second.
const READY_TIMEOUT: Duration = Duration::from_secs(60);

/// An agent saves its run within 20 s; the shell there waits a little longer.
const GRACE: Duration = Duration::from_secs(30);

const TUNNEL_ATTEMPTS: u32 = 5;

/// Below the ephemeral ports of Linux (32768 and up), above the ports of services.
const TUNNEL_PORTS: std::ops::Range<u64> = 20_000..32_000;

/// The server at which coordinator and agents meet.
#[derive(Debug, Clone)]
pub enum ServerChoice {
    /// Our own, with this nats-server or the installed one.
    Own(Option<PathBuf>),
    /// One that every host reaches by itself.
    Existing {
        url: String,
        /// The text of a credentials file.
        creds: Option<String>,
        /// The text of the authority's certificate.
        tls_ca: Option<String>,
        insecure: bool,
    },
}

/// Hosts, rules and server of a launch.
#[derive(Debug, Clone)]
pub struct LaunchRequest {
    pub hosts: Vec<Destination>,
    pub rules: AgentRules,
    pub meeting: ServerChoice,
}

/// Running agents; on drop they end and their files are removed.
#[derive(Debug)]
pub struct LaunchedAgents {
    /// Dropped before the server.
    agents: Agents,
    server: Option<LaunchedServer>,
}

/// Starts an agent on each host, all at once. On an error, which names every host that failed,
/// nothing is left running.
pub fn launch(
    request: &LaunchRequest,
    stop: &StopSignal,
    tell: &mut dyn FnMut(&str),
) -> Result<LaunchedAgents, SshError> {
    let names = agent_names(&request.hosts)?;
    let program = Program::current()?;
    if !program.is_static {
        tell(&format!(
            "note: this truedisk is linked dynamically: it runs only on hosts with the same or a \
             newer C library\nhint: build a static one with {STATIC_BUILD}"
        ));
    }
    let (server, agent_files) = start_server(&request.meeting, stop)?;
    let port = server.as_ref().map(|server| server.port);
    let mut agents = Agents { shells: BTreeMap::new() };
    let context = LaunchContext { request, program: &program, agent_files: &agent_files, port };
    for (name, host) in &names {
        agents.shells.insert(name.clone(), context.start_agent(name, host)?);
    }
    context.wait_until_ready(&mut agents, &names, stop)?;
    Ok(LaunchedAgents { agents, server })
}

impl LaunchedAgents {
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.agents.shells.keys().map(String::as_str)
    }

    /// URL of our own server.
    pub fn url(&self) -> Option<String> {
        self.server.as_ref().map(|server| format!("nats://127.0.0.1:{}", server.port))
    }

    /// Credentials file for our own server.
    pub fn creds(&self) -> Option<PathBuf> {
        self.server.as_ref().map(LaunchedServer::credentials_file)
    }

    /// Agents that have ended, with their last messages.
    pub fn ended_agents(&mut self) -> Vec<LaunchFailure> {
        let ended = self.agents.shells.iter_mut().filter_map(|(name, shell)| {
            shell.exit_status()?;
            Some(LaunchFailure { host: name.clone(), said: shell.last_errors() })
        });
        ended.collect()
    }
}

#[derive(Debug)]
struct Agents {
    shells: BTreeMap<String, Shell>,
}

impl Drop for Agents {
    fn drop(&mut self) {
        self.shells.values_mut().for_each(Shell::release);
    }
}

fn agent_names(hosts: &[Destination]) -> Result<BTreeMap<String, Destination>, SshError> {
    let mut names: BTreeMap<String, Destination> = BTreeMap::new();
    for host in hosts {
        let name = host.agent_name();
        if let Some(one) = names.insert(name.clone(), host.clone()) {
            return Err(SshError::DuplicateName {
                one: one.to_string(),
                two: host.to_string(),
                name,
            });
        }
    }
    Ok(names)
}

fn start_server(
    meeting: &ServerChoice,
    stop: &StopSignal,
) -> Result<(Option<LaunchedServer>, AgentFiles), SshError> {
    match meeting {
        ServerChoice::Own(program) => {
            let program = program.clone().map_or_else(nats_server::find_program, Ok)?;
            let server = LaunchedServer::start(&program, stop)?;
            let agent_files =
                AgentFiles { creds: Some(server.user.clone()), ..AgentFiles::default() };
            Ok((Some(server), agent_files))
        }
        ServerChoice::Existing { url, creds, tls_ca, .. } => {
            let url = Some(url.clone());
            Ok((None, AgentFiles { url, creds: creds.clone(), tls_ca: tls_ca.clone() }))
        }
    }
}

struct LaunchContext<'a> {
    request: &'a LaunchRequest,
    program: &'a Program,
    agent_files: &'a AgentFiles,
    port: Option<u16>,
}

impl LaunchContext<'_> {
    fn start_agent(&self, name: &str, host: &Destination) -> Result<Shell, SshError> {
        let way = self.server_route();
        let words = script::agent_arguments(name, &way, &self.request.rules);
        let script =
            script::agent_script(&program::machine(), self.program.bytes, self.agent_files, &words);
        let mut command = Command::new("ssh");
        command.args(script::ssh_arguments(host, &way)).arg(script::remote_command(&script));
        let program = self.program.open().map_err(|source| SshError::Program {
            path: Path::new("/proc/self/exe").to_owned(),
            source,
        })?;
        let input = ShellInput { text: self.agent_files.encode(), program: Some(program) };
        Shell::start(command, input, GRACE).map_err(|error| SshError::Hosts {
            hosts: vec![LaunchFailure { host: host.to_string(), said: format!("ssh: {error}") }],
        })
    }

    fn server_route(&self) -> ServerRoute {
        match (&self.request.meeting, self.port) {
            (ServerChoice::Existing { insecure, .. }, _) => {
                ServerRoute::Direct { insecure: *insecure }
            }
            (ServerChoice::Own(_), local) => {
                ServerRoute::Tunnel { remote: random_port(), local: local.unwrap_or_default() }
            }
        }
    }

    /// Waits until every agent runs. A refused tunnel is tried at another port.
    fn wait_until_ready(
        &self,
        agents: &mut Agents,
        names: &BTreeMap<String, Destination>,
        stop: &StopSignal,
    ) -> Result<(), SshError> {
        let mut failed = Vec::new();
        for (name, host) in names {
            let mut outcome = wait_for_agent(name, agents.shells.get_mut(name), stop)?;
            for _ in 1..TUNNEL_ATTEMPTS {
                if !outcome.as_ref().is_err_and(|said| said.contains(TUNNEL_REFUSED)) {
                    break;
                }
                agents.shells.insert(name.clone(), self.start_agent(name, host)?);
                outcome = wait_for_agent(name, agents.shells.get_mut(name), stop)?;
            }
            if let Err(said) = outcome {
                failed.push(LaunchFailure { host: host.to_string(), said });
            }
        }
        if failed.is_empty() { Ok(()) } else { Err(SshError::Hosts { hosts: failed }) }
    }
}

fn wait_for_agent(
    name: &str,
    shell: Option<&mut Shell>,
    stop: &StopSignal,
) -> Result<Result<(), String>, SshError> {
    let Some(shell) = shell else { return Ok(Ok(())) };
    let ready = script::ready_line(name);
    loop {
        match shell.next_event(READY_TIMEOUT, stop) {
            ShellEvent::ErrorLine(line) if line.ends_with(&ready) => return Ok(Ok(())),
            // Greetings of a login shell; warnings of ssh.
            ShellEvent::Line(_) | ShellEvent::ErrorLine(_) => {}
            ShellEvent::Stopped => return Err(SshError::Stopped),
            ShellEvent::Ended => return Ok(Err(exit_message(shell))),
            ShellEvent::TimedOut => {
                let seconds = READY_TIMEOUT.as_secs();
                let said = format!("nothing for {seconds} s; {}", shell.last_errors());
                return Ok(Err(said));
            }
        }
    }
}

fn exit_message(shell: &mut Shell) -> String {
    match (shell.last_errors(), shell.exit_status()) {
        (said, _) if !said.is_empty() => said,
        (_, Some(status)) => status.to_string(),
        (_, None) => "it said nothing".to_owned(),
    }
}

/// A random port: the standard library's hashers have random keys.
fn random_port() -> u16 {
    let random = RandomState::new().hash_one(TUNNEL_PORTS.start);
    u16::try_from(TUNNEL_PORTS.start + random % (TUNNEL_PORTS.end - TUNNEL_PORTS.start))
        .unwrap_or(20_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agent_has_a_name_of_its_own() {
        let hosts = |list: &[&str]| -> Vec<Destination> {
            list.iter().map(|host| host.parse().unwrap()).collect()
        };
        let named = agent_names(&hosts(&["a.b", "c"])).unwrap();
        assert_eq!(named.keys().collect::<Vec<_>>(), ["a-b", "c"]);
        let error = agent_names(&hosts(&["a.b", "a-b"])).unwrap_err().to_string();
        assert_eq!(error, "hosts 'a.b' and 'a-b' would both be the agent 'a-b'");
        assert!(agent_names(&hosts(&["a", "a"])).is_err());
    }

    #[test]
    fn tunnels_end_at_ports_of_ours() {
        let ports: Vec<u16> = (0..200).map(|_| random_port()).collect();
        assert!(ports.iter().all(|port| TUNNEL_PORTS.contains(&u64::from(*port))), "{ports:?}");
        assert!(ports.iter().any(|port| *port != ports[0]));
    }

    #[test]
    fn a_failure_comes_with_advice_that_fits() {
        let check = |said: &str, hint: Option<&str>| {
            let host = LaunchFailure { host: "db1".to_owned(), said: said.to_owned() };
            let got = SshError::Hosts { hosts: vec![host] }.hint();
            assert_eq!(got.is_some(), hint.is_some(), "{said}: {got:?}");
            assert!(got.unwrap_or_default().contains(hint.unwrap_or_default()), "{said}");
        };
        check("root@db1: Permission denied (publickey).", Some("ssh -o BatchMode=yes db1 true"));
        check(
            "sh: 1: GLIBC_2.38 not found\nthe program that was sent cannot run there",
            Some("musl"),
        );
        check("Error: remote port forwarding failed for listen port 2", Some("AllowTcpForwarding"));
        check("ssh: connect to host db1 port 22: No route to host", None);
    }
}
