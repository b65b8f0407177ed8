//! A random order by seed, so that what drifts with time does not look like an effect.

use engine::SplitMix64;
use units::Seed;

pub(crate) fn shuffle_items<T>(items: &mut [T], seed: Seed) {
    let mut random = SplitMix64(seed.0);
    for last in (1..items.len()).rev() {
        // The remainder favours small numbers by one in 2^53 here: no order is noticeably likelier.
        let other = (random.next_bits() % (last as u64 + 1)) as usize;
        items.swap(last, other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_follows_from_its_seed() {
        let order = |seed: u64| {
            let mut items: Vec<u32> = (0..50).collect();
            shuffle_items(&mut items, Seed(seed));
            items
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        let mut sorted = order(3);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<u32>>());
    }

    #[test]
    fn every_place_is_as_likely() {
        let mut first = [0_u32; 5];
        for seed in 0..10_000 {
            let mut items = [0, 1, 2, 3, 4];
            shuffle_items(&mut items, Seed(seed));
            first[items[0]] += 1;
        }
        assert!(first.iter().all(|n| (1_850..2_150).contains(n)), "{first:?}");
    }
}
