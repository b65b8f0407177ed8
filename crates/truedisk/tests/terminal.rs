//! No foreign text moves a terminal: control characters are written out, wherever they come from.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test's helpers may fail the test")]

mod support;

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use lab::Scratch;
use record::Record;
use serde_json::Value;

use support::{beside, run};

/// A title of a window, a bell, a colour by a C1 control, and text that runs backwards.
const POISON: &str = "x\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}y";

fn is_obeyed(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn truedisk(room: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_truedisk"));
    command.args(words).stdin(Stdio::null()).env_remove("TRUEDISK_HISTORY");
    command.env("XDG_DATA_HOME", room.join("home")).env("XDG_CONFIG_HOME", room.join("config"));
    command
}

/// Runs a command and asserts that neither stream moves a terminal; gives status and both.
fn search(command: Command) -> (Option<i32>, String) {
    let words = format!("{:?}", command.get_args());
    let output = run(command);
    let mut said = String::new();
    for bytes in [output.stdout, output.stderr] {
        let text = String::from_utf8(bytes).unwrap_or_else(|_| panic!("{words}: no UTF-8"));
        let found = text.char_indices().find(|(_, c)| is_obeyed(*c));
        if let Some((at, c)) = found {
            let near: String = text[..at].chars().rev().take(60).collect();
            let near: String = near.chars().rev().collect();
            panic!("{words}: {c:?} behind {near:?}");
        }
        said.push_str(&text);
    }
    (output.status.code(), said)
}

/// Every string of a document, by its path.
fn strings(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::String(_) => found.push(at.to_owned()),
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                strings(item, &format!("{at}/{place}"), found);
            }
        }
        Value::Object(map) => {
            for (key, item) in map {
                let key = key.replace('~', "~0").replace('/', "~1");
                strings(item, &format!("{at}/{key}"), found);
            }
        }
        _ => {}
    }
}

/// The record with poison in every string that may be any; how many these are.
fn poisoned(record: &Record) -> (Value, usize) {
    let mut document = serde_json::to_value(record).unwrap();
    let mut places = Vec::new();
    strings(&document, "", &mut places);
    let mut free: HashMap<String, bool> = HashMap::new();
    let mut count = 0;
    for place in places {
        let slot = document.pointer_mut(&place).unwrap();
        let before = slot.clone();
        *slot = Value::String(format!("{}{POISON}", before.as_str().unwrap()));
        // Times, sizes, and words of a list are not free. The same field of all the elements of an
        // array is as free as in the first.
        let is_index = |part: &&str| !part.chars().all(|c| c.is_ascii_digit());
        let field: Vec<&str> = place.split('/').filter(is_index).collect();
        let is_free = *free
            .entry(field.join("/"))
            .or_insert_with(|| serde_json::from_value::<Record>(document.clone()).is_ok());
        if is_free {
            count += 1;
        } else {
            *document.pointer_mut(&place).unwrap() = before;
        }
    }
    assert!(serde_json::from_value::<Record>(document.clone()).is_ok());
    (document, count)
}

