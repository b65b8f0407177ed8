//! Whole numbers and sizes: `4096`, `0x1000`, `4k`, `4kb`, `4KiB`, `128*1`.

use super::super::job::SizeValue;
use super::reader::ValueReader;
use super::{ValueProblem, number};

/// What sizes look like, for errors.
pub(super) const SIZE: &str = "a whole number of bytes with k, m, g, t or p, such as 4k or 1g";

const SIZE_OR_PERCENT: &str = "a size such as 1g, a percentage up to 100% or zones such as 4z";

/// `kb_base`.
///
/// By default `k`, `kb` and `ki` are 1024 and only `kib` is 1000; with `kb_base=1000` it is the
/// other way round. So fio does it, whatever its manual says about a bare `ki`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KbBase {
    Binary,
    Thousand,
}

/// Reads a whole number, or a product of such.
pub(super) fn parse_number(text: &str, base: KbBase) -> Result<i128, String> {
    let mut product: i128 = 1;
    for factor in text.split('*') {
        let factor = parse_factor(factor.trim(), text, base)?;
        product = product.checked_mul(factor).ok_or_else(|| format!("{text} is too large"))?;
    }
    Ok(product)
}

fn parse_factor(factor: &str, text: &str, base: KbBase) -> Result<i128, String> {
    let wrong = || format!("{text} is not a whole number");
    let (negative, digits) = match factor.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, factor.strip_prefix('+').unwrap_or(factor)),
    };
    let lower = digits.to_ascii_lowercase();
    let number = if let Some(hex) = lower.strip_prefix("0x") {
        i128::from(u64::from_str_radix(hex, 16).map_err(|_| {
            format!("{text} is not a hexadecimal number, which takes no suffix and 64 bits")
        })?)
    } else {
        let end = lower.find(|c: char| !c.is_ascii_digit()).unwrap_or(lower.len());
        let (digits, suffix) = lower.split_at(end);
        if suffix.starts_with('.') {
            return Err(format!("{text} has decimals"));
        }
        let number: u64 = digits.parse().map_err(|_| wrong())?;
        let factor = multiplier(suffix, base).ok_or_else(|| unit_error(text, digits, suffix))?;
        i128::from(number) * factor
    };
    Ok(if negative { -number } else { number })
}

fn unit_error(text: &str, digits: &str, suffix: &str) -> String {
    format!("{text} has {suffix} after {digits}, which is not a unit of size")
}

fn multiplier(suffix: &str, base: KbBase) -> Option<i128> {
    if matches!(suffix, "" | "b") {
        return Some(1);
    }
    let mut letters = suffix.chars();
    let power = "kmgtpe".find(letters.next()?)? + 1;
    let iec_bytes = match letters.as_str() {
        "" | "b" | "i" => false,
        "ib" => true,
        _ => return None,
    };
    let thousand = (base == KbBase::Thousand) != iec_bytes;
    let unit: i128 = if thousand { 1000 } else { 1024 };
    unit.checked_pow(u32::try_from(power).ok()?)
}

/// A size, a percentage with `%`, or a number of zones with `z`.
pub(super) fn read_size_value(input: &mut ValueReader<'_>) -> Result<SizeValue, ValueProblem> {
    let text = input.text(SIZE_OR_PERCENT)?;
    if let Some(percent) = text.strip_suffix('%') {
        let percent: f64 = percent
            .trim()
            .parse()
            .ok()
            .filter(|percent| (0.0..=100.0).contains(percent))
            .ok_or_else(|| ValueProblem::new(format!("{text} is out of range"), "0% to 100%"))?;
        return Ok(SizeValue::Percent(percent));
    }
    if let Some(zones) = text.strip_suffix('z').or_else(|| text.strip_suffix('Z')) {
        return zones.parse().map(SizeValue::Zones).map_err(|_| {
            ValueProblem::new(format!("{text} is not a number of zones"), SIZE_OR_PERCENT)
        });
    }
    let size = number::parse_number(text, input.base())
        .map_err(|what| ValueProblem::new(what, SIZE_OR_PERCENT))
        .and_then(|_| input.size_of(text, 0))?;
    Ok(SizeValue::Bytes(size))
}

/// A percentage that may be no percentage at all (0% is fio's "not given").
pub(super) fn read_positive_size_value(
    input: &mut ValueReader<'_>,
) -> Result<Option<SizeValue>, ValueProblem> {
    Ok(match read_size_value(input)? {
        SizeValue::Bytes(0) | SizeValue::Zones(0) => None,
        SizeValue::Percent(0.0) => None,
        value => Some(value),
    })
}

/// A decimal number in `range`.
pub(super) fn parse_float(
    text: &str,
    what: &str,
    range: std::ops::RangeInclusive<f64>,
) -> Result<f64, ValueProblem> {
    text.trim().parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
        let expected = format!("{what} from {} to {}", range.start(), range.end());
        ValueProblem::new(
            format!("{} is not that", if text.is_empty() { "nothing" } else { text }),
            expected,
        )
    })
}
