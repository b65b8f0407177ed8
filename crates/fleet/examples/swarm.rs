//! Many agents in one process, each over a simulated disk of its own, for `cargo xtask bench
//! fleet`: see `fleet::agent::SimulatedAgents`.
//!
//! `swarm URL COUNT FILE SPOOL [READ_US]`: agents `s0001`... that allow FILE, and keep their
//! records below SPOOL; every operation takes READ_US (20,000). Prints `ready` when all of them
//! wait for orders. On stdin, the line `hold` makes all disks hang, `go` lets them go on; its end
//! ends the swarm.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;

use engine::SimulatedDevice;
use fleet::NatsServer;
use fleet::agent::{AgentSettings, SimulatedAgents, simulate_disk};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use units::{Bytes, Nanos};

const USAGE: &str = "swarm URL COUNT FILE SPOOL [READ_US]";
/// An operation, unless it is said: 50 of them a second cost a host little.
const READ_US: u64 = 20_000;
const NOISE: f64 = 0.2;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [url, count, file, spool, rest @ ..] = args.as_slice() else {
        eprintln!("{USAGE}");
        std::process::exit(2);
    };
    let count: u64 = count.parse().expect(USAGE);
    let read_us: u64 = rest.first().map_or(READ_US, |text| text.parse().expect(USAGE));
    let capacity = std::fs::metadata(file).expect("the file that agents allow").len();
    allow_many_files();
    let disk = |seed| simulate_disk(Bytes(capacity), Nanos(read_us * 1000), NOISE, seed);
    let disks: Vec<SimulatedDevice> = (1..=count).map(disk).collect();
    let settings = AgentSettings {
        server: NatsServer { url: url.clone(), ..NatsServer::default() },
        name: "s".parse().expect("a name"),
        labels: Vec::new(),
        allow: vec![PathBuf::from(file)],
        read_only: true,
        spool: PathBuf::from(spool),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        simulated: None,
    };
    let agents = SimulatedAgents::start(&settings, &disks, |words| eprintln!("{words}"));
    let agents = agents.expect("agents that are ready");
    println!("ready");
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let held = match line.trim() {
            "hold" => true,
            "go" => false,
            other => panic!("'{other}' is neither hold nor go"),
        };
        disks.iter().for_each(|disk| disk.hold(held));
    }
    disks.iter().for_each(|disk| disk.hold(false));
    drop(agents);
}

/// Every agent has some ten descriptors, and the usual limit is 1024.
fn allow_many_files() {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    setrlimit(Resource::Nofile, raised).expect("as many open files as the system lets us have");
}
