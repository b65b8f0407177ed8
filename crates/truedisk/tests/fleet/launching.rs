//! Agents that are launched over ssh, and all that goes when their command ends.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use lab::{Hosts, NatsServer, Need, Scratch, Sshd, skip_unless};
use record::{Completion, Record};

use crate::support::agent_hosts::{PROGRAM, wait};
use crate::support::beside;

const LIMIT: Duration = Duration::from_secs(30);

/// Hosts with sshd, and a place for what is launched.
struct Place {
    sshd: Sshd,
    hosts: Hosts,
    room: Scratch,
}

impl Place {
    fn new(count: u8) -> Place {
        let hosts = Hosts::new(count).unwrap();
        let sshd = Sshd::start_on_hosts(hosts.hosts()).unwrap();
        let room = Scratch::new().unwrap();
        std::fs::create_dir(room.path().join("data")).unwrap();
        Place { sshd, hosts, room }
    }

    fn data(&self) -> PathBuf {
        self.room.path().join("data")
    }

    /// The command on the hub, with the ssh that knows the hosts.
    fn fleet(&self, words: &[&str]) -> Command {
        let mut command = self.hosts.hub().command(PROGRAM);
        command.arg("fleet").args(words).stdin(Stdio::null());
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("{}:{path}", self.sshd.client_folder().display()));
        command.env("TMPDIR", self.room.path()).env("XDG_DATA_HOME", "/dev/null");
        command.env_remove("TRUEDISK_HISTORY");
        command
    }

    /// Bytes that the agents read from disks.
    fn bytes_read(&self) -> u64 {
        let of = |folder: PathBuf| -> Option<u64> {
            let io = std::fs::read_to_string(folder.join("io")).ok()?;
            let line = io.lines().find_map(|line| line.strip_prefix("read_bytes: "))?;
            line.trim().parse().ok()
        };
        self.processes("truedisk").into_iter().filter_map(of).sum()
    }

    fn running(&self, program: &str) -> usize {
        self.processes(program).len()
    }

    /// The folders in /proc of programs of this name in any of the hosts' networks, the hub's too.
    fn processes(&self, program: &str) -> Vec<PathBuf> {
        let mut hosts = vec![self.hosts.hub()];
        hosts.extend(self.hosts.hosts());
        let networks: Vec<PathBuf> = hosts.into_iter().map(network_of).collect();
        let listed = std::fs::read_dir("/proc").unwrap().flatten();
        let ours = listed.filter(|entry| {
            let network = std::fs::read_link(entry.path().join("ns/net"));
            let name = std::fs::read_to_string(entry.path().join("comm")).unwrap_or_default();
            network.is_ok_and(|network| networks.contains(&network)) && name.trim() == program
        });
        ours.map(|entry| entry.path()).collect()
    }

    /// Folders of launches: here, and where the hosts' temporary files are.
    fn folders(&self) -> usize {
        let count = |folder: &Path| {
            let listed = std::fs::read_dir(folder).unwrap().flatten();
            let name = |entry: std::fs::DirEntry| entry.file_name().into_string().unwrap();
            listed.map(name).filter(|name| name.starts_with(".truedisk-launch-")).count()
        };
        count(Path::new("/tmp")) + count(self.room.path())
    }

    fn check_gone(&self) {
        let gone = || {
            ["truedisk", "nats-server", "ssh"].iter().all(|name| self.running(name) == 0)
                && self.folders() == 0
        };
        wait(LIMIT, "agents, server and folders are gone", gone);
    }
}

fn network_of(host: &lab::Host) -> PathBuf {
    let mut command = host.command("readlink");
    let output = command.arg("/proc/self/ns/net").output().unwrap();
    PathBuf::from(String::from_utf8(output.stdout).unwrap().trim())
}

