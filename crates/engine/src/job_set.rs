//! Several jobs together: common starts, waits, groups.

use std::thread;

use workload::{Job, SetJob, validate_set};

use crate::clock::Clock;
use crate::collect::Progress;
use crate::error::EngineError;
use crate::outcome::Outcome;
use crate::session::{ArmedSession, Session, SessionOptions};
use crate::stop_signal::StopSignal;
use crate::target::Target;

#[derive(Debug, Clone)]
pub struct InstanceOutcome {
    pub job: usize,
    /// Number of the instance, from 0.
    pub instance: u32,
    /// What was measured; `None` when the set was stopped before its turn.
    pub outcome: Option<Outcome>,
}

/// One instance: waiting while it has neither a session nor an outcome.
struct Instance {
    place: usize,
    number: u32,
    job: Job,
    /// It starts when all instances of smaller groups are done.
    group: usize,
    /// Place of the job that it waits for.
    awaits: Option<usize>,
    delay_ns: u64,
    session: Option<Session>,
    outcome: Option<Outcome>,
}

impl Instance {
    fn is_done(&self) -> bool {
        self.outcome.is_some()
    }
}

/// Runs the jobs of a set, each over its own targets (`targets[i]` belong to `jobs[i]`). All
/// instances whose turn it is start together; a job behind a stonewall starts when all before it
/// have ended. Fails as [`run_job`](crate::run_job) before anything has started, later when a job
/// cannot be armed.
pub fn run_set(
    jobs: &[SetJob],
    targets: &[Vec<Target>],
    clock: &Clock,
    stop: &StopSignal,
    watch: &mut dyn FnMut(usize, &Progress),
) -> Result<Vec<InstanceOutcome>, EngineError> {
    validate_set(jobs)?;
    refuse_concurrent_simulated(jobs, targets)?;
    let mut instances = expand_instances(jobs);
    for instance in &instances {
        let mut targets = targets.get(instance.place).into_iter().flatten().enumerate();
        targets.try_for_each(|(place, target)| instance.job.validate_on(&target.limits, place))?;
    }
    loop {
        if !stop.is_raised() {
            start_eligible_instances(&mut instances, targets, clock)?;
        }
        let mut delay = None;
        for (number, instance) in instances.iter_mut().enumerate() {
            let Some(session) = &mut instance.session else { continue };
            if session.poll(clock, stop.is_raised(), &mut |progress| watch(number, progress)) {
                delay = Some(session.poll_delay(clock));
            } else {
                instance.outcome = instance.session.take().map(Session::into_outcome);
            }
        }
        match delay {
            Some(delay) => thread::sleep(delay),
            None if stop.is_raised() || instances.iter().all(Instance::is_done) => break,
            None => {}
        }
    }
    let outcome =
        |i: Instance| InstanceOutcome { job: i.place, instance: i.number, outcome: i.outcome };
    Ok(instances.into_iter().map(outcome).collect())
}

/// A simulated device has one clock, which only one job can move.
fn refuse_concurrent_simulated(
    jobs: &[SetJob],
    targets: &[Vec<Target>],
) -> Result<(), EngineError> {
    let simulated = targets.iter().flatten().any(Target::is_simulated);
    let together = |set: &SetJob| set.instances > 1 || !(set.stonewall || set.wait_for.is_some());
    let mut placed = jobs.iter().enumerate();
    match placed.find(|(place, set)| set.instances > 1 || (*place > 0 && together(set))) {
        Some((_, set)) if simulated => {
            let conflict = "it would run at the same time as another on a simulated device, which \
                            has one clock";
            Err(EngineError::invalid_job(&set.job, conflict.to_owned()))
        }
        _ => Ok(()),
    }
}

fn expand_instances(jobs: &[SetJob]) -> Vec<Instance> {
    let mut group = 0;
    let mut instances = Vec::new();
    for (place, set) in jobs.iter().enumerate() {
        group += usize::from(set.stonewall && place > 0);
        let named = |name: &String| jobs[..place].iter().rposition(|j| j.job.name == *name);
        instances.extend((0..set.instances).map(|number| Instance {
            place,
            number,
            job: set.instance(number),
            group,
            awaits: set.wait_for.as_ref().and_then(named),
            delay_ns: set.start_delay.0,
            session: None,
            outcome: None,
        }));
    }
    instances
}

/// Arms every instance whose turn it is, then starts them at one instant, each with its delay.
fn start_eligible_instances(
    instances: &mut [Instance],
    targets: &[Vec<Target>],
    clock: &Clock,
) -> Result<(), EngineError> {
    let open_group = instances.iter().filter(|i| !i.is_done()).map(|i| i.group).min();
    let is_ended = |place| instances.iter().filter(|i| i.place == place).all(Instance::is_done);
    let mut armed = Vec::new();
    for (number, instance) in instances.iter().enumerate() {
        let is_waiting = instance.session.is_none() && !instance.is_done();
        let is_next = Some(instance.group) == open_group && instance.awaits.is_none_or(is_ended);
        if is_waiting && is_next {
            let targets = targets.get(instance.place).map_or(&[][..], Vec::as_slice);
            let options = SessionOptions::default();
            armed.push((number, ArmedSession::new(&instance.job, targets, clock, &options)?));
        }
    }
    let start_ns = ArmedSession::common_start(clock);
    let members = instances.iter().filter(|i| !i.is_done()).count();
    for (number, session) in armed {
        let instance = &mut instances[number];
        instance.session = Some(session.start(start_ns + instance.delay_ns, number, members));
    }
    Ok(())
}
