//! How a provider counts operations.

use serde::Serialize;
use units::Bytes;

/// In which order blocks follow each other.
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
    #[must_use]
    pub fn operations(&self, size: Bytes, order: Order) -> f64 {
        let Some(unit) = self.unit else { return 1.0 };
        let units = size.0 as f64 / unit.0 as f64;
        if self.merges && order == Order::Sequential { units } else { units.ceil() }
    }

    /// Bytes that one transfer of `size` counts as.
    #[must_use]
    pub fn bytes(&self, size: Bytes, order: Order) -> f64 {
        match self.unit {
            Some(unit) if self.whole && order == Order::Random => {
                self.operations(size, order) * unit.0 as f64
            }
            _ => size.0 as f64,
        }
    }

    /// In a sentence, for people.
    #[must_use]
    pub fn describe(&self) -> String {
        let Some(unit) = self.unit else {
            return "every transfer counts as one operation, however long".to_owned();
        };
        let mut words = format!("up to {unit} count as one operation, longer ones as several");
        if self.merges {
            words.push_str("; sequential ones are merged up to that");
        }
        if self.whole {
            words.push_str("; a shorter random one costs as many bytes");
        }
        words
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
