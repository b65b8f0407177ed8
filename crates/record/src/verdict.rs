//! What it all means: classes, the verdict.

use message::Message;
use serde::{Deserialize, Serialize};
use units::JsonSchema;

use crate::named::named_enum;

named_enum! {
    /// How far the numbers of a run can be trusted.
    pub enum Trust {
        /// No check found anything that changes what the numbers mean.
        Sound = "sound",
        /// The numbers stand, with the warnings.
        Caution = "caution",
        /// Some numbers must not be used.
        Broken = "broken",
    }
}

/// Which class of device it behaves like.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClassVerdict {
    /// For people: `SATA SSD`, `network block storage`, `no known class`.
    pub label: Message,
    /// What speaks for it.
    pub supports: Vec<Message>,
    /// What speaks against it.
    pub contradicts: Vec<Message>,
    /// The next best, when it is close.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner_up: Option<Message>,
    /// The two nearest classes, the nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<ClassMatch>,
    /// What the system says that it is, held against how it behaves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<ClassClaim>,
}

/// How near a device is to a class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClassMatch {
    /// The class, for people.
    pub label: Message,
    /// Twice the negative logarithm of the likelihood, up to a constant: the less, the nearer. A
    /// class that is 6 further off is 20 times less likely.
    pub cost: f64,
    /// What speaks for it.
    pub supports: Vec<Message>,
    /// What speaks against it.
    pub contradicts: Vec<Message>,
}

/// What the system claims of a device. It decides nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClassClaim {
    /// In the words of sysfs: `nvme, non-rotational, Samsung SSD 990 PRO 2TB`.
    pub words: Message,
    /// Where the behaviour contradicts it.
    pub contradictions: Vec<Message>,
}

/// What it all means, in words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// One line.
    pub headline: Message,
    /// How far to trust the run.
    pub trust: Trust,
    /// Which class it behaves like; absent when too little was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<ClassVerdict>,
    /// What the numbers mean: sentences.
    pub meaning: Vec<Message>,
    /// What it is good for.
    pub good_for: Vec<Message>,
    /// What it is too slow for; in older records among `limited_by`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub too_slow_for: Vec<Message>,
    /// What limits it.
    pub limited_by: Vec<Message>,
    /// What this run could not see, and what would.
    pub not_seen: Vec<Message>,
}
