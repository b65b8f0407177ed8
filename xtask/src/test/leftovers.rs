//! What tests could leave on the machine.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// The mark in the name of everything that the lab makes.
const LAB: &str = "truedisk-lab";

/// How far below a temporary folder a test's own file may lie.
const DEPTH: usize = 3;

/// Where `ip netns` keeps network namespaces: each a mount on an empty file.
const NAMESPACE_FOLDER: &str = "/run/netns";

/// Everything of ours that lies about on this machine, one line each.
pub(super) fn find_leftovers() -> Result<BTreeSet<String>> {
    let mounts =
        fs::read_to_string("/proc/self/mountinfo").context("cannot read /proc/self/mountinfo")?;
    let mut found: BTreeSet<String> = list_mounts(&mounts).collect();
    found.extend(list_loop_devices(Path::new("/sys/block")));
    // Version 1 has a folder per controller; version 2 is the folder itself, or `unified`.
    for folder in ["/sys/fs/cgroup/blkio", "/sys/fs/cgroup", "/sys/fs/cgroup/unified"] {
        found.extend(list_groups(Path::new(folder)));
    }
    found.extend(list_namespaces(Path::new(NAMESPACE_FOLDER)));
    found.extend(list_links(Path::new("/sys/class/net")));
    let lab = std::env::var_os("TRUEDISK_LAB_DIR").map(PathBuf::from);
    let folders = [std::env::temp_dir(), PathBuf::from("/tmp"), PathBuf::from("/var/tmp")];
    for folder in folders.into_iter().chain(lab) {
        collect_files(&folder, DEPTH, &mut found);
    }
    found.retain(|line| !is_in_use(line, |pid| Path::new("/proc").join(pid).exists()));
    Ok(found)
}

/// Whether a process that is alive owns it: names are `truedisk-lab-<pid>-...`.
fn is_in_use(line: &str, is_alive: impl Fn(&str) -> bool) -> bool {
    owner_pid(line).is_some_and(is_alive)
}

fn owner_pid(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once(&format!("{LAB}-"))?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    Some(&rest[..end]).filter(|digits| !digits.is_empty())
}

fn list_mounts(mountinfo: &str) -> impl Iterator<Item = String> {
    let ours = mountinfo.lines().filter(|line| line.contains(LAB));
    // The fifth field is the mount point.
    let points = ours.map(|line| line.split(' ').nth(4).unwrap_or(line));
    // A namespace is listed as such.
    let points = points.filter(|point| !Path::new(point).starts_with(NAMESPACE_FOLDER));
    points.map(|point| format!("mount {point}"))
}

fn list_namespaces(folder: &Path) -> Vec<String> {
    let names = list_own_entries(folder).map(|path| file_name(&path));
    names.map(|name| format!("network namespace {name}")).collect()
}

fn list_groups(folder: &Path) -> Vec<String> {
    list_own_entries(folder).map(|path| format!("control group {}", path.display())).collect()
}

fn list_own_entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let prefix = format!("{LAB}-");
    list_entries(folder).into_iter().filter(move |path| file_name(path).starts_with(&prefix))
}

/// The lab makes links in namespaces of its own, so one that is found here got out of there.
fn list_links(net: &Path) -> Vec<String> {
    list_marked_entries(net, "ifalias", "link")
}

fn list_loop_devices(block: &Path) -> Vec<String> {
    list_marked_entries(block, "loop/backing_file", "loop device")
}

fn list_marked_entries(folder: &Path, file: &str, kind: &str) -> Vec<String> {
    let marked = list_entries(folder).into_iter().filter_map(|entry| {
        let text = fs::read_to_string(entry.join(file)).ok().filter(|text| text.contains(LAB))?;
        Some(format!("{kind} {} of {}", file_name(&entry), text.trim()))
    });
    marked.collect()
}

/// Files and folders named `.truedisk-*` or as the lab's; links are not followed.
fn collect_files(folder: &Path, depth: usize, found: &mut BTreeSet<String>) {
    if depth == 0 {
        return;
    }
    for path in list_entries(folder) {
        let name = file_name(&path);
        // The lab's lock files have no owner in their names, and are there to stay.
        let is_lab = name.starts_with(LAB) && owner_pid(&name).is_some();
        if is_lab || name.starts_with(".truedisk-") {
            found.insert(format!("file {}", path.display()));
        } else if path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
            collect_files(&path, depth - 1, found);
        }
    }
}

