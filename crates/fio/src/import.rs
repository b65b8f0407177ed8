//! fio's JSON output into records: what fio says, and nothing that it does not.
//!
//! fio tells totals, and no series: there are no intervals, no counters, no environment, so what a
//! record of our own has of those is absent. What an option leaves open is fio's own default,
//! which its manual states.

use std::collections::BTreeMap;

use jiff::Timestamp;
use record::{
    Cell, CellError, CellRole, Completion, CpuTime, DirectionTotals, Environment, Imported,
    LatencySummary, Plan, Purpose, Record, SCHEMA_VERSION, Tool,
};
use serde_json::Value;
use stats::{LatencyHistogram, percentile_supported};
use units::{Bytes, Depth, Nanos, Seed};
use workload::{Access, Direction, Job, Mix, Span, Stop};

/// The block size where no option says one.
const BLOCK: Bytes = Bytes::kib(4);

/// Why a text of fio could not be taken in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// It breaks off, or is damaged.
    #[error("fio's JSON is damaged: {0}")]
    Damaged(String),
    /// Not version 3.
    #[error("it comes from {0}; only version 3 of fio is read")]
    Version(String),
    /// A key that every fio 3 writes is missing or odd.
    #[error("fio's JSON has no usable '{0}'")]
    Missing(&'static str),
}

/// The record of a run of fio, from what it printed with `--output-format=json` or `json+`; text
/// around the JSON is skipped, and of several states of one run the last is taken. `None` when
/// there is no JSON of fio in it.
#[must_use]
pub fn import(text: &str) -> Option<Result<Record, ImportError>> {
    let start = text.find("\"fio version\"")?;
    let brace = text[..start].rfind('{')?;
    let mut states = serde_json::Deserializer::from_str(&text[brace..]).into_iter::<Value>();
    let mut last = match states.next()? {
        Ok(state) => state,
        Err(error) => return Some(Err(ImportError::Damaged(error.to_string()))),
    };
    // What follows is either the next state of the run, or its text for people.
    while let Some(Ok(state)) = states.next() {
        if state.get("fio version").is_some() {
            last = state;
        }
    }
    Some(record(&last, text))
}

fn record(run: &Value, text: &str) -> Result<Record, ImportError> {
    let version = run["fio version"].as_str().unwrap_or_default().to_owned();
    if !version.starts_with("fio-3.") && version != "fio-3" {
        return Err(ImportError::Version(version));
    }
    let seconds = run["timestamp"].as_i64().ok_or(ImportError::Missing("timestamp"))?;
    let millis = run["timestamp_ms"].as_i64().unwrap_or(seconds.saturating_mul(1000));
    let finished =
        Timestamp::from_millisecond(millis).map_err(|_| ImportError::Missing("timestamp"))?;
    let jobs = ["jobs", "client_stats"].iter().find_map(|key| run[*key].as_array());
    let jobs = jobs.ok_or(ImportError::Missing("jobs"))?;
    let global = &run["global options"];
    let Jobs { cells, targets, hosts, begun } = read_jobs(jobs, global, finished);
    let writes = cells.iter().any(|cell| cell.job.mix.writes());
    let failed = cells.iter().filter_map(|cell| cell.error.as_ref()).next();
    Ok(Record {
        schema_version: SCHEMA_VERSION,
        tool: Tool { name: "fio".to_owned(), version: version.replacen("fio-", "", 1) },
        id: format!(
            "{}-fio-{:08x}",
            begun.strftime("%Y%m%dT%H%M%SZ"),
            crc32c::crc32c(text.as_bytes())
        ),
        started: begun,
        finished,
        command: Vec::new(),
        plan: Plan {
            purpose: Purpose::Imported,
            budget: Nanos::ZERO,
            bounds: Vec::new(),
            read_only: !writes,
            span: Bytes(0),
            seed: Seed(0),
        },
        completion: match failed {
            Some(error) => Completion::Partial { reason: error.message.clone(), failed: true },
            None => Completion::Complete,
        },
        imported: Some(Imported {
            tool: "fio".to_owned(),
            version,
            targets,
            notes: notes(&cells, jobs, !is_empty(global) || jobs.iter().any(says_options)),
        }),
        resumed: Vec::new(),
        environment: Environment {
            hostname: (!hosts.is_empty()).then(|| hosts.join("+")),
            ..Environment::default()
        },
        targets: Vec::new(),
        layout: None,
        calibration: record::Calibration::default(),
        cells,
        curves: Vec::new(),
        two_limits: Vec::new(),
        interference: None,
        findings: Vec::new(),
        verdict: None,
    })
}

