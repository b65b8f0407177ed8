//! The load of a replay, out of a file: which kind it is, and its requests one after the other.
//!
//! Nothing is held in memory but what is read next.

mod blkparse;
mod blktrace;
mod error;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fio::iolog::{IoKind, IologReader, ReadError, ReplayStep, replay_steps};
use fio::options::job::JobOptions;
use record::profile::{PROFILE_BYTES_MAX, PROFILE_HEADER, Profile};
use record::{RequestKind, TRACE_MAGIC, TraceEnd, TraceError, TraceReader, TraceRequest};
use units::Seed;

use crate::profile::DrawnRequests;

use blkparse::BlkparseReader;
pub(crate) use blktrace::ArrivalEvent;
use blktrace::BlktraceReader;
pub use error::LoadError;

/// Bytes that are read to detect the format.
const START_BYTES: u64 = 4096;
const BUFFER_BYTES: usize = 128 << 10;
/// Files of one blktrace at most: one per processor.
const PROCESSORS_MAX: usize = 1024;

/// What kind of file a load is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadFormat {
    Profile,
    Trace,
    Blktrace,
    Blkparse,
    Iolog,
}

impl LoadFormat {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Profile => "tdprofile",
            Self::Trace => "tdtrace",
            Self::Blktrace => "blktrace",
            Self::Blkparse => "blkparse",
            Self::Iolog => "iolog",
        }
    }
}

/// The file of a load, with the format that its first bytes show.
#[derive(Debug, Clone)]
pub(crate) struct LoadFile {
    pub(crate) format: LoadFormat,
    /// The file that was named first; of blktrace all those of the other processors.
    paths: Vec<PathBuf>,
    /// What requests are drawn from, and by which seed.
    pub(crate) profile: Option<(Arc<Profile>, Seed)>,
}

impl LoadFile {
    /// Looks at the file. What a profile draws follows from the seed.
    pub(crate) fn detect(path: &Path, seed: Seed) -> Result<Self, LoadError> {
        let file = input::open_file(path).map_err(LoadError::Io)?;
        if !file.metadata().map_err(LoadError::Io)?.is_file() {
            return Err(LoadError::Pipe);
        }
        let start =
            input::read_to_limit(file.take(START_BYTES), START_BYTES).map_err(LoadError::Io)?;
        let format = detect_format(&start)?;
        let mut paths = vec![path.to_owned()];
        if format == LoadFormat::Blktrace {
            paths.extend(other_processors(path));
        }
        let profile = match format {
            LoadFormat::Profile => Some((Arc::new(parse_profile(path)?), seed)),
            _ => None,
        };
        Ok(Self { format, paths, profile })
    }

    pub(crate) fn from_profile(profile: Profile, seed: Seed) -> Self {
        let profile = Some((Arc::new(profile), seed));
        Self { format: LoadFormat::Profile, paths: Vec::new(), profile }
    }

    /// Its requests from the first on. `arrival` is for traces of blktrace.
    pub(crate) fn requests(&self, arrival: ArrivalEvent) -> Result<LoadRequests, LoadError> {
        if let Some((profile, seed)) = &self.profile {
            let drawn = DrawnRequests::new(profile, seed.0);
            return Ok(LoadRequests::Drawn(Box::new(drawn), profile.length_ns));
        }
        let mut files = self.paths.iter().map(|path| open_buffered(path));
        if self.format == LoadFormat::Blktrace {
            let files = files.collect::<Result<Vec<_>, LoadError>>()?;
            return Ok(LoadRequests::Blktrace(BlktraceReader::new(files, arrival)?));
        }
        let Some(file) = files.next() else { return Err(LoadError::Unknown) };
        read_requests(self.format, file?, arrival)
    }
}

/// The requests of a load in one stream.
pub(crate) fn read_requests<R: Read + Send + 'static>(
    format: LoadFormat,
    file: BufReader<R>,
    arrival: ArrivalEvent,
) -> Result<LoadRequests<R>, LoadError> {
    Ok(match format {
        LoadFormat::Trace => LoadRequests::Trace(Box::new(TraceReader::new(file)?)),
        LoadFormat::Blktrace => LoadRequests::Blktrace(BlktraceReader::new(vec![file], arrival)?),
        LoadFormat::Blkparse => LoadRequests::Blkparse(BlkparseReader::new(file, arrival)),
        LoadFormat::Iolog => LoadRequests::Iolog(open_iolog(file)?),
        // It is no stream: it is read as a whole.
        LoadFormat::Profile => return Err(LoadError::Unknown),
    })
}

