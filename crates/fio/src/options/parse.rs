//! Parts of values: whole numbers and sizes, times, lists.
//!
//! `4096`, `0x1000`, `4k`, `4kb`, `4KiB`, `128*1`; `10`, `10s`, `2m`, `500ms`, `20us`.

/// What a bare number of time means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeUnit {
    Seconds,
    Milliseconds,
    Microseconds,
}

/// Index of reads in arrays per direction.
pub const READS: usize = 0;
/// Index of writes in arrays per direction.
pub const WRITES: usize = 1;
/// Index of trims in arrays per direction.
pub const TRIMS: usize = 2;

/// A value for reads, one for writes and one for trims.
pub type PerDirection<T> = [T; 3];

/// What is wrong with a value, and what is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ValueProblem {
    pub(super) what: String,
    pub(super) expected: String,
}

impl ValueProblem {
    pub(super) fn new(what: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { what: what.into(), expected: expected.into() }
    }
}

pub(super) type ValueResult<T> = Result<T, ValueProblem>;

/// Highest processor or node that is believed.
const CPU_MAX: u32 = 65_535;

/// What sizes look like, for errors.
pub(super) const SIZE: &str = "a whole number of bytes with k, m, g, t or p, such as 4k or 1g";

/// `kb_base`.
/// By default `k`, `kb` and `ki` are 1024 and only `kib` is 1000; with `kb_base=1000` it is the
/// other way round. So fio does it, whatever its manual says about a bare `ki`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum KbBase {
    /// 1024.
    #[default]
    Binary,
    /// 1000.
    Thousand,
}

impl KbBase {
    /// 1024 or 1000.
    pub const fn bytes(self) -> u32 {
        match self {
            Self::Binary => 1024,
            Self::Thousand => 1000,
        }
    }
}

/// A whole number, or a product of such.
pub(super) fn parse_number(text: &str, base: KbBase) -> Result<i128, String> {
    let mut product: i128 = 1;
    for factor in text.split('*') {
        let factor = parse_factor(factor.trim(), text, base)?;
        product = product.checked_mul(factor).ok_or_else(|| format!("{text} is too large"))?;
    }
    Ok(product)
}

fn parse_factor(factor: &str, text: &str, base: KbBase) -> Result<i128, String> {
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
        // What programs write that know only numbers with decimals.
        let suffix = if is_zero_fraction(suffix) { "" } else { suffix };
        if suffix.starts_with('.') {
            return Err(format!("{text} has decimals"));
        }
        let number: u64 = digits.parse().map_err(|_| format!("{text} is not a whole number"))?;
        let factor = multiplier(suffix, base).ok_or_else(|| {
            format!("{text} has {suffix} after {digits}, which is not a unit of size")
        })?;
        i128::from(number) * factor
    };
    Ok(if negative { -number } else { number })
}

/// `.0`, `.00` and so on.
fn is_zero_fraction(text: &str) -> bool {
    text.strip_prefix('.')
        .is_some_and(|zeros| !zeros.is_empty() && zeros.bytes().all(|c| c == b'0'))
}

pub(crate) fn multiplier(suffix: &str, base: KbBase) -> Option<i128> {
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
    let unit = if thousand { KbBase::Thousand } else { KbBase::Binary };
    i128::from(unit.bytes()).checked_pow(u32::try_from(power).ok()?)
}

/// A decimal number in `range`.
pub(super) fn parse_float(
    text: &str,
    what: &str,
    range: std::ops::RangeInclusive<f64>,
) -> ValueResult<f64> {
    text.trim().parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
        let expected = format!("{what} from {} to {}", range.start(), range.end());
        let found = if text.is_empty() { "nothing" } else { text };
        ValueProblem::new(format!("{found} is not that"), expected)
    })
}

/// A whole percentage; zeros behind a decimal point and `%` may follow.
pub(super) fn parse_percent(text: &str) -> ValueResult<u8> {
    let number = text.trim().trim_end_matches('%');
    let whole = number.split_once('.').filter(|(_, part)| part.bytes().all(|byte| byte == b'0'));
    let digits = whole.map_or(number, |(whole, _)| whole);
    digits.parse().ok().filter(|percent| *percent <= 100).ok_or_else(|| {
        ValueProblem::new(format!("{text} is not a percentage"), "a whole number from 0 to 100")
    })
}

