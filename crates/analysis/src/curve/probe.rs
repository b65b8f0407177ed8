//! What one probe of a search says of its bounds.

use record::Cell;
use stats::Decision;
use stats::search::{ProbeResult, Verdict};
use workload::Bound;

use super::point::Load;
use super::stability::is_stable;

/// Minimum logarithm of statistic over limit of an unstable probe: a longer one would have measured
/// more.
const UNSTABLE_LOG_RATIO: f64 = 0.7;

/// What the cells of one probe say of each bound, at a level of the search's grid.
#[must_use]
pub fn judge_probe(cells: &[&Cell], bounds: &[Bound], level: usize) -> ProbeResult {
    let load = Load { cells: cells.to_vec(), jobs: cells.len() };
    let stable = cells.iter().all(|cell| is_stable(cell));
    let iops = load.iops_estimate();
    ProbeResult {
        level,
        iops: iops.value,
        iops_rel_error: iops.relative_half_width().map(|half| half / 1.96),
        verdicts: bounds.iter().map(|bound| judge_probe_bound(&load, bound, stable)).collect(),
    }
}

fn judge_probe_bound(load: &Load<'_>, bound: &Bound, stable: bool) -> Verdict {
    let statistic = load.statistic(bound.statistic);
    let log_ratio = statistic.map(|value| (value.0.max(1) as f64 / bound.limit.0 as f64).ln());
    if !stable {
        let log_ratio = Some(log_ratio.unwrap_or(UNSTABLE_LOG_RATIO).max(UNSTABLE_LOG_RATIO));
        return Verdict { decision: Decision::Fail, log_ratio, log_ratio_error: None };
    }
    Verdict {
        decision: load.decide_bound(bound),
        log_ratio,
        log_ratio_error: load.log_error(bound.statistic),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::OpenLoop;
    use units::Iops;
    use workload::{Arrivals, Pacing};

    /// A cell of an open loop of ten thousand operations: `back` completed, `held` were held.
    fn cell(back: u64, held: u64) -> Cell {
        let mut record = crate::testing::sample_record();
        let cell = crate::testing::cell_mut(&mut record, "randread-4k-qd16");
        let seconds = cell.elapsed.as_secs_f64();
        cell.job.pacing =
            Pacing::Open { rate: Iops(10_000.0 / seconds), arrivals: Arrivals::Poisson };
        let read = cell.totals.read.as_mut().unwrap();
        read.iops = back as f64 / seconds;
        let lag_ns = read.latency_ns.clone();
        let (started, unstarted, generator_late) = (10_000, 0, false);
        cell.open_loop = Some(OpenLoop { started, held, unstarted, lag_ns, generator_late });
        cell.clone()
    }

    #[test]
    fn an_open_loop_is_stable_while_what_arrives_comes_back() {
        let check = |back, held, stable| {
            assert_eq!(is_stable(&cell(back, held)), stable, "{back} {held}");
        };
        check(10_000, 0, true);
        check(9_950, 0, true);
        check(9_800, 0, false);
        check(10_000, 200, false);
    }

    #[test]
    fn an_unstable_probe_breaks_every_bound() {
        let bounds = ["p99<1s".parse().unwrap(), "mean<1s".parse().unwrap()];
        let verdicts = judge_probe(&[&cell(9_000, 0)], &bounds, 0).verdicts;
        assert!(verdicts.iter().all(|v| v.decision == Decision::Fail && v.log_ratio > Some(0.5)));
        let verdicts = judge_probe(&[&cell(10_000, 0)], &bounds, 0).verdicts;
        assert!(verdicts.iter().all(|v| v.decision == Decision::Pass), "{verdicts:?}");
    }
}
