//! Divides hosts into waves where not all may measure at the same time.
//!
//! Each wave takes one host after the other, from the label value that needs the most further
//! waves: its hosts left over its hosts per wave. With limits of one label no plan has fewer waves.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::str::FromStr;

use crate::error::FleetError;
use crate::message::AgentInfo;
use crate::name::{AgentName, Label};

const NAMED_MAX: usize = 3;

/// How many hosts may measure at the same time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WaveLimits {
    pub at_most: Option<NonZeroU32>,
    pub per_tag: Vec<TagLimit>,
}

/// The most hosts with the same value of a label: `rack=1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagLimit {
    pub key: String,
    pub hosts_max: NonZeroU32,
}

impl FromStr for TagLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is no limit: give KEY=HOSTS with 1 host or more: rack=1");
        let Label { key, value } = text.parse().map_err(|_| wrong())?;
        let hosts_max = value.parse().map_err(|_| wrong())?;
        Ok(Self { key, hosts_max })
    }
}

/// The hosts with one value of a label.
struct TagValue {
    hosts_max: u32,
    left: u32,
    /// In the wave that is being filled.
    taken: u32,
}

/// Divides hosts into waves, each ascending by name as the hosts were.
///
/// # Errors
/// When a limit is of a label that a host does not have, or two limits are of one label.
pub fn plan_waves(
    hosts: Vec<AgentInfo>,
    limits: &WaveLimits,
) -> Result<Vec<Vec<AgentInfo>>, FleetError> {
    refuse_repeated_label(limits)?;
    let tags = limits.per_tag.iter().map(|limit| read_tag(&hosts, limit));
    let tags: Vec<Vec<&str>> = tags.collect::<Result<_, _>>()?;
    let size = limits.at_most.map_or(usize::MAX, |hosts| hosts.get() as usize);
    let mut plan = divide_hosts(hosts.len(), size, limits, &tags);
    // Waves of one size load what they share alike.
    if let Some(even) = hosts.len().checked_div(plan.len()) {
        let even = even + usize::from(even * plan.len() < hosts.len());
        let evened = divide_hosts(hosts.len(), even.min(size), limits, &tags);
        if evened.len() == plan.len() {
            plan = evened;
        }
    }
    let mut waves: Vec<Vec<AgentInfo>> = plan.iter().map(|_| Vec::new()).collect();
    let mut wave_of = vec![0; hosts.len()];
    for (wave, members) in plan.into_iter().enumerate() {
        members.into_iter().for_each(|host| wave_of[host] = wave);
    }
    for (host, wave) in hosts.into_iter().zip(wave_of) {
        waves[wave].push(host);
    }
    Ok(waves)
}

fn refuse_repeated_label(limits: &WaveLimits) -> Result<(), FleetError> {
    let mut keys: Vec<&str> = limits.per_tag.iter().map(|limit| limit.key.as_str()).collect();
    keys.sort_unstable();
    let Some(pair) = keys.windows(2).find(|pair| pair[0] == pair[1]) else { return Ok(()) };
    let what = format!("--per-tag: two limits of label {}", pair[0]);
    Err(FleetError::wrong_request(what, "give each label once"))
}

/// The value of the label of each host.
fn read_tag<'a>(hosts: &'a [AgentInfo], limit: &TagLimit) -> Result<Vec<&'a str>, FleetError> {
    let key = &limit.key;
    let is_without = |host: &&AgentInfo| !host.labels.contains_key(key);
    let without: Vec<&AgentName> = hosts.iter().filter(is_without).map(|host| &host.name).collect();
    if without.is_empty() {
        return Ok(hosts.iter().map(|host| host.labels[key].as_str()).collect());
    }
    let what = match (without.len() == hosts.len(), without.as_slice()) {
        (true, _) => format!("no host has a label {key}"),
        (false, [name]) => format!("host {name} has no label {key}"),
        (false, names) => {
            let shown = names.iter().take(NAMED_MAX).map(|name| name.as_str());
            let shown = shown.collect::<Vec<_>>().join(", ");
            format!("{} hosts have no label {key}: {shown}", names.len())
        }
    };
    let hint = format!("start their agents with --label {key}=VALUE, or leave --per-tag out");
    Err(FleetError::wrong_request(what, hint))
}

