//! Who hears how a run goes.

use engine::Progress;
use message::Message;
use record::Cell;

/// What a run tells while it goes; the terminal's progress bar, or nobody.
pub trait Observer {
    /// Something new begins: `laying out the test file`, `random read 4k, depth 16`. `done` is
    /// the share of the time budget that is used up.
    fn on_phase(&mut self, what: &Message, done: f64);
    /// How the running phase goes; about ten times a second.
    fn on_progress(&mut self, progress: &Progress, done: f64);
    fn on_cell(&mut self, _: &Cell) {}
    /// What is about to be written, before the first byte.
    fn on_announcement(&mut self, _: &Message) {}
    /// Something worth saying that is no result: a leftover was removed.
    fn on_note(&mut self, text: &str);
    /// Asks a person before a device is written: the question, and the answer that is expected.
    /// Whether it was given; with nobody to ask, the words of the request are enough.
    fn confirm(&mut self, question: &str, expected: &str) -> bool;
}

#[derive(Debug, Default)]
pub struct SilentObserver;

impl Observer for SilentObserver {
    fn on_phase(&mut self, _: &Message, _: f64) {}
    fn on_progress(&mut self, _: &Progress, _: f64) {}
    fn on_note(&mut self, _: &str) {}
    fn confirm(&mut self, _: &str, _: &str) -> bool {
        true
    }
}
