//! What agents and coordinators say to each other, and what of it is believed.
//!
//! A message is one line of JSON, and after it the bytes of a piece, where it carries one. It has
//! the version of its sender; one of another version is refused before anything else in it is
//! looked at. Unknown fields, unknown orders and sizes beyond what is reasonable are refused too.

mod order;
mod refusal;
mod reply;
mod subject;
#[cfg(test)]
mod tests;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use order::{BeginJobs, BeginRun, FetchItem, Order};
pub use refusal::Refusal;
pub use reply::{AgentInfo, CellProgress, JobsProgress, KeptRun, Phase, Reply, RunState};
pub(crate) use subject::{
    Artifact, KEPT_SUBJECTS, artifact_subject, artifacts_subject, manifests_subject, parse_owner,
};
pub(crate) use subject::{
    DISCOVERY_SUBJECT, agent_orders_subject, last_token, order_subject, renewal_subject,
    renewals_subject, state_subject, states_subject,
};

/// The largest message: what NATS servers take unless they are told otherwise.
pub const MESSAGE_MAX: usize = 1 << 20;
/// The version of the messages; it rises with every change that an older program would misread.
const PROTOCOL: u32 = 2;

/// Who speaks: the messages of two programs are the same only when both agree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// Version of the messages.
    pub protocol: u32,
    /// Version of the program.
    pub program: String,
}

impl Version {
    /// Of this program, whose own version is `program`.
    #[must_use]
    pub fn current(program: &str) -> Self {
        Self { protocol: PROTOCOL, program: program.to_owned() }
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Of anybody: it may be long, or have control characters.
        let program: String = self.program.chars().take(32).collect();
        write!(f, "truedisk {} (messages {})", program.escape_debug(), self.protocol)
    }
}

/// Why a message is not believed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// It is larger than any message may be.
    #[error("a message of {0} bytes is larger than {MESSAGE_MAX}")]
    TooLarge(usize),
    /// It is none of this program's.
    #[error("a malformed message: {0}")]
    Malformed(String),
    /// It is of another version.
    #[error("the other side is {theirs}, this is {ours}: install one version on all hosts")]
    Version {
        /// Whose message it is.
        theirs: Version,
        /// Who reads it.
        ours: Version,
    },
}

#[derive(Serialize)]
struct Envelope<'a, T> {
    version: &'a Version,
    body: &'a T,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReceivedEnvelope<T> {
    #[serde(rename = "version")]
    _version: Version,
    body: T,
}

/// All that is looked at before the version is known to be ours.
#[derive(Deserialize)]
struct VersionHeader {
    version: Version,
}

/// A message of `body`.
///
/// # Errors
/// When it would be too large, or a number in it is not finite.
pub fn encode(version: &Version, body: &impl Serialize) -> Result<Vec<u8>, MessageError> {
    encode_with_piece(version, body, &[])
}

/// A message of `body` that carries the bytes of a piece.
pub(crate) fn encode_with_piece(
    version: &Version,
    body: &impl Serialize,
    piece: &[u8],
) -> Result<Vec<u8>, MessageError> {
    let mut bytes = serde_json::to_vec(&Envelope { version, body })
        .map_err(|error| MessageError::Malformed(error.to_string()))?;
    if !piece.is_empty() {
        bytes.push(b'\n');
        bytes.extend_from_slice(piece);
    }
    if bytes.len() > MESSAGE_MAX {
        return Err(MessageError::TooLarge(bytes.len()));
    }
    Ok(bytes)
}

/// What a message says.
///
/// # Errors
/// When it is too large, of another version, or not what is expected.
pub fn decode<T: DeserializeOwned>(ours: &Version, bytes: &[u8]) -> Result<T, MessageError> {
    decode_with_piece(ours, bytes).map(|(body, _)| body)
}

/// What a message says, and the piece that it carries.
pub(crate) fn decode_with_piece<'a, T: DeserializeOwned>(
    ours: &Version,
    bytes: &'a [u8],
) -> Result<(T, &'a [u8]), MessageError> {
    if bytes.len() > MESSAGE_MAX {
        return Err(MessageError::TooLarge(bytes.len()));
    }
    // Compact JSON has no line break: a string has it as an escape.
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let (line, piece) = end.map_or((bytes, &[][..]), |end| (&bytes[..end], &bytes[end + 1..]));
    let malformed = |error: serde_json::Error| MessageError::Malformed(shorten(&error.to_string()));
    let head: VersionHeader = serde_json::from_slice(line).map_err(malformed)?;
    if head.version != *ours {
        return Err(MessageError::Version { theirs: head.version, ours: ours.clone() });
    }
    let received: ReceivedEnvelope<T> = serde_json::from_slice(line).map_err(malformed)?;
    Ok((received.body, piece))
}

/// An error's words without what a sender may have put into them.
fn shorten(words: &str) -> String {
    const SHOWN_MAX: usize = 200;
    let shown: String = words.chars().take(SHOWN_MAX).collect();
    shown.escape_debug().to_string()
}
