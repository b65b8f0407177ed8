use record::compare::{Basis, Effect, Figure, FigureComparison, FigureKind};
use record::{Cell, Finding, FindingId, Measured, Status};
use units::{Bytes, Depth};

use super::group::RunFigure;
use super::*;
use crate::testing;

/// Normal draws (Box and Muller over a linear congruential generator), the same every time.
struct Draws(u64);

impl Draws {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_041);
        let x = (self.0 ^ (self.0 >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        ((x >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let (u, v) = (self.uniform(), self.uniform());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    /// Runs of something that gives `value`, with a spread of `noise` from run to run.
    fn runs(&mut self, count: usize, value: f64, noise: f64) -> Vec<RunFigure> {
        let draw = |_| RunFigure { value: value * (noise * self.normal()).exp(), interval: None };
        (0..count).map(draw).collect()
    }
}

fn iops() -> Figure {
    Figure { kind: FigureKind::Iops, direction: None }
}

fn measured_effect(a: &[RunFigure], b: &[RunFigure]) -> Effect {
    effect::measure_effect(a, b, &iops(), "B", &ComparisonCriteria::with_defaults("0"))
}

fn plain(values: &[f64]) -> Vec<RunFigure> {
    values.iter().map(|&value| RunFigure { value, interval: None }).collect()
}

/// Over seeded trials: the share of intervals that hold the truth, and that of each outcome.
fn campaign(sizes: (usize, usize), ratio: f64, noise: f64) -> (f64, impl Fn(Outcome) -> f64) {
    const TRIALS: usize = 400;
    let mut draws = Draws(41 + sizes.0 as u64 * 7 + sizes.1 as u64);
    let effects: Vec<Effect> = (0..TRIALS)
        .map(|_| {
            let a = draws.runs(sizes.0, 10_000.0, noise);
            let b = draws.runs(sizes.1, 10_000.0 * ratio, noise);
            measured_effect(&a, &b)
        })
        .collect();
    let holds = |effect: &&Effect| {
        let (low, high) = effect.ratio.interval().unwrap();
        (low..=high).contains(&ratio)
    };
    let held = effects.iter().filter(holds).count() as f64 / TRIALS as f64;
    let share = move |outcome: Outcome| {
        effects.iter().filter(|e| e.outcome == outcome).count() as f64 / TRIALS as f64
    };
    (held, share)
}

#[test]
fn intervals_of_ratios_hold_95_percent_over_seeds_and_numbers_of_runs() {
    for sizes in [(4, 4), (3, 5), (5, 7), (6, 6), (8, 8), (12, 12), (20, 20)] {
        for (ratio, noise) in [(1.0, 0.02), (1.1, 0.05), (13.0, 0.2)] {
            let (held, _) = campaign(sizes, ratio, noise);
            assert!((0.92..=0.985).contains(&held), "{sizes:?} x {ratio} at {noise}: {held}");
        }
    }
}

#[test]
fn a_difference_that_is_not_there_is_hardly_ever_claimed() {
    for sizes in [(4, 4), (8, 8), (4, 12)] {
        for noise in [0.005, 0.02, 0.1] {
            let (_, share) = campaign(sizes, 1.0, noise);
            let claimed = share(Outcome::Faster) + share(Outcome::Slower);
            assert!(claimed <= 0.05, "{sizes:?} at {noise}: {claimed}");
        }
    }
}

/// At a spread of 4 % from run to run, which is much for a quiet disk and little for a cloud.
#[test]
fn a_tenth_more_is_found_with_eight_runs_each() {
    let (_, share) = campaign((8, 8), 1.1, 0.04);
    assert!(share(Outcome::Faster) >= 0.9, "{}", share(Outcome::Faster));
    assert_eq!(share(Outcome::Slower), 0.0);
    let (_, share) = campaign((8, 8), 1.0 / 1.1, 0.04);
    assert!(share(Outcome::Slower) >= 0.9, "{}", share(Outcome::Slower));
}

#[test]
fn the_same_is_said_only_of_what_is() {
    let (_, share) = campaign((8, 8), 1.0, 0.015);
    assert!(share(Outcome::Same) >= 0.9, "{}", share(Outcome::Same));
    // Beyond the margin: wrong at most as often as the interval is.
    let (_, share) = campaign((8, 8), 1.055, 0.02);
    assert!(share(Outcome::Same) <= 0.03, "{}", share(Outcome::Same));
}

/// As `method::interleave` does it: more and more visits until the interval is narrow.
#[test]
fn stopping_when_an_interval_is_narrow_finds_no_difference_where_there_is_none() {
    const TRIALS: usize = 300;
    let mut draws = Draws(77);
    let (mut claimed, mut held_truth, mut visits) = (0, 0, 0);
    for _ in 0..TRIALS {
        let (a, b) = (draws.runs(24, 10_000.0, 0.03), draws.runs(24, 10_000.0, 0.03));
        let stop =
            (4..=24).step_by(2).find(|&n| is_narrow(&measured_effect(&a[..n], &b[..n]), 0.024));
        let n = stop.unwrap_or(24);
        let effect = measured_effect(&a[..n], &b[..n]);
        let (low, high) = effect.ratio.interval().unwrap();
        claimed += usize::from(matches!(effect.outcome, Outcome::Faster | Outcome::Slower));
        held_truth += usize::from(low <= 1.0 && high >= 1.0);
        visits += n;
    }
    assert!(claimed as f64 <= 0.05 * TRIALS as f64, "{claimed} of {TRIALS}");
    assert!(held_truth as f64 >= 0.92 * TRIALS as f64, "{held_truth} of {TRIALS}");
    let mean = visits as f64 / TRIALS as f64;
    assert!((6.0..22.0).contains(&mean), "{mean} visits");
}

#[test]
fn verdicts_are_said_in_words() {
    let check = |a: &[f64], b: &[f64], outcome, words: &str| {
        let effect = measured_effect(&plain(a), &plain(b));
        assert_eq!((effect.outcome, effect.words.text()), (outcome, words), "{effect:#?}");
    };
    let a = [1000.0, 1010.0, 990.0, 1005.0];
    check(
        &a,
        &[13_000.0, 12_900.0, 13_200.0, 13_100.0],
        Outcome::Faster,
        "B is 13.0 x faster, 12.8 to 13.3",
    );
    check(&a, &[500.0, 505.0, 495.0, 502.0], Outcome::Slower, "B is 2.00 x slower, 1.96 to 2.04");
    check(
        &a,
        &[1001.0, 1009.0, 991.0, 1004.0],
        Outcome::Same,
        "the same within 5.0 %: x 0.98 to 1.02",
    );
    check(
        &a[..3],
        &[1100.0, 1200.0, 1150.0],
        Outcome::CannotTell,
        "cannot tell: 3 runs each, 4 needed",
    );
    let wide = measured_effect(
        &plain(&[1000.0, 1300.0, 800.0, 1100.0]),
        &plain(&[1200.0, 900.0, 1400.0, 1000.0]),
    );
    assert_eq!(wide.outcome, Outcome::CannotTell);
    assert!(wide.runs_needed.is_none_or(|runs| runs > 20), "{wide:#?}");
    assert!(
        wide.words.text().starts_with("cannot tell: x 0.") && wide.words.text().contains("needed"),
        "{wide:#?}"
    );
}

#[test]
fn latency_is_longer_or_shorter() {
    let figure = Figure { kind: FigureKind::Latency("p99".to_owned()), direction: None };
    let (a, b) = (plain(&[100.0, 101.0, 99.0, 100.5]), plain(&[200.0, 202.0, 198.0, 201.0]));
    let longer =
        effect::measure_effect(&a, &b, &figure, "B", &ComparisonCriteria::with_defaults("0"));
    assert_eq!(longer.outcome, Outcome::Slower);
    assert!(longer.words.text().starts_with("B's p99 is 2.00 x longer, 1.9"), "{longer:#?}");
    let shorter =
        effect::measure_effect(&b, &a, &figure, "B", &ComparisonCriteria::with_defaults("0"));
    assert_eq!(shorter.outcome, Outcome::Faster);
    assert!(shorter.words.text().starts_with("B's p99 is 2.00 x shorter"), "{shorter:#?}");
}

#[test]
fn one_run_each_says_little_and_says_so() {
    let run = |value: f64, half: f64| {
        vec![RunFigure { value, interval: Some((value * (1.0 - half), value * (1.0 + half))) }]
    };
    let small = measured_effect(&run(1000.0, 0.01), &run(1200.0, 0.01));
    assert_eq!((small.basis, small.outcome), (Basis::WithinRuns, Outcome::CannotTell));
    assert!(small.words.text().starts_with("cannot tell from one run each"), "{small:?}");
    assert_eq!(small.runs_needed, Some(4));
    let large = measured_effect(&run(1000.0, 0.01), &run(13_000.0, 0.01));
    assert_eq!(large.outcome, Outcome::Faster);
    assert!(
        large.words.text().starts_with("B is 13.0 x faster, 12.8 to 13.2, in one run each"),
        "{large:?}"
    );
    let bare = measured_effect(&plain(&[2257.0]), &plain(&[33_215.0]));
    assert_eq!((bare.basis, bare.outcome), (Basis::Figures, Outcome::CannotTell));
    assert_eq!(bare.words, "x 14.7 in one run each; no interval, no verdict");
}

/// A judged run of the made-up SSD whose operations are `factor` times as many.
fn run(factor: f64) -> Record {
    let mut record = testing::sample_record();
    record.cells.iter_mut().for_each(|cell| scale(cell, factor));
    let mut record = crate::judge_record(record);
    let judgement = record.judgement.as_mut().unwrap();
    judgement.findings.iter_mut().for_each(|finding| finding.status = Status::Ok);
    record
}

fn scale(cell: &mut Cell, factor: f64) {
    for totals in [&mut cell.totals.read, &mut cell.totals.write].into_iter().flatten() {
        totals.iops *= factor;
        totals.bytes_per_second *= factor;
        totals.latency_ns.mean /= factor;
    }
}

fn group(records: &[Record]) -> Group<'_> {
    let named = |(place, record)| (record, format!("{place}.json"));
    Group { runs: records.iter().enumerate().map(named).collect(), price: None }
}

fn compared(a: &[Record], b: &[Record]) -> Comparison {
    compare_groups(&[group(a), group(b)], &ComparisonCriteria::with_defaults("0.1.0")).unwrap()
}

fn cell<'a>(pair: &'a Pair, label: &str) -> &'a CellComparison {
    pair.cells.iter().find(|cell| cell.label == label).unwrap_or_else(|| {
        panic!("{label}: {:?}", pair.cells.iter().map(|c| &c.label).collect::<Vec<_>>())
    })
}

