//! What writes do to reads.

use std::collections::BTreeMap;

use message::{Message, messages};
use record::{Cell, CellRole, Interference, InterferencePoint, Judgement, Measured};
use units::{Iops, Nanos, Ratio};
use workload::{Direction, Mix, Pacing};

use crate::curve::{WorkloadAtDepth, curve_name, pool_iops, pool_latency_figures};
use crate::headline::{Basis, Headline};
use crate::lists::find_or_push;
use crate::support::supports;

/// Share of the writes, the reads beside them, and the writes.
type ShareGroup<'a> = (f64, Vec<&'a Cell>, Vec<&'a Cell>);

const SAME_SHARE: f64 = 0.001;
/// Reads alone that differ by more than this between begin and end are not the same device.
const DRIFT_MIN: f64 = 0.2;

pub(crate) fn find_interference(measured: &Measured) -> Option<Interference> {
    let own = || measured.cells.iter().filter(|cell| cell.role == CellRole::Interference);
    let alone = own().find(|cell| cell.job.mix == Mix::Write && cell.beside.is_none())?;
    let writes_most = Iops(alone.iops());
    let mut groups: Vec<ShareGroup<'_>> = Vec::new();
    for read in own().filter(|cell| cell.job.mix == Mix::Read && cell.iops() > 0.0) {
        let write = read.beside.as_ref().and_then(|name| measured.cell(name));
        // A pair of which one half is missing was cut short.
        if write.is_none() && read.beside.is_some() {
            continue;
        }
        let share = match write.map(|cell| cell.job.pacing) {
            Some(Pacing::Open { rate, .. }) => rate.0 / writes_most.0.max(1e-9),
            _ => 0.0,
        };
        let same = |group: &ShareGroup<'_>| (group.0 - share).abs() < SAME_SHARE;
        let group = find_or_push(&mut groups, same, || (share, vec![], vec![]));
        group.1.push(read);
        group.2.extend(write);
    }
    groups.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut points: Vec<InterferencePoint> = groups
        .iter()
        .map(|(share, reads, writes)| InterferencePoint {
            share: *share,
            writes: Iops(if writes.is_empty() { 0.0 } else { pool_iops(writes).value }),
            cells: reads.iter().map(|cell| cell.name.clone()).collect(),
            reads: pool_iops(reads),
            latency_ns: pool_latency_figures(reads, Direction::Read),
            worse: BTreeMap::new(),
        })
        .collect();
    if let Some(base) = points.first().filter(|first| first.share == 0.0).cloned() {
        for point in &mut points {
            let ratio = |(name, ns): (&String, &u64)| {
                let base = base.latency_ns.get(name).filter(|base| **base > 0)?;
                Some((name.clone(), *ns as f64 / *base as f64))
            };
            point.worse = point.latency_ns.iter().filter_map(ratio).collect();
        }
    }
    let job = &groups.first()?.1.first()?.job;
    let workload = curve_name(&job.access, job.mix, job.block_size).1;
    Some(Interference {
        label: WorkloadAtDepth { workload, depth: job.depth }.into(),
        writes_most,
        writes_cell: alone.name.clone(),
        points,
    })
}

fn worst_point(found: &Interference) -> Option<(&InterferencePoint, &'static str)> {
    let statistics = ["p99", "p50", "mean"];
    statistics.into_iter().find_map(|name| {
        let known = found.points.iter().filter(|p| p.share > 0.0 && p.worse.contains_key(name));
        let most = known.max_by(|a, b| a.worse[name].total_cmp(&b.worse[name]))?;
        Some((most, name))
    })
}

pub(crate) fn interference_headline(
    measured: &Measured,
    judgement: &Judgement,
) -> Option<Headline> {
    let found = judgement.interference.as_ref()?;
    let alone = found.points.first()?;
    let (most, name) = worst_point(found)?;
    let sound = |name: &String| measured.cell(name).is_some_and(|c| supports(judgement, c));
    let cells = || alone.cells.iter().chain(&most.cells);
    if !cells().all(sound) {
        return None;
    }
    let words = LatencyBesideWrites {
        label: found.label.clone(),
        statistic: name,
        alone: Nanos(*alone.latency_ns.get(name)?),
        beside: Nanos(*most.latency_ns.get(name)?),
        times: *most.worse.get(name)?,
        writes: most.writes,
    };
    Some(Headline { words: words.into(), basis: Basis::Cells(cells().cloned().collect()) })
}

pub(crate) fn describe_interference(measured: &Measured, judgement: &Judgement) -> Vec<Message> {
    let Some(found) = &judgement.interference else {
        return Vec::new();
    };
    let mut said = vec![WritesAlone { writes: found.writes_most }.into()];
    if let Some(alone) = found.points.first() {
        let fewest = found.points.iter().min_by(|a, b| a.reads.value.total_cmp(&b.reads.value));
        if let Some(fewest) = fewest.filter(|point| point.share > 0.0) {
            let reads = ReadsBesideWrites {
                label: found.label.clone(),
                alone: Iops(alone.reads.value),
                beside: Iops(fewest.reads.value),
                writes: fewest.writes,
            };
            said.push(reads.into());
        }
        said.extend(describe_drift(measured, alone));
    }
    let behind = found.points.iter().find(|point| {
        point.share > 0.0 && point.writes.0 < 0.95 * point.share * found.writes_most.0
    });
    if let Some(point) = behind {
        said.push(WritesBehind { share: Ratio(point.share), writes: point.writes }.into());
    }
    said
}