/// What a time looks like, for errors.
pub(super) fn describe_time(bare: TimeUnit) -> String {
    let unit = match bare {
        TimeUnit::Seconds => "seconds",
        TimeUnit::Milliseconds => "milliseconds",
        TimeUnit::Microseconds => "microseconds",
    };
    format!("a whole number of {unit}, or one with d, h, m, s, ms, us or ns")
}

/// A time, in nanoseconds; `bare` is the unit of a number alone. Whole numbers may be multiplied.
pub(super) fn parse_time(text: &str, bare: TimeUnit) -> ValueResult<u64> {
    let wrong = |what: &str| ValueProblem::new(format!("{text} {what}"), describe_time(bare));
    let (factors, text_of_time) = text.rsplit_once('*').unwrap_or(("1", text));
    let mut product: u64 = 1;
    for factor in factors.split('*') {
        let factor: u64 = factor.trim().parse().map_err(|_| wrong("is not a time"))?;
        product = product.checked_mul(factor).ok_or_else(|| wrong("is too long"))?;
    }
    let text_of_time = text_of_time.trim();
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let end = text_of_time.find(|c| !is_number(c)).unwrap_or(text_of_time.len());
    let (number, unit) = text_of_time.split_at(end);
    let (digits, decimals) = number.split_once('.').unwrap_or((number, "0"));
    let whole: u64 = digits.parse().map_err(|_| wrong("is not a time"))?;
    let unit_ns: u64 = match (unit.to_ascii_lowercase().as_str(), bare) {
        ("d", _) => 86_400_000_000_000,
        ("h", _) => 3_600_000_000_000,
        ("m", _) => 60_000_000_000,
        ("s" | "sec", _) | ("", TimeUnit::Seconds) => 1_000_000_000,
        ("ms" | "msec", _) | ("", TimeUnit::Milliseconds) => 1_000_000,
        ("us" | "usec", _) | ("", TimeUnit::Microseconds) => 1_000,
        ("ns" | "nsec", _) => 1,
        _ => return Err(wrong("has an unknown unit")),
    };
    let scale = u32::try_from(decimals.len()).ok().and_then(|digits| 10_u64.checked_pow(digits));
    let (Ok(part), Some(scale)) = (decimals.parse::<u64>(), scale) else {
        return Err(wrong("is not a time"));
    };
    let part_ns = u128::from(part) * u128::from(unit_ns) / u128::from(scale);
    let whole_ns = u128::from(whole) * u128::from(unit_ns);
    let all_ns = (whole_ns + part_ns).checked_mul(u128::from(product));
    all_ns.and_then(|ns| u64::try_from(ns).ok()).ok_or_else(|| wrong("is too long"))
}

/// Sets up to three values `read,write,trim`.
/// One value is for all; the last of two is also for trims; an empty place keeps its value.
/// `8k,` sets reads only, `,8k` writes and trims, `,8k,` writes only.
pub(super) fn parse_per_direction<T: Clone>(
    slots: &mut PerDirection<T>,
    text: &str,
    expected: &str,
    mut read: impl FnMut(&str) -> ValueResult<T>,
) -> ValueResult<()> {
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
    for (index, slot) in slots.iter_mut().enumerate() {
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

/// Splits names at colons; `\:` is a colon in a name. Empty names are left out.
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

/// Numbers and ranges, `0-3,5`: rising, each once.
pub(super) fn parse_numbers(text: &str) -> ValueResult<Vec<u32>> {
    let expected = "numbers and ranges from 0 on, such as 0-3,5";
    let one = |text: &str| {
        let number = text.trim().parse::<u32>().ok().filter(|number| *number <= CPU_MAX);
        number
            .ok_or_else(|| ValueProblem::new(format!("{text:?} is not a number of one"), expected))
    };
    let mut ranges = Vec::new();
    for piece in text.split(',') {
        let (low, high) = piece.split_once('-').unwrap_or((piece, piece));
        let (low, high) = (one(low)?, one(high)?);
        ranges.push((low.min(high), low.max(high)));
    }
    ranges.sort_unstable();
    // Overlapping ranges are not counted twice: a line has room for thousands of them.
    let mut all: Vec<u32> = Vec::new();
    for (low, high) in ranges {
        let first = all.last().map_or(low, |last| low.max(last + 1));
        all.extend(first..=high);
    }
    Ok(all)
}

/// [`parse_numbers`], or `all`, which gives an empty list.
pub(super) fn parse_numbers_or_all(text: &str) -> ValueResult<Vec<u32>> {
    if text == "all" { Ok(Vec::new()) } else { parse_numbers(text) }
}
