//! Shapes and figures against the real fio, where it is installed.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;
use stats::LatencyHistogram;

use super::{render_json, render_terse};
use crate::bins::{count_bins, percentiles_ns};
use crate::results::{
    DirectionResult, DiskUse, Idleness, JobResult, RunResult, SteadyState, Unified,
};

/// Keys that 3.42 prints and fio up to 3.33 does not.
const NEWER: [&str; 5] =
    ["job_start", "latency_target_ns", "latency_window_us", "read_sectors", "write_sectors"];

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = PathBuf::from(format!("/var/tmp/fioprint-{}-{n}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What fio prints for these arguments; `None` where there is no fio.
fn fio(test: &str, arguments: &[&str]) -> Option<String> {
    let folder = Folder::new();
    let result = Command::new("fio").args(arguments).current_dir(&folder.0).output();
    let Ok(output) = result else {
        eprintln!("{test}: skipped, no fio in PATH");
        return None;
    };
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{arguments:?}: {text}");
    Some(text)
}

fn value<'a>(arguments: &[&'a str], option: &str) -> Option<&'a str> {
    let all = arguments.iter().filter_map(|a| a.strip_prefix("--")?.split_once('='));
    all.filter(|(name, _)| *name == option).map(|(_, value)| value).next_back()
}

fn is_on(arguments: &[&str], option: &str, default: bool) -> bool {
    let bare = arguments.iter().any(|a| a.strip_prefix("--") == Some(option));
    value(arguments, option).map_or(bare || default, |v| v != "0")
}

fn direction(asynchronous: bool) -> DirectionResult {
    let mut result = DirectionResult { bytes: 12_288, ops: 3, ..DirectionResult::default() };
    result.runtime_ms = 1;
    for latency in [60, 70, 5000] {
        if asynchronous {
            result.slat.record(latency);
        }
        result.clat.record(latency);
        result.lat.record(latency * 2);
    }
    result
}

/// A run as the arguments ask for; its figures are made up.
fn run_of(arguments: &[&str]) -> RunResult {
    let on = |option, default| is_on(arguments, option, default);
    let mut job = JobResult { name: "a".to_owned(), ..JobResult::default() };
    job.options = vec![("name".to_owned(), "a".to_owned())];
    let asynchronous = value(arguments, "iodepth").is_some_and(|depth| depth != "1");
    let rw = value(arguments, "rw").unwrap();
    if rw.contains("read") || rw.ends_with("rw") {
        job.read = direction(asynchronous);
    }
    if rw.contains("write") || rw.ends_with("rw") {
        job.write = direction(asynchronous);
    }
    if rw.contains("trim") {
        job.trim = direction(asynchronous);
    }
    if value(arguments, "fsync").is_some() {
        job.sync.ops = 1;
        job.sync.lat.record(1000);
    }
    let reduced = on("gtod_reduce", false);
    let display = &mut job.display;
    display.disable_lat = reduced || on("disable_lat", false);
    display.disable_clat = reduced || on("disable_clat", false);
    display.disable_slat = reduced || on("disable_slat", false);
    display.clat_percentiles = on("clat_percentiles", true);
    display.lat_percentiles = on("lat_percentiles", false);
    display.slat_percentiles = on("slat_percentiles", false);
    if let Some(list) = value(arguments, "percentile_list") {
        display.percentile_list = list.split(':').map(|p| p.parse().unwrap()).collect();
        display.percentile_list.sort_by(f64::total_cmp);
    }
    display.unified = match value(arguments, "unified_rw_reporting") {
        Some("1" | "mixed") => Unified::Mixed,
        Some("both") => Unified::Both,
        _ => Unified::None,
    };
    job.description = value(arguments, "description").map(str::to_owned);
    job.continued = value(arguments, "continue_on_error").map(|_| (0, 0));
    job.steady = value(arguments, "ss").map(|_| SteadyState {
        bw: vec![1],
        iops: vec![1],
        ..SteadyState::default()
    });
    job.group_reporting = on("group_reporting", false);
    let jobs = value(arguments, "numjobs").map_or(1, |n| n.parse().unwrap());
    let idleness = value(arguments, "idle-prof").map(|kind| Idleness {
        percpu: if kind == "percpu" { vec![1.0; processors()] } else { Vec::new() },
        ..Idleness::default()
    });
    RunResult { instances: vec![job; jobs], idleness, ..RunResult::default() }
}

/// Of the machine: `--idle-prof=percpu` lists all, whatever the affinity.
fn processors() -> usize {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    text.lines().filter(|line| line.starts_with("processor")).count()
}

