//! The list of all messages of reports, for the test of all languages.

use message::Declared;

/// What the report says besides the messages of a judgement.
pub fn list_messages() -> Vec<Declared> {
    let own = [
        crate::compare::charts::MESSAGES,
        crate::compare::page::MESSAGES,
        crate::compare::text::MESSAGES,
        crate::sweep::MESSAGES,
        crate::terminal::MESSAGES,
        crate::trend::MESSAGES,
        crate::words::MESSAGES,
    ];
    own.into_iter().chain(crate::html::list_messages()).flatten().copied().collect()
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
                let text = render_strictly(&build(&declared, place), language);
                let text = text.unwrap_or_else(|error| panic!("{language:?}: {error}"));
                assert!(!text.contains('{'), "{text}");
            }
            let used = &message::list_messages(Language::English)[declared.id];
            let own = declared.arguments.iter().map(|(name, _)| name.replace('_', "-"));
            assert_eq!(*used, own.collect::<BTreeSet<_>>(), "{}", declared.id);
        }
    }
}
