//! Where operations fall.

use units::Bytes;
use workload::{Access, BlockSizes};

use super::region::{Region, used_directions};
use super::section::Section;
use crate::options::distribution::{Distribution, ZoneShare};
use crate::options::job::JobOptions;
use crate::options::parse::TRIMS;
use crate::options::pattern::SequenceKind;
use crate::options::sizes::SizeValue;
use crate::options::zone::ZoneMode;

/// The order of the operations, and that of the writes of a mix where it is another.
/// Errors: what fio counts in a way that is not followed here.
pub(super) fn plan_accesses(
    section: &Section,
    block: Bytes,
    sizes: &BlockSizes,
    region: &Region,
) -> Result<(Access, Option<Access>), String> {
    let plan = |direction| plan_access(section, direction, block, sizes, region);
    if section.options.pattern.rw.operation.trims() {
        // A write after a trim is where it is.
        return Ok((plan(TRIMS)?, None));
    }
    let mut used = used_directions(&section.options).map(plan);
    let first = used.next().unwrap_or(Ok(Access::Sequential))?;
    let of_writes = used.next().transpose()?.filter(|of_writes| *of_writes != first);
    Ok((first, of_writes))
}

/// Whether reads and writes go on each where the last of them ended: zones are of both together.
pub(super) fn has_order_per_direction(options: &JobOptions, access: &Access) -> bool {
    let is_in_order = matches!(access, Access::Sequential | Access::PartlyRandom { .. });
    let is_strided = options.zone.mode == ZoneMode::Strided;
    !is_strided && (is_in_order || !options.pattern.rw.operation.is_random())
}

/// Of the operations of `direction`.
/// Errors: what fio counts in a way that is not followed here.
fn plan_access(
    section: &Section,
    direction: usize,
    block: Bytes,
    sizes: &BlockSizes,
    region: &Region,
) -> Result<Access, String> {
    let (options, plain) = (&section.options, sizes.is_plain());
    let (pattern, zone) = (&options.pattern, &options.zone);
    let rw = pattern.rw;
    let strided = zone.mode == ZoneMode::Strided && zone.size > 0;
    let zone_range = if zone.range == 0 { zone.size } else { zone.range };
    let zone_skip = || match zone.skip {
        SizeValue::Bytes(skip) => Ok(skip),
        _ => Err("zoneskip needs a number of bytes".to_owned()),
    };
    let repeats = pattern.repeats_places();
    refuse_gaps(options, plain)?;
    if strided {
        refuse_strided(options, plain, region)?;
    }
    if !rw.operation.is_random() {
        if strided && zone.size > zone_range {
            // fio goes over each zone several times.
            return Err("zonesize above zonerange needs random places".to_owned());
        }
        if strided && zone.size < region.length {
            return plan_zone_runs(zone.size, zone_range.saturating_add(zone_skip()?), block);
        }
        return Ok(match rw.gap {
            0 => Access::Sequential,
            gap if gap > 0 => Access::Gapped { run: block, skip: Bytes(gap.unsigned_abs()) },
            gap => Access::Rewinding { back: Bytes(gap.unsigned_abs()) },
        });
    }
    if strided && !repeats && zone.size > zone_range / block.0 * block.0 {
        let conflict = format!(
            "zonesize={} is more than the whole blocks of its zone: fio ends after one zone",
            zone.size
        );
        return Err(conflict);
    }
    if strided {
        return Ok(Access::ZonedRandom {
            zone: Bytes(zone_range),
            skip: Bytes(zone_skip()?),
            bytes: Bytes(zone.size),
            repeats,
        });
    }
    if rw.run_length > 1 {
        return Ok(Access::RandomRuns {
            operations: rw.run_length,
            identical: pattern.rw_sequencer == SequenceKind::Identical,
        });
    }
    match pattern.percentage_random[direction] {
        0 => return Ok(Access::Sequential),
        percent @ 1..=99 => return Ok(Access::PartlyRandom { random_percent: percent }),
        _ => {}
    }
    Ok(map_distribution(&pattern.random_distribution[direction], repeats))
}

