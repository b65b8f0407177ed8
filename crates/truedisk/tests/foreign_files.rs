//! Files of anybody, as the commands read them: too large, endless, misnamed, or full of text.
//!
//! Every command runs under a limit of 512 MiB on its address space, so that a reader without a
//! bound aborts.
#![allow(clippy::unwrap_used)] // also helpers of tests may fail

mod support;

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use lab::{Need, skip_unless};
use record::{fixture, store};
use support::truedisk;

/// All the address space that a command may have.
const MEMORY_MAX: u64 = 512 << 20;
/// More than a record may unpack to.
const TOO_MUCH: u64 = 300 << 20;

/// The command, with little memory.
fn limited(args: &[&str], home: &Path) -> Output {
    let plain = truedisk(args);
    let mut command = Command::new("prlimit");
    command.arg(format!("--as={MEMORY_MAX}")).arg(plain.get_program()).args(plain.get_args());
    command.env("XDG_DATA_HOME", home).env_remove("TRUEDISK_HISTORY");
    // A reader of the standard input has nothing to wait for.
    command.stdin(std::process::Stdio::null());
    command.output().unwrap()
}

/// Asserts that a command ends with this status, and with one short error that has these words.
#[track_caller]
fn check_refused(output: &Output, status: i32, words: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    let head: String = stderr.chars().take(2000).collect();
    assert_eq!(output.status.code(), Some(status), "{head}");
    assert!(stderr.contains(words), "'{words}' is missing in: {head}");
    assert!(stderr.lines().count() <= 3 && stderr.len() < 1500, "{head}");
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A file of few bytes that unpacks to `head` and very many of `fill`.
fn bomb(folder: &Path, name: &str, head: &str, fill: u8) -> PathBuf {
    let path = folder.join(name);
    let file = fs::File::create(&path).unwrap();
    let mut packed = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    packed.write_all(head.as_bytes()).unwrap();
    io::copy(&mut io::repeat(fill).take(TOO_MUCH), &mut packed).unwrap();
    packed.finish().unwrap();
    assert!(fs::metadata(&path).unwrap().len() < 4 << 20);
    path
}

fn fifo(folder: &Path) -> PathBuf {
    let path = folder.join("fifo");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    path
}

#[test]
fn what_unpacks_to_too_much_is_one_error_within_little_memory() {
    skip_unless!(Need::Program("prlimit"));
    let room = tempfile::tempdir_in("/var/tmp").unwrap();
    let good = room.path().join("good.json");
    fs::write(&good, store::to_json(&fixture::ssd_record()).unwrap()).unwrap();
    let start = "{\"schema_version\":3,\"tool\":{\"name\":\"";
    let larger = "it is larger than 256 MiB";
    for (name, head, fill) in [
        ("nested.json.gz", "", b'['),
        ("lines.json.gz", "", b'\n'),
        ("string.json.gz", start, b'x'),
        ("fio.json.gz", "{\"fio version\" : \"fio-3.33\", \"jobs\" : [", b' '),
    ] {
        let bomb = bomb(room.path(), name, head, fill);
        let output = limited(&["history", "import", text(&bomb)], room.path());
        check_refused(&output, 2, larger);
    }
    let bomb = bomb(room.path(), "again.json.gz", start, b'x');
    let bomb = text(&bomb);
    for args in [
        vec!["compare", bomb, text(&good)],
        vec!["model", "ladder", "--against", bomb],
        vec!["sweep", "--resume", bomb],
    ] {
        check_refused(&limited(&args, room.path()), 2, larger);
    }
}

/// What is kept of lines before one that is too long stays.
#[test]
fn a_line_that_is_too_long_ends_an_import_where_it_stands() {
    skip_unless!(Need::Program("prlimit"));
    let room = tempfile::tempdir_in("/var/tmp").unwrap();
    let record = fixture::ssd_record();
    let head = format!("{}\n{{\"a\":\"", store::to_json(&record).unwrap());
    let bomb = bomb(room.path(), "runs.jsonl.gz", &head, b'x');
    let output = limited(&["history", "import", text(&bomb)], room.path());
    check_refused(&output, 2, "it is larger than 256 MiB");
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("kept {}\n", record.measured.id));
}

#[test]
fn devices_and_silent_pipes_are_no_input() {
    skip_unless!(Need::Program("prlimit"));
    let room = tempfile::tempdir_in("/var/tmp").unwrap();
    let good = room.path().join("good.json");
    fs::write(&good, store::to_json(&fixture::ssd_record()).unwrap()).unwrap();
    let fifo = fifo(room.path());
    let trace = |path: &str| format!("--read_iolog={path}");
    for (path, words) in [("/dev/zero", "a character device"), (text(&fifo), "")] {
        let plan = format!("{path}:x");
        let jobs: [(&[&str], i32); 7] = [
            (&["compare", path, text(&good)], 2),
            (&["history", "import", path], 2),
            (&["model", "ladder", "--against", path], 2),
            (&["sweep", "--resume", path], 2),
            (&["model", &plan], 2),
            (&["fio", path], 1),
            (&["fio", "--name=a", "--ioengine=null", "--size=1m", &trace(path)], 1),
        ];
        for (args, status) in jobs {
            check_refused(&limited(args, room.path()), status, words);
        }
    }
    check_refused(&limited(&["preset", "--show", "/dev/zero"], room.path()), 2, "device");
}

