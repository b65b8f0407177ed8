//! What a disk says of its health: the kernel's sensors (hwmon), and of NVMe the health log.
//!
//! The log is page 02h of the NVMe Base Specification, "SMART / Health Information": 512 bytes,
//! little endian. The places of its fields are those of `struct nvme_smart_log` in linux/nvme.h
//! and libnvme (read 2026-11-28); minutes and seconds as the specification has them. A disk that
//! does not count a time (no host-controlled thermal management) leaves it at 0: it never grows.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use record::{DiskHealth, Layer, LayerKind, NvmeHealth, NvmeWarning, RunHealth};
use units::Nanos;

use crate::nvme::{LogPage, read_log_page};
use crate::roots::Roots;

const PAGE_SIZE: usize = 512;
/// Of the controller, not of a namespace.
const HEALTH_PAGE: LogPage<PAGE_SIZE> =
    LogPage { id: 0x02, namespace: u32::MAX, words: (PAGE_SIZE / 4 - 1) as u16 };

const CRITICAL_WARNING: usize = 0;
const TEMPERATURE: usize = 1;
const SPARE: usize = 3;
const SPARE_MIN: usize = 4;
const USED: usize = 5;
const UNSAFE_SHUTDOWNS: usize = 144;
const MEDIA_ERRORS: usize = 160;
const WARNING_MINUTES: usize = 192;
const CRITICAL_MINUTES: usize = 196;
const LIGHT_THROTTLES: usize = 216;
const HEAVY_THROTTLES: usize = 220;
const LIGHT_SECONDS: usize = 224;
const HEAVY_SECONDS: usize = 228;

/// By their bits.
const WARNINGS: [NvmeWarning; 6] = [
    NvmeWarning::SpareLow,
    NvmeWarning::Temperature,
    NvmeWarning::Unreliable,
    NvmeWarning::ReadOnly,
    NvmeWarning::BackupFailed,
    NvmeWarning::MemoryRegion,
];

/// The health of a disk by its kernel name: what may be read of it.
pub fn read_disk_health(name: &str, roots: &Roots) -> DiskHealth {
    read_health(name, roots).0
}

/// With what the disk or the kernel said where an NVMe disk's log could not be read.
pub(crate) fn read_health(name: &str, roots: &Roots) -> (DiskHealth, Option<io::Error>) {
    let sensors = read_sensors(name, roots);
    if !name.starts_with("nvme") {
        return (sensors, None);
    }
    let file = File::open(roots.root.join("dev").join(name));
    match file.and_then(|file| read_log_page(&file, &HEALTH_PAGE)) {
        Ok(page) => (add_health_log(sensors, &page), None),
        Err(error) => (sensors, Some(error)),
    }
}

/// The health of the disks of a stack that say something of it, at the start of a run.
pub fn read_stack_health(stack: &[Layer], roots: &Roots) -> Vec<RunHealth> {
    let disks = stack.iter().filter(|layer| layer.kind == LayerKind::Disk);
    let health = disks.map(|layer| {
        let start = read_disk_health(&layer.name, roots);
        RunHealth { device: layer.name.clone(), end: start.clone(), start }
    });
    health.filter(|health| !health.start.is_unknown()).collect()
}

/// The same disks later.
pub fn read_health_again(earlier: &[RunHealth], roots: &Roots) -> Vec<RunHealth> {
    let again =
        |of: &RunHealth| RunHealth { end: read_disk_health(&of.device, roots), ..of.clone() };
    earlier.iter().map(again).collect()
}

