//! Records that the server keeps, for when neither agents nor coordinator are there any more.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use lab::{NatsServer, Need, Scratch, skip_unless};
use record::Record;
use serde_json::json;

use crate::support::agent_hosts::wait;
use crate::support::local_agents::{Agent, LIMIT, Raw, complaint, fleet};
use crate::support::{beside, run};

/// Said by an agent whose record the server has.
const PUT: &str = "its record is in the server's stream, too";
/// The stream, by its name.
const STREAM: &str = "truedisk-v1-kept";

/// Two agents, a coordinator's home, and where all of it lies.
struct Pair {
    agents: Vec<Agent>,
    /// The server, and who one is there, in words: of agents and of coordinators.
    of_agent: Vec<String>,
    of_lead: Vec<String>,
    scratch: Scratch,
}

impl Pair {
    fn new(server: &NatsServer) -> Pair {
        let to = ["--nats".to_owned(), server.url()].to_vec();
        Pair::with(to.clone(), to, Scratch::new().unwrap())
    }

    fn with(of_agent: Vec<String>, of_lead: Vec<String>, scratch: Scratch) -> Pair {
        let mut pair = Pair { agents: Vec::new(), of_agent, of_lead, scratch };
        pair.start("a");
        pair.start("b");
        pair
    }

    fn room(&self) -> &Path {
        self.scratch.path()
    }

    fn start(&mut self, name: &str) {
        let words: Vec<&str> = self.of_agent.iter().map(String::as_str).collect();
        self.agents.push(Agent::start_named(self.room(), name, &words));
    }

    /// Kills the agent that was started last, and takes away what it kept.
    fn destroy(&mut self, name: &str) {
        drop(self.agents.pop());
        std::fs::remove_dir_all(self.room().join("spool").join(name)).unwrap();
    }

    /// A coordinator with a home of its own.
    fn lead(&self, words: &[&str]) -> Command {
        let mut command = fleet(&self.of_lead.iter().map(String::as_str).collect::<Vec<_>>());
        command.args(words).env("XDG_DATA_HOME", self.room().join("home"));
        command
    }

    fn sweep(&self, time: &str) -> Command {
        let mut command = self.lead(&["sweep", "--rw", "randread", "--bs", "4k", "--depth", "2"]);
        command.args(["--size", "16m", "--precision", "0.1%"]);
        command.args(["--cell-max", time, "--budget", time]);
        command.arg(self.room().join("data"));
        command
    }

    /// A run whose coordinator is killed while it is measured; its name. The agents end it, and
    /// have put their records into the stream, or said why not, with these words.
    fn orphaned(&self, words: &str) -> String {
        let talk = self.room().join("talk");
        let before: Vec<usize> = self.agents.iter().map(|agent| agent.count(words)).collect();
        let mut command = self.sweep("20s");
        command.stdout(Stdio::null()).stderr(File::create(&talk).unwrap());
        let mut lead = Killed(command.spawn().unwrap());
        let name = || {
            let said = std::fs::read_to_string(&talk).unwrap();
            let (_, rest) = said.split_once("truedisk: run ")?;
            Some(rest.split_once(' ')?.0.to_owned())
        };
        wait(LIMIT, "the run has a name", || name().is_some());
        let read: Vec<u64> = self.agents.iter().map(Agent::bytes_read).collect();
        wait(LIMIT, "both hosts read", || {
            let pairs = self.agents.iter().zip(&read);
            pairs.into_iter().all(|(agent, before)| agent.bytes_read() > before + (256 << 10))
        });
        lead.0.kill().unwrap();
        lead.0.wait().unwrap();
        let name = name().unwrap();
        let output = run(self.lead(&["stop", &name]));
        assert!(output.status.success(), "{}", complaint(&output));
        for (agent, before) in self.agents.iter().zip(before) {
            wait(LIMIT, &format!("{words}: {}", agent.read_output()), || {
                agent.count(words) > before
            });
        }
        name
    }

    /// What `fleet collect` makes of a run.
    fn collected(&self, name: &str) -> Record {
        let file: PathBuf = self.room().join("collected.json");
        let output = run(self.lead(&["collect", name, "--json", file.to_str().unwrap()]));
        assert!(output.status.success(), "{}", complaint(&output));
        let record: Record =
            serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let of = record.measured.fleet.as_ref().unwrap();
        let names: Vec<&str> = of.hosts.iter().map(|host| host.name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        assert!(of.hosts.iter().all(|host| host.record.is_some() && host.lost.is_none()));
        let ops = |cell: &record::Cell| cell.totals.read.as_ref().map_or(0, |read| read.ops);
        for cell in &record.measured.cells {
            let sum: u64 = of.host_cells(&cell.name).map(|(_, part)| ops(&part.cell)).sum();
            assert!(sum > 0 && sum == ops(cell), "the total is that of both: {}", cell.name);
        }
        assert!(!record.measured.cells.is_empty());
        record
    }

    fn list(&self) -> String {
        String::from_utf8(run(self.lead(&["list"])).stdout).unwrap()
    }
}

/// A process that is killed on drop.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn events(record: &Record) -> String {
    record.measured.fleet.as_ref().unwrap().events.join("; ")
}

