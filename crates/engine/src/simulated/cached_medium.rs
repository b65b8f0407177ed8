//! A cache in front of the medium: which reads hit, and what it holds afterwards.
//!
//! Whether a read hits is decided when it is submitted; a miss fills the cache when it completes.
//! Written pages are cached on submission.

use super::cache_work::{Backlog, CacheWork, InFlight, RequestRole};
use super::device_model::{Cache, Op, OpKind};
use super::lru::LruPages;
use super::medium::MediumState;

#[derive(Debug, Clone)]
pub(super) struct CachedMedium {
    pages: LruPages,
    work: CacheWork,
    backlog: Backlog,
    /// The next completion's time; a submission or a completion voids it.
    peeked: Option<Option<u64>>,
}

impl CachedMedium {
    pub(super) fn new(medium: MediumState, cache: &Cache) -> CachedMedium {
        let work = CacheWork::new(medium, cache);
        let (pages, backlog) = (LruPages::new(cache.bytes), Backlog::new());
        CachedMedium { pages, work, backlog, peeked: None }
    }

    /// Takes a request at `now_ns` that a bucket admits at `arrival_ns`.
    pub(super) fn submit(&mut self, now_ns: u64, arrival_ns: u64, id: u32, op: Op) {
        self.peeked = None;
        self.work.run_until(now_ns, &mut self.backlog);
        let hit = op.kind == OpKind::Read && self.pages.touch_all(op.pages());
        match op.kind {
            OpKind::Write => op.pages().for_each(|page| self.pages.insert(page)),
            OpKind::Trim => op.pages().for_each(|page| self.pages.remove(page)),
            OpKind::Read | OpKind::Flush => {}
        }
        self.work.add_request(arrival_ns, InFlight { role: RequestRole::Caller { id, hit }, op });
        self.work.run_until(now_ns, &mut self.backlog);
    }

    pub(super) fn peek(&mut self) -> Option<u64> {
        *self.peeked.get_or_insert_with(|| self.work.peek_visible_ns(&self.backlog))
    }

    pub(super) fn pop(&mut self) -> Option<(u64, u32)> {
        self.peeked = None;
        let (time_ns, request) = self.work.pop_visible(&mut self.backlog)?;
        let RequestRole::Caller { id, hit } = request.role else { return None };
        if request.op.kind == OpKind::Read && !hit {
            request.op.pages().for_each(|page| self.pages.insert(page));
        }
        Some((time_ns, id))
    }
}

#[cfg(test)]
mod tests {
    use super::super::device_model::{DeviceModel, Hdd, Medium, Ssd};
    use super::super::testing::{assert_near, closed_loop, random, random_reads};
    use super::*;

    const MIB: u64 = 1 << 20;

    fn ssd() -> Medium {
        let (channels, read_ns, write_ns, flush_ns) = (4, 100_000, 50_000, 1_000);
        Medium::Ssd(Ssd { channels, read_ns, write_ns, flush_ns, ..Ssd::FLASH })
    }

    fn law(medium: Medium, bytes: u64, write_back: bool) -> DeviceModel {
        let cache = Some(Cache { bytes, latency_ns: 5_000, write_back });
        DeviceModel { cache, ..DeviceModel::new(1 << 34, medium) }
    }

    #[test]
    fn a_span_of_twice_the_cache_hits_half_the_time() {
        let run = closed_loop(&law(ssd(), 4 * MIB, false), 1, 40_000, random_reads(8 * MIB, 4096));
        let warm = &run.latencies_ns[20_000..];
        let hits = warm.iter().filter(|&&latency_ns| latency_ns == 5_000).count();
        assert_near(hits as f64 / warm.len() as f64, 0.5, 0.03);
        assert!(warm.iter().all(|&latency_ns| latency_ns == 5_000 || latency_ns > 100_000));
    }

    #[test]
    fn a_span_within_the_cache_always_hits_once_warm() {
        let run = closed_loop(&law(ssd(), 4 * MIB, false), 8, 40_000, random_reads(2 * MIB, 4096));
        assert!(run.latencies_ns[20_000..].iter().all(|&latency_ns| latency_ns == 5_000));
    }

