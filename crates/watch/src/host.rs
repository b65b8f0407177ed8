//! What the host did meanwhile: processors, pressure, dirty pages; and the length of the interval.

use std::fs;
use std::time::Instant;

use target::{CPU_TICK_FIELDS, Roots, read_cpu_ticks, read_pressure};
use units::Nanos;

use crate::sample::HostSample;

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
    ticks: Option<[u64; CPU_TICK_FIELDS]>,
    io_some: Option<Nanos>,
    io_full: Option<Nanos>,
    cpu_some: Option<Nanos>,
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
        let meminfo = fs::read_to_string(self.roots.proc.join("meminfo")).unwrap_or_default();
        let mut host = counters.since(&self.earlier, length_ns);
        (host.dirty_bytes, host.writeback_bytes) = parse_meminfo(&meminfo);
        (self.at, self.earlier) = (now, counters);
        Interval { length_ns, host }
    }
}

impl HostCounters {
    fn read(roots: &Roots) -> Self {
        Self {
            ticks: read_cpu_ticks(roots),
            io_some: read_pressure(roots, "io", "some"),
            io_full: read_pressure(roots, "io", "full"),
            cpu_some: read_pressure(roots, "cpu", "some"),
        }
    }

    fn since(&self, earlier: &Self, length_ns: u64) -> HostSample {
        let pressure = |now: Option<Nanos>, then: Option<Nanos>| {
            let ns = now?.0.checked_sub(then?.0)?;
            (length_ns > 0).then(|| (ns as f64 / length_ns as f64).min(1.0))
        };
        let (busy, steal) = self.processor_shares(earlier).unzip();
        HostSample {
            cpu_busy_share: busy,
            steal_share: steal,
            io_pressure: pressure(self.io_some, earlier.io_some),
            io_full_pressure: pressure(self.io_full, earlier.io_full),
            cpu_pressure: pressure(self.cpu_some, earlier.cpu_some),
            ..HostSample::default()
        }
    }

    /// Busy and stolen, of all processors.
    fn processor_shares(&self, earlier: &Self) -> Option<(f64, f64)> {
        let (now, then) = (self.ticks?, earlier.ticks?);
        // The time in iowait can fall.
        let field = |i: usize| now[i].saturating_sub(then[i]);
        let total: u64 = (0..CPU_TICK_FIELDS).map(field).sum();
        let share = |ticks: u64| ticks as f64 / total as f64;
        let (idle, steal) = (field(3) + field(4), field(7));
        (total > 0).then(|| (share(total - idle - steal), share(steal)))
    }
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
        let counters = |text: &str| {
            let tree = lab::SysfsTree::from_text(text).unwrap();
            HostCounters::read(&Roots::under(tree.root()))
        };
        let then = counters(
            "proc/stat = cpu  100 0 50 800 40 0 0 10 0 0\\ncpu0 1 2 3 4\\n\n\
             proc/pressure/io = some avg10=1.00 total=1000\\nfull total=10\\n\n",
        );
        let now = counters(
            "proc/stat = cpu  120 0 60 850 50 0 0 20 0 0\\n\n\
             proc/pressure/io = some avg10=1.00 total=251000\\nfull total=10\\n\n\
             proc/pressure/cpu = some total=5\\n\n",
        );
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
