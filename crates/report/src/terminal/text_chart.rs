//! Latency over IOPS in plain characters: what people call the hockey stick.

use record::{BoundedBy, Curve, CurvePoint, Record};
use units::{Iops, Nanos};

use crate::limit::point_marks;
use crate::text::{Style, WIDTH, text_width, wrap_text};
use crate::words::has_invalid;

const COLUMNS: usize = 56;
const ROWS: usize = 12;
/// A narrower terminal has no room for it.
pub(super) const WIDTH_MIN: usize = 80;
/// Characters of the words left of it.
const LEFT: usize = 9;

const MEDIAN: char = 'o';
const TAIL: char = '#';
const BOTH: char = '8';
const LIMIT: char = '@';
const INVALID: char = 'X';

struct CharacterGrid {
    cells: Vec<Vec<char>>,
    iops_most: f64,
    /// Logarithms of the latencies of the lowest and the highest row.
    low: f64,
    high: f64,
}

/// Latency of the slowest direction over the IOPS of all, with the bounds as dashed lines; empty
/// where no point has a latency.
pub(super) fn draw_latency_over_iops(record: &Record, curve: &Curve, style: Style) -> Vec<String> {
    let Some(mut field) = CharacterGrid::from_curve(curve) else { return Vec::new() };
    for bound in &curve.bounds {
        field.draw_bound(bound.limit);
    }
    let mut any_invalid = false;
    for point in curve.all_points() {
        let is_invalid = has_invalid(&point_marks(record, point));
        any_invalid |= is_invalid;
        for (name, sign) in [("p99", TAIL), ("p50", MEDIAN)] {
            if let Some(ns) = slowest_direction_ns(point, name) {
                field.put_sign(point.iops, ns, if is_invalid { INVALID } else { sign });
            }
        }
    }
    for limit in curve.limits.iter().filter(|l| l.bounded_by != BoundedBy::Unreachable) {
        if let Some(statistic) = limit.statistic {
            field.put_sign(limit.iops.value, statistic.0, LIMIT);
        }
    }
    field.render_lines(curve, any_invalid, style)
}

fn slowest_direction_ns(point: &CurvePoint, name: &str) -> Option<u64> {
    point.latency_ns.iter().filter_map(|(_, figures)| figures.get(name).copied()).max()
}

impl CharacterGrid {
    fn from_curve(curve: &Curve) -> Option<Self> {
        let figures = |name| {
            curve.all_points().into_iter().filter_map(move |p| slowest_direction_ns(p, name))
        };
        let limits = curve.limits.iter().filter_map(|limit| limit.statistic).map(|s| s.0);
        let shown: Vec<f64> = figures("p50")
            .chain(figures("p99"))
            .chain(limits)
            .chain(curve.bounds.iter().map(|bound| bound.limit.0))
            .map(|ns| (ns.max(1) as f64).ln())
            .collect();
        let low = shown.iter().copied().reduce(f64::min)?;
        let high = shown.iter().copied().reduce(f64::max)?;
        let iops_most = curve.all_points().into_iter().map(|p| p.iops).reduce(f64::max)?;
        let cells = vec![vec![' '; COLUMNS]; ROWS];
        // A field of no height would divide by zero.
        Some(Self { cells, iops_most: iops_most.max(1.0), low, high: high.max(low + 0.1) })
    }

    fn row_of(&self, ns: u64) -> usize {
        let share = ((ns.max(1) as f64).ln() - self.low) / (self.high - self.low);
        ROWS - 1 - (share.clamp(0.0, 1.0) * (ROWS - 1) as f64).round() as usize
    }

    fn put_sign(&mut self, iops: f64, ns: u64, sign: char) {
        let share = (iops / self.iops_most).clamp(0.0, 1.0);
        let (row, column) = (self.row_of(ns), (share * (COLUMNS - 1) as f64).round() as usize);
        let place = &mut self.cells[row][column];
        *place = match (*place, sign) {
            (LIMIT | INVALID, _) => *place,
            (TAIL, MEDIAN) | (BOTH, MEDIAN | TAIL) => BOTH,
            (_, sign) => sign,
        };
    }

    fn draw_bound(&mut self, limit: Nanos) {
        let row = self.row_of(limit.0);
        self.cells[row].iter_mut().step_by(2).for_each(|place| *place = '-');
    }

    fn row_latency(&self, row: usize) -> Nanos {
        let share = (ROWS - 1 - row) as f64 / (ROWS - 1) as f64;
        Nanos((self.low + share * (self.high - self.low)).exp().round() as u64)
    }

    fn render_lines(&self, curve: &Curve, any_invalid: bool, style: Style) -> Vec<String> {
        let figure = |value: String| style.language.punctuate(&value);
        let mut lines = vec![String::new()];
        for (row, cells) in self.cells.iter().enumerate() {
            let here = curve.bounds.iter().filter(|bound| self.row_of(bound.limit.0) == row);
            let names: Vec<String> = here.map(ToString::to_string).collect();
            let has_scale = row % 4 == 0 || row == ROWS - 1;
            let scale = if has_scale { self.row_latency(row).to_string() } else { String::new() };
            let scale = figure(scale);
            let cells: String = cells.iter().collect();
            let line = format!("{scale:>LEFT$} |{cells} {}", names.join(" "));
            lines.push(line.trim_end().chars().take(WIDTH).collect());
        }
        lines.push(format!("{:>LEFT$} +{}", "", "-".repeat(COLUMNS)));
        let middle = figure(Iops(self.iops_most / 2.0).to_string());
        let most = figure(format!("{} IOPS", Iops(self.iops_most)));
        let width = text_width(&middle);
        let (left, right) = (COLUMNS / 2 + width / 2, COLUMNS / 2 - width / 2);
        lines.push(format!("{:>LEFT$} 0{middle:>left$}{most:>right$}", ""));
        let mut key = match curve.independent {
            true => style.say("limit-chart-key-slower"),
            false => style.say("limit-chart-key"),
        };
        if any_invalid {
            key.push_str("; ");
            key.push_str(&style.say("limit-chart-key-invalid"));
        }
        let key = wrap_text(&key, COLUMNS + LEFT);
        lines.extend(key.iter().map(|line| format!("{:>LEFT$}  {line}", "")));
        lines
    }
}
