//! What `fleet permissions` writes, on a real server: enough for a run, and no more.

use std::process::Command;

use lab::{NatsServer, Need, Scratch, skip_unless};
use record::{Completion, Record};

use crate::support::agent_hosts::PROGRAM;
use crate::support::local_agents::{Agent, complaint, fleet};
use crate::support::{beside, run};

#[test]
fn what_fleet_permissions_writes_is_enough_and_holds_an_agent_to_its_name() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let scratch = Scratch::new().unwrap();
    let room = scratch.path();
    let output = run(fleet(&["permissions", "a", "b", "--relay", "r"]));
    assert!(output.status.success(), "{}", complaint(&output));
    let mut settings = String::from_utf8(output.stdout).unwrap();
    let mut add_key = |user: &str, name: &str| {
        let pair = nkeys::KeyPair::new_user();
        let place = format!("<public nkey of {user}>");
        assert!(settings.contains(&place), "{settings}");
        settings = settings.replace(&place, &pair.public_key());
        let path = room.join(name);
        std::fs::write(&path, format!("{}\n", pair.seed().unwrap())).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (key_a, key_b) = (add_key("a", "a.seed"), add_key("b", "b.seed"));
    let (key_r, key_lead) = (add_key("r", "r.seed"), add_key("the coordinator", "lead.seed"));
    let server = NatsServer::options().jetstream().settings(&settings).start().unwrap();
    let url = server.url();
    let agent =
        |name: &str, key: &str| Agent::start_named(room, name, &["--nats", &url, "--creds", key]);
    let mut relay = Command::new(PROGRAM);
    relay.args(["agent", "--relay", "--name", "r", "--nats", &url, "--creds", &key_r]);
    let relay = Agent::spawn(room, "r", relay);
    let agents = [agent("a", &key_a), agent("b", &key_b), relay];
    let folder = room.join("data");
    let lead = ["--nats", &url, "--creds", &key_lead];
    // Each makes a file of its own; their records go into the server's stream, and are cleared.
    let words = ["sweep", "--bs", "4k", "--depth", "2", "--size", "16m", "--cell-max", "300ms"];
    let more = ["--budget", "3s", "--no-history", "--json", "-"];
    let output = run(fleet(&[&lead[..], &words, &more, &[folder.to_str().unwrap()]].concat()));
    let said = complaint(&output);
    assert!(said.contains("with 1 relay") && !said.contains("relays were lost"), "{said}");
    let record: Record = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(record.measured.completion, Completion::Complete);
    let members = record.measured.fleet.as_ref().unwrap();
    assert!(members.events.is_empty(), "{:?}", members.events);
    assert!(members.hosts.iter().all(|host| host.lost.is_none() && host.record.is_some()));
    for agent in &agents {
        assert!(!agent.read_output().contains("ermission"), "{}", agent.read_output());
    }
    drop(agents);

    // With the key of another agent it gets no orders, and says why.
    let stranger = agent("c", &key_b);
    stranger.wait_for("Permissions Violation for Subscription to \"truedisk.v1.agent.c.*\"");
}

#[test]
fn what_a_fleet_command_cannot_heed_is_refused() {
    let check = |words: &[&str], expected: &str| {
        let output = run(fleet(words));
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(complaint(&output).contains(expected), "{words:?}: {}", complaint(&output));
    };
    check(&["--ssh", "db1", "permissions"], "asks no host");
    check(&["--canary", "5%", "permissions"], "--canary");
    let job = ["--name=a", "--rw=read", "--size=1m", "--directory=/srv"];
    check(&[&["--canary", "5%", "fio"][..], &job].concat(), "every host");
}
