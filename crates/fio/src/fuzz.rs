//! An entry for fuzzing: any bytes as a job file or as a command line.

use crate::plan::{count_instances, expand_instances};
use crate::read::{FileSource, FileText, Keywords, ReadEnvironment, read_command, show_command};
use crate::request::{read_jobs, read_switches};
use std::ffi::OsString;
use std::io;

/// Default of `--max-jobs`.
const JOBS_MAX: u64 = 4096;

/// Reads any bytes: a job file, or with a dash in front a word of a command line per line. No job
/// file is opened; includes fail.
pub fn fuzz_one(bytes: &[u8]) {
    let env = |name: &str| name.len().is_multiple_of(2).then(|| "4k".to_owned());
    let stdin = || Ok(bytes.to_vec());
    let keywords = Keywords { page_size: 4096, memory_mib: 1000, cpus: 2 };
    let world = ReadEnvironment { files: &NoFiles, env: &env, keywords, stdin: &stdin };
    let args: Vec<OsString> = match bytes.first() {
        Some(b'-') => String::from_utf8_lossy(bytes).lines().map(OsString::from).collect(),
        _ => vec![OsString::from("-")],
    };
    let Ok(reading) = read_command(&args, &world) else { return };
    show_command(&reading);
    let _ = read_switches(&reading);
    let Ok(jobs) = read_jobs(&reading) else { return };
    if count_instances(&jobs.sections) <= JOBS_MAX {
        let _ = expand_instances(&jobs.sections);
    }
}

struct NoFiles;

impl FileSource for NoFiles {
    fn read(&self, _: &str, _: Option<&str>) -> io::Result<FileText> {
        Err(io::Error::new(io::ErrorKind::PermissionDenied, "no files here"))
    }
}
