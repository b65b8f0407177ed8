//! The list of all messages that a report can say, for the test of the languages.

use message::Declared;

pub fn list_messages() -> Vec<Declared> {
    let own = [
        crate::compare::list_messages(),
        crate::sweep::MESSAGES,
        crate::terminal::list_messages(),
        crate::words::MESSAGES,
    ];
    own.into_iter().flatten().copied().collect()
}
