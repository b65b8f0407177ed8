//! Zones.
// A field is the option of its name; its entry in the table says what it is.
#![allow(missing_docs)]

use super::sizes::SizeValue;
use super::spec::{Choice, Entry, Hosts::Any, choice, flag, float, int, place, size};

/// Zones.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ZoneOptions {
    pub mode: ZoneMode,
    /// Bytes moved per zone.
    pub size: u64,
    /// 0: `zonesize`.
    pub range: u64,
    pub skip: SizeValue,
}

type O = ZoneOptions;

const ZBD: &str = "zoned block devices are not run; leave it out, or use zonemode=strided";

pub(super) const TABLE: &[Entry<O>] = &[
    choice("zonemode", "What zonesize, zonerange and zoneskip mean.")
        .without(&[("zbd", "zoned block devices are not run; use strided")])
        .default("none")
        .sets(Any, |o: &mut O| &mut o.mode),
    size("zonesize", "Bytes used of a zone before the next one.")
        .default("0")
        .sets(Any, |o: &mut O| &mut o.size),
    size("zonerange", "Bytes from the begin of a zone to its end.")
        .default("0")
        .sets(Any, |o: &mut O| &mut o.range),
    place("zoneskip", "Bytes left out between zones.")
        .default("0")
        .sets(Any, |o: &mut O| &mut o.skip),
    size("zonecapacity", "Usable bytes of a zone of a zoned device.")
        .default("0")
        .refused(ZBD)
        .checks(),
    flag("read_beyond_wp", "Read behind the write pointer of a zone too.")
        .default("0")
        .refused(ZBD)
        .checks(),
    int("max_open_zones", "Most zones open for writing at a time.")
        .default("0")
        .range(0, 4096)
        .refused(ZBD)
        .checks(),
    int("job_max_open_zones", "Most zones open for writing at a time, per instance.")
        .default("0")
        .range(0, 4096)
        .refused(ZBD)
        .checks(),
    flag("ignore_zone_limits", "Do not ask the device for its zone limits.")
        .default("0")
        .refused(ZBD)
        .checks(),
    float("zone_reset_threshold", "Share of written blocks at which zones are reset.")
        .range(0, 1)
        .refused(ZBD)
        .checks(),
    float("zone_reset_frequency", "How often zones are reset, per write.")
        .range(0, 1)
        .refused(ZBD)
        .checks(),
    flag("recover_zbd_write_error", "Mend write pointers after errors (newer versions).")
        .default("0")
        .refused(ZBD),
];

/// `zonemode`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ZoneMode {
    #[default]
    None,
    /// Part of each zone is used.
    Strided,
    /// A zoned device.
    Zbd,
}

impl Choice for ZoneMode {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("none", "no zones", Self::None),
        ("strided", "zonesize bytes of each zonerange, then skip zoneskip bytes", Self::Strided),
        ("zbd", "", Self::Zbd),
    ];
}
