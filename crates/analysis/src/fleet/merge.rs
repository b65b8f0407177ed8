//! One cell of all hosts: everything that they counted, added up.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use record::{
    AchievedDepth, Cell, CellError, CellRole, Confidence, CpuTime, DirectionTotals, Directions,
    Failures, FleetCell, HostCell, LatencySummary, Ledger, OpenLoop, Pause, ProcessCounters,
    Verified, Window,
};
use units::{Bytes, Nanos};
use workload::{Direction, Job};

use super::part::{HostPart, MergeError, PlacedPart, check_host_cell, place_parts};
use super::series::{MergedSeries, SeriesSum, find_slowest, merge_histograms};
use crate::lists::{find_or_push, sum_counts};
use crate::pauses::coalesce_pauses;
use crate::summary::{compute_confidence, summarise_latency};

const MISMATCHES_MAX: usize = 10;

/// What was asked of all hosts together.
#[derive(Debug, Clone)]
pub struct TotalJob<'a> {
    /// The job as all hosts together have it: its depth and rate are their sum.
    pub job: &'a Job,
    pub role: CellRole,
    /// The planned instant of the begin of measuring, from the start of the run.
    pub planned: Nanos,
    /// Hosts that had no share, because the depth was less than one for each.
    pub idle: Vec<String>,
    /// Hosts that should have given something and did not.
    pub missing: Vec<String>,
}

/// The total of a cell, and how its hosts met.
#[derive(Debug, Clone, PartialEq)]
pub struct MergedCell {
    /// The total, under the name of the job.
    pub cell: Cell,
    /// Who is in it, how far apart they began, and the two windows.
    pub fleet_cell: FleetCell,
}

/// Adds up what the hosts gave to one cell, over all of the time. Rates are those of the time in
/// which all ran. Counters of devices and hosts do not add up (two hosts may share one).
///
/// # Errors
/// When there is no part, or one contradicts itself: its host is named.
pub fn merge_cells(total: &TotalJob<'_>, parts: &[HostPart<'_>]) -> Result<MergedCell, MergeError> {
    let whole: HashMap<&str, &HostCell> =
        parts.iter().map(|part| (part.host, part.host_cell)).collect();
    merge_thin_cells(total, parts, &mut |host| Ok(Cow::Borrowed(whole[host])))
}

/// The same, bit for bit, of parts without their series: `load` gives the whole of one host at a
/// time.
///
/// # Errors
/// As [`merge_cells`], and when a part cannot be loaded.
pub fn merge_thin_cells<'a>(
    total: &TotalJob<'_>,
    parts: &[HostPart<'_>],
    load: &mut dyn FnMut(&str) -> Result<Cow<'a, HostCell>, String>,
) -> Result<MergedCell, MergeError> {
    let parts = place_parts(&total.job.name, parts)?;
    let mut series = SeriesSum::new(&parts, total.job.interval);
    for part in &parts {
        let whole = load(part.host).and_then(|whole| check_host_cell(&whole).map(|()| whole));
        let whole = whole.map_err(|what| MergeError::damaged(part.host, &total.job.name, what))?;
        series.add(part, &whole.cell)?;
    }
    let MergedSeries { intervals, ticks, first_done, last_done } = series.finish();
    let totals = merge_totals(&parts, first_done.as_ref().unwrap_or(&last_done))?;
    let elapsed = last_done.length;
    let ops = sum_counts(totals.iter(), |(_, totals)| totals.ops);
    let first = parts.first().map(|part| part.cell);
    let mut cell = Cell {
        name: total.job.name.clone(),
        role: total.role,
        beside: first.and_then(|cell| cell.beside.clone()),
        trial: first.and_then(|cell| cell.trial),
        step: first.and_then(|cell| cell.step.clone()),
        job: total.job.clone(),
        backend: merge_backends(&parts),
        backend_notes: merge_notes(&parts),
        started: total_start(total.planned, &parts),
        elapsed,
        // Durable is what is durable on all of them.
        end_sync: parts.iter().filter_map(|part| part.cell.end_sync).max(),
        intervals,
        ticks,
        totals,
        achieved_depth: merge_depths(&parts, elapsed),
        cpu: merge_cpu_times(&parts, ops),
        ledger: merge_ledgers(&parts, elapsed),
        confidence: Confidence::default(),
        pauses: merge_pauses(&parts),
        drain_silence: None,
        open_loop: merge_open_loops(&parts)?.map(Box::new),
        verified: merge_verified(&parts),
        failures: merge_failures(&parts),
        error: merge_errors(&parts),
    };
    cell.confidence = compute_confidence(&cell);
    Ok(MergedCell { cell, fleet_cell: build_fleet_cell(total, &parts, first_done, last_done) })
}

