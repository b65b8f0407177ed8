//! The bench `pgbench`: the load of a real program, captured and replayed on the same device.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::{self, File, Permissions};
use std::io::BufReader;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, ensure};
use lab::{FileSystem, Limit, LoopDevice, Mount, PostgresServer, Scratch, Throttle};
use record::{RequestKind, TraceReader};
use serde_json::Value;

use super::harness::{
    Bench, BenchContext, Bound, PairedSamples, Section, hint_at_root, keep_processors_awake,
    number_at,
};
use xtask::process;

const DEVICE_BYTES: u64 = 1536 << 20;
const CAPTURED_S: u64 = 60;
/// Seconds that pgbench runs before the capture, and after it.
const AROUND_S: u64 = 4;
/// Small enough that pages are read again, and that checkpoints come.
const SETTINGS: [&str; 4] =
    ["fsync=on", "shared_buffers=32MB", "max_wal_size=64MB", "min_wal_size=32MB"];
const SCALE: &str = "30";

pub(super) const BENCH: Bench = Bench {
    name: "pgbench",
    heading: "Capture and replay of a real program",
    method: "As root. PostgreSQL 15 with `fsync=on`, `shared_buffers=32MB`, `max_wal_size=64MB` \
             and pgbench's database of scale 30 on a new ext4 on a loop device of 1.5 GiB; the \
             page cache is dropped, so that it reads; `pgbench -c 4 -j 2`, of which `truedisk \
             capture` takes 60 s. Then the file system is unmounted and `truedisk replay` starts \
             the trace on the same device: p99 there and here, of the requests that met no deeper \
             queue here than there. A replay keeps idle processors awake, so they are kept awake \
             (`/dev/cpu_dma_latency`) during the capture as well: where they slept, the flushes \
             here were faster than there (medians of six runs: 0.71 to 0.90). `capped`: the last \
             trace, with half of its reads, and half of its writes and flushes, a second let \
             through; there: the share that arithmetic gives for these limits, where requests \
             start in their order and no more are outstanding than in the replay.",
    columns: "what | here | there | ratio of medians (of single rounds) | n",
    tools: &["losetup", "mkfs.ext4", "setpriv"],
    rounds: 3,
    run,
};

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    lab::postgres_needs().map_err(|missing| anyhow!("{missing}"))?;
    let truedisk = context.build_truedisk()?;
    let scratch = Scratch::new()?;
    let trace = scratch.path().join("load.tdtrace");
    let device = LoopDevice::options(DEVICE_BYTES).direct_io(true).attach();
    let device = device.map_err(hint_at_root)?;
    let replay = || replay_command(&truedisk, &trace, device.path());
    let records = context.repeat(|_| {
        let awake = keep_processors_awake()?;
        capture_pgbench(&truedisk, &device, &trace)?;
        drop(awake);
        read_record(&mut replay())
    })?;
    compare_latencies(&records, section)?;
    let last = records.last().context("no round")?;
    let seconds = number_at(last, "/measured/plan/purpose/load/length")? / 1e9;
    let rate = |direction: &str| -> Result<f64> {
        let requests = format!("/measured/plan/purpose/load/requests/{direction}");
        Ok(number_at(last, &requests)? / seconds)
    };
    // To the kernel's throttle a flush is a write.
    let (reads, writes) = (rate("read")?, rate("write")? + rate("sync")?);
    let throttle = Throttle::new(device.major_minor())?;
    let caps = Caps { reads: (reads / 2.0) as u64, writes: (writes / 2.0) as u64 };
    throttle.set_limit(Limit::ReadIops(caps.reads))?;
    throttle.set_limit(Limit::WriteIops(caps.writes))?;
    let capped = read_record(&mut throttle.wrap_command(&replay()))?;
    let keeps_up = &capped["judgement"]["replay"]["keeps_up"];
    ensure!(keeps_up == false, "capped at half of its load, the device keeps up: {keeps_up}");
    let factor = number_at(&capped, "/judgement/replay/factor")?;
    let depth = number_at(&capped, "/measured/cells/0/job/depth")? as usize;
    let expected = caps.predict_share(&trace, depth)?;
    let what = "capped: share of the load that is done in time";
    let samples = PairedSamples { a: vec![factor], b: vec![expected] };
    let required = format!("{what}, here / by arithmetic");
    section.compare(&[what], &samples, 3, required, Bound::Within(0.9, 1.1));
    Ok(())
}

/// Requests a second that the device lets through.
struct Caps {
    reads: u64,
    /// Flushes included.
    writes: u64,
}

