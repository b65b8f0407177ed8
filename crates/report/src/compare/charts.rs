//! The charts of a comparison: ratios with their intervals, and the curves of both sides.

use message::{Language, Message, Render as _, messages};
use record::compare::{CellComparison, Figure, FigureComparison, FigureKind, Pair};
use stats::Estimate;
use units::Ratio;

use super::format_factor;
use crate::chart::{Axis, Chart, Look, NumberFormat, Plot, Point, Series, Symbol};
use crate::html::shared::{StatisticOfLatency, curve_look, depth_axis, id_of, row_plot};
use crate::words::say;

messages! {
    AxisRatio = "compare-axis-ratio" { a: String, b: String };
    RatiosTitle = "compare-ratios" { a: String, b: String };
    RatiosCaption = "compare-ratios-caption" { b: String, margin: Ratio };
    RatioWords = "compare-ratio-words" { cell: String, ratio: String };
    CellFigure = "compare-cell-figure" { cell: Message, figure: Message };
    SidePoint = "compare-side-point" { side: String, depth: u64 };
    OverDepthTitle = "compare-over-depth" { workload: Message };
    OverLoadTitle = "compare-over-load" { workload: Message };
}

/// Height of a row of the ratios.
const ROW: f64 = 26.0;

/// The ratios of all cells, and the curves of both sides.
pub(super) fn draw_charts(
    pair: &Pair,
    names: (&str, &str),
    margin: f64,
    language: Language,
) -> (Chart, Vec<Chart>) {
    let mut curves = Vec::new();
    for workload in list_workloads(pair) {
        curves.push(draw_over_depth(pair, workload, names, language));
        curves.extend(draw_latency(pair, workload, names, language));
    }
    (draw_ratios(pair, names, margin, language), curves)
}

fn chart_id(what: &str, pair: &Pair, name: &str) -> String {
    format!("{what}-{}-{}", pair.b, id_of(name))
}

fn draw_ratios(pair: &Pair, (a, b): (&str, &str), margin: f64, language: Language) -> Chart {
    let cells = pair.cells.iter().chain(&pair.limits);
    let mains: Vec<(&CellComparison, &FigureComparison)> =
        cells.filter_map(|cell| Some((cell, cell.main_figure()?))).collect();
    let name = |cell: &CellComparison, main: &FigureComparison| match main.figure.kind {
        FigureKind::Iops => (&cell.label).render(language),
        _ => {
            let (cell, figure) = (cell.label.clone(), main.figure.label());
            CellFigure { cell, figure }.render(language)
        }
    };
    let x = Axis::log(
        AxisRatio { a: a.to_owned(), b: b.to_owned() }.render(language),
        NumberFormat::Count,
    );
    let names = mains.iter().map(|(cell, main)| name(cell, main)).collect();
    let (mut plot, height) = row_plot(x, names, ROW);
    plot.shade_band(1.0 / (1.0 + margin), 1.0, 1.0 + margin);
    let points = mains.iter().enumerate().map(|(place, (cell, main))| {
        let ratio = &main.effect.ratio;
        let factor = language.punctuate(&format_factor(ratio.value));
        let words = RatioWords { cell: name(cell, main), ratio: factor }.render(language);
        Point {
            x_between: ratio.positive_interval(),
            ..Point::new(ratio.value, height(place), words)
        }
    });
    let look = Look::series(0).symbol(Symbol::Diamond).size(5.0);
    plot.add(Series::points("", look, points.collect()));
    let (a, b) = (a.to_owned(), b.to_owned());
    let caption = RatiosCaption { b: b.clone(), margin: Ratio(margin) }.render(language);
    let title = RatiosTitle { a, b }.render(language);
    Chart::new((chart_id("ratios", pair, ""), title), caption, plot).wide()
}

/// Workloads of which more than one depth was measured, in the order of the cells.
fn list_workloads(pair: &Pair) -> Vec<&Message> {
    let mut all: Vec<&Message> = Vec::new();
    for cell in &pair.cells {
        let depths = workload_cells(pair, &cell.workload).len();
        if depths > 1 && !all.contains(&&cell.workload) {
            all.push(&cell.workload);
        }
    }
    all
}

/// Cells of a workload whose verdict is about their operations, by depth.
fn workload_cells<'a>(pair: &'a Pair, workload: &Message) -> Vec<&'a CellComparison> {
    let closed = |cell: &&CellComparison| {
        cell.main_figure().is_some_and(|main| main.figure.kind == FigureKind::Iops)
    };
    let mut cells: Vec<&CellComparison> =
        pair.cells.iter().filter(|cell| cell.workload == *workload).filter(closed).collect();
    cells.sort_by_key(|cell| cell.depth);
    cells.dedup_by_key(|cell| cell.depth);
    cells
}

type SideEstimate = fn(&FigureComparison) -> &Estimate;
const SIDES: [SideEstimate; 2] = [|figure| &figure.a, |figure| &figure.b];

fn side_point(side: &str, cell: &CellComparison, language: Language) -> String {
    SidePoint { side: side.to_owned(), depth: u64::from(cell.depth) }.render(language)
}

fn draw_over_depth(
    pair: &Pair,
    workload: &Message,
    (a, b): (&str, &str),
    language: Language,
) -> Chart {
    let cells = workload_cells(pair, workload);
    let depths = cells.iter().map(|cell| f64::from(cell.depth));
    let x = depth_axis(say("axis-depth", language), depths);
    let y = Axis::linear(say("axis-operations", language), NumberFormat::Count).starting_at_zero();
    let mut plot = Plot::new(x, y);
    for (place, (pick, name)) in SIDES.into_iter().zip([a, b]).enumerate() {
        let point = |cell: &&CellComparison| {
            let of = pick(cell.main_figure()?);
            let words = side_point(name, cell, language);
            let (x, y_between) = (f64::from(cell.depth), of.positive_interval());
            Some(Point { y_between, ..Point::new(x, of.value, words) })
        };
        let points = cells.iter().filter_map(point).collect();
        plot.add(Series::joined(name, curve_look(place), points));
    }
    let caption = say("compare-over-depth-caption", language);
    let title = OverDepthTitle { workload: workload.clone() }.render(language);
    Chart::new((chart_id("depth", pair, workload.text()), title), caption, plot)
}

/// Latency over operations of both sides: p99, else the mean.
fn draw_latency(
    pair: &Pair,
    workload: &Message,
    (a, b): (&str, &str),
    language: Language,
) -> Option<Chart> {
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
    let x = Axis::log(say("axis-operations", language), NumberFormat::Count);
    let of = StatisticOfLatency { statistic: statistic.to_owned() }.render(language);
    let y = Axis::log(of, NumberFormat::Nanos);
    let mut plot = Plot::new(x, y);
    for (place, (pick, name)) in SIDES.into_iter().zip([a, b]).enumerate() {
        let point = |cell: &&CellComparison| {
            let latency = figure(cell, statistic)?;
            let words = side_point(name, cell, language);
            Some(Point::new(pick(cell.main_figure()?).value, pick(&latency).value, words))
        };
        let points = cells.iter().filter_map(point).collect();
        plot.add(Series::joined_where_rising(name, curve_look(place), points));
    }
    let caption = say("compare-over-load-caption", language);
    let title = OverLoadTitle { workload: workload.clone() }.render(language);
    Some(Chart::new((chart_id("load", pair, workload.text()), title), caption, plot))
}
