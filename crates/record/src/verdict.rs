//! What it all means: classes, the verdict.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far the numbers of a run can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// No check found anything that changes what the numbers mean.
    Sound,
    /// The numbers stand, with the warnings.
    Caution,
    /// Some numbers must not be used.
    Broken,
}

/// Which class of device it behaves like.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClassVerdict {
    /// For people: `SATA SSD`, `network block storage`, `unlike any known class`.
    pub label: String,
    /// What speaks for it.
    pub supports: Vec<String>,
    /// What speaks against it.
    pub contradicts: Vec<String>,
    /// The next best, when it is close.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner_up: Option<String>,
}

/// What it all means, in words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// One line.
    pub headline: String,
    /// How far to trust the run.
    pub trust: Trust,
    /// Which class it behaves like; absent when too little was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<ClassVerdict>,
    /// What the numbers mean: sentences.
    pub meaning: Vec<String>,
    /// What it is good for.
    pub good_for: Vec<String>,
    /// What limits it.
    pub limited_by: Vec<String>,
    /// What this run could not see, and what would.
    pub not_seen: Vec<String>,
}
