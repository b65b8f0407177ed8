//! Rates of one load that contradict each other: the device changed its level within the run.
//! Probes before the change say nothing of the device after it, and are never averaged with it.

use record::{Cell, EarlierRate};
use units::{Iops, Nanos};

/// Repeats farther apart than this contradict each other: where ±25 % is the widest interval of a
/// figure, they cannot have one in common.
const CONTRADICTION_RATIO: f64 = 1.5;
/// Standard errors by chance that two rates of counted operations must lie apart besides.
const CHANCE_ERRORS: f64 = 4.0;

pub(super) type Probe<'a> = Vec<&'a Cell>;

/// What repeats of the same load say of the whole run.
#[derive(Debug, Default, PartialEq)]
pub(super) struct LevelChange {
    /// Probes that started before this are of an earlier level.
    pub(super) at: Nanos,
    pub(super) earlier: Option<EarlierRate>,
    /// The least and the most of a rate that went to and fro.
    pub(super) alternates: Option<(Iops, Iops)>,
}

impl LevelChange {
    /// Of the probes of each load, in the order of time.
    pub(super) fn find<'p, 'a: 'p>(loads: impl Iterator<Item = Vec<&'p Probe<'a>>>) -> Self {
        let mut change = Self::default();
        let mut starts = Vec::new();
        for probes in loads {
            let levels = split_levels(&probes);
            let [.., before, newest] = levels.as_slice() else { continue };
            change.alternates = change.alternates.or(find_return(&levels));
            starts.push(newest.first_start());
            let until = before.last_end();
            if change.earlier.is_none_or(|earlier| until > earlier.until) {
                change.earlier = Some(EarlierRate { iops: Iops(before.most()), until });
            }
        }
        // Loads that were repeated in between know of earlier changes only.
        let until = change.earlier.map_or(Nanos::ZERO, |earlier| earlier.until);
        change.at = starts.into_iter().filter(|start| *start >= until).min().unwrap_or_default();
        change
    }
}

/// Consecutive probes at one level.
struct Level<'p, 'a>(Vec<&'p Probe<'a>>);

impl Level<'_, '_> {
    fn most(&self) -> f64 {
        self.0.iter().map(|probe| probe_rate(probe)).fold(0.0, f64::max)
    }

    fn first_start(&self) -> Nanos {
        self.0.first().map_or(Nanos::ZERO, |probe| probe[0].started)
    }

    fn last_end(&self) -> Nanos {
        let last = self.0.last().map(|probe| probe[0]);
        last.map_or(Nanos::ZERO, |cell| Nanos(cell.started.0.saturating_add(cell.elapsed.0)))
    }
}

pub(super) fn probe_depth(probe: &[&Cell]) -> u64 {
    probe.iter().map(|cell| u64::from(cell.job.depth.0)).sum()
}

pub(super) fn probe_rate(probe: &[&Cell]) -> f64 {
    probe.iter().map(|cell| cell.iops()).sum()
}

pub(super) fn contradict(a: &[&Cell], b: &[&Cell]) -> bool {
    let count = |probe: &[&Cell]| (probe_rate(probe) * probe[0].elapsed.as_secs_f64()).max(1.0);
    let apart = (probe_rate(a).max(1e-9) / probe_rate(b).max(1e-9)).ln().abs();
    let by_chance = (count(a).recip() + count(b).recip()).sqrt();
    apart > CONTRADICTION_RATIO.ln() && apart > CHANCE_ERRORS * by_chance
}

fn split_levels<'p, 'a>(probes: &[&'p Probe<'a>]) -> Vec<Level<'p, 'a>> {
    let mut levels: Vec<Level<'p, 'a>> = Vec::new();
    for probe in probes {
        match levels.last_mut().filter(|level| !level.0.iter().any(|one| contradict(one, probe))) {
            Some(level) => level.0.push(probe),
            None => levels.push(Level(vec![probe])),
        }
    }
    levels
}

/// The least and the most, where a level came back after another.
fn find_return(levels: &[Level<'_, '_>]) -> Option<(Iops, Iops)> {
    let again = |(place, level): (usize, &Level<'_, '_>)| {
        let earlier = &levels[..place.saturating_sub(1)];
        earlier.iter().any(|other| !contradict(other.0[0], level.0[0]))
    };
    let rates = || levels.iter().flat_map(|level| &level.0).map(|probe| probe_rate(probe));
    levels
        .iter()
        .enumerate()
        .any(again)
        .then(|| (Iops(rates().fold(f64::MAX, f64::min)), Iops(rates().fold(0.0, f64::max))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};

    /// A second of depth 16 at these rates, every 2 s.
    fn change_of(rates: &[f64]) -> LevelChange {
        let mut record = sample_record();
        let cell = cell_mut(&mut record, "randread-4k-qd16").clone();
        let cells: Vec<Cell> = rates
            .iter()
            .zip(0..)
            .map(|(rate, place)| {
                let mut cell = cell.clone();
                (cell.started, cell.elapsed) = (Nanos::secs(2 * place), Nanos::secs(1));
                cell.totals.read.as_mut().unwrap().iops = *rate;
                cell
            })
            .collect();
        let probes: Vec<Probe<'_>> = cells.iter().map(|cell| vec![cell]).collect();
        LevelChange::find([probes.iter().collect()].into_iter())
    }

    #[test]
    fn levels_are_told_apart_and_only_the_newest_is_kept() {
        let check = |rates: &[f64], at, earlier: Option<(f64, u64)>| {
            let change = change_of(rates);
            assert_eq!(change.at, Nanos::secs(at), "{rates:?}");
            let seen = change.earlier.map(|e| (e.iops.0, e.until.0 / 1_000_000_000));
            assert_eq!((seen, change.alternates), (earlier, None), "{rates:?}");
        };
        check(&[9013.0, 8664.0, 9000.0], 0, None);
        check(&[9013.0, 8664.0, 1300.0], 4, Some((9013.0, 3)));
        check(&[9000.0, 4000.0, 1300.0, 1290.0], 4, Some((4000.0, 3)));
        // Ten operations and twenty are no two levels.
        check(&[10.0, 20.0], 0, None);
        check(&[], 0, None);
    }

    #[test]
    fn a_rate_that_comes_back_has_no_level() {
        let alternates = |rates: &[f64]| change_of(rates).alternates.map(|(a, b)| (a.0, b.0));
        assert_eq!(alternates(&[8000.0, 2000.0, 7900.0]), Some((2000.0, 8000.0)));
        assert_eq!(alternates(&[8000.0, 2000.0, 2100.0]), None);
        assert_eq!(alternates(&[8000.0, 4000.0, 2000.0, 3900.0]), Some((2000.0, 8000.0)));
    }
}