/// Whether fio tells what was asked of a job.
fn says_options(job: &Value) -> bool {
    !is_empty(&job["job options"])
}

fn is_empty(options: &Value) -> bool {
    match options {
        Value::Object(map) => map.is_empty(),
        Value::Array(each) => each.iter().all(is_empty),
        _ => true,
    }
}

/// The options before the first job; of servers each has its own.
fn global_of<'a>(global: &'a Value, job: &Value) -> &'a Value {
    let same = |one: &&Value| one["hostname"] == job["hostname"] && one["port"] == job["port"];
    let own = global.as_array().and_then(|each| each.iter().find(same));
    own.unwrap_or(global)
}

/// What the jobs of a run say together.
struct Jobs {
    cells: Vec<Cell>,
    targets: Vec<String>,
    hosts: Vec<String>,
    begun: Timestamp,
}

fn read_jobs(jobs: &[Value], global: &Value, finished: Timestamp) -> Jobs {
    let mut all =
        Jobs { cells: Vec::new(), targets: Vec::new(), hosts: Vec::new(), begun: finished };
    // Of servers the last entry is the sum of those before it.
    for job in jobs.iter().filter(|job| job["jobname"] != "All clients") {
        let before = Options::of(global_of(global, job), None);
        let options = Options::of(&job["job options"], Some(&before));
        for target in options.targets() {
            if !all.targets.contains(&target) {
                all.targets.push(target);
            }
        }
        if let Some(host) = job["hostname"].as_str()
            && !all.hosts.iter().any(|known| known == host)
        {
            all.hosts.push(host.to_owned());
        }
        let start = job["job_start"].as_i64().and_then(|ms| Timestamp::from_millisecond(ms).ok());
        all.begun = all.begun.min(start.unwrap_or(finished));
        let cell = cell(job, &options, &all.cells);
        all.cells.push(cell);
    }
    // The older ones do not say when a job began, but how long it took.
    if all.begun == finished {
        let longest = all.cells.iter().map(|cell| cell.elapsed.0 / 1_000_000).max().unwrap_or(0);
        let start = finished.as_millisecond() - i64::try_from(longest).unwrap_or(0);
        all.begun = Timestamp::from_millisecond(start).unwrap_or(finished);
    }
    all
}

/// What must be known to read the numbers.
fn notes(cells: &[Cell], jobs: &[Value], has_options: bool) -> Vec<String> {
    let mut notes = vec![
        "fio tells totals of single runs, which carry no interval: whether two of them differ \
         cannot be told without repetitions."
            .to_owned(),
    ];
    let has = |key: &str| {
        jobs.iter().any(|job| job["read"][key].is_object() || job["write"][key].is_object())
    };
    let is_total =
        |job: &Value| ["read", "write"].iter().any(|d| job[*d]["lat_ns"]["percentile"].is_object());
    if has("clat_ns") && !jobs.iter().any(is_total) {
        notes.push(
            "Latency is fio's completion latency (clat): the time of submitting is not in it."
                .to_owned(),
        );
    }
    let cached: Vec<&str> =
        cells.iter().filter(|cell| !cell.job.direct).map(|cell| cell.name.as_str()).collect();
    if !has_options {
        notes.push(
            "fio does not tell the options of these jobs: order, depth and the use of the page \
             cache are not known, whatever the record has in their place."
                .to_owned(),
        );
    } else if !cached.is_empty() {
        let names = cached.join(", ");
        notes.push(format!("Without direct=1 the page cache may have answered: {names}."));
    }
    notes
}

