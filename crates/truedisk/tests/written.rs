//! What a run writes: it is announced before the first byte, and `--max-written` bounds it.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::path::Path;
use std::process::{Command, Output};

use lab::{FileSystem, LoopDevice, Mount, Need};
use record::{CacheState, Completion, Record};
use support::{alone, assert_clean, beside, copy_program, run, truedisk};

const MIB: u64 = 1 << 20;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/var/tmp").unwrap()
}

/// A command that keeps nothing and prints its record.
fn measure(words: &[&str], path: &Path) -> Command {
    let mut command = truedisk(words);
    command.args(["--json", "-", "--no-history", "--seed", "1"]).arg(path);
    command
}

fn record_in(output: &Output) -> Record {
    let stderr = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {stderr}"))
}

fn first_line(output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    stderr.lines().next().unwrap_or_default().to_owned()
}

/// What a record says that was written to its target.
fn written(record: &Record) -> u64 {
    // Cells that ran together have the ledger of both.
    let mut last = None;
    let new = record
        .measured
        .cells
        .iter()
        .filter(|cell| last.replace(cell.started) != Some(cell.started));
    let cells: u64 = new.map(|cell| cell.ledger.write_bytes.0).sum();
    cells + record.measured.layout.as_ref().map_or(0, |layout| layout.written.0)
}

/// Bytes that a device has written, by its counters.
fn device_written(device: &LoopDevice) -> u64 {
    let stat = std::fs::read_to_string(format!("/sys/block/{}/stat", device.name())).unwrap();
    stat.split_whitespace().nth(6).unwrap().parse::<u64>().unwrap() * 512
}

#[test]
fn the_first_line_says_what_will_be_written() {
    let _beside = beside();
    let folder = folder();
    let check = |words: &[&str], expected: &[&str]| {
        let output = run(measure(words, folder.path()));
        let line = first_line(&output);
        let path = folder.path().display().to_string();
        for word in expected.iter().chain([&"truedisk: ", &path.as_str()]) {
            assert!(line.contains(word), "{words:?}: '{word}' is missing in: {line}");
        }
        assert_clean(folder.path());
    };
    let short = ["--size", "32m", "--budget", "5s"];
    let file = "writes a test file of 32 MiB in ";
    let limit = |rw: &'static str| [&["limit", "--rw", rw][..], &short].concat();
    check(&limit("randread"), &[file, "then only reads: at most 5"]);
    check(&limit("randwrite"), &[file, "at full speed", "at 1 GB/s up to 5 GB", "--max-written"]);
    let bounded = [&limit("randwrite")[..], &["--max-written", "1g"]].concat();
    check(&bounded, &[file, "at most 1 GiB and "]);
    let sweep = ["sweep", "--rw", "randwrite", "--bs", "4k", "--depth", "1", "--size", "32m"];
    check(&[&sweep[..], &["--budget", "2s", "--cell-max", "500ms"]].concat(), &[file]);
    let preset = ["preset", "etcd", "--size", "32m", "--budget", "4s"];
    check(&preset, &[file, "then reads and writes"]);
    let small = ["preset", "metadata", "--files", "2", "--threads", "2", "--budget", "2s"];
    check(&small, &["writes small files, up to 448 KiB in all"]);
}

#[test]
fn what_only_reads_and_what_is_quiet_says_nothing() {
    let _beside = beside();
    let folder = folder();
    let file = folder.path().join("data");
    std::fs::write(&file, vec![3; 32 << 20]).unwrap();
    let short = ["limit", "--budget", "5s"];
    let output = run(measure(&[&short[..], &["--read-only"]].concat(), &file));
    assert_eq!(first_line(&output), "");
    let quiet = [&short[..], &["--size", "32m", "--quiet"]].concat();
    let output = run(measure(&quiet, folder.path()));
    assert_eq!(first_line(&output), "");
    let mut ping = truedisk(["ping", "-W", "-c", "2", "-i", "10ms"]);
    ping.arg(folder.path());
    let line = first_line(&run(ping));
    assert!(line.starts_with("truedisk: writes a work file of 1 MiB in "), "{line}");
    assert!(line.ends_with(", then 4 KiB per request, 2 times at most"), "{line}");
}

