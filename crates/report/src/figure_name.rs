//! What [`record::Figures`] calls by the names of a cell and a direction, in words.

use message::Message;
use record::{Cell, Record, limit_name};
use workload::Direction;

use crate::html::tiles::TileAnswer;
use crate::limit::direction_words;
use crate::preset::table::StepPart;
use crate::words::cell_label;

/// Of a cell or a limit; nothing of a disk that was watched.
pub(crate) fn name_figure(record: &Record, cell: &str, direction: &str) -> Option<Message> {
    match record.measured.cell(cell) {
        Some(measured) => Some(name_cell(measured, direction)),
        None => find_limit(record, cell),
    }
}

/// `vda, reads`; of all requests `vda`.
pub(crate) fn name_disk_figure(disk: &str, direction: &str) -> Message {
    let step = Message::from_text(disk);
    match Direction::ALL.into_iter().find(|of| of.name() == direction) {
        Some(of) => StepPart { step, part: direction_words(of) }.into(),
        None => step,
    }
}

/// With its direction, where the cell has several.
fn name_cell(cell: &Cell, direction: &str) -> Message {
    let label = cell_label(cell);
    let mut totals = cell.totals.iter();
    let found = totals.find(|(of, _)| of.name() == direction).map(|(of, _)| of);
    match found.filter(|_| cell.totals.iter().count() > 1) {
        Some(of) => StepPart { step: label, part: direction_words(of) }.into(),
        None => label,
    }
}

fn find_limit(record: &Record, name: &str) -> Option<Message> {
    let curves = record.judgement_or_default().curves.iter();
    let mut limits = curves.flat_map(|curve| curve.limits.iter().map(move |limit| (curve, limit)));
    let (curve, limit) = limits.find(|(curve, limit)| limit_name(curve, limit) == name)?;
    Some(TileAnswer { curve: curve.label.clone(), bound: limit.bound.to_string() }.into())
}
