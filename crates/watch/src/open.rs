//! Which source is used.

use message::{Message, Names, messages};
use target::Roots;

use crate::counters::CountersSource;
use crate::disks::{Disk, is_accounted, is_request_based};
use crate::ebpf::{EbpfSource, EbpfUnavailable};
use crate::error::WatchError;
use crate::sample::SourceKind;
use crate::source::Source;
use crate::trace::{TraceSource, TraceUnavailable};

messages! {
    NotCounted = "watch-not-counted" { disks: Names };
    NotTimed = "watch-not-timed" { disks: Names };
    BioBased = "watch-bio-based" { disks: Names };
    BiosTimed = "watch-bios-timed" { disks: Names };
    EbpfNotPermitted = "watch-ebpf-not-permitted";
    InsteadOfEbpf = "watch-instead-of-ebpf" { reason: String };
    WithoutEbpf = "watch-ebpf-unavailable" { reason: String };
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
    let unavailable = |kind, reason: String| WatchError::Unavailable { kind, reason };
    match wanted {
        Some(SourceKind::Counters) => open_counters(disks, roots),
        Some(kind @ SourceKind::Trace) => {
            open_trace(disks, roots).map_err(|error| unavailable(kind, error.to_string()))
        }
        Some(kind @ SourceKind::Ebpf) => {
            open_ebpf(disks, roots).map_err(|error| unavailable(kind, error.to_string()))
        }
        None => open_ebpf(disks, roots).or_else(|error| {
            let (mut opened, note) = match open_trace(disks, roots) {
                Ok(opened) => (opened, InsteadOfEbpf { reason: error.to_string() }.into()),
                Err(_) => (open_counters(disks, roots)?, explain_unavailable(&error)),
            };
            opened.notes.insert(0, note);
            Ok(opened)
        }),
    }
}

fn explain_unavailable(unavailable: &EbpfUnavailable) -> Message {
    match unavailable {
        EbpfUnavailable::NotPermitted => EbpfNotPermitted {}.into(),
        other => WithoutEbpf { reason: other.to_string() }.into(),
    }
}

fn open_ebpf(disks: &[Disk], roots: &Roots) -> Result<OpenedSource, EbpfUnavailable> {
    let source = Box::new(EbpfSource::open(disks, roots)?);
    let is_bio_based = |disk: &Disk| !is_request_based(disk, roots);
    let untimed = names_of(disks, |disk| !is_accounted(disk, roots) && !is_bio_based(disk));
    let untimed = untimed.map(|disks| NotTimed { disks }.into());
    let others = names_of(disks, is_bio_based).map(|disks| match source.has_bios() {
        true => BiosTimed { disks }.into(),
        false => BioBased { disks }.into(),
    });
    Ok(OpenedSource { source, notes: untimed.into_iter().chain(others).collect() })
}

fn open_trace(disks: &[Disk], roots: &Roots) -> Result<OpenedSource, TraceUnavailable> {
    let source = Box::new(TraceSource::open(disks, roots)?);
    let bio_based = names_of(disks, |disk| !is_request_based(disk, roots));
    let notes = bio_based.into_iter().map(|disks| BioBased { disks }.into()).collect();
    Ok(OpenedSource { source, notes })
}

/// A disk that the kernel does not count would look idle: it is left out, with a note.
fn open_counters(disks: &[Disk], roots: &Roots) -> Result<OpenedSource, WatchError> {
    let counted: Vec<Disk> =
        disks.iter().filter(|disk| is_accounted(disk, roots)).cloned().collect();
    let source = Box::new(CountersSource::open(&counted, roots)?);
    let uncounted = names_of(disks, |disk| !is_accounted(disk, roots));
    let notes = uncounted.into_iter().map(|disks| NotCounted { disks }.into()).collect();
    Ok(OpenedSource { source, notes })
}

/// `None` without one.
fn names_of(disks: &[Disk], is_meant: impl Fn(&Disk) -> bool) -> Option<Names> {
    let names: Names =
        disks.iter().filter(|disk| is_meant(disk)).map(|disk| disk.name.clone()).collect();
    (!names.0.is_empty()).then_some(names)
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
        assert_eq!(opened.notes[0].id(), "watch-not-counted");
        assert!(opened.source.sample().unwrap().devices.is_empty());
        assert!(matches!(open_source(None, &[], &roots), Err(WatchError::NoDisk)));
    }
}
