//! The charts of a sweep: heat maps, lines over block size and over depth, reads beside writes.

use plotly::common::{ColorScale, ColorScalePalette, Font, Line, Marker, Mode};
use plotly::layout::{Annotation, Axis, AxisType, Layout};
use plotly::{HeatMap, Plot};
use record::{Curve, CurvePoint, Interference, Record, TwoLimits};
use units::Iops;

use super::plot::{
    Chart, Point, build_points_trace, dashed_line, depth_axis, id_of, set_axes, titled_axis,
    trace_of,
};
use crate::sweep::{collect_depths, format_kib, group_by_workload, point_at, workload_limits};
use crate::words::{is_invalid, megabytes};

const LAW_STEPS: u32 = 60;
/// A law is drawn where no cell is further from it than by this factor.
const LAW_FACTOR_MAX: f64 = 1.5;
/// Below this share of the most, the palette is dark and its writing white.
const DARK_SHARE_MAX: f64 = 0.55;
/// The colours of lines, so that a law has that of its depth.
const LINE_COLOURS: [&str; 8] =
    ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#e377c2"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RateUnit {
    Operations,
    Bytes,
}

impl RateUnit {
    const fn name(self) -> &'static str {
        match self {
            Self::Operations => "IOPS",
            Self::Bytes => "MB/s",
        }
    }

    const fn id(self) -> &'static str {
        match self {
            Self::Operations => "iops",
            Self::Bytes => "rate",
        }
    }

    fn convert(self, iops: f64, block_size: f64) -> f64 {
        match self {
            Self::Operations => iops,
            Self::Bytes => iops * block_size / 1e6,
        }
    }

    fn value_at(self, curve: &Curve, point: &CurvePoint) -> f64 {
        self.convert(point.iops, curve.block_size.0 as f64)
    }

    fn format_value(self, value: f64) -> String {
        match self {
            Self::Operations => Iops(value).to_string(),
            Self::Bytes => megabytes(value * 1e6),
        }
    }
}

pub(super) fn draw_sweep_charts(record: &Record) -> Vec<Chart> {
    let mut charts = Vec::new();
    for (name, curves) in group_by_workload(record) {
        let depths = collect_depths(&curves);
        for of in [RateUnit::Operations, RateUnit::Bytes] {
            if curves.len() * depths.len() > 1 {
                charts.push(draw_heat_map(record, &name, &curves, &depths, of));
            }
        }
        for of in [RateUnit::Operations, RateUnit::Bytes] {
            if curves.len() > 1 {
                charts.push(draw_over_block_size(record, &name, &curves, &depths, of));
            }
        }
        if depths.len() > 1 {
            charts.push(draw_over_depth(&name, &curves, &depths));
        }
    }
    charts.extend(record.judgement_or_default().interference.as_ref().map(draw_interference));
    charts
}

fn chart_id(what: &str, name: &str) -> String {
    format!("{what}-{}", id_of(name))
}

fn draw_heat_map(
    record: &Record,
    name: &str,
    curves: &[&Curve],
    depths: &[u32],
    of: RateUnit,
) -> Chart {
    let x: Vec<String> = depths.iter().map(|depth| format!("depth {depth}")).collect();
    let y: Vec<String> = curves.iter().map(|curve| curve.block_size.to_compact()).collect();
    let row = |curve: &&Curve| -> Vec<Option<f64>> {
        let value = |&depth: &u32| Some(of.value_at(curve, point_at(curve, depth)?));
        depths.iter().map(value).collect()
    };
    let z: Vec<Vec<Option<f64>>> = curves.iter().map(row).collect();
    let most = z.iter().flatten().flatten().copied().fold(f64::MIN_POSITIVE, f64::max);
    let mut layout = Layout::new()
        .x_axis(category_axis("operations outstanding"))
        .y_axis(category_axis("block size"));
    for (curve, row) in curves.iter().zip(&z) {
        for (&depth, value) in depths.iter().zip(row) {
            let Some(value) = value else { continue };
            let invalid = point_at(curve, depth)
                .is_some_and(|p| p.cells.iter().any(|cell| is_invalid(record, cell)));
            let sign = if invalid { " X" } else { "" };
            let colour = if value / most < DARK_SHARE_MAX { "white" } else { "black" };
            let note = Annotation::new()
                .x(format!("depth {depth}"))
                .y(curve.block_size.to_compact())
                .text(format!("{}{sign}", of.format_value(*value)))
                .show_arrow(false)
                .font(Font::new().color(colour).size(12));
            layout.add_annotation(note);
        }
    }
    let mut plot = Plot::new();
    let map = HeatMap::new(x, y, z)
        .color_scale(ColorScale::Palette(ColorScalePalette::Viridis))
        .zmin(0.0)
        .name(of.name());
    plot.add_trace(map);
    plot.set_layout(layout);
    let what = if of == RateUnit::Operations { "operations" } else { "megabytes" };
    let caption = format!("The brighter, the more {what} a second. X: not the disk's number.");
    let title = format!("{name}: {} by block size and depth", of.name());
    Chart::new((chart_id(&format!("heat-{}", of.id()), name), title), caption, &plot)
}

fn category_axis(title: &str) -> Axis {
    titled_axis(title, false).type_(AxisType::Category)
}

