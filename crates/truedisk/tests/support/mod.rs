//! What the end-to-end tests share: the command, one at a time, in a home of its own.
// Helpers of tests; each test file uses its part.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

pub mod agent_hosts;
pub mod local_agents;
pub mod nats_token;

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use lab::Throttle;
use record::{Finding, FindingId, Record, Status};

static MEASURED: RwLock<()> = RwLock::new(());

/// Measurements disturb each other: one at a time, and nothing beside it.
pub fn alone() -> RwLockWriteGuard<'static, ()> {
    MEASURED.write().unwrap_or_else(PoisonError::into_inner)
}

/// For tests that ask for no speed: several at a time, but none beside one that does.
pub fn beside() -> RwLockReadGuard<'static, ()> {
    MEASURED.read().unwrap_or_else(PoisonError::into_inner)
}

/// The command with these arguments, keeping nothing.
pub fn truedisk<I: AsRef<OsStr>>(args: impl IntoIterator<Item = I>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_truedisk"));
    // Never the history of the user who runs the tests; a folder that cannot be made.
    command.args(args).stdin(Stdio::null()).env("XDG_DATA_HOME", "/dev/null");
    command.env("XDG_CONFIG_HOME", "/dev/null").env_remove("TRUEDISK_HISTORY");
    command
}

/// Copies the command to `to`, in a process of its own: while this one has the copy open for
/// writing, a process that another test starts has it open too, and nobody can run it (ETXTBSY).
pub fn copy_program(to: &Path) {
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_truedisk")).arg(to).status();
    assert!(copied.unwrap().success());
}

/// A quick check that keeps nothing and prints its record.
pub fn check<I: AsRef<OsStr>>(args: impl IntoIterator<Item = I>) -> Command {
    let mut command = truedisk(["check", "--quick", "--json", "-", "--no-history", "--seed", "1"]);
    command.args(args);
    command
}

/// Runs a command that prints a record, whatever its exit status.
pub fn record_of(mut command: Command) -> Record {
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| {
        let stderr = String::from_utf8_lossy(&output.stderr);
        panic!("{error}; status {}; stderr: {stderr}; stdout: {text:.200}", output.status)
    })
}

/// Runs a command to its end.
pub fn run(mut command: Command) -> Output {
    command.output().unwrap()
}

/// Runs a command again, up to three times, as long as it has no answer (status 1): where others
/// take the processors it may not know one.
pub fn run_until_known(run: impl Fn() -> Output) -> Output {
    let mut outputs = (0..4).map(|_| run());
    outputs.find(|output| output.status.code() != Some(1)).unwrap()
}

/// The finding of a check.
pub fn finding(record: &Record, id: FindingId) -> &Finding {
    record.judgement_or_default().findings.iter().find(|finding| finding.id == id).unwrap()
}

/// Asserts how a check ended.
pub fn assert_status(record: &Record, id: FindingId, status: Status) {
    let finding = finding(record, id);
    assert_eq!(finding.status, status, "{finding:#?}");
}

/// Asserts that nothing of ours is left in a folder.
pub fn assert_clean(folder: &Path) {
    let left: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with(".truedisk"))
        .collect();
    assert!(left.is_empty(), "left behind: {left:?}");
}

/// The first of some records that shows it, or the last. A busy host can hide what a device does:
/// it serves simulated ones from the same processors, and runs late.
pub fn one_of(mut make: impl FnMut() -> Record, shows: impl Fn(&Record) -> bool) -> Record {
    for _ in 0..3 {
        let record = make();
        if shows(&record) {
            return record;
        }
    }
    make()
}

/// The command with the control groups out of its sight, as a provider's are: it is held back by
/// one all the same.
pub fn blind(throttle: &Throttle, command: &Command) -> Command {
    let mut hidden = Command::new("unshare");
    hidden.args(["--mount", "sh", "-c"]);
    hidden.arg("mount -t tmpfs none /sys/fs/cgroup && exec \"$0\" \"$@\"");
    hidden.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => hidden.env(name, value),
            None => hidden.env_remove(name),
        };
    }
    throttle.wrap_command(&hidden)
}
