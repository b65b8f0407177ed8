//! What holds of every screen and of every full text.

use std::collections::BTreeSet;

use message::Language;
use record::{Completion, Record};
use units::{Iops, Nanos};

use super::{lines_max, render_summary};
use crate::render_terminal;
use crate::text::{Style, text_width};

fn judged(mut record: Record) -> Record {
    record.judgement = Some(analysis::judge(&record.measured));
    record
}

/// Repeats that differ, so that a pooled figure is none of a single visit.
fn check_record() -> Record {
    let mut record = record::fixture::ssd_record();
    for name in ["randread-4k-qd1-repeat", "syncwrite-4k"] {
        let Some(mut cell) = record.measured.cell(name).cloned() else { continue };
        for totals in [&mut cell.totals.read, &mut cell.totals.write, &mut cell.totals.sync] {
            totals.iter_mut().for_each(|totals| totals.iops *= 1.013);
        }
        cell.name = format!("{name}-2");
        record.measured.cells.push(cell);
    }
    judged(record)
}

/// A check in which the disk slowed itself down, on the last of its spare blocks.
pub(crate) fn hot_record() -> Record {
    let mut record = record::fixture::ssd_record();
    let device = record.measured.targets[0].stack[0].name.clone();
    let at = |celsius, seconds| record::DiskHealth {
        celsius: Some(celsius),
        nvme: Some(record::NvmeHealth {
            spare_percent: 4,
            spare_min_percent: 10,
            heavy_throttled: Nanos::secs(seconds),
            ..Default::default()
        }),
        ..Default::default()
    };
    let (start, end) = (at(38.0, 7), at(81.0, 41));
    record.measured.health = vec![record::RunHealth { device, start, end }];
    judged(record)
}

#[test]
fn a_percentile_whose_interval_is_too_wide_is_marked_everywhere() {
    let shown_with = |half: f64| {
        let mut record = record::fixture::ssd_record();
        let cells = &mut record.measured.cells;
        cells.retain(|cell| cell.name == "randread-4k-qd1");
        let cell = &mut cells[0];
        let value = cell.totals.read.as_ref().unwrap().latency_ns.percentiles["p99"] as f64;
        let (low, high) = (Some(value * (1.0 - half)), Some(value * (1.0 + half)));
        let (n, n_effective, method) = (1000, None, message::Message::default());
        let p99 = stats::Estimate { value, low, high, n, n_effective, method };
        let percentiles = [("p99".to_owned(), p99)].into_iter().collect();
        cell.confidence.percentiles_ns.read = Some(Box::new(percentiles));
        let record = judged(record);
        let language = Language::English;
        [
            render_summary(&record, Style::PLAIN),
            crate::render_html(&record, language).unwrap(),
            crate::build_record_table(&record, language).unwrap().to_markdown(),
        ]
    };
    let measured = record::fixture::ssd_record().measured;
    let reads = measured.cell("randread-4k-qd1").unwrap().totals.read.as_ref().unwrap();
    let p99 = Nanos(reads.latency_ns.percentiles["p99"]).to_string();
    let marked = format!("~{p99}");
    let key = "~ no figure: its interval is wider than ±25 %";
    let has = |half: f64, words: &str| shown_with(half).map(|text| text.contains(words));
    assert_eq!((has(0.3, &marked), has(0.3, key)), ([true; 3], [true; 3]));
    assert_eq!(
        (has(0.2, &p99), has(0.2, &marked), has(0.2, key)),
        ([true; 3], [false; 3], [false; 3])
    );
}

#[test]
fn what_a_disk_says_of_heat_stands_in_both_texts() {
    let record = hot_record();
    let words = "by its own count it slowed itself down because of heat for about 34 s of this \
                 run; its spare blocks are at 4 %, below its maker's minimum of 10 %";
    let style = Style { width: 300, ..Style::PLAIN };
    for text in [render_summary(&record, style), render_terminal(&record, style)] {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(text.matches(words).count(), 1, "{text}");
    }
}