fn figure<'a>(cell: &'a CellComparison, name: &str) -> &'a FigureComparison {
    cell.figures.iter().find(|figure| figure.figure.label() == name).unwrap()
}

#[test]
fn records_are_compared_cell_by_cell() {
    let a: Vec<Record> = [1.0, 1.004, 0.997, 1.002, 0.999, 1.001].map(run).into();
    let b: Vec<Record> = [1.2, 1.204, 1.197, 1.203, 1.199, 1.201].map(run).into();
    let comparison = compared(&a, &b);
    let pair = &comparison.pairs[0];
    let read = cell(pair, "random read 4k, depth 64");
    assert_eq!(read.main_figure().unwrap().effect.outcome, Outcome::Faster);
    assert!(read.holds_in_family, "{read:#?}");
    assert!((figure(read, "IOPS").effect.ratio.value - 1.2).abs() < 0.01);
    assert!((figure(read, "mean").effect.ratio.value - 1.0 / 1.2).abs() < 0.01);
    // The percentiles were left as they are.
    assert_eq!(figure(read, "p99").effect.outcome, Outcome::Same);
    let mix = cell(pair, "75/25 mix 4k, depth 16");
    assert!((figure(mix, "write IOPS").effect.ratio.value - 1.2).abs() < 0.01);
    assert!(
        pair.headline.text().starts_with("All cells together: B is 1.20 x faster"),
        "{}",
        pair.headline.text()
    );
    assert!(pair.headline.text().contains("Holm"), "{}", pair.headline.text());
    assert_eq!(comparison.comparisons, (pair.cells.len() + pair.limits.len()) as u64);
    assert!(!pair.limits.is_empty() && pair.unmatched.is_empty(), "{:#?}", pair.unmatched);
    assert!(pair.warnings.iter().all(|w| w.text().contains("is on both sides")), "{pair:#?}");
    // The same is the same, over all cells too.
    let same = compared(&a, &a);
    let outcomes = |pair: &Pair| {
        pair.cells.iter().map(|cell| cell.main_figure().unwrap().effect.outcome).collect::<Vec<_>>()
    };
    assert!(outcomes(&same.pairs[0]).iter().all(|outcome| *outcome == Outcome::Same));
}

