//! `sweep` as its user meets it: the whole way, killed half-way, and gone on with.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use lab::{LoopDevice, Need};
use record::{CellRole, Completion, FindingId, Record, Status, store};
use support::{alone, assert_clean, run, truedisk};

/// Longest that a test waits for a command.
const PATIENCE: Duration = Duration::from_secs(60);

fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/var/tmp").unwrap()
}

/// An existing file of 32 MiB, which is only read.
fn file(folder: &Path) -> PathBuf {
    let file = folder.join("data");
    let noise = |i: u32| (i.wrapping_mul(2_654_435_761) >> 24) as u8;
    std::fs::write(&file, (0..32 << 20).map(noise).collect::<Vec<u8>>()).unwrap();
    file
}

/// A sweep of six cells that keeps its record next to itself.
fn six(target: &Path, json: &Path) -> Command {
    let mut command = truedisk(["sweep", "--read-only", "--no-history", "--seed", "3"]);
    command.args(["--bs", "4k,16k,64k", "--depth", "1,4", "--cell-max", "300ms"]);
    command.args(["--budget", "10s", "--json"]).arg(json).arg(target);
    command
}

fn resume(partial: &Path, json: &Path) -> Command {
    let mut command = truedisk(["sweep", "--no-history", "--resume"]);
    command.arg(partial).arg("--json").arg(json);
    command
}

