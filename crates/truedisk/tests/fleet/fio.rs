//! fio's job files on several hosts at once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use fleet::Version;
use fleet::message::{BeginJobs, Order, RunMembers, SentOrder, encode};
use lab::{Hosts, LoopDevice, NatsServer, Need, Scratch, skip_unless};
use serde_json::Value;

use crate::support::agent_hosts::{AgentHosts, PROGRAM, wait};
use crate::support::local_agents::{Agent, Raw, complaint, fleet};
use crate::support::{beside, run};

const MIB: u64 = 1 << 20;
const LIMIT: Duration = Duration::from_secs(60);

fn job_file(room: &Path, text: &str) -> PathBuf {
    let path = room.join("jobs.fio");
    fs::write(&path, text).unwrap();
    path
}

/// `fleet fio` with these words, and a job file of this text.
pub(super) fn fio(field: &AgentHosts, words: &[&str], text: &str) -> Command {
    let path = job_file(field.room.path(), text);
    let words = ["fio"].iter().chain(words).copied().chain([path.to_str().unwrap()]);
    field.fleet(words.collect::<Vec<_>>())
}

pub(super) fn json_of(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| {
        panic!("{error}: {:?}: {}: {text:.300}", output.status, complaint(output))
    })
}

/// Entries of `client_stats`: those of hosts, by their names, and the sums.
pub(super) fn stats(root: &Value) -> (BTreeMap<&str, &Value>, Vec<&Value>) {
    let all = root["client_stats"].as_array().unwrap();
    let (sums, own): (Vec<&Value>, Vec<&Value>) =
        all.iter().partition(|of| of["jobname"] == "All clients");
    (own.iter().map(|of| (of["hostname"].as_str().unwrap(), *of)).collect(), sums)
}

pub(super) fn number(of: &Value, path: &str) -> u64 {
    of.pointer(path).and_then(Value::as_u64).unwrap_or_else(|| panic!("{path}: {of}"))
}

/// Counts of a histogram's bins, as json+ has them.
fn bins(of: &Value) -> BTreeMap<&str, u64> {
    let bins = of.pointer("/read/clat_ns/bins").and_then(Value::as_object).unwrap();
    bins.iter().map(|(ns, count)| (ns.as_str(), count.as_u64().unwrap())).collect()
}

/// The sums are those of the hosts, bin by bin.
pub(super) fn check_sums(root: &Value, hosts: &[&str]) {
    let (own, sums) = stats(root);
    assert_eq!(own.keys().copied().collect::<Vec<_>>(), hosts, "{root}");
    let [sum] = sums[..] else { panic!("{sums:?}") };
    assert_eq!(root["client_stats"].as_array().unwrap().last(), Some(sum));
    for path in ["/read/total_ios", "/read/io_bytes", "/read/clat_ns/N", "/job_runtime"] {
        let added: u64 = own.values().map(|of| number(of, path)).sum();
        assert_eq!(added, number(sum, path), "{path}");
    }
    let longest = own.values().map(|of| number(of, "/read/runtime")).max().unwrap();
    assert_eq!(number(sum, "/read/runtime"), longest);
    let mut heap: BTreeMap<&str, u64> = BTreeMap::new();
    for (ns, count) in own.values().flat_map(|of| bins(of)) {
        *heap.entry(ns).or_default() += count;
    }
    assert_eq!(bins(sum), heap, "histograms are added up bin by bin");
    let sorted: Vec<(u64, u64)> = {
        let mut all: Vec<_> = heap.iter().map(|(ns, n)| (ns.parse().unwrap(), *n)).collect();
        all.sort_unstable();
        all
    };
    let (count, mut seen) = (number(sum, "/read/clat_ns/N"), 0);
    let p99 = sorted.iter().find(|(_, n)| {
        seen += n;
        seen as f64 >= count as f64 * 0.99
    });
    let told = number(sum, "/read/clat_ns/percentile/99.000000") as f64;
    let p99 = p99.unwrap().0 as f64;
    // A bin of fio's is up to 1.6 % wide, and the value told may be in the next one.
    assert!((told / p99 - 1.0).abs() < 0.035, "p99 of all operations is {p99}, told {told}");
}

