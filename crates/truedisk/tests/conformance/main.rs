//! Ours against the real fio, on the same command lines and job files.
//!
//! `TRUEDISK_FIO` is the command under test (the built `truedisk fio`), `FIO_REAL` the reference
//! (`/usr/bin/fio`, 3.33). `FIO_CASE=<name>` runs one case alone and shows both outputs:
//! `FIO_CASE=rw-randread cargo test --test conformance one_case -- --nocapture`.
//! Differences that are meant stand in `known_differences.txt`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests may fail

mod cases;
mod clients;
mod compare;
mod coverage;
mod examples;
mod exchange;
mod harness;
mod network;
mod page_cache;
mod system;
mod trims;

use std::collections::BTreeSet;

use harness::{group, known::read_known_differences, say, wanted};

macro_rules! groups {
    ($($name:ident),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                group(cases::$name());
            }
        )*

        /// All cases, by group.
        fn groups() -> Vec<(&'static str, Vec<harness::case::Case>)> {
            vec![$((stringify!($name), cases::$name())),*]
        }
    };
}

groups!(
    command_line,
    outputs,
    job_files,
    units,
    patterns,
    block_sizes,
    engines,
    jobs,
    order,
    times,
    files,
    file_steps,
    distributions,
    payload,
    layout_content,
    durability,
    rates,
    goals,
    verify,
    zones_and_trim,
    errors,
    placement,
    logs,
    replay,
    refusals,
    added,
);

/// Shows the case of `FIO_CASE`; clients and examples by `client-...`, `example-...`.
#[test]
fn one_case() {
    let Some(name) = wanted() else { return };
    let found = groups().into_iter().flat_map(|(_, cases)| cases).find(|case| case.name == name);
    let verdict = if let Some(case) = found {
        harness::both(&case, true)
    } else if let Some(client) = name.strip_prefix("client-") {
        clients::one(client)
    } else if let Some(file) = name.strip_prefix("example-") {
        examples::one(file, true)
    } else {
        panic!("no case '{name}'\nhint: the test 'names' lists them")
    };
    say(&format!("===== verdict: {verdict:#?}"));
    assert!(matches!(verdict, Ok(harness::Verdict::Same | harness::Verdict::Skipped)));
}

/// Lists all cases; names are unique, and those of the known differences exist.
#[test]
fn names() {
    let mut all: BTreeSet<String> = BTreeSet::new();
    let mut total = 0;
    for (group, cases) in groups() {
        total += cases.len();
        println!("{group}: {} cases", cases.len());
        for case in &cases {
            println!("  {}", case.name);
            assert!(all.insert(case.name.to_string()), "{} stands twice", case.name);
        }
    }
    all.extend(clients::names().into_iter().map(|name| format!("client-{name}")));
    all.extend(examples::names().into_iter().map(|name| format!("example-{name}")));
    println!("{total} cases, {} with clients and examples", all.len());
    assert!(total >= 180, "only {total} cases");
    for name in read_known_differences().expect("known_differences.txt").keys() {
        assert!(all.contains(name), "known_differences.txt: there is no case '{name}'");
    }
}
