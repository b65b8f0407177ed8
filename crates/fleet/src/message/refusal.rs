//! Refusals of a host.

use fio_run::JobsError;
use method::MethodError;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use units::ErrorKind;

/// A refusal, or a failure of a host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refusal {
    pub what: String,
    pub hint: Option<String>,
    /// A number in messages.
    #[serde(rename = "status", serialize_with = "write_code", deserialize_with = "read_code")]
    pub kind: ErrorKind,
}

impl Refusal {
    pub(crate) fn new(kind: ErrorKind, what: impl Into<String>, hint: Option<&str>) -> Self {
        Self { what: what.into(), hint: hint.map(str::to_owned), kind }
    }

    pub(crate) fn failed(what: impl Into<String>) -> Self {
        Self::new(ErrorKind::Failed, what, None)
    }
}

impl From<MethodError> for Refusal {
    fn from(error: MethodError) -> Self {
        Self { what: error.to_string(), hint: error.hint(), kind: error.kind() }
    }
}

impl From<JobsError> for Refusal {
    fn from(error: JobsError) -> Self {
        Self { what: error.to_string(), hint: error.hint(), kind: error.kind() }
    }
}

/// Numbers of the kinds in messages.
const CODES: [(u8, ErrorKind); 5] = [
    (1, ErrorKind::Failed),
    (2, ErrorKind::WrongRequest),
    (3, ErrorKind::NotMet),
    (4, ErrorKind::Refused),
    (130, ErrorKind::Interrupted),
];

fn write_code<S: Serializer>(kind: &ErrorKind, serializer: S) -> Result<S::Ok, S::Error> {
    let code = CODES.iter().find(|(_, known)| known == kind).map_or(1, |(code, _)| *code);
    serializer.serialize_u8(code)
}

fn read_code<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ErrorKind, D::Error> {
    let code = u8::deserialize(deserializer)?;
    Ok(CODES.iter().find(|(known, _)| *known == code).map_or(ErrorKind::Failed, |(_, kind)| *kind))
}
