//! A replay: whether the target keeps up with a load that was captured elsewhere, and how its
//! latencies compare with those there.

use message::{Message, label, messages};
use record::{
    CapturedLoad, Cell, CellRole, Completion, DirectionInterval, DirectionTotals, Finding,
    Judgement, LatencySummary, Measured, OffsetMap, OpenLoop, Purpose, ReplayLatency, ReplayLimit,
    ReplayOutcome, ReplayPlan, Status, TargetInfo,
};
use stats::{SparseHistogram, percentile_estimates};
use units::{Iops, Nanos, Ratio};
use workload::{Bound, Direction, Pacing};

use crate::checks::is_disturbed;
use crate::curve::{LoadConfirmation, confirm_load, is_stable, judge_load};
use crate::pauses::running_intervals;
use crate::support::find_doubt;

/// A target keeps up if it ends at most this much after the load: this share of the load's length
/// or [`BEHIND_MIN`], the larger.
const BEHIND_SHARE_MAX: f64 = 0.02;
const BEHIND_MIN: Nanos = Nanos::millis(100);
/// The percentile in the verdict.
const PERCENTILE: f64 = 99.0;

/// What a replay adds to response times at most, in lateness of starts: a completion waits for the
/// same thread to wake.
const LATENESS_TIMES: u64 = 2;
/// A latency that is longer by at most this share is not called slower.
const SLOWER_SHARE: f64 = 0.1;

/// How long the latency of a percentile is here, beside that in the capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplayChange {
    NotSlower,
    /// By no more than the load generator itself was late.
    WithinLateness,
    Slower,
}

impl ReplayChange {
    /// What is said of it, if anything.
    pub fn words(self) -> Option<Message> {
        match self {
            Self::NotSlower => None,
            Self::WithinLateness => Some(label("replay-within-lateness")),
            Self::Slower => Some(label("replay-slower")),
        }
    }
}

/// `None` where like is not compared with like.
pub fn compare_replay(latency: &ReplayLatency, outcome: &ReplayOutcome) -> Option<ReplayChange> {
    let estimate = latency.comparable.as_ref()?;
    let there = latency.there?.0 as f64;
    let longer = estimate.interval().map_or(estimate.value, |(low, _)| low) - there;
    Some(match longer {
        longer if longer <= SLOWER_SHARE * there => ReplayChange::NotSlower,
        longer if longer <= allowed_lateness(outcome.lateness_p99) as f64 => {
            ReplayChange::WithinLateness
        }
        _ => ReplayChange::Slower,
    })
}

fn allowed_lateness(lateness: Nanos) -> u64 {
    lateness.0.saturating_mul(LATENESS_TIMES)
}

fn lateness_p99(open: &OpenLoop) -> Nanos {
    Nanos(open.lag_ns.percentiles.get("p99").copied().unwrap_or(open.lag_ns.max))
}

fn replay_plan(measured: &Measured) -> Option<&ReplayPlan> {
    match &measured.plan.purpose {
        Purpose::Replay(plan) => Some(plan),
        _ => None,
    }
}

fn replay_cells(measured: &Measured) -> impl Iterator<Item = &Cell> {
    measured.cells.iter().filter(|cell| cell.role == CellRole::Replay)
}

fn has_awake_processors(cell: &Cell) -> bool {
    cell.open_loop.as_ref().is_some_and(|open| open.processors_awake)
}

/// `None` of a run of another purpose, and where nothing was replayed.
pub(crate) fn judge_replay(measured: &Measured, judgement: &Judgement) -> Option<ReplayOutcome> {
    let plan = replay_plan(measured)?;
    let cell = replay_cells(measured).next()?;
    let open = cell.open_loop.as_ref()?;
    let length = scaled_length(plan);
    let planned = open.started.saturating_add(open.unstarted);
    let behind = cell.elapsed.0.saturating_sub(length.0);
    let allowed = (BEHIND_SHARE_MAX * length.0 as f64).max(BEHIND_MIN.0 as f64);
    let is_disturbed = judgement
        .findings
        .iter()
        .any(|finding| finding.status == Status::Invalid && finding.cells.contains(&cell.name));
    let invalid = open.generator_late || is_disturbed;
    // What ends a run before its time leaves requests that were never planned.
    let all = count_requests(&plan.load).saturating_mul(count_replays(measured, cell));
    let is_all_planned = planned > 0 && planned >= all;
    let is_known = is_whole(measured, cell) && !invalid && is_all_planned;
    let keeps_up = is_known.then_some(open.unstarted == 0 && behind as f64 <= allowed);
    // Keeping up beside other users proves it; falling behind beside them proves nothing.
    let is_alone = find_doubt(judgement, &cell.name).is_none();
    let keeps_up = keeps_up.filter(|keeps_up| *keeps_up || is_alone);
    let done = count_done_within(cell, length);
    let responses = cell.totals.iter().filter_map(|(_, totals)| totals.response_ns.as_ref());
    Some(ReplayOutcome {
        keeps_up,
        factor: (keeps_up == Some(false)).then(|| (done as f64 / planned as f64).min(1.0)),
        slowest: Nanos(responses.map(|response| response.max).max().unwrap_or(0)),
        latencies: list_latencies(&plan.load, cell),
        lateness_p99: lateness_p99(open),
        lateness_max: Nanos(open.lag_ns.max),
        invalid,
        limits: list_limits(measured, plan),
    })
}

