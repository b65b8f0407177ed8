//! Promises: what was stated of the target against what was measured.
//!
//! A number is `kept` when the whole interval is at or above what is needed (the promised number
//! less the tolerance), and `not kept` when it is below, the load sufficed to draw it, and no
//! finding names another limit.
//!
//! The most precise cell near the most speaks for a rate, together with those of the same
//! operations that are as good. Without intervals, slices of a tenth of a second are counted, which
//! can show that enough was there and never that it was not.

mod cells;
pub(crate) mod short_runs;

use message::{Message, label, messages};
use record::{
    BoundedBy, Cell, Curve, Finding, FindingId, Judgement, Kept, Measured, Promise, PromiseOutcome,
    Promised, PromisedWhat, Status,
};
use stats::Estimate;
use units::{Depth, Iops, Nanos};
use workload::{Access, Bound, Direction, Statistic};

use crate::curve::{RISE_MIN, pool_cells, pool_iops};
use crate::support::describe_unsupported;
use cells::{ItemJudge, bytes_in_flight, pure_mix};
use short_runs::{count_slices, deepest_point_within};

/// Factor over the depth that the promised rate needs by Little's law: operations take longer under
/// load, and a plain disk up to about twice as long before it gives more.
const OUTSTANDING_FACTOR: f64 = 4.0;
/// Above the base by more is a burst (methodology 6.1: a plateau lies within 0.90 and 1.02).
const IN_BURST_RATIO: f64 = 1.05;

const EXCUSES: [FindingId; 4] = [
    FindingId::ClientBound,
    FindingId::Neighbour,
    FindingId::LinkBound,
    // Volumes made from a snapshot are slow until their blocks were fetched; that is documented.
    FindingId::FirstTouch,
];
/// Signs that a rate does not last.
const FLEETING_SIGNS: [FindingId; 3] = [FindingId::NotSettled, FindingId::Burst, FindingId::Stall];

pub(crate) fn judge_promise(measured: &Measured, judgement: &Judgement) -> Vec<PromiseOutcome> {
    let Some(promise) = measured.promise.as_ref() else { return Vec::new() };
    promise.items.iter().flat_map(|item| judge_item(measured, judgement, promise, item)).collect()
}

fn judge_item(
    measured: &Measured,
    judgement: &Judgement,
    promise: &Promise,
    item: &Promised,
) -> Vec<PromiseOutcome> {
    let ways: &[Direction] = match item.direction {
        Some(Direction::Write) => &[Direction::Write],
        Some(_) => &[Direction::Read],
        None => &[Direction::Read, Direction::Write],
    };
    // A run that only reads promises nothing of writes.
    let ways = ways.iter().filter(|way| **way == Direction::Read || !measured.plan.read_only);
    ways.flat_map(|&way| {
        let judge = ItemJudge { measured, judgement, promise, item, way };
        match item.what {
            PromisedWhat::Latency { bound } => vec![judge.judge_latency(bound)],
            _ => judge.judge_rate(),
        }
    })
    .collect()
}

type Answer = (Kept, Message);

impl<'a> ItemJudge<'a> {
    fn judge_rate(&self) -> Vec<PromiseOutcome> {
        let speaks = self.best_cell();
        let mut all = vec![self.judge_baseline(speaks)];
        if let Some(burst) = self.item.burst.filter(|burst| *burst > self.item.always) {
            all.push(self.judge_burst(burst, speaks));
        }
        all
    }

    fn judge_baseline(&self, speaks: Option<&Cell>) -> PromiseOutcome {
        let promised = self.item.always;
        let Some(cell) = speaks else {
            return self.build_outcome(
                false,
                promised,
                None,
                self.reason_unmeasured(&self.matching_cells()),
            );
        };
        let needed = promised * self.promise.share;
        // Less than the most is enough to show that as much as needed is there.
        let cell = match self.rate_interval(cell) {
            Some(_) => cell,
            None => self.deepest_sufficient_cell(needed).unwrap_or(cell),
        };
        let interval = self.rate_interval(cell);
        if interval.is_none()
            && let Some((cell, words)) = self.deepest_cell_by_slices(needed)
        {
            let (kept, why) = self.confirm_rate(cell);
            let why = if kept == Kept::Kept { words } else { why };
            return self.build_outcome(false, promised, Some(cell), (kept, why));
        }
        let answer = match interval {
            None => cannot_tell(label("promise-too-few-samples")),
            Some((low, _)) if low >= needed => self.confirm_rate(cell),
            Some((_, high)) if high < needed => self.refuse_rate(cell),
            Some(_) => cannot_tell(label("promise-needed-inside")),
        };
        self.build_outcome(false, promised, Some(cell), answer)
    }

