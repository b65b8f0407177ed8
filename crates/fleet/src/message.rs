//! Messages: one line of JSON, then the bytes of a piece, where it carries one.
//!
//! The version is checked first. Unknown fields, unknown orders and excessive sizes are refused.

mod order;
mod refusal;
mod relay;
mod reply;
mod sent_order;
mod subject;
#[cfg(test)]
mod tests;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use order::{BeginJobs, BeginRun, FetchItem, Order, RunMembers, StopCause};
pub(crate) use order::{HOSTS_MAX, NAMES_MAX};
pub use refusal::Refusal;
pub(crate) use relay::{GROUP_HOSTS_MAX, REPORT_STATES_MAX};
pub use relay::{RelayClocks, RelayGroup, RelayReport};
pub use reply::{AgentInfo, CellProgress, KeptRun, Phase, Reply, RunState};
pub(crate) use reply::{add_jobs_progress, is_jobs_progress_sound, sum_progress};
pub use sent_order::SentOrder;
pub(crate) use subject::{
    Artifact, KEPT_SUBJECTS, artifact_subject, artifacts_subject, manifests_subject, parse_owner,
};
pub(crate) use subject::{
    DISCOVERY_SUBJECT, NOBODY_SUBJECT, agent_orders_subject, group_states_subject,
    is_report_subject, last_token, order_subject, renewal_subject, renewals_subject,
    report_subject, reports_subject, state_subject, states_subject,
};

/// The default limit of NATS servers.
pub const MESSAGE_MAX: usize = 1 << 20;
/// It rises with every change that an older program would misread.
const PROTOCOL: u32 = 8;

/// Version of a sender.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    pub protocol: u32,
    pub program: String,
}

impl Version {
    pub fn current(program: &str) -> Self {
        Self { protocol: PROTOCOL, program: program.to_owned() }
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let program: String = self.program.chars().take(32).collect();
        write!(f, "truedisk {} (messages {})", program.escape_debug(), self.protocol)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// Above [`MESSAGE_MAX`].
    #[error("a message of {0} bytes is larger than {MESSAGE_MAX}")]
    TooLarge(usize),
    #[error("a malformed message: {0}")]
    Malformed(String),
    #[error("the other side is {theirs}, this is {ours}: install one version on all hosts")]
    Version { theirs: Version, ours: Version },
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

#[derive(Deserialize)]
struct VersionHeader {
    version: Version,
}

/// A message of `body`; an error if it is too large.
pub fn encode(version: &Version, body: &impl Serialize) -> Result<Vec<u8>, MessageError> {
    encode_with_piece(version, body, &[])
}

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

/// The body of a message; an error if it is too large, of another version, or malformed.
pub fn decode<T: DeserializeOwned>(ours: &Version, bytes: &[u8]) -> Result<T, MessageError> {
    decode_with_piece(ours, bytes).map(|(body, _)| body)
}

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

/// An error's text, bounded and escaped: a sender may have put anything into it.
fn shorten(words: &str) -> String {
    const SHOWN_MAX: usize = 200;
    let shown: String = words.chars().take(SHOWN_MAX).collect();
    shown.escape_debug().to_string()
}
