//! The truth checks of a run over many hosts. What only the total shows is looked for there;
//! everything else is taken from the hosts' own findings, the worst of them with its name. A host
//! without findings was not looked at, and nothing is called ok on its behalf.

use std::borrow::Cow;

use message::{Message, messages};
use record::{Evidence, Finding, FindingId, Fleet, FleetHost, Measured, Status};

use super::hosts::{format_names, host_record, is_one_storage};
use crate::checks;
use crate::finding::not_observable;

const EVIDENCE_MAX: usize = 12;
/// Served bytes over those that all hosts asked.
const SERVED_FACTOR_MAX: f64 = 1.1;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EvidencePlace {
    Total,
    Hosts,
    /// The worse of the two counts.
    Both,
}

const fn evidence_place(id: FindingId, apart: bool) -> EvidencePlace {
    match id {
        // A host whose path fails falls silent, or behind its plan, while the others go on.
        FindingId::Stall | FindingId::Backlog => EvidencePlace::Both,
        FindingId::NotSettled => EvidencePlace::Total,
        // Of hosts that have a target each, every one has its own span, cap and burst.
        FindingId::Coverage | FindingId::ProviderLimit | FindingId::Burst if !apart => {
            EvidencePlace::Total
        }
        _ => EvidencePlace::Hosts,
    }
}

/// Replaces the findings of the total by those of the hosts, where these know better.
pub(crate) fn choose_findings(
    total: Vec<Finding>,
    measured: &Measured,
    fleet: &Fleet,
) -> Vec<Finding> {
    let apart = !is_one_storage(fleet);
    let judged = |own: Finding| match evidence_place(own.id, apart) {
        EvidencePlace::Total => own,
        EvidencePlace::Hosts => hosts_finding(own.id, measured, fleet),
        EvidencePlace::Both => {
            let theirs = hosts_finding(own.id, measured, fleet);
            // Equally bad: what is true of the total is the shorter story.
            if theirs.status > own.status { theirs } else { own }
        }
    };
    total.into_iter().map(judged).collect()
}

/// The name of a host, and what it found.
type HostFinding<'host> = (&'host str, Cow<'host, Finding>);

fn hosts_finding(id: FindingId, measured: &Measured, fleet: &Fleet) -> Finding {
    let within: Vec<&FleetHost> = fleet.hosts.iter().filter(|h| !h.cells.is_empty()).collect();
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for host in &within {
        match host_finding(id, host, measured, fleet) {
            Some(finding) => known.push((host.name.as_str(), finding)),
            None => unknown.push(host.name.as_str()),
        }
    }
    let Some(status) = known.iter().map(|(_, finding)| finding.status).max() else {
        return not_observable(id, FleetNoFindings {});
    };
    if status <= Status::NotObservable && !unknown.is_empty() {
        let hosts = format_names(&unknown);
        return match status {
            Status::NotObservable => not_observable(id, FleetUnknownBlind { hosts }),
            _ => not_observable(id, FleetUnknownOk { hosts }),
        };
    }
    let worst: Vec<&HostFinding<'_>> = known.iter().filter(|(_, f)| f.status == status).collect();
    merge_findings(id, status, &worst, within.len(), measured)
}

