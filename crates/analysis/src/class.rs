//! Which class of device it behaves like.
//!
//! Each class is a band per feature: the median of a random 4 KiB read at depth 1, the most random
//! reads per second, and sequential read rate. A feature inside its band costs nothing; outside,
//! the squared distance in half-widths of the band (on a log scale). The class with the least cost
//! is named, with what speaks for and against it; far from all of them it is none.

use record::{Cell, CellRole, ClassVerdict, Record};
use units::{BytesPerSecond, Iops, Nanos};
use workload::{Access, Mix};

/// A band: lowest and highest value that the class shows.
type Band = (f64, f64);

struct Class {
    label: &'static str,
    /// Nanoseconds.
    latency: Band,
    iops: Band,
    /// Megabytes per second.
    rate: Band,
    /// Whether sysfs calls such a device rotational.
    rotational: Option<bool>,
}

/// The bands of known classes: the project's survey of public figures (iocost-benchmarks for SSDs;
/// vendors' documents for cloud volumes; rpm and seek times for rotating disks), widened by half.
/// They are conventions of this program, good to tell classes apart, not to grade a device.
const CLASSES: [Class; 9] = [
    Class {
        label: "memory, or a cache in front of the disk",
        latency: (500.0, 12_000.0),
        iops: (300e3, 20e6),
        rate: (3_000.0, 60_000.0),
        rotational: None,
    },
    Class {
        label: "a fast NVMe SSD (PCIe 4 or 5)",
        latency: (35_000.0, 80_000.0),
        iops: (300e3, 3e6),
        rate: (3_600.0, 15_000.0),
        rotational: Some(false),
    },
    Class {
        label: "an NVMe SSD (PCIe 3 class)",
        latency: (55_000.0, 130_000.0),
        iops: (120e3, 600e3),
        rate: (1_200.0, 3_600.0),
        rotational: Some(false),
    },
    Class {
        label: "a SATA SSD",
        latency: (70_000.0, 180_000.0),
        iops: (50e3, 100e3),
        rate: (350.0, 575.0),
        rotational: Some(false),
    },
    Class {
        label: "a local SSD behind a hypervisor that shares or caps it",
        latency: (35_000.0, 250_000.0),
        iops: (20e3, 250e3),
        rate: (300.0, 4_000.0),
        rotational: Some(false),
    },
    Class {
        label: "fast network block storage (premium volume)",
        latency: (180_000.0, 500_000.0),
        iops: (10e3, 400e3),
        rate: (200.0, 4_000.0),
        rotational: Some(false),
    },
    Class {
        label: "network block storage (general-purpose volume)",
        latency: (350_000.0, 2_500_000.0),
        iops: (500.0, 20e3),
        rate: (60.0, 1_200.0),
        rotational: Some(false),
    },
    Class {
        label: "a rotating disk",
        latency: (4e6, 20e6),
        iops: (60.0, 600.0),
        rate: (40.0, 300.0),
        rotational: Some(true),
    },
    Class {
        label: "a memory card or USB stick",
        latency: (300_000.0, 3e6),
        iops: (500.0, 6_000.0),
        rate: (10.0, 200.0),
        rotational: Some(false),
    },
];

/// Costs from which a device is like none of the classes: three half-widths off.
const UNLIKE: f64 = 9.0;
/// The second class is named when it costs less than this more than the first.
const CLOSE: f64 = 1.0;

struct Features {
    latency: Option<f64>,
    iops: Option<f64>,
    rate: Option<f64>,
    virtual_disk: bool,
    rotational: Option<bool>,
}

/// Which class the measured device behaves like; `None` when too little was measured, or nothing
/// that can be trusted.
#[must_use]
pub fn class(record: &Record) -> Option<ClassVerdict> {
    let features = features(record);
    features.latency?;
    let mut ranked: Vec<(f64, &Class)> =
        CLASSES.iter().map(|class| (cost(class, &features), class)).collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let [(best_cost, best), (next_cost, next), ..] = ranked.as_slice() else {
        return None;
    };
    let (supports, contradicts) = reasons(best, &features);
    let label = if *best_cost > UNLIKE {
        format!("unlike any known class; nearest is {}", best.label)
    } else {
        best.label.to_owned()
    };
    let runner_up = (next_cost - best_cost < CLOSE).then(|| next.label.to_owned());
    Some(ClassVerdict { label, supports, contradicts, runner_up })
}

fn trusted(record: &Record) -> impl Iterator<Item = &Cell> {
    record.cells.iter().filter(|cell| {
        !record.marks(&cell.name).iter().any(|f| f.status == record::Status::Invalid)
    })
}

