use std::fmt::{self, Write as _};

use super::seal::{BlockDefect, DefectKind, SealPlan, fio_header, fio_sums, method_number};

/// Bytes per line of a dump, its lines, and how many of them come before the difference.
const LINE_BYTES: usize = 16;
const LINES_MAX: usize = 8;
const LINES_BEFORE: usize = 3;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    pub target: u16,
    /// Where it was read, in bytes from the start of the target.
    pub offset: u64,
    pub defect: BlockDefect,
    /// The block that should be there, as far as it can be told.
    pub expected: Vec<u8>,
    pub found: Vec<u8>,
    /// Of damaged data in fio's layout: the stored checksum, and that of the bytes.
    pub sums: Option<(Vec<u8>, Vec<u8>)>,
    /// The method's number in fio's headers.
    pub method_number: u16,
    /// Of the header of fio's in the wrong interval: its length without the checksum (0 for a
    /// method without a header), and its method.
    pub header_bytes: u64,
    pub stored_method: u16,
}

impl Mismatch {
    pub(crate) fn new(
        plan: &SealPlan,
        target: u16,
        offset: u64,
        sequence: Option<u64>,
        found: &[u8],
        wrong: BlockDefect,
    ) -> Self {
        let expected = plan.rebuild(found, offset, sequence);
        let has_sums = plan.layout.is_fio() && wrong.kind == DefectKind::Data;
        let sums = has_sums.then(|| fio_sums(plan, found, wrong.at)).flatten();
        let method_number = method_number(plan.method);
        let (header_bytes, stored_method) = fio_header(plan, found, wrong.at);
        Self {
            target,
            offset,
            defect: wrong,
            expected,
            found: found.to_vec(),
            sums,
            method_number,
            header_bytes,
            stored_method,
        }
    }

    /// Both blocks side by side as hex around the first difference: at most 8 lines of 16 bytes,
    /// each with its place in the block; lines that differ are marked `*`.
    pub fn dump(&self) -> String {
        let mut text = format!("{:<11}{:<49}found\n", "byte", "expected");
        let pairs = self.expected.iter().zip(&self.found);
        let first = pairs.take_while(|(expected, found)| expected == found).count() / LINE_BYTES;
        let length = self.expected.len().max(self.found.len());
        let last_start = length.div_ceil(LINE_BYTES).saturating_sub(LINES_MAX);
        let start = first.saturating_sub(LINES_BEFORE).min(last_start) * LINE_BYTES;
        for at in (start..length).step_by(LINE_BYTES).take(LINES_MAX) {
            let (expected, found) = (line_at(&self.expected, at), line_at(&self.found, at));
            let mark = if expected == found { ' ' } else { '*' };
            // Writing to a string cannot fail.
            let (expected, found) = (hex_line(expected), hex_line(found));
            let _ = writeln!(text, "{at:08x} {mark} {expected}  {}", found.trim_end());
        }
        text
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = self.found.len();
        write!(f, "block at byte {}, {length} bytes: {}", self.offset, self.defect)
    }
}

fn line_at(bytes: &[u8], at: usize) -> &[u8] {
    bytes.get(at..bytes.len().min(at + LINE_BYTES)).unwrap_or_default()
}

fn hex_line(bytes: &[u8]) -> String {
    let mut text: String = bytes.iter().map(|byte| format!("{byte:02x} ")).collect();
    text.extend(std::iter::repeat_n(' ', (LINE_BYTES - bytes.len()) * 3));
    text
}
