//! The figures of each run of a side, cell by cell.

use std::borrow::Cow;

use message::{Message, label, messages};
use record::compare::{CellComparison, Excluded, Figure, FigureComparison, FigureKind, PerPrice};
use record::{BoundedBy, Cell, DirectionTotals, Record, Status};
use stats::Estimate;
use workload::Direction;

use super::effect;
use super::group::{ComparisonCriteria, Group, RunFigure};
use super::key::{self, JobKey};
use crate::cells::reported_latency;
use crate::curve::pool_cells;
use crate::lists::find_or_push;
use crate::support::{describe_doubt, describe_unsupported};
use crate::words::EndedEarly;

const LATENCIES: [&str; 4] = ["mean", "p50", "p99", "p99.9"];

#[derive(Debug, Clone)]
pub(super) struct CellSample {
    /// Absent of a limit of a curve.
    pub(super) key: Option<JobKey>,
    pub(super) label: Message,
    pub(super) workload: Message,
    pub(super) depth: u32,
    /// Figures by run; the first is the one that the verdict is about.
    pub(super) figures: Vec<(Figure, Vec<RunFigure>)>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct SideSamples {
    pub(super) cells: Vec<CellSample>,
    pub(super) limits: Vec<CellSample>,
    pub(super) excluded: Vec<Excluded>,
}

impl SideSamples {
    fn exclude(&mut self, side: &str, record: &Record, label: Message, reason: Message) {
        let (side, run) = (side.to_owned(), record.measured.id.clone());
        self.excluded.push(Excluded { side, run, label, reason });
    }

    /// Whether this side left out a job that the other has, usable or not.
    pub(super) fn left_out_job_of(&self, other: &Self) -> bool {
        self.excluded.iter().any(|lost| other.labels().any(|label| lost.label.text() == label))
    }

    fn labels(&self) -> impl Iterator<Item = &str> {
        let usable = self.cells.iter().map(|sample| sample.label.text());
        usable.chain(self.excluded.iter().map(|excluded| excluded.label.text()))
    }
}

pub(super) fn sample_side(group: &Group<'_>, side: &str) -> SideSamples {
    let mut all = SideSamples::default();
    for (record, _) in &group.runs {
        let mut seen: Vec<JobKey> = Vec::new();
        for cell in &record.measured.cells {
            let Some(key) = JobKey::from_cell(cell, record).filter(|key| !seen.contains(key))
            else {
                continue;
            };
            let label = key::describe_cell(cell, record);
            let is_alike = |other: &&Cell| JobKey::from_cell(other, record).as_ref() == Some(&key);
            let alike: Vec<&Cell> = record.measured.cells.iter().filter(is_alike).collect();
            seen.push(key.clone());
            match pool_usable_cells(record, &alike) {
                Ok(whole) => {
                    let figures = cell_figures(&whole, key.is_closed());
                    let blank = CellSample {
                        label,
                        workload: key::describe_workload(cell),
                        depth: cell.job.depth.0,
                        figures: Vec::new(),
                        key: Some(key),
                    };
                    add_run_figures(&mut all.cells, blank, figures);
                }
                Err(reason) => all.exclude(side, record, label, reason),
            }
        }
        sample_limits(&mut all, record, side);
    }
    all
}

fn pool_usable_cells<'a>(record: &Record, cells: &[&'a Cell]) -> Result<Cow<'a, Cell>, Message> {
    let mut reason = label("compare-figures-nothing-completed");
    let fine = |cell: &&&Cell| {
        if let Some(why) = reason_unusable(record, cell) {
            reason = why;
            return false;
        }
        cell.data_directions().next().is_some() || cell.totals.trim.is_some()
    };
    let fine: Vec<&Cell> = cells.iter().filter(fine).copied().collect();
    pool_cells(&fine).ok_or(reason)
}

