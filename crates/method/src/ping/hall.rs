//! Where requests are made and heard of: in the caller's own thread, or in one of each requester.

use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

use units::Bytes;

use super::Voice;
use super::course::Course;
use super::ground::Ground;
use super::lane::{Ear, Kept, Lane, LaneError, Pong};
use super::random::Random;

/// Where the requests of all targets come together.
pub(super) struct Hall<'run> {
    pub(super) grounds: &'run [(Ground, Random)],
    pub(super) courses: Vec<Course>,
    pub(super) voice: &'run mut dyn Voice,
    /// Bytes of a whole request.
    pub(super) size: Bytes,
}

impl Hall<'_> {
    fn hear(&mut self, target: usize, pong: &Pong) {
        let (told, window) = self.courses[target].take(pong);
        let place = &self.grounds[target].0.place;
        if pong.moved < self.size.0 && !pong.refused {
            self.voice.warn(&format!("request returned less than expected: {}", pong.moved));
        }
        self.voice.request(target, place, &told);
        if let Some(figures) = window {
            self.voice.window(target, place, &figures);
        }
    }
}

/// How a requester ended.
pub(super) struct LaneEnd {
    pub(super) target: usize,
    /// Clock reading at its end; what it held is given back only after that.
    pub(super) end_ns: u64,
    pub(super) kept: Kept,
    pub(super) failure: Option<LaneError>,
}

/// The only requester, in this thread.
pub(super) fn alone(lanes: Vec<(usize, Lane<'_>)>, hall: &mut Hall<'_>) -> Vec<LaneEnd> {
    struct Near<'a, 'run>(usize, &'a mut Hall<'run>);
    impl Ear for Near<'_, '_> {
        fn hear(&mut self, pong: &Pong) {
            self.1.hear(self.0, pong);
        }
        fn rest(&mut self) {
            self.1.voice.rest();
        }
    }
    let end = |(target, mut lane): (usize, Lane<'_>)| lane.run(target, &mut Near(target, hall));
    lanes.into_iter().map(end).collect()
}

/// Every requester in a thread of its own.
pub(super) fn together<'run>(lanes: Vec<(usize, Lane<'run>)>, hall: &mut Hall<'_>) -> Vec<LaneEnd> {
    struct Far(usize, Sender<(usize, Pong)>);
    impl Ear for Far {
        fn hear(&mut self, pong: &Pong) {
            // The listener outlives all who speak.
            let _ = self.1.send((self.0, *pong));
        }
        fn rest(&mut self) {}
    }
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        let start = |(target, mut lane): (usize, Lane<'run>)| {
            let mut ear = Far(target, sender.clone());
            let run = move || {
                let bell = lane.bell;
                bell.wake_me();
                let end = lane.run(target, &mut ear);
                if end.failure.is_some() {
                    bell.ring();
                }
                end
            };
            scope.spawn(run)
        };
        let running: Vec<_> = lanes.into_iter().map(start).collect();
        drop(sender);
        listen(&receiver, hall);
        running.into_iter().filter_map(|thread| thread.join().ok()).collect()
    })
}

fn listen(receiver: &Receiver<(usize, Pong)>, hall: &mut Hall<'_>) {
    loop {
        let heard = match receiver.try_recv() {
            Ok(heard) => Some(heard),
            Err(TryRecvError::Disconnected) => None,
            Err(TryRecvError::Empty) => {
                hall.voice.rest();
                receiver.recv().ok()
            }
        };
        match heard {
            Some((target, pong)) => hall.hear(target, &pong),
            None => return,
        }
    }
}
