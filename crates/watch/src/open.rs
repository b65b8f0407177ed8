//! Which source is used.

use message::{Message, messages};
use target::Roots;

use crate::counters::CountersSource;
use crate::disks::{Disk, is_accounted};
use crate::error::WatchError;
use crate::sample::SourceKind;
use crate::source::Source;

messages! {
    /// What is said about the source in use.
    pub static MESSAGES;
    NotAccounted = "watch-not-accounted" { disk: String };
}

pub struct OpenedSource {
    pub source: Box<dyn Source>,
    /// What this source cannot see, and why a better one does not work here.
    pub notes: Vec<Message>,
}

/// Opens the `wanted` source; without one, the best that works.
pub fn open_source(
    wanted: Option<SourceKind>,
    disks: &[Disk],
    roots: &Roots,
) -> Result<OpenedSource, WatchError> {
    if disks.is_empty() {
        return Err(WatchError::NoDisk);
    }
    match wanted {
        None | Some(SourceKind::Counters) => open_counters(disks, roots),
        Some(kind) => {
            let reason = "this version does not have it".to_owned();
            Err(WatchError::Unavailable { kind, reason })
        }
    }
}

/// A disk that the kernel does not count would look idle: it is left out, with a note.
fn open_counters(disks: &[Disk], roots: &Roots) -> Result<OpenedSource, WatchError> {
    let is_counted = |disk: &Disk| is_accounted(disk, roots);
    let (counted, others): (Vec<Disk>, Vec<Disk>) = disks.iter().cloned().partition(is_counted);
    let source = Box::new(CountersSource::open(&counted, roots)?);
    let notes = others.into_iter().map(|disk| NotAccounted { disk: disk.name }.into()).collect();
    Ok(OpenedSource { source, notes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_the_kernel_does_not_count_is_named() {
        let tree = lab::SysfsTree::from_text(
            "proc/diskstats = 8 0 sda 0 0 0 0 0 0 0 0 0 0 0\\n\n\
             sys/block/sda/queue/iostats = 0\n",
        )
        .unwrap();
        let roots = Roots::under(tree.root());
        let disks = [Disk { name: "sda".to_owned(), number: (8, 0) }];
        let mut opened = open_source(Some(SourceKind::Counters), &disks, &roots).unwrap();
        assert_eq!(opened.notes[0].id(), "watch-not-accounted");
        assert!(opened.source.sample().unwrap().devices.is_empty());
        assert!(matches!(open_source(None, &[], &roots), Err(WatchError::NoDisk)));
    }

    #[test]
    fn every_message_has_its_words() {
        assert_eq!(message::list_faults(MESSAGES), [""; 0]);
    }
}
