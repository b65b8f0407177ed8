//! Below the groups: block devices and idle processors.

use std::fmt::Write;

use super::figures::{all_disks, average_disks};
use crate::results::{DiskUse, Idleness};

/// `Disk stats`, after an empty line; empty without devices.
pub(super) fn render_disks(disks: &[DiskUse]) -> String {
    let mut out = String::from(if disks.is_empty() { "" } else { "\nDisk stats (read/write):\n" });
    for disk in all_disks(disks) {
        let below = average_disks(&disk.slaves);
        let indent = if below.is_some() { "    " } else { "  " };
        let _ = write!(out, "{indent}{}: ", disk.name);
        write_figures(&mut out, disk, "");
        if let Some(below) = below {
            out.push_str(", ");
            write_figures(&mut out, &below, "aggr");
        }
        out.push('\n');
    }
    out
}

fn write_figures(out: &mut String, disk: &DiskUse, prefix: &str) {
    // fio spells it so.
    let sectors = if prefix.is_empty() { "sectors" } else { "aggsectors" };
    for (name, [read, write]) in [
        (format!("{prefix}ios"), disk.ios),
        (sectors.to_owned(), disk.sectors),
        (format!("{prefix}merge"), disk.merges),
        (format!("{prefix}ticks"), disk.ticks),
    ] {
        let _ = write!(out, "{name}={read}/{write}, ");
    }
    let _ = write!(out, "{prefix}in_queue={}, {prefix}util={:.2}%", disk.in_queue, disk.util);
}

/// `CPU idleness`, after an empty line.
pub(super) fn render_idleness(idle: &Idleness) -> String {
    let mut out = format!("\nCPU idleness:\n  system: {:.2}%\n", idle.system);
    if !idle.percpu.is_empty() {
        let each: Vec<String> = idle.percpu.iter().map(|share| format!("{share:.2}%")).collect();
        let _ = writeln!(out, "  percpu: {}", each.join(", "));
    }
    let (mean, dev) = idle.unit;
    let _ = writeln!(out, "  unit work: mean={mean:.2}us, stddev={dev:.2}");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_followed_by_its_slaves() {
        let sda = DiskUse {
            name: "sda".into(),
            ios: [418_745, 17],
            sectors: [3_350_344, 2130],
            merges: [0, 250],
            ticks: [52_715, 20],
            in_queue: 52_736,
            util: 23.88,
            slaves: Vec::new(),
        };
        let sdb = DiskUse { name: "sdb".into(), ios: [1, 0], util: 99.0, ..DiskUse::default() };
        let mut dm = DiskUse {
            name: "dm-0".into(),
            ios: [417_237, 7],
            sectors: [3_338_280, 50],
            ticks: [36_730, 0],
            in_queue: 36_730,
            util: 99.56,
            slaves: vec![sda.clone()],
            ..DiskUse::default()
        };
        // As a user of fio 3.40 published it.
        let published = "\nDisk stats (read/write):
    dm-0: ios=417237/7, sectors=3338280/50, merge=0/0, ticks=36730/0, in_queue=36730, \
            util=99.56%, aggrios=418745/17, aggsectors=3350344/2130, aggrmerge=0/250, \
            aggrticks=52715/20, aggrin_queue=52736, aggrutil=23.88%
  sda: ios=418745/17, sectors=3350344/2130, merge=0/250, ticks=52715/20, in_queue=52736, \
            util=23.88%\n";
        assert_eq!(render_disks(&[dm.clone()]), published);
        assert_eq!(render_disks(&[dm.clone(), sda.clone()]), published);
        dm.slaves.push(sdb);
        let two = render_disks(&[dm, sda]);
        assert!(two.contains("aggrios=209373/8, aggsectors=1675172/1065"), "{two}");
        assert!(two.contains("aggrutil=99.00%\n  sdb: ios=1/0,"), "{two}");
        assert_eq!(render_disks(&[]), "");
    }

    #[test]
    fn idleness_lists_processors_when_asked() {
        let mut idle = Idleness { system: 37.0, percpu: vec![26.54, 47.47], unit: (9.42, 0.41) };
        let expected = "\nCPU idleness:\n  system: 37.00%\n  percpu: 26.54%, 47.47%\n  \
                        unit work: mean=9.42us, stddev=0.41\n";
        assert_eq!(render_idleness(&idle), expected);
        idle.percpu.clear();
        assert!(!render_idleness(&idle).contains("percpu"));
    }
}