    fn confirm_rate(&self, cell: &Cell) -> Answer {
        let needed = self.item.always * self.promise.share;
        let sign = find_finding(self.judgement, cell, &FLEETING_SIGNS).filter(|sign| {
            sign.id != FindingId::NotSettled
                || !short_runs::is_always_far_above(cell, self.way, needed)
        });
        if let Some(sign) = sign {
            return cannot_tell(RateDidNotLast { finding: sign.summary.clone() });
        }
        let base = self.item.always * IN_BURST_RATIO;
        let above = self.rate_estimate(cell).is_some_and(|measured| measured.value > base);
        if self.item.burst.is_some() && above {
            return match self.promise.burst_lasts {
                Some(lasts) => cannot_tell(BurstAlone { lasts }),
                None => cannot_tell(label("promise-burst-of-unknown-length")),
            };
        }
        (Kept::Kept, label("promise-short-runs-whole-above"))
    }

    fn refuse_rate(&self, cell: &Cell) -> Answer {
        if self.promise.only_limits {
            return cannot_tell(label("promise-no-minimum-promised"));
        }
        if let Some(excuse) = find_excuse(self.measured, self.judgement, cell) {
            return cannot_tell(OtherLimit { finding: excuse.summary.clone() });
        }
        match self.reason_below(cell) {
            Some(why) => (Kept::NotKept, why),
            None => cannot_tell(label("promise-too-few-outstanding")),
        }
    }

    fn judge_burst(&self, promised: f64, speaks: Option<&Cell>) -> PromiseOutcome {
        let Some(cell) = speaks else {
            return self.build_outcome(
                true,
                promised,
                None,
                self.reason_unmeasured(&self.matching_cells()),
            );
        };
        let needed = promised * self.promise.share;
        let answer = match self.rate_interval(cell) {
            Some((low, _)) if low >= needed => {
                (Kept::Kept, label("promise-short-runs-whole-above"))
            }
            Some(_) => cannot_tell(label("promise-burst-not-reached")),
            None => cannot_tell(label("promise-too-few-samples")),
        };
        self.build_outcome(true, promised, speaks, answer)
    }

