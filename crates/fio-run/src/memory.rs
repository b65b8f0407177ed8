//! `lockmem`: memory that is locked while a job runs.

use engine::LockedMemory;
use fio::plan::Section;
use target::Roots;
use units::Bytes;

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
        JobsError::file(&section.name, what, Some("lock less"))
    };
    let meminfo = std::fs::read_to_string(roots.proc.join("meminfo")).unwrap_or_default();
    if let Some(free) = parse_available(&meminfo)
        && asked > free.saturating_sub(SYSTEM_RESERVE)
    {
        let left = Bytes(SYSTEM_RESERVE);
        let why = format!("{} is available, of which {left} stays with the system", Bytes(free));
        return Err(refused(why));
    }
    LockedMemory::new(asked).map(Some).map_err(|error| refused(format!("mlock: {error}")))
}

/// `MemAvailable` in bytes.
fn parse_available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_read() {
        let meminfo = "MemTotal:       24680000 kB\nMemAvailable:   16024000 kB\nBuffers: 1 kB\n";
        assert_eq!(parse_available(meminfo), Some(16_024_000 * 1024));
        assert_eq!(parse_available("MemTotal: 1 kB\n"), None);
    }
}
