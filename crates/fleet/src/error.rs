//! Errors of a fleet.

use method::MethodError;
use units::ErrorKind;

use crate::message::Refusal;

/// What failed, where, and what to do next.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct FleetError {
    what: String,
    hint: Option<String>,
    kind: ErrorKind,
    absence: bool,
}

impl FleetError {
    fn new(kind: ErrorKind, what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { what: what.into(), hint: Some(hint.into()), kind, absence: false }
    }

    pub(crate) fn failed(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(ErrorKind::Failed, what, hint)
    }

    pub(crate) fn wrong_request(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(ErrorKind::WrongRequest, what, hint)
    }

    pub(crate) fn interrupted(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(ErrorKind::Interrupted, what, hint)
    }

    pub(crate) fn of_host(host: &str, refusal: Refusal) -> Self {
        let Refusal { what, hint, kind } = refusal;
        Self { what: format!("{host}: {what}"), hint, kind, absence: false }
    }

    pub(crate) fn server_absent(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { absence: true, ..Self::failed(what, hint) }
    }

    pub(crate) const fn is_server_absent(&self) -> bool {
        self.absence
    }

    pub fn hint(&self) -> Option<String> {
        self.hint.clone()
    }

    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl From<FleetError> for MethodError {
    fn from(error: FleetError) -> Self {
        Self::Hosts { what: error.what, hint: error.hint, kind: error.kind }
    }
}
