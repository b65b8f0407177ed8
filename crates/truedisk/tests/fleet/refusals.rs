//! Who is refused, and that both sides say so.

use std::io::Read as _;
use std::net::Ipv4Addr;
use std::path::Path;
use std::process::Stdio;

use fleet::Version;
use fleet::message::{Order, SentOrder, StopCause, encode};
use lab::{CertificateAuthority, NatsServer, Need, Scratch, Validity, skip_unless};
use serde_json::{Value, json};

use crate::support::agent_hosts::wait;
use crate::support::local_agents::{Agent, LIMIT, Raw, agent, complaint, fleet};
use crate::support::nats_token::Credentials;
use crate::support::{beside, run};

/// Asserts that agent and coordinator are both refused, with this status and in these words, and
/// a hint.
fn check_refused(room: &Path, server: &[&str], status: i32, words: &[&str]) {
    let mut list = server.to_vec();
    list.push("list");
    for command in [agent(room, server), fleet(&list)] {
        let output = run(command);
        let said = complaint(&output);
        assert_eq!(output.status.code(), Some(status), "{server:?}: {said}");
        assert!(words.iter().any(|word| said.contains(word)), "{server:?}: {said}");
        assert!(said.contains("hint: "), "{server:?}: {said}");
    }
}

/// Asserts that an agent and a coordinator meet there.
fn check_welcome(room: &Path, server: &[&str]) {
    let agent = Agent::start(room, server);
    let mut list = server.to_vec();
    list.push("list");
    let output = run(fleet(&list));
    assert!(output.status.success(), "{server:?}: {}", complaint(&output));
    assert!(String::from_utf8(output.stdout).unwrap().contains("\na "), "{server:?}");
    drop(agent);
}

#[test]
fn who_is_not_known_to_the_server_or_does_not_know_it_is_refused() {
    skip_unless!(Need::Program("nats-server"), Need::Program("openssl"));
    let _beside = beside();
    let scratch = Scratch::new().unwrap();
    let room = scratch.path();
    let file = |name: &str, text: &str| {
        let path = room.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };

    // Credentials, as NATS's own tools make them; and nkeys.
    let (known, stranger) = (Credentials::new(), Credentials::new());
    let server = NatsServer::options().settings(&known.server).start().unwrap();
    let url = server.url();
    let creds = file("known.creds", &known.user);
    check_welcome(room, &["--nats", &url, "--creds", &creds]);
    let creds = file("stranger.creds", &stranger.user);
    check_refused(room, &["--nats", &url, "--creds", &creds], 1, &["refused who we are"]);
    check_refused(room, &["--nats", &url], 1, &["refused who we are"]);
    let creds = file("broken.creds", "no seed, no token\n");
    check_refused(room, &["--nats", &url, "--creds", &creds], 2, &["holds no credentials"]);

    let pair = nkeys::KeyPair::new_user();
    let server = NatsServer::options().nkey(&pair.public_key()).start().unwrap();
    let url = server.url();
    let seed = file("seed", &format!("{}\n", pair.seed().unwrap()));
    check_welcome(room, &["--nats", &url, "--creds", &seed]);
    let other = nkeys::KeyPair::new_user().seed().unwrap();
    let seed = file("other", &format!("{other}\n"));
    check_refused(room, &["--nats", &url, "--creds", &seed], 1, &["refused who we are"]);

    // A user and a password in the address.
    let server = NatsServer::options().user("lab", "it's@word").start().unwrap();
    let url = server.url().replace("://", "://lab:it's%40word@");
    check_welcome(room, &["--nats", &url]);
    let url = server.url().replace("://", "://lab:word@");
    check_refused(room, &["--nats", &url], 1, &["refused who we are"]);

    // Certificates.
    let (ours, theirs) =
        (CertificateAuthority::new().unwrap(), CertificateAuthority::new().unwrap());
    let here = [Ipv4Addr::LOCALHOST];
    let path =
        |authority: &CertificateAuthority| authority.certificate().to_str().unwrap().to_owned();
    let (ca, wrong_ca) = (path(&ours), path(&theirs));
    let insecure = ["no secure connection"];
    let good = ours.issue("good", &here, Validity::Now).unwrap();
    let server = NatsServer::options().tls(&good).start().unwrap();
    let url = server.url();
    check_welcome(room, &["--nats", &url, "--tls-ca", &ca]);
    check_refused(room, &["--nats", &url, "--tls-ca", &wrong_ca], 1, &insecure);
    let past = ours.issue("past", &here, Validity::Past).unwrap();
    let server = NatsServer::options().tls(&past).start().unwrap();
    check_refused(room, &["--nats", &server.url(), "--tls-ca", &ca], 1, &insecure);
    let elsewhere = ours.issue("elsewhere", &[Ipv4Addr::new(10, 0, 0, 1)], Validity::Now).unwrap();
    let server = NatsServer::options().tls(&elsewhere).start().unwrap();
    check_refused(room, &["--nats", &server.url(), "--tls-ca", &ca], 1, &insecure);

    // Another host to which nothing proves anything: nobody is even asked.
    check_refused(room, &["--nats", "nats://192.0.2.1:4222"], 2, &["another host"]);
}

