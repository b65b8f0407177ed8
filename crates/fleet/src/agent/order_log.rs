//! Which orders an agent has had: none is taken twice, and none from before it started.

use std::collections::{HashMap, VecDeque};

use crate::message::{Order, SentOrder};

/// Sessions of coordinators that are remembered: 1 MiB. A run has one.
const SESSIONS_MAX: usize = 1 << 16;

#[derive(Debug, Default)]
pub(crate) struct OrderLog {
    /// The highest number of each session.
    numbers: HashMap<u64, u64>,
    oldest: VecDeque<u64>,
}

impl OrderLog {
    /// Why an order is refused; `None` of a new one, and of the newest of its session, which is
    /// sent again where its answer was lost. Reading the clock changes nothing: it is not counted.
    pub(crate) fn find_replay(&mut self, sent: &SentOrder, instance: u64) -> Option<String> {
        if sent.order == Order::Ping {
            return None;
        }
        let verb = sent.order.verb();
        if sent.instance != instance {
            return Some(format!(
                "order '{verb}' is from before this agent started, or is for another of its name"
            ));
        }
        if let Some(newest) = self.numbers.get_mut(&sent.session) {
            if sent.number < *newest {
                return Some(format!("order '{verb}' was replayed: a later one came before it"));
            }
            *newest = sent.number;
            return None;
        }
        if self.oldest.len() == SESSIONS_MAX
            && let Some(session) = self.oldest.pop_front()
        {
            self.numbers.remove(&session);
        }
        self.oldest.push_back(sent.session);
        self.numbers.insert(sent.session, sent.number);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(instance: u64, session: u64, number: u64) -> SentOrder {
        SentOrder {
            instance,
            session,
            number,
            order: Order::Stop { run: None, cause: crate::message::StopCause::StopCommand },
        }
    }

    #[test]
    fn an_old_order_is_refused_and_the_newest_may_come_again() {
        let mut log = OrderLog::default();
        let mut check = |instance, session, number, expected: &str| {
            let found = log.find_replay(&sent(instance, session, number), 7);
            match (&found, expected.is_empty()) {
                (None, true) => {}
                (Some(words), false) => assert!(words.contains(expected), "{words}"),
                _ => panic!("{session} {number}: {found:?}"),
            }
        };
        check(7, 1, 3, "");
        check(7, 1, 3, "");
        check(7, 1, 5, "");
        check(7, 1, 3, "order 'stop' was replayed");
        check(7, 1, 4, "replayed");
        // Another coordinator counts for itself.
        check(7, 2, 1, "");
        check(7, 1, 6, "");
        check(6, 1, 7, "before this agent started");
        check(0, 9, u64::MAX, "before this agent started");
        check(7, 1, 6, "");
    }

    #[test]
    fn reading_the_clock_is_not_counted() {
        let mut log = OrderLog::default();
        let ping = SentOrder { order: Order::Ping, ..sent(0, 1, 9) };
        assert_eq!(log.find_replay(&ping, 7), None);
        assert_eq!(log.find_replay(&sent(7, 1, 1), 7), None);
    }

    #[test]
    fn memory_is_bounded_and_the_oldest_session_goes_first() {
        let mut log = OrderLog::default();
        for session in 0..=SESSIONS_MAX as u64 {
            assert_eq!(log.find_replay(&sent(7, session, 5), 7), None);
        }
        assert_eq!((log.numbers.len(), log.oldest.len()), (SESSIONS_MAX, SESSIONS_MAX));
        assert!(!log.numbers.contains_key(&0));
        assert!(log.find_replay(&sent(7, 1, 4), 7).is_some());
    }
}
