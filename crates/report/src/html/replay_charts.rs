//! The pictures of a replay: the latencies there and here, and those of a search over the speed.

use message::{Language, Render as _, messages};
use record::{CapturedLoad, Cell, CellRole, Purpose, Record, ReplayPlan};
use workload::{Bound, Direction};

use super::shared::{StatisticOfResponse, add_distribution, cross_look, distribution_plot};
use crate::chart::{Axis, Chart, Dash, Look, NumberFormat, Plot, Point, Series};
use crate::limit::direction_words;
use crate::words::say;

messages! {
    SeriesHere = "series-replay-here" { requests: message::Message };
    SeriesThere = "series-replay-there" { requests: message::Message };
    SearchTitle = "chart-replay-search" { statistic: String };
}

pub(super) fn draw_replay_charts(record: &Record, language: Language) -> Vec<Chart> {
    let Purpose::Replay(plan) = &record.measured.plan.purpose else { return Vec::new() };
    let mut charts = Vec::new();
    if plan.probe_max.is_some() {
        let bounds = record.measured.plan.bounds.iter();
        charts.extend(bounds.map(|bound| draw_search(record, plan, bound, language)));
    }
    charts.extend(draw_latencies(record, &plan.load, language));
    charts
}

/// The response times of the whole load here, and the percentiles that the capture knows.
fn draw_latencies(record: &Record, load: &CapturedLoad, language: Language) -> Option<Chart> {
    let mut cells = record.measured.cells.iter().filter(|cell| cell.role == CellRole::Replay);
    let cell = cells.next()?;
    let mut plot = distribution_plot(true, language);
    for (place, (direction, totals)) in cell.totals.iter().enumerate() {
        let Some(response) = &totals.response_ns else { continue };
        let Ok(whole) = response.histogram.to_histogram() else { continue };
        let name = SeriesHere { requests: direction_words(direction) }.render(language);
        add_distribution(&mut plot, &whole, name, Look::line(place));
        let points = list_known_latencies(load, direction);
        let name = SeriesThere { requests: direction_words(direction) }.render(language);
        plot.add_points(&name, Look::series(place).hollow(), points);
    }
    if plot.is_empty() {
        return None;
    }
    let title = say("chart-replay-latency", language);
    Some(Chart::new(("replay-latency", title), say("chart-replay-latency-caption", language), plot))
}

/// Percentiles there, at the share of requests that were slower.
fn list_known_latencies(load: &CapturedLoad, direction: Direction) -> Vec<Point> {
    let known = load.latency.get(direction).into_iter().flatten();
    let point = |(name, latency): (&String, &units::Nanos)| {
        let percent: f64 = name.strip_prefix('p')?.parse().ok()?;
        (percent < 100.0)
            .then(|| Point::new(latency.0 as f64, 100.0 - percent, format!("{name} {latency}")))
    };
    known.filter_map(point).collect()
}

