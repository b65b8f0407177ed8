//! The rules, in the order in which they are asked.

use message::Message;
use record::IoLimit;
use units::{Nanos, Ratio};

use super::case::{Answer, Case, Verdict};
use super::evidence::{
    self, describe_busy, describe_causes, describe_group_use, describe_known_latency,
    describe_latency, describe_outstanding, describe_processors, describe_queue, describe_use,
    describe_waiter, describe_waiting, limit_command, next_for_slow,
};
use crate::known::{KnownCurve, format_date};
use crate::sample::WaiterName;

type Rule = fn(&Case<'_>) -> Option<Answer>;

pub(super) const RULES: [Rule; 10] = [
    find_provider_cap,
    find_group_cap,
    find_silence,
    find_idleness,
    find_known_cap,
    find_hidden_cap,
    find_saturation,
    find_little_waiting,
    find_slowness,
    find_room,
];

/// From this share of a limit on it is reached.
const LIMIT_SHARE_MIN: f64 = 0.90;
/// Beyond this share of a limit it is not what holds the rate.
const LIMIT_SHARE_MAX: f64 = 1.10;
/// Share of the time in which waiting for a disk does not matter: without it a program would be
/// faster by no more.
const WAITING_MAX: f64 = 0.10;
/// Share of the time that programs wait from which something holds them up.
const WAITING_MUCH: f64 = 0.20;
/// From this share of the latency on, the queue holds more than a device needs to order requests.
const QUEUE_SHARE_MIN: f64 = 0.30;
/// Operations outstanding that make a queue on any device, where its idle latency is not known.
const QUEUE_DEPTH_MIN: f64 = 8.0;
/// Beyond this many times the idle latency, operations wait for other operations.
const STRETCH_MIN: f64 = 3.0;
/// Ratio of the latency to that of the stored run from which a disk is slower than it was: large
/// operations that are compared differ in size by up to two.
const SLOWER_MIN: f64 = 3.0;
/// Below this ratio it is as fast as it was.
const AS_FAST_MAX: f64 = 1.5;
/// Without a stored run: mean latency over the bound by which a disk that serves one operation at a
/// time is slow. A rotating disk in order needs up to three times 10 ms.
const FAR_OVER_BOUND: u64 = 5;
/// Shorter silences are a device's own housekeeping.
const SILENCE_MIN: Nanos = Nanos::millis(900);
/// An interval with less than this share of the usual operations is silent too: the silence began
/// or ended within it.
const SILENT_SHARE: f64 = 0.05;
/// Below this rate an interval without an operation is no silence.
const SILENCE_RATE_MIN: f64 = 5.0;
/// Intervals whose rates say whether it is flat.
const FLAT_INTERVALS_MIN: usize = 8;
/// Variation of a flat rate at most (methodology of throttles: 2 % over seconds), and its share of
/// what chance makes of independent operations.
const FLAT_MAX: f64 = 0.02;
const FLAT_CHANCE_SHARE: f64 = 0.5;

impl Case<'_> {
    fn answer(
        &self,
        verdict: Verdict,
        because: impl IntoIterator<Item = Message>,
        next: Option<Message>,
    ) -> Answer {
        let because = because.into_iter().collect();
        let sentence = evidence::build_sentence(verdict, &self.disk.name, because);
        Answer { verdict, sentence, next }
    }

    fn limit_share(&self) -> Option<f64> {
        self.limit_use().map(|used| used.share().0)
    }

    fn is_at_known_limit(&self) -> bool {
        let is_floor = self.known_curve().is_none_or(KnownCurve::is_floor);
        !is_floor && self.limit_share().is_some_and(|share| share >= LIMIT_SHARE_MIN)
    }

    /// Whether operations wait for other operations.
    fn is_queueing(&self) -> bool {
        let in_queue = self.disk.queue_share().is_some_and(|share| share.0 >= QUEUE_SHARE_MIN);
        let idle = self.known_curve().and_then(|known| known.unloaded_mean());
        let is_stretched = match idle.zip(self.mean) {
            Some((idle, mean)) => mean.0 as f64 >= STRETCH_MIN * idle.0.max(1) as f64,
            None => self.outstanding >= QUEUE_DEPTH_MIN,
        };
        (in_queue || is_stretched) && self.outstanding >= 2.0
    }

    fn is_over_bound(&self) -> bool {
        // A percentile above the median is hardly ever below the mean.
        self.bounded.or(self.longer_mean).is_some_and(|latency| latency >= self.bound.limit)
    }

    /// Its latency over that of the stored run with as many operations outstanding.
    fn slowdown(&self) -> Option<f64> {
        let known = self.known_curve()?.mean_at(self.outstanding)?;
        Some(self.mean?.0 as f64 / known.0.max(1) as f64)
    }

    /// The variation of its rate between intervals, where that is less than chance makes it.
    fn flat_variation(&self) -> Option<Ratio> {
        // The watch may have begun or ended within the load.
        let inner = self.disk.intervals.len().checked_sub(2)?;
        let rates: Vec<f64> =
            self.disk.intervals.iter().skip(1).take(inner).map(|one| one.rate()).collect();
        if rates.len() < FLAT_INTERVALS_MIN {
            return None;
        }
        let mean = rates.iter().sum::<f64>() / rates.len() as f64;
        let variation = stats::standard_deviation(&rates) / mean.max(1e-9);
        let operations: u64 = self.disk.intervals.iter().map(|one| one.operations).sum();
        let per_interval = operations as f64 / self.disk.intervals.len() as f64;
        let by_chance = per_interval.max(1.0).sqrt().recip();
        (variation <= FLAT_MAX.min(FLAT_CHANCE_SHARE * by_chance)).then_some(Ratio(variation))
    }
}

