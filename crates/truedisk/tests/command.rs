//! The command as its user meets it: bad input, safety, signals, pipes.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use lab::{FileSystem, LoopDevice, Mount, Need};
use record::{Completion, FindingId, Record, Status};
use support::{
    alone, assert_clean, assert_status, beside, check, copy_program, record_of, run, truedisk,
};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/var/tmp").unwrap()
}

/// One clear error: the status, the words, one or two lines, nothing on stdout.
#[track_caller]
fn refused(output: &Output, status: i32, words: &[&str]) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{stderr}");
    for word in words {
        assert!(stderr.contains(word), "'{word}' is missing in: {stderr}");
    }
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(stderr.lines().count() <= 3, "{stderr}");
}

/// The command as the user `nobody`, for permissions that root does not feel.
fn as_nobody(command: &Command) -> Command {
    let mut other = Command::new("setpriv");
    other.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
    other.arg(command.get_program()).args(command.get_args()).stdin(Stdio::null());
    other
}

#[test]
fn wrong_paths_are_refused() {
    let folder = folder();
    let missing = folder.path().join("not here");
    refused(&run(check([&missing])), 2, &["not here", "does not exist"]);
    refused(&run(check(["/dev/null"])), 2, &["/dev/null is a character device"]);
    let dangling = folder.path().join("dangling");
    std::os::unix::fs::symlink(folder.path().join("gone"), &dangling).unwrap();
    refused(&run(check([&dangling])), 2, &["does not exist"]);
    let folder_only = run(check(["--read-only".as_ref(), folder.path().as_os_str()]));
    refused(&folder_only, 2, &["is a folder", "hint:", "--read-only"]);
}

#[test]
fn existing_files_and_devices_are_never_written() {
    let folder = folder();
    let file = folder.path().join("precious");
    std::fs::write(&file, vec![7; 32 << 20]).unwrap();
    refused(&run(check([&file])), 4, &["refused to write", "exists already", "--read-only"]);
    assert!(std::fs::read(&file).unwrap().iter().all(|&b| b == 7));
    let words = run(check(["--yes-destroy-data-on".as_ref(), file.as_os_str(), file.as_os_str()]));
    refused(&words, 4, &["exists already"]);
    // A folder has no data that could be destroyed: the device was meant to be measured.
    for command in ["check", "limit", "sweep", "preset a1"] {
        let mut words = truedisk(command.split(' ').chain(["--no-history"]));
        words.args(["--yes-destroy-data-on", "/dev/sdx"]).arg(folder.path());
        refused(&run(words), 2, &["--yes-destroy-data-on is for a device", "hint: leave it out"]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "{command}");
    }

    lab::skip_unless!(Need::LoopDevices);
    let device = LoopDevice::new(64 << 20).unwrap();
    let other = LoopDevice::new(64 << 20).unwrap();
    refused(&run(check([device.path()])), 4, &["--yes-destroy-data-on", "--read-only"]);
    let wrong =
        ["--yes-destroy-data-on".as_ref(), other.path().as_os_str(), device.path().as_os_str()];
    refused(&run(check(wrong)), 4, &["names"]);
    let mounted = Mount::new(&device, FileSystem::Ext4).unwrap();
    let words =
        ["--yes-destroy-data-on".as_ref(), device.path().as_os_str(), device.path().as_os_str()];
    refused(&run(check(words)), 4, &["is mounted on"]);
    drop(mounted);
}

#[test]
fn an_unused_device_named_twice_is_measured() {
    lab::skip_unless!(Need::LoopDevices);
    let _beside = beside();
    let device = LoopDevice::new(64 << 20).unwrap();
    let path = device.path().as_os_str();
    let record = record_of(check(["--yes-destroy-data-on".as_ref(), path, path]));
    assert_eq!(record.measured.completion, Completion::Complete);
    assert!(record.measured.cell("randwrite-4k-qd1").is_some());
}

