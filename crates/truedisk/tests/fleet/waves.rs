//! Hosts that are measured wave after wave: agents of this machine, with labels.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use lab::{NatsServer, Need, Scratch, skip_unless};
use record::{Completion, FleetWaves, Record};
use rustix::process::{Pid, Signal, kill_process};

use crate::support::agent_hosts::wait;
use crate::support::local_agents::{Agent, LIMIT, Raw, complaint, fleet};
use crate::support::{beside, record_of, run, truedisk};

/// Agents and their racks.
const HOSTS: [(&str, &str); 5] = [("a", "r1"), ("b", "r1"), ("c", "r2"), ("d", "r2"), ("e", "r3")];

/// The agents on their server, and where the coordinator keeps what it measures.
struct Field {
    scratch: Scratch,
    server: NatsServer,
    agents: Vec<Agent>,
}

impl Field {
    fn start() -> Field {
        let scratch = Scratch::new().unwrap();
        let server = NatsServer::start_on_loopback().unwrap();
        let url = server.url();
        let start = |(name, rack): (&str, &str)| {
            let label = format!("rack={rack}");
            Agent::start_named(scratch.path(), name, &["--nats", &url, "--label", &label])
        };
        let agents = HOSTS.map(start).into();
        Field { scratch, server, agents }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// A sweep of one cell, of one operation at a time on each host.
    fn sweep(&self, options: &[&str], depth: &str, time: &str) -> Command {
        let (url, data) = (self.server.url(), self.path("data"));
        let begin = ["--nats", &url];
        let cell = ["sweep", "--rw", "randread", "--bs", "4k", "--depth", depth, "--size", "16m"];
        let times = ["--precision", "0.1%", "--cell-max", time, "--budget", time, "--quiet"];
        let mut command = fleet(&[&begin[..], &cell, &times, options].concat());
        command.arg(data).env("XDG_DATA_HOME", self.path("history"));
        command
    }

    fn measure(&self, options: &[&str], depth: &str) -> Record {
        record_of(self.sweep(&[options, &["--json", "-"]].concat(), depth, "3s"))
    }

    fn read_record(&self, id: &str) -> Record {
        let mut command = truedisk(["history", "show", id, "--json", "-"]);
        command.env("XDG_DATA_HOME", self.path("history"));
        record_of(command)
    }

    /// Every agent has its own times of a run. The latest end in a wave, and the earliest begin.
    fn times(&self, record: &Record, hosts: &[String]) -> (jiff::Timestamp, jiff::Timestamp) {
        let members = record.measured.fleet.as_ref().unwrap();
        let own = |name: &String| {
            let id = members.host(name).unwrap().record.as_deref().unwrap();
            let kept = self.read_record(id).measured;
            (kept.started, kept.finished)
        };
        let times: Vec<_> = hosts.iter().map(own).collect();
        let begin = times.iter().map(|of| of.0).min().unwrap();
        (begin, times.iter().map(|of| of.1).max().unwrap())
    }
}

fn waves(record: &Record) -> &FleetWaves {
    record.measured.fleet.as_ref().unwrap().waves.as_ref().unwrap()
}

fn members(record: &Record) -> Vec<Vec<&str>> {
    let names = waves(record).begun.iter().map(|wave| &wave.hosts);
    names.map(|hosts| hosts.iter().map(String::as_str).collect()).collect()
}

#[test]
fn waves_never_overlap_and_only_their_own_records_have_totals() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let field = Field::start();
    let record = field.measure(&["--at-most", "2"], "2");
    assert_eq!(record.measured.completion, Completion::Complete, "{record:#?}");
    assert_eq!(members(&record), [&["a", "b"][..], &["c", "d"], &["e"]]);
    assert_eq!((waves(&record).at_most, waves(&record).planned), (Some(2), 3));
    let fleet = record.measured.fleet.as_ref().unwrap();
    assert_eq!(fleet.hosts.len(), HOSTS.len());
    // The last wave has one host, and half of the depth: as much on each host.
    let depths = fleet.hosts.iter().map(|host| host.cells[0].cell.job.depth.0);
    assert_eq!(depths.collect::<Vec<_>>(), [1; 5]);
    assert!(record.measured.cells.is_empty(), "no total of hosts that did not run together");
    assert!(record.judgement_or_default().curves.is_empty());
    // By the agents' own times.
    let times: Vec<_> =
        waves(&record).begun.iter().map(|wave| field.times(&record, &wave.hosts)).collect();
    assert!(times.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{times:?}");
    for wave in &waves(&record).begun {
        let own = field.read_record(wave.record.as_ref().unwrap()).measured;
        let met = own.fleet.as_ref().unwrap();
        let total = &own.cells[0];
        let parts = met.hosts.iter().map(|host| host.cell(&total.name).unwrap());
        let ops: u64 = parts.map(|part| part.cell.totals.read.as_ref().unwrap().ops).sum();
        assert_eq!(total.totals.read.as_ref().unwrap().ops, ops);
        assert!(wave.started < wave.ended);
    }
    let text = run(field.sweep(&["--at-most", "2"], "2", "3s"));
    let text = String::from_utf8(text.stdout).unwrap();
    // Wherever a line is broken.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in ["5 hosts in 3 waves of at most 2: no total", "Wave 3, 1 host: "] {
        assert!(text.contains(words), "'{words}' is missing in:\n{text}");
    }
}

