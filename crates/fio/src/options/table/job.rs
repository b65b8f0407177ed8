//! Name, description, number of instances, order of jobs.

use super::build::*;
use crate::options::spec::{Category, OptionSpec};

const C: Category = Category::Job;

pub(super) const TABLE: &[OptionSpec] = &[
    text("name", C, "Name of the job; on the command line it also starts a new job."),
    text("description", C, "A sentence about the job, repeated in the results."),
    int("numjobs", C, "Number of equal instances of the job, run at the same time.").default("1"),
    int("loops", C, "How often the job is run, one run after the other.").default("1"),
    switch("thread", C, "Run instances as threads of one process, not as processes.")
        .alias(&["threads"]),
    switch("group_reporting", C, "One result for all instances of a group."),
    switch("new_group", C, "Start a new group of results with this job."),
    switch("stonewall", C, "Start this job only when all jobs before it have ended.")
        .alias(&["wait_for_previous"]),
    text("wait_for", C, "Start this job only when the job of this name has ended."),
    switch("exitall", C, "When this job ends, end the others too (see exit_what)."),
    choice("exit_what", C, "Which jobs exitall ends.", EXIT_WHAT).default("group"),
];

const EXIT_WHAT: &[(&str, &str)] = &[
    ("group", "jobs of the same group of results"),
    ("stonewall", "jobs that run now, up to the next stonewall"),
    ("all", "all jobs, also those that have not started"),
];
