//! The search over the rate of arrivals: an open loop.

use record::Cell;
use stats::search::{Limits, Next, Search};
use workload::Arrivals;

use super::probe::{Came, Load, Prober};
use crate::error::MethodError;
use crate::stage::Flow;

/// Depths at which the most of a closed loop is found first; rising no more ends them.
const DEPTHS: [u32; 6] = [1, 4, 16, 64, 256, 1024];
/// Finds the most that the target can do, and then the highest rate of arrivals within each bound.
pub(super) fn search(prober: &mut Prober<'_, '_>, arrivals: Arrivals) -> Result<(), MethodError> {
    if ramp(prober)? == Flow::End {
        return Ok(());
    }
    let Some(grid) = analysis::rate_grid(&prober.stage.cells) else { return Ok(()) };
    let mut search = Search::new(grid, prober.request.bounds.len(), Limits::for_rates());
    while let Next::Probe { level, value, length, .. } = search.ask() {
        match prober.probe(Load::Rate(value, arrivals), length)? {
            Came::Measured(cells) => search.learn(prober.said(&cells, level)),
            Came::End => return Ok(()),
        }
    }
    Ok(())
}

/// A closed loop, deeper until that gives no more.
fn ramp(prober: &mut Prober<'_, '_>) -> Result<Flow, MethodError> {
    let mut most = 0.0_f64;
    let deepest = prober.request.depth_max;
    let depths = DEPTHS.into_iter().filter(|&depth| depth < deepest).chain([deepest]);
    for depth in depths {
        let load = Load::Depth(depth);
        let came = if depth == 1 { prober.base(load)? } else { prober.probe(load, 1.0)? };
        let Came::Measured(cells) = came else { return Ok(Flow::End) };
        let iops: f64 = cells.iter().map(Cell::iops).sum();
        let risen = iops > most * analysis::RISE;
        most = most.max(iops);
        if !risen {
            break;
        }
    }
    Ok(Flow::GoOn)
}
