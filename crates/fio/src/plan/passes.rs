//! How often an instance goes over its files, and what ends it: `size`, `io_size`, `loops`,
//! `number_ios` and `runtime`.

use units::{Bytes, Nanos, Seed};
use workload::{Repetition, Stop};

use super::region::{Region, is_endless, mix_bits, smallest_block};
use super::section::Section;
use crate::options::engine::Engine;
use crate::options::job::JobOptions;
use crate::options::sizes::SizeValue;
use crate::options::verify::VerifyMethod;
use crate::options::zone::ZoneMode;

/// Passes of a job that only its time ends.
pub const UNTIL_TIME: u32 = u32::MAX;
/// The end of a job that ends with others.
const NO_END: Nanos = Nanos::secs(365 * 86_400);

/// The passes of an instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassPlan {
    /// How often its job is run, one after the other: more than once where something is done
    /// between two loops; else all loops are in the job.
    pub passes: u32,
    /// Bytes of all passes, without verification.
    pub bytes_max: Option<Bytes>,
    /// Operations of all passes, verification among them.
    pub operations_max: Option<u64>,
    /// Further passes are made until the operations of all, verification among them, have moved
    /// this number of bytes: `io_size` above the size of a job that verifies what it wrote.
    pub repeat_below: Option<Bytes>,
    /// What ends the first pass.
    pub stop: Stop,
    pub(super) repetition: Option<Repetition>,
}

pub(super) fn plan_passes(section: &Section, region: &Region, seed: Seed) -> PassPlan {
    let options = &section.options;
    let run = &options.run;
    let passes = if region.appends { 1 } else { count_passes(options) };
    let all_loops = u64::from(run.loops.max(1));
    let loops = if region.appends { 1 } else { all_loops };
    let runtime = (run.runtime_us > 0).then(|| Nanos(run.runtime_us.saturating_mul(1000)));
    // As in fio, a trim and the write after it are one of `number_ios`.
    let number = options.size.number_ios.saturating_mul(operations_per_place(options));
    let operations_max = (number > 0).then(|| number.saturating_mul(all_loops));
    let is_busy = options.engine.engine.passes_time();
    let is_timed = is_busy || run.time_based && runtime.is_some();
    let sizes = PassSizes::new(section, region, loops, seed);
    let bytes_max = (!is_timed).then(|| sizes.total(loops));
    let is_repeated = |io_size: &u64| *io_size > region.whole && verifies_each_pass(options);
    let io_size = region.io_size.filter(is_repeated);
    let repeat_below = io_size.map(|io_size| (io_size + 1).saturating_sub(sizes.largest));
    let is_one_session = passes == 1 && repeat_below.is_none();
    let stop = Stop {
        time: runtime.or(is_busy.then_some(NO_END)),
        bytes: match is_one_session {
            true => bytes_max.map(Bytes),
            false => Some(Bytes(sizes.pass.min(bytes_max.unwrap_or(u64::MAX)))),
        },
        operations: operations_max,
    };
    // As in fio, each loop begins anew, and with the same random numbers if they are repeatable.
    let after = sizes.loop_bytes();
    let repeats = match stop.bytes {
        Some(bytes) => bytes.0 > after,
        None => is_verified(options) || sizes.ends_in_a_zone,
    };
    let same_order = options.pattern.randrepeat;
    PassPlan {
        passes,
        bytes_max: bytes_max.map(Bytes),
        operations_max,
        repeat_below: repeat_below.map(Bytes),
        stop,
        repetition: repeats.then_some(Repetition { after: Bytes(after), same_order }),
    }
}

