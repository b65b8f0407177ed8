//! What reading takes from the system.

use std::io;
use std::path::Path;

use super::keywords::Keywords;
use super::limits;

/// What reading takes from the system.
pub struct ReadEnvironment<'a> {
    pub files: &'a dyn FileSource,
    pub env: &'a dyn Fn(&str) -> Option<String>,
    pub keywords: Keywords,
    /// The standard input to its end, for the job file `-`.
    pub stdin: &'a dyn Fn() -> io::Result<Vec<u8>>,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileText {
    /// The path that was opened; two names of it are found to be the same file by this.
    pub path: String,
    pub bytes: Vec<u8>,
}

/// Where job files come from.
pub trait FileSource {
    /// Reads a job file, or with `from` one that the file `from` includes: then `path` is tried
    /// as it is first, and next to `from` after that.
    /// Errors: what the system says.
    fn read(&self, path: &str, from: Option<&str>) -> io::Result<FileText>;
}

/// Files of the system.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiskFiles;

impl FileSource for DiskFiles {
    fn read(&self, path: &str, from: Option<&str>) -> io::Result<FileText> {
        let next_to = from.and_then(|from| Path::new(from).parent()).map(|dir| dir.join(path));
        let first = read_bounded(Path::new(path));
        match (first, next_to) {
            (Err(error), Some(next_to)) if error.kind() == io::ErrorKind::NotFound => {
                read_bounded(&next_to)
            }
            (result, _) => result,
        }
    }
}

fn read_bounded(path: &Path) -> io::Result<FileText> {
    let bytes = input::read_file(path, limits::FILE_BYTES_MAX)?;
    Ok(FileText { path: path.to_string_lossy().into_owned(), bytes })
}
