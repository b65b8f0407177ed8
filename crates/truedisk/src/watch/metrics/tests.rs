//! The texts as Prometheus reads them, the server's limits, the file, and the lists of metrics in
//! the documents.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;

use prometheus_client::metrics::MetricType;
use stats::LatencyHistogram;
use units::{Bytes, Depth, Iops, Nanos, Ratio};
use watch::{DeviceSample, DirectionSample, KnownCurve, KnownPoint, Verdict, Waiter, WaiterName};

use super::catalogue::{METRICS, TextFormat};
use super::samples::Sample;
use super::*;
use crate::exit::Exit;

const SECOND: u64 = 1_000_000_000;

fn read_of(latencies_ns: &[u64]) -> DirectionSample {
    let mut total = LatencyHistogram::new();
    latencies_ns.iter().for_each(|latency| total.record(*latency));
    DirectionSample {
        operations: latencies_ns.len() as u64,
        bytes: 4096 * latencies_ns.len() as u64,
        mean_ns: total.mean_ns(),
        queue: Some(LatencyHistogram::new()),
        device: Some(total.clone()),
        total: Some(total),
    }
}

fn sample_of(read: DirectionSample, outstanding: f64) -> watch::Sample {
    let busy_share = Some(outstanding.min(1.0));
    let outstanding = Some(outstanding);
    let name = "sda".to_owned();
    let device = DeviceSample { name, read, outstanding, busy_share, ..Default::default() };
    watch::Sample { length_ns: SECOND, devices: vec![device], ..Default::default() }
}

/// A watch so far.
#[derive(Default)]
struct Seen {
    sums: Sums,
    whole: WatchSummary,
}

impl Seen {
    fn new(intervals: &[watch::Sample]) -> Self {
        let mut seen = Self::default();
        intervals.iter().for_each(|interval| seen.add(interval));
        seen
    }

    fn add(&mut self, interval: &watch::Sample) {
        self.sums.add(&WatchSummary::from_samples([interval]));
        self.whole.add(interval);
    }

    fn samples(&self) -> Vec<Sample> {
        list_samples("counters", &self.sums, &self.whole, &[], &[])
    }
}

/// The samples of a text in the Prometheus format, by name and labels.
fn scraped(samples: Vec<Sample>) -> BTreeMap<String, f64> {
    let text = TextFormat::Prometheus.encode(Arc::new(samples)).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let sample = |line: &str| {
        let (name, value) = line.rsplit_once(' ').unwrap();
        (name.to_owned(), value.parse().unwrap_or_else(|_| panic!("{line}")))
    };
    let all: Vec<(String, f64)> = lines.map(sample).collect();
    let by_name: BTreeMap<String, f64> = all.iter().cloned().collect();
    assert_eq!(by_name.len(), all.len(), "a sample is there twice:\n{text}");
    by_name
}

#[test]
fn buckets_count_the_latencies_up_to_their_bound() {
    let latencies = [1_000, 8_191, 8_193, 100_000, 20 * SECOND, 100 * SECOND];
    let all = scraped(Seen::new(&[sample_of(read_of(&latencies), 1.0)]).samples());
    let bucket = |part: &str, le: &str| {
        let labels = format!("device=\"sda\",direction=\"read\",part=\"{part}\",le=\"{le}\"");
        all[&format!("truedisk_disk_latency_seconds_bucket{{{labels}}}")]
    };
    assert_eq!(bucket("whole", "8.192e-06"), 2.0);
    assert_eq!(bucket("whole", "1.6384e-05"), 3.0);
    assert_eq!(bucket("whole", "0.000131072"), 4.0);
    assert_eq!(bucket("whole", "17.179869184"), 4.0);
    assert_eq!(bucket("whole", "+Inf"), 6.0);
    assert_eq!(bucket("queue", "+Inf"), 0.0);
    let figure = |name: &str| all[&format!("{name}{{device=\"sda\",direction=\"read\"}}")];
    assert_eq!(figure("truedisk_disk_operations_total"), 6.0);
    let seconds = figure("truedisk_disk_request_seconds_total");
    assert!((seconds - 120.000_117_384).abs() < 1e-9, "{seconds}");
}

