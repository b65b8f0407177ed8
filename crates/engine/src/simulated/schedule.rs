//! A rate that changes over time: steps, ramps and periods, with its truth readable.

/// A rate over virtual time, made of pieces that follow each other from time 0.
///
/// After the last piece its end rate holds for ever, or the first piece begins again.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    /// In the order of time.
    pub pieces: Vec<Piece>,
    /// Whether the first piece follows the last.
    pub repeats: bool,
}

/// A part of a [`Schedule`], over which the rate changes linearly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    pub lasts_ns: u64,
    /// Units per second at its start.
    pub from: f64,
    /// Units per second at its end.
    pub to: f64,
}

impl Piece {
    /// A piece whose rate does not change.
    pub const fn flat(lasts_ns: u64, rate: f64) -> Self {
        Self { lasts_ns, from: rate, to: rate }
    }

    fn units(self) -> f64 {
        (self.from + self.to) / 2.0 * seconds(self.lasts_ns as f64)
    }

    fn rate_after(self, ns: f64) -> f64 {
        self.from + (self.to - self.from) * ns / self.lasts_ns.max(1) as f64
    }

    fn units_after(self, ns: f64) -> f64 {
        (self.from + self.rate_after(ns)) / 2.0 * seconds(ns)
    }

    /// Nanoseconds from its start until `units` have come.
    fn ns_until(self, units: f64) -> f64 {
        let slope = (self.to - self.from) / seconds(self.lasts_ns.max(1) as f64);
        // The root of `from t + slope t^2 / 2 = units`, in the form that loses no digits.
        let root = (self.from * self.from + 2.0 * slope * units).max(0.0).sqrt();
        2.0 * units / (self.from + root) * 1e9
    }
}

fn seconds(ns: f64) -> f64 {
    ns / 1e9
}

impl Schedule {
    pub fn constant(rate: f64) -> Self {
        Self { pieces: vec![Piece::flat(0, rate)], repeats: false }
    }

    /// One rate until `at_ns`, another one from then on.
    pub fn step(before: f64, at_ns: u64, after: f64) -> Self {
        let pieces = vec![Piece::flat(at_ns, before), Piece::flat(0, after)];
        Self { pieces, repeats: false }
    }

    /// From one rate to another between `start_ns` and `end_ns`.
    pub fn ramp(before: f64, (start_ns, end_ns): (u64, u64), after: f64) -> Self {
        let lasts_ns = end_ns.saturating_sub(start_ns);
        let pieces =
            vec![Piece::flat(start_ns, before), Piece { lasts_ns, from: before, to: after }];
        Self { pieces, repeats: false }
    }

    /// Two rates in turns, each with its time.
    pub fn period(first: (f64, u64), second: (f64, u64)) -> Self {
        let pieces = vec![Piece::flat(first.1, first.0), Piece::flat(second.1, second.0)];
        Self { pieces, repeats: true }
    }

    /// Units per second at a time.
    pub fn rate_at(&self, ns: u64) -> f64 {
        let (piece, within_ns, _) = self.piece_at(ns);
        piece.rate_after(within_ns)
    }

    /// The piece at a time, the time within it, and the units that came before it.
    fn piece_at(&self, ns: u64) -> (Piece, f64, f64) {
        let total_ns: u64 = self.pieces.iter().map(|piece| piece.lasts_ns).sum();
        let (mut within_ns, mut before) = (ns, 0.0);
        if self.repeats && total_ns > 0 {
            let rounds = ns / total_ns;
            before = rounds as f64 * self.units_of_round();
            within_ns = ns % total_ns;
        }
        for piece in &self.pieces {
            if within_ns < piece.lasts_ns {
                return (*piece, within_ns as f64, before);
            }
            within_ns -= piece.lasts_ns;
            before += piece.units();
        }
        (Piece::flat(u64::MAX, self.last_rate()), within_ns as f64, before)
    }

    pub(super) fn units_until(&self, ns: u64) -> f64 {
        let (piece, within_ns, before) = self.piece_at(ns);
        before + piece.units_after(within_ns)
    }

    /// When `units` have come since time 0; never where they do not come.
    pub(super) fn ns_of_units(&self, units: f64) -> f64 {
        let (mut start_ns, mut left) = (0.0, units);
        let round = self.units_of_round();
        if self.repeats && round > 0.0 {
            let rounds = (units / round).floor();
            let total_ns: u64 = self.pieces.iter().map(|piece| piece.lasts_ns).sum();
            start_ns = rounds * total_ns as f64;
            left = units - rounds * round;
        }
        for piece in &self.pieces {
            if left < piece.units() {
                return start_ns + piece.ns_until(left);
            }
            left -= piece.units();
            start_ns += piece.lasts_ns as f64;
        }
        start_ns + left / self.last_rate() * 1e9
    }

    fn units_of_round(&self) -> f64 {
        self.pieces.iter().map(|piece| piece.units()).sum()
    }

    fn last_rate(&self) -> f64 {
        self.pieces.last().map_or(f64::INFINITY, |piece| piece.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND_NS: u64 = 1_000_000_000;

    #[test]
    fn rates_and_units_are_those_of_the_pieces() {
        let step = Schedule::step(9_000.0, 12 * SECOND_NS, 1_300.0);
        assert_eq!((step.rate_at(12 * SECOND_NS - 1), step.rate_at(12 * SECOND_NS)), (9e3, 1.3e3));
        let units = step.units_until(14 * SECOND_NS) - step.units_until(11 * SECOND_NS);
        assert_eq!(units, 9_000.0 + 2_600.0);
        let ramp = Schedule::ramp(1_000.0, (SECOND_NS, 3 * SECOND_NS), 500.0);
        assert_eq!(ramp.rate_at(2 * SECOND_NS), 750.0);
        assert_eq!(ramp.units_until(4 * SECOND_NS), 1_000.0 + 1_500.0 + 500.0);
        let period = Schedule::period((8_000.0, 2 * SECOND_NS), (2_000.0, SECOND_NS));
        assert_eq!(period.rate_at(302 * SECOND_NS), 2_000.0);
        assert_eq!(period.units_until(31 * SECOND_NS), 10.0 * 18_000.0 + 8_000.0);
    }

    #[test]
    fn the_time_of_units_is_the_inverse_of_the_units_until_a_time() {
        let schedules = [
            Schedule::constant(777.0),
            Schedule::step(9_000.0, 12 * SECOND_NS, 1_300.0),
            Schedule::ramp(100.0, (SECOND_NS, 3 * SECOND_NS), 5_000.0),
            Schedule::ramp(5_000.0, (SECOND_NS, 3 * SECOND_NS), 0.5),
            Schedule::period((8_000.0, 2 * SECOND_NS), (2_000.0, SECOND_NS / 3)),
        ];
        for schedule in schedules {
            for ns in (0..40).map(|n| n * 517_000_003) {
                let back = schedule.ns_of_units(schedule.units_until(ns));
                assert!((back - ns as f64).abs() < 100.0, "{schedule:?}: {back} for {ns}");
            }
        }
    }
}
