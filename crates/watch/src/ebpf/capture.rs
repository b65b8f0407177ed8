//! The requests of one disk, one by one, in the order of their starts.

use std::thread;
use std::time::{Duration, Instant};

use record::TraceRequest;
use target::{BpfLink, BpfMap, BpfMapKind, BpfProgram, BpfRing, BpfStatistics, Roots};

use super::events::{self, Event};
use super::layout::Layout;
use super::program::LICENCE;
use super::requests::{EventFlags, RequestSorter};
use super::source::{EbpfUnavailable, read_types};
use crate::clock::read_clock;
use crate::counters::DiskCounters;
use crate::disks::{Disk, is_accounted, is_request_based};
use crate::error::WatchError;

const NAME: &str = "truedisk_capture";
/// 170,000 records: almost a second at 200,000 requests per second.
const RING_BYTES: u32 = 8 << 20;
/// Requests that began before the end have this time to complete.
const GRACE: Duration = Duration::from_millis(200);
const POLL_EVERY: Duration = Duration::from_millis(20);

/// A capture that goes on. Dropping it leaves nothing in the kernel.
pub struct Capture {
    ring: BpfRing,
    lost: BpfMap,
    program: BpfProgram,
    link: BpfLink,
    sorter: RequestSorter,
    counters: DiskCounters,
    disk: Disk,
    begin_ns: u64,
}

/// What a capture can say at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CaptureEnd {
    pub length_ns: u64,
    /// Requests that completed and were not captured.
    pub lost: u64,
}

impl Capture {
    pub fn open(disk: &Disk, roots: &Roots) -> Result<Self, EbpfUnavailable> {
        Self::open_with_ring(disk, roots, RING_BYTES)
    }

    fn open_with_ring(disk: &Disk, roots: &Roots, bytes: u32) -> Result<Self, EbpfUnavailable> {
        if !is_request_based(disk, roots) {
            return Err(EbpfUnavailable::NoRequests { disk: disk.name.clone() });
        }
        if !is_accounted(disk, roots) {
            return Err(EbpfUnavailable::NotTimed { disk: disk.name.clone() });
        }
        let layout = Layout::find(&read_types(&roots.sys.join("kernel/btf/vmlinux"))?)?;
        let from_map = |error| EbpfUnavailable::from_system(error, EbpfUnavailable::Map);
        let ring = BpfRing::create(NAME, bytes).map_err(from_map)?;
        let lost = BpfMap::create(BpfMapKind::Array, NAME, 4, 8, 1).map_err(from_map)?;
        let instructions =
            events::build(&layout, disk, ring.raw_descriptor(), lost.raw_descriptor())?;
        let program = BpfProgram::load(NAME, &instructions, layout.completion, LICENCE);
        let program = program.map_err(EbpfUnavailable::from_load)?;
        let begin_ns = read_clock();
        let link = program.attach();
        let link =
            link.map_err(|error| EbpfUnavailable::from_system(error, EbpfUnavailable::Attach))?;
        let flags = EventFlags {
            zone_append: layout.zone_append,
            fua: layout.fua,
            flush_sequence: layout.flush_sequence,
        };
        let sorter = RequestSorter::new(flags, begin_ns);
        // After the program is attached: no request is counted that it did not see.
        let counters = DiskCounters::open(roots)?;
        Ok(Self { ring, lost, program, link, sorter, counters, disk: disk.clone(), begin_ns })
    }

    /// Takes the requests before which none can come any more. To be called some tens of times
    /// per second.
    pub fn read<E>(
        &mut self,
        mut take: impl FnMut(&TraceRequest) -> Result<(), E>,
    ) -> Result<(), E> {
        // Before the ring is read: what ends later is not waited for.
        let now_ns = read_clock();
        self.drain_ring();
        while let Some(request) = self.sorter.pop_ready(now_ns) {
            take(&request)?;
        }
        Ok(())
    }

    fn drain_ring(&mut self) {
        let sorter = &mut self.sorter;
        self.ring.read(|record| sorter.add(&Event::parse(record)));
    }

    /// Records that found no room in the ring.
    pub fn lost_records(&self) -> Result<u64, WatchError> {
        let mut buffer = self.lost.new_buffer();
        self.lost.read_values(&0_u32.to_ne_bytes(), &mut buffer).map_err(WatchError::Kernel)?;
        Ok(buffer.first_chunk::<8>().map_or(0, |bytes| u64::from_ne_bytes(*bytes)))
    }

    /// How often the program ran, and for how long, while the kernel's statistics are enabled.
    pub fn statistics(&self) -> Result<BpfStatistics, WatchError> {
        self.program.statistics().map_err(WatchError::Kernel)
    }

    /// Ends the capture: takes all requests that began until now and complete soon.
    pub fn finish<E: From<WatchError>>(
        mut self,
        mut take: impl FnMut(&TraceRequest) -> Result<(), E>,
    ) -> Result<CaptureEnd, E> {
        let length_ns = read_clock().saturating_sub(self.begin_ns);
        self.counters.advance(length_ns)?;
        self.drain_ring();
        // The kernel counts a request after the program has seen it.
        let counted = self.counters.reading(&self.disk).map_or(0, |reading| reading.completed());
        let missed = counted.saturating_sub(self.sorter.counted());
        let end = Instant::now() + GRACE;
        while Instant::now() < end {
            thread::sleep(POLL_EVERY);
            self.drain_ring();
        }
        let lost = missed.max(self.lost_records()?);
        drop(self.link);
        while let Some(request) = self.sorter.pop() {
            if request.start_ns <= length_ns {
                take(&request)?;
            }
        }
        Ok(CaptureEnd { length_ns, lost })
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::unix::fs::FileExt as _;

    use super::*;

    #[test]
    fn records_without_room_are_counted() {
        lab::skip_unless!(lab::Need::LoopDevices);
        let device = lab::LoopDevice::new(16 << 20).unwrap();
        let roots = Roots::host();
        let target = target::describe_target(device.path(), &roots).unwrap();
        let disks = crate::disks::disks_of_stack(&target.stack);
        let disk = disks.into_iter().find(|disk| disk.name == device.name()).unwrap();
        let mut capture = Capture::open_with_ring(&disk, &roots, 4096).unwrap();
        let file = File::options().read(true).write(true).open(device.path()).unwrap();
        let ids = target::list_bpf_programs().unwrap();
        assert!(ids.contains(&capture.statistics().unwrap().id));
        for block in 0..400_u64 {
            file.write_all_at(&[1; 4096], block * 8192).unwrap();
            file.sync_data().unwrap();
        }
        let mut seen = Vec::new();
        let mut take = |request: &TraceRequest| {
            seen.push(*request);
            Ok::<(), WatchError>(())
        };
        capture.read(&mut take).unwrap();
        assert!(capture.lost_records().unwrap() > 100);
        let id = capture.statistics().unwrap().id;
        let end = capture.finish(&mut take).unwrap();
        assert!(end.lost > 100 && seen.len() < 400, "{end:?}, {} seen", seen.len());
        assert!(seen.iter().any(|request| request.kind == record::RequestKind::Flush));
        let is_gone = || !target::list_bpf_programs().unwrap().contains(&id);
        let patience = Instant::now() + Duration::from_secs(5);
        while !is_gone() && Instant::now() < patience {
            // sleeps because the kernel frees a program a moment after its last owner is gone.
            thread::sleep(POLL_EVERY);
        }
        assert!(is_gone());
    }
}
