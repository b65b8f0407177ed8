//! How large operations are.

use units::Bytes;
use workload::{BlockSizes, Sizes, Weight};

use crate::options::blocks::BlockShare;
use crate::options::job::JobOptions;
use crate::options::parse::{PerDirection, READS, TRIMS, WRITES};

/// The job's block size, and what differs from it.
/// `length` bytes are the largest part of a file: as in fio, no block is larger, if it can be.
pub(super) fn plan_sizes(options: &JobOptions, length: u64) -> Result<(Bytes, BlockSizes), String> {
    let pattern = &options.pattern;
    if pattern.bs_is_seq_rand {
        return plan_sizes_by_order(options, length);
    }
    let operation = pattern.rw.operation;
    let has = operation.directions();
    let first = has.iter().position(|has| *has).unwrap_or(READS);
    let mut of: PerDirection<Sizes> =
        [READS, WRITES, TRIMS].map(|direction| direction_sizes(options, direction, length));
    if operation.trims() && operation.writes() {
        let is_mapped = operation.is_random() && !pattern.repeats_places();
        let smallest = (0..3).map(|direction| pattern.min_bs(direction)).min();
        let is_one_size = matches!(of[TRIMS], Sizes::Fixed(_)) && of[WRITES] == of[TRIMS];
        if !operation.is_random() && !is_one_size {
            // fio writes several blocks for one trim, or all after one.
            let conflict = "rw=trimwrite needs one block size, the same for writes and trims";
            return Err(conflict.to_owned());
        }
        if is_mapped && !options.run.time_based && smallest < Some(pattern.min_bs(TRIMS)) {
            // fio's map of places has the smallest block of all directions.
            let conflict = "rw=randtrimwrite needs trims of the smallest block of bs, or \
                            norandommap: fio ends before all places were trimmed";
            return Err(conflict.to_owned());
        }
        // A trim and the write after it are of one place and one size.
        of = [of[TRIMS].clone(), of[TRIMS].clone(), of[TRIMS].clone()];
    }
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
fn plan_sizes_by_order(options: &JobOptions, length: u64) -> Result<(Bytes, BlockSizes), String> {
    let pattern = &options.pattern;
    let random = pattern.rw.operation.is_random();
    let has = pattern.rw.operation.directions();
    let partly = (0..3).any(|d| has[d] && pattern.percentage_random[d] < 100);
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
    plan_sizes(&same, length)
}

fn direction_sizes(options: &JobOptions, direction: usize, length: u64) -> Sizes {
    let pattern = &options.pattern;
    let split = &pattern.bssplit[direction];
    if !split.is_empty() {
        let step = if pattern.bs_unaligned { 1 } else { pattern.min_bs(direction).max(1) };
        let mut weights = weigh_fitting(split, length);
        // As in fio, sizes are multiples of the smallest.
        weights.iter_mut().for_each(|weight| weight.size.0 -= weight.size.0 % step);
        return Sizes::Weighted(weights);
    }
    let Some(range) = pattern.bsrange[direction] else {
        return Sizes::Fixed(Bytes(pattern.bs[direction]));
    };
    let most = range.max.min(length);
    let (least, whole) = (Bytes(range.min), most / range.min.max(1) * range.min);
    match pattern.bs_unaligned {
        true if most > range.min => Sizes::Any { least, most: Bytes(most) },
        false if whole > range.min => Sizes::Range { least, most: Bytes(whole) },
        _ => Sizes::Fixed(least),
    }
}

/// The shares of the sizes of at most `length` bytes, 100 % together; of all if none fits.
fn weigh_fitting(split: &[BlockShare], length: u64) -> Vec<Weight> {
    let fits = |share: &&BlockShare| share.size <= length;
    let total: u32 = split.iter().filter(fits).map(|share| u32::from(share.percent)).sum();
    let weight = |share: &BlockShare| Weight { size: Bytes(share.size), percent: share.percent };
    if total == 0 || split.iter().all(|share| fits(&share)) {
        return split.iter().map(weight).collect();
    }
    let mut sum = 0;
    let share_up_to = |sum: u32| (sum * 100 / total) as u8;
    let scaled = split.iter().filter(fits).map(|share| {
        let before = share_up_to(sum);
        sum += u32::from(share.percent);
        Weight { size: Bytes(share.size), percent: share_up_to(sum) - before }
    });
    scaled.filter(|weight| weight.percent > 0).collect()
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
            assert_eq!(
                plan_sizes(&options, u64::MAX),
                Ok((Bytes(expected), BlockSizes::default()))
            );
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
        assert!(plan_sizes(&mixed, u64::MAX).unwrap_err().contains("percentage_random"));
    }

    #[test]
    fn no_size_is_larger_than_the_file_if_it_can_be() {
        let split = |shares: &[(u64, u8)], length: u64| {
            let share = |&(size, percent): &(u64, u8)| BlockShare { size, percent };
            let split: Vec<BlockShare> = shares.iter().map(share).collect();
            let weighed = weigh_fitting(&split, length);
            weighed.iter().map(|weight| (weight.size.0, weight.percent)).collect::<Vec<_>>()
        };
        let three = [(4096, 10), (8192, 20), (65_536, 70)];
        assert_eq!(split(&three, 1 << 20), three);
        assert_eq!(split(&three, 32_768), [(4096, 33), (8192, 67)]);
        assert_eq!(split(&three, 4096), [(4096, 100)]);
        assert_eq!(split(&three, 512), three, "none fits: the job is refused");
        let range = options(Operation::RandRead, |o| {
            o.pattern.bsrange = [Some(SizeRange { min: 4096, max: 65_536 }); 3];
        });
        let sizes = |length| plan_sizes(&range, length).unwrap();
        let (least, most) = (Bytes(4096), Bytes(28_672));
        assert_eq!(sizes(30_000).1.read, Sizes::Range { least, most });
        assert_eq!(sizes(5000), (least, BlockSizes::default()));
    }

    #[test]
    fn sizes_of_a_split_are_multiples_of_the_smallest() {
        let sizes = |bs_unaligned: bool| {
            let options = options(Operation::Write, |o| {
                o.pattern.bs_unaligned = bs_unaligned;
                let share = |size| BlockShare { size, percent: 50 };
                o.pattern.bssplit = std::array::from_fn(|_| vec![share(4096), share(11_264)]);
            });
            plan_sizes(&options, u64::MAX).unwrap().1.write
        };
        let weights = |second| {
            let weight = |size| Weight { size: Bytes(size), percent: 50 };
            Sizes::Weighted(vec![weight(4096), weight(second)])
        };
        assert_eq!((sizes(false), sizes(true)), (weights(8192), weights(11_264)));
    }

    #[test]
    fn writes_after_trims_have_their_size() {
        let plan = |operation, bs, norandommap| {
            let options = options(operation, |o| {
                o.pattern.bs = bs;
                o.pattern.random_places.norandommap = norandommap;
            });
            plan_sizes(&options, u64::MAX)
        };
        let (trims_larger, trims_smaller) = ([4096, 4096, 12_288], [4096, 8192, 4096]);
        let ordered = plan(Operation::TrimWrite, trims_larger, false);
        assert!(ordered.unwrap_err().contains("one block size"));
        let random = plan(Operation::RandTrimWrite, trims_larger, false);
        assert!(random.unwrap_err().contains("trims of the smallest block"));
        let of_trims = |bytes| Ok((Bytes(bytes), BlockSizes::default()));
        assert_eq!(plan(Operation::RandTrimWrite, trims_larger, true), of_trims(12_288));
        assert_eq!(plan(Operation::RandTrimWrite, trims_smaller, false), of_trims(4096));
    }

    #[test]
    fn unaligned_sizes_are_any_in_their_range() {
        let of = |operation| {
            let options = options(operation, |o| {
                o.pattern.bsrange = [Some(SizeRange { min: 1024, max: 8192 }); 3];
                o.pattern.bs_unaligned = true;
            });
            plan_sizes(&options, u64::MAX).unwrap()
        };
        let any = Sizes::Any { least: Bytes(1024), most: Bytes(8192) };
        let (block, random) = of(Operation::RandRead);
        assert_eq!((block, &random.read, random.align), (Bytes(1024), &any, None));
        let (_, ordered) = of(Operation::Read);
        assert_eq!((&ordered.read, ordered.align, ordered.cut), (&any, None, true));
    }
}