    fn best_cell(&self) -> Option<&'a Cell> {
        let most = self.valid_cells().map(|cell| self.counted_rate(cell)).fold(0.0, f64::max);
        let as_good = self.valid_cells().filter(|&cell| {
            self.counted_rate(cell) * RISE_MIN >= most
                || self.rate_interval(cell).is_some_and(|(_, high)| high >= most)
        });
        let width =
            |cell: &Cell| self.rate_estimate(cell).and_then(|rate| rate.relative_half_width());
        as_good.min_by(|&a, &b| {
            let vagueness = |cell| width(cell).unwrap_or(f64::INFINITY);
            let deeper = bytes_in_flight(b).cmp(&bytes_in_flight(a));
            vagueness(a).total_cmp(&vagueness(b)).then(deeper)
        })
    }

    fn deepest_sufficient_cell(&self, needed: f64) -> Option<&'a Cell> {
        let is_enough =
            |cell: &&Cell| self.rate_interval(cell).is_some_and(|(low, _)| low >= needed);
        self.valid_cells().filter(is_enough).max_by_key(|cell| bytes_in_flight(cell))
    }

    fn deepest_cell_by_slices(&self, needed: f64) -> Option<(&Cell, Message)> {
        let shown = |cell| {
            Some((cell, count_slices(cell, self.way, needed / self.units_per_operation(cell))?))
        };
        self.valid_cells().filter_map(shown).max_by_key(|(cell, _)| bytes_in_flight(cell))
    }

    /// Why none of the cells that could show it does.
    fn reason_unmeasured(&self, cells: &[&Cell]) -> Answer {
        let valid = cells.iter().filter(|cell| !self.judgement.is_invalid(&cell.name));
        let mut reasons = valid.filter_map(|cell| describe_unsupported(self.judgement, cell));
        match reasons.next() {
            Some(why) => cannot_tell(why),
            None if cells.is_empty() => cannot_tell(label("promise-not-measured")),
            None => cannot_tell(label("promise-every-cell-invalid")),
        }
    }

    fn counted_rate(&self, cell: &Cell) -> f64 {
        cell.totals.get(self.way).map_or(0.0, |totals| totals.iops) * self.units_per_operation(cell)
    }

    /// The figure of all visits to a load, as a report has it; that of the whole plateau, where it
    /// is narrower.
    fn rate_estimate(&self, cell: &Cell) -> Option<Estimate> {
        let units = self.units_per_operation(cell);
        let depth = cell.job.depth;
        let plateau = self.alike_cells(cell);
        let visits = plateau.iter().copied().filter(|visit| visit.job.depth == depth);
        let visits = pool_cells(&Vec::from_iter(visits))?;
        let own = visits.confidence.iops.get(self.way)?.clone();
        let width = |of: &Estimate| of.relative_half_width().unwrap_or(f64::INFINITY);
        let has_more = plateau.iter().any(|other| other.job.depth != depth);
        let pooled = has_more.then(|| pool_iops(&plateau));
        let narrower = pooled.filter(|pooled| width(pooled) < width(&own)).unwrap_or(own);
        // Intervals of older records, and those of a rate of zero, reach below zero.
        Some(narrower.map(|iops| (iops * units).max(0.0)))
    }

    /// Other visits to the load of a cell, and cells of the same operations whose rates are as
    /// good: of the same plateau.
    fn alike_cells(&self, cell: &Cell) -> Vec<&'a Cell> {
        let rate = |of: &Cell| of.totals.get(self.way).map_or(0.0, |totals| totals.iops);
        let is_alike = |other: &&Cell| {
            let ratio = rate(other) / rate(cell).max(1e-9);
            other.job.depth == cell.job.depth || (RISE_MIN.recip()..=RISE_MIN).contains(&ratio)
        };
        let same = |other: &&Cell| {
            (other.job.block_size, &other.job.access) == (cell.job.block_size, &cell.job.access)
        };
        self.valid_cells().filter(same).filter(is_alike).collect()
    }

    fn rate_interval(&self, cell: &Cell) -> Option<(f64, f64)> {
        self.rate_estimate(cell)?.interval()
    }

    /// Bytes, or operations of the promise's unit.
    fn units_per_operation(&self, cell: &Cell) -> f64 {
        let size = cell.job.block_size;
        match (self.item.what, self.promise.io_unit) {
            (PromisedWhat::BytesPerSecond, _) => size.0 as f64,
            (_, Some(unit)) => size.0.div_ceil(unit.0.max(1)) as f64,
            (_, None) => 1.0,
        }
    }

    /// That the rate is below what is needed, where the load sufficed for it.
    fn reason_below(&self, cell: &Cell) -> Option<Message> {
        let same = |other: &&Cell| {
            (other.job.block_size, &other.job.access) == (cell.job.block_size, &cell.job.access)
        };
        let depth = cell.job.depth.0;
        let others = || self.valid_cells().filter(same);
        let deepest = |wanted: &dyn Fn(u32) -> bool| {
            others().filter(|other| wanted(other.job.depth.0)).max_by_key(|other| other.job.depth)
        };
        let (deeper, shallower) = (deepest(&|of| of >= depth * 2), deepest(&|of| of * 2 <= depth));
        let pairs = [deeper.zip(Some(cell)), Some(cell).zip(shallower)];
        for (more, less) in pairs.into_iter().flatten() {
            if self.counted_rate(more) <= self.counted_rate(less) * RISE_MIN {
                let (more, less) = (more.job.depth, less.job.depth);
                return Some(BelowAtMoreDepth { more, less }.into());
            }
        }
        let alone = self.lone_cell()?.totals.get(self.way)?.latency_ns.mean;
        let needs = self.item.always * alone / 1e9;
        let had = f64::from(depth) * self.units_per_operation(cell);
        (had >= OUTSTANDING_FACTOR * needs)
            .then(|| BelowWithEnoughOutstanding { times: had / needs.max(1e-9) }.into())
    }

    fn build_outcome(
        &self,
        in_burst: bool,
        promised: f64,
        cell: Option<&Cell>,
        (kept, why): Answer,
    ) -> PromiseOutcome {
        let order = match cell.map(|cell| &cell.job.access) {
            Some(Access::Sequential) => "sequential",
            Some(_) => "random",
            None => "any",
        };
        let label = RateLabel { order, direction: self.way.name() }.into();
        PromiseOutcome {
            label: if in_burst { BurstLabel { label }.into() } else { label },
            what: self.item.what,
            promised,
            needed: promised * self.promise.share,
            measured: cell.and_then(|cell| self.rate_estimate(cell)),
            cell: cell.map(|cell| cell.name.clone()),
            kept,
            why,
        }
    }

    /// At the promised IOPS where there are any, else one operation at a time.
    fn judge_latency(&self, bound: Bound) -> PromiseOutcome {
        let rate = self.promise.items.iter().find(|other| {
            other.what == PromisedWhat::Iops && other.direction.is_none_or(|of| of == self.way)
        });
        let (statistic, direction) = (bound.statistic.to_string(), self.way.name());
        let (label, (cell, (kept, why))) = match rate {
            Some(rate) => {
                let iops = Iops(rate.always);
                let label = LatencyLabelAtRate { statistic, direction, iops };
                (label.into(), self.judge_latency_at_rate(rate.always, bound))
            }
            None => {
                let label = LatencyLabelAlone { statistic, direction };
                (label.into(), self.judge_latency_alone(bound))
            }
        };
        PromiseOutcome {
            label,
            what: self.item.what,
            promised: self.item.always,
            needed: self.item.always,
            measured: cell.and_then(|cell| bounded_statistic(cell, bound, self.way)),
            cell: cell.map(|cell| cell.name.clone()),
            kept,
            why,
        }
    }

    fn judge_latency_at_rate(&self, iops: f64, bound: Bound) -> (Option<&'a Cell>, Answer) {
        let mut curves = self.judgement.curves.iter().filter(|curve| {
            curve.mix == pure_mix(self.way) && curve.access == Access::Random && !curve.independent
        });
        let of = |curve: &'a Curve| curve.limits.iter().find(|limit| limit.bound == bound);
        let Some((curve, limit)) = curves.find_map(|curve| Some((curve, of(curve)?))) else {
            return (None, cannot_tell(label("promise-no-search")));
        };
        let needed = iops * self.promise.share;
        // Less than the most is enough to show that as much as needed is there.
        if limit.iops.interval().is_none()
            && let Some((cell, words)) =
                deepest_point_within(self.measured, self.judgement, curve, bound, self.way, needed)
        {
            return (Some(cell), (Kept::Kept, words));
        }
        let (iops, within) = (Iops(limit.iops.value), bound.to_string());
        let cell = self.measured.cell(&limit.cell);
        let answer = match (cell, limit.iops.interval()) {
            (Some(cell), _) if self.judgement.is_invalid(&cell.name) => {
                cannot_tell(label("promise-cell-invalid"))
            }
            (_, None) => cannot_tell(label("promise-too-few-samples")),
            (_, Some((low, _))) if low >= needed && limit.bounded_by != BoundedBy::Unreachable => {
                (Kept::Kept, RateWithinBound { iops, bound: within }.into())
            }
            (Some(cell), Some((_, high))) if high < needed => match limit.bounded_by {
                BoundedBy::Bound | BoundedBy::Unreachable => {
                    self.not_kept_unless_excused(cell, OnlyWithinBound { iops, bound: within })
                }
                _ => cannot_tell(label("promise-load-not-reached")),
            },
            _ => cannot_tell(label("promise-needed-inside")),
        };
        (cell, answer)
    }

    fn judge_latency_alone(&self, bound: Bound) -> (Option<&'a Cell>, Answer) {
        let Some(cell) = self.lone_cell() else {
            return (None, self.reason_unmeasured(&self.cells_alone()));
        };
        let value = bounded_statistic(cell, bound, self.way);
        let limit = bound.limit.0 as f64;
        let answer = match value.as_ref().and_then(Estimate::interval) {
            _ if self.judgement.is_invalid(&cell.name) => {
                cannot_tell(label("promise-cell-invalid"))
            }
            None => cannot_tell(label("promise-sample-too-small")),
            Some((_, high)) if high < limit => (Kept::Kept, label("promise-below-limit")),
            Some((low, _)) if low >= limit => {
                self.not_kept_unless_excused(cell, label("promise-above-limit"))
            }
            Some(_) => cannot_tell(label("promise-limit-inside")),
        };
        (Some(cell), answer)
    }

    fn not_kept_unless_excused(&self, cell: &Cell, why: impl Into<Message>) -> Answer {
        match find_excuse(self.measured, self.judgement, cell) {
            Some(excuse) => cannot_tell(OtherCause { finding: excuse.summary.clone() }),
            None => (Kept::NotKept, why.into()),
        }
    }
}

