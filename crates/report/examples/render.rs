//! Renders a record on stdout, for looking at pages while working on them:
//! `render RECORD.json html > PAGE.html`. With `text` instead of `html`, the terminal's text; with
//! `summary`, its one screen; with `svg`, the picture over load. A third word is the language. For
//! RECORD.json: a made-up record with `-`, `-limit`, `-two`, `-open`, `-fleet`, `-lost`, `-many` or
//! `-slow`; or `-trend`.
#![allow(clippy::print_stdout)]
#![allow(clippy::expect_used, clippy::unwrap_used)]

fn main() {
    let mut args = std::env::args().skip(1);
    let from = args.next().expect("a record, or -");
    let form = args.next().expect("html or text");
    let language = message::Language::choose(args.next().as_deref(), |_| None).language;
    if from == "-trend" {
        print!(
            "{}",
            report::render_trend_html(&sample_subject(), &sample_trend(), language)
                .expect("a page")
        );
        return;
    }
    let mut record = match from.as_str() {
        "-" => record::fixture::ssd_record(),
        "-limit" => record::fixture::limit_record(),
        "-two" => record::fixture::two_job_limit_record(),
        "-open" => record::fixture::open_loop_limit_record(),
        "-fleet" => record::fixture::fleet_record(),
        "-lost" => {
            let mut record = record::fixture::fleet_record();
            record::fixture::lose_host(&mut record.measured);
            record
        }
        "-many" => {
            let mut record = record::fixture::fleet_record();
            record::fixture::multiply_hosts(&mut record.measured, 200);
            record
        }
        "-slow" => sample_slow_hosts(),
        path => record::store::load_record(path.as_ref()).expect("a record"),
    };
    record.judgement = Some(analysis::judge(&record.measured));
    let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let style = report::Style::new(false, language, columns.unwrap_or(80));
    match form.as_str() {
        "summary" => print!("{}", report::render_summary(&record, style)),
        "text" => print!("{}", report::render_terminal(&record, style)),
        "svg" => {
            let files = report::render_svg_files(&record, language);
            print!("{}", files.iter().find(|file| file.0 == "load-p99.svg").expect("a picture").1);
        }
        _ => print!("{}", report::render_html(&record, language).expect("a page")),
    }
}

/// Four thousand hosts, of which seventeen are slow, fifteen of them by their firmware.
fn sample_slow_hosts() -> record::Record {
    let mut record = record::fixture::fleet_record();
    record::fixture::multiply_hosts(&mut record.measured, 4_000);
    let fleet = record.measured.fleet.as_mut().unwrap();
    fleet.span = record::FleetSpan::Own;
    let mut alike = fleet.hosts[0].cells.clone();
    alike.truncate(2);
    for (number, host) in fleet.hosts.iter_mut().enumerate() {
        host.cells.clone_from(&alike);
        host.findings.clear();
        host.labels.insert("rack".to_owned(), format!("r{}", number / 40));
        let has_firmware = number % 16 == 5;
        let firmware = if has_firmware { "GXA7402Q" } else { "GXA7801Q" };
        host.target.as_mut().unwrap().stack[0].firmware = Some(firmware.to_owned());
        let is_slow = (has_firmware && number < 240) || number == 999 || number == 2_500;
        let slower = if is_slow { 1.4 + number as f64 / 9e3 } else { 1.0 };
        // Some percent between hosts, without a pattern.
        let spread = (number * 7_919 % 101) as f64 / 1_010.0 + 0.95;
        for part in &mut host.cells {
            part.cell.totals.read.as_mut().unwrap().iops *= spread / slower;
        }
    }
    record
}

fn sample_subject() -> report::TrendSubject {
    let record = record::fixture::ssd_record();
    report::TrendSubject::new(&record, ("randread-4k-qd1", "read"), "/srv/data")
}

/// Runs of sixty days, of which the later half is slower.
fn sample_trend() -> analysis::Trend {
    let point = |place: usize| {
        let level = if place < 30 { 100_000.0 } else { 80_000.0 };
        let value = level * (1.0 + 0.01 * ((place * 7 % 5) as f64 - 2.0));
        let second = 1_795_000_000 + 86_400 * place as i64;
        analysis::TrendPoint {
            id: format!("run-{place}"),
            started: jiff::Timestamp::from_second(second).expect("a time"),
            figure: record::Figure { value, between: Some((value * 0.98, value * 1.02)) },
        }
    };
    analysis::analyse_trend(record::Metric::Iops, (0..60).map(point).collect())
}
