//! Records as rows: one list of columns for CSV and Parquet.

use record::{Cell, DirectionTotals, LatencySummary, Record};
use stats::Estimate;
use workload::{Access, Direction};

use super::RowKind;

/// A value of a row; absent where it was not measured.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Text(Option<String>),
    Int(Option<i64>),
    Real(Option<f64>),
    /// Microseconds since 1970.
    Time(Option<i64>),
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnKind {
    Text,
    Int,
    Real,
    Time,
}

/// A column: its name, its kind.
pub(super) type Column = (&'static str, ColumnKind);

/// What every row says of its run.
const RUN_COLUMNS: [Column; 8] = [
    ("run", ColumnKind::Text),
    ("started", ColumnKind::Time),
    ("host", ColumnKind::Text),
    ("target", ColumnKind::Text),
    ("device", ColumnKind::Text),
    ("command", ColumnKind::Text),
    ("tool", ColumnKind::Text),
    ("version", ColumnKind::Text),
];

const CELL_COLUMNS: [Column; 30] = [
    ("cell", ColumnKind::Text),
    ("role", ColumnKind::Text),
    ("direction", ColumnKind::Text),
    ("order", ColumnKind::Text),
    ("block_size", ColumnKind::Int),
    ("depth", ColumnKind::Int),
    ("backend", ColumnKind::Text),
    ("started_ns", ColumnKind::Int),
    ("elapsed_ns", ColumnKind::Int),
    ("ops", ColumnKind::Int),
    ("bytes", ColumnKind::Int),
    ("iops", ColumnKind::Real),
    ("iops_low", ColumnKind::Real),
    ("iops_high", ColumnKind::Real),
    ("bytes_per_second", ColumnKind::Real),
    ("latency_mean_ns", ColumnKind::Real),
    ("latency_mean_low_ns", ColumnKind::Real),
    ("latency_mean_high_ns", ColumnKind::Real),
    ("latency_stddev_ns", ColumnKind::Real),
    ("latency_min_ns", ColumnKind::Int),
    ("latency_max_ns", ColumnKind::Int),
    ("latency_p50_ns", ColumnKind::Int),
    ("latency_p90_ns", ColumnKind::Int),
    ("latency_p95_ns", ColumnKind::Int),
    ("latency_p99_ns", ColumnKind::Int),
    ("latency_p99_9_ns", ColumnKind::Int),
    ("latency_p99_99_ns", ColumnKind::Int),
    ("response_mean_ns", ColumnKind::Real),
    ("response_p99_ns", ColumnKind::Int),
    ("marks", ColumnKind::Text),
];

const INTERVAL_COLUMNS: [Column; 11] = [
    ("cell", ColumnKind::Text),
    ("role", ColumnKind::Text),
    ("direction", ColumnKind::Text),
    ("start_ns", ColumnKind::Int),
    ("length_ns", ColumnKind::Int),
    ("ops", ColumnKind::Int),
    ("bytes", ColumnKind::Int),
    ("iops", ColumnKind::Real),
    ("latency_mean_ns", ColumnKind::Real),
    ("latency_p50_ns", ColumnKind::Int),
    ("latency_max_ns", ColumnKind::Int),
];

const PERCENTILES: [&str; 6] = ["p50", "p90", "p95", "p99", "p99.9", "p99.99"];

/// Rows in memory.
pub(super) struct Table {
    rows: RowKind,
    pub(super) columns: Vec<Column>,
    pub(super) values: Vec<Vec<Value>>,
}

impl Table {
    pub(super) fn new(rows: RowKind) -> Self {
        let own: &[Column] = match rows {
            RowKind::Cells => &CELL_COLUMNS,
            RowKind::Intervals => &INTERVAL_COLUMNS,
        };
        Self { rows, columns: RUN_COLUMNS.iter().chain(own).copied().collect(), values: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn clear(&mut self) {
        self.values.clear();
    }

    /// Adds the rows of a record.
    pub(super) fn add_record(&mut self, record: &Record) {
        let run = run_values(record);
        for cell in &record.measured.cells {
            let own: Vec<Vec<Value>> = match self.rows {
                RowKind::Cells => {
                    let totals = cell.totals.iter();
                    totals.map(|(direction, all)| cell_row(record, cell, direction, all)).collect()
                }
                RowKind::Intervals => interval_rows(cell),
            };
            self.values.extend(own.into_iter().map(|own| [run.clone(), own].concat()));
        }
    }
}

fn text(words: impl Into<String>) -> Value {
    Value::Text(Some(words.into()))
}

fn int(number: u64) -> Value {
    Value::Int(i64::try_from(number).ok())
}

fn real(number: Option<f64>) -> Value {
    Value::Real(number.filter(|x| x.is_finite()))
}

/// The word by which a value is stored in the record.
fn serialized_word(value: &impl serde::Serialize) -> Value {
    Value::Text(serde_json::to_value(value).ok().and_then(|v| v.as_str().map(str::to_owned)))
}

fn run_values(record: &Record) -> Vec<Value> {
    let device = record.measured.target().and_then(|target| target.top_device());
    vec![
        text(&record.measured.id),
        Value::Time(Some(record.measured.started.as_microsecond())),
        Value::Text(record.measured.host()),
        Value::Text(Some(record.measured.target_path()).filter(|place| !place.is_empty())),
        Value::Text(device.map(|layer| layer.name.clone())),
        text(record.measured.plan.purpose.name()),
        text(&record.measured.tool.name),
        text(&record.measured.tool.version),
    ]
}

fn order_name(access: &Access) -> &'static str {
    match access {
        Access::Sequential => "sequential",
        Access::Random | Access::RandomRepeating => "random",
        _ => "other",
    }
}

fn cell_row(
    record: &Record,
    cell: &Cell,
    direction: Direction,
    totals: &DirectionTotals,
) -> Vec<Value> {
    let low = |estimate: Option<&Estimate>| real(estimate.and_then(|e| e.low));
    let high = |estimate: Option<&Estimate>| real(estimate.and_then(|e| e.high));
    let iops = cell.confidence.iops.get(direction);
    let mean = cell.confidence.mean_latency_ns.get(direction);
    let latency = Some(&totals.latency_ns).filter(|latency| !latency.is_absent());
    let response = totals.response_ns.as_ref();
    let percentile = |summary: Option<&LatencySummary>, name: &str| {
        Value::Int(summary.and_then(|s| i64::try_from(*s.percentiles.get(name)?).ok()))
    };
    let exact = |value: Option<u64>| Value::Int(value.and_then(|ns| i64::try_from(ns).ok()));
    let marks: Vec<String> = record
        .judgement_or_default()
        .severe_findings(&cell.name)
        .iter()
        .map(|f| format!("{} {}", f.status, f.id))
        .collect();
    let mut row = vec![
        text(&cell.name),
        serialized_word(&cell.role),
        text(direction.name()),
        text(order_name(&cell.job.access)),
        int(cell.job.block_size.0),
        int(u64::from(cell.job.depth.0)),
        text(&cell.backend),
        int(cell.started.0),
        int(cell.elapsed.0),
        int(totals.ops),
        int(totals.bytes),
        real(Some(totals.iops)),
        low(iops),
        high(iops),
        real(Some(totals.bytes_per_second)),
        real(latency.map(|latency| latency.mean)),
        low(mean),
        high(mean),
        real(latency.map(|latency| latency.stddev)),
        exact(latency.map(|latency| latency.min)),
        exact(latency.map(|latency| latency.max)),
    ];
    row.extend(PERCENTILES.map(|name| percentile(latency, name)));
    row.push(real(response.map(|response| response.mean)));
    row.push(percentile(response, "p99"));
    row.push(Value::Text((!marks.is_empty()).then(|| marks.join("; "))));
    row
}

fn interval_rows(cell: &Cell) -> Vec<Vec<Value>> {
    let rows = cell.intervals.iter().flat_map(|interval| {
        interval.directions.iter().map(move |(direction, counts)| {
            let seconds = interval.length.as_secs_f64();
            let whole = counts.total.to_histogram().ok().filter(|whole| whole.count() > 0);
            let exact =
                |value: Option<u64>| Value::Int(value.and_then(|ns| i64::try_from(ns).ok()));
            vec![
                text(&cell.name),
                serialized_word(&cell.role),
                text(direction.name()),
                int(interval.start.0),
                int(interval.length.0),
                int(counts.ops),
                int(counts.bytes),
                real((seconds > 0.0).then(|| counts.ops as f64 / seconds)),
                real(whole.as_ref().and_then(stats::LatencyHistogram::mean_ns)),
                exact(whole.as_ref().and_then(|whole| whole.quantile(0.5))),
                exact(whole.as_ref().and_then(stats::LatencyHistogram::max_ns)),
            ]
        })
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_value_of_its_kind_for_every_column() {
        let record = record::fixture::open_loop_limit_record();
        for rows in [RowKind::Cells, RowKind::Intervals] {
            let mut table = Table::new(rows);
            table.add_record(&record);
            assert!(table.len() > 10);
            for row in &table.values {
                assert_eq!(row.len(), table.columns.len());
                for (value, (name, kind)) in row.iter().zip(&table.columns) {
                    let fits = matches!(
                        (value, kind),
                        (Value::Text(_), ColumnKind::Text)
                            | (Value::Int(_), ColumnKind::Int)
                            | (Value::Real(_), ColumnKind::Real)
                            | (Value::Time(_), ColumnKind::Time)
                    );
                    assert!(fits, "{name}: {value:?}");
                }
            }
        }
    }
}
