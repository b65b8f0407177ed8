//! Messages that several modules use.

use message::{Message, messages};
use units::Ratio;

messages! {
    pub(crate) static MESSAGES;
    /// What two parts of a judgement say, one after the other.
    Clauses = "clauses" { clauses: Vec<Message> };
    NoTarget = "no-target";
    /// A figure and half of its 95 % interval.
    WithInterval = "with-interval" { value: Message, half: Ratio };
}
