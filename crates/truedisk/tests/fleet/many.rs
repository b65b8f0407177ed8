//! Many hosts, of which some die at every stage of a run, a server that is restarted, and a
//! coordinator that stops for a while: agents of this process, each over a simulated disk.
//!
//! `FLEET_MANY=1000 cargo test -p truedisk --test fleet many -- --nocapture --test-threads 1`
//! takes a thousand hosts, stage after stage; without it there are fewer.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead as _, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ::fleet::agent::{AgentSettings, SimulatedAgents, simulate_disk};
use engine::SimulatedDevice;
use engine::simulated::{DeviceModel, LatencyNoise, Medium, Ssd};
use lab::{NatsServer, Need, Scratch, skip_unless};
use record::Record;
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, setrlimit};
use units::{Bytes, Nanos};

use super::failures::check_sums;
use crate::support::agent_hosts::{PROGRAM, wait};
use crate::support::beside;
use crate::support::local_agents::{Agent, Raw, fleet};

/// Set to the number of hosts.
const HOSTS: &str = "FLEET_MANY";
const FEW_HOSTS: usize = 20;
/// One host in ten dies.
const KILLED_OF: usize = 10;
const FILE_BYTES: u64 = 64 << 20;
const READ: Nanos = Nanos::millis(200);
/// Until a stage begins, and until a run is over.
const LIMIT: Duration = Duration::from_secs(300);
/// How long a link is down.
const CUT: Duration = Duration::from_secs(10);
/// Silence by which a host is lost, and more.
const STALL: Duration = Duration::from_millis(7_500);

/// Where a run is, by the first state of a host that says so.
#[derive(Debug, Clone, Copy)]
enum Stage {
    Examined,
    Armed,
    Measuring,
    Measured,
}

impl Stage {
    const ALL: [Stage; 4] = [Stage::Examined, Stage::Armed, Stage::Measuring, Stage::Measured];

    /// What a message of that stage has in it.
    const fn words(self) -> &'static str {
        match self {
            Stage::Examined => "\"phase\":{\"examined\"",
            Stage::Armed => "\"phase\":{\"armed\"",
            Stage::Measuring => "\"phase\":{\"measuring\"",
            Stage::Measured => "\"phase\":{\"measured\"",
        }
    }
}

/// A fleet on a server of its own, and a coordinator that measures with all of it.
struct Field {
    agents: SimulatedAgents,
    server: NatsServer,
    scratch: Scratch,
    hosts: usize,
}

impl Field {
    fn start(hosts: usize) -> Field {
        Field::start_on(hosts, |seed| simulate_disk(Bytes(FILE_BYTES), READ, 0.1, seed))
    }

    fn start_on(hosts: usize, disk: fn(u64) -> SimulatedDevice) -> Field {
        allow_many_files();
        let scratch = Scratch::new().unwrap();
        let file = scratch.path().join("disk");
        std::fs::write(&file, vec![7; FILE_BYTES as usize]).unwrap();
        let server = NatsServer::options().jetstream().start().unwrap();
        let disks: Vec<_> = (1..=hosts as u64).map(disk).collect();
        let settings = settings("s", server.url(), scratch.path());
        let agents = SimulatedAgents::start(&settings, &disks, |_| ()).unwrap();
        Field { agents, server, scratch, hosts }
    }

    /// More hosts, on the other side of a link.
    fn start_behind(&mut self, link: &Link, hosts: usize) -> SimulatedAgents {
        let disk = |seed| simulate_disk(Bytes(FILE_BYTES), READ, 0.1, 1 << 20 | seed);
        let disks: Vec<_> = (1..=hosts as u64).map(disk).collect();
        let settings = settings("behind", link.url(), self.scratch.path());
        self.hosts += hosts;
        SimulatedAgents::start(&settings, &disks, |_| ()).unwrap()
    }

