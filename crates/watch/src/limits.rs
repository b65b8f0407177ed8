//! Limits that control groups put on the watched disks.

use record::IoLimit;
use target::Roots;

use crate::disks::Disk;

/// Limits of control groups on the disks, whatever processes are in them.
pub fn read_io_limits(disks: &[Disk], roots: &Roots) -> Vec<IoLimit> {
    let is_ours = |limit: &IoLimit| disks.iter().any(|disk| limit.device == disk.device_number());
    let mut limits = target::find_io_limits(roots);
    limits.retain(is_ours);
    limits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_on_the_watched_disks_are_found() {
        let tree = lab::SysfsTree::from_text(
            "sys/dev/block/8:0 -> ../../block/sda\n\
             sys/block/sda/size = 4096\n\
             proc/self/cgroup = 0::/box\n\
             proc/self/mountinfo = 30 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n\
             sys/fs/cgroup/box/io.max = 8:0 rbps=max wbps=1048576 riops=max wiops=max\\n\
             9:0 rbps=max wbps=5 riops=max wiops=max\\n\n",
        )
        .unwrap();
        let disks = [Disk { name: "sda".to_owned(), number: (8, 0) }];
        let limits = read_io_limits(&disks, &Roots::under(tree.root()));
        let [limit] = &limits[..] else { panic!("{limits:?}") };
        assert_eq!((limit.cgroup.as_str(), limit.device.as_str()), ("/box", "8:0"));
    }
}
