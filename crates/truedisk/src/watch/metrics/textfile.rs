//! The file that node_exporter's textfile collector reads: replaced as a whole, from a thread of
//! its own, because a slow disk would delay the readings.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use ::output::Destinations;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use units::ErrorKind;

use super::catalogue::TextFormat;
use super::samples::Published;
use crate::exit::Failure;

const NAME: &str = "truedisk.prom";
/// The first line of the file, by which it is known to be ours.
const ORIGIN: &str = "# Written by truedisk watch --textfile.\n";
const WRITE_EVERY: Duration = Duration::from_secs(10);

pub(super) struct Writer {
    path: PathBuf,
    /// As they were before the file itself was opened: it is opened anew for each writing.
    destinations: Destinations,
}

impl Writer {
    pub(super) fn open(folder: &Path, destinations: &mut Destinations) -> Result<Self, Failure> {
        let path = folder.join(NAME);
        let before = destinations.clone();
        destinations.open(&path)?;
        refuse_foreign_file(&path)?;
        Ok(Self { path, destinations: before })
    }

    pub(super) fn start(self, published: Published) -> Result<WriterThread, Failure> {
        let (end, ended) = channel();
        let write = move || {
            while ended.recv_timeout(WRITE_EVERY) == Err(RecvTimeoutError::Timeout) {
                self.write(&published)?;
            }
            self.write(&published)
        };
        let thread = thread::Builder::new().name("textfile".to_owned()).spawn(write);
        let failed = |error| Failure::failed(format_args!("cannot write metrics: {error}"));
        Ok(WriterThread { end: Some(end), thread: Some(thread.map_err(failed)?) })
    }

    fn write(&self, published: &Published) -> Result<(), Failure> {
        refuse_foreign_file(&self.path)?;
        let text = TextFormat::Prometheus.encode(published.newest());
        let text = text.map_err(|error| {
            Failure::failed(format_args!("the metrics cannot be encoded: {error}"))
        })?;
        let file = self.destinations.clone().open(&self.path)?;
        Ok(file.save(format!("{ORIGIN}{text}").as_bytes())?)
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

/// Another program's file of this name stays.
fn refuse_foreign_file(path: &Path) -> Result<(), Failure> {
    // What the crate `input` opens counts as an input, which no result may replace. A pipe must not
    // block.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let first_line = match rustix::fs::open(path, flags, Mode::empty()) {
        Err(Errno::NOENT) => return Ok(()),
        Err(error) => Err(error.into()),
        Ok(file) => input::read_line(&mut BufReader::new(File::from(file)), ORIGIN.len() as u64),
    };
    if first_line.is_ok_and(|line| line == ORIGIN.as_bytes()) {
        return Ok(());
    }
    let message = format!("refused to write to {}: another program wrote it", path.display());
    let hint = "remove it, or name another folder".to_owned();
    Err(Failure::new(ErrorKind::Refused, message, Some(hint)))
}
