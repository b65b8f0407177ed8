//! A run: targets made ready, requesters started, results put together.

#[cfg(test)]
pub(crate) mod tests;

use engine::{Clock, PauseMonitor, SingleRequester};
use target::Roots;

use crate::collector::{CompletionCollector, run_in_this_thread, run_in_threads};
use crate::error::PingError;
use crate::observer::PingObserver;
use crate::outcome::PingOutcome;
use crate::ping_target::{self, OpenPingTarget};
use crate::random_stream::RandomStream;
use crate::record_builder::{self, RecordBuilder};
use crate::request_tally::CountingRules;
use crate::requester::{
    BlockOrder, EndCondition, PingSchedule, RequestError, RequestNumbers, Requester, RequesterEnd,
    ScheduleStats,
};
use crate::settings::PingSettings;
use crate::statistics::{PingStatistics, WindowLimits};
use crate::stop::PingStop;

/// Pings what `settings` name until they, or `stop`, end it.
///
/// # Errors
/// When a target cannot be made ready, or the stop rings before all are. A request that fails is in
/// the result.
pub fn ping(
    settings: &PingSettings,
    roots: &Roots,
    stop: &PingStop,
    observer: &mut dyn PingObserver,
) -> Result<Vec<PingOutcome>, PingError> {
    let clock = ping_target::reply_clock();
    let mut targets = Vec::new();
    for path in &settings.paths {
        let mut random = RandomStream::new(settings.seed);
        let prepared = ping_target::prepare_target(
            path,
            settings,
            &mut random,
            roots,
            stop,
            observer.announcer(),
        )?;
        if let Some(look) = &prepared.scan {
            observer.on_scan(look);
        }
        targets.push((prepared, random));
    }
    if stop.is_raised() {
        return Err(PingError::Interrupted);
    }
    record_builder::check_idle_pauses(settings, &targets)?;
    // What making one target ready has written is no request of another.
    if let [_, _, ..] = targets[..] {
        targets.iter_mut().for_each(|(prepared, _)| prepared.refresh_counters(roots));
    }
    run_requesters(settings, targets, &clock, roots, stop, observer)
}

fn run_requesters(
    settings: &PingSettings,
    targets: Vec<(OpenPingTarget, RandomStream)>,
    clock: &Clock,
    roots: &Roots,
    stop: &PingStop,
    observer: &mut dyn PingObserver,
) -> Result<Vec<PingOutcome>, PingError> {
    let numbers: Vec<RequestNumbers> = targets.iter().map(|_| RequestNumbers::default()).collect();
    let mut requesters = build_requesters(settings, &targets, &numbers, clock, stop, observer)?;
    let started = jiff::Timestamp::now();
    let statistics = targets.iter().map(|_| new_statistics(settings)).collect();
    let mut collector =
        CompletionCollector { targets: &targets, statistics, observer, size: settings.size };
    stop.wake_this_thread();
    let is_virtual = collector.targets.iter().any(|(prepared, _)| prepared.target.is_virtual());
    let pauses = (!is_virtual).then(PauseMonitor::start).transpose().map_err(|source| {
        engine::SingleRequestError::Arm { attempt: "start the heartbeat thread", source }
    })?;
    let begun_ns = clock.now();
    collector.observer.on_ready();
    for (target, requester) in &mut requesters {
        let now_ns = requester.single.now();
        requester.begin(now_ns, settings);
        collector.statistics[*target].start(now_ns);
    }
    let ends = if requesters.len() == 1 {
        run_in_this_thread(requesters, &mut collector)
    } else {
        run_in_threads(requesters, &mut collector)
    };
    let CompletionCollector { statistics, .. } = collector;
    let pauses = pauses.map_or_else(Vec::new, |watch| watch.finish(clock, begun_ns));
    let mut ended: Vec<TargetEnd> = targets.iter().map(|_| TargetEnd::default()).collect();
    for end in ends {
        ended[end.target].add_requester(end);
    }
    let mut results = Vec::new();
    for (((prepared, _), statistics), end) in targets.iter().zip(&statistics).zip(ended) {
        let mut result =
            record_builder::build_outcome(settings, prepared, statistics, end.end_ns, &end.stats);
        result.failure = end.failure;
        let builder = RecordBuilder {
            settings,
            prepared,
            statistics,
            started,
            roots,
            interrupted: stop.is_raised(),
            is_shared: record_builder::is_device_shared(prepared, &targets),
            pauses: &pauses,
        };
        builder.judge(&mut result);
        results.push(result);
    }
    Ok(results)
}

