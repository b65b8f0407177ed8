//! Records as rows: one list of columns for CSV and Parquet.

use record::{Cell, DirectionInterval, DirectionTotals, Interval, LatencySummary, Record};
use stats::{Estimate, LatencyHistogram};
use workload::{Access, Direction};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    Cells,
    /// One direction in one interval of a cell's time series.
    Intervals,
}

/// A value of a row; absent where it was not measured.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Text(Option<String>),
    Int(Option<i64>),
    Real(Option<f64>),
    /// Microseconds since 1970.
    Time(Option<i64>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnKind {
    Text,
    Int,
    Real,
    Time,
}
use ColumnKind::{Int, Real, Text, Time};

/// A column: its name, its kind, and how its value is read.
type Column<T> = (&'static str, ColumnKind, fn(&T) -> Value);

const RUN_COLUMNS: [Column<Record>; 8] = [
    ("run", Text, |run| text(&run.measured.id)),
    ("started", Time, |run| Value::Time(Some(run.measured.started.as_microsecond()))),
    ("host", Text, |run| Value::Text(run.measured.host())),
    ("target", Text, |run| Value::Text(Some(run.measured.target_path()).filter(|p| !p.is_empty()))),
    ("device", Text, |run| {
        let device = run.measured.target().and_then(|target| target.top_device());
        Value::Text(device.map(|layer| layer.name.clone()))
    }),
    ("command", Text, |run| text(run.measured.command_name())),
    ("tool", Text, |run| text(&run.measured.tool.name)),
    ("version", Text, |run| text(&run.measured.tool.version)),
];

struct CellRow<'a> {
    record: &'a Record,
    cell: &'a Cell,
    direction: Direction,
    totals: &'a DirectionTotals,
}

impl CellRow<'_> {
    fn latency(&self) -> Option<&LatencySummary> {
        Some(&self.totals.latency_ns).filter(|latency| !latency.is_absent())
    }

    fn response(&self) -> Option<&LatencySummary> {
        self.totals.response_ns.as_deref()
    }

    fn iops(&self) -> Option<&Estimate> {
        self.cell.confidence.iops.get(self.direction)
    }

    fn mean_latency(&self) -> Option<&Estimate> {
        self.cell.confidence.mean_latency_ns.get(self.direction)
    }

    fn marks(&self) -> Value {
        let findings = self.record.judgement_or_default().severe_findings(&self.cell.name);
        let marks: Vec<String> =
            findings.iter().map(|f| format!("{} {}", f.status, f.id)).collect();
        Value::Text((!marks.is_empty()).then(|| marks.join("; ")))
    }
}

fn cell_columns<'a>() -> [Column<CellRow<'a>>; 30] {
    [
        ("cell", Text, |row| text(&row.cell.name)),
        ("role", Text, |row| serialized_word(&row.cell.role)),
        ("direction", Text, |row| text(row.direction.name())),
        ("order", Text, |row| text(order_name(&row.cell.job.access))),
        ("block_size", Int, |row| int(row.cell.job.block_size.0)),
        ("depth", Int, |row| int(u64::from(row.cell.job.depth.0))),
        ("backend", Text, |row| text(&row.cell.backend)),
        ("started_ns", Int, |row| int(row.cell.started.0)),
        ("elapsed_ns", Int, |row| int(row.cell.elapsed.0)),
        ("ops", Int, |row| int(row.totals.ops)),
        ("bytes", Int, |row| int(row.totals.bytes)),
        ("iops", Real, |row| real(Some(row.totals.iops))),
        ("iops_low", Real, |row| real(row.iops().and_then(|iops| iops.low))),
        ("iops_high", Real, |row| real(row.iops().and_then(|iops| iops.high))),
        ("bytes_per_second", Real, |row| real(Some(row.totals.bytes_per_second))),
        ("latency_mean_ns", Real, |row| real(row.latency().map(|latency| latency.mean))),
        ("latency_mean_low_ns", Real, |row| real(row.mean_latency().and_then(|mean| mean.low))),
        ("latency_mean_high_ns", Real, |row| real(row.mean_latency().and_then(|mean| mean.high))),
        ("latency_stddev_ns", Real, |row| real(row.latency().map(|latency| latency.stddev))),
        ("latency_min_ns", Int, |row| exact(row.latency().map(|latency| latency.min))),
        ("latency_max_ns", Int, |row| exact(row.latency().map(|latency| latency.max))),
        ("latency_p50_ns", Int, |row| percentile(row.latency(), "p50")),
        ("latency_p90_ns", Int, |row| percentile(row.latency(), "p90")),
        ("latency_p95_ns", Int, |row| percentile(row.latency(), "p95")),
        ("latency_p99_ns", Int, |row| percentile(row.latency(), "p99")),
        ("latency_p99_9_ns", Int, |row| percentile(row.latency(), "p99.9")),
        ("latency_p99_99_ns", Int, |row| percentile(row.latency(), "p99.99")),
        ("response_mean_ns", Real, |row| real(row.response().map(|response| response.mean))),
        ("response_p99_ns", Int, |row| percentile(row.response(), "p99")),
        ("marks", Text, CellRow::marks),
    ]
}