fn partial_in(folder: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    let is_partial = |path: &PathBuf| path.to_string_lossy().ends_with(".partial.json");
    let mut found = files.filter(|path| is_partial(path) && !is_hidden(path));
    found.next()
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

/// Begins a sweep and ends it with a signal once it has saved two cells.
fn interrupted(mut command: Command, folder: &Path, signal: &str) -> (PathBuf, Record, Output) {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    let has_two = || {
        let partial = partial_in(folder)?;
        (store::load_record(&partial).ok()?.measured.cells.len() >= 2).then_some(())
    };
    while has_two().is_none() {
        assert!(begun.elapsed() < PATIENCE, "nothing was saved");
        // sleeps because what is waited for is a file of another process
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args([signal, id.as_str()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let partial = partial_in(folder).unwrap();
    let record = store::load_record(&partial).unwrap();
    (partial, record, output)
}

#[track_caller]
fn refused(output: &Output, words: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains(words) && stderr.contains("hint:"), "{stderr}");
    assert!(output.stdout.is_empty());
}

/// The cells of the matrix that were measured, once or, where others disturbed one, again.
fn measured_cells(record: &Record) -> Vec<String> {
    // `randread-4k-qd4-2` is the second measurement of its cell.
    let name = |cell: &record::Cell| cell.name.split('-').take(3).collect::<Vec<_>>().join("-");
    let mut names: Vec<String> = record.measured.cells.iter().map(name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

const ALL: [&str; 6] = [
    "randread-16k-qd1",
    "randread-16k-qd4",
    "randread-4k-qd1",
    "randread-4k-qd4",
    "randread-64k-qd1",
    "randread-64k-qd4",
];

#[test]
fn a_sweep_that_was_killed_goes_on_where_it_was() {
    let _alone = alone();
    let folder = folder();
    let target = file(folder.path());
    let json = folder.path().join("out.json");
    let (partial, then, _) = interrupted(six(&target, &json), folder.path(), "-KILL");
    assert!(matches!(then.measured.completion, Completion::Partial { failed: false, .. }));
    assert!(
        !json.exists() && (2..6).contains(&then.measured.cells.len()),
        "{}",
        then.measured.cells.len()
    );

    let elsewhere = folder.path().join("other");
    std::fs::copy(&target, &elsewhere).unwrap();
    let mut other = resume(&partial, &json);
    other.arg(&elsewhere);
    refused(&run(other), "measured another target");
    std::fs::OpenOptions::new().append(true).open(&target).unwrap().set_len(40 << 20).unwrap();
    refused(&run(resume(&partial, &json)), "measured another target");
    std::fs::OpenOptions::new().append(true).open(&target).unwrap().set_len(32 << 20).unwrap();

    let output = run(resume(&partial, &json));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let whole = store::load_record(&json).unwrap();
    assert_eq!(whole.measured.completion, Completion::Complete);
    assert_eq!(measured_cells(&whole), ALL);
    let had = then.measured.cells.len();
    let measured = |record: &Record| -> Vec<_> {
        let cells = record.measured.cells.iter().take(had);
        cells.map(|cell| (cell.name.clone(), cell.started, cell.totals.clone())).collect()
    };
    assert_eq!(measured(&whole), measured(&then), "they are kept as they were");
    assert!(
        whole.measured.cells[had..]
            .iter()
            .all(|cell| cell.started > then.measured.cells[had - 1].started)
    );
    assert_eq!(
        (&whole.measured.id, &whole.measured.command, whole.measured.started),
        (&then.measured.id, &then.measured.command, then.measured.started)
    );
    assert_eq!(whole.measured.resumed.len(), 1);
    assert_eq!(whole.measured.resumed[0].cells, had as u64);
    let judgement = whole.judgement_or_default();
    // What others disturbed all the time supports no conclusion.
    let is_disturbed = judgement.finding(FindingId::Neighbour).unwrap().status >= Status::Warning;
    assert!(is_disturbed || judgement.two_limits.len() == 2, "{:#?}", judgement.two_limits);
    assert_eq!(partial_in(folder.path()), None, "it is not needed any more");
    refused(&run(resume(&json, &folder.path().join("other.json"))), "is complete");
}

#[test]
fn an_interrupted_sweep_says_how_to_go_on() {
    let _alone = alone();
    let folder = folder();
    let target = file(folder.path());
    let json = folder.path().join("out.json");
    let (partial, then, output) = interrupted(six(&target, &json), folder.path(), "-INT");
    assert_eq!(output.status.code(), Some(130));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains(&format!("--resume {}", partial.display())), "{stderr}");
    assert!(
        then.measured.cells.iter().all(|cell| cell.elapsed.as_secs_f64() > 0.25),
        "whole cells only"
    );
    let output = run(resume(&partial, &json));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(measured_cells(&store::load_record(&json).unwrap()), ALL);
}

#[test]
fn what_cannot_be_gone_on_with_is_said() {
    let _alone = alone();
    let folder = folder();
    let target = file(folder.path());
    let mut command = truedisk(["sweep", "--read-only", "--no-history", "--budget", "30s"]);
    let child = command.arg(&target).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // sleeps because nothing shows when signals are watched; it is far too short for twenty cells
    std::thread::sleep(Duration::from_secs(1));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", id.as_str()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.contains("nothing was saved that --resume could go on with"), "{stderr}");
}

#[test]
fn writes_beside_reads_are_measured_in_a_file_of_our_own() {
    let _alone = alone();
    let folder = folder();
    let json = folder.path().join("out.json");
    let mut command = truedisk(["sweep", "--interference", "--no-history", "--size", "32m"]);
    command.args(["--budget", "10s", "--cell-max", "300ms", "--json"]).arg(&json);
    let output = run({
        command.arg(folder.path());
        command
    });
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_clean(folder.path());
    let record = store::load_record(&json).unwrap();
    assert!(record.measured.cells.iter().all(|cell| cell.role == CellRole::Interference));
    let found = record.judgement_or_default().interference.as_ref().unwrap();
    let shares: Vec<f64> = found.points.iter().map(|p| (p.share * 100.0).round()).collect();
    assert_eq!(shares, [0.0, 10.0, 25.0, 50.0, 75.0, 100.0]);
    assert!(found.points[1..].iter().all(|point| point.writes.0 > 0.0), "{found:#?}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("beside random writes") && text.contains("100 %"), "{text}");
}

#[test]
fn contradictions_are_refused_with_what_and_why() {
    let folder = folder();
    let check = |args: &[&str], words: &str| {
        let mut command = truedisk(["sweep", "--no-history"]);
        refused(
            &run({
                command.args(args).arg(folder.path());
                command
            }),
            words,
        );
    };
    check(&["--mix", "70"], "no mix of them is asked");
    check(&["--budget", "5s"], "20 cells need at least");
    check(&["--depth", "1..4096", "--bs", "1m"], "at the same time need");
    check(&["--interference", "--depth", "1,2"], "takes one --depth");
    check(&["--bs", "1000", "--size", "16m"], "not a multiple of the sector");
    check(&["--resume", "/nonexistent"], "cannot read /nonexistent");
    assert_clean(folder.path());
}

/// `client-bound` relies on it: workers that wait while the queue is full slow nothing down.
#[test]
fn a_device_counts_no_more_requests_than_its_queue_takes() {
    lab::skip_unless!(Need::LoopDevices);
    let _guard = alone();
    let device = LoopDevice::options(64 << 20).attach().unwrap();
    let queue = Path::new("/sys/block").join(device.path().file_name().unwrap()).join("queue");
    let requests = std::fs::read_to_string(queue.join("nr_requests")).unwrap();
    let requests: u64 = requests.trim().parse().unwrap();
    let depth = (2 * requests).to_string();
    let mut command = truedisk(["sweep", "--read-only", "--no-history", "--bs", "4k"]);
    command.args(["--depth", &depth, "--cell-max", "1s", "--budget", "10s", "--json", "-"]);
    let output = command.arg(device.path()).output().unwrap();
    let record: Record = serde_json::from_slice(&output.stdout).unwrap();
    let layer = record.measured.target().unwrap().stack[0].queue.as_ref().unwrap();
    assert_eq!((layer.nr_requests, layer.hardware_queues), (Some(requests), Some(1)));
    let ledger = &record.measured.cells.last().unwrap().ledger;
    let held = ledger.layers[0].queue_ms as f64 / ledger.elapsed.as_millis_f64();
    let share = held / requests as f64;
    assert!((0.5..=1.02).contains(&share), "{held} of {requests} at depth {depth}");
}
