//! What else differs between two sides, and what both are called.

use message::{Message, Names, label, messages};
use record::{Completion, Finding, Measured, Status};
use units::{Bytes, Nanos};

use super::group::{Group, host_names};
use crate::fleet::{format_names, host_record};
use crate::lists::{find_or_push, upper_median};

const SPAN_RATIO_MAX: f64 = 1.1;
/// Shorter cells see other things: bursts, caches.
const TIME_RATIO_MAX: f64 = 2.0;

pub(super) fn side_name(group: &Group<'_>) -> Message {
    let mut names: Vec<Message> = Vec::new();
    for (record, source) in &group.runs {
        let measured = &record.measured;
        let path = match (measured.target(), &measured.imported) {
            (Some(target), _) => target.path.clone(),
            (None, Some(imported)) if !imported.paths.is_empty() => imported.paths.join(", "),
            _ => source.clone(),
        };
        let host = measured.environment.hostname.clone().map(Message::from_text);
        let name = match measured.fleet.as_ref().map(record::Fleet::describe_hosts).or(host) {
            Some(host) => HostAndPath { host, path }.into(),
            None => Message::from_text(path),
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    const NAMED: usize = 2;
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    let names = Names(names);
    if more > 0 { NamesAndMore { names, more }.into() } else { AllNames { names }.into() }
}

/// What should agree for a difference to be that of the targets.
struct Fact {
    name: fn() -> Message,
    /// Of a run over many hosts the coordinator measures nothing: only these facts are the run's,
    /// the others its hosts'.
    is_of_run: bool,
    /// `None` where it is not known.
    value: fn(&Measured) -> Option<Message>,
}

const fn host_fact(name: fn() -> Message, value: fn(&Measured) -> Option<Message>) -> Fact {
    Fact { name, is_of_run: false, value }
}

const fn run_fact(name: fn() -> Message, value: fn(&Measured) -> Option<Message>) -> Fact {
    Fact { name, is_of_run: true, value }
}

/// Not host, device and path.
const FACTS: &[Fact] = &[
    run_fact(
        || label("compare-differences-fact-tool"),
        |r| Some(Message::from_text(format!("{} {}", r.tool.name, r.tool.version))),
    ),
    host_fact(|| label("compare-differences-fact-kernel"), |r| non_empty(&r.environment.kernel)),
    host_fact(
        || label("compare-differences-fact-architecture"),
        |r| non_empty(&r.environment.arch),
    ),
    host_fact(
        || label("compare-differences-fact-processor"),
        |r| {
            let cpus = (r.environment.cpus > 0).then_some(r.environment.cpus)?;
            Some(match r.environment.cpu_model.clone() {
                Some(model) => Processors { cpus, model }.into(),
                None => UnknownProcessors { cpus }.into(),
            })
        },
    ),
    host_fact(
        || label("compare-differences-fact-memory"),
        |r| r.environment.memory.map(round_memory),
    ),
    host_fact(
        || label("compare-differences-fact-virtualisation"),
        |r| r.environment.virtualisation.clone().map(Message::from_text),
    ),
    host_fact(
        || label("compare-differences-fact-group-limits"),
        |r| {
            let limits = r.environment.io_limits.len();
            (!r.environment.kernel.is_empty()).then(|| CountOf { count: limits }.into())
        },
    ),
    host_fact(
        || label("compare-differences-fact-file-system"),
        |r| {
            let system = r.target()?.file_system.as_ref();
            Some(system.map_or_else(
                || label("compare-differences-no-file-system"),
                |f| Message::from_text(&f.kind),
            ))
        },
    ),
    run_fact(
        || label("compare-differences-fact-interface"),
        |r| {
            let names = list_values(r.cells.iter().map(|cell| Message::from_text(&cell.backend)));
            (!names.0.is_empty()).then(|| AllNames { names }.into())
        },
    ),
    run_fact(
        || label("compare-differences-fact-payload"),
        |r| {
            let writes = r.cells.iter().find(|cell| cell.job.mix.sends_data())?;
            Some(Message::from_text(format!("{:?}", writes.job.payload).to_lowercase()))
        },
    ),
    run_fact(
        || label("compare-differences-fact-hosts"),
        |r| Some(CountOf { count: r.fleet.as_ref().map_or(1, |fleet| fleet.hosts.len()) }.into()),
    ),
    run_fact(
        || label("compare-differences-fact-sharing"),
        |r| r.fleet.as_ref().map(|fleet| Message::from_text(fleet.span.name())),
    ),
];

fn non_empty(text: &str) -> Option<Message> {
    (!text.is_empty()).then(|| Message::from_text(text))
}

/// Memory as it is sold: what kernels reserve of it differs.
fn round_memory(memory: Bytes) -> Message {
    const GIB: u64 = 1 << 30;
    let memory = Bytes((memory.0 as f64 / GIB as f64).round() as u64 * GIB);
    AboutMemory { memory }.into()
}

/// Each value once, in the order of their texts.
fn list_values(values: impl Iterator<Item = Message>) -> Names {
    let mut all: Vec<Message> = values.collect();
    all.sort_by(|a, b| a.text().cmp(b.text()));
    all.dedup();
    Names(all)
}

pub(super) fn list_warnings(a: &Group<'_>, b: &Group<'_>, labels: (&str, &str)) -> Vec<Message> {
    let (a_label, b_label) = (|| labels.0.to_owned(), || labels.1.to_owned());
    let mut all: Vec<Message> = Vec::new();
    for fact in FACTS {
        let (of_a, of_b) = (fact_values(a, fact), fact_values(b, fact));
        for (side, values) in [(a_label(), &of_a), (b_label(), &of_b)] {
            if values.0.len() > 1 {
                let (fact, values) = ((fact.name)(), values.clone());
                all.push(DiffersWithin { fact, side, values }.into());
            }
        }
        if !of_a.0.is_empty() && !of_b.0.is_empty() && of_a != of_b {
            let (a, b, fact) = (a_label(), b_label(), (fact.name)());
            all.push(DiffersBetween { fact, of_a, a, of_b, b }.into());
        }
    }
    let both = a.measured().find(|x| b.measured().any(|y| x.id == y.id));
    all.extend(both.map(|measured| RunOnBothSides { run: measured.id.clone() }.into()));
    all.extend(warn_of_hosts(a, b, labels));
    let typical = |of: fn(&Measured) -> Option<f64>, ratio_max: f64| {
        let (x, y) = (median_over_runs(a, of)?, median_over_runs(b, of)?);
        (x.max(y) > ratio_max * x.min(y)).then_some((x, y))
    };
    all.extend(typical(span, SPAN_RATIO_MAX).map(|(x, y)| {
        let (of_a, of_b) = (Bytes(x as u64), Bytes(y as u64));
        SpansDiffer { of_a, a: a_label(), of_b, b: b_label() }.into()
    }));
    all.extend(typical(longest_cell_s, TIME_RATIO_MAX).map(|(x, y)| {
        let (of_a, of_b) = (Nanos::from_secs_f64(x), Nanos::from_secs_f64(y));
        TimesDiffer { of_a, a: a_label(), of_b, b: b_label() }.into()
    }));
    for (group, label) in [(a, labels.0), (b, labels.1)] {
        all.extend(warn_of_findings(group, label));
    }
    all
}

fn fact_values(group: &Group<'_>, fact: &Fact) -> Names {
    let of_run = |measured: &Measured| match &measured.fleet {
        Some(fleet) if !fact.is_of_run => {
            let hosts = fleet.hosts.iter().map(|host| host_record(measured, host).measured);
            hosts.filter_map(|host| (fact.value)(&host)).collect()
        }
        _ => Vec::from_iter((fact.value)(measured)),
    };
    list_values(group.measured().flat_map(of_run))
}

fn warn_of_hosts(a: &Group<'_>, b: &Group<'_>, labels: (&str, &str)) -> Option<Message> {
    let (of_a, of_b) = (host_names(a), host_names(b));
    let only = |mine: &[String], theirs: &[String], side: &str| -> Option<Message> {
        let lone = mine.iter().filter(|name| !theirs.contains(name));
        let lone: Vec<&str> = lone.map(String::as_str).collect();
        let (side, hosts) = (side.to_owned(), format_names(&lone));
        (!lone.is_empty()).then(|| OnlySideHas { side, hosts }.into())
    };
    if of_a.is_empty() || of_b.is_empty() {
        return None;
    }
    let both = [only(&of_a, &of_b, labels.0), only(&of_b, &of_a, labels.1)];
    let differences = Vec::from_iter(both.into_iter().flatten());
    (!differences.is_empty()).then(|| HostsDiffer { differences }.into())
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

fn warn_of_findings(group: &Group<'_>, label: &str) -> Vec<Message> {
    let (runs, side) = (group.runs.len(), || label.to_owned());
    let mut all: Vec<Message> = Vec::new();
    let partial = group.measured().filter(|run| run.completion != Completion::Complete).count();
    if partial > 0 {
        all.push(EndedEarly { side: side(), number: partial, runs }.into());
    }
    let judgements = || group.runs.iter().map(|(record, _)| record.judgement_or_default());
    let degraded: Vec<&Message> = judgements().filter_map(|run| run.degraded.first()).collect();
    if let [first, ..] = degraded.as_slice() {
        let (number, reason) = (degraded.len(), (*first).clone());
        all.push(Degraded { side: side(), number, runs, reason }.into());
    }
    let is_warning = |finding: &&Finding| finding.status == Status::Warning;
    let mut warned: Vec<Vec<&Finding>> = Vec::new();
    for finding in judgements().flat_map(|run| &run.findings).filter(is_warning) {
        find_or_push(&mut warned, |same| same[0].id == finding.id, Vec::new).push(finding);
    }
    all.extend(warned.iter().map(|same| {
        let (finding, number) = (same[0].id.to_string(), same.len());
        Warned { side: side(), finding, number, runs, summary: same[0].summary.clone() }.into()
    }));
    all
}

messages! {
    HostAndPath = "compare-differences-host-and-path" { host: Message, path: String };
    AllNames = "compare-differences-all-names" { names: Names };
    NamesAndMore = "compare-differences-names-and-more" { names: Names, more: usize };
    Processors = "compare-differences-processors" { cpus: u32, model: String };
    UnknownProcessors = "compare-differences-unknown-processors" { cpus: u32 };
    AboutMemory = "compare-differences-about-memory" { memory: Bytes };
    CountOf = "compare-differences-count" { count: usize };
    DiffersWithin = "compare-differences-differs-within" {
        fact: Message, side: String, values: Names,
    };
    DiffersBetween = "compare-differences-differs-between" {
        fact: Message, of_a: Names, a: String, of_b: Names, b: String,
    };
    RunOnBothSides = "compare-differences-run-on-both-sides" { run: String };
    OnlySideHas = "compare-differences-only-side-has" { side: String, hosts: Message };
    HostsDiffer = "compare-differences-hosts-differ" { differences: Vec<Message> };
    SpansDiffer = "compare-differences-spans-differ" {
        of_a: Bytes, a: String, of_b: Bytes, b: String,
    };
    TimesDiffer = "compare-differences-times-differ" {
        of_a: Nanos, a: String, of_b: Nanos, b: String,
    };
    EndedEarly = "compare-differences-ended-early" { side: String, number: usize, runs: usize };
    Degraded = "compare-differences-degraded" {
        side: String, number: usize, runs: usize, reason: Message,
    };
    Warned = "compare-differences-warned" {
        side: String, finding: String, number: usize, runs: usize, summary: Message,
    };
}
