//! For tests against the real fio.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::read::{DiskFiles, Keywords, ParsedCommand, ReadEnvironment, read_command};

/// Leaves the test, by name, unless all these programs (or, with a slash, files) are there.
macro_rules! skip_unless {
    ($($program:expr),+) => {
        $(if $program.contains('/') {
            if !$crate::tests::there($program) {
                eprintln!("skipped: needs {}", $program);
                return;
            }
        } else {
            lab::skip_unless!(lab::Need::Program($program));
        })+
    };
}
pub(crate) use skip_unless;

/// Whether a program (or, with a slash, a file) is there.
pub(crate) fn there(program: &str) -> bool {
    if program.contains('/') {
        return Path::new(program).exists();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).exists())
}

/// A command line as read.
pub(crate) fn read_words(words: &[&str]) -> ParsedCommand {
    let keywords = Keywords { page_size: 4096, memory_mib: 1, cpus: 1 };
    let (env, stdin) = (|_: &str| None, || Ok(Vec::new()));
    let environment = ReadEnvironment { files: &DiskFiles, env: &env, keywords, stdin: &stdin };
    let words: Vec<OsString> = words.iter().map(OsString::from).collect();
    read_command(&words, &environment).unwrap()
}

/// A folder that goes with the test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = PathBuf::from(format!("/var/tmp/fiologs-{}-{number}", std::process::id()));
        fs::create_dir(&path).unwrap();
        Self(path)
    }

    /// Full path of a file in it.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), bytes).unwrap();
    }

    /// Names of all files in it, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> =
            entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs fio in it; words of `args` are its arguments.
    pub(crate) fn fio(&self, args: &str) -> Output {
        self.run("fio", &args.split_whitespace().collect::<Vec<_>>())
    }

    pub(crate) fn run(&self, program: &str, args: &[&str]) -> Output {
        let output = Command::new(program).args(args).current_dir(&self.0).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{program} {args:?}: {error}");
        output
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
