//! A row of figures: as they are printed, and as numbers.

use message::{Language, Message};
use stats::Estimate;
use workload::Direction;

use super::Mark;
use super::figure::is_vague;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    pub(crate) cell: String,
    pub(crate) label: String,
    pub(crate) iops: String,
    /// `±1.2 %`, or empty.
    pub(crate) interval: String,
    pub(crate) why_none: Message,
    pub(crate) rate: String,
    /// Mean, p50, p99, p99.9 of total latency; `-` where the sample does not support it.
    pub(crate) latency: [String; 4],
    pub(crate) marks: Vec<Mark>,
    pub(crate) direction: Direction,
    pub(crate) estimates: RowEstimates,
    pub(crate) figures: RowFigures,
}

/// The figures of a row as numbers; absent where it shows none.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct RowFigures {
    pub(crate) iops: Option<f64>,
    pub(crate) bytes_per_second: Option<f64>,
    /// Mean, p50, p99, p99.9 in nanoseconds.
    pub(crate) latency_ns: [Option<f64>; 4],
}

/// The figures of a row with their intervals, where they have one.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct RowEstimates {
    pub(crate) iops: Option<Estimate>,
    pub(crate) p50: Option<Estimate>,
    pub(crate) p99: Option<Estimate>,
}

impl Row {
    pub(crate) fn has_vague(&self) -> bool {
        self.latency.iter().chain([&self.iops]).any(|shown| is_vague(shown))
    }

    pub(super) fn punctuate(mut self, language: Language) -> Self {
        let figures = [&mut self.iops, &mut self.interval, &mut self.rate];
        for figure in figures.into_iter().chain(&mut self.latency) {
            *figure = language.punctuate(figure);
        }
        self
    }
}
