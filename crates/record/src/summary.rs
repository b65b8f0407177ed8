//! What a list of runs shows of each, and the figures that are followed over time.

use std::str::FromStr;

use jiff::Timestamp;
use message::{Message, messages};
use serde::{Deserialize, Serialize};
use stats::Estimate;
use units::JsonSchema;
use units::{Iops, Nanos};
use workload::{Access, Mix};

use crate::cell::{Cell, CellRole};
use crate::curve::{Curve, CurvePoint, Limit};
use crate::latency::LatencySummary;
use crate::run::Record;
use crate::tool::Completion;
use crate::verdict::Trust;
use crate::watch::Watched;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunSummary {
    pub id: String,
    #[schemars(with = "String")]
    pub started: Timestamp,
    #[schemars(with = "String")]
    pub finished: Timestamp,
    /// Name of the host; `8 hosts` of a run over many; absent where it was not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// What was measured: a path.
    pub target: String,
    /// Kernel name of the topmost device under it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// One of [`crate::COMMANDS`].
    pub command: String,
    /// What measured it: `truedisk 0.1.0`.
    pub tool: String,
    pub complete: bool,
    /// How far its numbers can be trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<Trust>,
    /// The verdict in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub headline: Option<Message>,
    /// Names that it was given, ascending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

impl RunSummary {
    /// The summary of a judged record; it has no tags yet.
    pub fn from_record(record: &Record) -> Self {
        let measured = &record.measured;
        let verdict = record.judgement_or_default().verdict.as_ref();
        let device = measured.target().and_then(|target| target.top_device());
        Self {
            id: measured.id.clone(),
            started: measured.started,
            finished: measured.finished,
            host: measured.host(),
            target: measured.target_path(),
            device: device.map(|layer| layer.name.clone()),
            command: measured.command_name().to_owned(),
            tool: format!("{} {}", measured.tool.name, measured.tool.version),
            complete: measured.completion == Completion::Complete,
            trust: verdict.map(|verdict| verdict.trust),
            headline: verdict
                .map(|verdict| verdict.headline.clone())
                .or_else(|| first_figures(record)),
            tags: Vec::new(),
        }
    }
}

/// The first figures of a run of fio's, which say what it gave.
pub fn first_figures(record: &Record) -> Option<Message> {
    let figures = Figures::from_record(record).into_iter().next()?;
    let iops = Iops(figures.get(Metric::Iops)?.value);
    let mean = figures.get(Metric::Mean).map(|mean| Nanos(mean.value.max(0.0).round() as u64));
    Some(mean.map_or_else(|| iops.into(), |mean| RateAndMean { iops, mean }.into()))
}

messages! {
    RateAndMean = "run-rate-and-mean" { iops: Iops, mean: Nanos };
}

/// What can be followed over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    Iops,
    BytesPerSecond,
    Mean,
    P50,
    P99,
    P999,
    /// Of a watch: the rate as a share of the most that the disk gave within a bound.
    Used,
}

impl Metric {
    pub const ALL: [Self; 7] = [
        Self::Iops,
        Self::BytesPerSecond,
        Self::Mean,
        Self::P50,
        Self::P99,
        Self::P999,
        Self::Used,
    ];

    /// As it is asked for and shown.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Iops => "iops",
            Self::BytesPerSecond => "mbps",
            Self::Mean => "mean",
            Self::P50 => "p50",
            Self::P99 => "p99",
            Self::P999 => "p99.9",
            Self::Used => "used",
        }
    }

    /// Whether more of it is better: rates, and not latencies.
    pub const fn more_is_better(self) -> bool {
        matches!(self, Self::Iops | Self::BytesPerSecond)
    }
}

impl FromStr for Metric {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|metric| metric.name() == word).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|metric| metric.name()).collect();
            format!("unknown metric '{word}'; use {}", known.join(", "))
        })
    }
}

