//! Zones.

use super::sizes::SizeValue;
use super::spec::*;

/// Zones.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ZoneOptions {
    pub mode: ZoneMode,
    pub size: u64,
    /// 0: `zonesize`.
    pub range: u64,
    pub skip: SizeValue,
}

type O = ZoneOptions;

const ZBD: &str = "zoned block devices are not run; leave it out, or use zonemode=strided";
const UNUSED: &str =
    "it is of zoned block devices; as in fio, it means nothing without zonemode=zbd";

pub(super) const TABLE: &[Entry<O>] = &[
    choice("zonemode", "none", "What zonesize, zonerange and zoneskip mean.")
        .without(&[("zbd", "zoned block devices are not run; use strided")])
        .sets(Any, |o: &mut O| &mut o.mode),
    size("zonesize", "0", "Bytes used of a zone before the next one.")
        .sets(Any, |o: &mut O| &mut o.size),
    size("zonerange", "0", "Bytes from the begin of a zone to its end.")
        .sets(Any, |o: &mut O| &mut o.range),
    place("zoneskip", "0", "Bytes left out between zones.").sets(Any, |o: &mut O| &mut o.skip),
    size("zonecapacity", "0", "Usable bytes of a zone of a zoned device.").noted(UNUSED),
    flag("read_beyond_wp", "0", "Read behind the write pointer of a zone too.").noted(UNUSED),
    int("max_open_zones", "0", "Most zones open for writing at a time.")
        .range(0, 4096)
        .noted(UNUSED),
    int("job_max_open_zones", "0", "Most zones open for writing at a time, per instance.")
        .range(0, 4096)
        .noted(UNUSED),
    flag("ignore_zone_limits", "0", "Do not ask the device for its zone limits.").noted(UNUSED),
    float("zone_reset_threshold", "", "Share of written blocks at which zones are reset.")
        .range(0, 1)
        .noted(UNUSED),
    float("zone_reset_frequency", "", "How often zones are reset, per write.")
        .range(0, 1)
        .noted(UNUSED),
    flag("recover_zbd_write_error", "0", "Mend write pointers after errors (newer versions).")
        .refused(ZBD)
        .unread(),
    flag(
        "write_zone_remainder",
        "0",
        "Fill a zone's last block with a shorter write (newer versions).",
    )
    .refused(ZBD)
    .unread(),
];

/// `zonemode`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ZoneMode {
    #[default]
    None,
    Strided,
    Zbd,
}

impl Choice for ZoneMode {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("none", "no zones", Self::None),
        ("strided", "zonesize bytes of each zonerange, then skip zoneskip bytes", Self::Strided),
        ("zbd", "", Self::Zbd),
    ];
}
