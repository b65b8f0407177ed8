//! Figures with their intervals, one below the other: the steps of a preset, and operations on
//! small files.

use message::{Language, Message, Render as _, label, messages};
use record::{CacheState, Metadata, MetadataLoad, MetadataOp, MetadataPhase, Record, StepFigures};
use stats::Estimate;
use units::{Bytes, Iops, Nanos};
use workload::Direction;

use super::shared::{cross_look, curve_look, row_plot, value_axis};
use crate::chart::{Axis, Chart, Look, NumberFormat, Point, Series, Symbol};
use crate::metadata::{load_words, operation_name};
use crate::preset::PresetResult;
use crate::preset::table::{part_label, step_marks};
use crate::words::{has_invalid, megabytes, say};

messages! {
    RangePoint = "range-point" { what: Message, value: String };
}

/// Smaller blocks are counted in operations.
const RATE_BLOCK_MIN: Bytes = Bytes::kib(64);
/// Height of a row, and of one of many.
const ROW: f64 = 26.0;
const ROW_OF_MANY: f64 = 18.0;
const FEW_ROWS: usize = 12;
/// Rows of the operations on small files share their height among the loads.
const LOAD_ROW: f64 = 8.0;

struct RangeRow {
    name: String,
    value: f64,
    between: Option<(f64, f64)>,
    words: String,
    is_figure: bool,
    is_invalid: bool,
}

/// The rates of the steps of a preset. Where its tool has a picture of its own, that stands.
pub(super) fn draw_step_rates(record: &Record, language: Language) -> Option<Chart> {
    let result = PresetResult::from_record(record)?;
    let has_large = result
        .steps()
        .flat_map(|step| step.passes())
        .any(|cell| cell.job.block_size >= RATE_BLOCK_MIN);
    let mut rows = Vec::new();
    for step in result.steps() {
        let is_invalid = has_invalid(&step_marks(&result, &step));
        for figures in &step.outcome.figures {
            let Some((estimate, value)) = pick_rate(figures, has_large) else { continue };
            let what = part_label(&step, figures);
            let name = (&what).render(language);
            let value = language.punctuate(&value);
            rows.push(RangeRow {
                name,
                value: estimate.value,
                between: estimate.positive_interval(),
                words: RangePoint { what, value }.render(language),
                is_figure: analysis::is_figure(estimate),
                is_invalid,
            });
        }
    }
    if has_large {
        for row in &mut rows {
            row.value /= 1e6;
            row.between = row.between.map(|(low, high)| (low / 1e6, high / 1e6));
        }
    }
    if rows.is_empty() {
        return None;
    }
    let unit = if has_large { "MB/s".to_owned() } else { say("axis-operations", language) };
    Some(draw_rows(rows, unit, language))
}

/// Of a sync there are operations alone.
fn pick_rate(figures: &StepFigures, as_bytes: bool) -> Option<(&Estimate, String)> {
    let (iops, rate) = (&figures.iops, &figures.bytes_per_second);
    match as_bytes {
        true if figures.direction == Direction::Sync => None,
        true => Some((rate, format!("{} MB/s", megabytes(rate.value)))),
        false => Some((iops, format!("{} IOPS", Iops(iops.value)))),
    }
}

fn draw_rows(rows: Vec<RangeRow>, unit: String, language: Language) -> Chart {
    let x = value_axis(unit, rows.iter().map(|row| row.value));
    let row_height = if rows.len() > FEW_ROWS { ROW_OF_MANY } else { ROW };
    let names = rows.iter().map(|row| row.name.clone()).collect();
    let (mut plot, place) = row_plot(x, names, row_height);
    let pick = |wanted: &dyn Fn(&RangeRow) -> bool| {
        let all = rows.iter().enumerate().filter(|(_, row)| wanted(row));
        all.map(|(at, row)| Point {
            x_between: row.between,
            ..Point::new(row.value, place(at), row.words.clone())
        })
        .collect::<Vec<_>>()
    };
    let look = Look::series(0).symbol(Symbol::Diamond).size(5.0);
    plot.add(Series::points("", look, pick(&|row| row.is_figure)));
    plot.add_points("", look.hollow(), pick(&|row| !row.is_figure));
    let invalid = pick(&|row| row.is_invalid);
    plot.add_points(&say("series-invalid", language), cross_look(), invalid);
    let (title, caption) = (say("steps-title", language), say("steps-caption", language));
    Chart::new(("steps", title), caption, plot).wide()
}

