//! Paragraphs of a width and a height, and times of the day.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use message::Language;
use report::Style;

pub(super) fn time_of_day(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%H:%M:%S").to_string()
}

/// The lines of a paragraph, at most `height`; a mark ends what goes on.
pub(super) fn wrap(text: &str, width: usize, height: usize) -> Vec<String> {
    let style = |width| Style { colour: false, language: Language::English, width };
    let wrapped = |width| report::wrap_paragraph(text, style(width));
    let mut lines: Vec<String> = wrapped(width).lines().map(str::to_owned).collect();
    if lines.len() > height {
        // The mark takes two columns.
        lines = wrapped(width.saturating_sub(2)).lines().map(str::to_owned).collect();
        lines.truncate(height);
        lines.iter_mut().skip(height.saturating_sub(1)).for_each(|last| last.push_str(" \u{2026}"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_that_is_cut_says_so() {
        assert_eq!(wrap("one two three", 9, 2), ["one two", "three"]);
        assert_eq!(wrap("one two three", 9, 1), ["one two \u{2026}"]);
        assert_eq!(wrap("磁盘等待时间", 8, 1), ["磁盘等 \u{2026}"]);
        assert_eq!(wrap("one two", 8, 0), [""; 0]);
    }
}
