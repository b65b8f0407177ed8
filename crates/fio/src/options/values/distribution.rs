//! `rw`, `random_distribution` and `file_service_type`: a word and its arguments.

use super::super::job::{Distribution, FileService, JobOptions, Operation, ReadWrite, ZoneShare};
use super::lists;
use super::reader::{self, ValueReader};
use super::{ValueProblem, blocks, number};

const OPERATIONS: &[(&str, Operation)] = &[
    ("read", Operation::Read),
    ("write", Operation::Write),
    ("trim", Operation::Trim),
    ("randread", Operation::RandRead),
    ("randwrite", Operation::RandWrite),
    ("randtrim", Operation::RandTrim),
    ("rw", Operation::ReadWrite),
    ("readwrite", Operation::ReadWrite),
    ("randrw", Operation::RandReadWrite),
    ("trimwrite", Operation::TrimWrite),
    ("randtrimwrite", Operation::RandTrimWrite),
];

const WORDS: &str = "random, zipf:theta[:center], pareto:h[:center], normal:deviation[:center], \
                     zoned:access/range:... or zoned_abs:access/size:...";

/// `rw`, with the number that may follow.
pub(super) fn read_rw(
    options: &mut JobOptions,
    input: &mut ValueReader<'_>,
) -> Result<(), ValueProblem> {
    let text = input.text("a pattern such as randread")?;
    let (word, argument) = match text.split_once(':') {
        Some((word, argument)) => (word.trim(), Some(argument.trim())),
        None => (text, None),
    };
    let mut rw = ReadWrite::new(reader::pick_choice(word, OPERATIONS)?);
    if let Some(argument) = argument {
        let expected = if rw.operation.is_random() {
            "a number of operations from 1 on after the colon, such as randread:8"
        } else {
            "bytes to skip after the colon, such as read:4k or read:-4k"
        };
        let number = input.number(argument, expected)?;
        let wrong = || ValueProblem::new(format!("{argument} is out of range"), expected);
        if rw.operation.is_random() {
            let length = u32::try_from(number).ok().filter(|length| *length > 0);
            rw.run_length = length.ok_or_else(wrong)?;
        } else {
            rw.gap = i64::try_from(number).map_err(|_| wrong())?;
        }
    }
    options.pattern.rw = rw;
    Ok(())
}

/// `random_distribution`.
pub(super) fn read_random_distribution(
    options: &mut JobOptions,
    input: &mut ValueReader<'_>,
) -> Result<(), ValueProblem> {
    let text = input.text(WORDS)?;
    let (word, rest) = text.split_once(':').unwrap_or((text, ""));
    let slots = &mut options.pattern.random_distribution;
    match word.trim() {
        "zoned" => lists::parse_per_direction(slots, rest, WORDS, |piece| {
            parse_zones(piece, |length| Ok(u64::from(reader::parse_percent(length)?)), true)
                .map(Distribution::Zoned)
        }),
        "zoned_abs" => lists::parse_per_direction(slots, rest, WORDS, |piece| {
            parse_zones(piece, |length| input.size_of(length, 0), false).map(Distribution::ZonedAbs)
        }),
        _ => lists::parse_per_direction(slots, text, WORDS, parse_distribution),
    }
}

fn parse_distribution(text: &str) -> Result<Distribution, ValueProblem> {
    let mut pieces = text.split(':').map(str::trim);
    let word = pieces.next().unwrap_or_default();
    let (first, center) = (pieces.next(), pieces.next());
    if pieces.next().is_some() || (word == "random" && first.is_some()) {
        return Err(ValueProblem::new(format!("{text} has too many arguments"), WORDS));
    }
    let center = center.map(|text| number::parse_float(text, "a center", 0.0..=1.0)).transpose()?;
    match word {
        "random" => Ok(Distribution::Random),
        "zipf" | "zipf64" => {
            Ok(Distribution::Zipf { theta: parse_theta(first)?, center, wide: word == "zipf64" })
        }
        "pareto" => Ok(Distribution::Pareto { h: parse_power(first)?, center }),
        "normal" | "gauss" => {
            Ok(Distribution::Normal { deviation: parse_deviation(first)?, center })
        }
        _ => Err(ValueProblem::new(format!("{word} is not a distribution"), WORDS)),
    }
}

