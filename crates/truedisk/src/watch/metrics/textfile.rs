//! The file that node_exporter's textfile collector reads: replaced as a whole, from a thread of
//! its own, because a slow disk would delay the readings.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use ::output::{Destinations, OutputError};
use rustix::fs::{FlockOperation, Mode, OFlags, flock};
use rustix::io::Errno;
use units::ErrorKind;

use super::catalogue::TextFormat;
use super::samples::LatestSamples;
use crate::exit::Failure;

const NAME: &str = "truedisk.prom";
/// The first line of the file, by which it is known to be ours.
const ORIGIN: &str = "# Written by truedisk watch --textfile.\n";
/// Bytes of the kernel's list of locks.
const LOCKS_MAX: u64 = 1 << 20;
const WRITE_EVERY: Duration = Duration::from_secs(10);

pub(super) struct Writer {
    path: PathBuf,
    /// As they were before the file itself was opened: it is opened anew for each writing.
    destinations: Destinations,
    /// Locked while the watch goes on.
    _folder: Option<OwnedFd>,
}

impl Writer {
    pub(super) fn open(folder: &Path, destinations: &mut Destinations) -> Result<Self, Failure> {
        let path = folder.join(NAME);
        let mut own = destinations.clone();
        own.replace_only(ORIGIN.as_bytes());
        destinations.open(&path)?;
        own.clone().open(&path).map_err(explain_refusal)?;
        Ok(Self { _folder: lock_folder(folder, &path)?, path, destinations: own })
    }

    pub(super) fn start(self, latest: LatestSamples) -> Result<WriterThread, Failure> {
        let (end, ended) = channel();
        let write = move || {
            while ended.recv_timeout(WRITE_EVERY) == Err(RecvTimeoutError::Timeout) {
                self.write(&latest)?;
            }
            self.write(&latest)
        };
        let thread = thread::Builder::new().name("textfile".to_owned()).spawn(write);
        let failed = |error| Failure::failed(format_args!("cannot write metrics: {error}"));
        Ok(WriterThread { end: Some(end), thread: Some(thread.map_err(failed)?) })
    }

    fn write(&self, latest: &LatestSamples) -> Result<(), Failure> {
        let text = TextFormat::Prometheus.encode(latest.newest());
        let text = text.map_err(|error| {
            Failure::failed(format_args!("the metrics cannot be encoded: {error}"))
        })?;
        let file = self.destinations.clone().open(&self.path);
        let text = format!("{ORIGIN}{text}");
        file.and_then(|file| file.save(text.as_bytes())).map_err(explain_refusal)
    }
}

pub(super) struct WriterThread {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<Result<(), Failure>>>,
}

impl WriterThread {
    /// An error if the file could not be written.
    pub(super) fn check(&mut self) -> Result<(), Failure> {
        let is_ended = self.thread.as_ref().is_some_and(JoinHandle::is_finished);
        if is_ended { self.join() } else { Ok(()) }
    }

    /// Writes the last samples.
    pub(super) fn join(&mut self) -> Result<(), Failure> {
        self.end = None;
        let ended = self.thread.take().map(JoinHandle::join);
        let ended = ended.unwrap_or(Ok(Ok(())));
        ended.unwrap_or_else(|_| Err(Failure::failed("the writer of metrics ended early")))
    }
}

impl Drop for WriterThread {
    /// After an error too the thread ends before the process: else a temporary file would stay.
    fn drop(&mut self) {
        let _ = self.join();
    }
}

/// A second watch would overwrite the file of the first without a word. A folder that cannot be
/// read, or a file system without locks, cannot be locked.
fn lock_folder(folder: &Path, path: &Path) -> Result<Option<OwnedFd>, Failure> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(folder) = rustix::fs::open(folder, flags, Mode::empty()) else { return Ok(None) };
    match flock(&folder, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => {}
        Err(_) => return Ok(None),
        Ok(()) => return Ok(Some(folder)),
    }
    let who = match find_lock_owner(&folder) {
        Some(process) => format!("the watch of process {process}"),
        None => "another watch".to_owned(),
    };
    let message = format!("refused to write to {}: {who} keeps it", path.display());
    let hint = "name another folder, or end that watch".to_owned();
    Err(Failure::new(ErrorKind::Refused, message, Some(hint)))
}

/// The process that has locked a file, as far as it is visible here. A line of `/proc/locks` is
/// `1: FLOCK  ADVISORY  WRITE 1234 fe:00:5678 0 EOF`.
fn find_lock_owner(file: &OwnedFd) -> Option<u32> {
    let inode = rustix::fs::fstat(file).ok()?.st_ino.to_string();
    let locks = input::read_text(Path::new("/proc/locks"), LOCKS_MAX).ok()?;
    let mut lines = locks.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    lines.find_map(|words| match words[..] {
        [_, "FLOCK", _, _, process, file, ..] if file.rsplit(':').next() == Some(&inode) => {
            process.parse().ok().filter(|process| *process > 0)
        }
        _ => None,
    })
}

/// Another program's file of this name stays.
fn explain_refusal(error: OutputError) -> Failure {
    match error.kind() {
        ErrorKind::Refused => Failure::new(
            ErrorKind::Refused,
            error,
            Some("remove it, or name another folder".to_owned()),
        ),
        _ => error.into(),
    }
}
