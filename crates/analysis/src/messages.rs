//! The list of all messages that a judgement can say.

use message::Declared;

/// For the test that holds the languages to the same messages.
pub fn list_messages() -> Vec<Declared> {
    let own = [
        crate::MESSAGES,
        crate::evidence::contents::MESSAGES,
        crate::evidence::generator_pauses::MESSAGES,
        crate::evidence::group_limit::MESSAGES,
        crate::evidence::reread::MESSAGES,
        crate::evidence::withheld_cpu::MESSAGES,
        crate::evidence::working_set::MESSAGES,
        crate::interference::MESSAGES,
        crate::ladder::MESSAGES,
        crate::preset::MESSAGES,
        crate::promise::MESSAGES,
        crate::promise::short_runs::MESSAGES,
        crate::rotation::MESSAGES,
        crate::support::MESSAGES,
        crate::surface::MESSAGES,
        crate::sweep::MESSAGES,
        crate::verdict::MESSAGES,
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
    ];
    own.into_iter().chain(modules.concat()).flatten().copied().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use message::{Argument, Language, Message, render_strictly};

    use super::*;

    fn build(declared: &Declared, place: usize) -> Message {
        let arguments = declared.arguments.iter().map(|(name, kind)| {
            let examples = kind.extremes();
            ((*name).to_owned(), examples[place % examples.len()].clone())
        });
        Message::from_parts(declared.id, arguments.collect::<Vec<(String, Argument)>>())
    }

    #[test]
    fn every_message_has_its_words_in_every_language_whatever_its_arguments() {
        for declared in list_messages() {
            for (place, language) in
                (0..6).flat_map(|n| Language::COMPLETE.map(|language| (n, language)))
            {
                let message = build(&declared, place);
                let text = render_strictly(&message, language);
                let text = text.unwrap_or_else(|error| panic!("{language:?}: {error}"));
                assert!(!text.contains('{') && !text.contains('\u{2068}'), "{text}");
            }
            let used = &message::list_messages(Language::English)[declared.id];
            let own = declared.arguments.iter().map(|(name, _)| name.replace('_', "-"));
            assert_eq!(*used, own.collect::<BTreeSet<_>>(), "{}", declared.id);
        }
    }
}
