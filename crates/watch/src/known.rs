//! What a disk can do: the curves of its own measured runs.

use jiff::Timestamp;
use message::Message;
use record::{BoundedBy, Curve, CurvePoint, Layer, LayerKind, Record};
use units::{Bytes, BytesPerSecond, Depth, Iops, Nanos, Ratio};
use workload::{Bound, Direction, Mix};

/// Operations of at most this many times another size count as the same size.
const SAME_SIZE_FACTOR: f64 = 1.1;
/// From this size on, a disk is limited by the bytes that it moves rather than by the operations.
const LARGE_SIZE: Bytes = Bytes::kib(64);
/// Large operations of at most this many times another size are compared by their bytes.
const LARGE_SIZE_FACTOR: f64 = 2.0;
/// Beyond this share of a limit, the load is another than the one that was measured.
const LIMIT_SHARE_MAX: f64 = 1.10;
/// Shares of reads that differ by at most this count as the same mix.
const MIX_WITHIN: f64 = 0.20;

/// A curve of a stored run of the same disk.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownCurve {
    pub measured: Timestamp,
    /// `random read 4k`.
    pub label: Message,
    pub read_share: Ratio,
    pub block_size: Bytes,
    pub bound: Bound,
    /// The most within the bound.
    pub limit: Iops,
    pub bounded_by: BoundedBy,
    /// Whether the limit is one of bytes: that of another size, at as many bytes per second.
    pub is_by_bytes: bool,
    /// By ascending depth.
    pub points: Vec<KnownPoint>,
}

/// What the disk did at one depth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KnownPoint {
    pub depth: Depth,
    /// Of reads and writes, as in the mix.
    pub mean: Nanos,
}

impl KnownCurve {
    /// Whether more may be possible than was measured: the disk did not end the search, or that it
    /// did was not confirmed.
    pub const fn is_floor(&self) -> bool {
        matches!(self.bounded_by, BoundedBy::DepthTried | BoundedBy::Client | BoundedBy::Unsure)
    }

    /// Whether something other than the disk set the limit.
    pub const fn is_capped(&self) -> bool {
        matches!(self.bounded_by, BoundedBy::ProviderCap | BoundedBy::ControlGroup)
    }

    /// What it would be for operations of another size, where these move as many bytes in a time.
    fn scale_to(&self, block_size: Bytes) -> Self {
        // Of large operations the bytes are the limit, however little their sizes differ.
        let is_small = block_size.min(self.block_size) < LARGE_SIZE;
        let is_alike = size_factor(block_size, self.block_size) <= SAME_SIZE_FACTOR;
        if block_size == self.block_size || is_alike && is_small {
            return self.clone();
        }
        let times = block_size.0 as f64 / self.block_size.0.max(1) as f64;
        let scale = |point: &KnownPoint| KnownPoint {
            depth: point.depth,
            mean: Nanos((point.mean.0 as f64 * times).round() as u64),
        };
        Self {
            block_size,
            limit: Iops(self.limit.0 / times),
            is_by_bytes: true,
            points: self.points.iter().map(scale).collect(),
            ..self.clone()
        }
    }

    /// In the unit of the limit.
    pub fn describe_rate(&self, iops: Iops) -> Message {
        match self.is_by_bytes {
            true => BytesPerSecond(iops.0 * self.block_size.0 as f64).into(),
            false => iops.into(),
        }
    }

    /// Mean latency with the fewest operations outstanding.
    pub fn unloaded_mean(&self) -> Option<Nanos> {
        self.points.first().map(|point| point.mean)
    }

