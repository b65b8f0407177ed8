//! The one reader of a number with a suffix, and what errors mean.

/// Why a text is not a quantity. `Display` says what was wrong and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} '{text}' is not valid: {reason}")]
pub struct ParseError {
    /// What was being read: "size", "time", ...
    pub what: &'static str,
    /// The text as it was written.
    pub text: String,
    /// What is wrong with it, and an example of what would be right.
    pub reason: String,
}

/// What an error means to its caller; the program's exit status follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The system failed at what it should have done.
    Failed,
    /// Another request would have gone through.
    WrongRequest,
    /// A bound, a promise or a threshold was not met.
    NotMet,
    /// Refused to protect data.
    Refused,
    Interrupted,
}

impl ParseError {
    pub(crate) fn new(what: &'static str, text: &str, reason: impl Into<String>) -> Self {
        Self { what, text: text.to_owned(), reason: reason.into() }
    }
}

/// Decimals that give a value three significant digits.
pub(crate) fn decimals(value: f64) -> usize {
    match value {
        _ if value >= 99.95 => 0,
        _ if value >= 9.995 => 1,
        _ => 2,
    }
}

/// Splits `text` into its leading decimal number and the suffix behind it, lower-cased.
pub(crate) fn split_number(what: &'static str, text: &str) -> Result<(f64, String), ParseError> {
    let trimmed = text.trim();
    let end = trimmed.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(trimmed.len());
    let (number, suffix) = trimmed.split_at(end);
    if number.is_empty() {
        return Err(ParseError::new(what, text, "it must start with a number"));
    }
    let value: f64 = number
        .parse()
        .map_err(|_| ParseError::new(what, text, format!("'{number}' is not a number")))?;
    Ok((value, suffix.trim().to_ascii_lowercase()))
}

/// `value * factor` as a whole number.
pub(crate) fn scale_to_u64(
    what: &'static str,
    text: &str,
    value: f64,
    factor: u64,
) -> Result<u64, ParseError> {
    let product = value * factor as f64;
    // 2^63: far above any disk or any run, and exactly representable.
    if product >= 9.223_372_036_854_776e18 {
        return Err(ParseError::new(what, text, "it is too large"));
    }
    if product > 0.0 && product < 1.0 {
        return Err(ParseError::new(what, text, "it is smaller than one unit"));
    }
    Ok(product.round() as u64)
}
