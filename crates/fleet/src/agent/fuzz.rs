//! Orders of anybody, as an agent reads and obeys them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use engine::simulated::{DeviceModel, Medium, Ssd};
use engine::{SimulatedDevice, StopSignal};
use method::{HostSession, LayoutBudget, SilentObserver};
use record::{CellRole, FleetSpan, Plan};
use target::{PathHandle, Roots};
use units::{Bytes, Depth, Nanos, Seed};
use workload::{Job, Span, Stop};

use super::*;
use crate::message::{
    BeginJobs, BeginRun, FetchItem, RunMembers, SentOrder, StopCause, decode, encode,
};
use crate::name::RunName;
use crate::spool::START_TURN;
use crate::testing::fuzz;

const SIZE: Bytes = Bytes::mib(16);
/// Cells that one station measures before there is another.
const CELLS: usize = 200;

fn ours() -> Version {
    Version::current("1.0")
}

fn run() -> RunName {
    "r1".parse().unwrap()
}

fn plan() -> Plan {
    record::fixture::ssd_record().measured.plan
}

fn begin(path: &Path) -> BeginRun {
    BeginRun {
        run: run(),
        path: path.to_owned(),
        size: Some(SIZE),
        read_only: true,
        destroy: None,
        seed: Seed(7),
        command: record::CommandLine::new(["truedisk", "fleet"]),
        setting: LayoutBudget {
            block_sizes: vec![Bytes::kib(4)],
            size: SIZE,
            layout: Nanos::secs(1),
            budget: Nanos::secs(10),
            measures_writes: false,
            known_writes: None,
            name: None,
        },
        plan: plan(),
        profile: None,
        stop_on: None,
        sharing: FleetSpan::Shared,
        members: RunMembers {
            count: 9,
            names: vec!["a".parse().unwrap(), "b".parse().unwrap()],
            group: 0,
        },
    }
}

fn job() -> Job {
    Job {
        name: "cell".to_owned(),
        span: Span { offset: Bytes(0), length: SIZE },
        stop: Stop::after(Nanos::millis(10)),
        depth: Depth(2),
        ..Job::base()
    }
}

fn orders(path: &Path) -> Vec<Order> {
    vec![
        Order::Ping,
        Order::Begin(Box::new(begin(path))),
        Order::BeginJobs(Box::new(BeginJobs {
            run: run(),
            jobs: serde_json::from_str(crate::testing::JOBS).unwrap(),
            read_only: true,
            destroy: None,
            fresh: Seed(7),
            members: RunMembers { count: 1, names: vec!["a".parse().unwrap()], group: 0 },
        })),
        Order::Prepare { run: run() },
        Order::Arm { run: run(), turn: 3, role: CellRole::Probe, jobs: vec![job(), job()] },
        Order::Go { run: run(), turn: 3, at_ns: 77, error: Nanos(1) },
        Order::Go { run: run(), turn: START_TURN, at_ns: 77, error: Nanos(1) },
        Order::Cut { run: run(), turn: 3 },
        Order::Fetch { run: run(), what: FetchItem::Cells { turn: 3 }, piece: 0 },
        Order::Fetch { run: run(), what: FetchItem::Record, piece: 1 },
        Order::Finish { run: run(), plan: Box::new(plan()) },
        Order::Stop { run: Some(run()), cause: StopCause::Coordinator },
        Order::Acknowledge { run: run() },
    ]
}

fn seed(instance: u64, number: u64, order: Order) -> Vec<u8> {
    encode(&ours(), &SentOrder { instance, session: 1, number, order }).unwrap()
}

fn device() -> SimulatedDevice {
    let medium = Medium::Ssd(Ssd { ..Ssd::FLASH });
    SimulatedDevice::new(DeviceModel::new(SIZE.0, medium), 1)
}

