//! Files of records: what was written once is read for ever; what is no record is refused.

#![allow(clippy::unwrap_used)] // also helpers of tests may fail

use std::path::Path;

use record::Purpose;
use record::store::{self, StoreError};

/// Records as each version wrote them. They are never edited: a change that cannot read one any
/// more needs a new schema version, and a golden file of its own.
const GOLDEN: &str = "tests/golden/v1.json";
const SEARCH: &str = "tests/golden/v2.json";
const MANY_HOSTS: &str = "tests/golden/v3.json";
const JUDGED_APART: &str = "tests/golden/v4.json";
const IN_STEPS: &str = "tests/golden/v5.json";
const WATCH: &str = "tests/golden/watch.json";
const WAVES: &str = "tests/golden/waves.json";

#[test]
fn the_first_schema_is_read_for_ever() {
    let record = store::load_record(Path::new(GOLDEN)).unwrap();
    assert_eq!(record.schema_version, record::SCHEMA_VERSION, "it is read as the newest");
    let standard = Purpose::Check { effort: record::Effort::Standard, until_throttled: None };
    assert_eq!(record.measured.plan.purpose, standard);
    assert_eq!(record.measured.plan.bounds, ["p99<10ms".parse().unwrap()]);
    assert_eq!(record.measured.id, "20261118T110640Z-0badcafe");
    let cell = record.measured.cell("randread-4k-qd1").unwrap();
    let read = cell.totals.read.as_ref().unwrap();
    assert_eq!(read.latency_ns.histogram.to_histogram().unwrap().count(), read.ops);
    // A judgement of an older version is made again, by `analysis::judge`.
    assert!(record.judgement.is_none());
    // What is written today holds all that was read.
    let again: record::Record = serde_json::from_str(&store::to_json(&record).unwrap()).unwrap();
    assert_eq!(again, record);
}

#[test]
fn records_of_one_host_are_read_as_they_were() {
    let record = store::load_record(Path::new(SEARCH)).unwrap();
    assert_eq!(record.schema_version, record::SCHEMA_VERSION);
    assert!(record.measured.fleet.is_none());
    assert_eq!(record.measured.host().as_deref(), Some("db-3"));
    assert_eq!((record.measured.plan.purpose.name(), record.measured.cells.len()), ("limit", 4));
}

#[test]
fn totals_of_many_hosts_come_with_the_hosts() {
    let record = store::load_record(Path::new(MANY_HOSTS)).unwrap();
    assert_eq!(record.measured.host().as_deref(), Some("3 of 4 hosts"));
    assert_eq!(record::RunSummary::from_record(&record).host.as_deref(), Some("3 of 4 hosts"));
    let fleet = record.measured.fleet.as_ref().unwrap();
    for (cell, met) in record.measured.cells.iter().zip(&fleet.cells) {
        assert_eq!(cell.name, met.cell);
        let parts: Vec<&str> =
            fleet.host_cells(&cell.name).map(|(host, _)| host.name.as_str()).collect();
        assert_eq!(parts, met.hosts, "{}", cell.name);
        let ops = |cell: &record::Cell| cell.totals.read.as_ref().unwrap().ops;
        let of_hosts: u64 = fleet.host_cells(&cell.name).map(|(_, part)| ops(&part.cell)).sum();
        let left = fleet.missing_hosts(met).len();
        assert_eq!(met.hosts.len() + left, 4);
        assert_eq!(ops(cell), of_hosts, "{}", cell.name);
    }
    let again: record::Record = serde_json::from_str(&store::to_json(&record).unwrap()).unwrap();
    assert_eq!(again, record);
}

#[test]
fn a_judgement_is_read_beside_what_was_measured() {
    let record = store::load_record(Path::new(JUDGED_APART)).unwrap();
    assert_eq!((record.schema_version, record.measured.cells.len()), (record::SCHEMA_VERSION, 4));
    let judgement = record.judgement.as_ref().unwrap();
    assert_eq!(judgement.curves[0].points.len(), 4);
    assert!(judgement.verdict.as_ref().unwrap().headline.text().contains("within p99<1ms"));
    // The same run with its histograms in steps.
    assert_eq!(record, store::load_record(Path::new(IN_STEPS)).unwrap());
}