#[test]
fn a_source_of_means_has_no_histogram_and_no_zero_in_its_place() {
    let counted = |operations: u64, mean_ns: Option<f64>| {
        let read = DirectionSample { operations, bytes: 0, mean_ns, ..Default::default() };
        sample_of(read, 0.5)
    };
    let all = scraped(Seen::new(&[counted(0, None), counted(10, Some(2e6))]).samples());
    assert!(!all.keys().any(|name| name.contains("latency_seconds")), "{all:?}");
    let read = "{device=\"sda\",direction=\"read\"}";
    assert_eq!(all[&format!("truedisk_disk_request_seconds_total{read}")], 0.02);
    assert_eq!(all["truedisk_disk_outstanding_request_seconds_total{device=\"sda\"}"], 1.0);
    // With an operation whose latency nobody knows, the sum is unknown from then on.
    let unknown = [counted(10, Some(2e6)), counted(1, None), counted(10, Some(2e6))];
    let all = scraped(Seen::new(&unknown).samples());
    assert!(!all.contains_key(&format!("truedisk_disk_request_seconds_total{read}")), "{all:?}");
    assert_eq!(all[&format!("truedisk_disk_operations_total{read}")], 21.0);
}

#[test]
fn a_request_that_is_seen_before_it_is_counted_has_its_time_in_the_sum() {
    let seen = DirectionSample { operations: 0, mean_ns: None, ..read_of(&[SECOND]) };
    let counted = DirectionSample { operations: 1, mean_ns: None, ..read_of(&[]) };
    let all = scraped(Seen::new(&[sample_of(seen, 1.0), sample_of(counted, 0.0)]).samples());
    let read = "{device=\"sda\",direction=\"read\"}";
    assert_eq!(all[&format!("truedisk_disk_request_seconds_total{read}")], 1.0);
    assert_eq!(all[&format!("truedisk_disk_operations_total{read}")], 1.0);
}

#[test]
fn counters_never_go_back() {
    let mut seen = Seen::default();
    let mut before = scraped(seen.samples());
    for turn in 0..200_u64 {
        let count = if turn % 3 == 0 { 0 } else { turn % 7 };
        let latencies: Vec<u64> = (0..count).map(|n| 1 + (turn * 7919 + n) % SECOND).collect();
        // Thirds are no binary fractions: a mean times its time would lose a little.
        let outstanding = if turn % 2 == 0 { 0.0 } else { turn as f64 / 3.0 };
        seen.add(&sample_of(read_of(&latencies), outstanding));
        let now = scraped(seen.samples());
        for (name, value) in &before {
            assert!(now[name] >= *value, "{name}: {value}, then {}", now[name]);
        }
        before = now;
    }
    assert!(before["truedisk_watch_seconds_total"] > 199.0, "{before:?}");
}

fn known_curve(label: &str, measured: &str, limit: f64) -> KnownCurve {
    KnownCurve {
        measured: measured.parse().unwrap(),
        label: message::Message::from_text(label),
        read_share: Ratio(1.0),
        block_size: Bytes::kib(4),
        bound: "p99<10ms".parse().unwrap(),
        limit: Iops(limit),
        bounded_by: record::BoundedBy::Saturation,
        is_by_bytes: false,
        points: vec![KnownPoint { depth: Depth(1), mean: Nanos::micros(80) }],
    }
}

/// A sample of every metric.
fn full_samples() -> Vec<Sample> {
    let group = |name: &str, waited_ns: u64| Waiter {
        who: WaiterName::Group(format!("/{name}\"\\")),
        device: "sda".to_owned(),
        operations: 1,
        bytes: 4096,
        waited_ns,
        submitters: Vec::new(),
        total: None,
    };
    let mut interval = sample_of(read_of(&[5_000, 9_000]), 1.0);
    interval.devices[0].errors = Some(1);
    interval.waiters = (0..30).map(|number| group(&format!("job{number}"), 100 - number)).collect();
    let seen = Seen::new(&[interval]);
    let curves = vec![
        known_curve("random read 4k", "2026-11-01T00:00:00Z", 60_000.0),
        known_curve("random read 4k", "2026-11-20T00:00:00Z", 70_000.0),
        known_curve("random write 4k", "2026-11-02T00:00:00Z", 30_000.0),
    ];
    let used = watch::LimitUse {
        iops: Iops(35_000.0),
        limit: Iops(70_000.0),
        limit_rate: Iops(70_000.0).into(),
        bound: curves[1].bound,
        measured: curves[1].measured,
        curve: curves[1].label.clone(),
    };
    let judged = DiskJudgement {
        disk: "sda".to_owned(),
        verdict: Verdict::Saturated,
        sentence: message::Message::default(),
        next: None,
        used: Some(used),
    };
    let facts = DiskFacts { name: "sda".to_owned(), curves, ..DiskFacts::default() };
    list_samples("ebpf", &seen.sums, &seen.whole, &[judged], &[facts])
}

