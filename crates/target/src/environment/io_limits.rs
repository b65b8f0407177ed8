//! I/O limits that control groups put on this process.

use std::path::{Component, Path, PathBuf};

use record::IoLimit;
use units::{BytesPerSecond, Iops};

use crate::identity::Mount;
use crate::roots::{Roots, file_name_of, read_lossy};

/// Limit files of a group of version 1, each with the key that it is in version 2's `io.max`.
const FILES_V1: [(&str, &str); 4] = [
    ("blkio.throttle.read_iops_device", "riops"),
    ("blkio.throttle.write_iops_device", "wiops"),
    ("blkio.throttle.read_bps_device", "rbps"),
    ("blkio.throttle.write_bps_device", "wbps"),
];
/// `io.cost.qos` is in the topmost group only.
const FILES_V2: [&str; 4] = ["io.max", "io.latency", "io.weight", "io.cost.qos"];
const DEFAULT_WEIGHT: &str = "100";

/// Those of its control groups and of their parents.
pub(super) fn read_io_limits(roots: &Roots, table: &[Mount]) -> Vec<IoLimit> {
    let groups = read_lossy(&roots.proc.join("self/cgroup"));
    let mut limits = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(group)) = (parts.next(), parts.next()) else {
            continue;
        };
        let is_v1 = controllers.split(',').any(|controller| controller == "blkio");
        let Some(mount) = table.iter().find(|mount| has_limits(mount, is_v1, controllers)) else {
            continue;
        };
        let base = roots.host_path(&mount.mount_point);
        let below = strip_mount_root(Path::new(group), &mount.root);
        for group in below.ancestors() {
            limits.extend(read_group_limits(&base.join(group), group, is_v1, roots));
        }
    }
    limits
}

fn has_limits(mount: &Mount, is_v1: bool, controllers: &str) -> bool {
    if is_v1 {
        mount.kind == "cgroup" && mount.super_options.iter().any(|option| option == "blkio")
    } else {
        controllers.is_empty() && mount.kind == "cgroup2"
    }
}

/// A group's path below its mount: a container may see `/docker/ID` as the top.
fn strip_mount_root(group: &Path, root: &Path) -> PathBuf {
    let below = group.strip_prefix(root).or_else(|_| group.strip_prefix("/")).unwrap_or(group);
    let outside = below.components().any(|part| part == Component::ParentDir);
    if outside { PathBuf::new() } else { below.to_owned() }
}

fn read_group_limits(folder: &Path, group: &Path, is_v1: bool, roots: &Roots) -> Vec<IoLimit> {
    let files = if is_v1 { FILES_V1.map(|(file, _)| file) } else { FILES_V2 };
    let name = format!("/{}", group.display());
    let mut limits = Vec::new();
    for file in files {
        let text = read_lossy(&folder.join(file));
        limits.extend(text.lines().filter_map(|line| parse_limit_line(line, &name, file, roots)));
    }
    limits
}

/// `7:0 3000` (v1) or `8:0 rbps=max wbps=1048576` (v2); `None` when it limits nothing.
fn parse_limit_line(line: &str, group: &str, file: &str, roots: &Roots) -> Option<IoLimit> {
    let (device, rest) = line.trim().split_once(' ')?;
    let mut limit = IoLimit {
        cgroup: group.to_owned(),
        file: file.to_owned(),
        device: device.to_owned(),
        device_name: roots.block_device(device).map(|folder| file_name_of(&folder)),
        read_iops: None,
        write_iops: None,
        read_bytes: None,
        write_bytes: None,
        other: None,
    };
    let mut set = |key: &str, value: &str| {
        let number = value.parse::<f64>().ok();
        match key {
            "riops" => limit.read_iops = number.map(Iops),
            "wiops" => limit.write_iops = number.map(Iops),
            "rbps" => limit.read_bytes = number.map(BytesPerSecond),
            "wbps" => limit.write_bytes = number.map(BytesPerSecond),
            _ => {}
        }
    };
    if let Some((_, key)) = FILES_V1.iter().find(|(name, _)| *name == file) {
        set(key, rest);
        return Some(limit);
    }
    match file {
        "io.max" => {
            let pairs = rest.split_whitespace().filter_map(|pair| pair.split_once('='));
            pairs.for_each(|(key, value)| set(key, value));
        }
        "io.weight" if device == "default" && rest == DEFAULT_WEIGHT => return None,
        "io.cost.qos" if rest.split_whitespace().any(|pair| pair == "enable=0") => return None,
        "io.latency" if rest == "target=0" => return None,
        _ => limit.other = Some(rest.to_owned()),
    }
    Some(limit)
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
    fn lines_that_limit_nothing_are_left_out() {
        let roots = Roots::under(Path::new("/nonexistent"));
        let other = |line: &str, file: &str| parse_limit_line(line, "/", file, &roots)?.other;
        assert_eq!(other("default 100", "io.weight"), None);
        assert_eq!(other("default 50", "io.weight").as_deref(), Some("50"));
        assert_eq!(other("8:0 target=5000", "io.latency").as_deref(), Some("target=5000"));
        assert_eq!(other("8:0 enable=0 ctrl=auto", "io.cost.qos"), None);
        let max = parse_limit_line(
            "8:0 rbps=max wbps=1048576 riops=120 wiops=max",
            "/",
            "io.max",
            &roots,
        );
        let max = max.unwrap();
        assert_eq!(max.read_iops, Some(Iops(120.0)));
        assert_eq!(max.write_bytes, Some(BytesPerSecond(1_048_576.0)));
        assert_eq!((max.read_bytes, max.write_iops), (None, None));
    }
}
