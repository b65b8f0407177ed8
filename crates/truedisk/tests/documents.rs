//! The commands of the README, the guides and the start page, as a reader types them: each is
//! taken, and begins to measure or comes to its end.
//!
//! Paths lead below a temporary folder. What runs longer than some seconds is interrupted.
#![allow(clippy::unwrap_used)] // also helpers of tests may fail

mod support;

use std::collections::HashSet;
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use lab::{LoopDevice, Need};
use method::profile::ProfileBuilder;
use record::profile::ProfiledDisk;
use record::{Record, RequestKind, TraceHeader, TraceRequest, TraceWriter, fixture};
use rustix::process::{Pid, Signal, kill_process_group};
use support::{beside, copy_program};

/// A command that is neither refused nor done by then measures, and is interrupted.
const TIME: Duration = Duration::from_millis(1500);
/// After that it must have ended.
const END_TIME: Duration = Duration::from_secs(60);
const AT_ONCE: usize = 8;
/// Exit status of a wrong request, of one that was refused to protect data, and of a shell that
/// finds no program.
const REFUSED: [i32; 3] = [2, 4, 127];
/// What no test can run, or another one runs in full.
const ELSEWHERE: [(&str, &str); 7] = [
    ("cargo ", "builds this very program"),
    ("# dpkg -i ", "tests/dist.rs installs the packages"),
    ("postgres://", "tests/history.rs has a server"),
    ("--nats ", "tests/fleet.rs has servers and agents"),
    ("--ssh ", "tests/fleet/launching.rs has hosts"),
    ("--resume ", "tests/sweep.rs interrupts a sweep first"),
    ("/mnt/san", "tests/fleet.rs shares a file"),
];

/// Options whose file must be a new one.
const NEW_FILES: [&str; 2] = ["--trace ", "-o "];

/// The lines that a reader types, each once, with their document.
fn list_commands() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut documents = vec![root.join("README.md")];
    for entry in fs::read_dir(root.join("docs")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if (name.starts_with("guide-") || name.starts_with("start.")) && name.ends_with(".md") {
            documents.push(path);
        }
    }
    documents.sort();
    let mut commands = Vec::new();
    for path in documents {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let mut is_console = false;
        for line in fs::read_to_string(&path).unwrap().lines() {
            if line.starts_with("```") {
                is_console = line == "```console";
            } else if is_console && let Some(command) = line.strip_prefix("$ ") {
                commands.push((name.clone(), command.to_owned()));
            } else if is_console && line.starts_with("# ") {
                commands.push((name.clone(), line.to_owned()));
            }
        }
    }
    let mut known = HashSet::new();
    let without_comment = |command: &str| command.split("  #").next().unwrap().trim().to_owned();
    commands.retain(|(_, command)| known.insert(without_comment(command)));
    commands
}

/// What a reader has: a home, folders to measure, a device, and the files that commands name.
struct Sandbox {
    folder: tempfile::TempDir,
    /// The folder of the command.
    bin: PathBuf,
    device: PathBuf,
}

impl Sandbox {
    fn new(bin: &Path, device: &Path) -> Self {
        let folder = tempfile::tempdir_in("/var/tmp").unwrap();
        let sandbox = Self { folder, bin: bin.to_owned(), device: device.to_owned() };
        for folder in ["home/bin", "work", "work/runs-of-b", "work/runs-a", "work/runs-b"] {
            fs::create_dir_all(sandbox.path(folder)).unwrap();
        }
        for folder in ["a", "b"] {
            fs::create_dir_all(sandbox.path("work").join(folder)).unwrap();
        }
        sandbox.write_records();
        sandbox.write_load();
        fs::write(sandbox.path("work/jobs.fio"), "[a]\nrw=randread\nsize=8m\n").unwrap();
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
        fs::copy(corpus.join("plan/plans.toml"), sandbox.path("work/plans.toml")).unwrap();
        for words in [
            "preset --show etcd > mine.toml",
            "preset --show etcd > load.toml",
            "fio --name=a --rw=randread --size=8m --output-format=json --output=fio-output.json",
        ] {
            sandbox.prepare(&format!("truedisk {words}"));
        }
        fs::remove_file(sandbox.path("work/a.0.0")).unwrap();
        for copy in ["old.fio.json", "new.fio.json"] {
            fs::copy(sandbox.path("work/fio-output.json"), sandbox.path("work").join(copy))
                .unwrap();
        }
        sandbox.prepare("truedisk history import a1.json a2.json a3.json a4.json");
        sandbox.prepare("truedisk history tag latest before-upgrade");
        sandbox
    }

