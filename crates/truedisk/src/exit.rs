//! How a command ends: the one place that knows exit statuses, and what is said of an error.

use std::fmt::Display;
use std::io;

use fio_run::JobsError;
use fleet::FleetError;
use fleet::ssh::SshError;
use history::HistoryError;
use method::MethodError;
use output::OutputError;
use units::ErrorKind;

pub(crate) type Outcome = Result<Exit, Failure>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Done,
    Error(ErrorKind),
    /// fio counts the jobs that failed.
    FailedJobs(u32),
    FioInterrupted,
    RequestFailed,
    /// The state that a plugin of Nagios reports.
    Nagios(PluginState),
}

/// The state of a service that a plugin of Nagios reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PluginState {
    Ok,
    Warning,
    Critical,
    Unknown,
}

impl PluginState {
    pub(crate) const fn status(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Warning => 1,
            Self::Critical => 2,
            Self::Unknown => 3,
        }
    }

    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::Warning => "WARNING",
            Self::Critical => "CRITICAL",
            Self::Unknown => "UNKNOWN",
        }
    }
}

/// ioping's status of a second Ctrl-C.
pub(crate) const IOPING_SECOND_SIGNAL: i32 = 4;

/// The status of a process that a signal ended, as shells count.
pub(crate) const fn signal_status(signal: i32) -> i32 {
    128 + signal
}

impl Exit {
    /// fio's own is its number of failures by 256, which makes 256 of them none.
    pub(crate) fn status(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Error(ErrorKind::Failed) => 1,
            Self::Error(ErrorKind::WrongRequest) => 2,
            Self::Error(ErrorKind::NotMet) | Self::RequestFailed => 3,
            Self::Error(ErrorKind::Refused) => 4,
            Self::Error(ErrorKind::Interrupted) => 130,
            Self::FailedJobs(count) => u8::try_from(count).unwrap_or(u8::MAX),
            Self::FioInterrupted => 128,
            Self::Nagios(state) => state.status(),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    pub(crate) exit: Exit,
}

impl Failure {
    pub(crate) fn new(kind: ErrorKind, message: impl Display, hint: Option<String>) -> Self {
        Self { message: message.to_string(), hint, exit: Exit::Error(kind) }
    }

    pub(crate) fn wrong(message: impl Display) -> Self {
        Self::new(ErrorKind::WrongRequest, message, None)
    }

    pub(crate) fn failed(message: impl Display) -> Self {
        Self::new(ErrorKind::Failed, message, None)
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn exit(self, exit: Exit) -> Self {
        Self { exit, ..self }
    }

    /// The reader of our output has closed it.
    fn closed_pipe() -> Self {
        Self::failed("").exit(Exit::Done)
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        if error.is_broken_pipe() {
            return Self::closed_pipe();
        }
        Self::new(error.kind(), &error, Some(error.hint()))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::closed_pipe();
        }
        Self::failed(format_args!("cannot write the result: {error}"))
    }
}

impl From<HistoryError> for Failure {
    fn from(error: HistoryError) -> Self {
        let kind = match &error {
            HistoryError::Export { words } if words.contains("Broken pipe") => {
                return Self::closed_pipe();
            }
            HistoryError::Export { .. } => ErrorKind::Failed,
            HistoryError::NotOurs { .. } => ErrorKind::Refused,
            _ => ErrorKind::WrongRequest,
        };
        Self::new(kind, &error, error.hint())
    }
}

impl From<SshError> for Failure {
    fn from(error: SshError) -> Self {
        let kind = match error {
            SshError::Destination { .. } | SshError::DuplicateName { .. } => {
                ErrorKind::WrongRequest
            }
            SshError::Stopped => ErrorKind::Interrupted,
            _ => ErrorKind::Failed,
        };
        Self::new(kind, &error, error.hint())
    }
}

impl From<MethodError> for Failure {
    fn from(error: MethodError) -> Self {
        Self::new(error.kind(), &error, error.hint())
    }
}

impl From<FleetError> for Failure {
    fn from(error: FleetError) -> Self {
        Self::new(error.kind(), &error, error.hint())
    }
}

impl From<JobsError> for Failure {
    fn from(error: JobsError) -> Self {
        Self::new(error.kind(), &error, error.hint())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::failed(error)
    }
}
