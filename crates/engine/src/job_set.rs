//! Several jobs together: common starts, waits, groups.

use std::thread;

use workload::{Job, SetJob, validate_set};

use crate::clock::Clock;
use crate::outcome::Outcome;
use crate::run::{EngineError, Progress, START_DELAY_NS, StopSignal, arm_pool, poll_delay};
use crate::session::PoolSetup;
use crate::target::Target;
use crate::worker_pool::{Oversubscription, RunningPool, WorkerPool};

/// One instance of a job of a set, and what became of it.
#[derive(Debug, Clone)]
pub struct InstanceOutcome {
    /// Place of its job in the set.
    pub job: usize,
    /// Number of the instance, from 0.
    pub instance: u32,
    /// What was measured; `None` when the set was stopped before its turn.
    pub outcome: Option<Outcome>,
}

enum InstanceState {
    Waiting,
    Armed(Box<WorkerPool>, Vec<String>),
    Running(Box<RunningPool>, Vec<String>),
    Done(Option<Box<Outcome>>),
}

/// One instance on its way.
struct Instance {
    place: usize,
    instance: u32,
    job: Job,
    /// It starts when all members of smaller groups are done.
    group: usize,
    /// Place of the job that it waits for.
    awaits: Option<usize>,
    delay_ns: u64,
    state: InstanceState,
}

/// Runs the jobs of a set, each over its own targets (`targets[i]` belong to `jobs[i]`): all
/// instances whose turn it is start together; a job behind a stonewall starts when all before it
/// have ended.
///
/// # Errors
/// As [`crate::run`], for any job, before anything has started; later, when a job whose turn
/// comes cannot be armed. Also when jobs wait for what does not exist.
pub fn run_set(
    jobs: &[SetJob],
    targets: &[Vec<Target>],
    clock: &Clock,
    stop: &StopSignal,
    watch: &mut dyn FnMut(usize, &Progress),
) -> Result<Vec<InstanceOutcome>, EngineError> {
    validate_set(jobs)?;
    refuse_concurrent_simulated(jobs, targets)?;
    let mut members = expand_instances(jobs);
    for member in &members {
        let of_job = targets.get(member.place).map_or(&[][..], Vec::as_slice);
        of_job.iter().try_for_each(|target| member.job.validate(&target.limits))?;
    }
    loop {
        if !stop.is_raised() {
            arm_eligible_instances(&mut members, targets, clock)?;
            start_armed_instances(&mut members, clock);
        }
        let mut running = None;
        for (number, member) in members.iter_mut().enumerate() {
            let InstanceState::Running(crew, _) = &mut member.state else { continue };
            if crew.poll_workers(clock, stop.is_raised(), &mut |progress| watch(number, progress)) {
                running = Some((crew.is_virtual(), crew.deadline_ns()));
            } else {
                member.finish();
            }
        }
        match running {
            Some((is_virtual, deadline_ns)) => {
                thread::sleep(poll_delay(is_virtual, deadline_ns, clock))
            }
            None if stop.is_raised() || members.iter().all(Instance::is_done) => break,
            None => {}
        }
    }
    Ok(members.into_iter().map(Instance::into_outcome).collect())
}

/// A simulated device has one clock, which only one job can move.
fn refuse_concurrent_simulated(
    jobs: &[SetJob],
    targets: &[Vec<Target>],
) -> Result<(), EngineError> {
    let simulated = targets.iter().flatten().any(Target::is_simulated);
    let together = |set: &SetJob| set.instances > 1 || !(set.stonewall || set.wait_for.is_some());
    match jobs
        .iter()
        .enumerate()
        .find(|(place, set)| set.instances > 1 || (*place > 0 && together(set)))
    {
        Some((_, set)) if simulated => Err(EngineError::invalid_job(
            &set.job,
            "it would run at the same time as another on a simulated device, which has one clock"
                .to_owned(),
        )),
        _ => Ok(()),
    }
}

fn expand_instances(jobs: &[SetJob]) -> Vec<Instance> {
    let mut group = 0;
    let mut members = Vec::new();
    for (place, set) in jobs.iter().enumerate() {
        group += usize::from(set.stonewall && place > 0);
        let named = |name: &String| jobs[..place].iter().rposition(|j| j.job.name == *name);
        for instance in 0..set.instances {
            members.push(Instance {
                place,
                instance,
                job: set.instance(instance),
                group,
                awaits: set.wait_for.as_ref().and_then(named),
                delay_ns: set.start_delay.0,
                state: InstanceState::Waiting,
            });
        }
    }
    members
}

/// Arms every member whose turn it is, so that they can start together.
fn arm_eligible_instances(
    members: &mut [Instance],
    targets: &[Vec<Target>],
    clock: &Clock,
) -> Result<(), EngineError> {
    let open_group = members.iter().filter(|m| !m.is_done()).map(|m| m.group).min();
    let eligible: Vec<usize> = (0..members.len())
        .filter(|&i| {
            let member = &members[i];
            let awaited =
                |place| members.iter().filter(|m| m.place == place).all(Instance::is_done);
            matches!(member.state, InstanceState::Waiting)
                && Some(member.group) == open_group
                && member.awaits.is_none_or(awaited)
        })
        .collect();
    for i in eligible {
        let member = &mut members[i];
        let of_job = targets.get(member.place).map_or(&[][..], Vec::as_slice);
        let (crew, notes) = arm_pool(&member.job, of_job, clock, &mut PoolSetup::default())?;
        member.state = InstanceState::Armed(Box::new(crew), notes);
    }
    Ok(())
}

/// Starts what was armed, at one instant, each with its delay.
fn start_armed_instances(members: &mut [Instance], clock: &Clock) {
    let start_ns = clock.now() + START_DELAY_NS;
    let workers = members.iter().filter(|m| !m.is_done()).count();
    for (place, member) in members.iter_mut().enumerate() {
        let state = std::mem::replace(&mut member.state, InstanceState::Waiting);
        member.state = match state {
            InstanceState::Armed(crew, notes) => {
                let crowd = Oversubscription::from_counts(place, workers);
                let running = crew.start(start_ns + member.delay_ns, crowd);
                InstanceState::Running(Box::new(running), notes)
            }
            other => other,
        };
    }
}

impl Instance {
    fn is_done(&self) -> bool {
        matches!(self.state, InstanceState::Done(_))
    }

    fn finish(&mut self) {
        let state = std::mem::replace(&mut self.state, InstanceState::Waiting);
        self.state = match state {
            InstanceState::Running(running, notes) => {
                InstanceState::Done(Some(Box::new(running.into_outcome(notes))))
            }
            other => other,
        };
    }

    fn into_outcome(self) -> InstanceOutcome {
        let outcome = match self.state {
            InstanceState::Done(outcome) => outcome.map(|outcome| *outcome),
            _ => None,
        };
        InstanceOutcome { job: self.place, instance: self.instance, outcome }
    }
}