    /// Relays of their own processes, on the same server.
    fn start_relays(&self, count: usize) -> Vec<Agent> {
        let start = |number: usize| {
            let (name, url) = (format!("relay{number}"), self.server.url());
            let mut command = Command::new(PROGRAM);
            command.args(["agent", "--relay", "--name", &name, "--nats", &url]);
            command.stdin(Stdio::null()).stdout(Stdio::null());
            Agent::spawn(self.scratch.path(), &name, command)
        };
        (0..count).map(start).collect()
    }

    /// A sweep of one cell, with one operation outstanding on each host.
    fn measure(&self, time: &str) -> Going {
        self.measure_with(time, ["--span", "shared"])
    }

    fn measure_with(&self, time: &str, option: [&str; 2]) -> Going {
        let (url, depth) = (self.server.url(), self.hosts.to_string());
        let record = self.scratch.path().join("run.json");
        let cell = ["sweep", "--rw", "randread", "--bs", "4k", "--depth", &depth, "--read-only"];
        // A thousand hosts take some of the budget before they measure.
        let budget = if std::env::var_os(HOSTS).is_some() { "5m" } else { time };
        let times = ["--precision", "0.1%", "--cell-max", time, "--budget", budget];
        let (begin, end) = (["--nats", &url], ["--quiet", "--seed", "7", "--no-history", "--json"]);
        let mut command = fleet(&[&begin[..], &option, &cell, &times, &end].concat());
        command.arg(&record).arg(self.scratch.path().join("disk"));
        let talk = File::create(self.scratch.path().join("talk")).unwrap();
        let child = command.stdout(Stdio::null()).stderr(talk).spawn().unwrap();
        Going { child, record, begun: Instant::now() }
    }

    /// What a listener hears until a host is at a stage.
    fn wait_for(&self, stage: Stage, listener: &mut Raw) {
        while !self.hear(listener).1.contains(stage.words()) {}
    }

    /// The next state of a host: its subject and its text.
    fn hear(&self, listener: &mut Raw) -> (String, String) {
        assert!(listener.stream.fill_buf().is_ok(), "no host says anything: {}", self.read_talk());
        let (subject, message) = listener.message_with_subject();
        (subject, String::from_utf8_lossy(&message).into_owned())
    }

    /// Until each host has told a second time how far it is: no order is under way any more, and
    /// the coordinator reads states.
    fn wait_until_all_measure(&self, listener: &mut Raw) {
        let (mut once, mut twice) = (HashSet::new(), HashSet::new());
        while twice.len() < self.hosts {
            let (subject, state) = self.hear(listener);
            if state.contains("\"live\":{") && !once.insert(subject.clone()) {
                twice.insert(subject);
            }
        }
    }

    fn read_talk(&self) -> String {
        std::fs::read_to_string(self.scratch.path().join("talk")).unwrap()
    }
}

fn settings(name: &str, url: String, folder: &Path) -> AgentSettings {
    AgentSettings {
        server: ::fleet::NatsServer { url, ..Default::default() },
        name: name.parse().unwrap(),
        labels: Vec::new(),
        allow: vec![folder.join("disk")],
        read_only: true,
        spool: folder.join("spool"),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        simulated: None,
    }
}

fn count_hosts() -> usize {
    std::env::var(HOSTS).map_or(FEW_HOSTS, |hosts| hosts.parse().unwrap())
}

/// A way to the server that can be cut: what is sent meanwhile comes later, as TCP does it.
struct Link {
    listener: TcpListener,
    is_cut: Arc<AtomicBool>,
}

impl Link {
    fn to(server: &NatsServer) -> Link {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let is_cut = Arc::new(AtomicBool::new(false));
        let (accepting, cut) = (listener.try_clone().unwrap(), is_cut.clone());
        let server = server.url().trim_start_matches("nats://").to_owned();
        std::thread::spawn(move || {
            for near in accepting.incoming().map_while(Result::ok) {
                let Ok(far) = TcpStream::connect(&server) else { continue };
                for (from, to) in [(&near, &far), (&far, &near)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let cut = cut.clone();
                    std::thread::spawn(move || carry(from, to, &cut));
                }
            }
        });
        Link { listener, is_cut }
    }

    fn url(&self) -> String {
        format!("nats://{}", self.listener.local_addr().unwrap())
    }

