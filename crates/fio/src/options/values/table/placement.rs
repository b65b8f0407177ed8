//! Processors, memory, priorities, zones, commands.

use super::super::super::job::{CpuPolicy, ZoneMode};
use super::super::{ValueProblem, goal, lists, number};
use super::Table;

pub(super) const TABLE: Table = &[
    ("cpus_allowed", |o, i| {
        o.placement.cpus_allowed = lists::parse_numbers(i.text("processors such as 0-3,5")?)?;
        Ok(())
    }),
    (
        "cpus_allowed_policy",
        set!(choice placement.cpus_policy, &[
            ("shared", CpuPolicy::Shared),
            ("split", CpuPolicy::Split),
        ]),
    ),
    ("cpumask", |o, i| {
        o.placement.cpus_allowed = lists::bit_numbers(i.whole(1, u64::MAX)?);
        Ok(())
    }),
    ("numa_cpu_nodes", |o, i| {
        let text = i.text("nodes such as 0-1,3, or all")?;
        o.placement.numa_cpu_nodes = lists::parse_numbers_or_all(text)?;
        Ok(())
    }),
    ("numa_mem_policy", |o, i| {
        o.placement.numa_mem_policy = goal::read_memory_policy(i)?;
        Ok(())
    }),
    ("nice", |o, i| {
        o.placement.nice = i32::try_from(i.signed(-20, 19)?).unwrap_or(0);
        Ok(())
    }),
    ("prio", set!(some_u8 placement.prio, 0, 7)),
    ("prioclass", set!(some_u8 placement.prioclass, 0, 3)),
    ("iomem_align", set!(size placement.mem_align, 0)),
    ("mem_align", set!(size placement.mem_align, 0)),
    ("hugepage-size", set!(size placement.hugepage_size, 0)),
    ("lockmem", set!(size placement.lockmem, 0)),
    ("ioscheduler", set!(text placement.ioscheduler)),
    ("cgroup", set!(text placement.cgroup)),
    ("cgroup_nodelete", set!(flag placement.cgroup_nodelete)),
    ("cgroup_weight", |o, i| {
        o.placement.cgroup_weight = u32::try_from(i.whole(100, 1000)?).ok();
        Ok(())
    }),
    ("uid", set!(some_u32 placement.uid, 0)),
    ("gid", set!(some_u32 placement.gid, 0)),
    (
        "zonemode",
        set!(choice zone.mode, &[
            ("none", ZoneMode::None),
            ("strided", ZoneMode::Strided),
            ("zbd", ZoneMode::Zbd),
        ]),
    ),
    ("zonesize", set!(size zone.size, 0)),
    ("zonerange", set!(size zone.range, 0)),
    ("zonecapacity", set!(size zone.capacity, 0)),
    ("zoneskip", |o, i| {
        o.zone.skip = number::read_size_value(i)?;
        Ok(())
    }),
    ("read_beyond_wp", set!(flag zone.read_beyond_wp)),
    ("max_open_zones", |o, i| {
        o.zone.max_open = u32::try_from(i.whole(0, 4096)?).unwrap_or(0);
        Ok(())
    }),
    ("job_max_open_zones", |o, i| {
        o.zone.job_max_open = u32::try_from(i.whole(0, 4096)?).unwrap_or(0);
        Ok(())
    }),
    ("ignore_zone_limits", set!(flag zone.ignore_limits)),
    ("zone_reset_threshold", |o, i| {
        o.zone.reset_threshold = fraction(i.text("a number from 0 to 1")?)?;
        Ok(())
    }),
    ("zone_reset_frequency", |o, i| {
        o.zone.reset_frequency = fraction(i.text("a number from 0 to 1")?)?;
        Ok(())
    }),
    ("exec_prerun", set!(text exec.prerun)),
    ("exec_postrun", set!(text exec.postrun)),
    // Read for mistakes, and dropped: they tune fio's own internals.
    ("clocksource", |_, i| i.choice(&[("gettimeofday", ()), ("clock_gettime", ()), ("cpu", ())])),
    ("gtod_cpu", |_, i| i.whole32(0).map(drop)),
    ("job_start_clock_id", |_, i| i.whole32(0).map(drop)),
    ("log_compression_cpus", |_, i| lists::parse_numbers(i.text("processors")?).map(drop)),
    ("verifysort", |_, i| i.switch().map(drop)),
    ("verifysort_nr", |_, i| i.whole32(0).map(drop)),
];

fn fraction(text: &str) -> Result<f64, ValueProblem> {
    number::parse_float(text, "a number", 0.0..=1.0)
}
