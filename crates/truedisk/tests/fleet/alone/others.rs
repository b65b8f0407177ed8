//! `--stop-on`: a run that ends when others on the same disk suffer.

use std::fs::File;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use lab::{LoopDevice, NatsServer, Need, Scratch, Throttle, skip_unless};
use record::{Completion, Record};

use crate::support::agent_hosts::wait;
use crate::support::local_agents::{Agent, LIMIT, agent_command, complaint, fleet};
use crate::support::{alone, run, truedisk};

/// A device that agents may read, each in a group of its own, and a program in the last group.
struct Field {
    device: LoopDevice,
    server: NatsServer,
    groups: [Throttle; 4],
    scratch: Scratch,
}

/// Random reads until it is dropped.
struct Load(Child);

impl Drop for Load {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Field {
    fn new() -> Field {
        let device = LoopDevice::new(64 << 20).unwrap();
        let group = |_| Throttle::new(device.major_minor()).unwrap();
        let groups = [0, 1, 2, 3].map(group);
        let server = NatsServer::start_on_loopback().unwrap();
        Field { device, server, groups, scratch: Scratch::new().unwrap() }
    }

    fn agent_command(&self, name: &str) -> Command {
        let (url, device) = (self.server.url(), self.device.path().to_str().unwrap());
        agent_command(self.scratch.path(), name, &["--nats", &url, "--allow", device])
    }

    fn agent(&self, name: &str, group: &Throttle) -> Agent {
        let command = group.wrap_command(&self.agent_command(name));
        Agent::spawn(self.scratch.path(), name, command)
    }

