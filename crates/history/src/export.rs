//! Runs for other tools: JSON Lines, CSV, Parquet.
//!
//! JSON Lines has whole records, one a line, and is what `import` takes in again. CSV and Parquet
//! have rows: of cells, or of the intervals of their time series.

mod csv;
mod parquet;
mod rows;

use std::io::Write;

use record::{Record, store};

use crate::error::HistoryError;
pub use rows::RowKind;
use rows::Table;

/// How an export is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A record per line.
    Jsonl,
    /// Comma-separated values with a line of names (RFC 4180).
    Csv,
    /// Apache Parquet, its pages compressed with Snappy.
    Parquet,
}

/// Rows that are collected before they are written: a Parquet row group, and what is held in
/// memory.
const BATCH_ROWS: usize = 50_000;

/// Writes records, one after the other, in one format.
pub struct Export<W: Write + Send> {
    kind: Sink<W>,
    table: Table,
}

enum Sink<W: Write + Send> {
    Jsonl(W),
    Csv(csv::Writer<W>),
    Parquet(parquet::Writer<W>),
}

impl<W: Write + Send> Export<W> {
    /// Begins an export.
    pub fn new(to: W, format: Format, rows: RowKind) -> Result<Self, HistoryError> {
        let table = Table::new(rows);
        let kind = match format {
            Format::Jsonl => Sink::Jsonl(to),
            Format::Csv => Sink::Csv(csv::Writer::new(to, &table)?),
            Format::Parquet => Sink::Parquet(parquet::Writer::new(to, &table)?),
        };
        Ok(Self { kind, table })
    }

    /// Adds a record.
    pub fn add_record(&mut self, record: &Record) -> Result<(), HistoryError> {
        if let Sink::Jsonl(to) = &mut self.kind {
            let json = store::to_json(record).map_err(|error| HistoryError::export(&error))?;
            return writeln!(to, "{json}").map_err(|error| HistoryError::export(&error));
        }
        self.table.add_record(record);
        if self.table.len() >= BATCH_ROWS { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), HistoryError> {
        match &mut self.kind {
            Sink::Jsonl(_) => {}
            Sink::Csv(writer) => writer.write(&self.table)?,
            Sink::Parquet(writer) => writer.write(&self.table)?,
        }
        self.table.clear();
        Ok(())
    }

    /// Writes what is left.
    pub fn finish(mut self) -> Result<(), HistoryError> {
        self.flush()?;
        match self.kind {
            Sink::Jsonl(mut to) => to.flush().map_err(|error| HistoryError::export(&error)),
            Sink::Csv(writer) => writer.finish(),
            Sink::Parquet(writer) => writer.finish(),
        }
    }
}