#[test]
fn each_host_has_files_of_its_own_and_waves_follow_each_other() {
    skip_unless!(Need::NetworkNamespaces, Need::Program("nats-server"));
    let _beside = beside();
    let mut field = AgentHosts::new(Hosts::new(2).unwrap(), NatsServer::options());
    let data = field.data();
    field.start_all(&data, None);
    fs::write(field.room.path().join("more"), "bs=64k\n").unwrap();
    let text = format!(
        "[global]\ndirectory={}\nsize=${{SIZE}}\ninclude more\n[w]\nrw=write\nend_fsync=1\n\
         [r]\nstonewall\nrw=read\nnumjobs=2\n",
        data.display()
    );
    let results = field.room.path().join("results");
    let to_file = format!("--output={}", results.display());
    let mut command = fio(&field, &["--output-format=normal,json", &to_file], &text);
    command.env("SIZE", "1m");
    let output = run(command);
    assert!(output.status.success() && output.stdout.is_empty(), "{}", complaint(&output));
    let text = fs::read_to_string(results).unwrap();
    let (json, normal) = text.split_once("\n}\n").unwrap();
    let root: Value = serde_json::from_str(&format!("{json}\n}}")).unwrap();
    let sums = stats(&root).1;
    let brief: Vec<_> = sums
        .iter()
        .map(|of| {
            let bytes = |path| number(of, path);
            (bytes("/groupid"), bytes("/write/io_bytes"), bytes("/read/io_bytes"))
        })
        .collect();
    assert_eq!(brief, [(0, 2 * MIB, 0), (1, 0, 4 * MIB)], "one sum for each group");
    for words in ["<h1>", "<h2>", "All clients: (groupid=1, jobs=4): err= 0", "bs=(R) 64.0KiB"] {
        assert!(normal.contains(words), "{words}: {normal}");
    }
    assert_eq!(root["global options"][1]["size"], "1m", "variables are put in here");
    for (index, name) in ["h1", "h2"].iter().enumerate() {
        let written = field.data_of(index).join(format!("{name}.w.0.0"));
        assert_eq!(fs::metadata(written).unwrap().len(), MIB);
    }
}

/// Asserts how a job file is refused, and that no agent has heard of a run.
fn check_unasked(field: &AgentHosts, words: &[&str], text: &str, expected: &[&str]) {
    let output = run(fio(field, words, text));
    let said = complaint(&output);
    assert_eq!(output.status.code(), Some(2), "{text}: {said}");
    for word in expected {
        assert!(said.contains(word), "'{word}' is missing: {text}: {said}");
    }
    assert!(output.stdout.is_empty());
    assert!(!said.contains("on 2 hosts"), "{said}");
}

#[test]
fn what_is_wrong_is_said_before_any_host_is_asked() {
    skip_unless!(Need::NetworkNamespaces, Need::Program("nats-server"));
    let _beside = beside();
    let mut field = AgentHosts::new(Hosts::new(2).unwrap(), NatsServer::options());
    let data = field.data();
    field.start_all(&data, None);
    let job = |more: &str| format!("[a]\ndirectory={}\nsize=1m\n{more}\n", data.display());
    let check = |more: &str, expected: &[&str]| check_unasked(&field, &[], &job(more), expected);
    check("exec_prerun=touch /tmp/x", &["jobs.fio:4:1", "job 'a'", "starts no program"]);
    check("ioengine=external:/lib/x.so", &["jobs.fio:4:1", "not loaded"]);
    check("write_bw_log=x", &["jobs.fio:4:1", "job 'a'", "write_bw_log is not run on other"]);
    check("include /no/such/file", &["jobs.fio:4:1", "cannot include"]);
    check("rw=wirte", &["jobs.fio:4:1", "wirte"]);
    check("verify_pattern='/etc/passwd'", &["jobs.fio:4:1", "single quotes"]);
    check_unasked(&field, &[], "[a]\nfilename=x\nsize=1m\n", &["not on others", "absolute"]);
    check_unasked(&field, &["--readonly"], &job("rw=write"), &["--readonly was given"]);
    check_unasked(&field, &["--output-format=terse"], &job(""), &["no place for the name"]);
    check_unasked(&field, &["--output=/no/such/x"], &job(""), &["cannot write /no/such/x"]);
    check_unasked(&field, &["--status-interval=1"], &job(""), &["--status-interval"]);
    let mut span = field.fleet(["--span", "shared", "fio"]);
    span.arg(job_file(field.room.path(), &job("")));
    assert!(complaint(&run(span)).contains("--span is not for fio"));
    for index in 0..2 {
        assert!(!field.read_output(index).contains("run "), "{}", field.read_output(index));
    }
    // More than one message holds: known before a host is asked, too.
    let description = format!("description={}\n", "x".repeat(60_000));
    let large: String =
        (0..20).map(|n| job(&description).replace("[a]", &format!("[a{n}]"))).collect();
    let output = run(fio(&field, &[], &large));
    let said = complaint(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("larger than 1048576") && said.contains("hint:"), "{said}");
    assert_eq!(fs::read_dir(field.data_of(0)).unwrap().count(), 0);
}

