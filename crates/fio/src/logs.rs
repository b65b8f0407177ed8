//! fio's log files: bandwidth, operations, latencies and latency histograms over time.

mod error;
#[cfg(test)]
mod fio_tests;
mod hist;
mod line;
mod name;
mod writer;

pub use error::LogError;
pub use hist::HistWriter;
pub use line::inflate_log;
pub use name::{HISTOGRAM, LogKind, latency_kinds, log_file_name};
pub use writer::{LogSettings, LogWriter, Sample, WindowAggregate};
