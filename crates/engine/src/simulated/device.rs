//! A device that follows a model: bucket, then cache, then medium.

use super::bucket::TokenBucket;
use super::cached_medium::CachedMedium;
use super::device_model::{DeviceModel, Op};
use super::medium::MediumState;
use super::stall::StallClock;

#[derive(Debug, Clone)]
enum DevicePath {
    Direct(MediumState),
    Cached(Box<CachedMedium>),
}

/// A device that follows a [`DeviceModel`].
///
/// The caller keeps the clock: `now_ns` of [`Device::submit`] never goes back, and the caller
/// collects every completion up to a time before it submits at that time.
///
/// ```
/// # use engine::simulated::{Device, DeviceModel, LatencyNoise, Medium, Op, OpKind};
/// # let medium = Medium::Ram { service_ns: 900, bytes_per_second: 1e10 };
/// # let (cache, bucket, stall, noise) = (None, None, None, LatencyNoise::None);
/// # let model = DeviceModel { capacity: 1 << 30, medium, cache, bucket, stall, noise };
/// let mut device = Device::new(model, 1);
/// device.submit(0, 7, Op { kind: OpKind::Read, offset: 0, length: 4096 });
/// while let Some((now_ns, id)) = device.pop_completion() {
///     // Request `id` completed at `now_ns`; submit the next at that time, or stop.
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Device {
    bucket: Option<TokenBucket>,
    clock: Option<StallClock>,
    path: DevicePath,
    now_ns: u64,
}

impl Device {
    /// A device at virtual time 0, idle, its cache empty and its bucket full; `seed` decides the
    /// noise.
    pub fn new(law: DeviceModel, seed: u64) -> Device {
        let medium = MediumState::new(&law, seed);
        let path = match &law.cache {
            Some(cache) => DevicePath::Cached(Box::new(CachedMedium::new(medium, cache))),
            None => DevicePath::Direct(medium),
        };
        let bucket = law.bucket.as_ref().map(TokenBucket::new);
        Device { bucket, clock: law.stall.as_ref().and_then(StallClock::new), path, now_ns: 0 }
    }

    /// Submits `op` at virtual time `now_ns` (nanoseconds); its completion carries `id`, the
    /// caller's own.
    pub fn submit(&mut self, now_ns: u64, id: u32, op: Op) {
        self.now_ns = self.now_ns.max(now_ns);
        let admitted_ns = match &mut self.bucket {
            Some(bucket) => bucket.admit_ns(self.now_ns, &op),
            None => self.now_ns,
        };
        let running =
            |time_ns| self.clock.as_ref().map_or(time_ns, |clock| clock.to_running_ns(time_ns));
        let arrival_ns = running(admitted_ns);
        match &mut self.path {
            DevicePath::Direct(medium) => medium.submit(arrival_ns, id, &op),
            DevicePath::Cached(cached) => cached.submit(running(self.now_ns), arrival_ns, id, op),
        }
    }

    /// Virtual time (nanoseconds) of the earliest completion. A later submission may make it
    /// earlier, but never earlier than itself.
    pub fn next_completion_ns(&mut self) -> Option<u64> {
        let time_ns = match &mut self.path {
            DevicePath::Direct(medium) => medium.peek()?.0,
            DevicePath::Cached(cached) => cached.peek()?,
        };
        Some(self.to_virtual_ns(time_ns))
    }

    /// Removes the earliest completion: its virtual time (nanoseconds) and its request's id.
    pub fn pop_completion(&mut self) -> Option<(u64, u32)> {
        let (time_ns, id) = match &mut self.path {
            DevicePath::Direct(medium) => medium.pop()?,
            DevicePath::Cached(cached) => cached.pop()?,
        };
        Some((self.to_virtual_ns(time_ns), id))
    }

    fn to_virtual_ns(&self, running_ns: u64) -> u64 {
        self.clock.as_ref().map_or(running_ns, |clock| clock.to_virtual_ns(running_ns))
    }
}

#[cfg(test)]
mod tests {

    use proptest::prelude::*;

