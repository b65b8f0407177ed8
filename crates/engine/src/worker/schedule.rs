//! When things of a run happen.

/// When things happen, as readings of the clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Schedule {
    /// Common start of all workers.
    pub(crate) start_ns: u64,
    /// Start of measuring: the warm-up lies before.
    pub(crate) measure_ns: u64,
    /// End of measuring; `u64::MAX` when only bytes or operations end it.
    pub(crate) deadline_ns: u64,
    /// From then on nothing is started, and what is under way counts until the end of measuring.
    pub(crate) last_start_ns: u64,
    /// Length of an interval: [`TICKS_PER_INTERVAL`] times `tick_ns`.
    pub(crate) tick_ns: u64,
    /// Data operations of this worker; `u64::MAX` when something else ends it.
    pub(crate) operations: u64,
    /// Bytes of this worker; `u64::MAX` when something else ends it.
    pub(crate) bytes: u64,
    /// How long outstanding operations are waited for after the end.
    pub(crate) drain_ns: u64,
    /// Looks at the ring before a sleep, where completions come fast.
    pub(crate) polls: u32,
    /// Number within a crowd that has more workers than there are processors.
    pub(crate) in_crowd: Option<usize>,
    /// Of so many batches one is submitted by a call of its own, which is timed.
    pub(crate) sample_every: u32,
}

impl Schedule {
    /// Whether time alone ends it.
    pub(crate) fn is_timed(&self) -> bool {
        self.operations == u64::MAX && self.bytes == u64::MAX
    }
}
