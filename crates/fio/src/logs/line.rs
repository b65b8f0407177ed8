//! A line of a log, as text and as fio stores it in compressed logs (fio 3.41).

use std::fmt;
use std::io::Read as _;

use flate2::bufread::ZlibDecoder;
use workload::{IoClass, decode_ioprio};

/// Bytes of a stored line, without those of its last columns.
const STORED_BYTES: usize = 40;
/// Bits of a stored direction that say which columns there are.
const HAS_OFFSET: u32 = 1 << 31;
const WHOLE_PRIORITY: u32 = 1 << 30;
const HAS_MAX: u32 = 1 << 29;
const HAS_ISSUE_TIME: u32 = 1 << 28;
/// Bytes of an inflated log that are read at a time.
const PIECE: usize = 1 << 20;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct LogLine {
    pub(super) time_ms: u64,
    pub(super) value: u64,
    /// With `log_window_value=both`.
    pub(super) max: Option<u64>,
    pub(super) direction: u8,
    pub(super) bytes: u64,
    pub(super) offset: Option<u64>,
    /// Class and level, as the kernel has them.
    pub(super) ioprio: u16,
    /// Class and level are written; else whether the class is real time.
    pub(super) whole_priority: bool,
    pub(super) issued_ns: Option<u64>,
}

impl fmt::Display for LogLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}, ", self.time_ms, self.value)?;
        if let Some(max) = self.max {
            write!(f, "{max}, ")?;
        }
        write!(f, "{}, {}, ", self.direction, self.bytes)?;
        if let Some(offset) = self.offset {
            write!(f, "{offset}, ")?;
        }
        match self.whole_priority {
            true => write!(f, "{:#06x}", self.ioprio)?,
            false => {
                let is_high = decode_ioprio(self.ioprio).class == IoClass::Realtime as u8;
                write!(f, "{}", u8::from(is_high))?;
            }
        }
        match self.issued_ns {
            Some(issued) => writeln!(f, ", {issued}"),
            None => writeln!(f),
        }
    }
}

impl LogLine {
    pub(super) fn to_stored(self) -> Vec<u8> {
        let bits = [
            (self.offset.is_some(), HAS_OFFSET),
            (self.whole_priority, WHOLE_PRIORITY),
            (self.max.is_some(), HAS_MAX),
            (self.issued_ns.is_some(), HAS_ISSUE_TIME),
        ];
        let bits = bits.iter().filter(|(is_set, _)| *is_set).fold(0, |all, (_, bit)| all | bit);
        let mut stored = Vec::with_capacity(STORED_BYTES + 16);
        for number in [self.time_ms, self.value, self.max.unwrap_or(0)] {
            stored.extend(number.to_ne_bytes());
        }
        stored.extend((u32::from(self.direction) | bits).to_ne_bytes());
        stored.extend(self.ioprio.to_ne_bytes());
        stored.extend([0; 2]);
        for number in [Some(self.bytes), self.offset, self.issued_ns].into_iter().flatten() {
            stored.extend(number.to_ne_bytes());
        }
        stored
    }

    /// Takes the next of the stored lines.
    fn take_stored(stored: &mut &[u8]) -> Option<Self> {
        fn take<const N: usize>(stored: &mut &[u8]) -> Option<[u8; N]> {
            let (first, rest) = stored.split_first_chunk()?;
            *stored = rest;
            Some(*first)
        }
        let number = |stored: &mut &[u8]| take(stored).map(u64::from_ne_bytes);
        let (time_ms, value, max) = (number(stored)?, number(stored)?, number(stored)?);
        let bits = take(stored).map(u32::from_ne_bytes)?;
        let ioprio = take(stored).map(u16::from_ne_bytes)?;
        take::<2>(stored)?;
        let bytes = number(stored)?;
        let mut column = |bit: u32| match bits & bit {
            0 => Some(None),
            _ => number(stored).map(Some),
        };
        Some(Self {
            time_ms,
            value,
            max: (bits & HAS_MAX != 0).then_some(max),
            direction: (bits & 0xff) as u8,
            bytes,
            offset: column(HAS_OFFSET)?,
            ioprio,
            whole_priority: bits & WHOLE_PRIORITY != 0,
            issued_ns: column(HAS_ISSUE_TIME)?,
        })
    }
}

