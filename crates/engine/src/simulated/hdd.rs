//! A rotating disk: one head, seek, rotation and transfer, and a choice among queued requests.
//!
//! - Seek time is `a + b * sqrt(distance)` (Ruemmler and Wilkes, "An introduction to disk drive
//!   modeling", IEEE Computer 27(3), 1994), fixed by track to track and full stroke.
//! - The angle of a byte is the number of revolutions to read the surface up to it (perfect skew).
//! - The media rate falls linearly with the offset from the outer to the inner zone.
//! - The request with the shortest positioning time goes first (Jacobson and Wilkes, "Disk
//!   scheduling algorithms based on rotational position", HPL-CSP-91-7, 1991).
//! - A request that starts where the last one ended needs neither seek nor rotation, however late
//!   it comes: drives read ahead and buffer writes to the same effect.
//!
//! The choice is made when the head becomes free. Until a request arrives after that moment it is
//! provisional: further requests for the same moment may change it.

use super::device_model::{Hdd, Op, OpKind, ns_per_unit};
use super::queue::INITIAL_CAPACITY;
use super::random::NoiseSource;

/// Revolutions a request may wait while the drive prefers others: at least, and per request it
/// sorts among. Below the time that a full queue takes in order of arrival, all requests would be
/// overdue.
const PATIENCE_REVOLUTIONS_MIN: f64 = 40.0;
const PATIENCE_REVOLUTIONS_EACH: f64 = 4.0;

/// Nanoseconds for a command that moves neither head nor data: the controller's own work.
const COMMAND_NS: f64 = 10_000.0;

/// Shape of the disk. Positions are shares of the capacity, from 0 (outer edge) to 1.
#[derive(Debug, Clone)]
struct Geometry {
    capacity: f64,
    /// Media rates in bytes per nanosecond.
    outer: f64,
    inner: f64,
    revolution_ns: f64,
    /// Share of the stroke that one track of mean size takes: no seek below it.
    track: f64,
    seek_base_ns: f64,
    seek_slope_ns: f64,
}

impl Geometry {
    fn new(law: &Hdd, capacity: u64) -> Geometry {
        let capacity = capacity.max(1) as f64;
        let rate = |per_second| 1.0 / ns_per_unit(per_second).max(1e-6);
        let (outer, inner) = (rate(law.bytes_per_second_outer), rate(law.bytes_per_second_inner));
        let revolution_ns = (60.0 * ns_per_unit(law.rpm)).max(1.0);
        let track = ((outer + inner) / 2.0 * revolution_ns / capacity).min(0.5);
        let (least_ns, most_ns) = (law.seek_min_ns as f64, law.seek_max_ns as f64);
        let seek_slope_ns = (most_ns - least_ns).max(0.0) / (1.0 - track.sqrt());
        let seek_base_ns = least_ns - seek_slope_ns * track.sqrt();
        Geometry { capacity, outer, inner, revolution_ns, track, seek_base_ns, seek_slope_ns }
    }

    fn position(&self, offset: u64) -> f64 {
        (offset as f64 / self.capacity).min(1.0)
    }

    /// Media rate at a position, in bytes per nanosecond.
    fn rate(&self, position: f64) -> f64 {
        self.outer + (self.inner - self.outer) * position
    }

    /// Angle of a position in revolutions, from 0 to 1: the time to read up to position p is the
    /// integral of capacity / rate(p), capacity / outer * ln(1 + u) / u * p with u = (inner / outer
    /// - 1) * p.
    fn angle(&self, position: f64) -> f64 {
        let bend = (self.inner / self.outer - 1.0) * position;
        let stretch = if bend.abs() < 1e-12 { 1.0 } else { bend.ln_1p() / bend };
        let read_ns = self.capacity / self.outer * stretch * position;
        (read_ns / self.revolution_ns).fract()
    }

    fn seek_ns(&self, distance: f64) -> f64 {
        match distance < self.track {
            true => 0.0,
            false => self.seek_base_ns + self.seek_slope_ns * distance.sqrt(),
        }
    }

    /// Time from `start_ns` until the platter stands at `angle`.
    fn rotation_ns(&self, start_ns: f64, angle: f64) -> f64 {
        (angle - start_ns / self.revolution_ns).rem_euclid(1.0) * self.revolution_ns
    }
}