    #[test]
    fn without_write_back_writes_take_the_medium_s_time() {
        let law = law(ssd(), 4 * MIB, false);
        let run = closed_loop(&law, 1, 100, random(OpKind::Write, MIB, 4096));
        assert_near(run.mean_latency_ns(), 54_096.0, 0.001);
    }

    #[test]
    fn writes_run_at_the_cache_s_speed_until_it_is_full_and_then_at_the_medium_s() {
        let law = law(ssd(), 4 * MIB, true);
        let run = closed_loop(&law, 16, 20_000, random(OpKind::Write, 1 << 30, 4096));
        let fast = run.latencies_ns.iter().take_while(|&&latency_ns| latency_ns == 5_000).count();
        // Offered 16 per 5 us against 4 per 50 us drained: 1024 pages / (1 - 0.025).
        assert_near(fast as f64, 1024.0 / 0.975, 0.03);
        let (from_ns, to_ns) = (run.times_ns[10_000], run.times_ns[19_999]);
        let rate = 9_999.0 / ((to_ns - from_ns) as f64 / 1e9);
        // Four drains in line per channel keep most, not all, of the four channels busy.
        assert_near(rate, 80_000.0 * 0.9, 0.1);
    }

    fn turning() -> Medium {
        Medium::Hdd(Hdd {
            rpm: 7200.0,
            seek_min_ns: 500_000,
            seek_max_ns: 12_000_000,
            bytes_per_second_outer: 200e6,
            bytes_per_second_inner: 100e6,
            ncq: 32,
        })
    }

    #[test]
    fn a_disk_with_write_back_drains_at_its_sorted_rate() {
        let disk = turning();
        let direct = DeviceModel::new(1 << 34, disk.clone());
        let writes = || random(OpKind::Write, 1 << 34, 4096);
        let sorted = closed_loop(&direct, 32, 3_000, writes()).iops();
        let run = closed_loop(&law(disk, MIB, true), 1, 4_000, writes());
        let rate = 3_000.0 / ((run.times_ns[3_999] - run.times_ns[999]) as f64 / 1e9);
        assert_near(rate, sorted, 0.05);
    }

    #[test]
    fn a_large_write_after_small_ones_waits_until_as_many_are_on_the_medium() {
        let disk = turning();
        let span = 640 * MIB;
        let law = DeviceModel {
            cache: law(disk.clone(), 16 * MIB, true).cache,
            ..DeviceModel::new(1 << 30, disk)
        };
        let (mut small, mut number) = (random(OpKind::Write, span, 4096), 0_u64);
        let run = closed_loop(&law, 1, 6_000, || {
            number += 1;
            match number {
                ..6_000 => small(),
                _ => Op { kind: OpKind::Write, offset: 0, length: MIB as u32 },
            }
        });
        let (large, each) = (run.latencies_ns[5_999] as f64, run.latencies_ns[5_000] as f64);
        // 256 pages, and a random one takes the medium some milliseconds.
        assert!(large > 0.5e9 && large > 50.0 * each, "{large} ns after {each} ns");
    }

    #[test]
    fn trimmed_pages_are_forgotten() {
        let cache = Cache { bytes: MIB, latency_ns: 1_000, write_back: false };
        let medium = MediumState::new(&DeviceModel::new(1 << 30, ssd()), 1);
        let mut cached = CachedMedium::new(medium, &cache);
        let mut run = |now_ns, kind| {
            cached.submit(now_ns, now_ns, 1, Op { kind, offset: 0, length: 4096 });
            cached.pop().map_or(0, |(time_ns, _)| time_ns - now_ns)
        };
        assert!(run(0, OpKind::Read) > 100_000);
        assert_eq!(run(1_000_000, OpKind::Read), 1_000);
        assert!(run(2_000_000, OpKind::Trim) >= 50_000);
        assert!(run(3_000_000, OpKind::Read) > 100_000);
    }
}
