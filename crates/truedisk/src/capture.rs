//! `truedisk capture`: the load of a live disk, as a profile and as a trace.

use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use ::output::{Destination, is_dash};
use jiff::Timestamp;
use message::{Message, Names, label, messages};
use method::profile::ProfileBuilder;
use record::profile::{KindProfile, Profile, ProfileError, ProfiledDisk};
use record::{RequestKind, TraceHeader, TraceRequest, TraceWriter};
use target::Roots;
use units::{Bytes, ErrorKind, Iops, Nanos, Ratio};
use watch::{Capture, CaptureEnd, Disk, EbpfUnavailable, WatchError, is_request_based};

use crate::args::CaptureArgs;
use crate::exit::{Exit, Failure, Outcome, signal_status};
use crate::output::{guarded_destinations, name_options, write_json};
use crate::signals;
use crate::terminal::{self, tell};
use crate::watch::choose_disks;

/// How often the requests are fetched from the kernel.
const READ_EVERY: Duration = Duration::from_millis(20);
/// A killed capture loses this much of its trace.
const FLUSH_EVERY: Duration = Duration::from_secs(1);
const SECTOR: u64 = 512;
/// A page of sysfs.
const NUMBER_BYTES_MAX: u64 = 4096;
/// A request in a trace, and the header of a new chunk.
const TRACE_STEP_BYTES: u64 = 64;

messages! {
    Capturing = "capture-capturing" { disk: String };
    Progress = "capture-progress" { disk: String, requests: u64, time: Nanos };
    Captured = "capture-captured" { disk: String, rate: Iops, time: Nanos, requests: u64 };
    Uncertain = "capture-uncertain" { margin: Ratio };
    Kind = "capture-kind" { kind: Message, facts: Names };
    Share = "capture-share" { share: Ratio };
    MostlySize = "capture-size" { size: Bytes };
    Sequential = "capture-sequential" { share: Ratio };
    Latency = "capture-latency" { statistic: String, latency: Nanos };
    Lost = "capture-lost" { lost: u64, share: Ratio };
    LostFew = "capture-lost-few" { lost: u64 };
    OwnWrites = "capture-own-writes" { file: String, disk: String };
    Full = "capture-full" { file: String, size: Bytes };
    ProfileSaved = "capture-profile-saved" { file: String };
    TraceSaved = "capture-trace-saved" { file: String, size: Bytes };
}

pub(crate) fn run(args: &CaptureArgs) -> Outcome {
    let roots = Roots::host();
    let disk = choose_disk(&args.path, &roots)?;
    let facts = describe_disk(&disk, &roots)?;
    let mut destinations = guarded_destinations([&args.path]);
    let profile = args.output.as_deref().map(|path| destinations.open(path)).transpose()?;
    let json = args.json.json.as_deref().map(|path| destinations.open(path)).transpose()?;
    let trace = match args.trace.as_deref() {
        Some(path) => {
            // It grows from its first byte, so that it outlives a killed capture: it cannot take
            // the place of a file at the end.
            let opened = destinations.open_new(path);
            Some(
                opened
                    .map_err(|error| name_options(error, "--trace", &[("--output", &profile)]))?,
            )
        }
        None => None,
    };
    let (send, stopped) = channel();
    let stop = move || {
        // The receiver is gone when the capture has ended.
        let _ = send.send(());
    };
    let end_at_once = |signal| {
        ::output::remove_temporaries();
        signal_status(signal)
    };
    let caught = signals::call_on_signal(false, stop, end_at_once)?;
    let capture = Capture::open(&disk, &roots).map_err(describe_unavailable)?;
    let captured = Timestamp::now();
    if !args.quiet.quiet {
        let words = tell(Capturing { disk: disk.name.clone() });
        terminal::eprint_line(format_args!("truedisk: {words}"))?;
    }
    let trace = trace.map(|file| TraceSink::new(file, &facts, captured, args)).transpose()?;
    if let Some(path) = args.trace.as_deref().filter(|path| !is_dash(path)) {
        note_own_writes(path, &disk, &roots)?;
    }
    let shows_progress = !args.quiet.quiet && terminal::is_stderr_terminal();
    let time = args.duration.map(Duration::from);
    let sinks = Sinks::new(facts, trace);
    let load = capture_load(capture, captured, sinks, time, &stopped, shows_progress)?;
    let found = &load.profile;
    if let Some(file) = profile {
        file.save(found.to_toml()?.as_bytes())?;
    }
    if let Some(file) = json {
        write_json(file, found)?;
    }
    let files = [&args.output, &args.trace, &args.json.json];
    let to_stdout = files.into_iter().flatten().any(|path| is_dash(path));
    if !to_stdout {
        terminal::print(&describe_capture(&load, args))?;
    }
    let is_cut_short = caught.number().is_some() && args.duration.is_some();
    Ok(if is_cut_short { Exit::Error(ErrorKind::Interrupted) } else { Exit::Done })
}