struct IntervalRow<'a> {
    cell: &'a Cell,
    interval: &'a Interval,
    direction: Direction,
    counts: &'a DirectionInterval,
    latency: Option<LatencyHistogram>,
}

impl IntervalRow<'_> {
    fn iops(&self) -> Option<f64> {
        let seconds = self.interval.length.as_secs_f64();
        (seconds > 0.0).then(|| self.counts.ops as f64 / seconds)
    }

    fn latency<T>(&self, read: fn(&LatencyHistogram) -> Option<T>) -> Option<T> {
        self.latency.as_ref().and_then(read)
    }
}

fn interval_columns<'a>() -> [Column<IntervalRow<'a>>; 11] {
    [
        ("cell", Text, |row| text(&row.cell.name)),
        ("role", Text, |row| serialized_word(&row.cell.role)),
        ("direction", Text, |row| text(row.direction.name())),
        ("start_ns", Int, |row| int(row.interval.start.0)),
        ("length_ns", Int, |row| int(row.interval.length.0)),
        ("ops", Int, |row| int(row.counts.ops)),
        ("bytes", Int, |row| int(row.counts.bytes)),
        ("iops", Real, |row| real(row.iops())),
        ("latency_mean_ns", Real, |row| real(row.latency(LatencyHistogram::mean_ns))),
        ("latency_p50_ns", Int, |row| exact(row.latency(|whole| whole.quantile(0.5)))),
        ("latency_max_ns", Int, |row| exact(row.latency(LatencyHistogram::max_ns))),
    ]
}

pub(super) struct Table {
    rows: RowKind,
    pub(super) columns: Vec<(&'static str, ColumnKind)>,
    pub(super) values: Vec<Vec<Value>>,
}

impl Table {
    pub(super) fn new(rows: RowKind) -> Self {
        let mut columns = heads(&RUN_COLUMNS);
        columns.extend(match rows {
            RowKind::Cells => heads(&cell_columns()),
            RowKind::Intervals => heads(&interval_columns()),
        });
        Self { rows, columns, values: Vec::new() }
    }

    pub(super) fn add_record(&mut self, record: &Record) {
        let run = values(&RUN_COLUMNS, record);
        for cell in &record.measured.cells {
            let own: Vec<Vec<Value>> = match self.rows {
                RowKind::Cells => {
                    let row = |(direction, totals)| CellRow { record, cell, direction, totals };
                    cell.totals.iter().map(|of| values(&cell_columns(), &row(of))).collect()
                }
                RowKind::Intervals => interval_rows(cell),
            };
            self.values.extend(own.into_iter().map(|own| [run.clone(), own].concat()));
        }
    }
}

fn interval_rows(cell: &Cell) -> Vec<Vec<Value>> {
    let rows = cell.intervals.iter().flat_map(|interval| {
        interval.directions.iter().map(move |(direction, counts)| {
            let latency = counts.total.to_histogram().ok().filter(|whole| whole.count() > 0);
            IntervalRow { cell, interval, direction, counts, latency }
        })
    });
    rows.map(|row| values(&interval_columns(), &row)).collect()
}

fn heads<T>(columns: &[Column<T>]) -> Vec<(&'static str, ColumnKind)> {
    columns.iter().map(|(name, kind, _)| (*name, *kind)).collect()
}

fn values<T>(columns: &[Column<T>], row: &T) -> Vec<Value> {
    columns.iter().map(|(_, _, read)| read(row)).collect()
}

fn text(words: impl Into<String>) -> Value {
    Value::Text(Some(words.into()))
}

fn int(number: u64) -> Value {
    exact(Some(number))
}

fn exact(number: Option<u64>) -> Value {
    Value::Int(number.and_then(|number| i64::try_from(number).ok()))
}

fn real(number: Option<f64>) -> Value {
    Value::Real(number.filter(|x| x.is_finite()))
}

fn percentile(summary: Option<&LatencySummary>, name: &str) -> Value {
    exact(summary.and_then(|summary| summary.percentiles.get(name).copied()))
}

fn serialized_word(value: &impl serde::Serialize) -> Value {
    Value::Text(serde_json::to_value(value).ok().and_then(|v| v.as_str().map(str::to_owned)))
}

fn order_name(access: &Access) -> &'static str {
    match access {
        Access::Sequential => "sequential",
        Access::Random | Access::RandomRepeating => "random",
        _ => "other",
    }
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
            assert!(table.values.len() > 10);
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
