//! Solid state and memory: parallel servers, then one shared link.
//!
//! Channels serve first in, first out, so a request's time there is known when it is submitted. Its
//! turn on the link is not: requests wait in a heap by the time they leave their channel, and the
//! link takes them in that order, which is also the order of completion. Memory is the same machine
//! without channels.

use super::device_model::{Congestion, Op, OpKind, PAGE_BYTES, Ssd, ns_per_unit};
use super::queue::EventQueue;
use super::random::NoiseSource;
use crate::mix::finalize64;

/// The shared link: transfers one after the other, whole nanoseconds with the rest carried on.
#[derive(Debug, Clone)]
struct Link {
    ns_per_byte: f64,
    free_ns: u64,
    carry_ns: f64,
}

impl Link {
    /// End of a transfer that is ready at `ready_ns`, and the fraction to carry.
    fn transfer_end(&self, ready_ns: u64, length: u32) -> (u64, f64) {
        let exact_ns = f64::from(length) * self.ns_per_byte + self.carry_ns;
        let whole_ns = exact_ns as u64;
        (ready_ns.max(self.free_ns).saturating_add(whole_ns), exact_ns - whole_ns as f64)
    }
}

#[derive(Debug, Clone)]
pub(super) struct Flash {
    /// When each channel is free; empty means requests never wait for one.
    free_ns: Vec<u64>,
    read_ns: u64,
    write_ns: u64,
    flush_ns: u64,
    /// When the last write so far leaves its channel.
    written_ns: u64,
    link: Link,
    queue: EventQueue,
    noise: NoiseSource,
    crowding: Option<Congestion>,
}

impl Flash {
    pub(super) fn from_ssd(law: &Ssd, noise: NoiseSource) -> Flash {
        Flash {
            free_ns: vec![0; law.channels.max(1) as usize],
            read_ns: law.read_ns,
            write_ns: law.write_ns,
            flush_ns: law.flush_ns,
            crowding: law.crowding,
            ..Flash::from_ram(0, law.bytes_per_second, noise)
        }
    }

    pub(super) fn from_ram(service_ns: u64, bytes_per_second: f64, noise: NoiseSource) -> Flash {
        let ns_per_byte = ns_per_unit(bytes_per_second);
        Flash {
            free_ns: Vec::new(),
            read_ns: service_ns,
            write_ns: service_ns,
            flush_ns: service_ns,
            written_ns: 0,
            link: Link { ns_per_byte, free_ns: 0, carry_ns: 0.0 },
            queue: EventQueue::new(),
            noise,
            crowding: None,
        }
    }

    pub(super) fn channels(&self) -> usize {
        self.free_ns.len()
    }

    /// `arrival_ns` must not go back.
    pub(super) fn submit(&mut self, arrival_ns: u64, tag: u32, op: &Op) {
        let ready_ns = match op.kind {
            OpKind::Read => self.channel_done_ns(arrival_ns, op.offset, self.read_ns),
            OpKind::Trim => self.channel_done_ns(arrival_ns, op.offset, self.write_ns),
            OpKind::Write => {
                let ready_ns = self.channel_done_ns(arrival_ns, op.offset, self.write_ns);
                self.written_ns = self.written_ns.max(ready_ns);
                ready_ns
            }
            OpKind::Flush => {
                let flush_ns = self.noise.stretch_ns(self.flush_ns);
                arrival_ns.max(self.written_ns).saturating_add(flush_ns)
            }
        };
        self.queue.push(ready_ns, tag, op.moved_bytes());
    }

    fn channel_done_ns(&mut self, arrival_ns: u64, offset: u64, service_ns: u64) -> u64 {
        let crowd = self.crowding.filter(|c| self.queue.len() >= c.beyond as usize);
        let service_ns = crowd.map_or(service_ns, |c| (service_ns as f64 * c.factor) as u64);
        let service_ns = self.noise.stretch_ns(service_ns);
        // The high half of a product picks evenly without a division (Lemire 2019).
        let hash = finalize64(offset / PAGE_BYTES) >> 32;
        let channel = (hash * self.free_ns.len() as u64) >> 32;
        match self.free_ns.get_mut(channel as usize) {
            Some(free_ns) => {
                *free_ns = arrival_ns.max(*free_ns).saturating_add(service_ns);
                *free_ns
            }
            None => arrival_ns.saturating_add(service_ns),
        }
    }

    pub(super) fn peek(&self) -> Option<(u64, u32)> {
        let event = self.queue.peek()?;
        Some((self.link.transfer_end(event.time_ns, event.length).0, event.tag))
    }

    pub(super) fn pop(&mut self) -> Option<(u64, u32)> {
        let event = self.queue.pop()?;
        let (end_ns, carry_ns) = self.link.transfer_end(event.time_ns, event.length);
        self.link.free_ns = end_ns;
        self.link.carry_ns = carry_ns;
        Some((end_ns, event.tag))
    }
}

#[cfg(test)]
mod tests {
    use super::super::device_model::{DeviceModel, LatencyNoise, Medium};
    use super::super::testing::{assert_near, closed_loop, random_reads};
    use super::*;

    const GIB: u64 = 1 << 30;

    fn ssd(bytes_per_second: f64) -> DeviceModel {
        let (channels, read_ns, write_ns, flush_ns) = (16, 80_000, 20_000, 1_000_000);
        DeviceModel::new(
            GIB,
            Medium::Ssd(Ssd {
                channels,
                read_ns,
                write_ns,
                bytes_per_second,
                flush_ns,
                ..Ssd::FLASH
            }),
        )
    }