/// A figure, and its 95 % interval where it has one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Figure {
    /// The figure: per second, nanoseconds, or a share.
    pub value: f64,
    /// Both ends of the interval, the lower first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub between: Option<(f64, f64)>,
}

impl Figure {
    fn new(value: f64, estimate: Option<&Estimate>) -> Self {
        Self { value, between: estimate.and_then(Estimate::interval) }
    }
}

/// The figures of one direction of one cell, or of one limit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Figures {
    /// Name of the cell; of a limit: `limit of randread-4k within p99<10ms`; of a watch that of the
    /// disk.
    pub cell: String,
    /// `read`, `write`, `sync`, `trim`; of a limit, and of all requests of a watched disk, `all`.
    pub direction: String,
    /// Whether a check found that they must not be used.
    pub invalid: bool,
    /// In the order of [`Metric::ALL`]; absent where it was not measured, or the sample does not
    /// support it.
    pub metrics: [Option<Figure>; Metric::ALL.len()],
}

impl Figures {
    pub fn get(&self, metric: Metric) -> Option<Figure> {
        let place = Metric::ALL.iter().position(|known| *known == metric)?;
        self.metrics[place]
    }

    /// All figures of a judged record: first its limits, then its cells in their order. Trials,
    /// and probes that were disturbed, are none.
    pub fn from_record(record: &Record) -> Vec<Self> {
        let pooled = list_pooled_points(record);
        let counts = |cell: &&Cell| {
            let hidden = matches!(cell.role, CellRole::Trial | CellRole::Disturbed);
            !hidden && !pooled.iter().any(|of| of.visits.contains(&&cell.name))
        };
        let cells = record.measured.cells.iter().filter(counts);
        limit_figures(record)
            .into_iter()
            .chain(pooled.iter().filter_map(|point| pooled_figures(record, point)))
            .chain(cells.flat_map(|cell| cell_figures(record, cell)))
            .chain(record.measured.watch.iter().flat_map(|watch| watch_figures(watch)))
            .collect()
    }
}

/// Of each disk that did something: all of it, then each direction.
fn watch_figures(watch: &Watched) -> Vec<Figures> {
    let figure = |value: f64| Figure::new(value, None);
    let latency = |value: Option<Nanos>| value.map(|ns| figure(ns.0 as f64));
    let mut all = Vec::new();
    for disk in watch.disks.iter().filter(|disk| disk.is_active()) {
        let of_disk = |direction: &str, metrics| Figures {
            cell: disk.name.clone(),
            direction: direction.to_owned(),
            invalid: false,
            metrics,
        };
        let bytes = disk.rate_of(&disk.read).1.0 + disk.rate_of(&disk.write).1.0;
        let used = disk.used.as_ref().map(|used| figure(used.share().0));
        let rates = [Some(figure(disk.iops().0)), Some(figure(bytes))];
        all.push(of_disk("all", [rates[0], rates[1], None, None, None, None, used]));
        for (direction, of) in disk.directions().filter(|(_, of)| of.operations > 0) {
            let (iops, rate) = disk.rate_of(of);
            let metrics = [
                Some(figure(iops.0)),
                (of.bytes > 0).then(|| figure(rate.0)),
                of.mean_ns.map(figure),
                latency(of.percentile("p50")),
                latency(of.percentile("p99")),
                latency(of.percentile("p99.9")),
                None,
            ];
            all.push(of_disk(direction.name(), metrics));
        }
    }
    all
}

fn limit_figures(record: &Record) -> Vec<Figures> {
    let mut all = Vec::new();
    let judgement = record.judgement_or_default();
    for curve in &judgement.curves {
        for limit in &curve.limits {
            let iops = Figure::new(limit.iops.value, Some(&limit.iops));
            let cell = limit_name(curve, limit);
            // The same bound asked twice is one figure.
            if all.iter().any(|known: &Figures| known.cell == cell) {
                continue;
            }
            all.push(Figures {
                cell,
                direction: "all".to_owned(),
                invalid: judgement.is_invalid(&limit.cell),
                metrics: [Some(iops), None, None, None, None, None, None],
            });
        }
    }
    all
}