/// Options of a job by name, those of the global section where it has none of its own.
struct Options(BTreeMap<String, String>);

impl Options {
    fn of(value: &Value, global: Option<&Self>) -> Self {
        let mut all = global.map(|global| global.0.clone()).unwrap_or_default();
        for (name, value) in value.as_object().into_iter().flatten() {
            let name = match name.as_str() {
                "readwrite" => "rw",
                "blocksize" => "bs",
                other => other,
            };
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            all.insert(name.to_owned(), text);
        }
        Self(all)
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    fn number(&self, name: &str) -> Option<u32> {
        self.get(name)?.trim().parse().ok()
    }

    /// Whether a switch is on; one without a value is.
    fn is_on(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| value != "0")
    }

    fn size(&self, name: &str) -> Option<Bytes> {
        // One for each direction may be given: the first.
        let first = self.get(name)?.split(',').next()?;
        first.trim().to_ascii_lowercase().parse().ok()
    }

    /// Files or devices, or the folder of the files.
    fn targets(&self) -> Vec<String> {
        let folder = self.get("directory");
        match (self.get("filename"), folder) {
            (Some(names), None) => names.split(':').map(str::to_owned).collect(),
            (Some(names), Some(folder)) => {
                names.split(':').map(|name| format!("{folder}/{name}")).collect()
            }
            (None, Some(folder)) => vec![folder.to_owned()],
            (None, None) => Vec::new(),
        }
    }

    /// Order and direction; where the options do not say, by what was done.
    fn workload(&self, totals: &record::Directions) -> (Access, Mix) {
        let word = self.get("rw").unwrap_or_default();
        let word = word.split(':').next().unwrap_or_default();
        let access = if word.starts_with("rand") { Access::Random } else { Access::Sequential };
        let share = || match (self.number("rwmixread"), self.number("rwmixwrite")) {
            (Some(reads), _) => reads,
            (None, Some(writes)) => 100_u32.saturating_sub(writes),
            (None, None) => 50,
        };
        let mixed = |percent: u32| match percent {
            0 => Mix::Write,
            1..=99 => Mix::Mixed { read_percent: u8::try_from(percent).unwrap_or(50) },
            _ => Mix::Read,
        };
        let mix = match word.trim_start_matches("rand") {
            "read" => Mix::Read,
            "write" => Mix::Write,
            "rw" | "readwrite" => mixed(share()),
            "trim" => Mix::Trim,
            "trimwrite" => Mix::TrimWrite,
            _ => match (&totals.read, &totals.write, &totals.trim) {
                (Some(reads), Some(writes), _) => {
                    mixed((100 * reads.ops / (reads.ops + writes.ops).max(1)) as u32)
                }
                (None, Some(_), None) => Mix::Write,
                (None, Some(_), Some(_)) => Mix::TrimWrite,
                (None, None, Some(_)) => Mix::Trim,
                _ => Mix::Read,
            },
        };
        (access, mix)
    }
}