/// An entry for fuzzing: any bytes as a load.
pub fn fuzz_one(bytes: &[u8]) {
    let Ok(format) = detect_format(bytes) else { return };
    if format == LoadFormat::Profile {
        return fuzz_profile(&String::from_utf8_lossy(bytes));
    }
    for arrival in [ArrivalEvent::Queue, ArrivalEvent::Issue] {
        let file = BufReader::new(io::Cursor::new(bytes.to_vec()));
        let Ok(requests) = read_requests(format, file, arrival) else { return };
        let mut last_ns = 0;
        for request in requests {
            let Ok(request) = request else { break };
            assert!(request.start_ns >= last_ns, "times run backwards");
            last_ns = request.start_ns;
        }
    }
}

/// A profile that is accepted draws requests in order and within its disk, and is written as it
/// was read.
fn fuzz_profile(text: &str) {
    const REQUESTS: u64 = 1_000_000;
    let Ok(profile) = Profile::from_toml(text) else { return };
    let written = profile.to_toml().map(|text| Profile::from_toml(&text));
    assert!(matches!(&written, Ok(Ok(read)) if *read == profile), "{written:?}");
    // All gaps of an interval are drawn before its first request.
    if profile.arrivals.intervals.iter().any(|(_, requests)| *requests > REQUESTS) {
        return;
    }
    let mut last_ns = 0;
    for request in DrawnRequests::new(&profile, 1).take(1000) {
        assert!(request.start_ns >= last_ns, "times run backwards");
        last_ns = request.start_ns;
        let end = request.offset.checked_add(u64::from(request.length));
        assert!(end.is_some_and(|end| end <= profile.disk.size_bytes), "{request:?}");
    }
}

/// What kind of load starts with these bytes.
pub(crate) fn detect_format(start: &[u8]) -> Result<LoadFormat, LoadError> {
    if start.starts_with(&TRACE_MAGIC) {
        return Ok(LoadFormat::Trace);
    }
    if let Some(&[a, b, c, d]) = start.get(..4) {
        let is_magic = |magic: u32| magic & 0xffff_ff00 == blktrace::MAGIC;
        if is_magic(u32::from_le_bytes([a, b, c, d])) {
            return Ok(LoadFormat::Blktrace);
        }
        if is_magic(u32::from_be_bytes([a, b, c, d])) {
            return Err(LoadError::ForeignEndianness);
        }
    }
    let text = String::from_utf8_lossy(start);
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    match () {
        () if looks_like_profile(&text) => Ok(LoadFormat::Profile),
        () if first.starts_with("fio version ") => Ok(LoadFormat::Iolog),
        () if blkparse::looks_like_blkparse(first) => Ok(LoadFormat::Blkparse),
        () if !start.is_empty() && TRACE_MAGIC.starts_with(start) => {
            Err(TraceError::TruncatedHeader(start.len()).into())
        }
        () => Err(LoadError::Unknown),
    }
}

/// The first line is a comment, and may be missing.
fn looks_like_profile(text: &str) -> bool {
    let mut lines = text.lines();
    PROFILE_HEADER.lines().next() == text.lines().next()
        || lines.any(|line| line.starts_with("length-ns"))
}

/// The profile in a file; [`LoadError::NoProfile`] of any other load.
pub fn read_profile(path: &Path) -> Result<Profile, LoadError> {
    match LoadFile::detect(path, Seed(0))?.profile {
        Some((profile, _)) => Ok(Arc::unwrap_or_clone(profile)),
        None => Err(LoadError::NoProfile),
    }
}

fn parse_profile(path: &Path) -> Result<Profile, LoadError> {
    let text = input::read_text(path, PROFILE_BYTES_MAX).map_err(LoadError::Io)?;
    Ok(Profile::from_toml(&text)?)
}

fn open_buffered(path: &Path) -> Result<BufReader<File>, LoadError> {
    let file = input::open_file(path).map_err(LoadError::Io)?;
    Ok(BufReader::with_capacity(BUFFER_BYTES, file))
}