/// How many hosts replayed the load, each of them all of it.
fn count_replays(measured: &Measured, cell: &Cell) -> u64 {
    let hosts = measured.fleet.as_ref().map_or(1, |fleet| fleet.host_cells(&cell.name).count());
    hosts.max(1) as u64
}

fn is_whole(measured: &Measured, cell: &Cell) -> bool {
    let is_first_of_several = measured.cells.len() > 1;
    cell.error.is_none() && (measured.completion == Completion::Complete || is_first_of_several)
}

/// How long the load takes at the speed of the replay.
fn scaled_length(plan: &ReplayPlan) -> Nanos {
    Nanos((plan.load.length.0 as f64 / plan.speed.max(1e-9)) as u64)
}

/// Requests that were done in the time of the load.
fn count_done_within(cell: &Cell, length: Nanos) -> u64 {
    let share = |interval: &record::Interval| {
        let left = length.0.saturating_sub(interval.start.0) as f64;
        (left / interval.length.0.max(1) as f64).min(1.0)
    };
    let ops = |interval: &record::Interval| -> u64 {
        interval.directions.iter().map(|(_, part)| part.ops).sum()
    };
    cell.intervals.iter().map(|interval| ops(interval) as f64 * share(interval)).sum::<f64>() as u64
}

fn list_latencies(load: &CapturedLoad, cell: &Cell) -> Vec<ReplayLatency> {
    let name = format!("p{PERCENTILE}");
    let is_compared = cell.totals.iter().any(|(_, totals)| totals.comparable_ns.is_some());
    let of_direction = |(direction, totals): (Direction, &DirectionTotals)| {
        let estimate = |whole: &LatencySummary, part: PickHistogram| {
            let whole = whole.histogram.to_histogram().ok()?;
            let intervals: Vec<_> = running_intervals(cell)
                .filter_map(|interval| part(interval.directions.get(direction)?).clone())
                .collect();
            percentile_estimates(&intervals, &whole, &[PERCENTILE]).remove(&name)
        };
        let here = estimate(totals.response_ns.as_ref()?, |part| &part.response)?;
        let comparable = totals.comparable_ns.as_ref();
        let comparable = comparable.and_then(|whole| estimate(whole, |part| &part.comparable));
        let there = load.latency.get(direction).and_then(|all| all.get(&name)).copied();
        // Where almost all met a deeper queue, the figure there says nothing of the others.
        let there = there.filter(|_| comparable.is_some() || !is_compared);
        Some(ReplayLatency { direction, percentile: name.clone(), there, here, comparable })
    };
    cell.totals.iter().filter_map(of_direction).collect()
}

type PickHistogram = fn(&DirectionInterval) -> &Option<SparseHistogram>;

fn list_limits(measured: &Measured, plan: &ReplayPlan) -> Vec<ReplayLimit> {
    if plan.probe_max.is_none() {
        return Vec::new();
    }
    let speeds = ReplaySpeeds::new(&measured.cells, &plan.load, measured.target());
    measured.plan.bounds.iter().map(|bound| speeds.find_limit(*bound)).collect()
}

/// The highest speed that a search tries, as a multiple of the load's own.
pub const REPLAY_SPEED_MAX: f64 = 64.0;
/// The answer of a search is sure where a speed that breaks the bound is at most this many times
/// the one that keeps it...
const NEXT_SPEED_MAX: f64 = 1.1;
/// ... and at least this number of probes said so.
const BREAKING_PROBES: usize = 2;

