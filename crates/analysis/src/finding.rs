//! How findings are built.

use message::Message;
use record::{Cell, Evidence, Finding, FindingId, Status};

pub(crate) struct FindingBuilder {
    pub(crate) status: Status,
    pub(crate) cells: Vec<String>,
    pub(crate) evidence: Vec<Evidence>,
    pub(crate) remedy: Option<Message>,
}

impl FindingBuilder {
    pub(crate) fn new(remedy: Option<Message>) -> Self {
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

    pub(crate) fn mark(
        &mut self,
        cell: &Cell,
        status: Status,
        value: impl Into<Message>,
        figure: f64,
    ) {
        self.mark_cell(
            cell,
            status,
            Evidence::figure(Message::from_text(&cell.name), value, figure),
        );
    }

    pub(crate) fn raise_status(&mut self, status: Status, evidence: Evidence) {
        self.status = self.status.max(status);
        self.evidence.push(evidence);
    }

    pub(crate) fn add_figure(
        &mut self,
        what: impl Into<Message>,
        value: impl Into<Message>,
        figure: f64,
    ) {
        self.evidence.push(Evidence::figure(what, value, figure));
    }

    /// The summary, or why the check cannot look: that drops the facts.
    pub(crate) fn settle(&mut self, outcome: Result<Message, Message>) -> Message {
        outcome.unwrap_or_else(|why| {
            *self = Self { status: Status::NotObservable, ..Self::new(None) };
            why
        })
    }

    /// The remedy is dropped where nothing was found.
    pub(crate) fn finish(mut self, id: FindingId, outcome: Result<Message, Message>) -> Finding {
        let summary = self.settle(outcome);
        let Self { status, cells, evidence, remedy } = self;
        let remedy = remedy.filter(|_| status > Status::NotObservable);
        Finding { id, status, summary, evidence, cells, remedy }
    }
}

pub(crate) fn not_observable(id: FindingId, why: impl Into<Message>) -> Finding {
    FindingBuilder::new(None).finish(id, Err(why.into()))
}