/// What is in a folder; nothing, if it is not there, not ours to read, or gone meanwhile.
fn list_entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mounts_of_the_lab_are_found_by_source_or_place() {
        let text = "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n\
                    90 22 7:0 / /tmp/truedisk-lab-1/mnt rw - ext4 /dev/loop0 rw\n";
        let found: Vec<_> = list_mounts(text).collect();
        assert_eq!(found, ["mount /tmp/truedisk-lab-1/mnt"]);
    }

    #[test]
    fn loop_devices_of_the_lab_are_found() {
        let block = tempfile::tempdir().unwrap();
        for (device, file) in [("loop0", "/tmp/truedisk-lab-7/disk\n"), ("loop1", "/a.iso\n")] {
            let folder = block.path().join(device).join("loop");
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("backing_file"), file).unwrap();
        }
        fs::create_dir(block.path().join("sda")).unwrap();
        assert_eq!(
            list_loop_devices(block.path()),
            ["loop device loop0 of /tmp/truedisk-lab-7/disk"]
        );
    }

    #[test]
    fn control_groups_of_the_lab_are_found() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("truedisk-lab-3")).unwrap();
        fs::create_dir(folder.path().join("system.slice")).unwrap();
        let found = list_groups(folder.path());
        assert_eq!(found.len(), 1);
        assert!(found[0].ends_with("/truedisk-lab-3"), "{found:?}");
        assert!(list_groups(Path::new("/no/such/folder")).is_empty());
    }

    #[test]
    fn network_namespaces_of_the_lab_are_found_once() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("truedisk-lab-3-host-h1-0"), "").unwrap();
        fs::write(folder.path().join("vpn"), "").unwrap();
        assert_eq!(list_namespaces(folder.path()), ["network namespace truedisk-lab-3-host-h1-0"]);
        assert!(list_namespaces(Path::new("/no/such/folder")).is_empty());
        let text = "95 24 0:4 net:[7] /run/netns/truedisk-lab-3-host-h1-0 rw - nsfs nsfs rw\n";
        assert_eq!(list_mounts(text).count(), 0);
    }

    #[test]
    fn links_of_the_lab_are_found_by_their_alias() {
        let net = tempfile::tempdir().unwrap();
        for (link, alias) in [("br0", "truedisk-lab-3-hub-0\n"), ("eth0", "uplink\n")] {
            fs::create_dir(net.path().join(link)).unwrap();
            fs::write(net.path().join(link).join("ifalias"), alias).unwrap();
        }
        fs::create_dir(net.path().join("lo")).unwrap();
        assert_eq!(list_links(net.path()), ["link br0 of truedisk-lab-3-hub-0"]);
    }

    #[test]
    fn what_a_living_process_owns_is_not_left_behind() {
        let check = |line: &str, expected: bool| {
            assert_eq!(is_in_use(line, |pid| pid == "71"), expected, "{line}");
        };
        check("mount /var/tmp/truedisk-lab-71-x/mnt", true);
        check("mount /var/tmp/truedisk-lab-7-x/mnt", false);
        check("control group /sys/fs/cgroup/blkio/truedisk-lab-71", true);
        check("loop device loop0 of /truedisk-lab/71", false);
        check("file /tmp/.truedisk-71", false);
        check("network namespace truedisk-lab-71-host-h1-0", true);
    }

    #[test]
    fn files_are_found_three_levels_down_and_no_further() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b/c");
        fs::create_dir_all(&deep).unwrap();
        fs::write(folder.path().join("a/b/.truedisk-1"), "").unwrap();
        fs::create_dir(folder.path().join("a/truedisk-lab-9-disk")).unwrap();
        fs::write(folder.path().join("a/truedisk-2"), "").unwrap();
        fs::write(folder.path().join("a/truedisk-lab-zram.lock"), "").unwrap();
        fs::write(deep.join(".truedisk-3"), "").unwrap();
        let mut found = BTreeSet::new();
        collect_files(folder.path(), DEPTH, &mut found);
        let found: Vec<_> = found.iter().collect();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].ends_with("a/b/.truedisk-1"), "{found:?}");
        assert!(found[1].ends_with("a/truedisk-lab-9-disk"), "{found:?}");
    }
}
