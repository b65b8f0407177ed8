//! Which version of each block is on the target: what verification expects to find.

use std::io;

/// A block that was never written. Not 0: `new` has to write, and so allocate, every page.
const NEVER: u64 = u64::MAX;

/// The last sequence written to each block of a span. 8 bytes per block.
#[derive(Debug, Clone)]
pub(crate) struct WriteTable {
    first_byte: u64,
    block_bytes: u64,
    sequences: Vec<u64>,
}

impl WriteTable {
    /// For `blocks` blocks of `block_bytes` bytes, the first at byte `first_byte` of the target.
    pub(crate) fn new(first_byte: u64, block_bytes: u64, blocks: u64) -> io::Result<Self> {
        let blocks = usize::try_from(blocks).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let mut sequences = Vec::new();
        sequences.try_reserve_exact(blocks).map_err(|_| io::ErrorKind::OutOfMemory)?;
        sequences.resize(blocks, NEVER);
        Ok(Self { first_byte, block_bytes: block_bytes.max(1), sequences })
    }

    /// An offset that is not the start of a block of the span is ignored.
    #[inline]
    pub(crate) fn record_write(&mut self, offset: u64, sequence: u64) {
        if let Some(place) = self.block_index(offset).and_then(|i| self.sequences.get_mut(i)) {
            *place = sequence;
        }
    }

    #[inline]
    pub(crate) fn expected_sequence(&self, offset: u64) -> Option<u64> {
        let sequence = *self.sequences.get(self.block_index(offset)?)?;
        (sequence != NEVER).then_some(sequence)
    }

    /// (offset in bytes, sequence) of every written block, by ascending offset.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, u64)> {
        let blocks = (0_u64..).zip(&self.sequences);
        blocks
            .filter(|&(_, &sequence)| sequence != NEVER)
            .map(|(block, &sequence)| (self.first_byte + block * self.block_bytes, sequence))
    }

    #[inline]
    fn block_index(&self, offset: u64) -> Option<usize> {
        let inside = offset.checked_sub(self.first_byte)?;
        let block = inside / self.block_bytes;
        (block * self.block_bytes == inside).then(|| usize::try_from(block).ok()).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn knows_only_block_starts_of_its_span() {
        let mut written = WriteTable::new(8192, 4096, 3).unwrap();
        for offset in [0, 4096, 8193, 8192 + 3 * 4096, u64::MAX] {
            written.record_write(offset, 1);
            assert_eq!(written.expected_sequence(offset), None);
        }
        assert_eq!(written.iter().count(), 0);
        assert!(WriteTable::new(0, 4096, u64::MAX).is_err());
    }

    proptest! {
        #[test]
        fn is_a_map(notes in prop::collection::vec((0_u64..50, 0..u64::MAX), 0..200)) {
            let mut written = WriteTable::new(512, 4096, 50).unwrap();
            let mut map = BTreeMap::new();
            for (block, sequence) in notes {
                written.record_write(512 + block * 4096, sequence);
                map.insert(512 + block * 4096, sequence);
            }
            for block in 0..50 {
                let offset = 512 + block * 4096;
                prop_assert_eq!(written.expected_sequence(offset), map.get(&offset).copied());
            }
            prop_assert!(written.iter().eq(map));
        }
    }
}
