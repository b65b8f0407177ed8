//! Texts of a width in columns of a terminal, and times of the day.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use message::Language;
use ratatui::text::Span;
use report::Style;

pub(super) fn time_of_day(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%H:%M:%S").to_string()
}

pub(super) fn text_width(text: &str) -> usize {
    Span::raw(text).width()
}

pub(super) fn pad_left(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(text_width(text))))
}

pub(super) fn pad_right(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text_width(text))))
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

/// The end of a name: of a path that is the part that tells it from others.
pub(super) fn keep_end(name: &str, width: usize) -> String {
    if text_width(name) <= width {
        return name.to_owned();
    }
    // The mark takes a column.
    let (mut start, mut used) = (name.len(), 1);
    for (place, sign) in name.char_indices().rev() {
        used += text_width(sign.encode_utf8(&mut [0; 4]));
        if used > width {
            break;
        }
        start = place;
    }
    format!("\u{2026}{}", &name[start..])
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

    #[test]
    fn a_long_name_keeps_its_end() {
        assert_eq!(keep_end("/system.slice/a.service", 10), "\u{2026}a.service");
        assert_eq!(keep_end("/a", 10), "/a");
        assert_eq!(keep_end("磁盘等待", 5), "\u{2026}等待");
        assert_eq!(keep_end("abc", 0), "\u{2026}");
        // A group's name of 4,000 control characters is cut within a redraw.
        let long = "\\u{1b}".repeat(4_000);
        let begin = std::time::Instant::now();
        assert_eq!(text_width(&keep_end(&long, 40)), 40);
        assert!(begin.elapsed().as_millis() < 500, "{:?}", begin.elapsed());
    }
}
