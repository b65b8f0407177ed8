//! What typical devices give in random reads of 4 KiB a second, as bands. Measured SSDs: medians of
//! the open data of iocost-benchmarks; volumes: what is sold; disks: computed from data sheets.

use serde::Serialize;

use crate::aws::{GENERAL_PURPOSE, GP3_NEWS, PROVISIONED};
use crate::azure::TYPES;
use crate::others::{DIGITALOCEAN, VULTR};

/// A rung: a device, and what it gives.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ReferenceDevice {
    /// `SATA SSD`.
    pub class: &'static str,
    /// `Samsung SSD 870`.
    pub example: &'static str,
    /// Random reads of 4 KiB a second.
    pub iops: f64,
    /// Latency as the source has it; empty where it has none.
    pub latency: &'static str,
    /// `measured`, `sold`, `computed`.
    pub kind: &'static str,
    pub url: &'static str,
    pub date: &'static str,
}

const IOCOST: (&str, &str) =
    ("https://github.com/iocost-benchmark/iocost-benchmarks", "read 2026-11");

/// From the slowest to the fastest.
pub const REFERENCE_DEVICES: &[ReferenceDevice] = &[
    reference_device(
        "rotating disk",
        "7,200 rpm, 9 ms seek",
        76.8,
        "13.0 ms",
        "computed",
        ("Bryant and O'Hallaron, Computer Systems, chapter 6", "2003"),
    ),
    reference_device(
        "rotating disk",
        "10,000 rpm, 4.45 ms seek (VelociRaptor)",
        133.0,
        "7.5 ms",
        "computed",
        ("http://tech-jockey.blogspot.com/2016/03/iops-calculations.html", "2016-03"),
    ),
    sold("AWS gp2 without credits, 100 GiB", 300.0, "below 10 ms", GENERAL_PURPOSE),
    sold("AWS gp2 in its burst; gp3 as it comes", 3000.0, "below 10 ms", GENERAL_PURPOSE),
    sold("Azure Premium SSD P30", 5000.0, "below 10 ms", TYPES),
    sold("DigitalOcean volume, basic droplet", 5000.0, "below 10 ms", DIGITALOCEAN),
    sold("Vultr block storage, NVMe", 10_000.0, "", VULTR),
    sold("AWS gp3 at the most until 2025", 16_000.0, "below 10 ms", GENERAL_PURPOSE),
    measured("NVMe SSD (PCIe 3)", "Intel SSDPEKKA256G7", 44_972.0),
    sold("AWS gp3 at the most", 80_000.0, "below 10 ms", GP3_NEWS),
    measured("SATA SSD", "Samsung SSD 870", 98_441.0),
    measured("NVMe SSD (PCIe 3)", "Samsung 970 EVO 500GB", 138_950.0),
    measured("NVMe SSD (PCIe 3)", "WD SN720 512GB", 174_505.0),
    sold("AWS io2 Block Express at the most", 256_000.0, "below 1 ms", PROVISIONED),
    measured("NVMe SSD (PCIe 4)", "WD SN850X 1TB", 291_533.0),
    measured("NVMe SSD (PCIe 3)", "Samsung 970 PRO 512GB", 376_868.0),
    sold("Azure Ultra Disk at the most", 400_000.0, "below 1 ms", TYPES),
    measured("NVMe SSD (PCIe 4)", "Samsung 990 PRO 2TB", 781_780.0),
];

const fn reference_device(
    class: &'static str,
    example: &'static str,
    iops: f64,
    latency: &'static str,
    kind: &'static str,
    (url, date): (&'static str, &'static str),
) -> ReferenceDevice {
    ReferenceDevice { class, example, iops, latency, kind, url, date }
}

const fn measured(class: &'static str, example: &'static str, iops: f64) -> ReferenceDevice {
    reference_device(class, example, iops, "", "measured", IOCOST)
}

const fn sold(
    example: &'static str,
    iops: f64,
    latency: &'static str,
    source: (&'static str, &'static str),
) -> ReferenceDevice {
    reference_device("volume in a cloud", example, iops, latency, "sold", source)
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearestDevices {
    /// The fastest rung that is not faster; absent below the lowest.
    pub above: Option<&'static ReferenceDevice>,
    /// The slowest rung that is faster; absent above the highest.
    pub below: Option<&'static ReferenceDevice>,
}

/// Places random reads of 4 KiB a second.
pub fn find_nearest(iops: f64) -> NearestDevices {
    let at = REFERENCE_DEVICES.partition_point(|rung| rung.iops <= iops);
    NearestDevices {
        above: at.checked_sub(1).and_then(|at| REFERENCE_DEVICES.get(at)),
        below: REFERENCE_DEVICES.get(at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ladder_rises_and_every_rung_has_its_source() {
        assert!(REFERENCE_DEVICES.windows(2).all(|pair| pair[0].iops <= pair[1].iops));
        assert!(REFERENCE_DEVICES.iter().all(|rung| !rung.url.is_empty() && !rung.date.is_empty()));
    }

    #[test]
    fn results_stand_between_their_neighbours() {
        let check = |iops: f64, above: Option<f64>, below: Option<f64>| {
            let place = find_nearest(iops);
            assert_eq!(place.above.map(|r| r.iops), above, "{iops}");
            assert_eq!(place.below.map(|r| r.iops), below, "{iops}");
        };
        check(10.0, None, Some(76.8));
        check(76.8, Some(76.8), Some(133.0));
        check(12_000.0, Some(10_000.0), Some(16_000.0));
        check(2e6, Some(781_780.0), None);
    }
}
