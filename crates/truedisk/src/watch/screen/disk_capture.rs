//! A capture of one disk that a key begins, and the same key ends.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, JoinHandle};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use message::{Message, messages};

use crate::capture::capture_profile;
use crate::exit::Failure;

messages! {
    Capturing = "watch-capturing" { disk: String, file: String };
    CaptureSaved = "watch-capture-saved" { disk: String, file: String, requests: u64 };
    CaptureFailed = "watch-capture-failed" { disk: String, error: String };
}

pub(super) struct DiskCapture {
    disk: String,
    file: PathBuf,
    /// Gone once it was asked to end.
    stop: Option<Sender<()>>,
    thread: JoinHandle<Result<u64, Failure>>,
}

impl DiskCapture {
    /// Into a file of the current folder whose name has the disk and the time.
    pub(super) fn start(disk: &str, zone: &TimeZone) -> Result<Self, Message> {
        let time = Timestamp::now().to_zoned(zone.clone()).strftime("%Y%m%dT%H%M%S");
        let file = PathBuf::from(format!("{}-{time}.tdprofile", disk.replace('/', "-")));
        let device = Path::new("/dev").join(disk);
        let (stop, stopped) = channel();
        let path = file.clone();
        let thread = Builder::new()
            .name("capture".to_owned())
            .spawn(move || capture_profile(&device, &path, &stopped))
            .map_err(|error| describe_failure(disk, error.to_string()))?;
        Ok(Self { disk: disk.to_owned(), file, stop: Some(stop), thread })
    }

    /// Whether it has been saved, or has failed.
    pub(super) fn has_ended(&self) -> bool {
        self.thread.is_finished()
    }

    /// Lets it end and save the profile, and does not wait for that.
    pub(super) fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // One that failed has no receiver any more.
            let _ = stop.send(());
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_none()
    }

    pub(super) fn describe(&self) -> Message {
        let file = self.file.display().to_string();
        Capturing { disk: self.disk.clone(), file }.into()
    }

    /// Ends it and saves the profile: what came of it.
    pub(super) fn finish(mut self) -> Message {
        self.stop();
        match self.thread.join() {
            Ok(Ok(requests)) => {
                let file = self.file.display().to_string();
                CaptureSaved { disk: self.disk, file, requests }.into()
            }
            Ok(Err(failure)) => {
                let hint = failure.hint.map(|hint| format!("; {hint}"));
                describe_failure(&self.disk, failure.message + &hint.unwrap_or_default())
            }
            Err(_) => describe_failure(&self.disk, "its thread was lost".to_owned()),
        }
    }
}

fn describe_failure(disk: &str, error: String) -> Message {
    CaptureFailed { disk: disk.to_owned(), error }.into()
}
