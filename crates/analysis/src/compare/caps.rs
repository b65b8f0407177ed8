//! Configured caps: the same number of operations whatever their size.

use std::collections::BTreeSet;

use message::{Message, Names, messages};
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
const KNOWN_PLANS: [u64; 7] = [3_000, 3_500, 3_600, 5_000, 7_500, 10_000, 16_000];

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
            let (id, summary) = (finding.id.to_string(), finding.summary.clone());
            let words = CapByFinding { finding: id, summary }.into();
            if caps.iter().all(|cap| cap.words != words) {
                caps.push(Cap { iops: Iops(figure.unwrap_or(0.0)), words });
            }
        }
        if let Some(iops) = figure.filter(|_| caps.is_empty()).map(Iops) {
            caps.push(Cap { iops, words: CapBySearch { iops }.into() });
        }
    }
    caps.dedup_by(|a, b| a.words == b.words);
    caps
}

/// Reads, writes and their mix at one rate, which is that of a plan: no device is so even-handed.
fn find_cap_by_agreement(sampled: &SideSamples) -> Option<Cap> {
    let total = Figure { kind: FigureKind::Iops, direction: None };
    let deep = |sample: &&CellSample| sample.depth >= DEPTH_MIN;
    let mut rates: Vec<(f64, &Message)> = Vec::new();
    for sample in sampled.cells.iter().filter(deep) {
        let Some((_, runs)) = sample.figures.iter().find(|(figure, _)| *figure == total) else {
            continue;
        };
        let median = upper_median(runs.iter().map(|run| run.value));
        rates.extend(median.map(|rate| (rate, &sample.workload)));
    }
    let is_near = |rate: f64, plan: u64| (rate / plan as f64 - 1.0).abs() <= NEAR_PLAN;
    let plan = KNOWN_PLANS.into_iter().find(|&plan| {
        let near: Vec<&(f64, &Message)> =
            rates.iter().filter(|(rate, _)| is_near(*rate, plan)).collect();
        let workloads: BTreeSet<&str> = near.iter().map(|(_, name)| name.text()).collect();
        let least = near.iter().map(|(rate, _)| *rate).fold(f64::INFINITY, f64::min);
        let most = near.iter().map(|(rate, _)| *rate).fold(0.0, f64::max);
        let beyond = rates.iter().any(|(rate, _)| *rate > plan as f64 * (1.0 + NEAR_PLAN));
        workloads.len() >= WORKLOADS_MIN && most / least <= AGREE_RATIO_MAX && !beyond
    })?;
    let near = rates.iter().filter(|(rate, _)| is_near(*rate, plan)).take(WORKLOADS_MIN);
    let name = |(rate, workload): &(f64, &Message)| {
        WorkloadAtRate { workload: (*workload).clone(), iops: Iops(*rate) }.into()
    };
    let rates = Names(near.map(name).collect());
    let iops = Iops(plan as f64);
    Some(Cap {
        iops,
        words: CapByAgreement { iops, rates, plan: KnownPlan { plan }.into() }.into(),
    })
}

messages! {
    CapByFinding = "compare-caps-by-finding" { finding: String, summary: Message };
    CapBySearch = "compare-caps-by-search" { iops: Iops };
    CapByAgreement = "compare-caps-by-agreement" { iops: Iops, rates: Names, plan: Message };
    WorkloadAtRate = "compare-caps-workload-at-rate" { workload: Message, iops: Iops };
    /// The plans that are known by this many operations a second.
    KnownPlan = "compare-caps-known-plan" { plan: u64 };
}
