//! How blocks are sealed: settings, checked against each other.

use std::ops::Range;

use workload::{SealLayout, SealMethod as Method};

use crate::payload::seal::checksum::Checksum;
use crate::payload::seal::fio_checksum::HeaderVersion;
use crate::payload::seal::header::{FIXED_BYTES, PATTERN_BODY, VERSION};
use crate::payload::seal::pattern::PatternPlan;

/// Length of a method's header in bytes, checksum included; 0 for methods without one.
pub(crate) fn header_bytes(layout: SealLayout, method: Method) -> u32 {
    match layout {
        SealLayout::Fio => HeaderVersion::Fio333.header_bytes(method) as u32,
        SealLayout::Fio341 => HeaderVersion::Fio341.header_bytes(method) as u32,
        SealLayout::Own if method.has_header() => (FIXED_BYTES + Checksum::length(method)) as u32,
        SealLayout::Own => 0,
    }
}

/// What a plan is made of: fio's options of these names, and what runs add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SealSettings {
    pub(crate) method: Method,
    pub(crate) layout: SealLayout,
    /// Bytes from one header to the next (`verify_interval`); 0: once per block.
    pub(crate) interval: u32,
    /// Bytes from the start of an interval to its header (`verify_offset`).
    pub(crate) header_offset: u32,
    /// What bodies are filled with (`verify_pattern`); empty: noise.
    pub(crate) pattern: PatternPlan,
    /// Whether the number of the write is compared (`verify_write_sequence`).
    pub(crate) check_sequence: bool,
    /// Seed of the run: blocks of another are wrong.
    pub(crate) seed: u64,
}

/// Settings that contradict each other. Lengths and places in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SealError {
    #[error("verify={method} compares with a pattern, and there is none: give verify_pattern")]
    NoPattern { method: &'static str },
    #[error(
        "{what} of {length} bytes has no room for the header of verify={method} at \
         verify_offset={header_offset} and a byte of data: use at least {least}"
    )]
    TooSmall {
        /// `verify_interval` or `block`.
        what: &'static str,
        length: u32,
        method: &'static str,
        header_offset: u32,
        least: u64,
    },
    #[error(
        "verify_interval={interval} does not divide blocks of {block} bytes: use a divisor, or 0 \
         for one header per block"
    )]
    NotDividing { interval: u32, block: u32 },
    #[error(
        "verify_offset={header_offset} lies inside of the header of verify={method}, which fio \
         cannot read back: use 0, or at least {least}"
    )]
    Overlap { method: &'static str, header_offset: u32, least: u64 },
}

/// Time (nanoseconds) and writer of a block: stored for the reader of a dump, never compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) time_ns: u64,
    pub(crate) thread: u32,
}

/// How blocks are sealed before they are written and checked when they are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SealPlan {
    pub(crate) method: Method,
    pub(crate) layout: SealLayout,
    pub(crate) interval: usize,
    pub(crate) header_offset: usize,
    /// Shortest interval in bytes.
    pub(crate) interval_min: usize,
    pub(crate) pattern: PatternPlan,
    pub(crate) check_sequence: bool,
    pub(crate) seed: u64,
}

impl SealPlan {
    /// A plan for blocks of these lengths in bytes; of a range of lengths, the least and the step
    /// will do.
    pub(crate) fn new(settings: SealSettings, blocks: &[u32]) -> Result<Self, SealError> {
        let SealSettings { method, layout, interval, header_offset, pattern, .. } = settings;
        let SealSettings { check_sequence, seed, .. } = settings;
        if matches!(method, Method::Pattern | Method::PatternHeader) && pattern.is_empty() {
            return Err(SealError::NoPattern { method: method.name() });
        }
        let (interval, header_offset) =
            if method.has_header() { (interval, header_offset) } else { (0, 0) };
        let header = u64::from(header_bytes(layout, method));
        let least = match layout {
            SealLayout::Own => header + u64::from(header_offset) + 1,
            // The body lies before the header, too.
            SealLayout::Fio | SealLayout::Fio341 => {
                (header + u64::from(header_offset)).max(header + 1)
            }
        };
        if layout.is_fio() && (1..header).contains(&u64::from(header_offset)) {
            return Err(SealError::Overlap { method: method.name(), header_offset, least: header });
        }
        let room = |what, length: u32| {
            if !method.has_header() || u64::from(length) >= least {
                return Ok(());
            }
            Err(SealError::TooSmall { what, length, method: method.name(), header_offset, least })
        };
        if interval > 0 {
            room("verify_interval", interval)?;
        }
        for &block in blocks {
            if interval == 0 || (layout.is_fio() && block < interval) {
                room("block", block)?;
            } else if !block.is_multiple_of(interval) {
                return Err(SealError::NotDividing { interval, block });
            }
        }
        Ok(Self {
            method,
            layout,
            interval: interval as usize,
            header_offset: header_offset as usize,
            interval_min: if method.has_header() { least as usize } else { 0 },
            pattern,
            check_sequence,
            seed,
        })
    }

    /// Length of the intervals of a block of `length` bytes; `None` if the plan does not fit it.
    #[inline]
    pub(crate) fn interval_length(&self, length: usize) -> Option<usize> {
        let shortened = self.layout.is_fio() && length < self.interval;
        let interval = if self.interval == 0 || shortened { length } else { self.interval };
        let whole = length >= interval && length.is_multiple_of(interval);
        let fits = interval >= self.interval_min && whole && u32::try_from(length).is_ok();
        fits.then_some(interval.max(1))
    }

    #[inline]
    pub(crate) fn header_range(&self) -> Range<usize> {
        let length = header_bytes(self.layout, self.method) as usize;
        self.header_offset..self.header_offset + length
    }

    #[inline]
    pub(crate) fn format_bytes(&self) -> [u8; 4] {
        let flags = if self.pattern.is_empty() { 0 } else { PATTERN_BODY };
        [VERSION, self.method.code(), header_bytes(self.layout, self.method) as u8, flags]
    }
}
