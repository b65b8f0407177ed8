//! DigitalOcean and Vultr: limits that do not depend on the size.

use crate::error::ModelError;

use crate::plan::{Burst, BurstDuration, Caps, MB, MIB, PageDate, Plan};
use crate::spec::PlanSpec;
use message::label;

pub(crate) const DIGITALOCEAN: PageDate =
    ("https://www.digitalocean.com/blog/block-storage-volume-performance-burst", "2018-05-15");
pub(crate) const VULTR: PageDate = (
    "https://docs.vultr.com/support/products/storage/\
     what-are-the-performance-expectations-for-block-storage",
    "2026",
);

pub(crate) fn digitalocean(spec: &PlanSpec<'_>, kind: &str) -> Result<Plan, ModelError> {
    let (title, base, burst) = match kind {
        "basic" => ("basic", (5000.0, 200.0), (7500.0, 300.0)),
        _ => ("optimized", (7500.0, 300.0), (10_000.0, 350.0)),
    };
    let caps = |(iops, mb): (f64, f64)| Caps::both(Some(iops), Some(mb * MB));
    let title = format!("DigitalOcean volume at a {title} droplet");
    let mut plan = Plan::new(spec.whole, title, caps(base))
        .source(DIGITALOCEAN)
        .note(label("plan-digitalocean"));
    plan.burst = Some(Burst {
        caps: caps(burst),
        lasts: BurstDuration::Time { seconds: 60.0, rest: Some(60.0) },
    });
    Ok(plan)
}

/// Block storage: targets that may be exceeded by half for about a minute.
pub(crate) fn vultr(spec: &PlanSpec<'_>, kind: &str) -> Result<Plan, ModelError> {
    let (title, iops, mib) = match kind {
        "nvme" => ("NVMe", 10_000.0, 400.0),
        _ => ("HDD", 500.0, 100.0),
    };
    let caps = |by: f64| Caps::both(Some(by * iops), Some(by * mib * MIB));
    let mut plan = Plan::new(spec.whole, format!("Vultr block storage, {title}"), caps(1.0))
        .source(VULTR)
        .note(label("plan-vultr"));
    plan.only_limits = true;
    plan.burst =
        Some(Burst { caps: caps(1.5), lasts: BurstDuration::Time { seconds: 60.0, rest: None } });
    Ok(plan)
}
