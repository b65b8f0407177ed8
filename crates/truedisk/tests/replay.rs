//! `truedisk replay`, end to end: a load in a folder and on a device, one that a capped device does
//! not carry, and files that are no load.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use lab::{LoopDevice, Need, Throttle};
use method::profile::ProfileBuilder;
use record::profile::ProfiledDisk;
use record::{Record, ReplayOutcome, RequestKind, TraceHeader, TraceRequest, TraceWriter};
use support::{alone, assert_clean, beside, one_of, record_of, run, truedisk};
use workload::Direction;

const DISK: u64 = 64 << 20;

/// A trace of `count` requests, `gap_ns` apart, over 64 MiB; of three in ten writes, if any.
fn write_trace(path: &Path, count: u64, gap_ns: u64, writes: bool) {
    let header = TraceHeader { device_size: DISK, block_size: 512, started_unix_ns: 0 };
    let mut writer = TraceWriter::new(File::create(path).unwrap(), &header).unwrap();
    for number in 0..count {
        let kind = match number % 10 {
            0..3 if writes => RequestKind::Write,
            _ => RequestKind::Read,
        };
        let request = TraceRequest {
            start_ns: number * gap_ns,
            offset: number * 7919 % (DISK / 4096) * 4096,
            length: 4096,
            kind,
            is_fua: false,
            latency_ns: Some(900_000 + number % 7 * 1000),
        };
        writer.push(&request).unwrap();
    }
    writer.finish(count * gap_ns).unwrap();
}

fn replay<I: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = I>) -> Command {
    let mut command = truedisk(["replay", "--json", "-", "--no-history", "--seed", "1"]);
    command.args(args);
    command
}

fn outcome(record: &Record) -> &ReplayOutcome {
    record.judgement_or_default().replay.as_ref().unwrap()
}

fn headline(record: &Record) -> String {
    record.judgement_or_default().verdict.as_ref().unwrap().headline.text().to_owned()
}

/// How many microseconds idle processors may take to wake, of all that programs ask for.
fn wake_time_us() -> i32 {
    let mut asked_us = [0; 4];
    File::open("/dev/cpu_dma_latency").unwrap().read_exact(&mut asked_us).unwrap();
    i32::from_ne_bytes(asked_us)
}

