//! What each quirk has to remember.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::device_model::{Op, OpKind, PAGE_BYTES, ns_per_unit};
use super::quirks::{FirstTouch, GarbageCollection, IdleSleep, NoisyNeighbour, SlcCache};
use crate::mix::SplitMix64;

/// A neighbour's requests longer ago than this have left the medium: one second.
const NEIGHBOUR_MEMORY_NS: u64 = 1_000_000_000;

/// A bit per page.
#[derive(Debug, Clone)]
pub(super) struct WrittenPages {
    bits: Vec<u64>,
}

impl WrittenPages {
    /// For a device of `capacity` bytes, of which the first `mapped_bytes` count as written.
    pub(super) fn new(capacity: u64, mapped_bytes: u64) -> WrittenPages {
        let words = capacity.div_ceil(PAGE_BYTES).div_ceil(64) as usize;
        let mut pages = WrittenPages { bits: vec![0; words] };
        let mapped = mapped_bytes.min(capacity) / PAGE_BYTES;
        if let Some(last) = mapped.checked_sub(1) {
            pages.mark_written(0..=last);
        }
        pages
    }

    pub(super) fn mark_written(&mut self, pages: RangeInclusive<u64>) {
        self.update_pages(pages, |word, bit| word | bit);
    }

    pub(super) fn mark_unwritten(&mut self, pages: RangeInclusive<u64>) {
        self.update_pages(pages, |word, bit| word & !bit);
    }

    fn update_pages(&mut self, pages: RangeInclusive<u64>, update: fn(u64, u64) -> u64) {
        for page in pages {
            if let Some(word) = self.bits.get_mut((page / 64) as usize) {
                *word = update(*word, 1 << (page % 64));
            }
        }
    }

