//! Rotating disks: speed, seek, zones, weak places, and parts that flatter.

use engine::simulated::{Hdd, LatencyNoise, Medium, Ssd};
use record::{FindingId, Status, Trial};

use super::*;

const TB: u64 = 1_000_000_000_000;

/// A disk of a kind: revolutions a minute, shortest and longest seek in ms, outer and inner MB/s.
type Kind = (f64, (f64, f64), (f64, f64));

/// Kinds whose mean seeks (`least + 8/15 * (most - least)`) and rates are those of data sheets.
const KINDS: [Kind; 4] = [
    (5_400.0, (1.5, 21.0), (150.0, 75.0)),
    (7_200.0, (0.7, 16.0), (250.0, 120.0)),
    (10_000.0, (0.4, 7.5), (220.0, 130.0)),
    (15_000.0, (0.3, 6.0), (260.0, 160.0)),
];

/// The medium of a disk of 7200 rpm, for other rooms' tests.
pub(crate) fn turning() -> Medium {
    medium((7_200.0, (0.6, 16.0), (210.0, 105.0)))
}

fn medium((rpm, seek, rate): Kind) -> Medium {
    let ns = |ms: f64| (ms * 1e6) as u64;
    Medium::Hdd(Hdd {
        rpm,
        seek_min_ns: ns(seek.0),
        seek_max_ns: ns(seek.1),
        bytes_per_second_outer: rate.0 * 1e6,
        bytes_per_second_inner: rate.1 * 1e6,
        ncq: 32,
    })
}

fn disk(kind: Kind, capacity: u64, noise: f64) -> DeviceModel {
    let medium = medium(kind);
    let noise = if noise > 0.0 { LatencyNoise::LogNormal(noise) } else { LatencyNoise::None };
    DeviceModel { noise, ..DeviceModel::new(capacity, medium) }
}

/// The mean seek of the law in ms: the root of the distance between two places of the whole is
/// 8/15 on average, and a track is too small a share to count.
fn mean_seek_ms(kind: Kind) -> f64 {
    kind.1.0 + (kind.1.1 - kind.1.0) * 8.0 / 15.0
}

fn read_only(law: DeviceModel, seed: u64, effort: Effort) -> Subject {
    let span = Bytes(law.capacity);
    let times = TimeBudget::for_effort(effort);
    let transport = "sata";
    Subject { law, seed, transport, rotational: true, span, writable: false, times }
}

fn of(record: &Record, id: FindingId) -> &record::Finding {
    record.judgement_or_default().findings.iter().find(|finding| finding.id == id).unwrap()
}

/// Twenty disks of a kind, of random size and noise up to two hundredths, by seed.
fn twenty(kind: Kind, effort: Effort) -> Vec<(f64, f64)> {
    let mut off = Vec::new();
    for seed in 0..20 {
        let mut draw = Draw(engine::SplitMix64(seed * 977 + kind.0 as u64));
        let capacity = draw.log_between(0.3, 12.0) * TB as f64;
        let law = disk(kind, capacity as u64, draw.between(0.0, 0.02));
        let record = checked(&read_only(law, seed, effort));
        let found = record.judgement_or_default().rotation.as_ref();
        let found = found.unwrap_or_else(|| panic!("{kind:?} by seed {seed}: no platter"));
        let seek = found.average_seek_ns.as_ref();
        let seek = seek.unwrap_or_else(|| panic!("{kind:?} by seed {seed}: no arm {found:#?}"));
        off.push((found.rpm.value / kind.0 - 1.0, seek.value / 1e6 / mean_seek_ms(kind) - 1.0));
        assert_eq!(of(&record, FindingId::ShortStroke).status, Status::Ok);
        let class = record.judgement_or_default().verdict.as_ref().unwrap().class.as_ref().unwrap();
        assert!(class.label.text().contains("rotating"), "{class:#?}");
    }
    off
}