    #[test]
    fn memory_at_depth_one_runs_at_one_over_service() {
        let law =
            DeviceModel::new(GIB, Medium::Ram { service_ns: 500, bytes_per_second: f64::INFINITY });
        let run = closed_loop(&law, 1, 10_000, random_reads(GIB, 4096));
        assert_near(run.iops(), 1e9 / 500.0, 1e-9);
        let law = DeviceModel::new(GIB, Medium::Ram { service_ns: 500, bytes_per_second: 10e9 });
        let run = closed_loop(&law, 1, 10_000, random_reads(GIB, 4096));
        assert_near(run.iops(), 1e9 / (500.0 + 409.6), 1e-4);
        let run = closed_loop(&law, 64, 100_000, random_reads(GIB, 4096));
        assert_near(run.iops(), 10e9 / 4096.0, 1e-3);
    }

    #[test]
    fn latency_at_depth_one_is_service_plus_transfer() {
        let run = closed_loop(&ssd(2e9), 1, 10_000, random_reads(GIB, 4096));
        assert_near(run.mean_latency_ns(), 80_000.0 + 2048.0, 1e-9);
    }

    #[test]
    fn saturation_is_channels_over_service_or_the_rate_of_the_link() {
        let run = closed_loop(&ssd(1e12), 2048, 400_000, random_reads(GIB, 4096));
        assert_near(run.iops(), 16.0 / 80e-6, 0.02);
        let run = closed_loop(&ssd(400e6), 256, 100_000, random_reads(GIB, 4096));
        assert_near(run.iops() * 4096.0, 400e6, 0.01);
    }

    #[test]
    fn depth_raises_the_rate_at_first_and_then_only_latency() {
        let rate = |depth| closed_loop(&ssd(1e12), depth, 100_000, random_reads(GIB, 4096)).iops();
        let rates = [1, 4, 16, 512, 1024].map(rate);
        assert!(rates[1] > 3.0 * rates[0] && rates[2] > 2.0 * rates[1], "{rates:?}");
        assert_near(rates[4], rates[3], 0.05);
    }

    #[test]
    fn little_s_law_holds_in_a_closed_loop() {
        for noise in [0.0, 0.4] {
            for depth in [1, 2, 8, 32, 128] {
                let law = DeviceModel { noise: LatencyNoise::LogNormal(noise), ..ssd(1e9) };
                let run = closed_loop(&law, depth, 100_000, random_reads(GIB, 8192));
                let in_flight = run.iops() * run.mean_latency_ns() / 1e9;
                assert_near(in_flight, f64::from(depth), 0.005);
            }
        }
    }

    #[test]
    fn noise_keeps_the_mean_service_time() {
        let law = DeviceModel { noise: LatencyNoise::LogNormal(0.5), ..ssd(1e12) };
        let run = closed_loop(&law, 1, 100_000, random_reads(GIB, 4096));
        assert_near(run.mean_latency_ns(), 80_004.0, 0.01);
    }

    #[test]
    fn too_many_at_once_cost_each_other_time() {
        let Medium::Ssd(base) = ssd(1e12).medium else { return };
        let crowding = Some(Congestion { beyond: 16, factor: 2.0 });
        let law =
            DeviceModel { medium: Medium::Ssd(Ssd { channels: 1, crowding, ..base }), ..ssd(1e12) };
        let iops = |depth| closed_loop(&law, depth, 20_000, random_reads(GIB, 4096)).iops();
        assert_near(iops(16), 1e9 / 80_004.0, 0.01);
        assert_near(iops(17), 1e9 / 160_004.0, 0.01);
    }

    #[test]
    fn a_request_for_an_idle_channel_is_not_held_up_by_a_long_queue_elsewhere() {
        let law = Ssd {
            channels: 2,
            read_ns: 1000,
            write_ns: 1000,
            bytes_per_second: 4.096e9,
            flush_ns: 1,
            ..Ssd::FLASH
        };
        let mut flash = Flash::from_ssd(&law, NoiseSource::new(LatencyNoise::None, 0));
        let channel = |page: u64| ((finalize64(page) >> 32) * 2) >> 32;
        let of = |wanted| (0..).find(|&page| channel(page) == wanted).unwrap_or(0) * PAGE_BYTES;
        let read = |offset| Op { kind: OpKind::Read, offset, length: 4096 };
        for tag in 0..10 {
            flash.submit(0, tag, &read(of(0)));
        }
        flash.submit(0, 10, &read(of(1)));
        // The link gives 1000 ns to each: the idle channel's request is second in line.
        assert_eq!(flash.pop(), Some((2000, 0)));
        assert_eq!(flash.pop(), Some((3000, 10)));
    }

    #[test]
    fn a_flush_waits_for_the_writes_before_it() {
        let law = Ssd {
            channels: 1,
            read_ns: 10,
            write_ns: 100,
            bytes_per_second: 0.0,
            flush_ns: 1000,
            ..Ssd::FLASH
        };
        let mut flash = Flash::from_ssd(&law, NoiseSource::new(LatencyNoise::None, 0));
        for tag in 0..3 {
            flash.submit(0, tag, &Op { kind: OpKind::Write, offset: 0, length: 512 });
        }
        flash.submit(5, 3, &Op { kind: OpKind::Flush, offset: 0, length: 0 });
        let ends: Vec<_> = std::iter::from_fn(|| flash.pop()).collect();
        assert_eq!(ends, [(100, 0), (200, 1), (300, 2), (1300, 3)]);
    }
}
