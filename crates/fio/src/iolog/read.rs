//! Reading traces: line by line, so that their size does not matter.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, Read};

use super::action::{Action, IoKind, Version};

/// No line is longer: a path has at most 4096 bytes.
const LINE_BYTES_MAX: u64 = 8192;

/// Most files of a trace: all of their names are in memory, and a number has 16 bits.
const FILES_MAX: usize = 16_384;

/// First word of a binary trace of blktrace; its lowest byte is a version.
const BLKTRACE_MAGIC: u32 = 0x6561_7400;

/// What is wrong with a trace.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("cannot read the I/O trace at line {line}: {source}; is it on a healthy disk?")]
    Io { line: u64, source: std::io::Error },
    #[error(
        "this is a binary trace of blktrace, which is not replayed here; replay it with fio, or \
         record the workload again, with write_iolog"
    )]
    Blktrace,
    #[error(
        "line 1 is of a trace of version 1, which fio gave up in 2008; record the trace again, \
         with write_iolog"
    )]
    Version1,
    #[error(
        "line 1 is not \"fio version 2 iolog\" or \"fio version 3 iolog\" but {0:?}; give \
         read_iolog a file that write_iolog wrote"
    )]
    NotATrace(String),
    #[error("line {line}, column {column} of the I/O trace: {problem}")]
    Line { line: u64, column: usize, problem: String },
}

/// A line of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Line, from 1.
    pub line: u64,
    /// Since the start of the run, in nanoseconds; `None` in version 2.
    pub time_ns: Option<u64>,
    pub file: usize,
    pub action: Action,
}

/// Reads a trace entry by entry. After an error there are no more.
/// Where fio complains about a line, passes over it and goes on, or crashes (use of a file that
/// was not added or is not open), this is an error. Empty lines mean nothing.
#[derive(Debug)]
pub struct IologReader<R> {
    input: R,
    version: Version,
    line: u64,
    buffer: Vec<u8>,
    files: Vec<String>,
    numbers: HashMap<String, usize>,
    added: HashSet<usize>,
    open: HashSet<usize>,
    failed: bool,
}

impl<R: BufRead> IologReader<R> {
    /// Reads the first line.
    /// Errors: when it is not that of a trace of version 2 or 3.
    pub fn new(input: R) -> Result<Self, ReadError> {
        let mut reader = Self {
            input,
            version: Version::V3,
            line: 0,
            buffer: Vec::new(),
            files: Vec::new(),
            numbers: HashMap::new(),
            added: HashSet::new(),
            open: HashSet::new(),
            failed: false,
        };
        reader.next_line()?;
        reader.version = parse_version(&reader.buffer)?;
        Ok(reader)
    }

    /// The trace's version.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The names of the files met so far.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// Fills the buffer with the next line, without its line feed; `false` at the end.
    fn next_line(&mut self) -> Result<bool, ReadError> {
        self.buffer.clear();
        self.line += 1;
        let line = self.line;
        let mut limited = self.input.by_ref().take(LINE_BYTES_MAX);
        let read = limited
            .read_until(b'\n', &mut self.buffer)
            .map_err(|source| ReadError::Io { line, source })?;
        if read == 0 {
            return Ok(false);
        }
        if self.buffer.last() == Some(&b'\n') {
            self.buffer.pop();
        } else if read as u64 == LINE_BYTES_MAX && line > 1 {
            let problem =
                format!("the line is longer than {LINE_BYTES_MAX} bytes; cut it off there");
            return Err(ReadError::Line { line, column: read, problem });
        }
        Ok(true)
    }

    fn next_entry(&mut self) -> Result<Option<Entry>, ReadError> {
        while self.next_line()? {
            let buffer = std::mem::take(&mut self.buffer);
            let parsed = self.parse_entry(&buffer);
            self.buffer = buffer;
            match parsed {
                Ok(Some(entry)) => return Ok(Some(entry)),
                Ok(None) => {}
                Err((column, problem)) => {
                    return Err(ReadError::Line { line: self.line, column, problem });
                }
            }
        }
        Ok(None)
    }

    /// One line: `None` when it is empty.
    fn parse_entry(&mut self, line: &[u8]) -> Result<Option<Entry>, Problem> {
        let text = std::str::from_utf8(line)
            .map_err(|error| (error.valid_up_to() + 1, "not UTF-8; rename the file".to_owned()))?;
        if text.trim().is_empty() {
            return Ok(None);
        }
        if text.starts_with("fio version ") {
            return Err((
                1,
                "a second trace starts here, for write_iolog appends to a file that is \
                            there; split the file at this line"
                    .to_owned(),
            ));
        }
        let mut cursor = Cursor { text, start: 0, end: text.trim_end().len() };
        let time_ns = match self.version {
            Version::V2 => None,
            Version::V3 => Some(parse_time(cursor.take_front())?),
        };
        let action = parse_action(&mut cursor)?;
        let (column, name) = cursor.take_rest();
        if name.is_empty() {
            return Err((column, "no file name before the action; write one".to_owned()));
        }
        let Some(file) = self.file_number(name) else {
            let problem = format!("more than {FILES_MAX} files; cut the trace in two");
            return Err((column, problem));
        };
        self.track_state(file, action)
            .map_err(|problem| (column, format!("{} {problem}", input::shorten_text(name))))?;
        Ok(Some(Entry { line: self.line, time_ns, file, action }))
    }