/// A room with a file that may be measured.
fn scratch_with_file() -> (tempfile::TempDir, PathBuf) {
    let room = tempfile::tempdir_in("/var/tmp").unwrap();
    let data = room.path().join("data");
    std::fs::create_dir(&data).unwrap();
    let file = data.join("file");
    std::fs::write(&file, vec![1; SIZE.0 as usize]).unwrap();
    (room, std::fs::canonicalize(file).unwrap())
}

/// The whole way of an order to an agent that writes nothing: read, looked at, and obeyed.
#[test]
fn fuzz_orders() {
    let (room, file) = scratch_with_file();
    let settings = AgentSettings {
        server: NatsServer::default(),
        name: "a".parse().unwrap(),
        labels: Vec::new(),
        allow: vec![room.path().join("data")],
        read_only: true,
        spool: room.path().join("spool"),
        version: "1.0".to_owned(),
        simulated: Some(device()),
    };
    let allowed = AllowList::new(&settings.allow, true).unwrap();
    let spool = Spool::open(&settings.spool, &settings.name).unwrap();
    let mut host = Host::new(&settings, allowed, spool).unwrap();
    let seeds: Vec<Vec<u8>> = (1..)
        .zip(orders(&file))
        .map(|(number, order)| seed(host.agent_info().instance, number, order))
        .collect();
    let (mut done, mut replayed) = (0_u64, 0_u64);
    fuzz("orders", &seeds, &mut |_, bytes| {
        let Ok(SentOrder { order, session, number, instance }) = decode(&ours(), bytes) else {
            return;
        };
        if order.find_violation().is_some() {
            return;
        }
        let sent = SentOrder { order: order.clone(), session, number, instance };
        if host.find_replay(&sent).is_some() {
            replayed += 1;
            return;
        }
        done += 1;
        let of_jobs = matches!(order, Order::BeginJobs(_));
        let (reply, piece) = host.execute(order);
        message::encode_with_piece(&ours(), &reply, &piece).unwrap();
        let _ = (host.run_state(), host.check_run(), host.agent_info());
        if of_jobs {
            // Looked at, and not run: they may take what memory a host lends, which is all of ours.
            host.end_run("enough was seen");
        }
    });
    assert!(done > 0 && replayed > 0, "{done} done, {replayed} refused as old");
    host.end_run("the fuzzer is done");
    let until = Instant::now() + Duration::from_secs(60);
    while host.is_busy() {
        assert!(Instant::now() < until, "it does not end");
        std::thread::yield_now();
    }
    assert!(std::fs::read(&file).unwrap().iter().all(|byte| *byte == 1), "nothing was written");
}

/// Jobs of anybody, made ready on a station that is there, and ended at once.
#[test]
fn fuzz_jobs() {
    let (_room, file) = scratch_with_file();
    let (roots, stop) = (Roots::host(), StopSignal::default());
    let begin = begin(&file);
    let seeds: Vec<Vec<u8>> = [job(), Job { depth: Depth(64), ..job() }]
        .iter()
        .map(|job| serde_json::to_vec(&vec![job]).unwrap())
        .collect();
    let set = || {
        // The host lives as long as the test.
        let watch: &'static mut SilentObserver = Box::leak(Box::new(SilentObserver));
        let (ask, target) = (begin.measure_request("1.0"), PathHandle::open(&file).unwrap());
        let station =
            HostSession::prepare(&ask, &target, &begin.setting, &roots, &stop, watch).unwrap();
        station.with_simulated_device(device())
    };
    let (mut station, mut cells) = (set(), 0);
    fuzz("jobs", &seeds, &mut |_, bytes| {
        let Ok(mut jobs) = serde_json::from_slice::<Vec<Job>>(bytes) else { return };
        if jobs.len() > 2 {
            return;
        }
        for job in &mut jobs {
            cells += 1;
            job.name = format!("{} {cells}", job.name);
        }
        let (ended, start) =
            (StopSignal::default(), &mut |clock: &engine::Clock| Some(clock.now()));
        ended.raise();
        let _ = station.measure(&jobs, CellRole::Main, &ended, start, &mut |_| ());
        if cells % CELLS == 0 {
            station = set();
        }
    });
}