#[test]
fn what_the_user_may_not_is_said() {
    lab::skip_unless!(Need::Root, Need::Program("setpriv"));
    let folder = folder();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let binary = folder.path().join("truedisk");
    copy_program(&binary);
    let run = |args: &[&str], paths: &[&Path]| {
        let mut command = Command::new(&binary);
        as_nobody(command.args(args).args(paths)).output().unwrap()
    };
    let call = |paths: &[&Path]| run(&["check", "--quick", "--no-history"], paths);
    let unwritable = call(&[folder.path()]);
    let wanted = ["Permission denied", "hint: name a folder that this user", "--read-only FILE"];
    refused(&unwritable, 2, &wanted);
    let unwritable = run(&["ping", "-c", "1"], &[folder.path()]);
    refused(&unwritable, 2, &["Permission denied", "hint: ping a folder that this user may write"]);
    let secret = folder.path().join("secret");
    std::fs::write(&secret, vec![1; 32 << 20]).unwrap();
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o600)).unwrap();
    let unreadable = call(&["--read-only".as_ref(), &secret]);
    refused(&unreadable, 2, &["cannot read", "Permission denied", "hint:"]);
}

#[test]
fn an_ordinary_user_measures_a_folder_of_his_own() {
    lab::skip_unless!(Need::Root, Need::Program("setpriv"));
    let _beside = beside();
    let folder = folder();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
    let binary = folder.path().join("truedisk");
    copy_program(&binary);
    let mut command = Command::new(&binary);
    command.args(["check", "--quick", "--no-history", "--json", "-", "--size", "64m"]);
    command.arg(folder.path());
    let record = record_of(as_nobody(&command));
    assert_eq!(record.measured.completion, Completion::Complete);
    assert_eq!(record.measured.environment.root, Some(false));
    assert!(!record.measured.environment.root_would_add.is_empty());
    assert_clean(folder.path());
}

#[test]
fn read_only_full_and_small_file_systems() {
    lab::skip_unless!(Need::LoopDevices);
    let _beside = beside();
    let device = LoopDevice::new(100 << 20).unwrap();
    {
        let mount = Mount::new(&device, FileSystem::Ext4).unwrap();
        let too_much = run(check(["--size".as_ref(), "1g".as_ref(), mount.path().as_os_str()]));
        refused(&too_much, 2, &["too little space", "1 GiB is needed", "hint:", "--size"]);
        let record = record_of(check([mount.path()]));
        assert_eq!(
            record.measured.completion,
            Completion::Complete,
            "100 MiB are enough for a check"
        );
        assert_clean(mount.path());
    }
    let mount = Mount::on_node(&device, device.path(), FileSystem::Ext4, "ro").unwrap();
    refused(&run(check([mount.path()])), 2, &["read-only file system", "hint:"]);
}

#[test]
fn paths_with_blanks_and_unicode_work() {
    let _beside = beside();
    let folder = folder();
    let odd = folder.path().join("größe & blank 盘");
    std::fs::create_dir(&odd).unwrap();
    let record = record_of(check(["--size".as_ref(), "32m".as_ref(), odd.as_os_str()]));
    assert_eq!(record.measured.target().unwrap().path, odd.to_string_lossy());
    assert_clean(&odd);
}

#[test]
fn two_checks_at_once_in_one_folder() {
    let _beside = beside();
    let folder = folder();
    let mut one = truedisk(["check", "--quick", "--json", "-", "--no-history", "--size", "32m"]);
    let mut two = truedisk(["check", "--quick", "--json", "-", "--no-history", "--size", "32m"]);
    let first = one.arg(folder.path()).stdout(Stdio::piped()).spawn().unwrap();
    let second = two.arg(folder.path()).stdout(Stdio::piped()).spawn().unwrap();
    for child in [first, second] {
        let output = child.wait_with_output().unwrap();
        let record: Record = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(record.measured.completion, Completion::Complete);
    }
    assert_clean(folder.path());
}

