//! What a simulated disk holds: written pages in memory, and what was never written made up.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use engine::simulated::{Content, PAGE_BYTES};
use engine::{SplitMix64, finalize64};

use crate::files::fill_noise;

/// What a disk holds where nothing was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// Zeros, as a new disk.
    Zeros,
    /// Noise that follows from this seed: as if all of it had been written once.
    Noise(u64),
}

const PAGE: usize = PAGE_BYTES as usize;
const WORDS: usize = PAGE / 8;

/// Repeated 8-byte words that make a page compressible: a quarter, which any compressor finds.
const REPEATED_WORDS_MIN: usize = WORDS / 4;

/// A page that was written; none is a page of zeros, which costs no memory.
type Page = Option<Box<[u8]>>;

#[derive(Debug)]
pub(super) struct PageStore {
    fill: Fill,
    pages: HashMap<u64, Page>,
    /// Hashes of all pages ever written, to know a copy; kept only where it matters.
    known_hashes: Option<HashSet<u64>>,
}

impl PageStore {
    /// `classify` is whether [`PageStore::write`] is to look at what the bytes are.
    pub(super) fn new(fill: Fill, classify: bool) -> PageStore {
        PageStore { fill, pages: HashMap::new(), known_hashes: classify.then(HashSet::new) }
    }

    pub(super) fn read(&self, offset: u64, length: usize) -> (Vec<u8>, Content) {
        let mut bytes = vec![0; length];
        for (page, within, range) in split_by_page(offset, length) {
            let part = &mut bytes[range];
            match self.pages.get(&page) {
                Some(Some(stored)) => part.copy_from_slice(&stored[within..within + part.len()]),
                Some(None) => {}
                None => self.generate_page(page, within, part),
            }
        }
        let content = self.classify_content(&bytes, false);
        (bytes, content)
    }

    pub(super) fn write(&mut self, offset: u64, data: &[u8]) -> Content {
        let content = self.classify_content(data, true);
        for (page, within, range) in split_by_page(offset, data.len()) {
            self.write_page(page, within, &data[range]);
        }
        if let Some(known) = &mut self.known_hashes {
            known.extend(data.chunks_exact(PAGE).map(hash_page));
        }
        content
    }

    pub(super) fn zero(&mut self, offset: u64, length: u64) {
        for (page, within, range) in split_by_page(offset, length as usize) {
            self.write_page(page, within, &[0; PAGE][..range.len()]);
        }
    }

    fn write_page(&mut self, page: u64, within: usize, part: &[u8]) {
        if part.len() == PAGE {
            let stored = part.iter().any(|byte| *byte != 0).then(|| part.into());
            self.pages.insert(page, stored);
            return;
        }
        let mut whole = self.read(page * PAGE_BYTES, PAGE).0;
        whole[within..within + part.len()].copy_from_slice(part);
        self.write_page(page, 0, &whole);
    }

    /// What a page holds that was never written.
    fn generate_page(&self, page: u64, within: usize, part: &mut [u8]) {
        let Fill::Noise(seed) = self.fill else { return };
        let mut whole = [0; PAGE];
        fill_noise(&mut SplitMix64(finalize64(seed ^ finalize64(page))), &mut whole);
        part.copy_from_slice(&whole[within..within + part.len()]);
    }

    /// What bytes are; whole pages only can be copies, and only of what others have written.
    fn classify_content(&self, bytes: &[u8], copies: bool) -> Content {
        let Some(known) = &self.known_hashes else { return Content::Noise };
        if bytes.iter().all(|byte| *byte == 0) {
            return Content::Zeros;
        }
        let is_known = |page: &[u8]| known.contains(&hash_page(page));
        if copies && bytes.len() >= PAGE && bytes.chunks_exact(PAGE).all(is_known) {
            return Content::Copy;
        }
        let mut pages = bytes.chunks_exact(PAGE).peekable();
        let compressible = pages.peek().is_some() && pages.all(is_compressible);
        if compressible { Content::Compressible } else { Content::Noise }
    }
}

/// The pages that `length` bytes at `offset` touch: page, first byte within it, part of the bytes.
fn split_by_page(offset: u64, length: usize) -> impl Iterator<Item = (u64, usize, Range<usize>)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        let place = offset + done as u64;
        let within = (place % PAGE_BYTES) as usize;
        let part = done..length.min(done + PAGE - within);
        done = part.end;
        (!part.is_empty()).then_some((place / PAGE_BYTES, within, part))
    })
}

fn is_compressible(page: &[u8]) -> bool {
    let distinct: HashSet<&[u8]> = page.chunks_exact(8).collect();
    WORDS - distinct.len() >= REPEATED_WORDS_MIN
}

/// A hash of a page: 64 bits are enough for the few million pages of a test.
fn hash_page(page: &[u8]) -> u64 {
    page.chunks_exact(8).fold(0, |sum, word| {
        let word = word.try_into().map_or(0, u64::from_le_bytes);
        finalize64(sum ^ word).wrapping_add(1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_the_rest_is_made_up() {
        let mut store = PageStore::new(Fill::Noise(7), false);
        let before = store.read(0, 3 * PAGE).0;
        assert_eq!(store.read(4000, 200).0, before[4000..4200]);
        assert_ne!(before[..PAGE], before[PAGE..2 * PAGE]);
        store.write(4000, &[1; 200]);
        let mut expected = before.clone();
        expected[4000..4200].fill(1);
        assert_eq!(store.read(0, 3 * PAGE).0, expected);
        store.zero(100, 2 * PAGE_BYTES);
        expected[100..100 + 2 * PAGE].fill(0);
        assert_eq!(store.read(0, 3 * PAGE).0, expected);
        assert_eq!(PageStore::new(Fill::Zeros, false).read(0, PAGE).0, [0; PAGE]);
    }

    #[test]
    fn bytes_are_told_apart() {
        let mut store = PageStore::new(Fill::Noise(7), true);
        let noise = store.read(0, 2 * PAGE).0;
        let half: Vec<u8> = [&noise[..PAGE / 2], &[0; PAGE / 2]].concat();
        assert_eq!(store.read(0, PAGE).1, Content::Noise);
        assert_eq!(store.write(1 << 20, &noise), Content::Noise);
        assert_eq!(store.write(1 << 21, &noise), Content::Copy);
        assert_eq!(store.write(1 << 22, &half), Content::Compressible);
        assert_eq!(store.write(1 << 23, &[0; PAGE]), Content::Zeros);
        assert_eq!(store.read(1 << 23, PAGE).1, Content::Zeros);
    }
}
