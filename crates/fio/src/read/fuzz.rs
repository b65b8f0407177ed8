//! An entry for fuzzing: any bytes as a job file or as a command line.

use super::keywords::Keywords;
use super::lookup::Table;
use super::{FileText, Files, World, read, show_command};
use std::ffi::OsString;
use std::io;

/// Reads any bytes: a job file, or with a dash in front a word of a command line per line.
/// Nothing is opened; includes fail.
pub fn fuzz_one(bytes: &[u8]) {
    let env = |name: &str| name.len().is_multiple_of(2).then(|| "4k".to_owned());
    let stdin = || Ok(bytes.to_vec());
    let keywords = Keywords { page_size: 4096, memory_mib: 1000, cpus: 2 };
    let world = World { files: &NoFiles, env: &env, keywords, stdin: &stdin };
    let args: Vec<OsString> = match bytes.first() {
        Some(b'-') => String::from_utf8_lossy(bytes).lines().map(OsString::from).collect(),
        _ => vec![OsString::from("-")],
    };
    if let Ok(reading) = read(&args, &Table, &world) {
        show_command(&reading);
    }
}

struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &str, _: Option<&str>) -> io::Result<FileText> {
        Err(io::Error::new(io::ErrorKind::PermissionDenied, "no files here"))
    }
}
