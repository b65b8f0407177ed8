//! The hosts of a run as pictures: each over the load, each over time, and how far apart they
//! began.

use plotly::common::{DashType, ErrorData, ErrorType, Line, Marker, MarkerSymbol, Mode};
use plotly::{Bar, Plot, Scatter};
use record::{Cell, Curve, CurvePoint, Fleet, FleetHost, HostCell, Record};

use super::plot::{
    Chart, GUIDE_COLOUR, dashed_line, doubling_ticks, marker_of, point_load, set_axes, titled_axis,
    to_milliseconds, trace_of,
};

/// More lines than this are a tangle: then the slowest are drawn, and the least, the median and the
/// most of all hosts.
const LINES_MAX: usize = 16;
/// Points of a line over time; longer runs are drawn by fewer, each of more time.
const POINTS_MAX: usize = 2_000;

pub(super) fn draw_fleet_charts(record: &Record) -> Vec<Chart> {
    let Some(fleet) = &record.measured.fleet else { return Vec::new() };
    let mut charts: Vec<Chart> = Vec::new();
    let curves = record.judgement_or_default().curves.iter().filter(|curve| curve.points.len() > 1);
    charts.extend(curves.map(|curve| draw_over_load(record, fleet, curve)));
    charts.extend(draw_over_time(record, fleet));
    charts.extend(draw_skew(fleet));
    charts
}

struct DrawnHosts<'a> {
    hosts: Vec<&'a FleetHost>,
    /// How many are not drawn by themselves.
    left: usize,
}

fn choose_hosts<'a>(record: &'a Record, fleet: &'a Fleet) -> DrawnHosts<'a> {
    let mut hosts: Vec<&FleetHost> =
        fleet.hosts.iter().filter(|host| !host.cells.is_empty()).collect();
    if hosts.len() > LINES_MAX {
        let cell =
            analysis::fleet::main_cell(&record.measured, record.judgement_or_default(), fleet)
                .map(|(cell, _)| cell.name.as_str());
        let mean = |host: &&FleetHost| {
            let part = cell.and_then(|name| host.cell(name));
            part.map_or(f64::INFINITY, |part| crate::fleet::summarize_latency(&part.cell).0)
        };
        hosts.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
        hosts.truncate(LINES_MAX / 2);
        hosts.sort_by(|a, b| a.name.cmp(&b.name));
    }
    let all = fleet.hosts.iter().filter(|host| !host.cells.is_empty()).count();
    DrawnHosts { left: all - hosts.len(), hosts }
}

fn left_out_words(drawn: &DrawnHosts<'_>, where_else: &str) -> String {
    match drawn.left {
        0 => String::new(),
        left => format!(
            " Drawn are the slowest {} hosts; {left} faster ones are {where_else}.",
            drawn.hosts.len()
        ),
    }
}

fn min_median_max(mut values: Vec<f64>) -> Option<[f64; 3]> {
    values.sort_by(f64::total_cmp);
    Some([*values.first()?, values[values.len() / 2], *values.last()?])
}

/// IOPS of each host over the load of all, and their total.
fn draw_over_load(record: &Record, fleet: &Fleet, curve: &Curve) -> Chart {
    let mut plot = Plot::new();
    let total = curve.points.iter().map(|p| (point_load(p), p.iops));
    let drawn = choose_hosts(record, fleet);
    for (place, host) in drawn.hosts.iter().enumerate() {
        let points = curve.points.iter();
        let points = points.filter_map(|p| Some((point_load(p), host_iops_at(p, host)?)));
        let thin = Line::new().dash(host_dash(place)).width(1.4);
        let trace = build_line_trace(points, &host.name, thin);
        plot.add_trace(trace.marker(marker_of(7, host_symbol(place))));
    }
    plot.add_trace(build_line_trace(total, "total", Line::new().width(3.5).color(GUIDE_COLOUR)));
    if drawn.left > 0 {
        for (place, name) in ["least", "median", "most"].into_iter().enumerate() {
            let of = |p: &CurvePoint| {
                let all = fleet.hosts.iter().filter_map(|host| host_iops_at(p, host)).collect();
                Some((point_load(p), min_median_max(all)?[place]))
            };
            let points = curve.points.iter().filter_map(of);
            plot.add_trace(build_line_trace(points, name, dashed_line(1.4)));
        }
    }
    let of = if curve.open_loop { "arrivals per second" } else { "depth" };
    let x = titled_axis(&format!("{of}, all hosts together"), true);
    let deepest = curve.points.last().map_or(1.0, point_load);
    let x = if curve.open_loop { x } else { x.tick_values(doubling_ticks(deepest)) };
    let y = titled_axis("operations per second", true).tick_values(round_ticks());
    set_axes(&mut plot, x, y);
    let caption = format!(
        "One line for each host, and their total. Hosts of the same storage should lie on one \
         line: one below the others has the slower way to it.{}",
        left_out_words(&drawn, "between the dashed lines")
    );
    let title = format!("{}: host by host", curve.label);
    Chart::new((format!("hosts-{}", curve.name), title), caption, &plot)
}

