//! Where results go: nothing that is written for a person overwrites a device, the target, or any
//! other input; and what is no file is written as it is.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::ffi::OsStr;
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use lab::{FileSystem, LoopDevice, Mount, Need};
use support::{beside, truedisk};
use tempfile::TempDir;

/// Two runs, a history with one of them, a file to read, and a folder to measure.
struct Workspace {
    folder: TempDir,
}

impl Workspace {
    fn new() -> Self {
        let room = Self { folder: tempfile::tempdir_in("/var/tmp").unwrap() };
        fs::create_dir(room.path("measured")).unwrap();
        let noise = |i: u32| (i.wrapping_mul(2_654_435_761) >> 24) as u8;
        fs::write(room.path("data.bin"), (0..16 << 20).map(noise).collect::<Vec<u8>>()).unwrap();
        for (name, id) in
            [("a.json", "20260101T000000Z-0000000a"), ("b.json", "20260102T000000Z-0000000b")]
        {
            let mut record = record::fixture::ssd_record();
            id.clone_into(&mut record.measured.id);
            fs::write(room.path(name), record::store::to_json(&record).unwrap()).unwrap();
        }
        let imported = room.run(&["history", "import", "a.json"]);
        assert!(imported.status.success(), "{imported:?}");
        room
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command<S: AsRef<OsStr>>(&self, words: &[S]) -> Command {
        let mut command = truedisk(words);
        command.current_dir(self.folder.path()).env("XDG_DATA_HOME", self.path("home"));
        command.env("XDG_CONFIG_HOME", self.path("home"));
        command
    }

    fn run<S: AsRef<OsStr>>(&self, words: &[S]) -> Output {
        self.command(words).output().unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap().flatten();
        let mut names: Vec<_> = entries.map(|e| e.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// When anything was last made or removed in the folder that would be measured.
    fn touched(&self) -> (i64, i64) {
        let found = fs::metadata(self.path("measured")).unwrap();
        (found.mtime(), found.mtime_nsec())
    }

    /// Every command that writes results, with `place` as one of them. Of fio's logs, whose names
    /// have an ending, links in this folder lead there.
    fn writers(&self, place: &Path) -> Vec<Vec<String>> {
        for name in ["x_bw.1.log", "x_iops.1.log", "x_lat.1.log", "x_clat_hist.1.log"] {
            let _ = fs::remove_file(self.path(name));
            symlink(place, self.path(name)).unwrap();
        }
        let _ = fs::remove_file(self.path("local-a-0-verify.state"));
        symlink(place, self.path("local-a-0-verify.state")).unwrap();
        let place = place.display();
        let null = "fio --name=a --ioengine=null --size=1m";
        [
            format!("devices --json={place}"),
            format!("explain stall --json={place}"),
            format!("model ladder --json={place}"),
            format!("schema --json={place}"),
            format!("preset a1 --show --json={place}"),
            format!("history list --json={place}"),
            format!("history diff latest latest --json={place}"),
            format!("history trend /srv/data --json={place}"),
            format!("fleet --nats nats://127.0.0.1:1 list --json={place}"),
            format!("fleet --nats nats://127.0.0.1:1 stop --json={place}"),
            format!("fleet --nats nats://127.0.0.1:1 fio --json={place} job.fio"),
            format!("check --json {place} measured"),
            format!("check --html {place} measured"),
            format!("check --json fine.json --html {place} measured"),
            format!("limit --json {place} measured"),
            format!("sweep --html {place} measured"),
            format!("preset etcd --json {place} measured"),
            format!("preset metadata --html {place} measured"),
            format!("preset --json={place}"),
            format!("compare a.json b.json --json={place}"),
            format!("compare a.json b.json --html {place}"),
            format!("compare --interleave measured data.bin --json={place}"),
            format!("history show latest --json={place}"),
            format!("history show latest --html {place}"),
            format!("history trend /srv/data --html {place}"),
            format!("history export -o {place}"),
            format!("history export --format parquet -o {place}"),
            format!("ping -c 1 --json {place} measured"),
            format!("ping -c 1 --html {place} measured"),
            format!("fleet --nats nats://127.0.0.1:1 check --json {place} /srv"),
            format!("fleet --nats nats://127.0.0.1:1 collect r1 --html {place}"),
            format!("fleet --nats nats://127.0.0.1:1 fio --output={place} job.fio"),
            format!("{null} --output={place}"),
            format!("{null} --write_iolog={place}"),
            format!("{null} --write_bw_log=x"),
            format!("{null} --write_iops_log=x"),
            format!("{null} --write_lat_log=x"),
            format!("{null} --write_hist_log=x --log_hist_msec=100"),
            format!("{null} --write_bw_log=x --per_job_logs=0 --output={place}"),
            "fio --name=a --directory=measured --rw=write --size=64k --verify=crc32c \
             --verify_state_save=1"
                .to_owned(),
        ]
        .iter()
        .map(|line| line.split_whitespace().map(str::to_owned).collect())
        .collect()
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[track_caller]
fn refused(output: &Output, status: i32, words: &str) {
    let said = stderr(output);
    assert_eq!(output.status.code(), Some(status), "{said}");
    assert!(said.contains(words) && said.contains("\nhint: "), "{said}");
    assert!(said.lines().count() <= 2, "{said}");
}

/// Every writer refuses `place` because of `words`, and measures nothing.
fn all_refuse(room: &Workspace, place: &Path, words: &str) {
    fs::write(room.path("job.fio"), "[a]\nioengine=null\nsize=1m\n").unwrap();
    let before = room.touched();
    for line in room.writers(place) {
        let output = room.run(&line);
        assert_eq!(output.status.code(), Some(4), "{line:?}: {output:?}");
        refused(&output, 4, words);
        assert!(output.stdout.is_empty(), "{line:?}: {output:?}");
    }
    assert_eq!(room.touched(), before, "something was measured");
    assert!(!room.path("fine.json").exists());
}

#[test]
fn no_result_overwrites_a_device() {
    lab::skip_unless!(Need::LoopDevices, Need::FileSystem("ext4"));
    let _beside = beside();
    let room = Workspace::new();
    fs::write(room.path("job.fio"), "[a]\nioengine=null\nsize=1m\n").unwrap();
    let device = LoopDevice::new(FileSystem::Ext4.size_min()).unwrap();
    let contents = || fs::read(device.path()).unwrap();
    let before = contents();
    all_refuse(&room, device.path(), "it is a block device");
    assert!(before == contents(), "the device has changed");
    // By another name, and by a node of its own.
    symlink(device.path(), room.path("link")).unwrap();
    let number = fs::metadata(device.path()).unwrap().rdev();
    let (major, minor) = (rustix::fs::major(number), rustix::fs::minor(number));
    let node = room.path("node");
    let mut make = Command::new("mknod");
    make.arg(&node).arg("b").arg(major.to_string()).arg(minor.to_string());
    assert!(make.status().unwrap().success());
    for place in ["link", "node"] {
        refused(&room.run(&["history", "export", "-o", place]), 4, "it is a block device");
        refused(&room.run(&["devices", "--json", place]), 4, "it is a block device");
    }
    assert!(room.path("link").is_symlink());
    assert!(fs::symlink_metadata(&node).unwrap().file_type().is_block_device());
    assert!(before == contents(), "the device has changed");
    let mounted = Mount::new(&device, FileSystem::Ext4).unwrap();
    fs::write(mounted.path().join("kept"), "kept").unwrap();
    all_refuse(&room, device.path(), "it is a block device");
    mounted.unmount().unwrap();
    let checked = Command::new("e2fsck").arg("-fn").arg(device.path()).output().unwrap();
    assert!(checked.status.success(), "{checked:?}");
    let mounted = Mount::on_node(&device, device.path(), FileSystem::Ext4, "ro").unwrap();
    let before = contents();
    all_refuse(&room, device.path(), "it is a block device");
    assert!(before == contents(), "the mounted device has changed");
    drop(mounted);
}

#[test]
fn devices_says_that_it_takes_no_device() {
    let room = Workspace::new();
    let output = room.run(&["devices", "--json", "/dev/full"]);
    refused(&output, 4, "/dev/full: it is a character device");
    assert!(stderr(&output).contains("devices --json > FILE"), "{}", stderr(&output));
}

#[test]
fn what_is_measured_is_no_result() {
    let room = Workspace::new();
    fs::hard_link(room.path("data.bin"), room.path("hard")).unwrap();
    symlink("data.bin", room.path("soft")).unwrap();
    let before = fs::read(room.path("data.bin")).unwrap();
    for option in ["--json", "--html"] {
        for place in ["data.bin", "hard", "soft"] {
            let words = ["check", "--quick", "--read-only", option, place, "data.bin"];
            refused(&room.run(&words), 4, "reads or measures this very file");
        }
    }
    fs::create_dir(room.path("home/truedisk/presets")).unwrap();
    fs::write(room.path("url"), "nats://127.0.0.1:1").unwrap();
    fs::write(room.path("key"), "key").unwrap();
    let made = "fio --name=a --directory=measured --rw=write --size=64k --write_iolog=trace \
                --verify=crc32c --verify_state_save=1";
    let made = room.run(&made.split_whitespace().collect::<Vec<_>>());
    assert!(made.status.success(), "{made:?}");
    for words in [
        "ping -c 1 --json hard data.bin",
        "compare --interleave --read-only data.bin measured --html soft",
        "fio --name=a --filename=data.bin --size=1m --output=hard",
        "fio --name=a --filename=data.bin --size=1m --write_iolog=soft",
        "fio --name=a --filename=other.bin --rw=write --size=64k --output=other.bin",
        "fio --name=a --filename=new.bin --rw=write --size=64k --write_iolog=new.bin",
        "fio --name=a --filename=x_bw.1.log --rw=write --size=64k --write_bw_log=x",
        "compare a.json b.json --json a.json",
        "compare a.json,b.json b.json --html b.json",
        "sweep --resume a.json --json a.json",
        "preset ./mine.toml --json mine.toml measured",
        "fio job.fio --output=job.fio",
        "history show latest --json home/truedisk/history.db",
        "fio outer.fio --output inner.fio",
        "fio --name=a --read_iolog=trace --output=trace",
        "fio --name=a --directory=measured --rw=write --size=64k --verify=crc32c --verify_only \
         --verify_state_load=1 --output=local-a-0-verify.state",
        "preset own --json home/truedisk/presets/own.toml measured",
        "fleet --nats-file url check --json url /srv",
        "fleet --nats nats://127.0.0.1:1 --creds url check --html url /srv",
        "fleet --nats nats://127.0.0.1:1 --tls-ca url limit --json url /srv",
        "fleet --nats nats://127.0.0.1:1 --tls-cert url --tls-key key sweep --json key /srv",
        "fleet --nats nats://127.0.0.1:1 --tls-cert url --tls-key key collect r1 --json url",
        "fleet --nats nats://127.0.0.1:1 --creds url fio --output=url job.fio",
        "fleet --nats nats://127.0.0.1:1 fio job.fio --output job.fio",
    ] {
        fs::write(room.path("job.fio"), "[a]\nioengine=null\nsize=1m\n").unwrap();
        fs::write(room.path("inner.fio"), "ioengine=null\nsize=1m\n").unwrap();
        fs::write(room.path("outer.fio"), "[a]\ninclude inner.fio\n").unwrap();
        let shown = room.run(&["preset", "etcd", "--show"]).stdout;
        fs::write(room.path("mine.toml"), &shown).unwrap();
        fs::write(room.path("home/truedisk/presets/own.toml"), &shown).unwrap();
        let words: Vec<&str> = words.split_whitespace().collect();
        let output = room.run(&words);
        assert_eq!(output.status.code(), Some(4), "{words:?}: {output:?}");
        refused(&output, 4, "reads or measures this very file");
    }
    assert!(before == fs::read(room.path("data.bin")).unwrap(), "data.bin has changed");
    assert!(fs::read_to_string(room.path("a.json")).unwrap().contains("schema_version"));
}

#[test]
fn a_job_file_from_the_standard_input_is_no_result() {
    let room = Workspace::new();
    fs::write(room.path("job.fio"), "[a]\nioengine=null\nsize=1m\n").unwrap();
    let mut command = room.command(&["fio", "-", "--output=job.fio"]);
    command.stdin(fs::File::open(room.path("job.fio")).unwrap());
    refused(&command.output().unwrap(), 4, "reads or measures this very file");
}

#[test]
fn a_result_of_fio_may_be_named_by_two_words_again_and_again() {
    let room = Workspace::new();
    fs::write(room.path("job.fio"), "[a]\nioengine=null\nsize=1m\n").unwrap();
    for output in ["--output", "-o", "--output"] {
        let output = room.run(&["fio", "job.fio", output, "out"]);
        assert!(output.status.success(), "{output:?}");
        assert!(fs::read_to_string(room.path("out")).unwrap().contains("a: (groupid=0"));
    }
    let server = ["fleet", "--nats", "nats://127.0.0.1:1", "fio", "job.fio", "--output", "out"];
    let output = room.run(&server);
    assert!(!matches!(output.status.code(), Some(0 | 4)), "there is no server: {output:?}");
    assert!(!stderr(&output).contains("this very file"), "{output:?}");
}

#[test]
fn a_new_result_of_fio_can_be_read_while_it_is_written() {
    let room = Workspace::new();
    let output = room.run(&["history", "show", "latest", "--svg", "-"]);
    refused(&output, 2, "SVG pictures need a folder");
    assert!(!room.path("-").exists());
    let words = "fio --name=a --ioengine=null --size=1m --time_based --runtime=30 --output=out";
    let mut child = room.command(&words.split(' ').collect::<Vec<_>>()).spawn().unwrap();
    while !fs::read_to_string(room.path("out")).is_ok_and(|text| text.contains("a: (g=0)")) {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was seen");
        // sleeps because nothing tells when another process has written
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_comparison_is_written_to_its_files() {
    let room = Workspace::new();
    let words = "compare a.json b.json --json out.json --html out.html";
    for _ in 0..2 {
        let output = room.run(&words.split(' ').collect::<Vec<_>>());
        assert!(output.status.success(), "{output:?}");
        let json = fs::read_to_string(room.path("out.json")).unwrap();
        assert!(json.starts_with('{') && json.contains("0000000b"), "{json}");
        assert!(fs::read_to_string(room.path("out.html")).unwrap().contains("<html"));
    }
}

#[test]
fn the_history_is_no_place_for_results() {
    let room = Workspace::new();
    let runs = room.path("home/truedisk/runs");
    let kept = fs::read_dir(&runs).unwrap().flatten().next().unwrap().path();
    let before = fs::read(&kept).unwrap();
    fs::write(room.path("home/truedisk/page.html"), "page").unwrap();
    for place in [&kept, &runs.join("new.json"), &room.path("home/truedisk/history.db-wal")] {
        let output = room.run(&["history", "show", "latest", "--json", place.to_str().unwrap()]);
        refused(&output, 4, "belongs to the history of runs");
    }
    let output = room.run(&["history", "export", "-o", "home/truedisk/page.html"]);
    refused(&output, 4, "belongs to the history of runs");
    assert_eq!(fs::read(&kept).unwrap(), before);
    // Through another name of the record that is shown.
    fs::hard_link(&kept, room.path("hard")).unwrap();
    refused(&room.run(&["history", "show", "latest", "--json", "hard"]), 4, "this very file");
    let new = room.run(&["history", "export", "-o", "home/truedisk/mine.json"]);
    assert!(new.status.success(), "{new:?}");
}

#[test]
fn the_file_behind_a_loop_device_is_no_result() {
    lab::skip_unless!(Need::LoopDevices);
    let room = Workspace::new();
    let device = LoopDevice::new(1 << 20).unwrap();
    let name = device.path().file_name().unwrap().to_str().unwrap().to_owned();
    let backing = fs::read_to_string(format!("/sys/block/{name}/loop/backing_file")).unwrap();
    let backing = PathBuf::from(backing.trim_end());
    let hard = backing.with_file_name("hard");
    fs::hard_link(&backing, &hard).unwrap();
    for place in [&backing, &hard] {
        let output = room.run(&["history", "export", "-o", place.to_str().unwrap()]);
        refused(&output, 4, "it is the file behind loop");
    }
    fs::remove_file(hard).unwrap();
}

#[test]
fn two_results_need_two_places() {
    let room = Workspace::new();
    fs::write(room.path("one"), "old").unwrap();
    fs::hard_link(room.path("one"), room.path("two")).unwrap();
    for (words, named) in [
        ("check --json one --html one measured", "--json one and --html one"),
        ("check --json one --html two measured", "--json one and --html two"),
        ("check --json - --html - measured", "--json - and --html -"),
        ("history show latest --json new --html ./new", "--json new and --html ./new"),
        ("compare a.json b.json --json one --html two", "--json one and --html two"),
        ("history show latest --markdown x --csv x", "--markdown x and --csv x"),
        ("check --json x --csv x measured", "--json x and --csv x"),
        ("compare a.json b.json --markdown=- --csv=-", "--markdown - and --csv -"),
    ] {
        let output = room.run(&words.split_whitespace().collect::<Vec<_>>());
        refused(&output, 2, &format!("{named} name the same file\nhint: give each its own file"));
    }
    let output = room.run(&["history", "show", "latest", "--svg", "-"]);
    refused(&output, 2, "SVG pictures need a folder");
    assert!(!room.path("-").exists());
    let words = "fio --name=a --ioengine=null --size=1m --output=x_bw.1.log --write_bw_log=x";
    refused(&room.run(&words.split(' ').collect::<Vec<_>>()), 1, "two results name the same file");
    assert_eq!(fs::read(room.path("one")).unwrap(), b"old");
}

#[test]
fn a_run_is_shown_again_by_its_last_line_or_has_none() {
    let room = Workspace::new();
    let check = |more: &[&str]| {
        let words = ["check", "--quick", "--read-only", "--json", "r.json", "data.bin"];
        let output = room.run(&[&words[..], more].concat());
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(told.contains("r.json") || more.is_empty(), "{told}");
        let again = told.lines().find_map(|line| line.split_once("truedisk history show "));
        again.map(|(_, words)| words.to_owned())
    };
    assert_eq!(check(&["--no-history"]), None);
    let words = check(&[]).unwrap();
    let again = [&["history", "show"][..], &Vec::from_iter(words.split(' '))].concat();
    let shown = room.run(&again);
    assert!(shown.status.success(), "{words}: {}", stderr(&shown));
}

#[test]
fn places_that_cannot_be_written_are_told_before_anything_is_measured() {
    let room = Workspace::new();
    let before = room.touched();
    symlink("nowhere", room.path("dangling")).unwrap();
    for (place, words) in [
        ("none/x.json", "its folder none"),
        ("measured", "it is a folder"),
        ("measured/", "names a folder"),
        ("dangling", "nowhere, which does not exist"),
        ("/proc/x.json", "no file can be made"),
        (".truedisk-1.tmp", "are those of test files"),
    ] {
        let status = if place.starts_with(".truedisk") { 4 } else { 2 };
        refused(&room.run(&["check", "--json", place, "measured"]), status, words);
        refused(&room.run(&["history", "export", "-o", place]), status, words);
    }
    assert_eq!(room.touched(), before, "something was measured");
    assert!(room.path("dangling").is_symlink());
}

#[test]
fn what_is_no_file_is_written_as_it_is() {
    lab::skip_unless!(Need::Root);
    let room = Workspace::new();
    let made = |words: &[&str]| {
        let made = Command::new("mknod").args(words).current_dir(room.folder.path()).status();
        assert!(made.unwrap().success());
    };
    made(&["nul", "c", "1", "3"]);
    made(&["fifo", "p"]);
    for place in ["nul", "/dev/null"] {
        assert!(room.run(&["history", "export", "-o", place]).status.success());
        let show = ["history", "show", "latest", "--json", place, "--html", place];
        assert!(room.run(&show).status.success());
        let found = fs::metadata(room.folder.path().join(place)).unwrap();
        assert!(found.file_type().is_char_device(), "{place}");
    }
    let exported = room.run(&["history", "export"]).stdout;
    assert!(exported.starts_with(b"{"));
    for place in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "-"] {
        assert_eq!(room.run(&["history", "export", "-o", place]).stdout, exported, "{place}");
    }
    let reader = std::thread::spawn({
        let fifo = room.path("fifo");
        move || fs::read(fifo).unwrap()
    });
    assert!(room.run(&["history", "export", "-o", "fifo"]).status.success());
    assert_eq!(reader.join().unwrap(), exported);
    assert!(fs::metadata(room.path("fifo")).unwrap().file_type().is_fifo());
    // A file that the shell has opened keeps what is in it, and is no other file afterwards.
    let held = fs::File::create(room.path("held")).unwrap();
    let to_file = |place: &str| {
        let mut command = room.command(&["history", "export", "-o", place]);
        let status = command.stdout(held.try_clone().unwrap()).stderr(Stdio::null()).status();
        assert!(status.unwrap().success());
    };
    let inode = fs::metadata(room.path("held")).unwrap().ino();
    to_file("/dev/stdout");
    to_file("/dev/fd/1");
    assert_eq!(fs::read(room.path("held")).unwrap(), [&exported[..], &exported[..]].concat());
    assert_eq!(fs::metadata(room.path("held")).unwrap().ino(), inode);
    let to_stderr = room.run(&["history", "show", "--json=/dev/stderr"]);
    assert!(stderr(&to_stderr).starts_with('{') && !to_stderr.stdout.is_empty());
    // Process substitution: a pipe by its number.
    let (mut end, pipe) = std::io::pipe().unwrap();
    let line = "exec 5>&1 >/dev/null; exec \"$0\" history export -o /dev/fd/5";
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).arg(env!("CARGO_BIN_EXE_truedisk"));
    shell.env("XDG_DATA_HOME", room.path("home")).stdout(pipe);
    let mut child = shell.spawn().unwrap();
    drop(shell);
    let mut piped = Vec::new();
    end.read_to_end(&mut piped).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(piped, exported);
}

#[test]
fn a_file_is_replaced_as_a_whole_through_a_link_too() {
    let room = Workspace::new();
    fs::write(room.path("old"), "longer than it will be".repeat(10_000)).unwrap();
    fs::set_permissions(room.path("old"), fs::Permissions::from_mode(0o640)).unwrap();
    fs::hard_link(room.path("old"), room.path("other")).unwrap();
    symlink("old", room.path("link")).unwrap();
    let exported = room.run(&["history", "export"]).stdout;
    assert!(room.run(&["history", "export", "-o", "link"]).status.success());
    assert_eq!(fs::read(room.path("old")).unwrap(), exported);
    assert_eq!(fs::metadata(room.path("old")).unwrap().mode() & 0o777, 0o640);
    assert!(room.path("link").is_symlink());
    assert_eq!(fs::metadata(room.path("other")).unwrap().len(), 220_000);
    // What cannot be made leaves what was there.
    refused_export(&room, "old");
    assert_eq!(fs::read(room.path("old")).unwrap(), exported);
    assert!(room.names().iter().all(|name| !name.contains("partial")), "{:?}", room.names());
}

#[track_caller]
fn refused_export(room: &Workspace, place: &str) {
    let output = room.run(&["history", "export", "no-such-run", "-o", place]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn fio_writes_its_logs_as_a_whole_or_goes_on_with_them() {
    let room = Workspace::new();
    let null = "fio --name=a --ioengine=null --size=64k --output=out";
    let run = |more: &str| {
        let line = format!("{null} {more}");
        let output = room.run(&line.split_whitespace().collect::<Vec<_>>());
        assert!(output.status.success(), "{output:?}");
    };
    fs::write(room.path("x_lat.1.log"), "old\n").unwrap();
    run("--write_lat_log=x --numjobs=2 --write_iolog=trace --per_job_logs=0");
    let log = fs::read_to_string(room.path("x_lat.log")).unwrap();
    assert_eq!(log.lines().count(), 32, "16 operations of 2 instances: {log}");
    run("--write_lat_log=x");
    let log = fs::read_to_string(room.path("x_lat.1.log")).unwrap();
    assert_eq!(log.lines().count(), 16, "{log}");
    assert!(fs::read_to_string(room.path("out")).unwrap().contains("a: (groupid=0"));
    assert!(room.names().iter().all(|name| !name.contains("partial")), "{:?}", room.names());
    // As ioping, and as fio, the binary has the same rules.
    let mut as_fio = room.command::<&str>(&[]);
    as_fio.arg0("fio").args(["--name=a", "--ioengine=null", "--size=64k", "--output=/dev/full"]);
    refused(&as_fio.output().unwrap(), 4, "it is a character device");
    let mut as_ioping = room.command::<&str>(&[]);
    as_ioping.arg0("ioping").args(["-c", "1", "--record", "/dev/full", "measured"]);
    refused(&as_ioping.output().unwrap(), 4, "it is a character device");
}

#[test]
fn the_programs_own_files_are_private_whatever_the_umask() {
    let _beside = beside();
    for (umask, of_results) in [("000", 0o666), ("077", 0o600), ("022", 0o644)] {
        let room = Workspace::new();
        fs::remove_dir_all(room.path("home")).unwrap();
        let sweep = "sweep --read-only --bs 4k --depth 1 --cell-max 300ms --budget 1s";
        let run = |words: &str, more: &str| {
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("umask {umask}; exec \"$0\" \"$@\"")]);
            shell.arg(env!("CARGO_BIN_EXE_truedisk")).args(words.split(' '));
            shell.args(more.split_whitespace()).arg("data.bin");
            shell.current_dir(room.folder.path()).env("XDG_DATA_HOME", room.path("home"));
            let output = shell.output().unwrap();
            assert!(output.status.success(), "{output:?}");
        };
        run(sweep, "--json result.json --html page.html");
        // A check keeps a page too; the widest mask shows whether it is private.
        let (last, kept) =
            if umask == "000" { ("check --quick --read-only", 4) } else { (sweep, 3) };
        run(last, "");
        let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o7777;
        for name in ["result.json", "page.html"] {
            assert_eq!(mode(&room.path(name)), of_results, "{name} under {umask}");
        }
        let data = room.path("home/truedisk");
        let mut folders = vec![data.clone()];
        let mut files = 0;
        while let Some(folder) = folders.pop() {
            assert_eq!(mode(&folder), 0o700, "{} under {umask}", folder.display());
            for entry in fs::read_dir(&folder).unwrap().flatten() {
                if entry.path().is_dir() {
                    folders.push(entry.path());
                } else {
                    files += 1;
                    assert_eq!(mode(&entry.path()), 0o600, "{} {umask}", entry.path().display());
                }
            }
        }
        assert!(files >= kept, "the database, two records and a check's page: {files}");
        // An older truedisk made them for all to read.
        fs::set_permissions(&data, fs::Permissions::from_mode(0o755)).unwrap();
        fs::set_permissions(data.join("history.db"), fs::Permissions::from_mode(0o644)).unwrap();
        assert!(room.run(&["history", "tag", "latest", "x"]).status.success());
        assert_eq!((mode(&data), mode(&data.join("history.db"))), (0o700, 0o600));
    }
}
