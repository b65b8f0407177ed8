//! Pieces of SVG: numbers, escaped text, and how wide a text is.

use std::fmt::Write as _;

/// The size of all text of a chart, in pixels.
pub(super) const FONT: f64 = 12.0;
/// A line of text.
pub(super) const LINE: f64 = 16.0;

pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in units::escape_controls(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// How wide a text is, by the mean width of a letter in a wide font; Chinese letters are square.
pub(super) fn text_width(text: &str) -> f64 {
    let letter = |c: char| match c {
        '\u{1100}'.. => 1.0,
        'i' | 'l' | 'j' | '.' | ',' | ' ' | ':' | '\'' | '|' => 0.34,
        'm' | 'w' | 'M' | 'W' | '%' | '<' | '>' | '@' => 0.92,
        c if c.is_uppercase() => 0.7,
        _ => 0.62,
    };
    text.chars().map(letter).sum::<f64>() * FONT
}

/// The longest beginning of a text that has room, with a mark where it was cut.
pub(super) fn fit_text(text: &str, room: f64) -> String {
    if text_width(text) <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        if text_width(&kept) + text_width("w...") > room {
            break;
        }
        kept.push(c);
    }
    format!("{}...", kept.trim_end())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

pub(super) fn write_text(
    out: &mut String,
    (x, y): (f64, f64),
    anchor: Anchor,
    class: &str,
    text: &str,
) {
    let anchor = match anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let text = escape(text);
    let _ = write!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\"{anchor} class=\"{class}\">{text}</text>");
}

pub(super) fn write_line(out: &mut String, from: (f64, f64), to: (f64, f64), class: &str) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let _ = write!(out, "<path class=\"{class}\" d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\"/>");
}

/// The area between two corners, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Area {
    pub(super) fn overlaps(&self, other: &Area) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    pub(super) fn holds(&self, (x, y): (f64, f64)) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    pub(super) fn encloses(&self, other: &Area) -> bool {
        self.holds((other.left, other.top)) && self.holds((other.right, other.bottom))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_where_its_room_ends() {
        assert_eq!(fit_text("short", 100.0), "short");
        let cut = fit_text("a very long name of a cell", 80.0);
        assert!(cut.ends_with("...") && text_width(&cut) <= 80.0, "{cut}");
    }

    #[test]
    fn text_is_escaped_with_its_control_characters() {
        assert_eq!(escape("<a href='x'>&\u{1b}"), "&lt;a href=&#39;x&#39;&gt;&amp;\\u{1b}");
    }
}
