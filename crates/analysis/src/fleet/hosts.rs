//! The hosts of a run: their names, what they share, and the run as one of them saw it.

use message::{Message, Names, messages};
use record::reasons::HostLost;
use record::{Completion, Fleet, FleetHost, FleetSpan, HostCell, Judgement, Measured, Record};

const NAMES_MAX: usize = 4;

/// The run of one host, to be held against the same host in another run.
pub fn host_record(record: &Measured, host: &FleetHost) -> Record {
    let cell = |part: &HostCell| (*part.cell).clone();
    let partial = || match &host.lost {
        Some(lost) => {
            let (host, reason) = (host.name.clone(), lost.reason.clone());
            Completion::Partial { reason: HostLost { host, reason }.into(), failed: true }
        }
        None => record.completion.clone(),
    };
    let measured = Measured {
        id: host.record.clone().unwrap_or_else(|| format!("{}/{}", record.id, host.name)),
        finished: record.finished,
        command: record.command.clone(),
        completion: host.completion.clone().unwrap_or_else(partial),
        environment: host.environment.clone(),
        targets: host.target.iter().cloned().collect(),
        calibration: host.calibration.clone(),
        cells: host.cells.iter().map(cell).collect(),
        ..Measured::new(record.tool.clone(), record.started, record.plan.clone())
    };
    let findings = host.findings.iter().map(|finding| (**finding).clone()).collect();
    let judgement = Judgement { findings, ..Judgement::default() };
    Record { judgement: Some(judgement), ..Record::from_measured(measured) }
}

/// Whether all hosts measure the same target, or files of their own in one network file system.
pub fn is_one_storage(fleet: &Fleet) -> bool {
    let network = |host: &FleetHost| {
        let system = host.target.as_ref()?.file_system.as_ref()?;
        system.network.then(|| (system.kind.clone(), system.source.clone()))
    };
    let mut sources = fleet.hosts.iter().map(network);
    let first = sources.next().flatten();
    fleet.span != FleetSpan::Own || (first.is_some() && sources.all(|other| other == first))
}

pub(crate) fn format_names(hosts: &[&str]) -> Message {
    let names: Names = hosts.iter().take(NAMES_MAX).copied().collect();
    match hosts.len().saturating_sub(NAMES_MAX) {
        0 => FleetNames { names }.into(),
        more => FleetNamesAndMore { names, more }.into(),
    }
}

messages! {
    FleetNames = "fleet-names" { names: Names };
    FleetNamesAndMore = "fleet-names-and-more" { names: Names, more: usize };
}
