//! Which of many disks is slow: agents of which each has a simulated disk of its own.

use std::path::{Path, PathBuf};

use ::fleet::agent::{AgentSettings, SimulatedAgents, simulate_disk};
use lab::{NatsServer, Need, Scratch, skip_unless};
use record::Record;
use units::{Bytes, Nanos};

use crate::support::local_agents::fleet;
use crate::support::{alone, record_of};

const FILE_BYTES: u64 = 64 << 20;
const HOSTS: u64 = 6;
/// The host whose disk is slow, and how long its reads take.
const SLOW: u64 = 4;
const READ_NS: u64 = 1_000_000;
const SLOW_READ_NS: u64 = 1_600_000;

/// One request at a time, so that no host is held back by the processors of this one.
fn start_agents(server: &NatsServer, file: &Path, spool: &Path) -> SimulatedAgents {
    let disk = |number: u64| {
        let read_ns = if number == SLOW { SLOW_READ_NS } else { READ_NS };
        simulate_disk(Bytes(FILE_BYTES), Nanos(read_ns), 0.1, number)
    };
    let settings = AgentSettings {
        server: ::fleet::NatsServer { url: server.url(), ..Default::default() },
        name: "s".parse().unwrap(),
        labels: Vec::new(),
        allow: vec![file.to_owned()],
        read_only: true,
        spool: spool.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        simulated: None,
    };
    let disks: Vec<_> = (1..=HOSTS).map(disk).collect();
    SimulatedAgents::start(&settings, &disks, |_| ()).unwrap()
}

#[test]
fn a_slow_disk_among_others_is_named_and_a_sample_says_of_how_many_it_is() {
    skip_unless!(Need::Program("nats-server"));
    let _alone = alone();
    let scratch = Scratch::new().unwrap();
    let file: PathBuf = scratch.path().join("disk");
    std::fs::write(&file, vec![7; FILE_BYTES as usize]).unwrap();
    let server = NatsServer::start_on_loopback().unwrap();
    let url = server.url();
    let _agents = start_agents(&server, &file, scratch.path());
    let check = |more: &[&str]| -> Record {
        let words = ["--nats", url.as_str()];
        let options = ["check", "--quick", "--read-only", "--no-history", "--quiet", "--json", "-"];
        record_of(fleet(&[&words[..], more, &options, &[file.to_str().unwrap()]].concat()))
    };
    let record = check(&[]);
    let judgement = record.judgement_or_default();
    let outliers = judgement.outliers.as_ref().expect("hosts that are compared");
    assert_eq!((outliers.compared, &outliers.not_compared[..]), (HOSTS, &[][..]));
    let named: Vec<&str> = outliers.slow.iter().map(|slow| slow.host.as_str()).collect();
    assert_eq!(named, [format!("s{SLOW:04}")], "{outliers:#?}");
    let worst = &outliers.slow[0].figures[0];
    let expected = SLOW_READ_NS as f64 / READ_NS as f64;
    assert!((worst.times / expected - 1.0).abs() < 0.25, "{worst:?}");
    let headline = judgement.verdict.as_ref().unwrap().headline.text().to_owned();
    assert!(headline.ends_with("1 of 6 hosts is slow"), "{headline}");

    let sample = check(&["--canary", "50%"]);
    let members = sample.measured.fleet.as_ref().unwrap();
    // No fewer than can be held against each other.
    assert_eq!((members.hosts.len(), members.sampled_from), (4, Some(HOSTS)));
}