    fn cut_for(&self, time: Duration) {
        self.is_cut.store(true, Ordering::SeqCst);
        // sleeps because that is how long the link is down
        std::thread::sleep(time);
        self.is_cut.store(false, Ordering::SeqCst);
    }
}

/// One direction of a connection, until it ends.
fn carry(mut from: TcpStream, mut to: TcpStream, is_cut: &AtomicBool) {
    let mut buffer = [0; 1 << 16];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        while is_cut.load(Ordering::SeqCst) {
            // sleeps because nothing passes
            std::thread::sleep(Duration::from_millis(20));
        }
        if to.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

/// A coordinator at work; killed on drop.
struct Going {
    child: Child,
    record: std::path::PathBuf,
    begun: Instant,
}

impl Going {
    fn end(mut self) -> (Option<i32>, Record) {
        let mut status = None;
        wait(LIMIT, "the run ends", || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        (status.unwrap().code(), read_record(&self.record))
    }
}

impl Drop for Going {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_record(path: &Path) -> Record {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Every agent has some ten descriptors, and the usual limit is 1024.
fn allow_many_files() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).unwrap();
}

/// Kills a tenth of the hosts at a stage; with the last stage the server is restarted, too.
fn check_stage(stage: Stage, hosts: usize, restarts: bool) -> String {
    let mut field = Field::start(hosts);
    let mut listener = Raw::new(&field.server);
    listener.send("SUB truedisk.v1.run.*.progress.*.* 1\r\n");
    let going = field.measure("3s");
    let killed = hosts / KILLED_OF;
    field.wait_for(stage, &mut listener);
    // The coordinator has not heard of all of them yet.
    (0..killed).for_each(|place| field.agents.kill(place * KILLED_OF));
    if restarts {
        field.server.restart(None).unwrap();
    }
    let begun = going.begun;
    let (status, record) = going.end();
    let what = format!("{stage:?}, {hosts} hosts, restarted: {restarts}");
    check_sums(&record, &what);
    let fleet = record.measured.fleet.as_ref().unwrap();
    assert_eq!(fleet.hosts.len(), hosts, "{what}");
    let without = fleet.hosts.iter().filter(|host| host.record.is_none());
    let without: Vec<&str> = without.map(|host| host.name.as_str()).collect();
    let expected: Vec<String> =
        (0..killed).map(|place| format!("s{:04}", place * KILLED_OF + 1)).collect();
    assert_eq!(without, expected, "{what}: no record of their own: those that were killed");
    let degraded = &record.judgement_or_default().degraded;
    assert!(!degraded.is_empty(), "{what}: degraded, and not marked");
    let whole = fleet.cells.iter().filter(|met| fleet.missing_hosts(met).is_empty()).count();
    let is_whole = whole == fleet.cells.len();
    assert_eq!(status, Some(i32::from(!is_whole)), "{what}");
    format!(
        "{what}: status {status:?}, {} cells, {whole} of them whole, {:.1} s",
        fleet.cells.len(),
        begun.elapsed().as_secs_f64()
    )
}

#[test]
fn a_tenth_of_the_hosts_dies_at_each_stage_and_the_figures_are_those_of_the_others() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let cases = Stage::ALL.into_iter().zip([false, false, true, false]);
    let asked = std::env::var(HOSTS).ok().map(|hosts| hosts.parse().unwrap());
    if let Some(hosts) = asked {
        cases.for_each(|(stage, restarts)| println!("{}", check_stage(stage, hosts, restarts)));
        return;
    }
    std::thread::scope(|scope| {
        for (stage, restarts) in cases {
            scope.spawn(move || println!("{}", check_stage(stage, FEW_HOSTS, restarts)));
        }
    });
}

#[test]
fn a_coordinator_that_reads_nothing_for_longer_than_hosts_may_be_silent_loses_none() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let field = Field::start(8);
    let mut listener = Raw::new(&field.server);
    listener.send("SUB truedisk.v1.run.*.progress.*.* 1\r\n");
    // The first pause, and what a busy machine takes before it, are part of this time.
    let going = field.measure("25s");
    let coordinator = Pid::from_child(&going.child);
    let pause = || {
        kill_process(coordinator, Signal::STOP).unwrap();
        // sleeps because that is how long it reads nothing
        std::thread::sleep(STALL);
        kill_process(coordinator, Signal::CONT).unwrap();
    };
    field.wait_for(Stage::Armed, &mut listener);
    pause();
    field.wait_until_all_measure(&mut listener);
    pause();
    let (status, record) = going.end();
    let fleet = record.measured.fleet.as_ref().unwrap();
    let lost: Vec<_> = fleet.hosts.iter().filter_map(|host| host.lost.as_ref()).collect();
    assert_eq!((status, lost.len()), (Some(0), 0), "{lost:?}");
    let late = fleet.late.expect("a coordinator that was late");
    assert!(late > Nanos::secs(5), "{late:?}");
    let meaning = &record.judgement_or_default().verdict.as_ref().unwrap().meaning;
    assert!(meaning.iter().any(|words| words.id() == "fleet-late"), "{meaning:?}");
}

