//! `not-settled`: did the rate hold still while it was measured? A busy host alone moves a single
//! read by a quarter, so one differing repetition is a note.

use record::{Metadata, MetadataPhase, Purpose};

use super::check::*;
use super::page_cache::is_answered_by_memory;
use crate::cells::{cell_iops, interval_ops};
use crate::preset::{find_fastest_create, is_preset_figure};
use crate::writes::last_rounds;

pub(super) static CHECK: Check = Check {
    id: FindingId::NotSettled,
    method: Some(|| {
        NotSettledMethod {
            length: LENGTH_MIN,
            change: CHANGE_MIN,
            chance: P_VALUE_MAX,
            drift: DRIFT_MIN,
            unsteady: UNSTEADY_HALF_WIDTH_MIN,
        }
        .into()
    }),
    run: |subject, finding| check(subject.figures, finding),
};

/// Of a rate of small files, as a share of it.
const UNSTEADY_HALF_WIDTH_MIN: Ratio = Ratio(0.50);
/// Shorter cells cannot show five rounds.
const LENGTH_MIN: Nanos = Nanos::millis(1500);
const CHANGE_MIN: Ratio = Ratio(0.10);
/// Six cells or more are examined in a run: at 0.01 for each, one run in twenty would warn.
const P_VALUE_MAX: Ratio = Ratio(0.002);
/// Drift of a repetition (methodology: 20 %), where intervals or the ranks of the 100 ms are apart.
const DRIFT_MIN: Ratio = Ratio(0.20);
/// Standard errors by chance beyond which short cells differ.
const CHANCE_ERRORS: f64 = 4.0;
/// One that differs by more went the same way as another that drifted, however wide its interval.
const FAR_DRIFT: f64 = 0.40;
/// One that differs by more is a change of the device's level, even alone, and so is a range of the
/// parts of one cell.
const LEVEL_CHANGE: f64 = 0.50;

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    if let Some(found) = &measured.metadata {
        return judge_small_files(found, finding);
    }
    let mut looked = false;
    let is_figure = |cell: &&Cell| cell.role == CellRole::Main || is_preset_figure(measured, cell);
    let long = measured.cells.iter().filter(is_figure).filter(|cell| cell.elapsed >= LENGTH_MIN);
    for cell in long {
        looked |= judge_cell(cell, finding);
    }
    let pairs = repeat_pairs(&measured.cells);
    let differed = judge_repeats(measured, &pairs, finding);
    looked |= judge_rounds(measured, finding);
    if finding.status == Status::Ok {
        finding.evidence.extend(pairs.iter().map(RepeatPair::to_evidence));
    }
    if !looked && finding.status == Status::Ok {
        finding.status = Status::NotObservable;
        return Ok(match &measured.plan.purpose {
            Purpose::Check { .. } => label("not-settled-short"),
            // Each of their cells is at a load of its own.
            Purpose::Limit(_) | Purpose::Replay(_) => label("not-settled-search"),
            Purpose::Sweep(_) => label("not-settled-matrix"),
            Purpose::Preset(_) => label("not-settled-short-passes"),
            Purpose::Ping(_) => label("not-settled-single-requests"),
            Purpose::Metadata(_) | Purpose::Watch(_) | Purpose::Imported => {
                label("not-settled-no-series")
            }
        });
    }
    Ok(match finding.status {
        Status::Warning => label("not-settled-changing"),
        Status::Note if differed => label("not-settled-differed"),
        Status::Note => label("not-settled-varied"),
        _ => label("not-settled-steady"),
    })
}

