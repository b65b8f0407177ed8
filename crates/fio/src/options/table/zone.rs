//! Zones.

use super::build::*;
use crate::options::spec::{Category, OptionSpec};

const C: Category = Category::Zone;

const ZBD: &str = "zoned block devices are not run; leave it out, or use zonemode=strided";

pub(super) const TABLE: &[OptionSpec] = &[
    choice("zonemode", C, "What zonesize, zonerange and zoneskip mean.", MODE)
        .without(&[("zbd", "zoned block devices are not run; use strided")])
        .default("none"),
    size("zonesize", C, "Bytes used of a zone before the next one.").default("0"),
    size("zonerange", C, "Bytes from the begin of a zone to its end.").default("0"),
    place("zoneskip", C, "Bytes left out between zones.").default("0"),
    size("zonecapacity", C, "Usable bytes of a zone of a zoned device.").default("0").refused(ZBD),
    flag("read_beyond_wp", C, "Read behind the write pointer of a zone too.")
        .default("0")
        .refused(ZBD),
    int("max_open_zones", C, "Most zones open for writing at a time.")
        .default("0")
        .range(0, 4096)
        .refused(ZBD),
    int("job_max_open_zones", C, "Most zones open for writing at a time, per instance.")
        .default("0")
        .range(0, 4096)
        .refused(ZBD),
    flag("ignore_zone_limits", C, "Do not ask the device for its zone limits.")
        .default("0")
        .refused(ZBD),
    float("zone_reset_threshold", C, "Share of written blocks at which zones are reset.")
        .range(0, 1)
        .refused(ZBD),
    float("zone_reset_frequency", C, "How often zones are reset, per write.")
        .range(0, 1)
        .refused(ZBD),
    flag("recover_zbd_write_error", C, "Mend write pointers after errors (newer versions).")
        .default("0")
        .refused(ZBD),
];

const MODE: &[(&str, &str)] = &[
    ("none", "no zones"),
    ("strided", "zonesize bytes of each zonerange, then skip zoneskip bytes"),
];