fn merge_findings(
    id: FindingId,
    status: Status,
    worst: &[&HostFinding<'_>],
    hosts: usize,
    measured: &Measured,
) -> Finding {
    let whose: Vec<&str> = worst.iter().map(|(host, _)| *host).collect();
    let summary = worst.first().map(|(host, finding)| {
        let (host, finding) = (host.to_string(), finding.summary.clone());
        match (whose.len(), hosts) {
            (1, 1) => FleetOneHost { host, finding }.into(),
            (1, _) => FleetOneOfHosts { host, hosts, finding }.into(),
            (count, _) if count == hosts => FleetAllHosts { host, hosts, finding }.into(),
            (count, _) => {
                let names = format_names(&whose);
                FleetSomeHosts { host, count, hosts, names, finding }.into()
            }
        }
    });
    let evidence = worst.iter().flat_map(|(host, finding)| {
        let told = move |fact: &Evidence| Evidence {
            what: FleetHostFact { host: host.to_string(), fact: fact.what.clone() }.into(),
            ..fact.clone()
        };
        finding.evidence.iter().map(told)
    });
    let mut evidence: Vec<Evidence> = evidence.take(EVIDENCE_MAX).collect();
    if evidence.is_empty() {
        let names = format_names(&whose);
        evidence.push(Evidence::figure(FleetHosts {}, names, whose.len() as f64));
    }
    let mut cells: Vec<String> = Vec::new();
    for name in worst.iter().flat_map(|(_, finding)| &finding.cells) {
        if measured.cell(name).is_some() && !cells.contains(name) {
            cells.push(name.clone());
        }
    }
    let remedy = worst.iter().find_map(|(_, finding)| finding.remedy.clone());
    Finding { id, status, summary: summary.unwrap_or_default(), evidence, cells, remedy }
}

/// Of neighbours, what is left when the other hosts of the run are none.
fn host_finding<'host>(
    id: FindingId,
    host: &'host FleetHost,
    measured: &Measured,
    fleet: &Fleet,
) -> Option<Cow<'host, Finding>> {
    let finding = host.findings.iter().find(|finding| finding.id == id)?;
    let of_others = id == FindingId::Neighbour
        && finding.status >= Status::Note
        && fleet.hosts.len() > 1
        && !finding.cells.is_empty()
        && finding.cells.iter().all(|cell| is_serving_only_fleet(cell, host, measured));
    if !of_others {
        return Some(Cow::Borrowed(&**finding));
    }
    // Without the device's counters only the processors are left to look at.
    let mut alone = host_record(measured, host);
    alone.measured.cells.iter_mut().for_each(|cell| cell.ledger.layers.clear());
    let left = checks::judge_neighbours(&alone.measured);
    if left.status >= Status::Note {
        return Some(Cow::Owned(left));
    }
    Some(Cow::Owned(Finding {
        status: Status::Ok,
        summary: FleetServedOnlyRun {}.into(),
        cells: Vec::new(),
        remedy: None,
        ..(**finding).clone()
    }))
}

/// Whether a device that hosts of the run share served in a cell no more than all of them asked.
fn is_serving_only_fleet(cell: &str, host: &FleetHost, measured: &Measured) -> bool {
    let (Some(part), Some(total)) = (host.cell(cell), measured.cell(cell)) else { return false };
    let Some(device) = part.cell.ledger.layers.first() else { return false };
    let served = device.read_bytes.0.saturating_add(device.write_bytes.0) as f64;
    let asked =
        |ledger: &record::Ledger| ledger.read_bytes.0.saturating_add(ledger.write_bytes.0) as f64;
    served > asked(&part.cell.ledger) && served <= SERVED_FACTOR_MAX * asked(&total.ledger)
}

messages! {
    FleetNoFindings = "fleet-no-findings";
    FleetUnknownOk = "fleet-unknown-ok" { hosts: Message };
    FleetUnknownBlind = "fleet-unknown-blind" { hosts: Message };
    FleetOneHost = "fleet-one-host" { host: String, finding: Message };
    FleetOneOfHosts = "fleet-one-of-hosts" { host: String, hosts: usize, finding: Message };
    FleetAllHosts = "fleet-all-hosts" { host: String, hosts: usize, finding: Message };
    FleetSomeHosts = "fleet-some-hosts" {
        host: String, count: usize, hosts: usize, names: Message, finding: Message,
    };
    FleetHostFact = "fleet-host-fact" { host: String, fact: Message };
    FleetHosts = "fleet-hosts";
    FleetServedOnlyRun = "fleet-served-only-run";
}