/// The replays of one load at several speeds. Those that the generator was late in do not count.
#[derive(Debug)]
pub struct ReplaySpeeds<'a> {
    /// In ascending order.
    speeds: Vec<ReplaySpeed<'a>>,
}

#[derive(Debug)]
struct ReplaySpeed<'a> {
    speed: f64,
    cells: Vec<&'a Cell>,
    /// Those that nothing disturbed.
    quiet: Vec<Vec<&'a Cell>>,
}

impl ReplaySpeed<'_> {
    /// By the probes that nothing disturbed, if there are any.
    fn is_kept(&self, bound: &Bound) -> Option<bool> {
        let quiet = self.quiet.concat();
        is_kept_by(if quiet.is_empty() { &self.cells } else { &quiet }, bound)
    }

    fn is_broken_for_sure(&self, bound: &Bound) -> bool {
        let breaks = |cells: &&Vec<&Cell>| is_kept_by(cells, bound) == Some(false);
        self.quiet.iter().filter(breaks).count() >= BREAKING_PROBES
    }

    /// Whether a bound that is longer by the lateness of the generator would be kept.
    fn is_kept_but_for_lateness(&self, bound: &Bound) -> bool {
        let open = self.cells.iter().filter_map(|cell| cell.open_loop.as_deref());
        let lateness = open.map(lateness_p99).max().unwrap_or(Nanos::ZERO);
        let limit = Nanos(bound.limit.0.saturating_add(allowed_lateness(lateness)));
        self.is_kept(&Bound { limit, ..*bound }) == Some(true)
    }

    fn is_kept_for_sure(&self, bound: &Bound) -> bool {
        confirm_load(&self.quiet, bound) == LoadConfirmation::Confirmed
    }
}

fn is_kept_by(cells: &[&Cell], bound: &Bound) -> Option<bool> {
    match cells.iter().all(|cell| is_stable(cell)) {
        true => judge_load(cells, 1, bound).within,
        false => Some(false),
    }
}

impl<'a> ReplaySpeeds<'a> {
    pub fn new(cells: &'a [Cell], load: &CapturedLoad, target: Option<&TargetInfo>) -> Self {
        let mut speeds: Vec<ReplaySpeed<'a>> = Vec::new();
        let is_late = |cell: &Cell| cell.open_loop.as_ref().is_some_and(|open| open.generator_late);
        let counts = |cell: &&Cell| cell.role == CellRole::Replay && !is_late(cell);
        for cell in cells.iter().filter(counts) {
            let Some(speed) = replay_speed(cell, load) else { continue };
            let quiet = (!is_disturbed(cell, target)).then(|| vec![cell]);
            match speeds.iter_mut().find(|known| known.speed == speed) {
                Some(known) => {
                    known.cells.push(cell);
                    known.quiet.extend(quiet);
                }
                None => {
                    let quiet = quiet.into_iter().collect();
                    speeds.push(ReplaySpeed { speed, cells: vec![cell], quiet });
                }
            }
        }
        speeds.sort_by(|a, b| a.speed.total_cmp(&b.speed));
        Self { speeds }
    }

    /// What the probes say of a bound: each speed by all of its probes.
    pub fn find_limit(&self, bound: Bound) -> ReplayLimit {
        let kept: Vec<Option<bool>> = self.speeds.iter().map(|of| of.is_kept(&bound)).collect();
        let breaks = kept.iter().position(|kept| *kept == Some(false));
        let below = &kept[..breaks.unwrap_or(kept.len())];
        let keeps = below.iter().rposition(|kept| *kept == Some(true));
        let of = |place: usize| &self.speeds[place];
        let breaks_for_sure = breaks.is_some_and(|at| of(at).is_broken_for_sure(&bound));
        let confirmed = keeps.map_or(breaks_for_sure, |keeps| {
            let keeps = of(keeps);
            let is_next = |at: usize| of(at).speed <= keeps.speed * NEXT_SPEED_MAX;
            let is_bounded = match breaks {
                Some(at) => breaks_for_sure && is_next(at),
                None => keeps.speed >= REPLAY_SPEED_MAX,
            };
            is_bounded && keeps.is_kept_for_sure(&bound)
        });
        let speed = |place: Option<usize>| place.map(|place| of(place).speed);
        ReplayLimit { bound, keeps: speed(keeps), breaks: speed(breaks), confirmed }
    }

    /// Whether the lateness of the generator may be all that broke a bound at this speed.
    fn may_break_by_lateness(&self, speed: f64, bound: &Bound) -> bool {
        self.speeds.iter().any(|of| of.speed == speed && of.is_kept_but_for_lateness(bound))
    }

