//! From words and bytes to raw sections: job files, the command line, what counts where.
//!
//! fio's order, least first: options before the first `--name` (and after `--name=global`), the
//! `[global]` sections above a section, the section itself. So what a job file says wins over
//! the command line's defaults. Those defaults reach the first job file only, as in fio.

mod command_line;
mod error;
mod expression;
mod fuzz;
mod job_file;
mod keywords;
mod limits;
mod lookup;
mod options;
mod place;
mod sections;
mod sent;
mod show;
#[cfg(test)]
mod tests;

pub use command_line::JobSource;
pub use error::ReadError;
pub use expression::{ExpressionError, Number, Units, evaluate};
pub use fuzz::fuzz_one;
pub use job_file::{DiskFiles, FileSource, FileText};
pub use keywords::Keywords;
pub use lookup::{Argument, Lookup, Switch, Table};
pub use place::{COMMAND_LINE, Place, STDIN};
pub use sections::{Origin, RawOption, RawSection, SourceGroup};
pub use sent::SentJobs;
pub use show::show_command;

use job_file::{ReadContext, read_job_file};
use sections::{Scope, SectionCollector};
use std::ffi::OsString;
use std::io;

/// What reading takes from around it.
pub struct ReadEnvironment<'a> {
    /// Where job files come from.
    pub files: &'a dyn FileSource,
    /// The environment, for `${NAME}` in job files.
    pub env: &'a dyn Fn(&str) -> Option<String>,
    /// What `$pagesize` and the like stand for.
    pub keywords: Keywords,
    /// The standard input to its end, for the job file `-`.
    pub stdin: &'a dyn Fn() -> io::Result<Vec<u8>>,
}

/// A switch as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawSwitch {
    /// Its long name, without dashes.
    pub name: &'static str,
    /// Its value, when one was given.
    pub value: Option<String>,
    /// Which word it is.
    pub place: Place,
}

/// All that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedCommand {
    /// Switches, in order; `section` is among them but was already heeded.
    pub switches: Vec<RawSwitch>,
    /// Job files, in the order given.
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

/// Reads the command line (without the program's name) and the job files it names. With one of
/// `help`, `version`, `cmdhelp` or `enghelp` no job file is opened.
///
/// # Errors
/// The first thing that cannot be read, with its place.
pub fn read_command(
    args: &[OsString],
    lookup: &dyn Lookup,
    world: &ReadEnvironment<'_>,
) -> Result<ParsedCommand, ReadError> {
    let line = command_line::read_command_line(args, lookup, world)?;
    let defaults = line.gather.globals().to_vec();
    let (switches, files, wanted) = (line.switches, line.files, line.selected);
    let mut groups = vec![line.gather.finish(None, false)?];
    let asks =
        |switch: &RawSwitch| matches!(switch.name, "help" | "version" | "cmdhelp" | "enghelp");
    if !switches.iter().any(asks) {
        let context = ReadContext { lookup, environment: world, selected: &wanted };
        for (index, file) in files.iter().enumerate() {
            let defaults = if index == 0 { defaults.clone() } else { Vec::new() };
            let mut gather = SectionCollector::new(defaults, Scope::Outside);
            read_job_source(&mut gather, file, &context)?;
            groups.push(gather.finish(Some(index), index > 0)?);
        }
    }
    Ok(ParsedCommand { switches, files, groups })
}

fn read_job_source(
    gather: &mut SectionCollector,
    file: &JobSource,
    context: &ReadContext<'_>,
) -> Result<(), ReadError> {
    if file.name == "-" {
        let bytes = (context.environment.stdin)().map_err(|error| {
            ReadError::new(&file.place, format!("cannot read the standard input: {error}"))
        })?;
        return read_job_file(gather, &bytes, STDIN, None, context);
    }
    let text = context.environment.files.read(&file.name, None).map_err(|error| {
        let name = error::printable_text(&file.name);
        let failed = ReadError::new(&file.place, format!("cannot open job file '{name}': {error}"));
        match options::is_boolean(&file.name) {
            true => failed.with_hint("a flag takes its value with '=', as in --time_based=1"),
            false => failed,
        }
    })?;
    read_job_file(gather, &text.bytes, &file.name, Some(&text.path), context)
}
