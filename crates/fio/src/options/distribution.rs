//! Where random offsets fall, and which file is next: `random_distribution`, `file_service_type`.

use super::blocks::fill_percents;
use super::parse::{
    PerDirection, ValueProblem, ValueResult, parse_float, parse_per_direction, parse_percent,
};
use super::reader::ValueReader;
use super::spec::{OptionSpec, OptionValue, ReadValue, Words};

pub(super) const DISTRIBUTIONS: Words = &[
    ("random", "all places alike"),
    ("zipf", "Zipf's law, zipf:theta[:center]"),
    ("zipf64", "Zipf's law with 64-bit arithmetic (newer versions)"),
    ("pareto", "Pareto's law, pareto:power[:center]"),
    ("normal", "the bell curve, normal:deviation[:center]"),
    ("gauss", "the same as normal"),
    ("zoned", "shares of operations for shares of the file"),
    ("zoned_abs", "shares of operations for sizes"),
];

pub(super) const SERVICES: Words = &[
    ("roundrobin", "one file after the other, in turn"),
    ("random", "any file, all alike"),
    ("sequential", "a file to its end, then the next"),
    ("zipf", "some files more often, by Zipf's law"),
    ("pareto", "some files more often, by Pareto's law"),
    ("normal", "files around the middle more often"),
    ("gauss", "the same as normal"),
];

const EXPECTED: &str = "random, zipf:theta[:center], pareto:h[:center], \
                        normal:deviation[:center], zoned:access/range:... or \
                        zoned_abs:access/size:...";

/// `random_distribution`: where random offsets fall. `theta` is above 0 and not 1, `h` between 0
/// and 1, `deviation` in percent of the region; `wide` is the 64-bit
/// generator of `zipf64`. `center` is the place of the hot spot, as a fraction of the region;
/// without it the hot spot is hashed over the region.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Distribution {
    #[default]
    Random,
    Zipf {
        theta: f64,
        center: Option<f64>,
        wide: bool,
    },
    Pareto {
        h: f64,
        center: Option<f64>,
    },
    Normal {
        deviation: f64,
        center: Option<f64>,
    },
    Zoned(Vec<ZoneShare>),
    /// Shares of the accesses over sizes; lengths are bytes.
    ZonedAbs(Vec<ZoneShare>),
}

/// One part of a zoned distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ZoneShare {
    /// Percent of the accesses.
    pub accesses: u8,
    /// Percent of the region (`zoned`) or bytes (`zoned_abs`); `zoned_abs` 0: the rest.
    pub length: u64,
}

impl OptionValue for PerDirection<Distribution> {
    fn set(&mut self, reader: &mut ValueReader<'_>, _: &OptionSpec) -> ValueResult<()> {
        let text = reader.require_text(EXPECTED)?;
        let (word, rest) = text.split_once(':').unwrap_or((text, ""));
        match word.trim() {
            "zoned" => parse_per_direction(self, rest, EXPECTED, |piece| {
                parse_zones(piece, |length| Ok(u64::from(parse_percent(length)?)), true)
                    .map(Distribution::Zoned)
            }),
            "zoned_abs" => parse_per_direction(self, rest, EXPECTED, |piece| {
                parse_zones(piece, |length| reader.parse_size(length, 0), false)
                    .map(Distribution::ZonedAbs)
            }),
            _ => parse_per_direction(self, text, EXPECTED, parse_law),
        }
    }
}

fn parse_law(text: &str) -> ValueResult<Distribution> {
    let mut pieces = text.split(':').map(str::trim);
    let word = pieces.next().unwrap_or_default();
    let (first, center) = (pieces.next(), pieces.next());
    if pieces.next().is_some() || (word == "random" && first.is_some()) {
        return Err(ValueProblem::new(format!("{text} has too many arguments"), EXPECTED));
    }
    let center = center.map(|text| parse_float(text, "a center", 0.0..=1.0)).transpose()?;
    match word {
        "random" => Ok(Distribution::Random),
        "zipf" | "zipf64" => {
            Ok(Distribution::Zipf { theta: parse_theta(first)?, center, wide: word == "zipf64" })
        }
        "pareto" => Ok(Distribution::Pareto { h: parse_power(first)?, center }),
        "normal" | "gauss" => {
            Ok(Distribution::Normal { deviation: parse_deviation(first)?, center })
        }
        _ => Err(ValueProblem::new(format!("{word} is not a distribution"), EXPECTED)),
    }
}

