//! What a worker's thread costs the system, and how long it had to wait for a processor.

use std::fs::File;
use std::os::unix::fs::FileExt;

#[derive(Debug, Clone, Copy)]
pub(super) struct Usage {
    /// Processor time: user, system.
    pub(super) cpu_ns: (u64, u64),
    pub(super) switches: u64,
    pub(super) major_faults: u64,
    pub(super) minor_faults: u64,
}

impl Usage {
    pub(super) fn of_this_thread() -> Self {
        // SAFETY: `usage` is plain data that getrusage fills in.
        let usage = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage);
            usage
        };
        let ns = |t: libc::timeval| t.tv_sec as u64 * 1_000_000_000 + t.tv_usec as u64 * 1_000;
        Self {
            cpu_ns: (ns(usage.ru_utime), ns(usage.ru_stime)),
            switches: (usage.ru_nvcsw + usage.ru_nivcsw) as u64,
            major_faults: usage.ru_majflt as u64,
            minor_faults: usage.ru_minflt as u64,
        }
    }
}

/// How long a thread was ready to run and did not run: the scheduler's statistics of the thread
/// that opened them.
#[derive(Debug)]
pub(crate) struct RunQueueClock(Option<File>);

impl RunQueueClock {
    pub(crate) fn of_this_thread() -> Self {
        Self(File::open("/proc/thread-self/schedstat").ok())
    }

    /// Of a run on a virtual clock, which no scheduler delays.
    pub(crate) const fn stopped() -> Self {
        Self(None)
    }

    /// Nanoseconds since the thread began; `None` where the kernel does not count them.
    pub(super) fn read_ns(&self) -> Option<u64> {
        let mut text = [0; 96];
        let length = self.0.as_ref()?.read_at(&mut text, 0).ok()?;
        parse_run_delay(std::str::from_utf8(&text[..length]).ok()?)
    }
}

/// `RUNNING WAITING TIMESLICES`, all of them 0 in a kernel that does not count.
fn parse_run_delay(schedstat: &str) -> Option<u64> {
    let mut words = schedstat.split_ascii_whitespace();
    let (running, waiting) = (words.next()?, words.next()?);
    if running == "0" { None } else { waiting.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_number_is_the_wait() {
        assert_eq!(parse_run_delay("656308081 2552274293 180\n"), Some(2_552_274_293));
        assert_eq!(parse_run_delay("656308081 0 1\n"), Some(0));
        for none in ["0 0 0\n", "", "656308081", "a b c"] {
            assert_eq!(parse_run_delay(none), None, "{none}");
        }
        assert_eq!(RunQueueClock::stopped().read_ns(), None);
    }
}
