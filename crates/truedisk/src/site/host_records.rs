//! Where the records of hosts are kept.

use history::{History, HistoryError, HistoryLocation};
use record::Record;

use crate::exit::Failure;

pub(crate) fn history_location() -> Result<HistoryLocation, HistoryError> {
    HistoryLocation::from_env(|name| std::env::var(name).ok())
}

pub(crate) fn save_to_history(records: &[Record]) -> Result<(), Failure> {
    let mut history = None;
    records.iter().try_for_each(|record| save_one(&mut history, record, None))
}

/// Opens the history for the first record; `packed` is its compressed JSON, where that is known.
pub(super) fn save_one(
    history: &mut Option<History>,
    record: &Record,
    packed: Option<&[u8]>,
) -> Result<(), Failure> {
    let history = match history {
        Some(history) => history,
        None => history.insert(History::open(&history_location()?)?),
    };
    match packed {
        Some(packed) => history.save_packed(record, packed)?,
        None => history.save_record(record)?,
    }
    Ok(())
}

pub(crate) fn unsaved_records(failure: &Failure) -> String {
    format!("the records of the hosts were not kept here: {}; they are kept there", failure.message)
}
