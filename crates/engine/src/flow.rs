//! Jobs that keep in step: they start operations in the ratio of their weights.
//!
//! In each round a member may start as many operations as its weight; the next round begins when
//! all members have. A member that has not begun or has ended holds up nobody; one that begins late
//! begins in their current round.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The start of a member that does not run.
const NEVER: u64 = u64::MAX;

/// Each on a cache line of its own: one worker writes it, all others read it.
#[derive(Debug)]
#[repr(align(64))]
struct MemberProgress {
    weight: u64,
    /// Operations started, as if it had taken part in all rounds so far.
    started: AtomicU64,
    begin_ns: AtomicU64,
    workers: AtomicU32,
}

impl MemberProgress {
    fn round(&self) -> u64 {
        self.started.load(Ordering::Acquire) / self.weight
    }

    fn is_awaited(&self, now_ns: u64) -> bool {
        self.begin_ns.load(Ordering::Acquire) <= now_ns
    }
}

/// A job's membership of a flow, for [`SessionOptions`](crate::SessionOptions).
#[derive(Debug, Clone)]
pub struct FlowMember {
    parts: Arc<[MemberProgress]>,
    index: usize,
    /// Time between two looks at the others; 0 for as soon as possible.
    pub(crate) poll_interval_ns: u64,
}

impl FlowMember {
    /// The members of a flow, each from its weight (at least 1) and its sleep in nanoseconds when
    /// ahead.
    pub fn new_members(members: &[(u32, u64)]) -> Vec<Self> {
        let part = |&(weight, _): &(u32, u64)| MemberProgress {
            weight: u64::from(weight.max(1)),
            started: AtomicU64::new(0),
            begin_ns: AtomicU64::new(NEVER),
            workers: AtomicU32::new(0),
        };
        let parts: Arc<[MemberProgress]> = members.iter().map(part).collect();
        let member = |(index, &(_, poll_interval_ns)): (usize, &(u32, u64))| Self {
            parts: Arc::clone(&parts),
            index,
            poll_interval_ns,
        };
        members.iter().enumerate().map(member).collect()
    }

    fn own_progress(&self) -> &MemberProgress {
        &self.parts[self.index]
    }

    /// The operations of the rounds that members which began before `begin_ns` have completed.
    fn catch_up_count(&self, begin_ns: u64) -> u64 {
        let earlier = |part: &&MemberProgress| part.begin_ns.load(Ordering::Acquire) < begin_ns;
        let rounds = self.parts.iter().filter(earlier).map(MemberProgress::round);
        rounds.min().unwrap_or(0) * self.own_progress().weight
    }

    /// From `begin_ns` on the others wait for this member, which has `workers` workers.
    pub(crate) fn enroll(&self, begin_ns: u64, workers: u32) {
        let own = self.own_progress();
        own.workers.store(workers, Ordering::Release);
        own.started.store(self.catch_up_count(begin_ns), Ordering::Release);
        own.begin_ns.store(begin_ns, Ordering::Release);
    }

    /// Moves on to the round of the members that began earlier.
    pub(crate) fn catch_up(&self) {
        let own = self.own_progress();
        let begin_ns = own.begin_ns.load(Ordering::Acquire);
        own.started.fetch_max(self.catch_up_count(begin_ns), Ordering::AcqRel);
    }

    /// Takes the right to start one operation at `now_ns`; `false` when other members are behind.
    #[inline]
    pub(crate) fn try_start(&self, now_ns: u64) -> bool {
        let own = self.own_progress();
        let started = own.started.load(Ordering::Acquire);
        let round = started / own.weight;
        let ahead = |part: &MemberProgress| part.round() < round && part.is_awaited(now_ns);
        if self.parts.iter().any(ahead) {
            return false;
        }
        // Another worker of this job may have taken the last of the round.
        let (success, failure) = (Ordering::AcqRel, Ordering::Relaxed);
        own.started.compare_exchange(started, started + 1, success, failure).is_ok()
    }

