//! What is compared, and by which criteria.

use std::collections::BTreeSet;

use message::Message;
use record::{Measured, Record};

/// A side: runs of the same thing.
#[derive(Debug, Clone)]
pub struct Group<'a> {
    /// Its records, each with where it was read.
    pub runs: Vec<(&'a Record, String)>,
    /// Price for each month.
    pub price: Option<f64>,
}

impl Group<'_> {
    pub(super) fn measured(&self) -> impl Iterator<Item = &Measured> {
        self.runs.iter().map(|(record, _)| &record.measured)
    }
}

/// When two figures are the same, and when they differ.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonCriteria {
    /// The same: the whole interval of the ratio within 1 / (1 + margin) and 1 + margin.
    pub margin: f64,
    /// Different: the whole interval beyond 1 + this, or below 1 / (1 + this).
    pub least_effect: f64,
    pub currency: Option<String>,
    pub version: String,
}

impl ComparisonCriteria {
    /// The usual ones: 5 % is what nobody notices, 2 % what repeated runs can show at all.
    pub fn with_defaults(version: &str) -> Self {
        let version = version.to_owned();
        Self { margin: 0.05, least_effect: 0.02, currency: None, version }
    }
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CompareError {
    #[error("a comparison takes two groups of at least one run each")]
    TooFew,
    #[error("{a} and {b} have no job in common: {}", why.text())]
    Unlike { a: String, b: String, why: Message },
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct RunFigure {
    pub(super) value: f64,
    pub(super) interval: Option<(f64, f64)>,
}

pub(super) fn host_names(group: &Group<'_>) -> Vec<String> {
    let fleets = group.measured().filter_map(|measured| measured.fleet.as_ref());
    let hosts = fleets.flat_map(|fleet| &fleet.hosts);
    hosts.map(|host| host.name.clone()).collect::<BTreeSet<_>>().into_iter().collect()
}