impl Caps {
    /// The share of a load that is done in its time, if requests start in their order, each as soon
    /// as it is due and fewer than `depth` are outstanding.
    fn predict_share(&self, trace: &Path, depth: usize) -> Result<f64> {
        let requests: Result<Vec<_>, _> =
            TraceReader::new(BufReader::new(File::open(trace)?))?.collect();
        let requests = requests?;
        let end_ns = requests.last().context("the load is empty")?.start_ns;
        let mut slots: BinaryHeap<Reverse<u64>> = (0..depth).map(|_| Reverse(0)).collect();
        // When the last one of those that share a cap was let through.
        let (mut read_ns, mut write_ns) = (0, 0);
        let mut done = 0;
        for request in &requests {
            let free_ns = slots.pop().context("the replay has no depth")?.0;
            let start_ns = request.start_ns.max(free_ns);
            let (passed_ns, per_second) = match request.kind {
                RequestKind::Read => (&mut read_ns, self.reads),
                _ => (&mut write_ns, self.writes),
            };
            *passed_ns = start_ns.max(*passed_ns) + 1_000_000_000 / per_second;
            slots.push(Reverse(*passed_ns));
            done += u64::from(*passed_ns <= end_ns);
        }
        Ok(done as f64 / requests.len() as f64)
    }
}

/// Runs pgbench on a new file system, and captures its load into a new file.
fn capture_pgbench(truedisk: &Path, device: &LoopDevice, trace: &Path) -> Result<()> {
    let mount = Mount::new(device, FileSystem::Ext4)?;
    let folder = mount.path().join("server");
    fs::create_dir(&folder)?;
    // The server's user has to reach it.
    let above = mount.path().parent().context("a mount point is in a folder")?;
    fs::set_permissions(above, Permissions::from_mode(0o755))?;
    let server = PostgresServer::start_in(&folder, &SETTINGS);
    run_quietly(server.client("pgbench").args(["-i", "-q", "-s", SCALE, "postgres"]))?;
    run_quietly(&mut Command::new("sync"))?;
    fs::write("/proc/sys/vm/drop_caches", "1")?;
    let mut load = server.client("pgbench");
    load.args(["-c", "4", "-j", "2", "-T", &(CAPTURED_S + 2 * AROUND_S).to_string(), "postgres"]);
    let mut load = load.spawn()?;
    std::thread::sleep(Duration::from_secs(AROUND_S));
    let mut capture = Command::new(truedisk);
    capture.arg("capture").arg(device.path()).args(["--for", &format!("{CAPTURED_S}s")]);
    let profile = trace.with_extension("tdprofile");
    for earlier in [trace, &profile] {
        let _ = fs::remove_file(earlier);
    }
    capture.arg("-o").arg(&profile).arg("--trace").arg(trace);
    let captured = run_quietly(capture.arg("--quiet"));
    ensure!(load.wait()?.success(), "pgbench failed");
    server.stop();
    mount.unmount()?;
    captured
}

fn run_quietly(command: &mut Command) -> Result<()> {
    let status = command.stdout(Stdio::null()).status()?;
    ensure!(status.success(), "{command:?} ended with {status}");
    Ok(())
}

fn replay_command(truedisk: &Path, trace: &Path, device: &Path) -> Command {
    let mut command = Command::new(truedisk);
    command.arg("replay").arg(trace).arg(device).arg("--yes-destroy-data-on").arg(device);
    command.args(["--no-history", "--json", "-"]);
    command
}

/// The record of a replay. Errors: when it started requests too late to compare anything.
fn read_record(command: &mut Command) -> Result<Value> {
    let record: Value = process::capture_json(command)?;
    ensure!(record["judgement"]["replay"]["invalid"] == false, "the generator was late");
    Ok(record)
}

fn compare_latencies(records: &[Value], section: &mut Section) -> Result<()> {
    for (direction, name) in [("read", "reads"), ("write", "writes"), ("sync", "flushes")] {
        let pairs = records.iter().filter_map(|record| find_p99_ms(record, direction));
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.unzip();
        ensure!(!a.is_empty(), "no replay compared its {name}");
        let what = format!("p99 of {name}, ms");
        let bound = Bound::Within(0.75, 1.25);
        let required = format!("{what}, here / there");
        section.compare(&[&what], &PairedSamples { a, b }, 3, required, bound);
    }
    Ok(())
}

/// Here, of the requests that compare, and there.
fn find_p99_ms(record: &Value, direction: &str) -> Option<(f64, f64)> {
    let latencies = record["judgement"]["replay"]["latencies"].as_array()?;
    let is_sought = |of: &&Value| of["direction"] == direction && of["percentile"] == "p99";
    let found = latencies.iter().find(is_sought)?;
    Some((found["comparable"]["value"].as_f64()? / 1e6, found["there"].as_f64()? / 1e6))
}