/// The round figures of a logarithmic axis: 1, 2 and 5 of every power of ten.
fn round_ticks() -> Vec<f64> {
    let powers = (0..8).map(|power| 10_f64.powi(power));
    powers.flat_map(|power| [power, 2.0 * power, 5.0 * power]).collect()
}

/// Hosts differ without colour: by their points, and by their strokes.
fn host_symbol(place: usize) -> MarkerSymbol {
    let all = [
        MarkerSymbol::Circle,
        MarkerSymbol::Square,
        MarkerSymbol::Diamond,
        MarkerSymbol::TriangleUp,
        MarkerSymbol::TriangleDown,
        MarkerSymbol::Cross,
        MarkerSymbol::Star,
    ];
    all[place % all.len()].clone()
}

fn host_dash(place: usize) -> DashType {
    let all = [
        DashType::Solid,
        DashType::Dot,
        DashType::Dash,
        DashType::DashDot,
        DashType::LongDash,
        DashType::LongDashDot,
    ];
    all[place % all.len()].clone()
}

fn host_iops_at(point: &CurvePoint, host: &FleetHost) -> Option<f64> {
    let cells: Vec<&Cell> =
        point.cells.iter().filter_map(|name| Some(&host.cell(name)?.cell)).collect();
    // Two jobs at once are one probe; of repetitions the mean counts.
    let second = |cell: &&&Cell| cell.beside.as_ref().is_some_and(|other| *other < cell.name);
    let probes = cells.len() - cells.iter().filter(second).count();
    (probes > 0).then(|| cells.iter().map(|cell| cell.iops()).sum::<f64>() / probes as f64)
}

fn build_line_trace(
    points: impl Iterator<Item = (f64, f64)>,
    name: &str,
    line: Line,
) -> Box<Scatter<f64, f64>> {
    trace_of(points, Mode::LinesMarkers, name).line(line).marker(Marker::new().size(5))
}

/// IOPS of each host over the whole run, and the mean of all that ran.
fn draw_over_time(record: &Record, fleet: &Fleet) -> Option<Chart> {
    let drawn = choose_hosts(record, fleet);
    if drawn.hosts.is_empty() {
        return None;
    }
    let mut plot = Plot::new();
    let ticks = |host: &&FleetHost| host.cells.iter().map(|part| sum_tick_counts(part).len()).sum();
    let points: usize = drawn.hosts.iter().map(ticks).max().unwrap_or(0);
    let step = points.div_ceil(POINTS_MAX).max(1);
    for (place, host) in drawn.hosts.iter().enumerate() {
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for part in &host.cells {
            let Some(total) = record.measured.cell(&part.cell.name) else { continue };
            let began = fleet.host_cells(&total.name).map(|(_, part)| part.began_ns).min();
            let late = part.began_ns.abs_diff(began.unwrap_or(part.began_ns));
            let start = total.started.as_secs_f64() + late as f64 / 1e9;
            append_host_series(part, start, step, &mut x, &mut y);
        }
        let thin = Line::new().dash(host_dash(place)).width(1.4);
        plot.add_trace(Scatter::new(x, y).mode(Mode::Lines).name(&host.name).line(thin));
    }
    let (x, y) = build_mean_series(record, fleet);
    let thick = Line::new().width(3.5).color(GUIDE_COLOUR);
    let mean = Scatter::new(x, y).mode(Mode::Lines).name("mean of all hosts").line(thick);
    plot.add_trace(mean.connect_gaps(false));
    let y = titled_axis("operations per second of a host", false);
    set_axes(&mut plot, titled_axis("seconds", false), y);
    let caption = format!(
        "Each host for itself, on one clock. A dip of all is the storage's; a dip of one is its \
         own, or its way's.{}",
        left_out_words(&drawn, "in the mean")
    );
    let made = Chart::new(("hosts-time", "The run in time: host by host"), caption, &plot);
    Some(Chart { wide: true, ..made })
}

fn sum_tick_counts(part: &HostCell) -> Vec<u64> {
    let ticks = &part.cell.ticks.directions;
    let series = || [&ticks.read, &ticks.write].into_iter().flatten();
    let length = series().map(|ticks| ticks.ops.len()).max().unwrap_or(0);
    let at = |place: usize| {
        series().filter_map(|ticks| ticks.ops.get(place)).fold(0_u64, |a, b| a.saturating_add(*b))
    };
    (0..length).map(at).collect()
}