    pub(super) fn are_unwritten(&self, mut pages: RangeInclusive<u64>) -> bool {
        pages.all(|page| {
            self.bits.get((page / 64) as usize).is_some_and(|word| word & (1 << (page % 64)) == 0)
        })
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct FetchedBlocks(HashMap<u64, u64>);

impl FetchedBlocks {
    /// When all blocks of a request are fetched.
    pub(super) fn ready_ns(&mut self, law: FirstTouch, now_ns: u64, op: &Op) -> u64 {
        let block_bytes = law.block_bytes.max(PAGE_BYTES);
        let last = op.offset.saturating_add(u64::from(op.length.max(1)) - 1);
        let blocks = op.offset / block_bytes..=last / block_bytes;
        let fetched_ns = now_ns.saturating_add(law.fetch_ns);
        blocks.map(|block| *self.0.entry(block).or_insert(fetched_ns)).max().unwrap_or(0)
    }
}

/// Writes at a limited rate once something is used up.
#[derive(Debug, Clone, Default)]
pub(super) struct WriteThrottle {
    /// Bytes used up.
    used: f64,
    updated_ns: u64,
    busy_ns: f64,
    /// Where the last write ended.
    end: u64,
}

impl WriteThrottle {
    pub(super) fn slc_held_until_ns(&mut self, law: SlcCache, now_ns: u64, op: &Op) -> u64 {
        if op.kind != OpKind::Write {
            return 0;
        }
        let passed = now_ns.saturating_sub(self.updated_ns) as f64 / 1e9;
        self.updated_ns = self.updated_ns.max(now_ns);
        self.used = (self.used - passed * law.drain_bytes_per_second.max(0.0)).max(0.0);
        if self.used + f64::from(op.length) <= law.bytes as f64 {
            self.used += f64::from(op.length);
            return 0;
        }
        self.queue_write(now_ns, op.length, law.direct_bytes_per_second)
    }

    pub(super) fn gc_held_until_ns(&mut self, law: GarbageCollection, now_ns: u64, op: &Op) -> u64 {
        if op.kind == OpKind::Trim {
            self.used = (self.used - f64::from(op.length)).max(0.0);
        }
        if op.kind != OpKind::Write {
            return 0;
        }
        let in_order = op.offset == self.end;
        self.end = op.offset.saturating_add(u64::from(op.length));
        if in_order {
            return 0;
        }
        if self.used < law.after_bytes as f64 {
            self.used += f64::from(op.length);
            return 0;
        }
        self.queue_write(now_ns, op.length, law.bytes_per_second)
    }

    fn queue_write(&mut self, now_ns: u64, length: u32, bytes_per_second: f64) -> u64 {
        let taken_ns = f64::from(length) * ns_per_unit(bytes_per_second);
        self.busy_ns = self.busy_ns.max(now_ns as f64) + taken_ns;
        self.busy_ns as u64
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct IdleState {
    since_ns: u64,
    awake_ns: u64,
}

impl IdleState {
    pub(super) fn note_idle(&mut self, time_ns: u64) {
        self.since_ns = self.since_ns.max(time_ns);
    }

    pub(super) fn wake_delay_ns(&mut self, law: IdleSleep, now_ns: u64, outstanding: usize) -> u64 {
        if outstanding == 0 && now_ns.saturating_sub(self.since_ns) > law.after_ns {
            self.awake_ns = now_ns.saturating_add(law.wake_ns);
        }
        self.awake_ns.saturating_sub(now_ns)
    }
}

#[derive(Debug, Clone)]
pub(super) struct Neighbour {
    law: NoisyNeighbour,
    gap_ns: f64,
    blocks: u64,
    rng: SplitMix64,
    /// Busy time that has passed when the next request comes.
    busy_ns: f64,
}

impl Neighbour {
    /// A neighbour without a rate, or without a busy time, asks for nothing until the end of time.
    pub(super) fn new(law: NoisyNeighbour, capacity: u64, seed: u64) -> Neighbour {
        let gap_ns = match ns_per_unit(law.iops) {
            gap_ns if gap_ns > 0.0 && law.lasts_ns > 0 => gap_ns,
            _ => f64::INFINITY,
        };
        let blocks = (capacity / u64::from(law.length.max(1))).max(1);
        // A stream of its own: the noise of the medium draws from the seed itself.
        let rng = SplitMix64(seed ^ 0x6e65_6967_6862_6f75);
        Neighbour { law, gap_ns, blocks, rng, busy_ns: gap_ns }
    }

    pub(super) fn next_ns(&self) -> u64 {
        if !self.busy_ns.is_finite() {
            return u64::MAX;
        }
        let lasts_ns = self.busy_time_ns();
        let busy_ns = self.busy_ns as u64;
        let (period, within_ns) = (busy_ns / lasts_ns, busy_ns % lasts_ns);
        if period > 0 && self.law.every_ns == 0 {
            return u64::MAX;
        }
        let begins_ns = self.law.start_ns.saturating_add(within_ns);
        period.saturating_mul(self.law.every_ns).saturating_add(begins_ns)
    }

    fn busy_time_ns(&self) -> u64 {
        match self.law.every_ns {
            0 => self.law.lasts_ns,
            every_ns => self.law.lasts_ns.min(every_ns),
        }
    }

    pub(super) fn next_request(&mut self) -> Op {
        self.busy_ns += self.gap_ns;
        let offset = self.rng.next_bits() % self.blocks * u64::from(self.law.length);
        Op { kind: OpKind::Read, offset, length: self.law.length }
    }

    /// Skips requests that are done long before `now_ns`.
    pub(super) fn skip_to(&mut self, now_ns: u64) {
        let from_ns = now_ns.saturating_sub(NEIGHBOUR_MEMORY_NS);
        if self.next_ns() >= from_ns {
            return;
        }
        let since_ns = from_ns.saturating_sub(self.law.start_ns);
        let lasts_ns = self.busy_time_ns();
        let busy_ns = match since_ns.checked_div(self.law.every_ns) {
            Some(periods) => periods * lasts_ns,
            None => since_ns.min(lasts_ns),
        };
        self.busy_ns = self.busy_ns.max(busy_ns as f64);
    }
}
