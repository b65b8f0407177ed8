//! Does a platter turn and an arm move? A read takes its seek, which grows with the root of the
//! distance, and an even share of one turn (Ruemmler and Wilkes, IEEE Computer 27(3), 1994). The
//! law must be much likelier than log-normals for all random reads at depth 1. Reads towards the
//! start wait for nearly a whole turn each (Talagala et al., UCB/CSD-99-1063, 2000) and give it
//! precisely.

use message::{Message, messages};
use record::{
    Cell, CellRole, Judgement, Measured, Rotation, StretchPoint, TargetInfo, TargetKind, Trial,
};
use stats::{Estimate, SeekFit, SeekSample, fit_seek};
use units::{Bytes, Nanos};
use workload::{Access, Mix, Pacing};

use crate::lists::find_or_push;
use crate::words::show_estimate;

/// Mean of random reads, one at a time: a 15k disk takes 2 ms to turn half; half of that leaves
/// room for hits in its cache.
pub(crate) const SLOW_READ_MIN: Nanos = Nanos::millis(1);
/// The fastest disks turn half in 2 ms, and even their shortest seeks take half a millisecond.
const ARM_READ_MIN: Nanos = Nanos::micros(2_500);
/// Of a physical disk that calls itself rotational: its cache may answer most of a small span.
const CLAIMED_SLOW_READ_MIN: Nanos = Nanos::micros(300);
/// Speeds at which disks turn, 3600 to 15000, with a tenth to spare.
const RPM_RANGE: (f64, f64) = (3_240.0, 16_500.0);
/// The law must be `e^10` times likelier than log-normals of their own for each part.
const GAIN_MIN: f64 = 10.0;
/// The interval of the speed must not be wider than this to either side.
const RPM_WIDTH_MAX: f64 = 0.10;
/// The seek times are reported only where reads reached over this share of the device ...
const REACH_MIN: f64 = 0.25;
/// ... and its interval is no wider than this to either side.
const SEEK_WIDTH_MAX: f64 = 0.35;
/// Width of the middle half of the reads towards the start that take the same turn ...
const EVEN_WITHIN: f64 = 0.08;
/// ... of at least this number.
const BACKWARD_READS_MIN: u64 = 8;
/// Minimum deviation of the turn's logarithm that they leave: a bucket, and the rate.
const TURN_WIDTH_MIN: f64 = 0.005;
/// The turns by the two ways agree within this, in the logarithm.
const TURNS_AGREE_WITHIN: f64 = 0.12;
/// Blurred more than this, the edges may be anything's.
const BLUR_MAX: f64 = 0.09;

/// Whether the device may be a rotating disk by its random reads, one at a time. A virtual disk's
/// claim to rotate does not count.
pub fn may_rotate(cells: &[Cell], target: Option<&TargetInfo>) -> bool {
    let claims = target.is_some_and(|target| {
        let physical = |transport: &str| !matches!(transport, "virtio" | "xen");
        target.bottom_devices().iter().any(|layer| {
            layer.rotational == Some(true) && layer.transport.as_deref().is_some_and(physical)
        })
    });
    let least = if claims { CLAIMED_SLOW_READ_MIN } else { SLOW_READ_MIN };
    mean_read_latency_ns(cells).is_some_and(|mean_ns| mean_ns >= least.0 as f64)
}

/// Whether it may rotate, and its reads are as slow as those of an arm: no volume over a network.
pub fn is_slow_as_arm(cells: &[Cell], target: Option<&TargetInfo>) -> bool {
    may_rotate(cells, target)
        && mean_read_latency_ns(cells).is_some_and(|ns| ns >= ARM_READ_MIN.0 as f64)
}

pub(crate) fn mean_read_latency_ns(cells: &[Cell]) -> Option<f64> {
    let mut main = cells.iter().filter(|cell| cell.role == CellRole::Main);
    let cell = main.find(|cell| is_lone_random_read(cell))?;
    Some(cell.totals.read.as_ref()?.latency_ns.mean)
}

pub(crate) fn whole_size(target: &TargetInfo) -> Bytes {
    let single = match target.bottom_devices().as_slice() {
        [disk] => Some(disk.size),
        _ => target.top_device().map(|layer| layer.size),
    };
    single.filter(|size| size.0 > 0).unwrap_or(target.size).max(target.size)
}

pub(crate) fn find_rotation(measured: &Measured) -> Option<Rotation> {
    let target = measured.target()?;
    if !may_rotate(&measured.cells, Some(target)) {
        return None;
    }
    let size = whole_size(target);
    let stretches = group_stretches(&measured.cells, size);
    let spread = fit_seek(&stretches, None)?;
    let known = backward_turn(&measured.cells).filter(|turn| is_same_turn(&spread, turn.0));
    let fit = known.and_then(|turn| fit_seek(&stretches, Some(turn))).unwrap_or(spread);
    if !is_disk_speed(&fit) {
        return None;
    }
    let at_known_places = target.kind == TargetKind::BlockDevice;
    let reach = stretches.iter().map(|s| s.share).fold(0.0, f64::max);
    let moves = fit.slope.low.is_some_and(|low| low > 0.0);
    let narrow = fit.mean_seek.relative_half_width().is_some_and(|width| width < SEEK_WIDTH_MAX);
    let told = at_known_places && reach >= REACH_MIN && moves && narrow;
    Some(Rotation {
        rpm: turn_to_rpm(&fit.rotation),
        average_seek_ns: told.then(|| fit.mean_seek.clone()),
        nearest_seek_ns: fit.overhead,
        slope_ns: fit.slope.value,
        size,
        gain: fit.gain,
        points: stretches.iter().map(|stretch| stretch_point(stretch, &fit)).collect(),
    })
}

