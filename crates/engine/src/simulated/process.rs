//! What keeps the process that measures a simulated device from running: stops, and a quota of
//! processor time. The device goes on meanwhile.

use crate::outcome::{Pause, PauseKind};

/// A heartbeat knows a pause this late, and none that is shorter than the second.
const BEAT_NS: u64 = 10_000_000;
const PAUSE_MIN_NS: u64 = 85_000_000;

/// Stops of the process, at equal distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessStops {
    /// Nanoseconds until the first.
    pub start_ns: u64,
    /// Nanoseconds from the start of one to that of the next; 0 for a single one.
    pub every_ns: u64,
    pub lasts_ns: u64,
}

impl ProcessStops {
    /// The end of the stop at `now_ns`, if there is one.
    fn end_ns(self, now_ns: u64) -> Option<u64> {
        let since_ns = now_ns.checked_sub(self.start_ns)?;
        let number = since_ns.checked_div(self.every_ns).unwrap_or(0);
        let end_ns = self.start_ns + number * self.every_ns + self.lasts_ns;
        (now_ns < end_ns).then_some(end_ns)
    }

    /// Nanoseconds of stops between two times.
    pub fn stopped_ns(self, from_ns: u64, to_ns: u64) -> u64 {
        let overlap = |at: u64| (at + self.lasts_ns).min(to_ns).saturating_sub(at.max(from_ns));
        self.starts_within(from_ns, to_ns).map(overlap).sum()
    }

    /// The starts of stops that may reach into a time.
    fn starts_within(self, from_ns: u64, to_ns: u64) -> impl Iterator<Item = u64> {
        let every_ns = self.every_ns;
        let skipped = from_ns.saturating_sub(self.start_ns).checked_div(every_ns).unwrap_or(0);
        let first_ns = self.start_ns + skipped * every_ns;
        let next = move |at: &u64| (every_ns > 0).then(|| at + every_ns);
        std::iter::successors(Some(first_ns), next).take_while(move |at| *at < to_ns)
    }

    /// As a heartbeat sees them, clipped to a time; their starts relative to its begin.
    fn pauses_within(self, start_ns: u64, length_ns: u64) -> Vec<Pause> {
        if self.lasts_ns < PAUSE_MIN_NS {
            return Vec::new();
        }
        let end_ns = start_ns + length_ns;
        let clip = |at: u64| {
            let from_ns = (at + BEAT_NS).max(start_ns);
            let to_ns = (at + self.lasts_ns).min(end_ns);
            (to_ns > from_ns).then(|| Pause {
                start_ns: from_ns - start_ns,
                length_ns: to_ns - from_ns,
                kind: PauseKind::Stopped,
            })
        };
        self.starts_within(start_ns, end_ns).filter_map(clip).collect()
    }
}

/// A quota of processor time, as a control group sets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessQuota {
    pub period_ns: u64,
    /// Nanoseconds of processor time in each.
    pub quota_ns: u64,
    /// Nanoseconds of processor time that an operation takes.
    pub operation_ns: u64,
}

/// What a control group counts of a process that it holds back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QuotaCounters {
    /// Periods in which the quota was used up.
    pub periods: u64,
    /// Nanoseconds in which the process was held back.
    pub throttled_ns: u64,
}

/// The process that measures: when it runs.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Process {
    stops: Option<ProcessStops>,
    pub(crate) quota: Option<ProcessQuota>,
    pub(crate) counters: QuotaCounters,
    /// The number of the period of the last operation, and the time used in it.
    period: u64,
    used_ns: u64,
}

impl Process {
    pub(crate) fn new(stops: Option<ProcessStops>, quota: Option<ProcessQuota>) -> Self {
        Self { stops, quota, ..Self::default() }
    }

    /// Takes the processor time of an operation at `now_ns`.
    pub(crate) fn charge_operation(&mut self, now_ns: u64) {
        let Some(quota) = self.quota else { return };
        let period = now_ns / quota.period_ns.max(1);
        if period != self.period {
            (self.period, self.used_ns) = (period, 0);
        }
        self.used_ns += quota.operation_ns;
    }

    /// When it runs that would run at `now_ns`.
    pub(crate) fn runs_from_ns(&mut self, now_ns: u64) -> u64 {
        let mut now_ns = now_ns;
        if let Some(quota) = self.quota {
            let period = now_ns / quota.period_ns.max(1);
            if period == self.period && self.used_ns >= quota.quota_ns {
                let next_ns = (period + 1) * quota.period_ns;
                self.counters.periods += 1;
                self.counters.throttled_ns += next_ns - now_ns;
                now_ns = next_ns;
            }
        }
        self.stops.and_then(|stops| stops.end_ns(now_ns)).unwrap_or(now_ns)
    }

    pub(crate) fn pauses_within(&self, start_ns: u64, length_ns: u64) -> Vec<Pause> {
        self.stops.map_or_else(Vec::new, |stops| stops.pauses_within(start_ns, length_ns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    #[test]
    fn a_stopped_process_runs_again_at_the_end_of_the_stop() {
        let (start_ns, lasts_ns) = (1_000 * MS, 300 * MS);
        let stops = ProcessStops { start_ns, every_ns: 2_000 * MS, lasts_ns };
        let mut process = Process { stops: Some(stops), ..Process::default() };
        for (at_ms, runs_ms) in [(0, 0), (1_000, 1_300), (1_299, 1_300), (1_300, 1_300)] {
            assert_eq!(process.runs_from_ns(at_ms * MS), runs_ms * MS, "{at_ms}");
            assert_eq!(process.runs_from_ns((at_ms + 4_000) * MS), (runs_ms + 4_000) * MS);
        }
        let of = |pause: &Pause| (pause.start_ns / MS, pause.length_ns / MS);
        let within = |start, length| {
            process.pauses_within(start * MS, length * MS).iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(within(0, 1_100), [(1_010, 90)]);
        assert_eq!(within(1_200, 2_000), [(0, 100), (1_810, 190)]);
        assert_eq!(within(1_400, 1_000), []);
    }

    #[test]
    fn a_quota_that_is_used_up_holds_back_until_the_next_period() {
        let quota = ProcessQuota { period_ns: 100 * MS, quota_ns: 20 * MS, operation_ns: 5 * MS };
        let mut process = Process { quota: Some(quota), ..Process::default() };
        (0..3).for_each(|_| process.charge_operation(210 * MS));
        assert_eq!(process.runs_from_ns(215 * MS), 215 * MS);
        process.charge_operation(220 * MS);
        assert_eq!(process.runs_from_ns(225 * MS), 300 * MS);
        assert_eq!(process.runs_from_ns(300 * MS), 300 * MS);
        assert_eq!(process.counters, QuotaCounters { periods: 1, throttled_ns: 75 * MS });
    }
}