    /// Whether enough probes of a speed keep a bound.
    pub fn is_kept_for_sure(&self, speed: f64, bound: &Bound) -> bool {
        self.speeds.iter().any(|of| of.speed == speed && of.is_kept_for_sure(bound))
    }
}

/// How many times as fast as it was captured a cell replays the load, to a thousandth.
pub fn replay_speed(cell: &Cell, load: &CapturedLoad) -> Option<f64> {
    let Pacing::Open { rate, .. } = cell.job.pacing else { return None };
    let base = load_rate(load);
    (base.0 > 0.0).then(|| (rate.0 / base.0 * 1000.0).round() / 1000.0)
}

/// The mean rate at which a load was captured.
pub fn load_rate(load: &CapturedLoad) -> Iops {
    Iops(count_requests(load) as f64 / load.length.as_secs_f64().max(1e-9))
}

fn count_requests(load: &CapturedLoad) -> u64 {
    load.requests.iter().map(|(_, count)| *count).sum()
}

/// Why it is left open whether a target keeps up, where others used it meanwhile.
pub(crate) fn replay_doubt<'a>(
    measured: &Measured,
    judgement: &'a Judgement,
) -> Option<&'a Finding> {
    judgement.replay.as_ref().filter(|outcome| outcome.keeps_up.is_none())?;
    let cell = replay_cells(measured).next()?;
    find_doubt(judgement, &cell.name)
}

/// `None` of a run of another purpose, and where the question is left open.
pub(crate) fn replay_headline(measured: &Measured, judgement: &Judgement) -> Option<Message> {
    let plan = replay_plan(measured)?;
    let outcome = judgement.replay.as_ref()?;
    let slowest = ReplaySlowest { slowest: outcome.slowest }.into();
    // The slowest request may have waited longest for the generator.
    let may_be_late = allowed_lateness(outcome.lateness_max) >= outcome.slowest.0;
    let late = may_be_late.then_some(ReplayChange::WithinLateness);
    let mut clauses: Vec<Message> = vec![describe_change(slowest, late)];
    clauses.extend(outcome.latencies.iter().map(|latency| {
        describe_change(describe_latency(latency), compare_replay(latency, outcome))
    }));
    let speeds = ReplaySpeeds::new(&measured.cells, &plan.load, measured.target());
    clauses.extend(outcome.limits.iter().map(|limit| {
        let is_late = limit.breaks.is_some_and(|at| speeds.may_break_by_lateness(at, &limit.bound));
        let late = is_late.then_some(ReplayChange::WithinLateness);
        describe_change(describe_limit(limit), late)
    }));
    Some(match (outcome.keeps_up?, outcome.factor) {
        (true, _) => ReplayKeepsUp { clauses }.into(),
        (false, factor) => {
            let share = Ratio(factor.unwrap_or(0.0));
            ReplayFallsBehind { share, clauses }.into()
        }
    })
}

fn describe_change(fact: Message, change: Option<ReplayChange>) -> Message {
    match change.and_then(ReplayChange::words) {
        Some(change) => ReplayChanged { fact, change }.into(),
        None => fact,
    }
}

fn describe_latency(latency: &ReplayLatency) -> Message {
    let requests = match latency.direction {
        Direction::Read => label("replay-reads"),
        Direction::Write => label("replay-writes"),
        Direction::Sync | Direction::Trim => label("replay-flushes"),
    };
    let nanos = |value: f64| Nanos(value.max(0.0) as u64);
    let estimate = latency.comparable.as_ref().unwrap_or(&latency.here);
    let here = nanos(estimate.value);
    let percentile = latency.percentile.clone();
    let here = match estimate.interval() {
        Some((low, high)) => ReplayInterval { here, low: nanos(low), high: nanos(high) }.into(),
        None => ReplayFigure { here }.into(),
    };
    match latency.there {
        Some(there) => ReplayThereAndHere { requests, percentile, there, here }.into(),
        None => ReplayHere { requests, percentile, here }.into(),
    }
}

fn describe_limit(limit: &ReplayLimit) -> Message {
    let bound = limit.bound.to_string();
    let answer = match (limit.keeps, limit.breaks) {
        (Some(keeps), Some(breaks)) => ReplayBreaks { keeps, breaks, bound }.into(),
        (Some(keeps), None) => ReplayNeverBreaks { keeps, bound }.into(),
        (None, Some(breaks)) => ReplayAlwaysBreaks { breaks, bound }.into(),
        (None, None) => return ReplayLimitUnknown { bound }.into(),
    };
    if limit.confirmed { answer } else { ReplayNotConfirmed { answer }.into() }
}

