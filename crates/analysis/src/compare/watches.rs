//! Two watches side by side. A watch is no measurement: the load was that of others, and differs.
//! Only where the loads are alike is a difference of latency one of the disks.

use message::{Message, messages};
use record::compare::{
    Figure, FigureKind, Outcome, WatchComparison, WatchFigure, WatchPair, WatchSide,
};
use record::{Layer, Record, SourceKind, Watched, WatchedDirection, WatchedDisk};
use units::{Bytes, Iops, Ratio};
use workload::Direction;

/// Shares of reads that differ by at most this count as the same mix.
const MIX_WITHIN: f64 = 0.10;
/// Sizes and rates of at most this many times the other's count as the same.
const SAME_FACTOR: f64 = 1.10;
/// A latency changed if the median and the 99th percentile both did, by this factor at least.
const CHANGED_FACTOR: f64 = 1.25;
/// A smaller share of the operations of a disk decides nothing.
const PART_MIN: f64 = 0.05;

messages! {
    NoLoad = "compare-watch-no-load" { disk: String };
    OtherMix = "compare-watch-other-mix" { a: Ratio, b: Ratio };
    OtherSize = "compare-watch-other-size" { a: Bytes, b: Bytes };
    OtherRate = "compare-watch-other-rate" { a: Iops, b: Iops };
    Differs = "compare-watch-differs" { disk: String, differences: Vec<Message> };
    Faster = "compare-watch-faster" { disk: String };
    Slower = "compare-watch-slower" { disk: String };
    Alike = "compare-watch-alike" { disk: String };
    Unclear = "compare-watch-unclear" { disk: String };
    FlushesAmongWrites = "compare-watch-flushes" {};
}

/// The second watch held against the first; `None` where one of the records is no watch.
pub fn compare_watches(a: &Record, b: &Record) -> Option<WatchComparison> {
    let (of_a, of_b) = (a.measured.watch.as_deref()?, b.measured.watch.as_deref()?);
    let side = |label: &str, record: &Record, watch: &Watched| WatchSide {
        label: label.to_owned(),
        run: record.measured.id.clone(),
        host: record.measured.host(),
        started: record.measured.started,
        length: watch.length,
        source: watch.source,
    };
    let pairs = pair_disks((a, of_a), (b, of_b));
    let has_counters = [of_a, of_b].iter().any(|watch| watch.source == SourceKind::Counters);
    Some(WatchComparison {
        sides: [side("A", a, of_a), side("B", b, of_b)],
        pairs: pairs.into_iter().map(|(a, b)| compare_disks(a, b, has_counters)).collect(),
    })
}

/// The same disk in both; of watches that have one disk each, these.
fn pair_disks<'a>(
    (a, of_a): (&Record, &'a Watched),
    (b, of_b): (&Record, &'a Watched),
) -> Vec<(&'a WatchedDisk, &'a WatchedDisk)> {
    let active = |watch: &'a Watched| -> Vec<&'a WatchedDisk> {
        watch.disks.iter().filter(|disk| disk.is_active()).collect()
    };
    let (ours, theirs) = (active(of_a), active(of_b));
    if let ([one], [other]) = (&ours[..], &theirs[..]) {
        return vec![(*one, *other)];
    }
    let is_one_host = a.measured.host() == b.measured.host();
    let twin = |disk: &WatchedDisk| {
        let layer = find_layer(a, &disk.name);
        theirs.iter().copied().find(|other| {
            match layer.zip(find_layer(b, &other.name)).and_then(|(x, y)| is_same_device(x, y)) {
                Some(is_same) => is_same,
                None => is_one_host && disk.name == other.name,
            }
        })
    };
    ours.iter().filter_map(|disk| Some((*disk, twin(disk)?))).collect()
}

fn find_layer<'a>(record: &'a Record, name: &str) -> Option<&'a Layer> {
    let stacks = record.measured.targets.iter().flat_map(|target| &target.stack);
    stacks.into_iter().find(|layer| layer.name == name)
}

