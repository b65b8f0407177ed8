//! Messages that several modules use.

use message::{Message, messages};
use units::Ratio;

messages! {
    pub(crate) static MESSAGES;
    /// A measurement that failed, with the system's own words.
    EndedEarly = "ended-early" { error: String };
    /// A figure and half of its 95 % interval.
    WithInterval = "with-interval" { value: Message, half: Ratio };
}
