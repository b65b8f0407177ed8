//! The charts of a sweep: heat maps, lines over block size and over depth, reads beside writes.

use message::{Language, Message, Render as _, messages};
use record::{Curve, CurvePoint, Interference, Record, TwoLimits};
use stats::Estimate;
use units::{Depth, Iops, Ratio};

use super::shared::{curve_look, depth_axis, id_of};
use crate::chart::{Axis, Chart, Dash, HeatCell, HeatMap, Look, NumberFormat, Plot, Point, Series};
use crate::limit::{AtDepth, point_marks};
use crate::sweep::{
    collect_depths, format_kib, group_by_workload, left_out_at, point_at, workload_limits,
};
use crate::words::{RowDepth, has_invalid, megabytes, say};

messages! {
    HeatTitle = "sweep-heat" { workload: Message, unit: String };
    HeatPoint = "sweep-heat-point" { size: String, depth: u64, figure: String, unit: String };
    OverSizeTitle = "sweep-over-size" { workload: Message, unit: String };
    Crossover = "sweep-crossover" { depth: Depth, size: String };
    OverDepthTitle = "sweep-over-depth" { workload: Message };
    BesideCaption = "sweep-beside-caption" { job: Message, writes: Iops };
    BesideShare = "sweep-beside-share" { share: Ratio };
    SeriesOfReads = "series-of-reads" { statistic: String };
}

const LAW_STEPS: u32 = 60;
/// A law is drawn where no cell is further from it than by this factor.
const LAW_FACTOR_MAX: f64 = 1.5;
/// A law whose limit is not known better than this says nothing.
const LAW_INTERVAL_MAX: f64 = 10.0;

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

/// Of a sweep: the matrices, and the lines through them.
#[derive(Default)]
pub(super) struct SweepCharts {
    pub(super) maps: Vec<Chart>,
    pub(super) lines: Vec<Chart>,
}

pub(super) fn draw_sweep_charts(record: &Record, language: Language) -> SweepCharts {
    let mut charts = SweepCharts::default();
    for (name, curves) in group_by_workload(record) {
        let depths = collect_depths(&curves);
        for of in [RateUnit::Operations, RateUnit::Bytes] {
            if curves.len() * depths.len() > 1 {
                charts.maps.push(draw_heat_map((record, language), &name, &curves, &depths, of));
            }
            if curves.len() > 1 {
                charts.lines.push(draw_over_block_size(
                    (record, language),
                    &name,
                    &curves,
                    &depths,
                    of,
                ));
            }
        }
        if depths.len() > 1 {
            charts.lines.push(draw_over_depth(&name, &curves, &depths, language));
        }
    }
    let interference = record.judgement_or_default().interference.as_ref();
    charts.lines.extend(interference.map(|found| draw_interference(found, language)));
    charts
}

fn chart_id(what: &str, name: &Message) -> String {
    format!("{what}-{}", id_of(name.text()))
}

