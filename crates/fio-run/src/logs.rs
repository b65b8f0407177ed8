//! fio's logs, from traces and intervals.

use std::error::Error;
use std::io::BufWriter;

use engine::{IntervalOutcome, SessionOptions, TracedOperation};
use fio::iolog::{IoKind, IologWriter};
use fio::logs::{HistWriter, LogKind, LogSettings, LogWriter, Sample, WindowAggregate};
use fio::plan::Section;
use output::{Destination, Destinations};
use rustix::time::{ClockId, DynamicClockId, clock_gettime_dynamic};
use stats::LatencyHistogram;
use workload::{Direction, encode_ioprio};

use super::error::JobsError;
use super::instance_run::InstanceRun;
use super::log_files::{LogFile, log_files};
use super::result_files::open_result;
use super::running_totals::{REPORTED_DIRECTIONS, direction_index};

type Out = BufWriter<Destination>;
type LogResult = Result<(), Box<dyn Error>>;

#[derive(Default)]
struct InstanceLogs {
    series: Vec<(LogKind, LogWriter<Out>)>,
    histogram: Option<HistogramLog>,
    iolog: Option<TraceLog>,
    avg_ms: u64,
    interval_ns: u64,
    seen: u64,
    /// Every submission is timed.
    times_submissions: bool,
}

struct HistogramLog {
    out: HistWriter<Out>,
    window_ns: u64,
    block: u32,
    gathered: [LatencyHistogram; 3],
    begun_ns: u64,
}

/// `write_iolog`, written at the end in the order of submission.
struct TraceLog {
    out: IologWriter<Out>,
    names: Vec<String>,
    operations: Vec<TracedOperation>,
    start_ns: u64,
}

pub(super) struct RunLogs {
    instances: Vec<InstanceLogs>,
    /// The first failure.
    pub(super) failed: Option<String>,
    pub(super) results: Option<Destinations>,
}

impl RunLogs {
    pub(super) fn new(runs: usize, results: Option<Destinations>) -> Self {
        Self {
            instances: (0..runs).map(|_| InstanceLogs::default()).collect(),
            failed: None,
            results,
        }
    }

    /// Opens the logs of an instance. `epoch_ms` is now, since 1970.
    pub(super) fn open(
        &mut self,
        place: usize,
        run: &InstanceRun<'_>,
        epoch_ms: u64,
    ) -> Result<(), JobsError> {
        self.instances[place] = InstanceLogs::open(run, epoch_ms, &mut self.results)?;
        Ok(())
    }

    /// What the logs need of the engine.
    pub(super) fn session_options(&self, place: usize) -> SessionOptions {
        let log = &self.instances[place];
        let each = log.avg_ms == 0 && !log.series.is_empty();
        SessionOptions {
            trace: each || log.iolog.is_some(),
            time_submissions: log.times_submissions,
            ..SessionOptions::default()
        }
    }

    pub(super) fn record_interval(&mut self, place: usize, interval: &IntervalOutcome) {
        let done = self.instances[place].record_interval(interval);
        self.note_failure(done);
    }

    /// `start_ns` is the start of the measurement.
    pub(super) fn record_operation(
        &mut self,
        place: usize,
        traced: &TracedOperation,
        start_ns: u64,
    ) {
        let done = self.instances[place].record_operation(traced, start_ns);
        self.note_failure(done);
    }

    pub(super) fn finish(&mut self, place: usize, elapsed_ns: u64) {
        let log = std::mem::take(&mut self.instances[place]);
        self.note_failure(log.finish(elapsed_ns));
    }

    fn note_failure(&mut self, done: LogResult) {
        if let Err(error) = done {
            self.failed.get_or_insert_with(|| error.to_string());
        }
    }
}