/// The provider's own counters are proof, where all else is inference.
fn find_provider_cap(case: &Case<'_>) -> Option<Answer> {
    let (limit, time) = case.disk.volume.as_ref()?.longest_exceeded();
    let share = time.as_secs_f64() / case.disk.length.as_secs_f64().max(1e-9);
    if share < WAITING_MUCH {
        return None;
    }
    let because = [limit.describe_exceeded(time, case.disk.length)].into_iter();
    let because = because.chain(describe_outstanding(case)).chain(describe_latency(case));
    let because = because.chain(describe_waiter(case));
    let next = Some(evidence::NextProvider {}.into());
    Some(case.answer(Verdict::Capped, because, next))
}

/// A throttle holds operations back before the block layer accepts them: they are in nobody's
/// latency. That programs wait shows in the pressure, or in a rate as flat as the limit.
fn find_group_cap(case: &Case<'_>) -> Option<Answer> {
    let (limit, share) = find_reached_limit(case)?;
    let is_waited_for = case.host.io_pressure.is_some_and(|share| share >= WAITING_MUCH);
    if !(is_waited_for || case.is_queueing() || case.flat_variation().is_some()) {
        return None;
    }
    let because = describe_group_use(limit, Ratio(share)).into_iter();
    let because = because.chain(describe_waiting(case)).chain(describe_waiter(case));
    let next = evidence::NextLimitFile { file: limit.file.clone() }.into();
    Some(case.answer(Verdict::Capped, because, Some(next)))
}

/// The limit of a control group that is used up, and the share of it that is used.
fn find_reached_limit<'a>(case: &Case<'a>) -> Option<(&'a IoLimit, f64)> {
    let [read, write] = [&case.disk.read, &case.disk.write].map(|of| case.disk.rate_of(of));
    let share_of = |limit: &'a IoLimit| {
        let shares = [
            limit.read_iops.map(|most| read.0.0 / most.0),
            limit.write_iops.map(|most| write.0.0 / most.0),
            limit.read_bytes.map(|most| read.1.0 / most.0),
            limit.write_bytes.map(|most| write.1.0 / most.0),
        ];
        Some((limit, shares.into_iter().flatten().reduce(f64::max)?))
    };
    let limits = case.facts.limits.iter().filter(|limit| is_main_user(case, limit));
    let reached =
        |(_, share): &(&IoLimit, f64)| (LIMIT_SHARE_MIN..=LIMIT_SHARE_MAX).contains(share);
    limits.filter_map(share_of).filter(reached).max_by(|a, b| a.1.total_cmp(&b.1))
}

/// Whether most operations are of this control group, as far as the source tells.
fn is_main_user(case: &Case<'_>, limit: &IoLimit) -> bool {
    let (mut own, mut all) = (0, 0);
    for waiter in &case.waiters {
        let WaiterName::Group(path) = &waiter.who else { continue };
        all += waiter.operations;
        let below = path.trim_matches('/').strip_prefix(limit.cgroup.trim_matches('/'));
        if below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
            own += waiter.operations;
        }
    }
    all == 0 || own * 2 > all
}

