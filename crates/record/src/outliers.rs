//! Which hosts of a fleet are slow among hosts that are alike.

use message::Message;
use serde::{Deserialize, Serialize};
use units::JsonSchema;

use crate::named::named_enum;

/// Hosts with targets of their own, each held against the hosts of the same model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Outliers {
    /// Hosts that were held against others.
    pub compared: u64,
    /// Hosts without a sound figure, or with too few alike; ascending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_compared: Vec<String>,
    /// Slow hosts, the slowest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slow: Vec<SlowHost>,
    /// What more of the slow hosts have in common than chance explains, the least likely first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub traits: Vec<SlowTrait>,
    /// Each figure of hosts that are alike.
    pub peers: Vec<PeerFigures>,
}

/// A host that is slower than hosts alike.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SlowHost {
    pub host: String,
    /// The share of hosts that are expected to be named wrongly, if all are named that are as
    /// unlikely (Benjamini and Hochberg).
    pub false_discovery_rate: f64,
    /// Its slow figures, the slowest first.
    pub figures: Vec<SlowFigure>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SlowFigure {
    /// Number of the hosts alike in [`Outliers::peers`], from 0.
    pub peers: usize,
    pub value: f64,
    /// How many times slower than the median.
    pub times: f64,
    /// Deviation of the logarithm from the median, in units of the spread.
    pub z_score: f64,
    /// Probability that a host alike is as slow by chance.
    pub p_value: f64,
}

/// One figure of hosts that are alike: the same model, the same load.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PeerFigures {
    /// The load: `random read 4k, depth 1`.
    pub load: Message,
    pub statistic: HostStatistic,
    /// Model and size of their disks; empty where neither is known.
    pub model: String,
    pub hosts: u64,
    pub median: f64,
    /// Standard deviation of the logarithm, by the median absolute deviation.
    pub spread: f64,
    /// Degrees of freedom of Student's t that the hosts follow: few mean heavy tails.
    pub freedom: f64,
    /// The figure of the host that is the slowest, slower than 99 %, 95 %, 50 %, 5 % and 1 % of
    /// the others, and the fastest.
    pub quantiles: [f64; 7],
}

named_enum! {
    /// What is compared between hosts.
    pub enum HostStatistic {
        Iops = "iops",
        BytesPerSecond = "bytes_per_second",
        /// 99th percentile of the latency, in nanoseconds.
        P99 = "p99",
    }
}

/// Something that slow hosts have in common.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SlowTrait {
    pub kind: HostTrait,
    /// The value; of a label `KEY=VALUE`.
    pub value: String,
    /// Slow hosts with it.
    pub slow: u64,
    /// Compared hosts with it.
    pub hosts: u64,
    /// Slow hosts without it.
    pub slow_without: u64,
    /// Compared hosts without it.
    pub hosts_without: u64,
    /// Probability that this number of slow hosts or more has it by chance (Fisher's exact test,
    /// one-sided), corrected for the number of traits that were looked at (Holm).
    pub p_value: f64,
}

named_enum! {
    pub enum HostTrait {
        Model = "model",
        Firmware = "firmware",
        Kernel = "kernel",
        Label = "label",
    }
}
