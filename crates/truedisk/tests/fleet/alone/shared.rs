//! Eight hosts on one disk, two of them with clocks of their own.

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use lab::{FileSystem, Hosts, LoopDevice, Mount, NatsServer, Need, Throttle, skip_unless};
use record::{Cell, Record};
use stats::LatencyHistogram;

use crate::support::agent_hosts::AgentHosts;
use crate::support::{alone, record_of};

const MIB: u64 = 1 << 20;
/// What the disk gives to all hosts together.
const RATE: u64 = 8000;
/// How far the clocks of two hosts are set.
const AHEAD: Duration = Duration::from_secs(1000);
/// A busy host can spoil a measurement of time, and does so in one try or another; what is wrong
/// is wrong in all.
const TRIES: usize = 6;

/// A disk that serves 8000 reads a second to all of its readers together, from its page cache
/// below, so that nothing else holds it back.
struct Disk {
    throttle: Throttle,
    file: std::path::PathBuf,
    _mount: Mount,
    _device: LoopDevice,
}

impl Disk {
    fn new() -> Disk {
        let device = LoopDevice::options(192 * MIB).direct_io(false).attach().unwrap();
        let mount = Mount::new(&device, FileSystem::Ext4).unwrap();
        let file = lab::written_file(mount.path(), "shared", 128 * MIB).unwrap();
        // Nothing of the writing is to be left for later.
        assert!(Command::new("sync").arg("-f").arg(&file).status().unwrap().success());
        let throttle = Throttle::new(device.major_minor()).unwrap();
        throttle.cap_read_iops(RATE).unwrap();
        Disk { throttle, file, _mount: mount, _device: device }
    }
}

fn field(disk: &Disk) -> AgentHosts {
    let hosts = Hosts::with_clocks(8, &[(2, AHEAD), (5, AHEAD * 2)]).unwrap();
    let mut field = AgentHosts::new(hosts, NatsServer::options());
    field.start_all(&disk.file, Some(&disk.throttle));
    field
}

/// Random reads by all hosts, for so long; the record goes to `json`.
fn reads(field: &AgentHosts, file: &Path, seconds: u32, json: &str) -> Command {
    let (time, file) = (format!("{seconds}s"), file.to_str().unwrap());
    field.fleet([
        "sweep",
        "--span",
        "shared",
        "--read-only",
        "--rw",
        "randread",
        "--bs",
        "4k",
        "--depth",
        "64",
        "--precision",
        "0.1%",
        "--cell-max",
        &time,
        "--budget",
        &time,
        "--no-history",
        "--json",
        json,
        file,
    ])
}

fn read_ops(cell: &Cell) -> u64 {
    cell.totals.read.as_ref().unwrap().ops
}

/// The longest cell of a record: the first of a sweep only looks how long the next must be.
fn longest(record: &Record) -> &Cell {
    record.measured.cells.iter().max_by_key(|cell| cell.elapsed).unwrap()
}

/// What must hold whatever the load of the machine.
fn check_books(record: &Record) {
    let fleet = record.measured.fleet.as_ref().unwrap();
    assert_eq!(fleet.hosts.len(), 8);
    assert_eq!(record.judgement_or_default().degraded, [""; 0]);
    let total = longest(record);
    let parts: Vec<&Cell> = fleet.host_cells(&total.name).map(|(_, part)| &*part.cell).collect();
    assert_eq!(parts.len(), 8, "every host reports its share");
    assert!(parts.iter().all(|part| read_ops(part) > 0));
    assert_eq!(parts.iter().map(|part| read_ops(part)).sum::<u64>(), read_ops(total));
    assert_eq!(parts.iter().map(|part| part.job.depth.0).sum::<u32>(), 64, "shares of the depth");
    // The samples of all hosts in one heap.
    let mut heap = LatencyHistogram::new();
    for part in &parts {
        let sparse = &part.totals.read.as_ref().unwrap().latency_ns.histogram;
        heap.merge_sparse(sparse).unwrap();
    }
    let merged = &total.totals.read.as_ref().unwrap().latency_ns;
    assert_eq!(merged.percentiles.get("p99").copied(), heap.quantile(0.99));
    for (index, by) in [(2, AHEAD), (5, AHEAD * 2)] {
        let offset = fleet.hosts[index].clock.unwrap().offset_ns as f64 / 1e9;
        assert!((offset - by.as_secs_f64()).abs() < 0.1, "host {index}: {offset} s ahead");
    }
    for index in [0, 1, 3, 4, 6, 7] {
        assert!(fleet.hosts[index].clock.unwrap().offset_ns.abs() < 100_000_000);
    }
}

/// From the first host's begin to the last's by the machine's one clock: how far those of the
/// hosts are apart is known here, where the program had to find it out.
fn true_skew(record: &Record, cell: &Cell) -> u64 {
    let fleet = record.measured.fleet.as_ref().unwrap();
    let began = fleet.host_cells(&cell.name).map(|(host, part)| {
        let ahead = match host.name.as_str() {
            "h3" => AHEAD,
            "h6" => AHEAD * 2,
            _ => Duration::ZERO,
        };
        part.began_ns + host.clock.unwrap().offset_ns - ahead.as_nanos() as i64
    });
    let began: Vec<i64> = began.collect();
    began.iter().max().unwrap().abs_diff(*began.iter().min().unwrap())
}

