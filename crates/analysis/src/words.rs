//! Messages that several modules use.

use message::{Message, messages};
use units::Ratio;

messages! {
    pub(crate) static MESSAGES;
    /// A figure and half of its 95 % interval.
    WithInterval = "with-interval" { value: Message, half: Ratio };
}
