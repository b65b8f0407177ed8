//! Several jobs together.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use engine::simulated::{DeviceModel, Medium};
use engine::{Clock, InstanceOutcome, SimulatedDevice, StopSignal, Target, run_set};
use support::{SIZE, file, folder, job, target};
use units::{Bytes, Nanos};
use workload::{BackendChoice, Direction, Job, SetJob, Span, Stop};

fn job_of(name: &str, millis: u64) -> SetJob {
    let stop = Stop::after(Nanos::millis(millis));
    SetJob::from_job(Job { name: name.to_owned(), stop, ..job() })
}

fn go(jobs: &[SetJob], target: &Target) -> Vec<InstanceOutcome> {
    let targets: Vec<Vec<Target>> = jobs.iter().map(|_| vec![target.clone()]).collect();
    run_set(jobs, &targets, &Clock::best(), &StopSignal::default(), &mut |_, _| {}).unwrap()
}

/// Start and end of the measured time of an instance.
fn span(outcome: &InstanceOutcome) -> (u64, u64) {
    let outcome = outcome.outcome.as_ref().unwrap();
    (outcome.started_ns, outcome.started_ns + outcome.elapsed_ns)
}

#[test]
fn groups_and_waits_keep_their_order() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let jobs = [
        job_of("first", 60),
        job_of("beside", 120),
        SetJob { wait_for: Some("first".to_owned()), ..job_of("after-first", 30) },
        SetJob { stonewall: true, ..job_of("after-all", 30) },
        SetJob { start_delay: Nanos::millis(40), ..job_of("late", 30) },
    ];
    let outcomes = go(&jobs, &target);
    let spans: Vec<(u64, u64)> = outcomes.iter().map(span).collect();
    let [first, beside, after_first, after_all, late] = spans[..] else { panic!("{spans:?}") };
    assert_eq!(first.0, beside.0, "one group, one start");
    assert!(after_first.0 >= first.1 && after_first.0 < beside.1, "{spans:?}");
    assert!(after_all.0 >= beside.1.max(after_first.1));
    assert_eq!(late.0, after_all.0 + 40_000_000);
}

#[test]
fn instances_have_their_own_part_and_order() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let part = Bytes(SIZE.0 / 4);
    let mut set = job_of("parts", 50);
    set.job.span = Span { offset: Bytes(0), length: part };
    let jobs = [SetJob { instances: 4, offset_increment: part, ..set.clone() }];
    let outcomes = go(&jobs, &target);
    assert_eq!(outcomes.iter().map(|o| o.instance).collect::<Vec<_>>(), [0, 1, 2, 3]);
    for outcome in &outcomes {
        assert!(outcome.outcome.as_ref().unwrap().total(Direction::Read).ops > 0);
    }
    let jobs = [SetJob { instances: 5, offset_increment: part, ..set }];
    let targets = vec![vec![target]];
    let error = run_set(&jobs, &targets, &Clock::best(), &StopSignal::default(), &mut |_, _| {});
    assert!(error.unwrap_err().to_string().contains("the span ends at"));
}

#[test]
fn a_stop_ends_all_and_leaves_out_whose_turn_never_came() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let jobs = [job_of("long", 60_000), SetJob { stonewall: true, ..job_of("never", 10) }];
    let targets = vec![vec![target.clone()], vec![target]];
    let stop = StopSignal::default();
    let mut seen = 0;
    let outcomes = run_set(&jobs, &targets, &Clock::best(), &stop, &mut |member, _| {
        assert_eq!(member, 0);
        seen += 1;
        if seen == 2 {
            stop.raise();
        }
    })
    .unwrap();
    assert!(outcomes[0].outcome.as_ref().unwrap().total(Direction::Read).ops > 0);
    assert!(outcomes[1].outcome.is_none());
}

#[test]
fn many_workers_begin_close_together() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let mut set = job_of("two", 30);
    set.job.backend = BackendChoice::IoUring;
    let outcomes = go(&[SetJob { instances: 2, ..set }], &target);
    for outcome in outcomes {
        let skew = outcome.outcome.unwrap().activity.start_skew_ns;
        // A tenth of a millisecond where the processors are free; a scheduler's slice where not.
        assert!(skew < 20_000_000, "{skew} ns");
    }
}

#[test]
fn two_jobs_cannot_move_the_clock_of_one_simulated_device() {
    let medium = Medium::Ram { service_ns: 1000, bytes_per_second: 1e10 };
    let law = DeviceModel::new(SIZE.0, medium);
    let target = Target::simulated(SimulatedDevice::new(law, 1), SIZE);
    let run = |set: &[SetJob]| {
        let targets = vec![vec![target.clone()]; set.len()];
        run_set(set, &targets, &Clock::best(), &StopSignal::default(), &mut |_, _| {})
    };
    let error = run(&[job_of("a", 20), job_of("b", 20)]).unwrap_err().to_string();
    assert!(error.contains("which has one clock"), "{error}");
    let after = SetJob { stonewall: true, ..job_of("b", 20) };
    assert_eq!(run(&[job_of("a", 20), after]).unwrap().len(), 2);
}
