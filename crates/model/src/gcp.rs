//! Google Cloud: Persistent Disk and Hyperdisk. The limits of a machine type, and the baselines
//! beside the rates per GiB, are not in these: no public page with the figures of the baselines was
//! found.

use units::Bytes;

use crate::error::ModelError;
use crate::plan::{Cap, Caps, MIB, Plan};
use crate::spec::{PlanSpec, format_number, to_gib};

const PAGE: &str = "https://cloud.google.com/compute/docs/disks/performance";
const HYPERDISK: &str = "https://cloud.google.com/compute/docs/disks/hd-types";
const READ: &str = "read 2026-11-21";

/// A type of Persistent Disk: rates per GiB and the maximum per instance.
struct DiskType {
    title: &'static str,
    iops: (f64, f64),
    mib: f64,
    /// IOPS of reads and of writes, at most.
    iops_max: (f64, f64),
    /// MiB/s of reads and of writes, at most.
    mib_max: (f64, f64),
    baseline: bool,
}

const STANDARD: DiskType = DiskType {
    title: "standard",
    iops: (0.75, 1.5),
    mib: 0.12,
    iops_max: (7_500.0, 15_000.0),
    mib_max: (1200.0, 400.0),
    baseline: false,
};
const BALANCED: DiskType = DiskType {
    title: "balanced",
    iops: (6.0, 6.0),
    mib: 0.28,
    iops_max: (80_000.0, 80_000.0),
    mib_max: (1200.0, 1200.0),
    baseline: true,
};
const SSD: DiskType = DiskType {
    title: "SSD",
    iops: (30.0, 30.0),
    mib: 0.48,
    iops_max: (100_000.0, 100_000.0),
    mib_max: (1200.0, 1200.0),
    baseline: true,
};

pub(crate) fn persistent_disk(spec: &PlanSpec<'_>, kind: &str) -> Result<Plan, ModelError> {
    let kind = match kind {
        "pd-standard" => &STANDARD,
        "pd-balanced" => &BALANCED,
        _ => &SSD,
    };
    let size = spec.size(Bytes::gib(10), Bytes(64 << 40))?;
    let cap = |per_gib: f64, iops_most: f64, mib_most: f64| Cap {
        iops: Some((per_gib * to_gib(size)).min(iops_most)),
        bytes_per_second: Some((kind.mib * to_gib(size)).min(mib_most) * MIB),
    };
    let base = Caps {
        read: cap(kind.iops.0, kind.iops_max.0, kind.mib_max.0),
        write: cap(kind.iops.1, kind.iops_max.1, kind.mib_max.1),
    };
    let title = format!("Google Persistent Disk {}, {size}", kind.title);
    let plan = Plan::new(spec.whole.to_owned(), title, base)
        .source(PAGE, READ)
        .note("no burst; small machine types have lower limits of their own");
    Ok(match kind.baseline {
        true => plan.note("Google adds a baseline, whose figures are not in this model"),
        false => plan,
    })
}

/// IOPS as bought; 4,000 MiB/s of reads and 3,000 of writes.
pub(crate) fn extreme(spec: &PlanSpec<'_>) -> Result<Plan, ModelError> {
    let iops = spec.required_number("iops", "", 10e3, 120e3)?;
    let cap = |mib: f64| Cap { iops: Some(iops), bytes_per_second: Some(mib * MIB) };
    let base = Caps { read: cap(4000.0), write: cap(3000.0) };
    let title = format!("Google Persistent Disk extreme, {} IOPS", format_number(iops));
    Ok(Plan::new(spec.whole.to_owned(), title, base)
        .source(PAGE, READ)
        .source(
            "https://pub.dev/documentation/pulumi_google_native/latest/compute/Disk/\
             provisionedIops.html",
            READ,
        )
        .note("the most needs an N2 machine with 64 processors or more"))
}

pub(crate) fn hyperdisk_balanced(spec: &PlanSpec<'_>) -> Result<Plan, ModelError> {
    let iops = spec.required_number("iops", "", 1.0, 160e3)?;
    let mib = spec.required_number("throughput", " MiB/s", 1.0, 2400.0)?;
    let title = format!(
        "Google Hyperdisk Balanced, {} IOPS, {} MiB/s",
        format_number(iops),
        format_number(mib)
    );
    Ok(hyperdisk(spec, title, iops, mib, "hyperdisk-balanced")
        .note("the size of the volume narrows what can be bought; that is not checked here"))
}

/// IOPS as bought; 250 MiB/s with every 1,000 of them, up to 5,000.
pub(crate) fn hyperdisk_extreme(spec: &PlanSpec<'_>) -> Result<Plan, ModelError> {
    let iops = spec.required_number("iops", "", 128.0, 350e3)?;
    let mib = (0.25 * iops).min(5000.0);
    let title = format!("Google Hyperdisk Extreme, {} IOPS", format_number(iops));
    Ok(hyperdisk(spec, title, iops, mib, "hyperdisk-extreme")
        .note("250 MiB/s with every 1,000 IOPS, up to 5,000 MiB/s"))
}

/// MiB/s as bought; 4 IOPS with each.
pub(crate) fn hyperdisk_throughput(spec: &PlanSpec<'_>) -> Result<Plan, ModelError> {
    let size = spec.size(Bytes(2 << 40), Bytes(32 << 40))?;
    let least = (10.0 * to_gib(size) / 1024.0).max(20.0);
    let mib = spec.required_number("throughput", " MiB/s", least, 600.0)?;
    let title = format!("Google Hyperdisk Throughput, {size}, {} MiB/s", format_number(mib));
    Ok(hyperdisk(spec, title, 4.0 * mib, mib, "hyperdisk-throughput")
        .note("4 IOPS with every MiB/s; 10 to 30 ms per read, as a rotating disk"))
}

fn hyperdisk(spec: &PlanSpec<'_>, title: String, iops: f64, mib: f64, page: &str) -> Plan {
    Plan::new(spec.whole.to_owned(), title, Caps::both(Some(iops), Some(mib * MIB)))
        .source(&format!("{HYPERDISK}/{page}"), READ)
        .note("a target by Google's own words, no guarantee; the machine type limits it, too")
}