/// Positions of hosts, wave by wave.
fn divide_hosts(
    hosts: usize,
    size: usize,
    limits: &WaveLimits,
    tags: &[Vec<&str>],
) -> Vec<Vec<usize>> {
    let mut values: Vec<TagValue> = Vec::new();
    let mut values_of: Vec<Vec<usize>> = vec![Vec::new(); hosts];
    for (limit, tag) in limits.per_tag.iter().zip(tags) {
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
        for (host, value) in tag.iter().enumerate() {
            let place = *known.entry(value).or_insert_with(|| {
                let hosts_max = limit.hosts_max.get();
                values.push(TagValue { hosts_max, left: 0, taken: 0 });
                values.len() - 1
            });
            values[place].left += 1;
            values_of[host].push(place);
        }
    }
    let mut waiting: Vec<usize> = (0..hosts).collect();
    let mut waves = Vec::new();
    while !waiting.is_empty() {
        values.iter_mut().for_each(|value| value.taken = 0);
        let mut wave = Vec::new();
        while wave.len() < size
            && let Some(place) = choose_next(&waiting, &values, &values_of)
        {
            let host = waiting.remove(place);
            for &value in &values_of[host] {
                values[value].taken += 1;
                values[value].left -= 1;
            }
            wave.push(host);
        }
        waves.push(wave);
    }
    waves
}

