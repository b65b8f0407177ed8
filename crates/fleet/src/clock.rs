//! The offset of a host's clock, with its error: half of the shortest round trip (Cristian 1989).

use record::HostClock;
use serde::{Deserialize, Serialize};
use units::Nanos;

/// Drift between two clocks, as a fraction: quartz is good to 50 ppm, and the kernel slews by a
/// few.
const DRIFT_MAX: f64 = 100e-6;
const ROUND_TRIPS_MAX: usize = 64;

/// One round trip: readings of two clocks in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundTrip {
    pub sent_ns: u64,
    pub theirs_ns: u64,
    pub received_ns: u64,
}

impl RoundTrip {
    pub(crate) fn length_ns(&self) -> u64 {
        self.received_ns.saturating_sub(self.sent_ns)
    }

    fn offset_ns(&self) -> i64 {
        let middle = self.sent_ns + self.length_ns() / 2;
        let offset = i128::from(self.theirs_ns) - i128::from(middle);
        i64::try_from(offset).unwrap_or(if offset < 0 { i64::MIN } else { i64::MAX })
    }

    /// Half of the round trip, and the possible drift since.
    fn error_ns(&self, now_ns: u64) -> u64 {
        let age = now_ns.saturating_sub(self.received_ns);
        self.length_ns().div_ceil(2) + (age as f64 * DRIFT_MAX) as u64
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct ClockEstimator {
    trips: Vec<RoundTrip>,
    count: u32,
    first_offset_ns: Option<i64>,
}

impl ClockEstimator {
    pub(crate) fn add(&mut self, trip: RoundTrip) {
        // An older one that took as long says nothing more, whatever the drift.
        self.trips.retain(|older| older.length_ns() < trip.length_ns());
        if self.trips.len() == ROUND_TRIPS_MAX {
            self.trips.remove(0);
        }
        self.trips.push(trip);
        self.count = self.count.saturating_add(1);
    }

    /// Adds the best of `count` round trips between a relay and the host. The error of the relay's
    /// clock makes it longer at both ends.
    pub(crate) fn add_relayed(&mut self, trip: RoundTrip, count: u32, relay: &HostClock) {
        let ours = |relay_ns: u64| relay_ns.checked_add_signed(relay.offset_ns.saturating_neg());
        let ends = ours(trip.sent_ns).zip(ours(trip.received_ns));
        // A reading that cannot be of that clock says nothing.
        let Some((sent_ns, received_ns)) = ends.filter(|(sent, received)| sent <= received) else {
            return;
        };
        self.add(RoundTrip {
            sent_ns: sent_ns.saturating_sub(relay.error.0),
            received_ns: received_ns.saturating_add(relay.error.0),
            ..trip
        });
        self.count = self.count.saturating_add(count.saturating_sub(1));
    }

    pub(crate) fn estimate(&self, now_ns: u64) -> Option<HostClock> {
        let best = self.trips.iter().min_by_key(|trip| trip.error_ns(now_ns))?;
        let offset_ns = best.offset_ns();
        let drift_ns = self.first_offset_ns.map(|first| offset_ns.saturating_sub(first));
        Some(HostClock {
            offset_ns,
            error: Nanos(best.error_ns(now_ns)),
            round_trip: Nanos(best.length_ns()),
            pings: self.count,
            drift_ns,
        })
    }

    pub(crate) fn to_host_time(&self, ours_ns: u64, now_ns: u64) -> Option<u64> {
        ours_ns.checked_add_signed(self.estimate(now_ns)?.offset_ns)
    }

    pub(crate) fn begin_drift(&mut self, now_ns: u64) {
        self.first_offset_ns = self.estimate(now_ns).map(|clock| clock.offset_ns);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const THOUSAND_SECONDS: i64 = 1_000_000_000_000;

    proptest! {
        #[test]
        fn the_truth_is_within_the_error(
            offset in -THOUSAND_SECONDS..THOUSAND_SECONDS,
            ways in prop::collection::vec((1_000_u64..5_000_000, 1_000_u64..5_000_000), 1..80),
        ) {
            let mut book = ClockEstimator::default();
            let mut now = 2_000_000_000_000_u64;
            for (there, back) in ways {
                let theirs = (now + there).checked_add_signed(offset).unwrap();
                let received = now + there + back;
                book.add(RoundTrip { sent_ns: now, theirs_ns: theirs, received_ns: received });
                now = received + 1_000_000;
            }
            let clock = book.estimate(now).unwrap();
            prop_assert!(clock.offset_ns.abs_diff(offset) <= clock.error.0, "{clock:?}");
            prop_assert!(clock.error.0 >= clock.round_trip.0 / 2);
            let theirs = book.to_host_time(now, now).unwrap();
            prop_assert!(theirs.abs_diff(now.checked_add_signed(offset).unwrap()) <= clock.error.0);
        }
    }

    proptest! {
        #[test]
        fn the_truth_is_within_the_error_through_a_relay_too(
            to_relay in -THOUSAND_SECONDS..THOUSAND_SECONDS,
            to_host in -THOUSAND_SECONDS..THOUSAND_SECONDS,
            ways in prop::collection::vec(1_000_u64..5_000_000, 4),
        ) {
            let (mut relay, mut host) = (ClockEstimator::default(), ClockEstimator::default());
            let read = |clock: i64, at: u64| at.checked_add_signed(clock).unwrap();
            let now = 5_000_000_000_000_u64;
            let (arrived, received) = (now + ways[0], now + ways[0] + ways[1]);
            let theirs_ns = read(to_relay, arrived);
            relay.add(RoundTrip { sent_ns: now, theirs_ns, received_ns: received });
            let (arrived, back) = (received + ways[2], received + ways[2] + ways[3]);
            let trip = RoundTrip {
                sent_ns: read(to_relay, received),
                theirs_ns: read(to_host, arrived),
                received_ns: read(to_relay, back),
            };
            host.add_relayed(trip, 60, &relay.estimate(back).unwrap());
            let clock = host.estimate(back).unwrap();
            prop_assert!(clock.offset_ns.abs_diff(to_host) <= clock.error.0, "{clock:?}");
            prop_assert!(clock.error.0 >= (ways[0] + ways[1] + ways[2] + ways[3]) / 2);
            prop_assert_eq!(clock.pings, 60);
        }
    }

    #[test]
    fn the_shortest_round_trip_wins_until_it_is_old() {
        let mut book = ClockEstimator::default();
        assert!(book.estimate(0).is_none());
        book.add(RoundTrip { sent_ns: 0, theirs_ns: 1_050, received_ns: 100 });
        book.add(RoundTrip { sent_ns: 1_000, theirs_ns: 9_999, received_ns: 9_000 });
        assert_eq!(book.estimate(9_000).unwrap().offset_ns, 1_000);
        // 10 s later the clocks may be a millisecond apart: what is new says more, though longer.
        let later = 10_000_000_000;
        book.add(RoundTrip {
            sent_ns: later,
            theirs_ns: later + 3_000,
            received_ns: later + 2_000,
        });
        let clock = book.estimate(later + 2_000).unwrap();
        assert_eq!((clock.offset_ns, clock.error.0, clock.pings), (2_000, 1_000, 3));
    }

    #[test]
    fn drift_is_told_from_the_begin_of_the_run() {
        let mut book = ClockEstimator::default();
        book.add(RoundTrip { sent_ns: 0, theirs_ns: 1_050, received_ns: 100 });
        book.begin_drift(100);
        let later = 100_000_000_000;
        book.add(RoundTrip { sent_ns: later, theirs_ns: later + 1_500, received_ns: later + 100 });
        assert_eq!(book.estimate(later + 100).unwrap().drift_ns, Some(450));
    }
}
