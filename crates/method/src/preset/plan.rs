//! A checked preset: what it asks, and how long that takes.

use message::Names;
use record::{MetadataPlan, PresetPlan, PresetStep, StepWork};
use units::{Bytes, Depth, Nanos};
use workload::{Job, Pacing, Span};

use super::departures::WithoutWrites;
use super::values::SizeOrShare;
use crate::error::{MethodError, refuse};
use crate::metadata::{expected_time, time_limit};
use crate::request::MeasureRequest;

/// Of the fastest rate that laying out is given time for: a slow rotating disk's.
const LAYOUT_BYTES_PER_SECOND: u64 = 60_000_000;
const LAYOUT_TIME: (Nanos, Nanos) = (Nanos::secs(15), Nanos::secs(180));
/// At the end of a preset with syncs: whether a flush costs anything.
pub(super) const FLUSH_TRIAL_TIME: Nanos = Nanos::millis(600);
/// Requests at intervals, at least, of a shortened step.
const SPACED_REQUESTS_MIN: u64 = 5;
/// What a place of a surface takes beside its reads: coming there twice.
const PLACE_OVERHEAD: Nanos = Nanos::millis(80);
/// Passes that others disturbed are measured again for up to this part of the preset's time, or
/// for that of the longest.
const REPEAT_DIVISOR: u64 = 4;

/// A preset, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Preset {
    /// What it asks, as the record keeps it.
    pub plan: PresetPlan,
    pub(super) steps: Vec<Step>,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step {
    pub(super) plan: PresetStep,
    /// In the order of the plan's names; none of a surface.
    pub(super) jobs: Vec<JobTemplate>,
    /// Block and depth of the sequential reads of a surface.
    pub(super) stream: (Bytes, Depth),
}

/// A job whose places are still shares of a file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JobTemplate {
    pub(super) name: String,
    pub(super) job: Job,
    pub(super) span: SizeOrShare,
    pub(super) offset: SizeOrShare,
    pub(super) bytes: Option<SizeOrShare>,
}

impl Preset {
    pub fn has_writes(&self) -> bool {
        self.steps.iter().any(Step::writes)
    }

    /// What it asks of small files, where it is about those and so about nothing else.
    pub fn small_files(&self) -> Option<&MetadataPlan> {
        self.steps.iter().find_map(|step| match &step.plan.work {
            StepWork::Metadata(plan) => Some(plan),
            _ => None,
        })
    }

    /// How long measuring takes at most, without laying out the file. Steps that end when they are
    /// steady, or after a number of bytes, may take less.
    pub fn time_max(&self) -> Nanos {
        let flushes = if self.has_syncs() { FLUSH_TRIAL_TIME } else { Nanos::ZERO };
        Nanos(self.steps.iter().fold(flushes.0, |sum, step| sum.saturating_add(step.time().0)))
    }

    /// How long passes that others disturbed may be measured again, at most.
    pub(crate) fn repeat_time(&self) -> Nanos {
        let longest = self.steps.iter().map(Step::pass_time).max().unwrap_or(Nanos::ZERO);
        longest.max(Nanos(self.time_max().0 / REPEAT_DIVISOR))
    }

    pub(super) fn has_syncs(&self) -> bool {
        self.steps.iter().flat_map(|step| &step.jobs).any(|shape| shape.job.sync.is_some())
    }

    /// How long laying out a file of `size` may take.
    pub fn layout_time(size: Bytes) -> Nanos {
        let seconds = size.0 / LAYOUT_BYTES_PER_SECOND;
        Nanos::secs(seconds.min(LAYOUT_TIME.1.0)).clamp(LAYOUT_TIME.0, LAYOUT_TIME.1)
    }

    /// Its steps that only read, with a word on those left out; `None` where none reads only.
    pub fn without_writes(mut self) -> Option<Self> {
        let writing = self.steps.iter().filter(|step| step.writes());
        let steps: Names = writing.map(|step| step.plan.name.as_str()).collect();
        if steps.0.is_empty() {
            return Some(self);
        }
        self.steps.retain(|step| !step.writes());
        self.plan.departures.push(WithoutWrites { steps }.into());
        (!self.steps.is_empty()).then_some(self)
    }

