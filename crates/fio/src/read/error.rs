//! What went wrong, where, and what to write instead.

use super::place::Place;
use std::fmt;

/// A job file or command line that cannot be read. One error, the first.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ReadError {
    pub place: Place,
    pub message: String,
    pub hint: Option<String>,
}

impl ReadError {
    /// An error without a hint.
    pub fn new(place: &Place, message: impl Into<String>) -> ReadError {
        ReadError { place: place.clone(), message: message.into(), hint: None }
    }

    /// The same with a hint.
    pub fn with_hint(mut self, hint: impl Into<String>) -> ReadError {
        self.hint = Some(hint.into());
        self
    }

    /// The same with a hint when there is one.
    pub fn or_hint(mut self, hint: Option<String>) -> ReadError {
        self.hint = hint.or(self.hint);
        self
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

/// The first control character of a text that no job file has, and its place among the characters.
pub(super) fn find_control_character(text: &str) -> Option<(usize, String)> {
    let strange = |c: char| c.is_control() && !c.is_ascii_whitespace() && c != '\u{b}';
    let (index, found) = text.chars().enumerate().find(|&(_, c)| strange(c))?;
    Some((index, format!("a control character (U+{:04X})", u32::from(found))))
}

/// Part of a text of the user's, short enough for a message and without control characters.
pub(crate) fn printable_text(text: &str) -> String {
    const SHOWN_MAX: usize = 60;
    let clean = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut out: String = text.chars().take(SHOWN_MAX).map(clean).collect();
    if text.chars().nth(SHOWN_MAX).is_some() {
        out.push_str("...");
    }
    out
}
