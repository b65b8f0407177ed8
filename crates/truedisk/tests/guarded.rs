//! What is in use or holds data is not written, by whatever path it is named.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::process::{Command, Output};

use lab::{LoopDevice, Need};
use support::{run, truedisk};

const MIB: u64 = 1 << 20;

fn fio(target: &Path) -> Command {
    let mut command = truedisk(["fio", "--name=w", "--rw=write", "--bs=4k", "--size=64k"]);
    command.arg(format!("--filename={}", target.display()));
    command
}

/// The status of a refusal, in fio's dialect too.
const REFUSED: i32 = 4;

#[track_caller]
fn refused(output: &Output, words: &[&str]) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(REFUSED), "{stderr}");
    for word in words {
        assert!(stderr.contains(word), "'{word}' is missing in: {stderr}");
    }
}

fn sum(path: &Path) -> String {
    let output = Command::new("sha256sum").arg(path).output().unwrap();
    String::from_utf8(output.stdout).unwrap().split(' ').next().unwrap().to_owned()
}

#[test]
fn a_file_behind_a_loop_device_of_another_namespace_is_refused_by_every_path() {
    lab::skip_unless!(Need::Root, Need::LoopDevices);
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("image"), vec![7; 1 << 20]).unwrap();
    std::fs::hard_link(at("image"), at("linked")).unwrap();
    std::fs::create_dir(at("bound")).unwrap();
    // The device is set up on a path that exists only in a mount namespace of its own.
    let script = "mount --bind \"$1\" \"$1/bound\" && losetup --find --show \"$1/bound/image\"";
    let mut hidden = Command::new("unshare");
    hidden.args(["--mount", "sh", "-c", script, "sh"]).arg(folder.path());
    let output = hidden.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let device = String::from_utf8(output.stdout).unwrap().trim().to_owned();
    let before = sum(&at("image"));
    let outputs: Vec<Output> = ["image", "linked"].map(|name| run(fio(&at(name)))).into();
    let after = sum(&at("image"));
    assert!(Command::new("losetup").args(["--detach", &device]).status().unwrap().success());
    for output in &outputs {
        refused(output, &["it is the file behind loop"]);
    }
    assert_eq!(before, after);
}

/// A sparse device with these bytes at a place, and what a job says that would write to it.
#[track_caller]
fn holds(size: u64, write: impl FnOnce(&Path), words: &[&str]) {
    let device = LoopDevice::options(size).sparse().direct_io(false).attach().unwrap();
    write(device.path());
    let before = sum(device.path());
    refused(&run(fio(device.path())), words);
    let mut ping = truedisk(["ping", "-WWW", "-c", "1"]);
    ping.arg(device.path());
    refused(&run(ping), words);
    assert_eq!(sum(device.path()), before);
}

#[test]
fn one_row_of_a_table_in_an_empty_device_is_found() {
    lab::skip_unless!(Need::LoopDevices);
    let row = |path: &Path| {
        let device = OpenOptions::new().write(true).open(path).unwrap();
        device.write_all_at(b"1\tthe only row of this table\n", 7 * MIB).unwrap();
    };
    holds(64 * MIB, row, &["it holds data of no known kind at 7 MiB", "searched "]);
}

#[test]
fn a_file_system_behind_a_zeroed_partition_table_is_found() {
    lab::skip_unless!(Need::LoopDevices, Need::FileSystem("ext4"));
    let ext4 = |path: &Path| {
        // As in a partition at 1 MiB of which only the table is gone.
        let options = "offset=1048576,nodiscard,lazy_itable_init=1,lazy_journal_init=1";
        let mut mkfs = Command::new("mkfs.ext4");
        let made = mkfs.args(["-q", "-F", "-E", options]).arg(path).arg("1000m").status().unwrap();
        assert!(made.success());
    };
    holds(1 << 30, ext4, &["it holds an ext2/3/4 file system at 1 MiB", "searched ", "1 GiB"]);
}

#[test]
fn an_empty_device_is_written_and_the_look_is_told() {
    lab::skip_unless!(Need::LoopDevices);
    let device = LoopDevice::options(64 * MIB).sparse().direct_io(false).attach().unwrap();
    let mut command = fio(device.path());
    command.arg("--output-format=json");
    let output = run(command);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("no data found in all 64 MiB, "), "{text}");
}
