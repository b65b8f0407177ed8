//! The lines that fio prints of a wrong block, which scripts read.

use std::fmt::Write as _;

/// A wrong block, or an interval of one. Places and lengths in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongBlock<'a> {
    pub file: &'a str,
    /// Of the operation that read it.
    pub offset: u64,
    pub length: u64,
    /// The interval, from the start of the file.
    pub interval: (u64, u64),
    /// Read back by the job that wrote it, and not by one that reads.
    pub written_here: bool,
    pub wrong: Wrong<'a>,
}

/// What is wrong, with the value found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wrong<'a> {
    Magic { found: u64 },
    Length { found: u64 },
    Offset { found: u64 },
    Number { found: u64, wanted: u64 },
    HeaderChecksum { found: u64, computed: u64 },
    Sum { method: &'a str, stored: &'a [u8], computed: &'a [u8], kinds: (u16, u16) },
    Pattern { found: u8, wanted: u8, at: u64 },
}

impl WrongBlock<'_> {
    /// The lines, without a line break at the end.
    pub fn text(&self) -> String {
        let (start, length) = self.interval;
        let header = match self.wrong {
            Wrong::Magic { found } => format!("bad magic header {found:x}, wanted acca"),
            Wrong::Length { found } => format!("bad header length {found}, wanted {length}"),
            Wrong::Offset { found } => {
                format!("bad header offset {found}, wanted {}", self.offset)
            }
            Wrong::Number { found, wanted } => {
                format!("bad header numberio {found}, wanted {wanted}")
            }
            Wrong::HeaderChecksum { found, computed } => {
                format!("bad header crc {found:x}, calculated {computed:x}")
            }
            Wrong::Sum { method, stored, computed, kinds } => {
                let mut text = self.failure(method);
                // Writing to a string cannot fail.
                let _ = write!(text, "\n       Expected CRC: {}", hex(stored));
                let _ = write!(text, "\n       Received CRC: {}", hex(computed));
                return text + &mismatched_kinds(kinds);
            }
            Wrong::Pattern { found, wanted, at } => {
                let bits = (found ^ wanted).count_ones();
                return format!(
                    "fio: got pattern '{found:02x}', wanted '{wanted:02x}'. Bad bits {bits}\n\
                     fio: bad pattern block offset {at}\n{}",
                    self.failure("pattern")
                );
            }
        };
        format!(
            "verify: {header} at file {} offset {start}, length {length} (requested block: \
             offset={}, length={})",
            self.file, self.offset, self.length
        )
    }

    fn failure(&self, name: &str) -> String {
        let (start, length) = self.interval;
        // fio's flags of an operation: a block by the list of what was written, and busy.
        let flags = if self.written_here { "88" } else { "8" };
        format!(
            "{name:.8}: verify failed at file {} offset {start}, length {length} (requested \
             block: offset={}, length={}, flags={flags})",
            self.file, self.offset, self.length
        )
    }
}

/// fio's line of a trimmed block that is not zero at `at`.
pub fn trimmed_block_text(file: &str, offset: u64, length: u64, at: u64) -> String {
    format!(
        "trim: verify failed at file {file} offset {offset}, length {length}, block offset {at}"
    )
}

fn mismatched_kinds((media, given): (u16, u16)) -> String {
    match media == given {
        true => String::new(),
        false => format!("\nfio: verify type mismatch ({media} media, {given} given)"),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What fio 3.33 printed of the same blocks.
    #[test]
    fn as_fio_prints_them() {
        let check = |wrong, written_here, expected: &str| {
            let interval = (8192, 4096);
            let block =
                WrongBlock { file: "f", offset: 8192, length: 4096, interval, written_here, wrong };
            assert_eq!(block.text(), expected);
        };
        let sum = |kinds| Wrong::Sum {
            method: "crc32c",
            stored: &[0x04, 0x7e, 0x85, 0x87],
            computed: &[0x58, 0x11, 0x89, 0x7f],
            kinds,
        };
        let text = "crc32c: verify failed at file f offset 8192, length 4096 (requested block: \
                    offset=8192, length=4096, flags=88)\n       Expected CRC: 047e8587\n       \
                    Received CRC: 5811897f";
        check(sum((5, 5)), true, text);
        let mismatch = "\nfio: verify type mismatch (5 media, 2 given)";
        check(sum((5, 2)), false, &(text.replace("=88", "=8") + mismatch));
        check(
            Wrong::Magic { found: 0x5958 },
            false,
            "verify: bad magic header 5958, wanted acca at file f offset 8192, length 4096 \
             (requested block: offset=8192, length=4096)",
        );
        check(
            Wrong::HeaderChecksum { found: 0x0040_8a93, computed: 0x77bf_ca0e },
            false,
            "verify: bad header crc 408a93, calculated 77bfca0e at file f offset 8192, length \
             4096 (requested block: offset=8192, length=4096)",
        );
        check(
            Wrong::Pattern { found: 0x58, wanted: 0xab, at: 136 },
            false,
            "fio: got pattern '58', wanted 'ab'. Bad bits 6\nfio: bad pattern block offset 136\n\
             pattern: verify failed at file f offset 8192, length 4096 (requested block: \
             offset=8192, length=4096, flags=8)",
        );
    }
}
