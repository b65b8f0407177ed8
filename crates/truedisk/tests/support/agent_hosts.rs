//! Hosts with agents, a NATS server in their midst, and a coordinator beside it.
#![allow(dead_code, clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use lab::{Hosts, NatsOptions, NatsServer, Scratch, Throttle};

/// The program that is tested.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_truedisk");

/// How long an agent may take until it listens.
const READY_LIMIT: Duration = Duration::from_secs(20);

/// Another network than one's own asks for a proof of who one is.
const USER: (&str, &str) = ("lab", "word");

/// Hosts with agents; all ended on drop.
pub struct AgentHosts {
    agents: Vec<Option<Child>>,
    pub server: NatsServer,
    pub hosts: Hosts,
    pub room: Scratch,
}

impl AgentHosts {
    /// These hosts, without agents as yet; the server is on the hub.
    pub fn new(hosts: Hosts, options: NatsOptions) -> AgentHosts {
        let server = options.user(USER.0, USER.1).start_on(hosts.hub()).unwrap();
        let room = Scratch::new().unwrap();
        fs::create_dir(room.path().join("data")).unwrap();
        for host in hosts.hosts() {
            fs::create_dir(room.path().join(host.name())).unwrap();
        }
        AgentHosts { agents: hosts.hosts().iter().map(|_| None).collect(), server, hosts, room }
    }

    /// Where the server is, with who we are there.
    pub fn url(&self) -> String {
        self.server.url().replace("://", &format!("://{}:{}@", USER.0, USER.1))
    }

    /// A folder that every host has under this name, and each to itself.
    pub fn data(&self) -> PathBuf {
        self.room.path().join("data")
    }

    /// What a host has in that folder, as it is seen from here.
    pub fn data_of(&self, index: usize) -> PathBuf {
        self.room.path().join(self.hosts.hosts()[index].name())
    }

    /// Starts the agent of a host.
    pub fn start(&mut self, index: usize, allow: &Path, throttle: Option<&Throttle>) {
        let host = &self.hosts.hosts()[index];
        let mut command = host.command("unshare");
        let script = "mount --bind \"$0\" \"$1\" && shift && exec \"$@\"";
        command.args(["--mount", "sh", "-c", script]);
        command.arg(self.data_of(index)).arg(self.data());
        command.args([PROGRAM, "agent", "--nats", &self.url(), "--name", host.name(), "--spool"]);
        command.arg(self.room.path().join("spool")).arg("--allow").arg(allow);
        if let Some(throttle) = throttle {
            command = throttle.wrap_command(&command);
        }
        let log = File::create(self.log_path(index)).unwrap();
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.agents[index] = Some(command.spawn().unwrap());
    }

    /// Starts all, and waits until all listen.
    pub fn start_all(&mut self, allow: &Path, throttle: Option<&Throttle>) {
        (0..self.agents.len()).for_each(|index| self.start(index, allow, throttle));
        (0..self.agents.len()).for_each(|index| self.wait_for(index, "is ready"));
    }

    /// Waits until the agent of a host has said something.
    pub fn wait_for(&self, index: usize, words: &str) {
        self.wait_for_longer(index, words, READY_LIMIT);
    }

    /// Waits so long until the agent of a host has said something.
    pub fn wait_for_longer(&self, index: usize, words: &str, limit: Duration) {
        wait(limit, &format!("agent {index} says: {words}"), || {
            self.read_output(index).contains(words)
        });
    }

    /// What the agent of a host has said.
    pub fn read_output(&self, index: usize) -> String {
        fs::read_to_string(self.log_path(index)).unwrap_or_default()
    }

    fn log_path(&self, index: usize) -> PathBuf {
        self.room.path().join(format!("agent-{index}.log"))
    }

    /// The agent's process.
    pub fn pid(&self, index: usize) -> u32 {
        self.agents[index].as_ref().unwrap().id()
    }

    /// Kills the agent of a host, as when the host fails.
    pub fn kill(&mut self, index: usize) {
        let mut agent = self.agents[index].take().unwrap();
        agent.kill().unwrap();
        agent.wait().unwrap();
    }

    /// A coordinator on the hub, in a home of its own.
    pub fn fleet<'a>(&self, words: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = self.hosts.hub().command(PROGRAM);
        command.args(["fleet", "--nats", &self.url()]).args(words);
        command.stdin(Stdio::null()).env("XDG_DATA_HOME", self.room.path().join("home"));
        command.env_remove("TRUEDISK_HISTORY");
        command
    }
}

impl Drop for AgentHosts {
    fn drop(&mut self) {
        for agent in self.agents.iter_mut().flatten() {
            // One that has ended by itself cannot be killed, and need not be.
            let _ = agent.kill();
            let _ = agent.wait();
        }
        if std::thread::panicking() {
            for index in 0..self.agents.len() {
                eprintln!("agent {index} said: {}", self.read_output(index));
            }
        }
    }
}

/// Waits until something holds, but not for ever.
pub fn wait(limit: Duration, what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < limit, "waited {limit:?} in vain: {what}");
        // sleeps because the event is another process's and is looked for
        std::thread::sleep(Duration::from_millis(5));
    }
}
