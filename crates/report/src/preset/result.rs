//! What a preset gave, as its record has it.

use record::{
    Cell, CellRole, PresetOutcome, PresetPlan, PresetStep, Purpose, Record, StepFigures,
    StepOutcome,
};
use workload::Direction;

#[derive(Debug, Clone, Copy)]
pub struct PresetResult<'r> {
    pub record: &'r Record,
    pub plan: &'r PresetPlan,
    pub outcome: &'r PresetOutcome,
}

impl<'r> PresetResult<'r> {
    /// That of a record; `None` where it is of no preset, or not judged.
    pub fn from_record(record: &'r Record) -> Option<Self> {
        let Purpose::Preset(plan) = &record.measured.plan.purpose else { return None };
        Some(Self { record, plan, outcome: record.judgement_or_default().preset.as_ref()? })
    }

    pub fn step(&self, name: &str) -> Option<StepResult<'r>> {
        let (step, outcome) = (self.plan.step(name)?, self.outcome.step(name)?);
        Some(StepResult { record: self.record, step, outcome })
    }

    pub fn steps(&self) -> impl Iterator<Item = StepResult<'r>> + use<'r> {
        let result = *self;
        result.plan.steps.iter().filter_map(move |step| result.step(&step.name))
    }
}

#[derive(Debug, Clone, Copy)]
pub struct StepResult<'r> {
    record: &'r Record,
    pub step: &'r PresetStep,
    pub outcome: &'r StepOutcome,
}

impl<'r> StepResult<'r> {
    /// The figures of one direction of its first job.
    pub fn figures(&self, direction: Direction) -> Option<&'r StepFigures> {
        let job = self.outcome.figures.first().map(|figures| figures.job.as_str())?;
        self.figures_of(job, direction)
    }

    pub fn figures_of(&self, job: &str, direction: Direction) -> Option<&'r StepFigures> {
        let is = |f: &&StepFigures| f.job == job && f.direction == direction;
        self.outcome.figures.iter().find(is)
    }

    /// The cells of the passes that count, in the order in which they ran; of several jobs, those
    /// of each pass follow each other.
    pub fn passes(&self) -> impl Iterator<Item = &'r Cell> + use<'r> {
        let name = self.step.name.as_str();
        self.record.measured.cells.iter().filter(move |cell| {
            let of = cell.step.as_ref().filter(|of| of.step == name && !of.discarded);
            cell.role == CellRole::Step && of.is_some()
        })
    }
}