/// Intervals in which operations were outstanding and hardly any came back.
fn find_silence(case: &Case<'_>) -> Option<Answer> {
    // A silence may be longer than the rest of the watch.
    let rates = case.disk.intervals.iter().map(|one| one.rate());
    let mut rates: Vec<f64> = rates.filter(|rate| *rate > 0.0).collect();
    rates.sort_by(f64::total_cmp);
    let usual = rates.get(rates.len() / 2).copied().unwrap_or(0.0);
    let (mut silence, mut waiting) = (Nanos::ZERO, 0.0_f64);
    let intervals = &case.disk.intervals;
    let is_dead = |at: usize| intervals.get(at).is_some_and(|one| one.operations == 0);
    for (at, interval) in intervals.iter().enumerate() {
        let outstanding = interval.outstanding.unwrap_or(0.0);
        // A few operations at its edges belong to it; elsewhere a low rate is another load.
        let is_edge = at.checked_sub(1).is_some_and(is_dead) || is_dead(at + 1);
        let is_low = is_edge && interval.rate() < SILENT_SHARE * usual;
        if (interval.operations == 0 || is_low) && outstanding >= 0.5 {
            silence = Nanos(silence.0 + interval.length.0);
            waiting = waiting.max(outstanding);
        }
    }
    let is_slow_load = case.disk.operations() > 0 && usual < SILENCE_RATE_MIN;
    if silence < SILENCE_MIN || is_slow_load {
        return None;
    }
    let silent = evidence::Silent { time: silence, outstanding: waiting }.into();
    let because = [silent].into_iter().chain(describe_causes(case));
    Some(case.answer(Verdict::Slow, because, next_for_slow(case)))
}

fn find_idleness(case: &Case<'_>) -> Option<Answer> {
    let is_held_up = case.unexplained_waiting().is_some();
    if case.disk.operations() + case.disk.flushes() > 0 || case.outstanding >= 0.5 || is_held_up {
        return None;
    }
    let asked: Message = evidence::NothingAsked { time: case.disk.length }.into();
    let because = [asked].into_iter().chain(describe_processors(case));
    Some(case.answer(Verdict::NotBottleneck, because, None))
}

fn find_known_cap(case: &Case<'_>) -> Option<Answer> {
    let known = case.known_curve().filter(|known| known.is_capped())?;
    let is_near = (LIMIT_SHARE_MIN..=LIMIT_SHARE_MAX).contains(&case.limit_share()?);
    if !is_near || !case.is_queueing() {
        return None;
    }
    let capped = evidence::KnownCap {
        rate: known.describe_rate(case.iops),
        limit: known.describe_rate(known.limit),
        date: format_date(known.measured),
    };
    let because = [capped.into()].into_iter().chain(describe_outstanding(case));
    let because = because.chain(describe_latency(case)).chain(describe_waiter(case));
    let next = Some(evidence::NextProvider {}.into());
    Some(case.answer(Verdict::Capped, because, next))
}

/// A rate that is flat while operations wait, and clearly below what the disk gave. A flat rate
/// alone is no sign: a device whose operations all take the same time is as even as a cap.
fn find_hidden_cap(case: &Case<'_>) -> Option<Answer> {
    let variation = case.flat_variation()?;
    let is_below = case.limit_share()? < LIMIT_SHARE_MIN;
    let is_slowed = case.slowdown().is_none_or(|slower| slower >= AS_FAST_MAX);
    if !(is_below && is_slowed && case.is_queueing()) {
        return None;
    }
    let because = [evidence::Flat { iops: case.iops, variation }.into()].into_iter();
    let because = because.chain(describe_use(case)).chain(describe_outstanding(case));
    let because = because.chain(describe_latency(case)).chain(describe_waiter(case));
    let next = Some(evidence::NextProvider {}.into());
    Some(case.answer(Verdict::Capped, because, next))
}

fn find_saturation(case: &Case<'_>) -> Option<Answer> {
    let is_at_limit = case.is_at_known_limit();
    if !case.is_queueing() || !(is_at_limit || case.is_over_bound()) {
        return None;
    }
    // Something else than load may make it slow.
    let is_slower = case.slowdown().is_some_and(|slower| slower >= AS_FAST_MAX);
    if is_slower && !is_at_limit {
        return None;
    }
    let because = describe_latency(case).into_iter().chain(describe_outstanding(case));
    let because = because.chain(describe_queue(case)).chain(describe_use(case));
    let because = because.chain(describe_waiter(case));
    // A cap may be what ends the rate.
    if let Some(variation) = case.flat_variation().filter(|_| case.known_curve().is_none()) {
        let flat = evidence::Flat { iops: case.iops, variation }.into();
        let because = because.chain([flat, evidence::LimitUnknown {}.into()]).collect();
        let disk = case.disk.name.clone();
        return Some(Answer {
            verdict: Verdict::CannotTell,
            sentence: evidence::SaturatedOrCapped { disk, because }.into(),
            next: limit_command(case),
        });
    }
    let next = Some(evidence::NextSaturated {}.into());
    Some(case.answer(Verdict::Saturated, because, next))
}

