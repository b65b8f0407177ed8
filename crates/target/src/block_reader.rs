//! Looking at blocks: what they hold, read one at a time.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use units::Bytes;

use crate::open::OpenTarget;

/// The least alignment: zram fills the whole page that a block begins in.
const ALIGN_MIN: Bytes = Bytes::kib(4);

/// Reads blocks of an open target, aligned as direct I/O needs it.
#[derive(Debug)]
pub struct BlockReader {
    file: File,
    buffer: Vec<u8>,
    start: usize,
    size: usize,
}

impl BlockReader {
    pub fn new(opened: &OpenTarget, size: Bytes) -> io::Result<Self> {
        let align = opened.memory_align.max(ALIGN_MIN).0.next_power_of_two() as usize;
        let size = size.0 as usize;
        let buffer = vec![0; size + align];
        // An offset that cannot be found out would be past the end of the buffer.
        let start = buffer.as_ptr().align_offset(align).min(align);
        Ok(Self { file: opened.file.try_clone()?, buffer, start, size })
    }

    /// Reads the block at `offset`, which must be there whole.
    pub fn read(&mut self, offset: u64) -> io::Result<()> {
        let block = &mut self.buffer[self.start..self.start + self.size];
        self.file.read_exact_at(block, offset)
    }

    /// Whether the block that was read last holds nothing but zeros.
    pub fn holds_zeros(&self) -> bool {
        self.buffer[self.start..self.start + self.size].iter().all(|&byte| byte == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_told_from_data_by_their_last_byte() {
        let folder = crate::testing::on_disk();
        let path = folder.path().join("blocks");
        let mut content = vec![0; 3 * 4096];
        content[2 * 4096 - 1] = 1;
        std::fs::write(&path, content).unwrap();
        let opened = crate::open_for_reading(&path, true).unwrap();
        let mut reader = BlockReader::new(&opened, Bytes::kib(4)).unwrap();
        let mut zeros = |offset| reader.read(offset).map(|()| reader.holds_zeros());
        assert!(zeros(0).unwrap());
        assert!(!zeros(4096).unwrap());
        assert!(zeros(8192).unwrap());
        assert_eq!(zeros(12288).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
