//! Block sizes: `bs`, `bsrange`, `bssplit`.

use super::super::job::{BlockShare, JobOptions, SizeRange};
use super::lists;
use super::reader::{self, ValueReader};
use super::{ValueProblem, number};

/// Most shares per direction, as in fio.
const MAX_SHARES: usize = 64;

const SPLIT: &str = "size/percent:size/percent, such as 4k/60:64k/40, per direction with commas";

/// `bs`.
pub(super) fn read_bs(
    options: &mut JobOptions,
    input: &mut ValueReader<'_>,
) -> Result<(), ValueProblem> {
    let text = input.text(number::SIZE)?;
    let mut slots = options.pattern.bs;
    lists::parse_per_direction(&mut slots, text, number::SIZE, |piece| input.size_of(piece, 1))?;
    options.pattern.bs = slots;
    Ok(())
}

/// `bsrange`: takes the place of an earlier `bssplit`.
pub(super) fn read_bsrange(
    options: &mut JobOptions,
    input: &mut ValueReader<'_>,
) -> Result<(), ValueProblem> {
    let expected = "a range such as 4k-64k";
    let text = input.text(expected)?;
    let mut slots: [Option<SizeRange>; 3] = [None; 3];
    lists::parse_per_direction(&mut slots, text, expected, |piece| {
        lists::read_size_range(input, piece, 1).map(Some)
    })?;
    for (index, slot) in slots.into_iter().enumerate().filter(|(_, slot)| slot.is_some()) {
        options.pattern.bsrange[index] = slot;
        options.pattern.bssplit[index].clear();
    }
    Ok(())
}

/// `bssplit`: takes the place of an earlier `bsrange`.
pub(super) fn read_bssplit(
    options: &mut JobOptions,
    input: &mut ValueReader<'_>,
) -> Result<(), ValueProblem> {
    let text = input.text(SPLIT)?;
    let mut slots: [Vec<BlockShare>; 3] = [const { Vec::new() }; 3];
    lists::parse_per_direction(&mut slots, text, SPLIT, |piece| read_shares(input, piece))?;
    for (index, slot) in slots.into_iter().enumerate().filter(|(_, slot)| !slot.is_empty()) {
        options.pattern.bssplit[index] = slot;
        options.pattern.bsrange[index] = None;
    }
    Ok(())
}

fn read_shares(input: &mut ValueReader<'_>, text: &str) -> Result<Vec<BlockShare>, ValueProblem> {
    let mut sizes = Vec::new();
    let mut percents = Vec::new();
    for piece in text.split(':') {
        let (size, percent) = piece.split_once('/').unwrap_or((piece, ""));
        sizes.push(input.size_of(size.trim(), 1)?);
        let percent = percent.trim();
        percents.push(if percent.is_empty() {
            None
        } else {
            Some(reader::parse_percent(percent)?)
        });
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
            input.note(format!("its percents add up to {given}; the last size gets the rest"));
        }
        last.percent += rest;
    }
    Ok(shares)
}

/// Puts an equal part of what is missing to 100 into the empty places.
///
/// # Errors
/// The sum, when it is over 100.
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