#[test]
fn the_repetitions_and_trials_of_a_run_are_no_cells_of_a_comparison() {
    let a = [run(1.0)];
    let pair = &compared(&a, &a).pairs[0];
    assert!(pair.cells.iter().all(|cell| !cell.label.text().contains("repeat")));
    let reads = pair.cells.iter().filter(|cell| cell.label == "random read 4k, depth 1");
    assert_eq!(reads.count(), 1);
}

#[test]
fn unlike_jobs_are_listed_and_not_compared() {
    let mut deeper = run(1.0);
    for cell in deeper.measured.cells.iter_mut().filter(|cell| cell.name == "randread-4k-qd64") {
        cell.job.depth = Depth(48);
    }
    let pair = &compared(&[run(1.0)], &[deeper.clone()]).pairs[0];
    let lone = pair.unmatched.iter().find(|lone| lone.side == "A").unwrap();
    assert_eq!(lone.label, "random read 4k, depth 64");
    assert_eq!(lone.nearest.as_ref().map(message::Message::text), Some("B has it with depth 48"));
    // Nothing in common at all: refused, and why.
    let mut buffered = run(1.0);
    buffered.measured.cells.iter_mut().for_each(|cell| cell.job.direct = false);
    buffered.judgement.as_mut().unwrap().curves.clear();
    let error = compare_groups(
        &[group(&[run(1.0)]), group(&[buffered])],
        &ComparisonCriteria::with_defaults("0"),
    )
    .unwrap_err();
    assert!(error.to_string().contains("A and B have no job in common"), "{error}");
    assert!(error.to_string().contains("B has it with no O_DIRECT"), "{error}");
    let none = Group { runs: Vec::new(), price: None };
    assert_eq!(
        compare_groups(&[none.clone(), none], &ComparisonCriteria::with_defaults("0")),
        Err(CompareError::TooFew)
    );
}