fn is_disk_speed(fit: &SeekFit) -> bool {
    let speed = 60e9 / fit.rotation.value;
    let sure = fit.rotation.relative_half_width().is_some_and(|width| width < RPM_WIDTH_MAX);
    let clear = fit.gain >= GAIN_MIN && fit.blur < BLUR_MAX;
    (RPM_RANGE.0..=RPM_RANGE.1).contains(&speed) && sure && clear
}

fn is_same_turn(spread: &SeekFit, turn_ns: f64) -> bool {
    (turn_ns / spread.rotation.value).ln().abs() < TURNS_AGREE_WITHIN
}

/// The turn in nanoseconds that reads towards the start wait for, and the deviation of its
/// logarithm.
fn backward_turn(cells: &[Cell]) -> Option<(f64, f64)> {
    let backward = |cell: &&Cell| cell.job.access == Access::Backward && is_first_visit(cell);
    let cell = cells.iter().find(backward)?;
    let histogram = cell.totals.read.as_ref()?.latency_ns.histogram.to_histogram().ok()?;
    let at = |quantile: f64| histogram.quantile(quantile).map(|ns| ns as f64);
    let (low, middle, high) = (at(0.25)?, at(0.5)?, at(0.75)?);
    let n = histogram.count();
    if n < BACKWARD_READS_MIN || (high - low) / middle > EVEN_WITHIN {
        return None;
    }
    // From the end of a block to the start of the one before it lacks two blocks of a turn; the
    // transfer gives one of them back. The rate is that of streaming at the start of the span.
    let streams = cells.iter().filter(|c| c.role == CellRole::Main && c.job.mix == Mix::Read);
    let rate = streams.filter(|c| c.job.access == Access::Sequential).map(Cell::bytes_per_second);
    let block_ns = cell.job.block_size.0 as f64 * 1e9 / rate.reduce(f64::max)?.max(1.0);
    // A quarter of a normal is 0.67 deviations away; a median scatters by 1.25 of them.
    let width = 1.25 * (high - low) / middle / 1.35 / (n as f64).sqrt();
    Some((middle + block_ns, width.max(TURN_WIDTH_MIN)))
}

fn turn_to_rpm(turn: &Estimate) -> Estimate {
    let rpm = turn.clone().map(|turn_ns| 60e9 / turn_ns);
    // A longer turn is a slower disk.
    Estimate { low: rpm.high, high: rpm.low, ..rpm }
}

fn stretch_point(stretch: &SeekSample, fit: &SeekFit) -> StretchPoint {
    let n: f64 = stretch.waits.iter().map(|wait| wait.1).sum();
    let sum: f64 = stretch.waits.iter().map(|wait| wait.0 * wait.1).sum();
    let share = stretch.share;
    StretchPoint { share, n: n as u64, mean_ns: sum / n, law_ns: fit.mean_wait(share) }
}

fn group_stretches(cells: &[Cell], size: Bytes) -> Vec<SeekSample> {
    let mut stretches: Vec<SeekSample> = Vec::new();
    for cell in cells.iter().filter(|cell| is_lone_random_read(cell) && is_first_visit(cell)) {
        let Some(read) = &cell.totals.read else { continue };
        let Ok(histogram) = read.latency_ns.histogram.to_histogram() else { continue };
        let share = (cell.job.span.length.0 as f64 / size.0.max(1) as f64).min(1.0);
        let middle = |(start, end, count): (u64, u64, u64)| {
            (f64::midpoint(start as f64, end as f64), count as f64)
        };
        let waits = histogram.buckets().filter(|bucket| bucket.2 > 0).map(middle);
        let same = |stretch: &SeekSample| (stretch.share / share - 1.0).abs() < 1e-6;
        let none = || SeekSample { share, waits: Vec::new() };
        find_or_push(&mut stretches, same, none).waits.extend(waits);
    }
    stretches.sort_by(|a, b| a.share.total_cmp(&b.share));
    stretches
}

fn is_lone_random_read(cell: &Cell) -> bool {
    let job = &cell.job;
    let random = job.access == Access::Random && job.mix == Mix::Read && job.sync.is_none();
    random && job.depth.0 == 1 && job.pacing == Pacing::Closed && cell.beside.is_none()
}

/// Whether a cell read places of its own: not again where a cache has them.
fn is_first_visit(cell: &Cell) -> bool {
    match cell.role {
        CellRole::Main | CellRole::Repeat | CellRole::Probe => true,
        CellRole::Trial => matches!(cell.trial, Some(Trial::Stretch { .. } | Trial::Access { .. })),
        _ => false,
    }
}

pub(crate) fn describe_rotation(judgement: &Judgement) -> Vec<Message> {
    let Some(found) = &judgement.rotation else { return Vec::new() };
    let speed = show_estimate(&found.rpm, |rpm| Speed { rpm });
    let arm = found
        .average_seek_ns
        .as_ref()
        .map(|seek| ArmMoves { seek: show_estimate(seek, |ns| Nanos(ns as u64)) }.into());
    let turns = PlatterTurns { speed, reads: found.rpm.n };
    [turns.into()].into_iter().chain(arm).collect()
}

messages! {
    Speed = "rotation-speed" { rpm: f64 };
    PlatterTurns = "rotation-platter-turns" { speed: Message, reads: u64 };
    ArmMoves = "rotation-arm-moves" { seek: Message };
}
