//! Silence in a series of counts: how long nothing completed.

/// The gaps of a series: runs of ticks in which nothing was counted. A stall of the whole device
/// delays few operations, so a percentile hides it; a gap does not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Gaps {
    pub longest_ticks: usize,
    /// Length of all gaps together, in ticks.
    pub total_zero_ticks: usize,
    pub count: usize,
}

/// The gaps in a series of counts per tick; those at either end count too.
pub fn find_gaps(counts: &[u64]) -> Gaps {
    find_zero_runs(counts).fold(Gaps::default(), |gaps, (_, length)| Gaps {
        longest_ticks: gaps.longest_ticks.max(length),
        total_zero_ticks: gaps.total_zero_ticks + length,
        count: gaps.count + 1,
    })
}

/// The longest run of zeros, the first of equals: where it starts and how long it is. `None`
/// without a zero.
pub fn find_longest_zero_run(counts: &[u64]) -> Option<(usize, usize)> {
    find_zero_runs(counts).reduce(|best, run| if run.1 > best.1 { run } else { best })
}

/// Start and length of every run of zeros, in order.
fn find_zero_runs(counts: &[u64]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut start = 0;
    counts.chunk_by(|a, b| (*a == 0) == (*b == 0)).filter_map(move |run| {
        let place = start;
        start += run.len();
        (run[0] == 0).then_some((place, run.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn gaps_are_measured() {
        let check = |counts: &[u64], longest_ticks, total_zero_ticks, count| {
            let expected = Gaps { longest_ticks, total_zero_ticks, count };
            assert_eq!(find_gaps(counts), expected, "{counts:?}");
        };
        check(&[], 0, 0, 0);
        check(&[1, 2], 0, 0, 0);
        check(&[0], 1, 1, 1);
        check(&[0, 1, 0, 0, 5, 0], 2, 4, 3);
        check(&[7, 0, 0, 0], 3, 3, 1);
    }

    #[test]
    fn zero_runs_are_found() {
        let check = |counts: &[u64], expected| assert_eq!(find_longest_zero_run(counts), expected);
        check(&[], None);
        check(&[1, 2], None);
        check(&[0, 1, 0, 0, 5, 0], Some((2, 2)));
        check(&[0, 0, 0], Some((0, 3)));
        check(&[0, 3, 0], Some((0, 1)));
    }

    proptest! {
        #[test]
        fn gaps_agree_with_the_counts(counts in prop::collection::vec(0_u64..3, 0..60)) {
            let found = find_gaps(&counts);
            let zeros = counts.iter().filter(|&&c| c == 0).count();
            prop_assert_eq!(found.total_zero_ticks, zeros);
            let starts = (0..counts.len())
                .filter(|&i| counts[i] == 0 && (i == 0 || counts[i - 1] > 0))
                .count();
            prop_assert_eq!(found.count, starts);
            match find_longest_zero_run(&counts) {
                None => prop_assert_eq!(found.longest_ticks, 0),
                Some((start, length)) => {
                    prop_assert_eq!(found.longest_ticks, length);
                    prop_assert!(counts[start..start + length].iter().all(|&c| c == 0));
                }
            }
        }
    }
}