#[derive(Debug, Clone)]
struct Request {
    arrival_ns: u64,
    /// When the drive first had it to choose from.
    seen_ns: Option<u64>,
    tag: u32,
    kind: OpKind,
    offset: u64,
    end: u64,
    position: f64,
    angle: f64,
    transfer_ns: f64,
    /// Drawn on arrival so that it does not depend on the order of service.
    factor: f64,
}

/// The request that the head serves, or will serve unless others arrive by `start_ns`.
#[derive(Debug, Clone, Copy)]
struct Choice {
    index: usize,
    start_ns: u64,
    done_ns: u64,
}

#[derive(Debug, Clone)]
pub(super) struct Disk {
    geometry: Geometry,
    pub(super) window: usize,
    patience_ns: f64,
    noise: NoiseSource,
    /// In order of arrival.
    pending: Vec<Request>,
    choice: Option<Choice>,
    free_ns: u64,
    /// Where the last transfer ended.
    head: u64,
}

impl Disk {
    pub(super) fn new(law: &Hdd, capacity: u64, noise: NoiseSource) -> Disk {
        let geometry = Geometry::new(law, capacity);
        let window = law.ncq.max(1);
        let patience =
            (PATIENCE_REVOLUTIONS_EACH * f64::from(window)).max(PATIENCE_REVOLUTIONS_MIN);
        Disk {
            patience_ns: patience * geometry.revolution_ns,
            geometry,
            window: window as usize,
            noise,
            pending: Vec::with_capacity(INITIAL_CAPACITY),
            choice: None,
            free_ns: 0,
            head: 0,
        }
    }

    /// `arrival_ns` must not go back.
    pub(super) fn submit(&mut self, arrival_ns: u64, tag: u32, op: &Op) {
        if self.choose_request().is_some_and(|choice| choice.start_ns >= arrival_ns) {
            self.choice = None;
        }
        let length = op.moved_bytes();
        let position = self.geometry.position(op.offset);
        let middle = self.geometry.position(op.offset.saturating_add(u64::from(length / 2)));
        self.pending.push(Request {
            arrival_ns,
            seen_ns: None,
            tag,
            kind: op.kind,
            offset: op.offset,
            end: op.offset.saturating_add(u64::from(length)),
            position,
            angle: self.geometry.angle(position),
            // Exact to second order, since the rate is linear over the transfer.
            transfer_ns: f64::from(length) / self.geometry.rate(middle),
            factor: self.noise.next_factor(),
        });
    }

    pub(super) fn peek(&mut self) -> Option<(u64, u32)> {
        let choice = self.choose_request()?;
        Some((choice.done_ns, self.pending.get(choice.index)?.tag))
    }

    pub(super) fn pop(&mut self) -> Option<(u64, u32)> {
        let choice = self.choose_request()?;
        self.choice = None;
        let request = self.pending.remove(choice.index);
        self.free_ns = choice.done_ns;
        if matches!(request.kind, OpKind::Read | OpKind::Write) {
            self.head = request.end;
        }
        Some((choice.done_ns, request.tag))
    }

    fn choose_request(&mut self) -> Option<Choice> {
        if self.choice.is_none() {
            let start_ns = self.free_ns.max(self.pending.first()?.arrival_ns);
            let index = self.pick_index(start_ns);
            let service_ns = self.service_ns(index, start_ns);
            let done_ns = start_ns.saturating_add(service_ns);
            self.choice = Some(Choice { index, start_ns, done_ns });
        }
        self.choice
    }

