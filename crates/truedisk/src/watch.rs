//! `truedisk watch`: live disks, and whether one of them is the bottleneck.

mod facts;
mod json;
mod keep;
pub(crate) mod metrics;
pub(crate) mod plain;
pub(crate) mod screen;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use record::Record;
use target::Roots;
use units::ErrorKind;
use watch::{
    Disk, DiskFacts, OpenedSource, Probe, Sample, Source, SourceKind, VolumeReader, WatchError,
    WatchSeries, WatchSummary, judge,
};
use workload::{Bound, Statistic};

use crate::args::{LatencyThreshold, SourceArg, WatchArgs};
use crate::exit::{Exit, Failure, Outcome, signal_status};
use crate::output::{guarded_destinations, name_options};
use crate::{signals, terminal};
pub(crate) use facts::choose_disks;
use json::JsonLines;
use metrics::{BoundExport, MetricsExport};
use screen::{Input, Screen};

/// The answer while the watch goes on is that of the last intervals.
const RECENT_INTERVALS: usize = 10;
/// Limits of control groups are read again after this time.
const LIMITS_EVERY: Duration = Duration::from_secs(60);

pub(crate) fn run(args: &WatchArgs) -> Outcome {
    let roots = Roots::host();
    let disks = choose_disks(&args.paths, &roots)?;
    let path = args.result.json.json.as_deref();
    let mut destinations = guarded_destinations(&args.paths);
    let file = path.map(|path| destinations.open_to_follow(path)).transpose()?;
    let html = args.result.html.as_deref().map(|path| destinations.open(path)).transpose();
    let html = html.map_err(|error| name_options(error, "--html", &[("--json", &file)]))?;
    let export = BoundExport::bind(args, &mut destinations)?;
    let to_stdout = [&file, &html].into_iter().flatten().any(::output::Destination::is_dash);
    let started = Timestamp::now();
    let names: Vec<Disk> = disks.iter().map(|(disk, _)| disk.clone()).collect();
    let OpenedSource { source, notes } =
        watch::open_source(args.source.map(SourceKind::from), &names, &roots)?;
    let probe = args.probe.as_deref().map(Probe::open).transpose()?;
    let kind = source.kind();
    refuse_unseen_statistic(args.fail_on, kind)?;
    let (send, inputs) = channel();
    let stop = send.clone();
    let ask_to_end = move || {
        // The receiver is gone when the watch has ended.
        let _ = stop.send(Input::Stop);
    };
    let end_at_once = |signal| {
        screen::close();
        ::output::remove_temporaries();
        signal_status(signal)
    };
    let caught = signals::call_on_signal(false, ask_to_end, end_at_once)?;
    let json = file.map(|file| JsonLines::new(file, kind));
    if !to_stdout {
        terminal::print(&plain::render_start(&names, kind, &notes))?;
    }
    let mut watched = Watch::new(disks, load_known_runs(args.known_within)?, probe, roots);
    let times = Times::new(args);
    let metrics = export.map(|export| export.start(kind, &watched.facts)).transpose()?;
    let is_drawn = !to_stdout && !args.plain && args.once.is_none() && terminal::can_draw_screen();
    let screen = is_drawn.then(|| Screen::open(kind, &notes, send)).transpose()?;
    let prints_text = !to_stdout && screen.is_none();
    let is_once = args.once.is_some();
    let mut viewer = Viewer { inputs, screen, json, metrics, prints_text, is_once, kind };
    let ended = watched.run(source, &times, &mut viewer);
    // The terminal is as before when the result is printed.
    let captured = viewer.screen.and_then(Screen::end);
    if let Some(words) = captured {
        terminal::eprint_line(format_args!("truedisk: {}", terminal::tell(words)))?;
    }
    let judgements = judge(&watched.summary, &watched.facts);
    let is_cut_short = caught.number().is_some() && times.end.is_some();
    let seen = (&watched.summary, &watched.series);
    let described = watch::describe_watch(kind, &notes, seen, &judgements, &watched.facts);
    let completion = keep::describe_completion(is_cut_short, ended.as_ref().err());
    let seen = keep::SeenWatch { started, completion, watched: described };
    let record = keep::build_record(args, seen, &watched.roots)?;
    // Before anything else that may fail: what was seen is worth more than how it is shown.
    let kept = keep::keep_watch(args, &record, html);
    ended?;
    if let Some(mut json) = viewer.json {
        json.write("summary", Timestamp::now(), &watched.summary, &judgements)?;
        json.commit()?;
    }
    if !to_stdout {
        terminal::print(&format!("\n{}", plain::render_end(&record)))?;
    }
    if let Some(export) = viewer.metrics {
        export.finish(&watched.summary, &judgements, &watched.facts)?;
    }
    kept?;
    Ok(exit_of(args, is_cut_short, &watched.summary))
}

