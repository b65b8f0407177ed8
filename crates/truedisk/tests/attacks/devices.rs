//! Devices that hold something or are in use: no command writes them.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use lab::{LoopDevice, Need};

use crate::support::{run, truedisk};
use crate::{digest, folder, shell};

const MIB: u64 = 1 << 20;

/// What is made on a device, and by what; `$1` is the device.
const IMAGES: &[(&str, &str)] = &[
    ("ext4", "mkfs.ext4 -q -F -E nodiscard $1"),
    ("xfs", "mkfs.xfs -q -f -K $1"),
    ("btrfs", "mkfs.btrfs -q -f -K $1"),
    ("swap", "mkswap -q $1"),
    ("gpt", "printf 'EFI PART' | dd of=$1 bs=512 seek=1 conv=notrunc status=none"),
    ("mbr", "printf '\\125\\252' | dd of=$1 bs=1 seek=510 conv=notrunc status=none"),
    ("lvm", "printf 'LABELONE' | dd of=$1 bs=512 seek=1 conv=notrunc status=none"),
    ("luks", "printf 'LUKS\\272\\276\\000\\002' | dd of=$1 conv=notrunc status=none"),
    ("md", "printf '\\374\\116\\053\\251\\001' | dd of=$1 bs=4096 seek=1 conv=notrunc status=none"),
    ("squashfs", "printf 'hsqs\\001\\000' | dd of=$1 conv=notrunc status=none"),
    ("database", "seq -f 'row %g of a table' 200000 | dd of=$1 bs=1M seek=100 status=none"),
];

/// Every command that writes a device, without the words that give its data up.
fn writers(device: &Path) -> Vec<Vec<OsString>> {
    let device = device.to_str().unwrap();
    let fio = |rw: &str| {
        let words = ["fio", "--name=a", "--size=1m", "--bs=4k"].map(str::to_owned);
        words.into_iter().chain([format!("--rw={rw}"), format!("--filename={device}")]).collect()
    };
    let other = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<String>>();
    [
        fio("write"),
        fio("randrw"),
        fio("randtrim"),
        other(&["ping", "-W", "-W", "-W", "-c", "1", device]),
        other(&["check", "--quick", "--no-history", device]),
        other(&["limit", "--rw", "randwrite", "--no-history", device]),
        other(&["sweep", "--rw", "randwrite", "--no-history", device]),
        other(&["preset", "cloud", "--no-history", device]),
    ]
    .into_iter()
    .map(|words| words.into_iter().map(OsString::from).collect())
    .collect()
}

/// Asserts that no command writes the device, and each refuses to protect data.
#[track_caller]
fn assert_protected(device: &Path, state: &str) {
    let before = digest(device);
    for words in writers(device) {
        let output = run(truedisk(&words));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{state}: {words:?}: {said}");
        assert!(said.contains("refused to write"), "{state}: {words:?}: {said}");
    }
    assert_eq!(digest(device), before, "{state}");
}

#[test]
fn images_of_eleven_kinds_are_not_written() {
    lab::skip_unless!(Need::LoopDevices);
    for (kind, script) in IMAGES {
        // The least that mkfs.xfs takes, and mkfs.btrfs.
        let size = if *kind == "xfs" { 320 } else { 128 } * MIB;
        let device = LoopDevice::options(size).sparse().direct_io(false).attach().unwrap();
        shell(script, device.path());
        assert_protected(device.path(), kind);
    }
}

/// A process that holds a mount in a namespace of its own, until its stdin closes.
fn mount_elsewhere(device: &Path, point: &Path) -> std::process::Child {
    let script = "mount \"$1\" \"$2\" && echo mounted && read line";
    let mut command = Command::new("unshare");
    command.args(["--mount", "--propagation", "private", "sh", "-c", script, "sh"]);
    command.args([device, point]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "mounted\n");
    child
}

#[test]
fn a_device_that_is_mounted_in_another_namespace_is_not_written() {
    lab::skip_unless!(Need::LoopDevices);
    let device = LoopDevice::options(64 * MIB).sparse().direct_io(false).attach().unwrap();
    shell("mkfs.ext4 -q -F $1", device.path());
    let folder = folder();
    let mut holder = mount_elsewhere(device.path(), folder.path());
    let path = device.path().as_os_str();
    let words = ["check", "--quick", "--no-history", "--yes-destroy-data-on"].map(OsString::from);
    let words = words.iter().map(OsString::as_os_str).chain([path, path]);
    let output = run(truedisk(words));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let _ = holder.stdin.take().unwrap().write_all(b"\n");
    holder.wait().unwrap();
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("in use") || said.contains("mounted"), "{said}");
}

#[test]
fn another_node_of_a_device_is_that_device() {
    lab::skip_unless!(Need::LoopDevices);
    let device = LoopDevice::options(64 * MIB).sparse().direct_io(false).attach().unwrap();
    shell("mkfs.ext4 -q -F $1", device.path());
    let folder = folder();
    let node = folder.path().join("harmless");
    let number = device.major_minor().to_string();
    let (major, minor) = number.split_once(':').unwrap();
    let made = Command::new("mknod").arg(&node).args(["b", major, minor]).status().unwrap();
    assert!(made.success());
    assert_protected(&node, "another node");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&node, &link).unwrap();
    assert_protected(&link, "a link to another node");
}
