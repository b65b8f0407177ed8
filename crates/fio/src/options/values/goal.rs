//! `steadystate`, `sync_file_range`, `numa_mem_policy`, `mem`: a word and what follows.

use super::super::job::{
    BufferMemory, MemoryPolicy, SteadyLimit, SteadyMetric, SteadyState, SyncFileRange,
};
use super::reader::{self, ValueReader};
use super::time::{self, Unit};
use super::{ValueProblem, lists, number};

const METRICS: &[(&str, (SteadyMetric, bool))] = &[
    ("iops", (SteadyMetric::Iops, false)),
    ("iops_slope", (SteadyMetric::Iops, true)),
    ("bw", (SteadyMetric::Bandwidth, false)),
    ("bw_slope", (SteadyMetric::Bandwidth, true)),
    ("lat", (SteadyMetric::Latency, false)),
    ("lat_slope", (SteadyMetric::Latency, true)),
];

/// `steadystate`. A bare limit of `bw` takes size suffixes, of `lat` is a time.
pub(super) fn read_steady_state(input: &mut ValueReader<'_>) -> Result<SteadyState, ValueProblem> {
    let expected = "a metric and a limit, such as iops:5% or bw_slope:1m";
    let text = input.text(expected)?;
    let (word, limit) = text
        .split_once(':')
        .ok_or_else(|| ValueProblem::new(format!("{text} has no limit"), expected))?;
    let (metric, slope) = reader::pick_choice(word.trim(), METRICS)?;
    let limit = limit.trim();
    let wrong = || ValueProblem::new(format!("{limit} is not a limit"), expected);
    let limit = if let Some(percent) = limit.strip_suffix('%') {
        SteadyLimit::Percent(number::parse_float(percent, "a percentage", 0.0..=f64::MAX)?)
    } else if let Ok(plain) = limit.parse::<f64>() {
        let plain = if metric == SteadyMetric::Latency { plain * 1000.0 } else { plain };
        SteadyLimit::Absolute(plain)
    } else if metric == SteadyMetric::Latency {
        SteadyLimit::Absolute(time::parse_time(limit, Unit::Microseconds)? as f64)
    } else {
        SteadyLimit::Absolute(input.number(limit, expected)? as f64)
    };
    match limit {
        SteadyLimit::Percent(value) | SteadyLimit::Absolute(value)
            if value.is_finite() && value >= 0.0 =>
        {
            Ok(SteadyState { metric, slope, limit })
        }
        _ => Err(wrong()),
    }
}

/// `sync_file_range`.
pub(super) fn read_sync_file_range(
    input: &mut ValueReader<'_>,
) -> Result<SyncFileRange, ValueProblem> {
    let expected = "wait_before, write, wait_after with commas, then :number of writes";
    let text = input.text(expected)?;
    let (words, every) = text.split_once(':').unwrap_or((text, "1"));
    let mut range = SyncFileRange::default();
    for word in words.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        match word {
            "wait_before" => range.wait_before = true,
            "write" => range.write = true,
            "wait_after" => range.wait_after = true,
            _ => return Err(ValueProblem::new(format!("{word} is not known"), expected)),
        }
    }
    let every = input.number(every.trim(), expected)?;
    range.every = u32::try_from(every)
        .ok()
        .filter(|every| *every > 0)
        .ok_or_else(|| ValueProblem::new(format!("{every} is out of range"), expected))?;
    Ok(range)
}

/// `numa_mem_policy`.
pub(super) fn read_memory_policy(input: &ValueReader<'_>) -> Result<MemoryPolicy, ValueProblem> {
    let expected = "default, local, prefer:node, bind:nodes or interleave:nodes";
    let text = input.text(expected)?;
    match text.split_once(':').unwrap_or((text, "")) {
        ("default", "") => Ok(MemoryPolicy::Default),
        ("local", "") => Ok(MemoryPolicy::Local),
        ("prefer", node) => node
            .parse()
            .map(MemoryPolicy::Prefer)
            .map_err(|_| ValueProblem::new("prefer needs one node", expected)),
        ("bind", nodes) if !nodes.is_empty() => {
            lists::parse_numbers_or_all(nodes).map(MemoryPolicy::Bind)
        }
        ("interleave", nodes) if !nodes.is_empty() => {
            lists::parse_numbers_or_all(nodes).map(MemoryPolicy::Interleave)
        }
        _ => Err(ValueProblem::new("it is not a policy with its nodes", expected)),
    }
}

/// `mem`.
pub(super) fn read_buffer_memory(input: &ValueReader<'_>) -> Result<BufferMemory, ValueProblem> {
    let expected = "one of malloc, shm, shmhuge, mmap, mmaphuge, mmapshared; :file may follow \
                    the last three";
    let text = input.text(expected)?;
    let (word, file) = match text.split_once(':') {
        Some((word, file)) => (word, Some(file.to_owned()).filter(|file| !file.is_empty())),
        None => (text, None),
    };
    match (word, &file) {
        ("malloc", None) => Ok(BufferMemory::Malloc),
        ("shm", None) => Ok(BufferMemory::Shm),
        ("shmhuge", None) => Ok(BufferMemory::ShmHuge),
        ("mmap", _) => Ok(BufferMemory::Mmap(file)),
        ("mmaphuge", _) => Ok(BufferMemory::MmapHuge(file)),
        ("mmapshared", _) => Ok(BufferMemory::MmapShared(file)),
        _ => Err(ValueProblem::new(format!("{text} is not one of the choices"), expected)),
    }
}