/// What came of a run that is to lose nothing.
fn check_whole(field: &Field, going: Going) -> Record {
    let (status, record) = going.end();
    let fleet = record.measured.fleet.as_ref().unwrap();
    let lost: Vec<_> = fleet.hosts.iter().filter_map(|host| host.lost.as_ref()).collect();
    assert_eq!((status, lost.len()), (Some(0), 0), "{lost:?}: {}", field.read_talk());
    assert!(record.judgement_or_default().degraded.is_empty());
    assert!(fleet.cells.iter().all(|met| met.hosts.len() == field.hosts));
    check_sums(&record, "with relays");
    record
}

/// The relays that took part, and whether they were lost.
fn list_relays(record: &Record) -> Vec<(&str, bool)> {
    let relays = record.measured.fleet.as_ref().unwrap().relays.iter();
    relays.map(|relay| (relay.name.as_str(), relay.lost_at.is_some())).collect()
}

#[test]
fn relays_carry_states_and_clocks_and_their_loss_loses_no_host() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let field = Field::start(count_hosts());
    let mut relays = field.start_relays(2);
    let record = check_whole(&field, field.measure("3s"));
    assert_eq!(list_relays(&record), [("relay0", false), ("relay1", false)]);
    // One processor has one clock, whatever it is read through.
    for host in &record.measured.fleet.as_ref().unwrap().hosts {
        let clock = host.clock.expect("a clock that was measured");
        assert!(clock.offset_ns.unsigned_abs() <= clock.error.0, "{}: {clock:?}", host.name);
        assert!(clock.pings >= 60, "{}: {clock:?}", host.name);
    }
    for stage in [Stage::Measuring, Stage::Armed] {
        // One that hears nothing of the run before.
        let mut listener = Raw::new(&field.server);
        listener.send("SUB truedisk.v1.run.*.progress.*.* 1\r\n");
        let going = field.measure("4s");
        field.wait_for(stage, &mut listener);
        drop(relays.pop());
        let record = check_whole(&field, going);
        let said = field.read_talk();
        let name = format!("relay{}", relays.len());
        assert!(said.contains("relays were lost") && said.contains(&name), "{said}");
        let lost = list_relays(&record).into_iter().filter(|(_, is_lost)| *is_lost);
        assert_eq!(lost.collect::<Vec<_>>(), [(name.as_str(), true)]);
        let meaning = &record.judgement_or_default().verdict.as_ref().unwrap().meaning;
        assert!(meaning.iter().any(|words| words.id() == "fleet-relays-lost"), "{meaning:?}");
    }
    // None is there any more.
    assert_eq!(list_relays(&check_whole(&field, field.measure("1s"))), []);
}

/// On its virtual clock: what it serves depends on nothing but the requests.
fn simulate_exact_disk(seed: u64) -> SimulatedDevice {
    let noise = LatencyNoise::LogNormal(0.3);
    let model = DeviceModel { noise, ..DeviceModel::new(FILE_BYTES, Medium::Ssd(Ssd::FLASH)) };
    SimulatedDevice::new(model, seed)
}