/// Where five rounds never agreed, a trend over the last five is a warning, and noise a note.
fn judge_rounds(measured: &Measured, finding: &mut FindingBuilder) -> bool {
    let Some(last) = last_rounds(measured) else { return false };
    let rates = last.map(Cell::iops);
    let settled = stats::check_five_rounds(rates);
    if settled.steady {
        return true;
    }
    let one_way = rates.is_sorted() || rates.is_sorted_by(|a, b| a >= b);
    let status = if one_way { Status::Warning } else { Status::Note };
    let (range, change) = (Ratio(settled.range), Ratio(settled.slope.abs()));
    let value = NotSettledRounds { range, change };
    let fact = Evidence::figure(label("not-settled-writing"), value, settled.range);
    finding.mark_cell(last[4], status, fact);
    true
}

/// Operations on small files have a rate in each round. A warning is for the rate of the headline.
fn judge_small_files(found: &Metadata, finding: &mut FindingBuilder) -> Outcome {
    if !found.phases.iter().any(|phase| phase.rate.interval().is_some()) {
        return Err(label("not-settled-few-rounds"));
    }
    let fastest = find_fastest_create(found);
    for phase in found.phases.iter().filter(|phase| is_unsteady(phase)) {
        let is_headline = fastest.is_some_and(|fastest| fastest.name == phase.name);
        let status = if is_headline { Status::Warning } else { Status::Note };
        let (low, high) = phase.round_range();
        let value = NotSettledFileRounds { low: Iops(low), high: Iops(high) };
        let name = Message::from_text(&phase.name);
        finding.raise_status(status, Evidence::figure(name, value, high - low));
    }
    if finding.status > Status::Ok {
        finding.remedy = Some(label("remedy-measure-files-alone"));
    }
    Ok(match finding.status {
        Status::Warning => label("not-settled-files-created"),
        Status::Note => label("not-settled-some-files"),
        _ => label("not-settled-rounds-agree"),
    })
}

/// Whether half the width of the interval of a rate of small files is more than half of the rate.
pub fn is_unsteady(phase: &MetadataPhase) -> bool {
    phase.rate.relative_half_width().is_some_and(|half| half > UNSTEADY_HALF_WIDTH_MIN.0)
}

fn judge_cell(cell: &Cell, finding: &mut FindingBuilder) -> bool {
    let series = interval_ops(cell);
    let known = stats::check_settled(&series).zip(stats::fit_trend(&series));
    let Some((settled, trend)) = known else { return false };
    if settled.steady {
        return true;
    }
    let is_change =
        |p_value: f64, change: f64| p_value < P_VALUE_MAX.0 && change.abs() > CHANGE_MIN.0;
    let (status, trend): (_, Message) = match stats::find_shift(&series) {
        Some(shift) if is_change(shift.p_value, shift.change) => {
            let after = Nanos(cell.job.interval.0.saturating_mul(shift.at as u64));
            let by = Ratio(shift.change.abs());
            let is_rise = shift.change > 0.0;
            let rose = || NotSettledRoseAfter { by, after }.into();
            let fell = || NotSettledFellAfter { by, after }.into();
            (Status::Warning, if is_rise { rose() } else { fell() })
        }
        _ if is_change(trend.p_value, trend.change) => {
            let by = Ratio(trend.change.abs());
            let is_rise = trend.change > 0.0;
            let rose = || NotSettledRose { by }.into();
            (Status::Warning, if is_rise { rose() } else { NotSettledFell { by }.into() })
        }
        // A rate that swings between levels has no one figure; less of it is the noise of a host.
        _ if settled.range > LEVEL_CHANGE => (Status::Warning, label("not-settled-no-trend")),
        _ => (Status::Note, label("not-settled-no-trend")),
    };
    let value = NotSettledFiveParts { range: Ratio(settled.range), trend };
    finding.mark(cell, status, value, settled.range);
    true
}

struct RepeatPair<'r> {
    first: &'r Cell,
    repeat: &'r Cell,
    change: f64,
}

impl<'r> RepeatPair<'r> {
    fn from_repeat(repeat: &'r Cell, cells: &'r [Cell]) -> Option<Self> {
        let job = |cell: &Cell| {
            let job = &cell.job;
            (job.mix, job.access.clone(), job.block_size, job.depth)
        };
        let is_main = |role| matches!(role, CellRole::Main | CellRole::Ladder);
        let same = |cell: &&Cell| is_main(cell.role) && job(cell) == job(repeat);
        let first = cells.iter().find(same)?;
        Some(Self { first, repeat, change: repeat.iops() / first.iops().max(1e-9) - 1.0 })
    }

