//! Priorities of single operations: `cmdprio_percentage`, `cmdprio_bssplit` and their like.

use workload::{IoClass, encode_ioprio};

use super::parse::{PerDirection, ValueProblem, ValueResult, parse_per_direction, parse_percent};
use super::reader::ValueReader;

/// Most shares per direction, as in fio.
const MAX_SHARES: usize = 64;
/// Class of operations whose class is not given.
const DEFAULT_CLASS: u8 = IoClass::Realtime as u8;

const SPLIT: &str = "size/percent or size/percent/class/level, separated by colons, per direction \
                     with commas";

/// The values are those of reads and writes; of trims they are ignored.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CmdPrioOptions {
    pub percentage: PerDirection<u8>,
    /// 0: not given.
    pub class: PerDirection<u8>,
    pub level: PerDirection<u8>,
    pub bssplit: PerDirection<Vec<PriorityShare>>,
}

/// One entry of `cmdprio_bssplit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriorityShare {
    pub size: u64,
    /// Share of the operations of this size, in percent.
    pub percent: u8,
    /// `None`: that of `cmdprio_class` and `cmdprio`.
    pub ioprio: Option<u16>,
}

impl CmdPrioOptions {
    /// Class and level of `direction`, as ioprio_set(2) takes them.
    pub fn ioprio(&self, direction: usize) -> u16 {
        let class = if self.class[direction] == 0 { DEFAULT_CLASS } else { self.class[direction] };
        encode_ioprio(class, self.level[direction])
    }

    /// `cmdprio_percentage` and `cmdprio_bssplit` are both given.
    pub fn has_conflict(&self) -> bool {
        self.percentage.iter().any(|percent| *percent > 0)
            && self.bssplit.iter().any(|shares| !shares.is_empty())
    }
}

pub(super) fn read_levels(
    into: &mut PerDirection<u8>,
    reader: &mut ValueReader<'_>,
    (min, max): (u8, u8),
) -> ValueResult<()> {
    let text = reader.require_text("a whole number, or read,write")?;
    parse_per_direction(into, text, "a whole number", |piece| {
        parse_level(reader, piece, (min, max))
    })
}

fn parse_level(reader: &mut ValueReader<'_>, text: &str, (min, max): (u8, u8)) -> ValueResult<u8> {
    let expected = format!("a whole number from {min} to {max}");
    let number = reader.parse_number(text.trim(), &expected)?;
    let level = u8::try_from(number).ok().filter(|level| (min..=max).contains(level));
    level.ok_or_else(|| ValueProblem::new("it is out of range", expected))
}

pub(super) fn read_bssplit(
    into: &mut PerDirection<Vec<PriorityShare>>,
    reader: &mut ValueReader<'_>,
) -> ValueResult<()> {
    let text = reader.require_text(SPLIT)?;
    parse_per_direction(into, text, SPLIT, |piece| parse_shares(reader, piece))
}

fn parse_shares(reader: &mut ValueReader<'_>, text: &str) -> ValueResult<Vec<PriorityShare>> {
    let mut shares: Vec<PriorityShare> = Vec::new();
    for piece in text.split(':') {
        let fields: Vec<&str> = piece.split('/').map(str::trim).collect();
        let (size, percent, ioprio) = match fields[..] {
            [size, percent] => (size, percent, None),
            [size, percent, class, level] | [size, percent, class, level, "0"] => {
                let class = parse_level(reader, class, (1, 3))?;
                (size, percent, Some(encode_ioprio(class, parse_level(reader, level, (0, 7))?)))
            }
            [_, _, _, _, _] => {
                return Err(ValueProblem::new("hints are not passed to the disk", SPLIT));
            }
            _ => return Err(ValueProblem::new("a size has no percent", SPLIT)),
        };
        let (size, percent) = (reader.parse_size(size, 1)?, parse_percent(percent)?);
        if percent > 0 {
            shares.push(PriorityShare { size, percent, ioprio });
        }
    }
    let sum = |size: u64| -> u32 {
        shares.iter().filter(|share| share.size == size).map(|share| u32::from(share.percent)).sum()
    };
    if shares.len() > MAX_SHARES || shares.iter().any(|share| sum(share.size) > 100) {
        let problem = "a size has more than 100 %, or there are more than 64 entries";
        return Err(ValueProblem::new(problem, SPLIT));
    }
    Ok(shares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::parse::{KbBase, READS, WRITES};

    fn read(text: &str) -> ValueResult<PerDirection<Vec<PriorityShare>>> {
        let no_files = |_: &str| Err(std::io::ErrorKind::NotFound.into());
        let mut reader = ValueReader::new(Some(text), KbBase::Binary, &no_files);
        let mut shares = PerDirection::default();
        read_bssplit(&mut shares, &mut reader).map(|()| shares)
    }

    #[test]
    fn shares_have_a_size_and_may_have_a_priority() {
        let share = |size, percent, ioprio| PriorityShare { size, percent, ioprio };
        let shares = read("64k/25/1/1:64k/75/3/2/0:1024k/0,1024k/20").unwrap();
        let own = [share(65_536, 25, Some(0x2001)), share(65_536, 75, Some(0x6002))];
        assert_eq!(shares[READS], own);
        assert_eq!(shares[WRITES], [share(1 << 20, 20, None)]);
        for wrong in ["64k", "64k/10/1", "64k/60:64k/41", "64k/10/4/0", "64k/10/1/8", "4k/9/1/1/3"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(read("4k/60:8k/60").is_ok(), "the sum is that of a size");
    }

    #[test]
    fn a_class_that_is_not_given_is_real_time() {
        let mut options = CmdPrioOptions::default();
        options.level[READS] = 3;
        options.class[WRITES] = 2;
        assert_eq!((options.ioprio(READS), options.ioprio(WRITES)), (0x2003, 0x4000));
        options.percentage[READS] = 5;
        assert!(!options.has_conflict());
        options.bssplit[WRITES].push(PriorityShare { size: 1, percent: 1, ioprio: None });
        assert!(options.has_conflict());
    }
}
