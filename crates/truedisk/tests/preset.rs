//! `preset` as its user meets it: listed, shown, run on a small file, refused, interrupted.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use lab::{FileSystem, LoopDevice, Mount, Need};
use record::{Kept, Purpose, Record, store};
use support::{alone, assert_clean, run, run_until_known, truedisk};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/var/tmp").unwrap()
}

fn preset(words: &[&str]) -> Command {
    let mut command = truedisk(["preset"]);
    command.args(words);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a preset on a folder with its record beside.
fn recorded(words: &[&str], target: &Path, json: &Path) -> (Output, Record) {
    let mut command = preset(words);
    command.arg(target).args(["--no-history", "--size", "64m", "--json"]).arg(json);
    let output = run(command);
    let record =
        store::load_record(json).unwrap_or_else(|e| panic!("{e}: {}", text(&output.stderr)));
    (output, record)
}

#[test]
fn all_are_listed_and_any_can_be_shown_and_taken_as_ones_own() {
    let list = text(&run(preset(&[])).stdout);
    for name in ["cloud", "etcd", "snia", "a1"] {
        assert!(list.lines().any(|line| line.split_whitespace().next() == Some(name)), "{list}");
    }
    assert!(list.lines().all(|line| line.chars().count() <= 100), "{list}");
    let json = run(preset(&["--json", "-"])).stdout;
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert!(json["presets"].as_array().unwrap().iter().any(|p| p["name"] == "etcd"));
    let folder = folder();
    let mine = folder.path().join("truedisk/presets");
    std::fs::create_dir_all(&mine).unwrap();
    let shown = run(preset(&["--show", "etcd"])).stdout;
    std::fs::write(mine.join("mine.toml"), &shown).unwrap();
    std::fs::write(mine.join("worse.toml"), "title = 5").unwrap();
    let mut command = preset(&[]);
    command.env("XDG_CONFIG_HOME", folder.path());
    let list = text(&run(command).stdout);
    let own = list.split("\nYours\n").nth(1).unwrap_or_default();
    assert!(own.contains("mine") && own.contains("worse"), "{list}");
    assert!(list.contains("BROKEN") && list.contains("line 1"), "{list}");
    let mut command = preset(&["--show", "mine"]);
    command.env("XDG_CONFIG_HOME", folder.path());
    assert_eq!(run(command).stdout, shown);
}

#[test]
fn a_preset_runs_within_its_budget_and_leaves_nothing_behind() {
    let (_alone, folder, beside) = (alone(), folder(), folder());
    let json = beside.path().join("record.json");
    let html = beside.path().join("page.html");
    let words = ["etcd", "--budget", "9s", "--html", html.to_str().unwrap()];
    let (output, record) = recorded(&words, folder.path(), &json);
    assert_clean(folder.path());
    let Purpose::Preset(plan) = &record.measured.plan.purpose else {
        panic!("{:?}", record.measured.plan)
    };
    assert_eq!(plan.departures.len(), 2, "shorter, and smaller: {:?}", plan.departures);
    let outcome = record.judgement_or_default().preset.as_ref().unwrap();
    assert_eq!(outcome.steps.len(), plan.steps.len());
    let wal = record.measured.cells.iter().find(|cell| cell.name == "wal").unwrap();
    assert!(!wal.job.direct && wal.job.block_size.0 == 2300);
    let (writes, syncs) = (wal.totals.write.as_ref().unwrap(), wal.totals.sync.as_ref().unwrap());
    assert!(syncs.ops > 0 && writes.ops.abs_diff(syncs.ops) <= 1, "each write is synced");
    // What the thresholds say is what the command says.
    let judged = plan.thresholds.iter().zip(&outcome.thresholds);
    let all: Vec<Kept> =
        judged.filter(|(t, _)| !t.recommended).map(|(_, found)| found.kept).collect();
    let status = match () {
        () if all.contains(&Kept::NotKept) => 3,
        () if all.contains(&Kept::CannotTell) => 1,
        () => 0,
    };
    assert_eq!(output.status.code(), Some(status), "{all:?}");
    let announced = text(&output.stderr).contains("etcd writes a test file of ");
    assert!(announced && text(&output.stdout).contains("log: write 2300 B"));
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(page.contains("Is it good enough?") && page.contains("https://etcd.io/docs"));
}

#[test]
fn a_preset_of_ones_own_passes_or_fails_and_prints_lines() {
    lab::skip_unless!(Need::LoopDevices, Need::FileSystem("ext4"));
    let (_alone, beside) = (alone(), folder());
    // A device of its own, whatever others do with the disk below.
    let device = LoopDevice::new(128 << 20).unwrap();
    let folder = Mount::new(&device, FileSystem::Ext4).unwrap();
    let file = beside.path().join("mine.toml");
    let run_with = |at_least: &str| {
        let text = format!(
            "title = 'mine'\nimitates = 'nobody'\nsize = '32m'\n\
             [[step]]\nname = 'r'\njob = [{{ time = '400ms' }}]\n\
             [[step]]\nname = 'w'\ndirect = false\njob = [{{ mix = 'write', time = '300ms' }}]\n\
             [[threshold]]\nstep = 'r'\nstatistic = 'iops'\nat-least = {at_least}\n\
             convention = true\n"
        );
        std::fs::write(&file, text).unwrap();
        let words = [file.to_str().unwrap(), "--format", "lines", "--no-history"];
        run_until_known(|| run_on(&mut preset(&words), folder.path()))
    };
    let (much, little) = (run_with("1e9"), run_with("0.001"));
    assert_clean(folder.path());
    assert_eq!((much.status.code(), little.status.code()), (Some(3), Some(0)));
    for (output, word) in [(much, "fail"), (little, "pass")] {
        let text = text(&output.stdout);
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
        assert_eq!(rows[0], ["step", "job", "operation", "figure", "value", "low", "high"]);
        let iops = rows.iter().find(|row| row[..4] == ["r", "job", "read", "iops"]).unwrap();
        assert!(iops[4].parse::<f64>().unwrap() > 0.0);
        let last = rows.last().unwrap();
        assert_eq!(last[..5], ["threshold", "r", "job", "read", word]);
    }
}

#[test]
fn a_step_that_settles_is_left_alone_before_each_pass() {
    let (_alone, folder, beside) = (alone(), folder(), folder());
    let file = beside.path().join("mine.toml");
    let written = "title = 'mine'\nimitates = 'nobody'\n\
                   [defaults]\nsettle = '400ms'\npasses = 2\n[defaults.job]\ntime = '200ms'\n\
                   [[step]]\nname = 'w'\njob = [{ mix = 'write' }]\n\
                   [[step]]\nname = 'r'\nsettle = '700ms'\njob = [{ mix = 'read' }]\n";
    std::fs::write(&file, written).unwrap();
    let json = beside.path().join("r.json");
    // Within a budget no pass that others disturbed is measured again.
    let words = [file.to_str().unwrap(), "--budget", "60s"];
    // Where two short passes differ too much there is no figure, and so no answer.
    let mut answers = (0..4).map(|_| recorded(&words, folder.path(), &json));
    let (output, record) = answers.find(|(output, _)| output.status.code() != Some(1)).unwrap();
    let told = text(&output.stdout) + &text(&output.stderr);
    assert!(output.status.success(), "{told}");
    let cells: Vec<_> = record.measured.cells.iter().filter(|cell| cell.step.is_some()).collect();
    let names: Vec<&str> = cells.iter().map(|cell| cell.name.as_str()).collect();
    assert_eq!(names, ["w", "w-2", "r", "r-2"]);
    let between = |pair: &[&record::Cell]| {
        (pair[1].started.0 - pair[0].started.0 - pair[0].elapsed.0) as f64 / 1e6
    };
    let pauses: Vec<f64> = cells.windows(2).map(between).collect();
    for (pause, least) in pauses.iter().zip([400.0, 700.0, 700.0]) {
        assert!((least..least + 1500.0).contains(pause), "{pauses:?} ms");
    }
}

#[test]
fn what_only_reads_reads_a_file_and_what_writes_does_not_touch_it() {
    let (_alone, folder) = (alone(), folder());
    let file = folder.path().join("data");
    let noise = |i: u32| (i.wrapping_mul(2_654_435_761) >> 24) as u8;
    let before: Vec<u8> = (0..32 << 20).map(noise).collect();
    std::fs::write(&file, &before).unwrap();
    let words = ["cloud", "--read-only", "--budget", "3s", "--no-history"];
    let output = run_until_known(|| run_on(&mut preset(&words), &file));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout) + &text(&output.stderr));
    let told = text(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("left out are randrw, randwrite"), "{told}");
    let refused = run_on(&mut preset(&["cloud", "--budget", "3s", "--no-history"]), &file);
    assert_eq!(refused.status.code(), Some(4), "{}", text(&refused.stderr));
    let none = run_on(&mut preset(&["etcd", "--read-only", "--no-history"]), &file);
    assert_eq!(none.status.code(), Some(2), "{}", text(&none.stderr));
    assert!(std::fs::read(&file).unwrap() == before, "the file was changed");
}

