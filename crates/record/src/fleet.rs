//! A run over many hosts: which hosts, how well their starts met, and what each of them measured.
//!
//! The cells of such a record are totals: everything that the hosts did, merged from their own
//! histograms and counts (`analysis::fleet`), never averaged. What each host gave by itself stands
//! here, next to it; its whole record, with every interval, is kept under [`FleetHost::record`].

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use message::{Message, messages};
use serde::{Deserialize, Serialize};
use units::JsonSchema;
use units::Nanos;
use workload::{Bound, Statistic};

use crate::absent::is_unset;
use crate::cell::{Cell, PerDirection};
use crate::environment::{Calibration, Environment};
use crate::finding::Finding;
use crate::named::named_enum;
use crate::reasons::OthersSlowed;
use crate::target::TargetInfo;
use crate::tool::Completion;
use crate::waves::FleetWaves;

/// What a run over many hosts has beside its totals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fleet {
    /// Under which name the agents know the run, and keep their records of it.
    pub run: String,
    pub span: FleetSpan,
    /// Every host that was chosen, ascending by name; those that were lost too.
    pub hosts: Vec<FleetHost>,
    /// How many hosts those of the run were chosen from, at random; absent where all were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampled_from: Option<u64>,
    /// One for each cell of the record, in the same order: how its hosts met.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<FleetCell>,
    /// What befell the run as a whole, in the words of the coordinator: `the coordinator was killed
    /// and the run collected from its agents`. Lost hosts are not among it: they say so themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<String>,
    /// How the hosts were measured one group after the other; absent where all were measured at the
    /// same time. A run in waves has no cells: nothing is added up over hosts of different waves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waves: Option<FleetWaves>,
    /// The run was to end when a statistic of the latency of others' requests on a host's disks
    /// reached this limit; absent where others were not watched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_on: Option<Bound>,
    /// The longest delay with which the coordinator read what hosts had sent; absent where it was
    /// at most a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<Nanos>,
    /// Relays that listened to hosts in place of the coordinator, ascending by name. No figure
    /// passes through them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relays: Vec<FleetRelay>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FleetRelay {
    /// Name of its agent.
    pub name: String,
    /// When it was given up, from the start of the run: from then on the coordinator listened to
    /// its hosts itself. Absent where it was there until the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost_at: Option<Nanos>,
}

impl Fleet {
    /// A run at its start: nothing is measured yet, and nobody is lost.
    pub const fn new(run: String, span: FleetSpan, hosts: Vec<FleetHost>) -> Self {
        Self {
            run,
            span,
            hosts,
            sampled_from: None,
            cells: Vec::new(),
            events: Vec::new(),
            waves: None,
            stop_on: None,
            late: None,
            relays: Vec::new(),
        }
    }

    /// The first host whose disks were too slow for others, and what was seen there.
    pub fn find_breach(&self) -> Option<(&FleetHost, &OthersBreach)> {
        self.hosts.iter().find_map(|host| Some((host, host.others.as_ref()?.breach.as_ref()?)))
    }

    /// Hosts that should be in a cell and are not: lost in it, or before it.
    pub fn missing_hosts(&self, met: &FleetCell) -> Vec<&str> {
        let names = self.hosts.iter().map(|host| host.name.as_str());
        let there: HashSet<&str> = met.hosts.iter().chain(&met.idle).map(String::as_str).collect();
        names.filter(|name| !there.contains(name)).collect()
    }

    /// Whether some total lacks the figures of a host.
    pub fn is_incomplete(&self) -> bool {
        self.cells.iter().any(|met| !self.missing_hosts(met).is_empty())
    }

    /// The host of this name.
    pub fn host(&self, name: &str) -> Option<&FleetHost> {
        self.hosts.iter().find(|host| host.name == name)
    }

    pub fn cell(&self, name: &str) -> Option<&FleetCell> {
        self.cells.iter().find(|cell| cell.cell == name)
    }

    /// Hosts that stayed to the end, and hosts that were chosen: `8 hosts`, `7 of 8 hosts`.
    pub fn describe_hosts(&self) -> Message {
        let hosts = self.hosts.len();
        let left = self.hosts.iter().filter(|host| host.lost.is_none()).count();
        if left == hosts { describe_host_count(hosts) } else { HostsLeft { left, hosts }.into() }
    }

    /// What the hosts gave in the cell of this name, ascending by their names.
    pub fn host_cells<'a>(
        &'a self,
        cell: &'a str,
    ) -> impl Iterator<Item = (&'a FleetHost, &'a HostCell)> {
        let part = move |host: &'a FleetHost| Some((host, host.cell(cell)?));
        self.hosts.iter().filter_map(part)
    }
}

/// `8 hosts`.
pub fn describe_host_count(hosts: usize) -> Message {
    Hosts { hosts }.into()
}