/// What every probe says of a bound, over its speed.
fn draw_search(record: &Record, plan: &ReplayPlan, bound: &Bound, language: Language) -> Chart {
    let x = Axis::log(say("axis-times-load", language), NumberFormat::Count);
    let statistic = bound.statistic.to_string();
    let y = StatisticOfResponse { statistic: statistic.clone() }.render(language);
    let mut plot = Plot::new(x, Axis::log(y, NumberFormat::Nanos));
    let point = |cell: &Cell| {
        let speed = analysis::replay_speed(cell, &plan.load)?;
        let value = analysis::judge_load(&[cell], 1, bound).statistic?;
        Some(Point::new(speed, value.0 as f64, format!("{speed:.2}: {value}")))
    };
    let is_late = |cell: &Cell| cell.open_loop.as_ref().is_some_and(|open| open.generator_late);
    let cells = &record.measured.cells;
    let points_of = |wanted: &dyn Fn(&Cell) -> bool| -> Vec<Point> {
        cells.iter().filter(|cell| wanted(cell)).filter_map(point).collect()
    };
    let is_probe = |cell: &Cell| cell.role == CellRole::Replay;
    let mut probes = points_of(&|cell| is_probe(cell) && !is_late(cell));
    probes.sort_by(|a, b| a.x.total_cmp(&b.x));
    plot.add(Series::joined(say("series-replay-probes", language), Look::series(0), probes));
    let disturbed = points_of(&|cell| cell.role == CellRole::Disturbed);
    let look = Look::guide(Dash::Solid).hollow();
    plot.add_points(&say("series-disturbed", language), look, disturbed);
    let late = points_of(&|cell| is_probe(cell) && is_late(cell));
    plot.add_points(&say("series-replay-late", language), cross_look(), late);
    plot.add_bound(bound.limit.0 as f64, bound.to_string());
    let id = format!("replay-search-{}", super::shared::id_of(&bound.to_string()));
    let title = SearchTitle { statistic }.render(language);
    Chart::new((id, title), say("chart-replay-search-caption", language), plot)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use record::{OffsetMap, OpenLoop};
    use units::{Iops, Nanos};
    use workload::{Arrivals, Pacing};

    /// Probes at 1, 2 and 4 times a load of 100 requests a second; the last was disturbed.
    pub(crate) fn searched() -> Record {
        let mut record = record::fixture::ssd_record();
        let mut load = CapturedLoad { length: Nanos::secs(10), ..CapturedLoad::default() };
        load.requests.set(Direction::Read, 1_000);
        load.latency.set(Direction::Read, [("p99".to_owned(), Nanos(900_000))].into());
        let cell = record.measured.cell("randread-4k-qd1").unwrap().clone();
        let probe = |(place, speed): (usize, f64)| {
            let mut probe = cell.clone();
            probe.name = format!("replay-{place}");
            probe.role = if place == 2 { CellRole::Disturbed } else { CellRole::Replay };
            probe.job.pacing =
                Pacing::Open { rate: Iops(100.0 * speed), arrivals: Arrivals::Recorded };
            let read = probe.totals.read.as_mut().unwrap();
            read.response_ns = Some(Box::new(read.latency_ns.clone()));
            let (lag_ns, started) = (read.latency_ns.clone(), read.ops);
            let open_loop = OpenLoop { started, lag_ns, ..OpenLoop::default() };
            probe.open_loop = Some(Box::new(open_loop));
            probe
        };
        record.measured.cells = [1.0, 2.0, 4.0].into_iter().enumerate().map(probe).collect();
        let probe_max = Some(Nanos::secs(2));
        let (speed, map, depth) = (1.0, OffsetMap::AsIs, 1024);
        let plan = ReplayPlan { load, speed, map, depth, probe_max };
        record.measured.plan.purpose = Purpose::Replay(Box::new(plan));
        record.measured.plan.bounds = vec!["p99<10ms".parse().unwrap()];
        record.judgement = Some(analysis::judge(&record.measured));
        record
    }

    #[test]
    fn the_tiles_compare_what_met_no_deeper_queue() {
        let mut record = searched();
        let mut histogram = stats::LatencyHistogram::new();
        histogram.record_many(123_000, 5_000);
        let read = record.measured.cells[0].totals.read.as_mut().unwrap();
        read.comparable_ns = Some(Box::new(analysis::summarise_latency(&histogram)));
        record.judgement = Some(analysis::judge(&record.measured));
        let page = crate::render_html(&record, Language::English).unwrap();
        let tile = page.split_once("p99 of response time, reads").unwrap().1;
        let tile = &tile[..tile.find("</section>").unwrap_or(1000).min(1000)];
        assert!(tile.contains("900") && tile.contains("123"), "{tile}");
        assert!(
            tile.contains("of the requests that met no deeper queue here than there"),
            "{tile}"
        );
        assert!(page.contains("met a deeper queue here than in the capture"), "no note");
    }

    #[test]
    fn a_search_shows_its_probes_and_both_places_their_latencies() {
        let record = searched();
        let files = crate::render_svg_files(&record, Language::English);
        let find = |name: &str| &files.iter().find(|file| file.0.starts_with(name)).unwrap().1;
        let search = find("replay-search-p99");
        assert!(search.contains("<title>2.00: ") && search.contains("p99&lt;10ms"), "{search}");
        assert!(search.contains("class=\"h\"><title>4.00: "), "{search}");
        let latency = find("replay-latency");
        assert!(latency.contains("reads there") && latency.contains("reads here"), "{latency}");
        let page = crate::render_html(&record, Language::English).unwrap();
        for words in ["Keeps p99&#60;10ms up to", "times this load", "not confirmed", "here"] {
            assert!(page.contains(words), "{words}");
        }
    }
}
