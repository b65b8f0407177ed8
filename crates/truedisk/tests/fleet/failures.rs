//! Whatever fails, whenever it does: the run ends as it should, nothing measured is lost, and
//! nothing is left on the hosts that live.
//!
//! `FLEET_FAILURES=50 cargo test -p truedisk --test fleet failures -- --nocapture` makes fifty
//! runs; without it there is a short selection.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use lab::{Hosts, NatsServer, Need, skip_unless};
use record::Record;

use crate::support::agent_hosts::{AgentHosts, wait};
use crate::support::beside;

/// Set to the number of runs.
const RUNS: &str = "FLEET_FAILURES";
/// Hosts of a run; the last is the victim.
const HOSTS: u8 = 3;
const VICTIM: usize = HOSTS as usize - 1;
/// The cell of a run.
const CELL: Duration = Duration::from_secs(3);
/// What a run may take beyond its cell, whatever happens.
const HANG: Duration = Duration::from_secs(30);
/// How long a link is down.
const DOWN: Duration = Duration::from_secs(20);
/// How long a link is down in a run that goes on after that, and the cell of that run.
const CUT: Duration = Duration::from_secs(10);
const CUT_CELL: Duration = Duration::from_secs(14);
/// Fields that run at the same time.
const AT_ONCE: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Agent,
    Link,
    Server,
    Coordinator,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    Preparing,
    Start,
    Middle,
    End,
}

/// One run; `jitter` moves the moment a little.
#[derive(Debug, Clone, Copy)]
struct Case {
    what: Fault,
    when: When,
    jitter: Duration,
}

fn cases() -> Vec<Case> {
    let whats = [Fault::Agent, Fault::Link, Fault::Server, Fault::Coordinator];
    let whens = [When::Preparing, When::Start, When::Middle, When::End];
    let case = |what, when, round: usize| Case {
        what,
        when,
        jitter: Duration::from_millis(70) * round as u32,
    };
    let Some(runs) = std::env::var(RUNS).ok().and_then(|runs| runs.parse::<usize>().ok()) else {
        return vec![
            case(Fault::Agent, When::Middle, 0),
            case(Fault::Agent, When::Preparing, 0),
            case(Fault::Server, When::Middle, 0),
            case(Fault::Coordinator, When::Start, 0),
        ];
    };
    let all = whens.iter().flat_map(|when| whats.iter().map(move |what| (*what, *when)));
    let all: Vec<(Fault, When)> = all.collect();
    (0..runs).map(|n| case(all[n % 16].0, all[n % 16].1, n / 16)).collect()
}

/// A coordinator at work; killed on drop.
struct Run {
    child: Child,
    talk: PathBuf,
    record: PathBuf,
    begun: Instant,
}

impl Run {
    fn start(field: &AgentHosts, cell: Duration) -> Run {
        let (talk, record) = (field.room.path().join("talk"), field.room.path().join("run.json"));
        let (cell, data) = (format!("{}s", cell.as_secs()), field.data());
        let mut command = field.fleet([
            "sweep",
            "--rw",
            "randread",
            "--bs",
            "4k",
            "--depth",
            "6",
            "--size",
            "16m",
            "--precision",
            "0.1%",
            "--cell-max",
            &cell,
            "--budget",
            &cell,
            "--json",
            record.to_str().unwrap(),
            data.to_str().unwrap(),
        ]);
        command.stdout(Stdio::null()).stderr(File::create(&talk).unwrap());
        Run { child: command.spawn().unwrap(), talk, record, begun: Instant::now() }
    }

    fn read_output(&self) -> String {
        std::fs::read_to_string(&self.talk).unwrap()
    }

    /// The name under which agents know it.
    fn name(&self) -> Option<String> {
        let said = self.read_output();
        let (_, rest) = said.split_once("truedisk: run ")?;
        Some(rest.split_once(' ')?.0.to_owned())
    }

