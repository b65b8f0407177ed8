//! Signals: the first asks the run to end and keep what it has, the second ends it at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use engine::StopSignal;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGXFSZ};
use signal_hook::iterator::Signals;

use crate::exit::{Failure, signal_status};
use crate::terminal;

/// The first signal that came; 0 for none.
#[derive(Debug, Clone, Default)]
pub(crate) struct CaughtSignal(Arc<AtomicI32>);

impl CaughtSignal {
    pub(crate) fn number(&self) -> Option<i32> {
        Some(self.0.load(Ordering::SeqCst)).filter(|number| *number != 0)
    }
}

/// Without a handler a write beyond `ulimit -f` ends the process, and its test file stays. An
/// ignored signal would be inherited by programs that are started.
pub(crate) fn survive_file_size_limit() {
    // It fails only for signals that have no handlers.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// A flag that SIGUSR1 sets.
pub(crate) fn status_flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    // It fails only for signals that have no handlers.
    let _ = signal_hook::flag::register(SIGUSR1, Arc::clone(&flag));
    flag
}

/// The exit status of Rust's programs that panicked.
const PANIC_STATUS: i32 = 101;

/// Ends the program on a panic of any thread, once its test files are removed. A release does not
/// unwind: what that needs is a fifth of the program.
pub(crate) fn exit_on_panic() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        hook(info);
        remove_unfinished();
        std::process::exit(PANIC_STATUS);
    }));
}

/// Raises `stop` on a signal. A second one removes the test file.
pub(crate) fn stop_on_signal(stop: &StopSignal) -> Result<CaughtSignal, Failure> {
    let stop = stop.clone();
    let second = |signal| {
        remove_unfinished();
        signal_status(signal)
    };
    call_on_signal(false, move || stop.raise(), second)
}

/// For an end at once: what would go on, and what would be left.
fn remove_unfinished() {
    fio_run::kill_commands();
    target::remove_test_files();
    output::remove_temporaries();
}

/// Calls `first` on SIGINT, and on SIGTERM and SIGHUP unless `interrupt_only`; another signal exits
/// with the status of `second`.
pub(crate) fn call_on_signal(
    interrupt_only: bool,
    first: impl Fn() + Send + 'static,
    second: impl Fn(i32) -> i32 + Send + 'static,
) -> Result<CaughtSignal, Failure> {
    let caught = CaughtSignal::default();
    let seen = caught.clone();
    let all = [SIGINT, SIGTERM, SIGHUP];
    let listening =
        Signals::new(if interrupt_only { &all[..1] } else { &all }).and_then(|mut signals| {
            std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
                for signal in signals.forever() {
                    if seen.0.swap(signal, Ordering::SeqCst) != 0 {
                        std::process::exit(second(signal));
                    }
                    terminal::resume_output();
                    first();
                }
            })
        });
    match listening {
        Ok(_) => Ok(caught),
        Err(error) => Err(Failure::failed(format_args!("cannot watch for signals: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHILD: &str = "TRUEDISK_TEST_PANICS_IN";

    /// Asks itself, as a child: the hook ends its process.
    #[test]
    fn a_panic_removes_test_files_and_ends_the_program() {
        const NAME: &str = "signals::tests::a_panic_removes_test_files_and_ends_the_program";
        if let Some(folder) = std::env::var_os(CHILD) {
            exit_on_panic();
            let size = units::Bytes::mib(1);
            let folder = std::path::Path::new(&folder);
            let file = target::TestFile::create(folder, "panic", size, &target::Roots::host());
            assert!(file.unwrap().path().exists());
            println!("a file");
            let _ = std::thread::spawn(|| panic!("as asked")).join();
            println!("went on");
            return;
        }
        let folder = tempfile::tempdir_in("/var/tmp").unwrap();
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        again.args([NAME, "--exact", "--nocapture"]).env(CHILD, folder.path());
        let output = again.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(PANIC_STATUS), "{output:?}");
        assert!(said.contains("a file") && !said.contains("went on"), "{said}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
