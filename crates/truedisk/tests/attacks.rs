//! The attacks that truedisk has withstood, kept as a list so that it goes on withstanding them.
//!
//! | attack | where |
//! |---|---|
//! | disk images of eleven kinds, written by every command that writes | `devices` |
//! | a device in use in another mount namespace, or through another node | `devices` |
//! | look-alikes of leftovers, links and swaps in place of test files | `files` |
//! | hostile names | `files` |
//! | signals, `kill -9`, a full disk, read errors, io_uring disabled | `failures` |
//! | a history that is corrupt, locked, or no database | `history` |
//! | forged and damaged orders | `orders` |
//!
//! The side doors that were open once have tests of their own: `outputs`, `fio_safety`,
//! `fleet::refusals` and others.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test's helpers may fail the test")]

mod support;

mod attacks {
    mod devices;
    mod failures;
    mod files;
    mod history;
    mod orders;
}

use std::path::Path;
use std::process::Command;

/// A folder on the disk, not in memory.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/var/tmp").unwrap()
}

/// SHA-256 of a file or device.
fn digest(path: &Path) -> String {
    let output = Command::new("sha256sum").arg(path).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).split(' ').next().unwrap().to_owned()
}

/// Runs a shell script; `$1` is the path.
fn shell(script: &str, path: &Path) {
    let output = Command::new("sh").args(["-ec", script, "sh"]).arg(path).output().unwrap();
    assert!(output.status.success(), "{script}: {output:?}");
}