fn run_on(command: &mut Command, target: &Path) -> Output {
    command.arg(target).output().unwrap()
}

#[test]
fn bad_requests_are_refused_before_anything_is_made() {
    let folder = folder();
    let check = |words: &[&str], expected: &str| {
        let mut command = preset(words);
        command.arg(folder.path()).arg("--no-history");
        let output = run(command);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
        assert_clean(folder.path());
    };
    check(&["ectd"], "unknown preset 'ectd'; did you mean 'etcd'?");
    check(&["etcd", "--format", "etcd"], "unknown format 'etcd'");
    check(&["etcd", "--format", "lines", "--json", "-"], "both print to stdout");
    check(&["snia", "--budget", "5s"], "give more time: --budget");
    check(&["etcd", "--budget", "soon"], "invalid value");
}

#[test]
fn an_interrupted_preset_keeps_what_it_has_and_cleans_up() {
    let (_alone, folder, beside) = (alone(), folder(), folder());
    let json = beside.path().join("record.json");
    let mut command = preset(&["vps", "--size", "32m", "--no-history", "--quiet", "--json"]);
    command.arg(&json).arg(folder.path()).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    let begun = Instant::now();
    let own = || std::fs::read_dir(folder.path()).unwrap().next().is_some();
    while !own() && begun.elapsed() < Duration::from_secs(20) {
        std::thread::yield_now();
    }
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(begun.elapsed() < Duration::from_secs(30), "it went on");
    assert_clean(folder.path());
    let record = store::load_record(&json).unwrap();
    assert!(matches!(
        record.measured.completion,
        record::Completion::Partial { failed: false, .. }
    ));
}