fn cell(job: &Value, options: &Options, before: &[Cell]) -> Cell {
    let mut totals = record::Directions::default();
    let mut elapsed = 0;
    for direction in [Direction::Read, Direction::Write, Direction::Trim] {
        let said = &job[direction.name()];
        if let Some(figures) = direction_totals(said) {
            elapsed = elapsed.max(said["runtime"].as_u64().unwrap_or(0));
            totals.set(direction, figures);
        }
    }
    if let Some(figures) = sync_totals(&job["sync"], elapsed) {
        totals.set(Direction::Sync, figures);
    }
    let copies = options.number("numjobs").unwrap_or(1).max(1);
    // Reported as one, they are one cell with all their depths.
    let together = if options.is_on("group_reporting") { copies } else { 1 };
    let (access, mix) = options.workload(&totals);
    let elapsed = Nanos(elapsed.saturating_mul(1_000_000));
    let plain = Job::base();
    let wanted = Job {
        name: job["jobname"].as_str().unwrap_or("job").to_owned(),
        access,
        mix,
        block_size: options.size("bs").or_else(|| per_operation(&totals)).unwrap_or(BLOCK),
        depth: Depth(options.number("iodepth").unwrap_or(1).max(1).saturating_mul(together)),
        workers: together,
        span: Span {
            offset: options.size("offset").unwrap_or(Bytes(0)),
            length: options.size("size").unwrap_or(Bytes(0)),
        },
        stop: Stop::after(elapsed),
        direct: options.is_on("direct"),
        seed: Seed(0),
        ..plain
    };
    let errno = job["error"].as_i64().and_then(|errno| i32::try_from(errno).ok());
    let errno = errno.filter(|errno| *errno != 0);
    Cell {
        name: unique(&wanted.name, before),
        role: CellRole::Main,
        beside: None,
        trial: None,
        backend: options.get("ioengine").map_or_else(|| "fio".to_owned(), |e| format!("fio {e}")),
        backend_notes: Vec::new(),
        started: Nanos::ZERO,
        elapsed,
        intervals: Vec::new(),
        ticks: record::TickSeries::default(),
        achieved_depth: record::AchievedDepth::default(),
        cpu: processor(job, together, &totals),
        ledger: record::Ledger::default(),
        confidence: record::Confidence::default(),
        open_loop: None,
        verified: None,
        failures: Vec::new(),
        error: errno.map(|errno| CellError {
            message: format!("fio's job {} ended with error {errno}", wanted.name),
            errno: Some(errno),
        }),
        totals,
        job: wanted,
    }
}

/// The name, with a number where an earlier cell has it.
fn unique(name: &str, before: &[Cell]) -> String {
    let is_free = |name: &str| before.iter().all(|cell| cell.name != name);
    if is_free(name) {
        return name.to_owned();
    }
    let mut numbered = (2..).map(|number| format!("{name}-{number}"));
    numbered.find(|name| is_free(name)).unwrap_or_default()
}

/// Bytes per operation, where every operation of the first direction was alike.
fn per_operation(totals: &record::Directions) -> Option<Bytes> {
    let (_, first) = totals.iter().next()?;
    (first.ops > 0 && first.bytes.is_multiple_of(first.ops)).then(|| Bytes(first.bytes / first.ops))
}

fn direction_totals(said: &Value) -> Option<DirectionTotals> {
    let ops = said["total_ios"].as_u64().filter(|ops| *ops > 0)?;
    // Before 3.2 there were only KiB.
    let kib = |key: &str| said[key].as_f64().map(|kib| kib * 1024.0);
    let bytes = said["io_bytes"].as_u64().or_else(|| Some(kib("io_kbytes")? as u64))?;
    Some(DirectionTotals {
        ops,
        bytes,
        iops: said["iops"].as_f64()?,
        bytes_per_second: said["bw_bytes"].as_f64().or_else(|| kib("bw"))?,
        latency_ns: latency(said),
        response_ns: None,
        submission_ns: distribution(&said["slat_ns"]),
    })
}

fn sync_totals(said: &Value, runtime_ms: u64) -> Option<DirectionTotals> {
    let ops = said["total_ios"].as_u64().filter(|ops| *ops > 0)?;
    if runtime_ms == 0 {
        return None;
    }
    Some(DirectionTotals {
        ops,
        bytes: 0,
        iops: ops as f64 * 1e3 / runtime_ms as f64,
        bytes_per_second: 0.0,
        latency_ns: distribution(&said["lat_ns"]).unwrap_or_default(),
        response_ns: None,
        submission_ns: None,
    })
}

/// Total latency where fio tells its percentiles, else completion latency with those: mean and
/// percentiles are of one and the same. Unknown where fio measured neither.
fn latency(said: &Value) -> LatencySummary {
    let total = distribution(&said["lat_ns"]);
    let completion = distribution(&said["clat_ns"]);
    match (total, completion) {
        (Some(total), Some(completion)) if total.percentiles.is_empty() => completion,
        (Some(total), _) => total,
        (None, Some(completion)) => completion,
        (None, None) => LatencySummary::default(),
    }
}

