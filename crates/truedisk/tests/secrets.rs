//! No secret of a command line is kept or shown: every file and every stream of a run is searched.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test's helpers may fail the test")]

mod support;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use lab::{NatsServer, Need, Scratch, skip_unless};

use support::{beside, run};

const PROGRAM: &str = env!("CARGO_BIN_EXE_truedisk");
const SECRET: &str = "hunter2Xq9";
/// How long an agent may take until it listens.
const READY_LIMIT: Duration = Duration::from_secs(20);

/// The command with all that it keeps in a folder.
fn truedisk(room: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(words).stdin(Stdio::null()).env_remove("TRUEDISK_HISTORY");
    command.env("XDG_DATA_HOME", room.join("home")).env("XDG_STATE_HOME", room.join("state"));
    command
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => files_below(&entry.path(), files),
            kind if kind.is_file() => files.push(entry.path()),
            _ => {}
        }
    }
}

fn contains(bytes: &[u8], words: &str) -> bool {
    bytes.windows(words.len()).any(|window| window == words.as_bytes())
}

/// Asserts that no file below a folder has the secret; gives how many were searched.
fn search_files(room: &Path) -> usize {
    let mut files = Vec::new();
    files_below(room, &mut files);
    for file in &files {
        let bytes = fs::read(file).unwrap();
        let unpacked = record::store::decompress(&bytes, file).unwrap();
        assert!(!contains(&unpacked, SECRET), "{}", file.display());
    }
    files.len()
}

fn search_output(output: &Output) -> String {
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!stdout.contains(SECRET), "{stdout}");
    assert!(!stderr.contains(SECRET), "{stderr}");
    format!("{stdout}{stderr}")
}

struct Agent(Child);