fn records() -> Vec<(&'static str, Record)> {
    let mut lost = record::fixture::fleet_record();
    record::fixture::lose_host(&mut lost.measured);
    let mut many = record::fixture::fleet_record();
    record::fixture::multiply_hosts(&mut many.measured, 60);
    let mut cut = record::fixture::ssd_record();
    cut.measured.cells.truncate(2);
    let reason = "interrupted".to_owned();
    cut.measured.completion =
        Completion::Partial { reason: message::Message::from_text(reason), failed: false };
    let mut invalid = record::fixture::ssd_record();
    for cell in &mut invalid.measured.cells {
        cell.ledger.layers[0].read_bytes = units::Bytes(0);
    }
    vec![
        ("check", check_record()),
        ("hot", hot_record()),
        ("cut", judged(cut)),
        ("invalid", judged(invalid)),
        ("limit", judged(record::fixture::limit_record())),
        ("two jobs", judged(record::fixture::two_job_limit_record())),
        ("open loop", judged(record::fixture::open_loop_limit_record())),
        ("sweep", crate::sweep::tests::record(&[1, 2, 4, 8, 16, 32, 64, 128])),
        ("preset", crate::preset::tests::render_with(|_| ())),
        ("replay", crate::html::replay_charts::tests::searched()),
        ("fleet", judged(record::fixture::fleet_record())),
        ("lost", judged(lost)),
        ("many", judged(many)),
    ]
}

fn every_terminal() -> impl Iterator<Item = (Language, usize)> {
    let widths = |language| [60, 80, 100, 160].map(|width| (language, width));
    Language::ALL.into_iter().flat_map(widths)
}

/// Whatever has no screen of a run: lists, explanations, comparisons, trends.
#[test]
fn every_other_text_fits_its_terminal() {
    let check = |name: &str, render: &dyn Fn(Style) -> String| {
        for (language, width) in every_terminal() {
            let text = render(Style::new(false, language, width));
            let wide = text.lines().find(|line| text_width(line) > width);
            assert_eq!(wide, None, "{name} in {} at {width}", language.tag());
        }
    };
    let record = check_record();
    let mut run = record::RunSummary::from_record(&record);
    run.tags = vec!["nightly".to_owned()];
    check("history list", &|style| crate::render_runs(&[run.clone(), run.clone()], style));
    let mut other = check_record();
    other.measured.id.push('b');
    other.measured.cells[0].totals.read.as_mut().unwrap().iops *= 0.5;
    check("history diff", &|style| crate::render_diff(&record, &other, style));
    check("explain", &crate::render_explanations);
    for topic in crate::Topic::list() {
        check(topic.name(), &|style| crate::render_explanation(topic, style));
    }
    let group = |record| {
        let runs = vec![(record, "/srv/records/of/the/disk.json".to_owned())];
        analysis::compare::Group { runs, price: None }
    };
    let criteria = analysis::compare::ComparisonCriteria::with_defaults("0.1.0");
    let groups = [group(&record), group(&other)];
    let compared = analysis::compare::compare_groups(&groups, &criteria).unwrap();
    check("compare", &|style| crate::render_comparison_summary(&compared, style));
    check("compare -v", &|style| crate::render_comparison_text(&compared, style));
}

#[test]
fn a_run_fits_one_screen_of_any_width() {
    for (name, record) in records() {
        for (language, width) in every_terminal() {
            let style = Style::new(false, language, width);
            let summary = render_summary(&record, style);
            let count = summary.lines().count();
            assert!(count <= lines_max(style), "{name}: {count} lines at {width}:\n{summary}");
            for line in summary.lines().chain(render_terminal(&record, style).lines()) {
                let columns = text_width(line);
                let at = format!("{name} in {}: {columns} of {width}", language.tag());
                assert!(columns <= width, "{at} columns: {line}");
            }
        }
    }
}

#[test]
fn no_number_is_broken() {
    for (name, record) in records() {
        let style = |width| Style::new(false, Language::English, width);
        let numbers = |width| -> BTreeSet<String> {
            large_numbers(&render_summary(&record, style(width))).into_iter().collect()
        };
        let wide = numbers(160);
        let narrow = numbers(60);
        // A narrow terminal shows less, and nothing else.
        assert!(narrow.is_subset(&wide), "{name}: {narrow:?} of {wide:?}");
    }
}

/// Numbers of at least 1,000, as `units` prints them.
pub(crate) fn large_numbers(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, ',' | '.');
    let words = text.split(|c: char| !is_part(c)).map(|word| word.trim_matches([',', '.']));
    words.filter(|word| word.contains(',')).map(str::to_owned).collect()
}

