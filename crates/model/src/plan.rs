//! A plan: what a provider states of a volume, and what follows at a block size.

use message::{Message, label};
use serde::Serialize;
use units::Bytes;

use crate::notes::{CountingMerged, CountingMergedWhole, CountingUnits, CountingWhole};

/// 2^20, as providers count bandwidth.
pub(crate) const MIB: f64 = 1_048_576.0;
/// 10^6.
pub(crate) const MB: f64 = 1e6;

pub(crate) type PageDate = (&'static str, &'static str);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum IoDirection {
    /// From the volume.
    Read,
    /// To the volume.
    Write,
}

/// The most of one direction; what is absent is not limited by the plan.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Cap {
    /// Operations per second, as the provider counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iops: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_second: Option<f64>,
}

/// The most of both directions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Caps {
    pub read: Cap,
    pub write: Cap,
}

impl Caps {
    /// The same for reads and writes.
    pub const fn both(iops: Option<f64>, bytes_per_second: Option<f64>) -> Self {
        let cap = Cap { iops, bytes_per_second };
        Self { read: cap, write: cap }
    }

    pub const fn for_direction(&self, way: IoDirection) -> Cap {
        match way {
            IoDirection::Read => self.read,
            IoDirection::Write => self.write,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum BurstDuration {
    /// While there are credits: use above the base spends them, use below it earns them. The bucket
    /// is full at the start.
    Credits {
        #[serde(skip_serializing_if = "Option::is_none")]
        operations: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        bytes: Option<f64>,
    },
    /// A time, however much is used.
    Time {
        seconds: f64,
        /// The least time at the base before the next one, where that is stated.
        #[serde(skip_serializing_if = "Option::is_none")]
        rest: Option<f64>,
    },
    /// For good, at a price.
    Always,
}

/// What there is for a time above the base.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Burst {
    /// The most meanwhile.
    pub caps: Caps,
    pub lasts: BurstDuration,
}

/// How much of what was sold a provider says it delivers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Tolerance {
    /// At least this share of the promised rate ...
    pub share: f64,
    /// ... for this share of the time.
    pub of_time: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Source {
    pub url: String,
    /// The date of the page, or on which it was read.
    pub date: String,
}

/// What a provider, or the user's own file, states of a volume.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plan {
    /// Its name and parameters: `aws:gp2:50GiB`.
    pub name: String,
    /// For people: `AWS EBS gp2, 50 GiB`.
    pub title: String,
    pub base: Caps,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub burst: Option<Burst>,
    /// How operations are counted.
    pub accounting: Accounting,
    /// How exactly the provider keeps it, where it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Tolerance>,
    /// Whether the figures are only upper limits, below which nothing is promised.
    pub only_limits: bool,
    /// A promised latency such as `p99<10ms`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency: Option<String>,
    /// The formula, and what else belongs to it.
    pub notes: Vec<Message>,
    pub sources: Vec<Source>,
}

/// Which limit rules at a block size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitingFactor {
    Operations,
    Bytes,
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rates {
    /// Transfers per second, as the host counts them; infinite without a limit.
    pub iops: f64,
    pub bytes_per_second: f64,
    pub ruler: LimitingFactor,
}

impl Plan {
    pub(crate) fn new(name: &str, title: String, base: Caps) -> Self {
        Self {
            name: name.to_owned(),
            title,
            base,
            burst: None,
            accounting: Accounting::default(),
            tolerance: None,
            only_limits: false,
            latency: None,
            notes: Vec::new(),
            sources: Vec::new(),
        }
    }

    pub(crate) fn source(mut self, (url, date): (&str, &str)) -> Self {
        self.sources.push(Source { url: url.to_owned(), date: date.to_owned() });
        self
    }

