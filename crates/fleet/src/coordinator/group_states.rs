//! The states of a group of hosts, and which of them the coordinator does not have yet.

use std::time::{Duration, Instant};

use crate::message::{
    CellProgress, Phase, REPORT_STATES_MAX, RelayClocks, RelayReport, RunState, sum_progress,
};

/// Hosts report every 1.5 s when they do not measure.
const SILENCE_MIN: Duration = Duration::from_millis(2_500);
/// States that each report repeats, so that a lost report is made good within 8 s.
const REPEATED: usize = 8;

pub(super) struct GroupStates {
    group: u32,
    hosts: Vec<HostState>,
    /// The host whose state is repeated next.
    next: usize,
    /// Which order about clocks is the latest.
    turn: Option<u64>,
    clocks: Option<RelayClocks>,
}

struct HostState {
    state: Option<RunState>,
    live: Option<CellProgress>,
    heard_at: Instant,
    is_news: bool,
}

impl GroupStates {
    pub(super) fn new(group: u32, hosts: usize) -> Self {
        let heard_at = Instant::now();
        let host = || HostState { state: None, live: None, heard_at, is_news: false };
        let hosts = std::iter::repeat_with(host).take(hosts).collect();
        Self { group, hosts, next: 0, turn: None, clocks: None }
    }

    pub(super) fn take(&mut self, place: usize, mut state: RunState) {
        let host = &mut self.hosts[place];
        let is_measuring = matches!(state.phase, Phase::Measuring { .. });
        host.live = state.live.take().filter(|live| is_measuring && live.is_sound());
        host.heard_at = Instant::now();
        host.is_news |= host.state.as_ref() != Some(&state);
        host.state = Some(state);
    }

    /// Whether the clocks are to be measured: an order that came again is answered again.
    pub(super) fn begin_clocks(&mut self, turn: u64) -> bool {
        self.turn.replace(turn) != Some(turn)
    }

    pub(super) fn set_clocks(&mut self, clocks: RelayClocks) {
        self.clocks = Some(clocks).filter(|clocks| Some(clocks.turn) == self.turn);
    }

    /// The reports that are due: at least one, which says that the relay is there.
    pub(super) fn take_reports(&mut self) -> Vec<RelayReport> {
        let count = self.hosts.len();
        for _ in 0..REPEATED.min(count) {
            self.next = (self.next + 1) % count;
            self.hosts[self.next].is_news = true;
        }
        let news = self.hosts.iter_mut().enumerate().filter_map(|(place, host)| {
            let is_news = std::mem::take(&mut host.is_news);
            Some((place as u32, host.state.clone().filter(|_| is_news)?))
        });
        let news: Vec<(u32, RunState)> = news.collect();
        let (first, more) = news.split_at(news.len().min(REPORT_STATES_MAX));
        let silent = self.hosts.iter().enumerate().filter_map(|(place, host)| {
            let silent = host.heard_at.elapsed();
            (silent > SILENCE_MIN).then_some((place as u32, silent.as_millis() as u64))
        });
        let report = RelayReport {
            group: self.group,
            states: first.to_vec(),
            live: sum_progress(self.hosts.iter().filter_map(|host| host.live)),
            silent: silent.collect(),
            clocks: self.clocks.take(),
        };
        let mut reports = vec![report.clone()];
        for states in more.chunks(REPORT_STATES_MAX) {
            reports.push(RelayReport { states: states.to_vec(), clocks: None, ..report.clone() });
        }
        reports
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(phase: Phase, iops: Option<f64>) -> RunState {
        let live = iops.map(|iops| CellProgress {
            measured_ns: 1,
            iops,
            bytes_per_second: 0.0,
            silent_ns: 0,
        });
        RunState { run: "r1".parse().unwrap(), phase, live, going: None, others: None }
    }

    /// All states that the reports of one time have.
    fn take_states(group: &mut GroupStates) -> Vec<(u32, Phase)> {
        let reports = group.take_reports();
        assert!(reports.iter().all(|report| report.states.len() <= REPORT_STATES_MAX));
        let all = reports.into_iter().flat_map(|report| report.states);
        all.map(|(place, state)| (place, state.phase)).collect()
    }

    #[test]
    fn every_change_is_reported_at_once_and_every_state_again_within_a_round() {
        let (hosts, turn) = (200, 3);
        let mut group = GroupStates::new(0, hosts);
        assert_eq!(take_states(&mut group), [], "nothing was heard, and the relay is there");
        (0..hosts).for_each(|place| group.take(place, state(Phase::Armed { turn }, None)));
        let all: Vec<u32> = take_states(&mut group).into_iter().map(|(place, _)| place).collect();
        assert_eq!(all, (0..hosts as u32).collect::<Vec<_>>());
        // The same again is no news; another phase is.
        group.take(7, state(Phase::Armed { turn }, None));
        group.take(199, state(Phase::Measuring { turn }, Some(5.0)));
        let now = take_states(&mut group);
        assert!(now.contains(&(199, Phase::Measuring { turn })), "{now:?}");
        assert!(now.len() <= REPEATED + 1, "{now:?}");
        let mut again: Vec<u32> = (0..hosts / REPEATED)
            .flat_map(|_| take_states(&mut group))
            .map(|(place, _)| place)
            .collect();
        again.sort_unstable();
        again.dedup();
        assert_eq!(again.len(), hosts, "a report that was lost is made good");
    }

    #[test]
    fn progress_is_the_sum_of_the_hosts_that_measure() {
        let mut group = GroupStates::new(0, 3);
        let measuring = |iops| state(Phase::Measuring { turn: 0 }, Some(iops));
        [10.0, 20.0, 40.0].into_iter().enumerate().for_each(|(n, iops)| {
            group.take(n, measuring(iops));
        });
        let live = |group: &mut GroupStates| group.take_reports()[0].live.map(|live| live.iops);
        assert_eq!(live(&mut group), Some(70.0));
        group.take(1, state(Phase::Measured { turn: 0 }, Some(99.0)));
        group.take(2, measuring(f64::NAN));
        assert_eq!(live(&mut group), Some(10.0));
    }

    #[test]
    fn clocks_that_were_asked_for_before_are_not_reported() {
        let mut group = GroupStates::new(0, 1);
        let clocks = |turn| RelayClocks { turn, trips: Vec::new() };
        assert!(group.begin_clocks(1) && !group.begin_clocks(1) && group.begin_clocks(2));
        group.set_clocks(clocks(1));
        assert_eq!(group.take_reports()[0].clocks, None);
        group.set_clocks(clocks(2));
        assert_eq!(group.take_reports()[0].clocks, Some(clocks(2)));
    }
}
