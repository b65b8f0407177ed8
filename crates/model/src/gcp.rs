//! Google Cloud: Persistent Disk and Hyperdisk. The limits of a machine type, and the baselines
//! beside the rates per GiB, are not in these: no public page with the figures of the baselines was
//! found.

use message::label;
use units::Bytes;

use crate::error::ModelError;
use crate::plan::{Cap, Caps, MIB, Plan};
use crate::spec::{PlanSpec, format_number, to_gib};

const PAGE: &str = "https://cloud.google.com/compute/docs/disks/performance";
const HYPERDISK: &str = "https://cloud.google.com/compute/docs/disks/hd-types";
const READ: &str = "read 2026-11-21";

/// A type of Persistent Disk: name, title, IOPS per GiB, MiB/s per GiB, and the instance maximum
/// of IOPS and of MiB/s; reads and writes apart. Google adds a baseline to some.
type DiskType = (&'static str, &'static str, [f64; 2], f64, [f64; 2], [f64; 2], bool);

const DISK_TYPES: [DiskType; 3] = [
    ("pd-standard", "standard", [0.75, 1.5], 0.12, [7_500.0, 15_000.0], [1200.0, 400.0], false),
    ("pd-balanced", "balanced", [6.0, 6.0], 0.28, [80_000.0, 80_000.0], [1200.0, 1200.0], true),
    ("pd-ssd", "SSD", [30.0, 30.0], 0.48, [100_000.0, 100_000.0], [1200.0, 1200.0], true),
];

pub(crate) fn persistent_disk(spec: &PlanSpec<'_>, kind: &str) -> Result<Plan, ModelError> {
    let listed = DISK_TYPES.iter().find(|listed| listed.0 == kind);
    let &(_, title, iops, mib, iops_max, mib_max, baseline) = listed.unwrap_or(&DISK_TYPES[2]);
    let size = spec.size(Bytes::gib(10), Bytes(64 << 40))?;
    let gib = to_gib(size);
    let [read, write] = [0, 1].map(|way| Cap {
        iops: Some((iops[way] * gib).min(iops_max[way])),
        bytes_per_second: Some((mib * gib).min(mib_max[way]) * MIB),
    });
    let title = format!("Google Persistent Disk {title}, {size}");
    let plan = Plan::new(spec.whole, title, Caps { read, write })
        .source((PAGE, READ))
        .note(label("plan-gcp-machines"));
    Ok(match baseline {
        true => plan.note(label("plan-gcp-baseline")),
        false => plan,
    })
}

/// IOPS as bought; 4,000 MiB/s of reads and 3,000 of writes.
pub(crate) fn extreme(spec: &PlanSpec<'_>, _: &str) -> Result<Plan, ModelError> {
    let iops = spec.required_number("iops", "", 10e3, 120e3)?;
    let cap = |mib: f64| Cap { iops: Some(iops), bytes_per_second: Some(mib * MIB) };
    let base = Caps { read: cap(4000.0), write: cap(3000.0) };
    let title = format!("Google Persistent Disk extreme, {} IOPS", format_number(iops));
    Ok(Plan::new(spec.whole, title, base)
        .source((PAGE, READ))
        .source((
            "https://pub.dev/documentation/pulumi_google_native/latest/compute/Disk/\
             provisionedIops.html",
            READ,
        ))
        .note(label("plan-gcp-n2")))
}

pub(crate) fn hyperdisk_balanced(spec: &PlanSpec<'_>, _: &str) -> Result<Plan, ModelError> {
    let iops = spec.required_number("iops", "", 1.0, 160e3)?;
    let mib = spec.required_number("throughput", " MiB/s", 1.0, 2400.0)?;
    let title = format!(
        "Google Hyperdisk Balanced, {} IOPS, {} MiB/s",
        format_number(iops),
        format_number(mib)
    );
    Ok(hyperdisk(spec, title, iops, mib, "hyperdisk-balanced").note(label("plan-gcp-size")))
}

/// IOPS as bought; 250 MiB/s with every 1,000 of them, up to 5,000.
pub(crate) fn hyperdisk_extreme(spec: &PlanSpec<'_>, _: &str) -> Result<Plan, ModelError> {
    let iops = spec.required_number("iops", "", 128.0, 350e3)?;
    let mib = (0.25 * iops).min(5000.0);
    let title = format!("Google Hyperdisk Extreme, {} IOPS", format_number(iops));
    Ok(hyperdisk(spec, title, iops, mib, "hyperdisk-extreme").note(label("plan-gcp-extreme")))
}

/// MiB/s as bought; 4 IOPS with each.
pub(crate) fn hyperdisk_throughput(spec: &PlanSpec<'_>, _: &str) -> Result<Plan, ModelError> {
    let size = spec.size(Bytes(2 << 40), Bytes(32 << 40))?;
    let least = (10.0 * to_gib(size) / 1024.0).max(20.0);
    let mib = spec.required_number("throughput", " MiB/s", least, 600.0)?;
    let title = format!("Google Hyperdisk Throughput, {size}, {} MiB/s", format_number(mib));
    Ok(hyperdisk(spec, title, 4.0 * mib, mib, "hyperdisk-throughput")
        .note(label("plan-gcp-throughput")))
}

fn hyperdisk(spec: &PlanSpec<'_>, title: String, iops: f64, mib: f64, page: &str) -> Plan {
    Plan::new(spec.whole, title, Caps::both(Some(iops), Some(mib * MIB)))
        .source((&format!("{HYPERDISK}/{page}"), READ))
        .note(label("plan-gcp-target"))
}