/// Starts a check in `folder` and returns it once its test file is there.
fn started(folder: &Path) -> std::process::Child {
    let mut command = check(["--size", "64m"]);
    let child = command.arg(folder).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    let there = || {
        std::fs::read_dir(folder)
            .unwrap()
            .flatten()
            .any(|entry| entry.file_name().to_string_lossy().starts_with(".truedisk"))
    };
    while !there() {
        assert!(begun.elapsed() < Duration::from_secs(10), "no test file appeared");
        std::thread::yield_now();
    }
    child
}

fn kill(child: &std::process::Child, signal: &str) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
}

#[test]
fn signals_end_the_run_and_keep_what_was_measured() {
    let _alone = alone();
    for signal in ["-INT", "-TERM"] {
        let folder = folder();
        let child = started(folder.path());
        // sleeps because the run must have measured something before it is interrupted.
        std::thread::sleep(Duration::from_secs(3));
        kill(&child, signal);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{signal}");
        let record: Record = serde_json::from_slice(&output.stdout).unwrap();
        assert!(matches!(record.measured.completion, Completion::Partial { failed: false, .. }));
        assert!(!record.measured.cells.is_empty());
        assert_clean(folder.path());
    }
}

/// The trials of the first touch write a second test file beside the first.
#[test]
fn a_run_that_is_ended_while_its_second_file_is_there_leaves_nothing() {
    let _alone = alone();
    let folder = folder();
    let mut child = started(folder.path());
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    let begun = Instant::now();
    while files() < 2 {
        let ended = child.try_wait().unwrap();
        assert!(ended.is_none() && begun.elapsed() < Duration::from_secs(60), "no second file");
        std::thread::yield_now();
    }
    kill(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let record: Record = serde_json::from_slice(&output.stdout).unwrap();
    assert!(matches!(record.measured.completion, Completion::Partial { failed: false, .. }));
    assert_eq!(files(), 0, "nothing is left, of either");
}

#[test]
fn leftovers_of_a_killed_run_are_removed_by_the_next() {
    let _beside = beside();
    let folder = folder();
    let mut child = started(folder.path());
    kill(&child, "-KILL");
    child.wait().unwrap();
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 1, "a killed run leaves its file");
    let output = run(check(["--size".as_ref(), "32m".as_ref(), folder.path().as_os_str()]));
    assert!(output.status.success());
    assert_clean(folder.path());
}