    fn load(&self) -> Load {
        let file = format!("--filename={}", self.device.path().display());
        let words = ["fio", "--name=load", "--rw=randread", "--bs=4k", "--direct=1", "--readonly"];
        let mut command = truedisk(words);
        command.args(["--time_based", "--runtime=300", &file]);
        let mut command = self.groups[3].wrap_command(&command);
        Load(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    fn sweep_command(&self, time: &str, options: &[&str], json: &Path) -> Command {
        let url = self.server.url();
        let cell = ["sweep", "--read-only", "--rw", "randread", "--bs", "4k", "--depth", "2"];
        let times = ["--precision", "0.1%", "--cell-max", time, "--budget", time, "--quiet"];
        let mut command = fleet(&[&["--nats", &url][..], &cell, &times, options].concat());
        command.arg("--no-history").arg("--json").arg(json).arg(self.device.path());
        command
    }

    fn sweep(&self, options: &[&str], json: &Path) -> Output {
        self.sweep_command("6s", options, json).output().unwrap()
    }

    /// Requests that the device and the disk of its file have completed, by the kernel's counters.
    fn count_requests(&self) -> [u64; 2] {
        let disk = self.scratch.path().metadata().unwrap().dev();
        let disk = format!("{}:{}", rustix::fs::major(disk), rustix::fs::minor(disk));
        [self.device.major_minor().to_string(), disk].map(|number| {
            let counters = std::fs::read_to_string(format!("/sys/dev/block/{number}/stat"));
            let counters = counters.unwrap();
            let counters: Vec<u64> =
                counters.split_whitespace().map(|word| word.parse().unwrap()).collect();
            counters[0] + counters[4]
        })
    }

    fn record_path(&self) -> std::path::PathBuf {
        self.scratch.path().join("run.json")
    }
}

fn read(path: &Path) -> Record {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn reason_of_failure(record: &Record) -> &message::Message {
    match &record.measured.completion {
        Completion::Partial { reason, failed: true } => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_run_ends_when_others_on_the_disk_suffer_and_keeps_what_it_has() {
    skip_unless!(Need::Program("nats-server"), Need::LoopDevices, Need::BlkioV1);
    let _alone = alone();
    let field = Field::new();
    let _agents = [field.agent("a", &field.groups[0]), field.agent("b", &field.groups[1])];
    let load = field.load();
    let path = field.record_path();
    // Every request breaks this bound.
    let waves = ["--at-most", "1", "--span", "shared", "--stop-on", "p50>100ns of others"];
    let output = field.sweep(&waves, &path);
    let said = complaint(&output);
    assert_eq!(output.status.code(), Some(4), "{said}");
    if path.exists() {
        let record = read(&path);
        let fleet = record.measured.fleet.as_ref().unwrap();
        assert_eq!(fleet.waves.as_ref().unwrap().not_begun, ["b"], "no further wave");
        let (host, breach) = fleet.find_breach().unwrap();
        assert_eq!((host.name.as_str(), breach.disk.as_str()), ("a", field.device.name()));
        assert!(breach.slow > 10 && breach.slow <= breach.requests, "{breach:?}");
        let reason = reason_of_failure(&record);
        let words = format!("a: reached p50>100ns of others: on {}", breach.disk);
        assert!(reason.text().contains(&words), "{}", reason.text());
        let headline = record.judgement_or_default().verdict.as_ref().unwrap().headline.text();
        assert!(headline.contains("Degraded") && headline.contains(&words), "{headline}");
    } else {
        // The bound was broken while the target was looked at.
        assert!(said.contains("a: reached p50>100ns of others"), "{said}");
    }
    // What nobody reaches ends nothing, and is said to have been put to the test.
    let before = field.count_requests();
    let output = field.sweep(&["--stop-on", "p99>60s of others", "--span", "shared"], &path);
    let after = field.count_requests();
    assert!(output.status.success(), "{}", complaint(&output));
    let record = read(&path);
    assert_eq!(record.measured.completion, Completion::Complete);
    let hosts = &record.measured.fleet.as_ref().unwrap().hosts;
    let requests = hosts.iter().map(|host| host.others.as_ref().unwrap().requests);
    let requests: Vec<u64> = requests.collect();
    // Each agent saw the load and the other agent, for most of the time, on either disk.
    let [on_device, on_disk] = [0, 1].map(|at| after[at] - before[at]);
    let most = on_device.max(on_disk);
    assert!(requests.iter().all(|seen| (100..=most).contains(seen)), "{requests:?} of {most}");
    let least = on_device / 2;
    assert!(requests.iter().sum::<u64>() > least, "{requests:?}, {least}");
    let verdict = record.judgement_or_default().verdict.as_ref().unwrap();
    let watched = |words: &message::Message| words.id() == "fleet-others";
    assert!(verdict.meaning.iter().any(watched), "{:?}", verdict.meaning);
    drop(load);
}

#[test]
fn a_run_that_ends_in_its_second_wave_keeps_the_first_and_begins_no_third() {
    skip_unless!(Need::Program("nats-server"), Need::LoopDevices, Need::BlkioV1);
    let _alone = alone();
    let field = Field::new();
    let agent = |(name, group)| field.agent(name, group);
    let _agents: Vec<Agent> = ["a", "b", "c"].into_iter().zip(&field.groups).map(agent).collect();
    let (path, talk) = (field.record_path(), field.scratch.path().join("talk"));
    let options = ["--at-most", "1", "--span", "shared", "--stop-on", "p50>100ns of others"];
    let mut command = field.sweep_command("2s", &options, &path);
    command.stdout(Stdio::null()).stderr(File::create(&talk).unwrap());
    let mut going = command.spawn().unwrap();
    wait(LIMIT, "the second wave begins", || {
        std::fs::read_to_string(&talk).unwrap().contains("-wave2 on ")
    });
    let load = field.load();
    let status = going.wait().unwrap();
    assert_eq!(status.code(), Some(4), "{}", std::fs::read_to_string(&talk).unwrap());
    let record = read(&path);
    let fleet = record.measured.fleet.as_ref().unwrap();
    let waves = fleet.waves.as_ref().unwrap();
    assert_eq!((waves.begun.len(), &waves.not_begun[..]), (2, &["c".to_owned()][..]));
    assert!(waves.begun[0].degraded.is_empty(), "{:?}", waves.begun[0]);
    assert!(!fleet.host("a").unwrap().cells.is_empty(), "the first wave is kept");
    assert_eq!(fleet.find_breach().unwrap().0.name, "b");
    let reason = reason_of_failure(&record);
    let words = "wave 2 of 3: b: reached p50>100ns of others: on ";
    assert!(reason.text().starts_with(words), "{}", reason.text());
    // Every request is slower than this.
    for bound in ["mean>100ns of others", "max>100ns of others"] {
        std::fs::remove_file(&path).unwrap_or_default();
        let output = field.sweep(&["--hosts", "a", "--stop-on", bound], &path);
        let said = complaint(&output);
        assert_eq!(output.status.code(), Some(4), "{bound}: {said}");
        let reason = match path.exists() {
            true => message::texts(&read(&path).judgement_or_default().degraded).join("; "),
            // The bound was broken while the target was looked at.
            false => said,
        };
        assert!(reason.contains(&format!("a: reached {bound}: on ")), "{reason}");
    }
    drop(load);
}

#[test]
fn a_bound_that_cannot_be_put_to_the_test_is_refused_before_anything_is_measured() {
    skip_unless!(Need::Program("nats-server"), Need::LoopDevices, Need::BlkioV1);
    let _alone = alone();
    let field = Field::new();
    let path = field.record_path();
    // In the group of this test, which has other processes.
    let _agent = Agent::spawn(field.scratch.path(), "a", field.agent_command("a"));
    let output = field.sweep(&["--stop-on", "p99>50ms of others"], &path);
    let said = complaint(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("has other processes") && said.contains("IOAccounting"), "{said}");
    assert!(!path.exists());
    let check = |bound: &str, words: &str| {
        let output = field.sweep(&["--stop-on", bound], &path);
        assert_eq!(output.status.code(), Some(2), "{bound}");
        assert!(complaint(&output).contains(words), "{bound}: {}", complaint(&output));
    };
    check("p99>50ms", "of others");
    check("p99<50ms of others", "'>'");
    check("p101>50ms of others", "between 0 and 100");
    let url = field.server.url();
    let output = run(fleet(&["--nats", &url, "--stop-on", "p99>50ms of others", "list"]));
    assert!(complaint(&output).contains("--stop-on: fleet list measures nothing"));
}
