//! Renders a record on stdout: `render RECORD.json html > PAGE.html`, or a made-up record with `-`,
//! `-limit`, `-two`, `-open`, `-fleet`, `-lost` or `-many` for the first; for looking at pages
//! while working on them. With `text` instead of `html`, the terminal's text.
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
    match form.as_str() {
        "text" => print!("{}", report::render_terminal(&record, report::Style::PLAIN)),
        _ => print!("{}", report::render_html(&record).expect("a page")),
    }
}
