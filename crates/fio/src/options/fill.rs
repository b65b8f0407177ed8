//! Patterns of bytes: `0xdeadface"abcd"-12'file'%o`.

use super::parse::{ValueProblem, ValueResult};
use super::reader::ValueReader;
use super::spec::Hosts;

/// Most bytes of a pattern; a longer file is cut.
const MAX_BYTES: usize = 64 << 10;

/// Bytes of a block's offset.
const OFFSET_BYTES: usize = 8;

const EXPECTED: &str = "hexadecimal bytes (0xdeadface), a text in double quotes, a whole number \
                        or a file's name in single quotes, one after the other";

/// A pattern may name a file.
pub(super) const PATTERN_HOSTS: Hosts = Hosts::AnyWithout(
    '\'',
    "a name in single quotes is a file of the host; write the bytes themselves",
);

/// Bytes that fill a buffer over and over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FillPattern {
    /// The bytes; not empty. Zeros where an offset goes.
    pub bytes: Vec<u8>,
    /// Places of `%o`: 8 bytes from there become the block's offset in the file, little-endian.
    pub offsets: Vec<usize>,
}

/// Reads a pattern. `placeholders`: `%o` is allowed, as in `verify_pattern`.
pub(super) fn read_pattern(
    reader: &mut ValueReader<'_>,
    placeholders: bool,
) -> ValueResult<FillPattern> {
    let mut rest = reader.require_text(EXPECTED)?;
    let mut pattern = FillPattern { bytes: Vec::new(), offsets: Vec::new() };
    while !rest.is_empty() {
        rest = match rest.as_bytes() {
            [b'"', ..] => take_quoted(rest, '"', |text| {
                pattern.bytes.extend_from_slice(text.as_bytes());
                Ok(())
            })?,
            [b'\'', ..] => take_quoted(rest, '\'', |name| {
                let bytes = reader.read_file(name).map_err(|error| {
                    ValueProblem::new(format!("{name} cannot be read: {error}"), EXPECTED)
                })?;
                pattern.bytes.extend(bytes);
                Ok(())
            })?,
            [b'%', b'o', ..] if placeholders => {
                pattern.offsets.push(pattern.bytes.len());
                pattern.bytes.extend([0; OFFSET_BYTES]);
                &rest[2..]
            }
            [b'%', ..] => {
                let what = format!("{rest} has a placeholder that is not known here");
                return Err(ValueProblem::new(what, format!("{EXPECTED}; %o in verify_pattern")));
            }
            [b'0', b'x' | b'X', ..] => take_hex(&rest[2..], &mut pattern.bytes)?,
            _ => take_decimal(rest, &mut pattern.bytes)?,
        };
    }
    if pattern.bytes.len() > MAX_BYTES {
        reader.add_note(format!("the pattern is cut to {MAX_BYTES} bytes"));
        pattern.bytes.truncate(MAX_BYTES);
        pattern.offsets.retain(|offset| offset + OFFSET_BYTES <= MAX_BYTES);
    }
    if pattern.bytes.is_empty() {
        return Err(ValueProblem::new("it has no bytes", EXPECTED));
    }
    Ok(pattern)
}

fn take_quoted(
    text: &str,
    quote: char,
    mut take: impl FnMut(&str) -> ValueResult<()>,
) -> ValueResult<&str> {
    let inner = text.get(1..).unwrap_or_default();
    let (content, rest) = inner
        .split_once(quote)
        .ok_or_else(|| ValueProblem::new(format!("{text} lacks its closing {quote}"), EXPECTED))?;
    take(content)?;
    Ok(rest)
}

/// Bytes as they are written; an odd first digit is a byte of its own, as in fio.
fn take_hex<'t>(text: &'t str, bytes: &mut Vec<u8>) -> ValueResult<&'t str> {
    let end = text.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    if digits.is_empty() {
        return Err(ValueProblem::new(format!("0x{text} has no digits"), EXPECTED));
    }
    let first = digits.len() % 2;
    let pieces = digits.as_bytes()[..first].chunks(1).chain(digits.as_bytes()[first..].chunks(2));
    for piece in pieces {
        let byte = piece
            .iter()
            .fold(0, |byte, digit| byte << 4 | char::from(*digit).to_digit(16).unwrap_or(0));
        bytes.push(u8::try_from(byte).unwrap_or(0));
    }
    Ok(rest)
}

/// A 32-bit number, lowest byte first, without leading zero bytes.
fn take_decimal<'t>(text: &'t str, bytes: &mut Vec<u8>) -> ValueResult<&'t str> {
    let sign = usize::from(text.starts_with(['-', '+']));
    let digits = text.get(sign..).unwrap_or_default();
    let mut end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    // In `-120xdead` the zero is that of the hexadecimal number.
    if end > 1 && digits[..end].ends_with('0') && digits[end..].starts_with(['x', 'X']) {
        end -= 1;
    }
    let (number, rest) = text.split_at(sign + end);
    let number: i32 = number
        .parse()
        .map_err(|_| ValueProblem::new(format!("{text} is not a 32-bit number"), EXPECTED))?;
    let all = number.to_le_bytes();
    let used = all.iter().rposition(|byte| *byte != 0).map_or(1, |last| last + 1);
    bytes.extend_from_slice(&all[..used]);
    Ok(rest)
}
