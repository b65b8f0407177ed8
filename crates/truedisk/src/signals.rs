//! Signals: the first asks the run to end and keep what it has, the second ends it at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use engine::StopSignal;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

/// Which signal came first; 0 for none.
#[derive(Debug, Clone, Default)]
pub(crate) struct CaughtSignal(Arc<AtomicI32>);

impl CaughtSignal {
    /// The signal's number, when one came.
    pub(crate) fn number(&self) -> Option<i32> {
        Some(self.0.load(Ordering::SeqCst)).filter(|n| *n != 0)
    }
}

/// A write beyond the limit on file sizes (`ulimit -f`) fails with EFBIG. Without a handler the
/// kernel ends the process instead, and its test file stays. An ignored signal would be inherited
/// by programs that are started; a handler is not.
pub(crate) fn survive_file_size_limit() {
    // It fails only for signals that have no handlers.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// Raises `stop` on SIGINT, SIGTERM or SIGHUP. A second signal removes the test file and exits:
/// 128 plus the signal's number. A panic anywhere removes the test file too.
pub(crate) fn stop_on_signal(stop: &StopSignal) -> std::io::Result<CaughtSignal> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        hook(info);
        remove_unfinished();
    }));
    let caught = CaughtSignal::default();
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let (stop, seen) = (stop.clone(), caught.clone());
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            if seen.0.swap(signal, Ordering::SeqCst) != 0 {
                remove_unfinished();
                std::process::exit(128 + signal);
            }
            stop.raise();
        }
    })?;
    Ok(caught)
}

/// Removes the test file, and results that were not put in their place.
fn remove_unfinished() {
    target::remove_test_files();
    output::remove_temporaries();
}

/// Calls `first` when a signal comes: SIGINT, and SIGTERM and SIGHUP unless `interrupt_only`.
/// Another one exits with the status that `second` says.
pub(crate) fn call_on_signal(
    interrupt_only: bool,
    first: impl Fn() + Send + 'static,
    second: impl Fn(i32) -> i32 + Send + 'static,
) -> std::io::Result<CaughtSignal> {
    let caught = CaughtSignal::default();
    let all = [SIGINT, SIGTERM, SIGHUP];
    let mut signals = Signals::new(if interrupt_only { &all[..1] } else { &all[..] })?;
    let seen = caught.clone();
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            if seen.0.swap(signal, Ordering::SeqCst) != 0 {
                std::process::exit(second(signal));
            }
            first();
        }
    })?;
    Ok(caught)
}
