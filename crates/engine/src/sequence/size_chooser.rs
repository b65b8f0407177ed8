//! How large the next operation is.

use workload::{Direction, Job, Sizes};

use super::permutation::Permutation;
use super::random_stream::RandomStream;
use crate::mix::mix64;

/// Weighted sizes are shuffled within groups of this many, each with the exact shares.
const SHUFFLE_GROUP: usize = 100;

#[derive(Debug, Clone)]
pub(super) struct Sizer {
    read: SizeChoice,
    write: SizeChoice,
    trim: SizeChoice,
}

#[derive(Debug, Clone)]
enum SizeChoice {
    Fixed(u32),
    Range { least: u32, steps: u64, draw: RandomStream },
    Any { least: u32, most: u32, draw: RandomStream },
    Weighted(Box<Weighted>),
}

#[derive(Debug, Clone)]
struct Weighted {
    sizes: [u32; SHUFFLE_GROUP],
    order: Permutation,
    key: u64,
    count: u64,
}

impl Sizer {
    pub(super) fn new(job: &Job, seed: u64, worker: u64) -> Self {
        let block = job.block_size.0 as u32;
        let of = |sizes: &Sizes, salt: u64| SizeChoice::new(sizes, block, seed ^ salt, worker);
        Self {
            read: of(&job.sizes.read, 0x51_2E01),
            write: of(&job.sizes.write, 0x51_2E02),
            trim: of(&job.sizes.trim, 0x51_2E03),
        }
    }

    /// Begins again as `first` was.
    pub(super) fn rewind_to(&mut self, first: &Self) {
        self.read.rewind_to(&first.read);
        self.write.rewind_to(&first.write);
        self.trim.rewind_to(&first.trim);
    }

    #[inline]
    pub(super) fn next_size(&mut self, direction: Direction) -> u32 {
        match self.choice_of(direction) {
            None => 0,
            Some(SizeChoice::Fixed(size)) => *size,
            Some(other) => other.draw(),
        }
    }

    /// A size of at most `room` bytes, with the chances that sizes have where fio draws until one
    /// fits; the smallest where none does.
    #[cold]
    pub(super) fn next_size_within(&mut self, direction: Direction, room: u64) -> u32 {
        let room = u32::try_from(room).unwrap_or(u32::MAX);
        self.choice_of(direction).map_or(0, |choice| choice.draw_within(room))
    }

    #[inline]
    fn choice_of(&mut self, direction: Direction) -> Option<&mut SizeChoice> {
        Some(match direction {
            Direction::Read => &mut self.read,
            Direction::Write => &mut self.write,
            Direction::Trim => &mut self.trim,
            Direction::Sync => return None,
        })
    }
}

impl SizeChoice {
    fn new(sizes: &Sizes, block: u32, key: u64, worker: u64) -> Self {
        match sizes {
            Sizes::Block => Self::Fixed(block),
            Sizes::Fixed(size) => Self::Fixed(size.0 as u32),
            Sizes::Range { least, most } => Self::Range {
                least: least.0 as u32,
                steps: most.0 / least.0.max(1),
                draw: RandomStream::new(key, worker),
            },
            Sizes::Any { least, most } => Self::Any {
                least: least.0 as u32,
                most: most.0 as u32,
                draw: RandomStream::new(key, worker),
            },
            Sizes::Weighted(weights) => {
                let mut all = [block; SHUFFLE_GROUP];
                let listed = weights
                    .iter()
                    .flat_map(|w| std::iter::repeat_n(w.size.0 as u32, usize::from(w.percent)));
                all.iter_mut().zip(listed).for_each(|(place, size)| *place = size);
                let key = key ^ mix64(worker);
                let order = Permutation::new(SHUFFLE_GROUP as u64, key);
                Self::Weighted(Box::new(Weighted { sizes: all, order, key, count: 0 }))
            }
        }
    }

    fn rewind_to(&mut self, first: &Self) {
        match (self, first) {
            (Self::Range { draw, .. }, Self::Range { draw: first, .. })
            | (Self::Any { draw, .. }, Self::Any { draw: first, .. }) => *draw = *first,
            (Self::Weighted(weighted), Self::Weighted(first)) => {
                (weighted.order, weighted.count) = (first.order, first.count);
            }
            _ => {}
        }
    }

    fn draw_within(&mut self, room: u32) -> u32 {
        match self {
            Self::Fixed(size) => *size,
            Self::Range { least, steps, draw } => {
                let steps = u64::from(room / (*least).max(1)).min(*steps).max(1);
                *least * (1 + draw.next_below(steps) as u32)
            }
            Self::Any { least, most, draw } if room < *most => {
                *least + draw.next_below(u64::from(room.saturating_sub(*least)) + 1) as u32
            }
            Self::Any { .. } => self.draw(),
            Self::Weighted(weighted) => {
                let least = weighted.sizes.into_iter().min().unwrap_or(0);
                // Each size comes up in each group of the shuffle.
                loop {
                    let size = self.draw();
                    if size <= room.max(least) {
                        return size;
                    }
                }
            }
        }
    }

    fn draw(&mut self) -> u32 {
        match self {
            Self::Fixed(size) => *size,
            Self::Range { least, steps, draw } => *least * (1 + draw.next_below(*steps) as u32),
            // As in fio, what is drawn beyond the largest size is of that size.
            Self::Any { least, most, draw } => {
                (*least + draw.next_below(u64::from(*most)) as u32).min(*most)
            }
            Self::Weighted(weighted) => {
                let Weighted { sizes, order, key, count } = &mut **weighted;
                let place = *count % SHUFFLE_GROUP as u64;
                if place == 0 {
                    *order = Permutation::new(SHUFFLE_GROUP as u64, *key ^ mix64(*count));
                }
                *count += 1;
                sizes[order.at(place) as usize]
            }
        }
    }
}