/// What a reader has to know of the load and of the generator.
pub(crate) fn describe_replay(measured: &Measured, judgement: &Judgement) -> Vec<Message> {
    let (Some(plan), Some(outcome)) = (replay_plan(measured), &judgement.replay) else {
        return Vec::new();
    };
    let load = &plan.load;
    let requests = count_requests(load);
    let speed = plan.speed;
    let map = match plan.map {
        OffsetMap::Scale => label("replay-map-scale"),
        OffsetMap::Wrap => label("replay-map-wrap"),
        OffsetMap::AsIs => label("replay-map-as-is"),
    };
    let mut said: Vec<Message> = vec![
        ReplayLoad { requests, length: load.length, speed, map }.into(),
        ReplayLateness { p99: outcome.lateness_p99, most: outcome.lateness_max }.into(),
    ];
    if replay_cells(measured).any(has_awake_processors) {
        said.push(label("replay-awake"));
    }
    said.extend(share_of_deeper(measured).map(|share| ReplayDeeper { share }.into()));
    let left_out: [(u64, Message); 4] = [
        (load.discards_left_out, ReplayNoDiscards { count: load.discards_left_out }.into()),
        (load.flushes_left_out, ReplayNoFlushes { count: load.flushes_left_out }.into()),
        (load.fua_as_plain, ReplayNoFua { count: load.fua_as_plain }.into()),
        (load.lost, ReplayLost { count: load.lost }.into()),
    ];
    said.extend(left_out.into_iter().filter(|(count, _)| *count > 0).map(|(_, words)| words));
    if let Some(time) = plan.probe_max.filter(|time| *time < load.length) {
        said.push(ReplayProbed { time }.into());
    }
    if load.was_cut {
        said.push(ReplayCut { length: load.length }.into());
    }
    said
}

/// The share of the requests that met a deeper queue than where they were captured, if any did.
fn share_of_deeper(measured: &Measured) -> Option<Ratio> {
    let cell = replay_cells(measured).next()?;
    let count = |pick: fn(&DirectionTotals) -> &Option<Box<LatencySummary>>| {
        let picked = cell.totals.iter().filter_map(|(_, totals)| pick(totals).as_ref());
        picked.map(|summary| summary.histogram.count as f64).sum::<f64>()
    };
    let (comparable, all) = (count(|of| &of.comparable_ns), count(|of| &of.response_ns));
    (0.0 < comparable && comparable < all).then(|| Ratio(1.0 - comparable / all))
}

messages! {
    ReplayKeepsUp = "replay-keeps-up" { clauses: Vec<Message> };
    ReplayFallsBehind = "replay-falls-behind" { share: Ratio, clauses: Vec<Message> };
    ReplaySlowest = "replay-slowest" { slowest: Nanos };
    ReplayThereAndHere = "replay-there-and-here" {
        requests: Message, percentile: String, there: Nanos, here: Message,
    };
    ReplayChanged = "replay-changed" { fact: Message, change: Message };
    ReplayHere = "replay-here" { requests: Message, percentile: String, here: Message };
    ReplayInterval = "replay-interval" { here: Nanos, low: Nanos, high: Nanos };
    ReplayFigure = "replay-figure" { here: Nanos };
    ReplayBreaks = "replay-breaks" { keeps: f64, breaks: f64, bound: String };
    ReplayNeverBreaks = "replay-never-breaks" { keeps: f64, bound: String };
    ReplayAlwaysBreaks = "replay-always-breaks" { breaks: f64, bound: String };
    ReplayLimitUnknown = "replay-limit-unknown" { bound: String };
    ReplayNotConfirmed = "replay-not-confirmed" { answer: Message };
    ReplayLoad = "replay-load" { requests: u64, length: Nanos, speed: f64, map: Message };
    ReplayLateness = "replay-lateness" { p99: Nanos, most: Nanos };
    ReplayDeeper = "replay-deeper" { share: Ratio };
    ReplayProbed = "replay-probed" { time: Nanos };
    ReplayNoDiscards = "replay-no-discards" { count: u64 };
    ReplayNoFlushes = "replay-no-flushes" { count: u64 };
    ReplayNoFua = "replay-no-fua" { count: u64 };
    ReplayLost = "replay-lost" { count: u64 };
    ReplayCut = "replay-cut" { length: Nanos };
}
