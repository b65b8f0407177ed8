//! Foreign data in: files and streams from other people, read within limits.
//!
//! No input fills the memory, blocks the program, or floods the terminal with its own text. No
//! format is known here.
//!
//! - No more memory than the limit is reserved for the bytes of an input.
//! - Nothing but regular files and pipes is opened: a device can be endless, and opening one can
//!   have effects.
//! - A size that an input merely states is never believed.
#![forbid(unsafe_code)]

mod opened;
mod quote;

use std::fs::{File, Metadata};
use std::io::{self, BufRead, ErrorKind, Read};
use std::os::fd::AsFd as _;
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;

use rustix::fs::{Mode, OFlags, fcntl_getfl, fcntl_setfl};
use units::Bytes;

pub use opened::{remember_file, was_read};
pub use quote::{shorten_lines, shorten_message, shorten_text};

/// Most bytes of a record or of fio's JSON, unpacked.
pub const RECORD_MAX: u64 = 256 << 20;
/// Most bytes of a text that a person writes: a job file, a preset, a file of plans.
pub const TEXT_MAX: u64 = 4 << 20;

const CHUNK: usize = 64 << 10;

/// Opens a regular file or a pipe. A pipe without a writer is empty: it is not waited for.
///
/// # Errors
/// What the system says, and anything that is neither a regular file nor a pipe.
pub fn open_file(path: &Path) -> io::Result<File> {
    // Opening a device can have effects, so the path is looked at first.
    refuse_special(&path.metadata()?)?;
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    // Another file may have this path by now.
    let found = file.metadata()?;
    refuse_special(&found)?;
    remember_file(&found);
    // A pipe with a writer is waited for.
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(file)
}

fn refuse_special(metadata: &Metadata) -> io::Result<()> {
    let kind = metadata.file_type();
    let name = match () {
        () if kind.is_file() || kind.is_fifo() => return Ok(()),
        () if kind.is_dir() => "a folder",
        () if kind.is_block_device() => "a block device",
        () if kind.is_char_device() => "a character device",
        () => "a socket",
    };
    let message = format!("it is {name}, and neither a file nor a pipe");
    Err(io::Error::new(ErrorKind::InvalidInput, message))
}

pub fn read_file(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open_file(path)?;
    // Said before anything is read. A file in `/proc` has no size, and a pipe has none either.
    if file.metadata()?.len() > limit {
        return Err(too_large(limit));
    }
    read_to_limit(file, limit)
}

pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    let bytes = read_file(path, limit)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8"))
}

/// All that a stream has.
///
/// # Errors
/// When it has more than `limit` bytes, or cannot be read.
pub fn read_to_limit(stream: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    append_rest(&mut bytes, stream, limit)?;
    Ok(bytes)
}

pub fn read_stdin(limit: u64) -> io::Result<Vec<u8>> {
    let stdin = io::stdin();
    remember_file(&File::from(stdin.as_fd().try_clone_to_owned()?).metadata()?);
    read_to_limit(stdin.lock(), limit)
}

