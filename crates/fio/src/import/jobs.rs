//! The jobs of a document: what was asked, by fio's own options, and what came of it.

use message::{Message, label, messages};
use record::{
    AchievedDepth, Cell, CellError, CellRole, Confidence, CpuTime, Directions, Ledger, TickSeries,
};
use serde_json::{Map, Value};
use stats::Estimate;
use units::{Bytes, Depth, Nanos, Seed};
use workload::{Access, BackendChoice, Direction, Job, Mix, Span, Stop};

use super::entry::{ImportError, JobEntry, option_pairs, text_field};
use super::figures::{self, merge_clones};
use crate::options::job::JobOptions;
use crate::options::lookup::find_option;
use crate::options::resolve::resolve_options;
use crate::options::values::apply_option_with;
use crate::plan::{Instance, Region, Section, plan_instance};
use crate::read::{Origin, Place, RawOption};

/// Named as long as they are few: a note per option of an exotic job helps nobody.
const NOTED_MAX: usize = 8;

/// The options of an entry, those before the first job included; of options given twice, the last.
fn entry_options(entry: JobEntry<'_>, globals: &[(String, String)]) -> Vec<(String, String)> {
    let mut all = globals.to_vec();
    all.extend(
        entry.get("job options").and_then(Value::as_object).map(option_pairs).unwrap_or_default(),
    );
    all
}

/// What was measured, as named to fio.
pub(super) fn collect_paths(entries: &[JobEntry<'_>], globals: &[(String, String)]) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for entry in entries {
        for (name, value) in entry_options(entry, globals) {
            if ["filename", "directory"].contains(&name.as_str()) && !paths.contains(&value) {
                paths.push(value);
            }
        }
    }
    paths
}

/// The cells of a document, in its order.
pub(super) fn build_cells(
    entries: &[JobEntry<'_>],
    globals: &[(String, String)],
    notes: &mut Vec<Message>,
) -> Result<Vec<Cell>, ImportError> {
    let mut cells: Vec<(Option<u64>, Cell)> = Vec::new();
    for clones in group_clones(entries) {
        let Some(mut cell) = build_cell(&clones, globals, notes)? else { continue };
        let taken = |name: &str| cells.iter().any(|(_, cell)| cell.name == name);
        if taken(&cell.name) {
            let numbered = (2..).map(|n| format!("{}-{n}", cell.name)).find(|name| !taken(name));
            cell.name = numbered.unwrap_or_default();
        }
        cells.push((clones[0].get("groupid").and_then(Value::as_u64), cell));
    }
    // Jobs of one group had no wall between them: they ran at the same time.
    let groups: Vec<(Option<u64>, String)> =
        cells.iter().map(|(group, cell)| (*group, cell.name.clone())).collect();
    for (group, cell) in &mut cells {
        let other = groups.iter().find(|(g, name)| g.is_some() && g == group && *name != cell.name);
        cell.beside = other.map(|(_, name)| name.clone());
    }
    notes.dedup();
    Ok(cells.into_iter().map(|(_, cell)| cell).collect())
}

/// Entries of one name, group and host: clones of one job (`numjobs`).
fn group_clones<'a>(entries: &[JobEntry<'a>]) -> Vec<Vec<JobEntry<'a>>> {
    let key = |entry: JobEntry<'a>| {
        (
            text_field(entry, "jobname"),
            entry.get("groupid"),
            entry.get("hostname"),
            entry.get("port"),
        )
    };
    let mut all: Vec<Vec<JobEntry<'a>>> = Vec::new();
    for entry in entries {
        let known = entry.contains_key("groupid");
        match all.iter_mut().find(|clones| known && key(clones[0]) == key(entry)) {
            Some(clones) => clones.push(entry),
            None => all.push(vec![entry]),
        }
    }
    all
}

