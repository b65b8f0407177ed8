//! Block sizes: `bs`, `ba`, `bsrange`, `bssplit`.

use super::parse::{
    KbBase, PerDirection, SIZE, ValueProblem, ValueResult, parse_number, parse_per_direction,
    parse_percent, split_range,
};
use super::reader::ValueReader;
use super::sizes::{SizeRange, parse_size_range};

/// Most shares per direction, as in fio.
const MAX_SHARES: usize = 64;

const SPLIT: &str = "size/percent:size/percent, such as 4k/60:64k/40, per direction with commas";

/// One block size of `bssplit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockShare {
    pub size: u64,
    /// Percent of the operations.
    pub percent: u8,
}

pub(super) fn read_bs(bs: &mut PerDirection<u64>, reader: &mut ValueReader<'_>) -> ValueResult<()> {
    let text = reader.require_text(SIZE)?;
    let mut sizes = *bs;
    parse_per_direction(&mut sizes, text, SIZE, |piece| reader.parse_size(piece, 1))?;
    *bs = sizes;
    Ok(())
}

pub(super) fn read_block_align(
    align: &mut PerDirection<Option<u64>>,
    reader: &mut ValueReader<'_>,
) -> ValueResult<()> {
    let text = reader.require_text(SIZE)?;
    parse_per_direction(align, text, SIZE, |piece| reader.parse_size(piece, 1).map(Some))
}

/// `bsrange` takes the place of an earlier `bssplit`.
pub(super) fn read_bsrange(
    bsrange: &mut PerDirection<Option<SizeRange>>,
    bssplit: &mut PerDirection<Vec<BlockShare>>,
    reader: &mut ValueReader<'_>,
) -> ValueResult<()> {
    let expected = "a range such as 4k-64k";
    let text = reader.require_text(expected)?;
    let mut ranges: PerDirection<Option<SizeRange>> = [None; 3];
    parse_per_direction(&mut ranges, text, expected, |piece| {
        let range = strip_shares(reader, piece);
        parse_size_range(reader, range.as_deref().unwrap_or(piece)).map(Some)
    })?;
    for (index, range) in ranges.into_iter().enumerate().filter(|(_, range)| range.is_some()) {
        bsrange[index] = range;
        bssplit[index].clear();
    }
    Ok(())
}

/// The range that fio reads of a text for `bssplit`, such as `512/25:1k:25:4k/50`: its first two
/// sizes. `None`: `text` is no such text.
fn strip_shares(reader: &mut ValueReader<'_>, text: &str) -> Option<String> {
    let (low, high) = text.split_once('-').or_else(|| split_range(text))?;
    let is_share = |part: &str| {
        let (size, percent) = part.split_once('/').unwrap_or((part, "0"));
        parse_number(size.trim(), KbBase::Binary).is_ok() && parse_percent(percent).is_ok()
    };
    let is_plain = !text.contains('/') && !high.contains(':');
    if is_plain || !is_share(low) || !high.split(':').all(is_share) {
        return None;
    }
    let first_size = |text: &str| text.split(['/', ':']).next().unwrap_or(text).trim().to_owned();
    let range = format!("{}-{}", first_size(low), first_size(high));
    reader.add_note(format!("read as {range}, as fio reads it; for shares of sizes use bssplit"));
    Some(range)
}

/// `bssplit` takes the place of an earlier `bsrange`.
pub(super) fn read_bssplit(
    bssplit: &mut PerDirection<Vec<BlockShare>>,
    bsrange: &mut PerDirection<Option<SizeRange>>,
    reader: &mut ValueReader<'_>,
) -> ValueResult<()> {
    let text = reader.require_text(SPLIT)?;
    let mut splits: PerDirection<Vec<BlockShare>> = Default::default();
    parse_per_direction(&mut splits, text, SPLIT, |piece| parse_shares(reader, piece))?;
    for (index, split) in splits.into_iter().enumerate().filter(|(_, split)| !split.is_empty()) {
        bssplit[index] = split;
        bsrange[index] = None;
    }
    Ok(())
}

fn parse_shares(reader: &mut ValueReader<'_>, text: &str) -> ValueResult<Vec<BlockShare>> {
    let mut sizes = Vec::new();
    let mut percents = Vec::new();
    for piece in text.split(':') {
        let (size, percent) = piece.split_once('/').unwrap_or((piece, ""));
        sizes.push(reader.parse_size(size.trim(), 1)?);
        let percent = percent.trim();
        percents.push(if percent.is_empty() { None } else { Some(parse_percent(percent)?) });
    }
    if sizes.len() > MAX_SHARES {
        return Err(ValueProblem::new(format!("it has more than {MAX_SHARES} sizes"), SPLIT));
    }
    let percents = fill_percents(&percents).map_err(|sum| {
        ValueProblem::new(format!("its percents add up to {sum}"), format!("at most 100; {SPLIT}"))
    })?;
    let given: u32 = percents.iter().map(|percent| u32::from(*percent)).sum();
    let mut shares: Vec<BlockShare> = sizes
        .into_iter()
        .zip(percents)
        .map(|(size, percent)| BlockShare { size, percent })
        .collect();
    // As fio does: what is missing to 100 goes to the last one.
    if let (Some(last), Ok(rest)) = (shares.last_mut(), u8::try_from(100 - given)) {
        if rest > 2 {
            reader.add_note(format!("its percents add up to {given}; the last size gets the rest"));
        }
        last.percent += rest;
    }
    Ok(shares)
}

/// Puts an equal part of what is missing to 100 into the empty places.
/// Errors: the sum, when it is over 100.
pub(super) fn fill_percents(percents: &[Option<u8>]) -> Result<Vec<u8>, u32> {
    let sum: u32 = percents.iter().flatten().map(|percent| u32::from(*percent)).sum();
    if sum > 100 {
        return Err(sum);
    }
    let empty = percents.iter().filter(|percent| percent.is_none()).count();
    let part = u32::try_from(empty).ok().and_then(|empty| (100 - sum).checked_div(empty));
    let part = part.and_then(|part| u8::try_from(part).ok()).unwrap_or(0);
    Ok(percents.iter().map(|percent| percent.unwrap_or(part)).collect())
}
