//! What is said of slow hosts.

use message::{Message, messages};
use record::{HostStatistic, Outliers, PeerFigures, SlowFigure, SlowHost, SlowTrait};
use units::{BytesPerSecond, Iops, Nanos, Ratio};

use crate::fleet::hosts::format_names;

/// The answer to "which of my disks is slow?", in one clause.
pub fn describe_outliers(outliers: &Outliers) -> Message {
    let (slow, hosts) = (outliers.slow.len(), outliers.compared as usize);
    match outliers.traits.first() {
        _ if slow == 0 => OutliersNone { hosts }.into(),
        Some(found) => {
            let (count, what) = (found.slow as usize, trait_name(found));
            OutliersWithTrait { slow, hosts, count, what }.into()
        }
        None => OutliersFound { slow, hosts }.into(),
    }
}

pub(crate) fn describe_not_compared(outliers: &Outliers) -> Option<Message> {
    let names: Vec<&str> = outliers.not_compared.iter().map(String::as_str).collect();
    (!names.is_empty()).then(|| OutliersNotCompared { hosts: format_names(&names) }.into())
}

fn trait_name(found: &SlowTrait) -> Message {
    OutliersTrait { kind: found.kind.name(), value: found.value.clone() }.into()
}

/// How many hosts with a trait are slow, and how many without it.
pub fn describe_trait(found: &SlowTrait) -> Message {
    OutliersEvidence {
        what: trait_name(found),
        slow: found.slow as usize,
        hosts: found.hosts as usize,
        others: found.slow_without as usize,
        without: found.hosts_without as usize,
        p: format_p_value(found.p_value),
    }
    .into()
}

fn format_p_value(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}

/// A slow host, by its slowest figure; `None` where that is not known.
pub fn describe_slow_host(outliers: &Outliers, slow: &SlowHost) -> Option<Message> {
    let figure = slow.figures.first()?;
    let peers = outliers.peers.get(figure.peers)?;
    let (host, figure) = (slow.host.clone(), describe_figure(peers, figure));
    Some(OutliersHost { host, figure }.into())
}

/// `random read 4k, depth 1: 7,000 IOPS, 1.43 times as slow as the median 10,000 IOPS`.
pub fn describe_figure(peers: &PeerFigures, figure: &SlowFigure) -> Message {
    OutliersFigure {
        load: peers.load.clone(),
        value: describe_value(peers.statistic, figure.value),
        times: figure.times,
        median: describe_value(peers.statistic, peers.median),
    }
    .into()
}

/// `7,000 IOPS`, `p99 1.2 ms`.
pub fn describe_value(statistic: HostStatistic, value: f64) -> Message {
    match statistic {
        HostStatistic::Iops => Iops(value).into(),
        HostStatistic::BytesPerSecond => BytesPerSecond(value).into(),
        HostStatistic::P99 => OutliersP99 { value: Nanos(value.round() as u64) }.into(),
    }
}

/// Which hosts are alike, and how much they differ.
pub fn describe_peers(peers: &PeerFigures) -> Message {
    let (hosts, model) = (peers.hosts as usize, peers.model.clone());
    let spread = Ratio(peers.spread.exp_m1());
    match model.is_empty() {
        true => OutliersPeersUnknown { hosts, spread }.into(),
        false => OutliersPeers { hosts, model, spread }.into(),
    }
}

messages! {
    OutliersNone = "outliers-none" { hosts: usize };
    OutliersFound = "outliers-found" { slow: usize, hosts: usize };
    OutliersWithTrait = "outliers-with-trait" {
        slow: usize, hosts: usize, count: usize, what: Message,
    };
    /// `kind` is `model`, `firmware`, `kernel` or `label`.
    OutliersTrait = "outliers-trait" { kind: &'static str, value: String };
    OutliersEvidence = "outliers-evidence" {
        what: Message, slow: usize, hosts: usize, others: usize, without: usize, p: String,
    };
    OutliersHost = "outliers-host" { host: String, figure: Message };
    OutliersFigure = "outliers-figure" {
        load: Message, value: Message, times: f64, median: Message,
    };
    OutliersNotCompared = "outliers-not-compared" { hosts: Message };
    OutliersPeers = "outliers-peers" { hosts: usize, model: String, spread: Ratio };
    OutliersPeersUnknown = "outliers-peers-unknown" { hosts: usize, spread: Ratio };
    OutliersP99 = "outliers-p99" { value: Nanos };
}
