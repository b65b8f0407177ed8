//! Which block comes next: a seekable permutation, exact mixes, same seed same trace.
//!
//! The sequence is a contract: `golden` below pins it. Nothing here depends on a random-number
//! crate, whose next release could change it.

use units::{Bytes, Seed};
use workload::{Access, Direction, Job, Mix};

/// Multipliers of the splitmix64 finaliser (Steele, Lea, Flood 2014), and its increment.
const MIX_A: u64 = 0xBF58_476D_1CE4_E5B9;
const MIX_B: u64 = 0x94D0_49BB_1331_11EB;
const GOLDEN_GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// The splitmix64 finaliser: a bijection on 64 bits with good avalanche.
#[inline]
pub(crate) const fn mix64(value: u64) -> u64 {
    let mut z = value.wrapping_add(GOLDEN_GAMMA);
    z = (z ^ (z >> 30)).wrapping_mul(MIX_A);
    z = (z ^ (z >> 27)).wrapping_mul(MIX_B);
    z ^ (z >> 31)
}

/// A pseudo-random bijection of `0..n`, computed from the index alone: no table, no bitmap.
///
/// Three rounds of multiplication by an odd number and a right xor-shift, each a bijection of
/// `0..2^b` for the smallest `2^b >= n`; values outside `0..n` walk on along their cycle until
/// they fall inside, fewer than two steps on average.
#[derive(Debug, Clone, Copy)]
pub struct Permutation {
    n: u64,
    mask: u64,
    shift: u32,
    keys: [u64; 3],
}

impl Permutation {
    /// The permutation of `0..n` that belongs to `key`. `n` of 0 counts as 1.
    #[must_use]
    pub const fn new(n: u64, key: u64) -> Self {
        let n = if n == 0 { 1 } else { n };
        let bits = 64 - (n - 1).leading_zeros();
        let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        let a = mix64(key);
        let b = mix64(a);
        Self { n, mask, shift: bits.div_ceil(2), keys: [a, b, mix64(b)] }
    }

    /// Where `index` (below n) lands.
    #[inline]
    #[must_use]
    pub const fn at(&self, index: u64) -> u64 {
        let mut x = index;
        loop {
            x = self.round(x);
            if x < self.n {
                return x;
            }
        }
    }

    #[inline]
    const fn round(&self, mut x: u64) -> u64 {
        x = (x ^ self.keys[0]) & self.mask;
        x = x.wrapping_mul(MIX_A) & self.mask;
        x ^= x >> self.shift;
        x = x.wrapping_mul(self.keys[1] | 1) & self.mask;
        x ^= x >> self.shift;
        x = x.wrapping_add(self.keys[2]).wrapping_mul(MIX_B) & self.mask;
        x ^ (x >> self.shift)
    }
}

/// One operation to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// What to do.
    pub direction: Direction,
    /// First byte on the target; meaningless for a sync.
    pub offset: u64,
}

/// In a mixed job the order of reads and writes is shuffled within each so many operations, and
/// each of these groups holds the exact ratio.
const MIX_GROUP: u64 = 100;

/// The endless sequence of operations of one worker of a job.
///
/// Worker `k` of `n` takes the operations `k`, `k + n`, `k + 2n`, ... of the job, so that all
/// together visit every block exactly once per pass.
#[derive(Debug, Clone)]
pub struct Generator {
    access: Access,
    mix: Mix,
    sync_every: u64,
    writes_since_sync: u64,
    seed: u64,
    blocks: u64,
    block_size: u64,
    first_byte: u64,
    /// Number of the next data operation within its pass.
    index: u64,
    stride: u64,
    pass: u64,
    permutation: Permutation,
    /// Number of the next data operation over all passes.
    sequence: u64,
    mix_group: u64,
    mix_order: Permutation,
}

impl Generator {
    /// The sequence of worker `worker` of `workers`. The job must have been validated.
    #[must_use]
    pub fn new(job: &Job, worker: u64, workers: u64) -> Self {
        let Seed(seed) = job.seed;
        let blocks = job.blocks().max(1);
        let mut generator = Self {
            access: job.access,
            mix: job.mix,
            sync_every: job.sync.map_or(0, |sync| u64::from(sync.every)),
            writes_since_sync: 0,
            seed,
            blocks,
            block_size: job.block_size.0,
            first_byte: job.span.offset.0,
            index: worker,
            stride: workers.max(1),
            pass: 0,
            permutation: Permutation::new(blocks, seed),
            sequence: worker,
            mix_group: u64::MAX,
            mix_order: Permutation::new(MIX_GROUP, seed),
        };
        generator.wrap();
        generator
    }