    /// Mean latency with this many operations outstanding, interpolated between the two measured
    /// depths around it. Latency grows ever faster with depth, so the line is never below the
    /// disk's curve.
    pub fn mean_at(&self, outstanding: f64) -> Option<Nanos> {
        let depth = |point: &KnownPoint| f64::from(point.depth.0);
        let mean = |point: &KnownPoint| point.mean.0 as f64;
        let at = self.points.iter().position(|point| depth(point) >= outstanding);
        let mean_ns = match (at, self.points.last()?) {
            (Some(0), _) => mean(self.points.first()?),
            (Some(at), _) => {
                let (below, above) = (self.points.get(at - 1)?, self.points.get(at)?);
                let part = (outstanding - depth(below)) / (depth(above) - depth(below));
                mean(below) + part * (mean(above) - mean(below))
            }
            (None, deepest) => mean(deepest) * outstanding / depth(deepest).max(1.0),
        };
        Some(Nanos(mean_ns.round() as u64))
    }
}

/// The curves of a judged record that were measured on this disk, and on nothing else.
pub fn list_known_curves(record: &Record, disk: &Layer, hostname: &str) -> Vec<KnownCurve> {
    let measured = &record.measured;
    let is_own_host = measured.environment.hostname.as_deref() == Some(hostname);
    let Some(target) = measured.target().filter(|_| measured.fleet.is_none()) else {
        return Vec::new();
    };
    // A volume over several disks does more than one of them.
    let is_whole = target.bottom_devices().len() == 1;
    let is_here = |layer: &Layer| is_same_disk(layer, disk, is_own_host);
    let is_top = target.top_device().is_some_and(is_here);
    let is_below = is_whole && target.stack.iter().any(is_here);
    if !(is_top || is_below) {
        return Vec::new();
    }
    let judgement = record.judgement_or_default();
    judgement.curves.iter().filter_map(|curve| known_curve(record, curve)).collect()
}

/// By serial number or world-wide identifier; of disks that have neither, by host, name, size and
/// the file behind a loop device.
fn is_same_disk(a: &Layer, b: &Layer, is_same_host: bool) -> bool {
    if a.kind == LayerKind::Partition || b.kind == LayerKind::Partition {
        return false;
    }
    for (ours, theirs) in [(&a.wwid, &b.wwid), (&a.serial, &b.serial)] {
        if let (Some(ours), Some(theirs)) = (ours, theirs) {
            return ours == theirs && a.size == b.size;
        }
    }
    let has_identity = |layer: &Layer| layer.wwid.is_some() || layer.serial.is_some();
    is_same_host
        && !has_identity(a)
        && !has_identity(b)
        && (&a.name, a.size, &a.model, &a.backing_file)
            == (&b.name, b.size, &b.model, &b.backing_file)
}

pub(crate) fn format_date(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d").to_string()
}

fn known_curve(record: &Record, curve: &Curve) -> Option<KnownCurve> {
    let judgement = record.judgement_or_default();
    let limit = curve.main_limit()?;
    let is_reachable = limit.bounded_by != BoundedBy::Unreachable;
    if curve.open_loop || !is_reachable || judgement.is_invalid(&limit.cell) {
        return None;
    }
    let read_share = match curve.mix {
        Mix::Read => 1.0,
        Mix::Write => 0.0,
        Mix::Mixed { read_percent } => f64::from(read_percent) / 100.0,
        Mix::Trim | Mix::TrimWrite => return None,
    };
    Some(KnownCurve {
        measured: record.measured.started,
        label: curve.label.clone(),
        read_share: Ratio(read_share),
        block_size: curve.block_size,
        bound: limit.bound,
        limit: Iops(limit.iops.value),
        bounded_by: limit.bounded_by,
        is_by_bytes: false,
        points: curve.points.iter().filter_map(|point| known_point(point, read_share)).collect(),
    })
}

fn known_point(point: &CurvePoint, read_share: f64) -> Option<KnownPoint> {
    let mean = |direction| Some(*point.latency_ns.get(direction)?.get("mean")? as f64);
    let mean = match (mean(Direction::Read), mean(Direction::Write)) {
        (Some(read), Some(write)) => read * read_share + write * (1.0 - read_share),
        (read, write) => read.or(write)?,
    };
    Some(KnownPoint { depth: point.depth, mean: Nanos(mean.round() as u64) })
}