/// Loops that are passes of their own: what a loop wrote is read back before the next one, and its
/// files are removed.
pub(super) fn count_passes(options: &JobOptions) -> u32 {
    let (run, verify) = (&options.run, &options.verify);
    let verifies = is_verified(options);
    let timed = run.time_based && run.runtime_us > 0;
    let writes = options.pattern.rw.operation.writes() && !verify.only;
    match timed {
        _ if !writes => 1,
        // As in fio: else nothing ends a pass before the time, after which nothing is verified.
        true if verifies && verify.do_verify && ends_timed_passes(options) => UNTIL_TIME,
        false if verifies || options.target.unlink_each_loop => run.loops.max(1),
        _ => 1,
    }
}

fn ends_timed_passes(options: &JobOptions) -> bool {
    let operation = options.pattern.rw.operation;
    let files = u64::from(options.target.nrfiles).max(options.target.filenames.len() as u64);
    !is_blocking(options) || !operation.is_random() && !is_endless(options) && files > 1
}

fn is_blocking(options: &JobOptions) -> bool {
    let engine = options.engine.engine;
    // As in fio, null is so at depth 1.
    engine.is_synchronous() || engine == Engine::Null && options.engine.iodepth == 1
}

fn is_verified(options: &JobOptions) -> bool {
    options.verify.method != VerifyMethod::None || options.verify.pattern.is_some()
}

/// Whether what a pass wrote is read back before the next one. Where only time ends the job there
/// is one pass without an end.
fn verifies_each_pass(options: &JobOptions) -> bool {
    let (run, verify, operation) = (&options.run, &options.verify, options.pattern.rw.operation);
    let is_timed = run.time_based && run.runtime_us > 0;
    is_verified(options)
        && verify.do_verify
        && !verify.only
        && !is_timed
        && operation.writes()
        // fio writes places that may come up again in one pass.
        && !(operation.is_random() && options.pattern.repeats_places())
}

/// 2 where every place is trimmed and written.
fn operations_per_place(options: &JobOptions) -> u64 {
    let operation = options.pattern.rw.operation;
    if operation.trims() && operation.writes() { 2 } else { 1 }
}

#[derive(Debug, Clone, Copy)]
struct PassSizes {
    block: u64,
    largest: u64,
    /// Bytes of one pass over the files.
    pass: u64,
    /// The size of a job without a last place.
    endless: Option<u64>,
    /// Bytes of a loop that goes on beyond the size.
    io_size: Option<u64>,
    /// Operations on each place.
    times: u64,
    /// Bytes of all loops.
    size_max: u64,
    goes_on: bool,
    ends_in_a_zone: bool,
}

impl PassSizes {
    fn new(section: &Section, region: &Region, loops: u64, seed: Seed) -> Self {
        let options = &section.options;
        let (pattern, operation) = (&options.pattern, options.pattern.rw.operation);
        let block = smallest_block(section);
        let times = operations_per_place(options);
        let zones = plan_zones(options, region, block, seed);
        let is_endless = zones.map_or(is_endless(options), |pass| pass == ZonePass::Endless);
        let goes_around = goes_around(region, block, pattern.rw.gap);
        let endless = (is_endless || goes_around).then_some(region.whole.saturating_mul(times));
        let pass = match pattern.rw {
            rw if rw.gap > 0 => bytes_between_gaps(region, block, rw.gap.cast_unsigned()),
            _ if endless.is_some() => region.whole.div_ceil(block) * block,
            _ => (region.whole / block).max(1) * block,
        };
        let is_kept = operation.is_random() || !is_verified(options);
        let goes_on = is_endless && operation.writes() && is_kept;
        let pass = match zones {
            Some(ZonePass::Bytes(bytes)) => bytes.min(pass),
            _ => pass,
        };
        let size_max = region.size.saturating_mul(times).saturating_mul(loops);
        let io_size = region.io_size.map(|io_size| io_size.saturating_mul(times));
        // As in fio, a blocking engine begins anew only at a last place.
        let all = io_size.or(endless).filter(|_| is_blocking(options) && endless.is_some());
        let all = all.map(|all| all.saturating_mul(loops).div_ceil(block).saturating_mul(block));
        Self {
            block,
            largest: (0..3).map(|direction| pattern.max_bs(direction)).max().unwrap_or(0),
            pass: all.unwrap_or(pass.saturating_mul(times)),
            endless,
            io_size,
            times,
            size_max,
            goes_on,
            ends_in_a_zone: matches!(zones, Some(ZonePass::Bytes(_))),
        }
    }