#[test]
fn hosts_of_one_rack_are_in_different_waves_and_samples_are_measured_in_waves_too() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let field = Field::start();
    let record = field.measure(&["--per-tag", "rack=1"], "3");
    let planned = members(&record);
    assert_eq!(planned.len(), 2, "the fullest rack has two: {planned:?}");
    let rack = |name: &str| HOSTS.iter().find(|host| host.0 == name).unwrap().1;
    for wave in &planned {
        let mut racks: Vec<&str> = wave.iter().map(|name| rack(name)).collect();
        racks.sort_unstable();
        racks.dedup();
        assert_eq!(racks.len(), wave.len(), "{planned:?}");
    }
    assert_eq!(planned.concat().len(), HOSTS.len());
    let sample = field.measure(&["--canary", "50%", "--at-most", "3"], "2");
    assert_eq!(sample.measured.fleet.as_ref().unwrap().sampled_from, Some(5));
    assert_eq!(members(&sample).iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
    // All at once is a run like any other.
    let whole = field.measure(&["--at-most", "5"], "5");
    assert!(whole.measured.fleet.as_ref().unwrap().waves.is_none());
    assert!(!whole.measured.cells.is_empty(), "its totals");
}

/// By then each of two hosts has told three times or more how far it is.
const LIVE_STATES: usize = 6;

/// A run whose first wave goes; killed on drop.
struct Going {
    child: Child,
    record: PathBuf,
}

impl Going {
    fn start(field: &Field) -> Going {
        Self::start_sweep(field, &["--at-most", "2"], "2", "12s")
    }

    fn start_sweep(field: &Field, options: &[&str], depth: &str, time: &str) -> Going {
        let (talk, record) = (field.path("talk"), field.path("run.json"));
        let options = [options, &["--json", record.to_str().unwrap()]].concat();
        let mut command = field.sweep(&options, depth, time);
        command.stdout(Stdio::null()).stderr(File::create(&talk).unwrap());
        let mut listener = Raw::new(&field.server);
        listener.send("SUB truedisk.v1.run.*.progress.*.* 1\r\n");
        let going = Going { child: command.spawn().unwrap(), record };
        // The first wave has measured for a second: its hosts tell twice in one how far they are.
        for _ in 0..LIVE_STATES {
            while !String::from_utf8_lossy(&listener.message()).contains("\"live\":{") {}
        }
        going
    }

    fn end(mut self) -> (Option<i32>, Record) {
        let status = self.child.wait().unwrap().code();
        let text = std::fs::read_to_string(&self.record).unwrap();
        (status, serde_json::from_str(&text).unwrap())
    }
}

impl Drop for Going {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_run_that_is_stopped_begins_no_further_wave() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let field = Field::start();
    let check = |record: &Record| {
        assert_eq!(members(record), [["a", "b"]]);
        assert_eq!(waves(record).not_begun, ["c", "d", "e"]);
        assert!(matches!(record.measured.completion, Completion::Partial { .. }));
        let degraded = &record.judgement_or_default().degraded;
        let words = "2 waves with 3 hosts did not begin";
        assert!(degraded.iter().any(|why| why.text() == words), "{degraded:?}");
    };
    let going = Going::start(&field);
    kill_process(Pid::from_child(&going.child), Signal::INT).unwrap();
    let (status, record) = going.end();
    check(&record);
    assert_eq!(status, Some(130));
    // Ended on the hosts, by another command.
    let going = Going::start(&field);
    let url = field.server.url();
    let stopped = run(fleet(&["--nats", &url, "stop"]));
    assert!(stopped.status.success(), "{}", complaint(&stopped));
    let (status, record) = going.end();
    check(&record);
    assert_eq!(status, Some(1));
    let log = field.agents[0].read_output();
    assert_eq!(log.matches("-guards is over: its target was checked").count(), 2, "{log}");
    assert_eq!(log.matches("fleet stop").count(), 0, "its record is kept: {log}");
}