/// What is outstanding can be waited for, what is not cannot. Little pressure does not tell: a
/// program that waits all the time has a small share of it beside busy processors, and one that
/// waits for completions by libaio has none. The mean number outstanding is the most that the share
/// of the time with any can be, and misses what has not come back yet; the kernel's share has that,
/// and misses requests that follow the ticks of its clock.
fn find_little_waiting(case: &Case<'_>) -> Option<Answer> {
    let shares = [case.disk.busy_share?, case.outstanding];
    let is_little = shares.iter().all(|share| *share < WAITING_MAX);
    if !is_little || case.unexplained_waiting().is_some() {
        return None;
    }
    let because = describe_busy(case).into_iter().chain(describe_latency(case));
    let because = because.chain(describe_use(case)).chain(describe_processors(case));
    let next = if case.known_curve().is_none() { limit_command(case) } else { None };
    Some(case.answer(Verdict::NotBottleneck, because, next))
}

fn find_slowness(case: &Case<'_>) -> Option<Answer> {
    let is_slow = match (case.known_curve(), case.slowdown()) {
        (_, Some(slower)) => slower >= SLOWER_MIN && !case.is_at_known_limit(),
        (None, None) => {
            let far = Nanos(case.bound.limit.0 * FAR_OVER_BOUND);
            case.outstanding < 2.0 && case.longer_mean.is_some_and(|mean| mean >= far)
        }
        (Some(_), None) => false,
    };
    if !is_slow {
        return None;
    }
    let because = describe_latency(case).into_iter().chain(describe_known_latency(case));
    let because = because.chain(describe_outstanding(case)).chain(describe_use(case));
    let because = because.chain(describe_causes(case));
    let next = next_for_slow(case);
    Some(case.answer(Verdict::Slow, because, next))
}

/// Within the bound, clearly below the limit, and as fast as it was with as many outstanding.
fn find_room(case: &Case<'_>) -> Option<Answer> {
    let is_below = case.limit_share()? < LIMIT_SHARE_MIN;
    let slowdown = case.slowdown();
    let is_as_fast = slowdown.is_none_or(|slower| slower < AS_FAST_MAX);
    let is_within = match case.bounded {
        Some(latency) => latency < case.bound.limit,
        None => slowdown.is_some() && !case.is_over_bound(),
    };
    if !(is_below && is_as_fast && is_within) || case.unexplained_waiting().is_some() {
        return None;
    }
    let because = describe_use(case).into_iter().chain(describe_latency(case));
    let because = because.chain(describe_waiting(case)).chain(describe_outstanding(case));
    let because = because.chain(describe_processors(case));
    let is_waited_for = case.host.io_pressure.is_some_and(|share| share >= WAITING_MUCH);
    let next = is_waited_for.then(|| evidence::NextDepth {}.into());
    Some(case.answer(Verdict::NotBottleneck, because, next))
}

impl Case<'_> {
    /// The pressure, where programs wait for storage and no disk has anything to do.
    fn unexplained_waiting(&self) -> Option<Ratio> {
        let busiest = self.busiest_share?;
        let pressure = self.host.io_pressure?;
        let is_unexplained = pressure >= WAITING_MUCH && pressure - busiest >= WAITING_MUCH;
        is_unexplained.then_some(Ratio(pressure))
    }
}

/// No rule has its evidence: what was seen, and what would tell.
pub(super) fn explain_doubt(case: &Case<'_>) -> Answer {
    let mut because: Vec<Message> = Vec::new();
    if case.unexplained_waiting().is_some() {
        because.extend(describe_waiting(case));
        because.extend(describe_busy(case));
        because.push(evidence::HeldElsewhere {}.into());
    } else if case.bounded.is_none() && case.disk.operations() > 0 {
        let has_distribution = case.disk.directions().any(|(_, of)| of.total.is_some());
        because.push(match has_distribution {
            true => evidence::TooFew { operations: case.disk.operations() }.into(),
            false => evidence::NoDistribution {}.into(),
        });
    }
    because.extend(describe_latency(case));
    because.extend(describe_outstanding(case));
    because.extend(describe_known_latency(case));
    because.extend(describe_use(case));
    if case.disk.has_flushes_among_writes() {
        because.push(evidence::FlushesAmongWrites {}.into());
    } else if case.known_curve().is_none() {
        because.push(evidence::LimitUnknown {}.into());
    }
    case.answer(Verdict::CannotTell, because, limit_command(case))
}
