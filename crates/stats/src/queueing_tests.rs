//! Queues whose answers are known in closed form: what a measurement of one must find.
//!
//! All take arrivals and services per second and give seconds of response (waiting and service).
//! `None` where there is no answer: a queue that arrivals outrun has no steady state.

use crate::series::tests::Normal;

/// The response time that the share `p` (0 up to below 1) of operations stays within, in an M/M/1
/// queue served in order: `-ln(1 - p) / (mu - lambda)`, since responses are exponential (Kleinrock
/// 1975, section 5.6). The mean is `1 / (mu - lambda)`.
fn mm1_quantile(lambda: f64, mu: f64, p: f64) -> Option<f64> {
    let answers = is_steady(lambda, mu) && (0.0..1.0).contains(&p);
    answers.then(|| -(-p).ln_1p() / (mu - lambda))
}

/// The mean response time of an M/M/c queue: `1 / mu + C(c, a) / (c mu - lambda)`, `a` being
/// `lambda / mu` and `C` the share that waits ([`erlang_c`]).
fn mmc_mean(lambda: f64, mu: f64, servers: u32) -> Option<f64> {
    let all = mu * f64::from(servers);
    if !is_steady(lambda, all) {
        return None;
    }
    Some(1.0 / mu + erlang_c(servers, lambda / mu)? / (all - lambda))
}

/// The mean response time of an M/D/1 queue, whose services all take `1 / mu`:
/// `(1 + rho / (2 (1 - rho))) / mu` with `rho = lambda / mu` (Pollaczek and Khinchine).
fn md1_mean(lambda: f64, mu: f64) -> Option<f64> {
    let rho = lambda / mu;
    is_steady(lambda, mu).then(|| (1.0 + rho / (2.0 * (1.0 - rho))) / mu)
}

/// The share of operations that find all `servers` busy and wait, when `offered` servers' worth of
/// work arrives (Erlang C). `None` when that is not below the servers there are.
///
/// By Erlang B, whose recursion `1 / B(k) = 1 + k / (a B(k - 1))` never overflows where factorials
/// do: `C = B / (1 - rho (1 - B))`.
fn erlang_c(servers: u32, offered: f64) -> Option<f64> {
    if !is_steady(offered, f64::from(servers)) {
        return None;
    }
    let blocked = (1..=servers).fold(1.0, |b, k| offered * b / (f64::from(k) + offered * b));
    let rho = offered / f64::from(servers);
    Some(blocked / (1.0 - rho * (1.0 - blocked)))
}

/// Whether a queue that is served at `mu` keeps up with `lambda`.
fn is_steady(lambda: f64, mu: f64) -> bool {
    lambda >= 0.0 && lambda < mu && mu.is_finite()
}

fn near(found: Option<f64>, expected: Option<f64>) -> bool {
    match (found, expected) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * b.abs(),
        (a, b) => a == b,
    }
}

#[test]
fn closed_formulas() {
    let check = |found: Option<f64>, expected: Option<f64>| {
        assert!(near(found, expected), "{found:?}, expected {expected:?}");
    };
    check(mm1_quantile(50.0, 100.0, 0.5), Some(0.02 * std::f64::consts::LN_2));
    check(mm1_quantile(0.0, 100.0, 0.99), Some(0.01 * 100.0_f64.ln()));
    check(mm1_quantile(50.0, 100.0, 0.0), Some(0.0));
    check(mm1_quantile(50.0, 100.0, 1.0), None);
    check(mm1_quantile(100.0, 100.0, 0.5), None);
    check(mm1_quantile(-1.0, 100.0, 0.5), None);
    check(mm1_quantile(f64::NAN, 100.0, 0.5), None);
    // One server: C = rho. Two: 2 rho^2 / (1 + rho) (a = 1: 1/3).
    check(erlang_c(1, 0.7), Some(0.7));
    check(erlang_c(2, 1.0), Some(1.0 / 3.0));
    // Tables: 10 servers, 8 erlangs, 0.409180...
    let c = erlang_c(10, 8.0).unwrap();
    assert!((c - 0.409_180).abs() < 1e-6, "{c}");
    check(erlang_c(3, 3.0), None);
    check(erlang_c(0, 0.0), None);
    check(mmc_mean(50.0, 100.0, 1), Some(0.02));
    check(mmc_mean(100.0, 100.0, 2), Some(0.01 + 1.0 / 3.0 / 100.0));
    check(mmc_mean(200.0, 100.0, 2), None);
    check(md1_mean(50.0, 100.0), Some(0.015));
    check(md1_mean(0.0, 100.0), Some(0.01));
    check(md1_mean(100.0, 100.0), None);
}

#[test]
fn many_servers_do_not_overflow() {
    let share = erlang_c(10_000, 9_900.0).unwrap();
    assert!((0.1..0.5).contains(&share), "{share}");
    // Far from busy, a response is a service.
    assert!(near(mmc_mean(10.0, 100.0, 1000), Some(0.01)));
}

#[test]
fn more_load_means_longer_and_more_servers_shorter_responses() {
    let mut normal = Normal(61);
    for _ in 0..200 {
        let (low, high) = (normal.uniform() * 50.0, 50.0 + normal.uniform() * 49.0);
        let longer = |f: &dyn Fn(f64) -> Option<f64>| f(low).unwrap() < f(high).unwrap();
        assert!(longer(&|l| mm1_quantile(l, 100.0, 0.9)));
        assert!(longer(&|l| md1_mean(l, 100.0)));
        assert!(longer(&|l| mmc_mean(l, 50.0, 2)));
        // One fast server beats two of half its speed, and constant services random ones.
        assert!(mmc_mean(high, 100.0, 1).unwrap() < mmc_mean(high, 50.0, 2).unwrap());
        assert!(md1_mean(high, 100.0).unwrap() < mmc_mean(high, 100.0, 1).unwrap());
    }
}

/// Responses of a simulated queue: each operation goes to the server that is free first.
fn simulated(lambda: f64, servers: usize, mut service: impl FnMut(f64) -> f64) -> Vec<f64> {
    let mut normal = Normal(67);
    let (mut free_at, mut now) = (vec![0.0_f64; servers], 0.0);
    let mut responses = Vec::new();
    for _ in 0..400_000 {
        now -= normal.uniform().ln() / lambda;
        let first = (0..servers).min_by(|&a, &b| free_at[a].total_cmp(&free_at[b])).unwrap();
        free_at[first] = free_at[first].max(now) + service(normal.uniform());
        responses.push(free_at[first] - now);
    }
    responses
}

#[test]
fn simulated_queues_obey() {
    let exponential = |mu: f64| move |u: f64| -u.ln() / mu;
    let mean = |r: &[f64]| r.iter().sum::<f64>() / r.len() as f64;
    let check = |found: f64, law: Option<f64>, name: &str| {
        let law = law.unwrap();
        assert!((found / law - 1.0).abs() < 0.04, "{name}: {found}, by law {law}");
    };
    let mut responses = simulated(70.0, 1, exponential(100.0));
    check(mean(&responses), mmc_mean(70.0, 100.0, 1), "M/M/1 mean");
    responses.sort_by(f64::total_cmp);
    for p in [0.5, 0.9, 0.99] {
        let found = responses[(p * responses.len() as f64) as usize];
        check(found, mm1_quantile(70.0, 100.0, p), "M/M/1 percentile");
    }
    check(mean(&simulated(300.0, 4, exponential(100.0))), mmc_mean(300.0, 100.0, 4), "M/M/4");
    check(mean(&simulated(70.0, 1, |_| 0.01)), md1_mean(70.0, 100.0), "M/D/1");
}
