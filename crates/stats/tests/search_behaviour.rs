//! What the search does in every situation it must tell apart.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "the helpers of tests are tests"
)]

mod sim;

use sim::{Device, Law, Noise, Rng, run};
use stats::Decision;
use stats::search::{
    Answer, Grid, NextStep, ProbePurpose, ProbeResult, Search, SearchEnd, SearchLimits,
    UnsureReason, Verdict,
};

fn depths(bounds: usize) -> Search {
    Search::new(Grid::depths(1024), bounds, SearchLimits::for_depths())
}

fn search(law: Law, noise: Noise, bound: f64, seed: u64) -> Answer {
    let mut search = depths(1);
    run(&mut search, &mut Device::new(law, noise, seed), &[bound]);
    search.answer(0).unwrap().clone()
}

/// Runs a search against a pure function of the level's value.
fn against(mut search: Search, mut measure: impl FnMut(f64) -> (f64, Vec<Verdict>)) -> Search {
    let mut probes = 0;
    while let NextStep::Probe { level, value, .. } = search.next_step() {
        let (iops, verdicts) = measure(value);
        search.add_probe(ProbeResult { level, iops, iops_rel_error: None, verdicts });
        probes += 1;
        assert!(probes < 200, "the search does not end");
    }
    search
}

fn decided(decision: Decision) -> Verdict {
    Verdict { decision, log_ratio: None, log_ratio_error: None }
}

const SMOOTH: Law = Law::Smooth { max: 200_000.0, half: 32.0 };

#[test]
fn unreachable_at_depth_one() {
    for noise in [Noise::quiet(), Noise::of(0.10)] {
        let answer = search(SMOOTH, noise, SMOOTH.p99(1.0) * 0.7, 1);
        assert_eq!((answer.level, answer.ended_by), (None, SearchEnd::Unreachable));
        assert!(answer.probes_used <= 6, "{answer:?}");
    }
}

#[test]
fn a_spike_at_depth_one_does_not_end_it() {
    let mut probes = 0;
    let search = against(depths(1), |depth| {
        probes += 1;
        let spike = if probes == 1 { 2.0 } else { 1.0 };
        let y = (SMOOTH.p99(depth) * spike / SMOOTH.p99(20.0) * 0.999).ln();
        let decision = if y <= 0.0 { Decision::Pass } else { Decision::Fail };
        (SMOOTH.iops(depth), vec![Verdict { decision, log_ratio: Some(y), log_ratio_error: None }])
    });
    let depth = search.answer(0).unwrap().value.unwrap();
    assert!((19.0..=20.0).contains(&depth), "{depth}");
}

#[test]
fn saturation_below_the_bound() {
    let law = Law::HardCap { max: 100_000.0, knee: 20.0 };
    for seed in 0..100 {
        let answer = search(law, Noise::of(0.10), law.p99(5000.0), seed);
        assert_eq!(answer.ended_by, SearchEnd::Saturation, "{answer:?}");
        assert!(answer.confirmed && answer.probes_used <= 12, "{answer:?}");
        assert!(answer.value.is_some_and(|d| (20.0..=64.0).contains(&d)), "{answer:?}");
    }
}

#[test]
fn a_plateau_of_a_few_seconds_is_not_believed() {
    // IOPS rise up to depth 512, but the host holds them down during three probes.
    let law = Law::HardCap { max: 100_000.0, knee: 512.0 };
    let mut probes = 0;
    let search = against(depths(1), |depth| {
        probes += 1;
        let disturbed = (8..=10).contains(&probes);
        let iops = law.iops(if disturbed { depth.min(64.0) } else { depth });
        let pass = Verdict {
            decision: Decision::Pass,
            log_ratio: Some(-2.0),
            log_ratio_error: Some(0.01),
        };
        (iops, vec![pass])
    });
    let answer = search.answer(0).unwrap();
    assert!(answer.value.is_some_and(|d| d >= 480.0), "{answer:?}");
    assert!(answer.iops.is_some_and(|iops| iops > 95_000.0), "{answer:?}");
}

#[test]
fn iops_that_waver_do_not_lead_to_the_deepest_level() {
    // Flat from depth 128 on; probes differ evenly by up to 8 % either way.
    let law = Law::HardCap { max: 100_000.0, knee: 128.0 };
    let mut too_deep = 0;
    for seed in 0..200_u64 {
        let mut state = seed;
        let search = against(depths(1), |depth| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_041);
            let wavers = 0.92 + 0.16 * ((state >> 33) as f64 / f64::from(1_u32 << 31));
            let pass = Verdict {
                decision: Decision::Pass,
                log_ratio: Some(-2.0),
                log_ratio_error: Some(0.01),
            };
            (law.iops(depth) * wavers, vec![pass])
        });
        let answer = search.answer(0).unwrap();
        assert!(answer.value.is_some_and(|d| d >= 90.0), "{answer:?}");
        too_deep += u32::from(answer.value.is_some_and(|d| d > 256.0));
    }
    println!("{too_deep} of 200 searches end deeper than twice the knee");
    assert!(too_deep <= 20, "{too_deep}");
}

