//! The command: arguments and wiring; nothing else.
//!
//! `run` reads as the table of contents: parse the arguments, measure, tell. Everything that
//! measures, judges or formats lives in the other crates.
#![forbid(unsafe_code)]

mod args;
mod check;
mod compare;
mod devices;
mod explain;
mod fio;
mod fleet;
mod history;
mod limit;
mod model;
mod output;
mod ping;
mod preset;
mod progress;
mod promise;
mod signals;
mod sweep;
mod terminal;

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use ::output::OutputError;
use clap::Parser as _;

use args::{Arguments, Command};

/// How a command ended well: the exit status and nothing else to say.
pub(crate) type Outcome = Result<u8, Failure>;

/// Why a command ended badly.
#[derive(Debug)]
pub(crate) struct Failure {
    /// What is wrong, where.
    message: String,
    /// What to do next.
    hint: Option<String>,
    /// 1 failed, 2 wrong request, 4 refused to protect data.
    status: u8,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>, hint: Option<String>, status: u8) -> Self {
        Self { message: message.into(), hint, status }
    }

    /// The reader of our output has seen enough: that is no failure of ours.
    fn closed_pipe() -> Self {
        Self::new(String::new(), None, 0)
    }

    /// The same with more to say about what is wrong.
    pub(crate) fn append(mut self, more: &str) -> Self {
        self.message += more;
        self
    }

    /// What is wrong, without what to do about it.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        if error.is_broken_pipe() {
            return Self::closed_pipe();
        }
        Self::new(error.to_string(), Some(error.hint()), crate::exit_code(error.kind()))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::closed_pipe();
        }
        Self::new(format!("cannot write the result: {error}"), None, 1)
    }
}

/// The exit status of an error.
pub(crate) fn exit_code(kind: units::ErrorKind) -> u8 {
    match kind {
        units::ErrorKind::Failed => 1,
        units::ErrorKind::WrongRequest => 2,
        units::ErrorKind::NotMet => 3,
        units::ErrorKind::Refused => 4,
        units::ErrorKind::Interrupted => 130,
    }
}

fn main() -> ExitCode {
    signals::survive_file_size_limit();
    let words: Vec<OsString> = std::env::args_os().collect();
    let called = words.first().and_then(|name| Path::new(name).file_name());
    let (outcome, name) = match words.get(1) {
        _ if called.is_some_and(|name| name == "fio") => (fio::run(&words[1..], true), "fio"),
        _ if called.is_some_and(|name| name == "ioping") => {
            (ping::run(&words[1..], true), "ioping")
        }
        Some(word) if word == "fio" => (fio::run(&words[2..], false), "fio"),
        Some(word) if word == "ping" => (ping::run(&words[2..], false), "truedisk"),
        _ => return run_truedisk(),
    };
    report_outcome(outcome, name)
}

/// The command line of truedisk's own.
fn run_truedisk() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version come this way too; clap knows which stream and status.
            let _ = terminal::print_clap_message(&error);
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    report_outcome(dispatch(arguments), "truedisk")
}

/// Says what went wrong, in the name that the command was called by.
fn report_outcome(outcome: Outcome, name: &str) -> ExitCode {
    match outcome {
        Ok(status) => ExitCode::from(status),
        Err(failure) => {
            if !failure.message.is_empty() {
                let hint = failure.hint.map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
                let words = format!("{name}: {}{hint}", failure.message);
                // The last line of defence: an error may quote foreign text.
                let _ = terminal::eprint_line(input::shorten_lines(&words));
            }
            ExitCode::from(failure.status)
        }
    }
}

fn dispatch(arguments: Arguments) -> Outcome {
    match arguments.command.unwrap_or_default() {
        Command::Check(check) => check::run(&check),
        Command::Limit(limit) => limit::run(&limit),
        Command::Sweep(sweep) => sweep::run(&sweep),
        Command::Preset(args) => preset::run(&args),
        Command::Model(args) => model::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::History(command) => history::run(&command),
        Command::Devices(args) => devices::run(&args),
        Command::Fleet(args) => fleet::run(*args),
        Command::Agent(args) => fleet::run_agent(&args),
        Command::Ping { words } => ping::run(&words, false),
        Command::Fio { words } => fio::run(&words, false),
        Command::Explain { finding } => explain::run(finding),
        Command::Schema => {
            let schema = serde_json::to_string_pretty(&record::store::json_schema());
            let schema = schema.map_err(|error| Failure::new(error.to_string(), None, 1))?;
            terminal::print_json(&(schema + "\n"))?;
            Ok(0)
        }
    }
}
