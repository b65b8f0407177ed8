//! Control groups of versions 1 and 2: those of this process, and those of the host.

use std::collections::{HashMap, VecDeque};
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use crate::identity::{Mount, read_mounts};
use crate::roots::{Roots, list_entries, read_lossy};

/// Hosts with more groups exist, but reading them all would take seconds.
const GROUPS_MAX: usize = 10_000;

pub(crate) struct ControlGroup {
    pub(crate) folder: PathBuf,
    /// Its path below its mount.
    pub(crate) name: String,
    pub(crate) is_v1: bool,
}

/// Those that `controller` may act on this process in, and the groups above them.
pub(crate) fn find_own_groups(
    controller: &str,
    roots: &Roots,
    table: &[Mount],
) -> Vec<ControlGroup> {
    let text = read_lossy(&roots.proc.join("self/cgroup"));
    let mut groups = Vec::new();
    for line in text.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(group)) = (parts.next(), parts.next()) else {
            continue;
        };
        let is_v1 = controllers.split(',').any(|name| name == controller);
        // The hierarchy of version 2 has all controllers, and names none.
        if !is_v1 && !controllers.is_empty() {
            continue;
        }
        let is_mount = |mount: &&Mount| match is_v1 {
            true => mount.kind == "cgroup" && mount.super_options.iter().any(|o| o == controller),
            false => mount.kind == "cgroup2",
        };
        let Some(mount) = table.iter().find(is_mount) else { continue };
        let base = roots.host_path(&mount.mount_point);
        let below = strip_mount_root(Path::new(group), &mount.root);
        groups.extend(below.ancestors().map(|group| ControlGroup {
            folder: base.join(group),
            name: format!("/{}", group.display()),
            is_v1,
        }));
    }
    groups
}

/// Every group of the host that `controller` may act in, parents first; of a large host the first
/// [`GROUPS_MAX`].
pub(crate) fn list_groups(controller: &str, roots: &Roots, table: &[Mount]) -> Vec<ControlGroup> {
    let mut groups = Vec::new();
    for mount in table {
        let is_v1 = mount.kind == "cgroup" && mount.super_options.iter().any(|o| o == controller);
        if !is_v1 && mount.kind != "cgroup2" {
            continue;
        }
        let top = roots.host_path(&mount.mount_point);
        let mut waiting = VecDeque::from([top.clone()]);
        while let Some(folder) = waiting.pop_front() {
            if groups.len() == GROUPS_MAX {
                return groups;
            }
            waiting.extend(list_entries(&folder).into_iter().filter(|entry| is_folder(entry)));
            let below = folder.strip_prefix(&top).unwrap_or(&folder);
            let name = format!("/{}", below.display());
            groups.push(ControlGroup { folder, name, is_v1 });
        }
    }
    groups
}

/// The path of each control group that I/O is charged to, by the kernel's id of the group.
pub fn find_group_ids(roots: &Roots) -> HashMap<u64, String> {
    let mut groups = list_groups("blkio", roots, &read_mounts(roots));
    // A controller is in one hierarchy at a time, and ids of two hierarchies are the same.
    if groups.iter().any(|group| group.is_v1) {
        groups.retain(|group| group.is_v1);
    }
    let id = |group: ControlGroup| Some((group.folder.metadata().ok()?.ino(), group.name));
    groups.into_iter().filter_map(id).collect()
}

/// The group that I/O of this process is charged to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IoGroup {
    /// Its path below its mount, as [`find_group_ids`] has it.
    pub name: String,
    /// It and the groups below have no process but this one.
    pub is_own: bool,
}

/// `None` where no group counts I/O. In version 2 the controller may be off in the process's own
/// group: then the next group above that has it counts.
pub fn find_io_group(roots: &Roots) -> Option<IoGroup> {
    let mut groups = find_own_groups("blkio", roots, &read_mounts(roots));
    if groups.iter().any(|group| group.is_v1) {
        groups.retain(|group| group.is_v1);
    }
    let is_charged = |group: &ControlGroup| {
        let on = read_lossy(&group.folder.join("cgroup.controllers"));
        group.is_v1 || on.split_whitespace().any(|name| name == "io")
    };
    let group = groups.into_iter().find(is_charged)?;
    let own = std::process::id().to_string();
    let mut folders = VecDeque::from([group.folder]);
    let mut is_own = true;
    while let Some(folder) = folders.pop_front().filter(|_| is_own) {
        let members = read_lossy(&folder.join("cgroup.procs"));
        is_own = members.lines().all(|id| id.trim() == own);
        folders.extend(list_entries(&folder).into_iter().filter(|path| is_folder(path)));
    }
    Some(IoGroup { name: group.name, is_own })
}

/// A folder itself, not a link to one.
fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_dir())
}

/// A group's path below its mount: a container may see `/docker/ID` as the top.
fn strip_mount_root(group: &Path, root: &Path) -> PathBuf {
    let below = group.strip_prefix(root).or_else(|_| group.strip_prefix("/")).unwrap_or(group);
    let outside = below.components().any(|part| part == Component::ParentDir);
    if outside { PathBuf::new() } else { below.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_found_below_its_mount() {
        let check = |group: &str, root: &str, expected: &str| {
            let below = strip_mount_root(Path::new(group), Path::new(root));
            assert_eq!(below, Path::new(expected), "{group} {root}");
        };
        check("/", "/", "");
        check("/a/b", "/", "a/b");
        check("/docker/1f", "/docker/1f", "");
        check("/docker/1f/x", "/docker/1f", "x");
        check("/../../user.slice", "/", "");
    }

    #[test]
    fn io_is_charged_to_the_next_group_above_that_has_the_controller() {
        let own = std::process::id();
        let check = |files: &str, expected: Option<(&str, bool)>| {
            let mounts = "proc/self/mountinfo = 30 1 0:26 / /cg rw - cgroup2 cgroup2 rw\\n";
            let tree = crate::testing::Tree::of(&format!("{mounts}\n{files}"));
            let found = find_io_group(&tree.roots).map(|group| (group.name, group.is_own));
            let expected = expected.map(|(name, is_own)| (name.to_owned(), is_own));
            assert_eq!(found, expected, "{files}");
        };
        let text = |controllers: &str, others: &str| {
            format!(
                "proc/self/cgroup = 0::/s/agent\n\
                 cg/s/agent/cgroup.controllers = {controllers}\n\
                 cg/s/agent/cgroup.procs = {own}\n\
                 cg/s/db/cgroup.procs = {others}\n\
                 cg/s/cgroup.controllers = cpu io memory\n"
            )
        };
        check(&text("cpu io memory", "7"), Some(("/s/agent", true)));
        check(&text("cpu memory", "7"), Some(("/s", false)));
        check(&text("cpu memory", ""), Some(("/s", true)));
        check("proc/self/cgroup = 0::/s\n", None);
    }

    #[test]
    fn the_hierarchy_that_io_is_charged_to_is_taken() {
        let tree = crate::testing::Tree::of(
            "proc/self/mountinfo = 30 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\\n\
             31 1 0:27 / /sys/fs/blkio rw - cgroup cgroup rw,blkio\\n\n\
             sys/fs/cgroup/new/cgroup.procs = 1\n\
             sys/fs/blkio/old/inner/tasks = 1\n",
        );
        let mut names: Vec<String> = find_group_ids(&tree.roots).into_values().collect();
        names.sort();
        assert_eq!(names, ["/", "/old", "/old/inner"]);
        let inner = tree.roots.sys.join("fs/blkio/old/inner").metadata().unwrap().ino();
        assert_eq!(find_group_ids(&tree.roots)[&inner], "/old/inner");
    }
}