/// fio's defaults: theta 1.1, h 0.2, deviation 0 (its own choice).
fn parse_theta(text: Option<&str>) -> Result<f64, ValueProblem> {
    let theta = number::parse_float(text.unwrap_or("1.1"), "a theta", 0.0..=f64::MAX)?;
    if theta == 0.0 || theta == 1.0 {
        return Err(ValueProblem::new(
            format!("theta is {theta}"),
            "a theta above 0 that is not 1",
        ));
    }
    Ok(theta)
}

fn parse_power(text: Option<&str>) -> Result<f64, ValueProblem> {
    let h = number::parse_float(text.unwrap_or("0.2"), "a power", 0.0..=1.0)?;
    if h <= 0.0 || h >= 1.0 {
        return Err(ValueProblem::new(format!("h is {h}"), "a power above 0 and below 1"));
    }
    Ok(h)
}

fn parse_deviation(text: Option<&str>) -> Result<f64, ValueProblem> {
    number::parse_float(text.unwrap_or("0"), "a deviation", 0.0..=99.999_999)
}

/// `access/length:access/length`; percents of access have to add up to 100, and empty lengths
/// of `zoned` share what is missing to 100.
fn parse_zones(
    text: &str,
    mut read: impl FnMut(&str) -> Result<u64, ValueProblem>,
    fill: bool,
) -> Result<Vec<ZoneShare>, ValueProblem> {
    let mut accesses = Vec::new();
    let mut lengths = Vec::new();
    for piece in text.split(':') {
        let (access, length) = piece
            .split_once('/')
            .ok_or_else(|| ValueProblem::new(format!("{piece} is not access/length"), WORDS))?;
        accesses.push(reader::parse_percent(access)?);
        let length = length.trim();
        if length.is_empty() && !fill {
            return Err(ValueProblem::new(format!("{piece} has no size"), WORDS));
        }
        lengths.push(if length.is_empty() { None } else { Some(read(length)?) });
    }
    let sum: u32 = accesses.iter().map(|access| u32::from(*access)).sum();
    if sum != 100 {
        return Err(ValueProblem::new(
            format!("accesses add up to {sum}"),
            "accesses of 100 percent",
        ));
    }
    if fill {
        let percents: Vec<Option<u8>> =
            lengths.iter().map(|length| length.and_then(|n| u8::try_from(n).ok())).collect();
        let percents = blocks::fill_percents(&percents).map_err(|sum| {
            ValueProblem::new(format!("ranges add up to {sum}"), "ranges of at most 100 percent")
        })?;
        lengths = percents.into_iter().map(|percent| Some(u64::from(percent))).collect();
    }
    Ok(accesses
        .into_iter()
        .zip(lengths)
        .map(|(accesses, length)| ZoneShare { accesses, length: length.unwrap_or(0) })
        .collect())
}

/// `file_service_type`.
pub(super) fn read_file_service(
    options: &mut JobOptions,
    input: &mut ValueReader<'_>,
) -> Result<(), ValueProblem> {
    let expected = "random, roundrobin or sequential, perhaps with :number, or zipf:theta, \
                    pareto:h, normal:deviation";
    let text = input.text(expected)?;
    let (word, argument) = match text.split_once(':') {
        Some((word, argument)) => (word.trim(), Some(argument.trim())),
        None => (text, None),
    };
    let mut batch = || -> Result<u32, ValueProblem> {
        let number = match argument {
            Some(argument) => input.number(argument, expected)?,
            None => 1,
        };
        u32::try_from(number)
            .ok()
            .filter(|batch| *batch > 0)
            .ok_or_else(|| ValueProblem::new(format!("{number} is out of range"), expected))
    };
    options.target.file_service = match word {
        "random" => FileService::Random { batch: batch()? },
        "roundrobin" => FileService::RoundRobin { batch: batch()? },
        "sequential" => FileService::Sequential { batch: batch()? },
        "zipf" => FileService::Zipf { theta: parse_theta(argument)? },
        "pareto" => FileService::Pareto { h: parse_power(argument)? },
        "normal" | "gauss" => FileService::Normal { deviation: parse_deviation(argument)? },
        _ => return Err(ValueProblem::new(format!("{word} is not one of the choices"), expected)),
    };
    Ok(())
}