#[test]
fn a_record_outlives_its_agent_its_spool_and_its_coordinator() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let mut server = NatsServer::options().jetstream().start().unwrap();
    let mut pair = Pair::new(&server);

    // One agent is gone with all that it kept; the other gives its own.
    let name = pair.orphaned(PUT);
    pair.destroy("b");
    assert!(pair.list().contains(&format!("the server keeps 2 records of run {name}, too")));
    let record = pair.collected(&name);
    let said = events(&record);
    assert!(said.contains(&format!("from the server's stream {STREAM} came the records of b")));
    assert!(said.contains("from their agents those of a"), "{said}");
    assert!(!pair.list().contains("keeps"), "what is kept here is cleared away: {}", pair.list());

    // All are gone, and the server was restarted meanwhile: its streams are files.
    pair.start("b");
    let name = pair.orphaned(PUT);
    pair.destroy("b");
    pair.destroy("a");
    server.restart(None).unwrap();
    let list = pair.list();
    assert!(list.contains("no agent answers") && list.contains(&name), "{list}");
    let said = events(&pair.collected(&name));
    assert!(said.contains("all records came from the server's stream"), "{said}");
    let output = run(pair.lead(&["collect", &name]));
    assert_eq!(output.status.code(), Some(1));
    assert!(complaint(&output).contains("nor does the server's stream"), "{}", complaint(&output));
}

#[test]
fn a_run_that_ends_well_leaves_nothing_in_the_stream() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let server = NatsServer::options().jetstream().start().unwrap();
    let pair = Pair::new(&server);
    let output = run(pair.sweep("3s"));
    assert!(output.status.success(), "{}", complaint(&output));
    assert!(!complaint(&output).contains("stream"), "{}", complaint(&output));
    // What was on its way when it was acknowledged is there by now, or never.
    let mut raw = Raw::new(&server);
    wait(LIMIT, "the stream is empty", || {
        let info = raw.ask(&format!("$JS.API.STREAM.INFO.{STREAM}"), b"");
        assert!(info["config"]["max_bytes"].as_i64().unwrap() > 0, "it is bounded: {info}");
        assert!(info["config"]["max_age"].as_u64().unwrap() > 0, "in time, too: {info}");
        info["state"]["messages"] == 0
    });
    // sleeps because what must not come has no event
    std::thread::sleep(Duration::from_millis(300));
    assert!(!pair.list().contains("keeps"), "{}", pair.list());
}

#[test]
fn a_server_without_streams_is_as_good_as_ever() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let server = NatsServer::start_on_loopback().unwrap();
    let pair = Pair::new(&server);
    let output = run(pair.sweep("3s"));
    let said = complaint(&output);
    assert!(output.status.success() && !said.contains("stream"), "{said}");
    // Whose coordinator dies is still kept on the hosts.
    let name = pair.orphaned("its record");
    for agent in &pair.agents {
        assert!(!agent.read_output().contains("stream"), "{}", agent.read_output());
    }
    let list = pair.list();
    assert!(list.contains(&format!("a keeps its record of run {name}")), "{list}");
    assert!(!list.contains("the server keeps"), "{list}");
    assert!(!events(&pair.collected(&name)).contains("stream"));
}

#[test]
fn a_stream_that_is_full_is_said_to_be_and_the_hosts_keep_their_records() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let server = NatsServer::options().jetstream().start().unwrap();
    // One that was made beforehand keeps its own limits.
    let small = json!({
        "name": STREAM,
        "subjects": ["truedisk.v1.run.*.kept.>"],
        "retention": "limits",
        "storage": "file",
        "discard": "new",
        "max_bytes": 600,
        "num_replicas": 1,
    });
    let mut raw = Raw::new(&server);
    let create = format!("$JS.API.STREAM.CREATE.{STREAM}");
    let made = raw.ask(&create, small.to_string().as_bytes());
    assert!(made.get("error").is_none(), "{made}");
    let pair = Pair::new(&server);
    let name = pair.orphaned("its record is kept on this host only");
    for agent in &pair.agents {
        assert!(agent.read_output().contains("maximum bytes exceeded"), "{}", agent.read_output());
    }
    assert!(!pair.list().contains("the server keeps"), "{}", pair.list());
    assert!(!events(&pair.collected(&name)).contains("stream"));
}

/// The permissions of docs/agents.md, for these two users.
fn documented(agent: &str, lead: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/agents.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, rest) = page.split_once("\nauthorization {").unwrap();
    let (inner, _) = rest.split_once("\n```").unwrap();
    let settings = format!("authorization {{{inner}\n");
    let settings = settings.replace("<public nkey of the agents>", agent);
    settings.replace("<public nkey of the coordinator>", lead)
}

#[test]
fn the_documented_permissions_are_all_that_is_needed() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let scratch = Scratch::new().unwrap();
    let (agent, lead) = (nkeys::KeyPair::new_user(), nkeys::KeyPair::new_user());
    let settings = documented(&agent.public_key(), &lead.public_key());
    let server = NatsServer::options().jetstream().settings(&settings).start().unwrap();
    let words = |name: &str, pair: &nkeys::KeyPair| {
        let file = scratch.path().join(name);
        std::fs::write(&file, pair.seed().unwrap()).unwrap();
        ["--nats".to_owned(), server.url(), "--creds".to_owned(), file.display().to_string()]
            .to_vec()
    };
    let (of_agent, of_lead) = (words("agent.seed", &agent), words("lead.seed", &lead));
    let mut pair = Pair::with(of_agent, of_lead, scratch);
    let output = run(pair.sweep("3s"));
    assert!(output.status.success(), "{}", complaint(&output));
    assert!(!complaint(&output).contains("stream"), "{}", complaint(&output));
    assert!(!pair.list().contains("keeps"), "it was cleared away: {}", pair.list());
    let name = pair.orphaned(PUT);
    pair.destroy("b");
    assert!(events(&pair.collected(&name)).contains("came the records of b"));
    let denied = server.read_log().unwrap();
    assert!(!denied.contains("Permissions Violation"), "{denied}");
    assert!(
        !pair.agents[0].read_output().contains("Permissions Violation"),
        "{}",
        pair.agents[0].read_output()
    );
}