/// Operations per second by kind, and their 99th percentile: of what was warm, as the first table.
pub(super) fn draw_small_files(found: &Metadata, language: Language) -> Vec<Chart> {
    let rate = |phase: &MetadataPhase| {
        let value = language.punctuate(&format!("{}/s", Iops(phase.rate.value)));
        Some((phase.rate.value, phase.rate.positive_interval(), value))
    };
    let p99 = |phase: &MetadataPhase| {
        let ns = *phase.latency_ns.percentiles.get("p99")?;
        Some((ns as f64, None, language.punctuate(&Nanos(ns).to_string())))
    };
    let operations = Axis::log(say("axis-operations", language), NumberFormat::Count);
    let latency = Axis::log(say("axis-latency", language), NumberFormat::Nanos);
    let rates = draw_operations(found, operations, rate, language);
    let tails = draw_operations(found, latency, p99, language);
    // Beside each other.
    let chart = |id: &str, title: &str, caption: Message, plot| {
        Chart::new((id, say(title, language)), caption.render(language), plot)
    };
    let rates = rates
        .map(|plot| chart("small-files", "metadata-rates", label("small-files-caption"), plot));
    let tails = tails.map(|plot| {
        chart("small-files-p99", "metadata-p99", label("small-files-p99-caption"), plot)
    });
    rates.into_iter().chain(tails).collect()
}

/// A value, its interval, and how it is written.
type OperationFigure = (f64, Option<(f64, f64)>, String);

fn draw_operations(
    found: &Metadata,
    x: Axis,
    figure: impl Fn(&MetadataPhase) -> Option<OperationFigure>,
    language: Language,
) -> Option<crate::chart::Plot> {
    let warm = |op: MetadataOp, load: &MetadataLoad| found.phase(op, load, CacheState::Warm);
    let loads: Vec<MetadataLoad> = found.loads();
    let has = |op: &MetadataOp| {
        loads.iter().any(|load| warm(*op, load).is_some_and(|phase| figure(phase).is_some()))
    };
    let operations: Vec<MetadataOp> = MetadataOp::ALL.into_iter().filter(has).collect();
    if operations.is_empty() {
        return None;
    }
    let names = operations.iter().map(|op| operation_name(*op).to_owned()).collect();
    let row_height = ROW.max(LOAD_ROW * (loads.len() as f64 + 1.0));
    let (mut plot, row) = row_plot(x, names, row_height);
    for (place, load) in loads.iter().enumerate() {
        // Within their row, the first load on top.
        let shift = 0.5 - (place as f64 + 1.0) / (loads.len() as f64 + 1.0);
        let words = load_words(load);
        let point = |(at, op): (usize, &MetadataOp)| {
            let (value, between, text) = figure(warm(*op, load)?)?;
            let what = Message::from_text(operation_name(*op));
            let words = RangePoint { what, value: text }.render(language);
            Some(Point { x_between: between, ..Point::new(value, row(at) + shift, words) })
        };
        let points = operations.iter().enumerate().filter_map(point).collect();
        plot.add_points(&words.render(language), curve_look(place), points);
    }
    Some(plot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::tests::phase;

    #[test]
    fn the_steps_of_a_preset_are_in_a_picture_above_their_table() {
        let record = crate::preset::tests::render_with(|_| ());
        let page = crate::render_html(&record, Language::English).unwrap();
        let (_, below) = page.split_once("<figure class=\"wide\" id=\"steps\">").unwrap();
        assert!(below.contains("<table"), "the table is below the picture");
        let files = crate::render_svg_files(&record, Language::English);
        let picture = &files.iter().find(|file| file.0 == "steps.svg").unwrap().1;
        let result = PresetResult::from_record(&record).unwrap();
        for step in result.steps() {
            let label = (&step.step.label).render(Language::English);
            assert!(picture.contains(&label), "{label} is missing: {picture}");
        }
        assert!(picture.contains("class=\"w\""), "the intervals are drawn");
    }

    #[test]
    fn small_files_have_their_rates_and_tails_in_pictures() {
        let load =
            |threads| MetadataLoad { file_size: Bytes(0), synced: false, folders: 1, threads };
        let phase = |op, threads| {
            let mut phase = phase(op, load(threads), CacheState::Warm);
            phase.latency_ns.percentiles.insert("p99".to_owned(), 40_000);
            phase
        };
        let of = |threads| [MetadataOp::Create, MetadataOp::Stat].map(|op| phase(op, threads));
        let phases = [of(1), of(2)].concat();
        let found = Metadata { phases, counted: Vec::new(), caches: Message::default() };
        let charts = draw_small_files(&found, Language::English);
        let svgs: Vec<String> =
            charts.iter().map(|chart| chart.to_file(Language::English)).collect();
        assert_eq!(svgs.len(), 2);
        for svg in &svgs {
            assert!(svg.contains(">create</text>") && svg.contains(">stat</text>"), "{svg}");
            assert!(svg.contains("2 threads"), "{svg}");
        }
        assert!(svgs[0].contains("1,000/s") && svgs[1].contains("40.0 us"), "{svgs:?}");
        let none = Metadata { phases: Vec::new(), counted: Vec::new(), caches: Message::default() };
        assert!(draw_small_files(&none, Language::English).is_empty());
    }
}
