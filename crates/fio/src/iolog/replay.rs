//! What the `replay_*` options make of a trace.

use super::action::{Action, IoKind, Version};
use super::read::{Entry, ReadError};
use crate::options::replay::ReplayOptions;

/// Where an operation goes: the offset divided by `scale`, then rounded down to a multiple of
/// `align`, in bytes. 0 means: leave it. Lengths stay as they are.
fn scale_offset(offset: u64, scale: u64, align: u64) -> u64 {
    let scaled = offset / scale.max(1);
    if align == 0 { scaled } else { scaled - scaled % align }
}

/// When something of the trace's time `ns` is due at a pace of `percent`: 200 is twice as fast.
fn scale_time(ns: u64, percent: u64) -> u64 {
    u64::try_from(u128::from(ns) * 100 / u128::from(percent.max(1))).unwrap_or(u64::MAX)
}

/// When the operations after a `wait` of version 2 are due, in nanoseconds since the start.
/// Measured of fio 3.33, against its manual (microseconds since the last `wait`): the number is
/// milliseconds since the start of the run, less 100.
fn wait_time_ns(amount: u64) -> u64 {
    amount.saturating_sub(100).saturating_mul(1_000_000)
}

/// An operation to replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayStep {
    /// Its line in the trace, from 1.
    pub line: u64,
    /// Not before this many nanoseconds after the start; never less than that of the step before.
    pub due_ns: u64,
    /// Index of its file in the reader's list.
    pub file: usize,
    pub kind: IoKind,
    pub offset: u64,
    /// How much, in bytes.
    pub length: u64,
}

/// The operations of a trace, as the options have them. Adding, opening and closing are left out:
/// open each file before its first step. A `wait` in version 3 means nothing. Errors are passed
/// on.
pub fn replay_steps<I: Iterator<Item = Result<Entry, ReadError>>>(
    entries: I,
    version: Version,
    options: ReplayOptions,
) -> impl Iterator<Item = Result<ReplayStep, ReadError>> + use<I> {
    let mut latest_ns = 0;
    entries.filter_map(move |entry| {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return Some(Err(error)),
        };
        let due_ns = match entry.action {
            Action::Wait { amount } if version == Version::V2 => wait_time_ns(amount),
            _ => entry.time_ns.unwrap_or(0),
        };
        let Action::Io { kind, offset, length } = entry.action else {
            if version == Version::V2 {
                latest_ns = due_ns.max(latest_ns);
            }
            return None;
        };
        latest_ns = due_ns.max(latest_ns);
        let kinds = [IoKind::Read, IoKind::Write, IoKind::Trim];
        let place = kinds.iter().position(|known| *known == kind).unwrap_or(kinds.len());
        if options.skip[place] {
            return None;
        }
        let due_ns = if options.no_stall { 0 } else { scale_time(latest_ns, options.time_scale) };
        let offset = scale_offset(offset, options.scale, options.align);
        Some(Ok(ReplayStep { line: entry.line, due_ns, file: entry.file, kind, offset, length }))
    })
}

#[cfg(test)]
mod tests {
    use super::super::read::IologReader;
    use super::*;
    use crate::options::job::JobOptions;

    #[test]
    fn places_are_those_of_fio() {
        // Measured with replay_scale and replay_align of fio 3.33.
        let check = |offset, scale, align, expected| {
            assert_eq!(scale_offset(offset, scale, align), expected, "{offset} {scale} {align}");
        };
        check(12_288, 3, 0, 4096);
        check(40_960, 3, 0, 13_653);
        check(5000, 3, 0, 1666);
        check(5000, 1, 4096, 4096);
        check(40_960, 3, 4096, 12_288);
        check(5000, 0, 0, 5000);
        check(12_288, 10, 512, 1024);
    }

    #[test]
    fn times_scale_the_way_of_fio() {
        assert_eq!(scale_time(500_000_000, 200), 250_000_000);
        assert_eq!(scale_time(500_000_000, 50), 1_000_000_000);
        assert_eq!(scale_time(u64::MAX, 1), u64::MAX);
        assert_eq!(wait_time_ns(90), 0);
        assert_eq!(wait_time_ns(1000), 900_000_000);
    }

    fn dues(text: &str, options: &ReplayOptions) -> Vec<(u64, u64)> {
        let reader = IologReader::new(text.as_bytes()).unwrap();
        let version = reader.version();
        let steps = replay_steps(reader, version, options.clone());
        steps.map(|step| step.unwrap()).map(|step| (step.line, step.due_ns / 1000)).collect()
    }

    #[test]
    fn steps_are_due_in_order() {
        let v3 = "fio version 3 iolog\n0 /a add\n0 /a open\n10 /a read 0 1\n5 /a write 0 1\n\
                  9000 /a wait 5 5\n40 /a sync 0 0\n50 /a close\n";
        let plain = JobOptions::default().replay;
        assert_eq!(dues(v3, &plain), [(4, 10), (5, 10), (7, 40)]);
        let fast = ReplayOptions { time_scale: 200, ..plain.clone() };
        assert_eq!(dues(v3, &fast), [(4, 5), (5, 5), (7, 20)]);
        let at_once = ReplayOptions { no_stall: true, ..plain.clone() };
        assert_eq!(dues(v3, &at_once), [(4, 0), (5, 0), (7, 0)]);
        let skip = [false, true, false, true];
        assert_eq!(dues(v3, &ReplayOptions { skip, ..plain.clone() }), [(4, 10)]);
        // As measured: waits of 300, 600 and 900 took 800 ms together, three of 300 took 200 ms.
        let v2 = "fio version 2 iolog\n/a add\n/a open\n/a wait 300 0\n/a read 0 1\n\
                  /a wait 300 0\n/a read 0 1\n/a wait 900 0\n/a read 0 1\n";
        assert_eq!(dues(v2, &plain), [(5, 200_000), (7, 200_000), (9, 800_000)]);
    }

    #[test]
    fn errors_are_passed_on() {
        let reader = IologReader::new(&b"fio version 2 iolog\n/a open\n"[..]).unwrap();
        let options = JobOptions::default().replay;
        let mut steps = replay_steps(reader, Version::V2, options);
        assert!(steps.next().unwrap().is_err());
        assert!(steps.next().is_none());
    }
}
