//! Several jobs together, and what waits for what.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use units::{Bytes, Nanos};

use crate::backend::BackendChoice;
use crate::job::Job;
use crate::validate::JobError;

/// One job of a set: how many instances of it, and when they start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SetJob {
    pub job: Job,
    /// Instances that run at the same time; at least 1. Each has a seed of its own.
    pub instances: u32,
    /// By how much the span of each instance lies behind that of the one before.
    pub offset_increment: Bytes,
    /// Time between its turn and its start.
    pub start_delay: Nanos,
    /// It starts when all jobs before it in the set have ended.
    pub stonewall: bool,
    /// It starts when the job of this name has ended.
    pub wait_for: Option<String>,
}

impl SetJob {
    /// One instance that starts at once.
    pub const fn from_job(job: Job) -> Self {
        Self {
            job,
            instances: 1,
            offset_increment: Bytes(0),
            start_delay: Nanos::ZERO,
            stonewall: false,
            wait_for: None,
        }
    }

    /// The job of instance `number`, counted from 0.
    pub fn instance(&self, number: u32) -> Job {
        let mut job = self.job.clone();
        // Far apart, so that instances do not walk through the same sequence a step behind.
        let apart = u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        job.seed.0 = job.seed.0.wrapping_add(apart);
        job.span.offset.0 += self.offset_increment.0 * u64::from(number);
        job
    }
}

/// Checks what the jobs of a set wait for.
///
/// # Errors
/// No instances, a name that is no job before it in the set, or the job itself.
pub fn validate_set(jobs: &[SetJob]) -> Result<(), JobError> {
    for (place, job) in jobs.iter().enumerate() {
        let refused = |conflict: String| JobError { job: job.job.name.clone(), conflict };
        if job.instances == 0 {
            return Err(refused("it has no instance".to_owned()));
        }
        if job.instances > 1 && job.job.backend == BackendChoice::Sync {
            let conflict = "sync has one position for the whole file, but its instances would \
                            share it; psync has no position";
            return Err(refused(conflict.to_owned()));
        }
        let Some(awaited) = &job.wait_for else { continue };
        if !jobs[..place].iter().any(|earlier| earlier.job.name == *awaited) {
            return Err(refused(format!(
                "it waits for '{awaited}', which is no job before it in the set"
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_lie_apart_and_differ() {
        let set = SetJob { offset_increment: Bytes(100), ..SetJob::from_job(Job::base()) };
        assert_eq!(set.instance(0), set.job);
        assert_eq!(set.instance(3).span.offset, Bytes(300));
        assert_ne!(set.instance(1).seed, set.job.seed);
    }

    #[test]
    fn what_waits_for_nobody_is_refused() {
        let named = |name: &str, wait: Option<&str>| SetJob {
            wait_for: wait.map(str::to_owned),
            ..SetJob::from_job(Job { name: name.to_owned(), ..Job::base() })
        };
        validate_set(&[named("a", None), named("b", Some("a"))]).unwrap();
        let error = validate_set(&[named("a", Some("a"))]).unwrap_err().to_string();
        assert!(error.contains("job 'a'") && error.contains("no job before it"), "{error}");
        assert!(validate_set(&[SetJob { instances: 0, ..named("a", None) }]).is_err());
    }
}
