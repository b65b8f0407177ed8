//! What a run over many hosts says beside its totals.

use std::collections::HashSet;

use message::{Argument, Message, Names, messages};
use record::{
    Cell, Completion, Finding, FindingId, Fleet, FleetCell, FleetHost, Judgement, Measured,
    Outliers, Trust, Verdict, format_stop_on,
};
use units::{Iops, Nanos, Ratio};

use super::hosts::{format_names, is_one_storage};
use super::outliers::{describe_not_compared, describe_outliers, describe_sample, describe_trait};
use crate::lists::find_or_push;

/// A host this much slower than the median of all is worth a word: less is between any two hosts.
const SLOWER_MIN: f64 = 1.2;
/// Further traits are in the record and on the page.
const TRAITS_MAX: usize = 3;
/// Starts that meet within a millisecond differ by far less.
const APART_MIN: f64 = 0.01;

pub(crate) fn list_degradations(measured: &Measured, fleet: &Fleet) -> Vec<Message> {
    let there = present_hosts(fleet);
    let mut all: Vec<Message> = fleet.events.iter().map(Message::from_text).collect();
    all.extend(fleet.hosts.iter().filter_map(|host| describe_lost_host(host, measured, &there)));
    all.extend(describe_breach(fleet));
    all.extend(describe_hosts_apart(fleet));
    for host in fleet.hosts.iter().filter(|host| host.lost.is_none()) {
        let missed = count_missed_cells(host, &there);
        if missed > 0 {
            let (host, cells) = (host.name.clone(), fleet.cells.len());
            all.push(FleetMissed { host, missed, cells }.into());
        }
        if let Some(Completion::Partial { reason, .. }) = &host.completion
            && measured.completion == Completion::Complete
        {
            let (host, reason) = (host.name.clone(), reason.clone());
            all.push(FleetEndedEarly { host, reason }.into());
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
        let (hosts, run) = (format_names(&unseen), fleet.run.clone());
        all.push(FleetNoRecord { hosts, run }.into());
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
) -> Option<Message> {
    let lost = host.lost.as_ref()?;
    let cell = lost.cell.as_ref().filter(|name| measured.cell(name).is_some());
    let (totals, missed) = (there.len(), count_missed_cells(host, there));
    let (host, reason, at) = (host.name.clone(), lost.reason.clone(), lost.at);
    let when: Message = match (at.0 > 0, cell.cloned()) {
        (true, Some(cell)) => FleetLostAtIn { host, at, cell, reason }.into(),
        (true, None) => FleetLostAt { host, at, reason }.into(),
        (false, Some(cell)) => FleetLostIn { host, cell, reason }.into(),
        (false, None) => FleetLost { host, reason }.into(),
    };
    let without = match missed {
        0 => None,
        _ if missed == totals => Some(FleetInNoTotal {}.into()),
        _ => Some(FleetTotalsWithout { missed, totals }.into()),
    };
    let clauses = [when].into_iter().chain(without).collect();
    Some(FleetLostHost { clauses }.into())
}

/// The bound that others' requests reached.
fn describe_breach(fleet: &Fleet) -> Option<Message> {
    let (bound, (host, breach)) = (fleet.stop_on.as_ref()?, fleet.find_breach()?);
    Some(breach.describe(&host.name, bound))
}

/// How a bound on others' requests was put to the test, and where it was not.
pub(super) fn describe_others(fleet: &Fleet) -> Option<Message> {
    let bound = format_stop_on(fleet.stop_on.as_ref()?);
    let requests = |host: &FleetHost| host.others.as_ref().map_or(0, |others| others.requests);
    let hosts = fleet.hosts.len();
    let unseen: Vec<&str> = fleet
        .hosts
        .iter()
        .filter(|host| requests(host) == 0)
        .map(|host| host.name.as_str())
        .collect();
    let requests = fleet.hosts.iter().map(requests).sum();
    Some(match unseen.as_slice() {
        [] => FleetOthers { bound, requests, hosts }.into(),
        names => FleetOthersUnseen { bound, requests, hosts, unseen: format_names(names) }.into(),
    })
}

pub(super) fn describe_late(fleet: &Fleet) -> Option<Message> {
    Some(FleetLate { late: fleet.late? }.into())
}

pub(super) fn describe_lost_relays(fleet: &Fleet) -> Option<Message> {
    let lost = fleet.relays.iter().filter(|relay| relay.lost_at.is_some());
    let names: Vec<&str> = lost.map(|relay| relay.name.as_str()).collect();
    let (lost, relays) = (names.len(), fleet.relays.len());
    (lost > 0).then(|| FleetRelaysLost { lost, relays, names: format_names(&names) }.into())
}

pub(crate) fn add_to_verdict(
    verdict: &mut Verdict,
    fleet: &Fleet,
    measured: &Measured,
    judgement: &Judgement,
) {
    let hosts = fleet.hosts.len();
    let one = is_one_storage(fleet);
    let headline = std::mem::take(&mut verdict.headline);
    // Each host replays the whole load: nothing is added up.
    let is_replay = matches!(measured.plan.purpose, record::Purpose::Replay(_));
    verdict.headline = match one || is_replay {
        false => FleetHeadlineSum { headline, hosts }.into(),
        true => FleetHeadlineAtOnce { headline, hosts }.into(),
    };
    if let Some(first) = judgement.degraded.first() {
        if verdict.trust == Trust::Sound {
            verdict.trust = Trust::Caution;
        }
        let (headline, why) = (verdict.headline.clone(), first.clone());
        verdict.headline = FleetHeadlineDegraded { headline, why }.into();
        let all = judgement.degraded.iter().cloned();
        verdict.limited_by.extend(all.map(|why| Message::from(FleetDegraded { why })));
    }
    if let Some(outliers) = &judgement.outliers {
        if !outliers.slow.is_empty() {
            let (headline, slow) = (verdict.headline.clone(), describe_outliers(outliers));
            verdict.headline = FleetHeadlineSlow { headline, slow }.into();
        }
        verdict.meaning.extend(list_outlier_sentences(outliers));
    }
    verdict.meaning.extend(describe_sample_of(fleet));
    if !one {
        // The sum of many disks says nothing of what one of them has to do.
        verdict.good_for.clear();
        verdict.too_slow_for.clear();
    }
    if let Some((cell, met)) = main_cell(measured, judgement, fleet) {
        verdict.meaning.extend(describe_shares(cell, fleet));
        verdict.meaning.extend(describe_slowest(cell, met));
    }
    verdict.meaning.extend(describe_starts(fleet));
    verdict.meaning.extend(describe_others(fleet));
    verdict.meaning.extend(describe_late(fleet));
    verdict.meaning.extend(describe_lost_relays(fleet));
    verdict.meaning.extend(describe_windows(fleet));
    verdict.not_seen = group_by_reason(&verdict.not_seen, judgement);
}

/// What the hosts stand for, where they are a sample.
pub(super) fn describe_sample_of(fleet: &Fleet) -> Option<Message> {
    let left = fleet.hosts.iter().filter(|host| host.lost.is_none()).count();
    let clause = describe_sample(left as u64, fleet.sampled_from?);
    Some(FleetSentence { clause }.into())
}

/// The answer, and its evidence.
pub(super) fn list_outlier_sentences(outliers: &Outliers) -> Vec<Message> {
    let answer = [describe_outliers(outliers)];
    let traits = outliers.traits.iter().take(TRAITS_MAX).map(describe_trait);
    let all = answer.into_iter().chain(traits).chain(describe_not_compared(outliers));
    all.map(|clause| FleetSentence { clause }.into()).collect()
}

/// A lost host leaves many checks unobservable for one reason: one line for all.
pub(super) fn group_by_reason(unseen: &[Message], judgement: &Judgement) -> Vec<Message> {
    let mut all: Vec<(Vec<&str>, &Message)> = Vec::new();
    for line in unseen {
        let check = match line.argument("check") {
            Some(Argument::Text(id)) => FindingId::from_name(id),
            _ => None,
        };
        match check.and_then(|id| judgement.finding(id)) {
            Some(Finding { id, summary: why, .. }) => {
                let known = find_or_push(&mut all, |known| known.1 == why, || (Vec::new(), why));
                known.0.push(id.name());
            }
            None => all.push((Vec::new(), line)),
        }
    }
    let describe = |(ids, why): (Vec<&str>, &Message)| match ids.is_empty() {
        true => why.clone(),
        false => FleetNotSeen { checks: Names::from_iter(ids), why: why.clone() }.into(),
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

fn describe_shares(cell: &Cell, fleet: &Fleet) -> Option<Message> {
    let mut rates: Vec<(f64, &str)> =
        fleet.host_cells(&cell.name).map(|(h, part)| (part.cell.iops(), h.name.as_str())).collect();
    rates.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (&(least, who), &(most, whom)) = rates.first().zip(rates.last())?;
    let shares = FleetShares {
        iops: Iops(cell.iops()),
        cell: cell.name.clone(),
        hosts: rates.len(),
        least: Iops(least),
        slowest: who.to_owned(),
        most: Iops(most),
        fastest: whom.to_owned(),
    };
    (rates.len() > 1).then(|| shares.into())
}

fn describe_slowest(cell: &Cell, met: &FleetCell) -> Option<Message> {
    let slowest = met.slowest.as_ref()?;
    let ratio = slowest.mean_ns / slowest.median_ns.max(1.0);
    let (mean, median) = (Nanos(slowest.mean_ns as u64), Nanos(slowest.median_ns as u64));
    let (host, cell) = (slowest.host.clone(), cell.name.clone());
    Some(match ratio >= SLOWER_MIN {
        true => FleetSlowest { host, cell, mean, ratio, median }.into(),
        false => FleetEven { host, cell, mean, median }.into(),
    })
}

fn describe_starts(fleet: &Fleet) -> Option<Message> {
    let worst = fleet.cells.iter().filter(|c| c.hosts.len() > 1).max_by_key(|c| c.skew)?;
    let (cell, skew, error) = (worst.cell.clone(), worst.skew, worst.skew_error);
    Some(FleetStarts { cell, skew, error }.into())
}

fn describe_windows(fleet: &Fleet) -> Option<Message> {
    let share = |met: &FleetCell| {
        let all = met.first_done.as_ref().map_or(0, |window| window.length.0);
        1.0 - all as f64 / met.last_done.length.0.max(1) as f64
    };
    let apart = |met: &&FleetCell| {
        share(met) > APART_MIN && met.hosts.len() > 1 && met.first_done.is_some()
    };
    let worst = fleet.cells.iter().filter(apart).max_by(|a, b| share(a).total_cmp(&share(b)))?;
    let window = worst.first_done.as_ref()?;
    let words = FleetWindow {
        cell: worst.cell.clone(),
        first: Nanos(window.start.0.saturating_add(window.length.0)),
        last: worst.last_done.length,
        together: window.length,
        share: Ratio(1.0 - share(worst)),
    };
    Some(words.into())
}

/// A total of hosts that hardly ever ran at the same time is far below what they do together.
fn describe_hosts_apart(fleet: &Fleet) -> Option<Message> {
    let are_apart = |met: &&FleetCell| met.hosts.len() > 1 && met.first_done.is_none();
    let worst = fleet.cells.iter().filter(are_apart).max_by_key(|met| met.last_done.length)?;
    Some(FleetNoWindow { cell: worst.cell.clone(), last: worst.last_done.length }.into())
}

messages! {
    FleetMissed = "fleet-missed" { host: String, missed: usize, cells: usize };
    FleetEndedEarly = "fleet-ended-early" { host: String, reason: Message };
    FleetOthers = "fleet-others" { bound: String, requests: u64, hosts: usize };
    FleetOthersUnseen = "fleet-others-unseen" {
        bound: String, requests: u64, hosts: usize, unseen: Message,
    };
    FleetLate = "fleet-late" { late: Nanos };
    FleetRelaysLost = "fleet-relays-lost" { lost: usize, relays: usize, names: Message };
    FleetNoRecord = "fleet-no-record" { hosts: Message, run: String };
    FleetLost = "fleet-lost" { host: String, reason: Message };
    FleetLostAt = "fleet-lost-at" { host: String, at: Nanos, reason: Message };
    FleetLostIn = "fleet-lost-in" { host: String, cell: String, reason: Message };
    FleetLostAtIn = "fleet-lost-at-in" { host: String, at: Nanos, cell: String, reason: Message };
    FleetInNoTotal = "fleet-in-no-total";
    FleetTotalsWithout = "fleet-totals-without" { missed: usize, totals: usize };
    FleetLostHost = "fleet-lost-host" { clauses: Vec<Message> };
    FleetHeadlineSum = "fleet-headline-sum" { headline: Message, hosts: usize };
    FleetHeadlineAtOnce = "fleet-headline-at-once" { headline: Message, hosts: usize };
    FleetHeadlineSlow = "fleet-headline-slow" { headline: Message, slow: Message };
    FleetSentence = "fleet-sentence" { clause: Message };
    FleetHeadlineDegraded = "fleet-headline-degraded" { headline: Message, why: Message };
    FleetDegraded = "fleet-degraded" { why: Message };
    FleetNotSeen = "fleet-not-seen" { checks: Names, why: Message };
    FleetShares = "fleet-shares" {
        iops: Iops,
        cell: String,
        hosts: usize,
        least: Iops,
        slowest: String,
        most: Iops,
        fastest: String,
    };
    FleetSlowest = "fleet-slowest" {
        host: String, cell: String, mean: Nanos, ratio: f64, median: Nanos,
    };
    FleetEven = "fleet-even" { host: String, cell: String, mean: Nanos, median: Nanos };
    FleetStarts = "fleet-starts" { cell: String, skew: Nanos, error: Nanos };
    FleetWindow = "fleet-window" {
        cell: String, first: Nanos, last: Nanos, together: Nanos, share: Ratio,
    };
    FleetNoWindow = "fleet-no-window" { cell: String, last: Nanos };
}