/// Shows the lines of a log that `log_store_compressed` wrote, piece by piece: of ours, or of fio
/// 3.41 on such a host. Little compressed may be much text.
///
/// # Errors
/// What the bytes are instead, as `wrong` says it, and what `show` fails with.
pub fn inflate_log<E>(
    bytes: &[u8],
    mut show: impl FnMut(&str) -> Result<(), E>,
    wrong: impl Fn(String) -> E,
) -> Result<(), E> {
    let (mut left, mut piece) = (bytes, vec![0; PIECE]);
    while !left.is_empty() {
        let (mut stream, mut stored) = (ZlibDecoder::new(left), Vec::new());
        loop {
            let came = stream.read(&mut piece);
            let came = came.map_err(|error| wrong(format!("it is no compressed log: {error}")))?;
            stored.extend_from_slice(&piece[..came]);
            let (mut rest, mut text) = (&stored[..], String::new());
            // The last line may go on in the next piece.
            let kept = loop {
                let before = rest.len();
                match LogLine::take_stored(&mut rest) {
                    Some(line) => text += &line.to_string(),
                    None => break before,
                }
            };
            show(&text)?;
            stored.drain(..stored.len() - kept);
            if came == 0 {
                break;
            }
        }
        if !stored.is_empty() {
            return Err(wrong("a line of the compressed log is cut off".to_owned()));
        }
        left = stream.into_inner();
    }
    Ok(())
}

/// The text of a whole log.
#[cfg(test)]
pub(super) fn inflate_text(bytes: &[u8]) -> Result<String, String> {
    let mut all = String::new();
    let show = |text: &str| {
        all += text;
        Ok(())
    };
    inflate_log(bytes, show, |error| error)?;
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_lines_are_read_as_they_were() {
        let plain =
            LogLine { time_ms: 1, value: 2, direction: 1, bytes: 4096, ..LogLine::default() };
        let whole = LogLine {
            max: Some(9),
            offset: Some(8192),
            ioprio: 0x2004,
            whole_priority: true,
            issued_ns: Some(77),
            ..plain
        };
        let check = |line: LogLine, bytes: usize, text: &str| {
            let stored = line.to_stored();
            assert_eq!((stored.len(), line.to_string()), (bytes, text.to_owned()));
            let mut both = &[stored.clone(), stored].concat()[..];
            let read = [LogLine::take_stored(&mut both), LogLine::take_stored(&mut both)];
            assert_eq!((read, both), ([Some(line); 2], &[][..]));
        };
        check(plain, 40, "1, 2, 1, 4096, 0\n");
        check(LogLine { ioprio: 0x2004, ..plain }, 40, "1, 2, 1, 4096, 1\n");
        check(whole, 56, "1, 2, 9, 1, 4096, 8192, 0x2004, 77\n");
        assert!(inflate_text(b"1, 2, 1, 4096, 0\n").unwrap_err().contains("no compressed log"));
        assert_eq!(inflate_text(b"").unwrap(), "");
    }

    #[test]
    fn a_long_log_is_shown_in_pieces() {
        let stored = LogLine::default().to_stored().repeat(200_000);
        let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        std::io::Write::write_all(&mut packed, &stored).unwrap();
        let (mut lines, mut longest) = (0, 0);
        let show = |text: &str| {
            lines += text.lines().count();
            longest = longest.max(text.len());
            Ok::<(), String>(())
        };
        inflate_log(&packed.finish().unwrap(), show, |error| error).unwrap();
        assert!(lines == 200_000 && longest < 2 * PIECE, "{lines} {longest}");
    }
}
