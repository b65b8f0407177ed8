//! `/proc/diskstats`, in the order of Documentation/admin-guide/iostats.rst.

use std::fs;

use target::Roots;

use crate::error::WatchError;

/// The kernel counts in sectors of 512 bytes, whatever the disk's sectors are.
const SECTOR: u64 = 512;

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct DiskLine {
    pub(crate) name: String,
    pub(crate) number: (u32, u32),
    pub(crate) read: DirectionCounters,
    pub(crate) write: DirectionCounters,
    discard: DirectionCounters,
    /// Since Linux 5.5. Their time is within that of writes too.
    flush: Option<DirectionCounters>,
    pub(crate) in_flight: u64,
    busy_ms: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct DirectionCounters {
    operations: u64,
    sectors: u64,
    /// Times are 32 bits wide and wrap around within days.
    time_ms: u32,
}

/// The difference of two lines of one disk.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct DiskDelta {
    pub(crate) read: DirectionDelta,
    pub(crate) write: DirectionDelta,
    pub(crate) flush: Option<DirectionDelta>,
    pub(crate) busy_ms: u32,
    /// Reads, writes and discards.
    pub(crate) completed: u64,
    /// Sum over those of the time that each was outstanding.
    pub(crate) completed_ms: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct DirectionDelta {
    pub(crate) operations: u64,
    pub(crate) bytes: u64,
    pub(crate) time_ms: u32,
}

impl DiskLine {
    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let number = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let name = words.next()?.to_owned();
        let fields: Vec<u64> = words.map_while(|word| word.parse().ok()).collect();
        let direction = |first: usize| {
            Some(DirectionCounters {
                operations: *fields.get(first)?,
                sectors: *fields.get(first + 2)?,
                time_ms: *fields.get(first + 3)? as u32,
            })
        };
        Some(Self {
            name,
            number,
            read: direction(0)?,
            write: direction(4)?,
            discard: direction(11).unwrap_or_default(),
            flush: fields.get(15).zip(fields.get(16)).map(|(operations, time_ms)| {
                DirectionCounters { operations: *operations, sectors: 0, time_ms: *time_ms as u32 }
            }),
            in_flight: *fields.get(8)?,
            busy_ms: *fields.get(9)? as u32,
        })
    }

    pub(crate) fn has_io(&self) -> bool {
        self.read.operations + self.write.operations > 0
    }

    /// What was counted since `earlier`; `None` where a counter fell: the device was made anew.
    pub(crate) fn since(&self, earlier: &Self) -> Option<DiskDelta> {
        let flush = match (self.flush, earlier.flush) {
            (Some(now), Some(then)) => Some(now.since(&then)?),
            _ => None,
        };
        let read = self.read.since(&earlier.read)?;
        let write = self.write.since(&earlier.write)?;
        let discard = self.discard.since(&earlier.discard)?;
        let all = [read, write, discard];
        Some(DiskDelta {
            read,
            write,
            flush,
            busy_ms: self.busy_ms.wrapping_sub(earlier.busy_ms),
            completed: all.iter().map(|of| of.operations).sum(),
            completed_ms: all.iter().map(|of| u64::from(of.time_ms)).sum(),
        })
    }
}

impl DirectionCounters {
    fn since(&self, earlier: &Self) -> Option<DirectionDelta> {
        Some(DirectionDelta {
            operations: self.operations.checked_sub(earlier.operations)?,
            bytes: self.sectors.checked_sub(earlier.sectors)?.saturating_mul(SECTOR),
            time_ms: self.time_ms.wrapping_sub(earlier.time_ms),
        })
    }
}

pub(crate) fn read_diskstats(roots: &Roots) -> Result<Vec<DiskLine>, WatchError> {
    let path = roots.proc.join("diskstats");
    let text = fs::read_to_string(&path).map_err(|error| WatchError::from_read(&path, error))?;
    Ok(text.lines().filter_map(DiskLine::parse).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const THEN: &str = " 254  0 vda 100 1 800 50 200 2 1600 90 0 60 140 4 0 8 1 11 9";

    fn parse(line: &str) -> DiskLine {
        DiskLine::parse(line).unwrap()
    }

    #[test]
    fn fields_are_where_the_kernel_puts_them() {
        let now = " 254  0 vda 110 1 880 57 203 2 1640 99 7 65 164 6 0 16 3 14 15";
        let delta = parse(now).since(&parse(THEN)).unwrap();
        assert_eq!(delta.read, DirectionDelta { operations: 10, bytes: 80 * 512, time_ms: 7 });
        assert_eq!(delta.write, DirectionDelta { operations: 3, bytes: 40 * 512, time_ms: 9 });
        assert_eq!(delta.flush, Some(DirectionDelta { operations: 3, bytes: 0, time_ms: 6 }));
        assert_eq!((delta.busy_ms, parse(now).in_flight), (5, 7));
        // The kernel's own sum (24 ms) has the 6 ms of flushes twice.
        assert_eq!((delta.completed, delta.completed_ms), (10 + 3 + 2, 7 + 9 + 2));
    }

    #[test]
    fn kernels_before_5_5_count_no_flushes() {
        let old = "8 0 sda 1 0 8 1 2 0 16 1 0 1 2 0 0 0 0";
        assert_eq!(parse(old).since(&parse(old)).unwrap().flush, None);
        assert_eq!(DiskLine::parse("8 0 sda 1 0 8"), None);
        assert_eq!(DiskLine::parse(""), None);
    }

    #[test]
    fn times_wrap_around_and_a_new_device_is_no_difference() {
        let then = "8 0 sda 5 0 8 4294967290 2 0 16 1 0 4294967295 1";
        let now = "8 0 sda 6 0 16 4 2 0 16 1 0 9 11";
        let delta = parse(now).since(&parse(then)).unwrap();
        assert_eq!((delta.read.time_ms, delta.busy_ms, delta.completed_ms), (10, 10, 10));
        assert_eq!(parse(then).since(&parse(now)), None);
    }
}