    /// The request with the shortest positioning time, or one that waited too long.
    fn pick_index(&mut self, start_ns: u64) -> usize {
        let here = self.pending.iter().take(self.window);
        let count = here.take_while(|request| request.arrival_ns <= start_ns).count();
        for request in self.pending.iter_mut().take(count) {
            request.seen_ns.get_or_insert(start_ns);
        }
        // The drive sees requests in order of arrival, so the first has waited longest.
        let seen_ns = self.pending.first().and_then(|request| request.seen_ns);
        let waited_ns = start_ns.saturating_sub(seen_ns.unwrap_or(start_ns)) as f64;
        if waited_ns > self.patience_ns {
            return 0;
        }
        let (mut best, mut best_ns) = (0, f64::INFINITY);
        let head = self.geometry.position(self.head);
        for (index, request) in self.pending.iter().take(count).enumerate() {
            // A flush waits for everything before it.
            if request.kind == OpKind::Flush && index > 0 {
                continue;
            }
            let positioning_ns = self.positioning_ns(request, head, start_ns);
            if positioning_ns < best_ns {
                (best, best_ns) = (index, positioning_ns);
            }
        }
        best
    }

    fn positioning_ns(&self, request: &Request, head: f64, start_ns: u64) -> f64 {
        let moves = matches!(request.kind, OpKind::Read | OpKind::Write);
        if !moves || request.offset == self.head {
            return 0.0;
        }
        let seek_ns = self.geometry.seek_ns((request.position - head).abs());
        seek_ns + self.geometry.rotation_ns(start_ns as f64 + seek_ns, request.angle)
    }

