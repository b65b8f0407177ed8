//! The bytes of a `.tdtrace` file, all of them little-endian.
//!
//! A header, then chunks, then an empty chunk that ends it. A chunk has a checksum of its own, so
//! that a file whose writer was killed is read up to its last whole chunk.
//!
//! ```text
//! header  magic 8, byte order mark u32, version u16, 0 u16, size of the disk u64, its block u32,
//!         0 u32, start in ns since 1970 i64, 0 u32, CRC-32C of all that u32
//! chunk   magic 4, requests u32, start of the chunk u64, requests lost so far u64, 0 u32,
//!         CRC-32C of all that and of the requests u32; then the requests
//! request start within the chunk u32, offset u64, length u32, kind and flags u8, latency 6 bytes
//! ```

use super::{RequestKind, TraceRequest};

/// The first bytes of a trace.
pub const TRACE_MAGIC: [u8; 8] = *b"tdtrace\n";

pub(super) const BYTE_ORDER_MARK: u32 = 0x0A0B_0C0D;
pub(super) const VERSION: u16 = 1;
pub(super) const HEADER_BYTES: usize = 48;

pub(super) const CHUNK_MAGIC: [u8; 4] = *b"TDCH";
pub(super) const CHUNK_HEADER_BYTES: usize = 32;
/// Requests of a chunk at most: a writer keeps this many in memory.
pub(super) const CHUNK_REQUESTS_MAX: usize = 4096;
/// Starts of a chunk are within this time: what a killed writer loses.
pub(super) const CHUNK_SPAN_MAX_NS: u64 = 1_000_000_000;

pub(super) const REQUEST_BYTES: usize = 23;
/// A longer latency is stored as this one: three days.
pub(super) const LATENCY_MAX_NS: u64 = (1 << 48) - 1;

const KIND_BITS: u8 = 0b11;
const FUA_BIT: u8 = 1 << 2;
const LATENCY_BIT: u8 = 1 << 3;

/// What a trace says of where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceHeader {
    /// Size of the disk, in bytes.
    pub device_size: u64,
    /// Its logical block, in bytes.
    pub block_size: u32,
    /// When the trace starts, in nanoseconds since 1970.
    pub started_unix_ns: i64,
}

/// What stands before the requests of a chunk.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChunkHeader {
    pub(super) requests: u32,
    pub(super) base_ns: u64,
    pub(super) lost: u64,
    pub(super) checksum: u32,
}

impl TraceHeader {
    pub(super) fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(&TRACE_MAGIC);
        bytes[8..12].copy_from_slice(&BYTE_ORDER_MARK.to_le_bytes());
        bytes[12..14].copy_from_slice(&VERSION.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.device_size.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.block_size.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.started_unix_ns.to_le_bytes());
        let checksum = crc32c::crc32c(&bytes[..44]);
        bytes[44..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }
}

impl ChunkHeader {
    /// Before the checksum is known.
    pub(super) fn encode(&self) -> [u8; CHUNK_HEADER_BYTES] {
        let mut bytes = [0; CHUNK_HEADER_BYTES];
        bytes[..4].copy_from_slice(&CHUNK_MAGIC);
        bytes[4..8].copy_from_slice(&self.requests.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.base_ns.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.lost.to_le_bytes());
        bytes[28..].copy_from_slice(&self.checksum.to_le_bytes());
        bytes
    }

    pub(super) fn decode(bytes: &[u8; CHUNK_HEADER_BYTES]) -> Self {
        Self {
            requests: read_u32(bytes, 4),
            base_ns: read_u64(bytes, 8),
            lost: read_u64(bytes, 16),
            checksum: read_u32(bytes, 28),
        }
    }
}

/// The checksum of a chunk: of its header up to there, and of its requests.
pub(super) fn chunk_checksum(header: &[u8; CHUNK_HEADER_BYTES], requests: &[u8]) -> u32 {
    crc32c::crc32c_append(crc32c::crc32c(&header[..28]), requests)
}

pub(super) fn encode_request(request: &TraceRequest, base_ns: u64, bytes: &mut Vec<u8>) {
    let delta_ns = (request.start_ns - base_ns) as u32;
    bytes.extend_from_slice(&delta_ns.to_le_bytes());
    bytes.extend_from_slice(&request.offset.to_le_bytes());
    bytes.extend_from_slice(&request.length.to_le_bytes());
    let mut flags = request.kind as u8;
    if request.is_fua {
        flags |= FUA_BIT;
    }
    if request.latency_ns.is_some() {
        flags |= LATENCY_BIT;
    }
    bytes.push(flags);
    let latency_ns = request.latency_ns.unwrap_or(0).min(LATENCY_MAX_NS);
    bytes.extend_from_slice(&latency_ns.to_le_bytes()[..6]);
}

/// The request in [`REQUEST_BYTES`] bytes; `None` where its flags mean nothing.
pub(super) fn decode_request(bytes: &[u8], base_ns: u64) -> Option<TraceRequest> {
    let flags = bytes[16];
    if flags & !(KIND_BITS | FUA_BIT | LATENCY_BIT) != 0 {
        return None;
    }
    let kind = match flags & KIND_BITS {
        0 => RequestKind::Read,
        1 => RequestKind::Write,
        2 => RequestKind::Discard,
        _ => RequestKind::Flush,
    };
    let mut latency = [0; 8];
    latency[..6].copy_from_slice(&bytes[17..23]);
    Some(TraceRequest {
        start_ns: base_ns.checked_add(u64::from(read_u32(bytes, 0)))?,
        offset: read_u64(bytes, 4),
        length: read_u32(bytes, 12),
        kind,
        is_fua: flags & FUA_BIT != 0,
        latency_ns: (flags & LATENCY_BIT != 0).then(|| u64::from_le_bytes(latency)),
    })
}

pub(super) fn read_u16(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(copy_bytes(bytes, at))
}

pub(super) fn read_u32(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(copy_bytes(bytes, at))
}

pub(super) fn read_u64(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(copy_bytes(bytes, at))
}

fn copy_bytes<const COUNT: usize>(bytes: &[u8], at: usize) -> [u8; COUNT] {
    let mut copied = [0; COUNT];
    copied.copy_from_slice(&bytes[at..at + COUNT]);
    copied
}
