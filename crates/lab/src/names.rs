//! What is ours, and whether its owner still lives.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// How the name of everything that the lab makes begins; the owner's pid follows.
pub const PREFIX: &str = "truedisk-lab-";

/// A new name of our own: `truedisk-lab-<pid>-<kind>-<n>`.
pub(crate) fn new_name(kind: &str) -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let n = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{PREFIX}{}-{kind}-{n}", std::process::id())
}

/// The pid in a name of ours; nothing for any other name.
pub(crate) fn owner_pid(name: &OsStr) -> Option<u32> {
    let rest = name.to_str()?.strip_prefix(PREFIX)?;
    let (pid, _) = rest.split_once('-')?;
    // `parse` would also take `+7`, which we never write.
    if !pid.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    pid.parse().ok()
}

/// Whether a name is ours and its owner is dead.
pub(crate) fn is_orphaned(name: &OsStr) -> bool {
    owner_pid(name).is_some_and(|pid| !is_alive(pid))
}

/// Whether a folder on this path is ours and its owner is dead.
pub(crate) fn is_orphaned_path(path: &Path) -> bool {
    path.components().any(|part| is_orphaned(part.as_os_str()))
}

/// Whether a process runs: not a zombie, but one that cannot be looked at.
pub(crate) fn is_alive(pid: u32) -> bool {
    match fs::read_to_string(format!("/proc/{pid}/stat")) {
        // The name in parentheses may itself contain parentheses: the last one ends it.
        Ok(stat) => !stat
            .rsplit_once(')')
            .is_some_and(|(_, rest)| matches!(rest.trim_start().chars().next(), Some('Z' | 'X'))),
        Err(e) => e.kind() != ErrorKind::NotFound,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_names_have_an_owner() {
        let check =
            |name: &str, expected| assert_eq!(owner_pid(OsStr::new(name)), expected, "{name}");
        check("truedisk-lab-17-abc", Some(17));
        check(&new_name("group"), Some(std::process::id()));
        check("truedisk-lab-17", None);
        check("truedisk-lab-+17-abc", None);
        check("truedisk-lab-x17-abc", None);
        check("my-truedisk-lab-17-abc", None);
        check("truedisk-lab--abc", None);
        check("", None);
    }

    #[test]
    fn a_living_owner_is_no_orphan() {
        assert!(!is_orphaned(OsStr::new(&new_name("group"))));
        // No pid is that large: the kernel's limit is 2^22.
        assert!(is_orphaned(OsStr::new("truedisk-lab-4194305-group")));
        assert!(is_orphaned_path(Path::new("/var/tmp/truedisk-lab-4194305-x/mnt")));
        assert!(!is_orphaned_path(Path::new("/var/tmp/x/mnt")));
    }
}
