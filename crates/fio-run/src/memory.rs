//! Memory of a job: what `lockmem` locks, and huge pages.

use engine::LockedMemory;
use fio::plan::Section;
use target::Roots;
use units::Bytes;
use workload::Job;

use super::error::JobsError;

/// Below this the kernel would kill processes.
const SYSTEM_RESERVE: u64 = 128 << 20;

pub(super) fn lock_memory(
    section: &Section,
    roots: &Roots,
) -> Result<Option<LockedMemory>, JobsError> {
    let asked = section.options.placement.lockmem;
    if asked == 0 {
        return Ok(None);
    }
    let refused = |why: String| {
        let what = format!("lockmem={}: {why}", Bytes(asked));
        JobsError::file(&section.name, what, "lock less")
    };
    let meminfo = std::fs::read_to_string(roots.proc.join("meminfo")).unwrap_or_default();
    if let Some(free) = parse_bytes(&meminfo, "MemAvailable")
        && asked > free.saturating_sub(SYSTEM_RESERVE)
    {
        let left = Bytes(SYSTEM_RESERVE);
        let why = format!("{} is available, of which {left} stays with the system", Bytes(free));
        return Err(refused(why));
    }
    LockedMemory::new(asked).map(Some).map_err(|error| refused(format!("mlock: {error}")))
}

/// Refuses a job whose buffers in huge pages (`mem`) have no room; fio fails too.
pub(super) fn check_huge_pages(
    section: &Section,
    job: &Job,
    roots: &Roots,
) -> Result<(), JobsError> {
    if !job.placement.huge_pages {
        return Ok(());
    }
    let meminfo = std::fs::read_to_string(roots.proc.join("meminfo")).unwrap_or_default();
    let page = parse_bytes(&meminfo, "Hugepagesize").unwrap_or(0).max(1);
    let free = parse_count(&meminfo, "HugePages_Free").unwrap_or(0).saturating_mul(page);
    let needed = u64::from(job.depth.0).saturating_mul(job.max_block_size().0);
    if needed <= free {
        return Ok(());
    }
    let what = format!("mem: {} of huge pages are free, {} are needed", Bytes(free), Bytes(needed));
    let pages = needed.div_ceil(page);
    let hint = format!("reserve them: echo {pages} > /proc/sys/vm/nr_hugepages");
    Err(JobsError::file(&section.name, what, &hint))
}

/// The value of a line `NAME: N kB`.
fn parse_bytes(meminfo: &str, name: &str) -> Option<u64> {
    parse_count(meminfo, name)?.checked_mul(1024)
}

fn parse_count(meminfo: &str, name: &str) -> Option<u64> {
    let value = |line: &'_ str| Some(line.strip_prefix(name)?.strip_prefix(':')?.to_owned());
    let value = meminfo.lines().find_map(value)?;
    value.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_read() {
        let meminfo = "MemTotal:       24680000 kB\nMemAvailable:   16024000 kB\nBuffers: 1 kB\n";
        assert_eq!(parse_bytes(meminfo, "MemAvailable"), Some(16_024_000 * 1024));
        assert_eq!(parse_bytes("MemTotal: 1 kB\n", "MemAvailable"), None);
    }
}