/// Captures the load of the disk at `device` into a new profile until `stopped`; the number of its
/// requests.
pub(crate) fn capture_profile(
    device: &Path,
    file: &Path,
    stopped: &Receiver<()>,
) -> Result<u64, Failure> {
    refuse_existing(file)?;
    let roots = Roots::host();
    let disk = choose_disk(device, &roots)?;
    let facts = describe_disk(&disk, &roots)?;
    let profile = guarded_destinations([device]).open(file)?;
    let capture = Capture::open(&disk, &roots).map_err(describe_unavailable)?;
    let sinks = Sinks::new(facts, None);
    let load = capture_load(capture, Timestamp::now(), sinks, None, stopped, false)?;
    // Another capture may have made it meanwhile.
    refuse_existing(file)?;
    profile.save(load.profile.to_toml()?.as_bytes())?;
    Ok(load.profile.requests)
}

/// What was captured.
struct CapturedLoad {
    profile: Profile,
    /// The length of the trace.
    trace_bytes: Option<u64>,
    /// The trace has reached its largest size.
    is_full: bool,
}

/// Captures until the time is over, `stopped` or the trace is full. Without requests it fails.
fn capture_load(
    capture: Capture,
    captured: Timestamp,
    mut sinks: Sinks,
    time: Option<Duration>,
    stopped: &Receiver<()>,
    shows_progress: bool,
) -> Result<CapturedLoad, Failure> {
    let (end, is_full) = record_requests(capture, &mut sinks, time, stopped, shows_progress)?;
    let trace_bytes = sinks.trace.map(|trace| trace.finish(end.length_ns, end.lost)).transpose()?;
    if sinks.requests == 0 {
        let message =
            format_args!("no request came to {} within {}", sinks.disk, Nanos(end.length_ns));
        return Err(Failure::failed(message).hint("capture it while its load is there"));
    }
    let profile = sinks.builder.finish(captured, end.length_ns, end.lost);
    Ok(CapturedLoad { profile, trace_bytes, is_full })
}

fn refuse_existing(file: &Path) -> Result<(), Failure> {
    match file.symlink_metadata() {
        Ok(_) => Err(Failure::wrong(format_args!("{} exists already", file.display()))),
        Err(_) => Ok(()),
    }
}

/// The disk itself, or the one disk below it whose requests can be captured.
fn choose_disk(path: &Path, roots: &Roots) -> Result<Disk, Failure> {
    let disks = choose_disks(&[path.to_owned()], roots)?;
    let disks: Vec<Disk> = disks.into_iter().map(|(disk, _)| disk).collect();
    if let Some(top) = disks.first().filter(|disk| is_request_based(disk, roots)) {
        return Ok(top.clone());
    }
    let below: Vec<Disk> = disks.into_iter().filter(|disk| is_request_based(disk, roots)).collect();
    match &below[..] {
        [disk] => Ok(disk.clone()),
        [] => {
            let message =
                format_args!("{} lies on no disk with requests of its own", path.display());
            Err(Failure::wrong(message).hint("name a disk; truedisk devices lists them"))
        }
        several => {
            let names: Vec<&str> = several.iter().map(|disk| disk.name.as_str()).collect();
            let message =
                format_args!("{} lies on several disks: {}", path.display(), names.join(", "));
            Err(Failure::wrong(message).hint(format!("name one of them: /dev/{}", names[0])))
        }
    }
}

fn describe_disk(disk: &Disk, roots: &Roots) -> Result<ProfiledDisk, Failure> {
    let folder = roots.disk_folder(&disk.name);
    let read = |file: &str| -> Option<u64> {
        input::read_text(&folder.join(file), NUMBER_BYTES_MAX).ok()?.trim().parse().ok()
    };
    let size_bytes =
        read("size").and_then(|sectors| sectors.checked_mul(SECTOR)).filter(|bytes| *bytes > 0);
    let size_bytes = size_bytes
        .ok_or_else(|| Failure::wrong(format_args!("the size of {} is not known", disk.name)))?;
    let block_bytes = read("queue/logical_block_size").unwrap_or(SECTOR) as u32;
    Ok(ProfiledDisk { name: disk.name.clone(), size_bytes, block_bytes })
}

