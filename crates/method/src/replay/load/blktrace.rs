//! blktrace's binary files: one per processor, each an event after the other.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, Read};

use record::{RequestKind, TraceRequest};

use super::error::LoadError;

/// `BLK_IO_TRACE_MAGIC`; the lowest byte is the version.
pub(super) const MAGIC: u32 = 0x6561_7400;
const VERSION: u32 = 7;
/// `struct blk_io_trace` of `linux/blktrace_api.h`.
pub(super) const EVENT_BYTES: usize = 48;

const SECTOR_BYTES: u64 = 512;
/// Interrupts write events a little out of order: this many are sorted.
const SORTED_EVENTS: usize = 1024;
/// Files of one trace at most: one is open per processor.
const FILES_MAX: usize = 1024;

const CATEGORY_WRITE: u32 = 1 << 1;
const CATEGORY_FLUSH: u32 = 1 << 2;
const CATEGORY_PASS_THROUGH: u32 = 1 << 9;
/// Of the action without its category, and without the mark of a control group in the text.
const ACTION_MASK: u32 = 0xfeff;
const CATEGORY_NOTIFY: u32 = 1 << 10;
const CATEGORY_DISCARD: u32 = 1 << 13;
const CATEGORY_FUA: u32 = 1 << 15;

/// Which event stands for the arrival of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArrivalEvent {
    /// Queued: as the file system asks.
    Queue,
    /// Given to the driver: for traces without the other.
    Issue,
}

impl ArrivalEvent {
    /// `__BLK_TA_QUEUE` or `__BLK_TA_ISSUE`.
    const fn action(self) -> u32 {
        match self {
            Self::Queue => 1,
            Self::Issue => 7,
        }
    }

    /// blkparse's letter.
    pub(super) const fn letter(self) -> &'static str {
        match self {
            Self::Queue => "Q",
            Self::Issue => "D",
        }
    }
}

/// What an event says of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Arrival {
    time_ns: u64,
    /// Place in its file, for those of one time.
    at: u64,
    sector: u64,
    bytes: u32,
    category: u32,
    device: u32,
}

/// The files of a trace, merged by time.
pub(crate) struct BlktraceReader<R> {
    files: Vec<EventFile<R>>,
    arrival: ArrivalEvent,
    /// The next arrivals, by time and file.
    waiting: BinaryHeap<Reverse<(Arrival, usize)>>,
    /// How many of them are of each file.
    per_file: Vec<usize>,
    device: Option<u32>,
    start_ns: Option<u64>,
    last_ns: u64,
    /// The write of a request that flushes first.
    second: Option<TraceRequest>,
    has_failed: bool,
}

struct EventFile<R> {
    input: R,
    at: u64,
    ended: bool,
}

impl<R: Read> BlktraceReader<R> {
    pub(super) fn new(inputs: Vec<R>, arrival: ArrivalEvent) -> Result<Self, LoadError> {
        if inputs.len() > FILES_MAX {
            return Err(LoadError::Damaged(format!("it has more than {FILES_MAX} files")));
        }
        let per_file = vec![0; inputs.len()];
        let files =
            inputs.into_iter().map(|input| EventFile { input, at: 0, ended: false }).collect();
        Ok(Self {
            files,
            arrival,
            waiting: BinaryHeap::new(),
            per_file,
            device: None,
            start_ns: None,
            last_ns: 0,
            second: None,
            has_failed: false,
        })
    }

    fn next_request(&mut self) -> Result<Option<TraceRequest>, LoadError> {
        if let Some(second) = self.second.take() {
            return Ok(Some(second));
        }
        loop {
            self.fill()?;
            let Some(Reverse((arrival, file))) = self.waiting.pop() else { return Ok(None) };
            self.per_file[file] -= 1;
            let device = *self.device.get_or_insert(arrival.device);
            if device != arrival.device {
                return Err(LoadError::TwoDevices {
                    first: device_name(device),
                    second: device_name(arrival.device),
                });
            }
            if let Some(request) = self.convert(&arrival)? {
                return Ok(Some(request));
            }
        }
    }

    /// Reads on until enough arrivals of each file wait for their turn.
    fn fill(&mut self) -> Result<(), LoadError> {
        let share = (SORTED_EVENTS / self.files.len().max(1)).max(16);
        for (number, file) in self.files.iter_mut().enumerate() {
            while self.per_file[number] < share && !file.ended {
                match file.next_arrival(self.arrival)? {
                    Some(arrival) => {
                        self.waiting.push(Reverse((arrival, number)));
                        self.per_file[number] += 1;
                    }
                    None => file.ended = true,
                }
            }
        }
        Ok(())
    }

