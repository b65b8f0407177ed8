//! Fleets of which it is known who is slow.

use std::collections::BTreeSet;

use record::{FleetSpan, Measured, Outliers};
use units::Bytes;

/// Uniform and normal numbers by seed.
struct Draws(u64);

impl Draws {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (((x ^ (x >> 31)) >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let (u, v) = (self.uniform(), self.uniform());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    /// Student's t with five degrees of freedom.
    fn heavy(&mut self) -> f64 {
        let squares: f64 = (0..5).map(|_| self.normal().powi(2)).sum();
        self.normal() / (squares / 5.0).sqrt()
    }
}

/// A fleet whose host `number` is `times(number)` as fast as its disks are by default.
fn fleet(hosts: usize, mut times: impl FnMut(usize) -> f64) -> Measured {
    let mut measured = record::fixture::fleet_record().measured;
    measured.cells.truncate(2);
    let fleet = measured.fleet.as_mut().unwrap();
    fleet.span = FleetSpan::Own;
    fleet.cells.truncate(2);
    let mut model = fleet.hosts[0].clone();
    model.cells.truncate(2);
    model.findings.clear();
    for part in &mut model.cells {
        part.cell.ticks.directions = record::PerDirection::default();
        part.cell.totals.read.as_mut().unwrap().latency_ns.histogram =
            stats::LatencyHistogram::new().to_sparse();
    }
    fleet.hosts.clear();
    for number in 0..hosts {
        let mut host = model.clone();
        host.name = format!("host-{number:04}");
        let speed = times(number);
        for part in &mut host.cells {
            let read = part.cell.totals.read.as_mut().unwrap();
            read.iops = 10_000.0 * f64::from(part.cell.job.depth.0) * speed;
            read.latency_ns.percentiles.insert("p99".to_owned(), (1e6 / speed) as u64);
        }
        fleet.hosts.push(host);
    }
    measured
}

fn find(measured: &Measured) -> Outliers {
    super::find_outliers(measured, measured.fleet.as_ref().unwrap()).unwrap()
}

fn names(outliers: &Outliers) -> BTreeSet<&str> {
    outliers.slow.iter().map(|slow| slow.host.as_str()).collect()
}

const HOSTS: usize = 2_000;
const SEEDS: u64 = 20;

/// A kind of spread between hosts: the speed of one that is sound.
type Spread = fn(&mut Draws, usize) -> f64;

const SPREADS: [(&str, Spread); 3] = [
    ("lognormal", |draws, _| (0.04 * draws.normal()).exp()),
    ("heavy tails", |draws, _| (0.02 * draws.heavy()).exp()),
    ("two models", |draws, number| {
        let model = if number % 3 == 0 { 0.4 } else { 1.0 };
        model * (0.04 * draws.normal()).exp()
    }),
];

/// The fleet of a seed; every hundredth host, from one on, has `slow` of its speed.
fn simulate((name, spread): (&str, Spread), seed: u64, slow: f64) -> (Measured, BTreeSet<String>) {
    let mut draws = Draws(seed);
    let first = seed as usize % 100;
    let is_slow = |number: usize| slow < 1.0 && number % 100 == first;
    let mut measured = fleet(HOSTS, |number| {
        spread(&mut draws, number) * if is_slow(number) { slow } else { 1.0 }
    });
    if name == "two models" {
        for host in measured.fleet.as_mut().unwrap().hosts.iter_mut().step_by(3) {
            host.target.as_mut().unwrap().stack[0].size = Bytes(4_000_000_000_000);
        }
    }
    let names = (0..HOSTS).filter(|number| is_slow(*number));
    (measured, names.map(|number| format!("host-{number:04}")).collect())
}

#[test]
fn slow_hosts_of_a_large_fleet_are_found_and_hardly_any_other_is_named() {
    for spread in SPREADS {
        let (mut named, mut right, mut all) = (0, 0, 0);
        for seed in 0..SEEDS {
            let (measured, slow) = simulate(spread, seed, 0.7);
            let outliers = find(&measured);
            let found = names(&outliers);
            named += found.len();
            right += found.iter().filter(|name| slow.contains(**name)).count();
            all += slow.len();
        }
        let (share, wrong) = (right as f64 / all as f64, 1.0 - right as f64 / named as f64);
        println!("{}: found {right} of {all}, wrong {} of {named}", spread.0, named - right);
        assert!(share >= 0.95 && wrong <= 0.05, "{}: found {share}, wrong {wrong}", spread.0);
    }
}

#[test]
fn of_a_sound_fleet_nobody_is_named() {
    for spread in SPREADS {
        let is_silent = |seed: &u64| find(&simulate(spread, 1_000 + seed, 1.0).0).slow.is_empty();
        let silent = (0..SEEDS).filter(is_silent).count();
        println!("{}: nobody named in {silent} of {SEEDS}", spread.0);
        assert!(silent >= 19, "{}: {silent} of {SEEDS}", spread.0);
    }
}

/// A fleet whose hosts differ by `spread`; these are slower, each by its factor.
fn small_fleet(hosts: usize, spread: f64, seed: u64, slow: &[(usize, f64)]) -> Measured {
    let mut draws = Draws(seed);
    fleet(hosts, |number| {
        let times = slow.iter().find(|(host, _)| *host == number).map_or(1.0, |(_, times)| *times);
        (spread * draws.normal()).exp() / times
    })
}

#[test]
fn few_hosts_are_enough_for_a_slow_disk_and_too_few_for_a_doubtful_one() {
    let check = |hosts, slow: &[(usize, f64)], expected: &[&str]| {
        let measured = small_fleet(hosts, 0.03, 7, slow);
        let outliers = find(&measured);
        assert_eq!(names(&outliers), BTreeSet::from_iter(expected.iter().copied()), "{slow:?}");
    };
    check(4, &[(2, 2.0)], &["host-0002"]);
    check(5, &[(1, 1.5)], &["host-0001"]);
    check(8, &[(1, 1.6), (5, 3.0)], &["host-0001", "host-0005"]);
    check(5, &[(1, 1.08)], &[]);
    check(12, &[(3, 1.1)], &[]);
    let silent = |hosts, spread| {
        let is_silent = |seed: &u64| find(&small_fleet(hosts, spread, *seed, &[])).slow.is_empty();
        (0..200).filter(is_silent).count()
    };
    for (hosts, spread) in [(4, 0.03), (5, 0.1), (8, 0.1), (20, 0.2), (40, 0.05)] {
        let count = silent(hosts, spread);
        assert!(count >= 190, "{hosts} hosts, spread {spread}: {count} of 200 name nobody");
    }
}

#[test]
fn equal_figures_make_no_outlier_of_one_that_hardly_differs() {
    let with = |times: f64| find(&small_fleet(300, 0.0, 1, &[(9, times)])).slow.len();
    assert_eq!([1.0, 1.02, 1.09, 1.3].map(with), [0, 0, 0, 1]);
}

/// Two kinds that nothing tells apart: the slower kind is half of the fleet, and no outlier.
#[test]
fn two_kinds_that_nothing_tells_apart_name_nobody() {
    let mut draws = Draws(5);
    let measured = fleet(400, |number| {
        (0.03 * draws.normal()).exp() * if number % 2 == 0 { 0.5 } else { 1.0 }
    });
    assert!(find(&measured).slow.is_empty());
}

/// Fifteen of seventeen slow hosts have a firmware that a tenth of all have.
#[test]
fn what_slow_hosts_have_in_common_is_told_with_its_evidence() {
    const HOSTS: usize = 1_000;
    let mut draws = Draws(11);
    let has_firmware = |number: usize| number % 10 == 3;
    let is_slow =
        |number: usize| (number < 150 && has_firmware(number)) || number == 500 || number == 600;
    let mut measured = fleet(HOSTS, |number| {
        (0.03 * draws.normal()).exp() * if is_slow(number) { 0.6 } else { 1.0 }
    });
    for (number, host) in measured.fleet.as_mut().unwrap().hosts.iter_mut().enumerate() {
        let firmware = if has_firmware(number) { "X" } else { "4B2QEXM7" };
        host.target.as_mut().unwrap().stack[0].firmware = Some(firmware.to_owned());
        host.labels.insert("rack".to_owned(), format!("r{}", number / 40));
        host.environment.kernel = if number % 2 == 0 { "6.1" } else { "6.12" }.to_owned();
    }
    let outliers = find(&measured);
    assert_eq!((outliers.slow.len(), outliers.compared), (17, 1_000));
    let first = &outliers.traits[0];
    assert_eq!((first.kind, first.value.as_str()), (record::HostTrait::Firmware, "X"));
    let counts = (first.slow, first.hosts, first.slow_without, first.hosts_without);
    assert_eq!(counts, (15, 100, 2, 900));
    assert!(first.p_value < 1e-9, "{first:?}");
    let judged = crate::judge(&measured);
    let verdict = judged.verdict.unwrap();
    let answer = "17 of 1,000 hosts are slow: 15 of them have firmware X";
    assert!(verdict.headline.text().contains(answer), "{}", verdict.headline.text());
    let evidence = "Firmware X: 15 of 100 hosts with it are slow, 2 of 900 without it (p < 0.001).";
    let says = |sentence: &str| verdict.meaning.iter().any(|said| said.text() == sentence);
    assert!(says(evidence), "{:?}", verdict.meaning);
    assert_eq!(judged.outliers.as_ref(), Some(&outliers));
}

#[test]
fn hosts_without_sound_figures_or_peers_are_not_compared() {
    let mut measured = small_fleet(8, 0.03, 3, &[(1, 4.0), (2, 4.0)]);
    let fleet = measured.fleet.as_mut().unwrap();
    let cells = Vec::from_iter(fleet.hosts[1].cells.iter().map(|part| part.cell.name.clone()));
    let mut finding = crate::finding::not_observable(
        record::FindingId::PageCache,
        message::Message::from_text("it is cached"),
    );
    (finding.status, finding.cells) = (record::Status::Invalid, cells);
    fleet.hosts[1].findings.push(finding.into());
    fleet.hosts[2].target.as_mut().unwrap().stack[0].model = Some("another".to_owned());
    fleet.hosts[3].cells.clear();
    let outliers = find(&measured);
    assert_eq!(names(&outliers), BTreeSet::new());
    assert_eq!(outliers.compared, 5);
    assert_eq!(outliers.not_compared, ["host-0001", "host-0002", "host-0003"]);
    let fleet = measured.fleet.as_mut().unwrap();
    fleet.hosts.truncate(3);
    assert!(super::find_outliers(&measured, measured.fleet.as_ref().unwrap()).is_none());
    measured.fleet.as_mut().unwrap().span = FleetSpan::Shared;
    assert!(super::find_outliers(&measured, measured.fleet.as_ref().unwrap()).is_none());
}