    use super::*;
    use crate::simulated::testing::{assert_near, closed_loop, random_reads};
    use crate::simulated::{
        Bucket, Cache, Congestion, Hdd, LatencyNoise, Medium, OpKind, PAGE_BYTES, Ssd, Stall,
    };

    const GIB: u64 = 1 << 30;

    fn ssd() -> Medium {
        let (channels, read_ns, write_ns, flush_ns) = (32, 80_000, 20_000, 500_000);
        Medium::Ssd(Ssd {
            channels,
            read_ns,
            write_ns,
            bytes_per_second: 3e9,
            flush_ns,
            crowding: None,
        })
    }

    #[test]
    fn a_volume_bursts_for_the_closed_form_and_then_runs_at_its_baseline() {
        let bucket = Some(Bucket {
            iops: 1_000.0,
            burst_iops: 5_000.0,
            credits: 8_000.0,
            bytes_per_second: None,
        });
        let run = closed_loop(
            &DeviceModel { bucket, ..DeviceModel::new(GIB, ssd()) },
            32,
            20_000,
            random_reads(GIB, 4096),
        );
        let within = |from: f64, to: f64| {
            let inside = |&&time_ns: &&u64| (from..to).contains(&(time_ns as f64 / 1e9));
            run.times_ns.iter().filter(inside).count() as f64 / (to - from)
        };
        // 8000 / (5000 - 1000) = 2 seconds.
        assert_near(within(0.0, 1.99), 5_000.0, 0.01);
        assert_near(within(2.01, 8.0), 1_000.0, 0.01);
    }

    #[test]
    fn nothing_completes_in_a_stall_and_the_gaps_are_as_long_as_it() {
        let stall = Some(Stall { every_ns: 50_000_000, lasts_ns: 10_000_000 });
        let law = DeviceModel { stall, ..DeviceModel::new(GIB, ssd()) };
        let run = closed_loop(&law, 32, 100_000, random_reads(GIB, 4096));
        assert!(run.times_ns.iter().all(|time_ns| time_ns % 50_000_000 < 40_000_000));
        let gaps = run.times_ns.windows(2).map(|pair| pair[1] - pair[0]);
        let long: Vec<u64> = gaps.filter(|&gap_ns| gap_ns > 5_000_000).collect();
        let end_ns = run.times_ns.last().copied().unwrap_or(0);
        assert_eq!(long.len() as u64, end_ns / 50_000_000);
        assert!(long.iter().all(|gap_ns| gap_ns.abs_diff(10_000_000) < 200_000), "{long:?}");
        let free = closed_loop(&DeviceModel::new(GIB, ssd()), 32, 100_000, random_reads(GIB, 4096));
        assert_near(run.iops(), free.iops() * 0.8, 0.02);
    }

    #[test]
    fn an_idle_device_has_no_completions() {
        let mut device = Device::new(DeviceModel::new(GIB, ssd()), 0);
        assert_eq!((device.next_completion_ns(), device.pop_completion()), (None, None));
    }

    fn media() -> impl Strategy<Value = Medium> {
        let ram = (0..5_000_u64, 0.0..1e10)
            .prop_map(|(service_ns, rate)| Medium::Ram { service_ns, bytes_per_second: rate });
        let flash = (0..9_u32, 0..200_000_u64, 0..50_000_u64, 0.0..1e10, 0..1_000_000_u64)
            .prop_map(|(channels, read_ns, write_ns, bytes_per_second, flush_ns)| {
                let crowding = (channels == 3).then_some(Congestion { beyond: 4, factor: 1.5 });
                Medium::Ssd(Ssd {
                    channels,
                    read_ns,
                    write_ns,
                    bytes_per_second,
                    flush_ns,
                    crowding,
                })
            });
        let disk = (0.0..20_000.0, 0..2_000_000_u64, 0..20_000_000_u64, 0..40_u32).prop_map(
            |(rpm, seek_min_ns, seek_max_ns, ncq)| {
                let (bytes_per_second_outer, bytes_per_second_inner) = (2e8, 1e8);
                Medium::Hdd(Hdd {
                    rpm,
                    seek_min_ns,
                    seek_max_ns,
                    bytes_per_second_outer,
                    bytes_per_second_inner,
                    ncq,
                })
            },
        );
        prop_oneof![ram, flash, disk]
    }

