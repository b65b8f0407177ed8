//! What a test needs of the machine, and what happens where it is missing.

use std::env;
use std::fmt;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::tools::write_stderr_line;
use crate::undo::find_group_root;

/// Set by `cargo xtask test`: a test may not be skipped here.
const REQUIRE_ALL: &str = "TRUEDISK_REQUIRE_ALL";

/// Names the file to which skipped tests append a line each.
const SKIP_LOG: &str = "TRUEDISK_SKIP_LOG";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    Root,
    /// Loop devices, and the right to attach them.
    LoopDevices,
    /// `/dev/zram0`.
    Zram,
    /// File systems served over FUSE, and the right to mount them.
    Fuse,
    /// Control groups of version 1 with `blkio`.
    BlkioV1,
    /// The same with `cpu`.
    CpuV1,
    /// Network namespaces, with links and bridges in them, and the right to make them.
    NetworkNamespaces,
    /// A file system laid over another (overlayfs), and the right to mount it.
    Overlay,
    /// Time namespaces, and the right to make them.
    TimeNamespaces,
    Program(&'static str),
    /// A file system that the kernel knows, and its mkfs.
    FileSystem(&'static str),
    /// io_uring, not switched off or filtered away.
    IoUring,
}

impl Need {
    fn is_met(self) -> bool {
        let exists = |path: &str| Path::new(path).exists();
        match self {
            Need::Program(name) => has_program(name),
            Need::FileSystem(name) => {
                knows_file_system(name) && has_program(&format!("mkfs.{name}"))
            }
            Need::IoUring => has_io_uring(),
            _ if !is_root() => false,
            Need::Root => true,
            Need::LoopDevices => exists("/dev/loop-control") && has_program("losetup"),
            Need::Zram => exists("/dev/zram0") && exists("/sys/block/zram0/reset"),
            Need::Fuse => exists("/dev/fuse"),
            Need::BlkioV1 => find_group_root("blkio").is_ok(),
            Need::CpuV1 => find_group_root("cpu").is_ok(),
            Need::NetworkNamespaces => has_program("nsenter") && can_create_links(),
            Need::Overlay => knows_file_system("overlay"),
            Need::TimeNamespaces => exists("/proc/self/ns/time") && has_program("nsenter"),
        }
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Need::Root => f.write_str("root"),
            Need::LoopDevices => f.write_str("loop devices"),
            Need::Zram => f.write_str("/dev/zram0"),
            Need::Fuse => f.write_str("FUSE"),
            Need::BlkioV1 => f.write_str("cgroup v1 blkio"),
            Need::CpuV1 => f.write_str("cgroup v1 cpu"),
            Need::NetworkNamespaces => f.write_str("network namespaces with veth and bridges"),
            Need::Overlay => f.write_str("overlayfs"),
            Need::TimeNamespaces => f.write_str("time namespaces"),
            Need::Program(name) => write!(f, "the program {name}"),
            Need::FileSystem(name) => write!(f, "the file system {name}"),
            Need::IoUring => f.write_str("io_uring"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("needs {}", needs.iter().map(Need::to_string).collect::<Vec<_>>().join(", "))]
pub struct Missing {
    pub needs: Vec<Need>,
}

/// Looks whether everything is there; the error says what is missing.
pub fn require(needs: &[Need]) -> Result<(), Missing> {
    let needs: Vec<Need> = needs.iter().copied().filter(|need| !need.is_met()).collect();
    if needs.is_empty() { Ok(()) } else { Err(Missing { needs }) }
}

/// Whether the test `name` is to run; for [`skip_unless!`](crate::skip_unless).
/// Panics when something is missing with `TRUEDISK_REQUIRE_ALL=1`.
pub fn settle(name: &str, outcome: Result<(), Missing>) -> bool {
    let Err(missing) = outcome else { return true };
    let strict = env::var_os(REQUIRE_ALL).is_some_and(|value| value == "1");
    assert!(!strict, "{name} {missing}, and {REQUIRE_ALL}=1 forbids to skip it");
    let line = format!("skipped: {name}: {missing}");
    write_stderr_line(&line);
    if let Some(log) = env::var_os(SKIP_LOG) {
        // `cargo xtask test` counts and lists the lines of this file.
        let appended = fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(&log)
            .and_then(|mut file| writeln!(file, "{line}"));
        if let Err(error) = appended {
            write_stderr_line(&format!("cannot write to {}: {error}", Path::new(&log).display()));
        }
    }
    false
}

/// Leaves the test, with a line on stderr, unless the machine has all that it needs. With
/// `TRUEDISK_REQUIRE_ALL=1` the test fails instead.
///
/// ```no_run
/// # use lab::Need;
/// lab::skip_unless!(Need::LoopDevices, Need::Program("fio"));
/// ```
#[macro_export]
macro_rules! skip_unless {
    ($($need:expr),+ $(,)?) => {{
        // A function's type name tells where it stands: `crate::module::the_test::here`.
        fn here() {}
        let name = ::std::any::type_name_of_val(&here);
        let name = name.strip_suffix("::here").unwrap_or(name);
        if !$crate::settle(name, $crate::require(&[$($need),+])) {
            return;
        }
    }};
}

pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Whether a program is on the path, or in a system folder, which a user's path often lacks.
pub fn has_program(name: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    let sbin = ["/usr/sbin", "/sbin"].map(Into::into);
    env::split_paths(&path).chain(sbin).any(|folder| folder.join(name).is_file())
}

/// Whether hosts' links can be made; in a namespace that goes with its only process.
fn can_create_links() -> bool {
    let script = "ip link add name v0 type veth peer name v1 && ip link add name b0 type bridge";
    run_quietly("unshare", &["--net", "sh", "-c", script])
}

/// Whether the kernel has a file system, also as a module that is not loaded yet.
fn knows_file_system(name: &str) -> bool {
    let listed = fs::read_to_string("/proc/filesystems").unwrap_or_default();
    listed.lines().any(|line| line.split_whitespace().last() == Some(name))
        || run_quietly("modprobe", &["--dry-run", "--quiet", name])
}

/// Whether a ring can be made. The system call would need `unsafe`, so fio is asked where a
/// filter may stand in the way.
fn has_io_uring() -> bool {
    match fs::read_to_string("/proc/sys/kernel/io_uring_disabled") {
        Ok(switch) if switch.trim() == "0" => {}
        Ok(switch) if switch.trim() == "1" && is_root() => {}
        // Before Linux 6.6 there was no such switch.
        Err(_) => return fio_has_io_uring(),
        Ok(_) => return false,
    }
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let filtered = !status.lines().any(|line| line == "Seccomp:\t0");
    !filtered || fio_has_io_uring()
}

fn fio_has_io_uring() -> bool {
    let job = "--name=probe --ioengine=io_uring --filename=/dev/zero --size=4k --rw=read";
    run_quietly("fio", &job.split(' ').collect::<Vec<_>>())
}

fn run_quietly(program: &str, arguments: &[&str]) -> bool {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        assert_eq!(require(&[Need::Program("sh")]), Ok(()));
        let missing = require(&[Need::Program("sh"), Need::Program("no-such-tool")]).unwrap_err();
        assert_eq!(missing.to_string(), "needs the program no-such-tool");
    }

    #[test]
    fn a_test_with_its_needs_met_goes_on() {
        let mut reached = false;
        let mut body = || {
            skip_unless!(Need::Program("sh"));
            reached = true;
        };
        body();
        assert!(reached);
    }
}
