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
        "-" => record::fixture::ssd(),
        "-limit" => record::fixture::limit(),
        "-two" => record::fixture::limit_of_two(),
        "-open" => record::fixture::limit_open(),
        "-fleet" => record::fixture::fleet(),
        "-lost" => {
            let mut record = record::fixture::fleet();
            record::fixture::lose_host(&mut record.measured);
            record
        }
        "-many" => {
            let mut record = record::fixture::fleet();
            record::fixture::multiply_hosts(&mut record.measured, 200);
            record
        }
        path => record::store::load(path.as_ref()).expect("a record"),
    };
    record.judgement = Some(analysis::judge(&record.measured));
    match form.as_str() {
        "text" => print!("{}", report::terminal(&record, report::Style { colour: false })),
        _ => print!("{}", report::html(&record).expect("a page")),
    }
}