#[test]
fn buckets_of_histograms_are_kept_as_steps() {
    let record = store::load_record(Path::new(IN_STEPS)).unwrap();
    let kept = std::fs::read_to_string(IN_STEPS).unwrap();
    assert!(kept.contains("\"steps\":[") && !kept.contains("\"index\":["));
    assert_eq!(store::to_json(&record).unwrap(), kept);
    let totals = record.measured.cells[0].totals.read.as_ref().unwrap();
    assert_eq!(totals.latency_ns.histogram.to_histogram().unwrap().count(), totals.ops);
}

#[test]
fn a_watch_is_read_as_it_was_written() {
    let record = store::load_record(Path::new(WATCH)).unwrap();
    assert_eq!((record.schema_version, record.measured.command_name()), (5, "watch"));
    let watch = record.measured.watch.as_ref().unwrap();
    let disk = &watch.disks[0];
    let read: u64 =
        disk.series.iter().filter_map(|point| Some(point.read.as_ref()?.operations)).sum();
    assert_eq!(read, disk.read.operations);
    assert!(disk.read.percentile("p99").is_some() && disk.read.histogram().is_some());
    let verdict = record.judgement.as_ref().unwrap().verdict.as_ref().unwrap();
    assert_eq!(verdict.headline, disk.sentence);
    let again = std::fs::read_to_string(WATCH).unwrap();
    assert_eq!(store::to_json(&record).unwrap(), again);
}

#[test]
fn a_run_in_waves_is_read_as_it_was_written() {
    let record = store::load_record(Path::new(WAVES)).unwrap();
    assert!(record.measured.cells.is_empty(), "no total of hosts that did not run together");
    let fleet = record.measured.fleet.as_ref().unwrap();
    let waves = fleet.waves.as_ref().unwrap();
    assert_eq!((waves.planned, waves.at_most, waves.begun.len()), (3, Some(1), 3));
    let without: Vec<&str> = waves
        .begun
        .iter()
        .filter(|wave| wave.record.is_none())
        .map(|wave| wave.hosts[0].as_str())
        .collect();
    assert_eq!(without, ["b"]);
    assert!(fleet.host("b").unwrap().lost.is_some());
    let again = std::fs::read_to_string(WAVES).unwrap();
    assert_eq!(store::to_json(&record).unwrap(), again);
}

#[test]
fn what_is_no_record_is_refused_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let golden = std::fs::read_to_string(GOLDEN).unwrap();
    let check = |text: &str, words: &str| {
        let path = folder.path().join("x.json");
        std::fs::write(&path, text).unwrap();
        let error = store::load_record(&path).unwrap_err().to_string();
        assert!(error.contains(words) && error.contains("x.json"), "{error}");
    };
    check(&golden[..golden.len() / 2], "is not a truedisk record");
    check("{}", "is not a truedisk record");
    check("", "is not a truedisk record");
    let newer = golden.replacen("\"schema_version\":1", "\"schema_version\":999", 1);
    check(&newer, "schema version 999, this truedisk reads up to 5");
    let missing = store::load_record(&folder.path().join("none.json")).unwrap_err();
    assert!(matches!(missing, StoreError::Io { .. }));
}

#[test]
fn the_folder_follows_the_environment() {
    let with = |pairs: &'static [(&str, &str)]| {
        store::default_folder(|name| {
            pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        })
    };
    assert_eq!(
        with(&[("XDG_DATA_HOME", "/data"), ("HOME", "/root")]).unwrap(),
        Path::new("/data/truedisk")
    );
    assert_eq!(with(&[("HOME", "/root")]).unwrap(), Path::new("/root/.local/share/truedisk"));
    // The specification says to ignore a relative path.
    assert_eq!(
        with(&[("XDG_DATA_HOME", "data"), ("HOME", "/h")]).unwrap(),
        Path::new("/h/.local/share/truedisk")
    );
    assert!(matches!(with(&[]), Err(StoreError::NoHome)));
}

#[test]
fn the_schema_that_is_printed_is_that_of_the_types() {
    let printed: serde_json::Value = serde_json::from_str(store::JSON_SCHEMA).unwrap();
    assert!(
        printed == store::derive_schema(),
        "cargo run -q -p record --features schema --example schema > crates/record/schema.json"
    );
}
