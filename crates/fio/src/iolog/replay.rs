//! What the `replay_*` options make of a trace.

use super::action::{Action, IoKind, Version};
use super::read::{Entry, ReadError};

/// The kinds that `replay_skip` leaves out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SkippedKinds {
    pub read: bool,
    pub write: bool,
    pub trim: bool,
    pub sync: bool,
}

/// The `replay_*` options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplaySettings {
    /// `replay_scale`: offsets are divided by it. 0 and 1: as they are.
    pub scale: u64,
    /// `replay_align`: offsets are rounded down to a multiple of it, in bytes, after `scale`; a
    /// power of two. 0: as they are.
    pub align: u64,
    pub redirect: Option<String>,
    /// `replay_time_scale`: pace in percent; 200 is twice as fast.
    pub time_scale: u32,
    pub no_stall: bool,
    /// `replay_skip`. fio 3.33 applies it to binary traces alone; here it holds for all.
    pub skip: SkippedKinds,
}

impl Default for ReplaySettings {
    fn default() -> Self {
        Self {
            scale: 1,
            align: 0,
            redirect: None,
            time_scale: 100,
            no_stall: false,
            skip: SkippedKinds::default(),
        }
    }
}

/// Which setting cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    #[error("replay_align={0} is no power of two; take one, as 4096")]
    Align(u64),
    #[error("replay_time_scale=0 would never end; take 1 or more, 100 for the pace of the trace")]
    TimeScale,
}

impl ReplaySettings {
    /// Looks whether they make sense.
    /// Errors: the first that does not.
    pub fn validate(&self) -> Result<(), ReplayError> {
        if self.align != 0 && !self.align.is_power_of_two() {
            return Err(ReplayError::Align(self.align));
        }
        if self.time_scale == 0 { Err(ReplayError::TimeScale) } else { Ok(()) }
    }

    fn skips(&self, kind: IoKind) -> bool {
        match kind {
            IoKind::Read => self.skip.read,
            IoKind::Write => self.skip.write,
            IoKind::Trim => self.skip.trim,
            IoKind::Sync | IoKind::Datasync => self.skip.sync,
        }
    }
}

/// Where an operation goes: the offset divided by `scale`, then rounded down to a multiple of
/// `align`, in bytes. 0 means: leave it. Lengths stay as they are.
pub fn scale_offset(offset: u64, scale: u64, align: u64) -> u64 {
    let scaled = offset / scale.max(1);
    if align == 0 { scaled } else { scaled - scaled % align }
}

/// When something of the trace's time `ns` is due at a pace of `percent`: 200 is twice as fast.
/// 0 counts as 100.
pub fn scale_time(ns: u64, percent: u32) -> u64 {
    let percent = if percent == 0 { 100 } else { percent };
    u64::try_from(u128::from(ns) * 100 / u128::from(percent)).unwrap_or(u64::MAX)
}

/// The file an operation goes to.
pub fn replay_target<'a>(name: &'a str, redirect: Option<&'a str>) -> &'a str {
    redirect.unwrap_or(name)
}

/// When the operations after a `wait` of version 2 are due, in nanoseconds since the start.
///
/// Measured of fio 3.33, against its manual (microseconds since the last `wait`): the number is
/// milliseconds since the start of the run, less 100.
pub fn wait_time_ns(amount: u64) -> u64 {
    amount.saturating_sub(100).saturating_mul(1_000_000)
}

/// An operation to replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayStep {
    /// Its line in the trace, from 1.
    pub line: u64,
    /// Not before this many nanoseconds after the start; never less than that of the step before.
    pub due_ns: u64,
    /// Index of its file in the reader's list; for the name to use see [`target`].
    pub file: usize,
    pub kind: IoKind,
    pub offset: u64,
    /// How much, in bytes.
    pub length: u64,
}

