//! A run that is killed leaves everything behind; a sweep removes it.

#![allow(clippy::unwrap_used, reason = "a test's helpers may fail the test")]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use lab::skip_unless;
use lab::{
    FileSystem, Hosts, LoopDevice, Mount, Need, Neighbour, Scratch, SimulatedDisk, Throttle, Tmpfs,
    Zram, laws,
};

const MIB: u64 = 1 << 20;
/// Where the child tells what it holds; set only for the child.
const REPORT: &str = "TRUEDISK_LAB_TEST_REPORT";

/// Run by the test below in a process of its own; by itself it does nothing.
#[test]
fn a_child_that_builds_much_and_waits() {
    let Some(report) = env::var_os(REPORT) else {
        return;
    };
    let bare = LoopDevice::options(MIB).sparse().attach().unwrap();
    let below = LoopDevice::options(16 * MIB).sparse().attach().unwrap();
    let mount = Mount::new(&below, FileSystem::Ext4).unwrap();
    let tmpfs = Tmpfs::new(MIB).unwrap();
    let zram = Zram::new(MIB).unwrap();
    let throttle = Throttle::new(bare.major_minor()).unwrap();
    let neighbour = Neighbour::new(bare.path(), 100).unwrap();
    let disk = SimulatedDisk::new(laws::ssd()).unwrap();
    let over = disk.attach().unwrap();
    let written = Mount::new(&over, FileSystem::Ext4).unwrap();
    let hosts = Hosts::with_clocks(1, &[(0, Duration::from_secs(7))]).unwrap();
    let there = hosts.hosts()[0].command("sleep").arg("600").spawn().unwrap();
    let inside = throttle.wrap_command(Command::new("sleep").arg("600")).spawn().unwrap();
    let lines = [
        throttle.path().display().to_string(),
        format!("/proc/{}", neighbour.pid()),
        format!("/proc/{}", inside.id()),
        format!("/proc/{}", there.id()),
        mount.path().display().to_string(),
        tmpfs.path().display().to_string(),
        disk.path().display().to_string(),
        written.path().display().to_string(),
    ];
    let report = PathBuf::from(report);
    // Renamed into place, so that it is never seen half written.
    fs::write(report.with_extension("new"), lines.join("\n")).unwrap();
    fs::rename(report.with_extension("new"), report).unwrap();
    // sleeps because it holds everything until it is killed
    thread::sleep(Duration::from_secs(60));
    // Not reached, as the parent kills: everything is held until here.
    drop((tmpfs, zram, inside, written, over, disk, hosts, there));
}

/// A child that does not outlive a failing test.
struct Killed(Child);

impl Killed {
    fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Killed {
    fn drop(&mut self) {
        self.kill();
        let _ = lab::sweep_leftovers();
    }
}

/// All that the machine shows with this name in it: loop devices, mounts, groups, folders.
fn traces(name: &str) -> Vec<String> {
    let losetup = Command::new("losetup").arg("--list").output().unwrap();
    let mut text = String::from_utf8(losetup.stdout).unwrap();
    text += &fs::read_to_string("/proc/self/mountinfo").unwrap();
    for folder in ["/sys/fs/cgroup/blkio", "/var/tmp", "/run/netns"] {
        for entry in fs::read_dir(folder).unwrap() {
            text += &format!("{}\n", entry.unwrap().path().display());
        }
    }
    text.lines().filter(|line| line.contains(name)).map(str::to_owned).collect()
}

#[test]
fn a_sweep_removes_what_a_killed_run_left() {
    skip_unless!(Need::LoopDevices, Need::BlkioV1, Need::Fuse);
    skip_unless!(Need::FileSystem("ext4"), Need::Program("fio"));
    skip_unless!(Need::NetworkNamespaces, Need::TimeNamespaces);
    let scratch = Scratch::new().unwrap();
    let report = scratch.path().join("report");
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", "a_child_that_builds_much_and_waits"]).env(REPORT, &report);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = Killed(command.spawn().unwrap());
    let started = Instant::now();
    while !report.exists() {
        assert!(started.elapsed() < Duration::from_secs(10), "the child builds nothing");
        // sleeps because the report is polled
        thread::sleep(Duration::from_millis(5));
    }
    let held = fs::read_to_string(&report).unwrap();
    let name = format!("{}{}-", lab::PREFIX, child.0.id());

    // While its owner lives, a sweep touches none of it.
    lab::sweep_leftovers().unwrap();
    assert!(held.lines().all(|path| Path::new(path).exists()), "{held}");
    let before = traces(&name);
    child.kill();
    assert_eq!(traces(&name), before, "a kill alone removes nothing");

    // Another process's sweep may come before ours: what counts is what is left.
    let swept = lab::sweep_leftovers().unwrap();
    assert!(swept.is_empty(), "{swept:?}");
    assert_eq!(traces(&name), Vec::<String>::new());
    // The lock names the process that set the device up, until it is reset.
    let owner = fs::read_to_string("/tmp/truedisk-lab-zram.lock").unwrap();
    assert_ne!(owner, child.0.id().to_string());
    let gone = |path: &&str| !lives(Path::new(path));
    assert_eq!(held.lines().filter(|path| !gone(path)).count(), 0, "{held}");
}

/// Whether a path is there, and no process that is dead and only not yet waited for.
fn lives(path: &Path) -> bool {
    if !path.starts_with("/proc") {
        return path.exists();
    }
    let stat = fs::read_to_string(path.join("stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}
