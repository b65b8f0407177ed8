//! AWS EBS: gp2, gp3, io1, io2 Block Express, st1, sc1. An instance's own limits are not in these.

use message::label;
use units::Bytes;

use crate::error::ModelError;
use crate::notes::HddVolume;
use crate::plan::{Accounting, Burst, BurstDuration, Caps, MIB, PageDate, Plan, Tolerance};
use crate::spec::{Date, PlanSpec, format_number, to_gib};

/// The user guide as AWS last published its source.
pub(crate) const GENERAL_PURPOSE: PageDate = (
    "https://github.com/awsdocs/amazon-ec2-user-guide/blob/0147f878/doc_source/general-purpose.md",
    "2023-06",
);
pub(crate) const PROVISIONED: PageDate = (
    "https://github.com/awsdocs/amazon-ec2-user-guide/blob/0147f878/doc_source/provisioned-iops.md",
    "2023-06",
);
const HDD_VOLUMES: PageDate = (
    "https://github.com/awsdocs/amazon-ec2-user-guide/blob/0147f878/doc_source/hdd-vols.md",
    "2023-06",
);
const COUNTING: PageDate =
    ("https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ebs-io-characteristics.html", "2023-06");
pub(crate) const GP3_NEWS: PageDate =
    ("https://github.com/kubernetes-sigs/aws-ebs-csi-driver/pull/2678", "2025-09-26");

/// SSD volumes: 256 KiB count as one operation; HDD volumes: 1,024 KiB, random ones as many bytes.
const SSD: Accounting = Accounting { unit: Some(Bytes::kib(256)), merges: true, whole: false };
const HDD: Accounting = Accounting { unit: Some(Bytes::mib(1)), merges: true, whole: true };

const TIB: u64 = 1 << 40;

/// The day from which new limits of gp2 count: <https://aws.amazon.com/about-aws/whats-new/2018/12/
/// amazon-ebs-increases-performance-of-general-purpose-ssd-gp2-volumes/>; the guide has the day.
const GP2_FASTER: Date = (2018, 12, 3);
/// The day from which new limits of gp3 count: [`GP3_NEWS`].
const GP3_FASTER: Date = (2025, 9, 26);

fn gib_words(size: Bytes) -> String {
    format!("{} GiB", format_number((to_gib(size) * 100.0).round() / 100.0))
}

/// A plan of which AWS delivers nine tenths, for the share `of_time`.
fn plan(
    spec: &PlanSpec<'_>,
    title: String,
    base: Caps,
    page: PageDate,
    accounting: Accounting,
    of_time: f64,
) -> Plan {
    let plan = Plan::new(spec.whole, title, base).source(page).source(COUNTING);
    Plan { accounting, tolerance: Some(Tolerance { share: 0.9, of_time }), ..plan }
}

/// `base = clamp(3 x GiB, 100, most)`; below 3,000 a burst to 3,000 from 5.4 million credits.
pub(crate) fn gp2(spec: &PlanSpec<'_>, _: &str) -> Result<Plan, ModelError> {
    let size = spec.size(Bytes::gib(1), Bytes(16 * TIB))?;
    let old = spec.as_of_date()?.is_some_and(|day| day < GP2_FASTER);
    let (iops_most, rate_most) = if old { (10_000.0, 160.0) } else { (16_000.0, 250.0) };
    let base = (3.0 * to_gib(size)).clamp(100.0, iops_most);
    let mib = if to_gib(size) <= 170.0 { 128.0 } else { rate_most };
    let caps = |iops| Caps::both(Some(iops), Some(mib * MIB));
    let title = format!("AWS EBS gp2, {}{}", gib_words(size), since(old, "2018-12-03"));
    let mut plan =
        plan(spec, title, caps(base), GENERAL_PURPOSE, SSD, 0.99).note(label("plan-gp2-base"));
    if base < 3000.0 {
        plan.burst = Some(Burst {
            caps: caps(3000.0),
            lasts: BurstDuration::Credits { operations: Some(5.4e6), bytes: None },
        });
        plan = plan.note(label("plan-gp2-burst"));
    }
    if old {
        plan = plan
            .source(("https://github.com/awsdocs/amazon-ec2-user-guide/issues/50", "2018-12-06"));
    }
    Ok(plan)
}

fn since(old: bool, day: &str) -> String {
    if old { format!(" (limits before {day})") } else { String::new() }
}

