//! The simulated device of a world, with and without what disturbs it.

use engine::SimulatedDevice;
use engine::simulated::{
    BadRange, Cache, Freeze, IdleSleep, PageCache, ProcessQuota, ProcessStops, Quirks, Schedule,
    Stall, Throttle, UnmappedReads,
};
use units::Bytes;

use super::{CAPACITY, Disturbance, MILLISECOND_NS, QUOTA_PERIOD_MS, SimulatedWorld};

impl SimulatedWorld {
    /// The device alone, behind a cap of requests that does not change.
    pub(crate) fn build_capped_device(&self, iops: f64, seed: u64) -> SimulatedDevice {
        let mut throttles = Vec::from_iter(self.device.cap());
        throttles.push(Throttle::of_requests(Schedule::constant(iops)));
        let quirks = Quirks { throttles, ..Quirks::default() };
        SimulatedDevice::with_quirks(self.device.model(), quirks, seed)
    }

    /// The device, with or without what disturbs it.
    pub(crate) fn build_device(&self, disturbed: bool, seed: u64) -> SimulatedDevice {
        let mut model = self.device.model();
        let throttles = Vec::from_iter(self.device.cap());
        let mut quirks = Quirks { throttles, split_bytes: self.split_bytes(), ..Quirks::default() };
        if disturbed {
            if let Disturbance::Stall { every_ms, lasts_ms } = self.disturbance {
                let (every_ns, lasts_ns) = (every_ms * MILLISECOND_NS, lasts_ms * MILLISECOND_NS);
                model.stall = Some(Stall { every_ns, lasts_ns });
            }
            if let Disturbance::WriteCache { mib, latency_us } = self.disturbance {
                let bytes = Bytes::mib(mib).0;
                let cache = Cache { bytes, latency_ns: latency_us * 1_000, write_back: true };
                model.cache = Some(cache);
            }
            model.bucket = self.bucket();
            quirks.throttles.extend(self.throttle());
            quirks.neighbour = self.neighbour();
        }
        match disturbed {
            true => {
                self.add_quirks(&mut quirks);
                let device = SimulatedDevice::with_quirks(model, quirks, seed);
                device.measured_by(self.stops(), self.quota())
            }
            false => SimulatedDevice::with_quirks(model, quirks, seed),
        }
    }

    /// The device without any cap or disturbance.
    pub(crate) fn build_bare_device(&self, seed: u64) -> SimulatedDevice {
        SimulatedDevice::with_quirks(self.device.model(), Quirks::default(), seed)
    }

    fn add_quirks(&self, quirks: &mut Quirks) {
        match self.disturbance {
            Disturbance::Sleep { after_ms, wake_ms } => {
                let (after_ns, wake_ns) = (after_ms * MILLISECOND_NS, wake_ms * MILLISECOND_NS);
                quirks.sleep = Some(IdleSleep { after_ns, wake_ns });
            }
            Disturbance::Freeze { start_ms, lasts_ms } => {
                let (start_ns, lasts_ns) = (start_ms * MILLISECOND_NS, lasts_ms * MILLISECOND_NS);
                quirks.freeze = Some(Freeze { start_ns, lasts_ns });
            }
            Disturbance::Error { at_percent, length, start_ms } => {
                let (offset, from_ns) = (CAPACITY.0 / 100 * at_percent, start_ms * MILLISECOND_NS);
                quirks.bad.push(BadRange { offset, length: length.0, from_ns });
            }
            Disturbance::Holes { written_percent, read_us } => {
                let mapped_bytes = CAPACITY.0 / 100 * written_percent;
                let (read_ns, is_counted) = (read_us * 1_000, false);
                quirks.unmapped = Some(UnmappedReads { read_ns, is_counted, mapped_bytes });
            }
            Disturbance::PageCache { cached_percent, read_us } => {
                let bytes = CAPACITY.0 / 100 * cached_percent;
                quirks.page_cache = Some(PageCache { bytes, read_ns: read_us * 1_000 });
            }
            _ => {}
        }
    }

    /// When the process that measures is stopped.
    pub(crate) fn stops(&self) -> Option<ProcessStops> {
        let Disturbance::Stop { start_ms, lasts_ms, every_ms } = self.disturbance else {
            return None;
        };
        Some(ProcessStops {
            start_ns: start_ms * MILLISECOND_NS,
            every_ns: if every_ms == 0 { 0 } else { (lasts_ms + every_ms) * MILLISECOND_NS },
            lasts_ns: lasts_ms * MILLISECOND_NS,
        })
    }

    fn quota(&self) -> Option<ProcessQuota> {
        let Disturbance::Quota { percent, operation_us } = self.disturbance else { return None };
        Some(ProcessQuota {
            period_ns: QUOTA_PERIOD_MS * MILLISECOND_NS,
            quota_ns: QUOTA_PERIOD_MS * MILLISECOND_NS / 100 * percent,
            operation_ns: operation_us * 1_000,
        })
    }
}
