//! The page `docs/findings.md`: every finding explained.

use std::fmt::Write as _;

use analysis::Check;
use message::{Language, Message};
use record::FindingId;

use crate::words::say;

const HEAD: &str = "# Findings, and what they mean\n\n\
    Made from the checks themselves (`cargo run -p report --example findings_page`); do not edit \
    by hand.\nOn a terminal, `truedisk explain FINDING` says the same.\n\n\
    A finding is the outcome of one truth check. **ok**: looked, and found nothing. \
    **not-observable**: could not look, here or in this time. **note**: worth knowing; the numbers \
    stand. **warning**: the numbers stand, but not for what a reader would take them for. \
    **invalid**: the numbers of the named cells must not be used.\n";

/// Each part with the id of its title.
pub(crate) fn explanation_parts(of: &Check) -> [(&'static str, Message); 4] {
    [
        ("explain-meaning", of.meaning()),
        ("explain-method", of.method()),
        ("explain-remedy", of.remedy()),
        ("explain-blind-spot", of.blind_spot()),
    ]
}

pub fn render_findings_page() -> String {
    let mut page = String::from(HEAD);
    for id in FindingId::ALL {
        let of = analysis::explain(id);
        let _ = writeln!(page, "\n## {id}\n\n{}", of.question().text());
        for (title, text) in explanation_parts(of) {
            let title = say(title, Language::English);
            let _ = writeln!(page, "\n**{title}.** {}", escape_markdown(text.text()));
        }
        let _ = writeln!(page, "\n| status | when |\n|---|---|");
        for (status, when) in of.statuses() {
            let _ = writeln!(page, "| {status} | {} |", escape_markdown(when.text()));
        }
    }
    page
}

pub(crate) fn escape_markdown(text: &str) -> String {
    let special = |c: char| matches!(c, '_' | '*' | '<' | '`' | '|');
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if special(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The file is made by `cargo run -p report --example findings_page > docs/findings.md`.
    #[test]
    fn the_page_in_the_documents_is_that_of_the_code() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/findings.md");
        let kept = std::fs::read_to_string(file).unwrap();
        assert!(
            kept == render_findings_page(),
            "docs/findings.md is not what the code says: make it anew"
        );
    }

    #[test]
    fn marks_of_the_text_are_not_those_of_the_page() {
        assert_eq!(escape_markdown("a_b*c <d> `e` f|g"), "a\\_b\\*c \\<d> \\`e\\` f\\|g");
    }
}
