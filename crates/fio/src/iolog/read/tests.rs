use super::*;
use std::io::BufReader;
use std::time::{Duration, Instant};

/// A whole trace.
#[derive(Debug)]
pub(crate) struct Iolog {
    pub(crate) version: Version,
    pub(crate) files: Vec<String>,
    pub(crate) entries: Vec<Entry>,
}

pub(crate) fn read_all<R: BufRead>(input: R) -> Result<Iolog, ReadError> {
    let mut reader = IologReader::new(input)?;
    let entries = reader.by_ref().collect::<Result<_, _>>()?;
    Ok(Iolog { version: reader.version, files: reader.files, entries })
}

fn io(kind: IoKind, offset: u64, length: u64) -> Action {
    Action::Io { kind, offset, length }
}

#[test]
fn version_3_has_times() {
    let text = "fio version 3 iolog\n31 ../f1 add\n145 ../f1 open\n151 ../f1 write 61440 4096\n\
                170 ../f1 sync 61440 0\n171 ../f1 datasync 0 0\n180 ../f1 trim 0 512\n\
                190 ../f1 wait 1 1\n\n1362 ../f1 close\n";
    let log = read_all(text.as_bytes()).unwrap();
    assert_eq!((log.version, log.files), (Version::V3, vec!["../f1".to_owned()]));
    let seen: Vec<_> =
        log.entries.iter().map(|e| (e.line, e.time_ns.unwrap() / 1000, e.action)).collect();
    let expected = [
        (2, 31, Action::Add),
        (3, 145, Action::Open),
        (4, 151, io(IoKind::Write, 61_440, 4096)),
        (5, 170, io(IoKind::Sync, 61_440, 0)),
        (6, 171, io(IoKind::Datasync, 0, 0)),
        (7, 180, io(IoKind::Trim, 0, 512)),
        (8, 190, Action::Wait { amount: 1 }),
        (10, 1362, Action::Close),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn version_2_has_waits() {
    let text = "fio version 2 iolog\r\n/a add\r\n /b  add\r\n/a open\r\n/b\topen\r\n\
                /a read 0 4096\r\n/a wait 300 0\r\n/b write 4096  512 ";
    let log = read_all(text.as_bytes()).unwrap();
    assert_eq!((log.version, log.files), (Version::V2, vec!["/a".to_owned(), "/b".to_owned()]));
    assert!(log.entries.iter().all(|entry| entry.time_ns.is_none()));
    let seen: Vec<_> = log.entries[4..].iter().map(|e| (e.file, e.action)).collect();
    let expected = [
        (0, io(IoKind::Read, 0, 4096)),
        (0, Action::Wait { amount: 300 }),
        (1, io(IoKind::Write, 4096, 512)),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn names_may_have_spaces_and_look_like_actions() {
    let text = "fio version 3 iolog\n0 /my add file add\n1 /my add file open\n\
                2 /my add file read 0 1\n3 /my add file close\n";
    let log = read_all(text.as_bytes()).unwrap();
    assert_eq!(log.files, ["/my add file"]);
    assert_eq!(log.entries[2].action, io(IoKind::Read, 0, 1));
}

#[test]
fn what_is_no_trace_says_what_it_is() {
    let check = |bytes: &[u8], expected: &str| {
        let error = read_all(bytes).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(b"0, 0, 4096\n1, 4096, 4096\n", "version 1");
    check(b"fio version 1 iolog\n", "version 1");
    check(b"fio version 4 iolog\n", "but \"fio version 4 iolog\"");
    check(b"", "but \"\"");
    check(b"\x07tae\0\0\0\0binary\n", "blktrace");
    check(b"eat\x07\0\0\0\0", "blktrace");
    check(b"[global]\nrw=read\n", "but \"[global]\"");
    check(b"\xff\xfe\n", "line 1 is not");
}

#[test]
fn errors_name_line_and_column() {
    let check = |line: &str, column: usize, expected: &str| {
        let text = format!("fio version 3 iolog\n0 /a add\n1 /a open\n{line}\n9 /a close\n");
        let error = read_all(text.as_bytes()).unwrap_err().to_string();
        let place = format!("line 4, column {column} of");
        assert!(error.contains(&place) && error.contains(expected), "{line}: {error}");
    };
    check("xx /a read 0 4096", 1, "\"xx\" is no time");
    check("18446744073709551615 /a read 0 4096", 1, "is no time");
    check("2 /a bogus 0 4096", 6, "\"bogus\" is no action");
    check("2 /a bogus", 6, "\"bogus\" is no action");
    check("2 /a read 0x1000 4k", 11, "\"0x1000\" is no offset");
    check("2 /a read 0 4k", 13, "\"4k\" is no length");
    check("2 /a read 0 -5", 13, "\"-5\" is no length");
    check("2 /a read 0 99999999999999999999", 13, "is no length");
    check("2 /a read 9223372036854775807 1", 11, "beyond any file");
    check("2 read 0 4096", 3, "no file name");
    check("2 add", 3, "no file name");
    check("2 /b read 0 4096", 3, "/b was not added");
    check("2 /b open", 3, "/b was not added");
    check("2 /a open", 3, "/a is open already");
    check("2 /a read 0", 6, "\"read\" lacks its offset");
    check("2 /a sync", 6, "\"sync\" lacks its offset");
    check("2 /a read 0 4096 77", 11, "\"0\" is no action");
    check("fio version 3 iolog", 1, "second trace");
}

#[test]
#[should_panic(expected = "line 5")]
fn the_line_is_that_of_the_error() {
    let text = "fio version 3 iolog\n0 /a add\n1 /a open\n2 /a close\n3 /a read 0 1\n";
    panic!("{}", read_all(text.as_bytes()).unwrap_err());
}

#[test]
fn nothing_follows_an_error() {
    let text = "fio version 2 iolog\n/a add\n/b open\n/a open\n";
    let mut reader = IologReader::new(text.as_bytes()).unwrap();
    assert!(reader.next().unwrap().is_ok());
    assert!(reader.next().unwrap().is_err());
    assert!(reader.next().is_none());
}

/// Bytes that never end.
struct Endless {
    pattern: &'static [u8],
    at: usize,
}

impl Read for Endless {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        for byte in into.iter_mut() {
            *byte = self.pattern[self.at % self.pattern.len()];
            self.at += 1;
        }
        Ok(into.len())
    }
}

#[test]
fn garbage_is_refused_quickly() {
    let started = Instant::now();
    let mut state = 1_u32;
    let garbage: Vec<u8> = (0..1 << 20)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .collect();
    assert!(read_all(&garbage[..]).is_err());
    let headed = [b"fio version 3 iolog\n", &garbage[..]].concat();
    assert!(read_all(&headed[..]).is_err());
    // One line without an end.
    assert!(read_all(BufReader::new(Endless { pattern: b"x", at: 0 })).is_err());
    let endless = b"fio version 2 iolog\n".chain(Endless { pattern: b"/x ", at: 0 });
    let error = read_all(BufReader::new(endless)).unwrap_err().to_string();
    assert!(error.contains("longer than"), "{error}");
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[test]
fn traces_without_an_end_are_streamed() {
    let head = b"fio version 2 iolog\n/a add\n/a open\n";
    let endless = head.chain(Endless { pattern: b"/a read 4096 512\n", at: 0 });
    let reader = IologReader::new(BufReader::new(endless)).unwrap();
    let read = io(IoKind::Read, 4096, 512);
    let seen = reader.skip(2).take(100_000).filter(|e| e.as_ref().unwrap().action == read);
    assert_eq!(seen.count(), 100_000);
}