    fn service_ns(&self, index: usize, start_ns: u64) -> u64 {
        let Some(request) = self.pending.get(index) else { return 1 };
        let head = self.geometry.position(self.head);
        let work_ns = match request.kind {
            OpKind::Flush | OpKind::Trim => COMMAND_NS,
            OpKind::Read | OpKind::Write => {
                self.positioning_ns(request, head, start_ns) + request.transfer_ns
            }
        };
        ((work_ns * request.factor).round() as u64).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::device_model::{DeviceModel, LatencyNoise, Medium};
    use super::super::testing::{assert_near, closed_loop, random_reads};
    use super::*;

    const TB: u64 = 1_000_000_000_000;

    fn drive(ncq: u32) -> Hdd {
        Hdd {
            rpm: 7200.0,
            seek_min_ns: 600_000,
            seek_max_ns: 16_000_000,
            bytes_per_second_outer: 250e6,
            bytes_per_second_inner: 120e6,
            ncq,
        }
    }

    fn law(ncq: u32) -> DeviceModel {
        DeviceModel::new(4 * TB, Medium::Hdd(drive(ncq)))
    }

    fn sequential(mut offset: u64, length: u32) -> impl FnMut() -> Op {
        move || {
            let op = Op { kind: OpKind::Read, offset, length };
            offset += u64::from(length);
            op
        }
    }

    #[test]
    fn the_seek_curve_passes_through_its_two_ends() {
        let geometry = Geometry::new(&drive(1), 4 * TB);
        assert_near(geometry.seek_ns(geometry.track), 600_000.0, 1e-9);
        assert_near(geometry.seek_ns(1.0), 16_000_000.0, 1e-9);
        assert_eq!(geometry.seek_ns(geometry.track / 2.0), 0.0);
    }

    #[test]
    fn a_track_later_the_angle_is_the_same() {
        let geometry = Geometry::new(&drive(1), 4 * TB);
        let offset = 100_000_000_000.0;
        let (before, rate) = (offset / geometry.capacity, geometry.rate(offset / 4e12));
        let after = (offset + rate * geometry.revolution_ns) / geometry.capacity;
        let turn = (geometry.angle(after) - geometry.angle(before) + 0.5).rem_euclid(1.0) - 0.5;
        assert!(turn.abs() < 1e-3, "{turn}");
    }

    #[test]
    fn random_reads_take_the_mean_seek_half_a_turn_and_the_transfer() {
        let run = closed_loop(&law(1), 1, 20_000, random_reads(4 * TB, 4096));
        let geometry = Geometry::new(&drive(1), 4 * TB);
        // Distances of two even draws have the density 2 (1 - d).
        let steps = 100_000;
        let middles = (0..steps).map(|step| (f64::from(step) + 0.5) / f64::from(steps));
        let mean_seek_ns = middles
            .clone()
            .map(|distance| 2.0 * (1.0 - distance) * geometry.seek_ns(distance))
            .sum::<f64>()
            / f64::from(steps);
        let mean_transfer_ns =
            middles.map(|position| 4096.0 / geometry.rate(position)).sum::<f64>()
                / f64::from(steps);
        let half_turn_ns = 60e9 / 7200.0 / 2.0;
        assert_near(run.mean_latency_ns(), mean_seek_ns + half_turn_ns + mean_transfer_ns, 0.02);
    }

    #[test]
    fn sequential_reads_run_at_the_rate_of_their_zone() {
        for (start, rate) in [(0, 250e6), (2 * TB, 185e6), (4 * TB - (5 << 30), 120e6)] {
            let run = closed_loop(&law(1), 1, 10_000, sequential(start, 1 << 18));
            assert_near(run.iops() * f64::from(1 << 18), rate, 0.01);
        }
        let run = closed_loop(&law(32), 8, 10_000, sequential(0, 1 << 16));
        assert_near(run.iops() * f64::from(1 << 16), 250e6, 0.01);
    }

    #[test]
    fn sorting_among_requests_gives_more_of_them() {
        let rate =
            |ncq, depth| closed_loop(&law(ncq), depth, 10_000, random_reads(4 * TB, 4096)).iops();
        let (unsorted, sorted, deep) = (rate(1, 32), rate(32, 32), rate(32, 256));
        assert!(sorted > 1.5 * unsorted, "{sorted} against {unsorted}");
        // A queue outside the drive does not spoil the order inside.
        assert_near(deep, sorted, 0.05);
    }

    #[test]
    fn a_short_stroke_is_faster() {
        let whole = closed_loop(&law(1), 1, 5_000, random_reads(4 * TB, 4096)).iops();
        let short = closed_loop(&law(1), 1, 5_000, random_reads(TB / 10, 4096)).iops();
        assert!(short > 1.3 * whole, "{short} against {whole}");
    }

    #[test]
    fn nothing_starves_while_nearer_requests_keep_coming() {
        let mut disk = Disk::new(&drive(32), 4 * TB, NoiseSource::new(LatencyNoise::None, 0));
        let mut near_by = random_reads(1 << 30, 4096);
        disk.submit(0, 99, &Op { kind: OpKind::Read, offset: 3 * TB, length: 4096 });
        for tag in 0..16 {
            disk.submit(0, tag, &near_by());
        }
        let served_ns = loop {
            let (now_ns, tag) = disk.pop().expect("requests are pending");
            if tag == 99 {
                break now_ns;
            }
            disk.submit(now_ns, tag, &near_by());
        };
        let turns = served_ns as f64 / disk.geometry.revolution_ns;
        // Nothing near is far enough for the other request to be chosen before its time.
        assert!((128.0..132.0).contains(&turns), "served after {turns} revolutions");
    }

    #[test]
    fn a_request_that_comes_after_the_head_set_off_does_not_change_its_course() {
        let mut disk = Disk::new(&drive(32), 4 * TB, NoiseSource::new(LatencyNoise::None, 0));
        let read = |offset| Op { kind: OpKind::Read, offset, length: 4096 };
        disk.submit(0, 0, &read(2 * TB));
        disk.submit(1, 1, &read(0));
        assert_eq!(disk.peek().map(|(_, tag)| tag), Some(0));
        let mut disk = Disk::new(&drive(32), 4 * TB, NoiseSource::new(LatencyNoise::None, 0));
        disk.submit(0, 0, &read(2 * TB));
        // A look in between does not fix the choice either.
        assert_eq!(disk.peek().map(|(_, tag)| tag), Some(0));
        disk.submit(0, 1, &read(0));
        assert_eq!(disk.peek().map(|(_, tag)| tag), Some(1));
    }

    #[test]
    fn a_flush_comes_after_everything_before_it() {
        let mut disk = Disk::new(&drive(32), 4 * TB, NoiseSource::new(LatencyNoise::None, 0));
        for tag in 0..4 {
            let offset = u64::from(tag) * TB / 2;
            disk.submit(0, tag, &Op { kind: OpKind::Write, offset, length: 4096 });
        }
        disk.submit(0, 4, &Op { kind: OpKind::Flush, offset: 0, length: 0 });
        let order: Vec<u32> = std::iter::from_fn(|| disk.pop()).map(|(_, tag)| tag).collect();
        assert_eq!(order.last(), Some(&4));
        assert_eq!(order.len(), 5);
    }
}
