//! Scenarios can be built and undone, and nothing of them is left, whatever happens.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test's helpers may fail the test")]

use std::path::{Path, PathBuf};
use std::process::Command;

use lab::{Need, Situation, all_scenarios, find_scenario, skip_unless};

fn up(name: &str) -> Situation {
    find_scenario(name).unwrap().set_up().unwrap()
}

/// Those with a simulated disk: others write a gigabyte each to the real one, and are built by the
/// tests of the command.
#[test]
fn simulated_scenarios_are_built_and_undone() {
    skip_unless!(Need::Fuse, Need::LoopDevices, Need::FileSystem("ext4"));
    let simulated = all_scenarios().into_iter().filter(|s| s.needs().contains(&Need::Fuse));
    for scenario in simulated {
        let situation = scenario.set_up().unwrap_or_else(|e| panic!("{}: {e}", scenario.name));
        let path = situation.path().to_owned();
        assert!(path.exists(), "{}", scenario.name);
        assert_eq!(path.is_dir(), !situation.is_read_only(), "{}", scenario.name);
        assert_eq!(situation.arguments().last().unwrap(), path.as_os_str());
        situation.tear_down().unwrap_or_else(|e| panic!("{}: {e}", scenario.name));
    }
}

/// The disk, the device and the file system of a situation, as they are found from outside.
fn traces(text: &str) -> Vec<String> {
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap();
    mounts.lines().filter(|line| line.contains(text)).map(str::to_owned).collect()
}

#[test]
fn a_test_that_fails_leaves_nothing() {
    skip_unless!(Need::Fuse, Need::LoopDevices, Need::FileSystem("ext4"));
    let (tell, told) = std::sync::mpsc::channel::<PathBuf>();
    let failed = std::thread::spawn(move || {
        let situation = up("flush-ignored");
        tell.send(situation.path().to_owned()).unwrap();
        assert!(!situation.path().exists(), "on purpose");
    });
    assert!(failed.join().is_err());
    let mount = told.recv().unwrap();
    assert!(!mount.exists());
    assert_eq!(traces(&mount.display().to_string()), Vec::<String>::new());
}

fn printed(situation: &Situation, program: &str, argument: impl AsRef<Path>) -> String {
    let mut command = Command::new(program);
    command.arg(argument.as_ref());
    let output = situation.wrap_command(&command).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_command_sees_the_other_machine_and_the_same_device() {
    skip_unless!(Need::Fuse, Need::LoopDevices, Need::Program("unshare"));
    let situation = up("os-throttle-recorded");
    let number = situation.device_number().unwrap().to_string();
    let device = Path::new("/sys/dev/block").join(&number);
    assert_eq!(printed(&situation, "cat", device.join("dev")), number);
    let group = printed(&situation, "cat", "/proc/self/cgroup");
    assert_eq!(group, "0::/system.slice/docker-abc.scope\n");
    let limit = "/sys/fs/cgroup/system.slice/docker-abc.scope/io.max";
    assert!(printed(&situation, "cat", limit).starts_with(&format!("{number} rbps=max")));
    let listed = printed(&situation, "ls", situation.path());
    assert_eq!(Path::new(listed.trim()), situation.path());
    // Here, nothing has changed.
    assert!(!Path::new(limit).exists());
    situation.tear_down().unwrap();
}

#[test]
fn a_command_in_a_throttle_is_in_its_group() {
    skip_unless!(Need::LoopDevices, Need::BlkioV1);
    let situation = up("os-throttle");
    assert!(printed(&situation, "cat", "/proc/self/cgroup").contains(lab::PREFIX));
    situation.tear_down().unwrap();
}
