//! Regular files that something else uses as a disk: renaming over them would lose their data.

use std::fs;
use std::path::{Path, PathBuf};

use rustix::fs::stat;

use crate::entry::Identity;

/// Who uses a regular file as a disk, by the trees under `root`.
pub(crate) fn find_user(file: Identity, root: &Path) -> Option<&'static str> {
    let is_it = |path: &PathBuf| stat(path).is_ok_and(|stat| Identity::of(&stat) == file);
    if swap_files(root).iter().any(is_it) {
        return Some("it is swapped on");
    }
    loop_files(root).iter().any(is_it).then_some("a loop device is over it")
}

/// The first column of /proc/swaps, after its heading.
fn swap_files(root: &Path) -> Vec<PathBuf> {
    let table = fs::read_to_string(root.join("proc/swaps")).unwrap_or_default();
    let names = table.lines().skip(1).filter_map(|line| line.split_whitespace().next());
    // The kernel writes a blank in a name as \040.
    names.map(|name| PathBuf::from(name.replace("\\040", " "))).collect()
}

fn loop_files(root: &Path) -> Vec<PathBuf> {
    let Ok(devices) = fs::read_dir(root.join("sys/block")) else { return Vec::new() };
    let backing = |device: fs::DirEntry| {
        let name = fs::read_to_string(device.path().join("loop/backing_file")).ok()?;
        Some(PathBuf::from(name.trim_end_matches('\n')))
    };
    devices.flatten().filter_map(backing).collect()
}
