//! Which class of device it behaves like. A class is a band per feature. Its cost is twice the
//! negative logarithm of its likelihood: even within a band, falling with the squared distance in
//! half-widths outside (on a log scale). The class with the least cost is named.

mod bands;
mod claim;

use std::borrow::Cow;

use bands::{Band, CLASSES, Class, Link};
use message::{Message, label, messages};
use record::{Cell, CellRole, ClassMatch, ClassVerdict, FindingId, Judgement, Measured, Status};
use units::{Bytes, BytesPerSecond, Iops, Nanos};
use workload::{Access, Mix};

use crate::cells::is_random_read_figure;
use crate::curve::{is_figure, pool_cells, pool_iops};
use crate::evidence::group_limit::find_reached_limit;
use crate::support::supports;

/// The size of the random operations that the bands are about.
const RANDOM_SIZE: Bytes = Bytes::kib(4);

/// Costs from which a device is like none of the classes: three half-widths off.
const UNLIKE_COST: f64 = 9.0;
/// The second class is named when it is no more than four and a half times less likely.
const CLOSE_COST: f64 = 3.0;
/// Weights of the bands: latency at depth 1 tells classes apart best; writes depend on what was
/// written before.
const WEIGHTS: [f64; 4] = [3.0, 1.5, 1.0, 0.5];
/// How steeply the likelihood falls outside of a band: at one more half-width by `e^2`.
const STEEPNESS: f64 = 4.0;
/// Costs of a whole device that is a virtual disk, and of a volume that comes as a real one (NVMe).
const VIRTUAL_DISK_COST: f64 = 8.0;
const VOLUME_AS_REAL_COST: f64 = 1.5;
struct Features {
    /// In the order of [`Class::bands`].
    values: [Option<f64>; 4],
    virtual_disk: bool,
    rotational: Option<bool>,
}

/// The class of the device; `None` when too little was measured, or nothing that can be trusted.
pub(crate) fn classify_device(measured: &Measured, judgement: &Judgement) -> Option<ClassVerdict> {
    // What a control group allows says nothing of the device.
    let limited = |cell: &Cell| find_reached_limit(measured, cell).is_some();
    if measured.cells.iter().any(|cell| is_random_read_figure(cell) && limited(cell)) {
        return None;
    }
    let features = extract_features(measured, judgement);
    let latency_ns = features.values[0]?;
    let mut ranked: Vec<(f64, &Class)> =
        CLASSES.iter().map(|class| (class_cost(class, &features), class)).collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let [(best_cost, best), (next_cost, next), ..] = ranked.as_slice() else {
        return None;
    };
    let (supports, mut contradicts) = collect_reasons(best, &features);
    contradicts.extend(describe_cap(judgement));
    let unlike = total_misfit(best, &features) > UNLIKE_COST;
    let nearest = (best.label)();
    let label = if unlike { UnlikeAll { nearest }.into() } else { nearest };
    let runner_up = (next_cost - best_cost < CLOSE_COST).then(next.label);
    let nearest = ranked.iter().take(2).map(|(cost, class)| match_class(class, *cost, &features));
    let nearest = nearest.collect();
    let claim = claim::compare_claim(measured, judgement, (!unlike).then_some(best), latency_ns);
    Some(ClassVerdict { label, supports, contradicts, runner_up, nearest, claim })
}

fn match_class(class: &Class, cost: f64, features: &Features) -> ClassMatch {
    let (supports, contradicts) = collect_reasons(class, features);
    ClassMatch { label: (class.label)(), cost, supports, contradicts }
}