#[test]
fn the_deepest_level_is_reached() {
    let law = Law::Smooth { max: 1e9, half: 1e5 };
    let answer = search(law, Noise::of(0.05), law.p99(1e6), 3);
    assert_eq!((answer.value, answer.ended_by), (Some(1024.0), SearchEnd::DepthTried));
    assert!(answer.confirmed);
}

#[test]
fn thrashing_is_noticed() {
    let law = Law::Thrashing { peak: 16.0 };
    for seed in 0..100 {
        // Bounds that hold at every depth, and ones that fail only far beyond the peak.
        for limit in [10_000.0, 100.0] {
            let answer = search(law, Noise::of(0.10), law.p99(limit), seed);
            assert_eq!(answer.ended_by, SearchEnd::Saturation, "{answer:?}");
            let depth = answer.value.unwrap();
            assert!(law.iops(depth) > 0.95 * 6500.0, "{depth} {answer:?}");
        }
    }
}

#[test]
fn two_bounds_share_probes() {
    let bounds = [SMOOTH.p99(20.5), SMOOTH.p99(40.5)];
    let mut device = Device::new(SMOOTH, Noise::of(0.05), 7);
    let mut both = depths(2);
    run(&mut both, &mut device, &bounds);
    let alone: Vec<Answer> =
        bounds.map(|b| search(SMOOTH, Noise::of(0.05), b, 7)).into_iter().collect();
    let apart: u32 = alone.iter().map(|a| a.probes_used).sum();
    assert!(device.probes + 6 <= apart, "{} against {apart}", device.probes);
    let spent: u32 = (0..2).map(|i| both.answer(i).unwrap().probes_used).sum();
    assert_eq!(spent, device.probes);
    for (bound, limit) in [(0, 20.0), (1, 40.0)] {
        let depth = both.answer(bound).unwrap().value.unwrap();
        assert!((depth / limit - 1.0).abs() < 0.12, "{depth} for {limit}");
    }
}

#[test]
fn a_quiet_device_needs_few_probes() {
    let (mut used, mut errors) = (Vec::new(), Vec::new());
    for kind in 0..Law::NAMES.len() {
        for seed in 0..500 {
            let mut rng = Rng::new(seed);
            let law = Law::draw(kind, &mut rng);
            let bound = law.draw_bound(&mut rng);
            let answer = search(law, Noise::quiet(), bound, seed);
            let depth = answer.value.unwrap();
            used.push(answer.probes_used);
            errors.push((law.iops(depth) / law.best_iops(bound) - 1.0).abs());
        }
    }
    used.sort_unstable();
    errors.sort_by(f64::total_cmp);
    let at = |share: f64| ((used.len() - 1) as f64 * share) as usize;
    println!(
        "{} probes at the median, {} at 99 %, {} at most",
        used[at(0.5)],
        used[at(0.99)],
        used[at(1.0)]
    );
    // What is left are bounds that lie on a whole depth, or on the corner of a hard cap.
    assert!(used[at(0.98)] <= 16 && used[at(0.99)] <= 18, "{:?}", &used[at(0.98)..]);
    assert!(errors[at(0.5)] < 0.005 && errors[at(0.9)] < 0.04, "{}", errors[at(0.9)]);
    for limit in [3.5, 6.5, 20.5, 60.0, 150.0, 400.0] {
        let answer = search(SMOOTH, Noise::quiet(), SMOOTH.p99(limit), 1);
        assert!(answer.probes_used <= 16, "{limit}: {answer:?}");
    }
}

#[test]
fn decisions_alone_suffice() {
    for limit in [1.5, 2.5, 7.5, 40.0, 300.0] {
        let search = against(depths(1), |depth| {
            let decision = match depth {
                d if d < limit * 0.97 => Decision::Pass,
                d if d > limit * 1.03 => Decision::Fail,
                _ => Decision::Undecided,
            };
            (SMOOTH.iops(depth), vec![decided(decision)])
        });
        let answer = search.answer(0).unwrap();
        let depth = answer.value.unwrap();
        assert!(depth <= limit && depth >= (limit * 0.9).floor(), "{limit}: {answer:?}");
        assert!(answer.confirmed && answer.log_ratio.is_none(), "{answer:?}");
        assert!(answer.probes_used <= 30, "{answer:?}");
    }
}

