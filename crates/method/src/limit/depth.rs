//! The search over depth: a closed loop.

use stats::search::{EndedBy, Grid, Limits, Next, Search};
use units::Bytes;

use super::probe::{Came, Load, Prober};
use crate::error::MethodError;

/// A worker this busy is not waiting for the disk.
const BUSY: f64 = 0.9;
/// How much larger the operations of the contrast are: a cap on operations does not see it.
const CONTRAST: u64 = 2;

/// Searches every bound, with more workers where one is not enough.
pub(super) fn search(prober: &mut Prober<'_, '_>) -> Result<(), MethodError> {
    let grid = analysis::depth_grid(&super::limit_plan(prober.request));
    loop {
        let Some(search) = one_search(prober, &grid)? else { return Ok(()) };
        let saturated = saturated_at(&search, prober.request.bounds.len());
        let Some(depth) = saturated else { return Ok(()) };
        if !more_workers(prober) {
            return contrast(prober, depth);
        }
    }
}

/// Leads one search to its end; `None` when the run ended before.
fn one_search(prober: &mut Prober<'_, '_>, grid: &Grid) -> Result<Option<Search>, MethodError> {
    let bounds = prober.request.bounds.len();
    let mut search = Search::new(grid.clone(), bounds, Limits::for_depths());
    let mut first = prober.workers == 1;
    while let Next::Probe { level, value, length, .. } = search.ask() {
        let load = Load::Depth(value as u32);
        let came = if first { prober.base(load)? } else { prober.probe(load, length)? };
        first = false;
        match came {
            Came::Measured(cells) => search.learn(prober.said(&cells, level)),
            Came::End => return Ok(None),
        }
    }
    Ok(Some(search))
}

/// The depth of an answer that more depth did not raise, although its bound would have held.
fn saturated_at(search: &Search, bounds: usize) -> Option<u32> {
    (0..bounds)
        .filter_map(|bound| search.answer(bound))
        .find(|answer| matches!(answer.ended_by, EndedBy::Saturation))
        .and_then(|answer| answer.value)
        .map(|depth| depth as u32)
}

/// Adds a worker where those that there are had no processor time left, and there is another
/// processor; whether it did.
fn more_workers(prober: &mut Prober<'_, '_>) -> bool {
    let processors = std::thread::available_parallelism().map_or(1, usize::from) as u32;
    let busiest = prober
        .stage
        .cells
        .iter()
        .filter(|cell| cell.job.workers == prober.workers && cell.backend != "simulated")
        .map(|cell| {
            let used = (cell.cpu.user.0 + cell.cpu.system.0) as f64;
            used / (cell.elapsed.0.max(1) as f64 * f64::from(cell.cpu.threads.max(1)))
        })
        .fold(0.0, f64::max);
    if busiest < BUSY || prober.workers >= processors {
        return false;
    }
    prober.workers += 1;
    true
}

/// Measures once with larger operations at the depth of saturation: a cap on operations per
/// second shows in that they do not become fewer.
fn contrast(prober: &mut Prober<'_, '_>, depth: u32) -> Result<(), MethodError> {
    let [part] = prober.request.parts.as_slice() else { return Ok(()) };
    let size = Bytes(part.block_size.0 * CONTRAST);
    if size.0 * 4 > prober.stage.span.length.0 {
        return Ok(());
    }
    prober.contrast(Load::Depth(depth), size).map(|_| ())
}
