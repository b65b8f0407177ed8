//! The ladder of depths: up to saturation or the bound, then finer in between.

use analysis::judge_point;
use record::Cell;
use workload::Bound;

/// A rise of less than 3 % per step is none; twice in a row means saturated.
const RISE: f64 = 1.03;

/// Decides which depth is measured next.
#[derive(Debug)]
pub(crate) struct Ladder {
    bound: Bound,
    rungs: Vec<u32>,
    refine: u32,
    /// Measured: depth, IOPS, whether the bound is kept.
    points: Vec<(u32, f64, Option<bool>)>,
}

impl Ladder {
    /// Over `rungs`, ascending, after a first point at depth 1.
    pub(crate) fn new(bound: Bound, rungs: Vec<u32>, refine: u32, first: &Cell) -> Self {
        let mut ladder = Self { bound, rungs, refine, points: Vec::new() };
        ladder.add(first);
        ladder
    }

    /// Takes in a measured cell.
    pub(crate) fn add(&mut self, cell: &Cell) {
        let within = judge_point(cell, &self.bound).within;
        self.points.push((cell.job.depth.0, cell.iops(), within));
    }

    /// The next depth; `None` at the end.
    pub(crate) fn next(&mut self) -> Option<u32> {
        let (deepest, _, within) = *self.points.iter().max_by_key(|p| p.0)?;
        if within != Some(false) && !self.saturated() {
            return self.rungs.iter().copied().find(|rung| *rung > deepest);
        }
        if self.refine == 0 {
            return None;
        }
        self.refine -= 1;
        self.between()
    }

    /// The last two steps gave nothing.
    fn saturated(&self) -> bool {
        match self.points.as_slice() {
            [.., a, b, c] => b.1 < a.1 * RISE && c.1 < b.1 * RISE,
            _ => false,
        }
    }

    /// The geometric middle between the deepest point within the bound and the shallowest above
    /// it; `None` when there is none, or nothing between.
    fn between(&self) -> Option<u32> {
        let above = self.points.iter().filter(|p| p.2 == Some(false)).map(|p| p.0).min()?;
        let below =
            self.points.iter().filter(|p| p.2 != Some(false) && p.0 < above).map(|p| p.0).max()?;
        let middle = (f64::from(below) * f64::from(above)).sqrt().round() as u32;
        (middle > below && middle < above).then_some(middle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Climbs against a made-up disk: IOPS and whether the bound is kept, by depth.
    fn climb(disk: impl Fn(u32) -> (f64, bool), refine: u32) -> Vec<u32> {
        let bound = "p99<10ms".parse().unwrap();
        let rungs = (1..=8).map(|i| 1 << i).collect();
        let mut ladder = Ladder { bound, rungs, refine, points: Vec::new() };
        let add = |ladder: &mut Ladder, depth: u32| {
            let (iops, within) = disk(depth);
            ladder.points.push((depth, iops, Some(within)));
        };
        add(&mut ladder, 1);
        let mut depths = vec![1];
        while let Some(depth) = ladder.next() {
            add(&mut ladder, depth);
            depths.push(depth);
        }
        depths
    }

    #[test]
    fn ends_at_saturation() {
        let disk = |depth: u32| (f64::from(depth.min(16)) * 1000.0, true);
        assert_eq!(climb(disk, 2), [1, 2, 4, 8, 16, 32, 64]);
    }

    #[test]
    fn refines_between_kept_and_broken() {
        let disk = |depth: u32| (f64::from(depth) * 100.0, depth <= 20);
        assert_eq!(climb(disk, 2), [1, 2, 4, 8, 16, 32, 23, 19]);
        assert_eq!(climb(disk, 0), [1, 2, 4, 8, 16, 32]);
    }

    #[test]
    fn ends_at_once_when_even_depth_1_breaks_the_bound() {
        assert_eq!(climb(|_| (100.0, false), 3), [1]);
    }

    #[test]
    fn goes_to_the_top_of_a_disk_that_keeps_rising() {
        let disk = |depth: u32| (f64::from(depth), true);
        assert_eq!(climb(disk, 2).last(), Some(&256));
    }
}
