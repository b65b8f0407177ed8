//! What a disk can do: the curves of its own measured runs.

use jiff::Timestamp;
use record::{BoundedBy, Curve, CurvePoint, Layer, LayerKind, Record};
use units::{Bytes, Depth, Iops, Nanos, Ratio};
use workload::{Access, Bound, Mix};

/// Operations of at most this many times another size count as the same size.
const SIZE_FACTOR: f64 = 2.0;
/// Shares of reads that differ by at most this count as the same mix.
const MIX_WITHIN: f64 = 0.20;

/// A curve of a stored run of the same disk.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownCurve {
    pub run: String,
    pub measured: Timestamp,
    pub is_random: bool,
    pub read_share: Ratio,
    pub block_size: Bytes,
    pub bound: Bound,
    /// The most within the bound.
    pub limit: Iops,
    pub limit_depth: Depth,
    pub bounded_by: BoundedBy,
    /// By ascending depth.
    pub points: Vec<KnownPoint>,
}

/// What the disk did at one depth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KnownPoint {
    pub depth: Depth,
    /// Of the slowest direction.
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

    /// Mean latency with the fewest operations outstanding.
    pub fn unloaded_mean(&self) -> Option<Nanos> {
        self.points.first().map(|point| point.mean)
    }

    /// Mean latency with at least as many operations outstanding; `None` beyond the deepest.
    pub fn mean_at(&self, outstanding: f64) -> Option<Nanos> {
        let deep_enough = |point: &&KnownPoint| f64::from(point.depth.0) >= outstanding;
        self.points.iter().find(deep_enough).map(|point| point.mean)
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
        run: record.measured.id.clone(),
        measured: record.measured.started,
        is_random: curve.access == Access::Random,
        read_share: Ratio(read_share),
        block_size: curve.block_size,
        bound: limit.bound,
        limit: Iops(limit.iops.value),
        limit_depth: limit.depth,
        bounded_by: limit.bounded_by,
        points: curve.points.iter().filter_map(known_point).collect(),
    })
}

fn known_point(point: &CurvePoint) -> Option<KnownPoint> {
    let means = point.latency_ns.iter().filter_map(|(_, of)| of.get("mean"));
    means.max().map(|&mean| KnownPoint { depth: point.depth, mean: Nanos(mean) })
}

/// The newest curve of about this block size and mix; of one run the nearest.
pub(crate) fn find_curve(
    curves: &[KnownCurve],
    block_size: Bytes,
    read_share: Ratio,
) -> Option<&KnownCurve> {
    let size_factor = |curve: &KnownCurve| {
        let (ours, theirs) = (block_size.0.max(1) as f64, curve.block_size.0.max(1) as f64);
        (ours / theirs).max(theirs / ours)
    };
    let mix_gap = |curve: &KnownCurve| (curve.read_share.0 - read_share.0).abs();
    let fits = |curve: &&KnownCurve| {
        size_factor(curve) <= SIZE_FACTOR && mix_gap(curve) <= MIX_WITHIN + 1e-9
    };
    curves.iter().filter(fits).min_by(|a, b| {
        let order = |curve: &KnownCurve| (std::cmp::Reverse(curve.measured), !curve.is_random);
        let distance = |curve: &KnownCurve| size_factor(curve).ln() + mix_gap(curve);
        order(a).cmp(&order(b)).then(distance(a).total_cmp(&distance(b)))
    })
}

#[cfg(test)]
mod tests {
    use record::Layer;

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
        assert!(curve.limit.0 > 0.0 && curve.is_random && curve.points.len() > 2, "{curve:?}");
        let shallow = curve.mean_at(0.1).unwrap();
        assert_eq!(Some(shallow), curve.unloaded_mean());
        assert!(curve.mean_at(f64::from(curve.limit_depth.0)).unwrap() >= shallow);
        assert_eq!(curve.mean_at(1e6), None);
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
}
