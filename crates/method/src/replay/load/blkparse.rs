//! The text of `blkparse`, in its own format: an event per line, and a summary at the end.

use std::io::BufRead;

use record::{RequestKind, TraceRequest};

use super::blktrace::ArrivalEvent;
use super::error::LoadError;

/// No event has a longer line.
const LINE_BYTES_MAX: u64 = 8192;
const SECTOR_BYTES: u64 = 512;

/// Words that start the summary.
const SUMMARY: [&str; 6] = ["CPU", "Total", "Throughput", "Events", "Skips:", "Input"];

pub(crate) struct BlkparseReader<R> {
    input: R,
    arrival: ArrivalEvent,
    line: u64,
    device: Option<String>,
    start_ns: Option<u64>,
    last_ns: u64,
    second: Option<TraceRequest>,
    ended: bool,
}

/// Whether a file that starts with this is blkparse's.
pub(super) fn looks_like_blkparse(line: &str) -> bool {
    split_event(line).is_some_and(|event| parse_time(event.time).is_some())
}

struct Event<'a> {
    device: &'a str,
    time: &'a str,
    action: &'a str,
    flags: &'a str,
    rest: Vec<&'a str>,
}

fn split_event(line: &str) -> Option<Event<'_>> {
    let mut words = line.split_whitespace();
    let device = words.next()?;
    let (major, minor) = device.split_once(',')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !is_number(major) || !is_number(minor) {
        return None;
    }
    let [_cpu, _sequence, time, _process, action] =
        [words.next()?, words.next()?, words.next()?, words.next()?, words.next()?];
    let flags = words.next().unwrap_or_default();
    Some(Event { device, time, action, flags, rest: words.take(3).collect() })
}

/// `12.000000345`, in nanoseconds.
fn parse_time(text: &str) -> Option<u64> {
    let (seconds, fraction) = text.split_once('.')?;
    let is_plain = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if fraction.len() != 9 || !is_plain(seconds) || !is_plain(fraction) {
        return None;
    }
    let seconds: u64 = seconds.parse().ok()?;
    seconds.checked_mul(1_000_000_000)?.checked_add(fraction.parse().ok()?)
}

impl<R: BufRead> BlkparseReader<R> {
    pub(super) fn new(input: R, arrival: ArrivalEvent) -> Self {
        Self {
            input,
            arrival,
            line: 0,
            device: None,
            start_ns: None,
            last_ns: 0,
            second: None,
            ended: false,
        }
    }

    fn next_request(&mut self) -> Result<Option<TraceRequest>, LoadError> {
        if let Some(second) = self.second.take() {
            return Ok(Some(second));
        }
        while !self.ended {
            let line = input::read_line(&mut self.input, LINE_BYTES_MAX).map_err(LoadError::Io)?;
            self.line += 1;
            if line.is_empty() {
                self.ended = true;
                break;
            }
            let text = String::from_utf8_lossy(&line);
            let first = text.split_whitespace().next();
            match first {
                None => continue,
                Some(word) if SUMMARY.iter().any(|summary| word.starts_with(summary)) => {
                    self.ended = true;
                    break;
                }
                Some(_) => {}
            }
            let event = split_event(&text).ok_or_else(|| self.wrong("is no event of blkparse"))?;
            if event.action == self.arrival.letter()
                && let Some(request) = self.parse_request(&event)?
            {
                return Ok(Some(request));
            }
        }
        Ok(None)
    }

    fn parse_request(&mut self, event: &Event<'_>) -> Result<Option<TraceRequest>, LoadError> {
        let device = self.device.get_or_insert_with(|| event.device.to_owned());
        if *device != event.device {
            return Err(LoadError::TwoDevices {
                first: device.clone(),
                second: input::shorten_text(event.device).into_owned(),
            });
        }
        let time_ns = parse_time(event.time)
            .ok_or_else(|| self.wrong("has no time in seconds with nine decimals"))?;
        let start_ns = *self.start_ns.get_or_insert(time_ns);
        let before_ns = start_ns + self.last_ns;
        if time_ns < before_ns {
            let place = format!("line {}", self.line);
            return Err(LoadError::Backwards { place, start_ns: time_ns, before_ns });
        }
        self.last_ns = time_ns - start_ns;
        let Some(flags) = Flags::parse(event.flags) else { return Ok(None) };
        let flush = TraceRequest {
            start_ns: self.last_ns,
            offset: 0,
            length: 0,
            kind: RequestKind::Flush,
            is_fua: false,
            latency_ns: None,
        };
        let data = match (flags.kind, event.rest.as_slice()) {
            (Some(kind), [sector, "+", count]) => {
                let (offset, length) = parse_place(sector, count)
                    .ok_or_else(|| self.wrong("has no place: write sector + count"))?;
                let request = TraceRequest { offset, length, kind, is_fua: flags.is_fua, ..flush };
                (length > 0).then_some(request)
            }
            (Some(_), _) if !flags.flushes_first => {
                return Err(self.wrong("has no place: write sector + count"));
            }
            _ => None,
        };
        if !flags.flushes_first {
            return Ok(data);
        }
        self.second = data;
        Ok(Some(flush))
    }

    fn wrong(&self, problem: &str) -> LoadError {
        LoadError::Line { line: self.line, problem: problem.to_owned() }
    }
}

/// What the letters after the action say.
struct Flags {
    flushes_first: bool,
    kind: Option<RequestKind>,
    is_fua: bool,
}

impl Flags {
    /// `FWFS`: flush first, write, FUA, synchronous. `None` of what moves nothing.
    fn parse(text: &str) -> Option<Self> {
        let (flushes_first, rest) = match text.strip_prefix('F') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (kind, rest) = match rest.as_bytes().first() {
            Some(b'R') => (Some(RequestKind::Read), &rest[1..]),
            Some(b'W') => (Some(RequestKind::Write), &rest[1..]),
            Some(b'D') => (Some(RequestKind::Discard), &rest[1..]),
            _ => (None, rest),
        };
        (flushes_first || kind.is_some()).then(|| Self {
            flushes_first,
            kind,
            is_fua: rest.contains('F'),
        })
    }
}

fn parse_place(sector: &str, count: &str) -> Option<(u64, u32)> {
    let offset = sector.parse::<u64>().ok()?.checked_mul(SECTOR_BYTES)?;
    let length = count.parse::<u64>().ok()?.checked_mul(SECTOR_BYTES)?;
    offset.checked_add(length).filter(|end| *end <= i64::MAX as u64)?;
    Some((offset, u32::try_from(length).ok()?))
}

impl<R: BufRead> Iterator for BlkparseReader<R> {
    type Item = Result<TraceRequest, LoadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended && self.second.is_none() {
            return None;
        }
        let next = self.next_request().transpose();
        self.ended |= matches!(next, Some(Err(_)));
        next
    }
}
