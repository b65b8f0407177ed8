//! How large operations are.

use serde::{Deserialize, Serialize};
use units::Bytes;
use units::JsonSchema;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sizes {
    #[default]
    Block,
    /// Another size, always the same.
    Fixed(Bytes),
    /// Any multiple of the smallest, up to the largest, equally likely.
    Range {
        /// Smallest, and the step.
        least: Bytes,
        most: Bytes,
    },
    /// Any number of bytes from the smallest to the largest, equally likely.
    Any { least: Bytes, most: Bytes },
    /// Some sizes, each with its share.
    Weighted(Vec<Weight>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Weight {
    pub size: Bytes,
    /// Share of the operations, in percent; all together 100.
    pub percent: u8,
}

/// Sizes that differ by direction or from operation to operation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BlockSizes {
    pub read: Sizes,
    pub write: Sizes,
    pub trim: Sizes,
    /// What every place is a multiple of; absent: the smallest size.
    pub align: Option<Bytes>,
    /// Whether a pass visits every place once: an operation that meets a place of the same pass is
    /// cut there, and at the end of the span it has a size that fits, or is cut where the places
    /// are random. Otherwise it moves back, or touches that place again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

impl Sizes {
    /// The smallest and the largest size, with `block` for the job's.
    pub fn bounds(&self, block: Bytes) -> (Bytes, Bytes) {
        match self {
            Self::Block => (block, block),
            Self::Fixed(size) => (*size, *size),
            Self::Range { least, most } | Self::Any { least, most } => (*least, *most),
            Self::Weighted(weights) => {
                let sizes = || weights.iter().map(|w| w.size);
                (sizes().min().unwrap_or(block), sizes().max().unwrap_or(block))
            }
        }
    }

    fn conflict(&self) -> Option<String> {
        match self {
            Self::Block => None,
            Self::Fixed(size) => (size.0 == 0).then(|| "a block size of 0".to_owned()),
            Self::Range { least, most } | Self::Any { least, most } => (least.0 == 0
                || least > most)
                .then(|| format!("block sizes from {least} to {most}")),
            Self::Weighted(weights) => {
                let sum: u32 = weights.iter().map(|w| u32::from(w.percent)).sum();
                if weights.iter().any(|w| w.size.0 == 0) {
                    return Some("a block size of 0".to_owned());
                }
                (sum != 100).then(|| format!("block sizes with shares of {sum} % in all"))
            }
        }
    }
}

impl BlockSizes {
    /// Whether all operations have the job's block size.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// The smallest and the largest size of any direction.
    pub fn bounds(&self, block: Bytes) -> (Bytes, Bytes) {
        let each = [&self.read, &self.write, &self.trim].map(|sizes| sizes.bounds(block));
        let least = each.iter().map(|(least, _)| *least).min().unwrap_or(block);
        (least, each.iter().map(|(_, most)| *most).max().unwrap_or(block))
    }

    /// What places are multiples of.
    pub fn grid(&self, block: Bytes) -> Bytes {
        self.align.unwrap_or(self.bounds(block).0)
    }

    pub(crate) fn conflict(&self) -> Option<String> {
        if self.align == Some(Bytes(0)) {
            return Some("places aligned to 0".to_owned());
        }
        [&self.read, &self.write, &self.trim].into_iter().find_map(Sizes::conflict)
    }

    /// Every size that may occur is a multiple of these: the fixed ones, steps and the alignment.
    pub(crate) fn size_units(&self, block: Bytes) -> Vec<Bytes> {
        let mut all = self.data_sizes(block);
        all.extend(self.align);
        all
    }

    pub(crate) fn data_sizes(&self, block: Bytes) -> Vec<Bytes> {
        let mut all = vec![block];
        for sizes in [&self.read, &self.write, &self.trim] {
            match sizes {
                Sizes::Block => {}
                Sizes::Fixed(size) => all.push(*size),
                Sizes::Range { least, most } => all.extend([*least, *most]),
                Sizes::Any { .. } => all.push(Bytes(1)),
                Sizes::Weighted(weights) => all.extend(weights.iter().map(|w| w.size)),
            }
        }
        all
    }
}
