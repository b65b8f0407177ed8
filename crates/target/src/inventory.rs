//! Everything on a host that could be measured, and what the guard would say to writing to it.
//!
//! Nothing is opened for writing here. A device that nothing seems to use is claimed and read for
//! a moment: only the kernel knows of users in other namespaces, and only its blocks say what is
//! on it.

mod devices;
mod mounted;
mod stand;

use std::sync::mpsc;
use std::time::Duration;

use record::{Inventory, Swap, Tool};
use units::Bytes;

use crate::identity::{mounts, unescape};
use crate::roots::{Roots, read_lossy};

/// What is here: block devices, mounted file systems, swap space. `tool` is who asks.
#[must_use]
pub fn inventory(tool: Tool, roots: &Roots) -> Inventory {
    let mut found = Inventory::new(tool);
    let table = mounts(roots);
    if table.is_empty() {
        let why = "/proc/self/mountinfo cannot be read";
        found.unknown.push(format!("what is mounted: {why}"));
    }
    if !roots.sys.join("dev/block").is_dir() {
        let why = "/sys/dev/block cannot be read";
        found.unknown.push(format!("the block devices: {why}"));
    }
    found.mounts = mounted::all(&table, roots);
    found.devices = devices::all(&table, roots);
    found.swaps = swaps(&read_lossy(&roots.proc.join("swaps")));
    found
}

/// `/proc/swaps`: file, type, size and use in KiB, below a line of titles.
fn swaps(text: &str) -> Vec<Swap> {
    let kib = |word: Option<&str>| word.and_then(|word| word.parse().ok()).map(Bytes::kib);
    let swap = |line: &str| {
        let mut words = line.split_whitespace();
        let path = unescape(words.next()?.as_bytes());
        let (size, used) = (kib(words.nth(1))?, kib(words.next())?);
        Some(Swap { path: String::from_utf8_lossy(&path).into_owned(), size, used })
    };
    text.lines().skip(1).filter_map(swap).collect()
}

/// What `ask` gives, asked on a thread of its own, which is left behind when it gets no answer in
/// that time; then why there is none.
fn answer_within<T: Send + 'static>(
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

/// A path as a shell wants it.
fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%,=".contains(c);
    if !path.is_empty() && path.chars().all(plain) {
        return path.to_owned();
    }
    format!("'{}'", path.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests;