/// Appends all that a stream has to what was read of it.
///
/// # Errors
/// When it is more than `limit` bytes with these, or cannot be read.
pub fn append_rest(bytes: &mut Vec<u8>, mut stream: impl Read, limit: u64) -> io::Result<()> {
    let mut chunk = vec![0; CHUNK];
    loop {
        match stream.read(&mut chunk) {
            Ok(0) => return Ok(()),
            Ok(count) => append_limited(bytes, &chunk[..count], limit)?,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Fills `bytes` as far as the stream goes; how far.
pub fn read_up_to(stream: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < bytes.len() {
        match stream.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// The next line of a stream, with its line feed; empty at the end of the stream.
///
/// # Errors
/// When it has more than `limit` bytes, or cannot be read.
pub fn read_line(stream: &mut (impl BufRead + ?Sized), limit: u64) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    loop {
        let part = match stream.fill_buf() {
            Ok(part) => part,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = part.iter().position(|byte| *byte == b'\n');
        let count = end.map_or(part.len(), |end| end + 1);
        append_limited(&mut line, &part[..count], limit)?;
        stream.consume(count);
        if end.is_some() || count == 0 {
            return Ok(line);
        }
    }
}

/// Appends to `bytes` without ever reserving more than `limit`.
fn append_limited(bytes: &mut Vec<u8>, part: &[u8], limit: u64) -> io::Result<()> {
    let limit_bytes = usize::try_from(limit).unwrap_or(usize::MAX);
    let needed = bytes.len().saturating_add(part.len());
    if needed > limit_bytes {
        return Err(too_large(limit));
    }
    if needed > bytes.capacity() {
        // By half, not double, and never above the limit.
        let wanted = needed.max(bytes.capacity().saturating_mul(3) / 2).max(CHUNK);
        let wanted = wanted.min(limit_bytes);
        bytes.try_reserve_exact(wanted - bytes.len()).map_err(|_| {
            io::Error::new(ErrorKind::OutOfMemory, "there is not enough memory to read it")
        })?;
    }
    bytes.extend_from_slice(part);
    Ok(())
}

fn too_large(limit: u64) -> io::Error {
    io::Error::new(ErrorKind::FileTooLarge, format!("it is larger than {}", Bytes(limit)))
}

/// Refuses a JSON text with more than `limit` values: two bytes of text can become 80 bytes of
/// memory, so the size of the text alone is no bound.
///
/// Counts commas and opening brackets; those within strings too, which costs an honest text little.
pub fn check_json(text: &[u8], limit: usize) -> io::Result<()> {
    let opens_value = |byte: &&u8| matches!(byte, b',' | b'[' | b'{');
    let count = text.iter().filter(opens_value).count();
    if count <= limit {
        return Ok(());
    }
    let message = format!("it holds about {count} JSON values; at most {limit} are read");
    Err(io::Error::new(ErrorKind::FileTooLarge, message))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, OpenOptions};
    use std::io::BufReader;
    use std::path::PathBuf;
    use std::process::Command;
    use std::thread;

    use super::*;

    fn refused(result: io::Result<impl Sized>, words: &str) {
        let error = result.err().unwrap().to_string();
        assert!(error.contains(words), "{error}");
    }

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, vec![b'x'; 1000]).unwrap();
        assert_eq!(read_file(&path, 1000).unwrap().len(), 1000);
        assert!(was_read(&path.metadata().unwrap()));
        assert!(!was_read(&folder.path().metadata().unwrap()));
        refused(read_file(&path, 999), "it is larger than 999 B");
        assert_eq!(read_text(&path, 1000).unwrap().len(), 1000);
        fs::write(&path, b"\xff").unwrap();
        refused(read_text(&path, 1000), "not UTF-8");
        refused(read_file(&folder.path().join("none"), 1), "No such file");
    }

    #[test]
    fn a_stream_without_an_end_stops_at_the_limit() {
        refused(read_to_limit(io::repeat(0), 10 << 20), "larger than 10 MiB");
        let mut endless = BufReader::new(io::repeat(b'x'));
        refused(read_line(&mut endless, 1 << 20), "larger than 1 MiB");
        let bytes = read_to_limit(io::repeat(1).take(1 << 20), 1 << 20).unwrap();
        assert_eq!((bytes.len(), bytes.capacity()), (1 << 20, 1 << 20));
    }

    #[test]
    fn lines_come_with_their_ends() {
        let mut stream = BufReader::with_capacity(3, &b"one\n\ntwo"[..]);
        let mut next = || String::from_utf8(read_line(&mut stream, 4).unwrap()).unwrap();
        assert_eq!([next(), next(), next(), next()], ["one\n", "\n", "two", ""]);
    }

    #[test]
    fn devices_folders_and_silent_pipes_are_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        refused(open_file(folder.path()), "it is a folder");
        for device in ["/dev/zero", "/dev/null", "/dev/tty"] {
            if Path::new(device).exists() {
                refused(open_file(Path::new(device)), "it is a character device");
            }
        }
        let fifo = fifo(folder.path());
        assert_eq!(read_file(&fifo, 10).unwrap(), b"");
    }

    #[test]
    fn a_pipe_is_read_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let fifo = fifo(folder.path());
        // Both ends at once: then no opening waits for the other.
        let both = OpenOptions::new().read(true).write(true).open(&fifo).unwrap();
        let reader = open_file(&fifo).unwrap();
        let writer = thread::spawn(move || {
            use std::io::Write as _;
            (&both).write_all(&vec![b'x'; 300_000]).unwrap();
        });
        assert_eq!(read_to_limit(reader, 300_000).unwrap().len(), 300_000);
        writer.join().unwrap();
    }

    fn fifo(folder: &Path) -> PathBuf {
        let path = folder.join("fifo");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    }

    #[test]
    fn values_are_counted() {
        let check = |text: &str, limit: usize, fits: bool| {
            assert_eq!(check_json(text.as_bytes(), limit).is_ok(), fits, "{text}");
        };
        check("", 0, true);
        check("7", 0, true);
        check("[1,2,3]", 3, true);
        check("[1,2,3]", 2, false);
        check("{\"a\":1,\"b\":{}}", 3, true);
        check("[[[[", 3, false);
    }
}
