//! Writing traces.

use std::io::Write;

use super::action::{IoKind, Version};

/// Why a trace could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("cannot write the I/O trace: {0}; look at the space and the rights of its folder")]
    Io(#[from] std::io::Error),
    #[error("cannot trace {0:?}: a line feed in a name would break the trace; rename the file")]
    Name(String),
}

/// Writes a trace as `write_iolog` does. Times are nanoseconds since the start of the run, and
/// stand in the file in microseconds. It is of version 3, as that of fio 3.31 and later.
/// fio appends to a file that is there already, and cannot read the result; start a new file.
/// It also writes, but cannot read, names with spaces in them; our [`super::IologReader`] can.
#[derive(Debug)]
pub struct IologWriter<W: Write> {
    out: W,
}

impl<W: Write> IologWriter<W> {
    /// Starts a trace with its first line.
    pub fn new(mut out: W) -> Result<Self, WriteError> {
        writeln!(out, "{}", Version::V3.header())?;
        Ok(Self { out })
    }

    /// Says that a file will be used; before anything else of that file. `name` is its full path.
    pub fn add_file(&mut self, time_ns: u64, name: &str) -> Result<(), WriteError> {
        self.write_line(time_ns, name, format_args!("add"))
    }

    pub fn open_file(&mut self, time_ns: u64, name: &str) -> Result<(), WriteError> {
        self.write_line(time_ns, name, format_args!("open"))
    }

    pub fn close_file(&mut self, time_ns: u64, name: &str) -> Result<(), WriteError> {
        self.write_line(time_ns, name, format_args!("close"))
    }

    /// Says that an operation was issued; offset and length in bytes, 0 of `sync` and `datasync`.
    pub fn write_operation(
        &mut self,
        time_ns: u64,
        name: &str,
        kind: IoKind,
        offset: u64,
        length: u64,
    ) -> Result<(), WriteError> {
        self.write_line(time_ns, name, format_args!("{} {offset} {length}", kind.word()))
    }

    /// Flushes, and gives the file back.
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.out.flush()?;
        Ok(self.out)
    }

    fn write_line(
        &mut self,
        time_ns: u64,
        name: &str,
        rest: std::fmt::Arguments<'_>,
    ) -> Result<(), WriteError> {
        if name.contains(['\n', '\r']) {
            return Err(WriteError::Name(name.to_owned()));
        }
        Ok(writeln!(self.out, "{} {name} {rest}", time_ns / 1000)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_look_like_fios() {
        let mut log = IologWriter::new(Vec::new()).unwrap();
        log.add_file(0, "/a").unwrap();
        log.open_file(31_999, "/a").unwrap();
        log.write_operation(151_000, "/a", IoKind::Write, 61_440, 4096).unwrap();
        log.write_operation(160_000, "/a", IoKind::Datasync, 0, 0).unwrap();
        log.write_operation(170_000, "/a", IoKind::Trim, 0, 512).unwrap();
        log.close_file(2_000_000_000, "/a").unwrap();
        assert_eq!(
            String::from_utf8(log.finish().unwrap()).unwrap(),
            "fio version 3 iolog\n0 /a add\n31 /a open\n151 /a write 61440 4096\n\
             160 /a datasync 0 0\n170 /a trim 0 512\n2000000 /a close\n"
        );
    }

    #[test]
    fn names_that_break_lines_are_refused() {
        let mut log = IologWriter::new(Vec::new()).unwrap();
        let error = log.open_file(0, "/a\nb").unwrap_err().to_string();
        assert!(error.contains(r#""/a\nb""#), "{error}");
    }
}