/// Path and type of everything in the document, in order. Of a list the first item stands for
/// all but jobs and devices; of options and bins the keys are not compared.
fn shape(value: &Value, path: &str, out: &mut Vec<String>) {
    let kind = match value {
        Value::Number(n) if n.is_f64() => "float",
        Value::Number(_) => "int",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
        Value::Null | Value::Bool(_) => "other",
    };
    out.push(format!("{path}: {kind}"));
    match value {
        Value::Array(list) => {
            let shown = if path == "/jobs" || path == "/disk_util" { list.len() } else { 1 };
            list.iter().take(shown).for_each(|item| shape(item, &format!("{path}[]"), out));
        }
        Value::Object(_) if path.ends_with("job options") => {}
        Value::Object(map) if path.ends_with("bins") => {
            assert!(!map.is_empty() && map.values().all(Value::is_u64), "{map:?}");
        }
        Value::Object(map) => {
            map.iter().for_each(|(key, item)| shape(item, &format!("{path}/{key}"), out));
        }
        _ => {}
    }
}

fn shape_of(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    shape(&serde_json::from_str(text).unwrap(), "", &mut out);
    out.retain(|line| {
        let key = line.rsplit('/').next().and_then(|k| k.split(':').next()).unwrap_or("");
        !NEWER.contains(&key)
    });
    out
}

const NULL: [&str; 4] = ["--name=a", "--ioengine=null", "--size=64k", "--bs=4k"];

/// Compares JSON and json+ for one set of options.
fn check_json(test: &str, options: &[&str]) {
    for plus in [false, true] {
        let format = if plus { "--output-format=json+" } else { "--output-format=json" };
        let arguments = [&NULL[..], options, &[format]].concat();
        let Some(theirs) = fio(test, &arguments) else { return };
        let start = theirs.find('{').unwrap();
        let mut run = run_of(&arguments);
        run.disks = disks_of(&theirs[start..]);
        let (theirs, ours) = (shape_of(&theirs[start..]), shape_of(&render_json(&run, plus)));
        let differs = theirs.iter().zip(&ours).find(|(a, b)| a != b);
        assert_eq!(differs, None, "fio, ours: {options:?}");
        assert_eq!(theirs.len(), ours.len(), "{options:?}");
    }
}

/// Which devices serve the files is the machine's business, not the options'.
fn disks_of(text: &str) -> Vec<DiskUse> {
    let parsed: Value = serde_json::from_str(text).unwrap();
    let names = parsed["disk_util"].as_array().cloned().unwrap_or_default();
    let name = |disk: &Value| disk["name"].as_str().unwrap_or_default().to_owned();
    names.iter().map(|disk| DiskUse { name: name(disk), ..DiskUse::default() }).collect()
}

#[test]
fn json_has_the_shape_of_the_real_one() {
    let test = "json_has_the_shape_of_the_real_one";
    let options: [&[&str]; 26] = [
        &["--rw=randread"],
        &["--rw=randrw"],
        &["--rw=randread", "--gtod_reduce=1"],
        &["--rw=randread", "--disable_lat=1", "--lat_percentiles=1"],
        &["--rw=randread", "--disable_clat=1"],
        &["--rw=randread", "--iodepth=4", "--disable_slat=1", "--slat_percentiles=1"],
        &["--rw=randread", "--iodepth=4", "--slat_percentiles=1", "--lat_percentiles=1"],
        &["--rw=randread", "--clat_percentiles=0"],
        &["--rw=randread", "--clat_percentiles=0", "--lat_percentiles=1"],
        &["--rw=randread", "--percentile_list=99.999:50:1:99.12345678:100"],
        &["--rw=randrw", "--unified_rw_reporting=1"],
        &["--rw=randrw", "--unified_rw_reporting=both"],
        &["--rw=randrw", "--unified_rw_reporting=1", "--fsync=1"],
        &["--rw=randrw", "--numjobs=2", "--group_reporting"],
        &["--rw=randrw", "--numjobs=2"],
        &["--rw=randtrim"],
        &["--rw=randwrite", "--fsync=1"],
        &["--rw=randwrite", "--fsync=1", "--clat_percentiles=0"],
        &["--rw=randwrite", "--fsync=1", "--clat_percentiles=0", "--lat_percentiles=1"],
        &["--rw=randwrite", "--fsync=1", "--disable_clat=1", "--lat_percentiles=1"],
        &["--rw=randread", "--description=what \"it\" is"],
        &["--rw=randread", "--continue_on_error=all", "--description=x"],
        &["--rw=randread", "--idle-prof=percpu"],
        &["--rw=randread", "--idle-prof=system"],
        &["--rw=write", "--ioengine=psync", "--filename=f", "--fsync=2"],
        &["--rw=randread", "--numjobs=2", "--group_reporting", "--gtod_reduce=1"],
    ];
    options.iter().for_each(|list| check_json(test, list));
}