    /// A sandbox for one command, so that none finds what another one leaves.
    fn duplicate(&self) -> Self {
        let folder = tempfile::tempdir_in("/var/tmp").unwrap();
        let mut copy = Command::new("cp");
        copy.arg("-r").arg(self.path(".")).arg(folder.path());
        assert!(copy.status().unwrap().success());
        Self { folder, bin: self.bin.clone(), device: self.device.clone() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Eight runs of one target, an hour apart.
    fn write_records(&self) {
        let places = ["a1.json", "a2.json", "a3.json", "a4.json"].map(str::to_owned).into_iter();
        let folders = ["runs-of-b", "runs-a", "runs-b", "a", "b"];
        let in_folders =
            folders.into_iter().flat_map(|of| (1..=4).map(move |run| format!("{of}/{run}.json")));
        for (number, place) in places.chain(in_folders).enumerate() {
            let mut record: Record = fixture::ssd_record();
            let shift = jiff::SignedDuration::from_hours(number as i64);
            record.measured.started += shift;
            record.measured.finished += shift;
            let time = record.measured.started.strftime("%Y%m%dT%H%M%SZ");
            record.measured.id = format!("{time}-{number:08x}");
            record.measured.targets[0].path = "/srv/data".to_owned();
            record.judgement = Some(analysis::judge(&record.measured));
            let text = record::store::to_json(&record).unwrap();
            fs::write(self.path("work").join(place), text).unwrap();
        }
    }

    /// 2000 reads in a second, as a trace and as a profile.
    fn write_load(&self) {
        let header = TraceHeader { device_size: 8 << 20, block_size: 512, started_unix_ns: 0 };
        let disk = ProfiledDisk { name: "sda".to_owned(), size_bytes: 8 << 20, block_bytes: 512 };
        let file = fs::File::create(self.path("work/load.tdtrace")).unwrap();
        let mut writer = TraceWriter::new(file, &header).unwrap();
        let mut builder = ProfileBuilder::new(disk);
        for number in 0..2000 {
            let request = TraceRequest {
                start_ns: number * 500_000,
                offset: number * 7919 % 2048 * 4096,
                length: 4096,
                kind: RequestKind::Read,
                is_fua: false,
                latency_ns: Some(100_000),
            };
            writer.push(&request).unwrap();
            builder.add(&request);
        }
        writer.finish(1_000_000_000).unwrap();
        let profile = builder.finish(jiff::Timestamp::UNIX_EPOCH, 1_000_000_000, 0);
        fs::write(self.path("work/load.tdprofile"), profile.to_toml().unwrap()).unwrap();
    }

    /// Absolute paths below the folder, devices as the loop device; `sudo` is not needed.
    fn localize(&self, command: &str) -> String {
        let mut local = command.replace("sudo ", "");
        // Paths in records are those of another host.
        if local.starts_with("truedisk history") {
            return local;
        }
        for device in ["/dev/sda", "/dev/sdx", "/dev/vda"] {
            local = local.replace(device, self.device.to_str().unwrap());
        }
        for path in ["/srv/data", "/srv", "/mnt/new", "/mnt/a", "/mnt/b", "/var/lib", "/data"] {
            let mut begin = 0;
            while let Some(at) = local[begin..].find(&format!(" {path}")) {
                let folder = self.path(&path[1..]);
                local.insert_str(begin + at + 1, self.folder.path().to_str().unwrap());
                begin += at + 1 + folder.as_os_str().len();
            }
        }
        local
    }

    /// A command is run as root: it may name nothing of this host but the sandbox's device, and the
    /// folder of temporary files.
    fn refuse_foreign_paths(&self, local: &str) {
        let is_ours = |path: &Path| {
            path.starts_with(self.folder.path())
                || path == self.device
                || path == Path::new("/var/tmp")
        };
        // Paths of a history are those of other hosts' runs.
        if local.starts_with("truedisk history") {
            return;
        }
        let words = local.split("  #").next().unwrap();
        for word in words.split([' ', '\'', '"', '=', ',', ':', '(', ')']) {
            let is_foreign = word.starts_with('/') && !is_ours(Path::new(word));
            let leads_up = Path::new(word).components().any(|part| part == Component::ParentDir);
            assert!(!is_foreign && !leads_up, "{word} is none of the test's: {local}");
        }
    }

    fn shell(&self, command: &str) -> Command {
        let mut shell = Command::new("bash");
        let path = std::env::var("PATH").unwrap();
        shell.args(["-o", "pipefail", "-c", command]).current_dir(self.path("work"));
        shell.env("PATH", format!("{}:{path}", self.bin.display()));
        shell.env("HOME", self.path("home")).env("LC_ALL", "C.UTF-8").stdin(Stdio::null());
        for name in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "TRUEDISK_HISTORY"] {
            shell.env_remove(name);
        }
        shell
    }

    #[track_caller]
    fn prepare(&self, command: &str) {
        let output = self.shell(command).output().unwrap();
        assert!(output.status.success(), "{command}: {output:?}");
    }

    /// What is wrong with the command.
    fn try_command(&self, document: &str, command: &str) -> Option<String> {
        let local = self.localize(command);
        for word in local.split([' ', '\'']).filter(|word| word.starts_with('/')) {
            if Path::new(word).starts_with(self.folder.path()) {
                fs::create_dir_all(word).unwrap();
            }
        }
        for option in NEW_FILES {
            if let Some((_, rest)) = local.split_once(option) {
                let _ = fs::remove_file(self.path("work").join(rest.split(' ').next().unwrap()));
            }
        }
        self.refuse_foreign_paths(&local);
        let mut shell = self.shell(&local);
        let child = shell.stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0).spawn();
        let mut child = child.unwrap();
        let group = Pid::from_child(&child);
        let start = Instant::now();
        let mut is_interrupted = false;
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if !is_interrupted && start.elapsed() >= TIME {
                is_interrupted = true;
                kill_process_group(group, Signal::INT).unwrap();
            }
            if start.elapsed() >= TIME + END_TIME {
                let _ = kill_process_group(group, Signal::KILL);
                return Some(format!("{document}: {command}: it does not end"));
            }
            // sleeps because another process measures
            std::thread::sleep(Duration::from_millis(20));
        };
        let said = child.wait_with_output().unwrap();
        let is_fine = match status.code() {
            Some(code) if is_interrupted => !REFUSED.contains(&code),
            // A check, a threshold or a promise that is not met is an answer.
            Some(code) => code == 0 || code == 3,
            None => is_interrupted,
        };
        let said = String::from_utf8_lossy(&said.stderr);
        (!is_fine).then(|| format!("{document}: {command}\n  {status}: {}", said.trim()))
    }
}

#[test]
fn every_command_of_the_readme_and_the_guides_is_taken() {
    lab::skip_unless!(Need::Root, Need::LoopDevices);
    let _beside = beside();
    let device = LoopDevice::new(64 << 20).unwrap();
    let bin = tempfile::tempdir_in("/var/tmp").unwrap();
    copy_program(&bin.path().join("truedisk"));
    let sandbox = Sandbox::new(bin.path(), device.path());
    let commands = list_commands();
    let is_elsewhere = |command: &str| ELSEWHERE.iter().any(|(part, _)| command.contains(part));
    for (part, why) in ELSEWHERE {
        assert!(commands.iter().any(|(_, command)| command.contains(part)), "{part}: {why}");
    }
    let wanted: Vec<&(String, String)> =
        commands.iter().filter(|(_, command)| !is_elsewhere(command)).collect();
    assert!(wanted.len() > 60, "{}", wanted.len());
    let (next, wrong) = (Mutex::new(wanted.iter()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let taken = next.lock().unwrap().next();
                    let Some((document, command)) = taken else { break };
                    let of = sandbox.duplicate().try_command(document, command);
                    wrong.lock().unwrap().extend(of);
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), wanted.len(), wrong.join("\n"));
}
