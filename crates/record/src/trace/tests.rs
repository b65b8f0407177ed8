use super::format::{CHUNK_HEADER_BYTES, HEADER_BYTES, REQUEST_BYTES};
use super::*;

const HEADER: TraceHeader = TraceHeader {
    device_size: 1 << 40,
    block_size: 512,
    started_unix_ns: 1_764_000_000_000_000_000,
};

fn request(number: u64) -> TraceRequest {
    let kinds = [RequestKind::Read, RequestKind::Write, RequestKind::Discard, RequestKind::Flush];
    let kind = kinds[number as usize % 4];
    let length = if kind == RequestKind::Flush { 0 } else { 4096 * (1 + number as u32 % 8) };
    TraceRequest {
        start_ns: number * 77_123,
        offset: number * 7 % 1000 * 4096,
        length,
        kind,
        is_fua: number.is_multiple_of(5),
        latency_ns: (!number.is_multiple_of(3)).then_some(number * 1_000_003),
    }
}

fn trace(count: u64) -> Vec<u8> {
    let mut writer = TraceWriter::new(Vec::new(), &HEADER).unwrap();
    (0..count).for_each(|number| writer.push(&request(number)).unwrap());
    let bytes = writer.file_bytes();
    let written = writer.finish(count * 77_123).unwrap();
    assert_eq!(written.len() as u64, bytes, "what is announced");
    written
}

fn read(bytes: &[u8]) -> (Vec<TraceRequest>, Result<Option<TraceEnd>, TraceError>) {
    let mut reader = match TraceReader::new(bytes) {
        Ok(reader) => reader,
        Err(error) => return (Vec::new(), Err(error)),
    };
    let mut requests = Vec::new();
    while let Some(next) = reader.next() {
        match next {
            Ok(request) => requests.push(request),
            Err(error) => {
                assert!(reader.next().is_none(), "nothing follows an error");
                return (requests, Err(error));
            }
        }
    }
    (requests, Ok(reader.end()))
}

#[test]
fn a_trace_is_read_as_it_was_written() {
    let bytes = trace(20_000);
    let (requests, end) = read(&bytes);
    assert_eq!(end.unwrap(), Some(TraceEnd::Whole { end_ns: 20_000 * 77_123 }));
    assert!(requests.iter().copied().eq((0..20_000).map(request)));
    assert!(bytes.len() < 20_000 * 24, "{} bytes", bytes.len());
    let reader = TraceReader::new(&bytes[..]).unwrap();
    assert_eq!(*reader.header(), HEADER);
    assert_eq!(read(&trace(0)).1.unwrap(), Some(TraceEnd::Whole { end_ns: 0 }));
}

#[test]
fn a_trace_cut_anywhere_is_read_to_its_last_whole_chunk() {
    let bytes = trace(10_000);
    let whole_chunk = CHUNK_HEADER_BYTES + 4096 * REQUEST_BYTES;
    for cut in (HEADER_BYTES..bytes.len()).step_by(997).chain([bytes.len() - 1]) {
        let (requests, end) = read(&bytes[..cut]);
        let chunks = (cut - HEADER_BYTES) / whole_chunk;
        let last_is_whole = cut >= bytes.len() - CHUNK_HEADER_BYTES;
        let count = if last_is_whole { 10_000 } else { chunks * 4096 };
        assert_eq!(requests.len(), count, "cut at {cut}");
        assert!(
            matches!(end.unwrap(), Some(TraceEnd::Cut { whole_bytes }) if whole_bytes <= cut as u64)
        );
    }
    // At most the last second is missing.
    let mut writer = TraceWriter::new(Vec::new(), &HEADER).unwrap();
    let slow = |number| TraceRequest { start_ns: number * 300_000_000, ..request(number) };
    (0..20).for_each(|number| writer.push(&slow(number)).unwrap());
    let held = writer.file_bytes() as usize - 2 * CHUNK_HEADER_BYTES;
    let written = writer.finish(0).unwrap();
    let (requests, _) = read(&written[..held - 1]);
    assert!(requests.last().unwrap().start_ns + 1_000_000_000 >= slow(19).start_ns - 300_000_000);
}

#[test]
fn lost_requests_are_counted() {
    let mut writer = TraceWriter::new(Vec::new(), &HEADER).unwrap();
    writer.push(&request(1)).unwrap();
    writer.set_lost(12);
    let bytes = writer.finish(0).unwrap();
    let mut reader = TraceReader::new(&bytes[..]).unwrap();
    assert!(reader.by_ref().all(|request| request.is_ok()));
    assert_eq!(reader.lost(), 12);
}

#[test]
fn each_kind_of_bad_input_is_one_clear_error() {
    let good = trace(5000);
    let check = |spoil: &dyn Fn(&mut Vec<u8>), expected: &str| {
        let mut bytes = good.clone();
        spoil(&mut bytes);
        let error = read(&bytes).1.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(&|bytes| bytes.clear(), "no trace of truedisk");
    check(&|bytes| bytes[0] = b'x', "no trace of truedisk");
    check(&|bytes| bytes.truncate(40), "only 40 of the 48 bytes");
    check(&|bytes| bytes[8..12].reverse(), "byte order of another machine");
    check(&|bytes| bytes[20] ^= 1, "header is damaged");
    check(&|bytes| bytes[HEADER_BYTES] ^= 1, "damaged at byte 48: no chunk starts here");
    check(&|bytes| bytes[HEADER_BYTES + 100] ^= 1, "checksum of the chunk is wrong");
    check(&|bytes| bytes.push(0), "more follows the end");
    let version = |bytes: &mut Vec<u8>| {
        bytes[12] = 9;
        let checksum = crc32c::crc32c(&bytes[..44]);
        bytes[44..48].copy_from_slice(&checksum.to_le_bytes());
    };
    check(&version, "version 9");
    // Two traces, the later first.
    let backwards = |bytes: &mut Vec<u8>| {
        let chunk = HEADER_BYTES..HEADER_BYTES + CHUNK_HEADER_BYTES + 4096 * REQUEST_BYTES;
        let first = bytes[chunk.clone()].to_vec();
        bytes.splice(chunk.end..chunk.end, first);
    };
    check(&backwards, "times run backwards: request 4097 starts at 0 ns");
}

#[test]
fn a_writer_refuses_times_that_run_backwards() {
    let mut writer = TraceWriter::new(Vec::new(), &HEADER).unwrap();
    writer.push(&request(5)).unwrap();
    let error = writer.push(&request(4)).unwrap_err();
    assert!(error.to_string().contains("sort them"), "{error}");
    writer.push(&request(5)).unwrap();
}
