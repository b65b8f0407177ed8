//! Several jobs together.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use engine::simulated::{DeviceModel, Medium};
use engine::{Clock, Outcome, SimulatedDevice, StopSignal, Target, run_together};
use support::{SIZE, file, folder, job, target};
use units::{Nanos, Seed};
use workload::{BackendChoice, Direction, Job, Stop};

fn job_of(name: &str, millis: u64) -> Job {
    Job { name: name.to_owned(), stop: Stop::after(Nanos::millis(millis)), ..job() }
}

fn go(jobs: &[Job], target: &Target) -> Vec<Outcome> {
    run_together(jobs, target, &Clock::best(), &StopSignal::default(), &mut |_, _| {}).unwrap()
}

#[test]
fn all_start_at_one_instant_and_end_by_themselves() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let outcomes = go(&[job_of("first", 60), job_of("beside", 120)], &target);
    let [first, beside] = &outcomes[..] else { panic!("{outcomes:?}") };
    assert_eq!(first.started_ns, beside.started_ns);
    assert!(first.elapsed_ns < beside.elapsed_ns, "{} {}", first.elapsed_ns, beside.elapsed_ns);
}

#[test]
fn a_stop_ends_all() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let jobs = [job_of("long", 60_000), job_of("longer", 90_000)];
    let stop = StopSignal::default();
    let mut seen = [0; 2];
    let outcomes = run_together(&jobs, &target, &Clock::best(), &stop, &mut |place, _| {
        seen[place] += 1;
        if seen.iter().all(|times| *times >= 2) {
            stop.raise();
        }
    })
    .unwrap();
    assert!(outcomes.iter().all(|outcome| outcome.total(Direction::Read).ops > 0));
}

#[test]
fn a_job_that_leaves_the_target_is_refused_before_any_starts() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let mut beyond = job_of("beyond", 50);
    beyond.span.offset = SIZE;
    let jobs = [job_of("within", 60_000), beyond];
    let error =
        run_together(&jobs, &target, &Clock::best(), &StopSignal::default(), &mut |_, _| {
            panic!("nothing was to start")
        });
    assert!(error.unwrap_err().to_string().contains("the span ends at"));
}

#[test]
fn many_workers_begin_close_together() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let of = |seed| Job { backend: BackendChoice::IoUring, seed: Seed(seed), ..job_of("two", 30) };
    for outcome in go(&[of(1), of(2)], &target) {
        let skew = outcome.activity.start_skew_ns;
        // A tenth of a millisecond where the processors are free; a scheduler's slice where not.
        assert!(skew < 20_000_000, "{skew} ns");
    }
}

#[test]
fn two_jobs_cannot_move_the_clock_of_one_simulated_device() {
    let medium = Medium::Ram { service_ns: 1000, bytes_per_second: 1e10 };
    let law = DeviceModel::new(SIZE.0, medium);
    let target = Target::simulated(SimulatedDevice::new(law, 1), SIZE);
    let jobs = [job_of("a", 20), job_of("b", 20)];
    let stop = StopSignal::default();
    let error = run_together(&jobs, &target, &Clock::best(), &stop, &mut |_, _| {});
    let error = error.unwrap_err().to_string();
    assert!(error.contains("which has one clock"), "{error}");
    assert_eq!(go(&jobs[..1], &target).len(), 1);
}
