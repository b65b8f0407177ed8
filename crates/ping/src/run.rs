//! A run: targets made ready, requesters started, results put together.

use std::sync::atomic::AtomicU64;

use engine::{Clock, PauseMonitor, SingleRequestError};
use target::Roots;

use crate::collector::{CompletionCollector, run_in_this_thread, run_in_threads};
use crate::error::PingError;
use crate::observer::PingObserver;
use crate::outcome::PingOutcome;
use crate::ping_target::{OpenPingTarget, prepare_target};
use crate::record_builder::{RecordBuilder, check_idle_pauses};
use crate::requester::{Requester, RequesterEnd};
use crate::settings::PingSettings;
use crate::statistics::PingStatistics;
use crate::stop::PingStop;

/// Pings what `settings` name until they, or `stop`, end it.
///
/// # Errors
/// When a target cannot be made ready, or the stop signal is raised before all are. A request that
/// fails is in the result.
pub fn ping(
    settings: &PingSettings,
    roots: &Roots,
    stop: &PingStop,
    observer: &mut dyn PingObserver,
) -> Result<Vec<PingOutcome>, PingError> {
    // The clock that replies are stamped by: the kernel's, read as ioping reads it.
    let clock = Clock::monotonic();
    let mut targets = Vec::new();
    for path in &settings.paths {
        let prepared = prepare_target(path, settings, roots, stop, observer.announcer())?;
        if let Some(look) = &prepared.scan {
            observer.on_scan(look);
        }
        targets.push(prepared);
    }
    if stop.is_raised() {
        return Err(PingError::Interrupted);
    }
    check_idle_pauses(settings, &targets)?;
    // What making one target ready has written is no request of another.
    if let [_, _, ..] = targets[..] {
        targets.iter_mut().for_each(|prepared| prepared.refresh_counters(roots));
    }
    run_requesters(settings, &targets, &clock, roots, stop, observer)
}

fn run_requesters(
    settings: &PingSettings,
    targets: &[OpenPingTarget],
    clock: &Clock,
    roots: &Roots,
    stop: &PingStop,
    observer: &mut dyn PingObserver,
) -> Result<Vec<PingOutcome>, PingError> {
    let begun: Vec<AtomicU64> = targets.iter().map(|_| AtomicU64::new(0)).collect();
    let mut requesters = Vec::new();
    for (target, prepared) in targets.iter().enumerate() {
        for place in 0..settings.schedule.depth.max(1) {
            let of = (target, prepared);
            let requester = Requester::new(settings, of, place, clock, &begun[target], stop)?;
            if place == 0 {
                disable_readahead(&requester, prepared, settings, observer);
            }
            requesters.push(requester);
        }
    }
    let started = jiff::Timestamp::now();
    let statistics = targets.iter().map(|_| PingStatistics::new(settings)).collect();
    let mut collector = CompletionCollector { targets, statistics, observer, size: settings.size };
    stop.wake_this_thread();
    let is_virtual = targets.iter().any(|prepared| prepared.target.is_virtual());
    let monitor = (!is_virtual).then(PauseMonitor::start).transpose().map_err(|source| {
        SingleRequestError::Arm { attempt: "start the heartbeat thread", source }
    })?;
    let begun_ns = clock.now();
    collector.observer.on_ready();
    for requester in &mut requesters {
        let now_ns = requester.single.now();
        requester.begin(now_ns);
        collector.statistics[requester.target].start(now_ns);
    }
    let ends = if requesters.len() == 1 {
        run_in_this_thread(requesters, &mut collector)
    } else {
        run_in_threads(requesters, &mut collector)
    };
    let pauses = monitor.map_or_else(Vec::new, |monitor| monitor.finish(clock, begun_ns));
    let mut ended: Vec<RequesterEnd> = targets.iter().map(|_| RequesterEnd::default()).collect();
    for end in ends {
        ended[end.target].merge(end);
    }
    let interrupted = stop.is_raised();
    let builder = RecordBuilder { settings, targets, started, roots, interrupted, pauses };
    let results = targets.iter().zip(&collector.statistics).zip(ended);
    Ok(results
        .map(|((prepared, statistics), end)| builder.build_outcome(prepared, statistics, end))
        .collect())
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
    let span = prepared.span;
    if let Err(error) = requester.single.disable_readahead(span.offset, span.length) {
        observer.on_warning(&format!("the kernel may read ahead: {error}"));
    }
}

#[cfg(test)]
pub(crate) mod tests;
