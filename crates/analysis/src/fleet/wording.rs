//! What a run over many hosts says beside its totals.

use std::collections::HashSet;

use record::{
    Cell, Completion, FindingId, Fleet, FleetCell, FleetHost, Judgement, Measured, Trust, Verdict,
};
use units::{Iops, Nanos, Ratio};

use super::hosts::{format_names, is_one_storage};
use crate::lists::find_or_push;

/// A host this much slower than the median of all is worth a word: less is between any two hosts.
const SLOWER_MIN: f64 = 1.2;
/// Starts that meet within a millisecond differ by far less.
const APART_MIN: f64 = 0.01;

pub(crate) fn list_degradations(measured: &Measured, fleet: &Fleet) -> Vec<String> {
    let there = present_hosts(fleet);
    let mut all = fleet.events.clone();
    all.extend(fleet.hosts.iter().filter_map(|host| describe_lost_host(host, measured, &there)));
    for host in fleet.hosts.iter().filter(|host| host.lost.is_none()) {
        let missed = count_missed_cells(host, &there);
        if missed > 0 {
            let of = fleet.cells.len();
            all.push(format!("{} is missing in {missed} of {of} cells", host.name));
        }
        if let Some(Completion::Partial { reason, .. }) = &host.completion
            && measured.completion == Completion::Complete
        {
            all.push(format!("{} ended early: {reason}", host.name));
        }
    }
    // Of those that the coordinator said something about, that is enough.
    let is_told = |host: &FleetHost| {
        let said = |event: &String| {
            event.strip_prefix(&host.name).is_some_and(|rest| rest.starts_with(':'))
        };
        fleet.events.iter().any(said)
    };
    let is_unseen =
        |host: &&FleetHost| host.record.is_none() && host.lost.is_none() && !is_told(host);
    let unseen = fleet.hosts.iter().filter(is_unseen);
    let unseen: Vec<&str> = unseen.map(|host| host.name.as_str()).collect();
    if !unseen.is_empty() {
        let (names, run) = (format_names(&unseen), &fleet.run);
        all.push(format!("no record of their own has come from {names}: fleet collect {run}"));
    }
    all
}

/// Sets made once: looking for each of many hosts in each list takes time.
fn present_hosts(fleet: &Fleet) -> Vec<HashSet<&str>> {
    let names = fleet.cells.iter().map(|met| met.hosts.iter().chain(&met.idle));
    names.map(|names| names.map(String::as_str).collect()).collect()
}

fn count_missed_cells(host: &FleetHost, there: &[HashSet<&str>]) -> usize {
    there.iter().filter(|names| !names.contains(host.name.as_str())).count()
}

fn describe_lost_host(
    host: &FleetHost,
    measured: &Measured,
    there: &[HashSet<&str>],
) -> Option<String> {
    let lost = host.lost.as_ref()?;
    let cell = lost.cell.as_ref().filter(|name| measured.cell(name).is_some());
    let within = cell.map(|name| format!(", in {name}")).unwrap_or_default();
    let of = there.len();
    let missed = count_missed_cells(host, there);
    let without = match missed {
        0 => String::new(),
        _ if missed == of => "; it is in none of the totals".to_owned(),
        1 => format!("; 1 of {of} totals is without it"),
        _ => format!("; {missed} of {of} totals are without it"),
    };
    let when = if lost.at.0 > 0 { format!(" {} into the run", lost.at) } else { String::new() };
    let (name, reason) = (&host.name, &lost.reason);
    Some(format!("{name} was lost{when}{within}: {reason}{without}"))
}

pub(crate) fn add_to_verdict(
    verdict: &mut Verdict,
    fleet: &Fleet,
    measured: &Measured,
    judgement: &Judgement,
) {
    let hosts = fleet.hosts.len();
    let one = is_one_storage(fleet);
    let over = match one {
        false => format!("{hosts} hosts, each with its own target, added up"),
        true => format!("{hosts} hosts at once"),
    };
    verdict.headline = format!("{}; {over}", verdict.headline).into();
    if let Some(first) = judgement.degraded.first() {
        if verdict.trust == Trust::Sound {
            verdict.trust = Trust::Caution;
        }
        verdict.headline = format!("{}. Degraded: {first}", verdict.headline).into();
        verdict
            .limited_by
            .extend(judgement.degraded.iter().map(|why| format!("degraded: {why}").into()));
    }
    if !one {
        // The sum of many disks is good for nothing that one of them has to do.
        verdict.good_for.clear();
    }
    if let Some((cell, met)) = main_cell(measured, judgement, fleet) {
        verdict
            .meaning
            .extend(describe_shares(cell, fleet).into_iter().map(message::Message::from));
        verdict.meaning.extend(describe_slowest(cell, met).into_iter().map(message::Message::from));
    }
    verdict.meaning.extend(describe_starts(fleet).into_iter().map(message::Message::from));
    verdict.meaning.extend(describe_windows(fleet).into_iter().map(message::Message::from));
    verdict.not_seen = group_by_reason(&verdict.not_seen).into_iter().map(Into::into).collect();
}