#[test]
fn nothing_starts_where_one_host_refuses() {
    skip_unless!(Need::NetworkNamespaces, Need::Program("nats-server"));
    let _beside = beside();
    let mut field = AgentHosts::new(Hosts::new(2).unwrap(), NatsServer::options());
    let data = field.data();
    field.start_all(&data, None);
    let check = |text: &str, expected: &[&str]| {
        let output = run(fio(&field, &[], text));
        let said = complaint(&output);
        assert_eq!(output.status.code(), Some(4), "{said}");
        for word in expected {
            assert!(said.contains(word), "'{word}' is missing: {said}");
        }
    };
    check("[a]\nfilename=/etc/new\nrw=write\nsize=4k\n", &["not among the paths", "it allows"]);
    let outside = field.room.path().join("outside");
    fs::create_dir(&outside).unwrap();
    // The same path leads out on the second host alone.
    std::os::unix::fs::symlink(&outside, field.data_of(1).join("deep")).unwrap();
    let text = format!("[a]\nfilename={}/deep/file\nrw=write\nsize=64k\n", data.display());
    check(&text, &["h2: job 'a'", "not among the paths"]);
    assert_eq!(fs::read_dir(field.data_of(0)).unwrap().count(), 0, "the first host made nothing");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
}

#[test]
fn a_device_is_written_only_where_it_is_named_twice() {
    skip_unless!(Need::NetworkNamespaces, Need::Program("nats-server"), Need::LoopDevices);
    let _beside = beside();
    let device = LoopDevice::options(16 * MIB).attach().unwrap();
    let path = device.path().to_str().unwrap().to_owned();
    let mut field = AgentHosts::new(Hosts::new(1).unwrap(), NatsServer::options());
    field.start_all(device.path(), None);
    let text = format!("[a]\nfilename={path}\nrw=write\nbs=64k\nsize=1m\ndirect=1\n");
    let output = run(fio(&field, &["--output-format=json"], &text));
    let said = complaint(&output);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("was not named a second time"), "{said}");
    let words = ["--yes-destroy-data-on", &path, "--output-format=json"];
    let output = run(fio(&field, &words, &text));
    assert!(output.status.success(), "{}", complaint(&output));
    let root = json_of(&output);
    assert_eq!(number(&root["client_stats"][0], "/write/io_bytes"), MIB);
}

#[test]
fn an_agent_trusts_no_jobs() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let scratch = Scratch::new().unwrap();
    let room = scratch.path();
    let server = NatsServer::start_on_loopback().unwrap();
    let agent = Agent::start(room, &["--nats", &server.url(), "--read-only"]);
    let mut raw = Raw::new(&server);
    let ours = Version::current(env!("CARGO_PKG_VERSION"));
    let data = room.join("data");
    let instance = raw.instance();
    let mut check = |number: u32, options: &[(&str, &str)], words: &str| {
        let own: Vec<Value> = options
            .iter()
            .map(|(name, value)| serde_json::json!({ "name": name, "value": value }))
            .collect();
        let job = serde_json::json!({ "name": "a", "above": 0, "own": own });
        let source = serde_json::json!({
            "file": true, "stonewall": false, "defaults": [], "jobs": [job],
        });
        let jobs = serde_json::json!({ "sources": [source] });
        let begin = BeginJobs {
            run: format!("r{number}").parse().unwrap(),
            jobs: serde_json::from_value(jobs).unwrap(),
            read_only: false,
            destroy: None,
            fresh: units::Seed(1),
            members: RunMembers { count: 1, names: vec!["a".parse().unwrap()], group: 0 },
        };
        let order = Order::BeginJobs(Box::new(begin));
        let number = u64::from(number);
        let order = encode(&ours, &SentOrder { instance, session: 1, number, order }).unwrap();
        let answer = raw.ask("truedisk.v1.agent.a.begin_jobs", &order);
        assert_eq!(answer["body"]["reply"], "accepted", "{answer}");
        agent.wait_for(&format!("run r{number} is over"));
        let said = agent.read_output();
        let line = said.lines().find(|line| line.contains(&format!("run r{number} is")));
        assert!(line.is_some_and(|line| line.contains(words)), "{words}: {said}");
    };
    let inside = data.to_str().unwrap();
    let file = format!("{inside}/file");
    check(
        1,
        &[("exec_prerun", "touch /tmp/x"), ("directory", inside)],
        "an agent starts no program",
    );
    check(2, &[("write_bw_log", "/tmp/x"), ("directory", inside)], "not run on other hosts");
    check(3, &[("verify_pattern", "'/etc/shadow'"), ("directory", inside)], "single quotes");
    check(4, &[("filename", "/etc/shadow")], "not among the paths");
    check(5, &[("numjobs", "4000000000"), ("directory", inside)], "jobs are more");
    check(6, &[("filename", &file), ("rw", "write"), ("size", "4k")], "this agent writes nothing");
    check(7, &[("filename", &file), ("size", "4k")], "does not exist");
    check(8, &[("allow_mounted_write", "1"), ("directory", inside)], "guard");
    assert_eq!(fs::read_dir(&data).unwrap().count(), 0);
}

