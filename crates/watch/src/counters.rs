//! The source that works everywhere: `/proc/diskstats`. Rates and means, no percentile.

use std::collections::HashMap;

use target::Roots;

use crate::disks::Disk;
use crate::diskstats::{DirectionDelta, DiskDelta, DiskLine, read_diskstats};
use crate::error::WatchError;
use crate::host::HostReader;
use crate::sample::{DeviceSample, DirectionSample, Sample, SourceKind};
use crate::source::Source;

pub struct CountersSource {
    disks: Vec<Disk>,
    counters: DiskCounters,
    host: HostReader,
}

impl CountersSource {
    pub fn open(disks: &[Disk], roots: &Roots) -> Result<Self, WatchError> {
        Ok(Self {
            disks: disks.to_vec(),
            counters: DiskCounters::open(roots)?,
            host: HostReader::open(roots),
        })
    }
}

impl Source for CountersSource {
    fn kind(&self) -> SourceKind {
        SourceKind::Counters
    }

    fn sample(&mut self) -> Result<Sample, WatchError> {
        let interval = self.host.end_interval();
        self.counters.advance(interval.length_ns)?;
        let device = |disk: &Disk| {
            let reading = self.counters.reading(disk)?;
            Some(sample_counters(disk, reading, interval.length_ns))
        };
        Ok(Sample {
            length_ns: interval.length_ns,
            devices: self.disks.iter().filter_map(device).collect(),
            host: interval.host,
            ..Sample::default()
        })
    }
}

/// All that counters say of a disk.
pub(crate) fn sample_counters(disk: &Disk, reading: &Reading, length_ns: u64) -> DeviceSample {
    let share = |ms: u64| (length_ns > 0).then(|| ms as f64 * 1e6 / length_ns as f64);
    let delta = &reading.delta;
    DeviceSample {
        name: disk.name.clone(),
        read: sample_direction(&delta.read),
        write: sample_direction(&delta.write),
        flush: delta.flush.as_ref().map(sample_direction),
        errors: None,
        outstanding: share(reading.outstanding_ms),
        busy_share: share(u64::from(delta.busy_ms)).map(|share| share.min(1.0)),
        volume: None,
    }
}

fn sample_direction(delta: &DirectionDelta) -> DirectionSample {
    let mean_ns = || f64::from(delta.time_ms) * 1e6 / delta.operations as f64;
    DirectionSample {
        operations: delta.operations,
        bytes: delta.bytes,
        mean_ns: (delta.operations > 0).then(mean_ns),
        ..DirectionSample::default()
    }
}

/// What a disk did between the last two readings.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading {
    delta: DiskDelta,
    outstanding_ms: u64,
}

impl Reading {
    /// Reads, writes and discards.
    pub(crate) fn completed(&self) -> u64 {
        self.delta.completed
    }
}

/// The time of requests that have not completed. The kernel adds a request's time up when it
/// completes: a disk that hangs would have nothing outstanding, and much too much afterwards.
#[derive(Debug, Clone, Default)]
pub(crate) struct UnfinishedTime {
    ms: u64,
}

/// What the kernel counts over an interval.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Completions {
    pub(crate) in_flight_before: u64,
    pub(crate) in_flight_after: u64,
    pub(crate) completed: u64,
    pub(crate) completed_ms: u64,
}

impl UnfinishedTime {
    /// The time outstanding within an interval, summed over the requests, never overstated.
    pub(crate) fn add(&mut self, counted: Completions, length_ms: u64) -> u64 {
        let Completions { in_flight_before, in_flight_after, completed, completed_ms } = counted;
        // In flight at the start and not completed: in flight all the time.
        let waiting = in_flight_before.saturating_sub(completed).min(in_flight_after);
        let counted_before = self.ms.min(completed_ms);
        let added_ms = waiting * length_ms;
        self.ms = self.ms - counted_before + added_ms;
        completed_ms - counted_before + added_ms
    }
}

/// The last reading of `/proc/diskstats`, and what each disk did since the one before.
pub(crate) struct DiskCounters {
    roots: Roots,
    lines: Vec<DiskLine>,
    unfinished: HashMap<(u32, u32), UnfinishedTime>,
    readings: HashMap<(u32, u32), Reading>,
}

impl DiskCounters {
    pub(crate) fn open(roots: &Roots) -> Result<Self, WatchError> {
        Ok(Self {
            roots: roots.clone(),
            lines: read_diskstats(roots)?,
            unfinished: HashMap::new(),
            readings: HashMap::new(),
        })
    }

