//! Tables of values. What they expect was measured with fio 3.33 (printed block sizes, JSON,
//! bytes written) unless the doc of [`super::values`] lists it as a difference.

mod compare;
mod numbers;
mod real_fio;
mod resolved;
mod words;

use super::job::JobOptions;
use super::lookup::{all_options, find_registered, option_names};
use super::values::{apply_option, apply_options};
use crate::read::{Origin, Place, RawOption, ReadError};

/// An option as the reader gives it.
pub(super) fn raw(name: &'static str, value: Option<&str>) -> RawOption {
    let spec = crate::options::lookup::find_option(name).unwrap();
    let place = Place::new("job.fio".into(), 3, 1);
    let value = value.map(str::to_owned);
    RawOption {
        name: spec.name,
        spec,
        value,
        unexpanded: None,
        evaluated: None,
        place,
        origin: Origin::Own,
    }
}

/// The options after one value each; `-` alone is a bare option.
pub(super) fn set(options: &[(&'static str, &str)]) -> Result<JobOptions, ReadError> {
    let raws: Vec<RawOption> = options
        .iter()
        .map(|(name, value)| raw(name, if *value == "-" { None } else { Some(value) }))
        .collect();
    let mut job = JobOptions::default();
    apply_options(&mut job, &raws)?;
    Ok(job)
}

/// Reads values of one option, and compares a field.
pub(super) fn check<T: PartialEq + std::fmt::Debug>(
    name: &'static str,
    field: fn(&JobOptions) -> T,
    cases: &[(&str, T)],
) {
    for (value, expected) in cases {
        let job = set(&[(name, value)]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(&field(&job), expected, "{name}={value}");
    }
}

/// Values that are errors, which name the option and the place.
pub(super) fn check_wrong(name: &'static str, values: &[&str]) {
    for value in values {
        let error = match set(&[(name, value)]) {
            Ok(_) => panic!("{name}={value} was taken"),
            Err(error) => error.to_string(),
        };
        assert!(error.starts_with("job.fio:3:1: "), "{error}");
        assert!(error.contains(name), "{error}");
    }
}

#[test]
fn errors_say_where_what_and_what_next() {
    let text = |name, value| set(&[(name, value)]).unwrap_err().to_string();
    for (name, value, expected) in [
        (
            "bs",
            "1.5k",
            "job.fio:3:1: bs=1.5k: 1.5k has decimals; expected a whole number of bytes with k, m, \
             g, t or p, such as 4k or 1g",
        ),
        (
            "sync",
            "often",
            "job.fio:3:1: sync=often: often is not one of the choices; expected one of none, 0, \
             sync, 1, dsync",
        ),
        (
            "nice",
            "20",
            "job.fio:3:1: nice=20: it is out of range; expected a whole number from -20 to 19",
        ),
        (
            "size",
            "",
            "job.fio:3:1: size has no value; expected a size such as 1g, a percentage up to \
             100% or zones such as 4z",
        ),
    ] {
        assert_eq!(text(name, value), expected);
    }
}

#[test]
fn every_name_is_in_the_tables_once() {
    let mut names: Vec<&str> = all_options().flat_map(option_names).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    let has_setter = |name| find_registered(name).is_some_and(|option| option.set.is_some());
    assert!(has_setter("bs") && has_setter("blocksize") && !has_setter("bsx"));
}

#[test]
fn notes_are_made_of_products_and_switches() {
    let mut job = JobOptions::default();
    let mut note = |name, value| {
        apply_option(&mut job, &raw(name, Some(value))).unwrap().map(|note| note.to_string())
    };
    assert_eq!(
        note("iodepth", "128*1").as_deref(),
        Some("job.fio:3:1: iodepth: read as the product, 128; fio drops what follows the *")
    );
    assert_eq!(
        note("time_based", "10").as_deref(),
        Some("job.fio:3:1: time_based: it is a switch; 10 means 1")
    );
    assert_eq!(note("bs", "4k"), None);
    assert_eq!(
        note("bsrange", "512/25:1k:4k/75").as_deref(),
        Some(
            "job.fio:3:1: bsrange: read as 512-1k, as fio reads it; for shares of sizes use bssplit"
        )
    );
    assert!(note("flow", "-8").is_some_and(|note| note.contains("a weight of 4294967288")));
    assert_eq!(note("bsrange", "512-4k"), None);
    assert!(note("bssplit", "4k/10:8k/20").is_some());
    assert!(note("bssplit", "4k/33:8k/33:16k/33").is_none());
}

#[test]
fn defaults_are_fios() {
    let job = JobOptions::default();
    assert_eq!(job.pattern.bs, [4096; 3]);
    assert_eq!(job.pattern.rw.operation.word(), "read");
    assert_eq!(job.engine.engine.word(), "psync");
    assert_eq!((job.run.loops, job.run.numjobs, job.target.nrfiles), (1, 1, 1));
    assert!(job.target.invalidate && job.pattern.randrepeat);
    assert_eq!(job.report.percentile_list.len(), 17);
    assert_eq!(job.report.bwavgtime_ms, 500);
}
