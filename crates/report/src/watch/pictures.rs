//! The pictures of a watch: latency over time, and the rate below.

use message::{Language, Render as _};
use record::{WatchPoint, WatchPointFigures, Watched, WatchedDisk};
use units::Nanos;

use super::{
    LatencyCaption, LatencyTitle, RateCaption, RateTitle, SeriesFlush, SeriesRead, SeriesWrite,
};
use crate::chart::{Axis, Chart, Colour, Dash, Look, NumberFormat, Plot, Series};
use crate::html::shared::{GappedLine, id_of};
use crate::words::say;

/// The picture of rates is read beside that of latencies.
const RATE_HEIGHT: f64 = 130.0;
const LATENCY_HEIGHT: f64 = 260.0;
/// Fewer points are no course.
const POINTS_MIN: usize = 3;

#[derive(Clone, Copy)]
struct Kind {
    colour: usize,
    of: fn(&WatchPoint) -> Option<&WatchPointFigures>,
    name: fn(String, Language) -> String,
    label: &'static str,
}

const KINDS: [Kind; 3] = [
    Kind {
        colour: 0,
        of: |point| point.read.as_ref(),
        name: |statistic, language| SeriesRead { statistic }.render(language),
        label: "unit-reads",
    },
    Kind {
        colour: 1,
        of: |point| point.write.as_ref(),
        name: |statistic, language| SeriesWrite { statistic }.render(language),
        label: "unit-writes",
    },
    Kind {
        colour: 2,
        of: |point| point.flush.as_ref(),
        name: |statistic, language| SeriesFlush { statistic }.render(language),
        label: "watch-unit-flushes",
    },
];

/// Those of the disk that matters most.
pub(crate) fn draw_watch_pictures(watch: &Watched, language: Language) -> Vec<Chart> {
    let Some(disk) = watch.disks.iter().find(|disk| disk.series.len() >= POINTS_MIN) else {
        return Vec::new();
    };
    draw_latency(disk, language).into_iter().chain(draw_rate(disk, language)).collect()
}

/// Seconds since the beginning, at the middle of each point.
fn place_points(disk: &WatchedDisk) -> Vec<(f64, &WatchPoint)> {
    let mut begun = Nanos::ZERO;
    let mut points = Vec::new();
    for point in &disk.series {
        points.push((begun.as_secs_f64() + point.length.as_secs_f64() / 2.0, point));
        begun = Nanos(begun.0 + point.length.0);
    }
    points
}

fn point_length(disk: &WatchedDisk) -> Nanos {
    disk.series.iter().map(|point| point.length).max().unwrap_or_default()
}

/// Median and 99th percentile of each direction; their means where the source has no more.
fn draw_latency(disk: &WatchedDisk, language: Language) -> Option<Chart> {
    type Statistic = (&'static str, Dash, fn(&WatchPointFigures) -> Option<Nanos>);
    let percentiles: [Statistic; 2] =
        [("p99", Dash::Solid, |of| of.p99), ("p50", Dash::Dotted, |of| of.p50)];
    let mean: Statistic = ("mean", Dash::Solid, |of| of.mean);
    let points = place_points(disk);
    let y = Axis::log(say("axis-latency", language), NumberFormat::Nanos);
    let mut plot = Plot::new(Axis::linear(say("axis-seconds", language), NumberFormat::Count), y);
    plot.set_height(LATENCY_HEIGHT);
    for kind in KINDS {
        let line = |get: fn(&WatchPointFigures) -> Option<Nanos>| -> GappedLine {
            let value = |point| Some((kind.of)(point).and_then(get)?.0 as f64);
            points.iter().map(|(at, point)| (*at, value(point))).collect()
        };
        let is_known = |line: &GappedLine| line.iter().any(|point| point.1.is_some());
        let has_percentile = percentiles.iter().any(|(_, _, get)| is_known(&line(*get)));
        let shown: &[Statistic] = if has_percentile { &percentiles } else { &[mean] };
        for (name, dash, get) in shown {
            let line = line(*get);
            if is_known(&line) {
                let statistic = match *name {
                    "mean" => say("head-mean", language),
                    name => name.to_owned(),
                };
                let look = look(kind, *dash);
                let name = (kind.name)(statistic, language);
                plot.add(Series::line_with_gaps(name, look, line));
            }
        }
    }
    if plot.is_empty() {
        return None;
    }
    let id = format!("watch-latency-{}", id_of(&disk.name));
    let title = LatencyTitle { disk: disk.name.clone() }.render(language);
    let caption = LatencyCaption { time: point_length(disk) }.render(language);
    Some(Chart::new((id, title), caption, plot).wide())
}

fn draw_rate(disk: &WatchedDisk, language: Language) -> Option<Chart> {
    let points = place_points(disk);
    let y = Axis::linear(say("axis-operations", language), NumberFormat::Count);
    let x = Axis::linear(say("axis-seconds", language), NumberFormat::Count);
    let mut plot = Plot::new(x, y.starting_at_zero());
    plot.set_height(RATE_HEIGHT);
    for kind in KINDS {
        if points.iter().all(|(_, point)| (kind.of)(point).is_none()) {
            continue;
        }
        let rate = |point: &WatchPoint| {
            (kind.of)(point).map_or(0.0, |figures| figures.rate(point.length).0)
        };
        let line: GappedLine = points.iter().map(|(at, point)| (*at, Some(rate(point)))).collect();
        let name = say(kind.label, language);
        plot.add(Series::line_with_gaps(name, look(kind, Dash::Solid), line));
    }
    if plot.is_empty() {
        return None;
    }
    let id = format!("watch-rate-{}", id_of(&disk.name));
    let title = RateTitle { disk: disk.name.clone() }.render(language);
    let caption = RateCaption { time: point_length(disk) }.render(language);
    Some(Chart::new((id, title), caption, plot).wide())
}

fn look(kind: Kind, dash: Dash) -> Look {
    Look::series(kind.colour).colour(Colour::Series(kind.colour)).dash(dash).width(1.4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peak_of_one_point_is_not_averaged_with_its_neighbour() {
        let draw = |p99_ns: fn(u64) -> u64| {
            let mut watch = record::fixture::watch_record().measured.watch.unwrap();
            let first = watch.disks[0].series[0].clone();
            let point = |at: u64| {
                let read = first.read.clone().unwrap();
                let read = WatchPointFigures { p99: Some(Nanos(p99_ns(at))), ..read };
                WatchPoint { read: Some(read), ..first.clone() }
            };
            watch.disks[0].series = (0..600).map(point).collect();
            draw_watch_pictures(&watch, Language::English)[0].inline(Language::English)
        };
        let peak = draw(|at| if at == 300 { 1_000_000_000 } else { 1_000_000 });
        let hill = draw(|at| if at / 2 == 150 { 500_500_000 } else { 1_000_000 });
        assert_ne!(peak, hill);
    }
}
