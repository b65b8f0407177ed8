//! A history that something else broke or holds: it is said, and nothing is lost or repaired over.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use record::fixture;

use crate::digest;
use crate::support::{run, truedisk};

fn history(home: &Path, words: &[&str]) -> Output {
    let mut command = truedisk(["history"]);
    command.args(words).env("XDG_DATA_HOME", home);
    run(command)
}

/// A home whose history has one run, and the file of that run.
fn home() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let mut record = fixture::ssd_record();
    record.judgement = Some(analysis::judge(&record.measured));
    let file = home.path().join("in.json");
    std::fs::write(&file, record::store::to_json(&record).unwrap()).unwrap();
    let output = history(home.path(), &["import", file.to_str().unwrap()]);
    assert!(output.status.success(), "{output:?}");
    let data = home.path().join("truedisk");
    let database = std::fs::read_dir(data).unwrap().flatten().map(|entry| entry.path());
    let mut database = database.filter(|path| {
        std::fs::read(path).is_ok_and(|bytes| bytes.starts_with(b"SQLite format 3\0"))
    });
    let database = database.next().unwrap();
    (home, file, database)
}

#[test]
fn a_history_that_is_no_database_or_a_damaged_one_is_left_as_it_is() {
    let whole = {
        let (_home, _, database) = home();
        std::fs::read(database).unwrap()
    };
    let damaged = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at..at + 64].fill(0xA5);
        bytes
    };
    let cut = whole[..whole.len() / 2].to_vec();
    let contents = [b"not a database".to_vec(), vec![0xFF; 8192], cut, damaged(0), damaged(110)];
    for (number, bytes) in contents.into_iter().enumerate() {
        let (home, file, database) = home();
        std::fs::write(&database, &bytes).unwrap();
        let before = digest(&database);
        for words in [&["list"][..], &["show", "latest"], &["import", file.to_str().unwrap()]] {
            let output = history(home.path(), words);
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{number} {words:?}: {said}");
            let name = database.display();
            let error = format!("truedisk: {name} is not a truedisk history: ");
            assert!(said.starts_with(&error), "{number} {words:?}: {said}");
            assert!(said.contains("\nhint: move it away; "), "{number} {words:?}: {said}");
            assert!(output.stdout.is_empty(), "{number} {words:?}");
            assert_eq!(digest(&database), before, "{number} {words:?}");
        }
    }
}

#[test]
fn a_history_that_is_locked_is_not_broken_into() {
    lab::skip_unless!(lab::Need::Program("python3"));
    let (home, file, database) = home();
    let script = "import sqlite3, sys
base = sqlite3.connect(sys.argv[1], isolation_level=None)
base.execute('PRAGMA locking_mode=EXCLUSIVE')
base.execute('BEGIN EXCLUSIVE')
print('locked', flush=True)
sys.stdin.readline()
base.execute('ROLLBACK')";
    let mut command = Command::new("python3");
    command.args(["-c", script]).arg(&database).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut holder = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(holder.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "locked\n");
    let output = history(home.path(), &["import", file.to_str().unwrap()]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let _ = holder.stdin.take().unwrap().write_all(b"\n");
    holder.wait().unwrap();
    assert!(!output.status.success() && said.contains("locked"), "{said}");
    let listed = history(home.path(), &["list"]);
    assert!(listed.status.success(), "{listed:?}");
}
