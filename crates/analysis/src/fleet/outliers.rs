//! Which of many disks is slow: each host held against the hosts of the same model, figure by
//! figure.
//!
//! Figures are compared as logarithms, around their median. A host is named where one figure is
//! slower by what an operator would act on, and by more than chance explains: the probability is
//! that of a Student's t with the spread and the tails that the hosts show. Several figures of a
//! host are one probability (Simes); of all hosts that are named, two in a hundred are expected to
//! be named wrongly (Benjamini and Hochberg).
//!
//! Blind spots: two kinds of disk that nothing tells apart are one wide group, in which nobody is
//! named. A model that is slow as a whole is not named either: the figures of each model say so.

mod models;
mod peers;
mod sample;
#[cfg(test)]
mod tests;
mod traits;
mod wording;

use record::{Fleet, FleetSpan, HostStatistic, Measured, Outliers, SlowFigure, SlowHost};
use stats::{PriorSpread, RobustSpread, adjust_benjamini_hochberg, combine_simes};

use super::hosts::is_one_storage;
use peers::{PeerGroup, collect_peers};

pub use sample::{describe_sample, sample_size};
pub(crate) use wording::describe_not_compared;
pub use wording::{
    describe_figure, describe_outliers, describe_peers, describe_slow_host, describe_trait,
    describe_value,
};

/// With three hosts it is not known which two are right.
const HOSTS_MIN: usize = 4;
/// Every named host costs someone a visit.
const FALSE_DISCOVERY_RATE: f64 = 0.02;
/// A figure of a named host that is shown as slow.
const P_VALUE_MAX: f64 = 0.02;
/// Slower by less is nothing that an operator would act on. Tails differ more than rates.
const RATE_TIMES_MIN: f64 = 1.1;
const LATENCY_TIMES_MIN: f64 = 1.2;
/// Disks of one model differ by some percent from host to host; none of our figures repeats
/// better than to one.
const PRIOR: PriorSpread = PriorSpread { scale: 0.05, freedom: 3.0, scale_min: 0.01 };

/// `None` where hosts share one storage, or where too few are alike to tell.
pub(crate) fn find_outliers(measured: &Measured, fleet: &Fleet) -> Option<Outliers> {
    if fleet.span != FleetSpan::Own || is_one_storage(fleet) {
        return None;
    }
    judge_peers(collect_peers(measured, fleet), fleet)
}

fn judge_peers(groups: Vec<PeerGroup>, fleet: &Fleet) -> Option<Outliers> {
    let groups: Vec<PeerGroup> =
        groups.into_iter().filter(|group| group.figures.len() >= HOSTS_MIN).collect();
    let mut figures: Vec<Vec<SlowFigure>> = vec![Vec::new(); fleet.hosts.len()];
    let mut peers = Vec::new();
    for (place, group) in groups.iter().enumerate() {
        let costs: Vec<f64> = group.figures.iter().map(|(_, value)| group.cost(*value)).collect();
        let spread = RobustSpread::fit(&costs, PRIOR)?;
        for ((host, value), cost) in group.figures.iter().zip(&costs) {
            figures[*host].push(judge_figure(place, group, (*value, *cost), &spread));
        }
        peers.push(group.summarise(&spread));
    }
    let compared: Vec<usize> =
        (0..fleet.hosts.len()).filter(|host| !figures[*host].is_empty()).collect();
    if compared.is_empty() {
        return None;
    }
    let of_host = |host: &usize| {
        combine_simes(&Vec::from_iter(figures[*host].iter().map(|figure| figure.p_value)))
    };
    let rates = adjust_benjamini_hochberg(&Vec::from_iter(compared.iter().map(of_host)));
    let is_slow = |rate: f64| rate <= FALSE_DISCOVERY_RATE;
    let named = compared.iter().zip(&rates).filter(|(_, rate)| is_slow(**rate));
    let mut slow: Vec<SlowHost> = named
        .map(|(&host, &rate)| SlowHost {
            host: fleet.hosts[host].name.clone(),
            false_discovery_rate: rate,
            figures: slow_figures(&figures[host]),
        })
        .collect();
    let worst = |host: &SlowHost| host.figures.first().map_or(1.0, |figure| figure.times);
    slow.sort_by(|a, b| worst(b).total_cmp(&worst(a)));
    let is_compared = |host: &usize| !figures[*host].is_empty();
    let left = (0..fleet.hosts.len()).filter(|host| !is_compared(host));
    Some(Outliers {
        compared: compared.len() as u64,
        not_compared: left.map(|host| fleet.hosts[host].name.clone()).collect(),
        traits: traits::find_traits(fleet, &compared, &slow),
        slow,
        peers,
    })
}

/// A figure that is not slow enough to matter counts as one that chance explains.
fn judge_figure(
    place: usize,
    group: &PeerGroup,
    (value, cost): (f64, f64),
    spread: &RobustSpread,
) -> SlowFigure {
    let times = (cost - spread.median).exp();
    let times_min = match group.statistic {
        HostStatistic::Iops | HostStatistic::BytesPerSecond => RATE_TIMES_MIN,
        HostStatistic::P99 => LATENCY_TIMES_MIN,
    };
    let p_value = if times >= times_min { spread.upper_tail(cost) } else { 1.0 };
    SlowFigure { peers: place, value, times, z_score: spread.z_score(cost), p_value }
}

fn slow_figures(all: &[SlowFigure]) -> Vec<SlowFigure> {
    let mut slow: Vec<SlowFigure> =
        all.iter().filter(|figure| figure.p_value <= P_VALUE_MAX).cloned().collect();
    slow.sort_by(|a, b| b.times.total_cmp(&a.times));
    slow
}