#[test]
fn what_is_known_stands_beside_what_is_seen() {
    let all = scraped(full_samples());
    let limits = |load: &str| {
        let prefix = "truedisk_known_limit_operations_per_second";
        let is_one = |name: &&String| name.starts_with(prefix) && name.contains(load);
        all.keys().filter(is_one).map(|name| all[name]).collect::<Vec<f64>>()
    };
    assert_eq!(limits("random read 4k"), [70_000.0]);
    assert_eq!(limits("random write 4k"), [30_000.0]);
    assert_eq!(all["truedisk_disk_verdict{device=\"sda\",verdict=\"saturated\"}"], 1.0);
    assert_eq!(all["truedisk_disk_verdict{device=\"sda\",verdict=\"capped\"}"], 0.0);
    let used =
        "truedisk_disk_used_ratio{device=\"sda\",load=\"random read 4k\",bound=\"p99<10ms\"}";
    assert_eq!(all[used], 0.5);
    let is_waiter = |name: &&String| name.starts_with("truedisk_waiter_wait_seconds_total");
    assert_eq!(all.keys().filter(is_waiter).count(), 20);
    let escaped = "truedisk_waiter_bytes_total{device=\"sda\",group=\"/job0\\\"\\\\\"}";
    assert_eq!(all[escaped], 4096.0);
}

/// When a group joins "others", its earlier wait is not counted a second time.
#[test]
fn the_others_do_not_repeat_what_a_group_waited_before() {
    let mut seen = Seen::default();
    let waiter = |number: u64, waited_ns: u64| Waiter {
        who: WaiterName::Group(format!("/job{number}")),
        device: "sda".to_owned(),
        operations: 1,
        bytes: 4096,
        waited_ns,
        submitters: Vec::new(),
        total: None,
    };
    for number in 0..1000 {
        let mut interval = sample_of(read_of(&[9]), 1.0);
        interval.waiters = vec![waiter(number, SECOND - number)];
        seen.add(&interval);
    }
    assert_eq!(seen.whole.waiters[0].who, WaiterName::Others);
    let all = scraped(seen.samples());
    assert!(!all.keys().any(|name| name.contains("others")), "{all:?}");
}

/// Names as they are scraped, with their type.
fn exported_names() -> Vec<(String, &'static str)> {
    let names = |(name, kind, _): &(&str, MetricType, &str)| match kind {
        MetricType::Counter => (format!("{name}_total"), "counter"),
        MetricType::Info => (format!("{name}_info"), "info"),
        MetricType::Histogram => ((*name).to_owned(), "histogram"),
        _ => ((*name).to_owned(), "gauge"),
    };
    METRICS.iter().map(names).collect()
}

#[test]
fn both_formats_have_every_metric() {
    let samples = Arc::new(full_samples());
    let is_listed = |sample: &Sample| METRICS.iter().any(|(name, ..)| *name == sample.metric);
    assert!(samples.iter().all(is_listed), "{samples:?}");
    let open = TextFormat::OpenMetrics.encode(samples.clone()).unwrap();
    assert!(open.ends_with("\n# EOF\n"), "{open}");
    let plain = TextFormat::Prometheus.encode(samples).unwrap();
    for (name, _) in exported_names() {
        for text in [&open, &plain] {
            assert!(text.lines().any(|line| line.starts_with(&name)), "{name}:\n{text}");
        }
    }
    // In OpenMetrics a help text is not escaped.
    let helps = open.lines().filter(|line| line.starts_with("# HELP"));
    assert!(
        helps.clone().count() == METRICS.len() && !helps.clone().any(|l| l.contains(['"', '\\']))
    );
}

#[test]
fn the_documents_name_the_metrics_that_are_exported() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/watch.md")).unwrap();
    for (name, kind) in exported_names() {
        assert!(page.contains(&format!("| `{name}` | {kind} |")), "docs/watch.md: {name}, {kind}");
    }
    let dashboard = std::fs::read_to_string(root.join("dist/grafana-truedisk.json")).unwrap();
    serde_json::from_str::<serde_json::Value>(&dashboard).unwrap();
    let exported = exported_names();
    let is_exported = |word: &str| {
        exported.iter().any(|(name, kind)| match *kind {
            "histogram" => ["_bucket", "_sum", "_count"]
                .iter()
                .any(|suffix| word.strip_suffix(suffix) == Some(name)),
            _ => word == name,
        })
    };
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for (name, text) in [("docs/watch.md", &page), ("the dashboard", &dashboard)] {
        let words = text.split(|c: char| !is_part(c)).filter(|word| word.starts_with("truedisk_"));
        let of_histogram = |word: &str| exported.iter().any(|(name, _)| word == name);
        let unknown: Vec<&str> = words
            .clone()
            .filter(|word| !is_exported(word))
            .filter(|word| !(name == "docs/watch.md" && of_histogram(word)))
            .collect();
        assert!(words.count() > 5 && unknown.is_empty(), "{name}: {unknown:?}");
    }
}