impl InstanceLogs {
    fn open(
        run: &InstanceRun<'_>,
        epoch_ms: u64,
        results: &mut Option<Destinations>,
    ) -> Result<Self, JobsError> {
        let section = run.section;
        let options = &section.options.log;
        let settings = log_settings(section, epoch_ms);
        let mut log = Self {
            avg_ms: options.avg_ms,
            interval_ns: run.plan.job.interval.0,
            ..Self::default()
        };
        for (file, name) in log_files(section, run.instance.number + 1) {
            let out = BufWriter::new(open_result(results, section, &name)?);
            match file {
                LogFile::Series(kind) => {
                    log.series.push((kind, LogWriter::new(out, kind, settings)));
                }
                LogFile::Histogram => {
                    log.histogram = Some(HistogramLog::new(run, settings.epoch_ms, out));
                }
                LogFile::Trace => log.iolog = Some(Self::open_trace(run, out)?),
            }
        }
        // A timer call per batch is negligible, one per operation is not.
        log.times_submissions = run.plan.job.depth.0 > 1
            || section.options.report.slat_percentiles
            || (options.avg_ms == 0 && log.series.iter().any(|(kind, _)| *kind == LogKind::Slat));
        Ok(log)
    }

    fn open_trace(run: &InstanceRun<'_>, out: Out) -> Result<TraceLog, JobsError> {
        let wrong = |error: fio::iolog::WriteError| {
            let hint = "give names without blanks, or leave write_iolog out";
            JobsError::file(&run.section.name, error.to_string(), hint)
        };
        let mut out = IologWriter::new(out).map_err(wrong)?;
        let names: Vec<String> =
            run.files.paths.iter().map(|path| path.display().to_string()).collect();
        for name in &names {
            out.add_file(0, name).and_then(|()| out.open_file(0, name)).map_err(wrong)?;
        }
        Ok(TraceLog { out, names, operations: Vec::new(), start_ns: 0 })
    }

    fn record_interval(&mut self, interval: &IntervalOutcome) -> LogResult {
        self.seen += 1;
        let end_ns = (self.seen - 1) * self.interval_ns + interval.length_ns;
        for (number, direction) in REPORTED_DIRECTIONS.iter().enumerate() {
            let Some(part) = &interval.directions[*direction as usize] else { continue };
            let total = part.total.to_histogram()?;
            let slat = match &part.submission {
                Some(part) => part.to_histogram()?,
                None => LatencyHistogram::new(),
            };
            let complete = part.completion.as_ref().filter(|of| of.count == part.ops);
            let clat = match complete {
                Some(completion) => completion.to_histogram()?,
                None => total.without(&slat),
            };
            if let Some(histogram) = &mut self.histogram {
                histogram.gathered[number].merge(&clat);
            }
            if self.avg_ms == 0 {
                continue;
            }
            for (kind, out) in &mut self.series {
                let of = match kind {
                    LogKind::Slat => &slat,
                    LogKind::Clat => &clat,
                    LogKind::Bw | LogKind::Iops | LogKind::Lat => &total,
                };
                let aggregate = WindowAggregate {
                    ops: part.ops,
                    bytes: part.bytes,
                    mean_ns: of.mean_ns().unwrap_or(0.0),
                    max_ns: of.max_ns().unwrap_or(0),
                };
                out.record_window(end_ns, number as u8, &aggregate)?;
            }
        }
        match &mut self.histogram {
            Some(histogram) if end_ns - histogram.begun_ns >= histogram.window_ns => {
                histogram.close(end_ns)
            }
            _ => Ok(()),
        }
    }

    fn record_operation(&mut self, traced: &TracedOperation, start_ns: u64) -> LogResult {
        if let Some(recorded) = &mut self.iolog {
            recorded.operations.push(*traced);
            recorded.start_ns = start_ns;
        }
        let Some(direction) = direction_index(traced.operation.direction) else { return Ok(()) };
        if self.avg_ms > 0 {
            return Ok(());
        }
        let total = traced.reaped_ns.saturating_sub(traced.submitted_ns);
        for (kind, out) in &mut self.series {
            let value = match kind {
                LogKind::Slat => traced.submission_ns,
                LogKind::Clat => total.saturating_sub(traced.submission_ns),
                LogKind::Bw | LogKind::Iops | LogKind::Lat => total,
            };
            if *kind == LogKind::Slat && traced.submission_ns == 0 {
                continue;
            }
            // As in fio, only the parts of a latency have the time of the submission.
            let issued = match kind {
                LogKind::Slat | LogKind::Clat => {
                    (traced.submitted_ns + traced.submission_ns).saturating_sub(start_ns)
                }
                LogKind::Bw | LogKind::Iops | LogKind::Lat => 0,
            };
            let sample = Sample {
                time_ns: traced.reaped_ns.saturating_sub(start_ns),
                direction: direction as u8,
                value,
                length: traced.operation.length,
                offset: traced.operation.offset,
                issued_ns: issued,
                ioprio: (traced.ioprio > 0).then_some(traced.ioprio),
            };
            out.record_operation(&sample)?;
        }
        Ok(())
    }