fn describe_unavailable(error: EbpfUnavailable) -> Failure {
    let failure = Failure::wrong(format_args!("cannot capture: {error}"));
    match error {
        EbpfUnavailable::NotPermitted => failure.hint("run it as root: sudo truedisk capture ..."),
        _ => failure,
    }
}

impl From<ProfileError> for Failure {
    fn from(error: ProfileError) -> Self {
        Self::wrong(error)
    }
}

/// Where the requests go.
struct Sinks {
    disk: String,
    builder: ProfileBuilder,
    trace: Option<TraceSink>,
    requests: u64,
    /// The start of the last one.
    last_ns: u64,
}

struct TraceSink {
    writer: TraceWriter<Destination>,
    bytes_max: u64,
    flushed: Instant,
}

enum SinkError {
    /// The trace has reached its largest size.
    Full,
    Failed(Failure),
}

impl From<WatchError> for SinkError {
    fn from(error: WatchError) -> Self {
        Self::Failed(error.into())
    }
}

impl Sinks {
    fn new(facts: ProfiledDisk, trace: Option<TraceSink>) -> Self {
        let disk = facts.name.clone();
        Self { disk, builder: ProfileBuilder::new(facts), trace, requests: 0, last_ns: 0 }
    }

    fn add(&mut self, request: &TraceRequest) -> Result<(), SinkError> {
        if let Some(trace) = &mut self.trace {
            trace.push(request)?;
        }
        self.builder.add(request);
        self.requests += 1;
        self.last_ns = request.start_ns;
        Ok(())
    }
}

/// Until the time is over, a signal comes or the trace is full; whether it is.
fn record_requests(
    mut capture: Capture,
    sinks: &mut Sinks,
    time: Option<Duration>,
    stopped: &Receiver<()>,
    shows_progress: bool,
) -> Result<(CaptureEnd, bool), Failure> {
    let start = Instant::now();
    let mut shown = start;
    let mut is_full = false;
    loop {
        let left = time.map(|time| time.saturating_sub(start.elapsed()));
        let wait = left.map_or(READ_EVERY, |left| left.min(READ_EVERY));
        let is_stopped = stopped.recv_timeout(wait).is_ok();
        is_full = is_full || end_when_full(capture.read(|request| sinks.add(request)))?;
        if let Some(trace) = &mut sinks.trace {
            trace.flush_when_due()?;
        }
        if shows_progress && shown.elapsed() >= FLUSH_EVERY {
            shown = Instant::now();
            let time = Nanos::secs(start.elapsed().as_secs());
            let words = Progress { disk: sinks.disk.clone(), requests: sinks.requests, time };
            terminal::redraw_line(&tell(words))?;
        }
        if is_stopped || is_full || left.is_some_and(|left| left.is_zero()) {
            break;
        }
    }
    if shows_progress {
        terminal::redraw_line("")?;
    }
    let mut end = CaptureEnd { length_ns: 0, lost: 0 };
    // What comes after the trace was full is in no file.
    let take = |request: &TraceRequest| if is_full { Ok(()) } else { sinks.add(request) };
    let finished = capture.finish(take).map(|found| end = found);
    let is_full = end_when_full(finished)? || is_full;
    if is_full {
        end.length_ns = sinks.last_ns;
    }
    Ok((end, is_full))
}

fn end_when_full(result: Result<(), SinkError>) -> Result<bool, Failure> {
    match result {
        Ok(()) => Ok(false),
        Err(SinkError::Full) => Ok(true),
        Err(SinkError::Failed(failure)) => Err(failure),
    }
}

/// A trace on the captured disk is a part of the load.
fn note_own_writes(path: &Path, disk: &Disk, roots: &Roots) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let target = target::describe_target(folder.unwrap_or(Path::new(".")), roots);
    if target.is_ok_and(|target| target.stack.iter().any(|layer| layer.name == disk.name)) {
        let note = OwnWrites { file: path.display().to_string(), disk: disk.name.clone() };
        terminal::eprint_line(format_args!("truedisk: {}", tell(note)))?;
    }
    Ok(())
}

impl TraceSink {
    fn new(
        file: Destination,
        disk: &ProfiledDisk,
        started: Timestamp,
        args: &CaptureArgs,
    ) -> io::Result<Self> {
        let header = TraceHeader {
            device_size: disk.size_bytes,
            block_size: disk.block_bytes,
            started_unix_ns: started.as_nanosecond() as i64,
        };
        let writer = TraceWriter::new(file, &header)?;
        Ok(Self { writer, bytes_max: args.max_size.0, flushed: Instant::now() })
    }