/// The requesters of all targets, each with the number of its target.
fn build_requesters<'run>(
    settings: &PingSettings,
    targets: &[(OpenPingTarget, RandomStream)],
    numbers: &'run [RequestNumbers],
    clock: &Clock,
    stop: &'run PingStop,
    observer: &mut dyn PingObserver,
) -> Result<Vec<(usize, Requester<'run>)>, PingError> {
    let mut requesters = Vec::new();
    for (target, (prepared, random)) in targets.iter().enumerate() {
        for place in 0..settings.schedule.depth.max(1) {
            let random = if place == 0 {
                random.clone()
            } else {
                RandomStream::new(settings.seed.wrapping_add(u64::from(place)))
            };
            let made =
                build_requester(settings, prepared, random, place, clock, &numbers[target], stop)?;
            if place == 0 {
                disable_readahead(&made, prepared, settings, observer);
            }
            requesters.push((target, made));
        }
    }
    Ok(requesters)
}

#[derive(Default)]
struct TargetEnd {
    /// When the last of them did.
    end_ns: u64,
    stats: ScheduleStats,
    failure: Option<RequestError>,
}

impl TargetEnd {
    fn add_requester(&mut self, end: RequesterEnd) {
        self.end_ns = self.end_ns.max(end.end_ns);
        self.stats.add_requester(&end.stats);
        self.failure = self.failure.take().or(end.failure);
    }
}

/// No readahead where it would spoil the next request: those at random, and those whose pages are
/// forgotten again.
fn disable_readahead(
    requester: &Requester<'_>,
    prepared: &OpenPingTarget,
    settings: &PingSettings,
    observer: &mut dyn PingObserver,
) {
    if settings.io.linear && settings.io.cached {
        return;
    }
    if let Err(error) = requester.single.disable_readahead(prepared.offset, prepared.span) {
        observer.on_warning(&format!("the kernel may read ahead: {error}"));
    }
}

fn build_requester<'run>(
    settings: &PingSettings,
    prepared: &OpenPingTarget,
    random: RandomStream,
    place: u32,
    clock: &Clock,
    numbers: &'run RequestNumbers,
    stop: &'run PingStop,
) -> Result<Requester<'run>, PingError> {
    let mut single =
        SingleRequester::new(&prepared.target, settings.size, settings.single_options(), clock)?;
    // Pages that are there already, and no zeros: both would make the first request another.
    RandomStream::new(!settings.seed).fill(single.buffer());
    let size = settings.size.0;
    let blocks = prepared.span.0 / size;
    let first = blocks * u64::from(place) / u64::from(settings.schedule.depth.max(1)) * size;
    Ok(Requester {
        single,
        random,
        order: BlockOrder {
            offset: prepared.offset.0,
            span: prepared.span.0,
            size,
            linear: settings.io.linear.then_some(first),
        },
        pace: PingSchedule::new(settings.schedule.interval.0, settings.schedule.burst),
        until: EndCondition { count: settings.schedule.count, deadline_ns: u64::MAX },
        writes: settings.writes,
        nowait: settings.io.nowait,
        numbers,
        stop,
    })
}

fn new_statistics(settings: &PingSettings) -> PingStatistics {
    let rules = CountingRules {
        warmup: settings.figures.warmup,
        min_ns: settings.figures.min_time.0,
        max_ns: settings.figures.max_time.0,
    };
    let windows = WindowLimits {
        count: settings.figures.window_count,
        time_ns: settings.figures.window_time.0,
    };
    PingStatistics::new(rules, windows, settings.record)
}
