//! What else differs between two sides, and what both are called.

use std::collections::BTreeSet;

use record::{Completion, Finding, Measured, Status};
use units::Bytes;

use super::group::{Group, host_names};
use crate::fleet::{format_names, host_record};
use crate::lists::{find_or_push, upper_median};

const SPAN_RATIO_MAX: f64 = 1.1;
/// Shorter cells see other things: bursts, caches.
const TIME_RATIO_MAX: f64 = 2.0;

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

/// Name and value of a fact; `None` where it is not known.
type RecordFact = (&'static str, fn(&Measured) -> Option<String>);

/// Of a run over many hosts the coordinator measures nothing: these facts are its hosts'.
fn is_host_fact(what: &str) -> bool {
    const OF_RUNS: [&str; 5] =
        ["measured by", "kernel interface", "what is written", "hosts", "sharing among hosts"];
    !OF_RUNS.contains(&what)
}

/// What should agree for a difference to be that of the targets: not host, device and path.
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
        r.target().map(|t| t.file_system.as_ref().map_or("none", |f| &f.kind).into())
    }),
    ("kernel interface", |r| {
        let all: BTreeSet<&str> = r.cells.iter().map(|cell| cell.backend.as_str()).collect();
        Some(Vec::from_iter(all).join(", "))
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

pub(super) fn list_warnings(a: &Group<'_>, b: &Group<'_>, labels: (&str, &str)) -> Vec<String> {
    let mut all = Vec::new();
    for (what, fact) in FACTS {
        let (of_a, of_b) = (fact_values(a, what, *fact), fact_values(b, what, *fact));
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
    let both = a.measured().find(|x| b.measured().any(|y| x.id == y.id));
    all.extend(both.map(|measured| {
        format!("run {} stands on both sides: it is no difference to itself", measured.id)
    }));
    all.extend(warn_of_hosts(a, b, labels));
    let typical = |of: fn(&Measured) -> Option<f64>, ratio_max: f64| {
        let (x, y) = (median_over_runs(a, of)?, median_over_runs(b, of)?);
        (x.max(y) > ratio_max * x.min(y)).then_some((x, y))
    };
    all.extend(typical(span, SPAN_RATIO_MAX).map(|(x, y)| {
        let (x, y) = (Bytes(x as u64), Bytes(y as u64));
        let (a, b) = labels;
        format!("span: {x} of {a}, {y} of {b}; a smaller one fits better into caches")
    }));
    all.extend(typical(longest_cell_s, TIME_RATIO_MAX).map(|(x, y)| {
        format!(
            "time of a cell: up to {x:.1} s of {}, up to {y:.1} s of {}; a burst lasts through a \
             short one",
            labels.0, labels.1
        )
    }));
    for (group, label) in [(a, labels.0), (b, labels.1)] {
        all.extend(warn_of_findings(group, label));
    }
    all
}

fn fact_values(
    group: &Group<'_>,
    what: &str,
    fact: fn(&Measured) -> Option<String>,
) -> Vec<String> {
    let mut all: BTreeSet<String> = BTreeSet::new();
    for measured in group.measured() {
        match &measured.fleet {
            Some(fleet) if is_host_fact(what) => all.extend(
                fleet.hosts.iter().filter_map(|host| fact(&host_record(measured, host).measured)),
            ),
            _ => all.extend(fact(measured)),
        }
    }
    all.into_iter().collect()
}

fn warn_of_hosts(a: &Group<'_>, b: &Group<'_>, labels: (&str, &str)) -> Option<String> {
    let (of_a, of_b) = (host_names(a), host_names(b));
    let only = |mine: &[String], theirs: &[String], label: &str| {
        let lone = mine.iter().filter(|name| !theirs.contains(name));
        let lone: Vec<&str> = lone.map(String::as_str).collect();
        (!lone.is_empty()).then(|| format!("only {label} has {}", format_names(&lone)))
    };
    if of_a.is_empty() || of_b.is_empty() {
        return None;
    }
    let both = [only(&of_a, &of_b, labels.0), only(&of_b, &of_a, labels.1)];
    let words: Vec<String> = both.into_iter().flatten().collect();
    (!words.is_empty()).then(|| format!("the hosts are not the same: {}", words.join("; ")))
}

fn median_over_runs(group: &Group<'_>, of: fn(&Measured) -> Option<f64>) -> Option<f64> {
    upper_median(group.measured().filter_map(of)).filter(|middle| *middle > 0.0)
}

fn span(measured: &Measured) -> Option<f64> {
    (measured.plan.span.0 > 0).then_some(measured.plan.span.0 as f64)
}

fn longest_cell_s(measured: &Measured) -> Option<f64> {
    measured.cells.iter().map(|cell| cell.elapsed.as_secs_f64()).reduce(f64::max)
}

fn warn_of_findings(group: &Group<'_>, label: &str) -> Vec<String> {
    let count = group.runs.len();
    let mut all = Vec::new();
    let of = |number: usize| match (number, count) {
        (1, 1) => String::new(),
        _ => format!(" in {number} of {count} runs"),
    };
    let partial = group.measured().filter(|run| run.completion != Completion::Complete).count();
    if partial > 0 {
        all.push(format!("{label} ended before its end{}", of(partial)));
    }
    let judgements = || group.runs.iter().map(|(record, _)| record.judgement_or_default());
    let degraded: Vec<&message::Message> =
        judgements().filter_map(|run| run.degraded.first()).collect();
    if let Some(first) = degraded.first() {
        all.push(format!("{label} is degraded{}: {first}", of(degraded.len())));
    }
    let is_warning = |finding: &&Finding| finding.status == Status::Warning;
    let mut warned: Vec<Vec<&Finding>> = Vec::new();
    for finding in judgements().flat_map(|run| &run.findings).filter(is_warning) {
        find_or_push(&mut warned, |same| same[0].id == finding.id, Vec::new).push(finding);
    }
    all.extend(
        warned
            .iter()
            .map(|same| format!("{label}: {}{}: {}", same[0].id, of(same.len()), same[0].summary)),
    );
    all
}
