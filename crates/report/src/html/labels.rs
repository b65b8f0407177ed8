//! Labels that are named by their id, as templates, tables and lists of facts do; a test holds that
//! each of them has words.

use message::{Language, Message, Render as _};

pub(crate) fn say(id: &str, language: Language) -> String {
    Message::find(id).map_or_else(|| id.to_owned(), |message| message.render(language))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_of_a_template_has_words() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        for folder in ["templates", "src"] {
            assert_eq!(message::list_missing_labels(&root.join(folder)).unwrap(), [""; 0]);
        }
        let facts = include_str!("facts.rs").split('"').skip(1).step_by(2);
        facts.filter(|id| id.starts_with("fact-") || id.starts_with("layer-")).for_each(|id| {
            // Those with arguments are declared in the same file.
            if !super::super::facts::MESSAGES.iter().any(|declared| declared.id == id) {
                check(id);
            }
        });
    }

    fn check(id: &str) {
        assert!(Message::find(id).is_some(), "no message {id}");
    }
}
