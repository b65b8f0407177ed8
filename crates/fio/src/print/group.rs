//! `Run status group`: what the jobs of a group did together.

use std::fmt::Write;

use super::direction::has_run;
use super::numbers::Scale;
use crate::results::bytes_per_second;
use crate::results::{DirectionResult, JobResult, ReportedDirection, Unified};

/// One direction of a group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct GroupTotal {
    bytes: u64,
    runtime: Option<(u64, u64)>,
    rate: Option<(u64, u64)>,
}

impl GroupTotal {
    fn add(&mut self, direction: &DirectionResult) {
        if !has_run(direction) {
            return;
        }
        self.bytes += direction.bytes;
        self.runtime = widen_range(self.runtime, direction.runtime_ms);
        self.rate = widen_range(self.rate, bytes_per_second(direction.bytes, direction.runtime_ms));
    }

    /// Bytes per second: all bytes over the longest run time.
    pub(super) fn bytes_per_second(&self) -> u64 {
        self.runtime.map_or(0, |(_, longest)| bytes_per_second(self.bytes, longest))
    }

    fn format_line(&self, name: &str, scale: Scale) -> String {
        let (Some((shortest, longest)), Some((min, max))) = (self.runtime, self.rate) else {
            return String::new();
        };
        format!(
            "{name:>7}: bw={}, {}-{} ({}-{}), io={}, run={shortest}-{longest}msec\n",
            scale.format_rate_pair(self.bytes_per_second()),
            scale.format_rate(min),
            scale.format_rate(max),
            scale.format_other_rate(min),
            scale.format_other_rate(max),
            scale.format_size_pair(self.bytes),
        )
    }
}

fn widen_range(range: Option<(u64, u64)>, value: u64) -> Option<(u64, u64)> {
    let (min, max) = range.unwrap_or((value, value));
    Some((min.min(value), max.max(value)))
}

/// What the jobs of a group did, and how that is shown: as the group's last entry wants it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct GroupSummary {
    totals: [GroupTotal; 4],
    scale: Scale,
    unified: Unified,
}

impl GroupSummary {
    /// Of every group, by its number.
    pub(super) fn all(entries: &[JobResult]) -> Vec<Self> {
        let count = entries.iter().map(|entry| entry.group + 1).max().unwrap_or(0);
        (0..count).map(|number| Self::from_entries(number, entries)).collect()
    }

    /// Sums up the entries of a group. fio takes what is shown, not single instances: jobs that
    /// are merged for `group_reporting` count as one in the smallest and the largest rate.
    pub(super) fn from_entries(number: u32, entries: &[JobResult]) -> Self {
        let mut group = Self::default();
        let [read, write, trim, mixed] = &mut group.totals;
        for entry in entries.iter().filter(|entry| entry.group == number) {
            let directions = [&entry.read, &entry.write, &entry.trim];
            for (total, direction) in
                [&mut *read, &mut *write, &mut *trim].into_iter().zip(directions)
            {
                total.add(direction);
            }
            if entry.display.unified == Unified::Mixed {
                mixed.add(&entry.mixed());
            } else {
                directions.iter().for_each(|direction| mixed.add(direction));
            }
            (group.scale, group.unified) = (Scale::from(&entry.display), entry.display.unified);
        }
        group
    }

    pub(super) fn total(&self, direction: ReportedDirection) -> &GroupTotal {
        &self.totals[direction as usize]
    }

    /// The summary, after an empty line.
    pub(super) fn render(&self, number: usize) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "\nRun status group {number} (all jobs):");
        for &direction in ReportedDirection::listed(self.unified) {
            let name = direction.name().to_uppercase();
            out.push_str(&self.total(direction).format_line(&name, self.scale));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn did(bytes: u64, runtime_ms: u64) -> DirectionResult {
        DirectionResult { bytes, ops: bytes / 4096, runtime_ms, ..Default::default() }
    }

    fn line(name: &str, scale: Scale, directions: &[DirectionResult]) -> String {
        let mut total = GroupTotal::default();
        directions.iter().for_each(|direction| total.add(direction));
        total.format_line(name, scale)
    }

    #[test]
    fn rates_are_over_the_longest_run_and_extremes_of_single_jobs() {
        // Measured with fio 3.33.
        assert_eq!(
            line("READ", Scale::default(), &[did(2 << 20, 1), did(1 << 20, 3), did(0, 0)]),
            "   READ: bw=1000MiB/s (1049MB/s), 333MiB/s-2000MiB/s (350MB/s-2097MB/s), \
             io=3072KiB (3146kB), run=1-3msec\n"
        );
        let bits = Scale { unit_base: 1, ..Scale::default() };
        assert_eq!(
            line("READ", bits, &[did(20542 * 4096, 1007), did(20414 * 4096, 1006)]),
            "   READ: bw=1271Mibit/s (1333Mbit/s), 634Mibit/s-637Mibit/s (665Mbit/s-668Mbit/s), \
             io=160MiB (168MB), run=1006-1007msec\n"
        );
        let reads_and_writes = [did(9971 * 4096, 1001), did(9960 * 4096, 1001)];
        assert_eq!(
            line("MIXED", Scale::default(), &reads_and_writes),
            "  MIXED: bw=77.8MiB/s (81.6MB/s), 38.9MiB/s-38.9MiB/s (40.8MB/s-40.8MB/s), \
             io=77.9MiB (81.6MB), run=1001-1001msec\n"
        );
    }

    #[test]
    fn a_direction_nobody_used_has_no_line() {
        assert_eq!(line("TRIM", Scale::default(), &[did(0, 0)]), "");
        let empty = GroupSummary::default().render(3);
        assert_eq!(empty, "\nRun status group 3 (all jobs):\n");
    }
}