#[test]
fn hosts_measure_over_ssh_and_keep_nothing() {
    skip_unless!(Need::NetworkNamespaces, Need::Program("nats-server"));
    skip_unless!(Need::Program("sshd"), Need::Program("ssh"));
    let _beside = beside();
    let place = Place::new(2);
    let record = place.room.path().join("record.json");
    let data = place.data();
    let words = [
        "--ssh",
        "h1,root@h2",
        "sweep",
        "--rw",
        "randread",
        "--bs",
        "4k",
        "--depth",
        "4",
        "--size",
        "16m",
        "--cell-max",
        "1s",
        "--budget",
        "2s",
        "--no-history",
        "--json",
        record.to_str().unwrap(),
        data.to_str().unwrap(),
    ];
    let output = place.fleet(&words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    let dynamic = !cfg!(target_feature = "crt-static");
    assert_eq!(said.contains("linked dynamically"), dynamic, "{said}");
    let record: Record = serde_json::from_str(&std::fs::read_to_string(&record).unwrap()).unwrap();
    let fleet = record.measured.fleet.as_ref().unwrap();
    let names: Vec<&str> = fleet.hosts.iter().map(|host| host.name.as_str()).collect();
    assert_eq!(names, ["h1", "root-h2"]);
    assert_eq!(record.judgement_or_default().degraded, [""; 0]);
    assert!(fleet.hosts.iter().all(|host| !host.cells.is_empty()));
    place.check_gone();
    let left: Vec<_> = std::fs::read_dir(&data).unwrap().flatten().collect();
    assert!(left.is_empty(), "{left:?}");
    check_failures(&place);
    check_killed(&place);
    check_interrupted(&place);
}

#[test]
fn a_job_file_on_the_standard_input_runs_over_ssh() {
    skip_unless!(Need::NetworkNamespaces, Need::Program("nats-server"));
    skip_unless!(Need::Program("sshd"), Need::Program("ssh"));
    let _beside = beside();
    let place = Place::new(2);
    let data = place.data();
    let text = format!("[a]\ndirectory={}\nrw=write\nbs=4k\nsize=64k\n", data.display());
    let mut command = place.fleet(&["--ssh", "h1,root@h2", "fio", "--output-format=json", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    let root: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(root["client_stats"][2]["write"]["io_bytes"], 2 * (64 << 10));
    // In a folder that they share, each has a file of its own.
    let listed = std::fs::read_dir(&data).unwrap().flatten();
    let mut names: Vec<String> =
        listed.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["h1.a.0.0", "root-h2.a.0.0"]);
    place.check_gone();
}

#[test]
fn a_password_of_the_server_is_in_no_list_of_processes() {
    skip_unless!(Need::NetworkNamespaces, Need::Program("nats-server"));
    skip_unless!(Need::Program("sshd"), Need::Program("ssh"));
    const SECRET: &str = "hunter2Xq9";
    let _beside = beside();
    let place = Place::new(1);
    let options = NatsServer::options().user("bob", SECRET);
    let server = options.start_on(place.hosts.hub()).unwrap();
    let url = place.room.path().join("nats.url");
    std::fs::write(&url, server.url().replace("://", &format!("://bob:{SECRET}@"))).unwrap();
    let data = place.data();
    let mut command = place.fleet(&["--ssh", "h1", "--nats-file", url.to_str().unwrap(), "sweep"]);
    command.args(["--rw", "randread", "--bs", "4k", "--depth", "1", "--size", "16m"]);
    command.args(["--cell-max", "1s", "--budget", "2s", "--no-history"]).arg(data);
    // Nothing reads a pipe while the processes are looked at: a record on it would fill it.
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut looks = 0;
    while child.try_wait().unwrap().is_none() {
        for process in std::fs::read_dir("/proc").unwrap().flatten() {
            for file in ["cmdline", "environ"] {
                let bytes = std::fs::read(process.path().join(file)).unwrap_or_default();
                let text = String::from_utf8_lossy(&bytes).into_owned();
                assert!(!text.contains(SECRET), "{text}");
            }
        }
        looks += 1;
        // sleeps because the processes of other hosts are looked at again and again
        std::thread::sleep(Duration::from_millis(10));
    }
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(looks > 10, "{looks}");
    assert!(!said.contains(SECRET), "{said}");
    drop(server);
    place.check_gone();
}

/// Every host that does not come is named, and nothing stays of the others.
fn check_failures(place: &Place) {
    let data = place.data();
    let words = ["--ssh", "h1,h9", "check", data.to_str().unwrap()];
    let output = place.fleet(&words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot start an agent on h9: ssh: "), "{said}");
    assert!(!said.contains("agent on h1"), "{said}");
    place.check_gone();

    let words = ["--ssh", "h1", "check", "/no/such/folder"];
    let output = place.fleet(&words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("cannot start an agent on h1: "), "{said}");
    assert!(said.contains("cannot allow /no/such/folder"), "{said}");
    place.check_gone();
}

/// A minute of reading on one host, which no test waits for.
fn minute(place: &Place, data: &Path, more: &[&str]) -> Child {
    let words = "--ssh h1 sweep --rw randread --bs 4k --depth 1 --size 16m --precision 0.1% \
                 --cell-max 60s --budget 60s --no-history";
    let mut words: Vec<&str> = words.split_whitespace().collect();
    words.extend(more);
    words.push(data.to_str().unwrap());
    let mut command = place.fleet(&words);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn files(data: &Path) -> usize {
    std::fs::read_dir(data).unwrap().count()
}

/// A command that is killed outright takes everything with it, in the middle of measuring.
fn check_killed(place: &Place) {
    let data = place.data();
    let mut child = minute(place, &data, &[]);
    wait(LIMIT, "it measures", || files(&data) > 0);
    child.kill().unwrap();
    child.wait().unwrap();
    place.check_gone();
    assert_eq!(files(&data), 0, "the agent removed its test file");
}

/// Ctrl-C while agents come, and while they measure: nothing stays, and what was measured is kept.
fn check_interrupted(place: &Place) {
    let data = place.data();
    let interrupt = |child: Child| {
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(130), "{said}");
        place.check_gone();
        assert_eq!(files(&data), 0, "no test file stays");
    };
    let child = minute(place, &data, &[]);
    wait(LIMIT, "ssh runs", || place.running("ssh") > 0);
    interrupt(child);

    let record = place.room.path().join("interrupted.json");
    let child = minute(place, &data, &["--json", record.to_str().unwrap()]);
    // More than may be read of the file before anything is measured.
    wait(LIMIT, "it measures", || place.bytes_read() > 64 << 20);
    interrupt(child);
    let record: Record = serde_json::from_str(&std::fs::read_to_string(&record).unwrap()).unwrap();
    let is_partial = matches!(record.measured.completion, Completion::Partial { .. });
    assert!(is_partial, "{:?}", record.measured.completion);
}