    /// With every time that share of what it is; where requests come at intervals, at least a few
    /// of these.
    pub(super) fn with_scaled_times(mut self, share: f64) -> Self {
        let of = |time: &mut Nanos| *time = Nanos((time.0 as f64 * share) as u64);
        for step in &mut self.steps {
            of(&mut step.plan.settle);
            of(&mut step.plan.pause);
            of(&mut step.plan.rest);
            if let StepWork::Surface { slice, access, .. } = &mut step.plan.work {
                of(slice);
                of(access);
            }
            for shape in &mut step.jobs {
                of(&mut shape.job.warm_up);
                let least = match shape.job.pacing {
                    Pacing::Spaced { interval } => {
                        Nanos(interval.0.saturating_mul(SPACED_REQUESTS_MIN))
                    }
                    _ => Nanos::ZERO,
                };
                if let Some(time) = &mut shape.job.stop.time {
                    *time = Nanos((time.0 as f64 * share) as u64).max(least.min(*time));
                }
            }
        }
        for planned in &mut self.plan.steps {
            if let Some(step) = self.steps.iter().find(|step| step.plan.name == planned.name) {
                planned.clone_from(&step.plan);
            }
        }
        self
    }
}

impl Step {
    pub(super) fn writes(&self) -> bool {
        let small_files = matches!(self.plan.work, StepWork::Metadata(_));
        small_files || self.jobs.iter().any(|shape| shape.job.mix.writes())
    }

    pub(super) fn time(&self) -> Nanos {
        let plan = &self.plan;
        let passes = self.pass_time().0.saturating_mul(u64::from(plan.passes + plan.discarded));
        Nanos(passes.saturating_add(plan.rest.0))
    }

    /// Of one pass, with what stands around it.
    pub(super) fn pass_time(&self) -> Nanos {
        let plan = &self.plan;
        let once = match plan.work {
            StepWork::Jobs { .. } => self.jobs.iter().map(JobTemplate::time).max(),
            StepWork::Surface { places, slice, access } => {
                Some(Nanos((slice.0 + access.0 + PLACE_OVERHEAD.0).saturating_mul(places)))
            }
            StepWork::Metadata(ref plan) => {
                Some(time_limit(plan).unwrap_or_else(|| expected_time(plan)))
            }
        };
        let around = plan.settle.0.saturating_add(plan.pause.0);
        Nanos(once.unwrap_or(Nanos::ZERO).0.saturating_add(around))
    }

    pub(super) fn shortest_measurement(&self) -> Option<Nanos> {
        let of_jobs = self.jobs.iter().filter_map(|shape| shape.job.stop.time).min();
        match self.plan.work {
            StepWork::Surface { slice, .. } => Some(slice),
            StepWork::Jobs { .. } => of_jobs,
            StepWork::Metadata(_) => None,
        }
    }
}

impl JobTemplate {
    pub(super) fn time(&self) -> Nanos {
        let time = self.job.stop.time.unwrap_or(Nanos::ZERO);
        Nanos(time.0.saturating_add(self.job.warm_up.0))
    }

    /// The job on a span.
    pub(super) fn instantiate(&self, whole: Span) -> Result<Job, MethodError> {
        // Places are whole blocks, and of odd sizes whole sectors, where the job starts.
        let step = Bytes(self.job.max_block_size().0.next_multiple_of(512));
        let offset = self.offset.resolve(whole.length, step);
        let rest = Bytes(whole.length.0.saturating_sub(offset.0));
        let length = self.span.resolve(whole.length, step).min(rest);
        if length < self.job.max_block_size() {
            let what = format!(
                "{length} from {offset} of {} hold no block of {}",
                whole.length,
                self.job.max_block_size()
            );
            return refuse(what, "measure more: --size");
        }
        let span = Span { offset: Bytes(whole.offset.0 + offset.0), length };
        let mut job = Job { span, ..self.job.clone() };
        job.stop.bytes = self.bytes.map(|bytes| bytes.resolve(whole.length, step));
        Ok(job)
    }
}

#[derive(Debug, Clone)]
pub struct PresetRequest {
    /// What every method is asked. A preset that only reads takes an existing file or device as if
    /// `read_only` had been said.
    pub ask: MeasureRequest,
    pub preset: Preset,
    /// Longest time of the whole run: where the preset takes longer, all its times are shortened
    /// by the same share.
    pub budget: Option<Nanos>,
}