    /// Reads the counters, an interval after the last time.
    pub(crate) fn advance(&mut self, length_ns: u64) -> Result<(), WatchError> {
        let earlier = std::mem::replace(&mut self.lines, read_diskstats(&self.roots)?);
        self.readings.clear();
        for now in &self.lines {
            let same = earlier.iter().find(|line| line.number == now.number);
            let Some((then, delta)) = same.and_then(|then| Some((then, now.since(then)?))) else {
                self.unfinished.remove(&now.number);
                continue;
            };
            let counted = Completions {
                in_flight_before: then.in_flight,
                in_flight_after: now.in_flight,
                completed: delta.completed,
                completed_ms: delta.completed_ms,
            };
            let unfinished = self.unfinished.entry(now.number).or_default();
            let outstanding_ms = unfinished.add(counted, length_ns / 1_000_000);
            self.readings.insert(now.number, Reading { delta, outstanding_ms });
        }
        Ok(())
    }

    /// What a disk did between the readings; `None` when it is gone or was made anew.
    pub(crate) fn reading(&self, disk: &Disk) -> Option<&Reading> {
        self.readings.get(&disk.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_the_interval() {
        let disk = Disk { name: "vda".to_owned(), number: (254, 0) };
        let delta = DiskDelta { busy_ms: 500, ..Default::default() };
        let reading = Reading { delta, outstanding_ms: 6_000 };
        let device = sample_counters(&disk, &reading, 2_000_000_000);
        assert_eq!((device.busy_share, device.outstanding), (Some(0.25), Some(3.0)));
    }

    #[test]
    fn counters_give_rates_and_means_and_no_percentile() {
        let tree = lab::SysfsTree::from_text(
            "proc/diskstats = 254 0 vda 100 0 800 50 0 0 0 0 0 60 140\\n\
             8 0 sda 1 0 8 1 0 0 0 0 0 1 1\\n\n",
        )
        .unwrap();
        let roots = Roots::under(tree.root());
        let disk = |name: &str, number| Disk { name: name.to_owned(), number };
        let disks = [disk("sda", (8, 0)), disk("vda", (254, 0)), disk("gone", (9, 9))];
        let mut source = CountersSource::open(&disks, &roots).unwrap();
        let text = "254 0 vda 150 0 1200 150 2 0 16 3 0 65 250\n8 0 sda 1 0 8 1 0 0 0 0 0 1 1\n";
        std::fs::write(roots.proc.join("diskstats"), text).unwrap();
        let sample = source.sample().unwrap();
        assert_eq!(source.kind(), SourceKind::Counters);
        let names: Vec<&str> = sample.devices.iter().map(|device| device.name.as_str()).collect();
        assert_eq!(names, ["sda", "vda"]);
        let [idle, busy] = &sample.devices[..] else { panic!("{sample:?}") };
        assert_eq!((busy.read.operations, busy.read.bytes), (50, 400 * 512));
        assert_eq!(busy.read.mean_ns, Some(2e6));
        assert_eq!(busy.write.mean_ns, Some(1.5e6));
        assert_eq!((&busy.read.total, &busy.read.queue, &busy.read.device), (&None, &None, &None));
        assert_eq!(busy.flush, None);
        let outstanding = busy.outstanding.unwrap();
        assert!((outstanding * sample.length_ns as f64 / 1e6 - 103.0).abs() < 1e-6);
        assert_eq!((idle.read.operations, idle.read.mean_ns), (0, None));
        assert!(sample.waiters.is_empty());
        assert_eq!(sample.host.cpu_busy_share, None);
    }

    fn check_outstanding(intervals: &[(u64, u64, u64)], expected: &[u64]) {
        let (mut unfinished, mut in_flight) = (UnfinishedTime::default(), 0);
        let mut add = |&(completed, completed_ms, in_flight_after): &(u64, u64, u64)| {
            let in_flight_before = std::mem::replace(&mut in_flight, in_flight_after);
            let counted =
                Completions { in_flight_before, in_flight_after, completed, completed_ms };
            unfinished.add(counted, 1000)
        };
        assert_eq!(intervals.iter().map(&mut add).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn requests_in_flight_are_outstanding_before_they_complete() {
        // Completed, their time and what is in flight at the end, of a disk that hangs for 3 s.
        check_outstanding(
            &[(100, 400, 4), (0, 0, 4), (0, 0, 4), (100, 12_400, 4), (100, 400, 4)],
            &[400, 4000, 4000, 4400, 400],
        );
        // One of them comes back within the second; the time of the others stays counted.
        check_outstanding(
            &[(9, 30, 4), (0, 0, 4), (1, 1500, 3), (3, 7000, 0), (0, 0, 0)],
            &[30, 4000, 3000, 1500, 0],
        );
        // What is in flight at both ends of a second and was not at its middle is not known.
        check_outstanding(&[(50, 200, 8), (8, 40, 8), (500, 2000, 1)], &[200, 40, 2000]);
    }
}
