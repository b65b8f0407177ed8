//! Presets as they are told: our own table, and the familiar texts of the tools they imitate.
//!
//! # How to add a familiar text
//!
//! Write one pure function `fn(&PresetResult<'_>) -> String` in a file of its own here, and add a
//! line to [`FORMATS`]. It is printed by `--format NAME`, whatever the preset; a preset names the
//! one that is usual for it with `format = "NAME"`. What it prints comes from the record alone:
//!
//! - [`PresetResult::step`] gives a step by name with its figures: [`StepResult::figures`] (median,
//!   interval, and the score as the tool takes it: best, mean), [`StepResult::passes`] the cells
//!   behind them, with job, ledger, histogram;
//! - [`PresetResult::record`] has everything else: target, surface, environment, findings.
//!
//! A step that was left out or cut short is absent: the text then has no line for it, or the mark
//! that the tool itself uses; never a zero.
//!
//! A test parses the text as a script that scrapes the tool would.

mod lines;
pub(crate) mod table;
pub(crate) mod text;

use record::{
    Cell, CellRole, PresetOutcome, PresetPlan, PresetStep, Purpose, Record, StepFigures,
    StepOutcome,
};
use workload::Direction;

/// A familiar text.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// As `--format` takes it.
    pub name: &'static str,
    /// What it is, in a few words.
    pub what: &'static str,
    /// Makes the text, with its last line ended.
    pub print: fn(&PresetResult<'_>) -> String,
}

/// Every familiar text, in the order in which they are listed.
pub const FORMATS: &[Format] = &[Format {
    name: "lines",
    what: "a line for each figure, with tabs, for scripts",
    print: lines::print,
}];

/// The familiar text of this name.
#[must_use]
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

/// What a preset gave, as its record has it.
#[derive(Debug, Clone, Copy)]
pub struct PresetResult<'r> {
    /// All of the record.
    pub record: &'r Record,
    /// What was asked.
    pub plan: &'r PresetPlan,
    /// What follows from it.
    pub outcome: &'r PresetOutcome,
}

impl<'r> PresetResult<'r> {
    /// That of a record; `None` where it is of no preset, or not judged.
    #[must_use]
    pub fn of(record: &'r Record) -> Option<Self> {
        let Purpose::Preset(plan) = &record.plan.purpose else { return None };
        Some(Self { record, plan, outcome: record.preset.as_ref()? })
    }

    /// A step that was measured.
    #[must_use]
    pub fn step(&self, name: &str) -> Option<StepResult<'r>> {
        let (step, outcome) = (self.plan.step(name)?, self.outcome.step(name)?);
        Some(StepResult { record: self.record, step, outcome })
    }

    /// The steps that were measured, in order.
    pub fn steps(&self) -> impl Iterator<Item = StepResult<'r>> + use<'r> {
        let result = *self;
        result.plan.steps.iter().filter_map(move |step| result.step(&step.name))
    }
}

/// What a step gave.
#[derive(Debug, Clone, Copy)]
pub struct StepResult<'r> {
    record: &'r Record,
    /// What was asked.
    pub step: &'r PresetStep,
    /// What follows from it.
    pub outcome: &'r StepOutcome,
}

impl<'r> StepResult<'r> {
    /// The figures of one direction of its first job.
    #[must_use]
    pub fn figures(&self, direction: Direction) -> Option<&'r StepFigures> {
        let job = self.outcome.figures.first().map(|figures| figures.job.as_str())?;
        self.figures_of(job, direction)
    }

    /// The figures of one direction of one of its jobs.
    #[must_use]
    pub fn figures_of(&self, job: &str, direction: Direction) -> Option<&'r StepFigures> {
        let is = |f: &&StepFigures| f.job == job && f.direction == direction;
        self.outcome.figures.iter().find(is)
    }

    /// The cells of the passes that count, in the order in which they ran; of several jobs, those
    /// of each pass follow each other.
    pub fn passes(&self) -> impl Iterator<Item = &'r Cell> + use<'r> {
        let name = self.step.name.as_str();
        self.record.cells.iter().filter(move |cell| {
            let of = cell.step.as_ref().filter(|of| of.step == name && !of.discarded);
            cell.role == CellRole::Step && of.is_some()
        })
    }
}
