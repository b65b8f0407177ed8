//! Where a record came from that another program measured.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A record made from another program's output. What that did not say is absent everywhere in the
/// record: an empty field here is not a measured zero.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Imported {
    /// The program: `fio`.
    pub program: String,
    /// Its version, in its own words: `fio-3.42`.
    pub version: String,
    /// What it measured: files and devices, as named to it; empty when it did not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// What is not in it, or could not be understood: sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}