fn bounded_statistic(cell: &Cell, bound: Bound, way: Direction) -> Option<Estimate> {
    match bound.statistic {
        Statistic::Mean => cell.confidence.mean_latency_ns.get(way).cloned(),
        Statistic::Percentile(_) => {
            let all = cell.confidence.percentiles_ns.get(way)?;
            all.get(&bound.statistic.to_string()).cloned()
        }
        Statistic::Max => {
            let totals = cell.totals.get(way)?;
            let longest = totals.latency_ns.max as f64;
            Some(Estimate::without_interval(longest, totals.ops, label("no-interval-next-longer")))
        }
    }
}

fn find_finding<'a>(
    judgement: &'a Judgement,
    cell: &Cell,
    ids: &[FindingId],
) -> Option<&'a Finding> {
    judgement.severe_findings(&cell.name).into_iter().find(|finding| ids.contains(&finding.id))
}

/// A control group that one cell ran into holds for all of the kind.
fn find_excuse<'a>(
    measured: &'a Measured,
    judgement: &'a Judgement,
    cell: &Cell,
) -> Option<&'a Finding> {
    let alike = |name: &String| measured.cell(name).is_some_and(|it| it.job.mix == cell.job.mix);
    let throttle = judgement.finding(FindingId::OsThrottle);
    let own_cap = || throttle.filter(|f| f.status >= Status::Warning && f.cells.iter().any(alike));
    find_finding(judgement, cell, &EXCUSES).or_else(own_cap)
}

