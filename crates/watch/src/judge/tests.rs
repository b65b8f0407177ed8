//! The ten situations in which people ask, each with several seeds, with and without a stored run,
//! with distributions and with means only.

use message::{Language, Render as _};
use record::{IoLimit, VolumeCounters};
use stats::LatencyHistogram;
use units::{Iops, Nanos, Ratio};

use super::Verdict::{Capped, NotBottleneck, Saturated, Slow};
use super::simulation::{DISK, Load, LoadKind, SimulatedDisk};
use super::*;
use crate::health::DiskHealth;
use crate::known::{KnownCurve, find_curve};
use crate::sample::{DirectionSample, HostSample};

const SECONDS: u64 = 20;

struct Situation {
    name: &'static str,
    truth: Verdict,
    /// Whether it can be told without a stored run.
    is_plain: bool,
    disk: fn(SimulatedDisk) -> SimulatedDisk,
}

const SITUATIONS: [Situation; 13] = [
    Situation { name: "idle", truth: NotBottleneck, is_plain: true, disk: |disk| disk },
    Situation {
        name: "half, two at a time",
        truth: NotBottleneck,
        is_plain: false,
        disk: |disk| disk.with(Load::readers(4)),
    },
    Situation {
        name: "half, many that think",
        truth: NotBottleneck,
        is_plain: false,
        disk: |disk| disk.with(Load { think_ns: 14e6, ..Load::readers(32) }),
    },
    Situation {
        name: "saturated",
        truth: Saturated,
        is_plain: true,
        disk: |disk| SimulatedDisk { unevenness: 0.1, ..disk.with(Load::readers(128)) },
    },
    Situation {
        name: "saturated, and as even as a cap",
        truth: Saturated,
        is_plain: false,
        disk: |disk| disk.with(Load::readers(128)),
    },
    Situation {
        name: "capped by a group",
        truth: Capped,
        is_plain: true,
        disk: |disk| SimulatedDisk { group_cap: Some(1000.0), ..disk.with(Load::readers(16)) },
    },
    Situation {
        name: "capped out of sight",
        truth: Capped,
        is_plain: false,
        disk: |disk| SimulatedDisk { hidden_cap: Some(1400.0), ..disk.with(Load::readers(32)) },
    },
    Situation {
        name: "capped out of sight, under a deep queue",
        truth: Capped,
        is_plain: false,
        disk: |disk| SimulatedDisk { hidden_cap: Some(2300.0), ..disk.with(Load::readers(64)) },
    },
    Situation {
        name: "neighbour",
        truth: Slow,
        is_plain: false,
        disk: |disk| {
            let neighbour = Load { kind: LoadKind::Neighbour, ..Load::readers(120) };
            SimulatedDisk { loads: vec![Load::readers(2), neighbour], ..disk }
        },
    },
    Situation {
        name: "slow disk with little load",
        truth: Slow,
        is_plain: true,
        disk: |disk| SimulatedDisk { service_ns: 1e8, ..disk.with(Load::readers(1)) },
    },
    Situation {
        name: "programs that need the processor",
        truth: NotBottleneck,
        is_plain: true,
        disk: |disk| {
            let load = Load { think_ns: 1e8, ..Load::readers(2) };
            SimulatedDisk { cpu_pressure: 0.41, ..disk.with(load) }
        },
    },
    Situation {
        name: "writeback storm",
        truth: Saturated,
        is_plain: true,
        disk: |disk| {
            let storm = Load {
                is_write: true,
                bytes: 1 << 19,
                kind: LoadKind::Writeback,
                ..Load::readers(8000)
            };
            SimulatedDisk { loads: vec![storm, Load { think_ns: 1e6, ..Load::readers(1) }], ..disk }
        },
    },
    Situation {
        name: "a stall of two seconds",
        truth: Slow,
        is_plain: true,
        disk: |disk| SimulatedDisk { stall: Some((8, 10)), ..disk.with(Load::readers(4)) },
    },
];