/// What the figure of a limit is called in the history.
pub fn limit_name(curve: &Curve, limit: &Limit) -> String {
    let loop_words = if curve.open_loop { " (open loop)" } else { "" };
    format!("limit of {}{loop_words} within {}", curve.name, limit.bound)
}

/// A load of one direction that was visited more than once, or that streams.
struct PooledPoint<'a> {
    curve: &'a Curve,
    point: &'a CurvePoint,
    /// Of a stream also those that do not count.
    visits: Vec<&'a String>,
}

fn list_pooled_points(record: &Record) -> Vec<PooledPoint<'_>> {
    let mut all = Vec::new();
    for curve in &record.judgement_or_default().curves {
        let cell = curve.points.first().and_then(|p| record.measured.cell(p.newest_cell()));
        let is_main = cell.is_some_and(|cell| cell.role == CellRole::Main);
        if curve.access == Access::Sequential && is_main {
            let visits = curve.all_points().into_iter().flat_map(|point| &point.cells).collect();
            all.extend(curve.points.first().map(|point| PooledPoint { curve, point, visits }));
        } else if !matches!(curve.mix, Mix::Mixed { .. }) && !curve.open_loop {
            let several = curve.points.iter().filter(|point| point.cells.len() > 1);
            let pooled = |point| PooledPoint { curve, point, visits: Vec::from_iter(&point.cells) };
            all.extend(several.map(pooled));
        }
    }
    all
}

/// Of all visits that count, under the name of the first.
fn pooled_figures(record: &Record, pooled: &PooledPoint<'_>) -> Option<Figures> {
    let PooledPoint { curve, point, visits } = pooled;
    let first = visits.iter().min_by_key(|name| name.len())?;
    let (direction, latency) = point.latency_ns.iter().next()?;
    let rate = |value: f64| Figure {
        value,
        between: point.precision.map(|half| (value * (1.0 - half), value * (1.0 + half))),
    };
    let latency = |name: &str| latency.get(name).map(|&ns| Figure::new(ns as f64, None));
    Some(Figures {
        cell: (*first).clone(),
        direction: direction.name().to_owned(),
        invalid: point.cells.iter().any(|name| record.judgement_or_default().is_invalid(name)),
        metrics: [
            Some(rate(point.iops)),
            Some(rate(point.iops * curve.block_size.0 as f64)),
            latency("mean"),
            latency("p50"),
            latency("p99"),
            latency("p99.9"),
            None,
        ],
    })
}

fn cell_figures(record: &Record, cell: &Cell) -> Vec<Figures> {
    let invalid = record.judgement_or_default().is_invalid(&cell.name);
    let figures = cell.totals.iter().map(|(direction, totals)| {
        let confidence = &cell.confidence;
        let latency: &LatencySummary = totals.response_ns.as_deref().unwrap_or(&totals.latency_ns);
        // The intervals are those of total latency: an open loop's response times have none.
        let service = totals.response_ns.is_none();
        let percentile = |name: &str| {
            let known = confidence.percentiles_ns.get(direction).filter(|_| service);
            let value = *latency.percentiles.get(name)? as f64;
            Some(Figure::new(value, known.and_then(|all| all.get(name))))
        };
        let mean = confidence.mean_latency_ns.get(direction).filter(|_| service);
        // A sync moves no bytes.
        let moves = totals.bytes > 0;
        Figures {
            cell: cell.name.clone(),
            direction: direction.name().to_owned(),
            invalid,
            metrics: [
                Some(Figure::new(totals.iops, confidence.iops.get(direction))),
                moves.then(|| Figure::new(totals.bytes_per_second, None)),
                (!latency.is_absent()).then(|| Figure::new(latency.mean, mean)),
                percentile("p50"),
                percentile("p99"),
                percentile("p99.9"),
                None,
            ],
        }
    });
    figures.collect()
}
