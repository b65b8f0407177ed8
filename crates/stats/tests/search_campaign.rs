//! The campaign: known laws, known noise, a thousand seeds each.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "the helpers of tests are tests")]

mod sim;

use sim::{Device, Law, Noise, Rng, rivals, run};
use stats::search::{Grid, Search, SearchLimits};

const SEEDS: u64 = 1000;
const NOISES: [f64; 3] = [0.05, 0.10, 0.20];
const OURS: &str = "truedisk limit";
/// A chosen depth whose true p99 is above this many times the bound is a violation.
const VIOLATION: f64 = 1.1;

#[derive(Clone, Copy)]
enum Algorithm {
    Ours,
    Fio,
    Bisection,
}

/// What one search of one device came to.
struct Trial {
    kind: usize,
    error: f64,
    violates: bool,
    probes: u32,
}

struct Row {
    median: f64,
    p90: f64,
    bias: f64,
    violating: f64,
    probes_median: f64,
    probes_max: f64,
}

fn choose(algorithm: Algorithm, device: &mut Device, bound: f64) -> f64 {
    match algorithm {
        Algorithm::Fio => f64::from(rivals::fio_latency_target(device, bound)),
        Algorithm::Bisection => f64::from(rivals::bisection(device, bound)),
        Algorithm::Ours => {
            let mut search = Search::new(Grid::depths(1024), 1, SearchLimits::for_depths());
            run(&mut search, device, &[bound]);
            search.answer(0).unwrap().value.unwrap_or(0.0)
        }
    }
}

fn trial(algorithm: Algorithm, kind: usize, noise: f64, seed: u64) -> Trial {
    let mut rng = Rng::new(seed * 4 + kind as u64);
    let law = Law::draw(kind, &mut rng);
    let bound = law.draw_bound(&mut rng);
    let mut device = Device::new(law, Noise::of(noise), seed * 4 + kind as u64 + 1_000_000);
    let depth = choose(algorithm, &mut device, bound);
    let found = depth > 0.0;
    Trial {
        kind,
        error: if found { law.iops(depth) / law.best_iops(bound) - 1.0 } else { -1.0 },
        violates: found && law.p99(depth) > VIOLATION * bound,
        probes: device.probes,
    }
}

fn trials(algorithm: Algorithm, noise: f64) -> Vec<Trial> {
    let kinds = Law::NAMES.len();
    (0..kinds).flat_map(|k| (0..SEEDS).map(move |s| trial(algorithm, k, noise, s))).collect()
}

fn quantile(values: impl Iterator<Item = f64>, p: f64) -> f64 {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    sorted[((sorted.len() - 1) as f64 * p).round() as usize]
}

fn summarise<'a>(trials: impl Iterator<Item = &'a Trial>) -> Row {
    let trials: Vec<&Trial> = trials.collect();
    let probes = || trials.iter().map(|t| f64::from(t.probes));
    let errors = || trials.iter().map(|t| t.error.abs());
    Row {
        median: quantile(errors(), 0.5),
        p90: quantile(errors(), 0.9),
        bias: quantile(trials.iter().map(|t| t.error), 0.5),
        violating: trials.iter().filter(|t| t.violates).count() as f64 / trials.len() as f64,
        probes_median: quantile(probes(), 0.5),
        probes_max: quantile(probes(), 1.0),
    }
}

fn print_row(name: &str, noise: f64, row: &Row) {
    println!(
        "| {name} | {:.0} % | {:.1} % | {:+.1} % | {:.1} % | {:.2} % | {:.0} | {:.0} |",
        noise * 100.0,
        row.median * 100.0,
        row.bias * 100.0,
        row.p90 * 100.0,
        row.violating * 100.0,
        row.probes_median,
        row.probes_max
    );
}

fn print_head() {
    println!(
        "| algorithm | noise sd | median abs. error | median error | p90 abs. error | \
         truly above 1.1 x bound | median probes | most probes |"
    );
    println!("|---|---|---|---|---|---|---|---|");
}

#[test]
fn campaign_table() {
    print_head();
    let mut rows = Vec::new();
    let named = [
        (OURS, Algorithm::Ours),
        ("fio latency_target", Algorithm::Fio),
        ("plain bisection", Algorithm::Bisection),
    ];
    for (name, algorithm) in named {
        for noise in NOISES {
            let trials = trials(algorithm, noise);
            let row = summarise(trials.iter());
            print_row(name, noise, &row);
            rows.push((name, noise, row, trials));
        }
    }
    for (kind, law) in Law::NAMES.iter().enumerate() {
        println!("\nOf these, {law}:\n");
        print_head();
        for (name, noise, _, trials) in &rows {
            print_row(name, *noise, &summarise(trials.iter().filter(|t| t.kind == kind)));
        }
    }
    for (_, noise, row, _) in rows.iter().filter(|r| r.0 == OURS) {
        assert!(row.median <= 0.02, "median error at noise {noise}: {}", row.median);
        assert!(row.violating < 0.005, "violations at noise {noise}: {}", row.violating);
        assert!(row.probes_max <= 30.0, "probes at noise {noise}: {}", row.probes_max);
    }
}