/// The curve of the newest run with this block size and mix, and of these the nearest. Whether the
/// load is random cannot be seen: of curves that differ in it, the one with the lowest limit that
/// the load does not exceed.
pub(crate) fn find_curve(
    curves: &[KnownCurve],
    block_size: Bytes,
    read_share: Ratio,
    iops: Iops,
) -> Option<KnownCurve> {
    let mix_gap = |curve: &KnownCurve| (curve.read_share.0 - read_share.0).abs();
    let fits = |curve: &&KnownCurve| {
        is_comparable(block_size, curve.block_size) && mix_gap(curve) <= MIX_WITHIN + 1e-9
    };
    let newest = curves.iter().filter(fits).map(|curve| curve.measured).max()?;
    let of_newest = curves.iter().filter(fits).filter(|curve| curve.measured == newest);
    let scaled = of_newest.map(|curve| {
        let distance = size_factor(block_size, curve.block_size).ln() + mix_gap(curve);
        (distance, curve.scale_to(block_size))
    });
    let found = scaled.min_by(|(a_distance, a), (b_distance, b)| {
        let excess = |curve: &KnownCurve| (iops.0 / curve.limit.0.max(1e-9)).max(LIMIT_SHARE_MAX);
        a_distance
            .total_cmp(b_distance)
            .then(excess(a).total_cmp(&excess(b)))
            .then(a.limit.0.total_cmp(&b.limit.0))
    });
    found.map(|(_, curve)| curve)
}

fn is_comparable(a: Bytes, b: Bytes) -> bool {
    let factor = size_factor(a, b);
    factor <= SAME_SIZE_FACTOR || (a.min(b) >= LARGE_SIZE && factor <= LARGE_SIZE_FACTOR)
}

