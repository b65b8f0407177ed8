//! What slow hosts have in common: models, firmware, kernels, labels.

use std::collections::{BTreeMap, HashSet};

use record::{Fleet, FleetHost, HostTrait, SlowHost, SlowTrait};
use stats::{adjust_holm, hypergeometric_tail};

use super::models::name_models;

/// A trait of one host is its name.
const HOSTS_MIN: u64 = 2;
const SLOW_MIN: u64 = 2;
const P_VALUE_MAX: f64 = 0.05;
/// The share of slow hosts among those with a trait, in that of those without: less explains
/// little.
const TIMES_MIN: f64 = 2.0;

#[derive(Default)]
struct Counts {
    hosts: u64,
    slow: u64,
}

pub(super) fn find_traits(fleet: &Fleet, compared: &[usize], slow: &[SlowHost]) -> Vec<SlowTrait> {
    if slow.is_empty() {
        return Vec::new();
    }
    let slow: HashSet<&str> = slow.iter().map(|host| host.host.as_str()).collect();
    let mut values: BTreeMap<(HostTrait, String), Counts> = BTreeMap::new();
    let models = name_models(fleet);
    for (host, model) in compared.iter().map(|&number| (&fleet.hosts[number], &models[number])) {
        for found in list_traits(host, model) {
            let counts = values.entry(found).or_default();
            counts.hosts += 1;
            counts.slow += u64::from(slow.contains(host.name.as_str()));
        }
    }
    let (all, all_slow) = (compared.len() as u64, slow.len() as u64);
    // Whether a trait is looked at must not follow from who is slow.
    values.retain(|_, counts| (HOSTS_MIN..all).contains(&counts.hosts));
    let chance = |counts: &Counts| hypergeometric_tail(all, all_slow, counts.hosts, counts.slow);
    let p_values = adjust_holm(&Vec::from_iter(values.values().map(chance)));
    let of_trait =
        |(((kind, value), counts), p_value): (((HostTrait, String), Counts), f64)| SlowTrait {
            kind,
            value,
            slow: counts.slow,
            hosts: counts.hosts,
            slow_without: all_slow - counts.slow,
            hosts_without: all - counts.hosts,
            p_value,
        };
    let mut traits: Vec<SlowTrait> =
        values.into_iter().zip(p_values).map(of_trait).filter(explains_much).collect();
    traits.sort_by(|a, b| a.p_value.total_cmp(&b.p_value).then(b.slow.cmp(&a.slow)));
    traits
}

fn explains_much(found: &SlowTrait) -> bool {
    let share = |slow: u64, hosts: u64| slow as f64 / hosts.max(1) as f64;
    let without = share(found.slow_without, found.hosts_without);
    found.slow >= SLOW_MIN
        && found.p_value <= P_VALUE_MAX
        && share(found.slow, found.hosts) >= TIMES_MIN * without
}

fn list_traits(host: &FleetHost, model: &str) -> Vec<(HostTrait, String)> {
    let mut traits = Vec::new();
    if let Some(target) = &host.target {
        traits.push((HostTrait::Model, model.to_owned()));
        let mut firmware: Vec<&str> =
            target.bottom_devices().iter().filter_map(|disk| disk.firmware.as_deref()).collect();
        firmware.sort_unstable();
        firmware.dedup();
        traits.push((HostTrait::Firmware, firmware.join(", ")));
    }
    traits.push((HostTrait::Kernel, host.environment.kernel.clone()));
    let labels = host.labels.iter();
    traits.extend(labels.map(|(key, value)| (HostTrait::Label, format!("{key}={value}"))));
    traits.retain(|(_, value)| !value.is_empty());
    traits
}