#[test]
fn numbers_that_must_not_be_used_are_left_out_with_the_reason() {
    let mut spoiled = run(1.0);
    spoiled.judgement.as_mut().unwrap().findings.push(Finding {
        id: FindingId::PageCache,
        status: Status::Invalid,
        summary: message::Message::from_text("the page cache answered"),
        evidence: Vec::new(),
        cells: vec!["randread-4k-qd1".to_owned()],
        remedy: None,
    });
    let pair = &compared(&[run(1.0)], &[spoiled]).pairs[0];
    assert!(pair.cells.iter().all(|cell| cell.label != "random read 4k, depth 1"));
    let out = pair.excluded.iter().find(|out| out.label == "random read 4k, depth 1").unwrap();
    assert_eq!(
        (out.side.as_str(), out.reason.text()),
        ("B", "INVALID page-cache: the page cache answered")
    );
}

#[test]
fn what_supports_no_conclusion_is_not_compared() {
    let excluded = |spoiled: Measured| {
        let comparison = compared(&[run(1.0)], &[crate::judge_record(spoiled)]);
        let pair = &comparison.pairs[0];
        let reason = |depth: u32| {
            let label = format!("random read 4k, depth {depth}");
            let out = pair.excluded.iter().find(|out| out.label == label.as_str());
            assert_eq!(
                out.is_none(),
                pair.cells.iter().any(|cell| cell.label == label.as_str()),
                "{label}"
            );
            out.map(|out| out.reason.text().to_string())
        };
        [1, 4, 16, 64, 128].map(reason)
    };
    let [one, four, sixteen, more, most] = excluded(testing::disturbed_record());
    assert_eq!([one, four, sixteen], [None, None, None]);
    for reason in [more, most] {
        assert!(reason.unwrap().starts_with("neighbour: "));
    }
    let earlier = "it was measured before the rate of the device changed";
    for reason in excluded(testing::fallen_record()) {
        assert_eq!(reason.as_deref(), Some(earlier));
    }
}

#[test]
fn nothing_can_be_told_of_jobs_that_were_all_left_out() {
    let mut spoiled = run(1.0);
    let judgement = spoiled.judgement.as_mut().unwrap();
    judgement.curves.clear();
    judgement.findings.push(Finding {
        id: FindingId::PageCache,
        status: Status::Invalid,
        summary: message::Message::from_text("the page cache answered"),
        evidence: Vec::new(),
        cells: Vec::new(),
        remedy: None,
    });
    let pair = &compared(&[run(1.0)], &[spoiled]).pairs[0];
    let words = "Cannot tell: what both sides measured was left out (INVALID page-cache: the";
    assert!(
        pair.cells.is_empty() && pair.headline.text().starts_with(words),
        "{}",
        pair.headline.text()
    );
}