/// By world-wide identifier or serial number; `None` where they do not tell.
fn is_same_device(a: &Layer, b: &Layer) -> Option<bool> {
    let ids = [(&a.wwid, &b.wwid), (&a.serial, &b.serial)];
    ids.into_iter().find_map(|(ours, theirs)| Some(ours.as_ref()? == theirs.as_ref()?))
}

/// `has_counters`: one of them was seen by counters, which have flushes among the writes.
fn compare_disks(a: &WatchedDisk, b: &WatchedDisk, has_counters: bool) -> WatchPair {
    let mut differences = list_differences(a, b);
    let has_flushes =
        [a, b].iter().any(|disk| disk.flush.as_ref().is_some_and(|f| f.operations > 0));
    if has_flushes && has_counters {
        differences.push(FlushesAmongWrites {}.into());
    }
    let outcome = if differences.is_empty() { judge_latency(a, b) } else { Outcome::CannotTell };
    let disk = if a.name == b.name { a.name.clone() } else { format!("{} / {}", a.name, b.name) };
    let words = match outcome {
        Outcome::CannotTell if differences.is_empty() => Unclear { disk }.into(),
        Outcome::CannotTell => Differs { disk, differences: differences.clone() }.into(),
        Outcome::Faster => Faster { disk }.into(),
        Outcome::Slower => Slower { disk }.into(),
        Outcome::Same => Alike { disk }.into(),
    };
    WatchPair {
        a: a.name.clone(),
        b: b.name.clone(),
        figures: list_figures(a, b),
        differences,
        outcome,
        words,
    }
}

/// In what the loads differ; empty where they are alike.
fn list_differences(a: &WatchedDisk, b: &WatchedDisk) -> Vec<Message> {
    let idle: Vec<Message> = [("A", a), ("B", b)]
        .into_iter()
        .filter(|(_, disk)| disk.operations() == 0)
        .map(|(side, _)| NoLoad { disk: side.to_owned() }.into())
        .collect();
    if !idle.is_empty() {
        return idle;
    }
    let mut all = Vec::new();
    if let Some((x, y)) = a.read_share().zip(b.read_share())
        && (x.0 - y.0).abs() > MIX_WITHIN
    {
        all.push(OtherMix { a: x, b: y }.into());
    }
    if let Some((x, y)) = a.block_size().zip(b.block_size())
        && !is_alike(x.0 as f64, y.0 as f64)
    {
        all.push(OtherSize { a: x, b: y }.into());
    }
    let (x, y) = (a.iops(), b.iops());
    if !is_alike(x.0, y.0) {
        all.push(OtherRate { a: x, b: y }.into());
    }
    all
}

fn is_alike(a: f64, b: f64) -> bool {
    a.max(b) <= SAME_FACTOR * a.min(b)
}

/// Verdict on B for disks with the same load, from reads, writes and flushes that are a part of it.
/// No verdict if they contradict each other.
fn judge_latency(a: &WatchedDisk, b: &WatchedDisk) -> Outcome {
    let flushes = a.flush.as_ref().zip(b.flush.as_ref());
    let directions = [(&a.read, &b.read), (&a.write, &b.write)].into_iter().chain(flushes);
    let of =
        |disk: &WatchedDisk| disk.directions().map(|(_, of)| of.operations as f64).sum::<f64>();
    let is_part = |(x, y): &(&WatchedDirection, &WatchedDirection)| {
        x.operations as f64 >= PART_MIN * of(a) && y.operations as f64 >= PART_MIN * of(b)
    };
    let changes: Option<Vec<Outcome>> =
        directions.filter(is_part).map(|(x, y)| judge_direction(x, y)).collect();
    let changes = changes.unwrap_or_default();
    let has = |outcome| changes.contains(&outcome);
    match (has(Outcome::Slower), has(Outcome::Faster)) {
        _ if changes.is_empty() || has(Outcome::CannotTell) => Outcome::CannotTell,
        (true, true) => Outcome::CannotTell,
        (true, false) => Outcome::Slower,
        (false, true) => Outcome::Faster,
        (false, false) => Outcome::Same,
    }
}