    fn round_up(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.block).saturating_mul(self.block)
    }

    /// Bytes of all loops. As in fio, `io_size` is the limit of all loops together, a block begins
    /// while bytes are missing, and what is shorter than a block begins no new pass.
    fn total(&self, loops: u64) -> u64 {
        match (self.io_size, self.endless) {
            (None, None) => self.pass.saturating_mul(loops).min(self.round_up(self.size_max)),
            (None, Some(whole)) => self.round_up(whole.saturating_mul(loops)),
            (Some(io_size), Some(_)) if self.goes_on || self.pass >= io_size => {
                self.round_up(io_size.saturating_mul(loops))
            }
            (Some(io_size), _) => {
                // As in fio, trims and writes together are held against it before a pass.
                let begins_below = (io_size / self.times + 1).saturating_sub(self.largest);
                let begun = begins_below.div_ceil(self.pass);
                let all = self.pass.saturating_mul(begun.max(loops));
                all.min(self.round_up(io_size.saturating_mul(loops)))
            }
        }
    }

    /// Bytes after which fio begins anew.
    fn loop_bytes(&self) -> u64 {
        match self.io_size.filter(|_| self.goes_on) {
            Some(io_size) => self.pass.max(self.round_up(io_size)),
            None => self.pass,
        }
    }
}

/// A pass over the zones of `zonemode=strided`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ZonePass {
    /// Behind the last zone it goes on with the first.
    Endless,
    /// As in fio, it ends where a zone goes beyond the end of the file.
    Bytes(u64),
}

/// The pass of a job, which has one file.
fn plan_zones(options: &JobOptions, region: &Region, block: u64, seed: Seed) -> Option<ZonePass> {
    let (zone, operation) = (&options.zone, options.pattern.rw.operation);
    let SizeValue::Bytes(skip) = zone.skip else { return None };
    let is_strided = zone.mode == ZoneMode::Strided && zone.size > 0;
    let is_ordered_mix = !operation.is_random() && operation.reads() && operation.writes();
    if !is_strided || is_ordered_mix {
        return None;
    }
    let range = if zone.range == 0 { zone.size } else { zone.range };
    let moved = zone.size.div_ceil(block) * block;
    // What must be there of a zone: of all but the last it is.
    let extent = if operation.is_random() { range } else { moved.min(range) };
    let last = region.length.saturating_sub(1) / (range + skip);
    let left = region.length - last * (range + skip);
    if left >= extent {
        return Some(ZonePass::Endless);
    }
    let before = last * moved;
    if !operation.is_random() {
        return Some(ZonePass::Bytes(before + left / block * block));
    }
    // As in fio, a random place beyond the end of the file ends the pass.
    let (places, here, in_a_zone) = (range / block, left / block, moved / block);
    let drawn = draw_places_before_the_end(here, places, seed);
    let drawn = match options.pattern.repeats_places() {
        false if in_a_zone > here => drawn.min(here),
        _ => drawn,
    };
    let rounds = (drawn / in_a_zone).saturating_mul(before + moved);
    let all = rounds.saturating_add(before + drawn % in_a_zone * block);
    Some(ZonePass::Bytes(all.max(block)))
}

/// Even draws of `places` until the first that is not among the `here` first.
fn draw_places_before_the_end(here: u64, places: u64, seed: Seed) -> u64 {
    if here == 0 {
        return 0;
    }
    let unit = ((mix_bits(seed.0) >> 12) as f64 + 0.5) / (1_u64 << 52) as f64;
    (unit.ln() / (here as f64 / places as f64).ln()) as u64
}