fn append_host_series(
    part: &HostCell,
    start: f64,
    step: usize,
    x: &mut Vec<f64>,
    y: &mut Vec<Option<f64>>,
) {
    let tick = part.cell.ticks.tick.as_secs_f64();
    for (place, chunk) in sum_tick_counts(part).chunks(step).enumerate() {
        x.push(start + (place * step) as f64 * tick);
        let ops: f64 = chunk.iter().map(|&count| count as f64).sum();
        y.push((tick > 0.0).then(|| ops / (tick * chunk.len() as f64)));
    }
    x.push(start + part.cell.elapsed.as_secs_f64());
    y.push(None);
}

/// The total of every cell by the number of its hosts.
fn build_mean_series(record: &Record, fleet: &Fleet) -> (Vec<f64>, Vec<Option<f64>>) {
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for cell in &record.measured.cells {
        let hosts = fleet.cell(&cell.name).map_or(0, |met| met.hosts.len());
        if hosts == 0 {
            continue;
        }
        let mean = cell.iops() / hosts as f64;
        let start = cell.started.as_secs_f64();
        x.extend([start, start + cell.elapsed.as_secs_f64(), start + cell.elapsed.as_secs_f64()]);
        y.extend([Some(mean), Some(mean), None]);
    }
    (x, y)
}

/// How far apart the hosts of each cell began, with what the clocks leave open.
fn draw_skew(fleet: &Fleet) -> Option<Chart> {
    let met: Vec<_> = fleet.cells.iter().filter(|met| met.hosts.len() > 1).collect();
    if met.is_empty() {
        return None;
    }
    let numbers: Vec<u32> = (1..).take(met.len()).collect();
    let names: Vec<String> = met.iter().map(|met| met.cell.clone()).collect();
    let skews: Vec<f64> = met.iter().map(|met| to_milliseconds(met.skew.0)).collect();
    let errors: Vec<f64> = met.iter().map(|met| to_milliseconds(met.skew_error.0)).collect();
    let bars = Bar::new(numbers, skews)
        .name("from the first begin to the last")
        .hover_text_array(names)
        .error_y(ErrorData::new(ErrorType::Data).array(errors));
    let mut plot = Plot::new();
    plot.add_trace(bars);
    let order = titled_axis("cells, in the order in which they ran", false);
    set_axes(&mut plot, order, titled_axis("ms", false));
    let caption = "How far apart the hosts of each cell began. The thin lines are what the clocks \
                   leave open: the two largest errors of the hosts in the cell together.";
    Some(Chart::new(("skew", "The starts"), caption, &plot))
}

#[cfg(test)]
mod tests {
    use record::Record;

    fn page(spoil: impl Fn(&mut Record)) -> String {
        let mut record = record::fixture::fleet_record();
        spoil(&mut record);
        record.judgement = Some(analysis::judge(&record.measured));
        crate::render_html(&record).unwrap()
    }

    #[test]
    fn a_page_has_every_host_the_total_and_the_starts() {
        let page = page(|_| ());
        for words in [
            "limit of <code>/mnt/san on 4 hosts</code>",
            "id=\"hosts-randread-4k\"",
            "id=\"hosts-time\"",
            "id=\"skew\"",
            "Host by host",
            "host-c, 1.57 x",
            "20261118T110640Z-0badcaf2",
            "+2000 s ±110 us",
            "\"name\":\"host-d\"",
            "\"name\":\"total\"",
            "\"name\":\"mean of all hosts\"",
        ] {
            assert!(page.contains(words), "'{words}' is missing");
        }
        assert!(!page.contains("Degraded:"));
    }

    #[test]
    fn a_degraded_run_is_said_to_be_one_next_to_its_numbers() {
        let page = page(|record| record::fixture::lose_host(&mut record.measured));
        for words in [
            "Degraded: host-b was lost 12.3 s into the run",
            "degraded: 3 of 4 hosts",
            "without host-b",
            "lost: silent for 5 s",
            "totals marked degraded lack a host",
        ] {
            assert!(page.contains(words), "'{words}' is missing");
        }
        assert!(!page.contains("the numbers stand"));
    }

    #[test]
    fn names_of_hosts_are_escaped_in_text_and_charts() {
        let evil = "</script><script>alert(1)</script>";
        let page = page(|record| {
            let fleet = record.measured.fleet.as_mut().unwrap();
            evil.clone_into(&mut fleet.hosts[0].name);
            fleet.hosts[1].labels.insert(evil.to_owned(), evil.to_owned());
            fleet.events.push(evil.to_owned());
            evil.clone_into(&mut fleet.cells[0].slowest.as_mut().unwrap().host);
        });
        assert!(!page.contains("<script>alert"));
    }

    #[test]
    fn of_very_many_hosts_some_lines_are_drawn_and_all_rows_told() {
        let page = page(|record| record::fixture::multiply_hosts(&mut record.measured, 60));
        let lines = page.matches("\"name\":\"host-0").count();
        assert_eq!(lines, 2 * super::LINES_MAX / 2, "in two charts");
        assert!(page.contains("52 faster ones"), "said in the captions");
        assert!(page.contains("<th scope=\"row\">host-059</th>"));
    }
}
