//! Writes a trace, chunk by chunk.

use std::io::{self, ErrorKind, Write};

use super::TraceRequest;
use super::format::{
    CHUNK_HEADER_BYTES, CHUNK_REQUESTS_MAX, CHUNK_SPAN_MAX_NS, ChunkHeader, REQUEST_BYTES,
    TraceHeader, chunk_checksum, encode_request,
};

/// Writes a trace. A chunk is written when it is full, or when its first request is a second
/// older than the newest; in quiet times the caller calls [`Self::flush`] once a second.
#[derive(Debug)]
pub struct TraceWriter<W> {
    output: W,
    /// The requests of the chunk, in bytes.
    chunk: Vec<u8>,
    base_ns: u64,
    last_ns: u64,
    lost: u64,
    requests: u64,
    bytes: u64,
}

impl<W: Write> TraceWriter<W> {
    /// Writes the header.
    pub fn new(mut output: W, header: &TraceHeader) -> io::Result<Self> {
        let bytes = header.encode();
        output.write_all(&bytes)?;
        output.flush()?;
        Ok(Self {
            output,
            chunk: Vec::with_capacity(CHUNK_REQUESTS_MAX * REQUEST_BYTES),
            base_ns: 0,
            last_ns: 0,
            lost: 0,
            requests: 0,
            bytes: bytes.len() as u64,
        })
    }

    /// Adds a request, which starts no earlier than the last one.
    ///
    /// # Errors
    /// `InvalidInput` where it starts earlier; and what the output says.
    pub fn push(&mut self, request: &TraceRequest) -> io::Result<()> {
        if request.start_ns < self.last_ns {
            let message = format!(
                "a request starts at {} ns, and the one before at {} ns: sort them",
                request.start_ns, self.last_ns
            );
            return Err(io::Error::new(ErrorKind::InvalidInput, message));
        }
        let is_full = self.chunk.len() == CHUNK_REQUESTS_MAX * REQUEST_BYTES;
        if is_full || request.start_ns - self.base_ns >= CHUNK_SPAN_MAX_NS {
            self.flush()?;
        }
        if self.chunk.is_empty() {
            self.base_ns = request.start_ns;
        }
        encode_request(request, self.base_ns, &mut self.chunk);
        self.last_ns = request.start_ns;
        self.requests += 1;
        Ok(())
    }

    /// How many requests of the load were not seen since the start: the next chunk says it.
    pub fn set_lost(&mut self, lost: u64) {
        self.lost = lost;
    }

    /// Writes what was added since the last chunk.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        self.write_chunk(self.base_ns)?;
        self.chunk.clear();
        Ok(())
    }

    /// Ends the trace at `end_ns` of its own time. Without this a reader says that it was cut.
    pub fn finish(mut self, end_ns: u64) -> io::Result<W> {
        self.flush()?;
        self.write_chunk(end_ns.max(self.last_ns))?;
        Ok(self.output)
    }

    /// Requests added.
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// Length of the file once all that was added is written, and the end.
    pub fn file_bytes(&self) -> u64 {
        let chunks = if self.chunk.is_empty() { 1 } else { 2 };
        self.bytes + (chunks * CHUNK_HEADER_BYTES + self.chunk.len()) as u64
    }

    fn write_chunk(&mut self, base_ns: u64) -> io::Result<()> {
        let requests = (self.chunk.len() / REQUEST_BYTES) as u32;
        let mut header = ChunkHeader { requests, base_ns, lost: self.lost, checksum: 0 };
        header.checksum = chunk_checksum(&header.encode(), &self.chunk);
        let bytes = header.encode();
        self.output.write_all(&bytes)?;
        self.output.write_all(&self.chunk)?;
        self.output.flush()?;
        self.bytes += (bytes.len() + self.chunk.len()) as u64;
        Ok(())
    }
}