/// By the median and the 99th percentile, or by the mean where a source has no distribution;
/// `None` where neither is known.
fn judge_direction(x: &WatchedDirection, y: &WatchedDirection) -> Option<Outcome> {
    let ratio = |x: Option<f64>, y: Option<f64>| Some(y? / x.filter(|x| *x > 0.0)?);
    let ns = |of: &WatchedDirection, name: &str| of.percentile(name).map(|ns| ns.0 as f64);
    let ratios: Vec<f64> = match x.total.is_some() && y.total.is_some() {
        true => {
            ["p50", "p99"].map(|p| ratio(ns(x, p), ns(y, p))).into_iter().collect::<Option<_>>()?
        }
        false => vec![ratio(x.mean_ns, y.mean_ns)?],
    };
    let outcome = |ratio: &f64| match *ratio {
        ratio if ratio >= CHANGED_FACTOR => Outcome::Slower,
        ratio if ratio <= CHANGED_FACTOR.recip() => Outcome::Faster,
        _ => Outcome::Same,
    };
    let first = ratios.first().map(outcome)?;
    Some(if ratios.iter().all(|ratio| outcome(ratio) == first) {
        first
    } else {
        Outcome::CannotTell
    })
}

/// What one of them has is shown beside what the other lacks.
fn list_figures(a: &WatchedDisk, b: &WatchedDisk) -> Vec<WatchFigure> {
    let flushes = || a.flush.as_ref().zip(b.flush.as_ref());
    let directions = [(Direction::Read, &a.read, &b.read), (Direction::Write, &a.write, &b.write)];
    let flushes = flushes().map(|(x, y)| (Direction::Sync, x, y));
    let mut all = Vec::new();
    for (direction, x, y) in directions.into_iter().chain(flushes) {
        if (x.operations, y.operations) == (0, 0) {
            continue;
        }
        let mut add = |kind: FigureKind, a: Option<f64>, b: Option<f64>| {
            if a.is_some() || b.is_some() {
                let ratio = a.filter(|a| *a > 0.0).zip(b).map(|(a, b)| b / a);
                let figure = Figure { kind, direction: Some(direction) };
                all.push(WatchFigure { figure, a, b, ratio });
            }
        };
        let ((a_iops, a_rate), (b_iops, b_rate)) = (a.rate_of(x), b.rate_of(y));
        add(FigureKind::Iops, Some(a_iops.0), Some(b_iops.0));
        if direction != Direction::Sync {
            add(FigureKind::BytesPerSecond, Some(a_rate.0), Some(b_rate.0));
        }
        add(FigureKind::Latency("mean".to_owned()), x.mean_ns, y.mean_ns);
        for name in ["p50", "p99", "p99.9"] {
            let ns = |of: &WatchedDirection| of.percentile(name).map(|ns| ns.0 as f64);
            add(FigureKind::Latency(name.to_owned()), ns(x), ns(y));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use record::fixture::watch_record;

    use super::*;

    /// The made-up watch against the same with something changed.
    fn compare_changed(change: impl Fn(&mut WatchedDisk)) -> WatchPair {
        let (a, mut b) = (watch_record(), watch_record());
        change(&mut b.measured.watch.as_mut().unwrap().disks[0]);
        compare_watches(&a, &b).unwrap().pairs.remove(0)
    }

    fn slow_down(of: &mut WatchedDirection, factor: f64) {
        of.mean_ns = of.mean_ns.map(|mean| mean * factor);
        let total = of.total.as_mut().unwrap();
        total.percentiles.values_mut().for_each(|ns| *ns = (*ns as f64 * factor) as u64);
    }

    #[test]
    fn a_verdict_needs_the_same_load() {
        let check = |expected: Outcome, words: &str, change: fn(&mut WatchedDisk)| {
            let pair = compare_changed(change);
            assert_eq!(pair.outcome, expected, "{}", pair.words.text());
            assert!(pair.words.text().contains(words), "{}", pair.words.text());
        };
        check(Outcome::Same, "vda", |_| ());
        check(Outcome::Slower, "longer", |disk| slow_down(&mut disk.read, 2.0));
        check(Outcome::Faster, "less", |disk| slow_down(&mut disk.read, 0.5));
        check(Outcome::CannotTell, "disagree", |disk| {
            slow_down(&mut disk.read, 2.0);
            slow_down(&mut disk.write, 0.5);
        });
        check(Outcome::CannotTell, "disagree", |disk| {
            let percentiles = &mut disk.read.total.as_mut().unwrap().percentiles;
            percentiles.insert("p99", percentiles["p99"] * 10);
        });
        check(Outcome::Slower, "longer", |disk| slow_down(disk.flush.as_mut().unwrap(), 10.0));
        check(Outcome::CannotTell, "IOPS", |disk| {
            disk.read.operations *= 2;
            disk.read.bytes *= 2;
            slow_down(&mut disk.read, 2.0);
        });
        check(Outcome::CannotTell, "KiB", |disk| disk.read.bytes *= 2);
        check(Outcome::CannotTell, "reads", |disk| std::mem::swap(&mut disk.read, &mut disk.write));
        check(Outcome::CannotTell, "B", |disk| {
            (disk.read, disk.write) = Default::default();
        });
    }

    #[test]
    fn the_edges_and_the_ratio_are_as_said() {
        use Outcome::{CannotTell, Faster, Same, Slower};
        let of = |factor: f64| compare_changed(|disk| slow_down(&mut disk.read, factor)).outcome;
        assert_eq!([1.2, 1.3, 0.85, 0.75].map(of), [Same, Slower, Same, Faster]);
        let more = |percent: u64| {
            let change = |disk: &mut WatchedDisk| {
                for of in [&mut disk.read, &mut disk.write] {
                    of.operations = of.operations * percent / 100;
                    of.bytes = of.bytes * percent / 100;
                }
            };
            compare_changed(change).outcome
        };
        assert_eq!([108, 112].map(more), [Same, CannotTell]);
        let pair = compare_changed(|disk| slow_down(&mut disk.read, 2.0));
        let is_mean = |of: &&WatchFigure| of.figure.kind == FigureKind::Latency("mean".to_owned());
        assert_eq!(pair.figures.iter().find(is_mean).unwrap().ratio, Some(2.0));
    }

    #[test]
    fn what_a_source_cannot_tell_is_absent() {
        let pair = compare_changed(|disk| disk.read.total = None);
        let p99 = pair.figures.iter().find(|of| {
            of.figure.kind == FigureKind::Latency("p99".to_owned())
                && of.figure.direction == Some(Direction::Read)
        });
        let p99 = p99.unwrap();
        assert!(p99.a.is_some() && p99.b.is_none() && p99.ratio.is_none());
        // Its means say that they are the same.
        assert_eq!(pair.outcome, Outcome::Same);
        assert!(compare_watches(&watch_record(), &record::fixture::ssd_record()).is_none());
    }

    #[test]
    fn disks_are_paired_by_what_they_are() {
        let (mut a, mut b) = (watch_record(), watch_record());
        let names = |a: &Record, b: &Record| -> Vec<(String, String)> {
            let pairs = compare_watches(a, b).unwrap().pairs;
            pairs.into_iter().map(|pair| (pair.a, pair.b)).collect()
        };
        let rename = |record: &mut Record, name: &str| {
            record.measured.watch.as_mut().unwrap().disks[0].name = name.to_owned();
            record.measured.targets[0].stack[0].name = name.to_owned();
        };
        rename(&mut b, "sdx");
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(names(&a, &b), [pair("vda", "sdx")], "the only one of each");
        for record in [&mut a, &mut b] {
            let disks = &mut record.measured.watch.as_mut().unwrap().disks;
            disks.push(WatchedDisk { name: "sdb".to_owned(), ..disks[0].clone() });
        }
        assert_eq!(names(&a, &b), [pair("sdb", "sdb")]);
        for record in [&mut a, &mut b] {
            record.measured.targets[0].stack[0].serial = Some("S1".to_owned());
        }
        assert_eq!(names(&a, &b), [pair("vda", "sdx"), pair("sdb", "sdb")]);
    }
}
