//! The hosts of a run as pictures: each over the load, each over time, and how far apart they
//! began.

use message::{Language, Message, Render as _, messages};
use record::{Cell, Curve, CurvePoint, Fleet, FleetHost, HostCell, Record};

use super::shared::{GappedLine, depth_axis, point_load, thin_out};
use crate::chart::{Axis, Chart, Dash, Look, NumberFormat, Plot, Point, Series, Symbol};
use crate::words::say;

messages! {
    SlowestDrawn = "hosts-slowest-drawn" { drawn: usize, left: usize };
    HostsLoadTitle = "hosts-load" { curve: Message };
}

/// More lines than this are a tangle: then the slowest are drawn, and the least, the median and the
/// most of all hosts.
const LINES_MAX: usize = 16;

pub(super) fn draw_fleet_charts(record: &Record, language: Language) -> Vec<Chart> {
    let Some(fleet) = &record.measured.fleet else { return Vec::new() };
    if fleet.waves.is_some() {
        // Each wave has pictures of its own, with its record.
        return Vec::new();
    }
    let mut charts: Vec<Chart> = Vec::new();
    let curves = record.judgement_or_default().curves.iter().filter(|curve| curve.points.len() > 1);
    charts.extend(curves.map(|curve| draw_over_load((record, language), fleet, curve)));
    charts.extend(draw_skew(fleet, language));
    charts.extend(draw_over_time(record, fleet, language));
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

/// A caption, and how many hosts are not drawn by themselves.
fn caption_with_rest(caption: String, drawn: &DrawnHosts<'_>, language: Language) -> String {
    match drawn.left {
        0 => caption,
        left => {
            let rest = SlowestDrawn { drawn: drawn.hosts.len(), left }.render(language);
            [caption, rest].join(" ")
        }
    }
}

fn least_median_most(language: Language) -> [String; 3] {
    [say("series-least", language), say("series-median", language), say("series-most", language)]
}

fn min_median_max(mut values: Vec<f64>) -> Option<[f64; 3]> {
    values.sort_by(f64::total_cmp);
    Some([*values.first()?, values[values.len() / 2], *values.last()?])
}

/// IOPS of each host over the load of all, and their total.
fn draw_over_load((record, language): (&Record, Language), fleet: &Fleet, curve: &Curve) -> Chart {
    let drawn = choose_hosts(record, fleet);
    let x = match curve.open_loop {
        true => Axis::log(say("axis-together-rate", language), NumberFormat::Count),
        false => {
            depth_axis(say("axis-together-depth", language), curve.points.iter().map(point_load))
        }
    };
    let mut plot = Plot::new(x, Axis::log(say("axis-operations", language), NumberFormat::Count));
    for (place, host) in drawn.hosts.iter().enumerate() {
        let points = curve.points.iter();
        let points = points.filter_map(|p| {
            Some(Point::new(point_load(p), host_iops_at(p, host)?, host.name.clone()))
        });
        let look = Look::line(place).size(3.0).width(1.3);
        plot.add(Series::joined(&host.name, look, points.collect()));
    }
    let total = curve.points.iter().map(|p| (point_load(p), p.iops));
    plot.add(Series::line(
        say("series-total", language),
        Look::guide(Dash::Solid).width(3.0),
        total,
    ));
    if drawn.left > 0 {
        for (place, name) in least_median_most(language).into_iter().enumerate() {
            let of = |p: &CurvePoint| {
                let all = fleet.hosts.iter().filter_map(|host| host_iops_at(p, host)).collect();
                Some((point_load(p), min_median_max(all)?[place]))
            };
            let points = curve.points.iter().filter_map(of);
            plot.add(Series::line(name, Look::guide(Dash::Dashed), points));
        }
    }
    let caption = caption_with_rest(say("hosts-load-caption", language), &drawn, language);
    let title = HostsLoadTitle { curve: curve.label.clone() }.render(language);
    Chart::new((format!("hosts-{}", curve.name), title), caption, plot)
}

fn host_iops_at(point: &CurvePoint, host: &FleetHost) -> Option<f64> {
    let cells: Vec<&Cell> =
        point.cells.iter().filter_map(|name| Some(&*host.cell(name)?.cell)).collect();
    // Two jobs at once are one probe; of repetitions the mean counts.
    let second = |cell: &&&Cell| cell.beside.as_ref().is_some_and(|other| *other < cell.name);
    let probes = cells.len() - cells.iter().filter(second).count();
    (probes > 0).then(|| cells.iter().map(|cell| cell.iops()).sum::<f64>() / probes as f64)
}

/// IOPS of each host over the whole run, and the mean of all that ran.
fn draw_over_time(record: &Record, fleet: &Fleet, language: Language) -> Option<Chart> {
    let drawn = choose_hosts(record, fleet);
    if drawn.hosts.is_empty() {
        return None;
    }
    let y = Axis::linear(say("axis-of-host", language), NumberFormat::Count).starting_at_zero();
    let mut plot = Plot::new(Axis::linear(say("axis-seconds", language), NumberFormat::Count), y);
    for (place, host) in drawn.hosts.iter().enumerate() {
        let mut points = Vec::new();
        for part in &host.cells {
            let Some(total) = record.measured.cell(&part.cell.name) else { continue };
            let began = fleet.host_cells(&total.name).map(|(_, part)| part.began_ns).min();
            let late = part.began_ns.abs_diff(began.unwrap_or(part.began_ns));
            append_host_series(part, total.started.as_secs_f64() + late as f64 / 1e9, &mut points);
        }
        let look = Look::line(place).width(1.2);
        plot.add(Series::line_with_gaps(&host.name, look, thin_out(points)));
    }
    let thick = Look::guide(Dash::Solid).width(3.0);
    let mean = build_mean_series(record, fleet);
    plot.add(Series::line_with_gaps(say("series-mean-host", language), thick, mean));
    let caption = caption_with_rest(say("hosts-time-caption", language), &drawn, language);
    let title = say("hosts-time", language);
    Some(Chart::new(("hosts-time", title), caption, plot).wide())
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

/// The rate of each whole tick of a cell. The last tick is cut short by the end of the cell: its
/// count would read as a fall to nothing.
fn append_host_series(part: &HostCell, start: f64, points: &mut GappedLine) {
    let tick = part.cell.ticks.tick.as_secs_f64();
    let elapsed = part.cell.elapsed.as_secs_f64();
    for (place, count) in sum_tick_counts(part).into_iter().enumerate() {
        let at = place as f64 * tick;
        if tick > 0.0 && at + tick <= elapsed {
            points.push((start + at, Some(count as f64 / tick)));
        }
    }
    points.push((start + elapsed, None));
}

/// The total of every cell by the number of its hosts.
fn build_mean_series(record: &Record, fleet: &Fleet) -> GappedLine {
    let mut points = Vec::new();
    for cell in &record.measured.cells {
        let hosts = fleet.cell(&cell.name).map_or(0, |met| met.hosts.len());
        if hosts == 0 {
            continue;
        }
        let mean = cell.iops() / hosts as f64;
        let start = cell.started.as_secs_f64();
        let end = start + cell.elapsed.as_secs_f64();
        points.extend([(start, Some(mean)), (end, Some(mean)), (end, None)]);
    }
    points
}

/// How far apart the hosts of each cell began, with what the clocks leave open.
fn draw_skew(fleet: &Fleet, language: Language) -> Option<Chart> {
    let met: Vec<_> = fleet.cells.iter().filter(|met| met.hosts.len() > 1).collect();
    if met.is_empty() {
        return None;
    }
    let x = Axis::linear(say("axis-cells", language), NumberFormat::Count)
        .range(0.0, met.len() as f64 + 1.0);
    let mut plot = Plot::new(
        x,
        Axis::linear(say("axis-skew", language), NumberFormat::Nanos).starting_at_zero(),
    );
    let bars = (1_u32..).zip(&met).map(|(number, met)| {
        let (skew, error) = (met.skew.0 as f64, met.skew_error.0 as f64);
        let between = Some(((skew - error).max(0.0), skew + error));
        Point { y_between: between, ..Point::new(f64::from(number), skew, met.cell.clone()) }
    });
    let look = Look::series(0).symbol(Symbol::Bar).size(3.0);
    plot.add(Series::points("", look, bars.collect()));
    let title = say("hosts-skew", language);
    Some(Chart::new(("skew", title), say("hosts-skew-caption", language), plot))
}

#[cfg(test)]
mod tests {
    use record::Record;

    fn page(spoil: impl Fn(&mut Record)) -> String {
        let mut record = record::fixture::fleet_record();
        spoil(&mut record);
        record.judgement = Some(analysis::judge(&record.measured));
        crate::render_html(&record, message::Language::English).unwrap()
    }

    #[test]
    fn a_page_has_every_host_the_total_and_the_starts() {
        let page = page(|_| ());
        for words in [
            "limit: <code>/mnt/san on 4 hosts</code>",
            "id=\"hosts-randread-4k\"",
            "id=\"hosts-time\"",
            "id=\"skew\"",
            "Host by host",
            "host-c, 1.57 x",
            "20261118T110640Z-0badcaf2",
            "+2000 s ±110 us",
            ">host-d</text>",
            ">total</text>",
            ">mean of all hosts</text>",
            "Slowest host: host-c",
        ] {
            assert!(page.contains(words), "'{words}' is missing");
        }
        assert!(!page.contains("Degraded:"));
    }

    #[test]
    fn a_run_in_waves_has_each_wave_and_each_host_and_no_total() {
        let waves = record::FleetWaves { planned: 2, ..Default::default() };
        let mut join = analysis::fleet::WaveJoin::new(waves, record::FleetSpan::Own);
        let wave = analysis::judge_record(record::fixture::fleet_record().measured);
        let answer = wave.judgement_or_default().verdict.clone().unwrap().headline;
        join.add_record(wave, units::Nanos(0), units::Nanos::secs(60));
        let left = vec!["host-e".to_owned()];
        let measured = join.finish("run".to_owned(), "id".to_owned(), left).unwrap();
        let record = analysis::judge_record(measured);
        let page = crate::render_html(&record, message::Language::English).unwrap();
        let text = crate::render_terminal(&record, crate::text::Style::PLAIN);
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = format!("Wave 1, 4 hosts: {}", answer.text());
        assert!(flat(&text).contains(&flat(&line)), "{text}");
        for words in ["id=\"waves\"", "350 us (120 us .. 580 us)", "host-c", "1 wave with 1 host"] {
            assert!(page.contains(words), "'{words}' is missing in {page}");
        }
        assert!(!page.contains(">total<") && !page.contains("id=\"skew\""));
    }

    #[test]
    fn a_degraded_run_is_said_to_be_one_next_to_its_numbers() {
        let page = page(|record| record::fixture::lose_host(&mut record.measured));
        for words in [
            "host-b was lost 12.3 s into the run",
            "degraded: 3 of 4 hosts",
            "without host-b",
            "lost: silent for 5 s",
            "Totals marked degraded lack a host",
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
        let lines = page.matches("class=\"t\">host-0").count();
        // Half of them in each chart, each of which is there for phones too.
        assert_eq!(lines, 4 * super::LINES_MAX / 2);
        assert!(page.contains("52 faster hosts"), "said in the captions");
        assert!(page.contains("<th scope=\"row\">host-059</th>"));
    }

    #[test]
    fn a_page_of_thousands_of_hosts_has_the_slow_ones_in_pages_and_stays_small() {
        let page = page(|record| {
            record::fixture::multiply_hosts(&mut record.measured, 4_000);
            let fleet = record.measured.fleet.as_mut().unwrap();
            fleet.span = record::FleetSpan::Own;
            let mut alike = fleet.hosts[0].cells.clone();
            alike.truncate(1);
            for (number, host) in fleet.hosts.iter_mut().enumerate() {
                host.cells.clone_from(&alike);
                host.findings.clear();
                host.labels = [("rack".to_owned(), format!("r{}", number / 40))].into();
                if (1_000..1_070).contains(&number) {
                    host.cells[0].cell.totals.read.as_mut().unwrap().iops /= 2.0;
                }
            }
        });
        for words in [
            "70 of 4,000 hosts are slow: 40 of them have label rack=r25",
            "Slow hosts 1-50",
            "Slow hosts 51-70",
            "host-1069",
            "3,800 more hosts",
        ] {
            assert!(page.contains(words), "'{words}' is missing");
        }
        assert!(page.len() < 600_000, "{} bytes", page.len());
    }
}
