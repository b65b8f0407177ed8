//! The relays of a run: each listens to groups of hosts in place of the coordinator.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use record::FleetRelay;
use units::Nanos;

use crate::clock::ClockEstimator;
use crate::message::{CellProgress, GROUP_HOSTS_MAX};
use crate::name::AgentName;

/// The relays that the waves of a run can use: a wave that loses one takes it away from the next.
#[derive(Debug, Default)]
pub(crate) struct UsableRelays(Mutex<Vec<AgentName>>);

impl UsableRelays {
    pub(crate) fn set(&self, names: Vec<AgentName>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = names;
    }

    fn names(&self) -> Vec<AgentName> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn remove(&self, lost: &AgentName) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|name| name != lost);
    }
}

#[derive(Default)]
pub(super) struct Relays {
    pub(super) usable: Arc<UsableRelays>,
    pub(super) relays: Vec<Relay>,
    pub(super) groups: Vec<Group>,
    /// The latest order about clocks.
    pub(super) turn: u64,
}

pub(super) struct Relay {
    pub(super) name: AgentName,
    pub(super) clock: ClockEstimator,
    pub(super) heard_at: Instant,
    /// From the start of the run.
    pub(super) lost_at: Option<Nanos>,
}

impl Relay {
    pub(super) const fn is_lost(&self) -> bool {
        self.lost_at.is_some()
    }
}

pub(super) struct Group {
    pub(super) hosts: Range<usize>,
    pub(super) relay: usize,
    pub(super) live: Option<CellProgress>,
    /// The order about clocks that was answered last.
    pub(super) turn: u64,
}

impl Relays {
    /// Groups of `hosts` hosts, of even sizes, each with a relay; none without relays.
    pub(super) fn new(usable: Arc<UsableRelays>, hosts: usize) -> Self {
        let relay = |name: AgentName| Relay {
            name,
            clock: ClockEstimator::default(),
            heard_at: Instant::now(),
            lost_at: None,
        };
        let relays: Vec<Relay> = usable.names().into_iter().map(relay).collect();
        if relays.is_empty() || hosts == 0 {
            return Self::default();
        }
        let count = hosts.div_ceil(GROUP_HOSTS_MAX).max(relays.len().min(hosts));
        let group = |number: usize| Group {
            hosts: number * hosts / count..(number + 1) * hosts / count,
            relay: number % relays.len(),
            live: None,
            turn: 0,
        };
        let groups = (0..count).map(group).collect();
        Self { usable, relays, groups, turn: 0 }
    }

    pub(super) const fn are_none(&self) -> bool {
        self.relays.is_empty()
    }

    /// The group of a host, which is in the subject of its states.
    pub(super) fn group_of(&self, host: usize) -> u32 {
        self.groups.partition_point(|group| group.hosts.end <= host) as u32
    }

    pub(super) fn is_relayed(&self, host: usize) -> bool {
        self.relayed_groups().any(|(_, group)| group.hosts.contains(&host))
    }

    pub(super) fn relayed_groups(&self) -> impl Iterator<Item = (usize, &Group)> {
        let groups = self.groups.iter().enumerate();
        groups.filter(|(_, group)| !self.relays[group.relay].is_lost())
    }

    pub(super) fn live_names(&self) -> Vec<AgentName> {
        let live = self.relays.iter().filter(|relay| !relay.is_lost());
        live.map(|relay| relay.name.clone()).collect()
    }

    /// For the record: who took part, and who was lost.
    pub(super) fn describe(&self) -> Vec<FleetRelay> {
        let relay = |relay: &Relay| {
            let Relay { name, lost_at, .. } = relay;
            FleetRelay { name: name.to_string(), lost_at: *lost_at }
        };
        let mut relays: Vec<FleetRelay> = self.relays.iter().map(relay).collect();
        relays.sort_by(|a, b| a.name.cmp(&b.name));
        relays
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_host_is_in_one_group_and_groups_are_even() {
        let name = |number: usize| format!("r{number}").parse().unwrap();
        for (relays, hosts) in [(0, 9), (1, 3), (3, 2), (2, 1000), (8, 4001)] {
            let usable = Arc::new(UsableRelays::default());
            usable.set((0..relays).map(name).collect());
            let has_none = relays == 0;
            let relays = Relays::new(usable, hosts);
            assert_eq!(relays.are_none(), has_none);
            for (number, group) in relays.groups.iter().enumerate() {
                assert!((1..=GROUP_HOSTS_MAX).contains(&group.hosts.len()), "{:?}", group.hosts);
                assert!(group.hosts.clone().all(|host| relays.group_of(host) == number as u32));
            }
            let sizes: Vec<usize> = relays.groups.iter().map(|group| group.hosts.len()).collect();
            let all = if has_none { 0 } else { hosts };
            assert_eq!(sizes.iter().sum::<usize>(), all);
            let spread = sizes.iter().max().unwrap_or(&0) - sizes.iter().min().unwrap_or(&0);
            assert!(spread <= 1, "{sizes:?}");
            assert!((0..hosts).all(|host| relays.is_relayed(host) != has_none));
        }
    }
}