/// Whether a pass in order over one file has no last place: it goes back and forth, or its gaps
/// lead beyond the end of the file, from where it begins anew.
fn goes_around(region: &Region, block: u64, gap: i64) -> bool {
    let is_one = region.lengths.len() <= 1;
    let period = block + gap.unsigned_abs();
    match gap {
        0 => false,
        ..0 => true,
        _ => is_one && region.fills_files && !(1..=block).contains(&(region.length % period)),
    }
}

/// Bytes of one pass with gaps between. As in fio, it ends where the region does; if that is the
/// end of the file and lies in a gap, the pass begins anew until it has moved the length.
fn bytes_between_gaps(region: &Region, block: u64, gap: u64) -> u64 {
    let period = block + gap;
    let of_file = |length: u64| match length % period {
        rest if (1..=block).contains(&rest) => (length / period + rest / block) * block,
        rest if !region.fills_files => (length / period + u64::from(rest > 0)) * block,
        _ => length.div_ceil(block).saturating_mul(block),
    };
    match region.lengths.as_slice() {
        [] => of_file(region.length),
        lengths => lengths.iter().copied().map(of_file).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::section::section;
    use super::*;
    use crate::options::pattern::{Operation, ReadWrite};
    use crate::options::zone::ZoneOptions;

    fn region(whole: u64) -> Region {
        Region::of_file(whole)
    }

    #[test]
    fn a_pass_with_gaps_ends_where_the_file_does_or_begins_anew() {
        let check = |gap: i64, block: u64, fills_files: bool, expected: u64| {
            let section = section("a", |o| {
                o.pattern.rw.gap = gap;
                o.pattern.bs = [block; 3];
            });
            let region = Region { fills_files, ..region(65_536) };
            let bytes = plan_passes(&section, &region, Seed(1)).stop.bytes;
            assert_eq!(bytes, Some(Bytes(expected * block)), "{gap} {block}");
        };
        check(0, 4096, true, 16);
        check(4096, 4096, true, 16);
        check(6144, 4096, true, 7);
        check(2048, 4096, true, 11);
        check(6144, 8192, true, 5);
        check(4096, 4096, false, 8);
        check(8192, 3072, true, 22);
        // As fio 3.33: files of 150 KiB, which end in a block, and of 20,971 bytes, in a gap.
        let files = |count: usize, length: u64, (block, gap): (u64, i64), expected: u64| {
            let section = section("a", |o| {
                o.pattern.rw.gap = gap;
                o.pattern.bs = [block; 3];
            });
            let whole = length / block * block * count as u64;
            let size = length * count as u64;
            let region = Region { length, lengths: vec![length; count], size, ..region(whole) };
            let bytes = plan_passes(&section, &region, Seed(1)).stop.bytes;
            assert_eq!(bytes, Some(Bytes(expected * block)), "{count} {length}");
        };
        files(2, 153_600, (16_384, 12_288), 10);
        files(100, 20_971, (4096, 12_288), 512);
    }

    /// Measured with fio 3.33: blocks of 4 KiB of a file of 1 MiB, trims and writes together.
    #[test]
    fn trims_and_writes_together_are_held_against_io_size_before_a_pass() {
        for (loops, io_mib, pairs) in [(1, 2, 256), (1, 3, 512), (1, 5, 768), (2, 3, 512)] {
            let section = section("j", |o| {
                o.run.loops = loops;
                o.pattern.rw = ReadWrite::new(Operation::TrimWrite);
            });
            let region = Region { io_size: Some(io_mib << 20), ..region(1 << 20) };
            let bytes = plan_passes(&section, &region, Seed(1)).stop.bytes;
            assert_eq!(bytes, Some(Bytes(pairs << 13)), "{loops} {io_mib}");
        }
    }

    /// Measured with fio 3.33: loops over a size of 130 KiB in a larger file.
    #[test]
    fn all_loops_together_end_with_the_size_where_the_file_is_larger() {
        for (loops, blocks) in [(1, 33), (2, 65)] {
            let section = section("j", |o| o.run.loops = loops);
            let region = Region { length: 200 << 10, size: 130 << 10, ..region(132 << 10) };
            let bytes = plan_passes(&section, &region, Seed(1)).stop.bytes;
            assert_eq!(bytes, Some(Bytes(blocks << 12)), "{loops}");
        }
    }

    #[test]
    fn loops_are_passes_where_something_is_done_between_them() {
        let check = |change: fn(&mut JobOptions), expected: (u32, u64, Option<u64>)| {
            let section = section("j", |o| {
                o.run.loops = 3;
                o.pattern.rw = ReadWrite::new(Operation::Write);
                change(o);
            });
            let PassPlan { passes, stop, .. } = plan_passes(&section, &region(8192), Seed(1));
            assert_eq!((passes, stop.bytes.map_or(0, |b| b.0), stop.operations), expected);
        };
        check(|_| {}, (1, 3 * 8192, None));
        check(|o| o.size.number_ios = 5, (1, 3 * 8192, Some(15)));
        let timed = |o: &mut JobOptions| {
            (o.run.time_based, o.run.runtime_us) = (true, 1);
            o.verify.method = VerifyMethod::Md5;
            o.engine.engine = Engine::Libaio;
        };
        check(timed, (UNTIL_TIME, 8192, None));
        check(|o| o.verify.method = VerifyMethod::Md5, (3, 8192, None));
        check(|o| o.target.unlink_each_loop = true, (3, 8192, None));
        let reads = |o: &mut JobOptions| {
            o.verify.method = VerifyMethod::Md5;
            o.pattern.rw = ReadWrite::new(Operation::Read);
        };
        check(reads, (1, 3 * 8192, None));
    }

    /// Measured with fio 3.33: blocks of 8 KiB of a file of 2 MiB.
    #[test]
    fn a_pass_over_zones_ends_where_one_goes_beyond_the_file() {
        let check =
            |operation, (size, range, skip): (u64, u64, u64), loops, whole: u64, blocks: u64| {
                let section = section("j", |o| {
                    o.run.loops = loops;
                    o.pattern.rw = ReadWrite::new(operation);
                    o.pattern.bs = [8192; 3];
                    let skip = SizeValue::Bytes(skip << 10);
                    let (size, range) = (size << 10, range << 10);
                    o.zone = ZoneOptions { mode: ZoneMode::Strided, size, range, skip };
                });
                let region = Region { length: 2 << 20, ..region(whole << 10) };
                let bytes = plan_passes(&section, &region, Seed(1)).stop.bytes;
                assert_eq!(bytes, Some(Bytes(blocks << 13)), "{operation:?} {size} {range} {skip}");
            };
        check(Operation::Read, (96, 288, 0), 1, 1536, 88);
        check(Operation::Read, (64, 80, 64), 2, 1000, 232);
        check(Operation::Read, (64, 128, 0), 1, 1536, 192);
        check(Operation::Read, (64, 128, 0), 2, 2048, 512);
        check(Operation::RandWrite, (64, 64, 0), 1, 2048, 256);
    }

    /// 12 of 36 blocks of the last zone are there, after 6 zones with 12 operations each.
    #[test]
    fn a_random_place_beyond_the_end_ends_a_pass_over_zones() {
        let blocks = |norandommap: bool, zone_kib: u64, seed: u64| {
            let section = section("j", |o| {
                o.pattern.rw = ReadWrite::new(Operation::RandRead);
                o.pattern.bs = [8192; 3];
                o.pattern.random_places.norandommap = norandommap;
                let (mode, skip) = (ZoneMode::Strided, SizeValue::Bytes(16 << 10));
                let (size, range) = (zone_kib << 10, 288 << 10);
                o.zone = ZoneOptions { mode, size, range, skip };
            });
            let plan = plan_passes(&section, &region(1920 << 10), Seed(seed));
            plan.stop.bytes.map_or(0, |bytes| bytes.0 >> 13)
        };
        for norandommap in [false, true] {
            let more: Vec<u64> =
                (1..=2000).map(|seed| blocks(norandommap, 96, seed) - 72).collect();
            assert!(more.contains(&0) && more.contains(&3), "{more:?}");
            let mean = more.iter().sum::<u64>() as f64 / more.len() as f64;
            assert!((0.45..0.55).contains(&mean), "{mean} of a third in two");
        }
        // One operation in each zone: a place that is there leads on to the first zone.
        let most = (1..=2000).map(|seed| blocks(false, 8, seed)).max().unwrap();
        assert!((6 + 7..=6 + 7 * 12).contains(&most) && most % 7 == 6, "{most}");
    }

    /// Measured with fio 3.33: blocks of 4 KiB of a file of 1 MiB or of 1,000,000 bytes.
    #[test]
    fn gaps_that_lead_around_have_a_last_place_only_in_other_engines() {
        let check = |engine, gap, size: u64, (io_kib, loops): (u64, u32), blocks: u64| {
            let section = section("j", |o| {
                o.engine.engine = engine;
                o.pattern.rw.gap = gap;
                o.run.loops = loops;
            });
            let io_size = (io_kib > 0).then_some(io_kib << 10);
            let region = Region { io_size, ..region(size) };
            let bytes = plan_passes(&section, &region, Seed(1)).stop.bytes;
            assert_eq!(bytes, Some(Bytes(blocks << 12)), "{engine:?} {gap} {size} {io_kib}");
        };
        let mib = 1 << 20;
        check(Engine::Psync, 8192, mib, (512, 2), 172);
        check(Engine::Psync, 8192, mib, (2048, 2), 516);
        check(Engine::Psync, 8192, mib, (128, 3), 96);
        check(Engine::Psync, 8192, 1_000_000, (3000, 3), 2250);
        check(Engine::Libaio, 8192, 1_000_000, (3000, 3), 980);
        check(Engine::Psync, -8192, mib, (1500, 3), 1125);
        check(Engine::Libaio, -8192, mib, (3072, 2), 768);
        check(Engine::Psync, -8192, 1_000_000, (0, 3), 733);
    }

    /// Measured with fio 3.41: blocks of 64 KiB of a size of 1000 KiB.
    #[test]
    fn jobs_end_with_a_block_or_a_pass() {
        let check = |operation, repeats: bool, loops, io_kib: u64, blocks: u64| {
            let section = section("j", |o| {
                o.run.loops = loops;
                o.pattern.rw = ReadWrite::new(operation);
                o.pattern.bs = [65_536; 3];
                o.engine.engine = Engine::Libaio;
                if repeats {
                    o.pattern.random_places.norandommap = true;
                }
            });
            let io_size = (io_kib > 0).then_some(io_kib << 10);
            let region = Region { io_size, ..region(1000 << 10) };
            let bytes = plan_passes(&section, &region, Seed(1)).stop.bytes;
            assert_eq!(bytes, Some(Bytes(blocks << 16)), "{operation:?} {loops} {io_kib}");
        };
        for (io_kib, blocks) in
            [(0, 15), (2000, 32), (100, 2), (960, 15), (961, 15), (1023, 15), (1024, 16)]
        {
            check(Operation::RandWrite, false, 1, io_kib, blocks);
        }
        check(Operation::Write, false, 2, 0, 30);
        check(Operation::Write, false, 3, 100, 5);
        check(Operation::RandWrite, false, 2, 3072, 60);
        check(Operation::RandWrite, true, 1, 0, 16);
        check(Operation::RandWrite, true, 2, 0, 32);
        check(Operation::ReadWrite, false, 1, 0, 16);
        check(Operation::ReadWrite, false, 2, 200, 7);
    }
}