    /// Its exit status, when it ends in time.
    fn status(&mut self) -> i32 {
        let (mut status, limit) = (None, CELL + HANG);
        while status.is_none() {
            assert!(self.begun.elapsed() < limit, "it hangs: {}", self.read_output());
            // sleeps because the end of another process is looked for
            std::thread::sleep(Duration::from_millis(20));
            status = self.child.try_wait().unwrap();
        }
        status.and_then(|status| status.code()).unwrap_or(-1)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Our own files in a host's folder.
fn own_files(folder: &Path) -> usize {
    let listed = std::fs::read_dir(folder).unwrap().flatten();
    listed.filter(|entry| entry.file_name().to_string_lossy().starts_with(".truedisk")).count()
}

/// Bytes that a process has read from disks.
fn bytes_read(pid: u32) -> u64 {
    let io = std::fs::read_to_string(format!("/proc/{pid}/io")).unwrap_or_default();
    let line = io.lines().find_map(|line| line.strip_prefix("read_bytes: "));
    line.and_then(|bytes| bytes.parse().ok()).unwrap_or(0)
}

/// Waits for the moment, by what the first host does.
fn wait_for(case: Case, field: &AgentHosts) {
    let folder = field.data_of(0);
    wait(HANG, "a test file is laid out", || own_files(&folder) > 0);
    if case.when != When::Preparing {
        let pid = field.pid(0);
        let before = bytes_read(pid);
        wait(HANG, "reads begin", || bytes_read(pid) > before + (64 << 10));
    }
    let after = match case.when {
        When::Preparing | When::Start => Duration::ZERO,
        When::Middle => CELL / 2,
        When::End => CELL,
    };
    // sleeps because the moment is one of time
    std::thread::sleep(after + case.jitter);
}

/// Makes it fail, and looks what comes of it. A link comes up again meanwhile.
fn fail(
    case: Case,
    field: &mut AgentHosts,
    run: &mut Run,
    then: impl FnOnce(&AgentHosts, &mut Run),
) {
    match case.what {
        Fault::Agent => {
            field.kill(VICTIM);
            then(field, run);
        }
        Fault::Link => {
            field.hosts.disconnect_host(&field.hosts.hosts()[VICTIM]).unwrap();
            std::thread::scope(|scope| {
                let hosts = &field.hosts;
                scope.spawn(move || {
                    // sleeps because that is how long the link is down
                    std::thread::sleep(DOWN);
                    hosts.reconnect_host(&hosts.hosts()[VICTIM]).unwrap();
                });
                then(field, run);
            });
        }
        Fault::Server => {
            field.server.restart(Some(field.hosts.hub())).unwrap();
            then(field, run);
        }
        Fault::Coordinator => {
            run.child.kill().unwrap();
            run.child.wait().unwrap();
            then(field, run);
        }
    }
}

/// Fault a run over hosts must always hold: the total is that of those that gave, and who did not
/// is named.
fn check_record(record: &Record, what: &str) {
    let fleet = record.measured.fleet.as_ref().unwrap();
    assert_eq!(fleet.hosts.len(), usize::from(HOSTS), "{what}");
    let lost: Vec<_> = fleet.hosts.iter().filter(|host| host.lost.is_some()).collect();
    assert!(lost.iter().all(|host| host.name == format!("h{HOSTS}")), "{what}: {lost:?}");
    assert!(
        lost.is_empty() || !record.judgement_or_default().degraded.is_empty(),
        "{what}: degraded, and not marked"
    );
    check_sums(record, what);
    assert!(fleet.cells.iter().all(|met| met.hosts.contains(&"h1".to_owned())), "{what}");
}

/// Every total is that of the hosts in it, and is marked where one is not.
pub(super) fn check_sums(record: &Record, what: &str) {
    let fleet = record.measured.fleet.as_ref().unwrap();
    for cell in &record.measured.cells {
        let met = fleet.cell(&cell.name).unwrap();
        let parts: Vec<_> = fleet.host_cells(&cell.name).collect();
        let names: Vec<&str> = parts.iter().map(|(host, _)| host.name.as_str()).collect();
        assert_eq!(names, met.hosts, "{what}");
        let ops = |cell: &record::Cell| cell.totals.read.as_ref().map_or(0, |read| read.ops);
        let sum: u64 = parts.iter().map(|(_, part)| ops(&part.cell)).sum();
        assert_eq!(sum, ops(cell), "{what}: the total is that of the hosts in it");
        assert!(sum > 0, "{what}");
        let whole = names.len() == fleet.hosts.len();
        assert!(
            whole || !record.judgement_or_default().degraded.is_empty(),
            "{what}: not whole, and not marked"
        );
    }
    assert!(!record.measured.cells.is_empty(), "{what}");
}

/// Hosts that live have nothing of ours in their folders.
fn check_clean(case: Case, field: &AgentHosts) {
    let dead = (case.what == Fault::Agent).then_some(VICTIM);
    for index in (0..usize::from(HOSTS)).filter(|index| Some(*index) != dead) {
        let folder = field.data_of(index);
        let what = format!("{case:?}: host {index} has no test file; {}", field.read_output(index));
        wait(HANG, &what, || own_files(&folder) == 0);
    }
}

/// One run, and what it came to.
fn check(case: Case) -> String {
    let mut field = AgentHosts::new(Hosts::new(HOSTS).unwrap(), NatsServer::options().jetstream());
    let data = field.data();
    field.start_all(&data, None);
    let mut run = Run::start(&field, CELL);
    wait_for(case, &field);
    let name = run.name().unwrap();
    let failed = Instant::now();
    let mut outcome = String::new();
    fail(case, &mut field, &mut run, |field, run| {
        outcome = if case.what == Fault::Coordinator {
            check_collected(case, field, &name)
        } else {
            check_finished(case, run)
        };
        check_clean(case, field);
    });
    if case.what == Fault::Link && outcome.contains("was lost") {
        check_kept(case, &field, &name);
    }
    format!("{case:?}: {outcome}, {:.1} s after", failed.elapsed().as_secs_f64())
}

/// The coordinator lives: it ends in time, with a record.
fn check_finished(case: Case, run: &mut Run) -> String {
    let status = run.status();
    let what = format!("{case:?}: status {status}: {}", run.read_output());
    assert!([0, 1].contains(&status), "{what}");
    let text = std::fs::read_to_string(&run.record).unwrap_or_else(|_| panic!("{what}"));
    let record: Record = serde_json::from_str(&text).unwrap();
    check_record(&record, &what);
    let degraded = &record.judgement_or_default().degraded;
    assert!(degraded.is_empty() || status == 1, "degraded, and the status says well: {what}");
    format!("status {status}, {}", message::texts(degraded).join("; "))
}

/// The host was cut off and is back: what it measured by itself meanwhile is there to be had.
fn check_kept(case: Case, field: &AgentHosts, name: &str) {
    let over = format!("run {name} is over");
    wait(HANG, &format!("{case:?}: the lost host ends"), || {
        field.read_output(VICTIM).contains(&over)
    });
    if !field.read_output(VICTIM).contains("its record") {
        assert_eq!(case.when, When::Preparing, "it had measured: {}", field.read_output(VICTIM));
        return;
    }
    let kept = format!("h{HOSTS} keeps its record of run {name}");
    let what = format!("{case:?}: the record of the lost host can be fetched");
    wait(HANG, &what, || {
        let output = field.fleet(["list"]).output().unwrap();
        String::from_utf8_lossy(&output.stdout).contains(&kept)
    });
}

/// The coordinator is dead: the agents end by themselves, and another one gets what they have.
fn check_collected(case: Case, field: &AgentHosts, name: &str) -> String {
    for index in 0..usize::from(HOSTS) {
        let over = format!("run {name} is over");
        wait(CELL + HANG, &format!("{case:?}: host {index} ends"), || {
            field.read_output(index).contains(&over)
        });
    }
    let record = field.room.path().join("collected.json");
    let words = ["collect", name, "--json", record.to_str().unwrap()];
    let output = field.fleet(words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let kept = (0..usize::from(HOSTS)).all(|index| field.read_output(index).contains("its record"));
    if case.when == When::Preparing && !kept {
        // Nothing had been measured: there is nothing to be lost.
        return format!("status {:?}, nothing measured", output.status.code());
    }
    assert!(output.status.success(), "{case:?}: {said}");
    let record: Record = serde_json::from_str(&std::fs::read_to_string(&record).unwrap()).unwrap();
    let fleet = record.measured.fleet.as_ref().unwrap();
    assert!(fleet.hosts.iter().all(|host| host.record.is_some()), "{case:?}: no record is lost");
    assert!(
        !fleet.events.is_empty() || !record.judgement_or_default().degraded.is_empty(),
        "{case:?}: it says so"
    );
    format!("collected from {} hosts", fleet.hosts.len())
}

#[test]
fn whatever_fails_the_run_ends_as_it_should_and_loses_nothing() {
    skip_unless!(Need::NetworkNamespaces, Need::Program("nats-server"));
    let _beside = beside();
    let (cases, next, told) = (cases(), AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let line = check(*case);
                    println!("{line}");
                    told.lock().unwrap().push(line);
                }
            });
        }
    });
    assert_eq!(told.lock().unwrap().len(), cases.len());
}

