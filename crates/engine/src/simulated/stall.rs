//! Periodic stalls as a second clock that stands still during them. The cache and the medium live
//! on the *running* clock, which advances only while the device works; the caller lives on the
//! virtual clock. A completion due when a stall begins maps to its end.

use super::device_model::Stall;

#[derive(Debug, Clone)]
pub(super) struct StallClock {
    every_ns: u64,
    active_ns: u64,
}

impl StallClock {
    /// `None` when the stall never stops the device.
    pub(super) fn new(stall: &Stall) -> Option<StallClock> {
        if stall.every_ns == 0 || stall.lasts_ns == 0 {
            return None;
        }
        let active_ns = stall.every_ns.saturating_sub(stall.lasts_ns).max(1);
        Some(StallClock { every_ns: stall.every_ns, active_ns })
    }

    pub(super) fn to_running_ns(&self, virtual_ns: u64) -> u64 {
        let within_ns = (virtual_ns % self.every_ns).min(self.active_ns);
        (virtual_ns / self.every_ns) * self.active_ns + within_ns
    }

    /// The latest virtual time at `running_ns`: the end of a stall, not its start.
    pub(super) fn to_virtual_ns(&self, running_ns: u64) -> u64 {
        let periods = running_ns / self.active_ns;
        periods.saturating_mul(self.every_ns).saturating_add(running_ns % self.active_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_time_maps_into_a_stall_and_none_maps_back_earlier() {
        let clock = StallClock::new(&Stall { every_ns: 100, lasts_ns: 30 }).expect("stalls");
        for virtual_ns in 0..1000 {
            let back_ns = clock.to_virtual_ns(clock.to_running_ns(virtual_ns));
            assert!(back_ns >= virtual_ns);
            assert!(back_ns % 100 < 70, "{virtual_ns} maps into a stall: {back_ns}");
            if virtual_ns % 100 < 70 {
                assert_eq!(back_ns, virtual_ns);
            } else {
                assert_eq!(back_ns, (virtual_ns / 100 + 1) * 100);
            }
        }
    }

    #[test]
    fn degenerate_stalls_do_not_stop_the_clock_for_good() {
        assert!(StallClock::new(&Stall { every_ns: 0, lasts_ns: 5 }).is_none());
        assert!(StallClock::new(&Stall { every_ns: 5, lasts_ns: 0 }).is_none());
        let clock = StallClock::new(&Stall { every_ns: 10, lasts_ns: 50 }).expect("stalls");
        assert_eq!(clock.to_virtual_ns(7), 70);
    }
}
