//! Runs for other tools: JSON Lines with whole records, which `import` takes in again; CSV and
//! Parquet with rows of cells, or of the intervals of their time series.

mod csv;
mod parquet;
mod rows;

use std::io::Write;

use ::parquet::file::writer::SerializedFileWriter;
use record::{Record, store};

use crate::error::HistoryError;
pub use rows::RowKind;
use rows::Table;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One list of records.
    Json,
    /// A record per line.
    Jsonl,
    /// Comma-separated values with a line of names (RFC 4180).
    Csv,
    /// Apache Parquet, its pages compressed with Snappy.
    Parquet,
}

/// Rows that are collected before they are written: a Parquet row group.
const BATCH_ROWS: usize = 50_000;

/// Writes records, one after the other, in one format.
pub struct Export<W: Write + Send> {
    sink: Sink<W>,
    table: Table,
}

enum Sink<W: Write + Send> {
    /// With what stands before the next record.
    Json(W, &'static str),
    Jsonl(W),
    Csv(W),
    Parquet(SerializedFileWriter<W>),
}

impl<W: Write + Send> Export<W> {
    pub fn new(mut to: W, format: Format, rows: RowKind) -> Result<Self, HistoryError> {
        let table = Table::new(rows);
        let sink = match format {
            Format::Json => Sink::Json(to, "["),
            Format::Jsonl => Sink::Jsonl(to),
            Format::Csv => {
                csv::write_names(&mut to, &table).map_err(HistoryError::export)?;
                Sink::Csv(to)
            }
            Format::Parquet => {
                Sink::Parquet(parquet::begin(to, &table).map_err(HistoryError::export)?)
            }
        };
        Ok(Self { sink, table })
    }

    pub fn add_record(&mut self, record: &Record) -> Result<(), HistoryError> {
        let json = || store::to_json(record).map_err(HistoryError::export);
        match &mut self.sink {
            Sink::Json(to, before) => {
                let before = std::mem::replace(before, ",\n");
                return write!(to, "{before}{}", json()?).map_err(HistoryError::export);
            }
            Sink::Jsonl(to) => return writeln!(to, "{}", json()?).map_err(HistoryError::export),
            Sink::Csv(_) | Sink::Parquet(_) => {}
        }
        self.table.add_record(record);
        if self.table.values.len() >= BATCH_ROWS { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), HistoryError> {
        match &mut self.sink {
            Sink::Json(..) | Sink::Jsonl(_) => {}
            Sink::Csv(to) => {
                csv::write_rows(to, &self.table).map_err(HistoryError::export)?;
            }
            Sink::Parquet(file) => {
                parquet::write_group(file, &self.table).map_err(HistoryError::export)?;
            }
        }
        self.table.values.clear();
        Ok(())
    }

    pub fn finish(mut self) -> Result<(), HistoryError> {
        self.flush()?;
        match self.sink {
            Sink::Json(mut to, before) => {
                // Without a record the list was not begun.
                let open = if before == "[" { "[" } else { "" };
                writeln!(to, "{open}]").and_then(|()| to.flush()).map_err(HistoryError::export)
            }
            Sink::Jsonl(mut to) | Sink::Csv(mut to) => to.flush().map_err(HistoryError::export),
            Sink::Parquet(file) => file.close().map(drop).map_err(HistoryError::export),
        }
    }
}
