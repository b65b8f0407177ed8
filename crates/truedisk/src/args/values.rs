//! Values of arguments, and their parsers.

use std::fmt;
use std::str::FromStr;

use record::Part;
use units::{Bytes, Nanos};
use workload::{Access, Bound, BoundError, Mix};

/// The share of reads where none is given, in percent.
pub(crate) const DEFAULT_READ_PERCENT: u8 = 75;

/// What is asked of the device: one job, or two that do not wait for each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Workload(pub(crate) Vec<Kind>);

/// fio's words for order and direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) random: bool,
    pub(crate) reads: bool,
    pub(crate) writes: bool,
}

impl Kind {
    pub(crate) fn is_mixed(self) -> bool {
        self.reads && self.writes
    }

    /// The workload with this share of reads, where it is a mix.
    pub(crate) fn part(self, read_percent: u8, block_size: Bytes) -> Part {
        let mix = match (self.reads, self.writes) {
            (true, true) => Mix::Mixed { read_percent },
            (true, false) => Mix::Read,
            (false, _) => Mix::Write,
        };
        let access = if self.random { Access::Random } else { Access::Sequential };
        Part { access, mix, block_size }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = match (self.reads, self.writes) {
            (true, true) => "rw",
            (true, false) => "read",
            (false, _) => "write",
        };
        write!(f, "{}{verb}", if self.random { "rand" } else { "" })
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let (random, verb) = match word.strip_prefix("rand") {
            Some(verb) => (true, verb),
            None => (false, word),
        };
        let (reads, writes) = match verb {
            "read" => (true, false),
            "write" => (false, true),
            "rw" | "readwrite" => (true, true),
            _ => {
                return Err(format!(
                    "unknown workload '{word}'; use randread, randwrite, randrw, read, write, rw, \
                     or two joined with '+'"
                ));
            }
        };
        Ok(Self { random, reads, writes })
    }
}

impl FromStr for Workload {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let kinds: Vec<Kind> = text.split('+').map(str::parse).collect::<Result<_, _>>()?;
        match kinds.as_slice() {
            [_] => {}
            [a, b] if a.reads != a.writes && b.reads != b.writes && a.reads != b.reads => {}
            [_, _] => {
                return Err("two jobs at the same time are one of reads and one of writes, such \
                            as randread+randwrite"
                    .to_owned());
            }
            _ => return Err("at most two jobs can be searched together".to_owned()),
        }
        Ok(Self(kinds))
    }
}

/// One depth, or several by doubling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Depths(pub(crate) Vec<u32>);

impl FromStr for Depths {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        parse_range(text, parse_depth, |depth| depth.checked_mul(2)).map(Self)
    }
}

/// One block size, or several by doubling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sizes(pub(crate) Vec<Bytes>);

impl FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let values = parse_range(text, parse_size, |size| size.0.checked_mul(2).map(Bytes));
        let add_range = |error| match text.contains(['-', ':']) {
            true => format!("{error}; a range is written 4k..64k"),
            false => error,
        };
        values.map(Self).map_err(add_range)
    }
}

/// The values of all parts of a list, ascending, each once.
pub(crate) fn unique_values<'a, T: Copy + Ord + 'a>(
    lists: impl IntoIterator<Item = &'a Vec<T>>,
) -> Vec<T> {
    let mut values: Vec<T> = lists.into_iter().flatten().copied().collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// `A`, or `A..B`: A, twice that and so on, and B.
fn parse_range<T: Copy + Ord>(
    text: &str,
    parse: impl Fn(&str) -> Result<T, String>,
    double: impl Fn(&T) -> Option<T>,
) -> Result<Vec<T>, String> {
    let Some((first, last)) = text.split_once("..") else {
        return Ok(vec![parse(text)?]);
    };
    let (from, to) = (parse(first)?, parse(last)?);
    if from > to {
        return Err(format!("the range {text} is empty; write {last}..{first}"));
    }
    let mut values: Vec<T> =
        std::iter::successors(Some(from), double).take_while(|value| *value < to).collect();
    values.push(to);
    Ok(values)
}

/// The block size of one job, or of each of two: `4k+64k`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JobSizes(pub(crate) Vec<Bytes>);

impl FromStr for JobSizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.contains("..") {
            return Err("a search has one block size; sweep --bs takes ranges and lists".to_owned());
        }
        // Older versions joined the sizes of two jobs with a comma.
        text.split(['+', ',']).map(parse_size).collect::<Result<_, _>>().map(Self)
    }
}