fn exit_of(args: &WatchArgs, is_cut_short: bool, summary: &WatchSummary) -> Exit {
    match args.fail_on {
        _ if is_cut_short => Exit::Error(ErrorKind::Interrupted),
        Some(threshold) if is_exceeded(summary, threshold.0) => Exit::Error(ErrorKind::NotMet),
        _ => Exit::Done,
    }
}

/// A watch that cannot say what a disk can do still says what it does.
fn load_known_runs(since: Timestamp) -> Result<Vec<Record>, Failure> {
    match facts::load_known_runs(since) {
        Ok(records) => Ok(records),
        Err(error) => {
            let words = format_args!("truedisk: the stored runs cannot be read: {error}");
            terminal::eprint_line(words)?;
            Ok(Vec::new())
        }
    }
}

/// Shows each interval, and takes what may end the watch before its time.
struct Viewer {
    inputs: Receiver<Input>,
    screen: Option<Screen>,
    json: Option<JsonLines>,
    metrics: Option<MetricsExport>,
    prints_text: bool,
    /// Only the whole watch is shown.
    is_once: bool,
    kind: SourceKind,
}

impl Viewer {
    /// Waits for `time`; whether the watch is to end.
    fn wait(&mut self, time: Duration) -> Result<bool, Failure> {
        match &mut self.screen {
            Some(screen) => screen.wait(&self.inputs, time),
            None => Ok(self.inputs.recv_timeout(time).is_ok()),
        }
    }

    fn show(
        &mut self,
        interval: &WatchSummary,
        recent: &WatchSummary,
        whole: &WatchSummary,
        facts: &[DiskFacts],
    ) -> Result<(), Failure> {
        if self.is_once && self.metrics.is_none() {
            return Ok(());
        }
        let (now, judgements) = (Timestamp::now(), judge(recent, facts));
        if let Some(export) = &mut self.metrics {
            export.add(interval, whole, &judgements, facts)?;
        }
        if self.is_once {
            return Ok(());
        }
        if let Some(json) = &mut self.json {
            json.write("interval", now, interval, &judgements)?;
        }
        if self.prints_text {
            let nothing = (interval, &WatchSeries::default());
            let seen = watch::describe_watch(self.kind, &[], nothing, &judgements, facts);
            let sentence = judgements.first().map(|first| &first.sentence);
            terminal::print(&plain::render_interval(now, sentence, &seen))?;
        }
        match &mut self.screen {
            Some(screen) => screen.show(now, interval, judgements, facts),
            None => Ok(()),
        }
    }
}

/// When readings are made.
struct Times {
    interval: Duration,
    end: Option<Duration>,
}

impl Times {
    fn new(args: &WatchArgs) -> Self {
        let end = args.once.or(args.duration).map(Duration::from);
        let interval = Duration::from(args.interval);
        Self { interval: end.map_or(interval, |end| interval.min(end)), end }
    }
}

/// A watch of some disks, and what it has seen.
struct Watch {
    disks: Vec<(Disk, Option<PathBuf>)>,
    known: Vec<Record>,
    roots: Roots,
    facts: Vec<DiskFacts>,
    summary: WatchSummary,
    series: WatchSeries,
    recent: VecDeque<Sample>,
    volumes: VolumeReader,
    probe: Option<Probe>,
}