#[test]
fn a_wave_that_is_lost_alone_is_named_and_the_next_one_goes_on() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let mut field = Field::start();
    let options = ["--at-most", "1", "--hosts", "a,b,c"];
    let going = Going::start_sweep(&field, &options, "1", "6s");
    // Agent `b`, whose wave is the second.
    drop(field.agents.remove(1));
    let (status, record) = going.end();
    assert_eq!(status, Some(1));
    assert_eq!(members(&record), [["a"], ["b"], ["c"]]);
    assert!(waves(&record).not_begun.is_empty());
    assert_eq!(record.measured.completion, Completion::Complete);
    let hosts = &record.measured.fleet.as_ref().unwrap().hosts;
    let lost: Vec<bool> = hosts.iter().map(|host| host.lost.is_some()).collect();
    assert_eq!(lost, [false, true, false]);
    let measured: Vec<usize> = hosts.iter().map(|host| host.cells.len()).collect();
    assert!(measured[0] > 0 && measured[1] == 0 && measured[2] > 0, "{measured:?}");
    let degraded = message::texts(&record.judgement_or_default().degraded);
    let words = "wave 2 of 3: all hosts were lost: b: ";
    assert!(degraded.iter().any(|why| why.starts_with(words)), "{degraded:?}");
}

#[test]
fn a_guard_of_the_last_wave_refuses_before_the_first_wave_begins() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let field = Field::start();
    let (url, other) = (field.server.url(), field.path("other"));
    std::fs::create_dir(&other).unwrap();
    let mut command = truedisk(["agent", "--name", "z", "--nats", &url, "--allow"]);
    command.arg(&other).arg("--spool").arg(field.path("spool")).stdout(Stdio::null());
    let _agent = Agent::spawn(field.scratch.path(), "z", command);
    let output = run(field.sweep(&["--at-most", "1"], "1", "3s"));
    let said = complaint(&output);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("z: ") && said.contains("not among the paths"), "{said}");
    let first = field.agents[0].read_output();
    assert!(!first.contains("its record"), "{first}");
    let busy = || field.agents[0].read_output().matches("-guards is over").count();
    wait(LIMIT, "the first host is free", || busy() == 1);
    let first = field.agents[0].read_output();
    assert!(first.contains("-guards is over: it was stopped by its coordinator"), "{first}");
}

#[test]
fn limits_that_cannot_be_heeded_are_refused() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let field = Field::start();
    let url = field.server.url();
    let data = field.path("data");
    let data = data.to_str().unwrap();
    let check = |words: &[&str], expected: &str| {
        let output = run(fleet(&[&["--nats", &url], words].concat()));
        let said = complaint(&output);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains(expected), "{words:?}: '{expected}' is missing in: {said}");
    };
    check(&["--at-most", "0", "check", data], "--at-most");
    check(&["--per-tag", "rack=0", "check", data], "rack=1");
    check(&["--per-tag", "room=1", "check", data], "no host has a label room");
    check(&["--at-most", "2", "list"], "--at-most: fleet list measures nothing");
    check(&["--per-tag", "rack=1", "stop"], "--per-tag: fleet stop measures nothing");
    check(&["--at-most", "2", "check", "--promise", "iops=1", data], "no total for a promise");
    check(&["--at-most", "2", "check", "--csv", "-", data], "no total for --csv");
    let job = field.path("x.fio");
    std::fs::write(&job, format!("[x]\nfilename={data}/x\nsize=1m\n")).unwrap();
    check(&["--at-most", "2", "fio", job.to_str().unwrap()], "all hosts at once");
    let output = run(fleet(&["--ssh", "nowhere.invalid", "--per-tag", "rack=1", "check", data]));
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).contains("have no labels"), "{}", complaint(&output));
}
