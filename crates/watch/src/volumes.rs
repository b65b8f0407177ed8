//! What the watched EBS volumes count themselves.

use record::VolumeCounters;
use target::{Roots, is_ebs_volume, read_counters_of_disk, subtract_volume_counters};

use crate::disks::Disk;
use crate::sample::Sample;

/// Adds to each sample what the volumes counted since the one before.
pub struct VolumeReader {
    /// Names of the disks that are EBS volumes.
    names: Vec<String>,
    roots: Roots,
    read: fn(&str, &Roots) -> Option<VolumeCounters>,
    last: Vec<VolumeCounters>,
}

impl VolumeReader {
    pub fn open<'d>(disks: impl IntoIterator<Item = &'d Disk>, roots: &Roots) -> Self {
        let is_volume = |disk: &&Disk| {
            let layers = target::describe_stack(&disk.device_number(), roots);
            layers.iter().any(|layer| layer.name == disk.name && is_ebs_volume(layer))
        };
        let names = disks.into_iter().filter(is_volume).map(|disk| disk.name.clone());
        Self::with(names.collect(), read_counters_of_disk, roots)
    }

    fn with(
        names: Vec<String>,
        read: fn(&str, &Roots) -> Option<VolumeCounters>,
        roots: &Roots,
    ) -> Self {
        let mut reader = Self { names, roots: roots.clone(), read, last: Vec::new() };
        reader.last = reader.read_all();
        reader
    }

    fn read_all(&self) -> Vec<VolumeCounters> {
        self.names.iter().filter_map(|name| (self.read)(name, &self.roots)).collect()
    }

    /// An interval in which the counters began anew has none.
    pub fn add_to(&mut self, sample: &mut Sample) {
        let now = self.read_all();
        for counted in subtract_volume_counters(&self.last, &now) {
            let mut devices = sample.devices.iter_mut();
            if let Some(device) = devices.find(|device| device.name == counted.device) {
                device.volume = Some(counted);
            }
        }
        self.last = now;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use units::Nanos;

    use super::*;
    use crate::sample::DeviceSample;
    use crate::summary::WatchSummary;

    thread_local! {
        static SECONDS: Cell<u64> = const { Cell::new(0) };
    }

    #[test]
    fn each_interval_has_what_the_volume_counted_in_it() {
        let read = |name: &str, _: &Roots| {
            let volume_iops_exceeded = Nanos::secs(SECONDS.get());
            let device = name.to_owned();
            Some(VolumeCounters { device, volume_iops_exceeded, ..Default::default() })
        };
        let mut reader = VolumeReader::with(vec!["nvme1n1".to_owned()], read, &Roots::host());
        let mut summary = WatchSummary::default();
        // The last reading began anew.
        for (seconds, expected) in [(1, Some(1)), (1, Some(0)), (4, Some(3)), (2, None)] {
            SECONDS.set(seconds);
            let device = |name: &str| DeviceSample { name: name.to_owned(), ..Default::default() };
            let devices = vec![device("nvme0n1"), device("nvme1n1")];
            let mut sample = Sample { length_ns: 1_000_000_000, devices, ..Default::default() };
            reader.add_to(&mut sample);
            let [other, volume] = &sample.devices[..] else { panic!("two devices") };
            assert!(other.volume.is_none());
            let counted = volume.volume.as_ref().map(|counted| counted.volume_iops_exceeded);
            assert_eq!(counted, expected.map(Nanos::secs), "{seconds}");
            summary.add(&sample);
        }
        let sum = summary.disk("nvme1n1").unwrap().volume.as_ref().unwrap();
        assert_eq!(sum.volume_iops_exceeded, Nanos::secs(4));
    }

    #[test]
    fn a_disk_that_is_no_volume_is_not_asked() {
        let tree = lab::SysfsTree::from_text(
            "sys/dev/block/259:0 -> ../../devices/nvme0n1\n\
             sys/devices/nvme0n1/dev = 259:0\n\
             sys/devices/nvme0n1/size = 8388608\n\
             sys/devices/nvme0n1/device/model = Amazon Elastic Block Store\n\
             sys/dev/block/259:1 -> ../../devices/nvme1n1\n\
             sys/devices/nvme1n1/dev = 259:1\n\
             sys/devices/nvme1n1/size = 8388608\n\
             sys/devices/nvme1n1/device/model = Amazon EC2 NVMe Instance Storage\n",
        )
        .unwrap();
        let disk = |name: &str, minor| Disk { name: name.to_owned(), number: (259, minor) };
        let disks = [disk("nvme0n1", 0), disk("nvme1n1", 1)];
        let reader = VolumeReader::open(&disks, &Roots::under(tree.root()));
        assert_eq!(reader.names, ["nvme0n1"]);
    }
}