/// The figures of one direction over all clones.
fn merge_direction(clones: &[JobEntry<'_>], key: &str) -> Option<figures::Direction> {
    let part = |entry: &JobEntry<'_>| figures::read_direction(entry.get(key)?.as_object()?);
    let parts: Vec<figures::Direction> = clones.iter().filter_map(part).collect();
    (!parts.is_empty()).then(|| merge_clones(&parts))
}

fn build_cell(
    clones: &[JobEntry<'_>],
    globals: &[(String, String)],
    notes: &mut Vec<Message>,
) -> Result<Option<Cell>, ImportError> {
    let first = clones[0];
    let name = text_field(first, "jobname").unwrap_or("job").to_owned();
    let mut totals = Directions::default();
    let mut runtime_ms = 0;
    for (key, direction) in
        [("read", Direction::Read), ("write", Direction::Write), ("trim", Direction::Trim)]
    {
        let Some(found) = merge_direction(clones, key) else { continue };
        runtime_ms = runtime_ms.max(found.runtime_ms);
        if found.is_completion_latency {
            let note = label("fio-import-completion-latency");
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        totals.set(direction, found.totals);
    }
    if totals.is_empty() {
        let what = match first.contains_key("mixed") {
            true => "reads and writes were reported as one (unified_rw_reporting=mixed)",
            false if has_figures(first) => return Ok(None),
            false => "neither 'iops' nor 'total_ios' of any direction",
        };
        return Err(ImportError::Empty { job: name, what: what.to_owned() });
    }
    add_syncs(clones, runtime_ms, &mut totals);
    let (job, engine) = reconstruct_job(&name, clones, globals, &totals, runtime_ms, notes);
    Ok(Some(assemble_cell(name, job, engine, totals, runtime_ms, clones)))
}

/// Whether an entry that moved nothing says so.
fn has_figures(entry: JobEntry<'_>) -> bool {
    let read = |key: &str| entry.get(key).and_then(Value::as_object);
    ["read", "write", "trim"].iter().filter_map(|key| read(key)).any(|o| o.contains_key("iops"))
}

fn add_syncs(clones: &[JobEntry<'_>], runtime_ms: u64, totals: &mut Directions) {
    let part = |entry: &JobEntry<'_>| {
        let object = entry.get("sync")?.as_object()?;
        let ops = object.get("total_ios")?.as_u64().filter(|ops| *ops > 0)?;
        let mut with: Map<String, Value> = object.clone();
        with.insert("iops".to_owned(), (ops as f64 * 1000.0 / runtime_ms.max(1) as f64).into());
        with.insert("bw_bytes".to_owned(), 0.into());
        figures::read_direction(&with)
    };
    let parts: Vec<figures::Direction> = clones.iter().filter_map(part).collect();
    if !parts.is_empty() {
        totals.set(Direction::Sync, merge_clones(&parts).totals);
    }
}

fn assemble_cell(
    name: String,
    job: Job,
    engine: String,
    totals: Directions,
    runtime_ms: u64,
    clones: &[JobEntry<'_>],
) -> Cell {
    let ops = |d: Direction| totals.get(d).map_or((0, 0), |t| (t.ops, t.bytes));
    let (read, write, trim) = (ops(Direction::Read), ops(Direction::Write), ops(Direction::Trim));
    let mut confidence = Confidence::default();
    for (direction, total) in totals.iter() {
        let figure =
            Estimate::without_interval(total.iops, total.ops, label("no-interval-imported"));
        confidence.iops.set(direction, figure);
    }
    let errno = clones.iter().filter_map(|entry| entry.get("error")?.as_i64()).find(|e| *e != 0);
    Cell {
        name,
        role: CellRole::Main,
        beside: None,
        trial: None,
        step: None,
        end_sync: None,
        job,
        backend: engine,
        backend_notes: Vec::new(),
        started: Nanos::ZERO,
        elapsed: Nanos(runtime_ms.saturating_mul(1_000_000)),
        intervals: Vec::new(),
        ticks: TickSeries::default(),
        pauses: Vec::new(),
        drain_silence: None,
        achieved_depth: AchievedDepth::default(),
        cpu: cpu_time(clones, read.0.saturating_add(write.0).saturating_add(trim.0)),
        ledger: Ledger {
            read_ops: read.0,
            read_bytes: Bytes(read.1),
            write_ops: write.0,
            write_bytes: Bytes(write.1),
            sync_ops: ops(Direction::Sync).0,
            trim_ops: trim.0,
            trim_bytes: Bytes(trim.1),
            ..Ledger::default()
        },
        totals,
        confidence,
        open_loop: None,
        verified: None,
        failures: Vec::new(),
        error: errno.map(|errno| CellError {
            message: format!("fio ended with error {errno}"),
            errno: i32::try_from(errno).ok(),
        }),
    }
}

/// Processor time, from fio's shares of the run time.
fn cpu_time(clones: &[JobEntry<'_>], ops: u64) -> CpuTime {
    let share = |key: &str| -> Option<Nanos> {
        let of = |entry: &JobEntry<'_>| -> Option<f64> {
            let ms = entry.get("job_runtime")?.as_f64()?;
            Some(entry.get(key)?.as_f64()? / 100.0 * ms * 1e6)
        };
        clones.iter().map(of).sum::<Option<f64>>().map(|ns| Nanos(ns as u64))
    };
    let (Some(user), Some(system)) = (share("usr_cpu"), share("sys_cpu")) else {
        return CpuTime::default();
    };
    let ns_per_op = (ops > 0).then(|| user.0.saturating_add(system.0) as f64 / ops as f64);
    CpuTime { user, system, ns_per_op, threads: clones.len() as u32, ..CpuTime::default() }
}

/// The job as asked, and the engine by fio's name.
fn reconstruct_job(
    name: &str,
    clones: &[JobEntry<'_>],
    globals: &[(String, String)],
    totals: &Directions,
    runtime_ms: u64,
    notes: &mut Vec<Message>,
) -> (Job, String) {
    let given = entry_options(clones[0], globals);
    let (typed, missed) = type_options(&given);
    for (option, why) in missed.iter().take(NOTED_MAX) {
        let (option, why) = (option.to_string(), why.to_string());
        notes.push(IgnoredOption { job: name.to_owned(), option, why }.into());
    }
    if missed.len() > NOTED_MAX {
        let more = missed.len() - NOTED_MAX;
        notes.push(IgnoredOptions { job: name.to_owned(), more }.into());
    }
    let engine = given.iter().rev().find(|(option, _)| option == "ioengine");
    let engine = engine.map_or("unknown", |(_, engine)| engine.as_str()).to_owned();
    let says = given.iter().any(|(option, _)| ["rw", "readwrite"].contains(&option.as_str()));
    let stop = Stop::after(Nanos(runtime_ms.max(1).saturating_mul(1_000_000)));
    let planned = says.then(|| plan_job(name, &typed)).flatten();
    let mut job = planned.unwrap_or_else(|| {
        notes.push(GuessedJob { job: name.to_owned() }.into());
        guess_job(name, clones[0], totals)
    });
    // One report of a group stands for all its clones.
    let merged = clones.len() == 1 && typed.run.group_reporting;
    let copies = if merged { typed.run.numjobs.max(1) } else { clones.len() as u32 };
    job.depth = Depth(job.depth.0.saturating_mul(copies));
    job.workers = copies;
    job.seed = Seed(0);
    job.stop = Stop { time: job.stop.time.or(stop.time), ..job.stop };
    (job, engine)
}

/// Options that were not taken, with the reason.
type SkippedOptions = Vec<(String, String)>;

/// The options by fio's own rules; those that are not taken, with the reason.
fn type_options(given: &[(String, String)]) -> (JobOptions, SkippedOptions) {
    let (mut options, mut missed) = (JobOptions::default(), SkippedOptions::new());
    let (first, rest): (Vec<_>, Vec<_>) = given.iter().partition(|(name, _)| name == "kb_base");
    let no_files = |_: &str| Err(std::io::Error::other("files are not read here"));
    for (name, value) in first.into_iter().chain(rest) {
        let Some(spec) = find_option(name) else {
            missed.push((name.clone(), "it is not known".to_owned()));
            continue;
        };
        let raw = RawOption {
            name: spec.name,
            spec,
            value: (!value.is_empty()).then(|| value.clone()),
            unexpanded: None,
            evaluated: None,
            place: Place::word(0),
            origin: Origin::Own,
        };
        if let Err(error) = apply_option_with(&mut options, &raw, &no_files) {
            missed.push((name.clone(), error.to_string()));
        }
    }
    if let Err(error) = resolve_options(&mut options) {
        missed.push(("combination".to_owned(), error.to_string()));
    }
    (options, missed)
}

/// The job by the rules of the dialect; `None` where it cannot be planned.
fn plan_job(name: &str, options: &JobOptions) -> Option<Job> {
    use crate::options::sizes::SizeValue;
    let bytes = |value: SizeValue| match value {
        SizeValue::Bytes(bytes) => bytes,
        _ => 0,
    };
    let length = options.size.size.map_or(0, bytes);
    let region = Region { offset: bytes(options.size.offset), ..Region::of_file(length) };
    let section = Section {
        name: name.to_owned(),
        file_name: name.to_owned(),
        options: options.clone(),
        own: Vec::new(),
        new_source: false,
    };
    let instance = Instance { section: 0, clone: 0, number: 0, group: 0, wave: 0 };
    plan_instance(&section, &instance, &region, 0).ok().map(|work| work.job)
}

/// A job from nothing but its name and its figures, as fio 2 without its options gives them.
fn guess_job(name: &str, entry: JobEntry<'_>, totals: &Directions) -> Job {
    let of = |d: Direction| totals.get(d).map_or((0.0, 0.0), |t| (t.iops, t.bytes_per_second));
    let (read, write) = (of(Direction::Read), of(Direction::Write));
    let mix = match (read.0 > 0.0, write.0 > 0.0) {
        (true, true) => {
            // To the nearest 5 %, as mixes are asked.
            let percent = 100.0 * read.0 / (read.0 + write.0);
            Mix::Mixed { read_percent: ((percent / 5.0).round() * 5.0).clamp(1.0, 99.0) as u8 }
        }
        (true, false) => Mix::Read,
        (false, true) => Mix::Write,
        (false, false) => Mix::Trim,
    };
    let (ops, rate) = (read.0 + write.0, read.1 + write.1);
    let size = if ops > 0.0 { (rate / ops).round() as u64 } else { 0 };
    // Sizes are whole sectors; a rate in KiB/s is rounded.
    let size = Bytes((size as f64 / 512.0).round() as u64 * 512);
    let lower = name.to_ascii_lowercase();
    let access = if lower.contains("rand") { Access::Random } else { Access::Sequential };
    Job {
        name: name.to_owned(),
        access,
        mix,
        block_size: size,
        depth: Depth(dominant_depth(entry)),
        span: Span { offset: Bytes(0), length: Bytes(0) },
        direct: false,
        backend: BackendChoice::Auto,
        ..Job::base()
    }
}

/// The depth at which most operations were started, from fio's shares of them; 1 without any.
fn dominant_depth(entry: JobEntry<'_>) -> u32 {
    let levels = entry.get("iodepth_level").and_then(Value::as_object).into_iter().flatten();
    let share = |(name, share): (&String, &Value)| -> Option<(f64, u32)> {
        Some((share.as_f64()?, name.trim_start_matches(">=").parse().ok()?))
    };
    let most = levels.filter_map(share).max_by(|a, b| a.0.total_cmp(&b.0));
    most.map_or(1, |(_, depth)| depth)
}

messages! {
    IgnoredOption = "fio-import-option" { job: String, option: String, why: String };
    IgnoredOptions = "fio-import-more-options" { job: String, more: usize };
    GuessedJob = "fio-import-guessed" { job: String };
}
