//! The truth checks: one file each, one finding each.

mod client_bound;
mod coverage;
mod impossible;
mod link_bound;
mod little;
mod neighbour;
mod not_settled;
mod os_throttle;
mod page_cache;
mod stall;
mod unwritten;

use record::{Cell, Evidence, Finding, FindingId, Record, Status};

/// Every check, in the order in which findings are shown.
const CHECKS: [fn(&Record) -> Finding; 11] = [
    page_cache::check,
    unwritten::check,
    impossible::check,
    client_bound::check,
    little::check,
    os_throttle::check,
    link_bound::check,
    neighbour::check,
    stall::check,
    not_settled::check,
    coverage::check,
];

/// Runs every check on the record.
#[must_use]
pub fn findings(record: &Record) -> Vec<Finding> {
    CHECKS.iter().map(|check| check(record)).collect()
}

/// Collects what a check sees, cell by cell, and keeps the worst.
struct Tally {
    id: FindingId,
    status: Status,
    cells: Vec<String>,
    evidence: Vec<Evidence>,
}

impl Tally {
    fn new(id: FindingId) -> Self {
        Self { id, status: Status::Ok, cells: Vec::new(), evidence: Vec::new() }
    }

    /// Counts `cell` as touched with `status`. Cells of a lesser status are dropped when a worse
    /// one comes, so that the list names those that the status is about.
    fn touch(&mut self, cell: &Cell, status: Status, evidence: Evidence) {
        if status > self.status {
            self.status = status;
            self.cells.clear();
        }
        if status == self.status && !self.cells.contains(&cell.name) {
            self.cells.push(cell.name.clone());
        }
        self.evidence.push(evidence);
    }

    /// Adds a fact that is about the whole run.
    fn raise(&mut self, status: Status, evidence: Evidence) {
        self.status = self.status.max(status);
        self.evidence.push(evidence);
    }

    fn fact(&mut self, evidence: Evidence) {
        self.evidence.push(evidence);
    }

    fn finish(self, summary: String, remedy: Option<&str>) -> Finding {
        let touched = !matches!(self.status, Status::Ok | Status::NotObservable);
        Finding {
            id: self.id,
            status: self.status,
            summary,
            evidence: self.evidence,
            cells: self.cells,
            remedy: remedy.filter(|_| touched).map(str::to_owned),
        }
    }
}

fn not_observable(id: FindingId, why: &str) -> Finding {
    Finding {
        id,
        status: Status::NotObservable,
        summary: why.to_owned(),
        evidence: Vec::new(),
        cells: Vec::new(),
        remedy: None,
    }
}

/// Seconds of a cell, never zero.
fn seconds(cell: &Cell) -> f64 {
    cell.elapsed.as_secs_f64().max(1e-9)
}

/// `3 cells`, `1 cell`.
fn cells(count: usize) -> String {
    if count == 1 { "1 cell".to_owned() } else { format!("{count} cells") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_record_is_judged_without_a_claim() {
        let mut record = crate::testing::record();
        record.cells.clear();
        for finding in findings(&record) {
            assert!(matches!(finding.status, Status::Ok | Status::NotObservable), "{finding:?}");
            assert!(finding.cells.is_empty());
        }
    }

    #[test]
    fn a_plain_run_raises_nothing() {
        for finding in findings(&crate::testing::record()) {
            assert!(finding.status < Status::Warning, "{finding:#?}");
        }
    }

    #[test]
    fn weird_cells_do_not_panic() {
        let mut record = crate::testing::record();
        for cell in &mut record.cells {
            cell.elapsed = units::Nanos(0);
            cell.intervals.clear();
            cell.ticks = record::TickSeries::default();
            cell.totals = record::Directions::default();
            cell.ledger = record::Ledger::default();
        }
        crate::judge(&mut record);
        assert_eq!(record.findings.len(), CHECKS.len());
    }
}
