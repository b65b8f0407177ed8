//! Where requests are made and heard of: in the caller's own thread, or in one of each requester.

use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

use units::Bytes;

use super::PingObserver;
use super::ping_target::OpenPingTarget;
use super::random_stream::RandomStream;
use super::requester::{CompletionSink, RequestCompletion, RequestError, Requester, ScheduleStats};
use super::statistics::PingStatistics;

/// Where the requests of all targets come together.
pub(super) struct CompletionCollector<'run> {
    pub(super) targets: &'run [(OpenPingTarget, RandomStream)],
    pub(super) statistics: Vec<PingStatistics>,
    pub(super) observer: &'run mut dyn PingObserver,
    /// Bytes of a whole request.
    pub(super) size: Bytes,
}

impl CompletionCollector<'_> {
    fn collect(&mut self, target: usize, pong: &RequestCompletion) {
        let (told, window) = self.statistics[target].add_completion(pong);
        let place = &self.targets[target].0.place;
        if pong.moved < self.size.0 && !pong.refused {
            self.observer
                .on_warning(&format!("request returned less than expected: {}", pong.moved));
        }
        self.observer.on_request(target, place, &told);
        if let Some(figures) = window {
            self.observer.on_window(target, place, &figures);
        }
    }
}

/// How a requester ended.
pub(super) struct RequesterEnd {
    pub(super) target: usize,
    /// Clock reading at its end; what it held is given back only after that.
    pub(super) end_ns: u64,
    pub(super) kept: ScheduleStats,
    pub(super) failure: Option<RequestError>,
}

/// The only requester, in this thread.
pub(super) fn run_in_this_thread(
    lanes: Vec<(usize, Requester<'_>)>,
    hall: &mut CompletionCollector<'_>,
) -> Vec<RequesterEnd> {
    struct LocalSink<'a, 'run>(usize, &'a mut CompletionCollector<'run>);
    impl CompletionSink for LocalSink<'_, '_> {
        fn on_completion(&mut self, pong: &RequestCompletion) {
            self.1.collect(self.0, pong);
        }
        fn on_idle(&mut self) {
            self.1.observer.on_idle();
        }
    }
    let end =
        |(target, mut lane): (usize, Requester<'_>)| lane.run(target, &mut LocalSink(target, hall));
    lanes.into_iter().map(end).collect()
}

/// Every requester in a thread of its own.
pub(super) fn run_in_threads<'run>(
    lanes: Vec<(usize, Requester<'run>)>,
    hall: &mut CompletionCollector<'_>,
) -> Vec<RequesterEnd> {
    struct ChannelSink(usize, Sender<(usize, RequestCompletion)>);
    impl CompletionSink for ChannelSink {
        fn on_completion(&mut self, pong: &RequestCompletion) {
            // The listener outlives all who speak.
            let _ = self.1.send((self.0, *pong));
        }
        fn on_idle(&mut self) {}
    }
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        let start = |(target, mut lane): (usize, Requester<'run>)| {
            let mut ear = ChannelSink(target, sender.clone());
            let run = move || {
                let bell = lane.stop;
                bell.wake_this_thread();
                let end = lane.run(target, &mut ear);
                if end.failure.is_some() {
                    bell.raise();
                }
                end
            };
            scope.spawn(run)
        };
        let running: Vec<_> = lanes.into_iter().map(start).collect();
        drop(sender);
        collect_from_threads(&receiver, hall);
        running.into_iter().filter_map(|thread| thread.join().ok()).collect()
    })
}

fn collect_from_threads(
    receiver: &Receiver<(usize, RequestCompletion)>,
    hall: &mut CompletionCollector<'_>,
) {
    loop {
        let heard = match receiver.try_recv() {
            Ok(heard) => Some(heard),
            Err(TryRecvError::Disconnected) => None,
            Err(TryRecvError::Empty) => {
                hall.observer.on_idle();
                receiver.recv().ok()
            }
        };
        match heard {
            Some((target, pong)) => hall.collect(target, &pong),
            None => return,
        }
    }
}
