//! Sessions: traces and scripts, against the books of the same run.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use engine::{
    ArmedSession, Clock, EndReason, FlowMember, Operation, Outcome, ScriptStep, SessionOptions,
    Target, TracedOperation,
};
use support::{SIZE, file, folder, job, target};
use units::{Depth, Nanos};
use workload::{BackendChoice, Direction, Job, Mix, Seal, SealLayout, Stop, Verify};

fn drive(job: &Job, target: &Target, extras: &SessionOptions) -> (Outcome, Vec<TracedOperation>) {
    let clock = Clock::best();
    let armed = ArmedSession::new(job, std::slice::from_ref(target), &clock, extras).unwrap();
    let mut session = armed.start(ArmedSession::common_start(&clock), 0, 1);
    let mut traced = Vec::new();
    while session.poll(&clock, false, &mut |_| {}) {
        session.drain_trace(&mut |one| traced.push(*one));
        thread::sleep(Duration::from_millis(2)); // sleeps because a session is polled
    }
    session.drain_trace(&mut |one| traced.push(*one));
    (session.into_outcome(), traced)
}

#[test]
fn a_trace_holds_every_operation_of_the_figures() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    for (backend, depth) in [(BackendChoice::Auto, 8), (BackendChoice::Psync, 3)] {
        let stop = Stop::operations(3_000);
        let job = Job { backend, depth: Depth(depth), stop, ..job() };
        let extras =
            SessionOptions { trace: true, time_submissions: true, ..SessionOptions::default() };
        let (outcome, traced) = drive(&job, &target, &extras);
        let sum = outcome.total(Direction::Read);
        assert_eq!((sum.ops, traced.len()), (3_000, 3_000), "{backend:?}");
        let latency: u128 =
            traced.iter().map(|one| u128::from(one.reaped_ns - one.submitted_ns)).sum();
        assert_eq!(sum.total.sum_ns(), latency);
        if backend == BackendChoice::Auto {
            assert!(traced.iter().all(|one| one.submission_ns > 0));
            assert_eq!(sum.submission.count(), 3_000);
        }
        let started: u64 = outcome.activity.started_at.iter().sum();
        assert_eq!(started, 3_000);
        assert!(outcome.activity.submitted.iter().sum::<u64>() > 0);
        assert!(outcome.activity.switches > 0);
    }
}

/// Operations that end after the deadline are in no figure: neither is their submission.
#[test]
fn both_parts_of_latencies_are_of_the_same_operations() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let stop = Stop::after(Nanos::millis(100));
    let job = Job { depth: Depth(8), stop, ..job() };
    let extras =
        SessionOptions { trace: true, time_submissions: true, ..SessionOptions::default() };
    let (outcome, traced) = drive(&job, &target, &extras);
    let sum = outcome.total(Direction::Read);
    assert!(sum.ops > 0);
    assert_eq!((sum.submission.count(), traced.len() as u64), (sum.ops, sum.ops));
    let submission: u128 = traced.iter().map(|one| u128::from(one.submission_ns)).sum();
    assert_eq!(sum.submission.sum_ns(), submission);
}

#[test]
fn a_script_is_followed_in_its_order_and_at_its_times() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let step = |i: u64| ScriptStep {
        operation: Operation {
            direction: if i.is_multiple_of(3) { Direction::Write } else { Direction::Read },
            target: 0,
            length: 4096 << (i % 3),
            offset: (i * 7 % 100) * 16_384,
        },
        due_ns: Some(i * 1_000_000),
        sequence: None,
        outstanding_max: None,
    };
    let script: Arc<[ScriptStep]> = (0..100).map(step).collect();
    let job = Job {
        mix: Mix::Mixed { read_percent: 50 },
        block_size: units::Bytes::kib(16),
        depth: Depth(4),
        stop: Stop::operations(100),
        ..job()
    };
    let extras = SessionOptions {
        trace: true,
        script: Some(Arc::clone(&script)),
        ..SessionOptions::default()
    };
    let (outcome, mut traced) = drive(&job, &target, &extras);
    assert_eq!(outcome.ended, EndReason::Done);
    traced.sort_by_key(|one| one.submitted_ns);
    let mut asked: Vec<_> = script.iter().map(|step| step.operation.offset).collect();
    let mut done: Vec<_> = traced.iter().map(|one| one.operation.offset).collect();
    let start = outcome.started_ns;
    for (number, one) in (0_u64..).zip(&traced) {
        assert!(one.submitted_ns >= start + number * 1_000_000, "operation {number} too early");
    }
    asked.sort_unstable();
    done.sort_unstable();
    assert_eq!(done, asked);
    let unpaced: Arc<[ScriptStep]> =
        script.iter().map(|s| ScriptStep { due_ns: None, ..*s }).collect();
    let extras = SessionOptions { trace: true, script: Some(unpaced), ..SessionOptions::default() };
    let single = Job { depth: Depth(1), ..job };
    let (_, traced) = drive(&single, &target, &extras);
    let order: Vec<_> = traced.iter().map(|one| one.operation).collect();
    let expected: Vec<_> = script.iter().map(|step| step.operation).collect();
    assert_eq!(order, expected);
}