fn draw_heat_map(
    (record, language): (&Record, Language),
    name: &Message,
    curves: &[&Curve],
    depths: &[u32],
    of: RateUnit,
) -> Chart {
    let values =
        curves.iter().flat_map(|curve| curve.all_points().into_iter().map(move |p| (*curve, p)));
    let most = values.map(|(curve, p)| of.value_at(curve, p)).fold(f64::MIN_POSITIVE, f64::max);
    let cell = |curve: &Curve, depth: u32| {
        let sound = point_at(curve, depth);
        let point = sound.or_else(|| left_out_at(curve, depth))?;
        let value = of.value_at(curve, point);
        let marks = point_marks(record, point);
        let is_struck = sound.is_none() || has_invalid(&marks);
        let mut notes: Vec<String> =
            marks.into_iter().map(|mark| mark.1.render(language)).collect();
        notes.extend(sound.is_none().then(|| say("series-disturbed", language)));
        let sign = if is_struck || notes.is_empty() { "" } else { " !" };
        let words = language.punctuate(&of.format_value(value));
        let size = curve.block_size.to_compact();
        let unit = of.name().to_owned();
        let point = HeatPoint { size, depth: u64::from(depth), figure: words.clone(), unit };
        let what = point.render(language);
        let note = [vec![what], notes].concat().join("; ");
        Some(HeatCell { share: value / most, words: format!("{words}{sign}"), is_struck, note })
    };
    let row = |curve: &&Curve| {
        let cells = depths.iter().map(|&depth| cell(curve, depth)).collect();
        (curve.block_size.to_compact(), cells)
    };
    let map = HeatMap {
        x_title: say("axis-depth", language),
        y_title: say("axis-block-size", language),
        columns: depths.iter().map(ToString::to_string).collect(),
        rows: curves.iter().map(row).collect(),
    };
    let caption = match of {
        RateUnit::Operations => say("sweep-heat-operations", language),
        RateUnit::Bytes => say("sweep-heat-bytes", language),
    };
    let (workload, unit) = (name.clone(), of.name().to_owned());
    let title = HeatTitle { workload, unit }.render(language);
    Chart::new((chart_id(&format!("heat-{}", of.id()), name), title), caption, map)
}

/// Whether what a law says is known to within a decade.
fn is_known(law: &TwoLimits) -> bool {
    let narrow = |limit: &Estimate| {
        limit.interval().is_some_and(|(low, high)| low > 0.0 && high / low < LAW_INTERVAL_MAX)
    };
    [&law.iops, &law.bytes_per_second].into_iter().flatten().all(narrow)
}

/// A line per depth over block size, with the law of the two limits.
fn draw_over_block_size(
    (record, language): (&Record, Language),
    name: &Message,
    curves: &[&Curve],
    depths: &[u32],
    of: RateUnit,
) -> Chart {
    let sizes =
        curves.iter().map(|curve| (curve.block_size.0 as f64, curve.block_size.to_compact()));
    let x = Axis::log(say("axis-block-size", language), NumberFormat::Count).ticks(sizes.collect());
    let y = match of {
        RateUnit::Operations => Axis::log(of.name(), NumberFormat::Count),
        RateUnit::Bytes => Axis::linear(of.name(), NumberFormat::Count).starting_at_zero(),
    };
    let mut plot = Plot::new(x, y);
    let laws = workload_limits(record, name);
    let mut shown: Option<&TwoLimits> = None;
    for (place, &depth) in depths.iter().enumerate() {
        let known = || curves.iter().filter_map(|curve| Some((curve, point_at(curve, depth)?)));
        let points: Vec<Point> = known()
            .map(|(curve, point)| {
                let size = Message::from_text(curve.block_size.to_compact());
                let words = RowDepth { curve: size, depth: point.depth }.render(language);
                Point::new(curve.block_size.0 as f64, of.value_at(curve, point), words)
            })
            .collect();
        let passes_by = |law: &TwoLimits| {
            known().all(|(curve, point)| {
                let law = law.iops_at(curve.block_size.0 as f64);
                law.is_some_and(|law| {
                    (1.0 / LAW_FACTOR_MAX..=LAW_FACTOR_MAX).contains(&(law / point.iops))
                })
            })
        };
        let law = laws.iter().find(|law| law.depth.0 == depth && is_known(law) && passes_by(law));
        let (Some(from), Some(to)) = (points.first().map(|p| p.x), points.last().map(|p| p.x))
        else {
            continue;
        };
        let look = Look::series(place);
        let series = AtDepth { depth: depth.to_string() }.render(language);
        plot.add(match law {
            Some(_) => Series::points(series, look, points),
            None => Series::joined(series, look, points),
        });
        let Some(law) = law else { continue };
        shown = shown.or(Some(law));
        let step = |i: u32| from * (to / from).powf(f64::from(i) / f64::from(LAW_STEPS));
        let line = (0..=LAW_STEPS)
            .filter_map(|i| Some((step(i), of.convert(law.iops_at(step(i))?, step(i)))));
        plot.add(Series::line("", look.dash(Dash::Dashed), line));
    }
    let (workload, unit) = (name.clone(), of.name().to_owned());
    let title = OverSizeTitle { workload, unit }.render(language);
    let id = chart_id(&format!("size-{}", of.id()), name);
    Chart::new((id, title), block_size_caption(&laws, language), plot)
}

