//! I/O limits that control groups put on this process, and on all.

use record::IoLimit;
use units::{BytesPerSecond, Iops};

use crate::control_groups::{ControlGroup, find_own_groups, list_groups};
use crate::identity::{Mount, read_mounts};
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
pub(crate) fn read_io_limits(roots: &Roots, table: &[Mount]) -> Vec<IoLimit> {
    let groups = find_own_groups("blkio", roots, table);
    groups.iter().flat_map(|group| read_group_limits(group, roots)).collect()
}

/// Those of every control group of the host.
pub fn find_io_limits(roots: &Roots) -> Vec<IoLimit> {
    let groups = list_groups("blkio", roots, &read_mounts(roots));
    groups.iter().flat_map(|group| read_group_limits(group, roots)).collect()
}

fn read_group_limits(group: &ControlGroup, roots: &Roots) -> Vec<IoLimit> {
    let files = if group.is_v1 { FILES_V1.map(|(file, _)| file) } else { FILES_V2 };
    let mut limits = Vec::new();
    for file in files {
        let text = read_lossy(&group.folder.join(file));
        let parse = |line| parse_limit_line(line, &group.name, file, roots);
        limits.extend(text.lines().filter_map(parse));
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
        ..IoLimit::default()
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
    use std::path::Path;

    use super::*;

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

    #[test]
    fn limits_of_groups_that_this_process_is_not_in_are_found() {
        let tree = crate::testing::Tree::of(
            "proc/self/cgroup = 0::/\n\
             proc/self/mountinfo = 30 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\\n\
             31 1 0:27 / /sys/fs/blkio rw - cgroup cgroup rw,blkio\\n\n\
             sys/fs/cgroup/system.slice/db.service/io.max = 8:0 rbps=max riops=120\n\
             sys/fs/blkio/other/blkio.throttle.write_bps_device = 8:0 4096\n",
        );
        let limits = find_io_limits(&tree.roots);
        let [first, second] = &limits[..] else { panic!("{limits:?}") };
        assert_eq!(first.cgroup, "/system.slice/db.service");
        assert_eq!(first.read_iops, Some(Iops(120.0)));
        assert_eq!((second.cgroup.as_str(), second.write_bytes.unwrap().0), ("/other", 4096.0));
    }
}
