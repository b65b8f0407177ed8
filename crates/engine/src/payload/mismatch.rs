//! A block that is not what was expected, with both blocks, for people.

use std::fmt::{self, Write as _};

use super::seal::{SealPlan, Wrong};

/// Bytes per line of a dump, lines of it, and how many of these come before the difference.
const LINE: usize = 16;
const LINES: usize = 8;
const LINES_BEFORE: usize = 3;

/// A block that is not what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// Number of its target.
    pub target: u16,
    /// Where it was read, in bytes from the start of the target.
    pub offset: u64,
    /// What is wrong with it.
    pub wrong: Wrong,
    /// The block that should be there, as far as it can be told.
    pub expected: Vec<u8>,
    /// The block that is there.
    pub found: Vec<u8>,
}

impl Mismatch {
    /// Of what was `found` at `offset` of `target`, where write number `sequence` was expected.
    pub(crate) fn new(
        plan: &SealPlan,
        target: u16,
        offset: u64,
        sequence: Option<u64>,
        found: &[u8],
        wrong: Wrong,
    ) -> Self {
        let expected = plan.remake(found, offset, sequence);
        Self { target, offset, wrong, expected, found: found.to_vec() }
    }

    /// Both blocks side by side as hex around the first difference: at most 8 lines of 16 bytes
    /// under a title, each with its place in the block; lines that differ are marked `*`.
    #[must_use]
    pub fn dump(&self) -> String {
        let mut text = format!("{:<11}{:<49}found\n", "byte", "expected");
        let pairs = self.expected.iter().zip(&self.found);
        let first = pairs.take_while(|(expected, found)| expected == found).count() / LINE;
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

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = self.found.len();
        write!(f, "block at byte {}, {length} bytes: {}", self.offset, self.wrong)
    }
}

fn line(bytes: &[u8], at: usize) -> &[u8] {
    bytes.get(at..bytes.len().min(at + LINE)).unwrap_or_default()
}

fn hex(bytes: &[u8]) -> String {
    let mut text: String = bytes.iter().map(|byte| format!("{byte:02x} ")).collect();
    text.extend(std::iter::repeat_n(' ', (LINE - bytes.len()) * 3));
    text
}