#[test]
fn a_large_work_file_is_announced_and_leaves_the_reserve() {
    lab::skip_unless!(Need::Root);
    let _beside = beside();
    let folder = lab::Tmpfs::new(64 * MIB).unwrap();
    let ping = |words: &[&str]| {
        let mut ping = truedisk(["ping", "-c", "2", "-i", "10ms"]);
        ping.args(words).arg(folder.path());
        run(ping)
    };
    assert_eq!(first_line(&ping(&[])), "");
    let line = first_line(&ping(&["-S", "16m"]));
    assert!(line.starts_with("truedisk: writes a work file of 16 MiB in "), "{line}");
    assert!(line.ends_with(", then only reads, 2 times at most"), "{line}");
    for words in [&["-S", "64m"][..], &["-S", "100g"], &["-S", "64m", "-k"]] {
        let output = ping(words);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("too little space on ") && stderr.contains("(-S)"), "{stderr}");
        assert!(!stderr.contains("writes"), "{stderr}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    // What a kept file has already is not needed once more.
    for _ in 0..2 {
        assert_eq!(ping(&["-S", "40m", "-k"]).status.code(), Some(0));
    }
}

#[test]
fn both_sides_of_a_comparison_announce_what_they_write() {
    let _beside = beside();
    let _beside = beside();
    let (a, b) = (folder(), folder());
    let mut command = truedisk(["compare", "--interleave", "--size", "32m", "--visits", "2"]);
    command.args(["--cell-time", "50ms", "--rw", "randwrite", "--depth", "1"]);
    command.args([a.path(), b.path()]);
    let output = run(command);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let lines: Vec<&str> = stderr.lines().take(2).collect();
    assert_eq!(lines.len(), 2, "{stderr}");
    for (line, folder) in lines.into_iter().zip([&a, &b]) {
        assert!(line.starts_with("truedisk: writes a test file of 32 MiB in "), "{stderr}");
        assert!(line.contains(&folder.path().display().to_string()), "{stderr}");
    }
}

#[test]
fn never_more_is_written_than_max_written() {
    lab::skip_unless!(Need::LoopDevices);
    let _alone = alone();
    let device = LoopDevice::options(256 * MIB).attach().unwrap();
    let mount = Mount::new(&device, FileSystem::Ext4).unwrap();
    // What ext4 writes of its own: a journal entry with each change of the file's metadata.
    let file_system = 24 * MIB;
    let check = |words: &[&str], max: u64, cut: bool| {
        let before = device_written(&device);
        let max_written = format!("{}m", max / MIB);
        let asked = [words, &["--max-written", &max_written]].concat();
        let output = run(measure(&asked, mount.path()));
        // A search that has no answer yet has status 1, and a preset whose passes were too short.
        let stderr = String::from_utf8_lossy(&output.stderr);
        let record = record_in(&output);
        let has_answer = match words[0] {
            "limit" => !cut,
            "preset" => {
                let verdict = record.judgement_or_default().verdict.as_ref().unwrap();
                verdict.headline.id() != "preset-no-figure"
            }
            _ => true,
        };
        assert_eq!(output.status.code(), Some(if has_answer { 0 } else { 1 }), "{stderr}");
        let by_device = device_written(&device) - before;
        let layout = record.measured.layout.as_ref().unwrap().written.0;
        assert!(layout <= max / 2, "{asked:?}: {layout} laid out of {max}");
        let by_ledger = written(&record);
        assert!(by_ledger <= max, "{asked:?}: {by_ledger} written of {max}");
        assert!(by_device <= max + file_system, "{asked:?}: {by_device} on the device of {max}");
        match (&record.measured.completion, cut) {
            (Completion::Partial { reason, failed: false }, true) => {
                assert!(
                    reason.text().starts_with(&format!("--max-written {max_written}: ")),
                    "{reason:?}"
                );
            }
            (Completion::Complete, false) => {}
            (completion, _) => panic!("{asked:?}: {completion:?}"),
        }
        assert_clean(mount.path());
        record
    };
    let record = check(&["check", "--quick"], 64 * MIB, true);
    for name in ["randread-4k-qd1", "randwrite-4k-qd1", "syncwrite-4k"] {
        assert!(record.measured.cell(name).is_some(), "{name}");
    }
    let sweep = ["sweep", "--rw", "randwrite", "--bs", "64k,1m", "--depth", "1,16"];
    check(&[&sweep[..], &["--budget", "6s", "--cell-max", "1s"]].concat(), 80 * MIB, true);
    // A bound that the slowest disk keeps: the search ends with what may be written.
    let search = ["limit", "--rw", "randrw", "--bs", "64k", "--bound", "p50<10s"];
    check(&[&search[..], &["--budget", "6s"]].concat(), 64 * MIB, true);
    let reads = ["sweep", "--rw", "randread", "--bs", "4k", "--depth", "1", "--budget", "3s"];
    check(&[&reads[..], &["--cell-max", "500ms"]].concat(), 64 * MIB, false);
    check(&["preset", "crystaldiskmark", "--budget", "10s"], 64 * MIB, true);
}

#[test]
fn a_bound_that_leaves_no_test_file_is_refused_with_what_is_needed() {
    let folder = folder();
    let check = |words: &[&str], what: &str, hint: &str| {
        let output = run(measure(words, folder.path()));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(what) && stderr.contains(hint), "{words:?}: {stderr}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    };
    let little = ["check", "--max-written", "20m"];
    check(&little, "--max-written 20 MiB is too little", "hint: use --max-written 32m");
    let large = ["check", "--size", "64m", "--max-written", "32m"];
    check(&large, "--size 64 MiB alone is more than", "hint: use --max-written 128m");
    let files = ["preset", "metadata", "--max-written", "1m", "--quiet"];
    check(&files, "64 files of each load take 14 MiB", "hint: use --max-written 14m");
}

#[test]
fn the_caches_of_the_host_are_dropped_only_when_that_is_asked() {
    lab::skip_unless!(Need::Root);
    let _beside = beside();
    let folder = folder();
    let few = ["preset", "metadata", "--files", "4", "--threads", "2", "--budget", "20s"];
    let output = run(measure(&few, folder.path()));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!stderr.contains("drops the"), "{stderr}");
    let found = record_in(&output).measured.metadata.unwrap();
    assert!(found.phases.iter().all(|phase| phase.cache == CacheState::Warm));
    assert!(
        found.caches.text().contains("Cold caches were not measured"),
        "{}",
        found.caches.text()
    );
    assert_clean(folder.path());
}

#[test]
fn who_is_not_root_is_told_that_caches_cannot_be_dropped() {
    lab::skip_unless!(Need::Root, Need::Program("setpriv"));
    let folder = folder();
    let binary = folder.path().join("truedisk");
    copy_program(&binary);
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(folder.path(), open).unwrap();
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&binary);
    command.args(["preset", "metadata", "--drop-caches", "--quiet", "--no-history"]);
    let output = command.arg(folder.path()).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("only root may drop") && stderr.contains("hint: "), "{stderr}");
}

#[test]
fn eight_runs_that_start_together_call_nothing_a_leftover() {
    let _beside = beside();
    let folder = folder();
    let start = |seed: u64| {
        let mut command = truedisk(["limit", "--budget", "5s", "--size", "16m", "--no-history"]);
        command.args(["--json", "-", "--seed", &seed.to_string()]).arg(folder.path());
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        command.spawn().unwrap()
    };
    let runs: Vec<_> = (1..=8).map(start).collect();
    for run in runs {
        let output = run.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!stderr.contains("leftover"), "{stderr}");
        let record = record_in(&output);
        assert!(record.measured.layout.is_some(), "{stderr}");
    }
    assert_clean(folder.path());
}
