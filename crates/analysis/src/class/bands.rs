//! The bands of known classes.

/// A band: lowest and highest value that the class shows.
pub(super) type Band = (f64, f64);

pub(super) struct Class {
    pub(super) label: &'static str,
    /// Nanoseconds.
    pub(super) latency: Band,
    pub(super) iops: Band,
    /// Megabytes per second.
    pub(super) rate: Band,
    /// Most random writes per most random reads.
    pub(super) writes: Band,
    /// Whether sysfs calls such a device rotational.
    pub(super) rotational: Option<bool>,
}

/// The project's survey of public figures (iocost-benchmarks; vendors' documents for cloud volumes;
/// rpm and seek times), widened by half: good to tell classes apart, not to grade a device. Writes
/// per read: after minutes of writing, 0.02 to 0.6 on NVMe and 0.9 on SATA. Optane: the P4800X as
/// AnandTech measured it and as it is specified.
pub(super) const CLASSES: [Class; 10] = [
    Class {
        label: "memory, or a cache in front of the disk",
        latency: (500.0, 12_000.0),
        iops: (300e3, 20e6),
        rate: (3_000.0, 60_000.0),
        writes: (0.3, 1.5),
        rotational: None,
    },
    Class {
        label: "an Optane SSD",
        latency: (6_000.0, 14_000.0),
        iops: (370e3, 880e3),
        rate: (1_600.0, 3_600.0),
        writes: (0.6, 1.4),
        rotational: Some(false),
    },
    Class {
        label: "a fast NVMe SSD (PCIe 4 or 5)",
        latency: (35_000.0, 80_000.0),
        iops: (300e3, 3e6),
        rate: (3_600.0, 15_000.0),
        writes: (0.02, 1.5),
        rotational: Some(false),
    },
    Class {
        label: "an NVMe SSD (PCIe 3 class)",
        latency: (55_000.0, 130_000.0),
        iops: (120e3, 600e3),
        rate: (1_200.0, 3_600.0),
        writes: (0.03, 1.5),
        rotational: Some(false),
    },
    Class {
        label: "a SATA SSD",
        latency: (70_000.0, 180_000.0),
        iops: (50e3, 100e3),
        rate: (350.0, 575.0),
        writes: (0.3, 1.2),
        rotational: Some(false),
    },
    Class {
        label: "a local SSD behind a hypervisor that shares or caps it",
        latency: (35_000.0, 200_000.0),
        iops: (20e3, 250e3),
        rate: (300.0, 4_000.0),
        writes: (0.05, 2.0),
        rotational: Some(false),
    },
    Class {
        label: "fast network block storage (premium volume)",
        latency: (180_000.0, 500_000.0),
        iops: (10e3, 400e3),
        rate: (200.0, 4_000.0),
        writes: (0.3, 1.5),
        rotational: Some(false),
    },
    Class {
        label: "network block storage (general-purpose volume)",
        latency: (350_000.0, 2_500_000.0),
        iops: (500.0, 20e3),
        rate: (60.0, 1_200.0),
        writes: (0.3, 1.5),
        rotational: Some(false),
    },
    Class {
        label: "a rotating disk",
        latency: (4e6, 20e6),
        iops: (60.0, 600.0),
        rate: (40.0, 300.0),
        writes: (0.5, 5.0),
        rotational: Some(true),
    },
    Class {
        label: "a memory card or USB stick",
        latency: (300_000.0, 3e6),
        iops: (500.0, 6_000.0),
        rate: (10.0, 200.0),
        writes: (0.01, 0.7),
        rotational: Some(false),
    },
];
