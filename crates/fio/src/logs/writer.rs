//! Bandwidth, operation and latency logs.

use std::io::Write;

use workload::{IoClass, decode_ioprio};

use super::error::LogError;
use super::name::LogKind;
use crate::options::log::WindowValue;

/// One operation, as it goes into every log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sample {
    /// When it completed: nanoseconds since the start of the job.
    pub time_ns: u64,
    /// 0 read, 1 write, 2 trim.
    pub direction: u8,
    /// The latency in nanoseconds: of slat, clat and lat logs that of their name; of the bw log
    /// the completion latency. The iops log does not look at it.
    pub value: u64,
    pub length: u32,
    pub offset: u64,
    /// When it was submitted: nanoseconds since the start of the job.
    pub issued_ns: u64,
    /// Its priority, where it is not that of the job.
    pub ioprio: Option<u16>,
}

/// All operations of one direction in a window.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct WindowAggregate {
    pub ops: u64,
    pub bytes: u64,
    pub mean_ns: f64,
    pub max_ns: u64,
}

/// What a job's log options ask for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LogSettings {
    /// `log_avg_msec`: length of windows in milliseconds; 0: a line per operation.
    pub avg_ms: u64,
    pub window_value: WindowValue,
    pub with_offset: bool,
    pub priority: LogPriority,
    /// `log_issue_time`
    pub with_issue_time: bool,
    /// `log_unix_epoch`: milliseconds since 1970 at the job's start, added to each time.
    pub unix_epoch_ms: Option<u64>,
}

/// The column of the priority: that of the job, unless an operation has its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogPriority {
    /// Whether its class is real time.
    High(bool),
    /// `log_prio`: class and level, as the kernel has them.
    Whole(u16),
}

impl Default for LogPriority {
    fn default() -> Self {
        Self::High(false)
    }
}

/// The current window of a direction.
#[derive(Debug, Clone, Copy, Default)]
struct Window {
    start_ns: u64,
    ops: u64,
    bytes: u64,
    sum_ns: f64,
    max_ns: u64,
}

/// Writes one log: of operations, or, where the log has windows, of aggregates.
/// A line is `ms, value, direction, bytes, priority`, with the columns of [`LogSettings`]
/// between. Of a single operation, values are nanoseconds (slat, clat, lat), 1 (iops), and bytes
/// per completion latency in units of 1000 bytes/s (bw: so fio computes it, though its manual says
/// KiB/s). In windows a latency is the mean (rounded), a bandwidth really is KiB/s, rates are
/// truncated, and bytes and offset are 0.
#[derive(Debug)]
pub struct LogWriter<W: Write> {
    out: W,
    kind: LogKind,
    settings: LogSettings,
    windows: [Window; 3],
}

impl<W: Write> LogWriter<W> {
    /// An empty log into `out`.
    pub fn new(out: W, kind: LogKind, settings: LogSettings) -> Self {
        Self { out, kind, settings, windows: [Window::default(); 3] }
    }

    /// Writes the line of an operation, in the order of completions.
    pub fn record_operation(&mut self, sample: &Sample) -> Result<(), LogError> {
        self.direction_index(sample.direction)?;
        let value = match self.kind {
            LogKind::Bw => {
                let rate = u128::from(sample.length) * 1_000_000 / u128::from(sample.value.max(1));
                u64::try_from(rate).unwrap_or(u64::MAX)
            }
            LogKind::Iops => 1,
            LogKind::Slat | LogKind::Clat | LogKind::Lat => sample.value,
        };
        self.write_line(sample, value, None)
    }

    /// Takes a direction's aggregate of the time since its last one (or the job's start) up to
    /// `end_ns` after the job's start. Shorter spans than a window gather until there is one
    /// (nine tenths of it will do, for clocks jitter); so give the last, incomplete one too.
    pub fn record_window(
        &mut self,
        end_ns: u64,
        direction: u8,
        aggregate: &WindowAggregate,
    ) -> Result<(), LogError> {
        let direction = self.direction_index(direction)?;
        let window = &mut self.windows[direction];
        window.ops += aggregate.ops;
        window.bytes += aggregate.bytes;
        window.sum_ns += aggregate.mean_ns * aggregate.ops as f64;
        window.max_ns = window.max_ns.max(aggregate.max_ns);
        let length_ns = self.settings.avg_ms.saturating_mul(1_000_000);
        if end_ns.saturating_sub(window.start_ns) < length_ns / 10 * 9 {
            return Ok(());
        }
        self.close_window(direction, end_ns)
    }