fn reason_unusable(record: &Record, cell: &Cell) -> Option<Message> {
    if let Some(error) = &cell.error {
        return Some(EndedEarly { error: error.message.clone() }.into());
    }
    let judgement = record.judgement_or_default();
    let is_of_run = |f: &&record::Finding| f.status == Status::Invalid && f.cells.is_empty();
    let of_run = judgement.findings.iter().find(is_of_run).map(describe_doubt);
    of_run.or_else(|| describe_unsupported(judgement, cell))
}

fn add_run_figures(
    all: &mut Vec<CellSample>,
    blank: CellSample,
    figures: Vec<(Figure, RunFigure)>,
) {
    let (key, label) = (blank.key.clone(), blank.label.clone());
    let sample = find_or_push(all, |sample| sample.key == key && sample.label == label, || blank);
    for (figure, of_run) in figures {
        let known = &mut sample.figures;
        find_or_push(known, |(of, _)| *of == figure, || (figure.clone(), vec![])).1.push(of_run);
    }
}

/// Of a closed loop the first figure is its operations; of a paced one, its mean latency.
fn cell_figures(cell: &Cell, closed: bool) -> Vec<(Figure, RunFigure)> {
    let directions: Vec<Direction> = cell.totals.iter().map(|(direction, _)| direction).collect();
    let data: Vec<Direction> =
        directions.iter().copied().filter(|d| *d != Direction::Sync).collect();
    let mut rates = Vec::new();
    let mut add_rate = |kind: FigureKind, of: &[Direction], direction: Option<Direction>| {
        let pick: fn(&DirectionTotals) -> f64 = match kind {
            FigureKind::BytesPerSecond => |totals| totals.bytes_per_second,
            _ => |totals| totals.iops,
        };
        let run = sum_rates(cell, of, pick);
        rates.extend(run.map(|run| (Figure { kind, direction }, run)));
    };
    add_rate(FigureKind::Iops, &data, None);
    if data.len() > 1 {
        data.iter().for_each(|d| add_rate(FigureKind::Iops, &[*d], Some(*d)));
    }
    add_rate(FigureKind::BytesPerSecond, &data, None);
    let several = directions.len() > 1;
    let mut latencies = Vec::new();
    for direction in &directions {
        for statistic in LATENCIES {
            let figure = Figure {
                kind: FigureKind::Latency(statistic.to_owned()),
                direction: several.then_some(*direction),
            };
            let run = latency_figure(cell, *direction, statistic);
            latencies.extend(run.map(|run| (figure, run)));
        }
    }
    if closed {
        rates.extend(latencies);
        return rates;
    }
    latencies.extend(rates);
    latencies
}

fn sum_rates(
    cell: &Cell,
    directions: &[Direction],
    pick: fn(&DirectionTotals) -> f64,
) -> Option<RunFigure> {
    let value: f64 = directions.iter().map(|d| cell.totals.get(*d).map_or(0.0, pick)).sum();
    // Reads and writes of one loop go up and down together: the wider share is that of the sum.
    let of = |d: &Direction| cell.confidence.iops.get(*d)?.relative_half_width();
    let half = directions
        .iter()
        .map(of)
        .try_fold(0.0, |most: f64, half| half.map(|half| most.max(half)))
        .filter(|half| *half < 1.0);
    let interval = half.map(|half| (value * (1.0 - half), value * (1.0 + half)));
    (value.is_finite() && value > 0.0).then_some(RunFigure { value, interval })
}

/// The response time where there is one.
fn latency_figure(cell: &Cell, direction: Direction, statistic: &str) -> Option<RunFigure> {
    let totals = cell.totals.get(direction)?;
    let summary = Some(reported_latency(totals)).filter(|summary| !summary.is_absent())?;
    let confidence = &cell.confidence;
    let (value, estimate) = match statistic {
        "mean" => (summary.mean, confidence.mean_latency_ns.get(direction)),
        name => (
            *summary.percentiles.get(name)? as f64,
            confidence.percentiles_ns.get(direction).and_then(|all| all.get(name)),
        ),
    };
    // The intervals of an open loop are those of service times.
    let estimate = estimate.filter(|_| totals.response_ns.is_none());
    let interval = estimate.and_then(Estimate::interval).filter(|(low, _)| *low > 0.0);
    (value > 0.0).then_some(RunFigure { value, interval })
}

