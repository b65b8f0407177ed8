//! What else differs between two sides, and what both are called.

use record::{Completion, FindingId, Measured, Record, Status, TargetInfo};
use units::Bytes;

use super::group::{Group, host_names};

/// Spans or times that differ by less are the same.
const SPAN_RATIO_MAX: f64 = 1.1;
/// Cells of less than half the time see other things: bursts, caches.
const TIME_RATIO_MAX: f64 = 2.0;

/// What a side is called: its targets, each once.
pub(super) fn side_name(group: &Group<'_>) -> String {
    let mut names: Vec<String> = Vec::new();
    for (record, source) in &group.runs {
        let path = match (record.measured.target(), &record.measured.imported) {
            (Some(target), _) => target.path.clone(),
            (None, Some(imported)) if !imported.paths.is_empty() => imported.paths.join(", "),
            _ => source.clone(),
        };
        let name =
            record.measured.host().map_or_else(|| path.clone(), |host| format!("{host}:{path}"));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    const NAMED: usize = 2;
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    let mut joined = names.join(", ");
    if more > 0 {
        joined.push_str(&format!(" and {more} more"));
    }
    joined
}

/// A fact of a record: its name, and its value for people; `None` where it is not known. What
/// [`of_hosts`] holds is that of the hosts, where a run was over many: the coordinator measures
/// nothing.
type RecordFact = (&'static str, fn(&Measured) -> Option<String>);

/// Whether a fact is one of the host that measured, and not of the run.
fn is_host_fact(what: &str) -> bool {
    const OF_RUNS: [&str; 5] =
        ["measured by", "kernel interface", "what is written", "hosts", "sharing among hosts"];
    !OF_RUNS.contains(&what)
}

/// In what runs should agree for their difference to be that of the targets. Host, device and
/// path are not among them: they are what is compared.
const FACTS: &[RecordFact] = &[
    ("measured by", |r| Some(format!("{} {}", r.tool.name, r.tool.version))),
    ("kernel", |r| non_empty(&r.environment.kernel)),
    ("architecture", |r| non_empty(&r.environment.arch)),
    ("processor", |r| {
        let cpus = (r.environment.cpus > 0).then_some(r.environment.cpus)?;
        Some(format!("{cpus} x {}", r.environment.cpu_model.as_deref().unwrap_or("unknown")))
    }),
    ("memory", |r| r.environment.memory.map(format_memory)),
    ("virtualisation", |r| r.environment.virtualisation.clone()),
    ("I/O limits of control groups", |r| {
        (!r.environment.kernel.is_empty()).then(|| r.environment.io_limits.len().to_string())
    }),
    ("file system", |r| {
        target(r).map(|t| t.file_system.as_ref().map_or("none", |f| &f.kind).into())
    }),
    ("kernel interface", |r| {
        let mut all: Vec<&str> = r.cells.iter().map(|cell| cell.backend.as_str()).collect();
        all.sort_unstable();
        all.dedup();
        Some(all.join(", "))
    }),
    ("what is written", |r| {
        let writes = r.cells.iter().find(|cell| cell.job.mix.sends_data())?;
        Some(format!("{:?}", writes.job.payload).to_lowercase())
    }),
    ("hosts", |r| Some(r.fleet.as_ref().map_or(1, |fleet| fleet.hosts.len()).to_string())),
    ("sharing among hosts", |r| r.fleet.as_ref().map(|fleet| fleet.span.name().to_owned())),
];

fn non_empty(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// Memory as it is sold: what kernels reserve of it differs.
fn format_memory(memory: Bytes) -> String {
    format!("about {:.0} GiB", memory.0 as f64 / (1_u64 << 30) as f64)
}

fn target(record: &Measured) -> Option<&TargetInfo> {
    record.target()
}

pub(super) fn list_warnings(a: &Group<'_>, b: &Group<'_>, labels: (&str, &str)) -> Vec<String> {
    let mut all = Vec::new();
    for (what, fact) in FACTS {
        let of = |group: &Group<'_>| match is_host_fact(what) {
            true => host_fact_values(group, *fact),
            false => fact_values(group, *fact),
        };
        let (of_a, of_b) = (of(a), of(b));
        for (label, values) in [(labels.0, &of_a), (labels.1, &of_b)] {
            if values.len() > 1 {
                all.push(format!("{what} differs within {label}: {}", values.join(", ")));
            }
        }
        if !of_a.is_empty() && !of_b.is_empty() && of_a != of_b {
            let (x, y) = (of_a.join(", "), of_b.join(", "));
            all.push(format!("{what}: {x} of {}, {y} of {}", labels.0, labels.1));
        }
    }
    let both =
        a.runs.iter().find(|(x, _)| b.runs.iter().any(|(y, _)| x.measured.id == y.measured.id));
    all.extend(both.map(|(record, _)| {
        format!("run {} stands on both sides: it is no difference to itself", record.measured.id)
    }));
    all.extend(warn_of_hosts(a, b, labels));
    all.extend(warn_of_spans(a, b, labels));
    all.extend(warn_of_cell_times(a, b, labels));
    for (group, label) in [(a, labels.0), (b, labels.1)] {
        all.extend(warn_of_findings(group, label));
    }
    all
}

fn fact_values(group: &Group<'_>, fact: fn(&Measured) -> Option<String>) -> Vec<String> {
    let mut all: Vec<String> =
        group.runs.iter().filter_map(|(record, _)| fact(&record.measured)).collect();
    all.sort();
    all.dedup();
    all
}

/// The same, of a run over many hosts from each of them.
fn host_fact_values(group: &Group<'_>, fact: fn(&Measured) -> Option<String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for (record, _) in &group.runs {
        let Some(fleet) = &record.measured.fleet else {
            all.extend(fact(&record.measured));
            continue;
        };
        all.extend(fleet.hosts.iter().filter_map(|host| {
            let (tool, plan) = (record.measured.tool.clone(), record.measured.plan.clone());
            fact(&Measured {
                environment: host.environment.clone(),
                targets: host.target.iter().cloned().collect(),
                ..Measured::new(tool, record.measured.started, plan)
            })
        }));
    }
    all.sort();
    all.dedup();
    all
}

/// Hosts that only one of two runs over many has: their totals are of different hosts.
fn warn_of_hosts(a: &Group<'_>, b: &Group<'_>, labels: (&str, &str)) -> Option<String> {
    const NAMED: usize = 4;
    let (of_a, of_b) = (host_names(a), host_names(b));
    let only = |mine: &[String], theirs: &[String], label: &str| {
        let lone: Vec<&str> =
            mine.iter().filter(|name| !theirs.contains(name)).map(String::as_str).collect();
        let more = lone.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let told = lone.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
        (!lone.is_empty()).then(|| format!("only {label} has {told}{more}"))
    };
    if of_a.is_empty() || of_b.is_empty() {
        return None;
    }
    let both = [only(&of_a, &of_b, labels.0), only(&of_b, &of_a, labels.1)];
    let words: Vec<String> = both.into_iter().flatten().collect();
    (!words.is_empty()).then(|| format!("the hosts are not the same: {}", words.join("; ")))
}

/// A middle value of the runs that know it.
fn median_over_runs(group: &Group<'_>, of: impl Fn(&Record) -> Option<f64>) -> Option<f64> {
    let mut all: Vec<f64> = group.runs.iter().filter_map(|(record, _)| of(record)).collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied()
}

fn is_apart(x: f64, y: f64, most: f64) -> bool {
    x.max(y) > most * x.min(y)
}

fn warn_of_spans(a: &Group<'_>, b: &Group<'_>, labels: (&str, &str)) -> Option<String> {
    let span = |record: &Record| {
        (record.measured.plan.span.0 > 0).then_some(record.measured.plan.span.0 as f64)
    };
    let (x, y) = (median_over_runs(a, span)?, median_over_runs(b, span)?);
    is_apart(x, y, SPAN_RATIO_MAX).then(|| {
        format!(
            "span: {} of {}, {} of {}; a smaller one fits better into caches",
            Bytes(x as u64),
            labels.0,
            Bytes(y as u64),
            labels.1
        )
    })
}

fn warn_of_cell_times(a: &Group<'_>, b: &Group<'_>, labels: (&str, &str)) -> Option<String> {
    let longest = |record: &Record| {
        record.measured.cells.iter().map(|cell| cell.elapsed.as_secs_f64()).reduce(f64::max)
    };
    let known = |seconds: &f64| *seconds > 0.0;
    let (x, y) =
        (median_over_runs(a, longest).filter(known)?, median_over_runs(b, longest).filter(known)?);
    is_apart(x, y, TIME_RATIO_MAX).then(|| {
        format!(
            "time of a cell: up to {x:.1} s of {}, up to {y:.1} s of {}; a burst lasts through a \
             short one",
            labels.0, labels.1
        )
    })
}

fn warn_of_findings(group: &Group<'_>, label: &str) -> Vec<String> {
    let count = group.runs.len();
    let mut all = Vec::new();
    let of = |number: usize| match (number, count) {
        (1, 1) => String::new(),
        _ => format!(" in {number} of {count} runs"),
    };
    let partial =
        |(record, _): &&(&Record, String)| record.measured.completion != Completion::Complete;
    let cut_short = group.runs.iter().filter(partial).count();
    if cut_short > 0 {
        all.push(format!("{label} ended before its end{}", of(cut_short)));
    }
    let why =
        |(record, _): &(&Record, String)| record.judgement_or_default().degraded.first().cloned();
    let degraded: Vec<String> = group.runs.iter().filter_map(why).collect();
    if let Some(first) = degraded.first() {
        all.push(format!("{label} is degraded{}: {first}", of(degraded.len())));
    }
    let mut told: Vec<FindingId> = Vec::new();
    for finding in group.runs.iter().flat_map(|(record, _)| &record.judgement_or_default().findings)
    {
        if finding.status == Status::Warning && !told.contains(&finding.id) {
            told.push(finding.id);
        }
    }
    for id in told {
        let warned = group.runs.iter().filter_map(|(record, _)| {
            record
                .judgement_or_default()
                .findings
                .iter()
                .find(|f| f.id == id && f.status == Status::Warning)
        });
        let warned: Vec<_> = warned.collect();
        if let Some(first) = warned.first() {
            all.push(format!("{label}: {id}{}: {}", of(warned.len()), first.summary));
        }
    }
    all
}
