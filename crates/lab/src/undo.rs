//! Taking apart what situations are made of: for their `Drop`, and for the sweep.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use crate::block;
use crate::tools::{read_text, report_failure, retry, run_tool, wait_until};
use crate::{LabError, Result};

const DETACH_LIMIT: Duration = Duration::from_secs(5);

const UNMOUNT_LIMIT: Duration = Duration::from_secs(2);

/// How long a control group may stay busy with processes that are just ending.
pub(crate) const REMOVE_LIMIT: Duration = Duration::from_secs(2);

/// Kills a process when `ours` holds while it is held fast: a pid alone may change hands.
pub(crate) fn kill_if(pid: u32, ours: impl Fn() -> bool) -> bool {
    let Some(process) = i32::try_from(pid).ok().and_then(Pid::from_raw) else {
        return false;
    };
    if !ours() {
        return false;
    }
    pidfd_open(process, PidfdFlags::empty())
        .is_ok_and(|fd| ours() && pidfd_send_signal(&fd, Signal::KILL).is_ok())
}

pub(crate) fn unmount_path(point: &Path) -> Result<()> {
    retry(UNMOUNT_LIMIT, || run_tool("umount", [point]).map(drop))
}

/// Takes a mount out of sight at once; the kernel ends it with its last user.
pub(crate) fn unmount_path_lazily(point: &Path) -> Result<()> {
    run_tool("umount", [Path::new("--lazy"), point]).map(drop)
}

/// Unmounts, and takes a mount that stays busy out of sight: its user must not keep the folder.
pub(crate) fn unmount_or_hide(point: &Path) -> Result<()> {
    let outcome = unmount_path(point);
    if outcome.is_err() {
        report_failure(unmount_path_lazily(point));
    }
    outcome
}

/// Detaches a device, which the caller must own, and waits until it is free.
pub(crate) fn detach_device(name: &str) -> Result<()> {
    let path = Path::new("/dev").join(name);
    run_tool("losetup", [Path::new("--detach"), &path])?;
    // With a user left, the kernel only promises to detach at the last close.
    let folder = block::sysfs_folder(name).join("loop");
    wait_until("be detached", &path, DETACH_LIMIT, || Ok(!folder.exists()))
}

pub(crate) fn read_members(group: &Path) -> Result<Vec<u32>> {
    let text = read_text(group.join("cgroup.procs"))?;
    Ok(text.lines().filter_map(|line| line.parse().ok()).collect())
}

pub(crate) fn remove_group(group: &Path) -> Result<()> {
    fs::remove_dir(group).map_err(|e| LabError::io("remove the group", group, e))
}

/// Where the control groups of version 1 with this controller are.
pub(crate) fn find_group_root(controller: &str) -> Result<PathBuf> {
    let mounts = read_text("/proc/mounts")?;
    let root = mounts.lines().find_map(|line| {
        let fields: Vec<&str> = line.split(' ').collect();
        match fields[..] {
            [_, point, "cgroup", options, ..] => {
                options.split(',').any(|o| o == controller).then(|| PathBuf::from(point))
            }
            _ => None,
        }
    });
    let missing = || format!("shows no cgroup v1 {controller}");
    root.ok_or_else(|| LabError::unusable("/proc/mounts", missing()))
}
