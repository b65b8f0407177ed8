//! The terms that every result uses, explained: `truedisk explain TERM` and `docs/terms.md`.

use std::fmt::Write as _;

use message::{Language, Message, label};

use crate::findings_page::escape_markdown;
use crate::words::say;

const HEAD: &str = "# Terms: latency, depth, IOPS, thrashing\n\n\
    Made from the messages of the program (`cargo run -p report --example terms_page`); do not \
    edit by hand.\nOn a terminal, `truedisk explain TERM` says the same, in five languages.\n";

/// Title of each part, and what the id of its message ends with.
const PARTS: [(&str, &str); 3] =
    [("explain-meaning", "meaning"), ("explain-relation", "relation"), ("explain-look", "look")];

/// A term of storage that every result uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term(&'static str);

impl Term {
    /// In the order in which they build on each other.
    pub const ALL: [Term; 10] = [
        Term("iops"),
        Term("latency"),
        Term("depth"),
        Term("thrashing"),
        Term("throughput"),
        Term("percentile"),
        Term("interval"),
        Term("credits"),
        Term("cap"),
        Term("cache"),
    ];

    pub const fn name(self) -> &'static str {
        self.0
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|term| term.0 == name)
    }

    /// What a reader asks who needs the term.
    pub(crate) fn question(self) -> Message {
        self.find_message("question")
    }

    /// Each part with the id of its title.
    pub(crate) fn parts(self) -> [(&'static str, Message); 3] {
        PARTS.map(|(title, part)| (title, self.find_message(part)))
    }

    fn find_message(self, part: &str) -> Message {
        let id = format!("term-{}-{part}", self.0);
        label(&id)
    }
}

/// The page `docs/terms.md`: every term explained.
pub fn render_terms_page() -> String {
    let mut page = String::from(HEAD);
    for term in Term::ALL {
        let question = escape_markdown(term.question().text());
        let _ = writeln!(page, "\n## {}\n\n{question}", term.name());
        for (title, text) in term.parts() {
            let title = say(title, Language::English);
            let _ = writeln!(page, "\n**{title}.** {}", escape_markdown(text.text()));
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use message::Render as _;

    use super::*;

    #[test]
    fn every_term_is_explained_in_every_language() {
        for term in Term::ALL {
            assert_eq!(Term::from_name(term.name()), Some(term));
            let mut texts: Vec<Message> = term.parts().map(|(_, text)| text).into();
            texts.push(term.question());
            for text in texts {
                assert!(text.id().starts_with("term-"), "{text:?}: no message");
                let words = |language| (&text).render(language);
                for language in Language::ALL.into_iter().filter(|l| *l != Language::English) {
                    assert_ne!(words(language), words(Language::English), "{text:?}: {language:?}");
                }
            }
        }
    }

    /// The file is made by `cargo run -p report --example terms_page > docs/terms.md`.
    #[test]
    fn the_page_in_the_documents_is_that_of_the_code() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/terms.md");
        let kept = std::fs::read_to_string(file).unwrap();
        assert!(
            kept == render_terms_page(),
            "docs/terms.md is not what the code says: make it anew"
        );
    }

    /// The figures that the texts work out.
    #[test]
    fn the_arithmetic_of_the_texts_is_right() {
        let has = |term: &str, part: &str, words: &str| {
            let text = Term::from_name(term).unwrap().find_message(part);
            assert!(text.text().contains(words), "{term}: '{words}' is not in '{text:?}'");
        };
        has("iops", "relation", &format!("{:.0},000 IOPS", 32.0 / 0.4e-3 / 1000.0));
        has("throughput", "relation", &format!("{} MB/s", (4000 * 262_144) / 1_000_000));
        has("percentile", "relation", &format!("{:.0} of 100", 100.0 * (1.0 - 0.99_f64.powi(100))));
        has("percentile", "meaning", &format!("{:.1} ms", (99.0 * 0.1 + 100.0) / 100.0));
        has("credits", "relation", &format!("{},000 s", 5_400_000 / (3_000 - 300) / 1000));
        has("cap", "relation", &format!("{:.1} ms", 32.0 / 3_000.0 * 1000.0));
    }
}
