//! Logs of instances: fio's files, fed from traces and intervals.

use std::io::BufWriter;
use std::sync::Arc;

use engine::{Extras, IntervalOutcome, Step, Traced};
use fio::iolog::{IoKind, IologWriter, Version};
use fio::logs::{
    Aggregate, HistWriter, LogKind, LogSettings, LogWriter, Sample, WindowValue, file_name,
    hist_file_name, latency_kinds,
};
use fio::options::job::{LogName, LogOptions, WindowValue as Wanted};
use fio::plan::Section;
use output::{Destination, Destinations};
use stats::LatencyHistogram;
use workload::Direction;

use super::error::JobsError;
use super::member::{Member, place as place_of};
use super::results::open_result;
use super::tally::REPORTED;

type Out = BufWriter<Destination>;

/// What a file of results holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LogFile {
    Series(LogKind),
    Histogram,
    Trace,
}

/// The files of results of instance `number`, counted from 1.
pub(super) fn log_files(section: &Section, number: u32) -> Vec<(LogFile, String)> {
    let (options, report) = (&section.options.log, &section.options.report);
    let per_job = options.per_job;
    let latencies = latency_kinds(report.disable_slat, report.disable_clat, report.disable_lat);
    let kinds = [
        (&options.bw, vec![LogKind::Bw]),
        (&options.iops, vec![LogKind::Iops]),
        (&options.lat, latencies),
    ];
    let mut files = Vec::new();
    for (name, kinds) in kinds {
        let Some(name) = name else { continue };
        files.extend(kinds.into_iter().map(|kind| {
            let file = file_name(prefix(name), &section.name, kind, number, per_job);
            (LogFile::Series(kind), file)
        }));
    }
    if let Some(name) = options.hist.as_ref().filter(|_| options.hist_ms > 0) {
        let file = hist_file_name(prefix(name), &section.name, number, per_job);
        files.push((LogFile::Histogram, file));
    }
    let trace = section.options.replay.write_iolog.clone();
    files.extend(trace.map(|file| (LogFile::Trace, file)));
    files
}

/// The logs of one instance.
#[derive(Default)]
struct Log {
    series: Vec<(LogKind, LogWriter<Out>)>,
    histogram: Option<Histogram>,
    iolog: Option<Recorded>,
    avg_ms: u64,
    interval_ns: u64,
    /// Intervals seen.
    seen: u64,
    script: Option<Arc<[Step]>>,
    /// Submission is timed for every operation.
    times_submissions: bool,
}

struct Histogram {
    out: HistWriter<Out>,
    window_ns: u64,
    block: u32,
    gathered: [LatencyHistogram; 3],
    begun_ns: u64,
}

/// What `write_iolog` writes at the end, in the order of submission.
struct Recorded {
    out: IologWriter<Out>,
    names: Vec<String>,
    operations: Vec<Traced>,
    start_ns: u64,
}

/// The logs of all instances.
pub(super) struct Logs {
    of: Vec<Log>,
    /// The first thing that went wrong.
    pub(super) failed: Option<String>,
    results: Option<Destinations>,
}

impl Logs {
    /// Room for the logs of so many instances.
    pub(super) fn new(members: usize, results: Option<Destinations>) -> Self {
        Self { of: (0..members).map(|_| Log::default()).collect(), failed: None, results }
    }

    /// Opens the logs of an instance that is about to start. `epoch_ms` is now, since 1970.
    pub(super) fn open(
        &mut self,
        place: usize,
        member: &Member<'_>,
        epoch_ms: u64,
    ) -> Result<(), JobsError> {
        self.of[place] = Log::open(member, epoch_ms, &mut self.results)?;
        Ok(())
    }

    /// What the engine has to give beside figures.
    pub(super) fn extras(&self, place: usize) -> Extras {
        let log = &self.of[place];
        let each = log.avg_ms == 0 && !log.series.is_empty();
        Extras {
            trace: each || log.iolog.is_some(),
            time_submissions: log.times_submissions,
            script: log.script.clone(),
            flow: None,
        }
    }

    /// Takes an interval of instance `place`.
    pub(super) fn interval(&mut self, place: usize, interval: &IntervalOutcome) {
        let done = self.of[place].interval(interval);
        self.note(done);
    }

    /// Takes an operation of instance `place`, whose measuring began at `start_ns`.
    pub(super) fn operation(&mut self, place: usize, traced: &Traced, start_ns: u64) {
        let done = self.of[place].operation(traced, start_ns);
        self.note(done);
    }

    /// Instance `place` ended `elapsed_ns` after it began.
    pub(super) fn end(&mut self, place: usize, elapsed_ns: u64) {
        let log = std::mem::take(&mut self.of[place]);
        self.note(log.end(elapsed_ns));
    }

    fn note(&mut self, done: Result<(), String>) {
        if let Err(error) = done {
            self.failed.get_or_insert(error);
        }
    }
}

impl Log {
    fn open(
        member: &Member<'_>,
        epoch_ms: u64,
        results: &mut Option<Destinations>,
    ) -> Result<Self, JobsError> {
        let section = member.section;
        let options = &section.options.log;
        let settings = settings(options, epoch_ms);
        let mut log = Self {
            avg_ms: options.avg_ms,
            interval_ns: member.work.job.interval.0,
            script: member.script.clone(),
            ..Self::default()
        };
        for (file, name) in log_files(section, member.instance.number + 1) {
            let out = BufWriter::new(open_result(results, section, &name)?);
            match file {
                LogFile::Series(kind) => {
                    log.series.push((kind, LogWriter::new(out, kind, settings)));
                }
                LogFile::Histogram => {
                    log.histogram = Some(Histogram::open(member, settings.unix_epoch_ms, out)?);
                }
                LogFile::Trace => log.iolog = Some(Self::record(member, out)?),
            }
        }
        // One call more per batch costs nothing that can be measured, one more per operation does.
        log.times_submissions = member.work.job.depth.0 > 1
            || section.options.report.slat_percentiles
            || (options.avg_ms == 0 && log.series.iter().any(|(kind, _)| *kind == LogKind::Slat));
        Ok(log)
    }