    fn leave(&self) {
        let own = self.own_progress();
        let one_less = |workers: u32| workers.checked_sub(1);
        let last = own.workers.fetch_update(Ordering::AcqRel, Ordering::Acquire, one_less);
        if matches!(last, Ok(1) | Err(_)) {
            own.begin_ns.store(NEVER, Ordering::Release);
        }
    }
}

/// A worker's membership. After the last worker's end the others no longer wait for the member.
#[derive(Debug)]
pub(crate) struct FlowMembership(pub(crate) FlowMember);

impl std::ops::Deref for FlowMembership {
    type Target = FlowMember;

    fn deref(&self) -> &FlowMember {
        &self.0
    }
}

impl Drop for FlowMembership {
    fn drop(&mut self) {
        self.0.leave();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(weights: &[u32]) -> Vec<FlowMember> {
        let members: Vec<_> = weights.iter().map(|&weight| (weight, 0)).collect();
        let seats = FlowMember::new_members(&members);
        seats.iter().for_each(|seat| seat.enroll(10, 1));
        seats
    }

    fn take_starts(seat: &FlowMember, now_ns: u64, most: usize) -> usize {
        (0..most).take_while(|_| seat.try_start(now_ns)).count()
    }

    #[test]
    fn who_is_ahead_waits_for_the_others() {
        let seats = started(&[3, 1]);
        assert_eq!(take_starts(&seats[0], 10, 100), 3, "the first round");
        assert_eq!(take_starts(&seats[1], 10, 100), 2, "the first round, and the second");
        assert_eq!(take_starts(&seats[0], 10, 2), 2);
        assert_eq!(
            take_starts(&seats[1], 10, 100),
            0,
            "the other has one left of the second round"
        );
        assert_eq!(take_starts(&seats[0], 10, 100), 1 + 3);
        assert_eq!(take_starts(&seats[1], 10, 100), 2);
    }

    #[test]
    fn counts_keep_the_ratio_of_the_weights_whoever_is_fast() {
        let seats = started(&[3, 2, 1]);
        let mut counts = [0_usize; 3];
        for turn in 0..60_000 {
            // The first tries more often than the others.
            let who = [0, 0, 0, 1, 2, 0, 2][turn % 7];
            counts[who] += usize::from(seats[who].try_start(10));
        }
        let rounds = counts[2];
        assert!(rounds > 1000, "{counts:?}");
        assert!(counts[0].abs_diff(3 * rounds) <= 3, "{counts:?}");
        assert!(counts[1].abs_diff(2 * rounds) <= 2, "{counts:?}");
    }

    #[test]
    fn who_has_ended_is_not_waited_for() {
        let seats = started(&[1, 1]);
        assert_eq!(take_starts(&seats[0], 10, 100), 1);
        seats[1].leave();
        assert_eq!(take_starts(&seats[0], 10, 100), 100);
    }

    #[test]
    fn who_begins_later_begins_in_the_round_of_the_others() {
        let seats = FlowMember::new_members(&[(1, 0), (2, 0)]);
        seats[0].enroll(10, 1);
        seats[1].enroll(1000, 1);
        assert_eq!(take_starts(&seats[0], 500, 50), 50, "the other's start has not come");
        assert_eq!(take_starts(&seats[0], 1000, 50), 0, "it has, and it is waited for");
        seats[1].catch_up();
        assert_eq!(take_starts(&seats[0], 1000, 50), 1);
        assert_eq!(take_starts(&seats[1], 1000, 50), 2 + 2);
    }

    #[test]
    fn a_member_is_there_until_its_last_worker_has_ended() {
        let seats = FlowMember::new_members(&[(1, 0), (1, 0)]);
        seats[0].enroll(0, 1);
        seats[1].enroll(0, 2);
        assert_eq!(take_starts(&seats[0], 1, 9), 1);
        seats[1].leave();
        assert_eq!(take_starts(&seats[0], 1, 9), 0);
        seats[1].leave();
        assert_eq!(take_starts(&seats[0], 1, 9), 9);
    }
}
