//! Removing what killed runs left behind.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use crate::names::{orphaned, orphaned_path};
use crate::tools::{read, retry, say};
use crate::{LabError, Result, hosts, loopdev, mount, scratch, throttle, zram};

/// How long a group may stay busy with the processes just killed.
const REMOVE_LIMIT: Duration = Duration::from_secs(2);

/// What a sweep removed, and what it could not.
#[derive(Debug, Default)]
pub struct Swept {
    /// Processes killed.
    pub processes: Vec<u32>,
    /// Network namespaces deleted, by name.
    pub spaces: Vec<OsString>,
    /// Mount points unmounted.
    pub mounts: Vec<PathBuf>,
    /// Loop devices detached.
    pub loops: Vec<String>,
    /// Control groups removed.
    pub groups: Vec<PathBuf>,
    /// Folders removed.
    pub folders: Vec<PathBuf>,
    /// Whether `/dev/zram0` was reset.
    pub zram: bool,
    /// What went wrong; the rest was done all the same.
    pub failures: Vec<LabError>,
}

impl Swept {
    fn keep<T>(&mut self, outcome: Result<T>) -> Option<T> {
        outcome.map_err(|e| self.failures.push(e)).ok()
    }
}

/// Removes what runs of the lab left that were killed: what bears our name and a dead owner's pid.
///
/// # Errors
/// When the lock cannot be taken; what cannot be removed is in [`Swept::failures`].
pub fn sweep() -> Result<Swept> {
    // One at a time: of two sweeps that see the same leftover device, the slower would detach it
    // from whoever got it next.
    let base = scratch::base();
    let folder = File::open(&base).map_err(|e| LabError::io("open", &base, e))?;
    flock(&folder, FlockOperation::LockExclusive).map_err(|e| LabError::io("lock", &base, e))?;
    let mut swept = Swept::default();
    // From the users to the used.
    sweep_processes(&mut swept);
    sweep_groups(&mut swept);
    let (spaces, failures) = hosts::sweep();
    swept.spaces = spaces;
    swept.failures.extend(failures);
    sweep_mounts(&mut swept, false);
    sweep_loops(&mut swept);
    sweep_mounts(&mut swept, true);
    let zram = zram::sweep();
    swept.zram = swept.keep(zram).unwrap_or(false);
    sweep_folders(&base, &mut swept);
    Ok(swept)
}

/// Sweeps when this process builds its first thing.
pub(crate) fn sweep_once() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| match sweep() {
        Ok(swept) => swept.failures.iter().for_each(|e| say(&format!("lab: sweep: {e}"))),
        Err(e) => say(&format!("lab: sweep: {e}")),
    });
}

fn sweep_processes(swept: &mut Swept) {
    for name in entries(Path::new("/proc"), swept) {
        let Some(pid) = name.to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        if kill_if(pid, || orphaned(&program(pid))) {
            swept.processes.push(pid);
        }
    }
}

/// The name a process was started by, `argv[0]`; empty when it has none or is gone.
fn program(pid: u32) -> OsString {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    OsString::from_vec(line.split(|b| *b == 0).next().unwrap_or_default().to_vec())
}

fn sweep_groups(swept: &mut Swept) {
    // Without cgroup v1 there are no groups of ours either.
    let Ok(root) = throttle::blkio_root() else {
        return;
    };
    for name in entries(&root, swept).into_iter().filter(|name| orphaned(name)) {
        let group = root.join(name);
        let outcome = retry(REMOVE_LIMIT, || {
            for pid in throttle::members(&group)? {
                let inside = || throttle::members(&group).is_ok_and(|all| all.contains(&pid));
                if kill_if(pid, inside) {
                    swept.processes.push(pid);
                }
            }
            throttle::remove(&group)
        });
        if swept.keep(outcome).is_some() {
            swept.groups.push(group);
        }
    }
}

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

/// Ends mounts: those on loop devices and in memory first, the simulated disks that may be below
/// loop devices when those are gone.
fn sweep_mounts(swept: &mut Swept, disks: bool) {
    let mounted = mounted();
    // The last mounted first: one may lie upon another.
    for mount in swept.keep(mounted).unwrap_or_default().into_iter().rev() {
        if mount.disk != disks || !orphaned_path(&mount.point) {
            continue;
        }
        // Of a dead server nothing waits to be written: who still has it open gets errors.
        let undo = if disks { mount::unmount_lazily } else { mount::unmount };
        if swept.keep(undo(&mount.point)).is_some() {
            swept.mounts.push(mount.point);
        }
    }
}

fn sweep_loops(swept: &mut Swept) {
    for name in entries(Path::new("/sys/block"), swept) {
        let Some(name) = name.to_str().filter(|name| name.starts_with("loop")) else {
            continue;
        };
        let file = Path::new("/sys/block").join(name).join("loop/backing_file");
        // Absent on a device that is free. A removed file's name has " (deleted)" behind it.
        let Ok(backing) = read(&file) else { continue };
        if orphaned_path(Path::new(&backing)) && swept.keep(loopdev::detach(name)).is_some() {
            swept.loops.push(name.to_owned());
        }
    }
}

fn sweep_folders(base: &Path, swept: &mut Swept) {
    let points = mounted();
    let Some(points) = swept.keep(points) else {
        return;
    };
    for name in entries(base, swept).into_iter().filter(|name| orphaned(name)) {
        let folder = base.join(name);
        // What is still mounted in there was complained of already, and is not to be emptied.
        if points.iter().any(|mount| mount.point.starts_with(&folder)) {
            continue;
        }
        let outcome = fs::remove_dir_all(&folder).map_err(|e| LabError::io("remove", &folder, e));
        if swept.keep(outcome).is_some() {
            swept.folders.push(folder);
        }
    }
}

fn entries(folder: &Path, swept: &mut Swept) -> Vec<OsString> {
    let listed = fs::read_dir(folder).map_err(|e| LabError::io("list", folder, e));
    let listed = swept.keep(listed);
    listed.into_iter().flatten().flatten().map(|entry| entry.file_name()).collect()
}

/// Something mounted.
struct Mounted {
    point: PathBuf,
    /// Whether it is served over FUSE.
    disk: bool,
}

/// All mounts, in the order of mounting.
fn mounted() -> Result<Vec<Mounted>> {
    let text = read("/proc/self/mountinfo")?;
    let mounted = |line: &str| {
        let point = line.split(' ').nth(4).map(unescaped)?;
        // proc(5): optional fields end at a lone hyphen, and the type follows.
        let kind = line.split_once(" - ").and_then(|(_, rest)| rest.split(' ').next());
        Some(Mounted { point, disk: kind == Some("fuse") })
    };
    Ok(text.lines().filter_map(mounted).collect())
}

/// Undoes the `\040` of mountinfo.
fn unescaped(text: &str) -> PathBuf {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let octal = tail.get(..3).and_then(|d| std::str::from_utf8(d).ok());
        let code = octal.and_then(|d| u8::from_str_radix(d, 8).ok());
        match code.filter(|_| *first == b'\\') {
            Some(code) => {
                bytes.push(code);
                rest = &tail[3..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    PathBuf::from(OsStr::from_bytes(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mount_points_are_unescaped() {
        let check = |text: &str, expected| assert_eq!(unescaped(text), Path::new(expected));
        check("/mnt", "/mnt");
        check("/a\\040b\\134c", "/a b\\c");
        check("/a\\04", "/a\\04");
        check("/tail\\", "/tail\\");
    }
}