#[test]
fn errors_quote_little_of_a_long_text() {
    skip_unless!(Need::Program("prlimit"));
    let room = tempfile::tempdir_in("/var/tmp").unwrap();
    let good = store::to_json(&fixture::ssd_record()).unwrap();
    let write = |name: &str, text: String| {
        let path = room.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let plain = write("good.json", good.clone());
    let long = "y".repeat(8 << 20);
    let odd = good.replacen("\"cells\":", &format!("\"cells\":\"{long}\",\"x\":"), 1);
    let odd = write("odd.json", odd);
    check_refused(&limited(&["compare", &odd, &plain], room.path()), 2, "invalid type: string");
    check_refused(&limited(&["history", "import", &odd], room.path()), 2, "invalid type: string");

    let long = "y".repeat(1 << 20);
    let preset = write("odd.toml", format!("{long} = 1\n"));
    check_refused(&limited(&["preset", "--show", &preset], room.path()), 2, "unknown field");
    let preset = write("size.toml", format!("title = \"x\"\nsize = \"{long}\"\n"));
    check_refused(&limited(&["preset", "--show", &preset], room.path()), 2, "preset 'size'");
    let plan = write("plans.toml", format!("[x]\niops = \"{long}\"\n"));
    let plan = format!("{plan}:x");
    check_refused(&limited(&["model", &plan], room.path()), 2, "is not a file of plans");
    let jobs = write("odd.fio", format!("[a]\nbs={}\n", "y".repeat(60_000)));
    check_refused(&limited(&["fio", &jobs], room.path()), 1, "bs=y");
    let trace = write("odd.log", format!("fio version 2 iolog\n{} x y\n", "y".repeat(8000)));
    let words =
        ["fio", "--name=a", "--ioengine=null", "--size=1m", &format!("--read_iolog={trace}")];
    check_refused(&limited(&words, room.path()), 1, "line 2");
}

#[test]
fn texts_of_people_are_small() {
    skip_unless!(Need::Program("prlimit"));
    let room = tempfile::tempdir_in("/var/tmp").unwrap();
    let path = room.path().join("large.toml");
    fs::write(&path, vec![b'\n'; (4 << 20) + 1]).unwrap();
    let path = text(&path);
    let words = "it is larger than 4 MiB";
    check_refused(&limited(&["preset", "--show", path], room.path()), 2, words);
    check_refused(&limited(&["model", &format!("{path}:x")], room.path()), 2, words);
    check_refused(&limited(&["fio", path], room.path()), 1, words);
}

#[test]
fn an_id_is_no_path_and_no_word_of_the_command_line() {
    skip_unless!(Need::Program("prlimit"));
    let room = tempfile::tempdir_in("/var/tmp").unwrap();
    let home = room.path().join("home");
    let record = fixture::ssd_record();
    let json = store::to_json(&record).unwrap();
    for odd in ["latest", "-o", "before-upgrade", "../../evil", "/var/tmp/evil"] {
        let file = room.path().join("odd.json");
        fs::write(&file, json.replacen(&record.measured.id, odd, 1)).unwrap();
        let words = format!("'{odd}' is no id of a run");
        check_refused(&limited(&["history", "import", text(&file)], &home), 2, &words);
        check_refused(&limited(&["sweep", "--resume", text(&file)], &home), 2, &words);
    }
    let left: Vec<_> = fs::read_dir(room.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "the file, and the home: {left:?}");
    // A tag cannot take the place of an id either.
    let file = room.path().join("odd.json");
    fs::write(&file, &json).unwrap();
    assert!(limited(&["history", "import", text(&file)], &home).status.success());
    let tag = limited(&["history", "tag", &record.measured.id, "20261121T020304Z-5f3a9c21"], &home);
    check_refused(&tag, 2, "it has the form of a run's id");
}

#[test]
fn a_number_in_a_job_file_reserves_no_memory() {
    skip_unless!(Need::Program("prlimit"));
    let room = tempfile::tempdir_in("/var/tmp").unwrap();
    let path = room.path().join("many.fio");
    let jobs = "[a]\nioengine=null\nsize=1m\nnumjobs=4294967295\n[b]\nnumjobs=4294967295\n";
    fs::write(&path, jobs).unwrap();
    let words = "8589934590 jobs are more than --max-jobs=4096";
    check_refused(&limited(&["fio", text(&path)], room.path()), 1, words);
    let ranges = vec!["0-65535"; 8000].join(",");
    fs::write(&path, format!("[a]\nioengine=null\nsize=1m\ncpus_allowed={ranges}\n")).unwrap();
    let output = limited(&["fio", "--parse-only", text(&path)], room.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_folder_of_too_many_records_is_not_read() {
    skip_unless!(Need::Program("prlimit"));
    let room = tempfile::tempdir_in("/dev/shm").unwrap();
    let folder = room.path().join("runs");
    fs::create_dir(&folder).unwrap();
    for number in 0..1001 {
        fs::write(folder.join(format!("{number}.json")), "").unwrap();
    }
    let good = room.path().join("good.json");
    fs::write(&good, store::to_json(&fixture::ssd_record()).unwrap()).unwrap();
    let output = limited(&["compare", text(&folder), text(&good)], room.path());
    check_refused(&output, 2, "holds 1001 records");
}
