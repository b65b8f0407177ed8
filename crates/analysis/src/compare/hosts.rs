//! Runs over many hosts: each host against the host of the same name of the other side. They are
//! not in the family that the verdict rests on: with every host in it nothing could ever stand.

use record::Record;
use record::compare::{CellComparison, HostComparison};

use super::effect;
use super::figures::{self, SideSamples, sample_side};
use super::group::{ComparisonCriteria, Group, host_names};
use crate::fleet::host_record;

pub(super) fn compare_hosts(
    a: &Group<'_>,
    b: &Group<'_>,
    labels: (&str, &str),
    terms: &ComparisonCriteria,
) -> Vec<HostComparison> {
    let theirs = host_names(b);
    host_names(a)
        .into_iter()
        .filter(|name| theirs.contains(name))
        .filter_map(|name| {
            let (mine, theirs) = (sample_host(a, &name, labels.0), sample_host(b, &name, labels.1));
            let cells: Vec<CellComparison> = mine
                .cells
                .iter()
                .filter_map(|cell| {
                    let other = theirs.cells.iter().find(|other| other.key == cell.key)?;
                    figures::compare_samples(cell, other, labels.1, None, terms)
                })
                .collect();
            let one =
                cells.first().and_then(|cell| cell.main_figure()).map(|main| main.effect.clone());
            let effect = effect::overall_effect(&cells, labels.1, terms).or(one)?;
            Some(HostComparison { host: name, effect, cells })
        })
        .collect()
}

fn sample_host(group: &Group<'_>, name: &str, label: &str) -> SideSamples {
    let seen: Vec<(Record, String)> = group
        .runs
        .iter()
        .filter_map(|(record, source)| {
            let host = record.measured.fleet.as_ref()?.host(name)?;
            Some((host_record(&record.measured, host), source.clone()))
        })
        .collect();
    let runs = seen.iter().map(|(record, source)| (record, source.clone())).collect();
    sample_side(&Group { runs, price: None }, label)
}