fn build_fleet_cell(
    total: &TotalJob<'_>,
    parts: &[PlacedPart<'_>],
    first_done: Option<Window>,
    last_done: Window,
) -> FleetCell {
    let mut errors: Vec<Nanos> = parts.iter().map(|part| part.clock_error).collect();
    errors.sort_unstable_by(|a, b| b.cmp(a));
    let skew_error = sum_counts(errors.iter().take(2), |error| error.0);
    let named = |names: &[String]| {
        let mut names = names.to_vec();
        names.sort();
        names
    };
    FleetCell {
        cell: total.job.name.clone(),
        hosts: parts.iter().map(|part| part.host.to_owned()).collect(),
        idle: named(&total.idle),
        missing: named(&total.missing),
        skew: Nanos(parts.iter().map(|part| part.begin).max().unwrap_or(0)),
        skew_error: Nanos(skew_error),
        first_done,
        last_done,
        slowest: find_slowest(parts),
    }
}

/// The total lacks a host's completions while it pauses.
fn merge_pauses(parts: &[PlacedPart<'_>]) -> Vec<Pause> {
    let of_host = |part: &PlacedPart<'_>| {
        let begin = part.begin;
        let placed = move |pause: &Pause| Pause {
            start: Nanos(pause.start.0.saturating_add(begin)),
            ..*pause
        };
        part.cell.pauses.iter().map(placed).collect::<Vec<_>>()
    };
    coalesce_pauses(parts.iter().flat_map(of_host).collect())
}

fn total_start(planned: Nanos, parts: &[PlacedPart<'_>]) -> Nanos {
    let first = parts.iter().map(|part| part.began_ns).min().unwrap_or(0);
    let at = i128::from(planned.0) + first;
    Nanos(u64::try_from(at).unwrap_or(0))
}

fn merge_totals(parts: &[PlacedPart<'_>], rates: &Window) -> Result<Directions, MergeError> {
    let whole = Nanos(parts.iter().map(|part| part.end).max().unwrap_or(0));
    let seconds = whole.as_secs_f64().max(1e-9);
    let mut all = Directions::default();
    for direction in Direction::ALL {
        let given: Vec<(&PlacedPart<'_>, &DirectionTotals)> = parts
            .iter()
            .filter_map(|part| Some((part, part.cell.totals.get(direction)?)))
            .collect();
        if given.is_empty() {
            continue;
        }
        let histogram = |pick: &dyn Fn(&DirectionTotals) -> Option<&LatencySummary>| {
            let picked = given
                .iter()
                .map(|(part, totals)| (*part, pick(totals).map(|summary| &summary.histogram)));
            merge_histograms(picked).map(|sum| sum.map(|sum| Box::new(summarise_latency(&sum))))
        };
        let ops = sum_counts(given.iter(), |(_, totals)| totals.ops);
        let bytes = sum_counts(given.iter(), |(_, totals)| totals.bytes);
        let rate = rates.rates.get(direction).filter(|rate| rate.ops >= 1.0);
        let (iops, bytes_per_second) = match rate {
            Some(rate) => (rate.iops, rate.bytes_per_second),
            None => (ops as f64 / seconds, bytes as f64 / seconds),
        };
        let latency_ns = *histogram(&|t| Some(&t.latency_ns))?.unwrap_or_default();
        let response_ns = histogram(&|t| t.response_ns.as_deref())?;
        let comparable_ns = histogram(&|t| t.comparable_ns.as_deref())?;
        let submission_ns = histogram(&|t| t.submission_ns.as_deref())?;
        let sum = DirectionTotals {
            ops,
            bytes,
            iops,
            bytes_per_second,
            latency_ns,
            response_ns,
            comparable_ns,
            submission_ns,
        };
        all.set(direction, sum);
    }
    Ok(all)
}

fn merge_depths(parts: &[PlacedPart<'_>], elapsed: Nanos) -> AchievedDepth {
    let share = |part: &PlacedPart<'_>| part.cell.elapsed.0 as f64 / elapsed.0.max(1) as f64;
    let sum = |pick: fn(&AchievedDepth) -> f64| {
        parts.iter().map(|part| pick(&part.cell.achieved_depth) * share(part)).sum()
    };
    let known = parts.iter().all(|part| part.cell.achieved_depth.outside_latencies.is_some());
    AchievedDepth {
        counted: sum(|depth| depth.counted),
        little: sum(|depth| depth.little),
        outside_latencies: known.then(|| sum(|depth| depth.outside_latencies.unwrap_or(0.0))),
    }
}

fn merge_cpu_times(parts: &[PlacedPart<'_>], ops: u64) -> CpuTime {
    let sum = |pick: fn(&CpuTime) -> u64| sum_counts(parts.iter(), |part| pick(&part.cell.cpu));
    let (user, system) = (sum(|cpu| cpu.user.0), sum(|cpu| cpu.system.0));
    // Where one is not known, the sum is not known either.
    let wait = parts
        .iter()
        .try_fold(0_u64, |sum, part| Some(sum.saturating_add(part.cell.cpu.run_queue_wait?.0)));
    CpuTime {
        user: Nanos(user),
        system: Nanos(system),
        ns_per_op: (ops > 0).then(|| (user as f64 + system as f64) / ops as f64),
        threads: u32::try_from(sum(|cpu| u64::from(cpu.threads))).unwrap_or(u32::MAX),
        run_queue_wait: wait.map(Nanos),
    }
}

fn merge_ledgers(parts: &[PlacedPart<'_>], elapsed: Nanos) -> Ledger {
    let ledgers = || parts.iter().map(|part| &part.cell.ledger);
    let sum = |pick: fn(&Ledger) -> u64| sum_counts(ledgers(), pick);
    let charged = |pick: fn(&ProcessCounters) -> u64| {
        // Where one may not be read, the sum is not known either.
        ledgers().try_fold(0_u64, |sum, of| Some(sum.saturating_add(pick(of.process.as_ref()?))))
    };
    let process = charged(|of| of.read_bytes.0).zip(charged(|of| of.write_bytes.0));
    Ledger {
        elapsed: ledgers().map(|ledger| ledger.elapsed).max().unwrap_or(elapsed),
        read_ops: sum(|of| of.read_ops),
        read_bytes: Bytes(sum(|of| of.read_bytes.0)),
        write_ops: sum(|of| of.write_ops),
        write_bytes: Bytes(sum(|of| of.write_bytes.0)),
        sync_ops: sum(|of| of.sync_ops),
        trim_ops: sum(|of| of.trim_ops),
        trim_bytes: Bytes(sum(|of| of.trim_bytes.0)),
        resumed: sum(|of| of.resumed),
        abandoned: sum(|of| of.abandoned),
        process: process.map(|(read, write)| ProcessCounters {
            read_bytes: Bytes(read),
            write_bytes: Bytes(write),
        }),
        ..Ledger::default()
    }
}

fn merge_backends(parts: &[PlacedPart<'_>]) -> String {
    let all: BTreeSet<&str> = parts.iter().map(|part| part.cell.backend.as_str()).collect();
    Vec::from_iter(all).join(", ")
}

/// With the names of the hosts where it was not all of them.
fn merge_notes(parts: &[PlacedPart<'_>]) -> Vec<String> {
    let mut all: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for part in parts {
        for note in &part.cell.backend_notes {
            all.entry(note).or_default().push(part.host);
        }
    }
    let told = |(note, hosts): (&str, Vec<&str>)| match hosts.len() == parts.len() {
        true => note.to_owned(),
        false => format!("{}: {note}", hosts.join(", ")),
    };
    all.into_iter().map(told).collect()
}

fn merge_open_loops(parts: &[PlacedPart<'_>]) -> Result<Option<OpenLoop>, MergeError> {
    let known = || parts.iter().filter_map(|part| Some((part, part.cell.open_loop.as_ref()?)));
    if known().next().is_none() {
        return Ok(None);
    }
    let sum = |pick: fn(&OpenLoop) -> u64| sum_counts(known(), |(_, open)| pick(open));
    let lag = merge_histograms(known().map(|(part, open)| (part, Some(&open.lag_ns.histogram))))?;
    Ok(Some(OpenLoop {
        started: sum(|open| open.started),
        held: sum(|open| open.held),
        unstarted: sum(|open| open.unstarted),
        lag_ns: lag.as_ref().map(summarise_latency).unwrap_or_default(),
        generator_late: known().any(|(_, open)| open.generator_late),
        processors_awake: known().any(|(_, open)| open.processors_awake),
    }))
}

fn merge_verified(parts: &[PlacedPart<'_>]) -> Option<Verified> {
    let known = || parts.iter().filter_map(|part| Some((part, part.cell.verified.as_ref()?)));
    known().next()?;
    let sum = |pick: fn(&Verified) -> u64| sum_counts(known(), |(_, of)| pick(of));
    let shown = known()
        .flat_map(|(part, of)| of.mismatches.iter().map(|block| format!("{}: {block}", part.host)));
    Some(Verified {
        blocks: sum(|of| of.blocks),
        mismatched: sum(|of| of.mismatched),
        mismatches: shown.take(MISMATCHES_MAX).collect(),
    })
}

fn merge_failures(parts: &[PlacedPart<'_>]) -> Vec<Failures> {
    let mut all: Vec<Failures> = Vec::new();
    for failure in parts.iter().flat_map(|part| &part.cell.failures) {
        let kind = |of: &Failures| (of.direction, of.errno);
        let none = || Failures { count: 0, ..failure.clone() };
        let known = find_or_push(&mut all, |known| kind(known) == kind(failure), none);
        known.count = known.count.saturating_add(failure.count);
    }
    all
}

fn merge_errors(parts: &[PlacedPart<'_>]) -> Option<CellError> {
    let mut failed = parts.iter().filter_map(|part| Some((part.host, part.cell.error.as_ref()?)));
    let (host, error) = failed.next()?;
    let more = match failed.count() {
        0 => String::new(),
        1 => " (and 1 more host failed)".to_owned(),
        count => format!(" (and {count} more hosts failed)"),
    };
    Some(CellError { message: format!("{host}: {}{more}", error.message), errno: error.errno })
}
