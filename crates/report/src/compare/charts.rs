//! The charts of a comparison: ratios with their intervals, and the curves of both sides.

use plotly::common::{DashType, ErrorData, ErrorType, Line, MarkerSymbol, Mode};
use plotly::{Plot, Scatter};
use record::compare::{CellComparison, Figure, FigureComparison, FigureKind, Pair};
use stats::Estimate;

use crate::html::plot::{
    Chart, Point, build_points_trace, depth_axis, id_of, marker_of, set_axes, titled_axis, trace_of,
};

pub(super) fn draw_charts(pair: &Pair, names: (&str, &str)) -> Vec<Chart> {
    let mut all = vec![draw_ratios(pair, names)];
    for workload in list_workloads(pair) {
        all.push(draw_over_depth(pair, &workload, names));
        all.extend(draw_latency(pair, &workload, names));
    }
    all
}

fn chart_id(what: &str, pair: &Pair, name: &str) -> String {
    format!("{what}-{}-{}", pair.b, id_of(name))
}

/// What an interval adds above and below its figure; nothing without one.
fn error_bars<'a>(estimates: impl Iterator<Item = &'a Estimate>) -> ErrorData {
    let (mut above, mut below) = (Vec::new(), Vec::new());
    for estimate in estimates {
        let (low, high) = estimate.interval().unwrap_or((estimate.value, estimate.value));
        above.push(high - estimate.value);
        below.push(estimate.value - low);
    }
    ErrorData::new(ErrorType::Data).array(above).array_minus(below).symmetric(false)
}

fn draw_ratios(pair: &Pair, (a, b): (&str, &str)) -> Chart {
    let cells = pair.cells.iter().chain(&pair.limits);
    let mains: Vec<(&CellComparison, &FigureComparison)> =
        cells.filter_map(|cell| Some((cell, cell.main_figure()?))).collect();
    let name = |(cell, main): &(&CellComparison, &FigureComparison)| match main.figure.kind {
        FigureKind::Iops => cell.label.clone(),
        _ => format!("{}, {}", cell.label, main.figure.label()).into(),
    };
    // The first on top: the axis grows upwards.
    let shown: Vec<_> = mains.iter().rev().collect();
    let x: Vec<f64> = shown.iter().map(|(_, main)| main.effect.ratio.value).collect();
    let y: Vec<String> = shown.iter().map(|cell| name(cell).to_string()).collect();
    let mut plot = Plot::new();
    let one: Vec<f64> = y.iter().map(|_| 1.0).collect();
    let even = Scatter::new(one, y.clone()).mode(Mode::Lines).name("no difference");
    plot.add_trace(even.line(Line::new().dash(DashType::Dash)));
    let ratios = Scatter::new(x, y)
        .mode(Mode::Markers)
        .name(format!("{b} over {a}, 95 %"))
        .marker(marker_of(10, MarkerSymbol::Diamond));
    let bars = error_bars(shown.iter().map(|(_, main)| &main.effect.ratio));
    plot.add_trace(ratios.error_x(bars));
    set_axes(&mut plot, titled_axis(&format!("{b} over {a}"), true), titled_axis("", false));
    let caption = format!(
        "Each diamond is the ratio of a cell, its line the 95 % interval; without a line there is \
         none. Right of 1, {b} gives more."
    );
    let title = format!("{b} over {a}, cell by cell");
    let made = Chart::new((chart_id("ratios", pair, ""), title), caption, &plot);
    Chart { wide: true, height: 150 + 34 * mains.len(), ..made }
}

/// Workloads of which more than one depth was measured, in the order of the cells.
fn list_workloads(pair: &Pair) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for cell in &pair.cells {
        let depths = workload_cells(pair, &cell.workload).len();
        if depths > 1 && !all.iter().any(|known| cell.workload == **known) {
            all.push(cell.workload.clone().text().to_owned());
        }
    }
    all
}

/// Cells of a workload whose verdict is about their operations, by depth.
fn workload_cells<'a>(pair: &'a Pair, workload: &str) -> Vec<&'a CellComparison> {
    let closed = |cell: &&CellComparison| {
        cell.main_figure().is_some_and(|main| main.figure.kind == FigureKind::Iops)
    };
    let mut cells: Vec<&CellComparison> =
        pair.cells.iter().filter(|cell| cell.workload == workload).filter(closed).collect();
    cells.sort_by_key(|cell| cell.depth);
    cells.dedup_by_key(|cell| cell.depth);
    cells
}

type SideEstimate = fn(&FigureComparison) -> &Estimate;
const SIDES: [(SideEstimate, MarkerSymbol, DashType); 2] = [
    (|figure| &figure.a, MarkerSymbol::Circle, DashType::Solid),
    (|figure| &figure.b, MarkerSymbol::Square, DashType::Dash),
];

fn draw_over_depth(pair: &Pair, workload: &str, (a, b): (&str, &str)) -> Chart {
    let cells = workload_cells(pair, workload);
    let depths: Vec<f64> = cells.iter().map(|cell| f64::from(cell.depth)).collect();
    let mut plot = Plot::new();
    for ((pick, symbol, dash), name) in SIDES.into_iter().zip([a, b]) {
        let of: Vec<&Estimate> =
            cells.iter().filter_map(|cell| cell.main_figure()).map(pick).collect();
        let points = depths.iter().copied().zip(of.iter().map(|estimate| estimate.value));
        let trace = trace_of(points, Mode::LinesMarkers, name)
            .marker(marker_of(8, symbol))
            .line(Line::new().dash(dash));
        plot.add_trace(trace.error_y(error_bars(of.into_iter())));
    }
    set_axes(&mut plot, depth_axis(depths), titled_axis("operations per second", false));
    let caption = "Operations of both sides at the same depths; bars are 95 % intervals.";
    let title = format!("{workload}: IOPS over depth");
    Chart::new((chart_id("depth", pair, workload), title), caption, &plot)
}

/// Latency over operations of both sides: p99, else the mean.
fn draw_latency(pair: &Pair, workload: &str, (a, b): (&str, &str)) -> Option<Chart> {
    let cells = workload_cells(pair, workload);
    let figure = |cell: &CellComparison, name: &str| -> Option<FigureComparison> {
        let kind = FigureKind::Latency(name.to_owned());
        let of = |direction| Figure { kind: kind.clone(), direction };
        let wanted = [of(None), of(Some(workload::Direction::Read))];
        let found = |figure: &&FigureComparison| wanted.contains(&figure.figure);
        cell.figures.iter().find(found).cloned()
    };
    let statistic = ["p99", "mean"]
        .into_iter()
        .find(|name| cells.iter().filter(|cell| figure(cell, name).is_some()).count() > 1)?;
    let mut plot = Plot::new();
    for ((pick, symbol, dash), name) in SIDES.into_iter().zip([a, b]) {
        let point = |cell: &&CellComparison| {
            let latency = figure(cell, statistic)?;
            let words = format!("depth {}", cell.depth);
            Some((pick(cell.main_figure()?).value, pick(&latency).value / 1e6, words))
        };
        let points: Vec<Point> = cells.iter().filter_map(point).collect();
        let trace =
            build_points_trace(&points, Mode::LinesMarkers, name).marker(marker_of(8, symbol));
        plot.add_trace(trace.line(Line::new().dash(dash)));
    }
    let y = titled_axis(&format!("{statistic} of latency, ms"), true);
    set_axes(&mut plot, titled_axis("operations per second", true), y);
    let caption = "Each point is a depth; lower and farther right is better.";
    let title = format!("{workload}: latency over load");
    Some(Chart::new((chart_id("load", pair, workload), title), caption, &plot))
}
