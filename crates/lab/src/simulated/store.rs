//! What a simulated disk holds: written pages in memory, and what was never written made up.

use std::collections::{HashMap, HashSet};

use engine::simulated::{Content, PAGE_BYTES};

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

/// The bytes of a disk, page by page.
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

    /// Reads `length` bytes, and says what they are.
    pub(super) fn read(&self, offset: u64, length: usize) -> (Vec<u8>, Content) {
        let mut bytes = vec![0; length];
        for (page, within, part) in split_by_page(offset, &mut bytes) {
            match self.pages.get(&page) {
                Some(Some(stored)) => part.copy_from_slice(&stored[within..within + part.len()]),
                Some(None) => {}
                None => self.generate_page(page, within, part),
            }
        }
        let content = if self.known_hashes.is_some() {
            self.classify_content(&bytes, false)
        } else {
            Content::Noise
        };
        (bytes, content)
    }

    /// Writes, and says what the bytes are.
    pub(super) fn write(&mut self, offset: u64, data: &[u8]) -> Content {
        let content = if self.known_hashes.is_some() {
            self.classify_content(data, true)
        } else {
            Content::Noise
        };
        let mut place = offset;
        let mut rest = data;
        while !rest.is_empty() {
            let (page, within) = (place / PAGE_BYTES, (place % PAGE_BYTES) as usize);
            let (part, tail) = rest.split_at(rest.len().min(PAGE - within));
            self.write_page(page, within, part);
            place += part.len() as u64;
            rest = tail;
        }
        if let Some(known) = &mut self.known_hashes {
            known.extend(data.chunks_exact(PAGE).map(hash_page));
        }
        content
    }

    pub(super) fn zero(&mut self, offset: u64, length: u64) {
        let end = offset.saturating_add(length);
        let mut place = offset;
        while place < end {
            let (page, within) = (place / PAGE_BYTES, (place % PAGE_BYTES) as usize);
            let part = (end - place).min(PAGE_BYTES - within as u64);
            if part == PAGE_BYTES {
                self.pages.insert(page, None);
            } else {
                self.write_page(page, within, &vec![0; part as usize]);
            }
            place += part;
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
        let mut state = mix_bits(seed ^ mix_bits(page));
        let mut whole = [0; PAGE];
        for word in whole.chunks_exact_mut(8) {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            word.copy_from_slice(&mix_bits(state).to_le_bytes());
        }
        part.copy_from_slice(&whole[within..within + part.len()]);
    }

    /// What bytes are; whole pages only can be copies, and only of what others have written.
    fn classify_content(&self, bytes: &[u8], copies: bool) -> Content {
        if bytes.iter().all(|byte| *byte == 0) {
            return Content::Zeros;
        }
        let known = self.known_hashes.as_ref().filter(|_| copies && bytes.len() >= PAGE);
        if known
            .is_some_and(|known| bytes.chunks_exact(PAGE).all(|p| known.contains(&hash_page(p))))
        {
            return Content::Copy;
        }
        let mut pages = bytes.chunks_exact(PAGE).peekable();
        let compressible = pages.peek().is_some() && pages.all(is_compressible);
        if compressible { Content::Compressible } else { Content::Noise }
    }
}

/// The pages that a buffer at `offset` touches: page, first byte within it, part of the buffer.
fn split_by_page(offset: u64, bytes: &mut [u8]) -> Vec<(u64, usize, &mut [u8])> {
    let mut parts = Vec::with_capacity(bytes.len() / PAGE + 2);
    let mut place = offset;
    let mut rest = bytes;
    while !rest.is_empty() {
        let within = (place % PAGE_BYTES) as usize;
        let (part, tail) = rest.split_at_mut(rest.len().min(PAGE - within));
        let page = place / PAGE_BYTES;
        place += part.len() as u64;
        parts.push((page, within, part));
        rest = tail;
    }
    parts
}

/// Whether many words of a page are alike.
fn is_compressible(page: &[u8]) -> bool {
    let distinct: HashSet<&[u8]> = page.chunks_exact(8).collect();
    WORDS - distinct.len() >= REPEATED_WORDS_MIN
}

/// A hash of a page: 64 bits are enough for the few million pages of a test.
fn hash_page(page: &[u8]) -> u64 {
    page.chunks_exact(8).fold(0, |sum, word| {
        let word = word.try_into().map_or(0, u64::from_le_bytes);
        mix_bits(sum ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15)
    })
}

/// The output function of SplitMix64 (Steele, Lea, Flood 2014).
fn mix_bits(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
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