fn cannot_tell(why: impl Into<Message>) -> Answer {
    (Kept::CannotTell, why.into())
}

messages! {
    RateLabel = "promise-rate-label" { order: &'static str, direction: &'static str };
    BurstLabel = "promise-burst-label" { label: Message };
    LatencyLabelAtRate = "promise-latency-label-at-rate" {
        statistic: String, direction: &'static str, iops: Iops,
    };
    LatencyLabelAlone = "promise-latency-label-alone" {
        statistic: String, direction: &'static str,
    };
    BelowAtMoreDepth = "promise-below-at-more-depth" { more: Depth, less: Depth };
    BelowWithEnoughOutstanding = "promise-below-with-enough-outstanding" { times: f64 };
    RateWithinBound = "promise-rate-within-bound" { iops: Iops, bound: String };
    OnlyWithinBound = "promise-only-within-bound" { iops: Iops, bound: String };
    RateDidNotLast = "promise-rate-did-not-last" { finding: Message };
    BurstAlone = "promise-burst-alone" { lasts: Nanos };
    OtherLimit = "promise-other-limit" { finding: Message };
    OtherCause = "promise-other-cause" { finding: Message };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, disturbed_record, fallen_record};
    use units::Bytes;
    use workload::Mix;

    fn promise(items: Vec<Promised>) -> Promise {
        Promise {
            asked: "by hand".to_owned(),
            title: None,
            items,
            share: 0.98,
            share_because: Message::from_text("by hand"),
            io_unit: None,
            accounting: Message::default(),
            burst_lasts: None,
            only_limits: false,
            notes: Vec::new(),
            sources: Vec::new(),
        }
    }

    fn item(what: PromisedWhat, always: f64) -> Promised {
        Promised { what, direction: None, always, burst: None }
    }

    fn iops(always: f64) -> Promise {
        promise(vec![item(PromisedWhat::Iops, always)])
    }

    fn latency_of(text: &str) -> Promised {
        let bound: Bound = text.parse().unwrap();
        item(PromisedWhat::Latency { bound }, bound.limit.0 as f64)
    }

    /// The outcomes of a promise on the plain SSD, spoilt.
    fn judged(promise: Promise, spoil: impl Fn(&mut Measured)) -> Vec<PromiseOutcome> {
        let mut record = crate::testing::sample_record();
        record.promise = Some(promise);
        spoil(&mut record);
        let judgement = crate::judge(&record);
        judgement.promise
    }

    fn assert_kept(promise: Promise, spoil: impl Fn(&mut Measured), expected: &[Kept]) {
        let outcomes = judged(promise, spoil);
        let found: Vec<Kept> = outcomes.iter().map(|outcome| outcome.kept).collect();
        assert_eq!(found, expected, "{outcomes:#?}");
        assert!(outcomes.iter().all(|o| !o.why.text().is_empty() && !o.label.text().is_empty()));
    }

    use Kept::{CannotTell as Unsure, Kept as Yes, NotKept as No};

    #[test]
    fn an_interval_of_a_rate_does_not_reach_below_zero() {
        let outcomes = judged(iops(5000.0), |record| {
            for cell in &mut record.cells {
                let rates = [&mut cell.confidence.iops.read, &mut cell.confidence.iops.write];
                for rate in rates.into_iter().flatten() {
                    (rate.low, rate.high) = (Some(-0.1 * rate.value), Some(2.1 * rate.value));
                }
                cell.intervals.clear();
            }
        });
        let low = |outcome: &PromiseOutcome| outcome.measured.as_ref()?.low;
        assert_eq!(Vec::from_iter(outcomes.iter().map(low)), [Some(0.0); 2], "{outcomes:#?}");
    }

    /// The SSD reads 118,500 and writes 82,000 at most, 500 MiB/s and 450 MiB/s in sequence.
    #[test]
    fn rates_are_kept_or_not_by_their_whole_interval() {
        assert_kept(iops(5000.0), |_| {}, &[Yes, Yes]);
        assert_kept(iops(100_000.0), |_| {}, &[Yes, No]);
        assert_kept(iops(150_000.0), |_| {}, &[No, No]);
        let rate = |mb: f64| promise(vec![item(PromisedWhat::BytesPerSecond, mb * 1e6)]);
        assert_kept(rate(200.0), |_| {}, &[Yes, Yes]);
        assert_kept(rate(500.0), |_| {}, &[Yes, No]);
        assert_kept(rate(900.0), |_| {}, &[No, No]);
        let outcome = judged(iops(150_000.0), |_| {}).remove(0);
        assert!(outcome.why.text().contains("depth 128 gave no more than depth 64"), "{outcome:?}");
        assert_eq!(outcome.cell.as_deref(), Some("randread-4k-qd128"));
        assert!(outcome.measured.unwrap().interval().unwrap().1 < 0.98 * 150_000.0);
    }

    #[test]
    fn a_promise_is_judged_by_cells_that_support_it() {
        let check = |made: Measured, cell: Option<&str>| {
            let judged = |item| {
                judged(promise(vec![item]), |record| {
                    record.cells.clone_from(&made.cells);
                })
            };
            let outcome = judged(item(PromisedWhat::Iops, 100_000.0)).remove(0);
            assert_eq!((outcome.kept, outcome.cell.as_deref()), (Unsure, cell), "{outcome:#?}");
            judged(latency_of("mean<1s")).remove(0).kept
        };
        let quiet = check(disturbed_record(), Some("randread-4k-qd16"));
        assert_eq!(quiet, Yes, "one at a time was not disturbed");
        assert_eq!(check(fallen_record(), None), Unsure);
    }

    #[test]
    fn what_the_interval_has_inside_cannot_be_told() {
        let measured = judged(iops(5000.0), |_| {})[0].measured.clone().unwrap();
        assert_kept(iops(measured.value / 0.98), |_| {}, &[Unsure, No]);
        let no_interval = |record: &mut Measured| {
            for cell in &mut record.cells {
                cell.confidence.iops = record::PerDirection::default();
            }
        };
        // Slices of a tenth of a second tell what an interval would, at a distance.
        assert_kept(iops(5000.0), no_interval, &[Yes, Yes]);
        assert_kept(iops(measured.value / 0.98), no_interval, &[Unsure, Unsure]);
        let short = |record: &mut Measured| {
            no_interval(record);
            record.cells.iter_mut().for_each(|cell| cell.intervals.truncate(5));
        };
        assert_kept(iops(5000.0), short, &[Unsure, Unsure]);
        // Six of six are enough, by chance one in 64; and a rate is not denied by slices.
        let six = |record: &mut Measured| {
            no_interval(record);
            record.cells.iter_mut().for_each(|cell| cell.intervals.truncate(6));
        };
        assert_kept(iops(5000.0), six, &[Yes, Yes]);
        assert_kept(iops(900_000.0), six, &[Unsure, Unsure]);
        let outcome = judged(iops(5000.0), six).remove(0);
        assert!(
            outcome.why.text().starts_with("6 of 6 slices of 100 ms had"),
            "{}",
            outcome.why.text()
        );
    }

    #[test]
    fn cells_of_one_plateau_are_pooled() {
        let wide = |record: &mut Measured| {
            for depth in [16, 64, 128] {
                let cell = cell_mut(record, &format!("randread-4k-qd{depth}"));
                cell.totals.read.as_mut().unwrap().iops = 118_000.0;
                let estimate = cell.confidence.iops.read.as_mut().unwrap();
                (estimate.value, estimate.low, estimate.high) =
                    (118_000.0, Some(60_000.0), Some(230_000.0));
            }
        };
        let kept = |promised| judged(iops(promised), wide).remove(0).kept;
        let all = [118_000.0, 115_640.0, 122_720.0].map(kept);
        assert_eq!(all, [Yes, Yes, No]);
    }

    #[test]
    fn the_figure_of_a_stream_is_that_of_all_its_visits() {
        for share in [1.0, 0.95, 0.9] {
            let mut record = crate::testing::sample_record();
            let first = cell_mut(&mut record, "seqread-1m").clone();
            let mut second = Cell { name: "seqread-1m-2".to_owned(), ..first.clone() };
            crate::testing::reshape(&mut second, |_| share);
            record.cells.push(second.clone());
            let visits = pool_cells(&[&first, &second]).unwrap().into_owned();
            let all = promise(vec![item(PromisedWhat::BytesPerSecond, 1e6)]);
            let reads = judged(all, |measured| measured.cells = record.cells.clone()).remove(0);
            let (promised, of_row) = (reads.measured.unwrap().value, visits.iops() * 1_048_576.0);
            assert!((promised / of_row - 1.0).abs() < 1e-6, "{share}: {promised}, {of_row}");
        }
    }

    /// Where a rate is going decides nothing while it is far from what is needed.
    #[test]
    fn a_rate_that_falls_far_above_what_is_needed_keeps_it() {
        let falling = |record: &mut Measured| {
            record.cells.retain(|cell| cell.role == record::CellRole::Main);
            for cell in &mut record.cells {
                crate::testing::reshape(cell, |i| 1.0 - i as f64 / 60.0);
            }
        };
        let reads = |promised: f64| judged(iops(promised), falling).remove(0);
        let measured = reads(1.0).measured.unwrap().value;
        assert_eq!(reads(measured / 10.0).kept, Yes);
        // Nearer than twice what is needed it may go on to less.
        let near = reads(measured * 0.8);
        assert_eq!(near.kept, Unsure, "{near:#?}");
        assert!(near.why.text().contains("still changing"), "{near:#?}");
    }

    #[test]
    fn slices_that_had_too_little_show_nothing() {
        let uneven = |every: usize| {
            move |record: &mut Measured| {
                for cell in &mut record.cells {
                    cell.confidence.iops = record::PerDirection::default();
                    let starved = cell.intervals.iter_mut().step_by(every);
                    starved
                        .for_each(|interval| interval.directions = record::PerDirection::default());
                }
            }
        };
        // One of two had nothing, and one of ten.
        assert_kept(iops(5000.0), uneven(2), &[Unsure, Unsure]);
        assert_kept(iops(5000.0), uneven(10), &[Yes, Yes]);
    }

    #[test]
    fn where_the_most_has_no_interval_less_may_be_enough() {
        let spoil = |record: &mut Measured| {
            for name in ["randread-4k-qd64", "randread-4k-qd128"] {
                cell_mut(record, name).confidence.iops = record::PerDirection::default();
            }
        };
        assert_kept(iops(50_000.0), spoil, &[Yes, Yes]);
        assert_eq!(judged(iops(50_000.0), spoil)[0].cell.as_deref(), Some("randread-4k-qd16"));
        assert_kept(iops(110_000.0), spoil, &[Unsure, No]);
    }

    #[test]
    fn a_provider_is_allowed_what_it_allows_itself() {
        let most = judged(iops(5000.0), |_| {})[0].measured.clone().unwrap().value;
        let of = |share: f64| Promise { share, ..iops(most / 0.95) };
        assert_kept(of(0.90), |_| {}, &[Yes, No]);
        assert_kept(of(1.0), |_| {}, &[No, No]);
    }

    #[test]
    fn reads_alone_are_judged_where_nothing_was_written() {
        assert_kept(iops(5000.0), |record| record.plan.read_only = true, &[Yes]);
        let writes = |record: &mut Measured| record.cells.retain(|c| c.job.mix == Mix::Read);
        assert_kept(iops(5000.0), writes, &[Yes, Unsure]);
    }

    #[test]
    fn cells_that_are_invalid_tell_nothing() {
        let cached = |record: &mut Measured| {
            for cell in &mut record.cells {
                cell.ledger.layers[0].read_bytes = Bytes(0);
            }
        };
        assert_kept(iops(150_000.0), cached, &[Unsure, No]);
        let outcome = judged(iops(1.0), cached).remove(0);
        assert!(
            outcome.why.text().contains("INVALID") && outcome.measured.is_none(),
            "{outcome:?}"
        );
    }

    #[test]
    fn another_limit_than_the_target_is_no_broken_promise() {
        let bound = |record: &mut Measured| {
            for name in ["randread-4k-qd64", "randread-4k-qd128"] {
                let cell = cell_mut(record, name);
                cell.cpu.system = cell.elapsed;
                cell.ledger.layers[0].queue_ms /= 4;
            }
        };
        assert_kept(iops(150_000.0), bound, &[Unsure, No]);
        assert_kept(iops(100_000.0), bound, &[Yes, No]);
    }

    #[test]
    fn a_control_group_of_the_users_own_breaks_no_promise_of_the_providers() {
        let capped = |limit: f64| {
            move |record: &mut Measured| {
                record.environment.io_limits = vec![record::IoLimit {
                    cgroup: "/service".to_owned(),
                    file: "io.max".to_owned(),
                    device: "254:0".to_owned(),
                    device_name: None,
                    read_iops: Some(Iops(limit)),
                    write_iops: None,
                    read_bytes: None,
                    write_bytes: None,
                    other: None,
                }];
            }
        };
        assert_kept(iops(150_000.0), capped(120_000.0), &[Unsure, No]);
        let why = judged(iops(150_000.0), capped(120_000.0)).remove(0).why;
        assert!(why.text().contains("a control group caps the disk"), "{why:?}");
        // One that nothing ran into is no excuse.
        assert_kept(iops(150_000.0), capped(900_000.0), &[No, No]);
    }

    #[test]
    fn too_shallow_a_queue_is_no_broken_promise() {
        let shallow = |record: &mut Measured| {
            record.cells.retain(|cell| cell.job.depth.0 == 1 || cell.job.mix != Mix::Read);
        };
        assert_kept(iops(150_000.0), shallow, &[Unsure, No]);
        // 20,000 at depth 1 are 50 us each: 4,000 of them need a fifth of what was outstanding.
        let slow = |record: &mut Measured| {
            shallow(record);
            let estimate = cell_mut(record, "randread-4k-qd1").confidence.iops.read.as_mut();
            let estimate = estimate.unwrap();
            (estimate.value, estimate.low, estimate.high) = (3e3, Some(2.9e3), Some(3.1e3));
        };
        assert_kept(iops(4000.0), slow, &[No, Yes]);
    }

    #[test]
    fn a_burst_hides_what_is_always_there() {
        let burst = |always: f64, burst: f64| {
            let item = Promised { burst: Some(burst), ..item(PromisedWhat::Iops, always) };
            Promise { burst_lasts: Some(Nanos::secs(1800)), ..promise(vec![item]) }
        };
        // Each direction: what is always there, then the burst.
        assert_kept(burst(300.0, 3000.0), |_| {}, &[Unsure, Yes, Unsure, Yes]);
        assert_kept(burst(150_000.0, 200_000.0), |_| {}, &[No, Unsure, No, Unsure]);
        let outcome = judged(burst(300.0, 3000.0), |_| {}).remove(0);
        assert!(outcome.why.text().contains("a full burst lasts 1800 s"), "{outcome:?}");
        // At the base, not above it: the bucket was empty, and the base is there.
        assert_kept(burst(118_000.0, 500_000.0), |_| {}, &[Yes, Unsure, No, Unsure]);
    }

    #[test]
    fn limits_that_promise_no_least_cannot_be_broken() {
        let limits = Promise { only_limits: true, ..iops(150_000.0) };
        assert_kept(limits, |_| {}, &[Unsure, Unsure]);
    }

    #[test]
    fn long_operations_count_as_several() {
        let unit = Promise { io_unit: Some(Bytes::kib(1)), ..iops(400_000.0) };
        // 118,500 of 4 KiB are 474,000 of 1 KiB.
        assert_kept(unit, |_| {}, &[Yes, No]);
    }

    #[test]
    fn latency_is_judged_at_the_promised_rate() {
        let both =
            |rate: f64, text: &str| promise(vec![item(PromisedWhat::Iops, rate), latency_of(text)]);
        let of = |promise: Promise| {
            let outcomes = judged(promise, |_| {});
            (outcomes[2].kept, outcomes[2].why.clone())
        };
        let (kept_, why) = of(both(5000.0, "p99<10ms"));
        assert_eq!(kept_, Yes, "{why:?}");
        // Never searched for; and a rate that is not there at all.
        assert_eq!(of(both(5000.0, "p99<7ms")).0, Unsure);
        assert_eq!(of(both(500_000.0, "p99<10ms")).0, Unsure);
    }

    #[test]
    fn where_the_limit_has_no_interval_another_point_within_the_bound_may_show_it() {
        let of = |rate: f64, bound: &str, spoil: &dyn Fn(&mut Measured)| {
            let items = vec![item(PromisedWhat::Iops, rate), latency_of(bound)];
            judged(promise(items), spoil).remove(2)
        };
        let alone = |record: &mut Measured| {
            for cell in &mut record.cells {
                if cell.name != "randread-4k-qd16" {
                    cell.confidence.iops = record::PerDirection::default();
                    cell.intervals.clear();
                }
            }
        };
        let outcome = of(5000.0, "p99<10ms", &alone);
        assert_eq!(outcome.kept, Yes, "{outcome:?}");
        assert_eq!(outcome.cell.as_deref(), Some("randread-4k-qd16"));
        // It gives some 80,000: more is not shown by it.
        assert_eq!(of(110_000.0, "p99<10ms", &alone).kept, Unsure);
        // Not where it is marked invalid.
        let invalid = |record: &mut Measured| {
            alone(record);
            cell_mut(record, "randread-4k-qd16").ledger.layers[0].read_bytes = Bytes(0);
        };
        assert_eq!(of(5000.0, "p99<10ms", &invalid).kept, Unsure);
        // Nor by any point, when none has an interval or slices.
        let none = |record: &mut Measured| {
            alone(record);
            let cell = cell_mut(record, "randread-4k-qd16");
            cell.confidence.iops = record::PerDirection::default();
            cell.intervals.clear();
        };
        assert_eq!(of(5000.0, "p99<10ms", &none).kept, Unsure);
    }

    #[test]
    fn latency_alone_is_that_of_one_at_a_time() {
        let alone = |text: &str| promise(vec![latency_of(text)]);
        assert_kept(alone("mean<1ms"), |_| {}, &[Yes, Yes]);
        assert_kept(alone("mean<10us"), |_| {}, &[No, No]);
        // A maximum has no interval.
        assert_kept(alone("max<1s"), |_| {}, &[Unsure, Unsure]);
    }

    #[test]
    fn no_promise_no_outcome() {
        let record = crate::testing::sample_record();
        let judgement = crate::judge(&record);
        assert!(judgement.promise.is_empty());
    }
}
