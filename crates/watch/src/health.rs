//! Causes of slowness that the kernel and the disk show: heat, a slow link, failed commands.

use std::fs;
use std::path::Path;

use record::{Link, RunHealth};
use target::{Roots, read_disk_health};

use crate::disks::Disk;

/// What is known of a disk's health; absent where it is not known.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DiskHealth {
    /// When the watch began, and now.
    pub run: RunHealth,
    /// The link that it hangs on.
    pub link: Option<Link>,
    /// Commands that ran out of time since the boot. Those that failed (`ioerr_cnt`) are thousands
    /// on a sound disk: each question for its health may count as one.
    pub failed_commands: Option<u64>,
}

impl DiskHealth {
    /// `earlier` is the reading before this one, where there is one.
    pub fn read(
        disk: &Disk,
        link: Option<Link>,
        earlier: Option<&RunHealth>,
        roots: &Roots,
    ) -> Self {
        let end = read_disk_health(&disk.name, roots);
        let start = earlier.map_or_else(|| end.clone(), |earlier| earlier.start.clone());
        let counter = roots.disk_folder(&disk.name).join("device/iotmo_cnt");
        Self {
            run: RunHealth { device: disk.name.clone(), start, end },
            link,
            failed_commands: read_number(&counter),
        }
    }
}

/// A number, in hexadecimal with `0x`.
fn read_number(path: &Path) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    match text.trim().strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.trim().parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reading_is_kept_and_scsi_counts_timeouts() {
        let tree = lab::SysfsTree::from_text(
            "sys/block/sda/device/hwmon/hwmon3/temp1_input = 41000\n\
             sys/block/sda/device/ioerr_cnt = 0x1f\n\
             sys/block/sda/device/iotmo_cnt = 0x2\n\
             sys/block/sda/device/iodone_cnt = 0xfff\n",
        )
        .unwrap();
        let (roots, disk) =
            (Roots::under(tree.root()), Disk { name: "sda".to_owned(), number: (8, 0) });
        let first = DiskHealth::read(&disk, None, None, &roots);
        assert_eq!(first.failed_commands, Some(2));
        let sensor = roots.disk_folder("sda").join("device/hwmon/hwmon3/temp1_input");
        fs::write(sensor, "52000\n").unwrap();
        let next = DiskHealth::read(&disk, None, Some(&first.run), &roots);
        let celsius = [&next.run.start, &next.run.end].map(|health| health.celsius);
        assert_eq!(celsius, [Some(41.0), Some(52.0)]);
        let other = Disk { name: "vda".to_owned(), number: (254, 0) };
        let unknown = DiskHealth::read(&other, None, None, &roots);
        assert!(unknown.failed_commands.is_none() && unknown.run.end.is_unknown());
    }
}
