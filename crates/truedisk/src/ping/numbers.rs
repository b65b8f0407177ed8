//! ioping's numbers as they are written: a figure, perhaps a fraction, and a suffix.

/// A suffix and what it is worth; upper and lower case are the same.
type Suffixes = &'static [(&'static str, f64)];

const COUNTS: Suffixes = &[
    ("", 1.0),
    ("da", 10.0),
    ("k", 1e3),
    ("M", 1e6),
    ("G", 1e9),
    ("T", 1e12),
    ("P", 1e15),
    ("E", 1e18),
];
const KIB: f64 = 1024.0;
const SIZES: Suffixes = &[
    ("", 1.0),
    ("B", 1.0),
    ("k", KIB),
    ("kb", KIB),
    ("KiB", KIB),
    ("m", KIB * KIB),
    ("mb", KIB * KIB),
    ("MiB", KIB * KIB),
    ("g", KIB * KIB * KIB),
    ("gb", KIB * KIB * KIB),
    ("GiB", KIB * KIB * KIB),
    ("t", KIB * KIB * KIB * KIB),
    ("tb", KIB * KIB * KIB * KIB),
    ("TiB", KIB * KIB * KIB * KIB),
    ("pb", KIB * KIB * KIB * KIB * KIB),
    ("PiB", KIB * KIB * KIB * KIB * KIB),
    ("eb", KIB * KIB * KIB * KIB * KIB * KIB),
    ("sector", 512.0),
    ("page", 4096.0),
];
const TIMES: Suffixes = &[
    ("", 1e9),
    ("ns", 1.0),
    ("nsec", 1.0),
    ("us", 1e3),
    ("usec", 1e3),
    ("ms", 1e6),
    ("msec", 1e6),
    ("s", 1e9),
    ("sec", 1e9),
    ("m", 60e9),
    ("min", 60e9),
    ("h", 3600e9),
    ("hour", 3600e9),
];

/// A count of things, at most that of a 32-bit number.
pub(super) fn parse_count(text: &str) -> Result<u64, String> {
    parse_number(text, COUNTS, f64::from(i32::MAX)).map(|count| count as u64)
}

/// A rate per second, at most one per nanosecond; it may be a fraction.
pub(super) fn parse_rate(text: &str) -> Result<f64, String> {
    parse_number(text, COUNTS, 1e9)
}

pub(super) fn parse_size(text: &str) -> Result<u64, String> {
    parse_number(text, SIZES, i64::MAX as f64).map(|bytes| bytes as u64)
}

pub(super) fn parse_time(text: &str) -> Result<u64, String> {
    parse_number(text, TIMES, i64::MAX as f64).map(|ns| ns as u64)
}

/// A whole number in decimal, in hexadecimal after 0x, in octal after 0.
pub(super) fn parse_seed(text: &str) -> Result<u64, String> {
    let hex = text.strip_prefix("0x").or(text.strip_prefix("0X"));
    let read = match (hex, text.strip_prefix('0')) {
        (Some(digits), _) => u64::from_str_radix(digits, 16),
        (None, Some(digits)) if !digits.is_empty() => u64::from_str_radix(digits, 8),
        _ => text.parse(),
    };
    read.map_err(|_| format!("'{text}' is no whole number"))
}

fn parse_number(text: &str, suffixes: Suffixes, most: f64) -> Result<f64, String> {
    let (figure, rest) = split_number(text.trim_start());
    let (figure, rest) = match rest.strip_prefix('/') {
        Some(below) => {
            let (below, rest) = self::split_number(below);
            match below {
                Some(0.0) => return Err(format!("division by zero in '{text}'")),
                below => (below.map(|below| figure.unwrap_or(1.0) / below), rest),
            }
        }
        None => (figure, rest),
    };
    let Some(figure) = figure else { return Err(format!("'{text}' begins with no number")) };
    let worth = suffixes.iter().find(|(name, _)| name.eq_ignore_ascii_case(rest));
    let Some((_, worth)) = worth else {
        let known: Vec<&str> = suffixes.iter().map(|s| s.0).filter(|s| !s.is_empty()).collect();
        return Err(format!("unknown suffix '{rest}' in '{text}'; there are {}", known.join(", ")));
    };
    let value = figure * worth;
    if (0.0..=most).contains(&value) {
        Ok(value)
    } else {
        Err(format!("'{text}' is out of range: 0 to {most}"))
    }
}

/// The longest number at the beginning, as strtod(3) takes it, and what follows.
fn split_number(text: &str) -> (Option<f64>, &str) {
    let digits =
        |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let sign = usize::from(text.starts_with(['-', '+']));
    if let Some(hex) = text[sign..].strip_prefix("0x").or(text[sign..].strip_prefix("0X")) {
        let end = hex.len() - hex.trim_start_matches(|c: char| c.is_ascii_hexdigit()).len();
        if let Ok(value) = u64::from_str_radix(&hex[..end], 16) {
            let value = if text.starts_with('-') { -(value as f64) } else { value as f64 };
            return (Some(value), &hex[end..]);
        }
    }
    let mut end = sign + digits(&text[sign..]);
    if text[end..].starts_with('.') {
        end += 1 + digits(&text[end + 1..]);
    }
    // An exponent needs a digit: in `1e` the letter is a suffix.
    if let Some(after) = text[end..].strip_prefix(['e', 'E']) {
        let sign = usize::from(after.starts_with(['-', '+']));
        let more = digits(&after[sign..]);
        if more > 0 {
            end += 1 + sign + more;
        }
    }
    (text[..end].parse().ok(), &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_ioping_reads_them() {
        let check = |read: Result<u64, String>, expected: u64| assert_eq!(read, Ok(expected));
        check(parse_count("10"), 10);
        check(parse_count("2k"), 2000);
        check(parse_count("1e1"), 10);
        check(parse_count("0x10"), 16);
        check(parse_count("1.9"), 1);
        check(parse_count("5/2"), 2);
        check(parse_size("4k"), 4096);
        check(parse_size("4KiB"), 4096);
        check(parse_size("1.5m"), 1_572_864);
        check(parse_size("2sector"), 1024);
        check(parse_size("3page"), 12_288);
        check(parse_time("1"), 1_000_000_000);
        check(parse_time("/40"), 25_000_000);
        check(parse_time("1/3"), 333_333_333);
        check(parse_time("100ms"), 100_000_000);
        check(parse_time("2M"), 120_000_000_000);
        check(parse_time(".5us"), 500);
        check(parse_seed("0x1F"), 31);
        check(parse_seed("0X1F"), 31);
        check(parse_seed("017"), 15);
        check(parse_seed("0"), 0);
        assert_eq!(parse_rate("1/2"), Ok(0.5));
        assert_eq!(parse_rate("1.5k"), Ok(1500.0));
    }

    #[test]
    fn what_is_no_number_is_an_error_that_says_why() {
        let check = |read: Result<u64, String>, text: &str| {
            let error = read.unwrap_err();
            assert!(error.contains(text), "{error}");
        };
        check(parse_count(""), "begins with no number");
        check(parse_count("k"), "begins with no number");
        check(parse_count("1x"), "unknown suffix 'x'");
        check(parse_count("3e9"), "out of range");
        check(parse_count("-3"), "out of range");
        check(parse_count("inf"), "begins with no number");
        check(parse_size("1ms"), "unknown suffix 'ms'");
        check(parse_time("1/0"), "division by zero");
        check(parse_time("1/"), "begins with no number");
        check(parse_time("4KiB"), "unknown suffix 'KiB'");
        check(parse_seed("x"), "no whole number");
        check(parse_seed("-1"), "no whole number");
    }
}
