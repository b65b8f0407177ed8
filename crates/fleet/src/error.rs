//! What can go wrong on the way to many hosts.

use method::MethodError;

/// What is wrong, where, and what to do next.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct FleetError {
    what: String,
    hint: Option<String>,
    status: u8,
    absence: bool,
}

/// Exit statuses.
const FAILED: u8 = 1;
const WRONG: u8 = 2;
const INTERRUPTED: u8 = 130;

impl FleetError {
    /// Something that did not work: status 1.
    pub(crate) fn failed(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { what: what.into(), hint: Some(hint.into()), status: FAILED, absence: false }
    }

    /// A request that is wrong: status 2.
    pub(crate) fn wrong_request(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { what: what.into(), hint: Some(hint.into()), status: WRONG, absence: false }
    }

    /// The user ended it before there was anything to keep: status 130.
    pub(crate) fn interrupted(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { status: INTERRUPTED, ..Self::failed(what, hint) }
    }

    /// What a host said about it.
    pub(crate) fn of_host(host: &str, what: &str, hint: Option<String>, status: u8) -> Self {
        Self { what: format!("{host}: {what}"), hint, status, absence: false }
    }

    /// The server is not there: it may come.
    pub(crate) fn server_absent(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { absence: true, ..Self::failed(what, hint) }
    }

    /// Whether it may help to try again.
    pub(crate) const fn is_server_absent(&self) -> bool {
        self.absence
    }

    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        self.hint.clone()
    }

    /// The exit status that it calls for.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        self.status
    }
}

impl From<FleetError> for MethodError {
    fn from(error: FleetError) -> Self {
        Self::Hosts { what: error.what, hint: error.hint, status: error.status }
    }
}
