//! A preset as it is written: the shape of its TOML, and where in it things stand.

use serde::Deserialize;
use toml::Spanned;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct PresetSchema {
    pub(super) title: String,
    pub(super) imitates: String,
    #[serde(default)]
    pub(super) sources: Vec<String>,
    pub(super) format: Option<String>,
    pub(super) size: Option<String>,
    #[serde(default)]
    pub(super) notes: Vec<String>,
    #[serde(default)]
    pub(super) defaults: DefaultsSchema,
    #[serde(default)]
    pub(super) step: Vec<Spanned<StepSchema>>,
    #[serde(default)]
    pub(super) threshold: Vec<Spanned<ThresholdSchema>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct DefaultsSchema {
    pub(super) passes: Option<u32>,
    pub(super) discard: Option<u32>,
    pub(super) settle: Option<String>,
    pub(super) pause: Option<String>,
    pub(super) rest: Option<String>,
    pub(super) score: Option<String>,
    pub(super) direct: Option<bool>,
    pub(super) drop_cache: Option<bool>,
    pub(super) job: JobSchema,
}

/// A step; which keys it may have depends on its kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct StepSchema {
    pub(super) name: String,
    pub(super) label: Option<String>,
    pub(super) note: Option<String>,
    pub(super) kind: Option<String>,
    pub(super) passes: Option<u32>,
    pub(super) discard: Option<u32>,
    pub(super) settle: Option<String>,
    pub(super) pause: Option<String>,
    pub(super) rest: Option<String>,
    pub(super) score: Option<String>,
    pub(super) group: Option<String>,
    #[serde(default)]
    pub(super) until_steady: bool,
    pub(super) direct: Option<bool>,
    pub(super) fresh: Option<String>,
    pub(super) drop_cache: Option<bool>,
    pub(super) end_sync: Option<String>,
    #[serde(default)]
    pub(super) skip_unaligned: bool,
    #[serde(default)]
    pub(super) job: Vec<JobSchema>,
    /// Of the kind `surface`.
    pub(super) places: Option<u64>,
    pub(super) slice: Option<String>,
    pub(super) access: Option<String>,
    pub(super) bs: Option<String>,
    pub(super) depth: Option<u32>,
    /// Of the kind `metadata`.
    pub(super) files: Option<u64>,
    pub(super) threads: Option<u32>,
    pub(super) rounds: Option<u32>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct JobSchema {
    pub(super) name: Option<String>,
    pub(super) access: Option<String>,
    pub(super) mix: Option<String>,
    pub(super) bs: Option<String>,
    pub(super) depth: Option<u32>,
    pub(super) workers: Option<u32>,
    pub(super) engine: Option<String>,
    pub(super) sync: Option<String>,
    pub(super) sync_every: Option<u32>,
    pub(super) durable: Option<String>,
    pub(super) payload: Option<String>,
    pub(super) span: Option<String>,
    pub(super) offset: Option<String>,
    pub(super) time: Option<String>,
    pub(super) warm_up: Option<String>,
    pub(super) bytes: Option<String>,
    pub(super) operations: Option<u64>,
    pub(super) rate: Option<f64>,
    pub(super) arrivals: Option<String>,
    pub(super) interval: Option<String>,
    pub(super) cap_iops: Option<f64>,
    pub(super) cap_mbps: Option<f64>,
    pub(super) think: Option<String>,
    pub(super) think_every: Option<u32>,
    pub(super) touch: Option<bool>,
    pub(super) finish: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ThresholdSchema {
    pub(super) step: String,
    pub(super) job: Option<String>,
    pub(super) of: Option<String>,
    pub(super) statistic: String,
    pub(super) at_least: Option<f64>,
    pub(super) below: Option<String>,
    pub(super) source: Option<String>,
    #[serde(default)]
    pub(super) convention: bool,
    #[serde(default)]
    pub(super) recommended: bool,
}

/// Takes each field from the first, or from the second where the first has none.
macro_rules! or {
    ($first:expr, $second:expr; $($field:ident)*) => {
        JobSchema { $($field: $first.$field.clone().or_else(|| $second.$field.clone()),)* }
    };
}

impl JobSchema {
    pub(super) fn with_defaults(&self, defaults: &Self) -> Self {
        or!(self, defaults; name access mix bs depth workers engine sync sync_every durable payload
            span offset time warm_up bytes operations rate arrivals interval cap_iops cap_mbps
            think think_every touch finish)
    }
}

impl StepSchema {
    /// The first key of a kind of steps that `is_wanted`.
    pub(super) fn first_key(&self, is_wanted: impl Fn(&str) -> bool) -> Option<&'static str> {
        let keys = [
            ("jobs", "job", !self.job.is_empty()),
            ("jobs", "passes", self.passes.is_some()),
            ("jobs", "discard", self.discard.is_some()),
            ("jobs", "settle", self.settle.is_some()),
            ("jobs", "pause", self.pause.is_some()),
            ("jobs", "score", self.score.is_some()),
            ("jobs", "group", self.group.is_some()),
            ("jobs", "until-steady", self.until_steady),
            ("jobs", "direct", self.direct.is_some()),
            ("jobs", "fresh", self.fresh.is_some()),
            ("jobs", "drop-cache", self.drop_cache.is_some()),
            ("jobs", "rest", self.rest.is_some()),
            ("jobs", "end-sync", self.end_sync.is_some()),
            ("jobs", "skip-unaligned", self.skip_unaligned),
            ("surface", "places", self.places.is_some()),
            ("surface", "slice", self.slice.is_some()),
            ("surface", "access", self.access.is_some()),
            ("surface", "bs", self.bs.is_some()),
            ("surface", "depth", self.depth.is_some()),
            ("metadata", "files", self.files.is_some()),
            ("metadata", "threads", self.threads.is_some()),
            ("metadata", "rounds", self.rounds.is_some()),
        ];
        let mut given = keys.into_iter().filter(|(_, _, given)| *given);
        given.find(|(kind, ..)| is_wanted(kind)).map(|(_, key, _)| key)
    }
}
