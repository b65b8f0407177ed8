//! Sizes and places.

use super::parse::{ValueProblem, ValueResult, split_range};
use super::reader::ValueReader;
use super::spec::*;

/// How much is done, and where.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SizeOptions {
    /// Of all files together; `None`: the whole of existing files.
    pub size: Option<SizeValue>,
    /// Bytes moved per loop; `None`: `size`.
    pub io_size: Option<SizeValue>,
    /// Of each file; `min` = `max` when it is not a range.
    pub filesize: Option<SizeRange>,
    pub fill_device: bool,
    pub file_append: bool,
    pub offset: SizeValue,
    pub offset_increment: SizeValue,
    /// The offset is rounded up to it; 0: the smallest block, when the offset is a percentage.
    pub offset_align: u64,
    /// 0: no limit.
    pub number_ios: u64,
}

type O = SizeOptions;

pub(super) const TABLE: &[Entry<O>] = &[
    place("size", "", "Bytes of all files of an instance together; also a percentage.")
        .reads(Any, |o: &mut O, reader| read_positive_size(reader).map(|value| o.size = value)),
    place("io_size", "", "Bytes to move before the job ends; size, when not given.")
        .alias(&["io_limit"])
        .reads(Any, |o: &mut O, reader| read_positive_size(reader).map(|value| o.io_size = value)),
    ranges("filesize", "", "Size of each file; a range gives each file a random size in it.")
        .reads(Any, |o: &mut O, reader| {
            read_file_size(reader).map(|value| o.filesize = Some(value))
        }),
    flag(
        "fill_device",
        "0",
        "Write until the device is full; of a file system, 1 % or 1 GiB stays free.",
    )
    .alias(&["fill_fs"])
    .sets(Any, |o: &mut O| &mut o.fill_device),
    flag("file_append", "0", "Begin at the end of the file.")
        .sets(Any, |o: &mut O| &mut o.file_append),
    place("offset", "0", "Where the used part of the file begins; also a percentage.")
        .alias(&["fileoffset"])
        .sets(Any, |o: &mut O| &mut o.offset),
    place("offset_increment", "0", "Added to the offset once per number of the instance.")
        .under("offset")
        .sets(Any, |o: &mut O| &mut o.offset_increment),
    sizes("offset_align", "0", "Multiple to which an offset given in percent is rounded.")
        .sets(Any, |o: &mut O| &mut o.offset_align),
    size(
        "number_ios",
        "0",
        "Number of operations after which the job ends; flushes are not counted.",
    )
    .reads(Any, |o: &mut O, reader| {
        reader.read_whole(0, u64::MAX).map(|value| o.number_ios = value)
    }),
];

const SIZE_OR_PERCENT: &str = "a size such as 1g, a percentage up to 100% or zones such as 4z";

/// A size, absolute or relative to the file or device.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SizeValue {
    Bytes(u64),
    /// Percent of the file or device, 0 to 100.
    Percent(f64),
    Zones(u64),
}

impl Default for SizeValue {
    fn default() -> Self {
        Self::Bytes(0)
    }
}

impl ReadValue for SizeValue {
    fn read(reader: &mut ValueReader<'_>, _: &OptionSpec) -> ValueResult<Self> {
        read_size_value(reader)
    }
}

/// A size, a percentage with `%`, or a number of zones with `z`.
fn read_size_value(reader: &mut ValueReader<'_>) -> ValueResult<SizeValue> {
    let text = reader.require_text(SIZE_OR_PERCENT)?;
    if let Some(percent) = text.strip_suffix('%').map(|percent| percent.trim_end_matches('%')) {
        let percent = percent.trim().parse().ok();
        let percent = percent.filter(|percent| (0.0..=100.0).contains(percent));
        return percent
            .map(SizeValue::Percent)
            .ok_or_else(|| ValueProblem::new(format!("{text} is out of range"), "0% to 100%"));
    }
    if let Some(zones) = text.strip_suffix(['z', 'Z']) {
        return zones.parse().map(SizeValue::Zones).map_err(|_| {
            ValueProblem::new(format!("{text} is not a number of zones"), SIZE_OR_PERCENT)
        });
    }
    reader.parse_number(text, SIZE_OR_PERCENT)?;
    reader.parse_size(text, 0).map(SizeValue::Bytes)
}

/// 0 is fio's "not given".
fn read_positive_size(reader: &mut ValueReader<'_>) -> ValueResult<Option<SizeValue>> {
    Ok(match read_size_value(reader)? {
        SizeValue::Bytes(0) | SizeValue::Zones(0) | SizeValue::Percent(0.0) => None,
        value => Some(value),
    })
}

/// Two sizes in bytes, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeRange {
    pub min: u64,
    pub max: u64,
}

/// A range of sizes, swapped when reversed.
pub(super) fn parse_size_range(reader: &mut ValueReader<'_>, text: &str) -> ValueResult<SizeRange> {
    let (low, high) = split_range(text).ok_or_else(|| {
        ValueProblem::new(format!("{text} is not a range"), "a range such as 4k-64k")
    })?;
    let (low, high) = (reader.parse_size(low, 1)?, reader.parse_size(high, 1)?);
    Ok(SizeRange { min: low.min(high), max: low.max(high) })
}

fn read_file_size(reader: &mut ValueReader<'_>) -> ValueResult<SizeRange> {
    let text = reader.require_text("a size such as 1m, or a range such as 4k-64k")?;
    if split_range(text).is_some() {
        return parse_size_range(reader, text);
    }
    let size = reader.parse_size(text, 1)?;
    Ok(SizeRange { min: size, max: size })
}