fn extract_features(measured: &Measured, judgement: &Judgement) -> Features {
    let cells = |access: Access, mix: Mix| {
        let trusted = measured.cells.iter().filter(|cell| supports(judgement, cell));
        trusted
            .filter(move |c| c.job.mix == mix && c.job.access == access)
            .filter(|c| c.job.sync.is_none() && c.beside.is_none() && is_device_role(c.role))
            .filter(|c| c.job.access != Access::Random || c.job.block_size == RANDOM_SIZE)
    };
    let reads = |access: Access| cells(access, Mix::Read);
    // Visits to one load are one figure.
    let pooled = |cells: Vec<&Cell>, at: &Cell| {
        let same = |cell: &&Cell| {
            (cell.job.block_size, cell.job.depth) == (at.job.block_size, at.job.depth)
        };
        pool_cells(&Vec::from_iter(cells.into_iter().filter(same))).map(Cow::into_owned)
    };
    let latency = reads(Access::Random)
        .find(|c| c.job.depth.0 == 1)
        .and_then(|first| pooled(reads(Access::Random).collect(), first))
        .and_then(|c| c.totals.read.as_ref()?.latency_ns.percentiles.get("p50").copied())
        .map(|ns| ns as f64);
    let most = |mix: Mix| {
        let all = || Vec::from_iter(cells(Access::Random, mix));
        let rates = all().into_iter().filter_map(|cell| pooled(all(), cell));
        let is_figure = |cell: &Cell| {
            let rates = [&cell.confidence.iops.read, &cell.confidence.iops.write];
            rates.into_iter().flatten().all(|rate| is_figure(rate))
        };
        rates.filter(|cell| is_figure(cell)).map(|cell| cell.iops()).reduce(f64::max)
    };
    let (iops, written) = (most(Mix::Read), most(Mix::Write));
    let streams: Vec<&Cell> = reads(Access::Sequential).collect();
    let load = |cell: &Cell| (cell.job.block_size, cell.job.depth);
    let rate = |cell: &&Cell| {
        let visits = streams.iter().filter(|other| load(other) == load(cell)).copied();
        pool_iops(&Vec::from_iter(visits)).value * cell.job.block_size.0 as f64 / 1e6
    };
    let rate = streams.iter().map(rate).reduce(f64::max);
    let stack = measured.target().map(|t| t.bottom_devices()).unwrap_or_default();
    let is_virtual = |t: &str| matches!(t, "virtio" | "xen");
    let writes = written.zip(iops).map(|(written, read)| written / read.max(1e-9));
    Features {
        values: [latency, iops, rate, writes],
        virtual_disk: stack.iter().any(|l| l.transport.as_deref().is_some_and(is_virtual)),
        rotational: stack
            .iter()
            // A virtual disk's flag is whatever the hypervisor left it at.
            .filter(|l| !l.transport.as_deref().is_some_and(is_virtual))
            .find_map(|l| l.rotational),
    }
}

fn is_device_role(role: CellRole) -> bool {
    use CellRole::{Ladder, Main, Point, Probe};
    matches!(role, Main | Ladder | Probe | Point)
}

/// Half the width of a band on a log scale, but no narrower than a factor of 1.5.
fn half_width(band: Band) -> f64 {
    ((band.1.ln() - band.0.ln()) / 2.0).max(1.5_f64.ln())
}

/// How far outside of a band a value lies, in half-widths, squared; 0 within.
fn distance_from_band(value: f64, band: Band) -> f64 {
    if value <= 0.0 {
        return 0.0;
    }
    let middle = f64::midpoint(band.0.ln(), band.1.ln());
    ((value.ln() - middle).abs() / half_width(band) - 1.0).max(0.0).powi(2)
}

/// The known features: place, value and band.
fn known_features(class: &Class, features: &Features) -> impl Iterator<Item = (usize, f64, Band)> {
    let places = features.values.into_iter().zip(class.bands).enumerate();
    places.filter_map(|(place, (value, band))| Some((place, value?, band)))
}

fn total_misfit(class: &Class, features: &Features) -> f64 {
    known_features(class, features)
        .map(|(place, value, band)| WEIGHTS[place] * distance_from_band(value, band))
        .sum()
}

fn class_cost(class: &Class, features: &Features) -> f64 {
    let known = known_features(class, features);
    let widths: f64 = known.map(|(_, _, band)| 2.0 * half_width(band).ln()).sum();
    let mut cost = STEEPNESS * total_misfit(class, features) + widths;
    let behind = matches!(class.link, Link::Hypervisor | Link::Network);
    if class.rotational == Some(false) {
        cost += match (behind, features.virtual_disk) {
            (false, true) => VIRTUAL_DISK_COST,
            (true, false) => VOLUME_AS_REAL_COST,
            _ => 0.0,
        };
    }
    cost
}

