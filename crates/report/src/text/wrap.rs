//! Lines of a width: broken at blanks, beside wide characters, and inside long paths.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Stay on the line of their number.
const UNITS: [&str; 17] = [
    "s", "ms", "us", "ns", "min", "h", "%", "B", "KiB", "MiB", "GiB", "TiB", "MB/s", "GB/s",
    "kB/s", "IOPS", "UTC",
];

/// Columns that a text takes on a terminal.
pub fn text_width(text: &str) -> usize {
    text.width()
}

/// The text with blanks to its right, as wide as `width`.
pub fn pad_right(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text_width(text))))
}

/// The text with blanks to its left, as wide as `width`.
pub fn pad_left(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(text_width(text))))
}

/// Breaks a text at blanks into lines of at most `width` columns. Chinese also breaks between
/// characters; a word that is wider than a line breaks behind `/`, `,`, `=` or `-`.
pub(crate) fn wrap_text(text: &str, width: usize) -> Vec<String> {
    let width = width.max(2);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in join_units(text) {
        for (place, piece) in split_word(&word, width).into_iter().enumerate() {
            let gap = usize::from(place == 0 && used > 0);
            if used > 0 && used + gap + text_width(piece) > width {
                lines.push(String::new());
                used = 0;
            }
            let gap = gap.min(used);
            if let Some(line) = lines.last_mut() {
                line.push_str(&" ".repeat(gap));
                line.push_str(piece);
            }
            used += gap + text_width(piece);
        }
    }
    lines
}

/// Width of the widest word of a text.
pub(super) fn longest_word(text: &str) -> usize {
    join_units(text).iter().map(|word| text_width(word)).max().unwrap_or(0)
}

/// The same of the parts of words that are too wide.
pub(super) fn longest_piece(text: &str) -> usize {
    let words = join_units(text);
    let pieces = words.iter().flat_map(|word| word.split_inclusive(is_word_end));
    pieces.map(text_width).max().unwrap_or(0)
}

/// Where a word that is too wide is broken.
fn is_word_end(sign: char) -> bool {
    matches!(sign, '/' | ',' | '=' | '-' | ';' | ':')
}

/// The words of a text; a number and its unit, or the star of the best, are one.
fn join_units(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(is_break).filter(|word| !word.is_empty()) {
        let unit = word.split(['、', '，', '；', '：', '）', '。']).next().unwrap_or(word);
        let unit = unit.trim_end_matches([',', '.', ';', ':', ')', ']']);
        let follows = unit == "*" || UNITS.contains(&unit);
        match words.last_mut() {
            Some(last) if last.ends_with(|c: char| c.is_ascii_digit()) && follows => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

/// No-break blanks group the digits of a number.
fn is_break(sign: char) -> bool {
    sign.is_whitespace() && !matches!(sign, '\u{a0}' | '\u{202f}')
}

/// The parts between which a line may end.
fn split_word(word: &str, width: usize) -> Vec<&str> {
    let too_wide = text_width(word) > width;
    let mut pieces = Vec::new();
    let (mut start, mut used, mut last_break) = (0, 0, 0);
    let mut signs = word.char_indices().peekable();
    while let Some((at, sign)) = signs.next() {
        let columns = sign.width().unwrap_or(0);
        if used + columns > width {
            let end = if last_break > start { last_break } else { at };
            pieces.push(&word[start..end]);
            (start, used) = (end, text_width(&word[end..at]));
        }
        used += columns;
        let end = at + sign.len_utf8();
        let next = signs.peek().map(|next| next.1);
        if is_wide(sign) && next.is_some_and(|next| !is_closing(next)) {
            pieces.push(&word[start..end]);
            (start, used) = (end, 0);
        }
        if too_wide && is_word_end(sign) {
            last_break = end;
        }
    }
    if start < word.len() {
        pieces.push(&word[start..]);
    }
    pieces
}

fn is_wide(sign: char) -> bool {
    sign.width() == Some(2)
}

/// Signs that do not begin a line.
fn is_closing(sign: char) -> bool {
    matches!(
        sign,
        '，' | '。' | '；' | '：' | '）' | '、' | '！' | '？' | '%' | ',' | '.' | ')' | ';' | ':'
    )
}

/// The beginning of a text, with a mark where it was cut.
pub fn keep_start(text: &str, max: usize) -> String {
    if text_width(text) <= max {
        return text.to_owned();
    }
    let mut used = 0;
    let fits = |sign: &char| {
        used += sign.width().unwrap_or(0);
        used < max
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

/// The end of a text, with a mark where it was cut: of a path the end says more.
pub fn keep_end(text: &str, max: usize) -> String {
    if text_width(text) <= max {
        return text.to_owned();
    }
    // The mark takes a column.
    let (mut start, mut used) = (text.len(), 1);
    for (place, sign) in text.char_indices().rev() {
        used += text_width(sign.encode_utf8(&mut [0; 4]));
        if used > max {
            break;
        }
        start = place;
    }
    format!("…{}", &text[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_blanks() {
        assert_eq!(wrap_text("aa bb cc", 5), ["aa bb", "cc"]);
        assert_eq!(wrap_text("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap_text("", 10), [""]);
        assert_eq!(wrap_text("118\u{202f}402 op/s", 8), ["118\u{202f}402", "op/s"]);
        assert_eq!(wrap_text("in 14.0 s, or", 7), ["in", "14.0 s,", "or"]);
        assert_eq!(wrap_text("[1 ms, 262 ms] a", 9), ["[1 ms,", "262 ms] a"]);
        assert_eq!(wrap_text("p50 55.2 us、p99", 9), ["p50", "55.2 us、", "p99"]);
    }

    #[test]
    fn a_long_name_keeps_its_end() {
        assert_eq!(keep_end("/system.slice/a.service", 10), "…a.service");
        assert_eq!(keep_end("/a", 10), "/a");
        assert_eq!(keep_end("磁盘等待", 5), "…等待");
        assert_eq!(keep_end("abc", 0), "…");
        // A group's name of 4,000 control characters is cut within a redraw.
        let long = "\u{1b}".repeat(4_000);
        let begin = std::time::Instant::now();
        assert_eq!(text_width(&keep_end(&long, 40)), 40);
        assert!(begin.elapsed().as_millis() < 500, "{:?}", begin.elapsed());
    }

    #[test]
    fn a_long_path_breaks_between_its_folders() {
        assert_eq!(wrap_text("in /srv/data/disk", 10), ["in", "/srv/data/", "disk"]);
        assert_eq!(wrap_text("at iops=6000,bs=4096", 10), ["at", "iops=6000,", "bs=4096"]);
    }

    #[test]
    fn chinese_breaks_between_characters_and_counts_two_columns() {
        let text = "随机读取：每秒次数，读取";
        let lines = wrap_text(text, 10);
        assert!(lines.iter().all(|line| text_width(line) <= 11), "{lines:?}");
        assert_eq!(lines.concat(), text);
        assert!(lines.iter().all(|line| !line.starts_with(['：', '，'])), "{lines:?}");
        assert_eq!(pad_right("随机", 6), "随机  ");
        assert_eq!(keep_start("随机读取", 5), "随机…");
    }
}
