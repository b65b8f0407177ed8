//! Which of many disks is slow: agents of which each has a simulated disk of its own.

use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::thread::JoinHandle;

use ::fleet::agent::{AgentSettings, serve};
use engine::simulated::{DeviceModel, LatencyNoise, Medium, Ssd};
use engine::{SimulatedDevice, StopSignal};
use lab::{NatsServer, Need, Scratch, skip_unless};
use record::Record;

use crate::support::local_agents::fleet;
use crate::support::{beside, record_of};

const FILE_BYTES: u64 = 64 << 20;
const HOSTS: u64 = 6;
/// The host whose disk is slow, and how long its reads take.
const SLOW: u64 = 4;
const READ_NS: u64 = 1_000_000;
const SLOW_READ_NS: u64 = 1_600_000;

/// Agents `s1`, `s2` and so on, which end with it.
struct Agents {
    stop: StopSignal,
    threads: Vec<JoinHandle<()>>,
}

impl Agents {
    fn start(server: &NatsServer, file: &Path, spool: &Path) -> Self {
        let stop = StopSignal::default();
        let (ready, is_ready) = channel();
        let start = |number: u64| {
            let settings = AgentSettings {
                server: ::fleet::NatsServer { url: server.url(), ..Default::default() },
                name: format!("s{number}").parse().unwrap(),
                labels: Vec::new(),
                allow: vec![file.to_owned()],
                read_only: true,
                spool: spool.to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                simulated: Some(simulate_disk(number)),
            };
            let (stop, ready) = (stop.clone(), ready.clone());
            std::thread::spawn(move || {
                let mut tell = |words: &str| {
                    if words.ends_with("is ready") {
                        let _ = ready.send(());
                    }
                };
                serve(&settings, &stop, &mut tell).unwrap();
            })
        };
        let threads = (1..=HOSTS).map(start).collect();
        is_ready.iter().take(HOSTS as usize).for_each(drop);
        Self { stop, threads }
    }
}

impl Drop for Agents {
    fn drop(&mut self) {
        self.stop.raise();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// One request at a time, so that no host is held back by the processors of this one.
fn simulate_disk(number: u64) -> SimulatedDevice {
    let read_ns = if number == SLOW { SLOW_READ_NS } else { READ_NS };
    let medium = Medium::Ssd(Ssd { channels: 1, read_ns, bytes_per_second: 1e12, ..Ssd::FLASH });
    let noise = LatencyNoise::LogNormal(0.1);
    let law = DeviceModel { noise, ..DeviceModel::new(FILE_BYTES, medium) };
    SimulatedDevice::new(law, number).in_real_time()
}

#[test]
fn a_slow_disk_among_others_is_named_and_a_sample_says_of_how_many_it_is() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let scratch = Scratch::new().unwrap();
    let file: PathBuf = scratch.path().join("disk");
    std::fs::write(&file, vec![7; FILE_BYTES as usize]).unwrap();
    let server = NatsServer::start_on_loopback().unwrap();
    let url = server.url();
    let _agents = Agents::start(&server, &file, scratch.path());
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
    assert_eq!(named, [format!("s{SLOW}")], "{outliers:#?}");
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