/// A lost host leaves many checks unobservable for one reason: one line for all.
fn group_by_reason(unseen: &[message::Message]) -> Vec<String> {
    let mut all: Vec<(Vec<&str>, &str)> = Vec::new();
    for line in unseen {
        let check = line.split_once(": ").filter(|(id, _)| FindingId::from_name(id).is_some());
        match check {
            Some((id, why)) => {
                find_or_push(&mut all, |known| known.1 == why, || (Vec::new(), why)).0.push(id);
            }
            None => all.push((Vec::new(), line)),
        }
    }
    let describe = |(ids, why): (Vec<&str>, &str)| match ids.is_empty() {
        true => why.to_owned(),
        false => format!("{}: {why}", ids.join(", ")),
    };
    all.into_iter().map(describe).collect()
}

/// The cell by which hosts are compared: that of the first limit, or the one of the most hosts and
/// IOPS.
pub fn main_cell<'a>(
    measured: &'a Measured,
    judgement: &'a Judgement,
    fleet: &'a Fleet,
) -> Option<(&'a Cell, &'a FleetCell)> {
    let with = |name: &str| Some((measured.cell(name)?, fleet.cell(name)?));
    let limit = judgement.curves.iter().flat_map(|curve| &curve.limits).next();
    limit.and_then(|limit| with(&limit.cell)).filter(|(_, met)| met.hosts.len() > 1).or_else(|| {
        let all = measured.cells.iter().filter_map(|cell| Some((cell, fleet.cell(&cell.name)?)));
        let most = |cell: &Cell, met: &FleetCell| (met.hosts.len(), cell.iops());
        all.max_by(|a, b| {
            let (x, y) = (most(a.0, a.1), most(b.0, b.1));
            x.0.cmp(&y.0).then(x.1.total_cmp(&y.1))
        })
    })
}

fn describe_shares(cell: &Cell, fleet: &Fleet) -> Option<String> {
    let mut rates: Vec<(f64, &str)> =
        fleet.host_cells(&cell.name).map(|(h, part)| (part.cell.iops(), h.name.as_str())).collect();
    rates.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (&(least, who), &(most, whom)) = rates.first().zip(rates.last())?;
    (rates.len() > 1).then(|| {
        format!(
            "Of the {} IOPS of {} the {} hosts gave {} ({who}) to {} ({whom}) each.",
            Iops(cell.iops()),
            cell.name,
            rates.len(),
            Iops(least),
            Iops(most),
        )
    })
}

fn describe_slowest(cell: &Cell, met: &FleetCell) -> Option<String> {
    let slowest = met.slowest.as_ref()?;
    let ratio = slowest.mean_ns / slowest.median_ns.max(1.0);
    let (mean, median) = (Nanos(slowest.mean_ns as u64), Nanos(slowest.median_ns as u64));
    let host = &slowest.host;
    Some(match ratio >= SLOWER_MIN {
        true => format!(
            "The slowest host is {host}: an operation of {} takes {mean} there, {ratio:.2} times \
             the {median} of the median host.",
            cell.name
        ),
        false => format!(
            "No host is much slower than the others: the slowest, {host}, takes {mean} for an \
             operation of {}, the median host {median}.",
            cell.name
        ),
    })
}

fn describe_starts(fleet: &Fleet) -> Option<String> {
    let worst = fleet.cells.iter().filter(|c| c.hosts.len() > 1).max_by_key(|c| c.skew)?;
    Some(format!(
        "The hosts began within {} of each other, at worst (in {}), by clocks known to ±{}.",
        worst.skew, worst.cell, worst.skew_error
    ))
}

fn describe_windows(fleet: &Fleet) -> Option<String> {
    let share = |met: &FleetCell| {
        let all = met.first_done.as_ref().map_or(0, |window| window.length.0);
        1.0 - all as f64 / met.last_done.length.0.max(1) as f64
    };
    let apart = |met: &&FleetCell| share(met) > APART_MIN && met.hosts.len() > 1;
    let worst = fleet.cells.iter().filter(apart).max_by(|a, b| share(a).total_cmp(&share(b)))?;
    Some(match &worst.first_done {
        Some(window) => format!(
            "In {} not all hosts ran all the time: the first was done after {}, the last after {}; \
             the rates are those of the {} in which all ran, {} of it.",
            worst.cell,
            Nanos(window.start.0.saturating_add(window.length.0)),
            worst.last_done.length,
            window.length,
            Ratio(1.0 - share(worst)),
        ),
        None => format!(
            "In {} hardly any time was there in which all hosts ran: its rates are over all {}.",
            worst.cell, worst.last_done.length
        ),
    })
}