    fn convert(&mut self, arrival: &Arrival) -> Result<Option<TraceRequest>, LoadError> {
        let start_ns = *self.start_ns.get_or_insert(arrival.time_ns);
        let time_ns = arrival.time_ns.checked_sub(start_ns).filter(|ns| *ns >= self.last_ns);
        let Some(time_ns) = time_ns else {
            return Err(LoadError::Backwards {
                place: format!("sector {}", arrival.sector),
                start_ns: arrival.time_ns,
                before_ns: start_ns + self.last_ns,
            });
        };
        self.last_ns = time_ns;
        let has = |category: u32| arrival.category & category != 0;
        let flush = TraceRequest {
            start_ns: time_ns,
            offset: 0,
            length: 0,
            kind: RequestKind::Flush,
            is_fua: false,
            latency_ns: None,
        };
        let offset = arrival.sector.checked_mul(SECTOR_BYTES).filter(|at| *at <= i64::MAX as u64);
        let data = (arrival.bytes > 0).then_some(TraceRequest {
            offset: offset.ok_or_else(|| {
                LoadError::Damaged(format!("sector {} is beyond any disk", arrival.sector))
            })?,
            length: arrival.bytes,
            kind: match () {
                () if has(CATEGORY_DISCARD) => RequestKind::Discard,
                () if has(CATEGORY_WRITE) => RequestKind::Write,
                () => RequestKind::Read,
            },
            is_fua: has(CATEGORY_FUA),
            ..flush
        });
        if !has(CATEGORY_FLUSH) {
            return Ok(data);
        }
        self.second = data;
        Ok(Some(flush))
    }
}

impl<R: Read> Iterator for BlktraceReader<R> {
    type Item = Result<TraceRequest, LoadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let next = self.next_request().transpose();
        self.has_failed = matches!(next, Some(Err(_)));
        next
    }
}

impl<R: Read> EventFile<R> {
    /// The next arrival; `None` at the end.
    fn next_arrival(&mut self, wanted: ArrivalEvent) -> Result<Option<Arrival>, LoadError> {
        loop {
            let mut event = [0; EVENT_BYTES];
            match input::read_up_to(&mut self.input, &mut event).map_err(LoadError::Io)? {
                0 => return Ok(None),
                EVENT_BYTES => {}
                _ => return Err(self.truncated()),
            }
            check_magic(u32_at(&event, 0)).map_err(|what| self.damaged(&what))?;
            let text_bytes = u64::from(u16::from_le_bytes([event[46], event[47]]));
            self.at += EVENT_BYTES as u64;
            let skipped = io::copy(&mut self.input.by_ref().take(text_bytes), &mut io::sink())
                .map_err(LoadError::Io)?;
            if skipped < text_bytes {
                self.at -= EVENT_BYTES as u64;
                return Err(self.truncated());
            }
            self.at += text_bytes;
            let action = u32_at(&event, 28);
            let category = action >> 16;
            let is_request = category & (CATEGORY_NOTIFY | CATEGORY_PASS_THROUGH) == 0;
            if is_request && action & ACTION_MASK == wanted.action() {
                return Ok(Some(Arrival {
                    time_ns: u64_at(&event, 8),
                    at: self.at,
                    sector: u64_at(&event, 16),
                    bytes: u32_at(&event, 24),
                    category,
                    device: u32_at(&event, 36),
                }));
            }
        }
    }

    fn truncated(&self) -> LoadError {
        LoadError::Truncated(self.at)
    }

    fn damaged(&self, what: &str) -> LoadError {
        LoadError::Damaged(format!("at byte {} {what}", self.at))
    }
}

fn check_magic(magic: u32) -> Result<(), String> {
    if magic & 0xffff_ff00 != MAGIC {
        return Err("no event of blktrace starts".to_owned());
    }
    match magic & 0xff {
        VERSION => Ok(()),
        other => Err(format!("is an event of version {other}; only {VERSION} is read")),
    }
}

/// As the kernel writes a `dev_t`: 12 bits of the major number, 20 of the minor.
fn device_name(device: u32) -> String {
    format!("{},{}", device >> 20, device & 0xf_ffff)
}

fn u32_at(event: &[u8; EVENT_BYTES], at: usize) -> u32 {
    u32::from_le_bytes([event[at], event[at + 1], event[at + 2], event[at + 3]])
}

fn u64_at(event: &[u8; EVENT_BYTES], at: usize) -> u64 {
    u64::from(u32_at(event, at)) | u64::from(u32_at(event, at + 4)) << 32
}
