//! Lists: per direction, ranges, processors, names.

use super::super::job::{PerDirection, SizeRange, TimeRange};
use super::ValueProblem;
use super::number;
use super::reader::ValueReader;
use super::time::{self, Unit};

/// Highest processor or node that is believed.
const MAX_NUMBER: u32 = 65_535;

/// Sets up to three values `read,write,trim`.
///
/// One value is for all; the last of two is also for trims; an empty place keeps what there is.
/// `8k,` sets reads only, `,8k` writes and trims, `,8k,` writes only.
pub(super) fn parse_per_direction<T: Clone>(
    slots: &mut PerDirection<T>,
    text: &str,
    expected: &str,
    mut read: impl FnMut(&str) -> Result<T, ValueProblem>,
) -> Result<(), ValueProblem> {
    let pieces: Vec<&str> = text.split(',').map(str::trim).collect();
    if pieces.len() > 3 {
        return Err(ValueProblem::new(
            "it has more than three values",
            format!("{expected}, or up to three of them for read,write,trim"),
        ));
    }
    if pieces.iter().all(|piece| piece.is_empty()) {
        return Err(ValueProblem::new("it has no value", expected));
    }
    let mut last = None;
    for (slot, index) in slots.iter_mut().zip(0..) {
        last = match pieces.get(index) {
            Some(&"") => None,
            Some(piece) => Some(read(piece)?),
            None => last,
        };
        if let Some(value) = &last {
            *slot = value.clone();
        }
    }
    Ok(())
}

/// Splits `a-b` or `a:b`.
pub(super) fn split_range(text: &str) -> Option<(&str, &str)> {
    text.split_once(['-', ':']).map(|(low, high)| (low.trim(), high.trim()))
}

/// A range of sizes from `min` on, swapped when reversed.
pub(super) fn read_size_range(
    input: &mut ValueReader<'_>,
    text: &str,
    min: u64,
) -> Result<SizeRange, ValueProblem> {
    let expected = "a range such as 4k-64k";
    let (low, high) = split_range(text)
        .ok_or_else(|| ValueProblem::new(format!("{text} is not a range"), expected))?;
    let (low, high) = (input.size_of(low, min)?, input.size_of(high, min)?);
    Ok(SizeRange { min: low.min(high), max: low.max(high) })
}

/// A time, or a range of times, swapped when reversed.
pub(super) fn read_time_range(input: &mut ValueReader<'_>) -> Result<TimeRange, ValueProblem> {
    let text = input.text(&time::expected_time(Unit::Seconds))?;
    let (low, high) = split_range(text).unwrap_or((text, text));
    let low = time::parse_time(low, Unit::Seconds)?.div_ceil(1000);
    let high = time::parse_time(high, Unit::Seconds)?.div_ceil(1000);
    Ok(TimeRange { min_us: low.min(high), max_us: low.max(high) })
}

/// Names separated by colons; `\:` is a colon in a name. Empty ones are left out.
pub(super) fn split_names(text: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, names.last_mut()) {
            ('\\', Some(name)) if chars.peek() == Some(&':') => {
                chars.next();
                name.push(':');
            }
            (':', _) => names.push(String::new()),
            (c, Some(name)) => name.push(c),
            (_, None) => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// At least one name.
pub(super) fn read_names(
    input: &ValueReader<'_>,
    expected: &str,
) -> Result<Vec<String>, ValueProblem> {
    let names = split_names(input.text(expected)?);
    if names.is_empty() { Err(ValueProblem::new("it has no name", expected)) } else { Ok(names) }
}

/// Numbers and ranges, `0-3,5`: rising, each once.
pub(super) fn parse_numbers(text: &str) -> Result<Vec<u32>, ValueProblem> {
    let expected = "numbers and ranges from 0 on, such as 0-3,5";
    let one =
        |text: &str| {
            text.trim().parse::<u32>().ok().filter(|number| *number <= MAX_NUMBER).ok_or_else(
                || ValueProblem::new(format!("{text:?} is not a number of one"), expected),
            )
        };
    let mut ranges = Vec::new();
    for piece in text.split(',') {
        let (low, high) = piece.split_once('-').unwrap_or((piece, piece));
        let (low, high) = (one(low)?, one(high)?);
        ranges.push((low.min(high), low.max(high)));
    }
    ranges.sort_unstable();
    // Overlapping ranges are not counted out twice: a line has room for thousands of them.
    let mut all: Vec<u32> = Vec::new();
    for (low, high) in ranges {
        let first = all.last().map_or(low, |last| low.max(last + 1));
        all.extend(first..=high);
    }
    Ok(all)
}

/// [`numbers`], or `all`, which gives an empty list.
pub(super) fn parse_numbers_or_all(text: &str) -> Result<Vec<u32>, ValueProblem> {
    if text == "all" { Ok(Vec::new()) } else { parse_numbers(text) }
}

/// Numbers of the bits that are set.
pub(super) fn bit_numbers(mask: u64) -> Vec<u32> {
    (0..64).filter(|bit| mask >> bit & 1 == 1).collect()
}

/// Percentiles, `99:99.9`: rising, each once, at most 20.
pub(super) fn parse_percentiles(text: &str) -> Result<Vec<f64>, ValueProblem> {
    let expected = "up to 20 numbers above 0 and up to 100, such as 50:99:99.9";
    let mut all = Vec::new();
    for piece in text.split(':').filter(|piece| !piece.is_empty()) {
        let percent = number::parse_float(piece, "percentiles", 0.0..=100.0)?;
        if percent <= 0.0 {
            return Err(ValueProblem::new(format!("{piece} is no percentile"), expected));
        }
        all.push(percent);
    }
    if all.is_empty() || all.len() > 20 {
        return Err(ValueProblem::new(format!("it has {} numbers", all.len()), expected));
    }
    all.sort_by(f64::total_cmp);
    all.dedup();
    Ok(all)
}
