//! Tables of results, shared records, settings, and the line of a plugin, as a user meets them.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use support::{beside, truedisk};
use tempfile::TempDir;

/// Two records, one of them in a history, and settings.
struct Workspace(TempDir);

impl Workspace {
    fn new() -> Self {
        let room = Self(tempfile::tempdir_in("/var/tmp").unwrap());
        for (name, id) in
            [("a.json", "20260101T000000Z-0000000a"), ("b.json", "20260102T000000Z-0000000b")]
        {
            let mut record = record::fixture::ssd_record();
            id.clone_into(&mut record.measured.id);
            record.measured.environment.hostname = Some("markerhost".to_owned());
            record.measured.targets[0].path = "/home/markeruser/data".to_owned();
            record.judgement = Some(analysis::judge(&record.measured));
            fs::write(room.path(name), record::store::to_json(&record).unwrap()).unwrap();
        }
        room.stdout(&["history", "import", "a.json"]);
        room
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, words: &[&str]) -> Output {
        let mut command = truedisk(words);
        command.current_dir(self.0.path()).env("XDG_DATA_HOME", self.path("data"));
        command.env("XDG_CONFIG_HOME", self.path("config")).env_remove("TRUEDISK_QUIET");
        command.output().unwrap()
    }

    fn stdout(&self, words: &[&str]) -> String {
        let output = self.run(words);
        assert!(output.status.success(), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn write_settings(&self, text: &str) {
        fs::create_dir_all(self.path("config/truedisk")).unwrap();
        fs::write(self.path("config/truedisk/config.toml"), text).unwrap();
    }
}

#[test]
fn results_are_tables_in_files_and_on_stdout() {
    let _beside = beside();
    let room = Workspace::new();
    let csv = room.stdout(&["history", "show", "latest", "--csv", "-"]);
    assert!(csv.starts_with("run,target,workload,direction,iops,"), "{csv}");
    assert!(csv.lines().count() > 5 && csv.contains("\"random read 4k, depth 1\""), "{csv}");
    let text = room.stdout(&["history", "show", "latest", "--csv", "x.csv", "--markdown"]);
    assert_eq!(fs::read_to_string(room.path("x.csv")).unwrap(), csv);
    assert!(text.starts_with("check of ") && text.contains("| ---: |"), "{text}");
    let compared = room.stdout(&["compare", "a.json", "b.json", "--csv=y.csv", "--markdown=y.md"]);
    assert!(compared.contains("written: y.md"), "{compared}");
    assert!(fs::read_to_string(room.path("y.csv")).unwrap().starts_with("side_a,side_b,"));
    let both = room.run(&["history", "show", "latest", "--csv", "-", "--json", "-"]);
    assert_eq!(both.status.code(), Some(2), "{both:?}");
}

#[test]
fn a_shared_record_names_nobody_and_can_be_read() {
    let _beside = beside();
    let room = Workspace::new();
    let output = room.run(&["share", "latest"]);
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    for words in ["removed: host names (1)", "removed: paths (", "written: 20260101T000000Z"] {
        assert!(said.contains(words), "{said}");
    }
    let name = "20260101T000000Z-0000000a.shared.json";
    let json = fs::read_to_string(room.path(name)).unwrap();
    assert!(!json.contains("marker"), "{json:.400}");
    let shown = room.stdout(&["compare", name, "b.json"]);
    assert!(shown.contains("random read 4k"), "{shown}");
    let on_stdout = room.stdout(&["share", "b.json", "-o", "-"]);
    assert!(on_stdout.starts_with('{') && !on_stdout.contains("marker"));
    assert_eq!(room.run(&["share", "nosuch"]).status.code(), Some(2));
}

#[test]
fn settings_come_from_a_file_and_are_shown_with_their_place() {
    let _beside = beside();
    let room = Workspace::new();
    room.write_settings("[history.list]\ncount = 0\n\n[limit]\nbound = 'p99<2ms'\n");
    let shown = room.stdout(&["config"]);
    for words in ["limit.bound", "p99<2ms", "config.toml:5", "/etc/truedisk/config.toml"] {
        assert!(shown.contains(words), "'{words}' is missing in:\n{shown}");
    }
    let json = room.stdout(&["config", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["settings"][1]["values"][0], "p99<2ms");
    room.write_settings("[limit]\nbuond = 'p99<2ms'\n");
    for words in [&["config"][..], &["history", "list"], &["devices"]] {
        let output = room.run(words);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("config.toml:2: unknown option 'limit.buond'"), "{said}");
    }
    assert!(room.run(&["--help"]).status.success(), "help is shown whatever the settings");
}

#[test]
fn a_setting_changes_the_meaning_of_no_other_option() {
    let _beside = beside();
    let room = Workspace::new();
    fs::write(room.path("disk.img"), vec![1; 16 << 20]).unwrap();
    room.write_settings("[check]\nbound = 'p99<5ms'\n");
    let output = room.run(&["check", "--size", "32m", "--max-written", "1", "."]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("--size 32 MiB alone is more than --max-written"), "{said}");
    room.write_settings("[sweep]\nread-only = true\n");
    let html = room.path("j3.html");
    let words = ["sweep", "--rw", "randread", "--bs", "4k", "--depth", "1", "--budget", "5s"];
    let words = [&words[..], &["--no-history", "disk.img", "--html"]].concat();
    let output = room.run(&[&words[..], &[html.to_str().unwrap()]].concat());
    assert!(output.status.code().is_some_and(|status| status <= 1), "{output:?}");
    let page = fs::read_to_string(&html).unwrap();
    assert!(page.to_ascii_lowercase().starts_with("<!doctype html"), "{page:.200}");
    // Settings leave the wording of errors as it is.
    room.write_settings("quiet = true\n");
    let output = room.run(&["check", "--json", "disk.img"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && said.contains("--json=disk.img"), "{said}");
    assert_eq!(said.lines().count(), 2, "{said}");
    room.write_settings("[history.prune]\nhost = 'vm'\n");
    let pruned = room.run(&["history", "prune", "--keep", "100"]);
    assert!(pruned.status.success(), "{pruned:?}");
}

#[test]
fn a_ping_is_a_plugin_with_its_own_statuses() {
    let _beside = beside();
    let room = Workspace::new();
    let ping = |more: &[&str]| {
        let output = room.run(&[&["ping", "-c", "5", "-i", "1ms"][..], more, &["."]].concat());
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (status, line) = ping(&["--nagios", "--fail-on", "mean>1h"]);
    assert_eq!(status, Some(0), "{line}");
    assert!(line.starts_with("TRUEDISK OK - .: mean ") && line.contains("'. mean'=0.0"), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
    let (status, line) = ping(&["--nagios", "--fail-on", "max>1ns"]);
    assert!(status == Some(2) && line.starts_with("TRUEDISK CRITICAL - "), "{line}");
    let (status, line) = ping(&["--nagios", "--fail-on", "p99.9>1s"]);
    assert!(status == Some(3) && line.contains("do not support p99.9"), "{line}");
    let (status, line) = ping(&["--nagios", "--fail-on", "p99"]);
    assert!(status == Some(3) && line.starts_with("TRUEDISK UNKNOWN - "), "{line}");
    let (status, text) = ping(&["--fail-on", "max>1ns"]);
    assert!(status == Some(3) && text.contains("min/avg/max"), "{text}");
    assert_eq!(ping(&["--fail-on", "max>1h"]).0, Some(0));
    let output = room.run(&["check", "--nagios", "--bound", "p99"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(output.stdout.starts_with(b"TRUEDISK UNKNOWN - "), "{output:?}");
}

#[test]
fn the_long_version_names_the_build_and_what_the_kernel_has() {
    let room = Workspace::new();
    let text = room.stdout(&["--version", "--verbose"]);
    for words in ["truedisk 0.", "commit: ", "io_uring: ", "kernel: ", "record: schema version"] {
        assert!(text.contains(words), "{text}");
    }
    assert_eq!(room.stdout(&["--version"]).lines().count(), 1);
}