/// Sections of one job file, one after the other.
const KINDS: &[&str] = &[
    "rw=randrw\nfsync=8\nbssplit=4k/50:8k/50",
    "rw=randwrite\nverify=crc32c",
    "rw=randread\ntime_based\nruntime=1\nrate_iops=3000\nrate_process=poisson\nnumjobs=3\n\
     group_reporting",
    "rw=read\nioengine=io_uring\niodepth=32\nloops=3\nrate=2m",
    "rw=randread\ntime_based\nruntime=1\nramp_time=500ms\ngtod_reduce=1",
    "rw=randread\nioengine=libaio\niodepth=16\nlatency_target=10ms\nlatency_window=200ms\n\
     latency_percentile=90",
    "rw=randread\ntime_based\nruntime=3\nsteadystate=iops:90%\nsteadystate_duration=1",
    "rw=write\nzonemode=strided\nzonesize=64k\nzoneskip=64k\nstartdelay=300ms\nend_fsync=1",
    "rw=randrw\nunified_rw_reporting=mixed\nthinktime=50\nnrfiles=4\nslat_percentiles=1",
    "rw=randread\nioengine=null\nnumber_ios=20000\nexitall",
];

#[test]
fn what_hosts_honestly_give_is_believed_whatever_the_jobs_are() {
    skip_unless!(Need::NetworkNamespaces, Need::Program("nats-server"));
    let _beside = beside();
    let mut field = AgentHosts::new(Hosts::new(1).unwrap(), NatsServer::options());
    let data = field.data();
    field.start_all(&data, None);
    let sections = KINDS.iter().enumerate().map(|(n, kind)| format!("[j{n}]\nstonewall\n{kind}\n"));
    let sections: String = sections.collect();
    let text = format!("[global]\ndirectory={}\nsize=1m\nbs=4k\n{sections}", data.display());
    let output = run(fio(&field, &["--output-format=json"], &text));
    assert!(output.status.success(), "{}", complaint(&output));
    let root = json_of(&output);
    let (_, sums) = stats(&root);
    assert_eq!(sums.len(), KINDS.len(), "{root}");
    let all = root["client_stats"].as_array().unwrap();
    for (n, sum) in sums.iter().enumerate() {
        let own = all.iter().find(|of| of["jobname"] == format!("j{n}")).unwrap();
        let ios = |of: &Value| {
            let parts = ["read", "write", "mixed"].iter().filter_map(|part| of.get(part));
            parts.map(|part| number(part, "/total_ios")).sum::<u64>()
        };
        assert!(ios(own) > 0, "{own}");
        assert_eq!(ios(own), ios(sum), "{n}");
    }
}

/// A run of two hosts or more that takes so long, and its process.
fn long_run(field: &AgentHosts, seconds: u32) -> Child {
    let text = format!(
        "[a]\ndirectory={}\nrw=randread\nbs=4k\nsize=4m\ntime_based\nruntime={seconds}\n\
         rate_iops=200\n",
        field.data().display()
    );
    let mut command = fio(field, &["--output-format=json+", "--eta=always"], &text);
    let talk = fs::File::create(field.room.path().join("talk")).unwrap();
    command.stdout(Stdio::piped()).stderr(talk);
    command.spawn().unwrap()
}

fn talk(field: &AgentHosts) -> String {
    fs::read_to_string(field.room.path().join("talk")).unwrap_or_default()
}

