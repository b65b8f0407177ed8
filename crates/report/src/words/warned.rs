//! Which cells the badge "caution" is about.

use message::{Language, Message, Render as _, messages};
use record::Record;

messages! {
    WarnedCells = "badge-warned-cells" { cells: Vec<Message> };
}

/// `words`, and the cells that warnings touch where there are any.
pub(crate) fn add_warned_cells(words: String, record: &Record, language: Language) -> String {
    let cells = analysis::name_warned_cells(&record.measured, record.judgement_or_default());
    if cells.is_empty() {
        return words;
    }
    let cells = WarnedCells { cells }.render(language);
    if words.is_empty() { cells } else { format!("{words} {cells}") }
}

#[cfg(test)]
mod tests {
    use message::Language;
    use record::{Status, Trust};

    #[test]
    fn the_badge_caution_names_the_cells_with_warnings() {
        let mut record = record::fixture::ssd_record();
        let mut judgement = analysis::judge(&record.measured);
        judgement.findings[0].status = Status::Warning;
        judgement.findings[0].summary = message::Message::from_text("it stood still");
        judgement.findings[0].cells = vec!["seqread-1m".to_owned()];
        judgement.verdict.as_mut().unwrap().trust = Trust::Caution;
        record.judgement = Some(judgement);
        let words = "Warnings touch: sequential read 1m, depth 8.";
        let page = crate::render_html(&record, Language::English).unwrap();
        assert!(page.contains(&format!("It stood still. {words}")), "{page}");
        let text = crate::render_terminal(&record, crate::Style::PLAIN);
        assert!(text.replace('\n', " ").contains(words), "{text}");
        record.judged_mut().findings[0].cells.clear();
        let page = crate::render_html(&record, Language::English).unwrap();
        assert!(!page.contains("Warnings touch"), "of the whole run");
    }
}
