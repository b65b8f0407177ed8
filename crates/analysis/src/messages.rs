//! The list of all messages that a judgement can say.

use message::Declared;

/// For the test that holds the languages to the same messages.
pub fn list_messages() -> Vec<Declared> {
    let own = [
        crate::MESSAGES,
        crate::burst::MESSAGES,
        crate::evidence::contents::MESSAGES,
        crate::evidence::generator_pauses::MESSAGES,
        crate::evidence::group_limit::MESSAGES,
        crate::evidence::reread::MESSAGES,
        crate::evidence::withheld_cpu::MESSAGES,
        crate::evidence::working_set::MESSAGES,
        crate::headline::MESSAGES,
        crate::interference::MESSAGES,
        crate::ladder::MESSAGES,
        crate::ping::MESSAGES,
        crate::preset::MESSAGES,
        crate::promise::MESSAGES,
        crate::promise::short_runs::MESSAGES,
        crate::replay::MESSAGES,
        crate::rotation::MESSAGES,
        crate::support::MESSAGES,
        crate::surface::MESSAGES,
        crate::sweep::MESSAGES,
        crate::verdict::MESSAGES,
        crate::verdict::USE_MESSAGES,
        crate::words::MESSAGES,
        crate::writes::MESSAGES,
    ];
    let modules = [
        crate::checks::list_messages().to_vec(),
        crate::class::list_messages().to_vec(),
        crate::compare::list_messages().to_vec(),
        crate::curve::list_messages().to_vec(),
        crate::fleet::list_messages().to_vec(),
        record::list_messages().to_vec(),
        vec![stats::MESSAGES, model::MESSAGES],
    ];
    own.into_iter().chain(modules.concat()).flatten().copied().collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_message_has_its_words_in_every_language_whatever_its_arguments() {
        assert_eq!(message::list_faults(&super::list_messages()), [""; 0]);
    }
}
