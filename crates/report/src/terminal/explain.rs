//! What the findings mean, on a terminal.

use message::{Message, Render as _};
use record::{FindingId, Status};
use serde_json::{Value, json};

use crate::findings_page::explanation_parts;
use crate::text::{Style, pad_right, write_hanging, write_heading, write_wrapped};
use crate::words::status_word;

/// Where the text of a status, or of a list's entry, begins.
const COLUMN: usize = 18;

/// One finding explained, in at most 100 columns.
pub fn render_explanation(id: FindingId, style: Style) -> String {
    let of = analysis::explain(id);
    let mut out = String::new();
    let question = of.question().render(style.language);
    write_wrapped(&mut out, style, "", &format!("{}: {question}", of.id.name()));
    for (title, text) in explanation_parts(of) {
        write_heading(&mut out, style, &style.say(title));
        write_wrapped(&mut out, style, "  ", &text.render(style.language));
    }
    write_heading(&mut out, style, &style.say("explain-statuses"));
    for (status, when) in of.statuses() {
        let word = pad_right(&status_word(status, style.language), COLUMN - 2);
        let when = when.render(style.language);
        write_entry(&mut out, style, &style.status(status, &word), &when);
    }
    out
}

/// One finding explained, as data.
pub fn explanation_json(id: FindingId) -> Value {
    let of = analysis::explain(id);
    let statuses = of.statuses();
    let status = |(status, when): (Status, Message)| json!({"status": status, "when": when});
    json!({
        "finding": id,
        "question": of.question(),
        "meaning": of.meaning(),
        "method": of.method(),
        "remedy": of.remedy(),
        "blind_spot": of.blind_spot(),
        "statuses": statuses.map(status).collect::<Vec<_>>(),
    })
}

/// Every finding with the question it answers, a line each.
pub fn render_explanations(style: Style) -> String {
    let mut out = String::new();
    for id in FindingId::ALL {
        let word = format!("{id:<width$}", width = COLUMN - 2);
        let question = analysis::explain(id).question().render(style.language);
        write_entry(&mut out, style, &style.bold(&word), &question);
    }
    out.push('\n');
    write_wrapped(&mut out, style, "", &style.say("explain-more"));
    out
}

fn write_entry(out: &mut String, style: Style, word: &str, text: &str) {
    write_hanging(out, style, &format!("  {word}"), &" ".repeat(COLUMN), text);
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_width;
    use super::*;

    const PLAIN: Style = Style::PLAIN;

    #[test]
    fn every_finding_has_one_line_in_the_list() {
        let text = render_explanations(PLAIN);
        check_width(&text);
        assert_eq!(text.lines().count(), FindingId::ALL.len() + 2, "{text}");
        for (id, line) in FindingId::ALL.into_iter().zip(text.lines()) {
            assert!(line.trim_start().starts_with(id.name()) && line.ends_with('?'), "{line}");
        }
    }

    #[test]
    fn an_explanation_says_everything_and_fits() {
        for id in FindingId::ALL {
            let of = analysis::explain(id);
            let text = render_explanation(id, PLAIN);
            check_width(&text);
            assert!(!text.contains('\u{1b}'), "no colour was asked for");
            let words: Vec<&str> = text.split_whitespace().collect();
            let flat = words.join(" ");
            for part in [of.meaning(), of.method(), of.remedy(), of.blind_spot()] {
                assert!(flat.contains(part.text()), "{id}: '{part:?}' is missing in:\n{text}");
            }
            assert!(of.statuses().all(|(_, when)| flat.contains(when.text())), "{text}");
        }
    }
}