#[test]
fn a_lost_host_is_named_and_the_others_are_summed() {
    skip_unless!(Need::NetworkNamespaces, Need::Program("nats-server"));
    let _beside = beside();
    let mut field = AgentHosts::new(Hosts::new(3).unwrap(), NatsServer::options());
    let data = field.data();
    field.start_all(&data, None);
    let child = long_run(&field, 8);
    wait(LIMIT, "all hosts run", || talk(&field).contains("Jobs: 3 (f=3)"));
    field.kill(2);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", talk(&field));
    let root = json_of(&output);
    check_sums(&root, &["h1", "h2"]);
    let about = &root["truedisk"]["fleet"];
    let degraded = about["degraded"][0].as_str().unwrap();
    assert!(degraded.contains("h3 was lost") && degraded.contains("without it"), "{degraded}");
    assert!(about["hosts"][2]["lost"]["reason"].as_str().unwrap().contains("silent"));
}

#[test]
fn an_interrupted_run_tells_what_it_has() {
    skip_unless!(Need::NetworkNamespaces, Need::Program("nats-server"));
    let _beside = beside();
    let mut field = AgentHosts::new(Hosts::new(2).unwrap(), NatsServer::options());
    let data = field.data();
    field.start_all(&data, None);
    let child = long_run(&field, 300);
    wait(LIMIT, "all hosts run", || talk(&field).contains("Jobs: 2 (f=2)"));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", talk(&field));
    let root = json_of(&output);
    check_sums(&root, &["h1", "h2"]);
    let degraded = root["truedisk"]["fleet"]["degraded"].as_array().unwrap();
    assert!(degraded.len() == 2 && degraded[0].as_str().unwrap().contains("h1 did not come"));
}

#[test]
fn what_a_dead_coordinator_left_is_collected() {
    skip_unless!(Need::NetworkNamespaces, Need::Program("nats-server"));
    let _beside = beside();
    let mut field = AgentHosts::new(Hosts::new(2).unwrap(), NatsServer::options());
    let data = field.data();
    field.start_all(&data, None);
    let mut child = long_run(&field, 300);
    wait(LIMIT, "all hosts run", || talk(&field).contains("Jobs: 2 (f=2)"));
    child.kill().unwrap();
    child.wait().unwrap();
    let said = talk(&field);
    let (_, rest) = said.split_once("truedisk: run ").unwrap();
    let name = rest.split_once(' ').unwrap().0.to_owned();
    for index in 0..2 {
        field.wait_for_longer(index, &format!("run {name} is over; its record"), LIMIT);
    }
    let path = field.room.path().join("collected.json");
    let words = ["collect", &name, "--json", path.to_str().unwrap()];
    let output = run(field.fleet(words));
    assert!(output.status.success(), "{}", complaint(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("All clients:") && text.contains("its coordinator was gone"), "{text}");
    let root: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let (own, sums) = stats(&root);
    let ios = |of: &Value| number(of, "/read/total_ios");
    assert_eq!(own.values().map(|of| ios(of)).sum::<u64>(), ios(sums[0]));
    assert!(own.len() == 2 && own.values().all(|of| ios(of) > 1000), "{own:?}");
    // The agents let it go.
    let listed = run(field.fleet(["list"]));
    assert!(!String::from_utf8_lossy(&listed.stdout).contains("keeps"), "{listed:?}");
}

#[test]
fn fios_client_runs_on_the_agents_that_it_names() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let scratch = Scratch::new().unwrap();
    let room = scratch.path();
    let server = NatsServer::start_on_loopback().unwrap();
    let _agents = ["a", "b"].map(|name| Agent::start_named(room, name, &["--nats", &server.url()]));
    let data = room.join("data");
    let text = format!("[w]\ndirectory={}\nrw=write\nsize=1m\n", data.display());
    let path = job_file(room, &text);
    let path = path.to_str().unwrap();
    let client = |words: &[&str]| {
        let mut command = Command::new(PROGRAM);
        command.args(["fio", "--output-format=json"]).args(words).stdin(Stdio::null());
        command.env("TRUEDISK_FLEET", format!("--nats {}", server.url()));
        run(command)
    };
    let output = client(&["--client=a", path, "--client=b", path]);
    // Tools take any word there for a failure.
    assert!(output.status.success() && complaint(&output).is_empty(), "{}", complaint(&output));
    let root = json_of(&output);
    let (own, sums) = stats(&root);
    assert_eq!(own.keys().copied().collect::<Vec<_>>(), ["a", "b"], "{root}");
    assert_eq!(number(sums[0], "/write/io_bytes"), 2 * MIB);
    let unknown = client(&["--client=nowhere", path]);
    assert!(!unknown.status.success() && complaint(&unknown).contains("nowhere"), "{unknown:?}");
}

#[test]
fn fios_own_client_points_here() {
    let output = run(fleet(&["--nats", "nats://127.0.0.1:1", "fio", "--client=h1"]));
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).contains("--hosts"), "{}", complaint(&output));
}
