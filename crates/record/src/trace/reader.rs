//! Reads a trace, chunk by chunk.

use std::io::{self, Read};

use input::read_up_to;

use super::TraceRequest;
use super::format::{
    BYTE_ORDER_MARK, CHUNK_HEADER_BYTES, CHUNK_MAGIC, CHUNK_REQUESTS_MAX, ChunkHeader,
    HEADER_BYTES, REQUEST_BYTES, TRACE_MAGIC, TraceHeader, VERSION, chunk_checksum, decode_request,
    read_u16, read_u32, read_u64,
};

/// What is wrong with a trace.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    #[error("cannot read the trace at byte {at}: {source}")]
    Io { at: u64, source: io::Error },
    #[error(
        "it is no trace of truedisk: its first bytes are not \"tdtrace\"; give a .tdtrace file"
    )]
    WrongMagic,
    #[error(
        "it has only {0} of the 48 bytes of a trace's header: it was truncated; copy it again, or \
         capture the load again"
    )]
    TruncatedHeader(usize),
    #[error(
        "it is in the byte order of another machine (big-endian), and a trace is little-endian; \
         copy it as it was captured"
    )]
    ForeignEndianness,
    #[error("it is a trace of version {0}, and this truedisk reads version 1; use a newer one")]
    NewVersion(u16),
    #[error("its header is damaged: the checksum is wrong; copy it again")]
    DamagedHeader,
    #[error("it is damaged at byte {at}: {problem}; copy it again, or capture the load again")]
    Damaged { at: u64, problem: &'static str },
    #[error(
        "its times run backwards: request {number} starts at {start_ns} ns, and the one before \
         at {before_ns} ns; sort it by time"
    )]
    Backwards { number: u64, start_ns: u64, before_ns: u64 },
}

/// How a trace ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceEnd {
    /// Its writer ended it, at this time of its own.
    Whole { end_ns: u64 },
    /// Its writer did not: requests after these bytes are missing.
    Cut { whole_bytes: u64 },
}

/// Reads a trace request by request; after an error there are no more.
#[derive(Debug)]
pub struct TraceReader<R> {
    input: R,
    header: TraceHeader,
    chunk: Vec<u8>,
    /// Place in the chunk.
    next: usize,
    base_ns: u64,
    last_ns: u64,
    number: u64,
    lost: u64,
    /// Bytes up to the end of the newest chunk.
    bytes: u64,
    end: Option<TraceEnd>,
    has_failed: bool,
}

impl<R: Read> TraceReader<R> {
    /// Reads the header.
    pub fn new(mut input: R) -> Result<Self, TraceError> {
        let mut bytes = [0; HEADER_BYTES];
        let count = read_up_to(&mut input, &mut bytes)
            .map_err(|source| TraceError::Io { at: 0, source })?;
        Ok(Self {
            input,
            header: parse_header(&bytes, count)?,
            chunk: Vec::new(),
            next: 0,
            base_ns: 0,
            last_ns: 0,
            number: 0,
            lost: 0,
            bytes: HEADER_BYTES as u64,
            end: None,
            has_failed: false,
        })
    }

    pub fn header(&self) -> &TraceHeader {
        &self.header
    }

    /// How it ended; absent before all requests are read, and after an error.
    pub fn end(&self) -> Option<TraceEnd> {
        self.end
    }

