//! What sysfs says of a block device.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::tools::read_text;
use crate::{LabError, Result};

/// A device's number, written `7:3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MajorMinor {
    pub major: u32,
    pub minor: u32,
}

impl fmt::Display for MajorMinor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.major, self.minor)
    }
}

impl FromStr for MajorMinor {
    type Err = LabError;

    fn from_str(text: &str) -> Result<MajorMinor> {
        text.split_once(':')
            .and_then(|(major, minor)| {
                Some(MajorMinor { major: major.parse().ok()?, minor: minor.parse().ok()? })
            })
            .ok_or_else(|| LabError::unusable(text, "is no device number such as 7:3"))
    }
}

/// What a device has served, from `/sys/block/X/stat`: only differences mean something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeviceStat {
    pub read_ios: u64,
    /// Sectors of 512 bytes read.
    pub read_sectors: u64,
    /// Milliseconds that all reads took together.
    pub read_ms: u64,
    pub write_ios: u64,
    /// Sectors of 512 bytes written.
    pub write_sectors: u64,
}

impl DeviceStat {
    /// What was served since an earlier look.
    pub fn since(self, earlier: DeviceStat) -> DeviceStat {
        DeviceStat {
            read_ios: self.read_ios.wrapping_sub(earlier.read_ios),
            read_sectors: self.read_sectors.wrapping_sub(earlier.read_sectors),
            read_ms: self.read_ms.wrapping_sub(earlier.read_ms),
            write_ios: self.write_ios.wrapping_sub(earlier.write_ios),
            write_sectors: self.write_sectors.wrapping_sub(earlier.write_sectors),
        }
    }
}

pub(crate) fn sysfs_folder(name: &str) -> PathBuf {
    Path::new("/sys/block").join(name)
}

pub(crate) fn read_major_minor(name: &str) -> Result<MajorMinor> {
    read_text(sysfs_folder(name).join("dev"))?.parse()
}

/// A device's counters. Fields: `Documentation/block/stat.rst`.
pub(crate) fn read_stat(name: &str) -> Result<DeviceStat> {
    read_stat_in(&sysfs_folder(name))
}

pub(crate) fn read_stat_by_number(device: MajorMinor) -> Result<DeviceStat> {
    read_stat_in(&Path::new("/sys/dev/block").join(device.to_string()))
}

fn read_stat_in(folder: &Path) -> Result<DeviceStat> {
    let path = folder.join("stat");
    let text = read_text(&path)?;
    let fields: Vec<u64> = text.split_whitespace().map_while(|f| f.parse().ok()).collect();
    match fields[..] {
        [read_ios, _, read_sectors, read_ms, write_ios, _, write_sectors, ..] => {
            Ok(DeviceStat { read_ios, read_sectors, read_ms, write_ios, write_sectors })
        }
        _ => Err(LabError::unusable(path, format!("holds no counters: {text:?}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_numbers_read_as_they_are_written() {
        let device: MajorMinor = "7:3".parse().unwrap();
        assert_eq!(device, MajorMinor { major: 7, minor: 3 });
        assert_eq!(device.to_string(), "7:3");
        for wrong in ["", "7", "7:", ":3", "7:3:1", "loop3"] {
            assert!(wrong.parse::<MajorMinor>().is_err(), "{wrong}");
        }
    }
}