#[test]
fn idle_processors_are_kept_awake_while_a_load_is_replayed() {
    lab::skip_unless!(Need::Root);
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("load.tdtrace");
    write_trace(&trace, 200, 10_000_000, false);
    assert_ne!(wake_time_us(), 0);
    let json = folder.path().join("replay.json");
    let mut command = truedisk(["replay", "--no-history", "--json"]);
    command.arg(&json).arg(&trace).arg(folder.path()).stderr(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut is_awake = false;
    while child.try_wait().unwrap().is_none() {
        is_awake |= wake_time_us() == 0;
        std::thread::yield_now();
    }
    assert!(is_awake && wake_time_us() != 0);
    // The record and the report say so.
    let record: Record = serde_json::from_slice(&std::fs::read(&json).unwrap()).unwrap();
    assert!(record.measured.cells[0].open_loop.as_ref().unwrap().processors_awake);
    let said = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(said.contains("Idle processors were kept awake"), "{said}");
}

struct Loads {
    folder: tempfile::TempDir,
    trace: PathBuf,
}

fn loads(count: u64, gap_ns: u64, writes: bool) -> Loads {
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    let trace = folder.path().join("load.tdtrace");
    write_trace(&trace, count, gap_ns, writes);
    Loads { folder, trace }
}

#[test]
fn a_load_is_replayed_in_a_folder_and_two_replays_are_compared() {
    let _alone = alone();
    let loads = loads(10_000, 200_000, true);
    let (folder, trace) = (loads.folder.path(), loads.trace.as_path());
    let made = || record_of(replay([trace, folder]));
    let record = one_of(made, |record| outcome(record).keeps_up == Some(true));
    let of = outcome(&record);
    let words = headline(&record);
    if of.invalid {
        // Others took the processors all the time: that is said, and nothing is answered.
        assert_eq!((of.keeps_up, of.factor), (None, None), "{of:#?}");
        assert!(words.starts_with("Not the disk's numbers"), "{words}");
    } else {
        assert_eq!((of.keeps_up, of.factor), (Some(true), None), "{of:#?}");
        assert!(words.starts_with("Keeps up with this load: nothing later than "), "{words}");
        assert!(words.contains("reads: p99 was 9") && words.contains("writes: p99 was"), "{words}");
    }
    assert_eq!(of.latencies.len(), 2);
    assert!(of.latencies.iter().all(|latency| latency.here.interval().is_some()), "{of:#?}");
    let cell = &record.measured.cells[0];
    let ops = |direction| cell.totals.get(direction).map_or(0, |totals| totals.ops);
    assert_eq!((ops(Direction::Read), ops(Direction::Write)), (7_000, 3_000));
    assert_eq!(record.measured.command_name(), "replay");
    assert_clean(folder);
    let page = folder.join("page.html");
    let mut second = replay([trace, folder]);
    let again = record_of({
        second.arg("--html").arg(&page);
        second
    });
    let page = std::fs::read_to_string(page).unwrap();
    for words in [
        "p99 of response time, reads",
        "Latencies there and here",
        "Response times: from the planned start",
    ] {
        assert!(page.contains(words), "{words} is missing");
    }
    let files = ["a.json", "b.json"].map(|name| folder.join(name));
    for (file, record) in files.iter().zip([&record, &again]) {
        std::fs::write(file, serde_json::to_string(record).unwrap()).unwrap();
    }
    let mut compare = truedisk(["compare"]);
    compare.args(&files);
    let compared = run(compare);
    let text = String::from_utf8_lossy(&compared.stdout).into_owned();
    // Of two replays the same load is compared, unless one of them is invalid.
    let is_told = text.contains("5,000 arrivals/s, read") || text.contains("left out");
    assert!(compared.status.success() && is_told, "{text}");
}

#[test]
fn a_capped_device_does_not_keep_up_and_says_how_much_it_carries() {
    lab::skip_unless!(Need::BlkioV1, Need::LoopDevices);
    let _alone = alone();
    let loads = loads(6_000, 500_000, false);
    let device = LoopDevice::new(DISK).unwrap();
    let throttle = Throttle::new(device.major_minor()).unwrap();
    // The load is of 2,000 requests a second.
    throttle.cap_read_iops(1000).unwrap();
    let made = || record_of(throttle.wrap_command(&replay([loads.trace.as_path(), device.path()])));
    let record = one_of(made, |record| outcome(record).keeps_up.is_some());
    let of = outcome(&record);
    assert_eq!(of.keeps_up, Some(false), "{of:#?}");
    assert!((of.factor.unwrap() - 0.5).abs() < 0.05, "{of:#?}");
    let words = headline(&record);
    let share = words.strip_prefix("Does not keep up: completes only ").expect(&words);
    let share: f64 = share.split_once(" % of this load").expect(&words).0.parse().unwrap();
    assert!((share / 100.0 - of.factor.unwrap()).abs() < 0.01, "{words}: {of:#?}");
    assert!(record.measured.plan.read_only, "a device is only read");
    // Half as fast, it does.
    let mut slower = replay(["--speed", "0.4x"]);
    slower.arg(&loads.trace).arg(device.path());
    let record = record_of(throttle.wrap_command(&slower));
    let of = outcome(&record);
    assert!(of.keeps_up == Some(true) || of.invalid, "{of:#?}");
}

/// Runs a command that is refused, and gives what it says.
fn refused(mut command: Command) -> String {
    let output: Output = command.output().unwrap();
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{words}");
    assert_eq!(words.lines().filter(|line| line.starts_with("truedisk: ")).count(), 1, "{words}");
    assert!(words.contains("\nhint: "), "{words}");
    words
}

#[test]
fn what_is_no_load_is_refused_with_one_clear_error() {
    let _beside = beside();
    let loads = loads(5_000, 1000, true);
    let good = std::fs::read(&loads.trace).unwrap();
    let folder = loads.folder.path();
    let check = |name: &str, bytes: &[u8], expected: &str| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        let words = refused(replay([path.as_path(), folder]));
        assert!(words.contains(expected) && words.contains(name), "{words}");
    };
    check("empty", b"", "it is no load");
    check("words", b"hello\n", "it is no load");
    check("short", &good[..20], "only 20 of the 48 bytes");
    let mut foreign = good.clone();
    foreign[8..12].reverse();
    check("foreign", &foreign, "byte order of another machine");
    let mut damaged = good.clone();
    damaged[200] ^= 1;
    check("damaged", &damaged, "the checksum of the chunk is wrong");
    let whole = 48..48 + 32 + 4096 * 23;
    let mut backwards = good.clone();
    backwards.splice(whole.end..whole.end, good[whole].to_vec());
    check("backwards", &backwards, "its times run backwards");
    check("none", &[&good[..48], &good[good.len() - 32..]].concat(), "it holds no request");
    check("profile", b"# truedisk profile\nlength-ns = 0\n", "no profile of truedisk");
    let missing = refused(replay([folder.join("missing").as_path(), folder]));
    assert!(missing.contains("No such file"), "{missing}");
    let existing = folder.join("existing");
    std::fs::write(&existing, vec![0; 32 << 20]).unwrap();
    let mut as_is = replay(["--map", "as-is", "--size", "32m"]);
    as_is.arg(&loads.trace).arg(folder);
    let words = refused(as_is);
    assert!(words.contains("its offsets do not fit as they are"), "{words}");
    let mut read_only = replay(["--read-only"]);
    read_only.arg(&loads.trace).arg(&existing);
    assert!(refused(read_only).contains("the load writes, but --read-only forbids it"));
    assert!(refused(replay(["--speed", "fast", "x"])).contains("a speed is a factor"));
    assert_clean(folder);
}