fn within(off: &[(f64, f64)], what: &str) {
    let worst = |of: &dyn Fn(&(f64, f64)) -> f64| off.iter().map(of).fold(0.0, f64::max);
    let (rpm, seek) = (worst(&|o| o.0.abs()), worst(&|o| o.1.abs()));
    println!("{what}: rpm off by {:.2} % at most, seek by {:.1} %", rpm * 100.0, seek * 100.0);
    assert!(rpm <= 0.03 && seek <= 0.10, "{what}: {off:?}");
}

#[test]
fn speed_and_seek_of_twenty_disks_of_each_kind_in_a_standard_check() {
    for kind in KINDS {
        within(&twenty(kind, Effort::Standard), &format!("{} rpm, standard", kind.0));
    }
}

#[test]
fn a_quick_check_names_no_speed_that_is_not_the_disks() {
    let kind = KINDS[1];
    let mut told = 0;
    for seed in 0..10 {
        let record = checked(&read_only(disk(kind, 4 * TB, 0.01), seed, Effort::Quick));
        if let Some(found) = &record.judgement_or_default().rotation {
            told += 1;
            assert!((found.rpm.value / kind.0 - 1.0).abs() < 0.10, "{found:#?}");
        }
    }
    assert!(told > 0, "a quick check has some 150 reads");
}

#[test]
fn zones_of_a_thorough_check_are_those_of_the_disk() {
    for seed in 0..20 {
        let kind = KINDS[seed as usize % KINDS.len()];
        let law = disk(kind, 2 * TB, 0.01);
        // The surface alone: the rest of a thorough check takes minutes.
        let times = TimeBudget { rounds: 0, ..TimeBudget::for_effort(Effort::Thorough) };
        let record = checked(&Subject { times, ..read_only(law, seed, Effort::Thorough) });
        let surface = record.judgement_or_default().surface.as_ref().unwrap();
        let zones = surface.zones.as_ref().unwrap();
        assert!(zones.falls, "{zones:?}");
        let (outer, inner) = (kind.2.0 * 1e6, kind.2.1 * 1e6);
        assert!((zones.first / outer - 1.0).abs() < 0.05, "{kind:?} {zones:?}");
        assert!((zones.last / inner - 1.0).abs() < 0.05, "{kind:?} {zones:?}");
        let weak = |slice: &&record::Slice| slice.stand == record::SliceStand::Weak;
        assert_eq!(surface.slices.iter().find(weak), None);
        assert!(surface.access.len() >= 11 && surface.slices.len() >= 11);
    }
}

#[test]
fn a_small_part_of_a_disk_flatters_and_the_estimate_is_that_of_the_whole() {
    for seed in 0..8 {
        let kind = KINDS[1];
        let law = disk(kind, 8 * TB, 0.01);
        let mut subject = read_only(law, seed, Effort::Standard);
        subject.span = Bytes::gib(16);
        let record = checked(&subject);
        let finding = of(&record, FindingId::ShortStroke);
        assert_eq!(finding.status, Status::Warning, "{finding:#?}");
        let truth = mean_seek_ms(kind) * 1e6 + 30e9 / kind.0;
        let fact = finding.evidence.iter().find(|fact| fact.what.id() == "short-stroke-whole");
        let told = fact.and_then(|fact| fact.figure).unwrap();
        assert!((told / truth - 1.0).abs() < 0.10, "{told} for {truth}");
    }
}

#[test]
fn solid_state_costs_no_stretch_and_never_flatters() {
    let ssd = Medium::Ssd(Ssd {
        channels: 16,
        read_ns: 90_000,
        write_ns: 30_000,
        bytes_per_second: 550e6,
        flush_ns: 500_000,
        ..Ssd::FLASH
    });
    let noise = LatencyNoise::LogNormal(0.1);
    let law = DeviceModel { noise, ..DeviceModel::new(TB, ssd) };
    let mut subject = read_only(law, 3, Effort::Quick);
    subject.span = Bytes::gib(1);
    // The flag lies, as that of many a virtual disk does.
    let record = checked(&subject);
    let stretched = |cell: &record::Cell| matches!(cell.trial, Some(Trial::Stretch { .. }));
    assert!(!record.measured.cells.iter().any(stretched));
    assert_eq!(record.judgement_or_default().rotation, None);
    assert_eq!(of(&record, FindingId::ShortStroke).status, Status::Ok);
}
