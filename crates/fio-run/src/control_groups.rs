//! The control groups of jobs (`cgroup`).

use fio::plan::Section;
use target::{JobGroups, Roots};

use super::error::JobsError;

/// Makes the groups that are missing.
pub(super) fn prepare_groups(sections: &[Section], roots: &Roots) -> Result<JobGroups, JobsError> {
    let mut groups = JobGroups::default();
    for section in sections {
        let Some(name) = group_name(section) else { continue };
        let options = &section.options.placement.cgroup;
        groups.prepare(name, options.weight, options.keeps, roots).map_err(|problem| {
            let hint = "start a run for each group with systemd-run -p IOWeight=N";
            JobsError::file(&section.name, format!("cgroup={name} {problem}"), hint)
        })?;
    }
    Ok(groups)
}

/// Calls `start`, whose threads begin in the group of `section`.
pub(super) fn start_in_group<T>(
    groups: &JobGroups,
    section: &Section,
    start: impl FnOnce() -> T,
) -> Result<T, JobsError> {
    let Some(name) = group_name(section) else { return Ok(start()) };
    let failed = |error: std::io::Error| {
        let hint = "start the run inside the group, without cgroup";
        JobsError::file(&section.name, format!("enter cgroup={name}: {error}"), hint)
    };
    groups.start_inside(name, start).map_err(failed)
}

fn group_name(section: &Section) -> Option<&str> {
    let options = &section.options.placement.cgroup;
    let name = options.name.as_deref();
    name.or_else(|| options.weight.is_some().then_some(section.name.as_str()))
}