/// 3,000 operations a second are sold: the load asks for 2,000, or 4,000.
#[test]
fn a_plan_is_answered_without_a_target() {
    let _beside = beside();
    let loads = loads(4_000, 500_000, true);
    let plan = |args: &[&str]| {
        let mut command = truedisk(["replay", "--plan", "aws:gp3:500GiB"]);
        command.arg(&loads.trace).args(args);
        let output = run(command);
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (status, words) = plan(&[]);
    assert_eq!(status, Some(0), "{words}");
    assert!(
        words.contains("Carries this load: because of the plan no request waits longer than"),
        "{words}"
    );
    let (status, json) = plan(&["--speed", "2x", "--json", "-"]);
    let answer: serde_json::Value = serde_json::from_str(&json).unwrap();
    let share = answer["answer"]["served_share"].as_f64().unwrap();
    assert_eq!(status, Some(3), "{json}");
    assert!((share - 0.75).abs() < 0.02 && answer["answer"]["carries"] == false, "{json}");
    let mut wrong = truedisk(["replay", "--plan", "aws:gp9"]);
    wrong.arg(&loads.trace);
    assert!(refused(wrong).contains("unknown plan"));
    let mut both = truedisk(["replay", "--plan", "aws:gp3:500GiB"]);
    both.arg(&loads.trace).arg(loads.folder.path());
    assert_eq!(run(both).status.code(), Some(2));
}

/// 70 reads and 30 writes of two sizes, 500 a second; a flush after every eight writes.
fn write_profile(path: &Path) {
    let mut profile = ProfileBuilder::new(ProfiledDisk {
        name: "vdb".to_owned(),
        size_bytes: DISK,
        block_bytes: 512,
    });
    let mut start_ns = 0;
    let mut push = |number: u64, kind, length| {
        start_ns += 2_000_000;
        profile.add(&TraceRequest {
            start_ns,
            offset: number * 7919 % (DISK / 16_384) * 16_384,
            length,
            kind,
            is_fua: false,
            latency_ns: Some(500_000),
        });
    };
    for number in 0..1_000 {
        let length = if number % 4 == 0 { 16_384 } else { 4096 };
        match number % 10 {
            0..3 => push(number, RequestKind::Write, length),
            _ => push(number, RequestKind::Read, length),
        }
        if number % 27 == 26 {
            push(number, RequestKind::Flush, 0);
        }
    }
    let profile = profile.finish(jiff::Timestamp::UNIX_EPOCH, 2_100_000_000, 0);
    std::fs::write(path, profile.to_toml().unwrap()).unwrap();
}

/// Both programs and the preset run what is written.
#[test]
fn a_profile_becomes_a_job_of_fio_and_a_preset_that_run() {
    let _beside = beside();
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    let file = |name: &str| folder.path().join(name);
    write_profile(&file("load.tdprofile"));
    let mut export = truedisk(["replay"]);
    export.arg(file("load.tdprofile")).arg("--as-fio").arg(file("load.fio"));
    export.arg("--as-preset").arg(file("load.toml"));
    let output = run(export);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let job = std::fs::read_to_string(file("load.fio")).unwrap();
    for words in ["rwmixread=70", "fdatasync=8", "rate_process=poisson", "# - bursts"] {
        assert!(job.contains(words), "{words}: {job}");
    }
    let start = |mut program: Command, own: &str| {
        std::fs::create_dir(file(own)).unwrap();
        program.current_dir(file(own)).args(["--runtime=1", "--output-format=json"]);
        program.arg(file("load.fio")).stdout(Stdio::piped()).stderr(Stdio::piped());
        program.spawn()
    };
    let programs = [("theirs", Command::new("fio")), ("ours", truedisk(["fio"]))];
    for child in programs.map(|(own, program)| start(program, own)) {
        let output = match child {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            child => child.unwrap().wait_with_output().unwrap(),
        };
        let text = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{text} {errors}");
        let json = text.get(text.find('{').unwrap()..).unwrap();
        let found: serde_json::Value = serde_json::from_str(json).unwrap();
        let ios = |way: &str| found["jobs"][0][way]["total_ios"].as_f64().unwrap();
        let share = ios("read") / (ios("read") + ios("write"));
        assert!((share - 0.7).abs() < 0.1, "{share}: {text}");
    }
    let mut preset = truedisk(["preset", "--no-history", "--json", "-", "--budget", "2s"]);
    preset.arg(file("load.toml")).arg(folder.path());
    let record = record_of(preset);
    assert!(record.measured.cells.iter().any(|cell| cell.open_loop.is_some()));
    let mut trace = truedisk(["replay", "--as-fio", "-"]);
    let loads = loads(10, 1000, false);
    trace.arg(&loads.trace);
    assert!(refused(trace).contains("only a profile becomes a job"));
}

#[test]
fn a_load_that_writes_is_no_leave_to_write_on_a_device() {
    lab::skip_unless!(Need::LoopDevices);
    let _beside = beside();
    let loads = loads(100, 1000, true);
    let device = LoopDevice::new(DISK).unwrap();
    let before = device.read_stat().unwrap();
    let output = run(replay([loads.trace.as_path(), device.path()]));
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{words}");
    assert_eq!(device.read_stat().unwrap().since(before).write_sectors, 0, "it wrote");
}

#[test]
fn a_long_trace_takes_little_memory() {
    let _beside = beside();
    let loads = loads(3_000_000, 100, false);
    // All of it is read before a missing target is.
    let command = replay([loads.trace.as_path(), Path::new("/nonexistent/target")]);
    let output = run(limit_memory(&command, 64 << 10));
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(words.contains("/nonexistent/target"), "{words}");
}

/// The command with this much memory for data, in KiB.
fn limit_memory(command: &Command, kib: u64) -> Command {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("ulimit -d {kib} && exec \"$0\" \"$@\""));
    shell.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell
}