fn distribution(said: &Value) -> Option<LatencySummary> {
    let count = said["N"].as_u64();
    // Older ones have no count of a distribution, but a longest that is not zero.
    if count == Some(0) || (count.is_none() && said["max"].as_f64().is_none_or(|max| max <= 0.0)) {
        return None;
    }
    let mut percentiles = BTreeMap::new();
    for (name, value) in said["percentile"].as_object().into_iter().flatten() {
        if let (Ok(percent), Some(ns)) = (name.parse::<f64>(), value.as_u64())
            && percent >= 50.0
            && count.is_some_and(|count| percentile_supported(percent, count))
        {
            percentiles.insert(format!("p{percent}"), ns);
        }
    }
    let mut histogram = LatencyHistogram::new();
    for (ns, times) in said["bins"].as_object().into_iter().flatten() {
        if let (Ok(ns), Some(times)) = (ns.parse(), times.as_u64()) {
            histogram.record_many(ns, times);
        }
    }
    Some(LatencySummary {
        mean: said["mean"].as_f64()?,
        stddev: said["stddev"].as_f64().unwrap_or(0.0),
        min: said["min"].as_f64()? as u64,
        max: said["max"].as_f64()? as u64,
        percentiles,
        histogram: match histogram.count() {
            0 => stats::SparseHistogram::default(),
            _ => histogram.to_sparse(),
        },
    })
}