fn collect_reasons(class: &Class, features: &Features) -> (Vec<Message>, Vec<Message>) {
    let (mut supports, mut contradicts) = (Vec::new(), Vec::new());
    for (place, value, band) in known_features(class, features) {
        let feature = describe_feature(place, value);
        if (band.0..=band.1).contains(&value) {
            supports.push(feature);
        } else {
            let [low, high] = [band.0, band.1].map(|end| describe_value(place, end));
            contradicts.push(OutsideClass { feature, low, high }.into());
        }
    }
    match (features.rotational, class.rotational) {
        (Some(true), Some(false)) => contradicts.push(label("class-called-rotational")),
        (Some(false), Some(true)) => contradicts.push(label("class-called-non-rotational")),
        _ => {}
    }
    (supports, contradicts)
}

fn describe_feature(place: usize, value: f64) -> Message {
    match place {
        0 => ReadLatency { latency: Nanos(value as u64) }.into(),
        1 => RandomReads { iops: Iops(value) }.into(),
        2 => SequentialReads { rate: BytesPerSecond(value * 1e6) }.into(),
        _ => WritesPerRead { times: value }.into(),
    }
}

fn describe_value(place: usize, value: f64) -> Message {
    match place {
        0 => Nanos(value as u64).into(),
        1 => Iops(value).into(),
        2 => BytesPerSecond(value * 1e6).into(),
        _ => Times { times: value }.into(),
    }
}

fn describe_cap(judgement: &Judgement) -> Option<Message> {
    let cap = judgement.finding(FindingId::ProviderLimit);
    cap.filter(|f| f.status >= Status::Note).map(|f| f.summary.clone())
}

/// Whether a label says that the device is like no class.
pub(crate) fn is_unlike_all(label: &Message) -> bool {
    label.id() == "class-unlike-all"
}

