//! What relays are asked for, what they report, and what happens when one is lost.

use std::time::{Duration, Instant};

use futures_util::future::join_all;

use super::fleet_session::{FleetSession, ORDER_TIMEOUT};
use super::relays::{Group, Relays};
use crate::message::{self, CellProgress, Order, RelayGroup, RelayReport, StopCause};

/// A relay reports four times a second.
const RELAY_SILENCE_MAX: Duration = Duration::from_secs(2);
/// 60 round trips with 256 hosts, of which some are silent.
const CLOCKS_TIMEOUT: Duration = Duration::from_secs(20);

impl FleetSession<'_> {
    /// Gives each relay its hosts, before any of these has a state to tell.
    pub(super) fn begin_relays(&mut self) {
        let relays = &self.inbox.relays;
        if relays.are_none() {
            return;
        }
        let order = |(number, group): (usize, &Group)| RelayGroup {
            run: self.run.clone(),
            group: number as u32,
            hosts: self.hosts[group.hosts.clone()].iter().map(|host| host.addressee()).collect(),
        };
        let orders: Vec<(usize, Order)> = relays
            .relayed_groups()
            .map(|(number, group)| (group.relay, Order::Relay(order((number, group)))))
            .collect();
        self.order_relays(&orders);
    }

    /// A relay that does not do what it is asked is given up.
    fn order_relays(&mut self, orders: &[(usize, Order)]) {
        let (link, relays) = (self.link, &self.inbox.relays.relays);
        let send = async |(relay, order): &(usize, Order)| {
            let sent = link.send_order(&relays[*relay].name, order, ORDER_TIMEOUT).await;
            sent.is_err().then_some(*relay)
        };
        let failed = self.link.block_on(join_all(orders.iter().map(send)));
        let now = Instant::now();
        self.inbox.relays.relays.iter_mut().for_each(|relay| relay.heard_at = now);
        failed.into_iter().flatten().for_each(|relay| self.drop_relay(relay));
    }

    /// Its hosts are listened to, as without relays.
    fn drop_relay(&mut self, number: usize) {
        let at = self.since_begin();
        let Relays { relays, usable, .. } = &mut self.inbox.relays;
        let relay = &mut relays[number];
        if relay.is_lost() {
            return;
        }
        relay.lost_at = Some(at);
        usable.remove(&relay.name);
        let now = Instant::now();
        for place in 0..self.inbox.relays.groups.len() {
            let group = &mut self.inbox.relays.groups[place];
            if group.relay != number {
                continue;
            }
            group.live = None;
            self.hosts[group.hosts.clone()].iter_mut().for_each(|host| host.set_heard(now));
            let subject = message::group_states_subject(&self.run, place as u32);
            self.inbox.listen(self.link, subject);
        }
    }

    /// Gives up relays that are silent though nothing that they said is on the way.
    pub(super) fn check_relays(&mut self) {
        for number in 0..self.inbox.relays.relays.len() {
            if self.is_relay_silent(number) {
                self.catch_up();
                if self.is_relay_silent(number) {
                    self.drop_relay(number);
                }
            }
        }
    }

    fn is_relay_silent(&self, number: usize) -> bool {
        let relay = &self.inbox.relays.relays[number];
        let connection = &self.link.connection;
        let deaf_until = connection.up_since().max(self.inbox.resumed_at);
        let silent = relay.heard_at.max(deaf_until).elapsed();
        !relay.is_lost() && connection.is_up() && silent > RELAY_SILENCE_MAX
    }

    pub(super) fn take_report(&mut self, name: &str, report: RelayReport) {
        let Self { inbox, hosts, stop_on, .. } = self;
        let Relays { relays, groups, turn, .. } = &mut inbox.relays;
        let Some(group) = groups.get_mut(report.group as usize) else { return };
        let relay = &mut relays[group.relay];
        if relay.is_lost() || relay.name.as_str() != name {
            return;
        }
        let now = Instant::now();
        relay.heard_at = now;
        group.live = report.live.filter(CellProgress::is_sound);
        let members = &mut hosts[group.hosts.clone()];
        for (place, state) in report.states {
            if let Some(host) = members.get_mut(place as usize) {
                host.take_state(state, stop_on.as_ref());
            }
        }
        members.iter_mut().for_each(|host| host.set_heard(now));
        for (place, silent_ms) in report.silent {
            let heard_at = now.checked_sub(Duration::from_millis(silent_ms));
            if let (Some(host), Some(heard_at)) = (members.get_mut(place as usize), heard_at) {
                host.set_heard(heard_at);
            }
        }
        let clock = relay.clock.estimate(engine::monotonic_ns());
        if let (Some(clocks), Some(clock)) = (report.clocks, clock)
            && clocks.turn == *turn
        {
            group.turn = *turn;
            for (place, trip, count) in clocks.trips {
                if let Some(host) = members.get_mut(place as usize) {
                    host.clock.add_relayed(trip, count, &clock);
                }
            }
        }
    }

    /// Measures the clocks of these hosts, through their relays where they have some.
    pub(super) fn measure_clocks(&mut self, who: &[usize], pings: u32) {
        self.ask_relays_for_clocks(who, pings);
        let relays = &self.inbox.relays;
        let direct = |host: &usize| !relays.is_relayed(*host);
        let direct: Vec<usize> = who.iter().copied().filter(direct).collect();
        self.measure_direct_clocks(&direct, pings);
        let until = Instant::now() + CLOCKS_TIMEOUT;
        while let Some(relay) = self.find_unanswered(who) {
            self.receive_states(Duration::from_millis(20));
            self.check_relays();
            if Instant::now() > until {
                self.drop_relay(relay);
            }
        }
        // Those of relays that were lost meanwhile.
        let relays = &self.inbox.relays;
        let is_new = |host: &usize| !relays.is_relayed(*host) && !direct.contains(host);
        let new: Vec<usize> = who.iter().copied().filter(is_new).collect();
        self.measure_direct_clocks(&new, pings);
    }

    fn ask_relays_for_clocks(&mut self, who: &[usize], pings: u32) {
        let names = self.inbox.relays.live_names();
        let trips = self.link.block_on(self.link.ping_all(names.iter(), pings));
        let relays = &mut self.inbox.relays;
        relays.turn += 1;
        for (relay, trips) in relays.relays.iter_mut().filter(|relay| !relay.is_lost()).zip(trips) {
            trips.into_iter().for_each(|trip| relay.clock.add(trip));
        }
        let turn = relays.turn;
        let has_hosts = |group: &Group| who.iter().any(|host| group.hosts.contains(host));
        let order = |(number, group): (usize, &Group)| {
            let (run, group_number) = (self.run.clone(), number as u32);
            (group.relay, Order::MeasureClocks { run, group: group_number, turn, pings })
        };
        let asked = relays.relayed_groups().filter(|(_, group)| has_hosts(group));
        let orders: Vec<(usize, Order)> = asked.map(order).collect();
        self.order_relays(&orders);
    }

    /// A relay that has not answered about the clocks of some of these hosts.
    fn find_unanswered(&self, who: &[usize]) -> Option<usize> {
        let relays = &self.inbox.relays;
        let mut waiting = relays.relayed_groups().filter(|(_, group)| group.turn != relays.turn);
        let group = waiting.find(|(_, group)| who.iter().any(|host| group.hosts.contains(host)));
        group.map(|(_, group)| group.relay)
    }

    /// The progress of these hosts, as they or their relays tell it.
    pub(super) fn live_progress(&self, who: &[usize]) -> Option<CellProgress> {
        let relays = &self.inbox.relays;
        let direct = who.iter().filter(|number| !relays.is_relayed(**number));
        let direct = direct.filter_map(|&number| self.hosts[number].live());
        message::sum_progress(direct.chain(relays.relayed_groups().filter_map(|(_, g)| g.live)))
    }

    /// Relays forget the run.
    pub(super) fn end_relays(&self) {
        let names = self.inbox.relays.live_names();
        let stop = self.stop_order(StopCause::Coordinator);
        self.link.send_to_all(&names, &stop, ORDER_TIMEOUT);
    }

    pub(super) fn describe_run(&self) -> String {
        let words = format!("run {} on {} hosts", self.run, self.hosts.len());
        match self.inbox.relays.relays.len() {
            0 => words,
            1 => format!("{words} with 1 relay"),
            relays => format!("{words} with {relays} relays"),
        }
    }

    /// What became of the relays, where some were lost.
    pub fn describe_lost_relays(&self) -> Option<String> {
        let lost = self.inbox.relays.relays.iter().filter(|relay| relay.is_lost());
        let names: Vec<&str> = lost.map(|relay| relay.name.as_str()).collect();
        (!names.is_empty()).then(|| {
            format!(
                "relays were lost, and their hosts listened to without them: {}",
                names.join(", ")
            )
        })
    }
}