#[test]
fn what_else_differs_is_said() {
    let check = |spoil: &dyn Fn(&mut Record), words: &str| {
        let mut other = run(1.0);
        spoil(&mut other);
        let warnings =
            message::texts(&compared(&[run(1.0)], &[other]).pairs[0].warnings).join("\n");
        assert!(warnings.contains(words), "'{words}' is missing in: {warnings}");
    };
    check(&|r| r.measured.environment.kernel = "7.0".to_owned(), "kernel: 6.18.44 of A, 7.0 of B");
    check(
        &|r| r.measured.tool.version = "9.9".to_owned(),
        "measured by: truedisk 0.1.0 of A, truedisk 9.9 of B",
    );
    check(&|r| r.measured.plan.span = Bytes::gib(1), "span: 4 GiB of A, 1 GiB of B");
    check(
        &|r| r.measured.environment.cpus = 64,
        "processor: 2 x AMD EPYC of A, 64 x AMD EPYC of B",
    );
    check(
        &|r| r.measured.cells.iter_mut().for_each(|c| c.backend = "threads".to_owned()),
        "kernel interface: io_uring of A, threads of B",
    );
    check(
        &|r| r.measured.cells.iter_mut().for_each(|c| c.elapsed = units::Nanos::secs(30)),
        "time of a cell",
    );
    check(
        &|r| {
            let findings = &mut r.judgement.as_mut().unwrap().findings;
            let found = findings.iter_mut().find(|f| f.id == FindingId::NotSettled).unwrap();
            found.status = Status::Warning;
            found.summary = message::Message::from_text("it still fell");
        },
        "B: not-settled: it still fell",
    );
}

/// Rates of three workloads at depth 64, as a group of one run.
fn three(reads: f64, writes: f64, mix: f64) -> Record {
    let mut record = run(1.0);
    record.judgement.as_mut().unwrap().curves.clear();
    let wanted = ["randread-4k-qd64", "randwrite-4k-qd64", "randrw75-4k-qd16"];
    record.measured.cells.retain(|cell| wanted.contains(&cell.name.as_str()));
    for (name, iops) in wanted.iter().zip([reads, writes, mix]) {
        let cell = record.measured.cells.iter_mut().find(|cell| cell.name == *name).unwrap();
        let factor = iops / cell.iops();
        scale(cell, factor);
    }
    record
}

#[test]
fn one_rate_for_all_workloads_is_a_cap_only_where_nothing_goes_beyond() {
    let check = |rates: (f64, f64, f64), expected: Option<f64>| {
        let record = three(rates.0, rates.1, rates.2);
        let one = std::slice::from_ref(&record);
        let comparison = compared(one, one);
        let found = comparison.sides[0].caps.first().map(|cap| cap.iops.0);
        assert_eq!(found, expected, "{rates:?}: {:?}", comparison.sides[0].caps);
    };
    check((3016.0, 2943.0, 3009.0), Some(3000.0));
    check((86_630.0, 8_850.0, 44_308.0), None);
    check((3016.0, 2943.0, 9_000.0), None);
    check((3016.0, 2600.0, 3009.0), None);
    check((118_000.0, 118_100.0, 118_050.0), None);
}

#[test]
fn money_divides_figures_and_their_intervals() {
    let a: Vec<Record> = [1.0, 1.004, 0.997, 1.002].map(run).into();
    let b: Vec<Record> = [2.0, 2.004, 1.997, 2.003].map(run).into();
    let priced = |records, price| Group { price: Some(price), ..group(records) };
    let terms = ComparisonCriteria {
        currency: Some("EUR".to_owned()),
        ..ComparisonCriteria::with_defaults("0")
    };
    let comparison = compare_groups(&[priced(&a, 24.0), priced(&b, 48.0)], &terms).unwrap();
    let read = cell(&comparison.pairs[0], "random read 4k, depth 64");
    let money = read.main_figure().unwrap().per_price.as_ref().unwrap();
    assert!((money.ratio.value - 1.0).abs() < 0.01, "twice the work for twice the money");
    let (low, high) = money.ratio.interval().unwrap();
    assert!(low < 1.0 && high > 1.0);
    assert!((money.a.value - 118_000.0 / 24.0).abs() / 4900.0 < 0.02, "{money:#?}");
    assert!(figure(read, "mean").per_price.is_none());
}