/// What the server answers to these bytes.
fn ask(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    // A server that has said all may reset the connection.
    let _ = stream.read_to_string(&mut answer);
    answer
}

fn start_server() -> SocketAddr {
    let published = LatestSamples::default();
    published.replace(full_samples());
    let listener = server::bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    server::start(listener, published).unwrap()
}

#[test]
fn the_server_answers_scrapes_and_refuses_the_rest() {
    let address = start_server();
    let check = |request: &str, expected: &[&str]| {
        let answer = ask(address, &format!("{request}\r\n\r\n"));
        for words in expected {
            assert!(answer.contains(words), "{request}: no {words} in {answer}");
        }
        answer
    };
    let plain = ["HTTP/1.1 200 OK", "version=0.0.4", "truedisk_disk_operations_total{"];
    check("GET /metrics HTTP/1.1\r\nHost: a", &plain);
    check("GET /metrics?x=1 HTTP/1.0\r\nAccept: */*", &plain);
    check("GET /metrics HTTP/1.1\r\nAccept: application/openmetrics-text;q=0", &plain);
    let open = ["HTTP/1.1 200 OK", "application/openmetrics-text; version=1.0.0", "# EOF"];
    let accept = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.4,*/*;q=0.1";
    check(&format!("GET /metrics HTTP/1.1\r\naccept: {accept}"), &open);
    check("GET / HTTP/1.1", &["HTTP/1.1 404", "/metrics"]);
    check("POST /metrics HTTP/1.1", &["HTTP/1.1 405"]);
    check("nonsense", &["HTTP/1.1 400"]);
    check("\u{0}\u{1}", &["HTTP/1.1 400"]);
    let long = "x".repeat(9 << 10);
    check(&format!("GET /metrics HTTP/1.1\r\nCookie: {long}"), &["HTTP/1.1 431"]);
}

#[test]
fn peers_that_say_nothing_keep_nobody_out() {
    let address = start_server();
    let mut silent: Vec<TcpStream> = (0..8).map(|_| TcpStream::connect(address).unwrap()).collect();
    silent.iter_mut().for_each(|peer| peer.write_all(b"GET /metrics HTTP/1.1\r\n").unwrap());
    assert!(ask(address, "GET /metrics HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 200"));
    // The oldest had to go; each of the others is closed when its time is over.
    for mut stream in silent {
        let read = stream.read(&mut [0; 64]);
        assert!(matches!(read, Ok(0) | Err(_)), "{read:?}");
    }
}

#[test]
fn a_port_in_use_is_a_wrong_request_with_a_hint() {
    let taken = start_server();
    let failure = server::bind(taken).unwrap_err();
    assert_eq!(failure.exit, Exit::Error(units::ErrorKind::WrongRequest));
    assert!(failure.hint.unwrap().contains("--prometheus 127.0.0.1:"));
}

#[test]
fn the_file_is_replaced_only_if_it_is_ours() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("truedisk.prom");
    let published = LatestSamples::default();
    let open = || Writer::open(folder.path(), &mut Destinations::default());
    for watched in 1..=2 {
        let mut thread = open().unwrap().start(published.clone()).unwrap();
        let intervals = vec![sample_of(read_of(&[9]), 1.0); watched];
        published.replace(Seen::new(&intervals).samples());
        thread.join().unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        let seconds = format!("\ntruedisk_watch_seconds_total {watched}.0\n");
        assert!(
            text.starts_with("# Written by truedisk watch") && text.contains(&seconds),
            "{text}"
        );
    }
    for foreign in ["", "# HELP other Another program's.\n"] {
        std::fs::write(&file, foreign).unwrap();
        let failure = open().err().unwrap();
        assert_eq!(failure.exit, Exit::Error(units::ErrorKind::Refused));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), foreign);
    }
    // A file of another program that appears during the watch stays too.
    std::fs::remove_file(&file).unwrap();
    let mut thread = open().unwrap().start(published.clone()).unwrap();
    std::fs::write(&file, "other").unwrap();
    assert!(thread.join().is_err());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "other");
}

#[test]
fn a_second_watch_with_the_same_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let open = || Writer::open(folder.path(), &mut Destinations::default());
    let first = open().unwrap();
    let failure = open().err().unwrap();
    assert_eq!(failure.exit, Exit::Error(units::ErrorKind::Refused));
    let own = format!("the watch of process {} keeps it", std::process::id());
    assert!(failure.message.contains(&own), "{}", failure.message);
    drop(first);
    open().unwrap();
}