    fn has_drifted(&self) -> bool {
        let (a, b) = (cell_iops(self.first), cell_iops(self.repeat));
        let ends = a.interval().zip(b.interval());
        let apart = ends.is_some_and(|(a, b)| a.0 > b.1 || b.0 > a.1);
        let ranks = stats::mann_whitney_test(&interval_ops(self.first), &interval_ops(self.repeat));
        (apart || ranks.is_some_and(|p| p < P_VALUE_MAX.0) || self.is_beyond_chance())
            && self.change.abs() > DRIFT_MIN.0
    }

    /// By the number of operations: short cells have no interval and few ranks.
    fn is_beyond_chance(&self) -> bool {
        let ops = |cell: &Cell| cell.data_directions().map(|t| t.ops as f64).sum::<f64>().max(1.0);
        let error = (ops(self.first).recip() + ops(self.repeat).recip()).sqrt();
        let is_short = self.first.elapsed < LENGTH_MIN && self.repeat.elapsed < LENGTH_MIN;
        is_short && (1.0 + self.change).max(1e-9).ln().abs() > CHANCE_ERRORS * error
    }

    fn to_evidence(&self) -> Evidence {
        let (first, again) = (Iops(self.first.iops()), Iops(self.repeat.iops()));
        let what = NotSettledRepeated { cell: self.first.name.clone() };
        Evidence::figure(what, NotSettledTwice { first, again }, self.change)
    }
}

/// Whether a repeated cell differs from its first by more than noise.
pub fn has_drifted(cells: &[Cell]) -> bool {
    repeat_pairs(cells).iter().any(RepeatPair::has_drifted)
}

fn repeat_pairs(cells: &[Cell]) -> Vec<RepeatPair<'_>> {
    let repeats = cells.iter().filter(|cell| cell.role == CellRole::Repeat);
    repeats.filter_map(|repeat| RepeatPair::from_repeat(repeat, cells)).collect()
}

/// Whether any repetition differed from its first; those that did not say nothing of a finding.
fn judge_repeats(
    measured: &Measured,
    pairs: &[RepeatPair<'_>],
    finding: &mut FindingBuilder,
) -> bool {
    let is_far = |pair: &RepeatPair<'_>| pair.change.abs() > FAR_DRIFT;
    let moved = |pair: &RepeatPair<'_>| pair.has_drifted() || is_far(pair);
    let first_start = |pair: &RepeatPair<'_>| pair.first.started;
    let is_level_change =
        |pair: &&RepeatPair<'_>| pair.has_drifted() && pair.change.abs() > LEVEL_CHANGE;
    let last_change = pairs.iter().filter(is_level_change).map(first_start).max();
    // What was first measured after a large change does not differ when it is repeated.
    let is_later = |pair: &RepeatPair<'_>| {
        !moved(pair) && last_change.is_some_and(|last| first_start(pair) > last)
    };
    let all = |way: fn(f64) -> bool| {
        pairs.iter().all(|pair| is_later(pair) || (moved(pair) && way(pair.change)))
    };
    let one_way = all(|change| change > 0.0) || all(|change| change < 0.0);
    let sure =
        pairs.iter().any(RepeatPair::has_drifted) || (pairs.len() > 1 && pairs.iter().all(is_far));
    let drifted = one_way && sure;
    let differ = || pairs.iter().filter(|pair| pair.has_drifted() || (drifted && moved(pair)));
    for pair in differ() {
        let memory = is_answered_by_memory(pair.repeat, measured);
        let status = if drifted && !memory { Status::Warning } else { Status::Note };
        finding.mark_cell(pair.first, status, pair.to_evidence());
    }
    differ().next().is_some()
}