/// Runs of `size` bytes, one in each `period`. As in fio, the last block of a run is whole.
fn plan_zone_runs(size: u64, period: u64, block: Bytes) -> Result<Access, String> {
    let run = size.checked_next_multiple_of(block.0);
    let gapped = run.and_then(|run| Some((run, period.checked_sub(run)?)));
    let (run, skip) = gapped.ok_or_else(|| {
        format!(
            "zonesize={size} is no multiple of the block size ({block}): the last block of a zone \
             needs a larger zonerange or zoneskip"
        )
    })?;
    Ok(Access::Gapped { run: Bytes(run), skip: Bytes(skip) })
}

fn refuse_strided(options: &JobOptions, plain: bool, region: &Region) -> Result<(), String> {
    let operation = options.pattern.rw.operation;
    let needed = if region.lengths.len() > 1 {
        "needs one file: fio counts a zone's bytes over all files"
    } else if !(plain || operation.is_random() && options.pattern.repeats_places()) {
        "with several block sizes needs norandommap"
    } else if operation.trims() && operation.writes() {
        // fio leaves zones between a trim and its write, or prints that it has a bug.
        "needs reads, writes or trims, not writes after trims"
    } else {
        return Ok(());
    };
    Err(format!("zonemode=strided {needed}"))
}

fn refuse_gaps(options: &JobOptions, plain: bool) -> Result<(), String> {
    let rw = options.pattern.rw;
    let (gap, operation) = (rw.gap, rw.operation);
    let reason = if gap == 0 || operation.is_random() {
        return Ok(());
    } else if !plain {
        "need blocks of one size"
    } else if gap > 0 && operation.reads() && operation.writes() {
        "are of reads or of writes, not of both"
    } else if options.zone.mode == ZoneMode::Strided && options.zone.size > 0 {
        "do not go with zonemode=strided"
    } else {
        return Ok(());
    };
    Err(format!("gaps between blocks (the number in rw=...:{gap}) {reason}"))
}

fn map_distribution(law: &Distribution, repeats: bool) -> Access {
    use workload::Distribution as Law;
    let around = |center: Option<f64>, law: Law| match center {
        None => law,
        Some(centre) => Law::Around { centre, law: Box::new(law) },
    };
    let law = match law {
        Distribution::Random if repeats => return Access::RandomRepeating,
        Distribution::Random => return Access::Random,
        Distribution::Zipf { theta, center, .. } => around(*center, Law::Zipf { theta: *theta }),
        Distribution::Pareto { h, center } => around(*center, Law::Pareto { h: *h }),
        Distribution::Normal { deviation, center } => {
            around(*center, Law::Normal { deviation_percent: *deviation })
        }
        Distribution::Zoned(zones) => {
            let zone = |zone: &ZoneShare| workload::ShareZone {
                access_percent: zone.accesses,
                span_percent: zone.length as u8,
            };
            Law::ZonedByShare(zones.iter().map(zone).collect())
        }
        Distribution::ZonedAbs(zones) => {
            let zone = |zone: &ZoneShare| workload::SizeZone {
                access_percent: zone.accesses,
                size: Bytes(zone.length),
            };
            Law::ZonedBySize(zones.iter().map(zone).collect())
        }
    };
    Access::Distributed(law)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_centre_moves_the_distribution() {
        use workload::Distribution as Law;
        let zipf = |center| Distribution::Zipf { theta: 1.2, center, wide: false };
        let law = Law::Zipf { theta: 1.2 };
        assert_eq!(map_distribution(&zipf(None), false), Access::Distributed(law.clone()));
        let around = Law::Around { centre: 0.3, law: Box::new(law) };
        assert_eq!(map_distribution(&zipf(Some(0.3)), false), Access::Distributed(around));
    }
}