#[test]
fn undecided_everywhere_ends_without_an_answer() {
    let search = against(depths(1), |d| (SMOOTH.iops(d), vec![decided(Decision::Undecided)]));
    let answer = search.answer(0).unwrap();
    assert_eq!((answer.level, answer.ended_by), (None, SearchEnd::Unreachable), "{answer:?}");
}

#[test]
fn an_undecided_probe_is_repeated_longer() {
    let mut search = depths(1);
    let NextStep::Probe { level, length, .. } = search.next_step() else { panic!("asks") };
    assert_eq!(length, 1.0);
    let verdicts = vec![decided(Decision::Undecided)];
    search.add_probe(ProbeResult { level, iops: 1000.0, iops_rel_error: None, verdicts });
    let NextStep::Probe { level: again, length, .. } = search.next_step() else { panic!("asks") };
    assert!(again == level && length > 1.0);
}

#[test]
fn ratios_missing_at_some_levels_do_no_harm() {
    let bound = SMOOTH.p99(50.5);
    let search = against(depths(1), |depth| {
        let y = (SMOOTH.p99(depth) / bound).ln();
        let decision = if y <= 0.0 { Decision::Pass } else { Decision::Fail };
        let log_ratio = (depth > 8.0).then_some(y);
        (SMOOTH.iops(depth), vec![Verdict { decision, log_ratio, log_ratio_error: Some(0.01) }])
    });
    let depth = search.answer(0).unwrap().value.unwrap();
    assert!((45.0..=51.0).contains(&depth), "{depth}");
}

#[test]
fn too_few_probes_say_so() {
    let limits = SearchLimits { probes_max: 8, ..SearchLimits::for_depths() };
    let mut search = Search::new(Grid::depths(1024), 1, limits);
    let mut device = Device::new(SMOOTH, Noise::of(0.20), 5);
    run(&mut search, &mut device, &[SMOOTH.p99(300.0)]);
    let answer = search.answer(0).unwrap();
    assert!(device.probes <= 8 && answer.level.is_some(), "{answer:?}");
    assert!(!answer.confirmed || answer.ended_by != SearchEnd::Bound, "{answer:?}");
}

#[test]
fn a_device_that_gets_faster_with_depth_is_called_not_monotone() {
    let mut search = depths(1);
    let grid = Grid::depths(1024);
    let probe = |depth: f64, y: f64| ProbeResult {
        level: grid.nearest_ln(depth.ln()),
        iops: SMOOTH.iops(depth),
        iops_rel_error: None,
        verdicts: vec![Verdict {
            decision: if y <= 0.0 { Decision::Pass } else { Decision::Fail },
            log_ratio: Some(y),
            log_ratio_error: Some(0.02),
        }],
    };
    let law = |depth: f64| match depth {
        d if d < 3.0 => -0.4,
        d if d < 7.0 => 0.9,
        d => (d / 20.0).ln() * 0.7,
    };
    for depth in [4.0, 4.0, 5.0, 5.0, 8.0, 8.0, 10.0, 10.0, 12.0, 12.0] {
        search.add_probe(probe(depth, law(depth)));
    }
    while let NextStep::Probe { value, .. } = search.next_step() {
        search.add_probe(probe(value, law(value)));
    }
    let answer = search.answer(0).unwrap();
    assert!(!answer.monotone, "{answer:?}");
    assert_eq!(answer.ended_by, SearchEnd::Unsure(UnsureReason::NotMonotone), "{answer:?}");
}

#[test]
fn the_same_probes_give_the_same_questions() {
    let trace = || {
        let mut search = depths(1);
        let mut device = Device::new(SMOOTH, Noise::of(0.20), 11);
        let mut asked = Vec::new();
        while let next @ NextStep::Probe { level, value, .. } = search.next_step() {
            assert_eq!(search.next_step(), next, "asking twice changes nothing");
            asked.push(next);
            search.add_probe(device.probe(level, value, &[SMOOTH.p99(30.0)]));
        }
        (asked, search.answer(0).cloned())
    };
    assert_eq!(trace(), trace());
}

#[test]
fn it_begins_at_the_shallowest_and_ends_by_confirming() {
    let mut search = depths(1);
    let mut device = Device::new(SMOOTH, Noise::quiet(), 2);
    let mut asked = Vec::new();
    while let NextStep::Probe { level, value, why, .. } = search.next_step() {
        asked.push((value, why));
        search.add_probe(device.probe(level, value, &[SMOOTH.p99(100.0)]));
    }
    assert_eq!(asked.first(), Some(&(1.0, ProbePurpose::Base)));
    assert_eq!(asked.last().map(|a| a.1), Some(ProbePurpose::Confirm));
    let answer = search.answer(0).unwrap();
    let there = answer.tried.iter().find(|t| Some(t.level) == answer.level).unwrap();
    assert!(there.probes >= 3 && Some(there.iops) == answer.iops, "{answer:?}");
}

