//! A ring buffer (`BPF_MAP_TYPE_RINGBUF`, Linux 5.8): a program puts records into it, and one
//! reader takes them out of mapped memory, without a call per record.
//!
//! The kernel maps the reader's position (written by us), its own position (read only), and the
//! data twice in a row, so that a record never wraps around.

use std::io;
use std::sync::atomic::{Ordering, fence};

use rustix::mm::ProtFlags;
use rustix::param::page_size;

use super::{BpfMap, BpfMapKind};
use crate::mapping::Mapping;

/// Before each record: its length with two flags, and four bytes for the kernel.
const HEADER_BYTES: u64 = 8;
/// The program has not finished this record.
const BUSY: u32 = 1 << 31;
/// The program gave this record up.
const DISCARDED: u32 = 1 << 30;

#[derive(Debug)]
pub struct BpfRing {
    map: BpfMap,
    reader: Mapping,
    /// The kernel's position, and the data behind its page.
    writer: Mapping,
    bytes: u64,
}

impl BpfRing {
    /// `bytes` is a power of two and a multiple of the page.
    pub fn create(name: &str, bytes: u32) -> io::Result<Self> {
        let page = page_size();
        if !bytes.is_power_of_two() || !(bytes as usize).is_multiple_of(page) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let map = BpfMap::create(BpfMapKind::Ring, name, 0, 0, bytes)?;
        let reader = Mapping::new(&map.descriptor, 0, page, ProtFlags::READ | ProtFlags::WRITE)?;
        let writer =
            Mapping::new(&map.descriptor, page, page + 2 * bytes as usize, ProtFlags::READ)?;
        Ok(Self { map, reader, writer, bytes: u64::from(bytes) })
    }

    /// For a program that uses this ring.
    pub fn raw_descriptor(&self) -> i32 {
        self.map.raw_descriptor()
    }

    /// Takes all finished records of exactly `LENGTH` bytes, oldest first; others are skipped.
    pub fn read<const LENGTH: usize>(&mut self, mut take: impl FnMut(&[u8; LENGTH])) {
        let mut position = self.reader.word(0).load(Ordering::Relaxed);
        while position < self.writer.word(0).load(Ordering::Acquire) {
            let length = self.load_length(position);
            if length & BUSY != 0 {
                break;
            }
            // The record is read after its length says that it is finished.
            fence(Ordering::Acquire);
            let bytes = length & !DISCARDED;
            if length & DISCARDED == 0 && bytes as usize == LENGTH {
                take(&self.copy_record(position + HEADER_BYTES));
            }
            position += (HEADER_BYTES + u64::from(bytes)).next_multiple_of(8);
            // From here on the kernel may write over the record.
            self.reader.word(0).store(position, Ordering::Release);
        }
    }

    /// Where a position is in the mapped data.
    fn place(&self, position: u64) -> usize {
        page_size() + (position & (self.bytes - 1)) as usize
    }

    fn load_length(&self, position: u64) -> u32 {
        self.writer.read_u32(self.place(position))
    }

    /// The program has finished the record, and the kernel writes over it only after the reader
    /// moved on. The data are mapped twice in a row: a record lies within the second at the latest.
    fn copy_record<const LENGTH: usize>(&self, position: u64) -> [u8; LENGTH] {
        let mut record = [0; LENGTH];
        self.writer.copy(self.place(position), &mut record);
        record
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_ring_has_no_record() {
        lab::skip_unless!(lab::Need::Root);
        let mut ring = BpfRing::create("test", 1 << 16).unwrap();
        assert!(ring.raw_descriptor() > 0);
        ring.read::<8>(|_| unreachable!());
        assert!(BpfRing::create("test", 5000).is_err());
    }
}
