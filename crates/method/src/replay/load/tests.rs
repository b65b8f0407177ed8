use std::io::{BufReader, Cursor};

use record::TraceRequest;

use super::blktrace::EVENT_BYTES;
use super::*;

/// An event as the kernel writes it: time, sector, bytes, action with categories.
fn event(time_ns: u64, sector: u64, bytes: u32, action: u32, text: &[u8]) -> Vec<u8> {
    let mut event = Vec::new();
    event.extend_from_slice(&0x6561_7407_u32.to_le_bytes());
    event.extend_from_slice(&1_u32.to_le_bytes());
    event.extend_from_slice(&time_ns.to_le_bytes());
    event.extend_from_slice(&sector.to_le_bytes());
    event.extend_from_slice(&bytes.to_le_bytes());
    event.extend_from_slice(&action.to_le_bytes());
    event.extend_from_slice(&77_u32.to_le_bytes());
    event.extend_from_slice(&((8_u32 << 20) | 16).to_le_bytes());
    event.extend_from_slice(&0_u32.to_le_bytes());
    event.extend_from_slice(&0_u16.to_le_bytes());
    event.extend_from_slice(&(text.len() as u16).to_le_bytes());
    assert_eq!(event.len(), EVENT_BYTES);
    event.extend_from_slice(text);
    event
}

const READ: u32 = 1 << 16;
const WRITE: u32 = 1 << 17;
const FLUSH: u32 = 1 << 18;
const NOTIFY: u32 = 1 << 26;
const DISCARD: u32 = 1 << 29;
const FUA: u32 = 1 << 31;
/// The text begins with a control group.
const CGROUP: u32 = 1 << 8;
const QUEUE: u32 = 1;
const ISSUE: u32 = 7;

fn read_all(bytes: &[u8]) -> Result<Vec<TraceRequest>, LoadError> {
    let format = detect_format(bytes)?;
    let file = BufReader::new(Cursor::new(bytes.to_vec()));
    read_requests(format, file, ArrivalEvent::Queue)?.collect()
}

fn describe(requests: &[TraceRequest]) -> Vec<String> {
    let words = |request: &TraceRequest| {
        let fua = if request.is_fua { " fua" } else { "" };
        let (start, kind) = (request.start_ns, request.kind);
        format!("{start} {kind:?} {}+{}{fua}", request.offset, request.length)
    };
    requests.iter().map(words).collect()
}

fn good_blktrace() -> Vec<u8> {
    [
        event(900, 0, 0, NOTIFY, b"jbd2/sda1-8\0"),
        event(1000, 8, 4096, READ | QUEUE, b""),
        event(1010, 8, 4096, READ | ISSUE, b""),
        event(3000, 64, 512, WRITE | FLUSH | FUA | QUEUE, b""),
        // An interrupt wrote its event a little late.
        event(2000, 16, 8192, WRITE | QUEUE | CGROUP, b"abc"),
        event(4000, 0, 0, WRITE | FLUSH | QUEUE, b""),
        event(5000, 100, 1 << 20, DISCARD | WRITE | QUEUE, b""),
    ]
    .concat()
}

const GOOD: [&str; 6] = [
    "0 Read 4096+4096",
    "1000 Write 8192+8192",
    "2000 Flush 0+0",
    "2000 Write 32768+512 fua",
    "3000 Flush 0+0",
    "4000 Discard 51200+1048576",
];

#[test]
fn blktrace_is_read_by_its_queued_requests() {
    assert_eq!(describe(&read_all(&good_blktrace()).unwrap()), GOOD);
}

#[test]
fn a_trace_of_issued_requests_alone_is_read_by_those() {
    let bytes = event(10, 8, 4096, READ | ISSUE, b"");
    let read = |arrival| {
        let file = BufReader::new(Cursor::new(bytes.clone()));
        read_requests(LoadFormat::Blktrace, file, arrival).unwrap().count()
    };
    assert_eq!((read(ArrivalEvent::Queue), read(ArrivalEvent::Issue)), (0, 1));
}

#[test]
fn files_of_several_processors_are_merged_by_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = |processor: usize| folder.path().join(format!("sda.blktrace.{processor}"));
    let mut files = [Vec::new(), Vec::new(), Vec::new()];
    for number in 0..6000_u64 {
        let place = (number * number % 7 % 3) as usize;
        files[place].extend(event(number * 10, number, 512, READ | QUEUE, b""));
    }
    for (processor, bytes) in files.iter().enumerate() {
        std::fs::write(path(processor), bytes).unwrap();
    }
    std::fs::write(path(3), b"").unwrap();
    let file = LoadFile::detect(&path(1), Seed(1)).unwrap();
    let requests: Vec<_> =
        file.requests(ArrivalEvent::Queue).unwrap().map(|r| r.unwrap()).collect();
    assert_eq!(requests.len(), 6000);
    assert!(requests.iter().zip(0_u64..).all(|(r, number)| r.offset == number * 512));
}

