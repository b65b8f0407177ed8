//! One setting: a default of an option, and where it was set.

use std::path::PathBuf;

use clap::Arg;

use crate::exit::Failure;

/// Options of a single run, of all commands or of one: as defaults they would destroy data, write
/// over results, listen, accept orders of anyone, change what a script reads, or be refused by
/// `fleet list` and `fleet stop`.
pub(super) const COMMAND_LINE_ONLY: [&str; 28] = [
    "help",
    "version",
    "json",
    "html",
    "markdown",
    "csv",
    "nagios",
    "svg",
    "output",
    "trace",
    "as-fio",
    "as-preset",
    "textfile",
    "records",
    "resume",
    "yes-destroy-data-on",
    "interleave",
    "prometheus",
    "insecure",
    "agent.allow",
    "relay",
    "at-most",
    "canary",
    "per-tag",
    "stop-on",
    "history.prune.keep",
    "history.prune.older-than",
    "replay.plan",
];

/// A default of an option.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OptionDefault {
    /// Empty for every command that has the option.
    pub(super) command: Vec<String>,
    pub(super) option: String,
    pub(super) values: Vec<String>,
    pub(super) origin: Origin,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Origin {
    Variable(String),
    File { path: PathBuf, line: usize },
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Variable(name) => f.write_str(name),
            Self::File { path, line } => write!(f, "{}:{line}", path.display()),
        }
    }
}

impl OptionDefault {
    /// `check.bound`, `quiet`.
    pub(super) fn name(&self) -> String {
        self.command.iter().chain([&self.option]).cloned().collect::<Vec<_>>().join(".")
    }

    pub(super) fn wrong(&self, message: impl std::fmt::Display) -> Failure {
        let command = self.command.join(" ");
        let command = if command.is_empty() { command } else { format!(" {command}") };
        Failure::wrong(format_args!("{}: {message}", self.origin))
            .hint(format!("truedisk{command} --help lists the options"))
    }
}

/// Of the command with this path.
pub(super) fn is_configurable(path: &[String], arg: &Arg) -> bool {
    let is_free = |name: &str| {
        let full = format!("{}.{name}", path.join("."));
        !COMMAND_LINE_ONLY.iter().any(|only| *only == name || *only == full)
    };
    arg.get_long().is_some_and(is_free) && !arg.is_hide_set()
}