named_enum! {
    /// How hosts divide what is measured.
    pub enum FleetSpan {
        /// Every host measures a target of its own (many servers compared), or a file of its own in
        /// a folder that they share.
        Own = "own",
        /// One shared target, of which every host measures all.
        Shared = "shared",
        /// One shared target, of which every host measures a part that no other touches; the parts
        /// change hands from cell to cell, so that none is in the cache of its reader.
        Split = "split",
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FleetHost {
    /// Name of its agent; unique in the run.
    pub name: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// The host itself, as far as it bears on the measurement.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub environment: Environment,
    /// What it measured; absent where it was lost before it had looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<TargetInfo>,
    /// What its load generator can do.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub calibration: Calibration,
    /// Its clock, held against the coordinator's; absent where that was never measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<HostClock>,
    /// Id of its own, complete record; absent until the coordinator has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// Whether its own run came to its end; absent until its record is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completion: Option<Completion>,
    /// When and why it was given up, where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<Lost>,
    /// What it gave to each cell that it was part of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<HostCell>,
    /// The truth checks of its own record; empty until that is there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Arc<Finding>>,
    /// What was seen of others' requests, where they were watched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<OthersSeen>,
}

/// Requests of others to the disks of a host, during the whole run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OthersSeen {
    /// On that disk of the target's stack which had the most: a request to a loop device is one to
    /// the disk below it too.
    pub requests: u64,
    /// How the bound was broken, where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breach: Option<OthersBreach>,
}

/// Requests of others to one disk, in the interval in which they broke a bound.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OthersBreach {
    /// The kernel's name: `vda`.
    pub disk: String,
    /// Length of the interval.
    pub time: Nanos,
    pub requests: u64,
    /// Those that took longer than the limit.
    pub slow: u64,
    pub mean: Nanos,
}

impl OthersBreach {
    /// `web3: reached p99>50ms of others: on vda 55 of 100 requests took longer than 50 ms within
    /// 10 s`.
    pub fn describe(&self, host: &str, bound: &Bound) -> Message {
        let Self { disk, time, requests, slow, mean } = self.clone();
        let seen = match bound.statistic {
            Statistic::Mean => OthersMean { disk, time, requests, mean }.into(),
            _ => OthersOver { disk, time, requests, slow, limit: bound.limit }.into(),
        };
        OthersSlowed { host: host.to_owned(), seen, bound: format_stop_on(bound) }.into()
    }
}

/// `p99>50ms of others`, as it is asked.
pub fn format_stop_on(bound: &Bound) -> String {
    format!("{} of others", bound.to_string().replace('<', ">"))
}

impl FleetHost {
    /// A host that was chosen and of which nothing more is known yet.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    pub fn cell(&self, name: &str) -> Option<&HostCell> {
        self.cells.iter().find(|part| part.cell.name == name)
    }
}

/// A host's monotonic clock, held against the coordinator's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HostClock {
    /// What its clock shows more than the coordinator's, in nanoseconds; the newest measurement.
    pub offset_ns: i64,
    /// How wrong that can be at most: half of the shortest round trip.
    pub error: Nanos,
    /// The shortest round trip of a message, from which the offset follows.
    pub round_trip: Nanos,
    /// Round trips that were made.
    pub pings: u32,
    /// How far the offset moved between its first and its newest measurement, in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift_ns: Option<i64>,
}

/// A host that was given up before the run was over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Lost {
    /// When, from the start of the run.
    pub at: Nanos,
    /// In which cell; absent before the first and between two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<String>,
    /// Why, in words: `silent for 5 s`.
    pub reason: Message,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HostCell {
    /// When its measured time began, held against the planned instant on the coordinator's clock,
    /// in nanoseconds; known within [`HostClock::error`].
    pub began_ns: i64,
    /// Its cell, under the name that it has in the total; the job is this host's share. In a record
    /// without intervals, and with ticks of the length of an interval: all of it stands in the
    /// host's own record.
    pub cell: Box<Cell>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FleetCell {
    /// The cell of the record that is their total.
    pub cell: String,
    /// The hosts whose figures are in it, ascending.
    pub hosts: Vec<String>,
    /// Hosts that had no share in it, because the depth was less than one for each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub idle: Vec<String>,
    /// Hosts that had a share and gave nothing, ascending; those that were lost before are in
    /// neither list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// From the first host's begin to the last host's.
    pub skew: Nanos,
    /// How wrong the skew can be at most: the two largest errors of the hosts' clocks together.
    pub skew_error: Nanos,
    /// While all of its hosts ran: from the last begin until the first was done. The rates of the
    /// total are those of this window. Absent where there was no such time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_done: Option<Window>,
    /// All of it: from the first begin until the last was done.
    pub last_done: Window,
    /// The slowest of its hosts; absent where no two have the same depth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slowest: Option<Slowest>,
}

/// A part of the time of a cell, and what all of its hosts completed in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Window {
    /// Begin, from the begin of the cell.
    pub start: Nanos,
    pub length: Nanos,
    #[serde(flatten)]
    pub rates: PerDirection<WindowRate>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WindowRate {
    /// Operations; where the window cuts a host's tick in two, by share.
    pub ops: f64,
    /// Bytes, in the same way.
    pub bytes: f64,
    pub iops: f64,
    pub bytes_per_second: f64,
}

/// The host that is farthest above the median of those with as much depth as it has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Slowest {
    pub host: String,
    /// Its mean total latency over all its operations, in nanoseconds.
    pub mean_ns: f64,
    /// The median of the mean latencies of the hosts with the same depth, in nanoseconds.
    pub median_ns: f64,
}

messages! {
    Hosts = "record-hosts" { hosts: usize };
    HostsLeft = "record-hosts-left" { left: usize, hosts: usize };
    OthersOver = "record-others-over" {
        disk: String, time: Nanos, requests: u64, slow: u64, limit: Nanos,
    };
    OthersMean = "record-others-mean" { disk: String, time: Nanos, requests: u64, mean: Nanos };
}