impl Agent {
    fn start(room: &Path, url: &str) -> Agent {
        let log = room.join("agent.log");
        let data = room.join("data");
        let mut command = truedisk(room, &["agent", "--nats", url, "--name", "a", "--allow"]);
        command.arg(data).arg("--spool").arg(room.join("spool"));
        command.stdout(Stdio::null()).stderr(File::create(&log).unwrap());
        let agent = Agent(command.spawn().unwrap());
        let begun = Instant::now();
        while !fs::read_to_string(&log).unwrap().contains("is ready") {
            assert!(begun.elapsed() < READY_LIMIT, "{}", fs::read_to_string(&log).unwrap());
            // sleeps because the agent says that it is ready in a file, which is looked at again
            std::thread::sleep(Duration::from_millis(20));
        }
        agent
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_run_over_hosts_keeps_no_password() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let scratch = Scratch::new().unwrap();
    let room = scratch.path();
    let data = room.join("data");
    fs::create_dir(&data).unwrap();
    let server = NatsServer::options().user("bob", SECRET).start().unwrap();
    let url = server.url().replace("://", &format!("://bob:{SECRET}@"));
    let _agent = Agent::start(room, &url);
    let (json, page) = (room.join("r.json"), room.join("r.html"));
    let [json, page, data] = [&json, &page, &data].map(|path| path.to_str().unwrap());

    let words = ["fleet", "--nats", &url, "check", "--quick", "--size", "64M"];
    let mut command = truedisk(room, &words);
    let output = run({
        command.args(["--json", json, "--html", page, data]);
        command
    });
    let said = search_output(&output);
    assert!(fs::read_to_string(json).unwrap().contains("nats://***@127.0.0.1"), "{said}");
    assert!(fs::read_to_string(page).unwrap().contains("nats://***@127.0.0.1"), "{said}");
    assert!(room.join("home/truedisk/history.db").exists(), "{said}");

    // What cannot be kept here stays in the agent's spool.
    let nats = format!("--nats={url}");
    let sweep = ["fleet", &nats, "sweep", "--size", "64M", "--rw", "randread"];
    let mut command = truedisk(room, &sweep);
    command.args([
        "--bs",
        "4k",
        "--depth",
        "1",
        "--cell-max",
        "1s",
        "--budget",
        "2s",
        "--json",
        "-",
        data,
    ]);
    command.env("TRUEDISK_HISTORY", format!("postgres://ann:{SECRET}@127.0.0.1:1/runs"));
    let said = search_output(&run(command));
    assert!(said.contains("--nats=nats://***@"), "{said}");
    let mut spooled = Vec::new();
    files_below(&room.join("spool"), &mut spooled);
    assert!(!spooled.is_empty(), "the spool has a record to be searched");

    search_output(&run(truedisk(room, &["fleet", "--nats", &url, "list"])));
    let count = search_files(room);
    assert!(count >= 6, "{count} files: two results, history, page, spool, log");
}

#[test]
fn errors_quote_no_password() {
    let scratch = Scratch::new().unwrap();
    let room = scratch.path();
    let check = |words: &[&str], expected: &str| {
        let output = run(truedisk(room, words));
        assert!(!output.status.success());
        let said = search_output(&output);
        assert!(said.contains(expected), "{words:?}: {said}");
    };
    let unreachable = format!("nats://bob:{SECRET}@127.0.0.1:1");
    check(&["fleet", "--nats", &unreachable, "list"], "nats://***@127.0.0.1:1");
    let bare = format!("bob:{SECRET}@127.0.0.1:1");
    check(&["fleet", "--nats", &bare, "list"], "***@127.0.0.1:1");
    let odd = format!("nats://bob:a,{SECRET}@127.0.0.1:1");
    check(&["fleet", "--nats", &odd, "list"], "nats://***@127.0.0.1:1");
    let word = format!("nats://bob:{SECRET}@db1");
    check(&["nats", &word], "unrecognized subcommand");
    check(&["check", "a", &word], "nats://***@db1");
    check(&["check", &word], "nats://***@db1");
    check(&["fio", &word], "nats://***@db1");
    check(&["compare", &word, "x"], "nats://***@db1");

    for address in [
        format!("postgres://ann:{SECRET}@127.0.0.1:1/runs"),
        format!("postgres://ann@127.0.0.1:1/runs?password={SECRET}"),
        format!("mysql://ann:{SECRET}@127.0.0.1/runs"),
        format!("ann:{SECRET}@127.0.0.1"),
    ] {
        let mut command = truedisk(room, &["history", "list"]);
        command.env("TRUEDISK_HISTORY", &address);
        let output = run(command);
        assert_eq!(output.status.code(), Some(2), "{address}");
        search_output(&output);
    }
    search_files(room);
}

#[test]
fn a_run_that_the_history_refuses_is_rescued_without_its_password() {
    let _beside = beside();
    let scratch = Scratch::new().unwrap();
    let room = scratch.path();
    let data = room.join("data");
    fs::create_dir(&data).unwrap();
    let sweep = ["sweep", "--size", "64M", "--rw", "randread", "--bs", "4k", "--depth", "1"];
    let mut command = truedisk(room, &sweep);
    command.args(["--cell-max", "1s", "--budget", "2s"]).arg(&data);
    command.env("TRUEDISK_HISTORY", format!("postgres://ann:{SECRET}@127.0.0.1:1/runs"));
    let output = run(command);
    let said = search_output(&output);
    assert!(said.contains("the run was not kept"), "{said}");
    assert!(search_files(room) > 0, "{said}");
}

#[test]
fn a_secret_in_an_old_record_is_neither_kept_nor_shown() {
    let scratch = Scratch::new().unwrap();
    let room = scratch.path();
    let old = room.join("old");
    fs::create_dir(&old).unwrap();
    let mut document = serde_json::to_value(record::fixture::ssd_record()).unwrap();
    document["measured"]["command"] = serde_json::json!([
        "truedisk",
        "fleet",
        "--nats",
        format!("nats://bob:{SECRET}@db1:4222"),
        "check"
    ]);
    let file = old.join("old.json");
    fs::write(&file, document.to_string()).unwrap();
    let file = file.to_str().unwrap();
    let id = document["measured"]["id"].as_str().unwrap().to_owned();
    // A run is not compared with itself.
    document["measured"]["id"] = serde_json::json!("20261118T110640Z-00000002");
    let other = old.join("other.json");
    fs::write(&other, document.to_string()).unwrap();
    let other = other.to_str().unwrap();
    let results = room.join("results");
    fs::create_dir(&results).unwrap();
    let page = results.join("r.html");
    let page = page.to_str().unwrap();
    let comparison = results.join("comparison.html");
    let comparison = comparison.to_str().unwrap();
    for words in [
        &["history", "import", file][..],
        &["history", "list", "--json"],
        &["history", "show", &id, "--json", "-"],
        &["history", "show", &id, "--html", page],
        &["history", "export", "-o", "-", "--format", "jsonl"],
        &["history", "export", "-o", "-", "--format", "csv"],
        &["compare", file, other, "--json", "-"],
        &["compare", file, other, "--html", comparison],
    ] {
        let output = run(truedisk(room, words));
        let said = search_output(&output);
        assert!(output.status.success(), "{words:?}: {said}");
    }
    fs::remove_dir_all(&old).unwrap();
    assert!(search_files(room) >= 4, "database, record, two pages");
}
