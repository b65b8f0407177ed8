//! The bands of known classes.

use message::{Message, label};

/// A band: lowest and highest value that the class shows.
pub(super) type Band = (f64, f64);

pub(super) struct Class {
    pub(super) label: fn() -> Message,
    pub(super) link: Link,
    /// Of a read at depth 1 in nanoseconds, random reads per second, sequential reads in MB/s,
    /// and random writes per random read.
    pub(super) bands: [Band; 4],
    /// Whether sysfs calls such a device rotational.
    pub(super) rotational: Option<bool>,
}

/// What is between a device of a class and this system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// No device answers.
    Memory,
    Nvme,
    Hypervisor,
    Network,
    Other,
}

/// The project's survey of public figures (iocost-benchmarks; vendors' documents for cloud volumes;
/// rpm and seek times), widened by half: good to tell classes apart, not to grade a device. Writes
/// per read: after minutes of writing, 0.02 to 0.6 on NVMe and 0.9 on SATA. Optane: the P4800X as
/// AnandTech measured it and as it is specified.
pub(super) const CLASSES: [Class; 10] = [
    class(
        || label("class-memory"),
        Link::Memory,
        [(500.0, 12_000.0), (300e3, 20e6), (3_000.0, 60_000.0), (0.3, 1.5)],
        None,
    ),
    class(
        || label("class-optane"),
        Link::Other,
        [(6_000.0, 14_000.0), (370e3, 880e3), (1_600.0, 3_600.0), (0.6, 1.4)],
        Some(false),
    ),
    class(
        || label("class-fast-nvme"),
        Link::Nvme,
        [(35_000.0, 80_000.0), (300e3, 3e6), (3_600.0, 15_000.0), (0.02, 1.5)],
        Some(false),
    ),
    class(
        || label("class-nvme"),
        Link::Nvme,
        [(55_000.0, 130_000.0), (120e3, 600e3), (1_200.0, 3_600.0), (0.03, 1.5)],
        Some(false),
    ),
    class(
        || label("class-sata"),
        Link::Other,
        [(70_000.0, 180_000.0), (50e3, 100e3), (350.0, 575.0), (0.3, 1.2)],
        Some(false),
    ),
    class(
        || label("class-virtual-ssd"),
        Link::Hypervisor,
        [(35_000.0, 200_000.0), (20e3, 250e3), (300.0, 4_000.0), (0.05, 2.0)],
        Some(false),
    ),
    class(
        || label("class-premium-volume"),
        Link::Network,
        [(180_000.0, 500_000.0), (10e3, 400e3), (200.0, 4_000.0), (0.3, 1.5)],
        Some(false),
    ),
    class(
        || label("class-volume"),
        Link::Network,
        [(350_000.0, 2_500_000.0), (500.0, 20e3), (60.0, 1_200.0), (0.3, 1.5)],
        Some(false),
    ),
    class(
        || label("class-rotating-disk"),
        Link::Other,
        [(4e6, 20e6), (60.0, 600.0), (40.0, 300.0), (0.5, 5.0)],
        Some(true),
    ),
    class(
        || label("class-memory-card"),
        Link::Other,
        [(300_000.0, 3e6), (500.0, 6_000.0), (10.0, 200.0), (0.01, 0.7)],
        Some(false),
    ),
];

const fn class(
    label: fn() -> Message,
    link: Link,
    bands: [Band; 4],
    rotational: Option<bool>,
) -> Class {
    Class { label, link, bands, rotational }
}
