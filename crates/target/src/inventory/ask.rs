//! Asking what may never answer, and naming things for a shell.

use std::sync::mpsc;
use std::time::Duration;

/// Asks on a thread of its own, which is left behind when it gets no answer in that time.
pub(super) fn run_with_timeout<T: Send + 'static>(
    most: Duration,
    name: &str,
    ask: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    let (send, receive) = mpsc::channel();
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || drop(send.send(ask())))
        .map_err(|error| error.to_string())?;
    receive.recv_timeout(most).map_err(|_| format!("no answer within {} s", most.as_secs()))
}

pub fn shell_quote(path: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%,=".contains(c);
    if !path.is_empty() && path.chars().all(plain) {
        return path.to_owned();
    }
    format!("'{}'", path.replace('\'', r"'\''"))
}
