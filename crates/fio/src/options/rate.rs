//! Rates, pauses and flows.

use super::parse::{PerDirection, SIZE, TimeUnit, ValueResult, parse_per_direction};
use super::reader::ValueReader;
use super::spec::*;

/// Rates, pauses and flows. 0 is no limit everywhere.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RateOptions {
    pub rate: PerDirection<u64>,
    pub rate_min: PerDirection<u64>,
    pub rate_iops: PerDirection<u64>,
    pub rate_iops_min: PerDirection<u64>,
    pub rate_process: RateProcess,
    pub rate_cycle_ms: u64,
    pub thinktime_us: u64,
    pub thinktime_spin_us: u64,
    /// `None`: 1, or none with `thinktime_iotime`.
    pub thinktime_blocks: Option<u64>,
    pub thinktime_iotime_us: u64,
    /// 0: none.
    pub thinkcycles: u32,
    pub flow_id: u32,
    /// Weight; 0: no flow.
    pub flow: u32,
    pub flow_sleep_us: u64,
}

type O = RateOptions;

pub(super) const TABLE: &[Entry<O>] = &[
    sizes("rate", "", "Maximum bytes per second: one, or read,write,trim.")
        .reads(Any, |o: &mut O, reader| read_rates(&mut o.rate, reader)),
    sizes("rate_min", "", "Minimum bytes per second, below which the job fails.")
        .alias(&["ratemin"])
        .under("rate")
        .reads(Any, |o: &mut O, reader| read_rates(&mut o.rate_min, reader)),
    sizes("rate_iops", "", "Maximum operations per second: one, or read,write,trim.")
        .reads(Any, |o: &mut O, reader| read_rates(&mut o.rate_iops, reader)),
    sizes("rate_iops_min", "", "Minimum operations per second, below which the job fails.")
        .under("rate_iops")
        .reads(Any, |o: &mut O, reader| read_rates(&mut o.rate_iops_min, reader)),
    choice("rate_process", "linear", "How operations of a rate are spread over time.")
        .under("rate")
        .sets(Any, |o: &mut O| &mut o.rate_process),
    msecs("rate_cycle", "1000", "Time over which rate_min and rate_iops_min are averaged, in ms.")
        .alias(&["ratecycle"])
        .under("rate")
        .sets(Any, |o: &mut O| &mut o.rate_cycle_ms),
    flag("rate_ignore_thinktime", "", "After a pause go on at the rate, without catching up.")
        .under("rate")
        .checks(),
    usecs("thinktime", "0", "Pause between operations, in microseconds.")
        .sets(Any, |o: &mut O| &mut o.thinktime_us),
    usecs("thinktime_spin", "0", "Part of the pause spent busy, in microseconds.")
        .under("thinktime")
        .sets(Any, |o: &mut O| &mut o.thinktime_spin_us),
    int("thinktime_blocks", "", "Number of operations between pauses.")
        .implied_default("1")
        .under("thinktime")
        .sets(Any, |o: &mut O| &mut o.thinktime_blocks),
    choice("thinktime_blocks_type", "complete", "Which operations thinktime_blocks counts.")
        .words(BLOCKS)
        .under("thinktime")
        .checks(),
    secs("thinktime_iotime", "0", "Time of operations between pauses, in seconds.")
        .under("thinktime")
        .sets(Any, |o: &mut O| &mut o.thinktime_iotime_us),
    int("thinkcycles", "", "Processor cycles to spend between operations (newer versions).")
        .under("thinktime")
        .reads(Any, |o: &mut O, reader| reader.read_u32(0).map(|value| o.thinkcycles = value)),
    int("flow_id", "0", "Number of the flow: jobs with the same one keep in step.")
        .sets(Any, |o: &mut O| &mut o.flow_id),
    int("flow", "0", "Weight of the job in its flow.")
        .range(0, FLOW_MAX)
        .under("flow_id")
        .reads(Any, |o: &mut O, reader| read_flow(reader).map(|weight| o.flow = weight)),
    int("flow_sleep", "0", "Microseconds to sleep when the job is ahead of its flow.")
        .under("flow_id")
        .reads(Any, |o: &mut O, reader| {
            reader.read_time_us(TimeUnit::Microseconds).map(|value| o.flow_sleep_us = value)
        }),
];

const FLOW_MAX: i64 = 1000;

const BLOCKS: Words = &[("complete", "those that have ended"), ("issue", "those that were sent")];

/// `rate_process`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RateProcess {
    #[default]
    Linear,
    Poisson,
}

impl Choice for RateProcess {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("linear", "at even distances", Self::Linear),
        ("poisson", "at random distances, as independent users arrive", Self::Poisson),
    ];
}

fn read_rates(rates: &mut PerDirection<u64>, reader: &mut ValueReader<'_>) -> ValueResult<()> {
    let text = reader.require_text(SIZE)?;
    parse_per_direction(rates, text, "a whole number, such as 100 or 10m", |piece| {
        reader.parse_size(piece, 0)
    })
}

/// fio takes a weight below 0, as its older job files have it, as an unsigned number.
fn read_flow(reader: &mut ValueReader<'_>) -> ValueResult<u32> {
    let number = reader.read_signed(i32::MIN.into(), FLOW_MAX)?;
    let weight = number.rem_euclid(1 << u32::BITS);
    if number < 0 {
        reader.add_note(format!(
            "a weight of {weight}, as fio takes it: the other jobs of the flow wait for this one; \
             for a ratio give weights from 1 to {FLOW_MAX}"
        ));
    }
    Ok(u32::try_from(weight).unwrap_or(u32::MAX))
}