fn facts(disk: &SimulatedDisk, curve: Option<KnownCurve>) -> DiskFacts {
    let limit = disk.group_cap.map(|cap| IoLimit {
        cgroup: "/box".to_owned(),
        file: "/sys/fs/cgroup/box/io.max".to_owned(),
        device_name: Some(DISK.to_owned()),
        read_iops: Some(Iops(cap)),
        ..IoLimit::default()
    });
    DiskFacts {
        name: DISK.to_owned(),
        curves: curve.into_iter().collect(),
        limits: limit.into_iter().collect(),
        health: DiskHealth::default(),
        measurable: Some("/srv".to_owned()),
        is_device: false,
    }
}

#[test]
fn each_situation_gets_its_verdict_and_nobody_is_accused_wrongly() {
    let known = SimulatedDisk::new(7).known_curve();
    let mut wrong = Vec::new();
    for situation in &SITUATIONS {
        for (seed, curve, has_distributions) in (1..=3).flat_map(|seed| {
            [Some(&known), None].into_iter().flat_map(move |curve| {
                [true, false].map(|has_distributions| (seed, curve, has_distributions))
            })
        }) {
            let disk = (situation.disk)(SimulatedDisk::new(seed));
            let disk = SimulatedDisk { has_distributions, ..disk };
            let facts = facts(&disk, curve.cloned());
            let judged = judge(&disk.watch(SECONDS), &[facts]).remove(0);
            let must_be_told = situation.is_plain || curve.is_some();
            let is_right = judged.verdict == situation.truth
                || (!must_be_told && judged.verdict == Verdict::CannotTell);
            if !is_right {
                wrong.push(format!(
                    "{}, seed {seed}, known {}, distributions {has_distributions}: {}",
                    situation.name,
                    curve.is_some(),
                    judged.sentence.text()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_sentence_has_its_evidence_and_what_to_do() {
    let known = SimulatedDisk::new(7).known_curve();
    let check = |name: &str, curve: Option<&KnownCurve>, words: &[&str]| {
        let situation = SITUATIONS.iter().find(|one| one.name == name).unwrap();
        let disk = (situation.disk)(SimulatedDisk::new(1));
        let judged = judge(&disk.watch(SECONDS), &[facts(&disk, curve.cloned())]).remove(0);
        let next = judged.next.map(|next| next.text().to_owned()).unwrap_or_default();
        let said = format!("{}. {next}", judged.sentence.render(Language::English));
        for words in words {
            assert!(said.contains(words), "{name}: no '{words}' in: {said}");
        }
    };
    check("idle", None, &["sim0 is not your bottleneck", "no requests in"]);
    check(
        "half, two at a time",
        Some(&known),
        &["IOPS that it gave within p99<10ms on 2026-11-20", "read p99", "more in parallel"],
    );
    check(
        "half, two at a time",
        None,
        &["cannot tell", "is not known", "truedisk limit /srv --rw randread --bs 4k"],
    );
    check("saturated", Some(&known), &["is saturated", "beyond p99<10ms", "outstanding"]);
    check(
        "capped by a group",
        None,
        &["control group /box", "at most 1,000 reads/s", "100 % of that", "/box/io.max"],
    );
    check(
        "saturated, and as even as a cap",
        None,
        &["whether it is saturated or capped is unknown", "its rate is flat", "truedisk limit"],
    );
    check("neighbour", Some(&known), &["slow though lightly used", "on 2026-11-20 it took"]);
    check(
        "programs that need the processor",
        None,
        &["programs waited for a processor 41 % of the time"],
    );
    check("a stall of two seconds", None, &["hardly any request completed for"]);
}

#[test]
fn without_any_source_of_truth_nothing_is_claimed() {
    let mut summary = SimulatedDisk::new(1).with(Load::readers(4)).watch(3);
    summary.disks[0].outstanding = None;
    summary.disks[0].busy_share = None;
    summary.host = HostSample::default();
    let judged = judge(&summary, &[]).remove(0);
    assert_eq!(judged.verdict, Verdict::CannotTell);
    assert!(judged.next.is_none() && judged.used.is_none());
}

#[test]
fn pressure_that_no_disk_explains_is_not_denied() {
    let mut summary = SimulatedDisk::new(1).watch(10);
    summary.host.io_pressure = Some(0.9);
    let judged = judge(&summary, &[]).remove(0);
    assert_eq!(judged.verdict, Verdict::CannotTell);
    assert!(judged.sentence.text().contains("something else holds them up"));
}

#[test]
fn a_stored_run_of_another_load_is_no_evidence() {
    let curve = SimulatedDisk::new(7).known_curve();
    let fits = |size: u64, share: f64| {
        let curves = std::slice::from_ref(&curve);
        find_curve(curves, units::Bytes(size), Ratio(share), Iops(9.0)).is_some()
    };
    assert!(fits(4096, 1.0) && fits(4500, 0.8) && fits(3800, 0.9));
    assert!(!fits(4506, 1.0) && !fits(3700, 1.0) && !fits(8192, 1.0) && !fits(4096, 0.79));
}

#[test]
fn a_disk_whose_flushes_take_long_is_not_acquitted() {
    let curve = SimulatedDisk::new(7).known_curve();
    let disk = SimulatedDisk::new(1).with(Load::readers(4));
    let judge_flushes = |flush_ns: u64| {
        let mut summary = disk.watch(SECONDS);
        let mut total = LatencyHistogram::new();
        (0..500).for_each(|_| total.record(flush_ns));
        let flush = DirectionSample { operations: 500, total: Some(total), ..Default::default() };
        summary.disks[0].flush = Some(flush);
        judge(&summary, &[facts(&disk, Some(curve.clone()))]).remove(0)
    };
    assert_eq!(judge_flushes(1_000_000).verdict, NotBottleneck);
    let slow = judge_flushes(20_000_000);
    assert_eq!(slow.verdict, Verdict::CannotTell, "{}", slow.sentence.text());
    assert!(slow.sentence.text().contains("flush p99 20"), "{}", slow.sentence.text());
    assert!(slow.sentence.text().contains("beyond p99<10ms"), "{}", slow.sentence.text());
}

/// By the closed loop and Little's law: four of eight servers of 2.01 ms each.
#[test]
fn what_is_used_is_what_the_closed_loop_gives() {
    let curve = SimulatedDisk::new(7).known_curve();
    let disk = SimulatedDisk::new(1).with(Load::readers(4));
    let summary = disk.watch(SECONDS);
    let used = judge(&summary, &[facts(&disk, Some(curve))]).remove(0).used.unwrap();
    let check = |found: f64, expected: f64| {
        assert!((found / expected - 1.0).abs() < 0.03, "{found} {expected}");
    };
    check(used.iops.0, 4.0 / 2.01e-3);
    check(used.limit.0, 8.0 / 2.01e-3);
    check(used.share().0, 0.5);
    check(summary.disks[0].outstanding.unwrap(), 4.0);
}

#[test]
fn a_slow_disk_has_the_causes_that_the_kernel_shows() {
    let known = SimulatedDisk::new(7).known_curve();
    let link = |downtrained: bool| record::Link {
        kind: "pcie".to_owned(),
        current: "2.5 GT/s x1".to_owned(),
        max: Some("16.0 GT/s x4".to_owned()),
        ceiling: units::BytesPerSecond(250e6),
        downtrained,
    };
    let check = |health: DiskHealth, errors: Option<u64>, words: &[&str]| {
        let slow = SimulatedDisk { service_ns: 1e8, ..SimulatedDisk::new(1) };
        let stalled = SimulatedDisk { stall: Some((8, 10)), ..SimulatedDisk::new(1) };
        for disk in [slow.with(Load::readers(1)), stalled.with(Load::readers(4))] {
            let facts = DiskFacts { health: health.clone(), ..facts(&disk, Some(known.clone())) };
            let mut summary = disk.watch(SECONDS);
            summary.disks[0].errors = errors;
            let judged = judge(&summary, &[facts]).remove(0);
            assert_eq!(judged.verdict, Slow);
            let causes =
                ["\u{b0}C", "because of heat for about 5 s", "GT/s", "failed", "timed out"];
            let found: Vec<&str> =
                causes.into_iter().filter(|c| judged.sentence.text().contains(c)).collect();
            assert_eq!(found, words, "{}", judged.sentence.text());
        }
    };
    let run = |start, end| DiskHealth {
        run: record::RunHealth { device: String::new(), start, end },
        ..Default::default()
    };
    let at = |celsius| {
        let (celsius, celsius_max) = (Some(celsius), Some(82.0));
        run(Default::default(), record::DiskHealth { celsius, celsius_max, ..Default::default() })
    };
    let (hot, warm) = (at(84.0), at(60.0));
    let counted = |seconds| {
        let heavy_throttled = Nanos::secs(seconds);
        let nvme = record::NvmeHealth { heavy_throttled, ..Default::default() };
        record::DiskHealth { nvme: Some(nvme), ..Default::default() }
    };
    let failed = |count| DiskHealth { failed_commands: Some(count), ..Default::default() };
    let linked = |down| DiskHealth { link: Some(link(down)), ..Default::default() };
    check(hot, Some(0), &["\u{b0}C"]);
    check(warm, Some(0), &[]);
    check(run(counted(7), counted(12)), Some(0), &["because of heat for about 5 s"]);
    check(run(counted(7), counted(7)), Some(0), &[]);
    check(linked(true), Some(0), &["GT/s"]);
    check(linked(false), Some(0), &[]);
    check(failed(3), None, &["timed out"]);
    // The source saw that no request failed.
    check(failed(3), Some(0), &[]);
    check(failed(0), None, &[]);
    check(DiskHealth::default(), Some(2), &["failed"]);
}

#[test]
fn what_the_provider_counts_decides() {
    let check = |volume: VolumeCounters, verdict: Verdict, words: &str| {
        let disk = SimulatedDisk::new(1).with(Load::readers(4));
        let mut summary = disk.watch(SECONDS);
        summary.disks[0].volume = Some(volume);
        let facts = facts(&disk, Some(SimulatedDisk::new(7).known_curve()));
        let judged = judge(&summary, &[facts]).remove(0);
        let text = judged.sentence.text();
        assert_eq!(judged.verdict, verdict, "{text}");
        assert!(text.contains(words), "{text}");
    };
    let time = |seconds| Nanos::secs(seconds);
    let none = VolumeCounters::default;
    check(none(), NotBottleneck, "");
    check(VolumeCounters { volume_iops_exceeded: time(3), ..none() }, NotBottleneck, "");
    let iops = VolumeCounters { volume_iops_exceeded: time(9), ..none() };
    check(iops.clone(), Capped, "for 9.00 s of 20.0 s more operations were asked of the volume");
    let bytes = VolumeCounters { volume_throughput_exceeded: time(19), ..iops.clone() };
    check(bytes, Capped, "for 19.0 s of 20.0 s more bytes were asked of the volume");
    let machine = VolumeCounters { instance_iops_exceeded: time(12), ..iops };
    check(machine, Capped, "more operations were asked than the instance");
    let machine = VolumeCounters { instance_throughput_exceeded: time(5), ..none() };
    check(machine, Capped, "more bytes were asked than the instance");
}

/// Far below what it gave, and slower than it was: whatever holds it, the load does not.
#[test]
fn a_rate_far_below_the_limit_is_not_called_saturated() {
    let known = SimulatedDisk::new(7).known_curve();
    let capped = SimulatedDisk { hidden_cap: Some(1800.0), ..SimulatedDisk::new(1) };
    let disk = SimulatedDisk { unevenness: 0.3, ..capped.with(Load::readers(48)) };
    let mut summary = disk.watch(SECONDS);
    // A cap whose rate is not flat.
    for (place, interval) in summary.disks[0].intervals.iter_mut().enumerate() {
        interval.operations += 100 * (place as u64 % 3);
    }
    let judged = judge(&summary, &[facts(&disk, Some(known))]).remove(0);
    assert_eq!(judged.verdict, Verdict::CannotTell, "{}", judged.sentence.text());
}

/// The kernel's counters take a request for a flush for a write: what they call the rate of writes
/// is not what was measured.
#[test]
fn writes_with_flushes_among_them_are_compared_with_nothing() {
    let curve = SimulatedDisk::new(7).known_curve();
    let disk = SimulatedDisk { has_distributions: false, ..SimulatedDisk::new(1) };
    let mut summary = disk.with(Load::readers(4)).watch(SECONDS);
    let judge = |summary: &WatchSummary| {
        let facts = facts(&SimulatedDisk::new(1), Some(curve.clone()));
        judge(summary, &[facts]).remove(0)
    };
    assert!(judge(&summary).used.is_some());
    let flush = DirectionSample { operations: 9, mean_ns: Some(1e5), ..Default::default() };
    summary.disks[0].flush = Some(flush);
    let judged = judge(&summary);
    assert_eq!((judged.verdict, &judged.used), (Verdict::CannotTell, &None));
    assert!(judged.sentence.text().contains("flushes are counted as writes"), "{judged:?}");
    assert!(judged.next.is_none(), "{judged:?}");
}

/// As in a disk that hangs for most of a short watch.
#[test]
fn a_silence_that_is_longer_than_the_rest_is_seen() {
    for (begin, seconds) in [(1, 3), (1, 4), (0, 3)] {
        let disk = SimulatedDisk { stall: Some((begin, seconds)), ..SimulatedDisk::new(1) };
        let summary = disk.with(Load::readers(1)).watch(seconds);
        let judged = judge(&summary, &[]).remove(0);
        assert_eq!(judged.verdict, Slow, "{begin}..{seconds}: {}", judged.sentence.text());
    }
}

/// A request that was accepted within an interval, and has not come back, is outstanding at its end
/// only: that it was there shows in the kernel's busy time alone.
#[test]
fn a_hang_that_begins_within_the_watch_is_not_acquitted() {
    let disk = SimulatedDisk::new(1).with(Load { think_ns: 1e8, ..Load::readers(1) });
    let mut summary = disk.watch(1);
    assert_eq!(judge(&summary, &[]).remove(0).verdict, NotBottleneck);
    summary.disks[0].busy_share = Some(0.5);
    assert_eq!(judge(&summary, &[]).remove(0).verdict, Verdict::CannotTell);
}

/// Requests in step with the kernel's clock fall between the ticks at which it looks.
#[test]
fn a_share_that_the_kernel_missed_does_not_acquit() {
    let check = |outstanding: f64, expected: Verdict| {
        let mut summary = SimulatedDisk::new(1).with(Load::readers(1)).watch(SECONDS);
        summary.disks[0].outstanding = Some(outstanding);
        summary.disks[0].busy_share = Some(0.004);
        summary.host.io_pressure = Some(0.06);
        let judged = judge(&summary, &[]).remove(0);
        assert_eq!(judged.verdict, expected, "{}", judged.sentence.text());
    };
    check(0.09, NotBottleneck);
    check(0.11, Verdict::CannotTell);
    check(0.95, Verdict::CannotTell);
}

/// The pressure of one program that waits all the time is small beside busy processors.
#[test]
fn little_pressure_does_not_acquit_a_disk_that_is_busy() {
    let mut summary = SimulatedDisk::new(1).with(Load::readers(1)).watch(SECONDS);
    summary.disks[0].outstanding = Some(0.99);
    summary.host.io_pressure = Some(0.06);
    let judged = judge(&summary, &[]).remove(0);
    assert_eq!(judged.verdict, Verdict::CannotTell, "{}", judged.sentence.text());
}

#[test]
fn the_disk_that_holds_programs_up_comes_first() {
    let mut summary = SimulatedDisk::new(1).with(Load::readers(2)).watch(5);
    let mut busy = SimulatedDisk::new(1).with(Load::readers(128)).watch(5).disks.remove(0);
    busy.name = "sim1".to_owned();
    summary.disks.push(busy);
    let judged = judge(&summary, &[]);
    assert_eq!((judged[0].disk.as_str(), judged[0].verdict), ("sim1", Saturated));
}
