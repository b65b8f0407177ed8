//! Foreign text in a message: short enough to be read.

use std::borrow::Cow;

/// Most characters of foreign text in an error.
const QUOTE_MAX: usize = 200;
/// Most characters of an error that a parser worded, with the foreign text that it quotes.
const PARSER_MESSAGE_MAX: usize = 600;
/// Most characters of a line of a message, and most lines.
const LINE_MAX: usize = 1000;
const LINES_MAX: usize = 100;

/// At most 200 characters of a foreign text. The middle is left out.
pub fn shorten_text(text: &str) -> Cow<'_, str> {
    shorten_to(text, QUOTE_MAX)
}

/// The words of a parser with at most 200 characters of each text that they quote, and at most 600
/// in all. Their end stays: it says where the mistake is.
pub fn shorten_message(message: &str) -> Cow<'_, str> {
    if message.len() <= QUOTE_MAX {
        return Cow::Borrowed(message);
    }
    let parts = message.split_inclusive(['\'', '"', '`']).map(shorten_text);
    let short: String = parts.collect();
    Cow::Owned(shorten_to(&short, PARSER_MESSAGE_MAX).into_owned())
}

/// A message with at most 1000 characters in each of its lines, and at most 100 lines.
pub fn shorten_lines(message: &str) -> Cow<'_, str> {
    let count = message.lines().count();
    if count <= LINES_MAX && message.lines().all(|line| line.len() <= LINE_MAX) {
        return Cow::Borrowed(message);
    }
    let mut lines: Vec<Cow<'_, str>> =
        message.lines().take(LINES_MAX).map(|line| shorten_to(line, LINE_MAX)).collect();
    if count > LINES_MAX {
        lines.push(Cow::Owned(format!("({} more lines)", count - LINES_MAX)));
    }
    Cow::Owned(lines.join("\n"))
}

fn shorten_to(text: &str, limit: usize) -> Cow<'_, str> {
    // A character has at least one byte.
    if text.len() <= limit || text.chars().count() <= limit {
        return Cow::Borrowed(text);
    }
    const GAP: &str = " ... ";
    let kept = limit - GAP.len();
    let (head, tail) = (kept * 2 / 3, kept - kept * 2 / 3);
    let head_end = text.char_indices().nth(head).map_or(text.len(), |(place, _)| place);
    let tail_start = text.char_indices().nth_back(tail - 1).map_or(0, |(place, _)| place);
    Cow::Owned(format!("{}{GAP}{}", &text[..head_end], &text[tail_start..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_keeps_its_head_and_its_tail() {
        assert_eq!(shorten_text("short"), "short");
        let exact = "é".repeat(200);
        assert_eq!(shorten_text(&exact), exact);
        let long = format!("invalid type \"{}\" at line 7", "é".repeat(1 << 20));
        let short = shorten_text(&long);
        assert_eq!(short.chars().count(), 200);
        assert!(short.starts_with("invalid type \"é") && short.ends_with("é\" at line 7"));
    }

    #[test]
    fn what_a_parser_quotes_is_shortened_and_its_own_words_stay() {
        let list = "unknown field `x`, expected one of `a`".to_owned() + &", `name`".repeat(40);
        assert_eq!(shorten_message(&list), list);
        let long = format!("invalid type: string \"{}\", expected u64 at line 7", "x".repeat(9999));
        let short = shorten_message(&long);
        assert!(short.starts_with("invalid type: string \"xxx"), "{short}");
        assert!(short.ends_with("\", expected u64 at line 7"), "{short}");
        assert!(short.matches('x').count() <= 201, "{short}");
        assert_eq!(shorten_message(&"'".repeat(9999)).len(), 600);
    }

    #[test]
    fn each_line_of_a_message_is_short() {
        assert_eq!(shorten_lines("a\nb\n"), "a\nb\n");
        let long = format!("a\n{}\nb", "x".repeat(5000));
        let short = shorten_lines(&long);
        let lengths: Vec<usize> = short.lines().map(str::len).collect();
        assert_eq!(lengths, [1, 1000, 1]);
        let many = "a\n".repeat(1000);
        assert!(shorten_lines(&many).ends_with("a\n(900 more lines)"));
    }
}