/// fio's defaults: theta 1.1, h 0.2, deviation 0 (its own choice).
fn parse_theta(text: Option<&str>) -> ValueResult<f64> {
    let theta = parse_float(text.unwrap_or("1.1"), "a theta", 0.0..=f64::MAX)?;
    if theta == 0.0 || theta == 1.0 {
        return Err(ValueProblem::new(
            format!("theta is {theta}"),
            "a theta above 0 that is not 1",
        ));
    }
    Ok(theta)
}

fn parse_power(text: Option<&str>) -> ValueResult<f64> {
    let h = parse_float(text.unwrap_or("0.2"), "a power", 0.0..=1.0)?;
    if h <= 0.0 || h >= 1.0 {
        return Err(ValueProblem::new(format!("h is {h}"), "a power above 0 and below 1"));
    }
    Ok(h)
}

fn parse_deviation(text: Option<&str>) -> ValueResult<f64> {
    parse_float(text.unwrap_or("0"), "a deviation", 0.0..=99.999_999)
}

/// `access/length:access/length`; percents of access have to add up to 100, and empty lengths
/// of `zoned` share what is missing to 100.
fn parse_zones(
    text: &str,
    mut read: impl FnMut(&str) -> ValueResult<u64>,
    fill: bool,
) -> ValueResult<Vec<ZoneShare>> {
    let mut accesses = Vec::new();
    let mut lengths = Vec::new();
    for piece in text.split(':') {
        let (access, length) = piece
            .split_once('/')
            .ok_or_else(|| ValueProblem::new(format!("{piece} is not access/length"), EXPECTED))?;
        accesses.push(parse_percent(access)?);
        let length = length.trim();
        if length.is_empty() && !fill {
            return Err(ValueProblem::new(format!("{piece} has no size"), EXPECTED));
        }
        lengths.push(if length.is_empty() { None } else { Some(read(length)?) });
    }
    let sum: u32 = accesses.iter().map(|access| u32::from(*access)).sum();
    if sum != 100 {
        let what = format!("accesses add up to {sum}");
        return Err(ValueProblem::new(what, "accesses of 100 percent"));
    }
    if fill {
        let percents: Vec<Option<u8>> =
            lengths.iter().map(|length| length.and_then(|n| u8::try_from(n).ok())).collect();
        let percents = fill_percents(&percents).map_err(|sum| {
            ValueProblem::new(format!("ranges add up to {sum}"), "ranges of at most 100 percent")
        })?;
        lengths = percents.into_iter().map(|percent| Some(u64::from(percent))).collect();
    }
    let zones = accesses.into_iter().zip(lengths);
    Ok(zones
        .map(|(accesses, length)| ZoneShare { accesses, length: length.unwrap_or(0) })
        .collect())
}

/// `file_service_type`: which file serves the next operation. `batch` is the number of operations
/// before the next choice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FileService {
    Random { batch: u32 },
    RoundRobin { batch: u32 },
    Sequential { batch: u32 },
    Zipf { theta: f64 },
    Pareto { h: f64 },
    Normal { deviation: f64 },
}

impl Default for FileService {
    fn default() -> Self {
        Self::RoundRobin { batch: 1 }
    }
}

impl ReadValue for FileService {
    fn read(reader: &mut ValueReader<'_>, _: &OptionSpec) -> ValueResult<Self> {
        let expected = "random, roundrobin or sequential, perhaps with :number, or zipf:theta, \
                        pareto:h, normal:deviation";
        let text = reader.require_text(expected)?;
        let (word, argument) = match text.split_once(':') {
            Some((word, argument)) => (word.trim(), Some(argument.trim())),
            None => (text, None),
        };
        let mut batch = || -> ValueResult<u32> {
            let number = match argument {
                Some(argument) => reader.parse_number(argument, expected)?,
                None => 1,
            };
            let batch = u32::try_from(number).ok().filter(|batch| *batch > 0);
            batch.ok_or_else(|| ValueProblem::new(format!("{number} is out of range"), expected))
        };
        Ok(match word {
            "random" => Self::Random { batch: batch()? },
            "roundrobin" => Self::RoundRobin { batch: batch()? },
            "sequential" => Self::Sequential { batch: batch()? },
            "zipf" => Self::Zipf { theta: parse_theta(argument)? },
            "pareto" => Self::Pareto { h: parse_power(argument)? },
            "normal" | "gauss" => Self::Normal { deviation: parse_deviation(argument)? },
            _ => {
                let what = format!("{word} is not one of the choices");
                return Err(ValueProblem::new(what, expected));
            }
        })
    }
}
