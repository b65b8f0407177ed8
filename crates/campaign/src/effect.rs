//! What a disturbance took of the rates of a run, or did to it besides.

use record::{Cell, CellRole, Measured};
use workload::Pacing;

use crate::truth::{Levels, throttle_rate, writes};
use crate::world::{Disturbance, SimulatedWorld};

/// What takes less than this is not there.
pub(crate) const THERE_FROM: f64 = 0.02;
/// From this share of it on, a limit that the host shows holds back what is not even.
const NEAR_LIMIT: f64 = 0.8;
/// Times that the rate of most of a figure's time is above that of its slow part, from which a
/// cache of writes filled beyond doubt: chance alone is within it.
const FILLED_FROM: f64 = 1.5;
/// A read after a rest is slower beyond doubt where waking takes this many service times.
const WAKE_SEEN_FROM: f64 = 5.0;

/// The largest share of the rate of any cell that something took.
pub(crate) fn lost_share(world: &SimulatedWorld, cells: &[&Cell], levels: &[Levels]) -> f64 {
    let lost = |(cell, level): (&&Cell, &Levels)| match world.disturbance {
        Disturbance::Neighbour { .. } => {
            let there = if count_others(cell).0 > 0 { 1.0 } else { 0.0 };
            there * (1.0 - cell.iops() / level.undisturbed.iops)
        }
        Disturbance::Quota { .. } => {
            let throttle = cell.ledger.cpu_throttle.as_ref();
            let there = throttle.is_some_and(|throttle| throttle.throttled.0 > 0);
            if there { 1.0 - cell.iops() / level.undisturbed.iops } else { 0.0 }
        }
        Disturbance::WriteCache { .. } => 0.0,
        _ => 1.0 - level.mean() / level.undisturbed.iops,
    };
    cells.iter().zip(levels).map(lost).fold(0.0, f64::max)
}

/// The share of a rate that was gone once a cache was full.
pub(crate) fn find_cache_loss(world: &SimulatedWorld, levels: &[Levels]) -> f64 {
    if !matches!(world.disturbance, Disturbance::WriteCache { .. }) {
        return 0.0;
    }
    let rates = levels.iter().flat_map(|level| level.windows.iter().map(|(_, rate)| *rate));
    let rates = Vec::from_iter(rates);
    let at = |share| stats::quantile_of(&rates, share);
    let (slow, fast) = (at(0.1).unwrap_or(0.0), at(0.9).unwrap_or(0.0));
    if fast > FILLED_FROM * slow { 1.0 - slow / fast } else { 0.0 }
}

/// Requests of others while a cell ran, and their bytes.
fn count_others(cell: &Cell) -> (u64, u64) {
    let (ledger, layer) = (&cell.ledger, cell.ledger.layers.first());
    let requests = layer.map_or(0, |layer| layer.read_ops + layer.write_ops);
    let bytes = layer.map_or(0, |layer| layer.read_bytes.0 + layer.write_bytes.0);
    let own_bytes = ledger.read_bytes.0 + ledger.write_bytes.0;
    (requests.saturating_sub(ledger.read_ops + ledger.write_ops), bytes.saturating_sub(own_bytes))
}

/// What something took that no rate shows: the share of a cell in which this process was stopped,
/// the part of a read after a rest that is waking, operations that failed.
pub(crate) fn odd_effect(world: &SimulatedWorld, measured: &Measured) -> f64 {
    let is_written_before = |cell: &Cell| {
        let up_to = measured.cells.iter().filter(|other| other.started <= cell.started);
        up_to.map(|other| other.ledger.write_ops).any(|writes| writes > 0)
    };
    let of_cell = |cell: &Cell| match world.disturbance {
        Disturbance::Neighbour { .. } => {
            let ledger = &cell.ledger;
            let own =
                (ledger.read_ops + ledger.write_ops, ledger.read_bytes.0 + ledger.write_bytes.0);
            let others = count_others(cell);
            let is_there = |others: u64, own: u64| others as f64 > THERE_FROM * own.max(1) as f64;
            let is_seen = is_there(others.0, own.0) || is_there(others.1, own.1);
            if is_seen { 2.0 * THERE_FROM } else { 0.0 }
        }
        Disturbance::Quota { .. } => {
            let throttled = cell.ledger.cpu_throttle.as_ref().map_or(0, |t| t.throttled.0);
            let share = throttled as f64 / cell.ledger.elapsed.0.max(1) as f64;
            share.min(2.0 * THERE_FROM)
        }
        Disturbance::Stall { .. } | Disturbance::Freeze { .. } => {
            let drained = cell.drain_silence.map_or(0, |silence| silence.0);
            let end = cell.started.0 + cell.elapsed.0 + drained;
            let silent = world.silence_ns(cell.started.0, end, writes(&cell.job)) > 0;
            if silent { 2.0 * THERE_FROM } else { 0.0 }
        }
        Disturbance::Stop { .. } => {
            let end = cell.started.0 + cell.elapsed.0;
            let stops = world.stops();
            let stopped = stops.map_or(0, |stops| stops.stopped_ns(cell.started.0, end));
            let share = stopped as f64 / cell.elapsed.0.max(1) as f64;
            // Between single requests a stop changes nothing.
            let spaced = matches!(cell.job.pacing, Pacing::Spaced { .. });
            if spaced { share.min(2.0 * THERE_FROM) } else { share }
        }
        Disturbance::Sleep { after_ms, wake_ms } => match cell.job.pacing {
            // A read that waits until it wakes may leave too little of an interval to rest in.
            Pacing::Spaced { interval } if interval.0 > after_ms * 1_000_000 => {
                let (wake, service) = (wake_ms as f64 * 1e3, world.device.service_us as f64);
                let rests_always = interval.0 > (after_ms + wake_ms) * 1_000_000;
                let is_seen = rests_always && wake > WAKE_SEEN_FROM * service;
                if is_seen { 1.0 } else { 2.0 * THERE_FROM }
            }
            _ => 0.0,
        },
        Disturbance::Group { .. } => {
            let cap = world.throttle().map(|t| throttle_rate(world, &t, cell, cell.started.0));
            let is_near = cap.is_some_and(|cap| cell.iops() > NEAR_LIMIT * cap);
            if is_near { 2.0 * THERE_FROM } else { 0.0 }
        }
        Disturbance::Error { .. } if cell.error.is_some() => 1.0,
        Disturbance::Holes { .. } if cell.job.mix.reads() => 1.0,
        // What only writes has nothing of it.
        Disturbance::PageCache { .. } if cell.ledger.read_ops == 0 => 0.0,
        Disturbance::PageCache { .. } => {
            let served = cell.ledger.layers.first().map_or(0, |layer| layer.read_ops) as f64;
            1.0 - served / cell.ledger.read_ops.max(1) as f64
        }
        // A cache is there, and what it holds goes to the medium while others are measured.
        Disturbance::WriteCache { .. } if is_written_before(cell) => 2.0 * THERE_FROM,
        _ => 0.0,
    };
    // What was measured again is in no figure.
    let counts = |cell: &&Cell| !matches!(cell.role, CellRole::Disturbed | CellRole::Trial);
    measured.cells.iter().filter(counts).map(of_cell).fold(0.0, f64::max)
}
