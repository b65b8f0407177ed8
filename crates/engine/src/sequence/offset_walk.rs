//! Where on a target the next operation lies.

use workload::{Access, Job};

use super::distribution::Sampler;
use super::permutation::Permutation;
use super::place_map::PlaceMap;
use super::random_stream::RandomStream;
use crate::mix::mix64;

#[derive(Debug, Clone)]
pub(super) struct OffsetWalk {
    kind: WalkKind,
    /// Every place is a multiple of this.
    grid: u64,
    first_byte: u64,
    /// Bytes of the span, or of this worker's part of it.
    length: u64,
    places: u64,
    index: u64,
    stride: u64,
    pass: u64,
    seed: u64,
    permutation: Permutation,
    draw: RandomStream,
    /// End of the last operation, where sizes vary.
    cursor: u64,
    /// Bounds of operations that are cut at the end of the span; absent: they move back.
    cut: Option<CutSizes>,
    /// The readers that have not seen the end of the last pass: bits of [`PassReader`].
    unseen_by: u8,
}

/// Who asks whether a pass ended. Each sees every end once.
#[derive(Debug, Clone, Copy)]
pub(super) enum PassReader {
    TargetChoice = 1,
    ReadBack = 2,
    Cache = 4,
}

impl PassReader {
    const ALL: u8 = Self::TargetChoice as u8 | Self::ReadBack as u8 | Self::Cache as u8;
}

/// Of a cursor.
const NOT_BEGUN: u64 = u64::MAX;

#[derive(Debug, Clone, Copy)]
struct CutSizes {
    least: u64,
    /// All sizes are multiples of it.
    step: u64,
}

impl CutSizes {
    fn new(job: &Job) -> Self {
        let step = job.data_sizes().into_iter().map(|size| size.0).fold(0, common_divisor);
        Self { least: job.sizes.bounds(job.block_size).0.0.max(1), step: step.max(1) }
    }
}

const fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

#[derive(Debug, Clone)]
enum WalkKind {
    Ascending,
    Descending,
    /// Runs of places; the period is in bytes.
    Gapped {
        run: u64,
        period: u64,
    },
    /// Bytes back from the end of the last operation, which is `cursor`.
    Rewinding {
        back: u64,
    },
    Shuffled,
    /// Shuffled, and each operation is cut where the pass was before.
    Mapped(Box<PlaceMap>),
    Uniform,
    Skewed(Box<Sampler>),
    Local(LocalWalk),
    /// Sizes vary: places follow from where the last operation ended.
    Stream {
        jump_percent: u64,
        backward: bool,
    },
}