/// Asserts that the agent answers with a refusal in these words, and says on its side that it
/// refused something.
fn check_told(raw: &mut Raw, agent: &Agent, subject: &str, payload: &[u8], words: &str) {
    let before = agent.count("refused");
    let answer = raw.ask(subject, payload);
    assert_eq!(answer["body"]["reply"], "refused", "{answer}");
    let what = answer["body"]["of"]["what"].as_str().unwrap();
    assert!(what.contains(words), "{what}");
    wait(LIMIT, "the agent says that it refused", || agent.count("refused") > before);
}

#[test]
fn an_agent_believes_no_message_that_is_not_of_its_schema() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let scratch = Scratch::new().unwrap();
    let server = NatsServer::options().settings("max_payload: 8MB\n").start().unwrap();
    let url = server.url();
    let agent = Agent::start(scratch.path(), &["--nats", &url]);
    let mut raw = Raw::new(&server);
    let ours = Version::current(env!("CARGO_PKG_VERSION"));
    let ping = encode(&ours, &sent(0, 1, 1, Order::Ping)).unwrap();
    let order = |verb: &str| format!("truedisk.v1.agent.a.{verb}");
    let answer = raw.ask(&order("ping"), &ping);
    assert_eq!(answer["body"]["reply"], "pong", "what is right is answered: {answer}");

    let older = Version { protocol: 0, program: "0.0.9".to_owned() };
    let old = encode(&older, &sent(0, 1, 1, Order::Ping)).unwrap();
    check_told(&mut raw, &agent, &order("ping"), &old, "truedisk 0.0.9 (messages 0)");
    check_told(&mut raw, &agent, &order("ping"), b"{", "malformed");
    check_told(&mut raw, &agent, &order("ping"), &[0xff; 64], "malformed");
    check_told(&mut raw, &agent, &order("ping"), &vec![b' '; 2 << 20], "larger than");
    check_told(&mut raw, &agent, &order("stop"), &ping, "subject of another");
    let body = |order: Value| {
        let body = json!({ "instance": 0, "session": 1, "number": 1, "order": order });
        json!({ "version": ours, "body": body }).to_string().into_bytes()
    };
    let job = body(json!({ "verb": "exec", "of": { "command": "id" } }));
    check_told(&mut raw, &agent, &order("exec"), &job, "malformed");
    let more = body(json!({ "verb": "ping", "shell": "id" }));
    check_told(&mut raw, &agent, &order("ping"), &more, "malformed");

    // A gigabyte is the server's to refuse: it ends that connection, and no other.
    let mut flood = Raw::new(&server);
    flood.publish_length(&order("ping"), 1 << 30);
    let said = flood.line();
    // It says why, where that is faster than the end.
    assert!(said.is_empty() || said.contains("Maximum Payload"), "{said}");
    assert_eq!(raw.ask(&order("ping"), &ping)["body"]["reply"], "pong");
    check_other_versions(&mut raw, &server, &older);
}

const fn sent(instance: u64, session: u64, number: u64, order: Order) -> SentOrder {
    SentOrder { instance, session, number, order }
}

#[test]
fn an_agent_refuses_an_order_that_is_replayed_or_older_than_its_start() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let scratch = Scratch::new().unwrap();
    let server = NatsServer::start_on_loopback().unwrap();
    let words = ["--nats", &server.url()];
    let ours = Version::current(env!("CARGO_PKG_VERSION"));
    let mut raw = Raw::new(&server);
    let stop = |instance, session, number| {
        let order = Order::Stop { run: None, cause: StopCause::StopCommand };
        encode(&ours, &sent(instance, session, number, order)).unwrap()
    };
    let subject = "truedisk.v1.agent.a.stop";
    let agent = Agent::start(scratch.path(), &words);
    let first = raw.instance();
    let accepts =
        |raw: &mut Raw, order: &[u8]| raw.ask(subject, order)["body"]["reply"] == "accepted";
    assert!(accepts(&mut raw, &stop(first, 1, 5)));
    assert!(accepts(&mut raw, &stop(first, 1, 5)), "an answer may be lost");
    assert!(accepts(&mut raw, &stop(first, 1, 6)));
    check_told(&mut raw, &agent, subject, &stop(first, 1, 5), "order 'stop' was replayed");
    assert!(accepts(&mut raw, &stop(first, 2, 1)), "another coordinator counts for itself");
    drop(agent);
    let agent = Agent::start(scratch.path(), &words);
    let old = "order 'stop' is from before this agent started";
    check_told(&mut raw, &agent, subject, &stop(first, 1, 7), old);
    let second = raw.instance();
    assert!(second != first && accepts(&mut raw, &stop(second, 1, 1)));
}

