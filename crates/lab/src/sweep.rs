//! Removing what killed runs left behind.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Once;

use rustix::fs::{FlockOperation, flock};

use crate::hosts::network_namespace::sweep_namespaces;
use crate::names::{is_orphaned, is_orphaned_path};
use crate::tools::{base_folder, read_text, retry, write_stderr_line};
use crate::undo::{self, REMOVE_LIMIT, kill_if};
use crate::zram::device::reset_orphaned;
use crate::{LabError, Result};

/// What went wrong; the rest was done all the same.
type Failures = Vec<LabError>;

fn note_failure<T>(failures: &mut Failures, outcome: Result<T>) -> Option<T> {
    outcome.map_err(|e| failures.push(e)).ok()
}

/// Removes what bears our name and a dead owner's pid. Gives what could not be removed.
/// Fails when the lock cannot be taken.
pub fn sweep_leftovers() -> Result<Vec<LabError>> {
    // Of two sweeps at a time, the slower would detach a device from the test that got it next.
    let base = base_folder();
    let folder = File::open(&base).map_err(|e| LabError::io("open", &base, e))?;
    flock(&folder, FlockOperation::LockExclusive).map_err(|e| LabError::io("lock", &base, e))?;
    let mut failures = Failures::new();
    // From the users to the used.
    sweep_processes(&mut failures);
    sweep_groups(&mut failures);
    failures.extend(sweep_namespaces());
    sweep_mounts(&mut failures, false);
    sweep_loops(&mut failures);
    sweep_mounts(&mut failures, true);
    note_failure(&mut failures, reset_orphaned());
    sweep_folders(&base, &mut failures);
    Ok(failures)
}

pub(crate) fn sweep_once() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| match sweep_leftovers() {
        Ok(failures) => {
            failures.iter().for_each(|e| write_stderr_line(&format!("lab: sweep: {e}")));
        }
        Err(e) => write_stderr_line(&format!("lab: sweep: {e}")),
    });
}

fn sweep_processes(failures: &mut Failures) {
    for name in list_entries(Path::new("/proc"), failures) {
        let Some(pid) = name.to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        kill_if(pid, || is_orphaned(&read_process_name(pid)));
    }
}

/// The name a process was started by, `argv[0]`; empty when it has none or is gone.
fn read_process_name(pid: u32) -> OsString {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    OsString::from_vec(line.split(|b| *b == 0).next().unwrap_or_default().to_vec())
}

fn sweep_groups(failures: &mut Failures) {
    // Without cgroup v1 there are no groups of ours either.
    let roots = ["blkio", "cpu"].map(undo::find_group_root).into_iter().flatten();
    roots.for_each(|root| sweep_groups_in(&root, failures));
}

fn sweep_groups_in(root: &Path, failures: &mut Failures) {
    for name in list_entries(root, failures).into_iter().filter(|name| is_orphaned(name)) {
        let group = root.join(name);
        let outcome = retry(REMOVE_LIMIT, || {
            for pid in undo::read_members(&group)? {
                let inside = || undo::read_members(&group).is_ok_and(|all| all.contains(&pid));
                kill_if(pid, inside);
            }
            undo::remove_group(&group)
        });
        note_failure(failures, outcome);
    }
}

/// Simulated disks end last: they may be below loop devices.
fn sweep_mounts(failures: &mut Failures, disks: bool) {
    let mounted = read_mounts();
    // The last mounted first: one may lie upon another.
    for (point, is_fuse) in note_failure(failures, mounted).unwrap_or_default().into_iter().rev() {
        if is_fuse != disks || !is_orphaned_path(&point) {
            continue;
        }
        // Of a dead server nothing waits to be written: who still has it open gets errors.
        let undo = if disks { undo::unmount_path_lazily } else { undo::unmount_path };
        note_failure(failures, undo(&point));
    }
}

fn sweep_loops(failures: &mut Failures) {
    for name in list_entries(Path::new("/sys/block"), failures) {
        let Some(name) = name.to_str().filter(|name| name.starts_with("loop")) else {
            continue;
        };
        let file = Path::new("/sys/block").join(name).join("loop/backing_file");
        // Absent on a device that is free. A removed file's name has " (deleted)" behind it.
        let Ok(backing) = read_text(&file) else { continue };
        if is_orphaned_path(Path::new(&backing)) {
            note_failure(failures, undo::detach_device(name));
        }
    }
}

fn sweep_folders(base: &Path, failures: &mut Failures) {
    let points = read_mounts();
    let Some(points) = note_failure(failures, points) else {
        return;
    };
    for name in list_entries(base, failures).into_iter().filter(|name| is_orphaned(name)) {
        let folder = base.join(name);
        // What is still mounted in there was complained of already, and is not to be emptied.
        if points.iter().any(|(point, _)| point.starts_with(&folder)) {
            continue;
        }
        let outcome = fs::remove_dir_all(&folder).map_err(|e| LabError::io("remove", &folder, e));
        note_failure(failures, outcome);
    }
}

fn list_entries(folder: &Path, failures: &mut Failures) -> Vec<OsString> {
    let listed = fs::read_dir(folder).map_err(|e| LabError::io("list", folder, e));
    let listed = note_failure(failures, listed);
    listed.into_iter().flatten().flatten().map(|entry| entry.file_name()).collect()
}

/// What is mounted: the point, and whether it is served over FUSE.
fn read_mounts() -> Result<Vec<(PathBuf, bool)>> {
    let text = read_text("/proc/self/mountinfo")?;
    let mounted = |line: &str| {
        let point = line.split(' ').nth(4).map(unescape_path)?;
        // proc(5): optional fields end at a lone hyphen, and the type follows.
        let kind = line.split_once(" - ").and_then(|(_, rest)| rest.split(' ').next());
        Some((point, kind == Some("fuse")))
    };
    Ok(text.lines().filter_map(mounted).collect())
}

/// Undoes the `\040` of mountinfo.
fn unescape_path(text: &str) -> PathBuf {
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
        let check = |text: &str, expected| assert_eq!(unescape_path(text), Path::new(expected));
        check("/mnt", "/mnt");
        check("/a\\040b\\134c", "/a b\\c");
        check("/a\\04", "/a\\04");
        check("/tail\\", "/tail\\");
    }
}
