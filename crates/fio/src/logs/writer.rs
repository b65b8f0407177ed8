//! Bandwidth, operation and latency logs.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::error::LogError;
use super::line::LogLine;
use super::name::LogKind;
use crate::options::log::WindowValue;

/// A window may end earlier by this: clocks jitter.
const SLACK_NS: u64 = 1_000_000;

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
    /// Class and level of the job, as the kernel has them.
    pub ioprio: u16,
    /// `log_prio`: both are written; else whether the class is real time.
    pub whole_priority: bool,
    /// `log_issue_time`
    pub with_issue_time: bool,
    /// `log_unix_epoch`, `log_alternate_epoch`: reading of that clock at the job's start, added to
    /// each time.
    pub epoch_ms: Option<u64>,
    /// `log_store_compressed`
    pub stored: bool,
}

/// Where lines go.
#[derive(Debug)]
enum Out<W: Write> {
    Text(W),
    Stored(ZlibEncoder<W>),
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
    out: Out<W>,
    kind: LogKind,
    settings: LogSettings,
    windows: [Window; 3],
}

impl<W: Write> LogWriter<W> {
    /// An empty log into `out`.
    pub fn new(out: W, kind: LogKind, settings: LogSettings) -> Self {
        let out = match settings.stored {
            true => Out::Stored(ZlibEncoder::new(out, Compression::default())),
            false => Out::Text(out),
        };
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
    /// `end_ns` after the job's start. Shorter spans gather until a multiple of the length of
    /// windows is reached; so give the last, incomplete one too.
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
        let due_ns = match length_ns {
            0 => 0,
            length => ((window.start_ns + SLACK_NS) / length + 1).saturating_mul(length),
        };
        if end_ns + SLACK_NS < due_ns {
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
        let log = self.kind.word();
        let ended = match self.out {
            Out::Text(mut out) => out.flush().map(|()| out),
            Out::Stored(out) => out.finish(),
        };
        ended.map_err(|source| LogError::Write { log, source })
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
        let epoch_ms = self.settings.epoch_ms.unwrap_or(0);
        let LogSettings { with_offset, with_issue_time, whole_priority, ioprio, .. } =
            self.settings;
        let line = LogLine {
            time_ms: (sample.time_ns / 1_000_000).saturating_add(epoch_ms),
            value,
            max,
            direction: sample.direction,
            bytes: sample.length.into(),
            offset: with_offset.then_some(sample.offset),
            ioprio: sample.ioprio.unwrap_or(ioprio),
            whole_priority,
            issued_ns: with_issue_time.then_some(sample.issued_ns),
        };
        let written = match &mut self.out {
            Out::Text(out) => out.write_all(line.to_string().as_bytes()),
            Out::Stored(out) => out.write_all(&line.to_stored()),
        };
        written.map_err(|source| self.write_error(source))
    }

    fn write_error(&self, source: std::io::Error) -> LogError {
        LogError::Write { log: self.kind.word(), source }
    }
}

#[cfg(test)]
mod tests;
