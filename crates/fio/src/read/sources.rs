//! Reads a command line, then the job files it names.

use std::ffi::OsString;

use super::command::{JobSource, ParsedCommand, RawSwitch};
use super::command_line::read_command_line;
use super::environment::ReadEnvironment;
use super::error::{ReadError, printable_text};
use super::job_file::{ReadContext, read_job_file};
use super::options::is_boolean;
use super::place::STDIN;
use super::sections::{Scope, SectionCollector};

/// Reads the command line (without the program's name) and the job files it names. With one of
/// `help`, `version`, `cmdhelp` or `enghelp` no job file is opened.
/// Errors: the first thing that cannot be read, with its place.
pub fn read_command(
    args: &[OsString],
    environment: &ReadEnvironment<'_>,
) -> Result<ParsedCommand, ReadError> {
    let line = read_command_line(args, environment)?;
    let defaults = line.gather.globals().to_vec();
    let (switches, files, selected) = (line.switches, line.files, line.selected);
    let mut groups = vec![line.gather.finish(None, false)?];
    let asks_for_help =
        |switch: &RawSwitch| matches!(switch.name, "help" | "version" | "cmdhelp" | "enghelp");
    if !switches.iter().any(asks_for_help) {
        let context = ReadContext { environment, selected: &selected };
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
        let name = printable_text(&file.name);
        let failed = ReadError::new(&file.place, format!("cannot open job file '{name}': {error}"));
        match is_boolean(&file.name) {
            true => failed.with_hint("a flag takes its value with '=', as in --time_based=1"),
            false => failed,
        }
    })?;
    read_job_file(gather, &text.bytes, &file.name, Some(&text.path), context)
}
