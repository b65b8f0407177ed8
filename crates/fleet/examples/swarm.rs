//! Many agents in one process, each over a simulated disk of its own, for `cargo xtask bench
//! fleet`: what they say to a coordinator, and when, is what agents on hosts of their own say.
//!
//! `swarm URL COUNT FILE SPOOL [READ_US]`: agents `s0001`... that allow FILE, and keep their
//! records below SPOOL; every operation takes READ_US (20,000). Prints `ready` when all of them
//! wait for orders. On stdin, the line `hold` makes all disks hang, `go` lets them go on; its end
//! ends the swarm.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use engine::simulated::{DeviceModel, LatencyNoise, Medium, Ssd};
use engine::{SimulatedDevice, StopSignal};
use fleet::NatsServer;
use fleet::agent::{AgentSettings, serve};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

const USAGE: &str = "swarm URL COUNT FILE SPOOL [READ_US]";
/// An operation, unless it is said: 50 of them a second cost a host little.
const READ_US: u64 = 20_000;
/// An agent's stack; nothing in it is deep.
const STACK: usize = 1 << 20;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [url, count, file, spool, rest @ ..] = args.as_slice() else {
        eprintln!("{USAGE}");
        std::process::exit(2);
    };
    let count: usize = count.parse().expect(USAGE);
    let read_us = rest.first().map_or(READ_US, |text| text.parse().expect(USAGE));
    let (file, spool) = (PathBuf::from(file), PathBuf::from(spool));
    let capacity = std::fs::metadata(&file).expect("the file that agents allow").len();
    allow_many_files();
    let devices: Vec<SimulatedDevice> =
        (0..count).map(|number| device(capacity, read_us, number as u64)).collect();
    let stop = StopSignal::default();
    let (ready, is_ready) = mpsc::channel();
    let agents: Vec<JoinHandle<()>> = devices
        .iter()
        .enumerate()
        .map(|(number, device)| {
            let settings = AgentSettings {
                server: NatsServer { url: url.clone(), ..NatsServer::default() },
                name: format!("s{:04}", number + 1).parse().expect("a name"),
                labels: Vec::new(),
                allow: vec![file.clone()],
                read_only: true,
                spool: spool.clone(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                simulated: Some(device.clone()),
            };
            start(settings, stop.clone(), ready.clone())
        })
        .collect();
    // An agent that ends before it is ready takes its sender with it.
    drop(ready);
    let waiting = is_ready.iter().take(count).count();
    assert_eq!(waiting, count, "only {waiting} of {count} agents are ready");
    println!("ready");
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let held = match line.trim() {
            "hold" => true,
            "go" => false,
            other => panic!("'{other}' is neither hold nor go"),
        };
        devices.iter().for_each(|device| device.hold(held));
    }
    devices.iter().for_each(|device| device.hold(false));
    stop.raise();
    for agent in agents {
        agent.join().expect("an agent");
    }
}

/// Starts one agent on a thread of its own.
fn start(settings: AgentSettings, stop: StopSignal, ready: Sender<()>) -> JoinHandle<()> {
    let name = settings.name.to_string();
    let serving = move || {
        let (of, mut waits) = (settings.name.clone(), false);
        let served = serve(&settings, &stop, &mut |words| {
            if !waits && words.ends_with("is ready") {
                waits = true;
                // The counter may have given up.
                let _ = ready.send(());
            } else if !words.starts_with("run ") {
                eprintln!("{of}: {words}");
            }
        });
        if let Err(error) = served {
            eprintln!("{}: {error}", settings.name);
        }
    };
    thread::Builder::new().name(name).stack_size(STACK).spawn(serving).expect("a thread")
}

/// A server with one operation at a time, alike for all but in its noise.
fn device(capacity: u64, read_us: u64, seed: u64) -> SimulatedDevice {
    let service_ns = read_us * 1000;
    let medium = Medium::Ssd(Ssd {
        channels: 1,
        read_ns: service_ns,
        write_ns: service_ns,
        bytes_per_second: 1e12,
        flush_ns: service_ns,
        ..Ssd::FLASH
    });
    let noise = LatencyNoise::LogNormal(0.2);
    let law = DeviceModel { noise, ..DeviceModel::new(capacity, medium) };
    SimulatedDevice::new(law, seed + 1).in_real_time()
}

/// Every agent has some ten descriptors, and the usual limit is 1024.
fn allow_many_files() {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    setrlimit(Resource::Nofile, raised).expect("as many open files as the system lets us have");
}
