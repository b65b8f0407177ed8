//! How findings are built.

use record::{Cell, Evidence, Finding, FindingId, Status};

pub(crate) struct FindingBuilder {
    pub(crate) status: Status,
    pub(crate) cells: Vec<String>,
    pub(crate) evidence: Vec<Evidence>,
    /// Empty for none.
    pub(crate) remedy: &'static str,
}

impl FindingBuilder {
    pub(crate) fn new(remedy: &'static str) -> Self {
        Self { status: Status::Ok, cells: Vec::new(), evidence: Vec::new(), remedy }
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

    pub(crate) fn add_figure(&mut self, what: &str, value: impl Into<String>, figure: f64) {
        self.evidence.push(Evidence::figure(what, value, figure));
    }

    /// The summary, or why the check cannot look: that drops the facts.
    pub(crate) fn settle(&mut self, outcome: Result<String, String>) -> String {
        outcome.unwrap_or_else(|why| {
            *self = Self { status: Status::NotObservable, ..Self::new("") };
            why
        })
    }

    /// The remedy is dropped where nothing was found.
    pub(crate) fn finish(mut self, id: FindingId, outcome: Result<String, String>) -> Finding {
        let summary = self.settle(outcome);
        let Self { status, cells, evidence, remedy } = self;
        let found = status > Status::NotObservable && !remedy.is_empty();
        let remedy = found.then(|| remedy.to_owned());
        Finding { id, status, summary, evidence, cells, remedy }
    }
}

pub(crate) fn not_observable(id: FindingId, why: impl Into<String>) -> Finding {
    FindingBuilder::new("").finish(id, Err(why.into()))
}