/// All that was counted, with each histogram: of each host, and added up. Rates of all hosts
/// together are over the time from the first start to the last end, which no two runs share.
fn list_figures(record: &Record) -> Vec<String> {
    let fleet = record.measured.fleet.as_ref().unwrap();
    let totals = record.measured.cells.iter().map(|cell| {
        let read = cell.totals.read.as_ref().unwrap();
        let latency = serde_json::to_string(&read.latency_ns).unwrap();
        format!("{}: {} operations, {}, {latency}", cell.name, read.ops, read.bytes)
    });
    let of_hosts = fleet.hosts.iter().flat_map(|host| {
        host.cells.iter().map(|part| {
            let totals = serde_json::to_string(&part.cell.totals).unwrap();
            format!("{}, {}: {totals}", host.name, part.cell.name)
        })
    });
    totals.chain(of_hosts).collect()
}

#[test]
fn figures_are_the_same_with_and_without_relays() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let measure = |relays: usize| {
        let field = Field::start_on(FEW_HOSTS, simulate_exact_disk);
        let _relays = field.start_relays(relays);
        let record = check_whole(&field, field.measure("1s"));
        assert_eq!(list_relays(&record).len(), relays);
        list_figures(&record)
    };
    let alone = measure(0);
    assert!(alone.len() > FEW_HOSTS && alone[0].contains("histogram"), "{}", alone[0]);
    for relays in [1, 8] {
        let relayed = measure(relays);
        assert_eq!(relayed.len(), alone.len());
        for (relayed, alone) in relayed.iter().zip(&alone) {
            assert_eq!(relayed, alone, "{relays} relays");
        }
    }
}

#[test]
fn a_link_that_is_cut_costs_the_hosts_behind_it_and_no_figure_of_the_others() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let behind = count_hosts() / KILLED_OF;
    let mut field = Field::start(count_hosts() - behind);
    let link = Link::to(&field.server);
    let _agents = field.start_behind(&link, behind);
    let mut listener = Raw::new(&field.server);
    listener.send("SUB truedisk.v1.run.*.progress.*.* 1\r\n");
    let going = field.measure("15s");
    field.wait_until_all_measure(&mut listener);
    link.cut_for(CUT);
    let (status, record) = going.end();
    check_sums(&record, "a cut link");
    let fleet = record.measured.fleet.as_ref().unwrap();
    let (lost, left): (Vec<_>, Vec<_>) = fleet.hosts.iter().partition(|host| host.lost.is_some());
    assert_eq!((status, lost.len(), left.len()), (Some(1), behind, field.hosts - behind));
    for host in lost {
        let reason = &host.lost.as_ref().unwrap().reason;
        assert!(host.name.starts_with("behind"), "{}: {}", host.name, reason.text());
        assert_eq!(reason.id(), "reason-host-silent", "{}", host.name);
        // It went on by itself, and is back with what it measured.
        assert!(host.record.is_some(), "{}: {}", host.name, field.read_talk());
    }
    assert!(left.iter().all(|host| host.record.is_some()), "{}", field.read_talk());
    assert!(!record.judgement_or_default().degraded.is_empty());
}

#[test]
fn a_relay_that_a_wave_lost_is_not_asked_by_the_next() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let field = Field::start(4);
    let relays = field.start_relays(1);
    let mut listener = Raw::new(&field.server);
    listener.send("SUB truedisk.v1.run.*.progress.*.* 1\r\n");
    let going = field.measure_with("4s", ["--at-most", "2"]);
    field.wait_for(Stage::Measuring, &mut listener);
    drop(relays);
    let (status, record) = going.end();
    let said = field.read_talk();
    assert_eq!(status, Some(0), "{said}");
    assert_eq!(record.measured.fleet.as_ref().unwrap().waves.as_ref().unwrap().begun.len(), 2);
    assert_eq!(list_relays(&record), [("relay0", true)]);
    assert_eq!(said.matches("relays were lost").count(), 1, "{said}");
}
