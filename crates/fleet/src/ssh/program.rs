//! Our own program, to be sent to other hosts.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::error::SshError;

/// Of elf(5): the program needs a dynamic linker, and so the host's libraries.
const PT_INTERP: u32 = 3;

/// A program has about ten entries.
const ENTRIES_MAX: u16 = 128;

/// A program to be sent.
#[derive(Debug, Clone)]
pub struct Program {
    path: PathBuf,
    bytes: u64,
    is_static: bool,
}

impl Program {
    /// The running program; an error if it is no readable 64-bit ELF program.
    pub fn current() -> Result<Program, SshError> {
        // It leads to the program even if its file was replaced.
        Program::from_file(Path::new("/proc/self/exe"))
    }

    /// A program in a file.
    pub fn from_file(path: &Path) -> Result<Program, SshError> {
        let fail = |source| SshError::Program { path: path.to_owned(), source };
        let mut file = File::open(path).map_err(fail)?;
        let bytes = file.metadata().map_err(fail)?.len();
        let is_static = !has_interpreter(&mut file).map_err(fail)?;
        Ok(Program { path: path.to_owned(), bytes, is_static })
    }

    /// Its length in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether it needs nothing of the host but the kernel.
    #[must_use]
    pub fn is_static(&self) -> bool {
        self.is_static
    }

    pub(super) fn open(&self) -> io::Result<File> {
        File::open(&self.path)
    }
}

/// `uname -s` and `uname -m`.
pub(super) fn machine() -> String {
    let name = rustix::system::uname();
    format!("{} {}", name.sysname().to_string_lossy(), name.machine().to_string_lossy())
}

fn has_interpreter(file: &mut (impl Read + Seek)) -> io::Result<bool> {
    let wrong = |why| io::Error::new(io::ErrorKind::InvalidData, why);
    let mut head = [0_u8; 64];
    file.read_exact(&mut head)?;
    if head[..5] != *b"\x7fELF\x02" {
        return Err(wrong("it is no 64-bit ELF program"));
    }
    // e_phoff, e_phentsize and e_phnum of elf(5), in this machine's byte order.
    let table = u64::from_ne_bytes(read_array(&head[32..40]));
    let size = u16::from_ne_bytes(read_array(&head[54..56]));
    let count = u16::from_ne_bytes(read_array(&head[56..58]));
    if size < 4 || count > ENTRIES_MAX {
        return Err(wrong("its table of segments makes no sense"));
    }
    for index in 0..count {
        file.seek(SeekFrom::Start(table + u64::from(index) * u64::from(size)))?;
        let mut kind = [0_u8; 4];
        file.read_exact(&mut kind)?;
        if u32::from_ne_bytes(kind) == PT_INTERP {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The bytes of a field, whose length is constant.
fn read_array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut field = [0; N];
    for (to, from) in field.iter_mut().zip(bytes) {
        *to = *from;
    }
    field
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// A program's head with these segments.
    fn elf(kinds: &[u32]) -> Vec<u8> {
        let mut bytes = vec![0_u8; 64];
        bytes[..5].copy_from_slice(b"\x7fELF\x02");
        bytes[32..40].copy_from_slice(&64_u64.to_ne_bytes());
        bytes[54..56].copy_from_slice(&56_u16.to_ne_bytes());
        bytes[56..58].copy_from_slice(&u16::try_from(kinds.len()).unwrap().to_ne_bytes());
        for kind in kinds {
            bytes.extend(kind.to_ne_bytes());
            bytes.extend([0; 52]);
        }
        bytes
    }

    #[test]
    fn an_interpreter_is_found_where_there_is_one() {
        let check = |bytes: Vec<u8>| has_interpreter(&mut Cursor::new(bytes));
        assert!(!check(elf(&[6, 1, 1])).unwrap());
        assert!(check(elf(&[6, 3, 1])).unwrap());
        assert!(!check(elf(&[])).unwrap());
        assert!(check(b"#!/bin/sh\n".repeat(9)).unwrap_err().to_string().contains("no 64-bit ELF"));
        assert!(check(b"\x7fELF\x02".to_vec()).is_err());
        let mut many = elf(&[3]);
        many[56..58].copy_from_slice(&u16::MAX.to_ne_bytes());
        assert!(check(many).unwrap_err().to_string().contains("no sense"));
    }

    #[test]
    fn this_very_test_is_a_program() {
        let program = Program::current().unwrap();
        assert!(program.bytes() > 64);
        // `file` and `ldd` say of it what its table says.
        assert_eq!(program.is_static(), cfg!(target_feature = "crt-static"));
    }
}