    pub(crate) fn note(mut self, note: impl Into<Message>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// What there is at a block size: `min(I / c, W / b)` with `c` operations and `b` bytes counted
    /// for one transfer.
    pub fn rates(&self, caps: &Caps, size: Bytes, order: Order, way: IoDirection) -> Rates {
        let Cap { iops, bytes_per_second } = caps.for_direction(way);
        let by_operations = iops.map(|most| most / self.accounting.operations(size, order));
        let by_bytes = bytes_per_second.map(|most| most / self.accounting.bytes(size, order));
        let (iops, ruler) = match (by_operations, by_bytes) {
            (Some(a), Some(b)) if b < a => (b, LimitingFactor::Bytes),
            (Some(a), _) => (a, LimitingFactor::Operations),
            (None, Some(b)) => (b, LimitingFactor::Bytes),
            (None, None) => (f64::INFINITY, LimitingFactor::Nothing),
        };
        Rates { iops, bytes_per_second: iops * size.0 as f64, ruler }
    }

    /// What there is always, at a block size.
    pub fn base_rates(&self, size: Bytes, order: Order, way: IoDirection) -> Rates {
        self.rates(&self.base, size, order, way)
    }

    /// What there is while the burst lasts, at a block size.
    pub fn burst_rates(&self, size: Bytes, order: Order, way: IoDirection) -> Option<Rates> {
        self.burst.as_ref().map(|burst| self.rates(&burst.caps, size, order, way))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Anywhere.
    Random,
    /// One after the other, and enough of them outstanding to be merged.
    Sequential,
}

/// How a provider counts operations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Accounting {
    /// The longest transfer that counts as one operation; a longer one counts as several. Without
    /// it every transfer is one.
    pub unit: Option<Bytes>,
    /// Whether short sequential operations are merged into units.
    pub merges: bool,
    /// Whether a random operation costs a whole unit of bytes, however short it is.
    pub whole: bool,
}

impl Accounting {
    /// Operations that one transfer of `size` counts as; less than one when several are merged.
    pub fn operations(&self, size: Bytes, order: Order) -> f64 {
        let Some(unit) = self.unit else { return 1.0 };
        let units = size.0 as f64 / unit.0 as f64;
        if self.merges && order == Order::Sequential { units } else { units.ceil() }
    }

    /// Bytes that one transfer of `size` counts as.
    pub fn bytes(&self, size: Bytes, order: Order) -> f64 {
        match self.unit {
            Some(unit) if self.whole && order == Order::Random => {
                self.operations(size, order) * unit.0 as f64
            }
            _ => size.0 as f64,
        }
    }

    /// In a sentence, for people.
    pub fn describe(&self) -> Message {
        let Some(unit) = self.unit else { return label("counting-each") };
        match (self.merges, self.whole) {
            (false, false) => CountingUnits { unit }.into(),
            (true, false) => CountingMerged { unit }.into(),
            (false, true) => CountingWhole { unit }.into(),
            (true, true) => CountingMergedWhole { unit }.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_operations_are_split_and_short_sequential_ones_merged() {
        let ssd = Accounting { unit: Some(Bytes::kib(256)), merges: true, whole: false };
        let check = |size: Bytes, order, operations: f64| {
            assert_eq!(ssd.operations(size, order), operations, "{size} {order:?}");
            assert_eq!(ssd.bytes(size, order), size.0 as f64);
        };
        check(Bytes::kib(4), Order::Random, 1.0);
        check(Bytes::kib(256), Order::Random, 1.0);
        check(Bytes::kib(257), Order::Random, 2.0);
        // 8 contiguous of 32 KiB count as one, one of 1 MiB as four: the provider's own examples.
        check(Bytes::kib(32), Order::Sequential, 1.0 / 8.0);
        check(Bytes::mib(1), Order::Sequential, 4.0);
        check(Bytes::mib(1), Order::Random, 4.0);
        let disk = Accounting { unit: Some(Bytes::mib(1)), merges: true, whole: true };
        assert_eq!(disk.bytes(Bytes::kib(4), Order::Random), 1_048_576.0);
        assert_eq!(disk.bytes(Bytes::kib(4), Order::Sequential), 4096.0);
        assert_eq!(Accounting::default().operations(Bytes::gib(1), Order::Random), 1.0);
    }
}
