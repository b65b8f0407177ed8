//! How a section of BENCHMARKS.md looks: heading, how it was measured, figures, requirements.

use std::fmt;

use super::measure::{PairedSamples, median, min_and_max};

#[derive(Debug)]
pub(super) struct Section {
    heading: &'static str,
    method: String,
    columns: &'static str,
    rows: Vec<Vec<String>>,
    requirements: Vec<Requirement>,
    remarks: String,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Bound {
    AtLeast(f64),
    Below(f64),
    AtMost(f64),
    Within(f64, f64),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Requirement {
    /// Of what: `median IOPS at depth 1, ours / fio`.
    pub(super) what: String,
    pub(super) bound: Bound,
    pub(super) measured: f64,
    /// What the numbers count, with a space before it; empty for ratios.
    pub(super) unit: &'static str,
}

impl Bound {
    pub(super) fn is_met_by(self, measured: f64) -> bool {
        match self {
            Self::AtLeast(limit) => measured >= limit,
            Self::Below(limit) => measured < limit,
            Self::AtMost(limit) => measured <= limit,
            Self::Within(low, high) => (low..=high).contains(&measured),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(limit) => write!(f, ">= {limit:.2}"),
            Self::Below(limit) => write!(f, "< {limit:.2}"),
            Self::AtMost(limit) => write!(f, "<= {limit:.2}"),
            Self::Within(low, high) => write!(f, "{low:.3} to {high:.3}"),
        }
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, bound, measured, unit } = self;
        let met = if bound.is_met_by(*measured) { "met" } else { "NOT MET" };
        write!(f, "{what}: required {bound}{unit}, measured {measured:.3}{unit}: {met}")
    }
}

impl Section {
    pub(super) fn new(heading: &'static str, method: &'static str, columns: &'static str) -> Self {
        let (rows, requirements, remarks) = (Vec::new(), Vec::new(), String::new());
        Self { heading, method: method.to_owned(), columns, rows, requirements, remarks }
    }

    pub(super) fn describe(&mut self, more: &str) {
        self.method = format!("{} {more}", self.method);
    }

    pub(super) fn remark(&mut self, text: &str) {
        self.remarks.push_str(&format!("\n{text}"));
    }

    /// Appends a row of the table, and prints it at once: a bench takes minutes.
    pub(super) fn add_row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<String> = cells.into_iter().collect();
        eprintln!("xtask: | {} |", cells.join(" | "));
        self.rows.push(cells);
    }

    pub(super) fn add_pairs(&mut self, labels: &[&str], pairs: &PairedSamples, digits: usize) {
        let medians = [pairs.median_a(), pairs.median_b()].map(|value| format!("{value:.digits$}"));
        let ends = [pairs.ratio().to_string(), pairs.a.len().to_string()];
        self.add_row(owned(labels).chain(medians).chain(ends));
    }

    /// Appends a row for one figure: the labels, its median, its ends, the number of rounds.
    pub(super) fn add_spread(&mut self, labels: &[&str], values: &[f64], digits: usize) {
        let (least, most) = min_and_max(values);
        let figures = [median(values), least, most].map(|value| format!("{value:.digits$}"));
        self.add_row(owned(labels).chain(figures).chain([values.len().to_string()]));
    }

    pub(super) fn compare(
        &mut self,
        labels: &[&str],
        pairs: &PairedSamples,
        digits: usize,
        what: impl Into<String>,
        bound: Bound,
    ) {
        self.add_pairs(labels, pairs, digits);
        self.require(what, bound, pairs.ratio().ratio);
    }

    pub(super) fn require(&mut self, what: impl Into<String>, bound: Bound, measured: f64) {
        self.require_with_unit(what, bound, measured, "");
    }

    pub(super) fn require_with_unit(
        &mut self,
        what: impl Into<String>,
        bound: Bound,
        measured: f64,
        unit: &'static str,
    ) {
        self.requirements.push(Requirement { what: what.into(), bound, measured, unit });
    }

    pub(super) fn render_markdown(&self) -> String {
        let Self { heading, method, columns, rows, requirements, remarks } = self;
        let rule = vec!["---"; columns.split(" | ").count()].join(" | ");
        let rows: String = rows.iter().map(|row| format!("| {} |\n", row.join(" | "))).collect();
        let requirements: String = requirements.iter().map(|r| format!("- {r}\n")).collect();
        format!(
            "## {heading}\n\n{method}\n\n| {columns} |\n| {rule} |\n{rows}\n{requirements}{remarks}"
        )
    }
}

fn owned(labels: &[&str]) -> impl Iterator<Item = String> {
    labels.iter().map(ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_know_their_own_edge() {
        let check = |bound: Bound, below: bool, at: bool, above: bool| {
            let met = [0.99, 1.0, 1.01].map(|measured| bound.is_met_by(measured));
            assert_eq!(met, [below, at, above], "{bound}");
            assert!(!bound.is_met_by(f64::NAN), "{bound}");
        };
        check(Bound::AtLeast(1.0), false, true, true);
        check(Bound::Below(1.0), true, false, false);
        check(Bound::AtMost(1.0), true, true, false);
        check(Bound::Within(0.995, 1.005), false, true, false);
    }

    #[test]
    fn a_section_reads_as_it_should() {
        let mut section = Section::new("Speed", "Measured with care.", "depth | IOPS");
        section.add_row(["1".to_owned(), "900".to_owned()]);
        section.require("IOPS ratio", Bound::AtLeast(0.99), 0.98);
        section.require_with_unit("memory", Bound::AtMost(32.0), 8.0, " MiB");
        let expected = "## Speed\n\nMeasured with care.\n\n\
                        | depth | IOPS |\n| --- | --- |\n| 1 | 900 |\n\n\
                        - IOPS ratio: required >= 0.99, measured 0.980: NOT MET\n\
                        - memory: required <= 32.00 MiB, measured 8.000 MiB: met\n";
        assert_eq!(section.render_markdown(), expected);
    }
}
