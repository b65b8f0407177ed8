//! What a worker's thread costs the system.

#[derive(Debug, Clone, Copy)]
pub(super) struct Usage {
    /// Processor time: user, system.
    pub(super) cpu_ns: (u64, u64),
    pub(super) switches: u64,
    pub(super) major_faults: u64,
    pub(super) minor_faults: u64,
}

impl Usage {
    pub(super) fn of_this_thread() -> Self {
        // SAFETY: `usage` is plain data that getrusage fills in.
        let usage = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage);
            usage
        };
        let ns = |t: libc::timeval| t.tv_sec as u64 * 1_000_000_000 + t.tv_usec as u64 * 1_000;
        Self {
            cpu_ns: (ns(usage.ru_utime), ns(usage.ru_stime)),
            switches: (usage.ru_nvcsw + usage.ru_nivcsw) as u64,
            major_faults: usage.ru_majflt as u64,
            minor_faults: usage.ru_minflt as u64,
        }
    }
}
