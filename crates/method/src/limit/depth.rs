//! The search over depth: a closed loop.

use record::{Cell, CellRole};
use stats::search::{Answer, Grid, NextStep, ProbePurpose, Search, SearchLimits};
use units::{Bytes, Nanos};

use super::confirm::{CONFIRM_TIME_MIN, confirm_answers, find_capped_depth};
use super::probe::{ProbeLoad, Prober};
use crate::error::HaltResult;

/// A worker this busy is not waiting for the disk.
const BUSY_SHARE: f64 = 0.9;
/// How much larger the operations of the contrast are: a cap on operations does not see it.
const CONTRAST_FACTOR: u64 = 2;
/// How long it is looked for a cap at each of two depths: a device's own most wavers within this.
const CAP_PROBE_TIME: Nanos = Nanos::secs(2);

/// Searches every bound, with more workers where one is not enough, and looks for a cap where more
/// depth gives no more.
pub(super) fn search_depths(prober: &mut Prober<'_, '_>) -> HaltResult {
    let grid = analysis::depth_grid(&prober.request.plan);
    loop {
        let search = run_one_search(prober, &grid)?;
        let answers: Vec<&Answer> =
            (0..prober.request.bounds.len()).filter_map(|bound| search.answer(bound)).collect();
        let saturated = answers.iter().filter_map(|answer| saturation_depth(answer)).min();
        if let Some(depth) = saturated {
            if add_workers(prober, depth)? {
                continue;
            }
            probe_for_cap(prober, depth)?;
        }
        let to_load = |depth: f64| ProbeLoad::Depth(depth as u32);
        return confirm_answers(prober, &grid, &search, SearchLimits::for_depths(), to_load);
    }
}

fn run_one_search(prober: &mut Prober<'_, '_>, grid: &Grid) -> HaltResult<Search> {
    let bounds = prober.request.bounds.len();
    let mut search = Search::new(grid.clone(), bounds, SearchLimits::for_depths());
    let mut first = prober.workers == 1;
    while let NextStep::Probe { level, value, length, why } = search.next_step() {
        let load = ProbeLoad::Depth(value as u32);
        let cells = match why {
            _ if std::mem::take(&mut first) => prober.probe_base_load(load)?,
            ProbePurpose::Confirm => prober.probe_for_time(load, CONFIRM_TIME_MIN)?,
            _ => prober.run_probe(load, length)?,
        };
        search.add_probe(prober.summarize_cells(&cells, level));
        if find_capped_depth(prober).is_some() {
            break;
        }
    }
    Ok(search)
}

/// The depth of an answer that no deeper queue exceeds by much, whatever ended the search.
fn saturation_depth(answer: &Answer) -> Option<u32> {
    let (depth, iops) = (answer.value?, answer.iops?);
    let more = answer
        .tried
        .iter()
        .any(|tried| tried.value > depth && tried.iops > iops * analysis::RISE_MIN);
    (!more).then_some(depth as u32)
}

/// Adds workers where those that there are had no processor time left, another processor is there,
/// and they do bring more; whether it did.
fn add_workers(prober: &mut Prober<'_, '_>, depth: u32) -> HaltResult<bool> {
    let processors = prober.session.site.processors();
    let more = (prober.workers * 2).min(processors).min(depth);
    let own = |cell: &&Cell| cell.job.workers == prober.workers && cell.backend != "simulated";
    let own: Vec<&Cell> = prober.session.cells.iter().filter(own).collect();
    let busiest = own.iter().map(|cell| busy_share(cell)).fold(0.0, f64::max);
    let most = own.iter().map(|cell| cell.iops()).fold(0.0, f64::max);
    if busiest < BUSY_SHARE || more <= prober.workers {
        return Ok(false);
    }
    let cells = prober.probe_with_workers(ProbeLoad::Depth(depth), more)?;
    if cells.iter().map(Cell::iops).sum::<f64>() < most * analysis::RISE_MIN {
        return Ok(false);
    }
    prober.workers = more;
    Ok(true)
}

fn busy_share(cell: &Cell) -> f64 {
    let used = (cell.cpu.user.0 + cell.cpu.system.0) as f64;
    used / (cell.elapsed.0.max(1) as f64 * f64::from(cell.cpu.threads.max(1)))
}

/// Measures long enough to see whether the most wavers, at the depth of saturation and at twice
/// that, and once with larger operations: a cap on operations shows in that they do not become
/// fewer.
fn probe_for_cap(prober: &mut Prober<'_, '_>, depth: u32) -> HaltResult {
    for depth in [depth, (depth * 2).min(prober.request.plan.depth_max)] {
        prober.probe_for_time(ProbeLoad::Depth(depth), CAP_PROBE_TIME)?;
    }
    let [part] = prober.request.plan.parts.as_slice() else { return Ok(()) };
    let size = Bytes(part.block_size.0.saturating_mul(CONTRAST_FACTOR));
    if size.0.saturating_mul(4) > prober.session.facts.span.length.0 {
        return Ok(());
    }
    prober.measure_probe(ProbeLoad::Depth(depth), 1.0, CellRole::Contrast, Some(size)).map(drop)
}
