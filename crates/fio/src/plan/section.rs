//! The sections of a run, their clones, and the error of all planning.

use crate::options::job::JobOptions;

/// One section of a job file, or one `--name` of a command line, with its options applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    pub name: String,
    /// The name that its files have: that in brackets, where `name` says another.
    pub file_name: String,
    pub options: JobOptions,
    pub own: Vec<(String, String)>,
    /// It is the first of a further job file: all before it must have ended.
    pub new_source: bool,
}

/// One clone of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instance {
    pub section: usize,
    /// Number among the clones of its section, from 0 (`$jobnum`).
    pub clone: u32,
    /// Number among all instances, from 0.
    pub number: u32,
    /// Reporting group, from 0.
    pub group: u32,
    /// It starts when all instances of smaller waves have ended.
    pub wave: u32,
}

/// What cannot be planned: the option, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("job '{job}': {conflict}")]
pub struct PlanError {
    pub job: String,
    pub conflict: String,
    pub hint: Option<String>,
}

impl PlanError {
    pub(super) fn new(job: &str, conflict: impl Into<String>, hint: Option<&str>) -> Self {
        let (job, hint) = (job.to_owned(), hint.map(str::to_owned));
        Self { job, conflict: conflict.into(), hint }
    }
}

/// How many clones all sections have, without making them.
pub fn count_instances(sections: &[Section]) -> u64 {
    let clones = sections.iter().map(|section| u64::from(section.options.run.numjobs.max(1)));
    clones.fold(0, u64::saturating_add)
}

/// The clones of all sections, in the order in which fio numbers them.
///
/// A stonewall begins a wave and a group; `new_group` begins a group only.
pub fn expand_instances(sections: &[Section]) -> Vec<Instance> {
    let (mut group, mut wave, mut number) = (0, 0, 0);
    let mut instances = Vec::new();
    for (place, section) in sections.iter().enumerate() {
        let run = &section.options.run;
        let walled = (run.stonewall || section.new_source) && place > 0;
        wave += u32::from(walled);
        group += u32::from(walled || (run.new_group && place > 0));
        for clone in 0..run.numjobs.max(1) {
            instances.push(Instance { section: place, clone, number, group, wave });
            number += 1;
        }
    }
    instances
}

#[cfg(test)]
pub(crate) fn section(name: &str, change: impl FnOnce(&mut JobOptions)) -> Section {
    let mut options = JobOptions::default();
    change(&mut options);
    let (name, file_name) = (name.to_owned(), name.to_owned());
    Section { name, file_name, options, own: Vec::new(), new_source: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_are_numbered_through_and_stonewalls_begin_groups() {
        let sections = [
            section("a", |o| o.run.numjobs = 2),
            section("b", |_| {}),
            section("c", |o| o.run.stonewall = true),
            section("d", |o| o.run.new_group = true),
            Section { new_source: true, ..section("e", |_| {}) },
        ];
        let found: Vec<_> = expand_instances(&sections)
            .iter()
            .map(|i| (i.section, i.clone, i.number, i.group, i.wave))
            .collect();
        let expected = [
            (0, 0, 0, 0, 0),
            (0, 1, 1, 0, 0),
            (1, 0, 2, 0, 0),
            (2, 0, 3, 1, 1),
            (3, 0, 4, 2, 1),
            (4, 0, 5, 3, 2),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_stonewall_before_the_first_job_means_nothing() {
        let found = expand_instances(&[section("a", |o| o.run.stonewall = true)]);
        assert_eq!((found[0].group, found[0].wave), (0, 0));
    }
}
