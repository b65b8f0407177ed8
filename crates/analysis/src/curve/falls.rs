//! Falls of the rate between loads that were measured once each: a search rarely repeats one.

use super::levels::{Probe, contradict, probe_depth, probe_rate};

/// Pairs of a probe and the one before it that it contradicts, in the order of time: both a smaller
/// and a larger load gave far more before. A queue that is too deep for the device is below smaller
/// loads only.
pub(super) fn find_falls<'p, 'a>(probes: &[&'p Probe<'a>]) -> Vec<Vec<&'p Probe<'a>>> {
    let fall = |(place, probe): (usize, &&'p Probe<'a>)| {
        let depth = probe_depth(probe);
        let earlier = &probes[..place];
        let below = earlier.iter().filter(|one| probe_depth(one) < depth);
        let above = earlier.iter().filter(|one| probe_depth(one) > depth);
        let nearest =
            [below.max_by_key(|one| probe_depth(one))?, above.min_by_key(|one| probe_depth(one))?];
        let is_above =
            |one: &&Probe<'a>| probe_rate(one) > probe_rate(probe) && contradict(one, probe);
        let last = nearest.into_iter().max_by_key(|one| one[0].started)?;
        nearest.iter().all(|one| is_above(one)).then(|| vec![*last, *probe])
    };
    probes.iter().enumerate().filter_map(fall).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};
    use record::Cell;
    use units::{Depth, Nanos};

    fn falls_of(rates: &[(u32, f64)]) -> Vec<(u32, u32)> {
        let mut record = sample_record();
        let cell = cell_mut(&mut record, "randread-4k-qd16").clone();
        let probe = |(place, (depth, rate)): (usize, &(u32, f64))| {
            let mut cell: Cell = cell.clone();
            cell.job.depth = Depth(*depth);
            (cell.started, cell.elapsed) = (Nanos::secs(2 * place as u64), Nanos::secs(1));
            cell.totals.read.as_mut().unwrap().iops = *rate;
            cell
        };
        let cells: Vec<Cell> = rates.iter().enumerate().map(probe).collect();
        let probes: Vec<Probe<'_>> = cells.iter().map(|cell| vec![cell]).collect();
        let pair = |pair: &Vec<&Probe<'_>>| (pair[0][0].job.depth.0, pair[1][0].job.depth.0);
        find_falls(&Vec::from_iter(&probes)).iter().map(pair).collect()
    }

    #[test]
    fn a_rate_below_that_of_a_smaller_and_a_larger_load_has_fallen() {
        // Credits that end within a search: each load was measured once.
        let search = [(1, 419.0), (16, 3069.0), (64, 4164.0), (32, 3606.0), (18, 458.0)];
        assert_eq!(falls_of(&search), [(32, 18)]);
        assert_eq!(falls_of(&[&search[..], &[(24, 460.0)]].concat()), [(32, 18)]);
        // A queue that is too deep.
        assert_eq!(falls_of(&[(1, 400.0), (8, 3000.0), (32, 900.0), (16, 1900.0)]), []);
        // The highest load first, and less load gives less.
        assert_eq!(falls_of(&[(64, 4000.0), (1, 400.0), (8, 2000.0), (32, 3500.0)]), []);
    }
}
