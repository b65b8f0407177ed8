//! Renders a record's page: `render RECORD.json PAGE.html`, or the made-up record with `-` for
//! the first; for looking at pages while working on them.
#![allow(clippy::expect_used, clippy::unwrap_used)]

fn main() {
    let mut args = std::env::args().skip(1);
    let from = args.next().expect("a record, or -");
    let to = args.next().expect("where the page goes");
    let mut record = if from == "-" {
        record::fixture::ssd()
    } else {
        record::store::load(from.as_ref()).expect("a record")
    };
    analysis::judge(&mut record);
    std::fs::write(to, report::html(&record).expect("a page")).expect("written");
}
