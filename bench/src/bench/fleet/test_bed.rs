//! Simulated agents, a nats-server, and one coordinator: what each of them took.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use lab::{NatsServer, Scratch};
use serde_json::Value;

use super::super::harness::{ProcessCost, min_and_max, read_cpu_s, read_peak_bytes, watch_process};

/// Time of an operation of a simulated disk, one after the other.
/// With a shorter one, thousands of agents would take all of the processors.
pub(super) const READ_US: u64 = 200_000;
const CLOSE_LIMIT: Duration = Duration::from_secs(5);
const READY_LIMIT: Duration = Duration::from_secs(10);
/// The first cell of a sweep only looks how long the other must be, and is over by then.
const SHORT_CELL: Duration = Duration::from_secs(4);
const COORDINATOR_NAME: &str = "truedisk fleet";

pub(super) struct FleetPrograms {
    pub(super) truedisk: PathBuf,
    pub(super) swarm: PathBuf,
    pub(super) file: PathBuf,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct RunCost {
    pub(super) hosts: f64,
    pub(super) coordinator: ProcessCost,
    /// Seconds of processors in the server, and in all agents together.
    pub(super) server_cpu_s: f64,
    pub(super) agents_cpu_s: f64,
    pub(super) server_peak_bytes: f64,
    /// Messages that the coordinator sent and got, and their bytes.
    pub(super) messages: f64,
    pub(super) bytes: f64,
    pub(super) start: StartSkew,
}

/// Agents in a process of their own; killed on drop.
struct Swarm {
    child: Child,
    orders: Option<ChildStdin>,
}

impl Swarm {
    fn start(programs: &FleetPrograms, url: &str, hosts: u32, room: &Path) -> Result<Swarm> {
        let mut command = Command::new(&programs.swarm);
        command.args([url, &hosts.to_string()]).arg(&programs.file).arg(room.join("spool"));
        command.arg(READ_US.to_string()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().context("cannot run swarm")?;
        let (orders, output) = (child.stdin.take(), child.stdout.take());
        let mut swarm = Swarm { child, orders };
        let mut line = String::new();
        let output = output.context("the swarm has no stdout")?;
        BufReader::new(output).read_line(&mut line).context("cannot read what the swarm says")?;
        if line.trim() != "ready" {
            let status = swarm.child.wait();
            bail!("the swarm of {hosts} agents did not get ready ({status:?})");
        }
        Ok(swarm)
    }

    fn send_order(&mut self, order: &str) -> Result<()> {
        let orders = self.orders.as_mut().context("the swarm listens no more")?;
        writeln!(orders, "{order}").context("cannot tell the swarm")
    }
}

impl Drop for Swarm {
    fn drop(&mut self) {
        // One that has ended by itself cannot be killed, and need not be.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `truedisk agent --relay`; killed on drop.
struct Relay(Child);

impl Relay {
    fn start(programs: &FleetPrograms, url: &str, number: u32, log: &Path) -> Result<Relay> {
        let log = File::create(log).context("cannot write the log of a relay")?;
        let mut command = Command::new(&programs.truedisk);
        command.args(["agent", "--relay", "--nats", url, "--name", &format!("relay{number}")]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        Ok(Relay(command.spawn().context("cannot run a relay")?))
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        // One that has ended by itself cannot be killed, and need not be.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct TestBed {
    _relays: Vec<Relay>,
    swarm: Swarm,
    server: NatsServer,
    scratch: Scratch,
}

impl TestBed {
    fn new(programs: &FleetPrograms, (hosts, relays): (u32, u32)) -> Result<TestBed> {
        let room = Scratch::new()?;
        let server = NatsServer::options().jetstream().monitored().start()?;
        let swarm = Swarm::start(programs, &server.url(), hosts, room.path())?;
        let log = |number: u32| room.path().join(format!("relay{number}.log"));
        let start = |number| Relay::start(programs, &server.url(), number, &log(number));
        let relays: Vec<Relay> = (0..relays).map(start).collect::<Result<_>>()?;
        for number in 0..relays.len() as u32 {
            wait_until_ready(&log(number))?;
        }
        Ok(TestBed { _relays: relays, swarm, server, scratch: room })
    }

    fn coordinator_command(&self, programs: &FleetPrograms, words: &[&str]) -> Command {
        let mut command = Command::new(&programs.truedisk);
        command.args(["fleet", "--nats", &self.server.url(), "--span", "shared"]).args(words);
        command.arg(&programs.file).stdin(Stdio::null());
        command.env("XDG_DATA_HOME", self.scratch.path().join("home"));
        command.env_remove("TRUEDISK_HISTORY");
        command
    }

    fn server_pid(&self) -> Result<u32> {
        self.server.pid().context("the server has ended")
    }
}

fn wait_until_ready(log: &Path) -> Result<()> {
    let begun = Instant::now();
    while !std::fs::read_to_string(log)?.contains("is ready") {
        ensure!(begun.elapsed() < READY_LIMIT, "a relay did not get ready: {}", log.display());
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// A run on that many hosts, with that many relays.
pub(super) fn measure_cost(
    programs: &FleetPrograms,
    (hosts, relays): (u32, u32),
    words: &[&str],
) -> Result<RunCost> {
    let field = TestBed::new(programs, (hosts, relays))?;
    let json = field.scratch.path().join("run.json");
    let mut all = words.to_vec();
    let json_word = json.to_string_lossy();
    all.extend(["--read-only", "--quiet", "--json", &json_word]);
    let (server, agents) = (field.server_pid()?, field.swarm.child.id());
    let before = (read_cpu_s(server)?, read_cpu_s(agents)?);
    let mut command = field.coordinator_command(programs, &all);
    let mut child = command.stdout(Stdio::null()).spawn().context("cannot run truedisk")?;
    let (coordinator, status) = watch_process(&mut child)?;
    ensure!(status.success(), "truedisk fleet over {hosts} hosts ended with {status}");
    let after = (read_cpu_s(server)?, read_cpu_s(agents)?);
    let (messages, bytes) = read_traffic(&field.server)?;
    let text = std::fs::read(&json).context("cannot read the record")?;
    let record: Value = serde_json::from_slice(&text).context("the record is no JSON")?;
    Ok(RunCost {
        hosts: f64::from(hosts),
        coordinator,
        server_cpu_s: after.0 - before.0,
        agents_cpu_s: after.1 - before.1,
        server_peak_bytes: read_peak_bytes(server).context("the server has no memory")?,
        messages,
        bytes,
        start: worst_start_skew(&record, hosts)?,
    })
}

/// How the hosts met, in the worst of the cells that most of them were in.
#[derive(Debug, Clone, Copy)]
pub(super) struct StartSkew {
    /// As the record has it, and how wrong it may be.
    pub(super) skew_ns: f64,
    pub(super) error_ns: f64,
    /// By the machine's one clock, which the program does not know to be one.
    pub(super) true_ns: f64,
    pub(super) iops: f64,
}

fn worst_start_skew(record: &Value, hosts: u32) -> Result<StartSkew> {
    let measured = &record["measured"];
    let fleet = measured.get("fleet").context("the record is of one host")?;
    let list = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
    let degraded = list(&record["judgement"], "degraded");
    ensure!(degraded.is_empty(), "the run was degraded: {degraded:?}");
    let of_hosts = list(fleet, "hosts");
    ensure!(of_hosts.len() == hosts as usize, "{} of {hosts} hosts", of_hosts.len());
    let mut worst = StartSkew { skew_ns: 0.0, error_ns: 0.0, true_ns: 0.0, iops: 0.0 };
    let all = list(fleet, "cells");
    let width = |met: &Value| met["hosts"].as_array().map_or(0, Vec::len);
    let widest = all.iter().map(width).max().unwrap_or(0);
    for met in all.iter().filter(|met| width(met) == widest) {
        let name = met["cell"].as_str().context("a cell without a name")?;
        let began: Vec<f64> = of_hosts.iter().filter_map(|host| start_ns(host, name)).collect();
        let (first, latest) = min_and_max(&began);
        worst.true_ns = worst.true_ns.max(latest - first);
        let skew_ns = met["skew"].as_f64().context("a cell without a skew")?;
        if skew_ns >= worst.skew_ns {
            worst.skew_ns = skew_ns;
            worst.error_ns = met["skew_error"].as_f64().context("a skew without an error")?;
        }
        let cell = list(measured, "cells").into_iter().find(|cell| cell["name"] == name);
        let iops = cell.and_then(|cell| cell["totals"]["read"]["iops"].as_f64());
        worst.iops = worst.iops.max(iops.unwrap_or(0.0));
    }
    ensure!(widest > 1 && worst.iops > 0.0, "no cell was measured by several hosts");
    Ok(worst)
}

/// When a host began a cell, by the clock that all hosts and the coordinator have in truth.
fn start_ns(host: &Value, cell: &str) -> Option<f64> {
    let part = host["cells"].as_array()?.iter().find(|part| part["cell"]["name"] == cell)?;
    Some(part["began_ns"].as_f64()? + host["clock"]["offset_ns"].as_f64()?)
}

fn read_traffic(server: &NatsServer) -> Result<(f64, f64)> {
    let address = server.monitoring().context("the server tells nothing of itself")?;
    let begun = Instant::now();
    loop {
        let report = get_json(&address, "/connz?state=closed&limit=4096")?;
        let connections = report["connections"].as_array().cloned().unwrap_or_default();
        if let Some(connection) = connections.iter().find(|one| one["name"] == COORDINATOR_NAME) {
            let sum = |a: &str, b: &str| Some(connection[a].as_f64()? + connection[b].as_f64()?);
            let both = sum("in_msgs", "out_msgs").zip(sum("in_bytes", "out_bytes"));
            return both.context("the server did not count messages");
        }
        ensure!(begun.elapsed() < CLOSE_LIMIT, "the server knows of no coordinator");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn get_json(address: &str, path: &str) -> Result<Value> {
    let mut stream = TcpStream::connect(address).context("cannot reach the server's account")?;
    write!(stream, "GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (_, body) = answer.split_once("\r\n\r\n").context("the server gave no answer")?;
    serde_json::from_str(body).with_context(|| format!("no JSON: {body:.100}"))
}

/// From the moment at which all disks hang, in the long cell, until less than half of the rate
/// is shown.
pub(super) fn measure_lag_s(programs: &FleetPrograms, hosts: u32, words: &[&str]) -> Result<f64> {
    let mut field = TestBed::new(programs, (hosts, 0))?;
    let mut all = words.to_vec();
    all.extend(["--read-only", "--no-history"]);
    let command = field.coordinator_command(programs, &all);
    let line: Vec<String> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| format!("'{}'", word.to_string_lossy()))
        .collect();
    // Progress is shown on a terminal only, and cut at its width.
    let line = format!("stty rows 50 cols 200 && {}", line.join(" "));
    let mut terminal = Command::new("script");
    terminal.args(["--quiet", "--flush", "--command", &line, "/dev/null"]);
    terminal.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = terminal.spawn().context("cannot run script")?;
    let mut screen = child.stdout.take().context("script has no stdout")?;
    let full = f64::from(hosts) * 1e6 / READ_US as f64;
    let (mut text, mut chunk, mut first) = (String::new(), [0; 4096], None);
    let (mut held, mut lag): (Option<Instant>, Option<f64>) = (None, None);
    while let Ok(length @ 1..) = screen.read(&mut chunk) {
        text += &String::from_utf8_lossy(&chunk[..length]);
        let Some(shown) = parse_last_rate(&text) else { continue };
        match held {
            None if shown > 0.7 * full
                && first.get_or_insert_with(Instant::now).elapsed() > SHORT_CELL =>
            {
                field.swarm.send_order("hold")?;
                held = Some(Instant::now());
            }
            Some(since) if lag.is_none() && shown < 0.5 * full => {
                lag = Some(since.elapsed().as_secs_f64());
                field.swarm.send_order("go")?;
            }
            _ => {}
        }
    }
    let status = child.wait().context("cannot wait for script")?;
    ensure!(status.success(), "truedisk fleet ended with {status}");
    lag.with_context(|| format!("the rate was never seen to fall; held: {}", held.is_some()))
}

fn parse_last_rate(text: &str) -> Option<f64> {
    let (before, _) = text.rsplit_once(" IOPS")?;
    let digits = before.rsplit(' ').next()?.replace(',', "");
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_newest_rate_is_read() {
        assert_eq!(parse_last_rate("x 1,200 IOPS, 4 MB/s  \r 80 IOPS, 1"), Some(80.0));
        assert_eq!(parse_last_rate("nothing yet"), None);
    }

    #[test]
    fn the_worst_start_of_all_hosts_counts() {
        let host = |name: &str, offset: i64, began: [i64; 2]| {
            let part =
                |cell: &str, began: i64| json!({ "began_ns": began, "cell": { "name": cell } });
            let cells = [part("a", began[0]), part("b", began[1])];
            json!({ "name": name, "clock": { "offset_ns": offset }, "cells": cells })
        };
        let met = |cell: &str, skew: u64| {
            let hosts = ["h1", "h2"];
            json!({ "cell": cell, "hosts": hosts, "skew": skew, "skew_error": 3 })
        };
        let cell =
            |name: &str, iops: f64| json!({ "name": name, "totals": { "read": { "iops": iops } } });
        let mut record = json!({ "measured": {
            "cells": [cell("a", 5.0), cell("b", 7.0)],
            "fleet": {
                "hosts": [host("h1", 1, [10, 20]), host("h2", -1, [15, 50])],
                "cells": [met("a", 5), met("b", 30)],
            },
        }});
        let found = worst_start_skew(&record, 2).unwrap();
        assert_eq!((found.skew_ns, found.true_ns, found.iops), (30.0, 28.0, 7.0));
        assert!(worst_start_skew(&record, 3).is_err(), "a host is missing");
        record["judgement"]["degraded"] = json!(["h2 was lost"]);
        assert!(worst_start_skew(&record, 2).is_err());
    }
}
