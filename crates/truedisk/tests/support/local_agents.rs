//! Agents, coordinators and a client that says what it likes, on this machine itself.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use fleet::message::{Version, encode};
use lab::NatsServer;
use serde_json::Value;

use super::agent_hosts::{PROGRAM, wait};

/// How long something may take that is bound to come.
pub const LIMIT: Duration = Duration::from_secs(20);

/// An agent on this machine; killed on drop.
pub struct Agent {
    child: Child,
    log: PathBuf,
}

impl Agent {
    /// Agent `a`.
    pub fn start(room: &Path, words: &[&str]) -> Agent {
        Agent::start_named(room, "a", words)
    }

    /// One of another name.
    pub fn start_named(room: &Path, name: &str, words: &[&str]) -> Agent {
        Agent::spawn(room, name, agent_command(room, name, words))
    }

    /// The command of one of that name, which may be wrapped.
    pub fn spawn(room: &Path, name: &str, mut command: Command) -> Agent {
        let log = room.join(format!("agent-{name}.log"));
        command.stderr(File::create(&log).unwrap());
        let agent = Agent { child: command.spawn().unwrap(), log };
        agent.wait_for("is ready");
        agent
    }

    /// Bytes that it has read from disks.
    pub fn bytes_read(&self) -> u64 {
        let io = std::fs::read_to_string(format!("/proc/{}/io", self.child.id()));
        let io = io.unwrap_or_default();
        let line = io.lines().find_map(|line| line.strip_prefix("read_bytes: "));
        line.and_then(|bytes| bytes.parse().ok()).unwrap_or(0)
    }

    /// What it said so far.
    pub fn read_output(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    /// Waits until it has said something.
    pub fn wait_for(&self, words: &str) {
        wait(LIMIT, &format!("{words}: {}", self.read_output()), || {
            self.read_output().contains(words)
        });
    }

    /// How often it has said something.
    pub fn count(&self, words: &str) -> usize {
        self.read_output().matches(words).count()
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Agent `a`, which may measure the folder `data` of a room.
pub fn agent(room: &Path, words: &[&str]) -> Command {
    agent_command(room, "a", words)
}

/// An agent of that name, which may measure the same folder.
pub fn agent_command(room: &Path, name: &str, words: &[&str]) -> Command {
    let data = room.join("data");
    std::fs::create_dir_all(&data).unwrap();
    let mut command = Command::new(PROGRAM);
    command.args(["agent", "--name", name, "--allow", data.to_str().unwrap()]).args(words);
    command.arg("--spool").arg(room.join("spool")).stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// A coordinator that keeps nothing.
pub fn fleet(words: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.arg("fleet").args(words).stdin(Stdio::null());
    command.env("XDG_DATA_HOME", "/dev/null").env_remove("TRUEDISK_HISTORY");
    command
}

/// What a command said on stderr.
pub fn complaint(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A client that says what it likes, by the protocol of NATS itself.
pub struct Raw {
    pub stream: BufReader<TcpStream>,
    inbox: u32,
}

impl Raw {
    /// Connects.
    pub fn new(server: &NatsServer) -> Raw {
        let url = server.url();
        let stream = TcpStream::connect(url.strip_prefix("nats://").unwrap()).unwrap();
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        let mut raw = Raw { stream: BufReader::new(stream), inbox: 0 };
        assert!(raw.line().starts_with("INFO "));
        raw.send("CONNECT {\"verbose\":false,\"pedantic\":false}\r\nPING\r\n");
        assert_eq!(raw.line(), "PONG");
        raw
    }

    /// Sends bytes as they are.
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.get_mut().write_all(bytes.as_ref()).unwrap();
    }

    /// The next line.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Publishes, with an inbox for the answer.
    pub fn publish(&mut self, subject: &str, inbox: &str, payload: &[u8]) {
        self.send(format!("PUB {subject} {inbox} {}\r\n", payload.len()));
        self.send(payload);
        self.send("\r\n");
    }

    /// Says that a message of this length in bytes follows.
    pub fn publish_length(&mut self, subject: &str, bytes: u64) {
        self.send(format!("PUB {subject} {bytes}\r\n"));
    }

    /// The next message to one of our inboxes.
    pub fn message(&mut self) -> Vec<u8> {
        self.message_with_subject().1
    }

    pub fn message_with_subject(&mut self) -> (String, Vec<u8>) {
        loop {
            let line = self.line();
            let mut words = line.split(' ');
            match words.next() {
                Some("PING") => self.send("PONG\r\n"),
                Some("MSG") => {
                    let subject = words.next().unwrap().to_owned();
                    let length: usize = line.rsplit(' ').next().unwrap().parse().unwrap();
                    let mut payload = vec![0; length + 2];
                    self.stream.read_exact(&mut payload).unwrap();
                    payload.truncate(length);
                    return (subject, payload);
                }
                _ => panic!("the server says: {line}"),
            }
        }
    }

    /// Which start of agent `a` this is, as its orders must say.
    pub fn instance(&mut self) -> u64 {
        let ours = Version::current(env!("CARGO_PKG_VERSION"));
        let answer = self.ask("truedisk.v1.hello", &encode(&ours, &()).unwrap());
        answer["body"]["instance"].as_u64().unwrap()
    }

    /// What an agent answers.
    pub fn ask(&mut self, subject: &str, payload: &[u8]) -> Value {
        self.inbox += 1;
        let inbox = format!("raw.{}", self.inbox);
        self.send(format!("SUB {inbox} {}\r\n", self.inbox));
        self.publish(subject, &inbox, payload);
        serde_json::from_slice(&self.message()).unwrap()
    }
}