    fn finish(self, elapsed_ns: u64) -> LogResult {
        for (_, out) in self.series {
            commit_log(out.finish(elapsed_ns)?)?;
        }
        if let Some(mut histogram) = self.histogram {
            histogram.close(elapsed_ns)?;
            commit_log(histogram.out.finish()?)?;
        }
        self.iolog.map_or(Ok(()), TraceLog::write)
    }
}

fn commit_log(out: Out) -> LogResult {
    Ok(out.into_inner()?.commit()?)
}

fn log_settings(section: &Section, epoch_ms: u64) -> LogSettings {
    let (options, placement) = (&section.options.log, &section.options.placement);
    // As in fio, a level alone is one of the class best effort.
    let class = placement.prioclass.unwrap_or(if placement.prio.is_some() { 2 } else { 0 });
    LogSettings {
        ioprio: encode_ioprio(class, placement.prio.unwrap_or(0)),
        whole_priority: options.prio,
        stored: options.stored,
        with_issue_time: options.issue_time,
        avg_ms: options.avg_ms,
        window_value: options.window_value,
        with_offset: options.offset,
        epoch_ms: match options {
            _ if options.alternate_epoch => read_clock_ms(options.epoch_clock),
            _ => options.unix_epoch.then_some(epoch_ms),
        },
    }
}

fn read_clock_ms(clock: u32) -> Option<u64> {
    let clock = ClockId::try_from(i32::try_from(clock).ok()?).ok()?;
    let now = clock_gettime_dynamic(DynamicClockId::Known(clock)).ok()?;
    let (seconds, nanos) = (now.tv_sec.cast_unsigned(), now.tv_nsec.cast_unsigned());
    Some(seconds.saturating_mul(1000).saturating_add(nanos / 1_000_000))
}

impl HistogramLog {
    fn new(run: &InstanceRun<'_>, epoch_ms: Option<u64>, out: Out) -> Self {
        let options = &run.section.options.log;
        Self {
            out: HistWriter::new(out, options.hist_coarseness, epoch_ms),
            window_ns: options.hist_ms * 1_000_000,
            block: run.plan.job.block_size.0 as u32,
            gathered: Default::default(),
            begun_ns: 0,
        }
    }

    fn close(&mut self, end_ns: u64) -> LogResult {
        for (number, gathered) in self.gathered.iter_mut().enumerate() {
            self.out.write_window(end_ns, number as u8, self.block, gathered)?;
            gathered.reset();
        }
        self.begun_ns = end_ns;
        Ok(())
    }
}

impl TraceLog {
    fn write(mut self) -> LogResult {
        self.operations.sort_by_key(|operation| operation.submitted_ns);
        let mut last = 0;
        for traced in &self.operations {
            let operation = &traced.operation;
            let kind = match operation.direction {
                Direction::Read => IoKind::Read,
                Direction::Write => IoKind::Write,
                Direction::Trim => IoKind::Trim,
                Direction::Sync => IoKind::Sync,
            };
            last = traced.submitted_ns.saturating_sub(self.start_ns);
            let name = &self.names[operation.target as usize];
            let (offset, length) = (operation.offset, u64::from(operation.length));
            self.out.write_operation(last, name, kind, offset, length)?;
        }
        for name in &self.names {
            self.out.close_file(last, name)?;
        }
        commit_log(self.out.finish()?)
    }
}
