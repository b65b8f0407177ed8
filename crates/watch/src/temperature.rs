//! The temperature of a disk, from the kernel's hwmon.

use std::fs;
use std::path::{Path, PathBuf};

use target::Roots;

use crate::disks::Disk;

/// In degrees Celsius; `None` where the kernel does not know it.
pub fn read_temperature(disk: &Disk, roots: &Roots) -> Option<f64> {
    let monitor = find_monitor(&roots.disk_folder(&disk.name).join("device"))?;
    let text = fs::read_to_string(monitor.join("temp1_input")).ok()?;
    Some(text.trim().parse::<f64>().ok()? / 1000.0)
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
    fn temperatures_of_nvme_and_of_drivetemp_are_read() {
        let tree = lab::SysfsTree::from_text(
            "sys/block/sda/device/hwmon/hwmon3/temp1_input = 41000\n\
             sys/block/nvme0n1/device/hwmon1/temp1_input = 38850\n\
             sys/block/vda/device/vendor = 0x1af4\n",
        )
        .unwrap();
        let roots = Roots::under(tree.root());
        let check = |name: &str, expected: Option<f64>| {
            let disk = Disk { name: name.to_owned(), number: (8, 0) };
            assert_eq!(read_temperature(&disk, &roots), expected, "{name}");
        };
        check("sda", Some(41.0));
        check("nvme0n1", Some(38.85));
        check("vda", None);
    }
}
