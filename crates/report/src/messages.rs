//! The list of all messages of reports, for the test of all languages.

use message::Declared;

/// What the report says besides the messages of a judgement.
pub fn list_messages() -> Vec<Declared> {
    let own = [
        crate::compare::charts::MESSAGES,
        crate::compare::page::MESSAGES,
        crate::compare::text::MESSAGES,
        crate::sweep::MESSAGES,
        crate::compare::MESSAGES,
        crate::devices::MESSAGES,
        crate::fleet::MESSAGES,
        crate::limit::MESSAGES,
        crate::metadata::MESSAGES,
        crate::outliers::MESSAGES,
        crate::ping::MESSAGES,
        crate::preset::table::MESSAGES,
        crate::promise::MESSAGES,
        crate::runs::MESSAGES,
        crate::terminal::FLEET_MESSAGES,
        crate::terminal::LIMIT_MESSAGES,
        crate::terminal::MESSAGES,
        crate::terminal::SUMMARY_MESSAGES,
        crate::trend::MESSAGES,
        crate::watch::MESSAGES,
        crate::watch::compare::MESSAGES,
        crate::words::MESSAGES,
        crate::words::warned::MESSAGES,
    ];
    own.into_iter().chain(crate::html::list_messages()).flatten().copied().collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_message_has_its_words_in_every_language_whatever_its_arguments() {
        assert_eq!(message::list_faults(&super::list_messages()), [""; 0]);
    }
}
