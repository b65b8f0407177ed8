//! How large operations are.

use units::Bytes;
use workload::{BlockSizes, Sizes, Weight};

use crate::options::blocks::BlockShare;
use crate::options::job::JobOptions;
use crate::options::parse::{PerDirection, READS, TRIMS, WRITES};

/// The job's block size, and what differs from it.
pub(super) fn plan_sizes(options: &JobOptions) -> Result<(Bytes, BlockSizes), String> {
    let pattern = &options.pattern;
    if pattern.bs_is_seq_rand {
        return plan_sizes_by_order(options);
    }
    let operation = pattern.rw.operation;
    let has = operation.directions();
    let first = has.iter().position(|has| *has).unwrap_or(READS);
    // A trim and the write after it are of one place and one size.
    let both = operation.trims() && operation.writes();
    let like = |direction: usize| if both { TRIMS } else { direction };
    let mut of: PerDirection<Sizes> = [
        direction_sizes(options, like(READS))?,
        direction_sizes(options, like(WRITES))?,
        direction_sizes(options, TRIMS)?,
    ];
    let all_alike = (0..3).filter(|&d| has[d]).all(|d| of[d] == of[first]);
    let align = (0..3).filter(|&d| has[d]).find_map(|d| pattern.blockalign[d]).map(Bytes);
    if let (Sizes::Fixed(size), true, None) = (&of[first], all_alike, align) {
        return Ok((*size, BlockSizes::default()));
    }
    for direction in (0..3).filter(|&d| !has[d]) {
        of[direction] = of[first].clone();
    }
    let [read, write, trim] = of;
    let block = Bytes(pattern.min_bs(first));
    // Places that are aligned otherwise are no multiples of a block.
    let cut = align.is_none();
    Ok((block, BlockSizes { read, write, trim, align, cut }))
}

/// Of `bs_is_seq_rand`: the sizes of reads are those of operations in order, whatever they do, and
/// those of writes of random ones.
fn plan_sizes_by_order(options: &JobOptions) -> Result<(Bytes, BlockSizes), String> {
    let pattern = &options.pattern;
    let random = pattern.rw.operation.is_random();
    let partly = pattern.percentage_random.iter().any(|percent| (1..100).contains(percent));
    if random && partly {
        let conflict = "bs_is_seq_rand with percentage_random: the order does not change the size \
                        from one operation to the next here";
        return Err(conflict.to_owned());
    }
    let mut same = options.clone();
    let of = if random { WRITES } else { READS };
    same.pattern.bs_is_seq_rand = false;
    same.pattern.bs = [pattern.bs[of]; 3];
    same.pattern.bsrange = [pattern.bsrange[of]; 3];
    same.pattern.bssplit = std::array::from_fn(|_| pattern.bssplit[of].clone());
    plan_sizes(&same)
}

fn direction_sizes(options: &JobOptions, direction: usize) -> Result<Sizes, String> {
    let pattern = &options.pattern;
    let split = &pattern.bssplit[direction];
    if !split.is_empty() {
        let weight =
            |share: &BlockShare| Weight { size: Bytes(share.size), percent: share.percent };
        return Ok(Sizes::Weighted(split.iter().map(weight).collect()));
    }
    match pattern.bsrange[direction] {
        Some(range) if range.min < range.max && pattern.bs_unaligned => {
            Ok(Sizes::Any { least: Bytes(range.min), most: Bytes(range.max) })
        }
        Some(range) if range.min < range.max => {
            if !range.max.is_multiple_of(range.min) {
                let most = range.max / range.min * range.min;
                return Ok(Sizes::Range { least: Bytes(range.min), most: Bytes(most) });
            }
            Ok(Sizes::Range { least: Bytes(range.min), most: Bytes(range.max) })
        }
        Some(range) => Ok(Sizes::Fixed(Bytes(range.min))),
        None => Ok(Sizes::Fixed(Bytes(pattern.bs[direction]))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::pattern::{Operation, ReadWrite};
    use crate::options::sizes::SizeRange;

    fn options(operation: Operation, change: impl FnOnce(&mut JobOptions)) -> JobOptions {
        let mut options = JobOptions::default();
        options.pattern.rw = ReadWrite::new(operation);
        change(&mut options);
        options
    }

    #[test]
    fn sizes_may_follow_the_order_in_place_of_the_direction() {
        let check = |operation, expected: u64| {
            let options = options(operation, |o| {
                o.pattern.bs = [4096, 8192, 16384];
                o.pattern.bs_is_seq_rand = true;
            });
            assert_eq!(plan_sizes(&options), Ok((Bytes(expected), BlockSizes::default())));
        };
        check(Operation::Read, 4096);
        check(Operation::Write, 4096);
        check(Operation::Trim, 4096);
        check(Operation::RandRead, 8192);
        check(Operation::RandReadWrite, 8192);
        check(Operation::RandTrim, 8192);
        let mixed = options(Operation::RandRead, |o| {
            o.pattern.bs_is_seq_rand = true;
            o.pattern.percentage_random = [50; 3];
        });
        assert!(plan_sizes(&mixed).unwrap_err().contains("percentage_random"));
    }

    #[test]
    fn unaligned_sizes_are_any_in_their_range() {
        let of = |operation| {
            let options = options(operation, |o| {
                o.pattern.bsrange = [Some(SizeRange { min: 1024, max: 8192 }); 3];
                o.pattern.bs_unaligned = true;
            });
            plan_sizes(&options).unwrap()
        };
        let any = Sizes::Any { least: Bytes(1024), most: Bytes(8192) };
        let (block, random) = of(Operation::RandRead);
        assert_eq!((block, &random.read, random.align), (Bytes(1024), &any, None));
        let (_, ordered) = of(Operation::Read);
        assert_eq!((&ordered.read, ordered.align, ordered.cut), (&any, None, true));
    }
}
