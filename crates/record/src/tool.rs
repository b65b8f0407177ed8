//! What wrote a record, in which schema, whether its run came to its end, and where it came from.

use message::Message;
use serde::{Deserialize, Serialize};
use units::JsonSchema;

use crate::finding::Finding;

/// Version of the schema that this program writes and the newest that it reads.
pub const SCHEMA_VERSION: u32 = 5;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tool {
    pub name: String,
    pub version: String,
}

impl Tool {
    pub fn ours(version: &str) -> Self {
        Self { name: "truedisk".to_owned(), version: version.to_owned() }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum Completion {
    /// Everything planned was measured.
    Complete,
    /// It was ended early; what was measured is kept.
    Partial {
        /// Why, in words: `interrupted by SIGINT`, `no space left on device`.
        reason: Message,
        /// Whether a measurement failed, rather than a person having stopped it.
        failed: bool,
    },
}

/// [`Imported::program`] of a run of our own `fio`.
pub const OWN_FIO: &str = "truedisk fio";

/// A record made from another program's output. What that did not say is absent everywhere in the
/// record: an empty field here is not a measured zero.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Imported {
    /// `fio`, or [`OWN_FIO`].
    pub program: String,
    /// Its version, in its own words: `fio-3.42`.
    pub version: String,
    /// What it measured: files and devices, as named to it; empty when it did not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// What is not in it, or could not be understood: sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Message>,
    /// What the truth checks found beside the run: only of truedisk's own fio, for its output does
    /// not hold what they looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}