fn records() -> [(&'static str, Record); 5] {
    let mut all = [
        ("ssd", record::fixture::ssd_record()),
        ("limit", record::fixture::limit_record()),
        ("open", record::fixture::open_loop_limit_record()),
        ("two", record::fixture::two_job_limit_record()),
        ("fleet", record::fixture::fleet_record()),
    ];
    for (_, record) in &mut all {
        record.judgement = Some(analysis::judge(&record.measured));
        // What would be a file of its own each is not what is tested.
        for cell in &mut record.measured.cells {
            cell.intervals.truncate(2);
        }
    }
    all
}

#[test]
fn a_foreign_record_moves_no_terminal() {
    let scratch = Scratch::new().unwrap();
    let room = scratch.path();
    for (name, mut record) in records() {
        record.measured.id += name;
        let (mut document, count) = poisoned(&record);
        assert!(count > 20, "{name}: {count} strings are free");
        let write = |document: &Value, name: &str| {
            let file = room.join(name);
            fs::write(&file, document.to_string()).unwrap();
            file.to_str().unwrap().to_owned()
        };
        // An id that is no file name is printed, too.
        let odd = write(&document, &format!("{name}-odd{POISON}.json"));
        search(truedisk(room, &["compare", &odd, &odd]));
        search(truedisk(room, &["history", "import", &odd]));

        // Cells that two records share are compared only where the plans are alike.
        document["measured"]["id"] = format!("{}-a", record.measured.id).into();
        let a = write(&document, &format!("{name}-a.json"));
        document["measured"]["id"] = format!("{}-b", record.measured.id).into();
        let b = write(&document, &format!("{name}-b.json"));
        let (_, said) = search(truedisk(room, &["compare", &a, &b]));
        assert!(said.contains("\\u{1b}]0;owned"), "{name}: {said}");
        search(truedisk(room, &["compare", &a, &b, "--json", "-"]));
        let (status, said) = search(truedisk(room, &["history", "import", &a, &b]));
        assert_eq!(status, Some(0), "{said}");
        let (a, b) = (format!("{}-a", record.measured.id), format!("{}-b", record.measured.id));
        let (status, said) = search(truedisk(room, &["history", "show", &a]));
        assert_eq!(status, Some(0), "{said}");
        assert!(said.contains("\\u{1b}]0;owned"), "{name}: {said}");
        search(truedisk(room, &["history", "show", &a, "--json", "-"]));
        search(truedisk(room, &["history", "diff", &a, &b]));
        let place = record.measured.target_path() + POISON;
        search(truedisk(room, &["history", "trend", &place]));
        search(truedisk(room, &["history", "trend", &place, "--metric", "p99"]));
    }
    let (status, said) = search(truedisk(room, &["history", "list"]));
    assert!(status == Some(0) && said.contains("\\u{1b}]0;own"), "{said}");
    search(truedisk(room, &["history", "list", "--json"]));
    for format in ["csv", "jsonl"] {
        let (status, said) =
            search(truedisk(room, &["history", "export", "-o", "-", "--format", format]));
        assert_eq!(status, Some(0), "{said}");
    }
    search(truedisk(room, &["history", "delete", POISON]));
    search(truedisk(room, &["history", "tag", "latest", POISON]));
}

#[test]
fn the_command_on_a_folder_with_such_a_name_moves_no_terminal() {
    let _beside = beside();
    let scratch = Scratch::new().unwrap();
    let room = scratch.path();
    let folder = room.join(POISON);
    fs::create_dir(&folder).unwrap();
    let folder = folder.to_str().unwrap();
    let sweep = ["sweep", "--size", "16m", "--rw", "randread", "--bs", "4k", "--depth", "1"];
    for extra in [&[][..], &["--json", "-", "--no-history"]] {
        let mut command = truedisk(room, &sweep);
        command.args(["--cell-max", "1s", "--budget", "2s"]).args(extra).arg(folder);
        let (status, said) = search(command);
        assert!(matches!(status, Some(0 | 3)), "{said}");
        assert!(said.contains("owned"), "{said}");
    }
    for words in [
        &["ping", "-c", "2", "-i", "0", folder][..],
        &["ping", "-c", "2", "-i", "0", "-J", folder],
        &["ping", "-c", "2", "-i", "0", "-B", folder],
    ] {
        let (status, said) = search(truedisk(room, words));
        assert_eq!(status, Some(0), "{said}");
    }
    let (_, said) = search(truedisk(room, &["history", "list"]));
    assert!(said.contains("owned"), "{said}");
}

#[test]
fn a_job_of_fio_with_such_a_name_moves_no_terminal() {
    let scratch = Scratch::new().unwrap();
    let room = scratch.path();
    let name = format!("--name={POISON}");
    let words = ["fio", &name, "--ioengine=null", "--size=4k", "--bs=4k", "--rw=read"];
    for format in ["normal", "terse", "json", "json+"] {
        let mut command = truedisk(room, &words);
        let format = format!("--output-format={format}");
        command.args([&format, "--eta=never"]);
        let (status, said) = search(command);
        assert!(status == Some(0) && said.contains("owned"), "{format}: {said}");
        let file = room.join(format.replace("--output-format=", "out-"));
        let mut command = truedisk(room, &words);
        command.arg(&format).arg("--output").arg(&file);
        let (status, said) = search(command);
        assert_eq!(status, Some(0), "{format}: {said}");
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains("owned") && !text.contains(is_obeyed), "{format}: {text:?}");
    }
    let mut command = truedisk(room, &words);
    command.args(["--eta=always", "--runtime=1", "--time_based"]);
    // fio's line of progress ends with a carriage return of our own.
    let text = String::from_utf8(run(command).stdout).unwrap().replace('\r', "\n");
    assert!(text.contains("owned") && !text.contains(is_obeyed), "{text:?}");
}

#[test]
fn errors_quote_such_names_harmlessly() {
    let scratch = Scratch::new().unwrap();
    let room = scratch.path();
    let missing = room.join(POISON);
    let missing = missing.to_str().unwrap();
    let job = room.join("job.fio");
    fs::write(&job, format!("[a]\n{POISON}=1\n")).unwrap();
    let preset = room.join("config/truedisk/presets");
    fs::create_dir_all(&preset).unwrap();
    fs::write(preset.join(format!("{POISON}.toml")), format!("{POISON} = 1\n")).unwrap();
    for words in [
        &["check", missing][..],
        &[POISON],
        &["check", &format!("--{POISON}")],
        &["check", "--quick", POISON, POISON],
        &["check", "--size", POISON],
        &["explain", POISON],
        &["ping", "-c", "1", missing],
        &["ping", POISON],
        &["ping", &format!("-{POISON}")],
        &["compare", missing, missing],
        &["model", POISON],
        &["preset", POISON],
        &["preset", missing],
        &["fio", job.to_str().unwrap()],
        &["fio", missing],
        &["fio", "--name=a", &format!("--rw={POISON}")],
        &["fio", "--name=a", &format!("--filename={missing}"), "--rw=read", "--readonly"],
        &["fio", &format!("--cmdhelp={POISON}")],
        &["history", "show", POISON],
        &["history", "import", missing],
        &["history", "trend", missing],
        &["fleet", "--nats", POISON, "list"],
        &["fleet", "--ssh", POISON, "list"],
        &["agent", "--nats", "127.0.0.1:1", "--allow", missing],
        &["sweep", "--resume", missing],
    ] {
        let (status, said) = search(truedisk(room, words));
        assert!(status != Some(0) && !said.is_empty(), "{words:?}: {said}");
    }
    let (status, said) = search(truedisk(room, &["preset"]));
    assert!(status == Some(0) && said.contains("\\u{1b}]0;owned"), "{said}");
    search(truedisk(room, &["devices"]));
    search(truedisk(room, &["devices", "--json", "-"]));
}

#[test]
fn bytes_that_are_no_text_are_replaced() {
    use std::os::unix::ffi::OsStrExt as _;
    let scratch = Scratch::new().unwrap();
    let odd = std::ffi::OsStr::from_bytes(b"/no/such/\xff\xfe\x1b[2J\xc2");
    let mut command = truedisk(scratch.path(), &["check"]);
    command.arg(odd);
    let (status, said) = search(command);
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("/no/such/\u{fffd}"), "{said}");
}
