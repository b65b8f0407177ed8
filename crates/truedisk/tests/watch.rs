//! `truedisk watch` on this host's disks and on a loop device under a load of ours.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use lab::{FileSystem, LoopDevice, Mount, Need};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Termios, Winsize, tcgetattr, tcsetwinsize};
use serde_json::Value;
use support::{alone, beside, run, truedisk};

const COUNTED: [&str; 4] = ["watch", "--source", "counters", "--no-history"];

fn watch(words: &[&str]) -> Command {
    truedisk(COUNTED.iter().chain(words))
}

fn lines(text: &[u8]) -> Vec<Value> {
    let text = String::from_utf8_lossy(text).into_owned();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Random reads of a device for some seconds.
fn read_device(device: &Path, seconds: u64) -> std::process::Child {
    let file = format!("--filename={}", device.display());
    let runtime = format!("--runtime={seconds}");
    let words = ["fio", "--name=load", "--rw=randread", "--bs=4k", "--direct=1", "--time_based"];
    let mut load = truedisk(words.iter().copied().chain(["--readonly", &file, &runtime]));
    load.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn a_disk_under_load_is_seen_and_an_idle_one_is_acquitted() {
    lab::skip_unless!(Need::LoopDevices);
    let _beside = beside();
    let disk = LoopDevice::new(64 << 20).unwrap();
    let device = disk.path().to_str().unwrap();

    let output = run(watch(&["--once", "1s", "--json", "-", device]));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let [idle] = &lines(&output.stdout)[..] else { panic!("{output:?}") };
    assert_eq!((&idle["kind"], &idle["source"]), (&"summary".into(), &"counters".into()));
    assert_eq!(idle["disks"][0]["verdict"], "not-bottleneck", "{idle}");

    let mut load = read_device(disk.path(), 30);
    let output = run(watch(&["--for", "3s", "--json", "-", device]));
    let text = run(watch(&["--for", "2s", "--fail-on", "mean>1ns", "--plain", device]));
    load.kill().unwrap();
    load.wait().unwrap();
    let all = lines(&output.stdout);
    let kinds: Vec<&str> = all.iter().map(|line| line["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["interval", "interval", "interval", "summary"]);
    let summed: u64 = all[..3].iter().filter_map(reads).sum();
    assert_eq!(reads(&all[3]), Some(summed));
    let read = &all[3]["disks"][0]["read"];
    assert!(summed > 0 && read["mean"].as_u64().unwrap() > 0, "{read}");
    assert!(read.get("p99").is_none() && read.get("queue").is_none(), "{read}");

    assert_eq!(text.status.code(), Some(3), "{text:?}");
    let text = String::from_utf8(text.stdout).unwrap();
    for words in ["source: counters", "mean", "outstanding", "over 2."] {
        assert!(text.contains(words), "no '{words}' in {text}");
    }
    let wide = text.lines().find(|line| line.chars().count() > 100);
    assert!(wide.is_none() && !text.contains('\u{1b}'), "{text}");
}

/// The command with a history in this home; what it printed.
fn print_in(home: &Path, words: &[&str], status: i32) -> (String, String) {
    let mut command = truedisk(words);
    command.env("XDG_DATA_HOME", home);
    let output = run(command);
    assert_eq!(output.status.code(), Some(status), "{words:?}: {output:?}");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_watch_is_kept_shown_followed_and_compared() {
    lab::skip_unless!(Need::LoopDevices);
    let _beside = beside();
    let disk = LoopDevice::new(64 << 20).unwrap();
    let device = disk.path().to_str().unwrap();
    let name = device.strip_prefix("/dev/").unwrap();
    let home = tempfile::tempdir().unwrap();
    let page = home.path().join("page.html");
    let page = page.to_str().unwrap();
    let print = |words: &[&str]| print_in(home.path(), words, 0).0;
    let mut load = read_device(disk.path(), 60);
    let timed = ["watch", "--source", "counters", "--for", "1s", "--interval", "200ms", "--plain"];
    for _ in 0..2 {
        let words = [&timed[..], &["--html", page, device]].concat();
        let (_, said) = print_in(home.path(), &words, 0);
        assert!(said.contains("truedisk: kept ") && said.contains(page), "{said}");
        // sleeps because the run's id has the second in it
        std::thread::sleep(Duration::from_millis(1_100));
    }
    print(&[&timed[..], &["--no-history", device]].concat());
    let long = print(&[&timed[..], &["-v", "--no-history", device]].concat());
    assert!(long.contains("truedisk watch of"), "as `history show -v` prints it: {long}");
    load.kill().unwrap();
    load.wait().unwrap();

    let list: Value = serde_json::from_str(&print(&["history", "list", "--json"])).unwrap();
    let runs = list.as_array().unwrap();
    assert_eq!(runs.len(), 2, "{list}");
    let [newest, oldest] = [0, 1].map(|place| runs[place]["id"].as_str().unwrap());
    assert_eq!((&runs[0]["command"], &runs[0]["device"]), (&"watch".into(), &name.into()));
    assert!(!runs[0]["headline"]["text"].as_str().unwrap().is_empty(), "{list}");
    for words in [&["history", "show"][..], &["history", "show", "-v"]] {
        let shown = print(words);
        let reads = format!("{name} read");
        for words in ["truedisk watch of", "source: counters", "MB/s", &reads] {
            assert!(shown.contains(words), "{words} is missing in {shown}");
        }
    }
    let written = std::fs::read_to_string(page).unwrap();
    print(&["history", "show", newest, "--html", page]);
    let again = std::fs::read_to_string(page).unwrap();
    assert_eq!(written, again, "the page of the watch is that of the history");
    assert!(again.contains("<title>truedisk watch: ") && again.len() < 400_000);

    for target in [name, device] {
        let trend = print(&["history", "trend", target, "--direction", "read", "--json", "-"]);
        let trend: Value = serde_json::from_str(&trend).unwrap();
        assert_eq!(trend["runs"].as_array().map(Vec::len), Some(2), "{trend}");
        assert!(trend["figure"].as_str().unwrap().starts_with(name), "{trend}");
    }
    // What nothing is known of has no share that is used.
    let (_, said) = print_in(home.path(), &["history", "trend", name, "--metric", "used"], 2);
    assert!(said.contains("with used"), "{said}");
    let compared = print(&["compare", oldest, newest]);
    assert!(compared.contains("read IOPS") && compared.contains("x "), "{compared}");
    let json: Value =
        serde_json::from_str(&print(&["compare", oldest, newest, "--json", "-"])).unwrap();
    let pairs = json["pairs"].as_array().unwrap();
    assert!(pairs.iter().any(|pair| pair["a"] == name), "{json}");
    let (_, refused) = print_in(home.path(), &["compare", oldest, newest, "--html", page], 2);
    assert!(refused.contains("no page"), "{refused}");
}

#[test]
fn a_watch_that_ends_early_is_kept_as_partial() {
    let _beside = beside();
    let home = tempfile::tempdir().unwrap();
    let mut command = truedisk(["watch", "--source", "counters", "--for", "1h", "--plain"]);
    command.env("XDG_DATA_HOME", home.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut shown = BufReader::new(child.stdout.take().unwrap()).lines();
    // The first interval has ended.
    assert!(shown.by_ref().any(|line| line.unwrap().contains("outstanding")));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let rest: Vec<String> = shown.map(Result::unwrap).collect();
    assert!(rest.iter().any(|line| line.starts_with("over ")), "{rest:?}");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let (list, _) = print_in(home.path(), &["history", "list", "--json"], 0);
    let list: Value = serde_json::from_str(&list).unwrap();
    assert_eq!((&list[0]["command"], &list[0]["complete"]), (&"watch".into(), &false.into()));
}

fn reads(line: &Value) -> Option<u64> {
    line["disks"][0]["read"]["operations"].as_u64()
}

#[repr(align(4096))]
struct Page([u8; 4096]);

/// Writes one page after another past the page cache until it is to stop, and not for ever.
fn write_pages(device: &Path, stop: &AtomicBool) {
    let begun = Instant::now();
    let flags = rustix::fs::OFlags::DIRECT.bits() as i32;
    let file = OpenOptions::new().write(true).custom_flags(flags).open(device).unwrap();
    let page = Box::new(Page([7; 4096]));
    while !stop.load(Ordering::Relaxed) && begun.elapsed().as_secs() < 120 {
        file.write_all_at(&page.0, 0).unwrap();
    }
}

/// Its requests hang while the file system under it is frozen.
#[test]
fn a_disk_that_hangs_is_not_acquitted() {
    lab::skip_unless!(Need::Root, Need::LoopDevices);
    let _alone = alone();
    let below = LoopDevice::new(32 << 20).unwrap();
    let mount = Mount::new(&below, FileSystem::Ext4).unwrap();
    let folder = mount.path().to_owned();
    let disk = mount.attach_file(4 << 20).unwrap();
    let stop = AtomicBool::new(false);
    // A process of its own: it thaws whatever happens here.
    let freeze = |before: &str| {
        let script = format!("sleep {before}; fsfreeze -f \"$0\" && sleep 2; fsfreeze -u \"$0\"");
        Command::new("sh").args(["-c", &script]).arg(&folder).spawn().unwrap()
    };
    let check = |source: &str, time: &str| {
        let mut frozen = freeze("0.6");
        let words = ["watch", "--source", source, "--once", time, "--json", "-"];
        let output = run(truedisk(words.iter().copied().chain([disk.path().to_str().unwrap()])));
        assert!(frozen.wait().unwrap().success());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let [line] = &lines(&output.stdout)[..] else { panic!("{output:?}") };
        let said = line["disks"][0].clone();
        assert_ne!(said["verdict"], "not-bottleneck", "{source}, {time}: {said}");
        said["verdict"].as_str().unwrap().to_owned()
    };
    std::thread::scope(|scope| {
        scope.spawn(|| write_pages(disk.path(), &stop));
        for source in ["ebpf", "trace", "counters"] {
            // The hang ends within the watch; goes on at its end; or begins shortly before its end.
            assert_eq!(check(source, "4s"), "slow");
            assert_eq!(check(source, "2.2s"), "slow");
            check(source, "1s");
        }
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn metrics_are_served_and_written_while_a_disk_is_watched() {
    lab::skip_unless!(Need::LoopDevices);
    let _beside = beside();
    let disk = LoopDevice::new(64 << 20).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut load = read_device(disk.path(), 30);
    let mut command = watch(&["--interval", "200ms", "--prometheus", "127.0.0.1:0"]);
    command.arg("--plain").arg("--textfile").arg(folder.path()).arg(disk.path());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let address = said.next().unwrap().unwrap();
    let address = address.strip_prefix("metrics: http://").unwrap().strip_suffix("/metrics");
    // An interval has fewer lines. The pipe stays open: to close it would end the watch.
    let mut shown = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(shown.by_ref().take(25).count(), 25);
    let scraped = scrape(address.unwrap());
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let status = child.wait().unwrap();
    load.kill().unwrap();
    load.wait().unwrap();
    assert!(status.success(), "{status:?}");
    let written = std::fs::read_to_string(folder.path().join("truedisk.prom")).unwrap();
    let name = disk.path().file_name().unwrap().to_str().unwrap();
    let reads = format!("truedisk_disk_operations_total{{device=\"{name}\",direction=\"read\"}} ");
    let count = |text: &str| -> f64 {
        let line = text.lines().find_map(|line| line.strip_prefix(&reads));
        line.unwrap_or_else(|| panic!("no {reads} in {text}")).parse().unwrap()
    };
    assert!(count(&scraped) > 0.0 && count(&written) >= count(&scraped), "{scraped}{written}");
    assert!(written.starts_with("# Written by truedisk watch"), "{written}");
    assert!(!written.contains("latency_seconds_bucket"), "counters have no histogram: {written}");
}

fn scrape(address: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    answer
}

#[test]
fn wrong_requests_are_refused_before_anything_is_watched() {
    let _beside = beside();
    let check = |words: &[&str], said: &str| {
        let output = run(watch(words));
        assert_eq!(output.status.code(), Some(2), "{words:?}: {output:?}");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(stderr.contains(said) && stderr.contains("hint: "), "{words:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{words:?}");
    };
    check(&["--once", "1s", "/no/such/disk"], "/no/such/disk");
    check(&["--once", "1s", "/proc/version"], "lies on no disk of this host");
    check(&["--once", "1s", "--for", "2s"], "cannot be used with");
    check(&["--interval", "1ms"], "shorter than");
    check(&["--once", "1s", "--fail-on", "p99>1ms", "/"], "counters have means only");
    check(&["--once", "1s", "--fail-on", "p99<1ms"], "'>' and a time");
    for (probed, said) in
        [("/tmp", "is a folder"), ("/no/such", "does not exist"), ("/dev/null", "character")]
    {
        check(&["--once", "1s", "--probe", probed], said);
    }
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    check(&["--once", "1s", "--prometheus", &address], "cannot serve metrics at 127.0.0.1:");
    check(&["--once", "1s", "--prometheus", "9187"], "it must be :PORT");
    check(&["--once", "1s", "--textfile", "/no/such/folder"], "/no/such/folder");
}

#[test]
fn a_probe_reads_once_a_second_and_changes_nothing() {
    lab::skip_unless!(Need::LoopDevices);
    let _beside = beside();
    let disk = LoopDevice::new(8 << 20).unwrap();
    let device = disk.path().to_str().unwrap();
    let before = std::fs::read(device).unwrap();
    let output = run(watch(&["--once", "2500ms", "--probe", device, "--json=-", device]));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let [seen] = &lines(&output.stdout)[..] else { panic!("{output:?}") };
    let probe = &seen["probe"];
    assert_eq!((&probe["reads"], &probe["errors"]), (&3.into(), &0.into()), "{seen}");
    assert!(probe["mean"].as_u64().unwrap() <= probe["max"].as_u64().unwrap(), "{seen}");
    assert_eq!(std::fs::read(device).unwrap(), before);
    let output = run(watch(&["--once", "1s", "--plain", "--probe", device, device]));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("one read of our own a second: "), "{text}");
}

#[test]
fn a_signal_ends_a_watch_with_its_result() {
    let _beside = beside();
    let check = |words: &[&str], status: i32| {
        let mut command = watch(words);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let pid = Pid::from_child(&child);
        // sleeps because the handler of the signal must be there first
        std::thread::sleep(Duration::from_secs(2));
        kill_process(pid, Signal::INT).unwrap();
        let asked = Instant::now();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{words:?}: {output:?}");
        assert!(asked.elapsed() < Duration::from_secs(20), "{words:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("over "), "{text}");
    };
    check(&["--interval", "1h"], 0);
    check(&["--for", "1h"], 130);
}

#[test]
fn a_reader_that_closes_the_pipe_ends_the_watch() {
    let _beside = beside();
    let mut command = watch(&["--interval", "100ms"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{output:?}");
}

/// A terminal of 80 columns and 24 rows for one program, whose user is the test.
struct PseudoTerminal {
    keyboard: File,
    device: File,
    bytes: Receiver<Vec<u8>>,
    /// Everything that was written to it so far.
    written: String,
}

impl PseudoTerminal {
    fn open() -> Self {
        let master =
            openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let device = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&device, size).unwrap();
        let keyboard = File::from(master);
        let mut screen = keyboard.try_clone().unwrap();
        let (send, bytes) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4_096];
            while let Ok(count @ 1..) = screen.read(&mut buffer) {
                if send.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self { keyboard, device, bytes, written: String::new() }
    }

    fn start(&self, mut command: Command, term: &str) -> Child {
        let device = || self.device.try_clone().unwrap();
        command.stdin(device()).stdout(device()).stderr(Stdio::piped()).env("TERM", term);
        command.spawn().unwrap()
    }

    fn type_keys(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until `words` are written, behind what an earlier call waited for; what was written
    /// until then.
    fn wait_for(&mut self, words: &str) -> String {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            if let Some(place) = self.written.find(words) {
                return self.written.drain(..place + words.len()).collect();
            }
            let bytes = self.bytes.recv_timeout(end.saturating_duration_since(Instant::now()));
            let bytes = bytes.unwrap_or_else(|_| panic!("no {words:?} in {:?}", self.written));
            self.written.push_str(&String::from_utf8_lossy(&bytes));
        }
    }

    fn modes(&self) -> Termios {
        tcgetattr(&self.device).unwrap()
    }

    fn assert_modes(&self, before: &Termios) {
        let modes = |termios: &Termios| {
            let (input, output) = (termios.input_modes, termios.output_modes);
            (input, output, termios.control_modes, termios.local_modes)
        };
        assert_eq!(modes(&self.modes()), modes(before));
    }
}

const OPEN_SCREEN: &str = "\u{1b}[?1049h";
const CLOSE_SCREEN: &str = "\u{1b}[?1049l";

#[test]
fn a_terminal_gets_a_screen_and_is_restored() {
    let _beside = beside();
    let check = |words: &[&str], end: &dyn Fn(&mut PseudoTerminal, Pid), status: i32| {
        let mut terminal = PseudoTerminal::open();
        let before = terminal.modes();
        let words = [&["--interval", "200ms"], words].concat();
        let child = terminal.start(watch(&words), "xterm-256color");
        let pid = Pid::from_child(&child);
        terminal.wait_for(OPEN_SCREEN);
        terminal.wait_for("reads/s");
        assert!(!terminal.modes().local_modes.intersects(LocalModes::ICANON | LocalModes::ECHO));
        terminal.type_keys("?");
        terminal.wait_for("Ctrl-C");
        // Only cells that change are written: words that stand alone on their line come whole.
        terminal.type_keys("?p");
        terminal.wait_for("paused:");
        end(&mut terminal, pid);
        terminal.wait_for(CLOSE_SCREEN);
        terminal.wait_for("over ");
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{words:?}: {output:?}");
        assert!(output.stderr.is_empty(), "{words:?}: {output:?}");
        terminal.assert_modes(&before);
    };
    check(&[], &|terminal, _| terminal.type_keys("q"), 0);
    // A key that repeats is no second signal, which would end without the result.
    check(&[], &|terminal, _| terminal.type_keys("qqqq"), 0);
    check(&[], &|terminal, _| terminal.type_keys("\u{3}"), 0);
    check(&[], &|terminal, _| terminal.type_keys("\u{1b}"), 0);
    check(&[], &|_, pid| kill_process(pid, Signal::TERM).unwrap(), 0);
    check(&["--for", "1h"], &|terminal, _| terminal.type_keys("q"), 130);
    check(&["--for", "10s"], &|_, _| {}, 0);
}

/// The same key ends a capture, and so does the end of the watch.
#[test]
fn a_key_captures_the_load_of_the_chosen_disk() {
    lab::skip_unless!(Need::Root, Need::LoopDevices);
    let _beside = beside();
    let disk = LoopDevice::new(64 << 20).unwrap();
    let mut load = read_device(disk.path(), 60);
    for is_ended_by_key in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let mut terminal = PseudoTerminal::open();
        let mut command = watch(&["--interval", "200ms", disk.path().to_str().unwrap()]);
        command.current_dir(folder.path());
        let child = terminal.start(command, "xterm-256color");
        terminal.wait_for("reads/s");
        // By name, the loop device comes before the disk below it.
        terminal.type_keys("ssskkc");
        terminal.wait_for("capturing");
        // sleeps because the load of a second is captured
        std::thread::sleep(Duration::from_secs(1));
        if is_ended_by_key {
            terminal.type_keys("c");
            let start = Instant::now();
            while folder.path().read_dir().unwrap().next().is_none() {
                assert!(start.elapsed() < Duration::from_secs(30), "nothing was saved");
                // sleeps because another process saves
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        terminal.type_keys("q");
        terminal.wait_for(CLOSE_SCREEN);
        terminal.wait_for("over ");
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(is_ended_by_key || said.contains("truedisk: Saved "), "{said}");
        let files: Vec<_> = folder.path().read_dir().unwrap().map(|it| it.unwrap()).collect();
        let [file] = &files[..] else { panic!("{files:?}") };
        let name = file.file_name().into_string().unwrap();
        let device = disk.path().file_name().unwrap().to_str().unwrap();
        assert!(name.starts_with(&format!("{device}-20")), "{name}");
        let job = run(truedisk(["replay", file.path().to_str().unwrap(), "--as-fio", "-"]));
        let job = String::from_utf8_lossy(&job.stdout).into_owned();
        assert!(job.contains("rw=randread"), "{job}");
    }
    load.kill().unwrap();
    load.wait().unwrap();
}

#[test]
fn text_is_printed_on_a_terminal_where_a_screen_is_not_wanted() {
    let _beside = beside();
    let check = |words: &[&str], term: &str| {
        let mut terminal = PseudoTerminal::open();
        let before = terminal.modes();
        let child = terminal.start(watch(words), term);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words:?}: {output:?}");
        terminal.assert_modes(&before);
        let written = terminal.wait_for("over ");
        assert!(!written.contains(OPEN_SCREEN) && written.contains("watching "), "{written:?}");
    };
    check(&["--for", "1s", "--plain"], "xterm-256color");
    check(&["--for", "1s"], "dumb");
    check(&["--once", "1s"], "xterm-256color");
}

/// The `STOP` character of a terminal.
const CTRL_S: &str = "\u{13}";

#[test]
fn a_signal_ends_a_watch_whose_terminal_was_stopped() {
    let _beside = beside();
    let mut terminal = PseudoTerminal::open();
    let mut child = terminal.start(watch(&["--interval", "200ms", "--plain"]), "xterm-256color");
    terminal.wait_for("IOPS");
    terminal.type_keys(CTRL_S);
    // Nothing comes for some intervals: the watch is blocked where it writes.
    while terminal.bytes.recv_timeout(Duration::from_secs(1)).is_ok() {}
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let stopped = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if stopped.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
        }
        // sleeps because the end of a child is not waited for with a limit
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(status.code(), Some(0), "after {:?}", stopped.elapsed());
    terminal.written.clear();
    terminal.wait_for("over ");
}
