//! Names that a person chose: of fio's jobs, and of a preset of their own with its steps.

use std::collections::BTreeMap;
use std::sync::Arc;

use message::Message;

use super::{Removal, RemovedKind};
use crate::{Cell, Finding, Measured, PresetPlan, Purpose, StepWork};

impl Removal {
    /// Numbers the jobs of a run that another program measured, or our own fio.
    pub(super) fn clean_jobs(&mut self, measured: &mut Measured) {
        let mut names = BTreeMap::new();
        // What our fio tries out beside the jobs has a name of ours.
        for cell in measured.cells.iter().filter(|cell| cell.trial.is_none()) {
            let substitute = self.take(RemovedKind::Job, &cell.name, "job");
            names.insert(cell.name.clone(), substitute.clone());
            if cell.job.name != cell.name && !names.contains_key(&cell.job.name) {
                self.add_alias(RemovedKind::Job, &cell.job.name, &substitute);
            }
        }
        rename_cells(&mut measured.cells, &names);
        if let Some(imported) = &mut measured.imported {
            rename_findings(imported.findings.iter_mut(), &names);
        }
        let Some(fleet) = &mut measured.fleet else { return };
        for met in &mut fleet.cells {
            rename(&mut met.cell, &names);
        }
        for host in &mut fleet.hosts {
            host.cells.iter_mut().for_each(|part| rename_cell(&mut part.cell, &names));
            host.lost
                .iter_mut()
                .flat_map(|lost| &mut lost.cell)
                .for_each(|cell| rename(cell, &names));
            rename_findings(host.findings.iter_mut().map(Arc::make_mut), &names);
        }
    }

    /// What remains of a preset of one's own are its numbers.
    pub(super) fn clean_preset(&mut self, measured: &mut Measured) {
        let Purpose::Preset(plan) = &mut measured.plan.purpose else { return };
        self.clean_preset_plan(plan);
        let mut names = BTreeMap::new();
        for cell in &mut measured.cells {
            let Some(step) = &mut cell.step else { continue };
            self.replace(RemovedKind::Preset, &mut step.step, "step");
            let planned = plan.step(&step.step).map(|planned| &planned.work);
            if !matches!(planned, Some(StepWork::Jobs { .. })) {
                continue;
            }
            self.replace(RemovedKind::Preset, &mut step.job, "job");
            let kind = if step.discarded { "warmup" } else { "pass" };
            let name = format!("{}-{}-{kind}{}", step.step, step.job, step.pass);
            self.add_alias(RemovedKind::Preset, &cell.name, &name);
            names.insert(cell.name.clone(), name);
        }
        rename_cells(&mut measured.cells, &names);
    }

    fn clean_preset_plan(&mut self, plan: &mut PresetPlan) {
        self.replace(RemovedKind::Preset, &mut plan.name, "preset");
        self.add_alias(RemovedKind::Preset, &plan.title, "preset");
        "preset".clone_into(&mut plan.title);
        plan.imitates = Message::from_text("preset");
        plan.format = None;
        plan.notes.clear();
        for step in &mut plan.steps {
            self.replace(RemovedKind::Preset, &mut step.name, "step");
            self.add_alias(RemovedKind::Preset, step.label.text(), &step.name);
            step.label = Message::from_text(&step.name);
            step.note = None;
            if let Some(group) = &mut step.group {
                self.replace(RemovedKind::Preset, group, "group");
            }
            if let StepWork::Jobs { jobs } = &mut step.work {
                jobs.iter_mut().for_each(|job| self.replace(RemovedKind::Preset, job, "job"));
            }
        }
        for threshold in &mut plan.thresholds {
            self.replace(RemovedKind::Preset, &mut threshold.step, "step");
            self.replace(RemovedKind::Preset, &mut threshold.job, "job");
        }
    }
}

type CellNames = BTreeMap<String, String>;

fn rename(name: &mut String, names: &CellNames) {
    if let Some(substitute) = names.get(name) {
        substitute.clone_into(name);
    }
}

fn rename_cell(cell: &mut Cell, names: &CellNames) {
    if names.contains_key(&cell.name) {
        rename(&mut cell.name, names);
        cell.job.name.clone_from(&cell.name);
    }
    cell.beside.iter_mut().for_each(|beside| rename(beside, names));
}

fn rename_cells(cells: &mut [Cell], names: &CellNames) {
    cells.iter_mut().for_each(|cell| rename_cell(cell, names));
}

fn rename_findings<'f>(findings: impl Iterator<Item = &'f mut Finding>, names: &CellNames) {
    let touched = findings.flat_map(|finding| &mut finding.cells);
    touched.for_each(|cell| rename(cell, names));
}