fn features(record: &Record) -> Features {
    let reads = |access: Access| {
        trusted(record)
            .filter(move |c| c.job.mix == Mix::Read && c.job.access == access)
            .filter(|c| c.role != CellRole::Idle)
    };
    let latency = reads(Access::Random)
        .find(|c| c.job.depth.0 == 1)
        .and_then(|c| c.totals.read.as_ref()?.latency_ns.percentiles.get("p50").copied())
        .map(|ns| ns as f64);
    let iops = reads(Access::Random).map(Cell::iops).reduce(f64::max);
    let rate = reads(Access::Sequential).map(|c| c.bytes_per_second() / 1e6).reduce(f64::max);
    let stack = record.target().map(|t| t.bottom_devices()).unwrap_or_default();
    let is_virtual = |t: &str| matches!(t, "virtio" | "xen");
    Features {
        latency,
        iops,
        rate,
        virtual_disk: stack.iter().any(|l| l.transport.as_deref().is_some_and(is_virtual)),
        rotational: stack
            .iter()
            // A virtual disk's flag is whatever the hypervisor left it at.
            .filter(|l| !l.transport.as_deref().is_some_and(is_virtual))
            .find_map(|l| l.rotational),
    }
}

fn distance(value: Option<f64>, band: Band) -> f64 {
    let Some(value) = value.filter(|v| *v > 0.0) else {
        return 0.0;
    };
    let (low, high) = (band.0.ln(), band.1.ln());
    let middle = (low + high) / 2.0;
    // The half-width is that of the band, but no narrower than a factor of 1.5.
    let half = ((high - low) / 2.0).max(1.5_f64.ln());
    ((value.ln() - middle).abs() / half - 1.0).max(0.0).powi(2)
}

fn cost(class: &Class, features: &Features) -> f64 {
    // Depth 1 latency tells classes apart best.
    let mut cost = 3.0 * distance(features.latency, class.latency)
        + 1.5 * distance(features.iops, class.iops)
        + distance(features.rate, class.rate);
    let behind = class.label.contains("hypervisor") || class.label.contains("network");
    // A virtual disk is seldom a whole device, and a real one never sits behind a hypervisor.
    if behind != features.virtual_disk && class.rotational == Some(false) {
        cost += 0.5;
    }
    if class.rotational == Some(true) && features.rotational == Some(false) {
        cost += 0.5;
    }
    cost
}

fn reasons(class: &Class, features: &Features) -> (Vec<String>, Vec<String>) {
    let (mut supports, mut contradicts) = (Vec::new(), Vec::new());
    let mut judge = |value: Option<f64>, band: Band, words: &dyn Fn(f64) -> String| {
        let Some(value) = value else { return };
        let range = format!("{} to {}", words(band.0), words(band.1));
        if (band.0..=band.1).contains(&value) {
            supports.push(words(value));
        } else {
            contradicts.push(format!("{} (the class shows {range})", words(value)));
        }
    };
    judge(features.latency, class.latency, &|v| format!("{} per read at depth 1", Nanos(v as u64)));
    judge(features.iops, class.iops, &|v| format!("{} random reads/s", Iops(v)));
    judge(features.rate, class.rate, &|v| format!("{} sequential", BytesPerSecond(v * 1e6)));
    match (features.rotational, class.rotational) {
        (Some(true), Some(false)) => contradicts.push("sysfs calls it rotational".to_owned()),
        (Some(false), Some(true)) => contradicts.push("sysfs calls it non-rotational".to_owned()),
        _ => {}
    }
    (supports, contradicts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::record;

    #[test]
    fn typical_devices_are_recognised() {
        let check = |latency_us: f64, iops: f64, rate: f64, virtual_disk: bool, expected: &str| {
            let features = Features {
                latency: Some(latency_us * 1e3),
                iops: Some(iops),
                rate: Some(rate),
                virtual_disk,
                rotational: Some(false),
            };
            let best = CLASSES
                .iter()
                .min_by(|a, b| cost(a, &features).total_cmp(&cost(b, &features)))
                .unwrap();
            assert!(best.label.contains(expected), "{latency_us} {iops}: {}", best.label);
        };
        check(48.0, 92_000.0, 2_500.0, true, "behind a hypervisor");
        check(3.0, 1e6, 9_000.0, true, "memory");
        check(95.0, 97_000.0, 550.0, false, "SATA SSD");
        check(80.0, 370_000.0, 3_300.0, false, "PCIe 3");
        check(50.0, 900_000.0, 7_000.0, false, "PCIe 4 or 5");
        check(700.0, 3_000.0, 125.0, true, "general-purpose");
        check(300.0, 64_000.0, 1_000.0, true, "premium");
        check(12_000.0, 180.0, 150.0, false, "rotating");
        check(900.0, 1_500.0, 40.0, false, "memory card");
    }

    #[test]
    fn nothing_is_claimed_from_invalid_cells() {
        let mut record = record();
        record.targets[0].file_system.as_mut().unwrap().memory = true;
        crate::judge(&mut record);
        assert_eq!(class(&record), None);
    }
}
