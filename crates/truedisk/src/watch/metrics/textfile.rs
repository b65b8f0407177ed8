//! The file that node_exporter's textfile collector reads: replaced as a whole, from a thread of
//! its own, because a slow disk would delay the readings.

use std::fs::OpenOptions;
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use ::output::Destinations;
use rustix::fs::OFlags;
use units::ErrorKind;

use super::Published;
use super::catalogue::encode_prometheus;
use crate::exit::Failure;

const NAME: &str = "truedisk.prom";
/// The first line of the file, by which it is known to be ours.
const ORIGIN: &str = "# Written by truedisk watch --textfile.\n";
/// node_exporter is scraped every 15 seconds or so.
const WRITE_EVERY: Duration = Duration::from_secs(10);

pub(super) struct Textfile {
    writer: Option<Writer>,
    running: Option<Running>,
}

struct Writer {
    path: PathBuf,
    /// As they were before the file itself was opened: it is opened anew for each writing.
    destinations: Destinations,
    published: Published,
}

struct Running {
    end: Sender<()>,
    thread: JoinHandle<Result<(), Failure>>,
}

impl Textfile {
    pub(super) fn open(
        folder: &Path,
        destinations: &mut Destinations,
        published: Published,
    ) -> Result<Self, Failure> {
        let path = folder.join(NAME);
        let before = destinations.clone();
        destinations.open(&path)?;
        refuse_foreign_file(&path)?;
        Ok(Self {
            writer: Some(Writer { path, destinations: before, published }),
            running: None,
        })
    }

    pub(super) fn start(&mut self) -> Result<(), Failure> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let (end, ended) = channel();
        let write = move || {
            while ended.recv_timeout(WRITE_EVERY) == Err(RecvTimeoutError::Timeout) {
                writer.write()?;
            }
            writer.write()
        };
        let thread = thread::Builder::new().name("textfile".to_owned()).spawn(write);
        let thread = thread.map_err(|error| {
            Failure::failed(format_args!("cannot start the writer of metrics: {error}"))
        })?;
        self.running = Some(Running { end, thread });
        Ok(())
    }

    /// An error if the file could not be written.
    pub(super) fn check(&mut self) -> Result<(), Failure> {
        match self.running.take_if(|running| running.thread.is_finished()) {
            Some(running) => running.join(),
            None => Ok(()),
        }
    }

    /// Writes the last figures.
    pub(super) fn finish(self) -> Result<(), Failure> {
        self.running.map_or(Ok(()), Running::join)
    }
}

impl Running {
    fn join(self) -> Result<(), Failure> {
        drop(self.end);
        let ended = self.thread.join();
        ended.unwrap_or_else(|_| Err(Failure::failed("the writer of metrics ended early")))
    }
}

impl Writer {
    fn write(&self) -> Result<(), Failure> {
        refuse_foreign_file(&self.path)?;
        let encoded = encode_prometheus(self.published.newest());
        let (_, text) = encoded.map_err(|error| {
            Failure::failed(format_args!("the metrics cannot be encoded: {error}"))
        })?;
        let file = self.destinations.clone().open(&self.path)?;
        Ok(file.save(format!("{ORIGIN}{text}").as_bytes())?)
    }
}

/// Another program's file of this name stays.
fn refuse_foreign_file(path: &Path) -> Result<(), Failure> {
    let refused = |reason: &str| {
        let message = format!("refused to write to {}: {reason}", path.display());
        let hint = "remove it, or name another folder".to_owned();
        Err(Failure::new(ErrorKind::Refused, message, Some(hint)))
    };
    // A pipe must not block.
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32;
    let file = match OpenOptions::new().read(true).custom_flags(flags).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        opened => opened.map_err(|error| {
            Failure::failed(format_args!("cannot read {}: {error}", path.display()))
        })?,
    };
    if !file.metadata().is_ok_and(|found| found.is_file()) {
        return refused("it is not a regular file");
    }
    let mut first = Vec::new();
    // A file that cannot be read is not ours.
    let _ = file.take(ORIGIN.len() as u64).read_to_end(&mut first);
    match first == ORIGIN.as_bytes() {
        true => Ok(()),
        false => refused("another program wrote it"),
    }
}
