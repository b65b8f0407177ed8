//! The arguments of `watch`.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use jiff::Timestamp;
use units::Nanos;
use workload::Bound;

use super::history::parse_since;
use super::shared::{OUTPUT, ResultArgs};
use super::values::parse_time;

#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// Disks, or files and folders on them [default: all disks that have done I/O]
    #[arg(value_name = "PATH|DEVICE")]
    pub(crate) paths: Vec<PathBuf>,

    /// Time between two readings
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_interval)]
    pub(crate) interval: Nanos,

    /// Time of the whole watch [default: until Ctrl-C]
    #[arg(long = "for", value_name = "TIME", value_parser = parse_time, conflicts_with = "once")]
    pub(crate) duration: Option<Nanos>,

    /// Watch for TIME and print the result only
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) once: Option<Nanos>,

    /// Source of the figures [default: the best that works]
    #[arg(long, value_enum)]
    pub(crate) source: Option<SourceArg>,

    /// Read 4 KiB of FILE or DEVICE once a second, and show what a new request waits for. It adds
    /// I/O; nothing is written
    #[arg(long, value_name = "FILE|DEVICE")]
    pub(crate) probe: Option<PathBuf>,

    /// Use stored runs of at most this age for what a disk can do
    #[arg(long, value_name = "AGE", default_value = "90d", value_parser = parse_since)]
    pub(crate) known_within: Timestamp,

    /// Exit with status 3 if reads, writes or flushes of a disk exceed it: mean, max or a
    /// percentile, and a time: 'p99>10ms'
    #[arg(long, value_name = "LATENCY", help_heading = OUTPUT)]
    pub(crate) fail_on: Option<LatencyThreshold>,

    /// Print a block of text per interval instead of a live screen
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) plain: bool,

    #[command(flatten)]
    pub(crate) result: ResultArgs,

    /// Keep no record and no page of this run, and leave it out of the history
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) no_history: bool,

    /// Serve metrics to Prometheus at http://ADDR/metrics; :PORT alone listens on this host only
    /// [without ADDR: :9187]
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = ":9187",
          help_heading = OUTPUT)]
    pub(crate) prometheus: Option<ListenAddress>,

    /// Keep metrics in FOLDER/truedisk.prom, for node_exporter's textfile collector
    #[arg(long, value_name = "FOLDER", help_heading = OUTPUT)]
    pub(crate) textfile: Option<PathBuf>,
}

/// Where metrics are served. Without an address it is the loopback address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ListenAddress(pub(crate) SocketAddr);

impl FromStr for ListenAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let port = text.strip_prefix(':').or_else(|| text.strip_prefix("localhost:"));
        let parsed = match port {
            Some(port) => port.parse().ok().map(|port| (Ipv4Addr::LOCALHOST, port).into()),
            None => text.parse().ok(),
        };
        let usage = "it must be :PORT, or an address and a port, like 127.0.0.1:9187";
        parsed.map(Self).ok_or_else(|| usage.to_owned())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SourceArg {
    /// A program in the kernel: distributions, and who waits; needs root
    Ebpf,
    /// The kernel's block tracepoints: distributions, at several times the cost; needs root
    Trace,
    /// /proc/diskstats: rates and means
    Counters,
}

/// A statistic of latency that must not exceed a time: `p99>10ms`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LatencyThreshold(pub(crate) Bound);

impl FromStr for LatencyThreshold {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((statistic, limit)) = text.split_once('>') else {
            return Err("it must be a statistic, '>' and a time, like p99>10ms".to_owned());
        };
        let bound: Result<Bound, _> = format!("{statistic}<{limit}").parse();
        bound.map(Self).map_err(|error| error.to_string().replace('<', ">"))
    }
}

/// Shorter intervals cost more than they show, and hold too few operations for a percentile.
const INTERVAL_MIN: Nanos = Nanos::millis(100);

fn parse_interval(text: &str) -> Result<Nanos, String> {
    match parse_time(text)? {
        interval if interval < INTERVAL_MIN => {
            Err(format!("an interval of {interval} is shorter than {INTERVAL_MIN}"))
        }
        interval => Ok(interval),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_statistics_and_times() {
        let check = |text: &str, expected: &str| {
            let threshold: Result<LatencyThreshold, String> = text.parse();
            let said = threshold.map_or_else(|error| error, |threshold| threshold.0.to_string());
            assert!(said.contains(expected), "{text}: {said}");
        };
        check("p99>10ms", "p99<10ms");
        check("mean>2ms", "mean<2ms");
        check("p99<10ms", "a statistic, '>' and a time");
        check("p99>", "time after '>' is missing");
        check("p101>1ms", "between 0 and 100");
    }

    #[test]
    fn a_port_alone_is_on_loopback() {
        let check = |text: &str, expected: &str| {
            let address: Result<ListenAddress, String> = text.parse();
            let said = address.map_or_else(|error| error, |address| address.0.to_string());
            assert!(said.starts_with(expected), "{text}: {said}");
        };
        check(":9187", "127.0.0.1:9187");
        check("localhost:1", "127.0.0.1:1");
        check("0.0.0.0:9187", "0.0.0.0:9187");
        check("[::1]:9187", "[::1]:9187");
        for wrong in ["9187", ":", ":65536", "/dev/sda", "example.org:80", "10.0.0.1"] {
            check(wrong, "it must be :PORT");
        }
    }

    #[test]
    fn intervals_have_a_shortest() {
        assert!(parse_interval("50ms").unwrap_err().contains("shorter than"));
    }
}
