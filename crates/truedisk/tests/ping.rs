//! `truedisk ping`, and the binary called `ioping` next to Debian's: the same words, the same
//! lines once what is measured is masked.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

mod ping {
    mod ends;
}

use std::fs;
use std::os::unix::fs::FileExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Output};

use lab::{LoopDevice, Need, Scratch};
use record::{CellRole, FindingId, Purpose, Record, Status};
use regex::Regex;

/// Ours, by ioping's name.
fn ours(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_truedisk"));
    command.arg0("ioping").args(words).current_dir(folder).env("TZ", "UTC");
    command
}

fn theirs(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new("ioping");
    command.args(words).current_dir(folder).env("TZ", "UTC");
    command
}

fn ping(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_truedisk"));
    command.arg("ping").args(words).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What both must say alike: everything but times, rates, and the marks that follow from times.
fn masked(said: &str) -> String {
    let rules = [
        (r" \((fast|slow)\)", ""),
        (r"time=[0-9.]+ (ns|us|ms|s|min)\b", "time=T"),
        (r"completed in [0-9.]+ (ns|us|ms|s|min)", "completed in T"),
        (r"requests in [0-9.]+ (ns|us|ms|s|min)", "requests in T"),
        (r"[0-9.]+ ([kMGT] )?iops, [0-9.]+ ([KMGT]i)?B/s", "N iops, N B/s"),
        (r"= [0-9.]+ \w+ / [0-9.]+ \w+ / [0-9.]+ \w+ / [0-9.]+ \w+\n", "= T / T / T / T\n"),
        // A raw line: its first and its ninth number are counts.
        (r"(?m)^(\d+)( \d+){7} (\d+) \d+$", "$1 N N N N N N N $3 N"),
        (r#""(timestamp|time|iops|bps|min|avg|max|mdev)": [0-9.]+"#, "\"$1\": N"),
        (r#""localtime": "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"#, "\"localtime\": \"WHEN"),
        (r"(?m)^[A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d ", "WHEN "),
        (r"(?m)^\d\d:\d\d ", "CLOCK "),
    ];
    let mut said = said.to_owned();
    for (pattern, by) in rules {
        said = Regex::new(pattern).unwrap().replace_all(&said, by).into_owned();
    }
    said
}

/// Runs both and compares status and text.
#[track_caller]
fn same(folder: &Path, words: &[&str]) {
    let (a, b) = (ours(folder, words).output().unwrap(), theirs(folder, words).output().unwrap());
    let stderr = text(&a.stderr);
    assert_eq!(a.status.code(), b.status.code(), "{words:?}: {stderr}");
    let told = |output: &Output| masked(&text(&output.stdout));
    assert_eq!(told(&a), told(&b), "{words:?}: {stderr}");
    if b.status.code() != Some(0) {
        assert!(a.stdout.is_empty() && stderr.starts_with("ioping: "), "{words:?}: {stderr}");
        assert!(stderr.lines().count() <= 2, "one clear error: {stderr}");
    }
}

/// Every mode, on a folder, a file, and devices without contents.
#[test]
fn the_same_words_say_the_same_as_debians_ioping() {
    lab::skip_unless!(Need::Program("ioping"));
    let _alone = support::alone();
    let scratch = Scratch::new().unwrap();
    let folder = scratch.path();
    lab::written_file(folder, "file", 4 << 20).unwrap();
    let modes = "-A -C -D -L -W -G -Y -y -H -N -CN -DN -AD -CG -CAN -WY -Wy -DL -k -kC -AW -async \
                 -cached -direct -linear -read-write -sync -keep --write --rea -li -CNB -qk";
    for mode in modes.split_whitespace() {
        same(folder, &["-c", "3", "-i", "0", mode, "."]);
    }
    let values = [
        "-c 8 -i 0 -s 8k .",
        "-c 3 -i 0 -s 5k -S 12k .",
        "-c 3 -i 0 -s 1.5k -o 1k .",
        "-c 3 -i 0 -s 2page -S 3MiB .",
        "-c 4 -i 0 -S 64k -L -s 16k file",
        "-c 4 -i 0 -o 1m -S 1m file",
        "-c 3 -i 0 file",
        "-c 3 -i 0 -WWW file",
        "-c 3 -i 0 -WWG file",
        "-c 3 -i 0 -D file",
        "-c 3 -i 0 -D -S 10000 file",
        "-c 3 -i 0 -D -s 512 -S 64k /dev/shm",
        "-c 3 -i 0 /dev/zero",
        "-c 2 -i 0 /dev/null",
        "-c 4 -i 0 -a 0 .",
        "-c 4 -i 0 -a 2 .",
        "-c 4 -i 0 -warmup 9 .",
        "-c 5 -i 0 -b 2 .",
        "-c 3 -i 0 -burst 3 .",
        "-c 3 -i 0 -t 1h .",
        "-c 3 -i 0 -T 1ns .",
        "-c 3 -i 0 -min-time 1s -max-time 2s .",
        "-c 3 -i 0 -a 0 -T 1ns -B .",
        "-c 3 -i 0 -q .",
        "-c 3 -R -S 1m .",
        "-c 3 -i 0 -B .",
        "-c 3 -i 0 -J .",
        "-c 3 -i 0 -JW .",
        "-c 4 -i 0 -J -q -p 2 .",
        "-c 7 -i 0 -p 2 .",
        "-c 10 -i 0 -p 3 -q .",
        "-c 7 -i 0 -p 2 -B .",
        "-c 4 -i 0 -P 1h .",
        "-c 3 -i 0 -P 1ns .",
        "-c 3 -i 0 -q -P 1ns .",
        "-c 3 -i 0 -B -print-interval 1ns .",
        "-c 3 -i 0 -J -q -P 1ns .",
        "-c 2 -i 0 -I .",
        "-c 2 -i 0 -I%H:%M .",
        "-c 2 -i 0 -time=%H:%M .",
        "-c 2 -i 0 -e 7 .",
        "-c 0x3 -i 0 .",
        "-c 2 -i 1/100 .",
        "-c 3 -l 4m .",
        "-c 3 -r 500 .",
        "-c 1k -i 0 -q -C .",
        "-w 0 -c 2 -i 0 .",
        ". -c 2 -i 0",
        "-c 2 -i 0 -- .",
    ];
    for words in values {
        same(folder, &words.split(' ').collect::<Vec<_>>());
    }
    // Short requests are reported as ioping does.
    for words in ["-c 3 -i 0 /dev/null", "-c 3 -i 0 -q -A /dev/null"] {
        let words: Vec<&str> = words.split(' ').collect();
        same(folder, &words);
        let stderr = |mut command: Command| text(&command.output().unwrap().stderr);
        assert_eq!(stderr(ours(folder, &words)), stderr(theirs(folder, &words)), "{words:?}");
    }
    // Of its own, the version: to the letter.
    assert_eq!(ours(folder, &["-v"]).output().unwrap().stdout, b"ioping 1.3\n");
    same(folder, &["-v"]);
}

#[test]
fn what_ioping_refuses_is_refused_with_its_status() {
    lab::skip_unless!(Need::Program("ioping"));
    let scratch = Scratch::new().unwrap();
    let folder = scratch.path();
    fs::write(folder.join("small"), [7; 100]).unwrap();
    fs::write(folder.join("file"), [7; 8192]).unwrap();
    for words in [
        "-c 1 missing",
        "-c 1 small",
        "-W -c 1 file",
        "-J -c 1 missing",
        "-J -W -c 1 file",
        "-WW -c 1 file",
        "-G -c 1 file",
        "-c 1x .",
        "-c -3 .",
        "-c 3e9 .",
        "-s 1/0 .",
        "-i 1y .",
        "-foo .",
        "-x .",
        "-ra .",
        ". .",
        "-c",
        "--count",
        "-c 1",
        "-o 1g -c 1 file",
        "-S 1g -c 1 file",
        "-D -s 1000 -c 1 .",
        "-D -S 10000 -c 1 .",
        "-D -s 3 -c 1 file",
        "-D -o 100 -c 1 file",
        "-D -c 1 /dev/zero",
        "-c 1 /proc/self",
        "--quiet=1 .",
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let (a, b) =
            (ours(folder, &words).output().unwrap(), theirs(folder, &words).output().unwrap());
        let stderr = text(&a.stderr);
        assert_ne!(b.status.code(), Some(0), "{words:?}");
        assert_eq!(a.status.code(), b.status.code(), "{words:?}: {stderr}");
        assert!(a.stdout.is_empty() && stderr.lines().count() <= 2, "{words:?}: {stderr}");
        assert!(stderr.starts_with("ioping: "), "{words:?}: {stderr}");
    }
    // A request that io_submit does not take, where the kernel has such.
    let submitted = "-A -N -C -s 4 -c 1 -i 0 /sys/kernel/notes";
    let words: Vec<&str> = submitted.split(' ').collect();
    let status = |mut command: Command| command.output().unwrap().status.code();
    assert_eq!(status(ours(folder, &words)), status(theirs(folder, &words)));
    assert_eq!(fs::read(folder.join("file")).unwrap(), [7; 8192]);
    let mine = |words: &[&str]| ping(folder, words).status.code();
    assert_eq!(mine(&["-c", "1x", "."]), Some(2));
    assert_eq!(mine(&["-W", "-c", "1", "file"]), Some(4), "data would have been at risk");
    assert_eq!(mine(&["-c", "1", "missing"]), Some(2));
    assert_eq!(mine(&["-c", "1", "."]), Some(0));
}

#[test]
fn the_pace_is_that_of_ioping() {
    lab::skip_unless!(Need::Program("ioping"));
    let _alone = support::alone();
    let scratch = Scratch::new().unwrap();
    let took = |command: &mut Command| {
        let said = text(&command.output().unwrap().stdout);
        said.split_whitespace().nth(9).unwrap().parse::<f64>().unwrap()
    };
    // 10 starts 20 ms apart span 180 ms, in the most hurried of three tries.
    for words in [&["-r", "50"][..], &["-i", "20ms"], &["-l", "200k"], &["-b", "2", "-i", "40ms"]] {
        let words = [words, &["-C", "-B", "-c", "10", "."]].concat();
        let least = |make: fn(&Path, &[&str]) -> Command| {
            let tries = (0..3).map(|_| took(&mut make(scratch.path(), &words)));
            tries.fold(f64::MAX, f64::min)
        };
        let ratio = least(ours) / least(theirs);
        assert!((0.9..1.1).contains(&ratio), "{words:?}: {ratio}");
    }
}

#[test]
fn a_cached_target_does_not_hide_behind_another_on_its_disk() {
    let _alone = support::alone();
    let scratch = Scratch::new().unwrap();
    let folder = scratch.path();
    for name in ["a", "b"] {
        lab::written_file(folder, name, 4 << 20).unwrap();
    }
    let words = ["-D", "-c", "200", "-i", "0", "-q"];
    let record = ping(folder, &[&words[..], &["--json", "-", "a"]].concat());
    let record: Record = serde_json::from_slice(&record.stdout).unwrap();
    let alone = support::finding(&record, FindingId::PageCache).status;
    let together = text(&ping(folder, &[&words[..], &["a", "b"]].concat()).stdout);
    let told = together.matches("\npage-cache: not observable: the targets share").count();
    // Where nothing is counted there is nothing to say of one or of two.
    assert_eq!(told, if alone == Status::Ok { 2 } else { 0 }, "{alone:?}: {together}");
}

/// The numbers of a raw line.
fn raw(command: &mut Command) -> Vec<f64> {
    let said = text(&command.output().unwrap().stdout);
    said.split_whitespace().map_while(|number| number.parse().ok()).collect()
}

#[test]
fn the_end_of_a_run_is_before_its_means_are_given_back() {
    lab::skip_unless!(Need::Program("ioping"));
    let _alone = support::alone();
    let scratch = Scratch::new().unwrap();
    for (more, most_ns) in [(&[][..], 300e3), (&["-A"], 1e6), (&["-s", "16m"], 300e3)] {
        // Nothing is left out, so that requests alone are in the second number.
        let words = [more, &["-B", "-C", "-i", "0", "-c", "20", "-a", "0", "."]].concat();
        let beside = |make: fn(&Path, &[&str]) -> Command| {
            let line = raw(&mut make(scratch.path(), &words));
            line[9] - line[1]
        };
        let (mut mine, mut other) = (f64::MAX, f64::MAX);
        for _ in 0..5 {
            mine = mine.min(beside(ours));
            other = other.min(beside(theirs));
        }
        assert!(mine - other < most_ns, "{words:?}: {mine} ns, ioping {other} ns");
    }
}

#[test]
fn a_target_is_over_when_its_own_last_request_is() {
    let _alone = support::alone();
    let words = "-B -C -i 0 -c 8 -s 4m /dev/zero /dev/urandom";
    let run = || {
        let output = ping(Path::new("/"), &words.split(' ').collect::<Vec<_>>());
        let said = text(&output.stdout);
        let load = |line: &str| line.split(' ').nth(9).unwrap().parse::<f64>().unwrap();
        assert!(said.contains(" /dev/zero\n") && said.ends_with(" /dev/urandom\n"), "{said}");
        let [zero, random] = said.lines().map(load).collect::<Vec<_>>()[..] else {
            panic!("{said}")
        };
        zero / random
    };
    // Zeros are made ten times as fast as random numbers; a busy host hides that now and then.
    let least = (0..5).map(|_| run()).fold(f64::MAX, f64::min);
    assert!(least < 0.5, "{least}");
}

#[test]
fn a_block_device_is_pinged_as_ioping_pings_it() {
    lab::skip_unless!(Need::LoopDevices, Need::Program("ioping"));
    let _alone = support::alone();
    let scratch = Scratch::new().unwrap();
    let device = LoopDevice::new(16 << 20).unwrap();
    let path = device.path().to_str().unwrap();
    for words in ["", "-D", "-A", "-AD", "-L", "-WWW", "-DWWW", "-WWG", "-S 1m -o 4m", "-s 1m"] {
        let words: Vec<&str> = words.split_whitespace().collect();
        same(scratch.path(), &[&words, &["-c", "3", "-i", "0", path][..]].concat());
    }
}

#[test]
fn a_block_device_is_read_freely_and_shredded_only_when_nothing_is_on_it() {
    lab::skip_unless!(Need::LoopDevices);
    let scratch = Scratch::new().unwrap();
    let device = LoopDevice::new(16 << 20).unwrap();
    let path = device.path().to_str().unwrap();
    let folder = scratch.path();
    let run = |words: &[&str]| {
        let output = ours(folder, &[words, &["-c", "3", "-i", "0", path]].concat()).output();
        let output = output.unwrap();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (status, said, _) = run(&["-D"]);
    assert_eq!(status, Some(0));
    assert!(said.contains(&format!("4 KiB <<< {path} (block device 16 MiB): request=1")), "{said}");
    assert_eq!(run(&["-WWW"]).0, Some(0));
    let raw = fs::OpenOptions::new().read(true).write(true).open(path).unwrap();
    // The mark of swap space, at the end of its first page.
    raw.write_all_at(b"SWAPSPACE2", 4086).unwrap();
    raw.sync_all().unwrap();
    drop(raw);
    let before = fs::read(path).unwrap();
    let (status, said, stderr) = run(&["-WWW"]);
    assert_eq!(status, Some(2), "{stderr}");
    assert!(said.is_empty() && stderr.contains("it holds"), "{stderr}");
    assert!(stderr.contains("--yes-destroy-data-on"), "{stderr}");
    assert!(fs::read(path).unwrap() == before, "nothing was written");
    assert_eq!(ping(folder, &["-WWW", "-c", "1", path]).status.code(), Some(4));
    for words in ["-W", "-WW", "-G", "-WR"] {
        let (status, said, stderr) = run(&[words]);
        assert!(status != Some(0) && said.is_empty(), "{words}: {stderr}");
    }
    // Refused by a look alone: opening it for writing would be another error.
    let set = |flag: &str| Command::new("blockdev").args([flag, path]).status().unwrap().success();
    assert!(set("--setro"));
    let (_, _, stderr) = run(&["-WWW"]);
    assert!(set("--setrw") && stderr.contains("it holds"), "{stderr}");
    assert!(fs::read(path).unwrap() == before, "nothing was written");
    assert_eq!(run(&["-WWW", "--yes-destroy-data-on", path]).0, Some(0));
    assert!(fs::read(path).unwrap() != before);
}

#[test]
fn findings_follow_the_statistics_and_no_data_is_mixed_with_them() {
    let scratch = Scratch::new().unwrap();
    let folder = scratch.path();
    let sparse = fs::File::create(folder.join("sparse")).unwrap();
    sparse.set_len(8 << 20).unwrap();
    let words = ["-c", "100", "-i", "0", "-q", "sparse"];
    let output = ours(folder, &words).output().unwrap();
    assert!(text(&output.stderr).contains("unwritten: invalid: "), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout).lines().count(), 5, "{}", text(&output.stdout));
    let said = text(&ping(folder, &words).stdout);
    assert!(said.contains("\nunwritten: invalid: ") && said.contains("\np50 = "), "{said}");
    let output = ping(folder, &[&["-J"][..], &words].concat());
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(told[0]["stat"]["count"].is_u64(), "{told}");
    let output = ping(folder, &["-J", "-c", "2", "-i", "10ms", "-p", "1", "sparse"]);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let times: Vec<f64> =
        told.as_array().unwrap().iter().map(|one| one["timestamp"].as_f64().unwrap()).collect();
    // Two requests, the window of the second, and the end: figures have the time of their request.
    assert!(times.len() == 4 && times[0] < times[1], "{told}");
    assert!(times[1] == times[2] && times[2] == times[3], "{told}");
    assert!(text(&output.stderr).contains("unwritten: invalid: "));
    let quiet = [&["--no-findings"][..], &words].concat();
    assert!(ours(folder, &quiet).output().unwrap().stderr.is_empty());
    lab::written_file(folder, "file", 1 << 20).unwrap();
    let cached = [&["-C"][..], &words[..5], &["file"]].concat();
    let output = ours(folder, &cached).output().unwrap();
    assert!(output.stderr.is_empty(), "-C asks for the cache: {}", text(&output.stderr));
    let said = text(&ping(folder, &cached).stdout);
    assert!(!said.contains("page-cache: "), "{said}");
    let memory = ping(Path::new("/dev/shm"), &["-c", "2", "-i", "0"]);
    assert!(text(&memory.stdout).contains("page-cache: invalid: this is memory"));
    support::assert_clean(folder);
}

#[test]
fn what_is_beyond_ioping_is_told_and_kept_in_the_record() {
    let scratch = Scratch::new().unwrap();
    let folder = scratch.path();
    let words = "-c 60 -i 1ms -q --contrast --json run.json --html run.html .";
    let output = ping(folder, &words.split(' ').collect::<Vec<_>>());
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    for line in [
        "generated 60 requests",
        "\nrate: ",
        "\np50 = ",
        "\np90 = ",
        "\np99: not known from 59 requests, 368",
        "\nafter a pause: ",
        "\nback to back: ",
    ] {
        assert!(said.contains(line), "'{line}' is missing in: {said}");
    }
    let json = fs::read_to_string(folder.join("run.json")).unwrap();
    let record: Record = serde_json::from_str(&json).unwrap();
    let Purpose::Ping(plan) = &record.measured.plan.purpose else {
        panic!("{:?}", record.measured.plan)
    };
    assert_eq!((plan.burst, plan.contrast), (8, true));
    let roles: Vec<CellRole> = record.measured.cells.iter().map(|cell| cell.role).collect();
    assert_eq!(roles, [CellRole::Idle, CellRole::Main]);
    let counted: u64 =
        record.measured.cells.iter().map(|cell| cell.totals.read.as_ref().unwrap().ops).sum();
    assert_eq!(counted, 59);
    assert_eq!(record.measured.cells[0].ledger.read_ops, 60, "the ledger has all of them");
    // 240 KiB are too few to be compared with counters.
    support::assert_status(&record, FindingId::PageCache, Status::NotObservable);
    let cached = "-C -c 100 -i 0 -q --json cached.json .";
    assert_eq!(ping(folder, &cached.split(' ').collect::<Vec<_>>()).status.code(), Some(0));
    let json = fs::read_to_string(folder.join("cached.json")).unwrap();
    let cached: Record = serde_json::from_str(&json).unwrap();
    support::assert_status(&cached, FindingId::PageCache, Status::Note);
    assert!(record.judgement_or_default().verdict.is_some());
    assert!(fs::read_to_string(folder.join("run.html")).unwrap().contains(&record.measured.id));
    let output = ping(folder, &["-c", "3", "-i", "0", "-b", "2", "--json", "-", "."]);
    let alone: Record = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(alone.measured.cells[0].ledger.read_ops, 3);
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    let output = ours(folder, &["-c", "3", "-i", "0", "-B", "--record", "-", "."]).output();
    serde_json::from_slice::<Record>(&output.unwrap().stdout).unwrap();
    let deep = text(&ping(folder, &["-c", "60", "-i", "1ms", "-q", "--depth", "2", "."]).stdout);
    assert!(deep.contains("\nrate: 2000 requests/s planned"), "{deep}");
    let output = ping(folder, &["-c", "3", "-i", "0", ".", "/dev/shm"]);
    let said = text(&output.stdout);
    assert_eq!(said.matches("ioping statistics ---").count(), 2, "{said}");
    let refused = ping(folder, &["--contrast", "-i", "10ms", "-c", "9", ".", ".."]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("one after the other"), "{}", text(&refused.stderr));
    let refused = ping(folder, &["--json", "x", ".", "/dev/shm"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("of one target"));
}
