//! The clock of the hot path: the time-stamp counter where it can be trusted.

use std::time::Duration;

use rustix::thread::clock_nanosleep_absolute;
use rustix::time::{ClockId, Timespec, clock_gettime};

/// Time for calibration. Both readings are bracketed to 50 ns, so 20 ms give 2.5 ppm.
const CALIBRATION_TIME: Duration = Duration::from_millis(20);

/// Which source a clock reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockKind {
    /// The invariant time-stamp counter, calibrated.
    Tsc,
    /// clock_gettime(CLOCK_MONOTONIC).
    Monotonic,
}

/// Nanoseconds since the clock was made; the same for all threads that hold a copy.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    kind: ClockKind,
    base_ticks: u64,
    base_ns: u64,
    /// Nanoseconds per tick, times 2^32.
    multiplier: u64,
}

impl Clock {
    /// The best clock of this host. Takes about 20 ms where it calibrates.
    pub fn best() -> Self {
        let calibrated = tsc::is_invariant().then(Self::calibrated).flatten();
        calibrated.unwrap_or_else(Self::monotonic)
    }

    pub fn monotonic() -> Self {
        let (kind, base_ns) = (ClockKind::Monotonic, monotonic_ns());
        Self { kind, base_ticks: 0, base_ns, multiplier: 1 << 32 }
    }

    fn calibrated() -> Option<Self> {
        let (ticks_a, ns_a) = read_bracketed_pair(tsc::read);
        std::thread::sleep(CALIBRATION_TIME);
        let (ticks_b, ns_b) = read_bracketed_pair(tsc::read);
        let (ticks, ns) = (ticks_b.checked_sub(ticks_a)?, ns_b.checked_sub(ns_a)?);
        // 100 MHz to 10 GHz: anything else is not a time-stamp counter.
        if ticks < ns / 10 || ticks > ns.saturating_mul(10) {
            return None;
        }
        let multiplier = ((u128::from(ns) << 32) / u128::from(ticks)) as u64;
        Some(Self { kind: ClockKind::Tsc, base_ticks: ticks_a, base_ns: ns_a, multiplier })
    }

    /// Nanoseconds since the clock was made.
    #[inline]
    pub fn now(&self) -> u64 {
        match self.kind {
            ClockKind::Tsc => {
                let ticks = tsc::read().wrapping_sub(self.base_ticks);
                ((u128::from(ticks) * u128::from(self.multiplier)) >> 32) as u64
            }
            ClockKind::Monotonic => monotonic_ns() - self.base_ns,
        }
    }

    pub fn kind(&self) -> ClockKind {
        self.kind
    }

    /// Ticks per second of the counter, where it is used.
    pub fn hz(&self) -> Option<f64> {
        (self.kind == ClockKind::Tsc).then(|| 1e9 * (1_u64 << 32) as f64 / self.multiplier as f64)
    }

    /// CLOCK_MONOTONIC at which this clock reads `ns`, for sleeping to an absolute time.
    pub(crate) fn to_monotonic(self, ns: u64) -> u64 {
        self.base_ns + ns
    }

    /// What this clock reads when CLOCK_MONOTONIC shows `at_ns`; exact but for the drift until
    /// then.
    pub fn from_monotonic(&self, at_ns: u64) -> u64 {
        let (mine, kernel_ns) = read_bracketed_pair(|| self.now());
        match at_ns.checked_sub(kernel_ns) {
            Some(ahead) => mine.saturating_add(ahead),
            None => mine.saturating_sub(kernel_ns - at_ns),
        }
    }
}

/// Sleeps until CLOCK_MONOTONIC shows `ns`; a signal ends it early, as an error.
pub(crate) fn sleep_until_monotonic(ns: u64) -> rustix::io::Result<()> {
    let until =
        Timespec { tv_sec: (ns / 1_000_000_000) as i64, tv_nsec: (ns % 1_000_000_000) as i64 };
    clock_nanosleep_absolute(ClockId::Monotonic, &until)
}

/// CLOCK_MONOTONIC in nanoseconds, as this process sees it: a time namespace moves it.
#[inline]
pub fn monotonic_ns() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// A reading and the CLOCK_MONOTONIC reading that belongs to it: the closest of five.
fn read_bracketed_pair(read: impl Fn() -> u64) -> (u64, u64) {
    let mut best = (u64::MAX, 0, 0);
    for _ in 0..5 {
        let before = read();
        let ns = monotonic_ns();
        let width = read().wrapping_sub(before);
        if width < best.0 {
            best = (width, before + width / 2, ns);
        }
    }
    (best.1, best.2)
}

#[cfg(target_arch = "x86_64")]
mod tsc {
    use core::arch::x86_64::{__cpuid, _rdtsc};

    #[inline]
    pub(super) fn read() -> u64 {
        // SAFETY: every x86-64 processor has RDTSC; only prctl(PR_SET_TSC) forbids it.
        unsafe { _rdtsc() }
    }

    /// Whether it runs at a constant rate in all power states (CPUID 8000_0007h EDX bit 8) and the
    /// kernel trusts it as a clock source.
    pub(super) fn is_invariant() -> bool {
        let highest = __cpuid(0x8000_0000).eax;
        if highest < 0x8000_0007 || __cpuid(0x8000_0007).edx & (1 << 8) == 0 {
            return false;
        }
        let list = "/sys/devices/system/clocksource/clocksource0/available_clocksource";
        std::fs::read_to_string(list)
            .is_ok_and(|names| names.split_whitespace().any(|n| n == "tsc"))
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod tsc {
    /// Never called: [`is_invariant`] is false.
    pub(super) fn read() -> u64 {
        0
    }

    pub(super) fn is_invariant() -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_agree_with_the_kernel() {
        for clock in [Clock::best(), Clock::monotonic()] {
            let (a, kernel_a) = (clock.now(), monotonic_ns());
            while monotonic_ns() - kernel_a < 30_000_000 {}
            let (b, kernel_b) = (clock.now(), monotonic_ns());
            let ratio = (b - a) as f64 / (kernel_b - kernel_a) as f64;
            // A descheduling between two readings widens one of them: 1 %, not ppm.
            assert!((ratio - 1.0).abs() < 0.01, "{:?} {ratio}", clock.kind());
        }
    }

    #[test]
    fn an_instant_of_the_kernel_is_found_again() {
        for clock in [Clock::best(), Clock::monotonic()] {
            let (kernel, mine) = (monotonic_ns(), clock.now());
            // A descheduling between two readings widens one of them: tried up to three times.
            let near = |ahead: i64| {
                let found = clock.from_monotonic(kernel.saturating_add_signed(ahead));
                found.abs_diff(mine.saturating_add_signed(ahead)) < 200_000
            };
            for ahead in [0, 50_000_000, -1_000] {
                assert!((0..3).any(|_| near(ahead)), "{:?} {ahead}", clock.kind());
            }
        }
    }

    #[test]
    fn never_goes_back() {
        let clock = Clock::best();
        let mut last = 0;
        for _ in 0..100_000 {
            let now = clock.now();
            assert!(now >= last);
            last = now;
        }
    }

    #[test]
    fn frequency_is_plausible() {
        let clock = Clock::best();
        match clock.kind() {
            ClockKind::Tsc => assert!((1e8..1e10).contains(&clock.hz().unwrap())),
            ClockKind::Monotonic => assert_eq!(clock.hz(), None),
        }
        let (mine, theirs) = (clock.now() as f64, (monotonic_ns() - clock.base_ns) as f64);
        assert!((mine / theirs - 1.0).abs() < 1e-2, "{mine} {theirs}");
    }
}
