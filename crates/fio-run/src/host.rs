//! Facts about this host.

use fio::plan::Section;
use fio::read::Keywords;
use target::Roots;

use super::error::JobsError;

/// `$pagesize`, `$mb_memory` and `$ncpus` of this host.
pub fn host_keywords(roots: &Roots) -> Keywords {
    let memory = std::fs::read_to_string(roots.proc.join("meminfo")).unwrap_or_default();
    let memory_kib = memory.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok());
    Keywords {
        page_size: rustix::param::page_size() as u64,
        memory_mib: memory_kib.unwrap_or(0) / 1024,
        cpus: online_processors(roots),
    }
}

/// Online processors, as fio counts them.
fn online_processors(roots: &Roots) -> u64 {
    let list = std::fs::read_to_string(roots.sys.join("devices/system/cpu/online"));
    match list.map(|list| parse_cpu_list(&list).len() as u64) {
        Ok(count) if count > 0 => count,
        _ => std::thread::available_parallelism().map_or(1, |n| n.get() as u64),
    }
}

/// The processors of `numa_cpu_nodes`.
pub(super) fn numa_processors(section: &Section, roots: &Roots) -> Result<Vec<u32>, JobsError> {
    let mut processors = Vec::new();
    for node in &section.options.placement.numa_cpu_nodes {
        let path = roots.sys.join(format!("devices/system/node/node{node}/cpulist"));
        let list = std::fs::read_to_string(&path).map_err(|error| {
            let what = format!("numa_cpu_nodes={node}: {}: {error}", path.display());
            JobsError::file(&section.name, what, "use cpus_allowed")
        })?;
        processors.extend(parse_cpu_list(&list));
    }
    Ok(processors)
}

/// Parses a list of sysfs: `0-3,8`.
fn parse_cpu_list(list: &str) -> Vec<u32> {
    let mut numbers = Vec::new();
    for range in list.trim().split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        if let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) {
            numbers.extend(first..=last);
        }
    }
    numbers
}

pub(super) fn unix_ms() -> u64 {
    jiff::Timestamp::now().as_millisecond().try_into().unwrap_or(0)
}
