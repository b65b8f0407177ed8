//! The figures that are compared, and the hosts that are alike.

use std::collections::BTreeMap;

use message::{Message, messages};
use record::{Cell, CellRole, Fleet, FleetHost, HostStatistic, Measured, PeerFigures, Status};
use stats::RobustSpread;
use units::Bytes;
use workload::{Access, Pacing};

use super::models::name_models;
use crate::curve::{WorkloadAtDepth, curve_name, pool_totals};

/// Rates of larger blocks are in bytes per second.
const STREAM_BLOCK_MIN: Bytes = Bytes::kib(64);
const QUANTILES: [f64; 7] = [0.0, 0.01, 0.05, 0.5, 0.95, 0.99, 1.0];

/// A figure of hosts that are alike.
pub(super) struct PeerGroup {
    pub(super) load: Message,
    pub(super) statistic: HostStatistic,
    pub(super) model: String,
    /// Numbers of hosts, and their values.
    pub(super) figures: Vec<(usize, f64)>,
}

impl PeerGroup {
    /// The logarithm of the value, larger where the host is slower.
    pub(super) fn cost(&self, value: f64) -> f64 {
        match self.statistic {
            HostStatistic::Iops | HostStatistic::BytesPerSecond => -value.ln(),
            HostStatistic::P99 => value.ln(),
        }
    }

    fn value(&self, cost: f64) -> f64 {
        match self.statistic {
            HostStatistic::Iops | HostStatistic::BytesPerSecond => (-cost).exp(),
            HostStatistic::P99 => cost.exp(),
        }
    }

    pub(super) fn summarise(&self, spread: &RobustSpread) -> PeerFigures {
        let costs: Vec<f64> = self.figures.iter().map(|(_, value)| self.cost(*value)).collect();
        let quantile = |from_slowest: f64| {
            stats::quantile_of(&costs, 1.0 - from_slowest).map_or(0.0, |cost| self.value(cost))
        };
        PeerFigures {
            load: self.load.clone(),
            statistic: self.statistic,
            model: self.model.clone(),
            hosts: self.figures.len() as u64,
            median: self.value(spread.median),
            spread: spread.scale,
            freedom: spread.freedom,
            quantiles: QUANTILES.map(quantile),
        }
    }
}

/// What the loads of compared hosts have in common; each has the same depth.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct LoadKey {
    workload: String,
    is_sequential: bool,
    depth: u32,
    is_synced: bool,
    is_open: bool,
}

pub(super) fn collect_peers(measured: &Measured, fleet: &Fleet) -> Vec<PeerGroup> {
    let mut groups: Vec<PeerGroup> = Vec::new();
    let mut places: BTreeMap<(LoadKey, HostStatistic, String), usize> = BTreeMap::new();
    let models = name_models(fleet);
    for ((number, host), model) in fleet.hosts.iter().enumerate().zip(models) {
        for (key, visits) in group_visits(measured, host) {
            for (statistic, value) in list_figures(&visits) {
                let place = (key.clone(), statistic, model.clone());
                let place = *places.entry(place).or_insert_with(|| {
                    let (load, model) = (describe_load(visits[0]), model.clone());
                    groups.push(PeerGroup { load, statistic, model, figures: Vec::new() });
                    groups.len() - 1
                });
                groups[place].figures.push((number, value));
            }
        }
    }
    groups
}

/// Cells of the same load, in the order of their first visit.
fn group_visits<'a>(measured: &Measured, host: &'a FleetHost) -> Vec<(LoadKey, Vec<&'a Cell>)> {
    let mut loads: Vec<(LoadKey, Vec<&Cell>)> = Vec::new();
    let cells = host.cells.iter().map(|part| &part.cell);
    for cell in cells.filter(|cell| is_compared(cell, host, measured)) {
        let key = load_key(cell);
        let load = crate::lists::find_or_push(
            &mut loads,
            |(k, _)| *k == key,
            || (key.clone(), Vec::new()),
        );
        load.1.push(cell);
    }
    loads
}

fn is_compared(cell: &Cell, host: &FleetHost, measured: &Measured) -> bool {
    let is_figure = matches!(
        cell.role,
        CellRole::Main
            | CellRole::Ladder
            | CellRole::Repeat
            | CellRole::Probe
            | CellRole::Point
            | CellRole::Replay
    );
    // The total says what it was used for in the end.
    let is_in_waves = measured.fleet.as_ref().is_some_and(|fleet| fleet.waves.is_some());
    let is_left_out = || {
        let total = measured.cell(&cell.name);
        !is_in_waves && total.is_none_or(|total| total.role == CellRole::Disturbed)
    };
    let is_invalid = || {
        let invalid = host.findings.iter().filter(|finding| finding.status == Status::Invalid);
        invalid.flat_map(|finding| &finding.cells).any(|name| *name == cell.name)
    };
    is_figure && cell.beside.is_none() && cell.error.is_none() && !is_left_out() && !is_invalid()
}

fn load_key(cell: &Cell) -> LoadKey {
    let job = &cell.job;
    LoadKey {
        workload: match cell.role {
            CellRole::Replay => "replay".to_owned(),
            _ => curve_name(&job.access, job.mix, job.block_size).0,
        },
        is_sequential: job.access == Access::Sequential,
        depth: job.depth.0,
        is_synced: job.sync.is_some(),
        is_open: is_open(cell),
    }
}

fn is_open(cell: &Cell) -> bool {
    cell.role == CellRole::Replay || !matches!(cell.job.pacing, Pacing::Closed)
}

fn describe_load(cell: &Cell) -> Message {
    let job = &cell.job;
    match () {
        () if cell.role == CellRole::Replay => LoadReplay {}.into(),
        () if job.sync.is_some() => LoadCommit { size: job.block_size.to_compact() }.into(),
        () => {
            let workload = curve_name(&job.access, job.mix, job.block_size).1;
            WorkloadAtDepth { workload, depth: job.depth }.into()
        }
    }
}

/// The rate, where nothing sets it, and the p99 of the slower direction.
fn list_figures(visits: &[&Cell]) -> Vec<(HostStatistic, f64)> {
    let Some(first) = visits.first() else { return Vec::new() };
    let pooled = (visits.len() > 1).then(|| pool_totals(visits));
    let totals = pooled.as_ref().unwrap_or(&first.totals);
    let data: Vec<_> =
        [totals.read.as_deref(), totals.write.as_deref()].into_iter().flatten().collect();
    let (statistic, rate): (_, f64) = match first.job.block_size < STREAM_BLOCK_MIN {
        true => (HostStatistic::Iops, data.iter().map(|totals| totals.iops).sum()),
        false => {
            (HostStatistic::BytesPerSecond, data.iter().map(|totals| totals.bytes_per_second).sum())
        }
    };
    let p99 = |totals: &&record::DirectionTotals| {
        let latency = totals.response_ns.as_deref().unwrap_or(&totals.latency_ns);
        latency.percentiles.get("p99").map(|&ns| ns as f64)
    };
    let slowest: Option<f64> = data
        .iter()
        .map(p99)
        .collect::<Option<Vec<f64>>>()
        .and_then(|all| all.into_iter().reduce(f64::max));
    let rate = (!is_open(first)).then_some((statistic, rate));
    let p99 = slowest.map(|ns| (HostStatistic::P99, ns));
    let is_figure = |(_, value): &(HostStatistic, f64)| *value > 0.0 && value.is_finite();
    rate.into_iter().chain(p99).filter(is_figure).collect()
}

messages! {
    LoadReplay = "cell-replay";
    LoadCommit = "cell-commit" { size: String };
}
