//! Causes of slowness that the kernel shows: heat, a slow link, failed commands.

use std::fs;
use std::path::{Path, PathBuf};

use record::Link;
use target::Roots;

use crate::disks::Disk;

/// What the kernel says of a disk's health; absent where it does not know.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DiskHealth {
    /// Its temperature, in degrees Celsius.
    pub celsius: Option<f64>,
    /// The highest that its maker allows: beyond it an NVMe disk slows itself down.
    pub celsius_max: Option<f64>,
    /// The disk itself says that it is too hot.
    pub has_heat_alarm: bool,
    /// The link that it hangs on.
    pub link: Option<Link>,
    /// Commands that ran out of time since the boot. Those that failed (`ioerr_cnt`) are thousands
    /// on a sound disk: each question for its health may count as one.
    pub failed_commands: Option<u64>,
}

impl DiskHealth {
    /// From hwmon (NVMe, and SATA with drivetemp) and the counters of SCSI devices.
    pub fn read(disk: &Disk, link: Option<Link>, roots: &Roots) -> Self {
        let device = roots.disk_folder(&disk.name).join("device");
        let monitor = find_monitor(&device);
        let degrees =
            |file: &str| Some(read_number(&monitor.as_ref()?.join(file))? as f64 / 1000.0);
        let alarm = monitor.as_ref().and_then(|folder| read_number(&folder.join("temp1_alarm")));
        Self {
            celsius: degrees("temp1_input"),
            // Zero, or the highest that there is, stand for no limit.
            celsius_max: degrees("temp1_max").filter(|max| (1.0..200.0).contains(max)),
            has_heat_alarm: alarm == Some(1),
            link,
            failed_commands: read_number(&device.join("iotmo_cnt")),
        }
    }

    pub(crate) fn is_too_hot(&self) -> bool {
        let is_over = self.celsius.zip(self.celsius_max).is_some_and(|(now, max)| now >= max);
        is_over || self.has_heat_alarm
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nvme_drivetemp_and_scsi_show_is_read() {
        let tree = lab::SysfsTree::from_text(
            "sys/block/sda/device/hwmon/hwmon3/temp1_input = 41000\n\
             sys/block/sda/device/hwmon/hwmon3/temp1_max = 60000\n\
             sys/block/sda/device/ioerr_cnt = 0x1f\n\
             sys/block/sda/device/iotmo_cnt = 0x2\n\
             sys/block/sda/device/iodone_cnt = 0xfff\n\
             sys/block/nvme0n1/device/hwmon1/temp1_input = 83850\n\
             sys/block/nvme0n1/device/hwmon1/temp1_max = 82850\n\
             sys/block/nvme1n1/device/hwmon2/temp1_input = 40850\n\
             sys/block/nvme1n1/device/hwmon2/temp1_max = 65261850\n\
             sys/block/nvme1n1/device/hwmon2/temp1_alarm = 1\n\
             sys/block/vda/device/vendor = 0x1af4\n",
        )
        .unwrap();
        let roots = Roots::under(tree.root());
        let check = |name: &str, expected: DiskHealth, is_too_hot: bool| {
            let disk = Disk { name: name.to_owned(), number: (8, 0) };
            let health = DiskHealth::read(&disk, None, &roots);
            assert_eq!((&health, health.is_too_hot()), (&expected, is_too_hot), "{name}");
        };
        let of = |celsius: f64, celsius_max: Option<f64>| DiskHealth {
            celsius: Some(celsius),
            celsius_max,
            ..DiskHealth::default()
        };
        check("sda", DiskHealth { failed_commands: Some(2), ..of(41.0, Some(60.0)) }, false);
        check("nvme0n1", of(83.85, Some(82.85)), true);
        check("nvme1n1", DiskHealth { has_heat_alarm: true, ..of(40.85, None) }, true);
        check("vda", DiskHealth::default(), false);
    }
}