impl WalkKind {
    /// The walk over `all` places of `grid` bytes each.
    fn new(job: &Job, access: &Access, (span, grid, all): (u64, u64, u64), seed: u64) -> Self {
        let plain = job.sizes.is_plain();
        match access {
            Access::Sequential if plain => Self::Ascending,
            Access::Backward if plain => Self::Descending,
            Access::Gapped { run, skip } if plain => {
                let run = run.0 / grid;
                Self::Gapped { run, period: run * grid + skip.0 }
            }
            Access::Rewinding { back } => Self::Rewinding { back: back.0 },
            Access::Sequential | Access::Gapped { .. } => {
                Self::Stream { jump_percent: 0, backward: false }
            }
            Access::Backward => Self::Stream { jump_percent: 0, backward: true },
            Access::PartlyRandom { random_percent } => {
                Self::Stream { jump_percent: u64::from(*random_percent), backward: false }
            }
            Access::Random if job.sizes.cut => Self::Mapped(Box::new(PlaceMap::new(all))),
            Access::Random => Self::Shuffled,
            Access::RandomRuns { operations, identical } => {
                let (of, identical) = (*operations, *identical);
                Self::Local(LocalWalk::Run { of, left: 0, identical, next: 0 })
            }
            Access::ZonedRandom { zone, skip, bytes, repeats } => {
                let (length, step) = (zone.0.min(span), zone.0 + skip.0);
                let is_mapped = !repeats && plain;
                let (moved, start, left) = (0, 0, None);
                Self::Local(LocalWalk::Zone(ZoneWalk {
                    length,
                    step,
                    bytes: bytes.0,
                    is_mapped,
                    moved,
                    start,
                    left,
                }))
            }
            Access::RandomRepeating => Self::Uniform,
            Access::Distributed(law) => Self::Skewed(Box::new(Sampler::new(law, all, grid, seed))),
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum LocalWalk {
    /// Consecutive operations, or all at one place.
    Run {
        of: u32,
        left: u32,
        identical: bool,
        next: u64,
    },
    Zone(ZoneWalk),
}

/// Random places of a zone, until a number of bytes was moved.
#[derive(Debug, Clone, Copy)]
struct ZoneWalk {
    length: u64,
    step: u64,
    bytes: u64,
    /// Each place of a zone comes once before any comes again.
    is_mapped: bool,
    moved: u64,
    start: u64,
    /// The order of the zone's places, and the number of the next.
    left: Option<(Permutation, u64)>,
}

impl ZoneWalk {
    fn next_place(&mut self, length: u64, span: u64, grid: u64, draw: &mut RandomStream) -> u64 {
        if self.moved >= self.bytes {
            (self.moved, self.left) = (0, None);
            self.start += self.step;
            if self.start + length > span {
                self.start = 0;
            }
        }
        self.moved += length;
        // The end of the span cuts the last zone.
        let here = self.length.min(span - self.start);
        let place = match self.is_mapped {
            true => {
                let places = here / grid;
                let new_order = || (Permutation::new(places, draw.next_bits()), 0);
                let (order, next) =
                    self.left.filter(|(_, next)| *next < places).unwrap_or_else(new_order);
                self.left = Some((order, next + 1));
                order.at(next)
            }
            false => draw.next_below(here.saturating_sub(length) / grid + 1),
        };
        (self.start + place * grid).min(span - length)
    }
}

impl LocalWalk {
    fn next_place(&mut self, length: u64, span: u64, grid: u64, draw: &mut RandomStream) -> u64 {
        match self {
            Self::Run { of, left, identical, next } => {
                if *left == 0 || *next > span - length {
                    *left = *of;
                    *next = draw.next_below((span - length) / grid + 1) * grid;
                }
                *left -= 1;
                let place = *next;
                if !*identical {
                    *next = (place + length).next_multiple_of(grid);
                }
                place
            }
            Self::Zone(zone) => zone.next_place(length, span, grid, draw),
        }
    }
}

impl OffsetWalk {
    /// The walk over the first `length` bytes of the span, in the order `access`.
    pub(super) fn new(
        job: &Job,
        access: &Access,
        length: u64,
        seed: u64,
        (worker, workers): (u64, u64),
    ) -> Self {
        let grid = job.sizes.grid(job.block_size).0.max(1);
        let (mut first_byte, mut length) = (job.span.offset.0, length);
        let mut all = (length / grid).max(1);
        let mapped = job.sizes.cut && matches!(access, Access::Random);
        if mapped && workers > 1 {
            let part = all.div_ceil(workers);
            let first = (part * worker).min(all - 1);
            first_byte += first * grid;
            all = part.min(all - first);
            length = all * grid;
        }
        let kind = WalkKind::new(job, access, (length, grid, all), seed);
        let places = match kind {
            WalkKind::Gapped { run, period } => {
                length / period * run + (length % period / grid).min(run)
            }
            _ => all,
        };
        if matches!(kind, WalkKind::Stream { .. }) && workers > 1 {
            // A part for each: operations of differing sizes have no common numbering.
            let part = (all / workers).max(1) * grid;
            first_byte += (part * worker).min(length.saturating_sub(part));
            length = part.max(job.max_block_size().0).min(length);
        }
        let (index, stride) = if mapped { (0, 1) } else { (worker, workers.max(1)) };
        let mut walk = Self {
            kind,
            grid,
            first_byte,
            length,
            places,
            index,
            stride,
            pass: 0,
            seed,
            permutation: Permutation::new(places, seed ^ mix64(0)),
            draw: RandomStream::new(seed ^ 0x3A_1C, worker),
            cursor: 0,
            cut: job.sizes.cut.then(|| CutSizes::new(job)),
            unseen_by: 0,
        };
        if walk.index >= walk.places {
            walk.start_next_pass();
        }
        walk.unseen_by = 0;
        if matches!(walk.kind, WalkKind::Stream { backward: true, .. }) {
            walk.cursor = walk.length;
        }
        if matches!(walk.kind, WalkKind::Rewinding { .. }) {
            (walk.cursor, walk.index) = (NOT_BEGUN, 0);
        }
        walk
    }

    /// First byte of the next operation of `length` bytes, and its length, which may be cut.
    #[inline]
    pub(super) fn next_place(&mut self, length: u32) -> (u64, u32) {
        let place = match &self.kind {
            WalkKind::Shuffled => self.permutation.at(self.index),
            WalkKind::Ascending => self.index,
            WalkKind::Descending => self.places - 1 - self.index,
            WalkKind::Gapped { run, period } => {
                let (runs, rest) = (self.index / run, self.index % run);
                let at = (runs * period + rest * self.grid).min(self.length - u64::from(length));
                self.advance();
                return (self.first_byte + at, length);
            }
            WalkKind::Rewinding { back } => {
                let back = *back;
                return (self.next_rewound(u64::from(length), back), length);
            }
            WalkKind::Uniform => self.draw.next_below(self.places),
            WalkKind::Skewed(sampler) => sampler.sample(&mut self.draw),
            WalkKind::Local(_) => return (self.next_local(u64::from(length)), length),
            WalkKind::Mapped(_) => return self.next_mapped(length),
            WalkKind::Stream { jump_percent, backward } => {
                let (jump, backward) = (*jump_percent, *backward);
                return match self.cut {
                    Some(sizes) if jump == 0 => self.next_adjoining(length, sizes, backward),
                    _ => (self.next_streamed(u64::from(length), jump, backward), length),
                };
            }
        };
        self.advance();
        // A large operation at the end of the span moves back into it.
        let most = (self.length - u64::from(length)) / self.grid * self.grid;
        (self.first_byte + (place * self.grid).min(most), length)
    }

    /// Bytes that an operation may have without being cut, where that is known beforehand.
    #[inline]
    pub(super) fn room(&self) -> u64 {
        match (&self.kind, self.cut) {
            (WalkKind::Stream { jump_percent: 0, backward: true }, Some(_)) => self.cursor,
            (WalkKind::Stream { jump_percent: 0, .. }, Some(_)) => self.length - self.cursor,
            _ => u64::MAX,
        }
    }

    #[inline]
    fn advance(&mut self) {
        self.index += self.stride;
        if self.index >= self.places {
            self.start_next_pass();
        }
    }

    /// A place that this pass has not visited, and as much behind it.
    fn next_mapped(&mut self, length: u32) -> (u64, u32) {
        let WalkKind::Mapped(map) = &mut self.kind else { return (self.first_byte, length) };
        // From the start of what is free: fewer operations are cut than from any place of it.
        let place = map.next_free(self.draw.next_below(self.places));
        let visited = map.visit(place, u64::from(length).div_ceil(self.grid));
        if map.is_full() {
            self.index = self.places;
            self.start_next_pass();
        }
        let length = u64::from(length).min(visited * self.grid) as u32;
        (self.first_byte + place * self.grid, length)
    }

    /// The bytes behind the last operation, or before it; the last of a pass is cut.
    fn next_adjoining(&mut self, length: u32, sizes: CutSizes, backward: bool) -> (u64, u32) {
        let left = if backward { self.cursor } else { self.length - self.cursor };
        let length = u64::from(length).min(left / sizes.step * sizes.step);
        let place = if backward { self.cursor - length } else { self.cursor };
        self.cursor = if backward { place } else { place + length };
        if left - length < sizes.least {
            self.cursor = if backward { self.length } else { 0 };
            self.unseen_by = PassReader::ALL;
        }
        (self.first_byte + place, length as u32)
    }

    fn next_rewound(&mut self, length: u64, back: u64) -> u64 {
        let place = match self.cursor.checked_sub(back) {
            _ if self.cursor == NOT_BEGUN => 0,
            Some(place) if place < self.length => place,
            _ => self.length.saturating_sub(back),
        };
        let place = place.min(self.length.saturating_sub(length));
        self.cursor = place + length;
        // A pass has moved as much as there is.
        self.index += length;
        if self.index >= self.length {
            self.index -= self.length;
            self.unseen_by = PassReader::ALL;
        }
        self.first_byte + place
    }

    fn next_local(&mut self, length: u64) -> u64 {
        let WalkKind::Local(local) = &mut self.kind else { return self.first_byte };
        self.first_byte + local.next_place(length, self.length, self.grid, &mut self.draw)
    }

    fn next_streamed(&mut self, length: u64, jump_percent: u64, backward: bool) -> u64 {
        let most = (self.length - length) / self.grid;
        if jump_percent > 0 && self.draw.next_below(100) < jump_percent {
            self.cursor = self.draw.next_below(most + 1) * self.grid;
        }
        if backward {
            if self.cursor < length {
                self.cursor = self.length;
                self.unseen_by = PassReader::ALL;
            }
            self.cursor = (self.cursor - length) / self.grid * self.grid;
            return self.first_byte + self.cursor;
        }
        if self.cursor > most * self.grid {
            self.cursor = 0;
            self.unseen_by = PassReader::ALL;
        }
        let place = self.cursor;
        self.cursor = (place + length).next_multiple_of(self.grid);
        self.first_byte + place
    }

    /// Whether a place may come again before all have come: only a new loop ends such a pass.
    fn may_repeat(&self) -> bool {
        matches!(self.kind, WalkKind::Uniform | WalkKind::Skewed(_) | WalkKind::Local(_))
    }

    #[cold]
    fn start_next_pass(&mut self) {
        while self.index >= self.places {
            self.index -= self.places;
            self.pass += 1;
        }
        let cache = PassReader::Cache as u8;
        self.unseen_by |=
            if self.may_repeat() { PassReader::ALL & !cache } else { PassReader::ALL };
        if let WalkKind::Mapped(map) = &mut self.kind {
            map.clear();
        }
        if matches!(self.kind, WalkKind::Shuffled) {
            self.permutation = Permutation::new(self.places, self.seed ^ mix64(self.pass));
        }
    }

    /// The walk as it is, without its map.
    pub(super) fn snapshot(&self) -> Self {
        let kind = match &self.kind {
            WalkKind::Mapped(_) => WalkKind::Shuffled,
            WalkKind::Skewed(_) => WalkKind::Uniform,
            other => other.clone(),
        };
        Self { kind, ..*self }
    }

    /// Begins again as `first` was; where `draws_on`, with other random numbers.
    pub(super) fn rewind_to(&mut self, first: &Self, draws_on: bool) {
        match (&mut self.kind, &first.kind) {
            (WalkKind::Mapped(map), _) => map.clear(),
            (WalkKind::Local(local), WalkKind::Local(first)) => *local = *first,
            _ => {}
        }
        (self.index, self.cursor) = (first.index, first.cursor);
        self.unseen_by = if self.may_repeat() { PassReader::Cache as u8 } else { 0 };
        self.pass = if draws_on { self.pass + 1 } else { first.pass };
        self.permutation = Permutation::new(self.places, self.seed ^ mix64(self.pass));
        if !draws_on {
            self.draw = first.draw;
        }
    }

    /// Whether a pass ended since `reader` last asked.
    pub(super) fn take_pass_end(&mut self, reader: PassReader) -> bool {
        let is_new = self.unseen_by & reader as u8 != 0;
        self.unseen_by &= !(reader as u8);
        is_new
    }
}
