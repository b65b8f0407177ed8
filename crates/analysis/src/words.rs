//! Messages that several modules use.

use message::{Message, messages};
use stats::Estimate;
use units::Ratio;

/// An estimate with its 95 % interval, where it has one.
pub(crate) fn show_estimate<Q: Into<Message>>(estimate: &Estimate, unit: fn(f64) -> Q) -> Message {
    let value = unit(estimate.value).into();
    match estimate.interval() {
        Some((low, high)) => {
            WithRange { value, low: unit(low).into(), high: unit(high).into() }.into()
        }
        None => value,
    }
}

messages! {
    /// A measurement that failed, with the system's own words.
    EndedEarly = "ended-early" { error: String };
    /// What two parts of a judgement say, one after the other.
    Clauses = "clauses" { clauses: Vec<Message> };
    /// A figure and half of its 95 % interval.
    WithInterval = "with-interval" { value: Message, half: Ratio };
    /// A figure and both ends of its 95 % interval.
    WithRange = "with-range" { value: Message, low: Message, high: Message };
}
