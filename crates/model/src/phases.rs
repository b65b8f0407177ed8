//! What a plan gives over time: the burst, until its bucket is empty, and what comes after.

use serde::Serialize;
use units::Bytes;

use crate::plan::Order;
use crate::plan::{Burst, BurstDuration, Cap, Caps, IoDirection, Plan, Rates};

/// A stretch of time with one rate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Phase {
    /// From the start of the load, in seconds.
    pub from: f64,
    /// Absent when it lasts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
    /// Whether it is more than the base.
    pub burst: bool,
    pub rates: Rates,
}

impl Plan {
    /// What a load that takes all it gets, has, from a full bucket on.
    pub fn phases(&self, size: Bytes, order: Order, way: IoDirection) -> Vec<Phase> {
        let base = self.base_rates(size, order, way);
        let always = |from, burst, rates| Phase { from, until: None, burst, rates };
        let Some(burst) = &self.burst else { return vec![always(0.0, false, base)] };
        let most = self.rates(&burst.caps, size, order, way);
        if most.iops <= base.iops {
            return vec![always(0.0, false, base)];
        }
        match burst.lasts {
            BurstDuration::Always => vec![always(0.0, true, most)],
            BurstDuration::Time { seconds, .. } => {
                let first = Phase { from: 0.0, until: Some(seconds), burst: true, rates: most };
                vec![first, always(seconds, false, base)]
            }
            BurstDuration::Credits { operations, bytes } => {
                let full = [operations, bytes].map(|credits| credits.unwrap_or(f64::INFINITY));
                self.credit_phases(burst, full, size, order, way)
            }
        }
    }

    /// An empty bucket gives its base, the other goes on.
    fn credit_phases(
        &self,
        burst: &Burst,
        [mut operations, mut bytes]: [f64; 2],
        size: Bytes,
        order: Order,
        way: IoDirection,
    ) -> Vec<Phase> {
        let base = self.base.for_direction(way);
        let most = burst.caps.for_direction(way);
        let counted = self.accounting.operations(size, order);
        let moved = self.accounting.bytes(size, order);
        let (mut phases, mut now) = (Vec::new(), 0.0);
        loop {
            let cap = Cap {
                iops: if operations > 0.0 { most.iops } else { base.iops },
                bytes_per_second: match bytes > 0.0 {
                    true => most.bytes_per_second,
                    false => base.bytes_per_second,
                },
            };
            let rates = self.rates(&Caps { read: cap, write: cap }, size, order, way);
            // What the load takes beyond the base, per second.
            let beyond = |used: f64, base: Option<f64>| used - base.unwrap_or(f64::INFINITY);
            let of_operations = beyond(rates.iops * counted, base.iops);
            let of_bytes = beyond(rates.iops * moved, base.bytes_per_second);
            let lasts = seconds_until_empty(operations, of_operations)
                .min(seconds_until_empty(bytes, of_bytes));
            let above = rates.iops > self.base_rates(size, order, way).iops * (1.0 + 1e-9);
            let until = lasts.is_finite().then_some(now + lasts);
            phases.push(Phase { from: now, until, burst: above, rates });
            if until.is_none() {
                return phases;
            }
            now += lasts;
            operations = spend_credits(operations, of_operations, lasts);
            bytes = spend_credits(bytes, of_bytes, lasts);
        }
    }

    /// Seconds until a full bucket is empty under full load; `None` when it never is.
    pub fn empties_after(&self, size: Bytes, order: Order, way: IoDirection) -> Option<f64> {
        let phases = self.phases(size, order, way);
        phases.iter().rev().find(|phase| phase.burst).and_then(|phase| phase.until)
    }

    /// Seconds of rest until an empty bucket is full again; `None` where that is not stated.
    pub fn refills_in(&self) -> Option<f64> {
        let base = self.base.read;
        match self.burst.as_ref()?.lasts {
            BurstDuration::Credits { operations, bytes } => {
                let of = |credits: Option<f64>, rate: Option<f64>| Some(credits? / rate?);
                let times = [of(operations, base.iops), of(bytes, base.bytes_per_second)];
                times.into_iter().flatten().reduce(f64::max)
            }
            BurstDuration::Time { rest, .. } => rest,
            BurstDuration::Always => None,
        }
    }
}

fn seconds_until_empty(credits: f64, per_second: f64) -> f64 {
    if credits > 0.0 && per_second > 0.0 { credits / per_second } else { f64::INFINITY }
}

/// Credits about to end have ended, whatever rounding says; the empty bucket of a saturating load
/// stays empty, because its base is used up.
fn spend_credits(credits: f64, per_second: f64, seconds: f64) -> f64 {
    if credits.is_infinite() || per_second <= 0.0 {
        return credits;
    }
    let left = credits - per_second * seconds;
    if left < credits * 1e-9 { 0.0 } else { left }
}