/// How many times the larger is the smaller.
fn size_factor(a: Bytes, b: Bytes) -> f64 {
    let (a, b) = (a.0.max(1) as f64, b.0.max(1) as f64);
    (a / b).max(b / a)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use record::{Layer, PerDirection};

    use super::*;

    fn curves(change: impl FnOnce(&mut Record, &mut Layer)) -> Vec<KnownCurve> {
        let mut record = record::fixture::limit_record();
        record.judgement = Some(analysis::judge(&record.measured));
        let hostname = record.measured.environment.hostname.clone().unwrap();
        let mut disk = record.measured.targets[0].bottom_devices()[0].clone();
        change(&mut record, &mut disk);
        list_known_curves(&record, &disk, &hostname)
    }

    #[test]
    fn a_stored_search_on_the_same_disk_is_known() {
        let [curve] = &curves(|_, _| ())[..] else { panic!("no curve") };
        assert!(curve.limit.0 > 0.0 && curve.points.len() > 2, "{curve:?}");
        let shallow = curve.mean_at(0.1).unwrap();
        assert_eq!(Some(shallow), curve.unloaded_mean());
        assert!(curve.label.text().starts_with("random read"), "{curve:?}");
        let deepest = curve.points.last().unwrap().depth;
        assert!(curve.mean_at(f64::from(deepest.0)).unwrap() >= shallow);
        let mean = |outstanding: f64| curve.mean_at(outstanding).unwrap().0 as f64;
        let deepest = f64::from(deepest.0);
        assert_eq!(mean(10.0 * deepest), 10.0 * mean(deepest));
        // Sixteen channels of 10 ms: what is between two depths is not as slow as the deeper one.
        let points = [(16, 10), (64, 40)]
            .map(|(depth, ms)| KnownPoint { depth: Depth(depth), mean: Nanos::millis(ms) });
        let curve = KnownCurve { points: points.to_vec(), ..curve.clone() };
        let means = [0.1, 16.0, 24.0, 64.0, 128.0].map(|outstanding| curve.mean_at(outstanding));
        assert_eq!(means, [10, 10, 15, 40, 80].map(|ms| Some(Nanos::millis(ms))));
    }

    /// As the mean of what is seen now: of reads and writes, without flushes.
    #[test]
    fn the_mean_of_a_mix_is_that_of_its_operations() {
        let mut record = record::fixture::limit_record();
        record.judgement = Some(analysis::judge(&record.measured));
        let mut point = record.judgement_or_default().curves[0].points[0].clone();
        let mut check = |means: &[(Direction, u64)], expected: Option<u64>| {
            point.latency_ns = PerDirection::default();
            for (direction, mean) in means {
                point.latency_ns.set(*direction, BTreeMap::from([("mean".to_owned(), *mean)]));
            }
            assert_eq!(known_point(&point, 0.7).map(|known| known.mean.0), expected);
        };
        let (read, write) = ((Direction::Read, 1000), (Direction::Write, 2000));
        check(&[read, write], Some(1300));
        check(&[read, write, (Direction::Sync, 90_000)], Some(1300));
        check(&[write, (Direction::Sync, 90_000)], Some(2000));
        check(&[(Direction::Sync, 90_000)], None);
    }

    #[test]
    fn a_run_of_another_disk_says_nothing() {
        let check = |known: usize, change: fn(&mut Record, &mut Layer)| {
            assert_eq!(curves(change).len(), known);
        };
        check(0, |_, disk| disk.name = "other".to_owned());
        check(0, |_, disk| disk.size = Bytes(1));
        check(0, |_, disk| disk.serial = Some("S1".to_owned()));
        check(0, |record, _| record.measured.environment.hostname = Some("elsewhere".to_owned()));
        // A serial number is the same on another host, under another name.
        check(1, |record, disk| {
            record.measured.environment.hostname = Some("elsewhere".to_owned());
            let layers = &mut record.measured.targets[0].stack;
            let layer = layers.iter_mut().find(|layer| layer.name == disk.name).unwrap();
            layer.serial = Some("S1".to_owned());
            disk.serial = Some("S1".to_owned());
            disk.name = "sdz".to_owned();
        });
        check(0, |record, _| {
            record.measured.fleet = record::fixture::fleet_record().measured.fleet
        });
    }
    #[test]
    fn large_operations_of_another_size_are_compared_by_their_bytes() {
        let [small] = &curves(|_, _| ())[..] else { panic!("no curve") };
        let large =
            KnownCurve { block_size: Bytes::kib(128), limit: Iops(1907.0), ..small.clone() };
        let find = |size: Bytes, iops: f64| {
            find_curve(std::slice::from_ref(&large), size, large.read_share, Iops(iops))
        };
        let same = find(Bytes::kib(120), 1000.0).unwrap();
        assert!((same.limit.0 - 1907.0 * 128.0 / 120.0).abs() < 0.1, "{same:?}");
        assert_eq!(same.describe_rate(same.limit).text(), "250 MB/s");
        assert_eq!(find(Bytes::kib(128), 1000.0).unwrap(), large);
        // 64 KiB at 125 MB/s is half of 250 MB/s.
        let half = find(Bytes::kib(64), 1907.0).unwrap();
        assert_eq!(half.limit, Iops(3814.0));
        assert_eq!(half.describe_rate(half.limit).text(), "250 MB/s");
        assert_eq!(half.points[0].mean.0, (large.points[0].mean.0 as f64 / 2.0).round() as u64);
        assert!(find(Bytes::kib(32), 1907.0).is_none() && find(Bytes::kib(512), 9.0).is_none());
    }

    #[test]
    fn of_random_and_sequential_the_one_that_the_load_does_not_exceed_is_meant() {
        let [random] = &curves(|_, _| ())[..] else { panic!("no curve") };
        let sequential = KnownCurve { limit: Iops(random.limit.0 * 10.0), ..random.clone() };
        let both = [sequential.clone(), random.clone()];
        let find = |iops: f64| {
            find_curve(&both, random.block_size, random.read_share, Iops(iops)).unwrap().limit
        };
        assert_eq!(find(random.limit.0 * 0.5), random.limit);
        assert_eq!(find(random.limit.0 * 1.05), random.limit);
        assert_eq!(find(random.limit.0 * 2.0), sequential.limit);
        assert_eq!(find(random.limit.0 * 20.0), sequential.limit);
    }
}