#[test]
fn a_disk_that_fills_up_keeps_what_was_measured() {
    lab::skip_unless!(Need::LoopDevices);
    let _alone = alone();
    // btrfs writes every block anew: a file system that is full fails in the midst of the writes.
    let device = LoopDevice::new(300 << 20).unwrap();
    let mount = Mount::new(&device, FileSystem::Btrfs { compress: false }).unwrap();
    let mut command = check(["--size", "64m"]);
    let child =
        command.arg(mount.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // sleeps because the layout must be over when the rest is taken.
    std::thread::sleep(Duration::from_secs(3));
    let filler = mount.path().join("filler");
    let mut file = std::fs::File::create(&filler).unwrap();
    while file.write_all(&[9; 1 << 20]).is_ok() {}
    let _ = file.sync_all();
    let output = child.wait_with_output().unwrap();
    let record: Record = serde_json::from_slice(&output.stdout).unwrap();
    assert!(!record.measured.cells.is_empty());
    if let Completion::Partial { reason, failed } = &record.measured.completion {
        assert!(reason.text().contains("No space left"), "{reason:?}");
        assert!(failed);
        assert_eq!(output.status.code(), Some(1));
    }
    assert_clean(mount.path());
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let _beside = beside();
    let folder = folder();
    let file = folder.path().join("file");
    std::fs::write(&file, vec![3; 32 << 20]).unwrap();
    let mut child = truedisk(["check", "--quick", "--no-history", "--read-only"])
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{stderr}");
    assert_eq!(stderr, "");
}

#[test]
fn results_are_kept_where_they_were_asked_for() {
    let _beside = beside();
    let folder = folder();
    let file = folder.path().join("file");
    std::fs::write(&file, vec![3; 32 << 20]).unwrap();
    let (json, html) = (folder.path().join("run.json"), folder.path().join("run.html"));
    let output = truedisk(["check", "--quick", "--read-only"])
        .arg(&file)
        .args(["--json".as_ref(), json.as_os_str(), "--html".as_ref(), html.as_os_str()])
        .args(["--fail-on", "warning"])
        .env("XDG_DATA_HOME", folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    // 32 MiB fit any cache: the coverage check warns, and --fail-on turns that into status 3.
    assert_eq!(output.status.code(), Some(3), "{text}");
    let record = record::store::load_record(&json).unwrap();
    assert_status(&record, FindingId::Coverage, Status::Warning);
    assert!(std::fs::read_to_string(&html).unwrap().contains(&record.measured.id));
    assert!(text.contains(&html.display().to_string()), "{text}");
    let kept =
        folder.path().join("truedisk").join("runs").join(format!("{}.json.gz", record.measured.id));
    assert_eq!(record::store::load_record(&kept).unwrap(), record);
    assert!(text.lines().all(|line| line.chars().count() <= 80 || line.contains("/truedisk")));
    assert!(text.lines().count() <= 32, "{text}");
}

#[test]
fn options_that_would_do_nothing_or_something_else_are_refused() {
    let folder = folder();
    std::fs::write(folder.path().join("data.bin"), vec![1; 1 << 20]).unwrap();
    let check = |words: &str, said: &[&str]| {
        let mut command = truedisk(words.split(' '));
        command.current_dir(folder.path());
        let output = run(command);
        refused(&output, 2, said);
        // Nothing is announced that is refused then.
        assert!(String::from_utf8_lossy(&output.stderr).lines().count() <= 2, "{output:?}");
    };
    check("check --quick --budget 30s", &["check has no --budget", "hint: --quick takes about"]);
    check("-v ping -c 1", &["-v before ping", "hint: truedisk ping -c 1"]);
    check("-v fio --name=a", &["-v before fio", "hint: truedisk fio --name=a"]);
    check("ping -c 1 --json data.bin", &["after --json may be PATH", "--json=data.bin"]);
    check("preset etcd --read-only data.bin", &["'etcd' writes", "hint: leave --read-only out"]);
    check("metadata data.bin", &["data.bin is no folder"]);
    check("compare --interleave . none --quiet", &["none", "does not exist"]);
    let interleave = "compare --interleave --rw randrw --read-only data.bin data.bin";
    check(interleave, &["--read-only forbids it: randrw"]);
    assert_eq!(std::fs::read(folder.path().join("data.bin")).unwrap(), vec![1; 1 << 20]);
}

#[test]
fn an_unknown_language_is_english_with_a_line() {
    let check = |command: Command| {
        let output = run(command);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.lines().count() == 1, "{said}");
        assert!(said.contains("no language 'xx'") && said.contains("en, vi, ru, zh-CN, id"));
    };
    check(truedisk(["explain", "stall", "--lang", "xx"]));
    let mut by_locale = truedisk(["explain", "stall"]);
    by_locale.env("TRUEDISK_LANG", "xx");
    check(by_locale);
}

#[test]
fn help_of_every_command_is_its_own() {
    let text = |words: &str| {
        let output = run(truedisk(words.split(' ')));
        assert!(output.status.success(), "{words}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    for command in ["ping", "fio", "check"] {
        let (asked, own) = (text(&format!("help {command}")), format!("{command} --help"));
        assert_eq!(asked, text(&own));
    }
    assert_eq!(text("help --help"), text("--help"));
}

#[test]
fn the_schema_is_printed_and_names_the_record() {
    let output = run(truedisk(["schema"]));
    let schema: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(schema["title"], "Record");
    assert!(schema["properties"]["measured"].is_object());
}

#[test]
fn every_answer_can_be_json() {
    for (words, key) in [
        ("explain stall", "/question/message"),
        ("explain thrashing", "/relation/message"),
        ("explain", "/0/finding"),
        ("model", "/plans"),
        ("model aws:gp2:50GiB", "/sizes"),
        ("schema", "/properties/measured"),
        ("devices", "/devices"),
        ("preset", "/presets/0/group"),
        ("preset a1 --show", "/thresholds"),
    ] {
        let folder = folder();
        let file = folder.path().join("answer.json");
        let printed = run(truedisk(words.split(' ').chain(["--json", "-"])));
        let mut to_file = truedisk(words.split(' '));
        let written = run({
            to_file.arg("--json").arg(&file);
            to_file
        });
        assert!(printed.status.success() && written.status.success(), "{words}: {printed:?}");
        assert!(written.stdout.is_empty(), "{words}: {written:?}");
        let printed: serde_json::Value = serde_json::from_slice(&printed.stdout).unwrap();
        let written: serde_json::Value =
            serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        assert!(printed.pointer(key).is_some() && written.pointer(key).is_some(), "{printed:#}");
    }
    // A plan behind --json is no file.
    let refused = truedisk(["model", "--json", "aws:gp2:50GiB"]).output().unwrap();
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(2) && said.contains("may be [PLAN]"), "{refused:?}");
}

#[test]
fn models_and_devices_fit_every_terminal_in_every_language() {
    let hdd = "model hdd --rpm 7200 --seek 8.5ms --bs 4k,64k";
    for words in ["model", "model ladder", hdd, "model aws:gp3:500GiB", "devices"] {
        for language in ["en", "vi", "ru", "zh-CN", "id"] {
            for width in [60, 80] {
                let mut command = truedisk(words.split(' '));
                command.args(["--lang", language]).env("COLUMNS", width.to_string());
                let output = run(command);
                let text = String::from_utf8(output.stdout).unwrap();
                // A command is copied whole.
                let mut lines = text.lines().filter(|line| !line.starts_with("  truedisk "));
                let long = lines.find(|line| report::text_width(line) > width);
                assert!(output.status.success() && text.lines().count() > 5, "{words}: {text}");
                assert_eq!(long, None, "{words} in {language}:\n{text}");
            }
        }
    }
}

/// The first of several arguments is no file to write, though another argument follows.
#[test]
fn the_first_of_several_arguments_is_not_taken_for_the_file_of_json() {
    let folder = folder();
    for (command, first) in [("compare", "a.json"), ("watch", "db.img"), ("watch", "new.img")] {
        let first = folder.path().join(first);
        if !first.ends_with("new.img") {
            std::fs::write(&first, "kept").unwrap();
        }
        let words = ["second", "third"].map(|name| folder.path().join(name));
        let mut refused = truedisk([command, "--json"]);
        refused.arg(&first).args(&words);
        let output = refused.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains("after --json may be"), "{said}");
        assert!(said.contains("hint: "), "{said}");
        assert_eq!(std::fs::read(&first).ok(), first.exists().then(|| b"kept".to_vec()));
    }
}

#[test]
fn terms_and_findings_are_explained_and_listed() {
    let listed = run(truedisk(["explain"]));
    let listed = String::from_utf8(listed.stdout).unwrap();
    let terms = ["iops", "latency", "depth", "thrashing"];
    for name in record::FindingId::ALL.map(record::FindingId::name).into_iter().chain(terms) {
        assert!(listed.contains(name), "{name} is not listed");
        let one = run(truedisk(["explain", name]));
        let text = String::from_utf8(one.stdout).unwrap();
        assert!(one.status.success() && text.starts_with(&format!("{name}: ")), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }
    let unknown = run(truedisk(["explain", "dedupe"]));
    let stderr = String::from_utf8_lossy(&unknown.stderr);
    assert_eq!(unknown.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("'dedupe'") && stderr.contains("similar"), "{stderr}");
    assert!(stderr.contains("'dedup'"), "{stderr}");
}
