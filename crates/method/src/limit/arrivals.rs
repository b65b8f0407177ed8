//! The search over the rate of arrivals: an open loop.

use record::Cell;
use stats::search::{NextStep, Search, SearchLimits};
use workload::Arrivals;

use super::confirm::confirm_answers;
use super::probe::{ProbeLoad, Prober};
use crate::error::HaltResult;

/// Depths at which the most of a closed loop is found first; rising no more ends them.
const DEPTHS: [u32; 6] = [1, 4, 16, 64, 256, 1024];

pub(super) fn search_rates(prober: &mut Prober<'_, '_>, arrivals: Arrivals) -> HaltResult {
    ramp_depth(prober)?;
    let Some(grid) = analysis::rate_grid(&prober.session.cells) else { return Ok(()) };
    let limits = SearchLimits::for_rates();
    let mut search = Search::new(grid.clone(), prober.request.bounds.len(), limits);
    while let NextStep::Probe { level, value, length, .. } = search.next_step() {
        let cells = prober.run_probe(ProbeLoad::Rate(value, arrivals), length)?;
        search.add_probe(prober.summarize_cells(&cells, level));
    }
    let to_load = |rate| ProbeLoad::Rate(rate, arrivals);
    confirm_answers(prober, &grid, &search, limits, to_load)
}

fn ramp_depth(prober: &mut Prober<'_, '_>) -> HaltResult {
    let mut most = 0.0_f64;
    let deepest = prober.request.plan.depth_max;
    let depths = DEPTHS.into_iter().filter(|&depth| depth < deepest).chain([deepest]);
    for depth in depths {
        let load = ProbeLoad::Depth(depth);
        let cells =
            if depth == 1 { prober.probe_base_load(load)? } else { prober.run_probe(load, 1.0)? };
        let iops: f64 = cells.iter().map(Cell::iops).sum();
        let risen = iops > most * analysis::RISE_MIN;
        most = most.max(iops);
        if !risen {
            break;
        }
    }
    Ok(())
}