/// Processor time from its shares of the job's time; unknown where fio does not say that.
fn processor(job: &Value, threads: u32, totals: &record::Directions) -> CpuTime {
    let (Some(ms), Some(user), Some(system)) =
        (job["job_runtime"].as_f64(), job["usr_cpu"].as_f64(), job["sys_cpu"].as_f64())
    else {
        return CpuTime::default();
    };
    let ns = |percent: f64| Nanos((ms * 1e6 * percent / 100.0).max(0.0) as u64);
    let (user, system) = (ns(user), ns(system));
    let ops: u64 = totals.iter().map(|(_, all)| all.ops).sum();
    let both = (user.0 + system.0) as f64;
    CpuTime { user, system, ns_per_op: (ops > 0).then(|| both / ops as f64), threads }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIO: &str = include_str!("import/fio-3.42.json");

    fn mixed() -> Record {
        import(FIO).unwrap().unwrap()
    }

    #[test]
    fn what_fio_says_is_in_the_record() {
        let record = mixed();
        assert_eq!(record.tool, Tool { name: "fio".to_owned(), version: "3.42".to_owned() });
        let cell = &record.cells[0];
        assert_eq!(
            (cell.name.as_str(), cell.job.depth, cell.job.block_size),
            ("mixed", Depth(8), BLOCK)
        );
        assert_eq!(cell.job.mix, Mix::Mixed { read_percent: 70 });
        assert_eq!(cell.job.access, Access::Random);
        let read = cell.totals.read.as_ref().unwrap();
        assert_eq!((read.ops, read.bytes), (212_436, 870_137_856));
        assert!((read.iops - 53_095.726_068).abs() < 1e-6);
        assert_eq!(read.latency_ns.percentiles["p99"], 148_480);
        assert!((read.latency_ns.mean - 97_825.012_922).abs() < 1e-6);
        assert_eq!(record.imported.unwrap().targets, ["f1"]);
    }

    #[test]
    fn what_fio_does_not_say_is_absent_from_the_json() {
        let json = serde_json::to_value(mixed()).unwrap();
        for key in ["calibration", "layout"] {
            assert!(json.get(key).is_none(), "{key}");
        }
        assert_eq!(json["targets"], serde_json::json!([]));
        for key in ["kernel", "cpus", "arch", "root", "io_uring", "hostname"] {
            assert!(json["environment"].get(key).is_none(), "{key}");
        }
        for key in ["ledger", "ticks", "achieved_depth"] {
            assert!(json["cells"][0].get(key).is_none(), "{key}");
        }
        assert!(json["cells"][0]["totals"].get("trim").is_none());
        assert!(json["cells"][0]["totals"]["read"]["latency_ns"].get("histogram").is_none());
        assert!(json["plan"].get("seed").is_none());
        assert_eq!(json["cells"][0]["confidence"]["iops"], serde_json::json!({}));
        let again: Record = serde_json::from_value(json).unwrap();
        assert_eq!(again, mixed());
    }

    #[test]
    fn single_runs_are_said_to_carry_no_interval() {
        let notes = mixed().imported.unwrap().notes;
        assert!(notes[0].contains("no interval"), "{notes:?}");
    }

    #[test]
    fn text_around_the_json_is_skipped_and_the_last_state_counts() {
        let first = FIO.replace("212436", "1000");
        let text = format!("fio: a warning {{x}}\n{first}\n{FIO}\nmixed: (groupid=0)");
        let record = import(&text).unwrap().unwrap();
        assert_eq!(record.cells[0].totals.read.as_ref().unwrap().ops, 212_436);
    }

    #[test]
    fn jobs_of_servers_have_the_options_and_names_of_their_hosts() {
        let record = import(include_str!("import/fio-3.42-client.json")).unwrap().unwrap();
        // The sum of all servers is no job.
        assert_eq!(record.cells.len(), 2);
        for cell in &record.cells {
            assert_eq!((cell.job.access.clone(), cell.job.mix), (Access::Random, Mix::Read));
            assert_eq!((cell.job.depth, cell.job.direct), (Depth(4), true));
        }
        assert!(record.environment.hostname.unwrap().contains("127.0.0.1"));
        let mut value: Value = serde_json::from_str(FIO).unwrap();
        value["global options"] = Value::Null;
        for job in value["jobs"].as_array_mut().unwrap() {
            job["job options"] = Value::Null;
        }
        let silent = import(&value.to_string()).unwrap().unwrap();
        let notes = silent.imported.unwrap().notes.join(" ");
        assert!(notes.contains("does not tell the options"), "{notes}");
        assert!(!notes.contains("page cache may have"), "{notes}");
    }

    #[test]
    fn odd_text_is_refused_with_words() {
        assert!(import("{\"a\": 1}").is_none());
        assert!(import("").is_none());
        let cut = import(&FIO[..FIO.len() / 2]).unwrap().unwrap_err();
        assert!(matches!(cut, ImportError::Damaged(_)), "{cut}");
        let old = import(&FIO.replace("fio-3.42", "fio-2.21")).unwrap().unwrap_err();
        assert_eq!(old, ImportError::Version("fio-2.21".to_owned()));
        let empty = import("{\"fio version\": \"fio-3.1\"}").unwrap().unwrap_err();
        assert_eq!(empty, ImportError::Missing("timestamp"));
    }

    #[test]
    fn no_latency_measured_is_no_latency_of_zero() {
        // As with gtod_reduce=1.
        let mut value: Value = serde_json::from_str(FIO).unwrap();
        for key in ["slat_ns", "clat_ns", "lat_ns"] {
            value["jobs"][0]["read"][key] =
                serde_json::json!({"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "N": 0});
        }
        let record = import(&value.to_string()).unwrap().unwrap();
        let json = serde_json::to_value(&record.cells[0].totals.read).unwrap();
        assert!(json.get("latency_ns").is_none(), "{json}");
    }

    #[test]
    fn jobs_with_one_name_get_cells_of_their_own() {
        let mut value: Value = serde_json::from_str(FIO).unwrap();
        let job = value["jobs"][0].clone();
        value["jobs"] = serde_json::json!([job, job, job]);
        let record = import(&value.to_string()).unwrap().unwrap();
        let names: Vec<&str> = record.cells.iter().map(|cell| cell.name.as_str()).collect();
        assert_eq!(names, ["mixed", "mixed-2", "mixed-3"]);
    }
}
