//! `truedisk fio` where it means to be better than fio: what it never destroys, and what it says.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

use std::fs;
use std::os::unix::fs::FileExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Output};

use lab::{LoopDevice, Need, Scratch, Throttle};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::Value;

fn fio(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_truedisk"));
    command.arg("fio").args(words).current_dir(folder).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", stderr(output));
    assert!(output.stderr.is_empty(), "silent when all is well: {}", stderr(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_read_job_never_changes_a_file_that_exists() {
    let folder = Scratch::new().unwrap();
    let file = folder.path().join("precious");
    let content: Vec<u8> = (0..1 << 20).map(|i: u32| (i % 251) as u8).collect();
    fs::write(&file, &content).unwrap();
    for (words, status) in [
        (&["--name=a", "--filename=precious", "--rw=read", "--size=2m"][..], 4),
        (&["--name=a", "--filename=precious", "--rw=randread", "--size=1m", "--offset=4k"], 4),
        (&["--name=a", "--filename=precious", "--rw=write", "--size=1m", "--readonly"], 1),
    ] {
        let output = fio(folder.path(), words);
        assert_eq!(output.status.code(), Some(status), "{words:?}");
        assert!(stderr(&output).lines().count() <= 2, "{}", stderr(&output));
    }
    let said = stderr(&fio(folder.path(), &["--name=a", "--filename=precious", "--size=2m"]));
    assert!(said.contains("never makes a file anew") && said.contains("hint: "), "{said}");
    assert_eq!(fs::read(&file).unwrap(), content);
    let output = fio(folder.path(), &["--name=a", "--filename=precious", "--output-format=json"]);
    assert_eq!(json(&output)["jobs"][0]["read"]["io_bytes"], 1 << 20);
    assert_eq!(fs::read(&file).unwrap(), content);
}

#[test]
fn a_file_of_an_earlier_layout_may_be_lengthened() {
    let folder = Scratch::new().unwrap();
    let read = |size: &str| {
        let words = ["--name=a", "--filename=f", "--output-format=json", size];
        json(&fio(folder.path(), &words))["jobs"][0]["read"]["io_bytes"].clone()
    };
    assert_eq!(read("--size=64k"), 64 << 10);
    assert_eq!(read("--size=128k"), 128 << 10);
}

#[test]
fn a_device_with_something_on_it_is_not_written() {
    lab::skip_unless!(Need::LoopDevices);
    let folder = Scratch::new().unwrap();
    let device = LoopDevice::options(32 << 20).sparse().direct_io(false).attach().unwrap();
    let path = device.path().to_str().unwrap();
    let target = format!("--filename={path}");
    let words = ["--name=a", "--rw=write", "--bs=64k", "--size=1m", target.as_str()];
    // Several jobs, one after the other and beside each other, have the device as one.
    let jobs = format!(
        "[a]\nrw=write\nbs=64k\nsize=1m\n{0}\n[b]\nstonewall\nnumjobs=2\nrw=randwrite\nsize=1m\n\
         ioengine=sync\n{0}\n[c]\nstonewall\nrw=randwrite\nsize=1m\ndirect=1\n{0}\n",
        format_args!("filename={path}")
    );
    fs::write(folder.path().join("jobs.fio"), jobs).unwrap();
    let empty = fio(folder.path(), &["jobs.fio"]);
    assert!(empty.status.success(), "an empty device is written, as by fio: {}", stderr(&empty));
    let again = fio(folder.path(), &words);
    assert!(again.status.success(), "what a benchmark left is no data: {}", stderr(&again));
    let raw = fs::OpenOptions::new().write(true).open(path).unwrap();
    let mut sector = b"the only row of this table".to_vec();
    sector.resize(512, 0);
    std::os::unix::fs::FileExt::write_all_at(&raw, &sector, 0).unwrap();
    drop(raw);
    let said = stderr(&fio(folder.path(), &words));
    assert!(said.contains("it holds data of no known kind"), "{said}");
    assert!(said.contains(&format!("--yes-destroy-data-on {path}")), "{said}");
    let other = [&words[..], &["--yes-destroy-data-on=/dev/null"]].concat();
    assert!(!fio(folder.path(), &other).status.success(), "these words are of another device");
    let named = format!("--yes-destroy-data-on={path}");
    assert!(fio(folder.path(), &[&words[..], &[named.as_str()]].concat()).status.success());
    let made = Command::new("mkfs.ext4").args(["-q", "-F", path]).status().unwrap();
    assert!(made.success());
    let said = stderr(&fio(folder.path(), &words));
    assert!(said.contains("holds an ext2/3/4") && said.contains("allow_mounted_write"), "{said}");
    let checked = Command::new("e2fsck").args(["-fn", path]).output().unwrap();
    assert!(checked.status.success(), "{checked:?}");
    let forced = [&words[..], &["--allow_mounted_write=1"]].concat();
    assert!(fio(folder.path(), &forced).status.success());
}

#[test]
fn holes_are_told_in_json_and_text_but_not_to_those_who_call_fio() {
    let folder = Scratch::new().unwrap();
    let hole = fs::File::create(folder.path().join("hole")).unwrap();
    hole.set_len(16 << 20).unwrap();
    let words = ["--name=a", "--filename=hole", "--rw=randread", "--direct=1", "--bs=4k"];
    let as_json = [&words[..], &["--output-format=json"]].concat();
    let found = json(&fio(folder.path(), &as_json))["truedisk"]["findings"].clone();
    let ids: Vec<&str> =
        found.as_array().unwrap().iter().filter_map(|f| f["id"].as_str()).collect();
    assert!(ids.contains(&"unwritten"), "{ids:?}");
    let text = stdout(&fio(folder.path(), &words));
    assert!(text.contains("\ntruedisk: ") && text.contains("never written"), "{text}");
    let mut scripted = Command::new(env!("CARGO_BIN_EXE_truedisk"));
    let output = scripted.arg0("fio").args(words).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success() && !stdout(&output).contains("\ntruedisk: "));
    let quiet = [&words[..], &["--no-findings"]].concat();
    assert!(!stdout(&fio(folder.path(), &quiet)).contains("\ntruedisk: "));
}

/// The names of the cells that a truth check of a run calls invalid.
fn invalid_cells(folder: &Path, id: &str, words: &[&str]) -> Vec<String> {
    let found = json(&fio(folder, &[words, &["--output-format=json"]].concat()));
    let findings = found["truedisk"]["findings"].as_array().unwrap().clone();
    let invalid = findings.iter().filter(|f| f["id"] == id && f["status"] == "invalid");
    let cells = invalid.flat_map(|finding| finding["cells"].as_array().unwrap().clone());
    cells.map(|name| name.as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_section_is_judged_by_what_its_disk_counted_in_its_wave() {
    let folder = Scratch::new().unwrap();
    let job = |name: &'static str, direct: &'static str| {
        [name, "--rw=read", "--bs=64k", "--invalidate=0", direct]
    };
    let sizes = ["--size=16m", "--filename=large"];
    let small = ["--size=2m", "--filename=small"];
    let large = [&job("--name=large", "--direct=1")[..], &sizes].concat();
    let cached = [&job("--name=cached", "--direct=0")[..], &small].concat();
    fs::write(folder.path().join("small"), vec![7; 2 << 20]).unwrap();
    let after = [&large[..], &cached, &["--stonewall"]].concat();
    assert_eq!(invalid_cells(folder.path(), "page-cache", &after), ["cached"]);
    // What a run reads of its own writes was written.
    let verified = ["--name=v", "--rw=randwrite", "--direct=1", "--size=4m", "--verify=crc32c"];
    for id in ["page-cache", "unwritten"] {
        assert_eq!(invalid_cells(folder.path(), id, &verified), [""; 0], "{id}");
    }
}

/// A wave with metadata calls is not observed, and another wave does not speak for it.
#[test]
fn what_was_not_observed_is_not_acquitted() {
    let folder = Scratch::new().unwrap();
    let seen = ["--name=seen", "--rw=read", "--size=4m", "--direct=1"];
    let names = ["--name=names", "--stonewall", "--ioengine=filecreate", "--nrfiles=8"];
    let unseen = ["--filesize=4k", "--name=unseen", "--rw=read", "--size=4m", "--direct=1"];
    let words = [&seen[..], &names, &unseen, &["--keep-run", "--output-format=json"]].concat();
    let program = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_truedisk"));
        command.args(words).current_dir(folder.path());
        command.env("XDG_DATA_HOME", folder.path().join("kept")).output().unwrap()
    };
    let output = program(&[&["fio"], &words[..]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let shown = program(&["history", "show", "latest", "--json", "-"]);
    let record: Value = serde_json::from_slice(&shown.stdout).unwrap();
    let findings = record["judgement"]["findings"].as_array().unwrap().clone();
    let status = |id: &str| findings.iter().find(|f| f["id"] == id).unwrap()["status"].clone();
    assert_eq!(status("page-cache"), "not-observable", "{findings:#?}");
}

#[test]
fn each_of_several_disks_is_judged_by_its_own_counters() {
    lab::skip_unless!(Need::LoopDevices);
    let folder = Scratch::new().unwrap();
    let devices = [(); 2].map(|()| LoopDevice::options(8 << 20).direct_io(true).attach().unwrap());
    let paths = [0, 1].map(|n| format!("--filename={}", devices[n].path().display()));
    let mut whole = fs::File::open(devices[1].path()).unwrap();
    std::io::copy(&mut whole, &mut std::io::sink()).unwrap();
    let both = ["--rw=randread", "--bs=4k", "--readonly", "--invalidate=0", "--size=8m"];
    let first = [&both[..], &["--name=direct", "--direct=1", &paths[0]]].concat();
    let second = [&both[..], &["--name=cached", "--direct=0", &paths[1]]].concat();
    let words = [first, second].concat();
    assert_eq!(invalid_cells(folder.path(), "page-cache", &words), ["cached"]);
    drop(whole);
}

#[test]
fn damage_is_found_by_a_later_run_and_named() {
    let folder = Scratch::new().unwrap();
    let words = ["--name=v", "--rw=randwrite", "--bs=4k", "--size=1m", "--verify=sha256"];
    assert!(fio(folder.path(), &words).status.success());
    let file = fs::OpenOptions::new().write(true).open(folder.path().join("v.0.0")).unwrap();
    file.write_all_at(b"damage", 81_920 + 2_000).unwrap();
    let later = [&words[..], &["--verify_only", "--verify_dump=1"]].concat();
    let output = fio(folder.path(), &later);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("sha256: verify failed at file v.0.0 offset 81920,"),
        "{}",
        stderr(&output)
    );
    assert!(stdout(&output).contains("err=84"), "{}", stdout(&output));
    let dumped = fs::read(folder.path().join("v.0.0.81920.received")).unwrap();
    assert_eq!(&dumped[2_000..2_006], b"damage");
}

#[test]
fn more_than_255_failures_are_not_success() {
    let folder = Scratch::new().unwrap();
    let words = [
        "--name=a",
        "--ioengine=null",
        "--size=64k",
        "--numjobs=256",
        "--max_latency=1ns",
        "--output-format=terse",
    ];
    assert_eq!(fio(folder.path(), &words).status.code(), Some(255));
}

#[test]
fn rates_of_one_direction_are_open_loops() {
    let folder = Scratch::new().unwrap();
    let words = [
        "--name=r",
        "--rw=randread",
        "--size=4m",
        "--rate_iops=500",
        "--runtime=1",
        "--time_based",
        "--output-format=json",
    ];
    let read = json(&fio(folder.path(), &words))["jobs"][0]["read"].clone();
    let total = read["total_ios"].as_u64().unwrap();
    assert!((480..=505).contains(&total), "{total}");
}

/// The figures of fio are right, and it says nothing of what is missing from them.
#[test]
fn a_rate_that_was_not_kept_is_told() {
    lab::skip_unless!(Need::LoopDevices, Need::BlkioV1);
    let folder = Scratch::new().unwrap();
    let device = LoopDevice::options(64 << 20).attach().unwrap();
    let throttle = Throttle::new(device.major_minor()).unwrap();
    throttle.cap_read_iops(1500).unwrap();
    let run = |format: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_truedisk"));
        command.args(["fio", "--name=r", "--rw=randread", "--bs=4k", "--direct=1", "--readonly"]);
        command.args(["--iodepth=8", "--ioengine=libaio", "--rate_iops=2000", "--runtime=3"]);
        command
            .args(["--time_based", format])
            .arg(format!("--filename={}", device.path().display()));
        throttle.wrap_command(command.current_dir(folder.path())).output().unwrap()
    };
    let text = stdout(&run("--output-format=normal"));
    let (_, done) =
        text.split_once("asked for 2,000/s, done 1,").unwrap_or_else(|| panic!("{text}"));
    let done: u32 = done[..3].parse().unwrap();
    assert!((400..600).contains(&done), "{text}");
    let found = json(&run("--output-format=json"))["truedisk"]["findings"].clone();
    let backlog = found.as_array().unwrap().iter().find(|finding| finding["id"] == "backlog");
    assert_eq!(backlog.unwrap_or_else(|| panic!("{found}"))["status"], "warning");
}

/// The device's own books: requests, bytes, and the time in its queue, which bounds latency from
/// below. All three come from `/sys/block`, not from the engine.
#[test]
fn the_device_counted_what_the_report_says() {
    lab::skip_unless!(Need::LoopDevices);
    let folder = Scratch::new().unwrap();
    let device = LoopDevice::options(64 << 20).attach().unwrap();
    let target = format!("--filename={}", device.path().display());
    let words = [
        "--name=a",
        "--rw=randread",
        "--bs=4k",
        "--size=64m",
        "--direct=1",
        "--ioengine=io_uring",
        "--iodepth=4",
        "--output-format=json",
        target.as_str(),
    ];
    let report = json(&fio(folder.path(), &words));
    let number = |path: &str| report.pointer(path).and_then(Value::as_f64).unwrap();
    let ops = number("/jobs/0/read/total_ios");
    assert_eq!(ops, 16_384.0);
    let (served, sectors) = (number("/disk_util/0/read_ios"), number("/disk_util/0/read_sectors"));
    assert!((served / ops - 1.0).abs() < 0.01, "{served} of {ops}");
    assert!((sectors * 512.0 / number("/jobs/0/read/io_bytes") - 1.0).abs() < 0.01, "{sectors}");
    let device_ns = number("/disk_util/0/read_ticks") * 1e6 / served;
    let reported_ns = number("/jobs/0/read/lat_ns/mean");
    assert!(device_ns < reported_ns * 1.1 + 1e3, "device {device_ns}, reported {reported_ns}");
    // Little's law holds rate, latency and depth against each other; the queue is kept full.
    let outstanding = number("/jobs/0/read/iops") * reported_ns / 1e9;
    assert!((3.6..=4.1).contains(&outstanding), "{outstanding} of 4 outstanding");
    let parts = number("/jobs/0/read/slat_ns/mean") + number("/jobs/0/read/clat_ns/mean");
    assert!((parts / reported_ns - 1.0).abs() < 1e-3, "slat and clat {parts}, lat {reported_ns}");
}

#[test]
fn what_is_not_run_is_an_error_that_says_why() {
    let folder = Scratch::new().unwrap();
    for (words, expected) in [
        (&["--name=a", "--uid=7"][..], "the user is not changed"),
        (&["--name=a", "--ioengine=rbd"], "rbd"),
        (&["--name=a", "--nosuch=3"], "unknown option '--nosuch'"),
        (&["--name=a", "--iodepht=3"], "did you mean iodepth?"),
        (&["--client=host"], "server of the agents host is not known"),
        (&["--name=a", "--bs=1.5k"], "has decimals"),
        (&[], "No job(s) defined"),
    ] {
        let output = fio(folder.path(), words);
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        let said = stderr(&output);
        assert!(expected.split('|').any(|part| said.contains(part)), "{words:?}: {said}");
        assert!(said.lines().count() <= 2 && output.stdout.is_empty(), "{words:?}: {said}");
    }
}

/// Two jobs with a command each: the first's can end only after the second's.
#[test]
fn a_command_before_a_job_holds_back_no_other_job() {
    let folder = Scratch::new().unwrap();
    let jobs = "[global]\nioengine=null\nsize=64k\n\
        [a]\nexec_prerun=sh wait.sh\n\
        [b]\nexec_postrun=touch done\n\
        [c]\nstonewall\nexec_prerun=test -e done\n";
    let wait = "for i in $(seq 100); do test -e done && exit; sleep 0.1; done; exit 3";
    fs::write(folder.path().join("wait.sh"), wait).unwrap();
    fs::write(folder.path().join("jobs"), jobs).unwrap();
    let output = fio(folder.path(), &["--allow-exec", "--output-format=json", "jobs"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    let moved = |job: usize| result["jobs"][job]["read"]["io_bytes"].as_u64();
    assert_eq!([moved(0), moved(1), moved(2)], [Some(65_536); 3]);
}

#[test]
fn a_stop_ends_the_command_before_a_job() {
    check_stop_of_command("", 1);
}

#[test]
fn an_end_at_once_ends_a_command_that_heeds_no_signal() {
    check_stop_of_command("trap '' TERM; ", usize::MAX);
}

/// Interrupts the run at most so often, while the command before its job runs.
fn check_stop_of_command(before: &str, interrupts: usize) {
    let folder = Scratch::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_truedisk"));
    command.args(["fio", "--allow-exec", "--name=a", "--ioengine=null", "--size=64k"]);
    let line = "sleep 1000 & echo $! > number; mv number ready; wait";
    command.arg(format!("--exec_prerun={before}{line}"));
    let mut child = command.current_dir(folder.path()).spawn().unwrap();
    let begun = std::time::Instant::now();
    let ready = folder.path().join("ready");
    while !ready.exists() {
        assert!(begun.elapsed().as_secs() < 60 && child.try_wait().unwrap().is_none());
        // sleeps because the appearance of a file is not waited for without inotify
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let number: i32 = fs::read_to_string(ready).unwrap().trim().parse().unwrap();
    let sleeping = Pid::from_raw(number).unwrap();
    test_kill_process(sleeping).unwrap();
    let mut sent = 0;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if sent < interrupts {
            kill_process(Pid::from_child(&child), Signal::INT).unwrap();
            sent += 1;
        }
        // sleeps because two signals at the same time are one
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    assert_ne!(status.code(), Some(0));
    // It is a child of nobody here, and may be gone a moment later.
    let stopped = std::time::Instant::now();
    while test_kill_process(sleeping).is_ok() {
        assert!(stopped.elapsed().as_secs() < 10, "what the command started runs on");
        // sleeps because only a parent can wait for the end of a process
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// What a file without a disk moves is not counted: the disk beside it is checked all the same.
#[test]
fn a_job_without_a_disk_leaves_the_disk_of_another_observed() {
    let folder = Scratch::new().unwrap();
    let cached =
        "[global]\nioengine=psync\nrw=read\ntime_based\nruntime=1\n[a]\nfilename=f\nsize=8m\n";
    let check = |more: &str, is_observed: bool| {
        fs::write(folder.path().join("jobs"), format!("{cached}{more}")).unwrap();
        let output = fio(folder.path(), &["--invalidate=0", "--output-format=json", "jobs"]);
        assert!(output.status.success(), "{more}: {}", stderr(&output));
        let result: Value = serde_json::from_slice(&output.stdout).unwrap();
        let findings = result["truedisk"]["findings"].as_array().unwrap();
        let of_cache = findings.iter().find(|finding| finding["id"] == "page-cache");
        assert_eq!(of_cache.is_some(), is_observed, "{more}: {findings:?}");
    };
    check("", true);
    check("[z]\nfilename=/dev/zero\nsize=8m\n", true);
    // One job of both: its requests to the disk are not told from the others.
    check("filename=f:/dev/zero\n", false);
}
