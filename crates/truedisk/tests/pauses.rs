//! A run that is stopped by a signal and goes on: the pause is its own, and is not called the
//! device's.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use record::{Cell, CellRole, Evidence, Finding, FindingId, Pause, Record, Status};
use support::{alone, assert_clean, check, finding, truedisk};
use units::Nanos;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/var/tmp").unwrap()
}

/// A file of 32 MiB that is only read.
fn file(folder: &Path) -> PathBuf {
    let file = folder.join("data");
    let noise = |i: u32| (i.wrapping_mul(2_654_435_761) >> 24) as u8;
    std::fs::write(&file, (0..32 << 20).map(noise).collect::<Vec<u8>>()).unwrap();
    file
}

/// Runs a command that is stopped for this long each time that so much has passed since its start.
fn stopped(mut command: Command, starts_ms: &[u64], length_ms: u64) -> Output {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    // The pipes are emptied meanwhile: a full one would be a pause of another kind.
    thread::scope(|scope| {
        let pid = child.id();
        let stopper = scope.spawn(move || {
            for start in starts_ms {
                let left = Duration::from_millis(*start).saturating_sub(begun.elapsed());
                thread::sleep(left); // sleeps because the run is to be stopped in the middle
                send(pid, "STOP");
                thread::sleep(Duration::from_millis(length_ms)); // sleeps because it is the pause
                send(pid, "CONT");
            }
        });
        let output = child.wait_with_output().unwrap();
        stopper.join().unwrap();
        output
    })
}

fn send(pid: u32, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &pid.to_string()]).status();
    assert!(sent.unwrap().success(), "the command ended before SIG{name}");
}

/// Whether the silence that `stall` tells of lies less than 200 ms from a pause.
fn is_near(silence: &Evidence, pause: &Pause) -> bool {
    let (_, after) = silence.value.text().split_once(", ").unwrap();
    let start: Nanos = after.split_once(" after").unwrap().0.replace(' ', "").parse().unwrap();
    let (start, length) = (start.as_secs_f64(), silence.figure.unwrap());
    let (begin, paused) = (pause.start.as_secs_f64(), pause.length.as_secs_f64());
    start - 0.2 < begin + paused && begin - 0.2 < start + length
}

fn longest(finding: &Finding) -> f64 {
    finding.evidence.iter().filter_map(|fact| fact.figure).fold(0.0, f64::max)
}

#[test]
fn a_check_that_is_stopped_names_its_own_pause_and_no_stall() {
    let _alone = alone();
    let folder = folder();
    let mut command = check(["--size", "64m"]);
    command.arg(folder.path());
    // A cell of a quick check is a second at most, with a warm-up between two: one of four stops
    // meets one.
    let output = stopped(command, &[1_600, 4_000, 5_300, 9_000], 1_000);
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(!words.contains("nothing has completed"), "{words}");
    assert_eq!(output.status.code(), Some(0), "{words}");
    let record: Record = serde_json::from_slice(&output.stdout).unwrap();

    let was_stopped =
        |cell: &&Cell| cell.pauses.iter().any(|pause| pause.length > Nanos::millis(50));
    let mut stopped = record.measured.cells.iter().filter(was_stopped).peekable();
    assert!(stopped.peek().is_some(), "no stop met a cell");
    // What was measured again is not blamed.
    if stopped.any(|cell| cell.role != CellRole::Disturbed) {
        let paused = finding(&record, FindingId::ClientBound);
        assert_eq!(paused.status, Status::Invalid, "{paused:#?}");
        assert!(paused.summary.text().contains("did not run"), "{paused:#?}");
    }
    let stall = finding(&record, FindingId::Stall);
    assert!(longest(stall) < 0.5, "a busy disk may stall, but not for a second: {stall:#?}");
    // Silence 200 ms or more from a pause is that of a busy host: runs without a stop have it too.
    for fact in &stall.evidence {
        let cell = record.measured.cell(fact.what.text()).unwrap();
        let near = |pause: &&Pause| is_near(fact, pause);
        assert_eq!(cell.pauses.iter().find(near), None, "{fact:#?}");
    }

    for cell in &record.measured.cells {
        let paused: f64 = cell.pauses.iter().map(|pause| pause.length.as_secs_f64()).sum();
        assert!(paused <= cell.elapsed.as_secs_f64(), "{}: {:?}", cell.name, cell.pauses);
        if cell.job.pacing != workload::Pacing::Closed || paused == 0.0 {
            continue;
        }
        let running = cell.elapsed.as_secs_f64() - paused;
        if running < 1e-9 {
            continue; // a cell of milliseconds that lies in a pause has no time to exclude it from
        }
        let ops: u64 = cell.data_directions().map(|totals| totals.ops).sum();
        let rate = ops as f64 / running;
        assert!((cell.iops() / rate - 1.0).abs() < 1e-6, "{} {rate}", cell.name);
    }
    assert_clean(folder.path());
}

#[test]
fn the_pause_of_a_long_cell_is_named_with_its_length() {
    let _alone = alone();
    let folder = folder();
    let mut command = truedisk(["fio", "--name=job", "--rw=randread", "--direct=1"]);
    command.args(["--iodepth=4", "--ioengine=io_uring", "--time_based", "--runtime=5"]);
    command.arg("--output-format=json").arg("--filename").arg(file(folder.path()));
    let output = stopped(command, &[2_500], 1_000);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings: Vec<Finding> =
        serde_json::from_value(printed["truedisk"]["findings"].clone()).unwrap();
    let paused = findings.iter().find(|finding| finding.id == FindingId::ClientBound).unwrap();
    // A busy host may starve it besides: the stop is the longest pause.
    let (_, after) = paused.summary.text().split_once("for up to ").unwrap();
    let length: Nanos = after.split_once(':').unwrap().0.replace(' ', "").parse().unwrap();
    assert!((0.8..1.2).contains(&length.as_secs_f64()), "{paused:#?}");
    assert!(findings.iter().all(|finding| finding.id != FindingId::Stall), "{findings:#?}");
}

#[test]
fn a_ping_says_that_its_requests_waited_for_itself() {
    let _alone = alone();
    let folder = folder();
    let mut command = truedisk(["ping", "-D", "-q", "-i", "0", "-w", "4"]);
    command.arg(file(folder.path()));
    // A stop between two requests is in none of them: one of three meets one.
    let output = stopped(command, &[1_000, 1_900, 2_800], 400);
    let words = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{words}");
    assert!(words.contains("did not run"), "{words}");
}
