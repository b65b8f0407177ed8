//! The histogram log: a line per window and direction, all bins in it.

use std::io::Write;

use stats::LatencyHistogram;

use super::error::LogError;
use super::name::HISTOGRAM;
use crate::bins::coarse_counts;

/// Writes a `write_hist_log` file: `ms, direction, block size, bin 0, bin 1, ...`.
/// Real fio never prints the last window when the job ends within it: a log of 1000 ms windows of
/// a 3 s job has two. Who wants the lines to add up to the whole run gives that window too; fio's
/// readers do not mind.
#[derive(Debug)]
pub struct HistWriter<W: Write> {
    out: W,
    coarseness: u8,
    epoch_ms: u64,
}

impl<W: Write> HistWriter<W> {
    /// A log into `out`, with `log_hist_coarseness` (0 to 6), and with `log_unix_epoch` the
    /// milliseconds since 1970 at which the job started.
    pub fn new(out: W, coarseness: u8, epoch_ms: Option<u64>) -> Self {
        Self { out, coarseness, epoch_ms: epoch_ms.unwrap_or(0) }
    }

    /// Writes a window that ended `end_ns` after the job's start: the latencies of one direction
    /// (0 read, 1 write, 2 trim) in this window alone. `block_size` is in bytes; where sizes vary,
    /// fio gives that of the window's last operation. A window without operations has no line.
    pub fn write_window(
        &mut self,
        end_ns: u64,
        direction: u8,
        block_size: u32,
        histogram: &LatencyHistogram,
    ) -> Result<(), LogError> {
        if direction > 2 {
            return Err(LogError::Direction { log: HISTOGRAM, direction });
        }
        if histogram.count() == 0 {
            return Ok(());
        }
        let time_ms = (end_ns / 1_000_000).saturating_add(self.epoch_ms);
        let mut line = format!("{time_ms}, {direction}, {block_size}");
        for count in coarse_counts(histogram, self.coarseness) {
            line.push_str(", ");
            line.push_str(&count.to_string());
        }
        line.push('\n');
        self.out.write_all(line.as_bytes()).map_err(write_error)
    }

    /// Flushes, and gives the file back.
    pub fn finish(mut self) -> Result<W, LogError> {
        self.out.flush().map_err(write_error)?;
        Ok(self.out)
    }
}

fn write_error(source: std::io::Error) -> LogError {
    LogError::Write { log: HISTOGRAM, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(coarseness: u8, epoch: Option<u64>) -> Vec<Vec<u64>> {
        let mut histogram = LatencyHistogram::new();
        [3, 3, 70].into_iter().for_each(|ns| histogram.record(ns));
        let mut log = HistWriter::new(Vec::new(), coarseness, epoch);
        log.write_window(1_000_999_999, 0, 4096, &histogram).unwrap();
        log.write_window(1_001_000_000, 1, 4096, &LatencyHistogram::new()).unwrap();
        log.write_window(2_000_000_000, 2, 8192, &histogram).unwrap();
        let text = String::from_utf8(log.finish().unwrap()).unwrap();
        text.lines().map(|l| l.split(", ").map(|n| n.parse().unwrap()).collect()).collect()
    }

    #[test]
    fn a_line_holds_time_direction_size_and_bins() {
        let fine = lines(0, None);
        assert_eq!(fine.len(), 2, "an empty window has no line");
        assert_eq!(fine[0].len(), 1859);
        assert_eq!(fine[0][..8], [1000, 0, 4096, 0, 0, 0, 2, 0]);
        assert_eq!(fine[0][3 + 70], 1);
        assert_eq!(fine[1][..3], [2000, 2, 8192]);
        let coarse = lines(6, Some(1_000_000));
        assert_eq!(coarse[0].len(), 32);
        assert_eq!(coarse[0][..6], [1_001_000, 0, 4096, 2, 1, 0]);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let mut log = HistWriter::new(Vec::new(), 0, None);
        let error = log.write_window(0, 3, 1, &LatencyHistogram::new()).unwrap_err().to_string();
        assert!(error.contains("direction 3"), "{error}");
    }
}