    /// Ends the log of a job that ended `end_ns` after its start, and gives the file back. The
    /// last window, incomplete, is written of latencies and left out of rates, as in fio.
    pub fn finish(mut self, end_ns: u64) -> Result<W, LogError> {
        if !self.kind.is_rate() {
            for direction in 0..self.windows.len() {
                self.close_window(direction, end_ns)?;
            }
        }
        self.out.flush().map_err(|source| self.write_error(source))?;
        Ok(self.out)
    }

    fn direction_index(&self, direction: u8) -> Result<usize, LogError> {
        if usize::from(direction) < self.windows.len() {
            return Ok(usize::from(direction));
        }
        Err(LogError::Direction { log: self.kind.word(), direction })
    }

    /// Writes the line of a direction's window, unless it is empty, and starts the next.
    fn close_window(&mut self, direction: usize, end_ns: u64) -> Result<(), LogError> {
        let next = Window { start_ns: end_ns, ..Window::default() };
        let ended = std::mem::replace(&mut self.windows[direction], next);
        if ended.ops == 0 {
            return Ok(());
        }
        let span_ns = end_ns.saturating_sub(ended.start_ns).max(1);
        let per_second = |amount: u64| {
            let rate = u128::from(amount) * 1_000_000_000 / u128::from(span_ns);
            u64::try_from(rate).unwrap_or(u64::MAX)
        };
        let (mean, max) = match self.kind {
            LogKind::Bw => (per_second(ended.bytes) / 1024, per_second(ended.bytes) / 1024),
            LogKind::Iops => (per_second(ended.ops), per_second(ended.ops)),
            _ => ((ended.sum_ns / ended.ops as f64).round() as u64, ended.max_ns),
        };
        let at = Sample { time_ns: end_ns, direction: direction as u8, ..Sample::default() };
        match self.settings.window_value {
            WindowValue::Average => self.write_line(&at, mean, None),
            WindowValue::Max => self.write_line(&at, max, None),
            WindowValue::Both => self.write_line(&at, mean, Some(max)),
        }
    }

    fn write_line(
        &mut self,
        sample: &Sample,
        value: u64,
        max: Option<u64>,
    ) -> Result<(), LogError> {
        let epoch_ms = self.settings.unix_epoch_ms.unwrap_or(0);
        let time_ms = (sample.time_ns / 1_000_000).saturating_add(epoch_ms);
        let offset = self.settings.with_offset.then_some(sample.offset);
        let columns = [
            Some(time_ms),
            Some(value),
            max,
            Some(sample.direction.into()),
            Some(sample.length.into()),
            offset,
        ];
        let mut cells: Vec<String> = columns.iter().flatten().map(u64::to_string).collect();
        let priority = match (self.settings.priority, sample.ioprio) {
            (LogPriority::High(_), Some(own)) => {
                LogPriority::High(decode_ioprio(own).class == IoClass::Realtime as u8)
            }
            (LogPriority::Whole(_), Some(own)) => LogPriority::Whole(own),
            (of_job, None) => of_job,
        };
        cells.push(match priority {
            LogPriority::High(high) => u8::from(high).to_string(),
            LogPriority::Whole(priority) => format!("{priority:#06x}"),
        });
        if self.settings.with_issue_time {
            cells.push(sample.issued_ns.to_string());
        }
        let line = cells.join(", ") + "\n";
        self.out.write_all(line.as_bytes()).map_err(|source| self.write_error(source))
    }

    fn write_error(&self, source: std::io::Error) -> LogError {
        LogError::Write { log: self.kind.word(), source }
    }
}

#[cfg(test)]
mod tests;