fn sample_limits(all: &mut SideSamples, record: &Record, side: &str) {
    for curve in &record.judgement_or_default().curves {
        for limit in &curve.limits {
            let (workload, bound) = (curve.label.clone(), limit.bound.to_string());
            let label: Message = match curve.open_loop {
                true => OpenLimitLabel { workload, bound }.into(),
                false => LimitLabel { workload, bound }.into(),
            };
            let cell = record.measured.cell(&limit.cell);
            let reason = match limit.bounded_by {
                BoundedBy::Unreachable => Some(message::label("compare-figures-bound-never-kept")),
                BoundedBy::Unsure => Some(message::label("compare-figures-search-unsure")),
                _ => cell.and_then(|cell| reason_unusable(record, cell)),
            };
            if let Some(reason) = reason {
                all.exclude(side, record, label, reason);
                continue;
            }
            let run = RunFigure { value: limit.iops.value, interval: limit.iops.interval() };
            let blank = CellSample {
                key: None,
                label,
                workload: curve.label.clone(),
                depth: limit.depth.0,
                figures: Vec::new(),
            };
            let figure = Figure { kind: FigureKind::Iops, direction: None };
            add_run_figures(&mut all.limits, blank, vec![(figure, run)]);
        }
    }
}

/// `None` where they have no figure in common.
pub(super) fn compare_samples(
    a: &CellSample,
    b: &CellSample,
    b_label: &str,
    prices: Option<(f64, f64)>,
    terms: &ComparisonCriteria,
) -> Option<CellComparison> {
    let figures: Vec<FigureComparison> = a
        .figures
        .iter()
        .filter_map(|(figure, of_a)| {
            let (_, of_b) = b.figures.iter().find(|(other, _)| other == figure)?;
            let effect = effect::measure_effect(of_a, of_b, figure, b_label, terms);
            let (mine, theirs) = (mean_over_runs(of_a), mean_over_runs(of_b));
            let per_price = prices
                .filter(|_| figure.more_is_better())
                .map(|prices| compare_per_price(&mine, &theirs, &effect.ratio, prices));
            Some(FigureComparison {
                figure: figure.clone(),
                a: mine,
                b: theirs,
                a_runs: of_a.iter().map(|run| run.value).collect(),
                b_runs: of_b.iter().map(|run| run.value).collect(),
                effect,
                per_price,
            })
        })
        .collect();
    (!figures.is_empty()).then(|| CellComparison {
        label: a.label.clone(),
        workload: a.workload.clone(),
        depth: a.depth,
        figures,
        holds_in_family: false,
    })
}

/// The geometric mean of the runs, with Student's interval of the logarithms; of one run, its own.
fn mean_over_runs(runs: &[RunFigure]) -> Estimate {
    if let [one] = runs {
        let bare = Estimate::without_interval(one.value, 1, label("no-interval-one-run"));
        return match one.interval {
            Some((low, high)) => Estimate {
                low: Some(low),
                high: Some(high),
                method: Message::from_text("within one run, 95 %"),
                ..bare
            },
            None => bare,
        };
    }
    stats::geometric_mean_of_few(&Vec::from_iter(runs.iter().map(|run| run.value)))
}

fn compare_per_price(a: &Estimate, b: &Estimate, ratio: &Estimate, prices: (f64, f64)) -> PerPrice {
    PerPrice {
        a: a.clone().map(|value| value * (1.0 / prices.0)),
        b: b.clone().map(|value| value * (1.0 / prices.1)),
        ratio: ratio.clone().map(|value| value * (prices.0 / prices.1)),
    }
}

messages! {
    LimitLabel = "compare-figures-limit-label" { workload: Message, bound: String };
    OpenLimitLabel = "compare-figures-open-limit-label" { workload: Message, bound: String };
}