const BLKPARSE: &str = "  8,16   1        1     0.000001000    77  Q   R 8 + 8 [cat]
  8,16   1        2     0.000001010    77  D   R 8 + 8 [cat]
  8,16   0        3     0.000002000    77  Q   W 16 + 16 [dd]
  8,16   0        4     0.000003000    77  Q FWFS 64 + 1 [jbd2]
  8,16   0        5     0.000004000    77  Q FWS [jbd2]
  8,16   0        0     0.000004100     0  m   N cfq workload slice:300
  8,16   0        6     0.000005000    77  Q   D 100 + 2048 [fstrim]
CPU0 (8,16):
 Reads Queued:           1,        4KiB
Total (8,16):
";

#[test]
fn blkparse_is_read_up_to_its_summary() {
    assert_eq!(describe(&read_all(BLKPARSE.as_bytes()).unwrap()), GOOD);
}

#[test]
fn fios_logs_are_read() {
    let v3 = "fio version 3 iolog\n0 /a add\n0 /a open\n10 /a read 0 4096\n20 /a write 8192 512\n\
              30 /a sync 0 0\n40 /a trim 4096 4096\n50 /a close\n";
    let expected =
        ["10000 Read 0+4096", "20000 Write 8192+512", "30000 Flush 0+0", "40000 Discard 4096+4096"];
    assert_eq!(describe(&read_all(v3.as_bytes()).unwrap()), expected);
    let v2 = "fio version 2 iolog\n/a add\n/a open\n/a read 0 4096\n/a wait 300 0\n/a read 0 1\n";
    let expected = ["0 Read 0+4096", "200000000 Read 0+1"];
    assert_eq!(describe(&read_all(v2.as_bytes()).unwrap()), expected);
}

#[test]
fn each_kind_of_bad_input_is_one_clear_error() {
    let check = |bytes: &[u8], expected: &str| {
        let error = read_all(bytes).unwrap_err().to_string();
        assert!(error.contains(expected) && error.len() < 400, "{error}");
    };
    check(b"", "it is no load");
    check(b"hello\nworld\n", "it is no load");
    check(b"tdtr", "only 4 of the 48 bytes");
    check(b"tdtrace\nabc", "only 11 of the 48 bytes");
    let good = good_blktrace();
    check(&good[..good.len() - 1], "its last event, at byte 303, is not whole");
    let mut foreign = good.clone();
    foreign[..4].reverse();
    check(&foreign, "big-endian");
    let mut wrong = good.clone();
    wrong[48 + 12 + 3] = 0;
    check(&wrong, "at byte 60 no event of blktrace starts");
    let mut newer = good;
    newer[48 + 12] = 9;
    check(&newer, "is an event of version 9");
    let two = [event(1, 8, 512, READ | QUEUE, b""), {
        let mut other = event(2, 8, 512, READ | QUEUE, b"");
        other[36] = 32;
        other
    }];
    check(&two.concat(), "two devices, 8,16 and 8,32");
    let mut late: Vec<u8> =
        (0..3000).flat_map(|n| event(5000 + n, 8, 512, READ | QUEUE, b"")).collect();
    late.extend(event(10, 8, 512, READ | QUEUE, b""));
    check(&late, "times run backwards");
    check(BLKPARSE.replace("0.000003000", "0.000001500").as_bytes(), "backwards: at line 4");
    check(BLKPARSE.replace("16 + 16", "16 - 16").as_bytes(), "line 3 has no place");
    check(BLKPARSE.replace("  8,16   0        3", "what is this").as_bytes(), "line 3 is no event");
    check(BLKPARSE.replace("8,16   0        6", "8,32   0        6").as_bytes(), "two devices");
    let two = b"fio version 3 iolog\n0 /a add\n0 /b add\n0 /a open\n0 /b open\n1 /a read 0 1\n\
                2 /b read 0 1\n";
    check(two, "line 7 of the I/O log is of a second file");
    check(b"fio version 2 iolog\n/a open\n", "was not added");
    let folder = tempfile::tempdir().unwrap();
    let error = LoadFile::detect(folder.path(), Seed(1)).unwrap_err().to_string();
    assert!(error.contains("it is a folder"), "{error}");
}