/// hwmon: of NVMe, and of SATA with the module drivetemp.
fn read_sensors(name: &str, roots: &Roots) -> DiskHealth {
    let Some(monitor) = find_monitor(&roots.disk_folder(name).join("device")) else {
        return DiskHealth::default();
    };
    let number = |file: &str| crate::roots::read_number(&monitor.join(file));
    let degrees = |file: &str| Some(number(file)? as f64 / 1000.0);
    DiskHealth {
        celsius: degrees("temp1_input"),
        // Zero, or the highest that there is, stand for no limit.
        celsius_max: degrees("temp1_max").filter(|max| (1.0..200.0).contains(max)),
        has_heat_alarm: number("temp1_alarm") == Some(1),
        nvme: None,
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

/// What hwmon has is kept: it is the same sensor, and has its limit.
fn add_health_log(sensors: DiskHealth, page: &[u8; PAGE_SIZE]) -> DiskHealth {
    let kelvin = u16::from_le_bytes([page[TEMPERATURE], page[TEMPERATURE + 1]]);
    let celsius = (kelvin > 0).then(|| f64::from(kelvin) - 273.15);
    let nvme = parse_health_log(page);
    let is_warned = |log: &NvmeHealth| log.warnings.contains(&NvmeWarning::Temperature);
    DiskHealth {
        celsius: sensors.celsius.or(celsius),
        has_heat_alarm: sensors.has_heat_alarm || nvme.as_ref().is_some_and(is_warned),
        nvme,
        ..sensors
    }
}

/// `None` of a page without content, as virtual disks have it.
fn parse_health_log(page: &[u8; PAGE_SIZE]) -> Option<NvmeHealth> {
    if page[..=USED].iter().all(|byte| *byte == 0) {
        return None;
    }
    let seconds = |place| Nanos::secs(read_u32(page, place));
    let minutes = |place| Nanos::secs(read_u32(page, place) * 60);
    let is_set = |bit: usize| page[CRITICAL_WARNING] & (1 << bit) != 0;
    let warnings = WARNINGS.into_iter().enumerate().filter(|(bit, _)| is_set(*bit));
    Some(NvmeHealth {
        warnings: warnings.map(|(_, warning)| warning).collect(),
        spare_percent: page[SPARE],
        spare_min_percent: page[SPARE_MIN],
        used_percent: page[USED],
        media_errors: read_u128(page, MEDIA_ERRORS),
        unsafe_shutdowns: read_u128(page, UNSAFE_SHUTDOWNS),
        warning_temperature: minutes(WARNING_MINUTES),
        critical_temperature: minutes(CRITICAL_MINUTES),
        light_throttles: read_u32(page, LIGHT_THROTTLES),
        heavy_throttles: read_u32(page, HEAVY_THROTTLES),
        light_throttled: seconds(LIGHT_SECONDS),
        heavy_throttled: seconds(HEAVY_SECONDS),
    })
}

fn read_u32(page: &[u8; PAGE_SIZE], place: usize) -> u64 {
    page[place..place + 4].iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// A number of 16 bytes, or the highest that fits.
fn read_u128(page: &[u8; PAGE_SIZE], place: usize) -> u64 {
    let bytes = page[place..place + 16].iter().rev();
    let number = bytes.fold(0_u128, |number, byte| number << 8 | u128::from(*byte));
    u64::try_from(number).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Tree;

    fn recorded_page() -> [u8; PAGE_SIZE] {
        let mut page = [0; PAGE_SIZE];
        let text = include_str!("testdata/nvme-health.txt");
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (place, bytes) = line.split_once(": ").unwrap();
            let place = usize::from_str_radix(place, 16).unwrap();
            for (byte, digits) in page[place..].iter_mut().zip(bytes.split(' ')) {
                *byte = u8::from_str_radix(digits, 16).unwrap();
            }
        }
        page
    }

    fn parse(change: impl FnOnce(&mut [u8; PAGE_SIZE])) -> DiskHealth {
        let mut page = recorded_page();
        change(&mut page);
        add_health_log(DiskHealth::default(), &page)
    }

    #[test]
    fn a_page_is_read_by_its_layout() {
        let health = parse(|_| ());
        assert_eq!((health.celsius, health.has_heat_alarm), (Some(312.0 - 273.15), false));
        let expected = NvmeHealth {
            warnings: Vec::new(),
            spare_percent: 100,
            spare_min_percent: 10,
            used_percent: 1,
            media_errors: 2,
            unsafe_shutdowns: 14,
            warning_temperature: Nanos::secs(6 * 60),
            critical_temperature: Nanos::secs(2 * 60),
            light_throttles: 5,
            heavy_throttles: 3,
            light_throttled: Nanos::secs(300),
            heavy_throttled: Nanos::secs(30),
        };
        assert_eq!(health.nvme, Some(expected));
    }

    #[test]
    fn critical_warnings_are_told_apart() {
        for (bit, warning) in WARNINGS.into_iter().enumerate() {
            let health = parse(|page| page[CRITICAL_WARNING] = 1 << bit);
            assert_eq!(health.nvme.unwrap().warnings, [warning]);
            assert_eq!(health.has_heat_alarm, warning == NvmeWarning::Temperature);
        }
        // Reserved bits.
        assert!(parse(|page| page[CRITICAL_WARNING] = 0xC0).nvme.unwrap().warnings.is_empty());
    }

    #[test]
    fn a_page_without_content_is_not_known() {
        assert!(add_health_log(DiskHealth::default(), &[0; PAGE_SIZE]).is_unknown());
        let health = parse(|page| page[TEMPERATURE..SPARE].fill(0));
        assert!(health.celsius.is_none() && health.nvme.is_some());
    }

    #[test]
    fn the_highest_numbers_are_read() {
        let nvme = parse(|page| page.fill(0xFF)).nvme.unwrap();
        assert_eq!((nvme.media_errors, nvme.used_percent), (u64::MAX, 255));
        assert_eq!(nvme.light_throttles, u64::from(u32::MAX));
    }

    #[test]
    fn what_the_kernel_measures_stands_before_the_log() {
        let sensors = DiskHealth {
            celsius: Some(40.0),
            celsius_max: Some(82.0),
            has_heat_alarm: true,
            nvme: None,
        };
        let health = add_health_log(sensors.clone(), &recorded_page());
        assert_eq!(DiskHealth { nvme: None, ..health.clone() }, sensors);
        assert!(health.nvme.is_some());
    }

    const HOST: &str = "sys/block/sda/device/hwmon/hwmon3/temp1_input = 41000\n\
         sys/block/sda/device/hwmon/hwmon3/temp1_max = 60000\n\
         sys/block/nvme0n1/device/hwmon1/temp1_input = 83850\n\
         sys/block/nvme0n1/device/hwmon1/temp1_max = 82850\n\
         sys/block/nvme1n1/device/hwmon2/temp1_input = 40850\n\
         sys/block/nvme1n1/device/hwmon2/temp1_max = 65261850\n\
         sys/block/nvme1n1/device/hwmon2/temp1_alarm = 1\n\
         sys/block/nvme2n1/size = 8\n\
         dev/nvme0n1 = a file, which refuses the request\n\
         sys/block/vda/device/vendor = 0x1af4\n";

    #[test]
    fn what_nvme_and_drivetemp_show_is_read_and_a_refused_log_is_not_known() {
        let tree = Tree::of(HOST);
        let check = |name: &str, expected: DiskHealth, is_too_hot: bool| {
            let health = read_disk_health(name, &tree.roots);
            assert_eq!(health, expected, "{name}");
            assert_eq!(health.describe_heat().is_some(), is_too_hot, "{name}");
        };
        let of = |celsius: f64, celsius_max: Option<f64>| DiskHealth {
            celsius: Some(celsius),
            celsius_max,
            ..DiskHealth::default()
        };
        check("sda", of(41.0, Some(60.0)), false);
        check("nvme0n1", of(83.85, Some(82.85)), true);
        check("nvme1n1", DiskHealth { has_heat_alarm: true, ..of(40.85, None) }, true);
        check("nvme2n1", DiskHealth::default(), false);
        check("vda", DiskHealth::default(), false);
        let refused = |name: &str| read_health(name, &tree.roots).1.map(|error| error.kind());
        assert!(refused("nvme0n1").is_some_and(|kind| kind != io::ErrorKind::NotFound));
        assert_eq!(refused("nvme2n1"), Some(io::ErrorKind::NotFound));
        assert_eq!(refused("sda"), None);
    }

    #[test]
    fn disks_of_a_run_are_read_again_and_those_that_say_nothing_are_left_out() {
        let disk = |name: &str, number: &str| {
            format!(
                "sys/dev/block/{number} -> ../../block/{name}\n\
                 sys/block/{name}/dev = {number}\n\
                 sys/block/{name}/size = 8388608\n"
            )
        };
        let (volume, lower) = (disk("dm-0", "253:0"), disk("sda", "8:0") + &disk("sdb", "8:16"));
        let slaves =
            ["sda", "sdb"].map(|name| format!("sys/block/dm-0/slaves/{name} -> ../../{name}\n"));
        let tree = Tree::of(&format!("{HOST}{volume}{lower}{}", slaves.concat()));
        let stack = crate::describe_stack("253:0", &tree.roots);
        assert_eq!(stack.len(), 3);
        let start = read_stack_health(&stack, &tree.roots);
        let devices: Vec<&str> = start.iter().map(|health| &*health.device).collect();
        assert_eq!(devices, ["sda"]);
        std::fs::write(tree.roots.sys.join("block/sda/device/hwmon/hwmon3/temp1_input"), "52000\n")
            .unwrap();
        let run = &read_health_again(&start, &tree.roots)[0];
        assert_eq!((run.start.celsius, run.end.celsius), (Some(41.0), Some(52.0)));
    }
}