/// A line per depth over block size, with the law of the two limits.
fn draw_over_block_size(
    record: &Record,
    name: &str,
    curves: &[&Curve],
    depths: &[u32],
    of: RateUnit,
) -> Chart {
    let mut plot = Plot::new();
    let mut shown = Vec::new();
    let laws = workload_limits(record, name);
    let size = |curve: &Curve| curve.block_size.0 as f64 / 1024.0;
    for (place, &depth) in depths.iter().enumerate() {
        let colour = LINE_COLOURS[place % LINE_COLOURS.len()];
        let known = || curves.iter().filter_map(|curve| Some((curve, point_at(curve, depth)?)));
        let points: Vec<(f64, f64)> =
            known().map(|(curve, point)| (size(curve), of.value_at(curve, point))).collect();
        let passes_by = |law: &TwoLimits| {
            known().all(|(curve, point)| {
                let law = law.iops_at(curve.block_size.0 as f64);
                law.is_some_and(|law| {
                    (1.0 / LAW_FACTOR_MAX..=LAW_FACTOR_MAX).contains(&(law / point.iops))
                })
            })
        };
        let law = laws.iter().find(|law| law.depth.0 == depth && passes_by(law));
        let mode = if law.is_some() { Mode::Markers } else { Mode::LinesMarkers };
        let (Some(&(from, _)), Some(&(to, _))) = (points.first(), points.last()) else { continue };
        let measured = trace_of(points, mode, format!("depth {depth}"))
            .marker(Marker::new().size(8).color(colour));
        plot.add_trace(measured.line(Line::new().color(colour)));
        let Some(law) = law else { continue };
        shown.push(depth);
        let step = |i: u32| from * (to / from).powf(f64::from(i) / f64::from(LAW_STEPS));
        let line = (0..=LAW_STEPS).filter_map(|i| {
            let bytes = step(i) * 1024.0;
            Some((step(i), of.convert(law.iops_at(bytes)?, bytes)))
        });
        let line = trace_of(line, Mode::Lines, format!("law, depth {depth}")).show_legend(false);
        plot.add_trace(line.line(dashed_line(1.5).color(colour)));
    }
    let ticks: Vec<f64> = curves.iter().map(|curve| size(curve)).collect();
    let words: Vec<String> = curves.iter().map(|curve| curve.block_size.to_compact()).collect();
    let x = titled_axis("block size", true).tick_values(ticks).tick_text(words);
    set_axes(&mut plot, x, titled_axis(of.name(), of == RateUnit::Operations));
    let drawn = laws.iter().filter(|law| shown.contains(&law.depth.0));
    let meet = drawn.rev().find_map(|law| Some((law.depth, law.crossover?)));
    let meet = meet.map(|(depth, size)| {
        format!(" At depth {depth} the two limits meet near {}.", format_kib(size))
    });
    let caption = format!(
        "Points are measured; dashed is the law of two limits, a limit of operations and one of \
         bytes a second, where it passes by every point.{}",
        meet.unwrap_or_default()
    );
    let title = format!("{name}: {} over block size", of.name());
    Chart::new((chart_id(&format!("size-{}", of.id()), name), title), caption, &plot)
}

fn draw_over_depth(name: &str, curves: &[&Curve], depths: &[u32]) -> Chart {
    let mut plot = Plot::new();
    for curve in curves {
        let points = curve.points.iter().map(|point| (f64::from(point.depth.0), point.iops));
        plot.add_trace(trace_of(points, Mode::LinesMarkers, curve.block_size.to_compact()));
    }
    let ticks = depths.iter().map(|&depth| f64::from(depth)).collect();
    set_axes(&mut plot, depth_axis(ticks), titled_axis("operations per second", true));
    let caption = "A line per block size. Where it turns flat, more depth only adds latency.";
    let title = format!("{name}: IOPS over depth");
    Chart::new((chart_id("depth", name), title), caption, &plot)
}

fn draw_interference(found: &Interference) -> Chart {
    let mut plot = Plot::new();
    for name in ["p50", "p99"] {
        let points = found.points.iter().filter_map(|point| {
            let words = format!("{:.0} % of the most writes", 100.0 * point.share);
            Some((point.writes.0, *point.latency_ns.get(name)? as f64 / 1e6, words))
        });
        let points: Vec<Point> = points.collect();
        let line = build_points_trace(&points, Mode::LinesMarkers, format!("{name} of reads"));
        plot.add_trace(line.marker(Marker::new().size(8)));
    }
    let x = titled_axis("random writes per second beside them", false);
    set_axes(&mut plot, x, titled_axis("latency of reads, ms", true));
    let caption = format!(
        "{}. The first point is the reads alone; the last, all the {} writes a second that the \
         target takes alone, as far as they were done.",
        found.label, found.writes_most
    );
    Chart::new(("interference", "Reads beside writes"), caption, &plot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::tests::record;

    #[test]
    fn a_matrix_has_maps_and_lines_with_ids_of_their_own() {
        let charts = draw_sweep_charts(&record(&[1, 4, 16, 64]));
        let mut ids: Vec<&str> = charts.iter().map(|chart| chart.id.as_str()).collect();
        assert_eq!(ids.len(), 5);
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 5, "{ids:?}");
        let over_size = charts.iter().find(|chart| chart.id == "size-iops-random-read").unwrap();
        assert!(over_size.json.contains("\"dash\":\"dash\""), "the law is drawn");
        assert!(over_size.caption.contains("At depth 64 the two limits meet near 16 KiB"));
    }

    #[test]
    fn one_cell_makes_no_chart() {
        let mut record = record(&[1]);
        record.measured.cells.truncate(1);
        record.judgement = Some(analysis::judge(&record.measured));
        assert!(draw_sweep_charts(&record).is_empty());
    }
}