#[test]
fn json_of_goals_has_the_shape_of_the_real_one() {
    let test = "json_of_goals_has_the_shape_of_the_real_one";
    let timed = ["--rw=randread", "--time_based", "--runtime=2"];
    check_json(test, &[&timed[..], &["--ss=iops:90%", "--ss_dur=1", "--description=d"]].concat());
    let target = ["--latency_target=500ms", "--latency_window=100ms"];
    check_json(test, &[&timed[..], &target].concat());
}

/// What kind of field it is; of percentiles and empty fields the text itself.
fn field_kind(field: &str) -> String {
    let number = field.strip_suffix('%').unwrap_or(field);
    let sign = if number.len() < field.len() { "%" } else { "" };
    if let Some((percent, _)) = field.split_once("%=") {
        return format!("{percent}%=");
    }
    match number.split_once('.') {
        _ if number.parse::<f64>().is_err() => "text".to_owned(),
        Some((_, decimals)) => format!("float.{}{sign}", decimals.len()),
        None => format!("int{sign}"),
    }
}

fn lines_of(text: &str) -> Vec<Vec<String>> {
    text.lines().map(|line| line.split(';').map(field_kind).collect()).collect()
}

#[test]
fn terse_has_the_fields_of_the_real_one() {
    let test = "terse_has_the_fields_of_the_real_one";
    let options: [&[&str]; 16] = [
        &["--rw=randrw"],
        &["--rw=randtrim"],
        &["--rw=randrw", "--gtod_reduce=1"],
        &["--rw=randrw", "--disable_lat=1", "--lat_percentiles=1"],
        &["--rw=randrw", "--disable_clat=1"],
        &["--rw=randrw", "--disable_clat=1", "--lat_percentiles=1"],
        &["--rw=randrw", "--disable_slat=1", "--iodepth=4", "--slat_percentiles=1"],
        &["--rw=randrw", "--clat_percentiles=0"],
        &["--rw=randrw", "--clat_percentiles=0", "--lat_percentiles=1"],
        &["--rw=randrw", "--percentile_list=99.999:50:1"],
        &["--rw=randrw", "--unified_rw_reporting=1"],
        &["--rw=randrw", "--unified_rw_reporting=both"],
        &["--rw=randrw", "--numjobs=2", "--group_reporting"],
        &["--rw=randrw", "--numjobs=2", "--fsync=2"],
        &["--rw=randrw", "--description=hello;x"],
        &["--rw=randrw", "--continue_on_error=all", "--description=x"],
    ];
    for list in options {
        for version in 2..=5 {
            let wanted = format!("--terse-version={version}");
            let arguments = [&NULL[..], list, &["--minimal", &wanted]].concat();
            let Some(theirs) = fio(test, &arguments) else { return };
            let ours = render_terse(&run_of(&arguments), version);
            assert_eq!(lines_of(&theirs), lines_of(&ours), "{version} {list:?}");
        }
    }
}

#[test]
fn percentiles_and_bins_are_those_of_the_real_one() {
    let test = "percentiles_and_bins_are_those_of_the_real_one";
    let lists = ["1:5:10:25:50:75:90:95:99:99.5:99.7:99.8:99.9", "2.9:5.8:33.3:55.1:99.25:100"];
    for list in lists {
        let percentiles = format!("--percentile_list={list}");
        let file = ["--name=a", "--ioengine=psync", "--filename=f", "--size=4000k", "--bs=4k"];
        let rest = ["--rw=randwrite", "--output-format=json+", &percentiles];
        let Some(theirs) = fio(test, &[&file[..], &rest].concat()) else { return };
        let start = theirs.find('{').unwrap();
        let parsed: Value = serde_json::from_str(&theirs[start..]).unwrap();
        let clat = &parsed["jobs"][0]["write"]["clat_ns"];
        let mut rebuilt = LatencyHistogram::new();
        let mut bins = Vec::new();
        for (middle, count) in clat["bins"].as_object().unwrap() {
            let (middle, count) = (middle.parse().unwrap(), count.as_u64().unwrap());
            (0..count).for_each(|_| rebuilt.record(middle));
            bins.push((middle, count));
        }
        assert_eq!(rebuilt.count(), 1000);
        let ours: Vec<_> = count_bins(&rebuilt).iter().map(|&(_, m, count)| (m, count)).collect();
        assert_eq!(ours, bins);
        let wanted: Vec<f64> = list.split(':').map(|p| p.parse().unwrap()).collect();
        let expected: Vec<_> =
            clat["percentile"].as_object().unwrap().values().map(|v| v.as_u64().unwrap()).collect();
        assert_eq!(percentiles_ns(&rebuilt, &wanted), expected);
    }
}