/// How far apart eight threads wake that sleep until one instant: no eight hosts on this machine
/// can start closer together.
fn wake_skew() -> Duration {
    let at = Instant::now() + Duration::from_millis(20);
    let wake = move || {
        // sleeps because how sleepers wake is what is measured
        thread::sleep(at.saturating_duration_since(Instant::now()));
        Instant::now()
    };
    let threads: Vec<_> = (0..8).map(|_| thread::spawn(wake)).collect();
    let woken: Vec<Instant> = threads.into_iter().map(|it| it.join().unwrap()).collect();
    *woken.iter().max().unwrap() - *woken.iter().min().unwrap()
}

/// Waits, for at most a minute, until other programs leave the processors to eight that wake.
fn wait_for_processors() {
    let give_up = Instant::now() + Duration::from_secs(60);
    let is_quiet = || (0..5).all(|_| wake_skew() < Duration::from_micros(500));
    while Instant::now() < give_up && !is_quiet() {
        // sleeps because what is waited for are other programs
        thread::sleep(Duration::from_secs(1));
    }
}

#[test]
fn eight_hosts_get_the_rate_of_their_disk_and_start_as_one() {
    skip_unless!(Need::NetworkNamespaces, Need::TimeNamespaces, Need::Program("nats-server"));
    skip_unless!(Need::LoopDevices, Need::BlkioV1, Need::FileSystem("ext4"));
    let _alone = alone();
    let disk = Disk::new();
    let field = field(&disk);
    let mut told = Vec::new();
    let met = (0..TRIES).any(|_| {
        wait_for_processors();
        let record = record_of(reads(&field, &disk.file, 6, "-"));
        check_books(&record);
        let cell = longest(&record);
        let rate = cell.totals.read.as_ref().unwrap().iops;
        let met = record.measured.fleet.as_ref().unwrap().cell(&cell.name).unwrap();
        let (skew, error, seconds) = (met.skew.0, met.skew_error.0, cell.elapsed.as_secs_f64());
        let truly = true_skew(&record, cell);
        told.push(format!(
            "{rate:.0} IOPS in {seconds} s, skew {skew} ns +-{error}, and truly {truly}"
        ));
        assert!(
            truly.abs_diff(skew) <= error,
            "the skew is known no better than it says: {told:?}"
        );
        (rate / RATE as f64 - 1.0).abs() <= 0.01 && skew <= 1_000_000 && truly <= 1_000_000
    });
    println!("{told:#?}");
    assert!(met, "{told:#?}");
    check_lag(&field, &disk);
}

/// What is shown follows what happens within two seconds: the disk is slowed down to a tenth in
/// the middle of a cell.
fn check_lag(field: &AgentHosts, disk: &Disk) {
    let mut told = Vec::new();
    let met = (0..TRIES).any(|_| {
        disk.throttle.cap_read_iops(RATE).unwrap();
        let lag = lag(field, disk);
        told.push(lag);
        lag <= Duration::from_secs(2)
    });
    println!("progress lags by {told:?}");
    assert!(met, "{told:?}");
}

/// From the slowing down until less than half of the rate is shown.
fn lag(field: &AgentHosts, disk: &Disk) -> Duration {
    let record = field.room.path().join("lag.json");
    let words = reads(field, &disk.file, 7, record.to_str().unwrap());
    let line: Vec<String> = std::iter::once(words.get_program())
        .chain(words.get_args())
        .map(|word| format!("'{}'", word.to_str().unwrap()))
        .collect();
    // Progress is shown on a terminal only.
    let mut terminal = Command::new("script");
    terminal.args(["--quiet", "--flush", "--command", &line.join(" "), "/dev/null"]);
    terminal.env("COLUMNS", "200").stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = terminal.spawn().unwrap();
    let mut screen = child.stdout.take().unwrap();
    let (mut text, mut chunk, mut slowed) = (String::new(), [0; 4096], None);
    let mut lag = Duration::MAX;
    while let Ok(length @ 1..) = screen.read(&mut chunk) {
        text += &String::from_utf8_lossy(&chunk[..length]);
        let Some(shown) = last_rate(&text) else { continue };
        match slowed {
            None if shown > 0.8 * RATE as f64 => {
                disk.throttle.cap_read_iops(RATE / 10).unwrap();
                slowed = Some(Instant::now());
            }
            Some(since) if shown < 0.5 * RATE as f64 => {
                lag = lag.min(since.elapsed());
            }
            _ => {}
        }
    }
    let status = child.wait().unwrap();
    assert!(status.success() && slowed.is_some(), "{text}");
    lag
}

/// The newest rate on the screen, whose lines are cut at its width.
fn last_rate(text: &str) -> Option<f64> {
    let (before, _) = text.rsplit_once(" IOPS")?;
    let digits = before.rsplit(' ').next()?.replace(',', "");
    digits.parse().ok()
}
