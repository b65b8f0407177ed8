//! What the terms and the findings mean, on a terminal.

use analysis::Check;
use message::{Message, Render as _};
use record::{FindingId, Status};
use serde_json::{Value, json};

use crate::findings_page::explanation_parts;
use crate::terms::Term;
use crate::text::{Style, pad_right, text_width, write_hanging, write_heading, write_wrapped};
use crate::words::status_word;

/// The least width of a status or a finding's name before its text.
const NAME_WIDTH: usize = 16;

/// What can be explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    Finding(FindingId),
    Term(Term),
}

impl Topic {
    pub fn list() -> impl Iterator<Item = Topic> {
        let findings = FindingId::ALL.into_iter().map(Topic::Finding);
        findings.chain(Term::ALL.into_iter().map(Topic::Term))
    }

    pub const fn name(self) -> &'static str {
        match self {
            Topic::Term(term) => term.name(),
            Topic::Finding(id) => id.name(),
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::list().find(|topic| topic.name() == name)
    }

    fn question(self) -> Message {
        match self {
            Topic::Term(term) => term.question(),
            Topic::Finding(id) => analysis::explain(id).question(),
        }
    }
}

/// One topic explained, in at most 100 columns.
pub fn render_explanation(topic: Topic, style: Style) -> String {
    let mut out = String::new();
    let question = topic.question().render(style.language);
    write_wrapped(&mut out, style, "", &format!("{}: {question}", topic.name()));
    let mut write_part = |(title, text): (&str, Message)| {
        write_heading(&mut out, style, &style.say(title));
        write_wrapped(&mut out, style, "  ", &text.render(style.language));
    };
    match topic {
        Topic::Term(term) => term.parts().into_iter().for_each(write_part),
        Topic::Finding(id) => {
            let of = analysis::explain(id);
            explanation_parts(of).into_iter().for_each(&mut write_part);
            write_statuses(&mut out, of, style);
        }
    }
    out
}

fn write_statuses(out: &mut String, of: &Check, style: Style) {
    write_heading(out, style, &style.say("explain-statuses"));
    let words = of.statuses().map(|(status, _)| status_word(status, style.language));
    let width = words.map(|word| text_width(&word) + 1).max().unwrap_or(0).max(NAME_WIDTH);
    for (status, when) in of.statuses() {
        let word = pad_right(&status_word(status, style.language), width);
        let when = when.render(style.language);
        write_entry(out, style, &style.status(status, &word), width, &when);
    }
}

/// One topic explained, as data.
pub fn explanation_json(topic: Topic) -> Value {
    let id = match topic {
        Topic::Finding(id) => id,
        Topic::Term(term) => {
            let [meaning, relation, look] = term.parts().map(|(_, text)| text);
            return json!({
                "term": term.name(),
                "question": term.question(),
                "meaning": meaning,
                "relation": relation,
                "look": look,
            });
        }
    };
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

/// Every topic with the question it answers, a line each.
pub fn render_explanations(style: Style) -> String {
    let mut out = String::new();
    for topic in Topic::list() {
        if topic == Topic::Term(Term::ALL[0]) {
            out.push('\n');
        }
        let word = format!("{:<width$}", topic.name(), width = NAME_WIDTH);
        let question = topic.question().render(style.language);
        write_entry(&mut out, style, &style.bold(&word), NAME_WIDTH, &question);
    }
    out.push('\n');
    write_wrapped(&mut out, style, "", &style.say("explain-more"));
    out
}

/// A `word` padded to `width`, and its text beside it.
fn write_entry(out: &mut String, style: Style, word: &str, width: usize, text: &str) {
    write_hanging(out, style, &format!("  {word}"), &" ".repeat(width + 2), text);
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_width;
    use super::*;

    const PLAIN: Style = Style::PLAIN;

    #[test]
    fn every_topic_has_one_line_in_the_list() {
        let text = render_explanations(PLAIN);
        check_width(&text);
        let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(lines.len(), Topic::list().count() + 1, "{text}");
        for (topic, line) in Topic::list().zip(lines) {
            assert_eq!(Topic::from_name(topic.name()), Some(topic), "names are unique");
            assert!(line.trim_start().starts_with(topic.name()) && line.ends_with('?'), "{line}");
        }
    }

    #[test]
    fn a_term_is_explained_whole_as_text_and_as_data() {
        for term in Term::ALL {
            let text = render_explanation(Topic::Term(term), PLAIN);
            check_width(&text);
            let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let data = explanation_json(Topic::Term(term)).to_string();
            for (_, part) in term.parts() {
                assert!(flat.contains(part.text()), "'{part:?}' is missing in:\n{text}");
                assert!(data.contains(part.id()), "'{part:?}' is missing in:\n{data}");
            }
        }
    }

    #[test]
    fn an_explanation_says_everything_and_fits() {
        for id in FindingId::ALL {
            let of = analysis::explain(id);
            let text = render_explanation(Topic::Finding(id), PLAIN);
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
