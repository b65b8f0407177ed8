//! What limits a disk from outside: limits of control groups, heat, errors, its link. Read once,
//! and again every minute.

use std::fs;
use std::path::{Path, PathBuf};

use record::{IoLimit, Link};
use target::Roots;

use crate::disks::Disk;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Conditions {
    /// Limits of control groups on the disks, whatever processes are in them.
    pub io_limits: Vec<IoLimit>,
    /// One per disk, in their order.
    pub disks: Vec<DiskCondition>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct DiskCondition {
    pub name: String,
    pub celsius: Option<f64>,
    /// Above this, the disk says, it is too hot (hwmon's `max`, else `crit`).
    pub celsius_max: Option<f64>,
    /// Commands that failed since the disk was attached (SCSI's `ioerr_cnt`).
    pub io_errors: Option<u64>,
    pub link: Option<Link>,
}

pub fn read_conditions(disks: &[Disk], roots: &Roots) -> Conditions {
    let is_ours = |limit: &IoLimit| {
        disks.iter().any(|disk| limit.device == format!("{}:{}", disk.number.0, disk.number.1))
    };
    let mut io_limits = target::find_io_limits(roots);
    io_limits.retain(is_ours);
    let disks = disks.iter().map(|disk| read_disk_condition(disk, roots)).collect();
    Conditions { io_limits, disks }
}

fn read_disk_condition(disk: &Disk, roots: &Roots) -> DiskCondition {
    let folder = roots.sys.join("block").join(disk.name.replace('/', "!"));
    let monitor = find_monitor(&folder.join("device"));
    let degrees = |file: &str| {
        let text = fs::read_to_string(monitor.as_ref()?.join(file)).ok()?;
        Some(text.trim().parse::<f64>().ok()? / 1000.0)
    };
    let number = format!("{}:{}", disk.number.0, disk.number.1);
    let stack = target::describe_stack(&number, roots);
    DiskCondition {
        name: disk.name.clone(),
        celsius: degrees("temp1_input"),
        celsius_max: degrees("temp1_max").or_else(|| degrees("temp1_crit")),
        io_errors: read_hexadecimal(&folder.join("device/ioerr_cnt")),
        link: stack.into_iter().find(|layer| layer.name == disk.name).and_then(|l| l.link),
    }
}

/// The `hwmonN` folder of a device: NVMe has it below the controller, drivetemp below `hwmon`.
fn find_monitor(device: &Path) -> Option<PathBuf> {
    let folders = [device.to_owned(), device.join("hwmon")];
    let mut entries = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    entries.find_map(|entry| {
        let path = entry.ok()?.path();
        let name = path.file_name()?.to_str()?;
        let is_monitor = name.strip_prefix("hwmon").is_some_and(|rest| !rest.is_empty());
        is_monitor.then_some(path)
    })
}

/// `0x1f`, as SCSI prints its counters.
fn read_hexadecimal(path: &Path) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    u64::from_str_radix(text.trim().strip_prefix("0x")?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heat_errors_and_limits_are_found() {
        let tree = lab::SysfsTree::from_text(
            "sys/dev/block/8:0 -> ../../block/sda\n\
             sys/block/sda/device/hwmon/hwmon3/temp1_input = 41000\n\
             sys/block/sda/device/hwmon/hwmon3/temp1_crit = 65000\n\
             sys/block/sda/device/ioerr_cnt = 0x1f\n\
             sys/block/nvme0n1/device/hwmon1/temp1_input = 38850\n\
             sys/block/nvme0n1/device/hwmon1/temp1_max = 81850\n\
             sys/block/nvme0n1/device/hwmon1/temp1_crit = 84850\n\
             proc/self/cgroup = 0::/box\n\
             proc/self/mountinfo = 30 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n\
             sys/fs/cgroup/box/io.max = 8:0 rbps=max wbps=1048576 riops=max wiops=max\\n\
             9:0 rbps=max wbps=5 riops=max wiops=max\\n\n",
        )
        .unwrap();
        let roots = Roots::under(tree.root());
        let disk = |name: &str, number| Disk { name: name.to_owned(), number };
        let disks = [disk("sda", (8, 0)), disk("nvme0n1", (259, 0)), disk("vda", (254, 0))];
        let conditions = read_conditions(&disks, &roots);
        let [sda, nvme, vda] = &conditions.disks[..] else { panic!("{conditions:?}") };
        assert_eq!((sda.celsius, sda.celsius_max), (Some(41.0), Some(65.0)));
        assert_eq!(sda.io_errors, Some(31));
        assert_eq!((nvme.celsius, nvme.celsius_max), (Some(38.85), Some(81.85)));
        assert_eq!(*vda, DiskCondition { name: "vda".to_owned(), ..DiskCondition::default() });
        let [limit] = &conditions.io_limits[..] else { panic!("{conditions:?}") };
        assert_eq!((limit.cgroup.as_str(), limit.device.as_str()), ("/box", "8:0"));
    }
}