    /// Requests of the load that the writer did not see, as far as is read.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    fn next_request(&mut self) -> Result<Option<TraceRequest>, TraceError> {
        if self.next == self.chunk.len() && !self.read_chunk()? {
            return Ok(None);
        }
        let at = self.bytes - (self.chunk.len() - self.next) as u64;
        let damaged = |problem| TraceError::Damaged { at, problem };
        let bytes = &self.chunk[self.next..self.next + REQUEST_BYTES];
        let request = decode_request(bytes, self.base_ns)
            .ok_or(damaged("the request has unknown flags or no time"))?;
        self.next += REQUEST_BYTES;
        self.number += 1;
        let end = request.offset.checked_add(u64::from(request.length));
        if end.is_none_or(|end| end > i64::MAX as u64) {
            return Err(damaged("the request lies beyond any disk"));
        }
        if request.start_ns < self.last_ns {
            return Err(TraceError::Backwards {
                number: self.number,
                start_ns: request.start_ns,
                before_ns: self.last_ns,
            });
        }
        self.last_ns = request.start_ns;
        Ok(Some(request))
    }

    /// Reads the next chunk; `false` at the end.
    fn read_chunk(&mut self) -> Result<bool, TraceError> {
        if self.end.is_some() {
            return Ok(false);
        }
        let at = self.bytes;
        let damaged = |problem| TraceError::Damaged { at, problem };
        let failed = |source| TraceError::Io { at, source };
        let mut bytes = [0; CHUNK_HEADER_BYTES];
        let count = read_up_to(&mut self.input, &mut bytes).map_err(failed)?;
        if count < bytes.len() {
            self.end = Some(TraceEnd::Cut { whole_bytes: at });
            return Ok(false);
        }
        let header = ChunkHeader::decode(&bytes);
        let requests = header.requests as usize;
        if bytes[..4] != CHUNK_MAGIC || requests > CHUNK_REQUESTS_MAX {
            return Err(damaged("no chunk starts here"));
        }
        self.chunk.resize(requests * REQUEST_BYTES, 0);
        self.next = 0;
        let count = read_up_to(&mut self.input, &mut self.chunk).map_err(failed)?;
        if count < self.chunk.len() {
            self.chunk.clear();
            self.end = Some(TraceEnd::Cut { whole_bytes: at });
            return Ok(false);
        }
        if chunk_checksum(&bytes, &self.chunk) != header.checksum {
            return Err(damaged("the checksum of the chunk is wrong"));
        }
        (self.base_ns, self.lost) = (header.base_ns, header.lost);
        self.bytes += (bytes.len() + self.chunk.len()) as u64;
        if requests == 0 {
            self.end = Some(TraceEnd::Whole { end_ns: header.base_ns });
            return match read_up_to(&mut self.input, &mut [0]).map_err(failed)? {
                0 => Ok(false),
                _ => Err(TraceError::Damaged { at: self.bytes, problem: "more follows the end" }),
            };
        }
        Ok(true)
    }
}

impl<R: Read> Iterator for TraceReader<R> {
    type Item = Result<TraceRequest, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let next = self.next_request().transpose();
        self.has_failed = matches!(next, Some(Err(_)));
        if self.has_failed {
            self.end = None;
        }
        next
    }
}

fn parse_header(bytes: &[u8; HEADER_BYTES], count: usize) -> Result<TraceHeader, TraceError> {
    let magic = &bytes[..count.min(TRACE_MAGIC.len())];
    if magic.is_empty() || !TRACE_MAGIC.starts_with(magic) {
        return Err(TraceError::WrongMagic);
    }
    if count < HEADER_BYTES {
        return Err(TraceError::TruncatedHeader(count));
    }
    match read_u32(bytes, 8) {
        BYTE_ORDER_MARK => {}
        mark if mark.swap_bytes() == BYTE_ORDER_MARK => return Err(TraceError::ForeignEndianness),
        _ => return Err(TraceError::DamagedHeader),
    }
    if read_u32(bytes, 44) != crc32c::crc32c(&bytes[..44]) {
        return Err(TraceError::DamagedHeader);
    }
    match read_u16(bytes, 12) {
        VERSION => Ok(TraceHeader {
            device_size: read_u64(bytes, 16),
            block_size: read_u32(bytes, 24),
            started_unix_ns: read_u64(bytes, 32) as i64,
        }),
        other => Err(TraceError::NewVersion(other)),
    }
}
