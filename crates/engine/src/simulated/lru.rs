//! Which 4 KiB pages a cache holds: the least recently used one makes room. A map from page number
//! to slot, and a ring of slots in order of use, anchored at slot 0.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::device_model::PAGE_BYTES;
use crate::mix::finalize64;

/// Pages for which room is made at construction; larger caches grow as they fill.
const INITIAL_PAGES: usize = 1 << 16;

const ANCHOR: u32 = 0;

/// One mixing step, far cheaper than the standard hasher.
#[derive(Debug, Clone, Default)]
struct PageHasher(u64);

impl Hasher for PageHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = finalize64(self.0 ^ value);
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    page: u64,
    before: u32,
    after: u32,
}

#[derive(Debug, Clone)]
pub(super) struct LruPages {
    capacity: usize,
    slots: Vec<Slot>,
    spare: Vec<u32>,
    index: HashMap<u64, u32, BuildHasherDefault<PageHasher>>,
}

impl LruPages {
    pub(super) fn new(bytes: u64) -> LruPages {
        // Slot numbers have 32 bits: 16 TiB of cache.
        let most = (bytes / PAGE_BYTES).min(u64::from(u32::MAX) - 1) as usize;
        let room = most.min(INITIAL_PAGES);
        let mut slots = Vec::with_capacity(room + 1);
        slots.push(Slot::default());
        let index = HashMap::with_capacity_and_hasher(room, BuildHasherDefault::default());
        LruPages { capacity: most, slots, spare: Vec::new(), index }
    }

    /// Whether every page is held; if so they become the most recently used.
    pub(super) fn touch_all(&mut self, pages: impl Iterator<Item = u64> + Clone) -> bool {
        let held = pages.clone().all(|page| self.index.contains_key(&page));
        if held {
            pages.for_each(|page| self.insert(page));
        }
        held
    }

    /// Holds `page` as the most recently used; drops the least recently used if necessary.
    pub(super) fn insert(&mut self, page: u64) {
        if self.capacity == 0 {
            return;
        }
        if let Some(&slot) = self.index.get(&page) {
            self.unlink(slot);
            self.link_newest(slot);
            return;
        }
        if self.index.len() >= self.capacity {
            let oldest = self.slot_at(ANCHOR).before;
            self.remove(self.slot_at(oldest).page);
        }
        let slot = self.spare.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            (self.slots.len() - 1) as u32
        });
        self.update_slot(slot, |entry| entry.page = page);
        self.link_newest(slot);
        self.index.insert(page, slot);
    }

    pub(super) fn remove(&mut self, page: u64) {
        if let Some(slot) = self.index.remove(&page) {
            self.unlink(slot);
            self.spare.push(slot);
        }
    }

    fn slot_at(&self, slot: u32) -> Slot {
        self.slots.get(slot as usize).copied().unwrap_or_default()
    }

    fn update_slot(&mut self, slot: u32, edit: impl FnOnce(&mut Slot)) {
        if let Some(entry) = self.slots.get_mut(slot as usize) {
            edit(entry);
        }
    }

    fn unlink(&mut self, slot: u32) {
        let Slot { before, after, .. } = self.slot_at(slot);
        self.update_slot(before, |entry| entry.after = after);
        self.update_slot(after, |entry| entry.before = before);
    }

    fn link_newest(&mut self, slot: u32) {
        let after = self.slot_at(ANCHOR).after;
        self.update_slot(slot, |entry| (entry.before, entry.after) = (ANCHOR, after));
        self.update_slot(after, |entry| entry.before = slot);
        self.update_slot(ANCHOR, |entry| entry.after = slot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix::SplitMix64;

    #[test]
    fn it_agrees_with_a_plain_list_kept_in_order_of_use() {
        let mut lru = LruPages::new(8 * PAGE_BYTES);
        let mut list: Vec<u64> = Vec::new();
        let mut rng = SplitMix64(3);
        for _ in 0..20_000 {
            let page = rng.next_bits() % 16;
            let held = list.contains(&page);
            list.retain(|&other| other != page);
            match rng.next_bits() % 4 {
                0 => lru.remove(page),
                1 => {
                    assert_eq!(lru.touch_all(std::iter::once(page)), held);
                    list.extend(held.then_some(page));
                }
                _ => {
                    lru.insert(page);
                    list.push(page);
                    if list.len() > 8 {
                        list.remove(0);
                    }
                }
            }
            assert_eq!(lru.index.len(), list.len());
            assert!(list.iter().all(|page| lru.index.contains_key(page)));
        }
        assert!(lru.slots.len() <= 9, "slots are used again");
    }

    #[test]
    fn several_pages_hit_only_together() {
        let mut lru = LruPages::new(1 << 20);
        lru.insert(1);
        lru.insert(2);
        assert!(lru.touch_all(1..=2));
        assert!(!lru.touch_all(1..=3));
    }

    #[test]
    fn a_cache_smaller_than_a_page_holds_nothing() {
        let mut lru = LruPages::new(PAGE_BYTES - 1);
        lru.insert(1);
        assert!(!lru.touch_all(std::iter::once(1)));
    }
}