/// Every rate that the record gives for a load, of all visits to it together.
fn pooled_figures(record: &Record) -> BTreeSet<String> {
    let judgement = record.judgement_or_default();
    let mut rates: Vec<f64> = Vec::new();
    let mut pool = |names: &[String]| {
        let cells: Vec<_> = names.iter().filter_map(|name| record.measured.cell(name)).collect();
        let Some(cell) = analysis::pool_cells(&cells) else { return };
        rates.extend(cell.totals.iter().map(|(_, totals)| totals.iops));
        rates.extend(cell.totals.iter().map(|(_, totals)| totals.bytes_per_second / 1e6));
    };
    for curve in &judgement.curves {
        curve.all_points().iter().for_each(|point| pool(&point.cells));
    }
    let role = |wanted: record::CellRole| -> Vec<String> {
        let cells = record.measured.cells.iter().filter(|cell| cell.role == wanted);
        cells.filter(|cell| cell.job.sync.is_some()).map(|cell| cell.name.clone()).collect()
    };
    pool(&role(record::CellRole::Main));
    for curve in &judgement.curves {
        rates.extend(curve.all_points().iter().map(|point| point.iops));
        let sizes = curve.block_size.0 as f64 / 1e6;
        rates.extend(curve.all_points().iter().map(|point| point.iops * sizes));
        for limit in &curve.limits {
            rates.extend(
                [Some(limit.iops.value), limit.iops.low, limit.iops.high].into_iter().flatten(),
            );
            rates.extend(limit.rate.map(|rate| rate.0));
            rates.extend(limit.parts.iter().map(|part| part.iops));
        }
        rates.extend(curve.all_points().iter().filter_map(|point| Some(point.rate?.0)));
        // Of two jobs, each has its own cells.
        for point in curve.all_points().into_iter().filter(|_| curve.independent) {
            let directions = workload::Direction::ALL.into_iter();
            let of = |direction| crate::limit::direction_iops(record, point, direction);
            rates.extend(directions.filter_map(of));
        }
        rates.extend(curve.shape.as_ref().map(|shape| shape.ceiling_iops));
    }
    for law in &judgement.two_limits {
        for (estimate, unit) in [(&law.iops, 1.0), (&law.bytes_per_second, 1e6)] {
            let ends = estimate.iter().flat_map(|of| [Some(of.value), of.low, of.high]);
            rates.extend(ends.flatten().map(|rate| rate / unit));
        }
    }
    for step in judgement.preset.iter().flat_map(|preset| &preset.steps) {
        rates.extend(step.figures.iter().map(|figures| figures.iops.value));
        rates.extend(step.figures.iter().map(|figures| figures.bytes_per_second.value / 1e6));
        rates.extend(step.figures.iter().map(|figures| figures.score.bytes_per_second / 1e6));
    }
    for host in record.measured.fleet.iter().flat_map(|fleet| &fleet.hosts) {
        rates.extend(host.cells.iter().map(|part| part.cell.iops()));
    }
    let replays = record.measured.cells.iter();
    rates.extend(
        replays.filter(|cell| cell.role == record::CellRole::Replay).map(record::Cell::iops),
    );
    if let record::Purpose::Replay(plan) = &record.measured.plan.purpose {
        rates.extend(plan.load.requests.iter().map(|(_, count)| *count as f64));
    }
    let mut known: BTreeSet<String> = rates.iter().map(|rate| Iops(*rate).to_string()).collect();
    // While all hosts ran, and until the last was done: other figures than the whole.
    for timing in crate::fleet::build_fleet_report(record, Language::English)
        .iter()
        .flat_map(|fleet| &fleet.met)
    {
        known.extend([timing.first_iops.clone(), timing.last_iops.clone()]);
    }
    known
}

/// Rates of typical devices, and those that a use needs, which stand beside the run's own.
fn is_reference(text: &str, number: &str) -> bool {
    let usual = text.split("is usual in this class").filter_map(|before| before.rsplit_once('('));
    let of_class = usual.map(|(_, range)| range).any(|range| range.contains(number));
    let words = [format!("({number} IOPS, "), format!("times the {number} needed")];
    of_class || words.iter().any(|words| text.contains(words))
}

/// What a page says, without the numbers of its axes.
pub(crate) fn page_text(page: &str) -> String {
    let without = |text: &str, start: &str, end: &str| -> String {
        let mut parts = text.split(start);
        let first = parts.next().unwrap_or("").to_owned();
        let rest = parts.map(|part| part.split_once(end).map_or("", |(_, rest)| rest));
        [first.as_str()].into_iter().chain(rest).collect::<Vec<_>>().join(" ")
    };
    let text = without(page, "<style>", "</style>");
    let text = without(&text, "class=\"s\">", "</text>");
    without(&text, "<", ">")
}

