//! Random worlds on the virtual clock, measured and judged, and an oracle that knows them.
//!
//! A world follows from a seed and its number: a simulated device, what disturbs
//! it, and a procedure. The procedure is that of `method`, the judgement that of `analysis`; the
//! oracle holds figures, intervals, limits and findings against what is true of the world. A world
//! that fails is shrunk to the smallest that still fails. No disk and no real time is involved.
//! Never shipped. Start reading at [`run_campaign`].
#![forbid(unsafe_code)]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore's output is for the person who runs it"
)]

mod blame;
mod claims;
mod effect;
mod measure;
mod oracle;
mod table;
mod truth;
mod world;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use proptest::strategy::{Strategy as _, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use oracle::Outcome;
use table::WorldResult;
use world::{SimulatedWorld, kind_of};

/// Worlds that a failing one is shrunk through, at most.
const SHRINK_STEPS_MAX: usize = 40;

/// Worlds between two lines on stderr that say how far the campaign is.
const PROGRESS_EVERY: usize = 100;

/// What is asked of a campaign.
#[derive(Debug, Clone, Copy)]
pub struct CampaignRequest {
    /// Number of worlds.
    pub worlds: u64,
    /// What all of them follow from.
    pub seed: u64,
    /// The number of the first world.
    pub first: u64,
    /// Failing worlds that are shrunk, of each kind and way of failing.
    pub shrink: usize,
    /// After this time no world is measured or shrunk any more; what began is finished.
    pub time_max: Duration,
}

/// Measures and judges all worlds on all processors, prints the table and the worlds that failed,
/// and gives whether the failures are within the allowed shares.
pub fn run_campaign(request: &CampaignRequest) -> Result<bool> {
    let begun = Instant::now();
    let mut results = measure_worlds(request)?;
    let seconds = begun.elapsed().as_secs_f64();
    shrink_failures(request, &mut results, &|| begun.elapsed() >= request.time_max)?;
    let passed = table::print(&results);
    let (done, asked, seed) = (results.len(), request.worlds, request.seed);
    println!("{done} of {asked} worlds of seed {seed} in {seconds:.1} s");
    Ok(passed)
}

fn measure_worlds(request: &CampaignRequest) -> Result<Vec<WorldResult>> {
    let next = AtomicU64::new(request.first);
    let end = request.first + request.worlds;
    let results = Mutex::new(Vec::new());
    let begun = Instant::now();
    let is_over = || begun.elapsed() >= request.time_max;
    run_on_processors(&|| {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= end || is_over() {
                return Ok(());
            }
            let result = try_world(request, number).with_context(|| format!("world {number}"))?;
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results.push(result);
            if results.len().is_multiple_of(PROGRESS_EVERY) {
                report_progress(request, &results, begun.elapsed());
            }
        }
    })?;
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|result| result.number);
    Ok(results)
}

fn report_progress(request: &CampaignRequest, results: &[WorldResult], elapsed: Duration) {
    let failed = results.iter().filter(|result| result.outcome.failure_class().is_some()).count();
    let (done, asked, seconds) = (results.len(), request.worlds, elapsed.as_secs());
    eprintln!("{done} of {asked} worlds, {failed} failed, {seconds} s");
}

fn run_on_processors(work: &(dyn Fn() -> Result<()> + Sync)) -> Result<()> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..processors).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| {
            worker.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a worker died")))
        })
    })
}

fn try_world(request: &CampaignRequest, number: u64) -> Result<WorldResult> {
    let world = draw_world(request.seed, number)?.current();
    let outcome = try_once(&world)?;
    if request.worlds == 1 {
        print!("{}", measure::render_report(&world)?);
    }
    Ok(WorldResult { number, world, outcome, shrunk: None })
}

/// Shrinks the first failing worlds of each kind and way of failing, until `is_over`.
fn shrink_failures(
    request: &CampaignRequest,
    results: &mut [WorldResult],
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<()> {
    let mut seen: Vec<(&str, usize)> = Vec::new();
    let mut due = Vec::new();
    for result in results {
        let Some(class) = result.outcome.failure_class() else { continue };
        let key = (kind_of(result.number), class);
        if seen.iter().filter(|other| **other == key).count() < request.shrink {
            seen.push(key);
            due.push((result, class));
        }
    }
    let due = Mutex::new(due);
    run_on_processors(&|| {
        loop {
            let next = due.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some((result, class)) = next.filter(|_| !is_over()) else { return Ok(()) };
            let mut tree = draw_world(request.seed, result.number)?;
            result.shrunk = Some(shrink(tree.as_mut(), class)?);
        }
    })
}

fn draw_world(seed: u64, number: u64) -> Result<Box<dyn ValueTree<Value = SimulatedWorld>>> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&number.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let tree = world::worlds(kind_of(number)).new_tree(&mut runner);
    tree.map_err(|reason| anyhow::anyhow!("no world: {reason}"))
}

fn try_once(world: &SimulatedWorld) -> Result<Outcome> {
    let record = measure::measure(world).with_context(|| format!("{world:?}"))?;
    oracle::compare(world, &record)
}

/// Simplifies one part at a time while the world still fails in the same way.
fn shrink(
    tree: &mut dyn ValueTree<Value = SimulatedWorld>,
    class: usize,
) -> Result<(SimulatedWorld, String)> {
    let mut smallest = tree.current();
    let mut words = try_once(&smallest)?.failure_in(class).unwrap_or_default();
    let mut more = tree.simplify();
    for _ in 0..SHRINK_STEPS_MAX {
        if !more {
            break;
        }
        let world = tree.current();
        match try_once(&world)?.failure_in(class) {
            Some(failure) => {
                (smallest, words) = (world, failure);
                more = tree.simplify();
            }
            None => more = tree.complicate(),
        }
    }
    Ok((smallest, words))
}

#[cfg(test)]
mod tests;
