//! What fails underneath, and what ends a run: nothing is left behind, and nothing else is lost.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use engine::simulated::{BadRange, DeviceModel, LatencyNoise, Medium, Quirks, Ssd};
use lab::{FileSystem, Fill, LoopDevice, Mount, Need, SimulatedDisk};
use record::{Completion, Record};

use crate::folder;
use crate::support::{assert_clean, beside, check, record_of, run, truedisk};

const MIB: u64 = 1 << 20;

/// A command in the midst of its work, after so long.
fn start_and_wait(words: &[&str], folder: &Path, after: Duration) -> std::process::Child {
    let mut command = truedisk(words);
    command.arg(folder).stdout(Stdio::null()).stderr(Stdio::null());
    start(command, after)
}

fn start(mut command: Command, after: Duration) -> std::process::Child {
    let child = command.spawn().unwrap();
    // sleeps because the disturbance is to come at some moment of the command's work, whichever.
    std::thread::sleep(after);
    child
}

const COMMANDS: [&[&str]; 4] = [
    &["check", "--quick", "--no-history", "--size", "32m"],
    &["limit", "--rw", "randwrite", "--no-history", "--size", "32m"],
    &["preset", "cloud", "--no-history", "--size", "32m"],
    &["preset", "metadata", "--no-history"],
];

#[test]
fn killed_at_any_moment_what_is_left_is_ours_and_goes_with_the_next_run() {
    let _beside = beside();
    let folder = folder();
    std::fs::write(folder.path().join("mine"), b"precious").unwrap();
    for round in 0..12_u64 {
        let words = COMMANDS[round as usize % COMMANDS.len()];
        let mut child =
            start_and_wait(words, folder.path(), Duration::from_millis(20 + 130 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        let foreign: Vec<_> = std::fs::read_dir(folder.path())
            .unwrap()
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .filter(|name| name != "mine" && !name.starts_with(".truedisk-"))
            .collect();
        assert!(foreign.is_empty(), "{foreign:?}");
    }
    let mut command = truedisk(["preset", "etcd", "--no-history"]);
    command.arg(folder.path());
    run(command);
    assert_clean(folder.path());
    assert_eq!(std::fs::read(folder.path().join("mine")).unwrap(), b"precious");
}

#[test]
fn every_signal_that_asks_for_an_end_leaves_nothing() {
    let _beside = beside();
    for (round, words) in COMMANDS.into_iter().enumerate() {
        for signal in ["-INT", "-TERM", "-HUP"] {
            let folder = folder();
            let after = Duration::from_millis(200 + 300 * round as u64);
            let mut child = start_and_wait(words, folder.path(), after);
            let id = child.id().to_string();
            assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
            child.wait().unwrap();
            assert_clean(folder.path());
        }
    }
}

#[test]
fn a_disk_that_is_full_meanwhile_ends_the_run_and_nothing_else() {
    lab::skip_unless!(Need::LoopDevices);
    let _beside = beside();
    let device = LoopDevice::options(128 * MIB).sparse().attach().unwrap();
    let mount = Mount::new(&device, FileSystem::Ext4).unwrap();
    std::fs::write(mount.path().join("mine"), b"precious").unwrap();
    let mut command = truedisk(COMMANDS[3]);
    command.args(["--json", "-"]).arg(mount.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = start(command, Duration::from_millis(300));
    let filler = mount.path().join("filler");
    let size = format!("of={}", filler.display());
    let _ = Command::new("dd").args(["if=/dev/zero", "bs=1M", "status=none", &size]).output();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        // What was measured until then is printed.
        Some(1) => {
            let record: Record = serde_json::from_slice(&output.stdout).unwrap();
            let Completion::Partial { reason, failed: true } = &record.measured.completion else {
                panic!("{:?}", record.measured.completion)
            };
            assert!(reason.text().contains("No space left on device"), "{reason:?}");
        }
        // It was full before anything was measured.
        Some(2) => {
            assert!(stderr.contains("truedisk: no room for the small files in "), "{stderr}")
        }
        _ => panic!("{}: {stderr}", output.status),
    }
    assert_clean(mount.path());
    assert_eq!(std::fs::read(mount.path().join("mine")).unwrap(), b"precious");
}

#[test]
fn a_disk_with_bad_places_is_told_and_ends() {
    lab::skip_unless!(Need::Fuse, Need::LoopDevices);
    let _beside = beside();
    let medium = Medium::Ssd(Ssd {
        channels: 16,
        read_ns: 250_000,
        write_ns: 50_000,
        bytes_per_second: 2e9,
        flush_ns: 500_000,
        ..Ssd::FLASH
    });
    let noise = LatencyNoise::LogNormal(0.1);
    let law = DeviceModel { noise, ..DeviceModel::new(256 * MIB, medium) };
    let bad = vec![BadRange { offset: 100 * MIB, length: 20 * MIB, from_ns: 0 }];
    let quirks = Quirks { bad, ..Quirks::default() };
    let disk = SimulatedDisk::options(law).quirks(quirks).fill(Fill::Noise(1)).serve().unwrap();
    let device = disk.attach().unwrap();
    let record = record_of(check(["--read-only".as_ref(), device.path().as_os_str()]));
    // A read that fails within the warm-up leaves no cell: how the run ended says it.
    let Completion::Partial { reason, failed: true } = &record.measured.completion else {
        panic!("{:?}", record.measured.completion);
    };
    assert!(reason.text().contains("Input/output error"), "{reason:?}");
}

/// Where the system forbids io_uring, another interface measures.
#[test]
fn without_io_uring_another_interface_measures() {
    lab::skip_unless!(Need::Program("strace"));
    let _beside = beside();
    let folder = folder();
    let plain = check(["--size", "32m"]);
    let mut command = Command::new("strace");
    command.args(["-f", "-qqq", "--seccomp-bpf", "-e", "trace=io_uring_setup"]);
    command.args(["-e", "inject=io_uring_setup:error=EPERM", "-o", "/dev/null"]);
    command.arg(plain.get_program()).args(plain.get_args()).arg(folder.path());
    command.env("XDG_DATA_HOME", "/dev/null").env_remove("TRUEDISK_HISTORY");
    command.stdin(Stdio::null());
    let record = record_of(command);
    let status = record.measured.environment.io_uring.as_ref().unwrap();
    assert!(!status.available && status.reason.is_some(), "nothing was injected: {status:?}");
    assert!(!record.measured.cells.is_empty());
    for cell in &record.measured.cells {
        assert_ne!(cell.backend, "io_uring", "{}", cell.name);
    }
    assert_clean(folder.path());
}
