//! Azure managed disks, in MB of 10^6 bytes. A virtual machine's own limits are not in these.

use message::{Message, label};
use units::Bytes;

use crate::error::ModelError;
use crate::notes::NoBurst;
use crate::plan::{Accounting, Burst, BurstDuration, Caps, MB, PageDate, Plan};
use crate::spec::{PlanSpec, format_number, to_gib};

pub(crate) const TYPES: PageDate = (
    "https://github.com/MicrosoftDocs/azure-compute-docs/blob/18c531ec/articles/virtual-machines/\
     disks-types.md",
    "2026-08-11",
);
const SIZES: PageDate = (
    "https://github.com/MicrosoftDocs/azure-docs/blob/1d25717f/includes/\
     disk-storage-premium-ssd-sizes.md",
    "2023-03-16",
);
const BURSTING: PageDate = (
    "https://github.com/MicrosoftDocs/azure-compute-docs/blob/2e4af987/articles/virtual-machines/\
     includes/managed-disks-bursting-2.md",
    "2025-01-14",
);

/// "Operations larger than 256 KiB are considered multiple I/Os of size 256 KiB."
const COUNTED: Accounting = Accounting { unit: Some(Bytes::kib(256)), merges: false, whole: false };

/// A size of Premium SSD: name, GiB, IOPS, MB/s.
const PREMIUM: [(&str, u64, f64, f64); 14] = [
    ("p1", 4, 120.0, 25.0),
    ("p2", 8, 120.0, 25.0),
    ("p3", 16, 120.0, 25.0),
    ("p4", 32, 120.0, 25.0),
    ("p6", 64, 240.0, 50.0),
    ("p10", 128, 500.0, 100.0),
    ("p15", 256, 1100.0, 125.0),
    ("p20", 512, 2300.0, 150.0),
    ("p30", 1024, 5000.0, 200.0),
    ("p40", 2048, 7500.0, 250.0),
    ("p50", 4096, 7500.0, 250.0),
    ("p60", 8192, 16_000.0, 500.0),
    ("p70", 16_384, 18_000.0, 750.0),
    ("p80", 32_767, 20_000.0, 900.0),
];

const CREDITS_GIB: u64 = 512;
/// Credits last this long: "up to 30 minutes at the maximum burst rate".
const BURST_SECONDS: f64 = 1800.0;

/// A size by name, `p10`, or the smallest that holds a size. Up to P20: credits of operations and
/// of bytes apart, 1,800 x (burst - base) each; above: bursts that are paid for.
pub(crate) fn premium(spec: &PlanSpec<'_>, kind: &str) -> Result<Plan, ModelError> {
    let row = if kind == "premium" {
        let size = spec.size(Bytes::gib(1), Bytes::gib(32_767))?;
        PREMIUM.iter().find(|row| Bytes::gib(row.1) >= size)
    } else {
        PREMIUM.iter().find(|row| row.0 == kind)
    };
    let Some(&(name, size, iops, mb)) = row else {
        return spec.refuse("no such size; they are p1 to p80");
    };
    let base = Caps::both(Some(iops), Some(mb * MB));
    let title =
        format!("Azure Premium SSD {}, {} GiB", name.to_uppercase(), format_number(size as f64));
    let mut plan = Plan::new(spec.whole, title, base)
        .source(SIZES)
        .source(TYPES)
        .source(BURSTING)
        .note(label("plan-azure-host-cache"));
    plan.accounting = COUNTED;
    if size <= CREDITS_GIB {
        let (most_iops, most_mb) = (3500.0, 170.0);
        plan.burst = Some(Burst {
            caps: Caps::both(Some(most_iops), Some(most_mb * MB)),
            lasts: BurstDuration::Credits {
                operations: Some(BURST_SECONDS * (most_iops - iops)),
                bytes: Some(BURST_SECONDS * (most_mb - mb) * MB),
            },
        });
        return Ok(plan.note(label("plan-azure-credits")));
    }
    match spec.value("bursting") {
        None | Some("off") => {}
        Some("on") => {
            let caps = Caps::both(Some(30_000.0), Some(1000.0 * MB));
            plan.burst = Some(Burst { caps, lasts: BurstDuration::Always });
            plan = plan.note(label("plan-azure-on-demand"));
        }
        Some(other) => return spec.refuse(format!("bursting is on or off, not '{other}'")),
    }
    Ok(plan)
}

/// 3,000 IOPS and 125 MB/s, or as bought: 500 IOPS per GiB from 6 GiB on, 0.25 MB/s per IOPS.
pub(crate) fn premium_v2(spec: &PlanSpec<'_>, _: &str) -> Result<Plan, ModelError> {
    let size = spec.size(Bytes::gib(1), Bytes(64 << 40))?;
    let most = (500.0 * to_gib(size)).clamp(3000.0, 80e3);
    let iops = spec.optional_number("iops", "", 3000.0, most)?.unwrap_or(3000.0);
    let most = (0.25 * iops).clamp(125.0, 2000.0);
    let mb = spec.optional_number("throughput", " MB/s", 125.0, most)?.unwrap_or(125.0);
    let title = format!("Azure Premium SSD v2, {size}, {} IOPS", format_number(iops));
    Ok(provisioned_plan(spec, title, (iops, mb), label("plan-azure-v2-limits")))
}

/// As bought: up to 1,000 IOPS per GiB, 0.25 MB/s per IOPS.
pub(crate) fn ultra(spec: &PlanSpec<'_>, _: &str) -> Result<Plan, ModelError> {
    let size = spec.size(Bytes::gib(4), Bytes(64 << 40))?;
    let most = (1000.0 * to_gib(size)).min(400e3);
    let iops = spec.required_number("iops", "", 100.0, most)?;
    let most = (0.25 * iops).clamp(1.0, 10_000.0);
    let mb = spec.required_number("throughput", " MB/s", 1.0, most)?;
    let title = format!("Azure Ultra Disk, {size}, {} IOPS", format_number(iops));
    Ok(provisioned_plan(spec, title, (iops, mb), label("plan-azure-ultra-limits")))
}

fn provisioned_plan(
    spec: &PlanSpec<'_>,
    title: String,
    (iops, mb): (f64, f64),
    limits: impl Into<Message>,
) -> Plan {
    let limits = limits.into();
    let base = Caps::both(Some(iops), Some(mb * MB));
    let mut plan = Plan::new(spec.whole, title, base).source(TYPES).note(NoBurst { limits });
    plan.accounting = COUNTED;
    plan
}
