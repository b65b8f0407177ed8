//! The source that works everywhere: `/proc/diskstats`. Rates and means, no percentile.

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
        self.counters.advance()?;
        let device = |disk: &Disk| {
            let delta = self.counters.delta(disk)?;
            Some(sample_counters(disk, &delta, interval.length_ns))
        };
        Ok(Sample {
            unix_ns: interval.unix_ns,
            length_ns: interval.length_ns,
            devices: self.disks.iter().filter_map(device).collect(),
            host: interval.host,
            ..Sample::default()
        })
    }
}

/// All that counters say of a disk.
pub(crate) fn sample_counters(disk: &Disk, delta: &DiskDelta, length_ns: u64) -> DeviceSample {
    DeviceSample {
        read: sample_direction(&delta.read),
        write: sample_direction(&delta.write),
        flushes: delta.flushes,
        ..sample_load(disk, delta, length_ns)
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

/// How many requests were outstanding; the rest is empty.
fn sample_load(disk: &Disk, delta: &DiskDelta, length_ns: u64) -> DeviceSample {
    let share = |ms: u32| (length_ns > 0).then(|| f64::from(ms) * 1e6 / length_ns as f64);
    DeviceSample {
        name: disk.name.clone(),
        number: disk.number,
        outstanding: share(delta.outstanding_ms),
        busy_share: share(delta.busy_ms).map(|share| share.min(1.0)),
        ..DeviceSample::default()
    }
}

/// The last two readings of `/proc/diskstats`.
pub(crate) struct DiskCounters {
    roots: Roots,
    earlier: Vec<DiskLine>,
    now: Vec<DiskLine>,
}

impl DiskCounters {
    pub(crate) fn open(roots: &Roots) -> Result<Self, WatchError> {
        let now = read_diskstats(roots)?;
        Ok(Self { roots: roots.clone(), earlier: Vec::new(), now })
    }

    pub(crate) fn advance(&mut self) -> Result<(), WatchError> {
        self.earlier = std::mem::replace(&mut self.now, read_diskstats(&self.roots)?);
        Ok(())
    }

    /// What a disk did between the readings; `None` when it is gone or was made anew.
    pub(crate) fn delta(&self, disk: &Disk) -> Option<DiskDelta> {
        let line = |lines: &[DiskLine]| lines.iter().position(|line| line.number == disk.number);
        let now = &self.now[line(&self.now)?];
        now.since(&self.earlier[line(&self.earlier)?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(busy.flushes, None);
        let outstanding = busy.outstanding.unwrap();
        assert!((outstanding * sample.length_ns as f64 / 1e6 - 110.0).abs() < 1e-6);
        assert_eq!((idle.read.operations, idle.read.mean_ns), (0, None));
        assert!(sample.waiters.is_empty());
        assert_eq!(sample.host.cpu_busy_share, None);
    }
}
