//! A random sample of a fleet: how many hosts show a share of slow ones.

use message::{Message, messages};
use stats::hypergeometric_tail;
use units::Ratio;

/// Hosts of a sample that can be held against each other.
const SAMPLE_MIN: u64 = 4;
/// 95 %, but for rounding errors.
const CERTAINTY: f64 = 0.95 - 1e-9;
/// The share that an operator asks for.
const SHARE: f64 = 0.01;

/// Hosts of a sample of that share of all.
pub fn sample_size(all: u64, share: f64) -> u64 {
    ((all as f64 * share).ceil() as u64).max(SAMPLE_MIN).min(all)
}

/// What a sample of `hosts` out of `all` would have shown, and how many hosts a share of 1 % takes.
pub fn describe_sample(hosts: u64, all: u64) -> Message {
    let found = first_certain(all, |slow| hypergeometric_tail(all, slow, hosts, 1));
    let slow = ((all as f64 * SHARE).ceil() as u64).max(1);
    let needed = first_certain(all, |hosts| hypergeometric_tail(all, slow, hosts, 1));
    OutliersSample { hosts, all, found, share: Ratio(SHARE), needed }.into()
}

/// The smallest number up to `all` with which the probability, which rises, is certain enough.
fn first_certain(all: u64, probability: impl Fn(u64) -> f64) -> u64 {
    let (mut low, mut high) = (1, all);
    while low < high {
        let middle = low.midpoint(high);
        if probability(middle) >= CERTAINTY { high = middle } else { low = middle + 1 }
    }
    high
}

messages! {
    OutliersSample = "outliers-sample" {
        hosts: u64, all: u64, found: u64, share: Ratio, needed: u64,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_says_what_it_would_have_shown() {
        let check = |hosts, all, found, needed| {
            let said = describe_sample(hosts, all);
            let count = |name| match said.argument(name) {
                Some(message::Argument::Count(count)) => *count,
                other => panic!("{other:?}"),
            };
            assert_eq!((count("found"), count("needed")), (found, needed), "{}", said.text());
        };
        // 1 - 0.99^n = 95 % at n = 299; a finite fleet needs fewer.
        check(100, 1_000_000, 29_512, 299);
        check(100, 2_000, 58, 277);
        check(4, 100, 52, 95);
        check(10, 10, 1, 10);
        assert_eq!(sample_size(2_000, 0.05), 100);
        assert_eq!([sample_size(50, 0.01), sample_size(3, 0.5)], [4, 3]);
    }
}