#[test]
fn an_empty_script_is_refused() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let extras = SessionOptions { script: Some(Arc::from([])), ..SessionOptions::default() };
    let refused = ArmedSession::new(&job(), &[target], &Clock::best(), &extras);
    let error = refused.err().unwrap().to_string();
    assert!(error.contains("script is empty"), "{error}");
}

/// Sessions side by side, each on a thread of its own.
fn together(jobs: Vec<(Job, Option<FlowMember>)>, target: &Target) -> Vec<Outcome> {
    let clock = Clock::best();
    let count = jobs.len();
    let arm = |(job, flow): (Job, Option<FlowMember>)| {
        let extras = SessionOptions { flow, ..SessionOptions::default() };
        ArmedSession::new(&job, std::slice::from_ref(target), &clock, &extras).unwrap()
    };
    let armed: Vec<ArmedSession> = jobs.into_iter().map(arm).collect();
    let start = ArmedSession::common_start(&clock);
    let begin = |(place, armed): (usize, ArmedSession)| armed.start(start, place, count);
    let mut sessions: Vec<_> = armed.into_iter().enumerate().map(begin).collect();
    let mut tend = || {
        let each = sessions.iter_mut().map(|session| session.poll(&clock, false, &mut |_| {}));
        each.filter(|running| *running).count() > 0
    };
    while tend() {
        thread::sleep(Duration::from_millis(2)); // sleeps because a session is polled
    }
    sessions.into_iter().map(engine::Session::into_outcome).collect()
}

#[test]
fn jobs_of_a_flow_keep_the_ratio_of_their_weights() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let stop = Stop::after(Nanos::millis(300));
    let of = |backend, depth| Job { backend, depth: Depth(depth), stop, ..job() };
    for kinds in [
        [(BackendChoice::Psync, 1), (BackendChoice::Psync, 1)],
        [(BackendChoice::Auto, 8), (BackendChoice::Psync, 1)],
        [(BackendChoice::Psync, 4), (BackendChoice::Auto, 8)],
        [(BackendChoice::Null, 1), (BackendChoice::Psync, 1)],
    ] {
        for look_ns in [0, 300_000] {
            let seats = FlowMember::new_members(&[(3, look_ns), (1, look_ns)]);
            let jobs = kinds.iter().map(|(kind, depth)| of(*kind, *depth));
            let outcomes = together(jobs.zip(seats.into_iter().map(Some)).collect(), &target);
            let started = |at: usize| {
                let asked = &outcomes[at].requested;
                asked.ops[Direction::Read as usize]
            };
            // Within one round; what is in flight at the end may not have come back in time.
            let (heavy, light) = (started(0), started(1));
            assert!(light > 20, "{kinds:?}: {heavy} and {light}");
            assert!(heavy.abs_diff(3 * light) <= 3, "{kinds:?}, {look_ns}: {heavy} and {light}");
        }
    }
}

#[test]
fn a_job_goes_on_when_the_others_of_its_flow_have_ended() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let seats = FlowMember::new_members(&[(1, 0), (1, 0)]);
    let of = |operations| Job {
        backend: BackendChoice::Psync,
        stop: Stop::operations(operations),
        ..job()
    };
    let jobs = [of(50), of(2_000)].into_iter().zip(seats.into_iter().map(Some));
    let outcomes = together(jobs.collect(), &target);
    let ops: Vec<u64> = outcomes.iter().map(|o| o.total(Direction::Read).ops).collect();
    assert_eq!(ops, [50, 2_000]);
}

#[test]
fn a_lost_overwrite_is_found_by_the_number_of_the_write() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    for layout in [SealLayout::Fio, SealLayout::Own] {
        let seal = Seal { layout, seed: Some(1), ..Seal::default() };
        let (mix, stop) = (Mix::Write, Stop::operations(64));
        let writes = Job { mix, stop, seal, verify: Some(Verify::SealOnly), ..job() };
        let extras = SessionOptions { trace: true, ..SessionOptions::default() };
        let (_, traced) = drive(&writes, &target, &extras);
        let reads = Job { mix: Mix::Read, verify: Some(Verify::Earlier), ..writes };
        let mismatched = |later: u64| {
            let step = |one: &TracedOperation| ScriptStep {
                operation: Operation { direction: Direction::Read, ..one.operation },
                due_ns: None,
                sequence: Some(one.sequence + later),
                outstanding_max: None,
            };
            let script: Arc<[ScriptStep]> = traced.iter().map(step).collect();
            let extras = SessionOptions { script: Some(script), ..SessionOptions::default() };
            let verified = drive(&reads, &target, &extras).0.verified.unwrap();
            assert_eq!(verified.blocks, 64);
            verified.mismatched
        };
        assert_eq!((mismatched(0), mismatched(1)), (0, 64), "{layout:?}");
    }
}
