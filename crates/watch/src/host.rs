//! What the host did meanwhile: processors, pressure, dirty pages; and the length of the interval.

use std::fs;
use std::time::Instant;

use target::Roots;

use crate::sample::HostSample;

/// user nice system idle iowait irq softirq steal; guest time is within user.
const TICK_FIELDS: usize = 8;

pub(crate) struct HostReader {
    roots: Roots,
    at: Instant,
    earlier: HostCounters,
}

/// An interval that just ended.
pub(crate) struct Interval {
    pub(crate) length_ns: u64,
    pub(crate) host: HostSample,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct HostCounters {
    ticks: Option<[u64; TICK_FIELDS]>,
    io_some_us: Option<u64>,
    io_full_us: Option<u64>,
    cpu_some_us: Option<u64>,
}

impl HostReader {
    pub(crate) fn open(roots: &Roots) -> Self {
        let earlier = HostCounters::read(roots);
        Self { roots: roots.clone(), at: Instant::now(), earlier }
    }

    pub(crate) fn end_interval(&mut self) -> Interval {
        let now = Instant::now();
        let length_ns = now.duration_since(self.at).as_nanos() as u64;
        let counters = HostCounters::read(&self.roots);
        let mut host = counters.since(&self.earlier, length_ns);
        (host.dirty_bytes, host.writeback_bytes) = parse_meminfo(&self.read("meminfo"));
        (self.at, self.earlier) = (now, counters);
        Interval { length_ns, host }
    }

    fn read(&self, name: &str) -> String {
        read_proc(&self.roots, name)
    }
}

impl HostCounters {
    fn read(roots: &Roots) -> Self {
        let io = read_proc(roots, "pressure/io");
        Self {
            ticks: parse_ticks(&read_proc(roots, "stat")),
            io_some_us: parse_pressure(&io, "some"),
            io_full_us: parse_pressure(&io, "full"),
            cpu_some_us: parse_pressure(&read_proc(roots, "pressure/cpu"), "some"),
        }
    }

    fn since(&self, earlier: &Self, length_ns: u64) -> HostSample {
        let pressure = |now: Option<u64>, then: Option<u64>| {
            let us = now?.checked_sub(then?)?;
            (length_ns > 0).then(|| (us as f64 * 1e3 / length_ns as f64).min(1.0))
        };
        let (busy, steal) = self.processor_shares(earlier).unzip();
        HostSample {
            cpu_busy_share: busy,
            steal_share: steal,
            io_pressure: pressure(self.io_some_us, earlier.io_some_us),
            io_full_pressure: pressure(self.io_full_us, earlier.io_full_us),
            cpu_pressure: pressure(self.cpu_some_us, earlier.cpu_some_us),
            ..HostSample::default()
        }
    }

    /// Busy and stolen, of all processors.
    fn processor_shares(&self, earlier: &Self) -> Option<(f64, f64)> {
        let (now, then) = (self.ticks?, earlier.ticks?);
        // The time in iowait can fall.
        let field = |i: usize| now[i].saturating_sub(then[i]);
        let total: u64 = (0..TICK_FIELDS).map(field).sum();
        let share = |ticks: u64| ticks as f64 / total as f64;
        let (idle, steal) = (field(3) + field(4), field(7));
        (total > 0).then(|| (share(total - idle - steal), share(steal)))
    }
}

/// Empty where it cannot be read.
fn read_proc(roots: &Roots, name: &str) -> String {
    fs::read_to_string(roots.proc.join(name)).unwrap_or_default()
}

fn parse_ticks(text: &str) -> Option<[u64; TICK_FIELDS]> {
    let line = text.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let mut ticks = [0; TICK_FIELDS];
    for (tick, word) in ticks.iter_mut().zip(line.split_whitespace()) {
        *tick = word.parse().ok()?;
    }
    Some(ticks)
}

/// `some avg10=0.00 avg60=0.00 avg300=0.00 total=12345`, in microseconds.
fn parse_pressure(text: &str, kind: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.split(' ').next() == Some(kind))?;
    line.rsplit_once("total=")?.1.trim().parse().ok()
}

/// Dirty bytes, and those being written back.
fn parse_meminfo(text: &str) -> (Option<u64>, Option<u64>) {
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.split_whitespace().next()?.parse::<u64>().ok()?.saturating_mul(1024))
    };
    (field("Dirty:"), field("Writeback:"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_the_interval() {
        let then = HostCounters {
            ticks: parse_ticks("cpu  100 0 50 800 40 0 0 10 0 0\ncpu0 1 2 3 4\n"),
            io_some_us: parse_pressure("some avg10=1.00 total=1000\nfull total=10\n", "some"),
            io_full_us: Some(10),
            cpu_some_us: None,
        };
        let now = HostCounters {
            ticks: parse_ticks("cpu  120 0 60 850 50 0 0 20 0 0\n"),
            io_some_us: Some(251_000),
            io_full_us: Some(10),
            cpu_some_us: Some(5),
        };
        let host = now.since(&then, 1_000_000_000);
        assert_eq!((host.cpu_busy_share, host.steal_share), (Some(0.3), Some(0.1)));
        assert_eq!((host.io_pressure, host.io_full_pressure), (Some(0.25), Some(0.0)));
        assert_eq!(host.cpu_pressure, None);
    }

    #[test]
    fn what_cannot_be_read_is_absent() {
        let tree = lab::SysfsTree::from_text("proc/meminfo = MemTotal: 9 kB\n").unwrap();
        let mut reader = HostReader::open(&Roots::under(tree.root()));
        assert_eq!(reader.end_interval().host, HostSample::default());
    }

    #[test]
    fn dirty_pages_are_in_bytes() {
        let text = "MemTotal: 9 kB\nDirty:      12 kB\nWriteback:   3 kB\nWritebackTmp: 5 kB\n";
        assert_eq!(parse_meminfo(text), (Some(12 * 1024), Some(3 * 1024)));
    }
}
