//! Result files of jobs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fio::plan::{Instance, Section};
use output::{Destination, Destinations};

use super::error::JobsError;
use super::log_files::{command_files, log_files};
use super::verify::state_file;

/// Refuses results that would destroy data or cannot be written. `inputs` are files of the jobs.
pub(super) fn check_results<'a>(
    results: Option<&Destinations>,
    instances: impl Iterator<Item = (&'a Section, &'a Instance)> + Clone,
    inputs: impl Iterator<Item = PathBuf>,
    aux: Option<&Path>,
) -> Result<Option<Destinations>, JobsError> {
    let Some(mut results) = results.cloned() else { return Ok(None) };
    inputs.for_each(|path| results.protect(&path));
    if let Some((section, _)) = instances.clone().next() {
        results.check_again().map_err(|source| JobsError::output(&section.name, source))?;
    }
    let mut checked = Some(results.clone());
    let mut of_commands = BTreeSet::new();
    for (section, instance) in instances {
        // Instances of a job share them, and no log may have their names.
        for name in command_files(section) {
            if of_commands.insert(name.clone()) {
                open_result(&mut checked, section, &name)?;
            }
        }
        for (_, name) in log_files(section, instance.number + 1) {
            open_result(&mut checked, section, &name)?;
        }
        let verify = &section.options.verify;
        let writes = section.options.pattern.rw.operation.writes() && !verify.only;
        if !verify.state_save || !writes {
            continue;
        }
        // As in fio: a state that cannot be saved does not end a job.
        match results.clone().open(&state_file(section, instance, aux)) {
            Err(source) if source.kind() == units::ErrorKind::Refused => {
                return Err(JobsError::output(&section.name, source));
            }
            Ok(_) | Err(_) => {}
        }
    }
    Ok(Some(results))
}

/// Opens a log or a trace, one per instance or one for all.
pub(super) fn open_result(
    results: &mut Option<Destinations>,
    section: &Section,
    name: &str,
) -> Result<Destination, JobsError> {
    let Some(results) = results else {
        let what = format!("cannot write {name}: an agent writes no logs");
        return Err(JobsError::file(&section.name, what, "leave it out"));
    };
    let opened = match section.options.log.per_job {
        true => results.open_to_follow(Path::new(name)),
        false => results.open_to_append(Path::new(name)),
    };
    opened.map_err(|source| JobsError::output(&section.name, source))
}

/// Opens the file of a job for what its commands write. As in fio, instances write over each other.
pub(super) fn open_command_file(
    results: Option<&Destinations>,
    section: &Section,
    name: &str,
) -> Result<Destination, JobsError> {
    open_result(&mut results.cloned(), section, name)
}
