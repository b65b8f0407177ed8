//! A run over many hosts as one of its hosts saw it.

use record::{Completion, FleetHost, HostCell, Judgement, Measured, Record};

/// The run of one host, with the cells that the totals are made of: to be held against the same
/// host in another run. Its intervals, and its own judgement, stand in the host's own record.
#[must_use]
pub fn host_record(record: &Measured, host: &FleetHost) -> Record {
    let cell = |part: &HostCell| part.cell.clone();
    let partial = || match &host.lost {
        Some(lost) => {
            let reason = format!("{} was lost: {}", host.name, lost.reason);
            Completion::Partial { reason, failed: true }
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
    let judgement = Judgement { findings: host.findings.clone(), ..Judgement::default() };
    Record { judgement: Some(judgement), ..Record::from_measured(measured) }
}