#[test]
fn one_figure_has_one_value() {
    for (name, record) in records() {
        let known = pooled_figures(&record);
        let style = Style::new(false, Language::English, 100);
        let is_axis = |line: &&str| line.trim_start().starts_with("0  ");
        let flat = |text: String| {
            let lines = text.lines().filter(|line| !is_axis(line));
            lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
        };
        let page = page_text(&crate::render_html(&record, Language::English).unwrap());
        let texts = [render_summary(&record, style), render_terminal(&record, style), page];
        for text in texts.map(flat) {
            for number in large_numbers(&text) {
                let known = known.contains(&number) || is_reference(&text, &number);
                assert!(known, "{name}: {number} is no pooled figure in:\n{text}");
            }
        }
    }
}

#[test]
fn the_row_of_the_answer_has_the_interval_of_the_answer() {
    let mut record = judged(record::fixture::ssd_record());
    let curve = &mut record.judgement.as_mut().unwrap().curves[0];
    for limit in &mut curve.limits {
        limit.iops.low = Some(0.83 * limit.iops.value);
        limit.iops.high = Some(1.17 * limit.iops.value);
    }
    let text = render_summary(&record, Style::PLAIN);
    let row = text.lines().find(|line| line.contains("random read 4k, depth 64 *"));
    assert!(row.is_some_and(|row| row.contains("±17 %")), "{text}");
}

#[test]
fn a_rate_with_a_wide_interval_is_no_figure() {
    let mut record = record::fixture::ssd_record();
    for cell in &mut record.measured.cells {
        if let Some(estimate) = &mut cell.confidence.iops.write {
            estimate.low = Some(0.5 * estimate.value);
            estimate.high = Some(1.5 * estimate.value);
        }
    }
    let text = render_summary(&judged(record), Style::PLAIN);
    assert!(text.contains("sequential write") && text.contains(" ~"), "{text}");
    assert!(text.contains("~ no figure: its interval is wider than ±25 %"), "{text}");
    assert!(!text.contains("backups and streaming"), "{text}");
}

#[test]
fn what_a_table_lacks_is_explained_below_it() {
    let shown_with = |has_interval: bool| {
        let mut record = record::fixture::ssd_record();
        let kept = ["randread-4k-qd1", "randread-4k-qd16"];
        record.measured.cells.retain(|cell| kept.contains(&cell.name.as_str()));
        if !has_interval {
            let cell = record.measured.cells.iter_mut().find(|cell| cell.name == kept[0]);
            cell.unwrap().confidence.iops.read = None;
        }
        let text = render_summary(&judged(record), Style::PLAIN);
        let row = text.lines().find(|line| line.contains("random read 4k, depth 1 "));
        let row = row.unwrap_or_else(|| panic!("{text}"));
        let is_missing = row.split_whitespace().any(|word| word == "-");
        (is_missing, text.contains("- too few samples"))
    };
    assert_eq!(shown_with(true), (false, false));
    assert_eq!(shown_with(false), (true, true));
}

#[test]
fn the_answer_of_a_promise_comes_first() {
    let mut record = record::fixture::ssd_record();
    record.measured.promise = Some(record::Promise {
        asked: "iops=200000".to_owned(),
        title: None,
        items: vec![record::Promised {
            what: record::PromisedWhat::Iops,
            direction: None,
            always: 200_000.0,
            burst: None,
        }],
        share: 0.98,
        share_because: message::Message::default(),
        io_unit: None,
        accounting: message::Message::default(),
        burst_lasts: None,
        only_limits: false,
        notes: Vec::new(),
        sources: Vec::new(),
    });
    let text = render_summary(&judged(record), Style::PLAIN);
    let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("'{words}' in:\n{text}"));
    assert!(place("Promised: iops=200000") < place("NOT KEPT  random reads: 200,000 IOPS"));
    assert!(place("NOT KEPT") < place("[trusted]"));
}

#[test]
fn a_resumed_run_lasts_as_long_as_it_measured() {
    let mut record = record::fixture::ssd_record();
    let whole = crate::words::measured_time(&record);
    record.measured.finished += std::time::Duration::from_secs(700);
    record.measured.resumed = vec![record::Resumed {
        at: record.measured.finished - std::time::Duration::from_secs(10),
        command: record.measured.command.clone(),
        cells: 2,
    }];
    let cells = &record.measured.cells[..2];
    let before: u64 = cells.iter().map(|cell| cell.elapsed.0).sum();
    let expected = std::time::Duration::from_nanos(before + Nanos::secs(10).0);
    assert_eq!(crate::words::measured_time(&record), expected);
    assert!(whole > std::time::Duration::ZERO);
}
