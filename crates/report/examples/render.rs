//! Renders a record on stdout: `render RECORD.json html > PAGE.html`, or a made-up record with `-`,
//! `-limit`, `-two`, `-open`, `-fleet`, `-lost` or `-many` for the first; for looking at pages
//! while working on them. With `text` instead of `html`, the
//! terminal's text; with `summary`, its one screen.
#![allow(clippy::print_stdout)]
#![allow(clippy::expect_used, clippy::unwrap_used)]

fn main() {
    let mut args = std::env::args().skip(1);
    let from = args.next().expect("a record, or -");
    let form = args.next().expect("html or text");
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
        path => record::store::load_record(path.as_ref()).expect("a record"),
    };
    record.judgement = Some(analysis::judge(&record.measured));
    let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let tag = std::env::var("TRUEDISK_LANG").unwrap_or_default();
    let language = message::Language::from_locale(&tag).unwrap_or_default();
    let style = report::Style::new(false, language, columns.unwrap_or(80));
    match form.as_str() {
        "summary" => print!("{}", report::render_summary(&record, style)),
        "text" => print!("{}", report::render_terminal(&record, style)),
        _ => print!("{}", report::render_html(&record).expect("a page")),
    }
}
