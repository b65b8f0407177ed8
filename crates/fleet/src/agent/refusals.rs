//! The log of refused messages, limited in rate: anybody on the server can send some.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Lines of one kind that are logged at once.
const BURST: u32 = 10;
const INTERVAL: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RefusalKind {
    Message,
    Version,
    Order,
    Request,
}

impl RefusalKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Message => "malformed messages",
            Self::Version => "messages of another version",
            Self::Order => "unreasonable orders",
            Self::Request => "orders",
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct RefusalLog {
    kinds: BTreeMap<RefusalKind, TokenBucket>,
}

#[derive(Debug)]
struct TokenBucket {
    lines: u32,
    filled_at: Instant,
    left_out: u64,
}

impl TokenBucket {
    fn take_line(&mut self, now: Instant) -> bool {
        while self.lines < BURST && now.saturating_duration_since(self.filled_at) >= INTERVAL {
            self.lines += 1;
            self.filled_at += INTERVAL;
        }
        if self.lines == BURST {
            self.filled_at = now;
        }
        let may = self.lines > 0;
        self.lines -= u32::from(may);
        may
    }
}

impl RefusalLog {
    /// The line for a refusal; `None` above the rate.
    pub(crate) fn log_line(
        &mut self,
        kind: RefusalKind,
        words: &str,
        now: Instant,
    ) -> Option<String> {
        let full = TokenBucket { lines: BURST, filled_at: now, left_out: 0 };
        let bucket = self.kinds.entry(kind).or_insert(full);
        if !bucket.take_line(now) {
            bucket.left_out += 1;
            return None;
        }
        let words = input::shorten_message(words);
        Some(match std::mem::take(&mut bucket.left_out) {
            0 => words.into_owned(),
            more => format!("{words} (and {more} more {} before)", kind.name()),
        })
    }

    /// Summaries of the lines that were left out.
    pub(crate) fn due_lines(&mut self, now: Instant) -> Vec<String> {
        let mut lines = Vec::new();
        for (kind, bucket) in &mut self.kinds {
            if bucket.left_out > 0 && bucket.take_line(now) {
                let more = std::mem::take(&mut bucket.left_out);
                lines.push(format!("refused {more} more {}", kind.name()));
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_refused_messages_is_a_line_per_interval() {
        let mut log = RefusalLog::default();
        let begun = Instant::now();
        let mut lines = Vec::new();
        // A thousand messages per second, for 25 s.
        for millis in 0..25_000 {
            let now = begun + Duration::from_millis(millis);
            lines.extend(log.due_lines(now));
            lines.extend(log.log_line(RefusalKind::Message, "refused a message: x", now));
        }
        assert_eq!(lines[..10], ["refused a message: x"; 10]);
        let rest =
            ["refused 9990 more malformed messages", "refused 10000 more malformed messages"];
        assert_eq!(lines[10..], rest);
        // The rest is said when the flood is over, and then nothing more is.
        let later = begun + Duration::from_secs(60);
        assert_eq!(log.due_lines(later), ["refused 5000 more malformed messages"]);
        assert!(log.due_lines(later + INTERVAL).is_empty());
    }

    #[test]
    fn kinds_do_not_hide_each_other() {
        let mut log = RefusalLog::default();
        let now = Instant::now();
        let logged = (0..50).filter_map(|_| log.log_line(RefusalKind::Message, "a", now)).count();
        assert_eq!(logged, 10);
        assert!(log.log_line(RefusalKind::Version, "b", now).is_some());
        let line = log.log_line(RefusalKind::Message, "d", now + INTERVAL).unwrap();
        assert_eq!(line, "d (and 40 more malformed messages before)");
        assert!(log.due_lines(now + INTERVAL).is_empty());
    }

    #[test]
    fn a_line_quotes_little() {
        let mut log = RefusalLog::default();
        let words = format!("refused: '{}' is not allowed", "x".repeat(1 << 20));
        let line = log.log_line(RefusalKind::Request, &words, Instant::now()).unwrap();
        assert!(line.len() < 300 && line.ends_with("' is not allowed"), "{line}");
    }
}