    prop_compose! {
        fn laws()(
            medium in media(),
            cache in proptest::option::of((0..300_000_u64, 0..20_000_u64, any::<bool>())),
            bucket in proptest::option::of((0.0..1e5, 0.0..3e5, 0.0..200.0, any::<bool>())),
            stall in proptest::option::of((0..3_000_000_u64, 0..4_000_000_u64)),
            noise in prop_oneof![
                Just(LatencyNoise::None),
                (0.0..1.0).prop_map(LatencyNoise::LogNormal),
                Just(LatencyNoise::Exponential),
            ],
        ) -> DeviceModel {
            let cache = cache.map(|(bytes, latency_ns, write_back)| {
                Cache { bytes, latency_ns, write_back }
            });
            let bucket = bucket.map(|(iops, burst_iops, credits, limited)| {
                let bytes_per_second = limited.then_some(iops * 4096.0);
                Bucket { iops, burst_iops, credits, bytes_per_second }
            });
            let stall = stall.map(|(every_ns, lasts_ns)| Stall { every_ns, lasts_ns });
            DeviceModel { capacity: 1 << 24, medium, cache, bucket, stall, noise }
        }
    }

    fn ops() -> impl Strategy<Value = Vec<(u64, Op)>> {
        let kind = prop_oneof![
            4 => Just(OpKind::Read),
            4 => Just(OpKind::Write),
            1 => Just(OpKind::Flush),
            1 => Just(OpKind::Trim),
        ];
        let op = (kind, 0..4096_u64, 0..40_000_u32).prop_map(|(kind, page, length)| Op {
            kind,
            offset: page * PAGE_BYTES,
            length,
        });
        // Pauses: none, so that batches occur, short and long against a service time.
        let pause_ns = prop_oneof![2 => Just(0_u64), 1 => 0..50_000_u64, 1 => 0..5_000_000_u64];
        proptest::collection::vec((pause_ns, op), 1..120)
    }

    /// Submits each request after its pause, keeping the contract; gives (time, id) pairs.
    /// With `look`, peeks before every step as well, which must not change anything.
    fn open_loop(law: &DeviceModel, seed: u64, ops: &[(u64, Op)], look: bool) -> Vec<(u64, u32)> {
        let mut device = Device::new(law.clone(), seed);
        let (mut done, mut now_ns) = (Vec::new(), 0);
        for (id, (pause_ns, op)) in (0_u32..).zip(ops) {
            now_ns += pause_ns;
            // A copy looks for what is due, so that the device itself is not looked at.
            while device.clone().next_completion_ns().is_some_and(|time_ns| time_ns <= now_ns) {
                if look {
                    device.next_completion_ns();
                }
                done.extend(device.pop_completion());
            }
            if look {
                device.next_completion_ns();
            }
            device.submit(now_ns, id, *op);
        }
        while let Some(expected_ns) = device.clone().next_completion_ns() {
            let completion = device.pop_completion();
            assert_eq!(completion.map(|(time_ns, _)| time_ns), Some(expected_ns));
            done.extend(completion);
        }
        done
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn every_request_completes_once_in_order_and_never_early(
            law in laws(), seed in any::<u64>(), ops in ops(),
        ) {
            let done = open_loop(&law, seed, &ops, false);
            prop_assert_eq!(&done, &open_loop(&law, seed, &ops, true), "a look changes nothing");
            prop_assert!(done.is_sorted_by_key(|&(time_ns, _)| time_ns));
            let mut ids: Vec<u32> = done.iter().map(|&(_, id)| id).collect();
            ids.sort_unstable();
            prop_assert_eq!(ids, (0..ops.len() as u32).collect::<Vec<_>>());
            let submitted_ns: Vec<u64> = ops
                .iter()
                .scan(0, |now_ns, (pause_ns, _)| {
                    *now_ns += pause_ns;
                    Some(*now_ns)
                })
                .collect();
            for (time_ns, id) in done {
                prop_assert!(time_ns > submitted_ns[id as usize], "{} at {}", id, time_ns);
            }
        }
    }
}
