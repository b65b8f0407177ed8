//! Where requests are made and heard of: in the caller's own thread, or in one of each requester.

use std::sync::mpsc::{Receiver, TryRecvError, channel};

use units::Bytes;

use crate::observer::PingObserver;
use crate::ping_target::OpenPingTarget;
use crate::requester::{RequestCompletion, Requester, RequesterEnd};
use crate::statistics::PingStatistics;

pub(crate) struct CompletionCollector<'run> {
    pub(crate) targets: &'run [OpenPingTarget],
    pub(crate) statistics: Vec<PingStatistics>,
    pub(crate) observer: &'run mut dyn PingObserver,
    pub(crate) size: Bytes,
}

impl CompletionCollector<'_> {
    fn collect(&mut self, target: usize, completion: Option<&RequestCompletion>) {
        let Some(completion) = completion else { return self.observer.on_idle() };
        let (shown, window) = self.statistics[target].add_completion(completion);
        let place = &self.targets[target].place;
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
    requesters: Vec<Requester<'_>>,
    collector: &mut CompletionCollector<'_>,
) -> Vec<RequesterEnd> {
    let run = |mut requester: Requester<'_>| {
        let target = requester.target;
        requester.run(&mut |completion| collector.collect(target, completion))
    };
    requesters.into_iter().map(run).collect()
}

pub(crate) fn run_in_threads<'run>(
    requesters: Vec<Requester<'run>>,
    collector: &mut CompletionCollector<'_>,
) -> Vec<RequesterEnd> {
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        let start = |mut requester: Requester<'run>| {
            let sender = sender.clone();
            scope.spawn(move || {
                let (target, stop) = (requester.target, requester.stop);
                stop.wake_this_thread();
                let end = requester.run(&mut |completion| {
                    if let Some(completion) = completion {
                        // The receiver outlives all senders.
                        let _ = sender.send((target, *completion));
                    }
                });
                if end.failure.is_some() {
                    stop.raise();
                }
                end
            })
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
        let received = match receiver.try_recv() {
            Err(TryRecvError::Empty) => {
                collector.observer.on_idle();
                receiver.recv().ok()
            }
            received => received.ok(),
        };
        let Some((target, completion)) = received else { return };
        collector.collect(target, Some(&completion));
    }
}