/// An agent of another version is listed as one that cannot be led, and not led.
fn check_other_versions(raw: &mut Raw, server: &NatsServer, older: &Version) {
    raw.send("SUB truedisk.v1.hello 999\r\nPING\r\n");
    assert_eq!(raw.line(), "PONG");
    let url = server.url();
    for (words, status) in [(vec!["list"], 0), (vec!["check", "/srv"], 2)] {
        let words: Vec<&str> = ["--nats", &url].into_iter().chain(words).collect();
        let child = fleet(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // MSG <subject> <sid> <reply-to> <bytes>
        let line = loop {
            let line = raw.line();
            match line.split(' ').next() {
                Some("PING") => raw.send("PONG\r\n"),
                _ => break line,
            }
        };
        let reply = line.split(' ').nth(3).unwrap().to_owned();
        let introduction = json!({ "version": older, "body": { "name": "old", "color": "red" } });
        let payload = introduction.to_string();
        let length: usize = line.rsplit(' ').next().unwrap().parse().unwrap();
        raw.stream.read_exact(&mut vec![0; length + 2]).unwrap();
        raw.send(format!("PUB {reply} {}\r\n{payload}\r\n", payload.len()));
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stdout.clone()).unwrap() + &complaint(&output);
        assert_eq!(output.status.code(), Some(status), "{said}");
        // The words are wrapped in the last column of a table.
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("old") && said.contains("truedisk 0.0.9 (messages 0)"), "{said}");
    }
}

#[test]
fn an_agent_measures_only_what_it_allows() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let scratch = Scratch::new().unwrap();
    let room = scratch.path();
    let server = NatsServer::start_on_loopback().unwrap();
    let url = server.url();
    let agent = Agent::start(room, &["--nats", &url]);
    let outside = room.join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::os::unix::fs::symlink(&outside, room.join("data/link")).unwrap();
    let up = room.join("data/../outside");
    for path in [outside.clone(), room.join("data/link"), up, "/dev".into()] {
        let before = agent.count("refused");
        let output = run(fleet(&["--nats", &url, "check", "--no-history", path.to_str().unwrap()]));
        let said = complaint(&output);
        assert_eq!(output.status.code(), Some(4), "{said}");
        assert!(said.contains("not among the paths that this agent allows"), "{said}");
        assert!(said.contains("hint: it allows "), "{said}");
        assert!(agent.count("refused") > before, "{}", agent.read_output());
    }
    let left: Vec<_> = std::fs::read_dir(&outside).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn two_agents_of_one_host_are_not_two_targets() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let scratch = Scratch::new().unwrap();
    let room = scratch.path();
    let server = NatsServer::start_on_loopback().unwrap();
    let url = server.url();
    let _agents = ["a", "b"].map(|name| Agent::start_named(room, name, &["--nats", &url]));
    let file = lab::written_file(&room.join("data"), "one", 32 << 20).unwrap();
    let words = ["--nats", &url, "check", "--no-history", "--read-only", file.to_str().unwrap()];
    // In different waves too, and before any of them measures.
    for waves in [&[][..], &["--at-most", "1"]] {
        let output = run(fleet(&[waves, &words].concat()));
        let said = complaint(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("are agents of one host") && said.contains("--hosts"), "{said}");
        assert!(output.stdout.is_empty(), "{output:?}");
    }
}

#[test]
fn hosts_cannot_share_a_folder() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let scratch = Scratch::new().unwrap();
    let room = scratch.path();
    let server = NatsServer::start_on_loopback().unwrap();
    let url = server.url();
    let _agent = Agent::start(room, &["--nats", &url]);
    let data = room.join("data");
    for how in ["shared", "split"] {
        let words = ["--nats", &url, "--span", how, "check", "--no-history"];
        let mut command = fleet(&words);
        command.arg(&data);
        let output = run(command);
        let said = complaint(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        let what = format!("--span {how} is for one file or device that all hosts share");
        assert!(said.contains(&what) && said.contains("hint: name the file or device"), "{said}");
        assert_eq!(std::fs::read_dir(&data).unwrap().count(), 0, "nothing was laid out");
    }
}