#[test]
fn an_arrival_rate_is_found_within_three_percent() {
    // M/M/1: the p99 of the response is ln(100)/(capacity - rate); overload piles up.
    let capacity = 50_000.0;
    let p99 = |rate: f64| if rate < capacity * 0.999 { 4.6 / (capacity - rate) } else { 1.0 };
    for (share, noise) in [(0.5, 0.0), (0.9, 0.0), (0.5, 0.05), (0.9, 0.05), (0.97, 0.10)] {
        let mut off = Vec::new();
        for seed in 0..100 {
            let mut rng = Rng::new(seed);
            let bound = p99(capacity * share);
            let grid = Grid::rates(capacity * 0.05, capacity * 1.1);
            let search = against(Search::new(grid, 1, SearchLimits::for_rates()), |rate| {
                let y = (p99(rate) / bound).ln() + noise * rng.normal();
                let decision = if y <= 0.0 { Decision::Pass } else { Decision::Fail };
                let log_ratio_error = Some(noise.max(0.01));
                (
                    rate.min(capacity),
                    vec![Verdict { decision, log_ratio: Some(y), log_ratio_error }],
                )
            });
            let answer = search.answer(0).unwrap();
            assert!(answer.probes_used <= 30);
            off.push(answer.value.unwrap() / (capacity * share) - 1.0);
        }
        off.sort_by(f64::total_cmp);
        assert!(off[50].abs() <= 0.03 && off[95] < 0.03, "{share} {noise}: {off:?}");
    }
}

#[test]
fn single_backlogs_seldom_lower_an_arrival_rate() {
    // One probe in ten meets a host that was away: its backlog is ten times the bound.
    let capacity = 4_000.0;
    let p99 = |rate: f64| if rate < capacity * 0.999 { 4.6 / (capacity - rate) } else { 1.0 };
    let bound = p99(capacity * 0.9);
    let (mut low, mut probes) = (0, Vec::new());
    for seed in 0..1000 {
        let mut rng = Rng::new(seed);
        let grid = Grid::rates(capacity * 0.05, capacity * 1.1);
        let search = against(Search::new(grid, 1, SearchLimits::for_rates()), |rate| {
            let away = if rng.uniform() < 0.1 { 10.0_f64.ln() } else { 0.0 };
            let y = (p99(rate) / bound).ln() + 0.05 * rng.normal() + away;
            let decision = if y <= 0.0 { Decision::Pass } else { Decision::Fail };
            (
                rate.min(capacity),
                vec![Verdict { decision, log_ratio: Some(y), log_ratio_error: Some(0.05) }],
            )
        });
        let answer = search.answer(0).unwrap();
        probes.push(answer.probes_used);
        low += usize::from(answer.value.unwrap_or(0.0) < 0.95 * 0.9 * capacity);
    }
    probes.sort_unstable();
    println!("{low} of 1000 low, {} probes at the median, {} at most", probes[500], probes[999]);
    assert!(low <= 60, "{low} of 1000 are more than 5 % low");
}

#[test]
fn a_rate_that_wavers_at_a_cap_is_not_given_up_for_a_lower_one() {
    // A cap served in slices lets a rate just above it through in two probes of three; in the
    // third a backlog comes back late, and fewer operations with it.
    let cap = 4_000.0;
    let (mut low, mut found) = (0, Vec::new());
    for seed in 0..1000 {
        let mut rng = Rng::new(seed);
        let grid = Grid::rates(cap * 0.02, cap * 1.05);
        let search = against(Search::new(grid, 1, SearchLimits::for_rates()), |rate| {
            let late = rate > cap * 1.02 && rng.uniform() < 1.0 / 3.0;
            let (iops, y) =
                if late { (0.8 * rate, 1.4) } else { (rate, -6.0 + 0.2 * rng.normal()) };
            let decision = if late { Decision::Fail } else { Decision::Pass };
            (iops, vec![Verdict { decision, log_ratio: Some(y), log_ratio_error: Some(0.05) }])
        });
        let rate = search.answer(0).unwrap().value.unwrap_or(0.0);
        found.push(rate / cap);
        low += usize::from(rate < 0.93 * cap);
    }
    found.sort_by(f64::total_cmp);
    println!("{low} of 1000 low; {:.3} at the least, {:.3} at the median", found[0], found[500]);
    assert!(low <= 20, "{low} of 1000 are more than 7 % low");
}
