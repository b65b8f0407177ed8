//! Configured caps: the same number of operations whatever their size.

use std::collections::BTreeSet;

use record::compare::{Cap, Figure, FigureKind};
use record::{BoundedBy, FindingId, Status};
use units::Iops;

use super::figures::{CellSample, SideSamples};
use super::group::Group;
use crate::lists::upper_median;

const WORKLOADS_MIN: usize = 3;
/// Highest over lowest: what buckets and merging leave open.
const AGREE_RATIO_MAX: f64 = 1.04;
/// Distance from a plan's number: providers promise 90 % of it, and give a little more (methodology
/// 6.1).
const NEAR_PLAN: f64 = 0.04;
/// Below this depth a device may be no faster by itself.
const DEPTH_MIN: u32 = 8;

/// Rates of public plans. Sources: AWS EBS user guide, Azure disk types, GCP (Hyperdisk Balanced),
/// DigitalOcean's blog of 2018, Vultr's documentation (NVMe); read in 2025 and 2026.
const KNOWN_PLANS: [(f64, &str); 7] = [
    (
        3_000.0,
        "AWS EBS gp2 while its burst lasts, of gp3 without extra IOPS, and of Azure Premium SSD v2 \
         without extra",
    ),
    (3_500.0, "a small Azure Premium SSD while its burst lasts"),
    (3_600.0, "GCP Hyperdisk Balanced without extra IOPS"),
    (5_000.0, "an Azure P30 disk, and of DigitalOcean volumes after their burst"),
    (7_500.0, "an Azure P50 disk, and of DigitalOcean volumes"),
    (10_000.0, "DigitalOcean volumes while their burst lasts, and of Vultr NVMe"),
    (16_000.0, "AWS EBS gp2 at its largest"),
];

pub(super) fn find_caps(group: &Group<'_>, sampled: &SideSamples) -> Vec<Cap> {
    let mut caps: Vec<Cap> = find_cap_by_agreement(sampled).into_iter().collect();
    for (record, _) in &group.runs {
        let judgement = record.judgement_or_default();
        let caused = judgement.findings.iter().filter(|finding| {
            matches!(finding.id, FindingId::OsThrottle | FindingId::ProviderLimit)
                && finding.status >= Status::Note
        });
        let limits = judgement.curves.iter().flat_map(|curve| &curve.limits);
        let is_capped = |by| matches!(by, BoundedBy::ProviderCap | BoundedBy::ControlGroup);
        let capped = limits.filter(|limit| is_capped(limit.bounded_by));
        let figure = capped.map(|limit| limit.iops.value).reduce(f64::max);
        for finding in caused {
            let words = format!("{}: {}", finding.id, finding.summary);
            if caps.iter().all(|cap| *cap.words != *words) {
                caps.push(Cap { iops: Iops(figure.unwrap_or(0.0)), words: words.into() });
            }
        }
        if let Some(iops) = figure.filter(|_| caps.is_empty()) {
            let words = format!("a search found a configured cap, {} IOPS", Iops(iops));
            caps.push(Cap { iops: Iops(iops), words: words.into() });
        }
    }
    caps.dedup_by(|a, b| a.words == b.words);
    caps
}

/// Reads, writes and their mix at one rate, which is that of a plan: no device is so even-handed.
fn find_cap_by_agreement(sampled: &SideSamples) -> Option<Cap> {
    let total = Figure { kind: FigureKind::Iops, direction: None };
    let deep = |sample: &&CellSample| sample.depth >= DEPTH_MIN;
    let mut rates: Vec<(f64, &str)> = Vec::new();
    for sample in sampled.cells.iter().filter(deep) {
        let Some((_, runs)) = sample.figures.iter().find(|(figure, _)| *figure == total) else {
            continue;
        };
        let median = upper_median(runs.iter().map(|run| run.value));
        rates.extend(median.map(|rate| (rate, sample.workload.as_str())));
    }
    let (iops, whose) = KNOWN_PLANS.into_iter().find(|(plan, _)| {
        let near: Vec<&(f64, &str)> =
            rates.iter().filter(|(rate, _)| (rate / plan - 1.0).abs() <= NEAR_PLAN).collect();
        let workloads: BTreeSet<&str> = near.iter().map(|(_, name)| *name).collect();
        let least = near.iter().map(|(rate, _)| *rate).fold(f64::INFINITY, f64::min);
        let most = near.iter().map(|(rate, _)| *rate).fold(0.0, f64::max);
        let beyond = rates.iter().any(|(rate, _)| *rate > plan * (1.0 + NEAR_PLAN));
        workloads.len() >= WORKLOADS_MIN && most / least <= AGREE_RATIO_MAX && !beyond
    })?;
    let near = rates.iter().filter(|(rate, _)| (rate / iops - 1.0).abs() <= NEAR_PLAN);
    let named = near.take(WORKLOADS_MIN).map(|(rate, name)| format!("{name} {}", Iops(*rate)));
    let words = format!(
        "{}: every workload ends at about {} IOPS, reads and writes together; that looks like a \
         cap, as that of {whose}, and not like a device's own limit",
        named.collect::<Vec<_>>().join(", "),
        Iops(iops),
    );
    Some(Cap { iops: Iops(iops), words: words.into() })
}
