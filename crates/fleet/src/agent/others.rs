//! The thread that watches what others wait for on the disks of a run's target.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};

use record::{Layer, format_stop_on};
use target::Roots;
use units::ErrorKind;
use watch::{OthersUnseen, OthersWatch};
use workload::Bound;

use super::mailbox::Mailbox;
use crate::message::Refusal;

/// Ends the thread when it is dropped.
pub(super) struct OthersThread {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl OthersThread {
    /// Refuses a bound that cannot be put to the test on this host.
    pub(super) fn start(
        stack: Vec<Layer>,
        bound: Bound,
        mailbox: Arc<Mailbox>,
    ) -> Result<Self, Refusal> {
        let (end, ended) = mpsc::channel();
        let (opened, is_open) = mpsc::sync_channel(1);
        // A source stays on the thread that opened it.
        let watch = move || match OthersWatch::open(&stack, bound, &Roots::host()) {
            Ok(watch) => {
                let _ = opened.send(Ok(()));
                watch_others(watch, &ended, &mailbox);
            }
            Err(unseen) => drop(opened.send(Err(unseen))),
        };
        let thread = thread::Builder::new().name("others".to_owned()).spawn(watch);
        let thread =
            thread.map_err(|error| Refusal::failed(format!("cannot start a thread: {error}")))?;
        let watching = Self { end: Some(end), thread: Some(thread) };
        match is_open.recv() {
            Ok(Ok(())) => Ok(watching),
            Ok(Err(unseen)) => Err(refuse_bound(bound, &unseen)),
            Err(_) => Err(Refusal::failed("the thread that watches others died")),
        }
    }
}

impl Drop for OthersThread {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn refuse_bound(bound: Bound, unseen: &OthersUnseen) -> Refusal {
    let what = format!(
        "cannot tell requests of others from ours for {}: {unseen}",
        format_stop_on(&bound)
    );
    let hint = "run the agent as root in a control group of its own (systemd: IOAccounting=yes), \
                or leave --stop-on out";
    Refusal::new(ErrorKind::WrongRequest, what, Some(hint))
}

fn watch_others(mut watch: OthersWatch, ended: &Receiver<()>, mailbox: &Mailbox) {
    while ended.recv_timeout(OthersWatch::INTERVAL) == Err(RecvTimeoutError::Timeout) {
        match watch.sample() {
            Ok(seen) => mailbox.set_others(seen.clone()),
            Err(error) => {
                return mailbox.end_run(&format!("others are not watched any more: {error}"));
            }
        }
    }
}