    /// The next operation.
    #[inline]
    pub fn advance(&mut self) -> Operation {
        if self.sync_every > 0 && self.writes_since_sync == self.sync_every {
            self.writes_since_sync = 0;
            return Operation { direction: Direction::Sync, offset: 0 };
        }
        let block = match self.access {
            Access::Sequential => self.index,
            Access::Random => self.permutation.at(self.index),
        };
        let direction = self.direction();
        self.writes_since_sync += u64::from(direction == Direction::Write);
        self.index += self.stride;
        self.sequence += self.stride;
        if self.index >= self.blocks {
            self.wrap();
        }
        Operation { direction, offset: self.first_byte + block * self.block_size }
    }

    /// Bytes of every data operation.
    #[must_use]
    pub fn block_size(&self) -> Bytes {
        Bytes(self.block_size)
    }

    #[cold]
    fn wrap(&mut self) {
        while self.index >= self.blocks {
            self.index -= self.blocks;
            self.pass += 1;
        }
        self.permutation = Permutation::new(self.blocks, self.seed ^ mix64(self.pass));
    }

    #[inline]
    fn direction(&mut self) -> Direction {
        match self.mix {
            Mix::Read => Direction::Read,
            Mix::Write => Direction::Write,
            Mix::Mixed { read_percent } => {
                let group = self.sequence / MIX_GROUP;
                if group != self.mix_group {
                    self.mix_group = group;
                    self.mix_order = Permutation::new(MIX_GROUP, !self.seed ^ mix64(group));
                }
                if self.mix_order.at(self.sequence % MIX_GROUP) < u64::from(read_percent) {
                    Direction::Read
                } else {
                    Direction::Write
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use units::{Depth, Nanos};
    use workload::{BackendChoice, Pacing, Payload, Span, Stop, SyncKind, SyncPolicy};

    fn job(blocks: u64, access: Access, mix: Mix) -> Job {
        Job {
            name: "test".to_owned(),
            access,
            mix,
            block_size: Bytes(4096),
            depth: Depth(1),
            pacing: Pacing::Closed,
            sync: None,
            warm_up: Nanos::ZERO,
            stop: Stop::after(Nanos::secs(1)),
            span: Span { offset: Bytes(8192), length: Bytes(blocks * 4096) },
            payload: Payload::Unique,
            direct: true,
            seed: Seed(42),
            backend: BackendChoice::Auto,
            interval: Nanos::millis(100),
        }
    }

    fn is_bijection(n: u64, key: u64) -> bool {
        let permutation = Permutation::new(n, key);
        let mut seen = vec![false; n as usize];
        (0..n).all(|i| {
            let x = permutation.at(i);
            x < n && !std::mem::replace(&mut seen[x as usize], true)
        })
    }

    #[test]
    fn small_and_awkward_sizes_are_permuted() {
        for n in (1..70).chain([127, 128, 129, 1000, 4095, 4096, 4097, 65_537]) {
            assert!(is_bijection(n, n ^ 0x55), "{n}");
        }
    }

    #[test]
    fn golden() {
        // Same seed, same trace, for ever. If this fails, the sequence was changed: do not.
        let permutation = Permutation::new(1_000_000, 42);
        let first: Vec<u64> = (0..8).map(|i| permutation.at(i)).collect();
        assert_eq!(first, GOLDEN_PERMUTATION);
        let mut generator =
            Generator::new(&job(1000, Access::Random, Mix::Mixed { read_percent: 75 }), 0, 1);
        let first: Vec<(char, u64)> = (0..8)
            .map(|_| generator.advance())
            .map(|op| (if op.direction == Direction::Read { 'r' } else { 'w' }, op.offset / 4096))
            .collect();
        assert_eq!(first, GOLDEN_MIX);
    }
    const GOLDEN_PERMUTATION: [u64; 8] =
        [624_958, 938_878, 312_310, 628_884, 339_446, 19_219, 768_447, 285_364];
    const GOLDEN_MIX: [(char, u64); 8] = [
        ('r', 760),
        ('r', 719),
        ('r', 120),
        ('r', 417),
        ('r', 931),
        ('r', 882),
        ('w', 39),
        ('r', 926),
    ];

    #[test]
    fn looks_random_to_a_disk() {
        // Mean distance between successive blocks of a random order is n/3; of each bit of the
        // block number, half are set; successive differences do not repeat.
        for n in [10_000_u64, 262_144, 1_000_003] {
            let permutation = Permutation::new(n, 7);
            let order: Vec<u64> = (0..10_000).map(|i| permutation.at(i)).collect();
            let distance: f64 =
                order.windows(2).map(|w| w[0].abs_diff(w[1]) as f64).sum::<f64>() / 9_999.0;
            let expected = n as f64 / 3.0;
            assert!((distance / expected - 1.0).abs() < 0.03, "{n}: {distance} {expected}");
            let adjacent = order.windows(2).filter(|w| w[0].abs_diff(w[1]) <= 8).count();
            assert!(adjacent as f64 <= 10.0 + 4.0 * 160_000.0 / n as f64, "{n}: {adjacent}");
            let mut steps: Vec<u64> = order.windows(2).map(|w| w[1].wrapping_sub(w[0])).collect();
            steps.sort_unstable();
            let most = steps.chunk_by(|a, b| a == b).map(<[u64]>::len).max().unwrap();
            assert!(most <= 12, "{n}: one step occurs {most} times");
            let tenths = order.iter().fold([0_u32; 10], |mut t, &x| {
                t[(x * 10 / n) as usize] += 1;
                t
            });
            assert!(tenths.iter().all(|&t| (850..1150).contains(&t)), "{n}: {tenths:?}");
        }
    }

    #[test]
    fn every_block_once_per_pass_and_another_order_next_time() {
        let mut generator = Generator::new(&job(100, Access::Random, Mix::Read), 0, 1);
        let mut pass = || (0..100).map(|_| generator.advance().offset).collect::<Vec<_>>();
        let (first, second) = (pass(), pass());
        assert_ne!(first, second);
        for mut order in [first, second] {
            order.sort_unstable();
            let all: Vec<u64> = (0..100).map(|block| 8192 + block * 4096).collect();
            assert_eq!(order, all);
        }
    }

    #[test]
    fn workers_share_one_pass() {
        let job = job(97, Access::Random, Mix::Read);
        let mut offsets: Vec<u64> = (0..4)
            .flat_map(|worker| {
                let mut generator = Generator::new(&job, worker, 4);
                let share = (97 - worker).div_ceil(4);
                (0..share).map(|_| generator.advance().offset).collect::<Vec<_>>()
            })
            .collect();
        offsets.sort_unstable();
        offsets.dedup();
        assert_eq!(offsets.len(), 97);
    }

    #[test]
    fn sequential_ascends_and_starts_over() {
        let mut generator = Generator::new(&job(3, Access::Sequential, Mix::Write), 0, 1);
        let offsets: Vec<u64> = (0..5).map(|_| generator.advance().offset / 4096).collect();
        assert_eq!(offsets, [2, 3, 4, 2, 3]);
    }

    #[test]
    fn syncs_follow_their_writes() {
        let mut job = job(10, Access::Sequential, Mix::Write);
        job.sync = Some(SyncPolicy { kind: SyncKind::Fdatasync, every: 2 });
        let mut generator = Generator::new(&job, 0, 1);
        let directions: Vec<Direction> = (0..6).map(|_| generator.advance().direction).collect();
        use Direction::{Sync, Write};
        assert_eq!(directions, [Write, Write, Sync, Write, Write, Sync]);
    }

    proptest! {
        #[test]
        fn permutations_are_bijections(n in 1_u64..5000, key: u64) {
            prop_assert!(is_bijection(n, key));
        }

        #[test]
        fn mixes_are_exact(read_percent in 1_u8..=99, groups in 1_u64..20) {
            let job = job(1000, Access::Random, Mix::Mixed { read_percent });
            let mut generator = Generator::new(&job, 0, 1);
            let reads = (0..groups * 100)
                .filter(|_| generator.advance().direction == Direction::Read)
                .count() as u64;
            prop_assert_eq!(reads, groups * u64::from(read_percent));
        }

        #[test]
        fn same_seed_same_trace(seed: u64, blocks in 1_u64..1000) {
            let mut job = job(blocks, Access::Random, Mix::Mixed { read_percent: 50 });
            job.seed = Seed(seed);
            let (mut a, mut b) = (Generator::new(&job, 0, 1), Generator::new(&job, 0, 1));
            for _ in 0..200 {
                prop_assert_eq!(a.advance(), b.advance());
            }
        }
    }
}
