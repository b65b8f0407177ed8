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
        check_folder(&root.join("templates"));
        check_folder(&root.join("src"));
        let facts = include_str!("facts.rs").split('"').skip(1).step_by(2);
        facts.filter(|id| id.starts_with("fact-") || id.starts_with("layer-")).for_each(|id| {
            // Those with arguments are declared in the same file.
            if !super::super::facts::MESSAGES.iter().any(|declared| declared.id == id) {
                check(id);
            }
        });
    }

    fn check_folder(folder: &std::path::Path) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                check_folder(&path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for rest in text.split("say(\"").skip(1) {
                check(rest.split('"').next().unwrap());
            }
            let is_label =
                |words: &&str| words.starts_with("head-") || words.starts_with("explain-");
            let is_id = |words: &&str| words.chars().all(|c| c.is_ascii_lowercase() || c == '-');
            let quoted = text.split('"').filter(is_label).filter(is_id);
            quoted.filter(|id| !id.ends_with('-')).for_each(check);
        }
    }

    fn check(id: &str) {
        assert!(Message::find(id).is_some(), "no message {id}");
    }
}