/// `sda.blktrace.1` and so on, beside `sda.blktrace.0`.
fn other_processors(path: &Path) -> Vec<PathBuf> {
    let Some((stem, number)) = path.to_str().and_then(|text| text.rsplit_once('.')) else {
        return Vec::new();
    };
    if !stem.ends_with(".blktrace") || number.parse::<usize>().is_err() {
        return Vec::new();
    }
    let other = |processor: usize| PathBuf::from(format!("{stem}.{processor}"));
    let found = (0..PROCESSORS_MAX).map(other).filter(|other| other != path);
    // A processor without events leaves an empty file, and one that was off leaves none.
    found.filter(|other| other.metadata().is_ok_and(|found| found.len() > 0)).collect()
}

type IologSteps = Box<dyn Iterator<Item = Result<ReplayStep, ReadError>> + Send>;

fn open_iolog<R: Read + Send + 'static>(file: BufReader<R>) -> Result<IologRequests, LoadError> {
    let reader = IologReader::new(file)?;
    let version = reader.version();
    let options = JobOptions::default().replay;
    let steps: IologSteps = Box::new(replay_steps(reader, version, options));
    Ok(IologRequests { steps, file: None })
}

/// The operations of fio's log, as requests.
pub(crate) struct IologRequests {
    steps: IologSteps,
    /// The number of the only file.
    file: Option<usize>,
}

impl IologRequests {
    fn convert(&mut self, step: ReplayStep) -> Result<TraceRequest, LoadError> {
        let is_flush = matches!(step.kind, IoKind::Sync | IoKind::Datasync);
        if !is_flush && *self.file.get_or_insert(step.file) != step.file {
            return Err(LoadError::TwoFiles { line: step.line });
        }
        let length = if is_flush { 0 } else { step.length };
        Ok(TraceRequest {
            start_ns: step.due_ns,
            offset: if is_flush { 0 } else { step.offset },
            length: u32::try_from(length).map_err(|_| LoadError::TooLong(step.line))?,
            kind: match step.kind {
                IoKind::Read => RequestKind::Read,
                IoKind::Write => RequestKind::Write,
                IoKind::Trim => RequestKind::Discard,
                IoKind::Sync | IoKind::Datasync => RequestKind::Flush,
            },
            is_fua: false,
            latency_ns: None,
        })
    }
}

/// The requests of a load, in the order of their starts. After an error there are no more.
pub(crate) enum LoadRequests<R = File> {
    Trace(Box<TraceReader<BufReader<R>>>),
    Blktrace(BlktraceReader<BufReader<R>>),
    Blkparse(BlkparseReader<BufReader<R>>),
    Iolog(IologRequests),
    /// With the length of the capture.
    Drawn(Box<DrawnRequests>, u64),
}

impl<R: Read> LoadRequests<R> {
    /// Once all are read: whether its writer did not end it.
    pub(crate) fn was_cut(&self) -> bool {
        matches!(self, Self::Trace(reader) if matches!(reader.end(), Some(TraceEnd::Cut { .. })))
    }

    /// Requests that were lost while it was captured, as far as is read.
    pub(crate) fn lost(&self) -> u64 {
        if let Self::Trace(reader) = self { reader.lost() } else { 0 }
    }

    /// How long the load was captured, once all is read, where the file says it.
    pub(crate) fn end_ns(&self) -> Option<u64> {
        match self {
            Self::Trace(reader) => match reader.end()? {
                TraceEnd::Whole { end_ns } => Some(end_ns),
                TraceEnd::Cut { .. } => None,
            },
            Self::Drawn(_, length_ns) => Some(*length_ns),
            _ => None,
        }
    }

    /// Size of the disk that it is of, where the file says it.
    pub(crate) fn device_size(&self) -> Option<u64> {
        match self {
            Self::Trace(reader) => Some(reader.header().device_size),
            _ => None,
        }
    }
}

impl<R: Read> Iterator for LoadRequests<R> {
    type Item = Result<TraceRequest, LoadError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Trace(reader) => Some(reader.next()?.map_err(LoadError::from)),
            Self::Blktrace(reader) => reader.next(),
            Self::Blkparse(reader) => reader.next(),
            Self::Drawn(drawn, _) => drawn.next().map(Ok),
            Self::Iolog(log) => match log.steps.next()? {
                Ok(step) => Some(log.convert(step)),
                Err(error) => Some(Err(error.into())),
            },
        }
    }
}