    fn record(member: &Member<'_>, out: Out) -> Result<Recorded, JobsError> {
        let wrong = |error: fio::iolog::WriteError| {
            JobsError::file(&member.section.name, error.to_string(), None)
        };
        let mut out = IologWriter::new(out, Version::V3).map_err(wrong)?;
        let names: Vec<String> =
            member.ground.paths.iter().map(|path| path.display().to_string()).collect();
        for name in &names {
            out.add(0, name).and_then(|()| out.open(0, name)).map_err(wrong)?;
        }
        Ok(Recorded { out, names, operations: Vec::new(), start_ns: 0 })
    }

    fn interval(&mut self, interval: &IntervalOutcome) -> Result<(), String> {
        self.seen += 1;
        let end_ns = (self.seen - 1) * self.interval_ns + interval.length_ns;
        for (number, direction) in REPORTED.iter().enumerate() {
            let Some(part) = &interval.directions[*direction as usize] else { continue };
            let total = part.total.to_histogram().map_err(|error| error.to_string())?;
            let slat = match &part.submission {
                Some(part) => part.to_histogram().map_err(|error| error.to_string())?,
                None => LatencyHistogram::new(),
            };
            let complete = part.completion.as_ref().filter(|of| of.count == part.ops);
            let clat = match complete {
                Some(completion) => completion.to_histogram().map_err(|e| e.to_string())?,
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
                let aggregate = Aggregate {
                    ops: part.ops,
                    bytes: part.bytes,
                    mean_ns: of.mean_ns().unwrap_or(0.0),
                    max_ns: of.max_ns().unwrap_or(0),
                };
                let done = out.window(end_ns, number as u8, &aggregate);
                done.map_err(|error| error.to_string())?;
            }
        }
        match &mut self.histogram {
            Some(histogram) if end_ns - histogram.begun_ns >= histogram.window_ns => {
                histogram.close(end_ns)
            }
            _ => Ok(()),
        }
    }

    fn operation(&mut self, traced: &Traced, start_ns: u64) -> Result<(), String> {
        if let Some(recorded) = &mut self.iolog {
            recorded.operations.push(*traced);
            recorded.start_ns = start_ns;
        }
        let Some(direction) = place_of(traced.operation.direction) else { return Ok(()) };
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
            let sample = Sample {
                time_ns: traced.reaped_ns.saturating_sub(start_ns),
                direction: direction as u8,
                value,
                length: traced.operation.length,
                offset: traced.operation.offset,
                prio: 0,
                issue_ns: traced.submitted_ns.saturating_sub(start_ns),
            };
            out.operation(&sample).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn end(self, elapsed_ns: u64) -> Result<(), String> {
        for (_, out) in self.series {
            commit(out.finish(elapsed_ns).map_err(|error| error.to_string())?)?;
        }
        if let Some(mut histogram) = self.histogram {
            histogram.close(elapsed_ns)?;
            commit(histogram.out.finish().map_err(|error| error.to_string())?)?;
        }
        self.iolog.map_or(Ok(()), Recorded::write)
    }
}

/// Puts a finished log in its place.
fn commit(out: Out) -> Result<(), String> {
    let destination = out.into_inner().map_err(|error| error.to_string())?;
    destination.commit().map_err(|error| error.to_string())
}

/// The prefix of a log's name; the job's name stands for a bare option.
fn prefix(name: &LogName) -> Option<&str> {
    match name {
        LogName::JobName => None,
        LogName::Prefix(prefix) => Some(prefix),
    }
}

fn settings(options: &LogOptions, epoch_ms: u64) -> LogSettings {
    LogSettings {
        avg_ms: options.avg_ms,
        window_value: match options.window_value {
            Wanted::Average => WindowValue::Average,
            Wanted::Max => WindowValue::Max,
            Wanted::Both => WindowValue::Both,
        },
        with_offset: options.offset,
        unix_epoch_ms: options.unix_epoch.then_some(epoch_ms),
        with_prio: options.prio,
        issue_time: options.issue_time,
    }
}

impl Histogram {
    fn open(member: &Member<'_>, epoch_ms: Option<u64>, out: Out) -> Result<Self, JobsError> {
        let section = member.section;
        let options = &section.options.log;
        let out = HistWriter::new(out, options.hist_coarseness, epoch_ms);
        let out = out.map_err(|error| JobsError::file(&section.name, error.to_string(), None))?;
        Ok(Self {
            out,
            window_ns: options.hist_ms * 1_000_000,
            block: member.work.job.block_size.0 as u32,
            gathered: Default::default(),
            begun_ns: 0,
        })
    }

    fn close(&mut self, end_ns: u64) -> Result<(), String> {
        for (number, gathered) in self.gathered.iter_mut().enumerate() {
            let done = self.out.window(end_ns, number as u8, self.block, gathered);
            done.map_err(|error| error.to_string())?;
            gathered.reset();
        }
        self.begun_ns = end_ns;
        Ok(())
    }
}

impl Recorded {
    fn write(mut self) -> Result<(), String> {
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
            let done = self.out.operation(last, name, kind, offset, length);
            done.map_err(|error| error.to_string())?;
        }
        for name in &self.names {
            self.out.close(last, name).map_err(|error| error.to_string())?;
        }
        commit(self.out.finish().map_err(|error| error.to_string())?)
    }
}