fn describe_drift(measured: &Measured, alone: &InterferencePoint) -> Option<Message> {
    let cells: Vec<&Cell> = alone.cells.iter().filter_map(|name| measured.cell(name)).collect();
    let (first, last) = (cells.first()?, cells.last()?);
    let mean = |cell: &Cell| cell.totals.read.as_ref().map(|totals| totals.latency_ns.mean);
    let (before, after) = (mean(first)?, mean(last)?);
    let has_drifted = (after / before - 1.0).abs() > DRIFT_MIN;
    has_drifted
        .then(|| ReadsDrifted { before: Nanos(before as u64), after: Nanos(after as u64) }.into())
}

messages! {
    LatencyBesideWrites = "interference-latency" {
        label: Message, statistic: &'static str, alone: Nanos, beside: Nanos, times: f64,
        writes: Iops,
    };
    WritesAlone = "interference-writes-alone" { writes: Iops };
    ReadsBesideWrites = "interference-reads" {
        label: Message, alone: Iops, beside: Iops, writes: Iops,
    };
    WritesBehind = "interference-writes-behind" { share: Ratio, writes: Iops };
    ReadsDrifted = "interference-reads-drifted" { before: Nanos, after: Nanos };
}

#[cfg(test)]
mod tests {
    use record::{CellRole, Purpose, SweepPlan};
    use units::Depth;
    use workload::{Access, Arrivals};

    use super::*;
    use crate::testing::sample_record as plain;

    /// Reads alone before and after, and next to writes at half and all of their most.
    fn record() -> Measured {
        let mut record = plain();
        let template = |name: &str| record.cell(name).unwrap().clone();
        let (read, write) = (template("randread-4k-qd1"), template("randwrite-4k-qd64"));
        let most = write.iops();
        let mut cells = Vec::new();
        let mut add = |cell: &Cell, name: String, beside: Option<String>, slower: u64| {
            let mut cell = Cell { name, beside, role: CellRole::Interference, ..cell.clone() };
            if let Some(totals) = &mut cell.totals.read {
                let mut whole = stats::LatencyHistogram::new();
                (1..=5000).for_each(|i| whole.record(i * 100 * slower));
                totals.latency_ns = crate::summarise_latency(&whole);
            }
            cells.push(cell);
        };
        add(&write, "writes".to_owned(), None, 1);
        add(&read, "alone".to_owned(), None, 1);
        for (share, slower) in [(1.0, 10), (0.5, 3)] {
            let name = format!("reads{share}");
            let mut paced = write.clone();
            paced.job.depth = Depth(256);
            let (rate, arrivals) = (Iops(most * share), Arrivals::Poisson);
            paced.job.pacing = Pacing::Open { rate, arrivals };
            paced.totals.write.as_mut().unwrap().iops = most * share * 0.9;
            paced.confidence.iops.write.as_mut().unwrap().value = most * share * 0.9;
            add(&read, name.clone(), Some(format!("writes{share}")), slower);
            add(&paced, format!("writes{share}"), Some(name), 1);
        }
        add(&read, "alone-2".to_owned(), None, 1);
        record.cells = cells;
        record.plan.bounds.clear();
        record.plan.purpose = Purpose::Sweep(SweepPlan {
            parts: vec![record::Part {
                access: Access::Random,
                mix: Mix::Read,
                block_size: units::Bytes::kib(4),
            }],
            block_sizes: vec![units::Bytes::kib(4)],
            depths: vec![1],
            precision: 0.02,
            cell_time: (units::Nanos::secs(1), units::Nanos::secs(1)),
            write_shares: vec![0.0, 0.5, 1.0],
        });
        record
    }

    #[test]
    fn reads_are_held_against_themselves_alone() {
        let record = record();
        let judgement = crate::judge(&record);
        assert!(judgement.curves.is_empty() && judgement.two_limits.is_empty());
        let found = judgement.interference.as_ref().unwrap();
        let shares: Vec<f64> = found.points.iter().map(|point| point.share).collect();
        assert_eq!(shares, [0.0, 0.5, 1.0]);
        assert_eq!(found.points[0].cells, ["alone", "alone-2"]);
        for (point, times) in found.points.iter().zip([1.0, 3.0, 10.0]) {
            assert!((point.worse["p99"] / times - 1.0).abs() < 0.02, "{point:#?}");
        }
        let verdict = judgement.verdict.unwrap();
        assert!(
            verdict.headline.text().contains("p99 is 495 us alone"),
            "{}",
            verdict.headline.text()
        );
        assert!(verdict.headline.text().contains("10.0 times"), "{}", verdict.headline.text());
        let behind = |said: &Message| said.id() == "interference-writes-behind";
        assert!(verdict.meaning.iter().any(behind), "{verdict:#?}");
    }

    #[test]
    fn a_pair_that_lost_its_half_is_left_out() {
        let mut record = record();
        record.cells.retain(|cell| cell.name != "writes1");
        let points = find_interference(&record).unwrap().points;
        assert_eq!(points.len(), 2, "{points:#?}");
    }

    #[test]
    fn a_target_that_changed_is_not_compared_in_silence() {
        let mut record = record();
        let last = record.cells.iter_mut().find(|cell| cell.name == "alone-2").unwrap();
        last.totals.read.as_mut().unwrap().latency_ns.mean *= 1.5;
        let said =
            message::texts(&describe_interference(&record, &crate::judge(&record))).join("\n");
        assert!(said.contains("not the same throughout"), "{said}");
    }
}