/// The operations of a trace, as the settings have them. Adding, opening and closing are left out:
/// open each file before its first step. A `wait` in version 3 means nothing. Errors are passed
/// on.
/// Errors: settings that make no sense.
pub fn replay_steps<'a, I>(
    entries: I,
    version: Version,
    settings: &'a ReplaySettings,
) -> Result<impl Iterator<Item = Result<ReplayStep, ReadError>> + 'a, ReplayError>
where
    I: Iterator<Item = Result<Entry, ReadError>> + 'a,
{
    settings.validate()?;
    let mut latest_ns = 0;
    Ok(entries.filter_map(move |entry| {
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
        if settings.skips(kind) {
            return None;
        }
        let due_ns = if settings.no_stall { 0 } else { scale_time(latest_ns, settings.time_scale) };
        let offset = scale_offset(offset, settings.scale, settings.align);
        Some(Ok(ReplayStep { line: entry.line, due_ns, file: entry.file, kind, offset, length }))
    }))
}

#[cfg(test)]
mod tests {
    use super::super::read::IologReader;
    use super::*;

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
        assert_eq!(scale_time(7, 0), 7);
        assert_eq!(wait_time_ns(90), 0);
        assert_eq!(wait_time_ns(1000), 900_000_000);
    }

    #[test]
    fn redirects_go_to_one_file() {
        assert_eq!(replay_target("/a", None), "/a");
        assert_eq!(replay_target("/a", Some("/dev/x")), "/dev/x");
    }

    fn dues(text: &str, settings: &ReplaySettings) -> Vec<(u64, u64)> {
        let reader = IologReader::new(text.as_bytes()).unwrap();
        let version = reader.version();
        let steps = replay_steps(reader, version, settings).unwrap();
        steps.map(|step| step.unwrap()).map(|step| (step.line, step.due_ns / 1000)).collect()
    }

    #[test]
    fn steps_are_due_in_order() {
        let v3 = "fio version 3 iolog\n0 /a add\n0 /a open\n10 /a read 0 1\n5 /a write 0 1\n\
                  9000 /a wait 5 5\n40 /a sync 0 0\n50 /a close\n";
        let plain = ReplaySettings::default();
        assert_eq!(dues(v3, &plain), [(4, 10), (5, 10), (7, 40)]);
        let fast = ReplaySettings { time_scale: 200, ..plain.clone() };
        assert_eq!(dues(v3, &fast), [(4, 5), (5, 5), (7, 20)]);
        let at_once = ReplaySettings { no_stall: true, ..plain.clone() };
        assert_eq!(dues(v3, &at_once), [(4, 0), (5, 0), (7, 0)]);
        let skip = SkippedKinds { write: true, sync: true, ..SkippedKinds::default() };
        assert_eq!(dues(v3, &ReplaySettings { skip, ..plain.clone() }), [(4, 10)]);
        // As measured: waits of 300, 600 and 900 took 800 ms together, three of 300 took 200 ms.
        let v2 = "fio version 2 iolog\n/a add\n/a open\n/a wait 300 0\n/a read 0 1\n\
                  /a wait 300 0\n/a read 0 1\n/a wait 900 0\n/a read 0 1\n";
        assert_eq!(dues(v2, &plain), [(5, 200_000), (7, 200_000), (9, 800_000)]);
    }

    #[test]
    fn errors_are_passed_on() {
        let reader = IologReader::new(&b"fio version 2 iolog\n/a open\n"[..]).unwrap();
        let settings = ReplaySettings::default();
        let mut steps = replay_steps(reader, Version::V2, &settings).unwrap();
        assert!(steps.next().unwrap().is_err());
        assert!(steps.next().is_none());
    }

    #[test]
    fn senseless_settings_are_refused() {
        let check = |settings: ReplaySettings, expected: &str| {
            let error = settings.validate().unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check(ReplaySettings { align: 3000, ..Default::default() }, "replay_align=3000");
        check(ReplaySettings { time_scale: 0, ..Default::default() }, "replay_time_scale=0");
        assert_eq!(ReplaySettings::default().validate(), Ok(()));
    }
}
