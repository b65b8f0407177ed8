//! In which order the places of the span are visited.

use serde::{Deserialize, Serialize};
use units::Bytes;
use units::JsonSchema;

/// In which order the blocks of the span are visited.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Ascending, from the start of the span, over and over.
    Sequential,
    /// Descending, from the end of the span, over and over.
    Backward,
    /// Ascending with gaps: `run` bytes in a row, then `skip` bytes left out.
    Gapped {
        /// Bytes in a row; a whole number of blocks.
        run: Bytes,
        /// Bytes left out after each run.
        skip: Bytes,
    },
    /// From the start of the span, each operation starts `back` bytes before the end of the last;
    /// before the start, it wraps to the end of the span.
    Rewinding { back: Bytes },
    /// In an order that follows from the seed; every block exactly once per pass.
    Random,
    /// Every block equally likely each time, whatever was visited before.
    RandomRepeating,
    /// Sequential, with jumps of a share of the operations to a random place.
    PartlyRandom {
        /// Share of operations that jump, in percent: 1 to 99.
        random_percent: u8,
    },
    /// Some blocks more likely than others; visited before or not makes no difference.
    Distributed(Distribution),
    /// A random place, then more operations from there, then another place.
    RandomRuns {
        /// Operations of one run; at least 1.
        operations: u32,
        /// All of them at the same place, not one behind the other.
        identical: bool,
    },
    /// Random places within a zone and, when enough was moved there, within the next.
    ZonedRandom {
        zone: Bytes,
        /// Left out between two zones.
        skip: Bytes,
        /// Moved in a zone before the next one.
        bytes: Bytes,
        /// A place may come again before all others of its zone have come.
        repeats: bool,
    },
}

impl Access {
    /// Whether a block may come again before all others have come once.
    pub const fn repeats_blocks(&self) -> bool {
        matches!(
            self,
            Self::RandomRepeating
                | Self::Rewinding { .. }
                | Self::PartlyRandom { .. }
                | Self::Distributed(_)
                | Self::RandomRuns { .. }
                | Self::ZonedRandom { .. }
        )
    }
}

/// How likely the blocks of a span are. Ranks are scattered over the span by a permutation, so
/// that a hot block has cold neighbours, as in a real working set; only zones are contiguous.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Distribution {
    /// The block of rank k has a probability proportional to `1 / k^theta`.
    Zipf {
        /// The exponent; above 0 and not 1. fio's usual one is 1.2; YCSB's 0.99.
        theta: f64,
    },
    /// The share `h` of the blocks gets `1 - h` of the accesses, and so does the same share of
    /// those again: 0.2 is the 80/20 rule (as fio's `pareto` has it).
    Pareto {
        /// Between 0 and 1; the farther from 0.5, the hotter.
        h: f64,
    },
    /// Around the middle of the span.
    Normal {
        /// Standard deviation, in percent of the span.
        deviation_percent: f64,
    },
    /// Another one of these, moved so that what is likeliest lies at a given place; what would lie
    /// beyond the end lies at the start. Not for zones, whose places are given.
    Around {
        /// The place, as a share of the span from 0 to 1.
        centre: f64,
        law: Box<Distribution>,
    },
    /// Contiguous zones, each with a share of the accesses and a share of the span.
    ZonedByShare(Vec<ShareZone>),
    /// Contiguous zones, each with a share of the accesses and a size.
    ZonedBySize(Vec<SizeZone>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShareZone {
    /// Share of the accesses, in percent; all zones together 100.
    pub access_percent: u8,
    /// Share of the span, in percent; all zones together 100.
    pub span_percent: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SizeZone {
    /// Share of the accesses, in percent; all zones together 100.
    pub access_percent: u8,
    /// Size; all zones together at most the span.
    pub size: Bytes,
}

/// How an operation picks one of several targets.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TargetOrder {
    /// One after the other, one operation on each.
    #[default]
    RoundRobin,
    /// Any of them, following from the seed.
    Random,
    /// The next one when the last has been passed over once.
    Sequential,
    /// Some more often than others.
    Distributed(Distribution),
}

impl Access {
    /// What contradicts itself, or a span of `length` in blocks of `block`.
    pub(crate) fn conflict(&self, length: Bytes, block: Bytes) -> Option<String> {
        match self {
            Self::Sequential | Self::Backward | Self::Random | Self::RandomRepeating => None,
            Self::PartlyRandom { random_percent } => (!(1..=99).contains(random_percent))
                .then(|| format!("{random_percent} % of random places is no mix; use 1 to 99")),
            Self::RandomRuns { operations, .. } => {
                (*operations == 0).then(|| "runs of no operations".to_owned())
            }
            Self::ZonedRandom { zone, bytes, .. } => (*zone < block || *bytes < block)
                .then(|| format!("zones of {zone} with {bytes} moved in each hold no block")),
            Self::Rewinding { back } => (*back > length)
                .then(|| format!("steps of {back} back are larger than the span of {length}")),
            Self::Gapped { run, .. } => gap_conflict(*run, length, block),
            Self::Distributed(distribution) => distribution.conflict(length, block),
        }
    }
}

fn gap_conflict(run: Bytes, length: Bytes, block: Bytes) -> Option<String> {
    if run.0 == 0 || !run.0.is_multiple_of(block.0) {
        return Some(format!("runs of {run} are not a whole number of blocks of {block}"));
    }
    (run > length).then(|| format!("a run of {run} is larger than the span of {length}"))
}

impl Distribution {
    fn conflict(&self, length: Bytes, block: Bytes) -> Option<String> {
        let sum = |shares: &mut dyn Iterator<Item = u8>| shares.map(u32::from).sum::<u32>();
        match self {
            Self::Zipf { theta } => (!(*theta > 0.0 && theta.is_finite()) || *theta == 1.0)
                .then(|| format!("a zipf exponent of {theta}: it must be above 0 and not 1")),
            Self::Pareto { h } => (!(*h > 0.0 && *h < 1.0))
                .then(|| format!("a pareto index of {h}: it must lie between 0 and 1")),
            Self::Normal { deviation_percent } => (!(*deviation_percent > 0.0
                && *deviation_percent <= 100.0))
                .then(|| format!("a deviation of {deviation_percent} %: use 0 to 100")),
            Self::Around { centre, law } => {
                if !(0.0..=1.0).contains(centre) {
                    return Some(format!("a centre at {centre} of the span: use 0 to 1"));
                }
                match &**law {
                    Self::Zipf { .. } | Self::Pareto { .. } | Self::Normal { .. } => {
                        law.conflict(length, block)
                    }
                    _ => Some("a centre of zones, whose places are given".to_owned()),
                }
            }
            Self::ZonedByShare(zones) => {
                let accesses = sum(&mut zones.iter().map(|z| z.access_percent));
                let spans = sum(&mut zones.iter().map(|z| z.span_percent));
                ((accesses, spans) != (100, 100)).then(|| {
                    format!("zones of {accesses} % of the accesses and {spans} % of the span")
                })
            }
            Self::ZonedBySize(zones) => {
                let accesses = sum(&mut zones.iter().map(|z| z.access_percent));
                let all = Bytes(zones.iter().map(|z| z.size.0).sum());
                if accesses != 100 {
                    return Some(format!("zones of {accesses} % of the accesses"));
                }
                if let Some(small) = zones.iter().find(|z| z.size < block) {
                    return Some(format!("a zone of {} is smaller than {block}", small.size));
                }
                (all > length).then(|| format!("zones of {all} on a span of {length}"))
            }
        }
    }
}
