//! Doing things at given times on a thread of its own.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::{LabError, Result};

const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A running schedule; dropping it stops it before its next step, and leaves what it has done.
#[derive(Debug)]
pub struct Timeline {
    /// Never sent on: the thread wakes when it is dropped.
    stop: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<Result<()>>>,
}

impl Timeline {
    /// Does every step at its time, counted from when `begins`, asked every 10 ms, says yes.
    pub(crate) fn start<T: Send + 'static>(
        mut begins: impl FnMut() -> Result<bool> + Send + 'static,
        steps: Vec<(Duration, T)>,
        mut act: impl FnMut(T) -> Result<()> + Send + 'static,
    ) -> Result<Timeline> {
        if !steps.is_sorted_by_key(|(at, _)| *at) {
            return Err(LabError::unusable("a schedule", "goes back in time"));
        }
        let (stop, stopped) = mpsc::channel::<()>();
        let work = move || {
            while !begins()? {
                if stopped.recv_timeout(POLL_INTERVAL) != Err(RecvTimeoutError::Timeout) {
                    return Ok(());
                }
            }
            let begun = Instant::now();
            for (at, step) in steps {
                let left = at.saturating_sub(begun.elapsed());
                match stopped.recv_timeout(left) {
                    Err(RecvTimeoutError::Timeout) => act(step)?,
                    _ => break,
                }
            }
            Ok(())
        };
        let thread = thread::Builder::new()
            .name("lab-timeline".to_owned())
            .spawn(work)
            .map_err(|e| LabError::unusable("a schedule", format!("got no thread: {e}")))?;
        Ok(Timeline { stop: Some(stop), thread: Some(thread) })
    }

    /// Waits for the last step. Fails when a step failed.
    pub fn finish(mut self) -> Result<()> {
        self.join()
    }

    fn join(&mut self) -> Result<()> {
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(outcome)) => outcome,
            Some(Err(_)) => Err(LabError::unusable("a schedule", "panicked")),
        }
    }
}

impl Drop for Timeline {
    fn drop(&mut self) {
        drop(self.stop.take());
        crate::tools::report_failure(self.join());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[test]
    fn steps_are_done_in_order_and_dropping_stops() {
        let done = Arc::new(Mutex::new(Vec::new()));
        let note = |done: &Arc<Mutex<Vec<u32>>>| {
            let done = Arc::clone(done);
            move |n: u32| {
                done.lock().unwrap().push(n);
                Ok(())
            }
        };
        let ms = Duration::from_millis;
        let now = || Ok(true);
        Timeline::start(now, vec![(ms(0), 1), (ms(1), 2)], note(&done)).unwrap().finish().unwrap();
        assert_eq!(*done.lock().unwrap(), [1, 2]);

        drop(Timeline::start(now, vec![(Duration::from_secs(3600), 3)], note(&done)).unwrap());
        assert_eq!(*done.lock().unwrap(), [1, 2]);

        assert!(Timeline::start(now, vec![(ms(1), 1), (ms(0), 2)], note(&done)).is_err());

        let mut asked = 0;
        let third_time = move || {
            asked += 1;
            Ok(asked == 3)
        };
        Timeline::start(third_time, vec![(ms(0), 4)], note(&done)).unwrap().finish().unwrap();
        assert_eq!(*done.lock().unwrap(), [1, 2, 4]);
        drop(Timeline::start(|| Ok(false), vec![(ms(0), 5)], note(&done)).unwrap());
        assert_eq!(*done.lock().unwrap(), [1, 2, 4]);
    }
}
