//! Bandwidth, operation and latency logs.

use std::io::Write;

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
    /// Priority as Linux encodes it: class << 13 | level. 0: none.
    pub prio: u32,
    /// When it was issued: nanoseconds since the start of the job.
    pub issue_ns: u64,
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
    /// `log_unix_epoch`: milliseconds since 1970 at the job's start, added to each time.
    pub unix_epoch_ms: Option<u64>,
    /// `log_prio`: the priority itself as `0x2004`, instead of 1 for real time and 0 for others.
    pub with_prio: bool,
    /// `log_issue_time`: a last column with the time of issue in nanoseconds.
    pub issue_time: bool,
}

/// What has gathered in the current window of a direction.
#[derive(Debug, Clone, Copy, Default)]
struct Window {
    start_ns: u64,
    ops: u64,
    bytes: u64,
    sum_ns: f64,
    max_ns: u64,
}

impl Window {
    fn add(&mut self, more: &WindowAggregate) {
        self.ops += more.ops;
        self.bytes += more.bytes;
        self.sum_ns += more.mean_ns * more.ops as f64;
        self.max_ns = self.max_ns.max(more.max_ns);
    }
}

/// Writes one log. Feed it either operations or, where the log has windows, aggregates; not both.
///
/// A line is `ms, value, direction, bytes, priority`, with the columns of [`LogSettings`]
/// between. Of a single operation, values are nanoseconds (slat, clat, lat), 1 (iops), and bytes
/// per completion latency in units of 1000 bytes/s (bw: so fio computes it, though its manual says
/// KiB/s). In windows a latency is the mean (rounded), a bandwidth really is KiB/s, rates are
/// truncated, and bytes, offset and priority are 0.
#[derive(Debug)]
pub struct LogWriter<W: Write> {
    out: W,
    kind: LogKind,
    settings: LogSettings,
    windows: [Window; 3],
    aggregated: bool,
}

impl<W: Write> LogWriter<W> {
    /// An empty log into `out`.
    pub fn new(out: W, kind: LogKind, settings: LogSettings) -> Self {
        Self { out, kind, settings, windows: [Window::default(); 3], aggregated: false }
    }

    /// Takes one operation, in the order of completions. Without windows it is a line at once.
    ///
    /// With windows, a latency's window ends with the first operation at or after its end, which
    /// still counts in it and gives the line its time. The next window starts at the last whole
    /// multiple of the length. Rates have fixed windows, of all directions at once.
    /// Errors: an unknown direction; an error of the file.
    pub fn record_operation(&mut self, sample: &Sample) -> Result<(), LogError> {
        let direction = self.direction_index(sample.direction)?;
        if self.settings.avg_ms == 0 {
            return self.write_operation(sample);
        }
        let one = WindowAggregate {
            ops: 1,
            bytes: u64::from(sample.length),
            mean_ns: sample.value as f64,
            max_ns: sample.value,
        };
        let length_ns = self.window_ns();
        let aligned = sample.time_ns - sample.time_ns % length_ns;
        if self.kind.is_rate() {
            self.close_rate_windows(sample.time_ns)?;
            self.windows[direction].add(&one);
        } else {
            self.windows[direction].add(&one);
            let start_ns = self.windows[direction].start_ns;
            if sample.time_ns.saturating_sub(start_ns) >= length_ns {
                self.close_window(direction, sample.time_ns, aligned)?;
            }
        }
        Ok(())
    }

    /// Takes a direction's aggregate of the time since its last one (or the job's start) up to
    /// `end_ns` after the job's start. Shorter spans than a window gather until there is one
    /// (nine tenths of it will do, for clocks jitter); so give the last, incomplete one too.
    /// Errors: an unknown direction; an error of the file.
    pub fn record_window(
        &mut self,
        end_ns: u64,
        direction: u8,
        aggregate: &WindowAggregate,
    ) -> Result<(), LogError> {
        let direction = self.direction_index(direction)?;
        self.aggregated = true;
        self.windows[direction].add(aggregate);
        let elapsed = end_ns.saturating_sub(self.windows[direction].start_ns);
        if elapsed >= self.window_ns() / 10 * 9 {
            self.close_window(direction, end_ns, end_ns)
        } else {
            Ok(())
        }
    }

    /// Ends the log of a job that ended `end_ns` after its start, and gives the file back. The
    /// last window, incomplete, is written of latencies and left out of rates, as in fio.
    /// Errors: an error of the file.
    pub fn finish(mut self, end_ns: u64) -> Result<W, LogError> {
        if self.kind.is_rate() {
            if self.settings.avg_ms > 0 && !self.aggregated {
                self.close_rate_windows(end_ns)?;
            }
        } else {
            for direction in 0..self.windows.len() {
                self.close_window(direction, end_ns, end_ns)?;
            }
        }
        self.out.flush().map_err(|source| self.write_error(source))?;
        Ok(self.out)
    }

    fn window_ns(&self) -> u64 {
        self.settings.avg_ms.saturating_mul(1_000_000)
    }

    fn direction_index(&self, direction: u8) -> Result<usize, LogError> {
        if usize::from(direction) < self.windows.len() {
            return Ok(usize::from(direction));
        }
        Err(LogError::Direction { log: self.kind.word(), direction })
    }

    fn write_operation(&mut self, sample: &Sample) -> Result<(), LogError> {
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

    /// Ends the windows of rates that lie wholly before `now_ns`.
    fn close_rate_windows(&mut self, now_ns: u64) -> Result<(), LogError> {
        let length_ns = self.window_ns();
        for direction in 0..self.windows.len() {
            let end_ns = self.windows[direction].start_ns.saturating_add(length_ns);
            if now_ns >= end_ns {
                // Empty windows have no line: start again where the present one starts.
                self.close_window(direction, end_ns, now_ns - now_ns % length_ns)?;
            }
        }
        Ok(())
    }

    /// Writes the line of a direction's window, unless it is empty, and starts the next.
    fn close_window(
        &mut self,
        direction: usize,
        end_ns: u64,
        next_ns: u64,
    ) -> Result<(), LogError> {
        let ended = self.windows[direction];
        self.windows[direction] = Window { start_ns: next_ns, ..Window::default() };
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
        let mut line = format!("{time_ms}, {value}");
        let mut column = |text: String| {
            line.push_str(", ");
            line.push_str(&text);
        };
        if let Some(max) = max {
            column(max.to_string());
        }
        column(sample.direction.to_string());
        column(sample.length.to_string());
        if self.settings.with_offset {
            column(sample.offset.to_string());
        }
        column(if self.settings.with_prio {
            format!("0x{:04x}", sample.prio)
        } else {
            u32::from(is_real_time(sample.prio)).to_string()
        });
        if self.settings.issue_time {
            column(sample.issue_ns.to_string());
        }
        line.push('\n');
        self.out.write_all(line.as_bytes()).map_err(|source| self.write_error(source))
    }

    fn write_error(&self, source: std::io::Error) -> LogError {
        LogError::Write { log: self.kind.word(), source }
    }
}

/// Whether this is a priority of the real time class.
fn is_real_time(prio: u32) -> bool {
    prio >> 13 == 1
}

#[cfg(test)]
mod tests;