#[test]
fn a_link_that_is_cut_for_ten_seconds_costs_its_host_and_no_figure_of_the_others() {
    skip_unless!(Need::NetworkNamespaces, Need::Program("nats-server"));
    let _beside = beside();
    let case = Case { what: Fault::Link, when: When::Start, jitter: Duration::ZERO };
    let mut field = AgentHosts::new(Hosts::new(HOSTS).unwrap(), NatsServer::options().jetstream());
    let data = field.data();
    field.start_all(&data, None);
    let mut run = Run::start(&field, CUT_CELL);
    wait_for(case, &field);
    let victim = &field.hosts.hosts()[VICTIM];
    field.hosts.disconnect_host(victim).unwrap();
    // sleeps because that is how long the link is down
    std::thread::sleep(CUT);
    field.hosts.reconnect_host(victim).unwrap();
    let status = run.status();
    let record: Record =
        serde_json::from_str(&std::fs::read_to_string(&run.record).unwrap()).unwrap();
    check_record(&record, "cut");
    let fleet = record.measured.fleet.as_ref().unwrap();
    let lost = fleet.hosts[VICTIM].lost.as_ref().expect("a host that was silent");
    assert_eq!((status, lost.reason.id()), (1, "reason-host-silent"), "{}", run.read_output());
    // Those that are left went on after its loss.
    let mut after = fleet.cells.iter().filter(|met| met.hosts == ["h1", "h2"]);
    let longest = |met: &record::FleetCell| met.last_done.length > units::Nanos::secs(3);
    assert!(after.any(longest), "{:?}", fleet.cells);
    check_clean(case, &field);
    // What it measured by itself is here, or on the host.
    if fleet.hosts[VICTIM].record.is_none() {
        check_kept(case, &field, &run.name().unwrap());
    }
}