messages! {
    UnlikeAll = "class-unlike-all" { nearest: Message };
    ReadLatency = "class-read-latency" { latency: Nanos };
    RandomReads = "class-random-reads" { iops: Iops };
    SequentialReads = "class-sequential-reads" { rate: BytesPerSecond };
    WritesPerRead = "class-writes-per-read" { times: f64 };
    Times = "class-times" { times: f64 };
    OutsideClass = "class-outside" { feature: Message, low: Message, high: Message };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, disturbed_record, fallen_record, sample_record};

    #[test]
    fn typical_devices_are_recognised() {
        let check =
            |latency_us: f64, iops: f64, rate: f64, writes, virtual_disk, expected: &str| {
                let values = [latency_us * 1e3, iops, rate, writes].map(Some);
                let features = Features { values, virtual_disk, rotational: Some(false) };
                let best = CLASSES
                    .iter()
                    .min_by(|a, b| class_cost(a, &features).total_cmp(&class_cost(b, &features)))
                    .unwrap();
                let label = (best.label)();
                assert!(label.text().contains(expected), "{latency_us} {iops}: {label:?}");
            };
        check(48.0, 92_000.0, 2_500.0, 0.9, true, "behind a hypervisor");
        check(90.0, 120_000.0, 500.0, 0.7, true, "behind a hypervisor");
        check(3.0, 1e6, 9_000.0, 0.8, true, "memory");
        check(9.0, 585_000.0, 2_400.0, 0.9, false, "Optane");
        check(9.0, 1_500_000.0, 12_000.0, 0.9, true, "memory");
        check(95.0, 97_000.0, 550.0, 0.9, false, "SATA SSD");
        check(80.0, 370_000.0, 3_300.0, 0.5, false, "PCIe 3");
        check(50.0, 900_000.0, 7_000.0, 0.1, false, "PCIe 4 or 5");
        check(45.0, 2_200_000.0, 14_000.0, 0.4, false, "PCIe 4 or 5");
        check(700.0, 3_000.0, 125.0, 1.0, true, "general-purpose");
        check(300.0, 64_000.0, 1_000.0, 1.0, true, "premium");
        check(12_000.0, 180.0, 150.0, 1.6, false, "rotating");
        check(900.0, 1_500.0, 40.0, 0.2, false, "memory card");
    }

    #[test]
    fn features_are_those_of_4_kib_alone() {
        let plain = extract_features(&sample_record(), &Judgement::default());
        let same = |spoil: &dyn Fn(&mut Cell)| {
            let mut record = sample_record();
            let mut other = cell_mut(&mut record, "randread-4k-qd128").clone();
            other.name.push_str("-other");
            other.job.depth.0 = 1;
            let read = other.totals.read.as_mut().unwrap();
            read.iops *= 10.0;
            spoil(&mut other);
            record.cells.insert(0, other);
            let features = extract_features(&record, &Judgement::default());
            features.values[..2] == plain.values[..2]
        };
        assert!(!same(&|_| ()));
        assert!(!same(&|cell| cell.role = CellRole::Point));
        assert!(same(&|cell| cell.job.block_size = Bytes::kib(64)));
        assert!(same(&|cell| cell.job.block_size = Bytes(512)));
        assert!(same(&|cell| cell.beside = Some("randwrite-4k-qd1".to_owned())));
        use CellRole::{Contrast, Disturbed, Idle, Interference, Repeat};
        for role in [Contrast, Disturbed, Idle, Interference, Repeat] {
            assert!(same(&|cell| cell.role = role), "{role:?}");
        }
        assert!(plain.values[2].is_some(), "streams are of larger blocks");
    }

    #[test]
    fn features_are_of_cells_that_support_a_conclusion() {
        let features = |record: &Measured| extract_features(record, &crate::judge(record)).values;
        let plain = features(&sample_record());
        let disturbed = features(&disturbed_record());
        assert_eq!((plain[1], disturbed[1]), (Some(118_500.0), Some(92_000.0)));
        assert_eq!(disturbed[0], plain[0]);
        let fallen = features(&fallen_record());
        assert_eq!(fallen[..2], [None, None], "nothing of the newest level says it");
    }

    #[test]
    fn far_from_every_class_is_called_so() {
        let mut record = sample_record();
        for cell in &mut record.cells {
            if let Some(read) = &mut cell.totals.read {
                read.latency_ns.percentiles.insert("p50".to_owned(), 900_000_000);
                read.iops = 1.2;
                read.bytes_per_second = 5_000.0;
            }
        }
        let class = classify_device(&record, &Judgement::default()).unwrap();
        assert!(class.label.text().starts_with("no known class"), "{class:?}");
        assert!(!class.contradicts.is_empty());
    }

    #[test]
    fn a_cap_is_told_beside_the_class() {
        let mut judgement = Judgement::default();
        let told = |judgement: &Judgement| {
            message::texts(&classify_device(&sample_record(), judgement).unwrap().contradicts)
                .join("; ")
        };
        assert!(!told(&judgement).contains("caps"));
        judgement.findings = vec![record::Finding {
            id: FindingId::ProviderLimit,
            status: Status::Note,
            summary: message::Message::from_text("the provider caps this disk at 3,000 IOPS"),
            evidence: Vec::new(),
            cells: Vec::new(),
            remedy: None,
        }];
        assert!(told(&judgement).contains("the provider caps this disk at 3,000"), "{judgement:?}");
    }

    #[test]
    fn what_a_control_group_allows_is_of_no_class() {
        let mut record = sample_record();
        record.environment.io_limits.push(record::IoLimit {
            cgroup: "/box".to_owned(),
            file: "io.max".to_owned(),
            device: "254:0".to_owned(),
            device_name: None,
            read_iops: Some(Iops(119_000.0)),
            write_iops: None,
            read_bytes: None,
            write_bytes: None,
            other: None,
        });
        assert_eq!(classify_device(&record, &crate::judge(&record)), None);
    }

    #[test]
    fn nothing_is_claimed_from_invalid_cells() {
        let mut record = sample_record();
        record.targets[0].file_system.as_mut().unwrap().memory = true;
        let judgement = crate::judge(&record);
        assert_eq!(classify_device(&record, &judgement), None);
    }
}