messages! {
    NotSettledMethod = "check-not-settled-method" {
        length: Nanos, change: Ratio, chance: Ratio, drift: Ratio, unsteady: Ratio,
    };
    NotSettledFileRounds = "not-settled-file-rounds" { low: Iops, high: Iops };
    NotSettledRounds = "not-settled-rounds" { range: Ratio, change: Ratio };
    NotSettledFiveParts = "not-settled-five-parts" { range: Ratio, trend: Message };
    NotSettledRose = "not-settled-rose" { by: Ratio };
    NotSettledFell = "not-settled-fell" { by: Ratio };
    NotSettledRoseAfter = "not-settled-rose-after" { by: Ratio, after: Nanos };
    NotSettledFellAfter = "not-settled-fell-after" { by: Ratio, after: Nanos };
    NotSettledRepeated = "not-settled-repeated" { cell: String };
    NotSettledTwice = "not-settled-twice" { first: Iops, again: Iops };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, reshape, sample_record};

    fn check(record: &Measured) -> record::Finding {
        CHECK.judge_alone(record)
    }

    #[test]
    fn a_steady_run_is_settled() {
        assert_eq!(check(&sample_record()).status, Status::Ok);
    }

    #[test]
    fn searches_and_matrices_send_to_the_check() {
        let says = |record: &Measured, words: &str| {
            let finding = check(record);
            assert_eq!(finding.status, Status::NotObservable);
            assert!(finding.summary.text().contains(words), "{}", finding.summary.text());
        };
        let mut limit = record::fixture::limit_record().measured;
        says(&limit, "a search does not check whether rates settle; truedisk check does");
        limit.plan.purpose = Purpose::Sweep(record::SweepPlan {
            parts: Vec::new(),
            block_sizes: Vec::new(),
            depths: Vec::new(),
            precision: 0.02,
            cell_time: (Nanos::secs(1), Nanos::secs(10)),
            write_shares: Vec::new(),
        });
        says(&limit, "a matrix does not check whether rates settle; truedisk check does");
        let mut short = sample_record();
        short.cells.clear();
        says(&short, "too short; a run of 60 s is long enough");
    }

    #[test]
    fn falling_rates_and_steps_are_warned_of() {
        for shape in
            [
                (|i: usize| 1.0 - i as f64 / 60.0) as fn(usize) -> f64,
                |i| if i < 15 { 1.0 } else { 0.5 },
            ]
        {
            let mut record = sample_record();
            reshape(cell_mut(&mut record, "randwrite-4k-qd1"), shape);
            let finding = check(&record);
            assert_eq!(finding.status, Status::Warning, "{finding:?}");
            assert_eq!(finding.cells, ["randwrite-4k-qd1"]);
        }
    }

    #[test]
    fn noise_without_direction_is_a_note_at_most() {
        let mut record = sample_record();
        reshape(cell_mut(&mut record, "randwrite-4k-qd1"), |i| {
            if (10..16).contains(&i) { 0.7 } else { 1.0 }
        });
        assert!(check(&record).status <= Status::Note);
    }

    #[test]
    fn swings_between_two_levels_are_warned_of() {
        let mut record = sample_record();
        let swing = |i: usize| if (i / 6).is_multiple_of(2) { 1.0 } else { 0.3 };
        reshape(cell_mut(&mut record, "randwrite-4k-qd1"), swing);
        let finding = check(&record);
        assert_eq!(finding.status, Status::Warning, "{finding:?}");
        assert_eq!(finding.cells, ["randwrite-4k-qd1"]);
    }

    #[test]
    fn a_repetition_within_its_threshold_is_no_evidence_of_a_finding() {
        let judged = |repeat: fn(usize) -> f64| {
            let mut record = sample_record();
            reshape(cell_mut(&mut record, "randread-4k-qd1-repeat"), repeat);
            reshape(cell_mut(&mut record, "randwrite-4k-qd1"), |i| {
                if (10..16).contains(&i) { 0.7 } else { 1.0 }
            });
            let finding = check(&record);
            let told = finding.evidence.iter().any(|fact| fact.what.text().contains("repeated"));
            (finding.status, told)
        };
        assert_eq!(judged(|_| 0.85), (Status::Note, false));
        assert_eq!(judged(|_| 0.6), (Status::Warning, true));
        let steady = check(&sample_record());
        assert!(
            steady.evidence.iter().any(|fact| fact.what.text().contains("repeated")),
            "{steady:?}"
        );
    }

    #[test]
    fn a_repetition_that_differs_has_drifted() {
        let mut record = sample_record();
        let cell = cell_mut(&mut record, "randread-4k-qd1-repeat");
        reshape(cell, |_| 0.6);
        assert_eq!(check(&record).status, Status::Warning);
        assert!(has_drifted(&record.cells));
    }

    /// With a repetition at the depth of the most, too: as it is measured.
    fn repeated_twice(single: fn(usize) -> f64, deep: fn(usize) -> f64) -> Measured {
        let mut record = sample_record();
        let again = record.cells.iter().find(|cell| cell.name == "randread-4k-qd1-repeat");
        let mut again = again.unwrap().clone();
        again.job.depth = units::Depth(16);
        let mut first = again.clone();
        first.role = CellRole::Ladder;
        first.name = "randread-4k-qd16-first".to_owned();
        again.name = "randread-4k-qd16-repeat".to_owned();
        let own = |cell: &Cell| cell.job.depth != again.job.depth;
        record.cells.retain(own);
        record.cells.extend([first, again]);
        reshape(cell_mut(&mut record, "randread-4k-qd1-repeat"), single);
        reshape(cell_mut(&mut record, "randread-4k-qd16-repeat"), deep);
        record
    }

    #[test]
    fn what_one_depth_alone_says_is_no_drift() {
        use Status::{Note, Ok, Warning};
        let check = |single: fn(usize) -> f64, deep: fn(usize) -> f64, status, any| {
            let record = repeated_twice(single, deep);
            assert_eq!(check(&record).status, status, "{:?}", check(&record));
            assert_eq!(has_drifted(&record.cells), any);
        };
        check(|_| 0.6, |_| 0.6, Warning, true);
        check(|_| 1.5, |_| 1.5, Warning, true);
        check(|_| 0.6, |_| 1.0, Note, true);
        check(|_| 1.0, |_| 0.6, Note, true);
        check(|_| 0.6, |_| 1.5, Note, true);
        check(|_| 1.0, |_| 1.0, Ok, false);
    }

    #[test]
    fn a_cell_in_which_the_rate_changed_has_drifted_where_another_has() {
        let judged = |single: fn(usize) -> f64, left: f64| {
            let mut record = repeated_twice(single, |_| 1.0);
            for name in ["randread-4k-qd16-first", "randread-4k-qd16-repeat"] {
                let cell = cell_mut(&mut record, name);
                cell.intervals.truncate(6);
                let iops = cell.confidence.iops.read.as_mut().unwrap();
                (iops.low, iops.high) = (None, None);
            }
            // Half a cell at the first rate, and half at what is left of it.
            let first = cell_mut(&mut record, "randread-4k-qd16-first");
            reshape(first, |i| if i < 3 { 1.0 } else { left });
            reshape(cell_mut(&mut record, "randread-4k-qd16-repeat"), |_| left);
            check(&record).status
        };
        assert_eq!(judged(|_| 0.3, 0.2), Status::Warning);
        assert_eq!(judged(|_| 0.3, 0.6), Status::Warning, "the other began after the change");
        assert_eq!(judged(|_| 0.9, 0.2), Status::Ok, "nothing else has drifted");
        assert_eq!(judged(|_| 1.5, 0.2), Status::Note, "the other way");
    }

    #[test]
    fn the_speed_of_memory_may_differ() {
        let mut record = sample_record();
        let cell = cell_mut(&mut record, "randread-4k-qd1-repeat");
        reshape(cell, |_| 0.6);
        for layer in &mut cell.ledger.layers {
            layer.read_ops = 0;
        }
        assert_eq!(check(&record).status, Status::Note);
    }

    /// Eight of 100 ms on either side, as in a quick run.
    #[test]
    fn ranks_of_as_few_on_either_side_decide() {
        let mut record = sample_record();
        for name in ["randread-4k-qd1", "randread-4k-qd1-repeat"] {
            let cell = cell_mut(&mut record, name);
            let iops = cell.confidence.iops.read.as_mut().unwrap();
            (iops.low, iops.high) = (None, None);
            cell.intervals.truncate(8);
        }
        assert_eq!(check(&record).status, Status::Ok);
        reshape(cell_mut(&mut record, "randread-4k-qd1-repeat"), |_| 0.6);
        let finding = check(&record);
        assert_eq!(finding.status, Status::Warning, "{finding:?}");
        assert_eq!(finding.cells, ["randread-4k-qd1"]);
    }

    #[test]
    fn without_intervals_of_the_means_the_ranks_decide() {
        let check = |shape: fn(usize) -> f64, status| {
            let mut record = sample_record();
            for name in ["randread-4k-qd1", "randread-4k-qd1-repeat"] {
                let cell = cell_mut(&mut record, name);
                let iops = cell.confidence.iops.read.as_mut().unwrap();
                (iops.low, iops.high) = (None, None);
            }
            reshape(cell_mut(&mut record, "randread-4k-qd1-repeat"), shape);
            assert_eq!(check(&record).status, status);
        };
        check(|_| 0.6, Status::Warning);
        check(|_| 0.85, Status::Ok);
        check(|i| if i % 2 == 0 { 1.1 } else { 0.4 }, Status::Ok);
    }

    /// A load of which files are created and queried, at these rates in its rounds.
    fn small_files(created: &[f64], queried: &[f64]) -> Measured {
        let load = record::MetadataLoad {
            file_size: Bytes::kib(4),
            synced: false,
            folders: 1,
            threads: 1,
        };
        let phase = |operation: record::MetadataOp, rounds: &[f64]| MetadataPhase {
            name: operation.name().to_owned(),
            operation,
            load,
            cache: record::CacheState::Warm,
            files: 100,
            rate: stats::median_of_few(rounds),
            rounds: rounds.to_vec(),
            latency_ns: record::LatencySummary::default(),
        };
        let phases = vec![
            phase(record::MetadataOp::Create, created),
            phase(record::MetadataOp::Stat, queried),
        ];
        let metadata = Metadata { phases, counted: Vec::new(), caches: Message::default() };
        Measured { cells: Vec::new(), metadata: Some(metadata), ..sample_record() }
    }

    #[test]
    fn rates_of_small_files_are_judged_by_their_rounds() {
        let steady = [900.0, 950.0, 1000.0, 1000.0, 1050.0, 1100.0];
        let wild = [200.0, 400.0, 1000.0, 1500.0, 4000.0, 9000.0];
        let check = |created: &[f64], queried: &[f64], status, trust| {
            let judgement = crate::judge(&small_files(created, queried));
            let finding = judgement.finding(FindingId::NotSettled).unwrap();
            assert_eq!(finding.status, status, "{finding:?}");
            let verdict = judgement.verdict.unwrap();
            assert_eq!((verdict.trust, verdict.headline.id()), (trust, "preset-files-created"));
            assert!(judgement.findings.iter().all(|f| f.id != FindingId::Burst));
        };
        use record::Trust;
        check(&steady, &steady, Status::Ok, Trust::Sound);
        check(&steady, &wild, Status::Note, Trust::Sound);
        check(&wild, &steady, Status::Warning, Trust::Caution);
        check(&steady[..1], &steady[..1], Status::NotObservable, Trust::Caution);
    }
}