    /// The number of a name, a new one when it is new; `None` when there are too many.
    fn file_number(&mut self, name: &str) -> Option<usize> {
        if let Some(&number) = self.numbers.get(name) {
            return Some(number);
        }
        let number = self.files.len();
        if number == FILES_MAX {
            return None;
        }
        self.files.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        Some(number)
    }

    /// Keeps track of what is added and open.
    fn track_state(&mut self, file: usize, action: Action) -> Result<(), &'static str> {
        match action {
            Action::Add => {
                self.added.insert(file);
            }
            Action::Wait { .. } => {}
            _ if !self.added.contains(&file) => {
                return Err("was not added; put an \"add\" line before this one");
            }
            Action::Open => {
                if !self.open.insert(file) {
                    return Err("is open already; take this line out, or close the file before");
                }
            }
            Action::Close => {
                self.open.remove(&file);
            }
            Action::Io { .. } => {
                if !self.open.contains(&file) {
                    return Err("is not open; put an \"open\" line before this one");
                }
            }
        }
        Ok(())
    }
}

impl<R: BufRead> Iterator for IologReader<R> {
    type Item = Result<Entry, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let next = self.next_entry().transpose();
        self.failed = !matches!(next, Some(Ok(_)));
        next
    }
}

/// Column and text of what is wrong with a line.
type Problem = (usize, String);

/// A word and its column, from 1.
type Word<'a> = (usize, &'a str);

/// A line whose words are taken from both ends: between them stands a name, perhaps with spaces.
struct Cursor<'a> {
    text: &'a str,
    start: usize,
    end: usize,
}

impl<'a> Cursor<'a> {
    fn take_front(&mut self) -> Word<'a> {
        self.skip_spaces();
        let left = &self.text[self.start..self.end];
        let word = &left[..left.find(char::is_whitespace).unwrap_or(left.len())];
        let column = self.start + 1;
        self.start += word.len();
        (column, word)
    }

    fn take_back(&mut self) -> Word<'a> {
        let left = self.text[self.start..self.end].trim_end();
        let at = left.char_indices().rev().find(|(_, c)| c.is_whitespace());
        let from = at.map_or(0, |(i, c)| i + c.len_utf8());
        self.end = self.start + from;
        (self.start + from + 1, &left[from..])
    }

    fn take_rest(mut self) -> Word<'a> {
        self.skip_spaces();
        (self.start + 1, self.text[self.start..self.end].trim_end())
    }

    fn skip_spaces(&mut self) {
        let left = &self.text[self.start..self.end];
        self.start += left.len() - left.trim_start().len();
    }
}

fn parse_time((column, word): Word<'_>) -> Result<u64, Problem> {
    let micros = parse_number("time in microseconds", (column, word))?;
    micros.checked_mul(1000).ok_or_else(|| (column, format!("{word} us is no time; correct it")))
}

fn parse_action(cursor: &mut Cursor<'_>) -> Result<Action, Problem> {
    let last = cursor.take_back();
    match last.1 {
        "add" => return Ok(Action::Add),
        "open" => return Ok(Action::Open),
        "close" => return Ok(Action::Close),
        _ => {}
    }
    let second = cursor.take_back();
    let third = cursor.take_back();
    let word = third.1;
    if !is_action(word) {
        let no_number = [last, second].into_iter().find(|&word| parse_number("", word).is_err());
        let (column, word) = no_number.unwrap_or(third);
        let problem = if is_action(word) { "lacks its offset and length" } else { "is no action" };
        return Err((column, format!("{:?} {problem}; {ACTIONS}", input::shorten_text(word))));
    }
    let offset = parse_number("offset in bytes", second)?;
    let length = parse_number("length in bytes", last)?;
    let Some(kind) = IoKind::from_word(word) else { return Ok(Action::Wait { amount: offset }) };
    if offset.checked_add(length).is_none_or(|end| end > i64::MAX as u64) {
        return Err((second.0, format!("{offset} + {length} is beyond any file; correct them")));
    }
    Ok(Action::Io { kind, offset, length })
}

const ACTIONS: &str = "an action is add, open or close, or one of read, write, trim, sync, \
                       datasync, wait with an offset and a length";

fn is_action(word: &str) -> bool {
    word == "wait" || IoKind::from_word(word).is_some()
}

fn parse_number(what: &str, (column, word): Word<'_>) -> Result<u64, Problem> {
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let parsed = if digits { word.parse().ok() } else { None };
    parsed.ok_or_else(|| {
        (column, format!("{:?} is no {what}; write a whole number", input::shorten_text(word)))
    })
}

/// The version that a first line names.
fn parse_version(line: &[u8]) -> Result<Version, ReadError> {
    if let Some(&[a, b, c, d]) = line.get(..4) {
        let word = [a, b, c, d];
        let magic = [u32::from_le_bytes(word), u32::from_be_bytes(word)];
        if magic.iter().any(|magic| magic & 0xffff_ff00 == BLKTRACE_MAGIC) {
            return Err(ReadError::Blktrace);
        }
    }
    let text = String::from_utf8_lossy(line);
    let text = text.trim_end();
    if let Some(version) = [Version::V2, Version::V3].into_iter().find(|v| text == v.header()) {
        return Ok(version);
    }
    let numbers = text.split(',').map(|word| word.trim().parse::<u64>());
    if text.starts_with("fio version 1 ") || numbers.map(|n| n.is_ok()).eq([true; 3]) {
        return Err(ReadError::Version1);
    }
    Err(ReadError::NotATrace(text.chars().take(40).collect()))
}

#[cfg(test)]
pub(super) mod tests;