/// 3,000 IOPS and 125 MiB/s, or as much as is bought: 500 IOPS per GiB, 0.25 MiB/s per IOPS.
pub(crate) fn gp3(spec: &PlanSpec<'_>, _: &str) -> Result<Plan, ModelError> {
    let old = spec.as_of_date()?.is_some_and(|day| day < GP3_FASTER);
    let (tib, iops_most, mib_most) = if old { (16, 16e3, 1000.0) } else { (64, 80e3, 2000.0) };
    let size = spec.size(Bytes::gib(1), Bytes(tib * TIB))?;
    let iops_most = (500.0 * to_gib(size)).clamp(3000.0, iops_most);
    let iops = spec.optional_number("iops", "", 3000.0, iops_most)?.unwrap_or(3000.0);
    let mib_most = (0.25 * iops).clamp(125.0, mib_most);
    let mib = spec.optional_number("throughput", " MiB/s", 125.0, mib_most)?.unwrap_or(125.0);
    let title = format!("AWS EBS gp3, {}{}", gib_words(size), since(old, "2025-09-26"));
    let mut plan =
        plan(spec, title, Caps::both(Some(iops), Some(mib * MIB)), GENERAL_PURPOSE, SSD, 0.99)
            .note(label("plan-gp3"));
    if !old {
        plan = plan.source(GP3_NEWS).source((
            "https://dev.to/kazuya_dev/aws-reinvent-2025-optimizing-price-performance-with-\
             enhanced-amazon-ebs-gp3-volumes-stg320-3825",
            "2025-12",
        ));
    }
    Ok(plan)
}

/// Up to 32,000 IOPS 500 MiB/s, above 16 KiB per IOPS; 50 IOPS per GiB.
pub(crate) fn io1(spec: &PlanSpec<'_>, _: &str) -> Result<Plan, ModelError> {
    let size = spec.size(Bytes::gib(4), Bytes(16 * TIB))?;
    let most = (50.0 * to_gib(size)).clamp(100.0, 64e3);
    let iops = spec.required_number("iops", "", 100.0, most)?;
    let bytes = if iops <= 32e3 { 500.0 * MIB } else { iops * 16.0 * 1024.0 };
    let title = format!("AWS EBS io1, {}, {} IOPS", gib_words(size), format_number(iops));
    let base = Caps::both(Some(iops), Some(bytes));
    Ok(plan(spec, title, base, PROVISIONED, SSD, 0.999).note(label("plan-io1")))
}

/// Block Express: 1,000 IOPS per GiB up to 256,000; 0.256 MiB/s per IOPS up to 4,000.
pub(crate) fn io2(spec: &PlanSpec<'_>, _: &str) -> Result<Plan, ModelError> {
    let size = spec.size(Bytes::gib(4), Bytes(64 * TIB))?;
    let most = (1000.0 * to_gib(size)).clamp(100.0, 256e3);
    let iops = spec.required_number("iops", "", 100.0, most)?;
    let bytes = (0.256 * iops).min(4000.0) * MIB;
    let title =
        format!("AWS EBS io2 Block Express, {}, {} IOPS", gib_words(size), format_number(iops));
    let base = Caps::both(Some(iops), Some(bytes));
    Ok(plan(spec, title, base, PROVISIONED, SSD, 0.999).note(label("plan-io2")))
}

/// MiB/s per TiB always, and as long as credits last; never more than a maximum.
pub(crate) fn hdd(spec: &PlanSpec<'_>, kind: &str) -> Result<Plan, ModelError> {
    let (base, burst, most) = match kind {
        "st1" => (40.0, 250.0, 500.0),
        _ => (12.0, 80.0, 250.0),
    };
    let size = spec.size(Bytes::gib(125), Bytes(16 * TIB))?;
    let tib = size.0 as f64 / TIB as f64;
    let caps = |per_tib: f64| Caps::both(None, Some((per_tib * tib).min(most) * MIB));
    let title = format!("AWS EBS {kind}, {} TiB", format_number((tib * 1000.0).round() / 1000.0));
    let mut plan = plan(spec, title, caps(base), HDD_VOLUMES, HDD, 0.99).note(HddVolume {
        base: base.to_string(),
        burst: burst.to_string(),
        most: most.to_string(),
    });
    if (base * tib) < most {
        plan.burst = Some(Burst {
            caps: caps(burst),
            lasts: BurstDuration::Credits { operations: None, bytes: Some(size.0 as f64) },
        });
    }
    Ok(plan)
}
