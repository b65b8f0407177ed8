//! Run time, rates, goals.

use super::super::super::job::{ExitWhat, JobOptions, PerDirection, RateProcess, ThinkBlocks};
use super::super::reader::ValueReader;
use super::super::time::{self, Unit};
use super::super::{ValueProblem, goal, lists, number};
use super::{Table, crate_time};

pub(super) const TABLE: Table = &[
    ("runtime", set!(us time.runtime_us, Seconds)),
    ("timeout", set!(us time.runtime_us, Seconds)),
    ("time_based", set!(switch time.time_based)),
    ("ramp_time", set!(us time.ramp_time_us, Seconds)),
    ("startdelay", |o, i| {
        o.time.startdelay = lists::read_time_range(i)?;
        Ok(())
    }),
    ("loops", |o, i| {
        o.time.loops = i.whole32(0)?.max(1);
        Ok(())
    }),
    ("numjobs", set!(u32 time.numjobs, 1)),
    ("thread", set!(switch time.thread)),
    ("stonewall", set!(switch time.stonewall)),
    ("wait_for_previous", set!(switch time.stonewall)),
    ("wait_for", set!(text time.wait_for)),
    ("exitall", set!(switch time.exitall)),
    (
        "exit_what",
        set!(choice time.exit_what, &[
            ("group", ExitWhat::Group),
            ("stonewall", ExitWhat::Stonewall),
            ("all", ExitWhat::All),
        ]),
    ),
    ("exitall_on_error", set!(switch time.exitall_on_error)),
    ("new_group", set!(switch time.new_group)),
    ("group_reporting", set!(switch time.group_reporting)),
    ("rate", |o, i| rates(&mut o.rate.rate, i)),
    ("rate_min", |o, i| rates(&mut o.rate.rate_min, i)),
    ("ratemin", |o, i| rates(&mut o.rate.rate_min, i)),
    ("rate_iops", |o, i| rates(&mut o.rate.rate_iops, i)),
    ("rate_iops_min", |o, i| rates(&mut o.rate.rate_iops_min, i)),
    (
        "rate_process",
        set!(choice rate.rate_process, &[
            ("linear", RateProcess::Linear),
            ("poisson", RateProcess::Poisson),
        ]),
    ),
    ("rate_cycle", set!(ms rate.rate_cycle_ms)),
    ("ratecycle", set!(ms rate.rate_cycle_ms)),
    ("rate_ignore_thinktime", set!(flag rate.rate_ignore_thinktime)),
    ("thinktime", set!(us rate.thinktime_us, Microseconds)),
    ("thinktime_spin", set!(us rate.thinktime_spin_us, Microseconds)),
    ("thinktime_blocks", |o, i| {
        o.rate.thinktime_blocks = Some(i.whole(0, u64::MAX)?);
        Ok(())
    }),
    (
        "thinktime_blocks_type",
        set!(choice rate.thinktime_blocks_type, &[
            ("complete", ThinkBlocks::Complete),
            ("issue", ThinkBlocks::Issue),
        ]),
    ),
    ("thinktime_iotime", set!(us rate.thinktime_iotime_us, Seconds)),
    ("flow", |o, i| {
        o.flow.flow = u32::try_from(i.whole(0, 1000)?).unwrap_or(1000);
        Ok(())
    }),
    ("flow_id", set!(u32 flow.flow_id, 0)),
    ("flow_sleep", set!(us flow.flow_sleep_us, Microseconds)),
    ("latency_target", set!(us goal.latency_target_us, Microseconds)),
    ("latency_window", set!(us goal.latency_window_us, Microseconds)),
    ("latency_percentile", |o, i| {
        let expected = "a percentage from 0 to 100";
        let text = i.text(expected)?;
        o.goal.latency_percentile =
            number::parse_float(text.trim_end_matches('%'), "a percentage", 0.0..=100.0)?;
        Ok(())
    }),
    ("latency_run", set!(flag goal.latency_run)),
    ("max_latency", |o, i| {
        let expected = time::expected_time(Unit::Microseconds);
        let text = i.text(&expected)?;
        lists::parse_per_direction(&mut o.goal.max_latency_ns, text, &expected, |piece| {
            time::parse_time(piece, Unit::Microseconds)
        })
    }),
    ("steadystate", steadystate),
    ("ss", steadystate),
    ("steadystate_duration", set!(us goal.ss_dur_us, Seconds)),
    ("ss_dur", set!(us goal.ss_dur_us, Seconds)),
    ("steadystate_ramp_time", set!(us goal.ss_ramp_us, Seconds)),
    ("ss_ramp", set!(us goal.ss_ramp_us, Seconds)),
    ("steadystate_check_interval", ss_interval),
    ("ss_interval", ss_interval),
];

fn steadystate(o: &mut JobOptions, i: &mut ValueReader<'_>) -> Result<(), ValueProblem> {
    o.goal.steadystate = goal::read_steady_state(i)?;
    Ok(())
}

fn ss_interval(o: &mut JobOptions, i: &mut ValueReader<'_>) -> Result<(), ValueProblem> {
    let us = i.time_us(Unit::Seconds)?;
    if us == 0 || us % 1000 != 0 {
        let expected = "a time of whole milliseconds, from 1ms on";
        return Err(ValueProblem::new("it is not one", expected));
    }
    o.goal.ss_interval_ms = us / 1000;
    Ok(())
}

fn rates(slots: &mut PerDirection<u64>, i: &mut ValueReader<'_>) -> Result<(), ValueProblem> {
    let text = i.text(number::SIZE)?;
    lists::parse_per_direction(slots, text, "a whole number, such as 100 or 10m", |piece| {
        i.size_of(piece, 0)
    })
}