pub(super) fn parse_kind(word: &str) -> Result<Kind, String> {
    word.parse().map_err(|_: String| {
        format!("unknown workload '{word}'; use randread, randwrite, randrw, read, write, rw")
    })
}

pub(super) fn parse_size(text: &str) -> Result<Bytes, String> {
    match text.parse::<Bytes>() {
        Ok(Bytes(0)) => Err("a size of 0 measures nothing".to_owned()),
        Ok(bytes) => Ok(bytes),
        Err(error) => Err(error.reason),
    }
}

pub(super) fn parse_max_written(text: &str) -> Result<Bytes, String> {
    match text.parse::<Bytes>() {
        Ok(Bytes(0)) => Err("where nothing may be written, use --read-only".to_owned()),
        _ => parse_size(text),
    }
}

/// Threads of loads with several.
pub(super) fn parse_threads(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| (2..=256).contains(number));
    number.ok_or_else(|| "--threads takes 2 to 256".to_owned())
}

pub(super) fn parse_percent(text: &str) -> Result<u8, String> {
    match text.strip_suffix('%').unwrap_or(text).parse() {
        Ok(percent @ 1..=99) => Ok(percent),
        Ok(percent) => Err(format!("a share of {percent} % is no mix; use 1 to 99")),
        Err(_) => Err("a share is a whole number of percent, 1 to 99".to_owned()),
    }
}

pub(super) fn parse_bound(text: &str) -> Result<Bound, String> {
    text.parse().map_err(|error: BoundError| error.reason().to_owned())
}

pub(super) fn parse_depth(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(0) => Err("a depth of 0 asks for nothing; the least is 1".to_owned()),
        Ok(depth @ 1..=4096) => Ok(depth),
        Ok(depth) => Err(format!("a depth of {depth} is beyond 4096")),
        Err(_) => Err("a depth is a whole number, 1 to 4096, or a range: 4..8".to_owned()),
    }
}

pub(super) fn parse_time(text: &str) -> Result<Nanos, String> {
    match text.parse::<Nanos>() {
        Ok(Nanos::ZERO) => Err("no time measures nothing".to_owned()),
        Ok(time) => Ok(time),
        Err(error) => Err(error.reason),
    }
}

pub(super) fn parse_precision(text: &str) -> Result<f64, String> {
    match text.strip_suffix('%').unwrap_or(text).trim().parse::<f64>() {
        Ok(percent) if (0.1..=50.0).contains(&percent) => Ok(percent / 100.0),
        Ok(percent) => Err(format!("a precision of {percent} % is not between 0.1 and 50")),
        Err(_) => Err("a precision is a number of percent, such as 2%".to_owned()),
    }
}

/// `2x`, `0.5x`; the letter may be left out.
pub(super) fn parse_speed(text: &str) -> Result<f64, String> {
    match text.strip_suffix(['x', 'X']).unwrap_or(text).trim().parse::<f64>() {
        Ok(speed) if (0.001..=1000.0).contains(&speed) => Ok(speed),
        Ok(speed) => Err(format!("a speed of {speed} is not between 0.001 and 1000")),
        Err(_) => Err("a speed is a factor, such as 2x or 0.5x".to_owned()),
    }
}

pub(super) fn parse_price(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(price) if price.is_finite() && price > 0.0 => Ok(price),
        Ok(_) => Err("a price is above 0".to_owned()),
        Err(_) => Err("a price is a number, such as 24 or 4.99".to_owned()),
    }
}

pub(super) fn parse_share(text: &str) -> Result<f64, String> {
    match text.strip_suffix('%').unwrap_or(text).trim().parse::<f64>() {
        Ok(percent) if percent > 0.0 && percent <= 100.0 => Ok(percent / 100.0),
        Ok(_) => Err("a share is above 0 % and at most 100 %".to_owned()),
        Err(_) => Err("a share is a number of percent, such as 5%".to_owned()),
    }
}

pub(super) fn parse_whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("'{text}' is no whole number"))
}

pub(super) fn parse_number(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| format!("'{text}' is no number"))
}

pub(super) fn parse_visits(text: &str) -> Result<u32, String> {
    match text.parse::<u32>() {
        Ok(number @ 2..=1000) if number.is_multiple_of(2) => Ok(number),
        _ => Err("visits are an even number, 2 to 1000: each turn is A B B A".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workload_is_printed_as_it_is_written() {
        for word in ["randread", "randwrite", "randrw", "read", "write", "rw"] {
            assert_eq!(word.parse::<Kind>().unwrap().to_string(), word);
        }
    }
}