fn block_size_caption(laws: &[&TwoLimits], language: Language) -> String {
    let mut words = vec![say("sweep-over-size-caption", language)];
    let deepest = laws.iter().rev().filter(|law| is_known(law));
    let meet = deepest.filter_map(|law| Some((law.depth, law.crossover?))).next();
    words.extend(
        meet.map(|(depth, size)| Crossover { depth, size: format_kib(size) }.render(language)),
    );
    words.join(" ")
}

fn draw_over_depth(name: &Message, curves: &[&Curve], depths: &[u32], language: Language) -> Chart {
    let x = depth_axis(say("axis-depth", language), depths.iter().map(|&d| f64::from(d)));
    let mut plot = Plot::new(x, Axis::log(say("axis-operations", language), NumberFormat::Count));
    for (place, curve) in curves.iter().enumerate() {
        let point = |p: &CurvePoint| {
            let load = AtDepth { depth: p.depth.to_string() }.render(language);
            let rate = language.punctuate(&Iops(p.iops).to_string());
            Point::new(f64::from(p.depth.0), p.iops, format!("{load}: {rate}"))
        };
        let points = curve.points.iter().map(point).collect();
        plot.add(Series::joined(curve.block_size.to_compact(), Look::series(place), points));
    }
    let title = OverDepthTitle { workload: name.clone() }.render(language);
    let caption = say("sweep-over-depth-caption", language);
    Chart::new((chart_id("depth", name), title), caption, plot)
}

fn draw_interference(found: &Interference, language: Language) -> Chart {
    let x =
        Axis::linear(say("axis-writes-beside", language), NumberFormat::Count).starting_at_zero();
    let mut plot = Plot::new(x, Axis::log(say("axis-read-latency", language), NumberFormat::Nanos));
    for (place, name) in ["p50", "p99"].into_iter().enumerate() {
        let points = found.points.iter().filter_map(|point| {
            let words = BesideShare { share: Ratio(point.share) }.render(language);
            Some(Point::new(point.writes.0, *point.latency_ns.get(name)? as f64, words))
        });
        let series = SeriesOfReads { statistic: name.to_owned() }.render(language);
        plot.add(Series::joined(series, curve_look(place), points.collect()));
    }
    let (job, writes) = (found.label.clone(), found.writes_most);
    let caption = BesideCaption { job, writes }.render(language);
    Chart::new(("interference", say("sweep-beside", language)), caption, plot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::tests::record;

    #[test]
    fn a_matrix_has_maps_and_lines_with_ids_of_their_own() {
        let charts = draw_sweep_charts(&record(&[1, 4, 16, 64]), Language::English);
        let charts: Vec<Chart> = charts.maps.into_iter().chain(charts.lines).collect();
        let mut ids: Vec<&str> = charts.iter().map(|chart| chart.id.as_str()).collect();
        assert_eq!(ids.len(), 5);
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 5, "{ids:?}");
        let over_size = charts.iter().find(|chart| chart.id == "size-iops-random-read").unwrap();
        assert!(
            over_size.inline(Language::English).contains("stroke-dasharray"),
            "the law is drawn"
        );
        assert!(over_size.caption.contains("At depth 64 the two limits meet near 16 KiB"));
    }

    #[test]
    fn one_cell_makes_no_chart() {
        let mut record = record(&[1]);
        record.measured.cells.truncate(1);
        record.judgement = Some(analysis::judge(&record.measured));
        let charts = draw_sweep_charts(&record, Language::English);
        assert!(charts.maps.is_empty() && charts.lines.is_empty());
    }
}