impl Watch {
    fn new(
        disks: Vec<(Disk, Option<PathBuf>)>,
        known: Vec<Record>,
        probe: Option<Probe>,
        roots: Roots,
    ) -> Self {
        let (summary, series, recent) = Default::default();
        let volumes = VolumeReader::open(disks.iter().map(|(disk, _)| disk), &roots);
        let facts = Vec::new();
        let mut watch =
            Self { disks, known, roots, facts, summary, series, recent, volumes, probe };
        watch.read_facts();
        watch
    }

    fn read_facts(&mut self) {
        let disks: Vec<Disk> = self.disks.iter().map(|(disk, _)| disk.clone()).collect();
        let limits = watch::read_io_limits(&disks, &self.roots);
        self.facts =
            facts::gather_facts(&self.disks, &limits, &self.known, &self.facts, &self.roots);
    }

    /// At the end: what the disks counted since the last reading of all facts.
    fn read_health(&mut self) {
        for facts in &mut self.facts {
            facts.health.run.end = target::read_disk_health(&facts.name, &self.roots);
        }
    }

    /// Reads the source once per interval until the end or a signal; the viewer gets each interval
    /// and the recent ones together.
    fn run(
        &mut self,
        mut source: Box<dyn Source>,
        times: &Times,
        viewer: &mut Viewer,
    ) -> Result<(), Failure> {
        let start = Instant::now();
        let (mut next, mut limits_at) = (Duration::ZERO, Duration::ZERO);
        loop {
            // The plan of readings does not move when one is late.
            next = (next + times.interval).max(start.elapsed());
            next = times.end.map_or(next, |end| next.min(end));
            let is_stopped = viewer.wait(next.saturating_sub(start.elapsed()))?;
            let mut sample = source.sample()?;
            self.volumes.add_to(&mut sample);
            sample.probe = self.probe.as_ref().map(Probe::take);
            self.add(sample);
            let interval = WatchSummary::from_samples(self.recent.back());
            let recent = WatchSummary::from_samples(&self.recent);
            viewer.show(&interval, &recent, &self.summary, &self.facts)?;
            if is_stopped || times.end.is_some_and(|end| start.elapsed() >= end) {
                self.read_health();
                return Ok(());
            }
            if start.elapsed() - limits_at >= LIMITS_EVERY {
                limits_at = start.elapsed();
                self.read_facts();
            }
        }
    }

    fn add(&mut self, sample: Sample) {
        self.summary.add(&sample);
        self.series.add(&sample);
        if self.recent.len() == RECENT_INTERVALS {
            self.recent.pop_front();
        }
        self.recent.push_back(sample);
    }
}

/// Counters have means only: a threshold of a percentile would never be exceeded.
fn refuse_unseen_statistic(
    threshold: Option<LatencyThreshold>,
    source: SourceKind,
) -> Result<(), Failure> {
    let Some(LatencyThreshold(bound)) = threshold else { return Ok(()) };
    if source != SourceKind::Counters || bound.statistic == Statistic::Mean {
        return Ok(());
    }
    let message = format_args!(
        "--fail-on {} needs a source of distributions, and counters have means only",
        bound.to_string().replace('<', ">")
    );
    Err(Failure::wrong(message).hint("run it as root, or use mean: --fail-on 'mean>10ms'"))
}

fn is_exceeded(summary: &WatchSummary, bound: Bound) -> bool {
    let exceeds = |disk: &watch::DiskSummary| {
        disk.worst(bound.statistic).is_some_and(|(_, latency)| latency > bound.limit)
    };
    summary.disks.iter().any(exceeds)
}

impl From<SourceArg> for SourceKind {
    fn from(source: SourceArg) -> Self {
        match source {
            SourceArg::Ebpf => Self::Ebpf,
            SourceArg::Trace => Self::Trace,
            SourceArg::Counters => Self::Counters,
        }
    }
}

impl From<WatchError> for Failure {
    fn from(error: WatchError) -> Self {
        let kind = match error {
            WatchError::Probe(_) | WatchError::Unavailable { .. } | WatchError::NoDisk => {
                ErrorKind::WrongRequest
            }
            WatchError::Read { .. } | WatchError::Kernel(_) => ErrorKind::Failed,
        };
        Self::new(kind, &error, error.hint().map(str::to_owned))
    }
}