/// The place of the first host whose label value needs the most further waves.
fn choose_next(waiting: &[usize], values: &[TagValue], values_of: &[Vec<usize>]) -> Option<usize> {
    let is_allowed = |host: usize| {
        values_of[host].iter().all(|&value| values[value].taken < values[value].hosts_max)
    };
    let waves_needed = |host: usize| {
        let of = values_of[host].iter().map(|&value| &values[value]);
        of.map(|value| f64::from(value.left) / f64::from(value.hosts_max)).fold(0.0, f64::max)
    };
    let mut best: Option<(usize, f64)> = None;
    for (place, &host) in waiting.iter().enumerate().filter(|(_, host)| is_allowed(**host)) {
        let needed = waves_needed(host);
        if best.is_none_or(|(_, most)| needed > most) {
            best = Some((place, needed));
        }
        if values_of[host].is_empty() {
            break;
        }
    }
    best.map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use record::Environment;

    use super::*;

    fn host(number: usize, labels: &[(&str, u8)]) -> AgentInfo {
        AgentInfo {
            name: format!("h{number:04}").parse().unwrap(),
            instance: 1,
            labels: labels.iter().map(|(key, of)| ((*key).to_owned(), of.to_string())).collect(),
            environment: Environment::default(),
            allow: Vec::new(),
            read_only: false,
            busy: None,
            relay: false,
            kept: Vec::new(),
        }
    }

    fn limits(at_most: u32, per_tag: &[&str]) -> WaveLimits {
        WaveLimits {
            at_most: NonZeroU32::new(at_most),
            per_tag: per_tag.iter().map(|text| text.parse().unwrap()).collect(),
        }
    }

    fn names(waves: &[Vec<AgentInfo>]) -> Vec<Vec<String>> {
        let of = |wave: &Vec<AgentInfo>| wave.iter().map(|host| host.name.to_string()).collect();
        waves.iter().map(of).collect()
    }

    /// The most hosts of one value of a label in one wave.
    fn most_of_value(waves: &[Vec<AgentInfo>], key: &str) -> u32 {
        let count = |wave: &Vec<AgentInfo>| {
            let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
            wave.iter().for_each(|host| *counts.entry(&host.labels[key]).or_default() += 1);
            counts.into_values().max().unwrap_or(0)
        };
        waves.iter().map(count).max().unwrap_or(0)
    }

    proptest! {
        #[test]
        fn every_host_once_within_all_limits_and_in_the_fewest_waves_of_one_label(
            racks in prop::collection::vec(0_u8..9, 1..120),
            at_most in 0_u32..40,
            per_rack in 1_u32..6,
        ) {
            let all: Vec<AgentInfo> = racks.iter().enumerate()
                .map(|(number, rack)| host(number, &[("rack", *rack)])).collect();
            let limit = format!("rack={per_rack}");
            let waves = plan_waves(all.clone(), &limits(at_most, &[&limit])).unwrap();
            let mut there: Vec<String> = names(&waves).concat();
            there.sort();
            prop_assert_eq!(there, names(&[all]).concat());
            prop_assert!(names(&waves).iter().all(|wave| wave.is_sorted() && !wave.is_empty()));
            prop_assert!(most_of_value(&waves, "rack") <= per_rack);
            let largest = waves.iter().map(Vec::len).max().unwrap() as u32;
            prop_assert!(at_most == 0 || largest <= at_most);
            let of_rack = |rack: u8| racks.iter().filter(|of| **of == rack).count() as u32;
            let by_rack = (0..9).map(|rack| of_rack(rack).div_ceil(per_rack)).max().unwrap();
            let by_size = if at_most == 0 { 1 } else { (racks.len() as u32).div_ceil(at_most) };
            prop_assert_eq!(waves.len() as u32, by_rack.max(by_size));
        }

        #[test]
        fn limits_of_two_labels_hold_and_every_wave_is_filled_as_far_as_they_allow(
            places in prop::collection::vec((0_u8..5, 0_u8..3), 1..60),
            per_rack in 1_u32..4,
            per_room in 1_u32..9,
        ) {
            let labels = |(rack, room): &(u8, u8)| [("rack", *rack), ("room", *room)];
            let all = places.iter().enumerate().map(|(number, at)| host(number, &labels(at)));
            let of_limits = [format!("rack={per_rack}"), format!("room={per_room}")];
            let asked = limits(0, &[&of_limits[0], &of_limits[1]]);
            let waves = plan_waves(all.collect(), &asked).unwrap();
            prop_assert_eq!(waves.iter().map(Vec::len).sum::<usize>(), places.len());
            prop_assert!(most_of_value(&waves, "rack") <= per_rack);
            prop_assert!(most_of_value(&waves, "room") <= per_room);
            // A host waits only for waves that its rack or its room has filled.
            let filled = |(rack, room): &(u8, u8)| {
                let of_rack = places.iter().filter(|of| of.0 == *rack).count() as u32;
                let of_room = places.iter().filter(|of| of.1 == *room).count() as u32;
                (of_rack - 1) / per_rack + (of_room - 1) / per_room
            };
            prop_assert!(waves.len() as u32 <= 1 + places.iter().map(filled).max().unwrap());
        }
    }

    #[test]
    fn waves_are_as_even_as_they_can_be() {
        let check = |count: usize, at_most: u32, expected: &[usize]| {
            let all = (0..count).map(|number| host(number, &[])).collect();
            let waves = plan_waves(all, &limits(at_most, &[])).unwrap();
            assert_eq!(waves.iter().map(Vec::len).collect::<Vec<_>>(), expected, "{count}");
        };
        check(103, 50, &[35, 35, 33]);
        check(100, 50, &[50, 50]);
        check(3, 50, &[3]);
        check(4, 1, &[1, 1, 1, 1]);
        check(0, 50, &[]);
        check(7, 0, &[7]);
    }

    #[test]
    fn a_limit_of_a_label_that_hosts_do_not_have_is_refused() {
        let check = |labels: &[&[(&str, u8)]], expected: &str| {
            let all = labels.iter().enumerate().map(|(number, of)| host(number, of)).collect();
            let error = plan_waves(all, &limits(0, &["rack=1"])).unwrap_err();
            assert_eq!(error.kind(), units::ErrorKind::WrongRequest);
            assert_eq!(error.to_string(), expected);
            assert!(error.hint().unwrap().contains("--label rack=VALUE"));
        };
        check(&[&[], &[("room", 1)]], "no host has a label rack");
        check(&[&[("rack", 1)], &[]], "host h0001 has no label rack");
        check(&[&[("rack", 1)], &[], &[]], "2 hosts have no label rack: h0001, h0002");
    }

    #[test]
    fn two_limits_of_one_label_are_refused() {
        let error = plan_waves(Vec::new(), &limits(0, &["rack=1", "room=2", "rack=2"]));
        assert_eq!(error.unwrap_err().to_string(), "--per-tag: two limits of label rack");
    }

    #[test]
    fn thousands_of_hosts_are_planned_at_once() {
        let labels = |number: usize| [("rack", (number % 200) as u8)];
        let all = (0..4000).map(|number| host(number, &labels(number))).collect();
        let begun = std::time::Instant::now();
        let waves = plan_waves(all, &limits(50, &["rack=1"])).unwrap();
        assert_eq!(waves.len(), 80);
        assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
    }

    #[test]
    fn a_limit_is_a_label_and_a_number_of_hosts() {
        let limit: TagLimit = "rack=2".parse().unwrap();
        assert_eq!((limit.key.as_str(), limit.hosts_max.get()), ("rack", 2));
        for bad in ["rack", "rack=0", "rack=-1", "rack=b4", "=1", "rack=1=2", "rack=99999999999"] {
            assert!(bad.parse::<TagLimit>().unwrap_err().contains("rack=1"), "{bad}");
        }
    }
}
