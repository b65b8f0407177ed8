//! A command line and its job files, as read.

use super::place::Place;
use super::sections::{RawOption, RawSection, SourceGroup};

/// A switch as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawSwitch {
    pub name: &'static str,
    pub value: Option<String>,
    pub place: Place,
}

/// All that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedCommand {
    /// Switches, in order; `section` is among them but was already heeded.
    pub switches: Vec<RawSwitch>,
    pub files: Vec<JobSource>,
    /// The jobs of the command line first (perhaps none), then those of each job file. Only
    /// from the second job file on do they wait for those before.
    pub groups: Vec<SourceGroup>,
}

impl ParsedCommand {
    /// All jobs in the order in which they run or start.
    pub fn sections(&self) -> impl Iterator<Item = &RawSection> {
        self.groups.iter().flat_map(|group| &group.sections)
    }

    /// What fio's JSON gives as "global options": the defaults of the source that was read
    /// last. A name may occur several times; the last one counts.
    pub fn global_options(&self) -> &[RawOption] {
        self.groups.last().map_or(&[], |group| &group.globals)
    }

    /// The value of a switch that was given (the last, when it was given several times).
    pub fn find_switch(&self, name: &str) -> Option<&RawSwitch> {
        self.switches.iter().rev().find(|switch| switch.name == name)
    }
}

/// A job file on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobSource {
    pub name: String,
    pub place: Place,
}
