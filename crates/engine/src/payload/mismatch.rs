//! What was found instead of the expected block, told apart as a storage engineer wants it.

use std::fmt::{self, Write as _};

use super::content::SECTOR;
use super::verify::{Header, is_zero, version_of};

/// Bytes per line of a dump, lines of it, and how many of these come before the difference.
const LINE: usize = 16;
const LINES: usize = 8;
const LINES_BEFORE: usize = 3;

/// A block that is not what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// Where it was read, in bytes from the start of the target.
    pub offset: u64,
    /// Bytes that were read.
    pub length: u32,
    /// What is wrong.
    pub kind: MismatchKind,
    /// The first byte of the block that differs from the expected one; none if it is not known
    /// what was expected.
    pub first_difference: Option<usize>,
    /// The block that should be there; empty if no sequence was expected and none can be told
    /// from what was found.
    pub expected: Vec<u8>,
    /// The block that is there.
    pub found: Vec<u8>,
}

/// In which way a block is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MismatchKind {
    /// All zeros: a write was lost, or the block was discarded.
    NeverWritten,
    /// A sound block of another write of this run to this very place: a later write was lost.
    Stale {
        /// Its sequence.
        found_sequence: u64,
    },
    /// A sound block of this run that belongs elsewhere.
    Misplaced {
        /// Where it belongs, in bytes from the start of the target.
        found_offset: u64,
    },
    /// A sound block of another run.
    Foreign,
    /// Intact sectors of two versions of this block; a version may be zeros.
    Torn {
        /// Where in the block the first sector starts that is not of the version of the head.
        /// Bytes, a multiple of 512.
        at: usize,
    },
    /// Anything else.
    Corrupt,
}

impl fmt::Display for MismatchKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NeverWritten => write!(f, "never written"),
            Self::Stale { .. } => write!(f, "stale"),
            Self::Misplaced { found_offset } => {
                write!(f, "misplaced, belongs at byte {found_offset}")
            }
            Self::Foreign => write!(f, "foreign, of another run"),
            Self::Torn { at } => write!(f, "torn at its byte {at}"),
            Self::Corrupt => write!(f, "corrupt"),
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, length, kind, .. } = self;
        write!(f, "block at byte {offset}, {length} bytes: {kind}; expected ")?;
        describe(f, &self.expected)?;
        write!(f, "; found ")?;
        describe(f, &self.found)?;
        if let MismatchKind::Torn { at } = *kind {
            let end = self.found.len().min(at + SECTOR);
            let sector = self.found.get(at..end).unwrap_or_default();
            match version_of(at / SECTOR, sector, *offset) {
                _ if is_zero(sector) => write!(f, ", from its byte {at} zeros")?,
                Some((seed, sequence)) => {
                    write!(f, ", from its byte {at} sequence {sequence} of seed {seed}")?;
                }
                None => {}
            }
        }
        match self.first_difference {
            Some(at) => write!(f, "; first difference at its byte {at}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Mismatch {}

impl Mismatch {
    /// Both blocks side by side as hex around the first difference: at most 8 lines of 16 bytes
    /// under a title, each with its place in the block; lines that differ are marked `*`.
    #[must_use]
    pub fn dump(&self) -> String {
        let mut text = format!("{:<11}{:<49}found\n", "byte", "expected");
        let first = self.first_difference.unwrap_or(0) / LINE;
        let length = self.expected.len().max(self.found.len());
        let last_start = length.div_ceil(LINE).saturating_sub(LINES);
        let start = first.saturating_sub(LINES_BEFORE).min(last_start) * LINE;
        for at in (start..length).step_by(LINE).take(LINES) {
            let (expected, found) = (line(&self.expected, at), line(&self.found, at));
            let mark = if expected == found { ' ' } else { '*' };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{at:08x} {mark} {}  {}", hex(expected), hex(found).trim_end());
        }
        text
    }
}

/// What a block is by its header, in a few words.
fn describe(f: &mut fmt::Formatter<'_>, block: &[u8]) -> fmt::Result {
    match Header::read(block) {
        Some(Header { seed, offset, sequence, length_bytes, .. }) => {
            write!(f, "seed {seed} offset {offset} sequence {sequence} length {length_bytes}")
        }
        None if block.is_empty() => write!(f, "any write of this run"),
        None if is_zero(block) => write!(f, "zeros"),
        None => write!(f, "no header"),
    }
}

fn line(block: &[u8], at: usize) -> &[u8] {
    block.get(at..block.len().min(at + LINE)).unwrap_or_default()
}

/// 16 bytes as hex, `--` where there are none.
fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(3 * LINE);
    for index in 0..LINE {
        let space = if index == 0 { "" } else { " " };
        let _ = match bytes.get(index) {
            Some(byte) => write!(text, "{space}{byte:02x}"),
            None => write!(text, "{space}--"),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::{check, stamp};
    use super::*;

    fn flipped(at: usize) -> Mismatch {
        let mut block = vec![0; 4096];
        stamp(&mut block, 42, 8192, 7);
        block[at] ^= 1;
        check(&block, 42, 8192, Some(7)).unwrap_err()
    }

    #[test]
    fn one_line_names_place_kind_expected_and_found() {
        assert_eq!(
            flipped(24).to_string(),
            "block at byte 8192, 4096 bytes: corrupt; expected seed 42 offset 8192 sequence 7 \
             length 4096; found seed 42 offset 8192 sequence 6 length 4096; first difference at \
             its byte 24"
        );
    }

    #[test]
    fn dumps_show_the_difference_and_no_more_than_eight_lines() {
        for at in [0, 15, 16, 100, 2000, 4095] {
            let dump = flipped(at).dump();
            let lines: Vec<&str> = dump.lines().skip(1).collect();
            assert_eq!(lines.len(), 8, "{dump}");
            let marked: Vec<&&str> = lines.iter().filter(|line| line.contains('*')).collect();
            assert_eq!(marked.len(), 1, "{dump}");
            assert!(marked[0].starts_with(&format!("{:08x} *", at / 16 * 16)), "{dump}");
            assert!(lines.iter().all(|line| line.len() <= 107), "{dump}");
        }
    }

    #[test]
    fn dump_without_anything_expected() {
        let mismatch = check(&[1; 70], 42, 0, None).unwrap_err();
        assert!(mismatch.expected.is_empty());
        let dump = mismatch.dump();
        assert_eq!(dump.lines().count(), 6, "{dump}");
        assert!(dump.lines().last().unwrap().ends_with("01 01 -- -- -- -- -- -- -- -- -- --"));
        assert!(mismatch.to_string().contains("any write of this run"));
    }
}
