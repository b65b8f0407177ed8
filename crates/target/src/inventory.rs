//! Everything on a host that could be measured, and what the guard would say to writing to it.
//!
//! Nothing is opened for writing. A device that nothing seems to use is claimed and read for a
//! moment.

mod ask;
mod devices;
mod mounted;
mod writability;

use message::label;
use record::{Inventory, Swap, Tool};
use units::Bytes;

pub use ask::shell_quote;

use crate::identity::{read_mounts, unescape_octal};
use crate::roots::{Roots, read_lossy};

/// What is here: block devices, mounted file systems, swap space. `tool` is who asks.
pub fn take_inventory(tool: Tool, roots: &Roots) -> Inventory {
    let mut found = Inventory::new(tool);
    let table = read_mounts(roots);
    if table.is_empty() {
        found.unknown.push(label("unseen-mounts"));
    }
    if !roots.sys.join("dev/block").is_dir() {
        found.unknown.push(label("unseen-block-devices"));
    }
    found.mounts = mounted::list_file_systems(&table, roots);
    found.devices = devices::list_devices(&table, roots);
    found.swaps = parse_swaps(&read_lossy(&roots.proc.join("swaps")));
    found
}

/// `/proc/swaps`: file, type, size and use in KiB, below a line of titles.
fn parse_swaps(text: &str) -> Vec<Swap> {
    let kib = |word: Option<&str>| word.and_then(|word| word.parse().ok()).map(Bytes::kib);
    let swap = |line: &str| {
        let mut words = line.split_whitespace();
        let path = unescape_octal(words.next()?.as_bytes());
        let (size, used) = (kib(words.nth(1))?, kib(words.next())?);
        Some(Swap { path: String::from_utf8_lossy(&path).into_owned(), size, used })
    };
    text.lines().skip(1).filter_map(swap).collect()
}

#[cfg(test)]
mod tests;
