//! `truedisk share`: a record without the names of its host.

use std::path::PathBuf;

use message::{Message, messages};
use method::Preset;
use record::{PresetPlan, PresetStep, Record, RemovedKind, StepWork};

use crate::args::ShareArgs;
use crate::compare::load_run;
use crate::exit::{Exit, Outcome};
use crate::output::{guarded_destinations, write_record_json};
use crate::terminal;

pub(crate) fn run(args: &ShareArgs) -> Outcome {
    let record = load_run(&args.run)?;
    let path = args.output.clone().or_else(|| args.json.json.clone());
    let path = path.unwrap_or_else(|| PathBuf::from(format!("{}.shared.json", record.measured.id)));
    let file = guarded_destinations([&args.run]).open(&path)?;
    let (measured, removed) = record::anonymise(record.measured, is_built_in)?;
    let judgement = Some(analysis::judge(&measured));
    let shared = Record { judgement, measured, ..record };
    let written = write_record_json(file, &shared)?;
    for (kind, count) in removed {
        terminal::eprint_line(terminal::tell(removed_words(kind, count)))?;
    }
    if let Some(path) = written {
        terminal::eprint_line(terminal::tell(crate::output::WrittenTo { path }))?;
    }
    Ok(Exit::Done)
}

/// Whether a preset has the words of the catalogue.
fn is_built_in(plan: &PresetPlan) -> bool {
    fn step_words(step: &PresetStep) -> Vec<&str> {
        let of_step = [step.name.as_str(), step.label.text()].into_iter();
        let of_step =
            of_step.chain(step.note.as_ref().map(Message::text)).chain(step.group.as_deref());
        match &step.work {
            StepWork::Jobs { jobs } => of_step.chain(jobs.iter().map(String::as_str)).collect(),
            _ => of_step.collect(),
        }
    }
    fn plan_words(plan: &PresetPlan) -> Vec<&str> {
        let of_plan = [plan.title.as_str(), plan.imitates.text()].into_iter();
        let of_plan = of_plan.chain(plan.notes.iter().map(Message::text));
        of_plan.chain(plan.steps.iter().flat_map(step_words)).collect()
    }
    Preset::find(&plan.name, &[]).is_ok_and(|known| plan_words(&known.plan) == plan_words(plan))
}

fn removed_words(kind: RemovedKind, count: usize) -> Message {
    match kind {
        RemovedKind::Host => RemovedHosts { count }.into(),
        RemovedKind::Address => RemovedAddresses { count }.into(),
        RemovedKind::Path => RemovedPaths { count }.into(),
        RemovedKind::Serial => RemovedSerials { count }.into(),
        RemovedKind::VolumeName => RemovedVolumes { count }.into(),
        RemovedKind::ControlGroup => RemovedGroups { count }.into(),
        RemovedKind::Process => RemovedProcesses { count }.into(),
        RemovedKind::Label => RemovedLabels { count }.into(),
        RemovedKind::CommandLine => RemovedCommands { count }.into(),
        RemovedKind::Source => RemovedSources { count }.into(),
        RemovedKind::Job => RemovedJobs { count }.into(),
        RemovedKind::Preset => RemovedPresets { count }.into(),
    }
}

messages! {
    RemovedHosts = "share-removed-hosts" { count: usize };
    RemovedAddresses = "share-removed-addresses" { count: usize };
    RemovedPaths = "share-removed-paths" { count: usize };
    RemovedSerials = "share-removed-serials" { count: usize };
    RemovedVolumes = "share-removed-volumes" { count: usize };
    RemovedGroups = "share-removed-groups" { count: usize };
    RemovedProcesses = "share-removed-processes" { count: usize };
    RemovedLabels = "share-removed-labels" { count: usize };
    RemovedCommands = "share-removed-commands" { count: usize };
    RemovedSources = "share-removed-sources" { count: usize };
    RemovedJobs = "share-removed-jobs" { count: usize };
    RemovedPresets = "share-removed-presets" { count: usize };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_of_the_catalogue_are_known_by_their_words() {
        for name in method::preset::built_in_names() {
            let plan = Preset::find(name, &[]).unwrap().plan;
            assert!(is_built_in(&plan), "{name}");
            let other = PresetPlan { title: "for Ann".to_owned(), ..plan.clone() };
            assert!(!is_built_in(&other), "{name}");
            assert!(!is_built_in(&PresetPlan { name: "nosuch".to_owned(), ..plan }), "{name}");
        }
    }
}
