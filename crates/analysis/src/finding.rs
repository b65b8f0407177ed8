//! How findings are built.

use record::{Cell, Evidence, Finding, FindingId, Status};

pub(crate) struct FindingBuilder {
    id: FindingId,
    pub(crate) status: Status,
    pub(crate) cells: Vec<String>,
    pub(crate) evidence: Vec<Evidence>,
}

impl FindingBuilder {
    pub(crate) fn new(id: FindingId) -> Self {
        Self { id, status: Status::Ok, cells: Vec::new(), evidence: Vec::new() }
    }

    /// Marks `cell`. A worse status drops the cells of a lesser one.
    pub(crate) fn mark_cell(&mut self, cell: &Cell, status: Status, evidence: Evidence) {
        if status > self.status {
            self.status = status;
            self.cells.clear();
        }
        if status == self.status && !self.cells.contains(&cell.name) {
            self.cells.push(cell.name.clone());
        }
        self.evidence.push(evidence);
    }

    pub(crate) fn mark(&mut self, cell: &Cell, status: Status, value: String, figure: f64) {
        self.mark_cell(cell, status, Evidence::figure(&cell.name, value, figure));
    }

    pub(crate) fn raise_status(&mut self, status: Status, evidence: Evidence) {
        self.status = self.status.max(status);
        self.evidence.push(evidence);
    }

    pub(crate) fn add_fact(&mut self, evidence: Evidence) {
        self.evidence.push(evidence);
    }

    /// The finding where the check cannot look, and why; the facts are dropped.
    pub(crate) fn not_observable(self, why: impl Into<String>) -> Finding {
        not_observable(self.id, why)
    }

    /// The remedy is dropped where nothing was found.
    pub(crate) fn finish(self, summary: impl Into<String>, remedy: Option<&str>) -> Finding {
        let found = !matches!(self.status, Status::Ok | Status::NotObservable);
        Finding {
            id: self.id,
            status: self.status,
            summary: summary.into(),
            evidence: self.evidence,
            cells: self.cells,
            remedy: remedy.filter(|_| found).map(str::to_owned),
        }
    }
}

pub(crate) fn not_observable(id: FindingId, why: impl Into<String>) -> Finding {
    Finding {
        id,
        status: Status::NotObservable,
        summary: why.into(),
        evidence: Vec::new(),
        cells: Vec::new(),
        remedy: None,
    }
}
