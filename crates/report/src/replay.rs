//! What the results of a replay are called.

use message::{Message, label};
use record::{Purpose, Record};

use crate::fleet::has_waves;
use crate::words::ResultsCaption;

pub(crate) fn is_replay(record: &Record) -> bool {
    matches!(record.measured.plan.purpose, Purpose::Replay(_)) && !has_waves(record)
}

/// What the columns of the results are, where it is not plain.
pub(crate) fn results_caption(record: &Record) -> Option<Message> {
    if is_replay(record) {
        return Some(label("page-results-replay-caption"));
    }
    // That of the answers: `p99<10ms`. What a promise needs besides is no answer.
    let bound = record.measured.plan.bounds.first()?.to_string();
    Some(ResultsCaption { bound }.into())
}
