//! A child shell, here or on a host, that ends when we close its standard input or die.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use engine::StopSignal;

const POLL_INTERVAL: Duration = Duration::from_millis(50);

const LAST_LINES_MAX: usize = 12;

/// In bytes.
const LINE_MAX: u64 = 4096;

#[derive(Debug)]
pub(super) struct ShellInput {
    /// Text files first.
    pub(super) text: String,
    /// Then a program.
    pub(super) program: Option<File>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum ShellEvent {
    Line(String),
    ErrorLine(String),
    /// Both streams are closed.
    Ended,
    Stopped,
    TimedOut,
}

/// A running shell; on drop it ends, or is killed.
#[derive(Debug)]
pub(super) struct Shell {
    child: Child,
    /// Dropped to close the standard input.
    lifeline: Option<Sender<()>>,
    lines: Receiver<ShellEvent>,
    errors: Arc<Mutex<VecDeque<String>>>,
    grace: Duration,
}

impl Shell {
    /// Starts it and sends its input. `grace` is the time for its end.
    pub(super) fn start(
        mut command: Command,
        input: ShellInput,
        grace: Duration,
    ) -> io::Result<Shell> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Not in our process group: Ctrl-C is for us only.
        command.process_group(0);
        let mut child = command.spawn()?;
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (life, held) = mpsc::channel();
        let (tell, lines) = mpsc::channel();
        let complain = tell.clone();
        let complaints = Arc::new(Mutex::new(VecDeque::new()));
        // From here on the drop ends the child.
        let shell =
            Shell { child, lifeline: Some(life), lines, errors: Arc::clone(&complaints), grace };
        let (Some(stdin), Some(stdout), Some(stderr)) = streams else {
            return Err(io::Error::other("its streams are not ours"));
        };
        thread::Builder::new().name("launch-in".to_owned()).spawn(move || {
            send_input(stdin, input, &held);
        })?;
        thread::Builder::new().name("launch-out".to_owned()).spawn(move || {
            for_each_line(stdout, |line| tell.send(ShellEvent::Line(line)).is_ok());
        })?;
        thread::Builder::new().name("launch-err".to_owned()).spawn(move || {
            for_each_line(stderr, |line| {
                push_line(&complaints, line.clone());
                // The last lines are kept even without a reader.
                let _ = complain.send(ShellEvent::ErrorLine(line));
                true
            });
        })?;
        Ok(shell)
    }

    pub(super) fn next_event(&mut self, limit: Duration, stop: &StopSignal) -> ShellEvent {
        let started = Instant::now();
        loop {
            match self.lines.recv_timeout(POLL_INTERVAL) {
                Ok(said) => return said,
                Err(RecvTimeoutError::Disconnected) => return ShellEvent::Ended,
                Err(RecvTimeoutError::Timeout) if stop.is_raised() => return ShellEvent::Stopped,
                Err(RecvTimeoutError::Timeout) if started.elapsed() > limit => {
                    return ShellEvent::TimedOut;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    pub(super) fn exit_status(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    pub(super) fn last_errors(&self) -> String {
        let kept = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    pub(super) fn release(&mut self) {
        self.lifeline = None;
    }

    fn terminate(&mut self) {
        self.release();
        let started = Instant::now();
        while self.exit_status().is_none() && started.elapsed() < self.grace {
            thread::sleep(POLL_INTERVAL);
        }
        // Both fail only after the end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        self.terminate();
    }
}

/// Sends everything, then keeps the stream open until the other end of `held` is dropped.
fn send_input(mut stdin: impl Write, input: ShellInput, held: &Receiver<()>) {
    let sent = stdin.write_all(input.text.as_bytes()).and_then(|()| match input.program {
        Some(mut program) => io::copy(&mut program, &mut stdin).map(drop),
        None => Ok(()),
    });
    if sent.and_then(|()| stdin.flush()).is_ok() {
        // Returns when the sender is dropped.
        let _ = held.recv();
    }
}

/// Calls `take` with each line until it returns `false`; a line that is too long comes in pieces.
fn for_each_line(stream: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut reader = BufReader::new(stream);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match reader.by_ref().take(LINE_MAX).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&bytes);
        if !take(line.trim_end_matches(['\n', '\r']).to_owned()) {
            return;
        }
    }
}

fn push_line(kept: &Mutex<VecDeque<String>>, line: String) {
    if line.trim().is_empty() {
        return;
    }
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.len() == LAST_LINES_MAX {
        kept.pop_front();
    }
    kept.push_back(line);
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(20);

    fn shell(script: &str, text: &str) -> Shell {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Shell::start(command, ShellInput { text: text.to_owned(), program: None }, LONG).unwrap()
    }

    #[test]
    fn what_is_sent_arrives_and_what_is_said_comes_back() {
        let mut shell = shell("read -r a; echo \"got $a\"; echo no >&2; exit 3", "one\n");
        let stop = StopSignal::default();
        let mut said = [shell.next_event(LONG, &stop), shell.next_event(LONG, &stop)];
        // Two streams have no order.
        said.sort_by_key(|said| matches!(said, ShellEvent::ErrorLine(_)));
        assert_eq!(said[0], ShellEvent::Line("got one".to_owned()));
        assert_eq!(said[1], ShellEvent::ErrorLine("no".to_owned()));
        assert_eq!(shell.next_event(LONG, &stop), ShellEvent::Ended);
        while shell.exit_status().is_none() {
            thread::yield_now();
        }
        assert_eq!(shell.exit_status().and_then(|status| status.code()), Some(3));
        assert_eq!(shell.last_errors(), "no");
    }

    #[test]
    fn the_life_line_ends_it() {
        let mut shell = shell("cat; echo ended", "");
        let stop = StopSignal::default();
        assert_eq!(shell.next_event(Duration::from_millis(1), &stop), ShellEvent::TimedOut);
        shell.release();
        assert_eq!(shell.next_event(LONG, &stop), ShellEvent::Line("ended".to_owned()));
    }

    #[test]
    fn who_waits_is_told_to_stop() {
        let mut shell = shell("cat", "");
        let stop = StopSignal::default();
        stop.raise();
        assert_eq!(shell.next_event(LONG, &stop), ShellEvent::Stopped);
    }

    #[test]
    fn only_the_last_complaints_are_kept_and_no_endless_line() {
        let kept = Mutex::new(VecDeque::new());
        for_each_line("\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\r\n14".as_bytes(), |line| {
            push_line(&kept, line);
            true
        });
        let kept = kept.into_inner().unwrap();
        assert_eq!(kept.front().unwrap(), "3");
        assert_eq!(kept.back().unwrap(), "14");
        let mut pieces = 0;
        for_each_line(io::repeat(b'x').take(3 * LINE_MAX), |line| {
            assert_eq!(line.len() as u64, LINE_MAX);
            pieces += 1;
            true
        });
        assert_eq!(pieces, 3);
    }
}