    fn push(&mut self, request: &TraceRequest) -> Result<(), SinkError> {
        if self.writer.file_bytes() + TRACE_STEP_BYTES > self.bytes_max {
            return Err(SinkError::Full);
        }
        self.writer.push(request).map_err(|error| SinkError::Failed(error.into()))
    }

    fn flush_when_due(&mut self) -> io::Result<()> {
        if self.flushed.elapsed() >= FLUSH_EVERY {
            self.flushed = Instant::now();
            self.writer.flush()?;
        }
        Ok(())
    }

    /// The length of the file.
    fn finish(mut self, length_ns: u64, lost: u64) -> Result<u64, Failure> {
        self.writer.set_lost(lost);
        self.writer.flush()?;
        let bytes = self.writer.file_bytes();
        self.writer.finish(length_ns)?.commit()?;
        Ok(bytes)
    }
}

/// The summary, and what to do with the files.
fn describe_capture(load: &CapturedLoad, args: &CaptureArgs) -> String {
    let profile = &load.profile;
    let captured = Captured {
        disk: profile.disk.name.clone(),
        rate: Iops(profile.rate),
        time: Nanos(profile.length_ns),
        requests: profile.requests,
    };
    let mut lines = vec![tell(captured)];
    if let Some(margin) = profile.rate_uncertainty {
        lines.push(tell(Uncertain { margin: Ratio(margin) }));
    }
    lines.extend(profile.kinds.iter().map(|(kind, of)| tell(describe_kind(*kind, of))));
    lines.extend(describe_lost(profile.lost, profile.requests).map(tell));
    let name = |path: &Path| target::shell_quote(&path.display().to_string());
    if let Some((path, bytes)) = args.trace.as_deref().zip(load.trace_bytes) {
        if load.is_full {
            lines.push(tell(Full { file: name(path), size: args.max_size }));
        }
        lines.push(tell(TraceSaved { file: name(path), size: Bytes(bytes) }));
    }
    if let Some(path) = args.output.as_deref() {
        lines.push(tell(ProfileSaved { file: name(path) }));
    }
    lines.iter().map(|line| report::wrap_paragraph(line, terminal::style())).collect()
}

fn describe_sequential(share: f64) -> Message {
    match share > 0.0 {
        true => Sequential { share: Ratio(share) }.into(),
        false => label("capture-none-sequential"),
    }
}

/// A smaller share is shown as 0.00 %.
const SHOWN_SHARE_MIN: f64 = 1e-4;

fn describe_lost(lost: u64, requests: u64) -> Option<Message> {
    let share = lost as f64 / (requests + lost) as f64;
    match lost {
        0 => None,
        _ if share < SHOWN_SHARE_MIN => Some(LostFew { lost }.into()),
        _ => Some(Lost { lost, share: Ratio(share) }.into()),
    }
}

fn describe_kind(kind: RequestKind, of: &KindProfile) -> Kind {
    let name: Message = match kind {
        RequestKind::Read => label("capture-reads"),
        RequestKind::Write => label("capture-writes"),
        RequestKind::Discard => label("capture-discards"),
        RequestKind::Flush => label("capture-flushes"),
    };
    let mut facts: Vec<Message> = vec![Share { share: Ratio(of.share) }.into()];
    if let Some(places) = &of.places {
        let common = places.sizes.iter().max_by(|one, other| one.1.total_cmp(&other.1));
        let common = common.map(|(size, _)| MostlySize { size: Bytes(u64::from(*size)) });
        facts.extend(common.map(Message::from));
        facts.push(describe_sequential(places.sequential));
    }
    let latency = |(statistic, ns): (&String, &u64)| Latency {
        statistic: statistic.clone(),
        latency: Nanos(*ns),
    };
    facts.extend(of.latency_ns.iter().map(latency).map(Message::from));
    Kind { kind: name, facts: Names(facts) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_nothing_has_no_figure() {
        assert_eq!(describe_sequential(0.0).text(), "none sequential");
        assert_eq!(describe_sequential(0.125).text(), "12 % sequential");
        let lost = |lost, requests| describe_lost(lost, requests).map(|of| of.text().to_owned());
        assert_eq!(lost(0, 0), None);
        let few = lost(1, 100_000).unwrap();
        assert_eq!(few, "1 request was not captured, less than 0.01 % of all.");
        let some = lost(2, 98).unwrap();
        assert!(some.starts_with("2 requests were not captured (2.0 %)"), "{some}");
    }
}
