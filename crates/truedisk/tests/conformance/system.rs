//! What jobs do to the system around them, beside the real fio: control groups, and the disks that
//! are counted.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use lab::{LoopDevice, Need};
use rustix::process::{Pid, Signal, kill_process};

use crate::harness::run::{Outcome, Side, program, run, words};
use crate::harness::{folder, gate};

fn run_json(side: Side, job: &str) -> (Outcome, serde_json::Value) {
    let root = folder().unwrap();
    let mut all = vec!["--output-format=json".to_owned()];
    all.extend(words(&format!("--name=a --size=1m --bs=4k --rw=read {job}")));
    let outcome = run(side, &all, root.path(), None, &[]).unwrap();
    let json = outcome.stdout.find('{').map_or("null", |at| &outcome.stdout[at..]);
    let json = serde_json::from_str(json).unwrap();
    (outcome, json)
}

/// Whether the job was seen in the group while it ran.
fn is_in_group_during(side: Side, group: &Path, job: &str) -> bool {
    thread::scope(|scope| {
        let running = scope.spawn(|| {
            let (outcome, json) = run_json(side, &format!("{job} --time_based --runtime=1"));
            assert_eq!((outcome.status, &json["jobs"][0]["error"]), (0, &0.into()), "{outcome:?}");
        });
        let begin = Instant::now();
        let is_seen = || fs::read_to_string(group.join("tasks")).is_ok_and(|all| !all.is_empty());
        let mut seen = false;
        while !seen && !running.is_finished() && begin.elapsed() < Duration::from_secs(20) {
            seen = is_seen();
            thread::sleep(Duration::from_millis(5)); // sleeps because another program must start
        }
        running.join().unwrap();
        seen
    })
}

/// Interrupts a job during the layout of its file `f` in `folder`.
fn interrupt_layout(side: Side, signal: Signal, folder: &Path, rw: &str) {
    let program = program(side).unwrap();
    let file = folder.join("f");
    let blocks = || fs::metadata(&file).map_or(0, |file| file.blocks());
    let before = blocks();
    // Long enough to be interrupted.
    let job = format!(
        "--name=a --filename=f --size=1g --bs=1m --rw={rw} --fallocate=none --output-format=json"
    );
    let mut child = Command::new(&program[0])
        .args(&program[1..])
        .args(words(&job))
        .current_dir(folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    while blocks() <= before {
        assert!(child.try_wait().unwrap().is_none(), "{side:?} ended before its layout");
        thread::sleep(Duration::from_millis(2)); // sleeps because another program must start
    }
    kill_process(Pid::from_child(&child), signal).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(128), "{side:?} {signal:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text[text.find('{').unwrap()..]).unwrap();
    assert_eq!(json["jobs"][0]["read"]["io_bytes"], 0, "{side:?} {signal:?}");
}

#[test]
fn an_interrupt_during_the_layout_ends_with_status_128_and_no_half_file() {
    let _pass = gate::enter(gate::Company::Any);
    for (side, signal) in [Side::Real, Side::Ours]
        .into_iter()
        .flat_map(|side| [(side, Signal::INT), (side, Signal::TERM)])
    {
        let root = folder().unwrap();
        interrupt_layout(side, signal, root.path(), "read");
        let file = root.path().join("f");
        assert!(!file.exists(), "{side:?} {signal:?}: a later run would read holes");
    }
    let root = folder().unwrap();
    let file = root.path().join("f");
    fs::write(&file, "").unwrap();
    interrupt_layout(Side::Real, Signal::INT, root.path(), "read");
    assert!(!file.exists(), "fio removes the user's own");
    for (content, rw) in [(vec![], "read"), (vec![7; 3 << 20], "randrw")] {
        fs::write(&file, &content).unwrap();
        interrupt_layout(Side::Ours, Signal::INT, root.path(), rw);
        assert!(fs::read(&file).unwrap() == content, "{rw}: as it was before the layout");
    }
}

#[test]
fn jobs_run_in_their_control_groups() {
    lab::skip_unless!(Need::BlkioV1);
    let _pass = gate::enter(gate::Company::Any);
    let group = Path::new("/sys/fs/cgroup/blkio/truedisk-conformance");
    for side in [Side::Real, Side::Ours] {
        let job = "--cgroup=truedisk-conformance";
        assert!(is_in_group_during(side, group, job), "{side:?}");
        assert!(!group.exists(), "{side:?}: removed");
        assert!(is_in_group_during(side, group, &format!("{job} --cgroup_nodelete=1")));
        assert!(group.exists(), "{side:?}: kept");
        // What was there before stays.
        assert!(is_in_group_during(side, group, job), "{side:?}");
        fs::remove_dir(group).unwrap();
    }
    let (outcome, _) = run_json(Side::Ours, "--cgroup=../x");
    assert_ne!(outcome.status, 0);
    assert!(outcome.stderr.contains("cgroup=../x is no name of a group"), "{outcome:?}");
}

#[test]
fn a_group_that_was_there_gets_its_own_weight_back() {
    lab::skip_unless!(Need::BlkioV1);
    let _pass = gate::enter(gate::Company::Any);
    let group = Path::new("/sys/fs/cgroup/blkio/truedisk-conformance-weight");
    fs::create_dir(group).unwrap();
    let names = ["blkio.weight", "blkio.bfq.weight"];
    let file = names.iter().map(|name| group.join(name)).find(|file| file.exists());
    let weights = file.map(|file| {
        fs::write(&file, "300").unwrap();
        let before = fs::read_to_string(&file).unwrap();
        let job = "--cgroup=truedisk-conformance-weight --time_based --runtime=1";
        // Two jobs: the second finds the weight of the first.
        let second = format!("--name=b --size=1m --rw=read --cgroup_weight=150 {job}");
        let job = format!("{job} --cgroup_weight=200 {second}");
        let during = thread::scope(|scope| {
            let running = scope.spawn(|| run_json(Side::Ours, &job));
            let mut during = before.clone();
            while !running.is_finished() {
                let now = fs::read_to_string(&file).unwrap();
                if now != before {
                    during = now;
                }
                // sleeps because another program must start
                thread::sleep(Duration::from_millis(5));
            }
            let (outcome, _) = running.join().unwrap();
            assert_eq!(outcome.status, 0, "{outcome:?}");
            during
        });
        (before, during, fs::read_to_string(&file).unwrap())
    });
    fs::remove_dir(group).unwrap();
    let Some((before, during, after)) = weights else { return };
    assert_ne!(during, before, "it was set");
    assert_eq!(after, before);
}

#[test]
fn the_disk_below_a_loop_device_is_left_out() {
    lab::skip_unless!(Need::LoopDevices);
    let _pass = gate::enter(gate::Company::Any);
    let device = LoopDevice::new(1 << 20).unwrap();
    let target = device.path().display();
    let job = format!("--filename={target} --direct=1 --time_based --runtime=1");
    let disks = |side| {
        let (_, json) = run_json(side, &job);
        let disks = json["disk_util"].as_array().cloned().unwrap_or_default();
        disks.into_iter().map(|disk| disk["name"].clone()).collect::<Vec<_>>()
    };
    let ours = disks(Side::Ours);
    assert_eq!(ours.len(), 1, "{ours:?}");
    assert_eq!(ours, disks(Side::Real));
}
