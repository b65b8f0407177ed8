//! What fio's jobs on several hosts add up to, against the disk that served them.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lab::{FileSystem, Hosts, LoopDevice, Mount, NatsServer, Need, Throttle, skip_unless};
use serde_json::Value;

use crate::fleet::fio::{check_sums, fio, json_of, number, stats};
use crate::support::agent_hosts::AgentHosts;
use crate::support::local_agents::complaint;
use crate::support::{alone, run};

const MIB: u64 = 1 << 20;
/// What the disk gives to all hosts together.
const RATE: u64 = 3000;
/// The kernel lets the operations of a tenth of a second through at once, the first ones early.
const SLICE: u64 = RATE / 10;
/// How long it is asked.
const SECONDS: u64 = 3;
/// A busy host can spoil a measurement of time; what is wrong is wrong in all tries.
const TRIES: usize = 3;

/// Reads that a block device has served.
fn reads_served(device: &Path) -> u64 {
    let name = device.file_name().unwrap().to_str().unwrap();
    let text = fs::read_to_string(format!("/sys/block/{name}/stat")).unwrap();
    text.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn sums_are_what_the_disk_served_and_all_start_as_one() {
    skip_unless!(Need::NetworkNamespaces, Need::TimeNamespaces, Need::Program("nats-server"));
    skip_unless!(Need::LoopDevices, Need::BlkioV1, Need::FileSystem("ext4"));
    let _alone = alone();
    let device = LoopDevice::options(96 * MIB).direct_io(false).attach().unwrap();
    let mount = Mount::new(&device, FileSystem::Ext4).unwrap();
    let file = lab::written_file(mount.path(), "shared", 64 * MIB).unwrap();
    assert!(Command::new("sync").arg("-f").arg(&file).status().unwrap().success());
    let throttle = Throttle::new(device.major_minor()).unwrap();
    throttle.cap_read_iops(RATE).unwrap();
    let hosts = Hosts::with_clocks(3, &[(1, Duration::from_secs(1000))]).unwrap();
    let mut field = AgentHosts::new(hosts, NatsServer::options());
    field.start_all(&file, Some(&throttle));
    let text = text_of(&file, SECONDS);
    let mut told = Vec::new();
    let met = (0..TRIES).any(|_| {
        let before = reads_served(device.path());
        let words = ["--output-format=json+", "--readonly", "--eta=always"];
        let output = run(fio(&field, &words, &text));
        let served = reads_served(device.path()) - before;
        assert!(output.status.success(), "{}", complaint(&output));
        let root = json_of(&output);
        check_sums(&root, &["h1", "h2", "h3"]);
        let sum = stats(&root).1[0];
        let ops = number(sum, "/read/total_ios");
        // Of what it served, not all was counted: what was under way at the end.
        assert!(ops <= served && served <= ops + 3 * 16 + RATE / 100, "{ops} of {served}");
        // Progress is that of all hosts, about twice a second.
        let said = complaint(&output);
        assert!(said.matches("Jobs: 3 (f=3)").count() >= 3, "{said}");
        let rate = sum["read"]["iops"].as_f64().unwrap();
        let about = &root["truedisk"]["fleet"];
        assert_eq!(about["degraded"], Value::Array(Vec::new()));
        let (skew, error) = (number(about, "/skew_ns"), number(about, "/skew_error_ns"));
        told.push(format!("{rate:.0} IOPS, began within {skew} ns, known to {error}"));
        ops.abs_diff(RATE * SECONDS) <= SLICE + SLICE / 5 && skew <= 1_000_000
    });
    println!("{told:#?}");
    assert!(met, "{told:#?}");
    let mut lags = Vec::new();
    let met = (0..TRIES).any(|_| {
        throttle.cap_read_iops(RATE).unwrap();
        let lag = lag(&field, &text_of(&file, 8), || throttle.cap_read_iops(RATE / 10).unwrap());
        lags.push(lag);
        lag <= Duration::from_secs(2)
    });
    println!("progress lags by {lags:?}");
    assert!(met, "{lags:?}");
}

/// Random reads of a file that all hosts share.
fn text_of(file: &Path, seconds: u64) -> String {
    format!(
        "[global]\nfilename={}\nrw=randread\nbs=4k\ndirect=1\nioengine=libaio\nrandrepeat=0\n\
         time_based\nruntime={seconds}\n[a]\niodepth=16\n",
        file.display()
    )
}

/// From the moment when the disk is slowed down to a tenth until less than half is shown.
fn lag(field: &AgentHosts, text: &str, slow: impl Fn()) -> Duration {
    let mut command = fio(field, &["--output-format=json", "--readonly", "--eta=always"], text);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut shown = BufReader::new(child.stderr.take().unwrap());
    let (mut line, mut slowed, mut lag) = (Vec::new(), None, Duration::MAX);
    while shown.read_until(b'\r', &mut line).unwrap() > 0 {
        let text = String::from_utf8_lossy(&line).into_owned();
        line.clear();
        let Some(rate) = rate_of(&text) else { continue };
        match slowed {
            None if rate > 0.8 * RATE as f64 => {
                slow();
                slowed = Some(Instant::now());
            }
            Some(since) if rate < 0.5 * RATE as f64 => lag = lag.min(since.elapsed()),
            _ => {}
        }
    }
    assert!(child.wait().unwrap().success() && slowed.is_some());
    lag
}

/// The rate in a line such as `[r=2950 IOPS]`.
fn rate_of(line: &str) -> Option<f64> {
    let (before, _) = line.rsplit_once(" IOPS]")?;
    let digits = before.rsplit("[r=").next()?;
    match digits.strip_suffix('k') {
        Some(thousands) => thousands.parse::<f64>().ok().map(|rate| rate * 1000.0),
        None => digits.parse().ok(),
    }
}