#[test]
fn several_sides_are_held_against_the_first() {
    let records = [[run(1.0)], [run(2.0)], [run(4.0)]];
    let groups: Vec<Group<'_>> = records.iter().map(|records| group(records)).collect();
    let comparison = compare_groups(&groups, &ComparisonCriteria::with_defaults("0")).unwrap();
    let labels: Vec<&str> = comparison.sides.iter().map(|side| side.label.as_str()).collect();
    assert_eq!(labels, ["A", "B", "C"]);
    assert_eq!((comparison.pairs[1].a, comparison.pairs[1].b), (0, 2));
    assert!(
        (cell(&comparison.pairs[1], "random read 4k, depth 1")
            .main_figure()
            .unwrap()
            .effect
            .ratio
            .value
            - 4.0)
            .abs()
            < 0.01
    );
}

/// A judged run over hosts of which one gives `factor` times as much.
fn run_over_hosts(host: &str, factor: f64) -> Record {
    let mut record = record::fixture::fleet_record().measured;
    record.id = format!("run-{factor}");
    let fleet = record.fleet.as_mut().unwrap();
    let parts = fleet.hosts.iter_mut().filter(|known| known.name == host);
    parts.flat_map(|host| &mut host.cells).for_each(|part| scale(&mut part.cell, factor));
    crate::judge_record(record)
}

#[test]
fn hosts_are_held_each_against_itself() {
    let a: Vec<Record> = [1.0, 1.004, 0.997, 1.002].map(|x| run_over_hosts("host-c", x)).into();
    let b: Vec<Record> = [3.0, 3.004, 2.997, 3.002].map(|x| run_over_hosts("host-c", x)).into();
    let comparison = compared(&a, &b);
    assert_eq!(comparison.sides[0].name, "4 hosts:/mnt/san");
    let pair = &comparison.pairs[0];
    let names: Vec<&str> = pair.hosts.iter().map(|host| host.host.as_str()).collect();
    assert_eq!(names, ["host-a", "host-b", "host-c", "host-d"]);
    for host in &pair.hosts {
        let truth = if host.host == "host-c" { 3.0 } else { 1.0 };
        assert!((host.effect.ratio.value / truth - 1.0).abs() < 0.01, "{host:?}");
        assert_eq!(host.cells.len(), 6, "{}", host.host);
    }
    assert_eq!(pair.hosts[2].effect.outcome, Outcome::Faster);
    assert_eq!(pair.hosts[0].effect.outcome, Outcome::Same);
    // The family is that of the totals, with the two limits of their curve.
    assert_eq!(comparison.comparisons, (pair.cells.len() + pair.limits.len()) as u64);
    assert!(pair.warnings.is_empty(), "{:?}", pair.warnings);
}

#[test]
fn runs_over_other_hosts_and_degraded_runs_are_said_to_be_such() {
    let plain = run_over_hosts("none", 1.0);
    let warned = |spoil: &dyn Fn(&mut record::Measured), words: &str| {
        let mut other = record::fixture::fleet_record().measured;
        spoil(&mut other);
        let other = crate::judge_record(other);
        let one = std::slice::from_ref(&plain);
        let warnings = message::texts(&compared(one, &[other]).pairs[0].warnings).join("\n");
        assert!(warnings.contains(words), "'{words}' is missing in: {warnings}");
    };
    warned(&record::fixture::lose_host, "B is degraded: host-b was lost");
    warned(
        &|record| record.fleet.as_mut().unwrap().hosts[3].name = "host-x".to_owned(),
        "the hosts are not the same: only A has host-d; only B has host-x",
    );
    warned(&|record| record.fleet = None, "hosts: 4 of A, 1 of B");
    warned(
        &|record| record.fleet.as_mut().unwrap().span = record::FleetSpan::Shared,
        "sharing among hosts: split of A, shared of B",
    );
    warned(
        &|record| {
            let host = &mut record.fleet.as_mut().unwrap().hosts[1];
            host.environment.kernel = "7.0".to_owned();
        },
        "kernel: 6.18.44 of A, 6.18.44, 7.0 of B",
    );
    // Which kernel the coordinator has is nobody's business.
    let mut other = record::fixture::fleet_record().measured;
    other.environment.kernel = "7.0".to_owned();
    let other = crate::judge_record(other);
    let warnings = &compared(std::slice::from_ref(&plain), &[other]).pairs[0].warnings;
    assert!(!warnings.iter().any(|warning| warning.text().contains("kernel")), "{warnings:?}");
}
