//! Commands and profiles.

use super::build::*;
use crate::options::spec::{Category, OptionSpec};

const C: Category = Category::Exec;

pub(super) const TABLE: &[OptionSpec] = &[
    text("exec_prerun", C, "Command to run before the job.")
        .refused("a job file never starts commands; run it before, in your script"),
    text("exec_postrun", C, "Command to run after the job.")
        .refused("a job file never starts commands; run it afterwards, in your script"),
    choice("profile", C, "A built-in workload with options of its own.", &[])
        .without(&[("tiobench", PROFILE), ("act", PROFILE)])
        .refused(PROFILE),
    act("device-names", "Devices of the profile act, separated by commas."),
    act("load", "Load multiplier of the profile act."),
    act("test-duration", "Run time of the profile act."),
    act("threads-per-queue", "Threads per device of the profile act."),
    act("read-req-num-512-blocks", "Sectors per read of the profile act."),
    act("large-block-op-kbytes", "Kilobytes per large operation of the profile act."),
    act("prep", "Have the profile act prepare its devices."),
    tio("block", "Block size of the profile tiobench."),
    tio("numruns", "Number of runs of the profile tiobench."),
    tio("dir", "Folder of the profile tiobench."),
];

const PROFILE: &str = "built-in profiles are not run; write the workload as a job file";

const fn act(name: &'static str, help: &'static str) -> OptionSpec {
    text(name, C, help).under("profile").of(&["profile act"]).refused(PROFILE)
}

const fn tio(name: &'static str, help: &'static str) -> OptionSpec {
    text(name, C, help).under("profile").of(&["profile tiobench"]).refused(PROFILE)
}
