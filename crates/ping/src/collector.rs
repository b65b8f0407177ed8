//! Where requests are made and heard of: in the caller's own thread, or in one of each requester.

use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

use units::Bytes;

use crate::observer::PingObserver;
use crate::ping_target::OpenPingTarget;
use crate::random_stream::RandomStream;
use crate::requester::{CompletionSink, RequestCompletion, Requester, RequesterEnd};
use crate::statistics::PingStatistics;

pub(crate) struct CompletionCollector<'run> {
    pub(crate) targets: &'run [(OpenPingTarget, RandomStream)],
    pub(crate) statistics: Vec<PingStatistics>,
    pub(crate) observer: &'run mut dyn PingObserver,
    /// Bytes of a whole request.
    pub(crate) size: Bytes,
}

impl CompletionCollector<'_> {
    fn collect(&mut self, target: usize, completion: &RequestCompletion) {
        let (shown, window) = self.statistics[target].add_completion(completion);
        let place = &self.targets[target].0.place;
        if completion.moved < self.size.0 && !completion.refused {
            self.observer
                .on_warning(&format!("request returned less than expected: {}", completion.moved));
        }
        self.observer.on_request(target, place, &shown);
        if let Some(figures) = window {
            self.observer.on_window(target, place, &figures);
        }
    }
}

pub(crate) fn run_in_this_thread(
    requesters: Vec<(usize, Requester<'_>)>,
    collector: &mut CompletionCollector<'_>,
) -> Vec<RequesterEnd> {
    struct LocalSink<'a, 'run>(usize, &'a mut CompletionCollector<'run>);
    impl CompletionSink for LocalSink<'_, '_> {
        fn on_completion(&mut self, completion: &RequestCompletion) {
            self.1.collect(self.0, completion);
        }
        fn on_idle(&mut self) {
            self.1.observer.on_idle();
        }
    }
    let end = |(target, mut requester): (usize, Requester<'_>)| {
        requester.run(target, &mut LocalSink(target, collector))
    };
    requesters.into_iter().map(end).collect()
}

pub(crate) fn run_in_threads<'run>(
    requesters: Vec<(usize, Requester<'run>)>,
    collector: &mut CompletionCollector<'_>,
) -> Vec<RequesterEnd> {
    struct ChannelSink(usize, Sender<(usize, RequestCompletion)>);
    impl CompletionSink for ChannelSink {
        fn on_completion(&mut self, completion: &RequestCompletion) {
            // The listener outlives all who speak.
            let _ = self.1.send((self.0, *completion));
        }
        fn on_idle(&mut self) {}
    }
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        let start = |(target, mut requester): (usize, Requester<'run>)| {
            let mut ear = ChannelSink(target, sender.clone());
            let run = move || {
                let stop = requester.stop;
                stop.wake_this_thread();
                let end = requester.run(target, &mut ear);
                if end.failure.is_some() {
                    stop.raise();
                }
                end
            };
            scope.spawn(run)
        };
        let running: Vec<_> = requesters.into_iter().map(start).collect();
        drop(sender);
        collect_from_threads(&receiver, collector);
        running.into_iter().filter_map(|thread| thread.join().ok()).collect()
    })
}

fn collect_from_threads(
    receiver: &Receiver<(usize, RequestCompletion)>,
    collector: &mut CompletionCollector<'_>,
) {
    loop {
        let heard = match receiver.try_recv() {
            Ok(heard) => Some(heard),
            Err(TryRecvError::Disconnected) => None,
            Err(TryRecvError::Empty) => {
                collector.observer.on_idle();
                receiver.recv().ok()
            }
        };
        match heard {
            Some((target, completion)) => collector.collect(target, &completion),
            None => return,
        }
    }
}
