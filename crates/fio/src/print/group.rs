//! `Run status group`: what the jobs of a group did together.

use std::fmt::Write;

use super::direction::{bytes_per_second, has_run, merge_directions};
use super::numbers::Scale;
use crate::results::{DirectionResult, JobResult, Unified};

/// How a group's summary is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GroupSettings {
    /// Bases, unit and digits.
    pub scale: Scale,
    /// Directions apart, as one, or both.
    pub unified: Unified,
}

impl GroupSettings {
    /// Those of every group, by its number: of its last entry, as fio does.
    #[must_use]
    pub fn from_entries(entries: &[JobResult]) -> Vec<Self> {
        let groups = entries.iter().map(|entry| entry.group as usize + 1).max().unwrap_or(0);
        let mut settings = vec![Self::default(); groups];
        for entry in entries {
            if let Some(group) = settings.get_mut(entry.group as usize) {
                let (scale, unified) = (Scale::from(&entry.display), entry.display.unified);
                *group = Self { scale, unified };
            }
        }
        settings
    }
}

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

/// A group's directions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct GroupSummary {
    /// Read, write, trim.
    pub(super) directions: [GroupTotal; 3],
    /// All of them together.
    pub(super) mixed: GroupTotal,
}

impl GroupSummary {
    /// Sums up the entries of a group. fio takes what is shown, not single instances: jobs that
    /// are merged for `group_reporting` count as one in the least and the largest rate.
    pub(super) fn from_entries(number: u32, entries: &[JobResult]) -> Self {
        let mut group = Self::default();
        for entry in entries.iter().filter(|entry| entry.group == number) {
            let directions = [&entry.read, &entry.write, &entry.trim];
            for (total, direction) in group.directions.iter_mut().zip(directions) {
                total.add(direction);
            }
            if entry.display.unified == Unified::Mixed {
                group.mixed.add(&merge_directions(entry));
            } else {
                directions.iter().for_each(|direction| group.mixed.add(direction));
            }
        }
        group
    }

    /// The summary, after an empty line.
    pub(super) fn render(&self, number: usize, settings: GroupSettings) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "\nRun status group {number} (all jobs):");
        if settings.unified != Unified::Mixed {
            for (name, total) in ["READ", "WRITE", "TRIM"].iter().zip(&self.directions) {
                out.push_str(&total.format_line(name, settings.scale));
            }
        }
        if settings.unified != Unified::None {
            out.push_str(&self.mixed.format_line("MIXED", settings.scale));
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
        let empty = GroupSummary::default().render(3, GroupSettings::default());
        assert_eq!(empty, "\nRun status group 3 (all jobs):\n");
    }
}
