//! Two targets of this host in turns: A B B A, then B A A B, so that drift falls on both alike.
//! Each visit is a run of its own with all cells, and the comparison is one between runs.

use analysis::compare::{ComparisonCriteria, Group, compare_groups, is_narrow};
use engine::StopSignal;
use message::Message;
use record::{CellRole, Completion, Part, Plan, Purpose, Record, SweepPlan};
use target::{PathHandle, Roots};
use units::{Bytes, Nanos, Seed};
use workload::{Access, Job, Mix, Stop};

use crate::error::{HaltResult, MethodError};
use crate::observer::{Observer, SilentObserver};
use crate::phase::Visit;
use crate::request::{LayoutBudget, MeasureRequest};
use crate::session::Session;
use crate::write_budget::WriteBudget;

const WARM_UP: Nanos = Nanos::millis(100);
const FILE_SIZE: Bytes = Bytes::gib(1);
const LAYOUT_SHARE: f64 = 0.2;
const VISITS_MIN: usize = 4;
/// Attempts at one cell of a visit.
const ATTEMPTS_MAX: usize = 3;

#[derive(Debug, Clone, PartialEq)]
pub struct VisitCell {
    /// Order, mix and block size.
    pub part: Part,
    pub depth: u32,
}

#[derive(Debug, Clone)]
pub struct InterleaveRequest {
    /// A and B.
    pub sides: [MeasureRequest; 2],
    pub workloads: Vec<VisitCell>,
    pub cell_time: Nanos,
    /// Longest time of all; whole turns only, and at least four visits of each.
    pub budget: Nanos,
    /// Half the width of the interval of a ratio that is narrow enough, as a share of it.
    pub precision: f64,
    /// Fixed number of visits to each side, whatever the intervals; a multiple of two.
    pub visits: Option<u32>,
}

#[derive(Debug, Clone)]
pub struct InterleaveOutcome {
    /// The runs of A, and those of B.
    pub runs: [Vec<Record>; 2],
    /// Why it ended before its time; what was measured until then stands.
    pub ended: Option<Message>,
}

/// The usual cells: what a quick check measures, without its ladders.
pub fn default_visit_cells(writable: bool) -> Vec<VisitCell> {
    let (small, large) = (Bytes::kib(4), Bytes::mib(1));
    let of = |access, mix, block_size, depth| VisitCell {
        part: Part { access, mix, block_size },
        depth,
    };
    let mixed = Mix::Mixed { read_percent: 75 };
    let all = [
        of(Access::Random, Mix::Read, small, 1),
        of(Access::Random, Mix::Read, small, 32),
        of(Access::Random, Mix::Write, small, 32),
        of(Access::Random, mixed, small, 32),
        of(Access::Sequential, Mix::Read, large, 8),
        of(Access::Sequential, Mix::Write, large, 8),
    ];
    all.into_iter().filter(|w| writable || !w.part.mix.writes()).collect()
}

/// Measures both targets in turns, until every ratio is known well enough or the time is up.
///
/// How narrow the intervals are decides when it ends, not what they say: looking again and again
/// until a difference shows would find one where there is none.
pub fn interleave(
    request: &InterleaveRequest,
    roots: &Roots,
    stop: &StopSignal,
    observer: &mut dyn Observer,
) -> Result<InterleaveOutcome, MethodError> {
    let budget = LayoutBudget {
        block_sizes: request.workloads.iter().map(|w| w.part.block_size).collect(),
        size: FILE_SIZE,
        layout: Nanos((request.budget.0 as f64 * LAYOUT_SHARE) as u64),
        budget: request.budget,
        measures_writes: request.workloads.iter().any(|w| w.part.mix.writes()),
        known_writes: None,
        name: None,
    };
    let [a, b] = &request.sides;
    // Both, before anything is announced or written.
    let handles = (PathHandle::open(&a.path)?, PathHandle::open(&b.path)?);
    let mut silent = SilentObserver;
    let first = Session::open_on(a, &handles.0, &budget, roots, stop, observer)?;
    let ended = early_end_reason(&first);
    let runs = [Vec::new(), Vec::new()];
    let mut turns = Interleaver { sessions: vec![first], request, runs, ended, observed: 0 };
    if turns.ended.is_none() {
        let observer = std::mem::replace(&mut turns.sessions[0].observer, &mut silent);
        let second = Session::open_on(b, &handles.1, &budget, roots, stop, observer)?;
        turns.ended = early_end_reason(&second);
        turns.sessions.push(second);
        turns.observed = 1;
    }
    let mut block = 0;
    while turns.ended.is_none() && !turns.is_done() {
        turns.run_block(block)?;
        block += 1;
    }
    Ok(InterleaveOutcome { runs: turns.runs, ended: turns.ended })
}

fn early_end_reason(session: &Session<'_>) -> Option<Message> {
    match &session.completion {
        Completion::Complete => None,
        Completion::Partial { reason, .. } => Some(reason.clone()),
    }
}

struct Interleaver<'r, 's> {
    sessions: Vec<Session<'s>>,
    request: &'r InterleaveRequest,
    runs: [Vec<Record>; 2],
    ended: Option<Message>,
    /// The side whose session has the observer.
    observed: usize,
}

impl Interleaver<'_, '_> {
    /// Gives the observer of the other side to this one.
    fn lend_observer(&mut self, side: usize) {
        if let [a, b] = &mut self.sessions[..]
            && side != self.observed
        {
            std::mem::swap(&mut a.observer, &mut b.observer);
            self.observed = side;
        }
    }

    fn run_block(&mut self, number: usize) -> Result<(), MethodError> {
        let first = number % 2;
        for side in [first, 1 - first, 1 - first, first] {
            if self.ended.is_none() {
                self.run_visit(side)?;
            }
        }
        Ok(())
    }

    /// All cells of one side; a visit that was cut short is no run.
    fn run_visit(&mut self, side: usize) -> Result<(), MethodError> {
        self.lend_observer(side);
        let has_time = self.request.visits.is_some() || self.has_time_for_block();
        let number = self.runs[side].len() as u64;
        let (session, ask) = (&mut self.sessions[side], &self.request.sides[side]);
        // Other places in every visit, and the same ones on both sides.
        session.seed = Seed(self.request.sides[0].seed.0.wrapping_add(1000 * (number + 1)));
        let name = if side == 0 { "A" } else { "B" };
        for workload in &self.request.workloads {
            let job = build_job(session, workload, self.request.cell_time);
            let what = Message::from_text(job.name.as_str());
            let words = Visit { side: name, number: number + 1, what }.into();
            // Below a bound on what is written, a repeat would take the writes of a later visit.
            let is_bounded = job.mix.writes() && session.write_budget.is_some();
            let may_repeat = has_time && !is_bounded;
            session.run_steps(|session| measure_undisturbed(session, &job, &words, may_repeat))?;
            self.ended = early_end_reason(session);
            if self.ended.is_some() {
                return Ok(());
            }
            // Visits with other cells could not be compared.
            if let Some(shortfall) =
                session.write_budget.as_ref().and_then(WriteBudget::describe_shortfall)
            {
                self.ended = Some(shortfall);
                return Ok(());
            }
        }
        let plan = build_plan(session, ask, self.request);
        self.runs[side].push(session.take_visit_record(ask, plan, number));
        Ok(())
    }

    fn is_done(&self) -> bool {
        let [a, b] = &self.runs;
        if let Some(visits) = self.request.visits {
            return a.len() as u64 >= u64::from(visits);
        }
        if a.len() < VISITS_MIN {
            return false;
        }
        !self.has_time_for_block() || is_precise(a, b, self.request.precision)
    }

    /// Whether the budget has time for two more visits to each side.
    fn has_time_for_block(&self) -> bool {
        let used = self.sessions[0].elapsed().0;
        let cells = self.request.workloads.len() as u64;
        let block = 4 * cells * (self.request.cell_time.0 + WARM_UP.0);
        used + block <= self.request.budget.0
    }
}

/// Measures a cell, and again while others disturb it and it may be repeated.
fn measure_undisturbed(
    session: &mut Session<'_>,
    job: &Job,
    what: &Message,
    may_repeat: bool,
) -> HaltResult {
    let jobs = std::slice::from_ref(job);
    let mut begun = session.cells.len();
    session.measure_cell(jobs, CellRole::Point, what)?;
    for _ in 1..ATTEMPTS_MAX {
        if !may_repeat || !session.is_disturbed_since(begun) {
            break;
        }
        let end = session.cells.len();
        let result = session.measure_cell(jobs, CellRole::Point, what);
        session.replace_cells(begun..end, end);
        result?;
        begun = end;
    }
    Ok(())
}

fn group_records(records: &[Record]) -> Group<'_> {
    let runs = records.iter().map(|record| (record, record.measured.id.clone())).collect();
    Group { runs, price: None }
}

fn is_precise(a: &[Record], b: &[Record], precision: f64) -> bool {
    let Ok(comparison) = compare_groups(
        &[group_records(a), group_records(b)],
        &ComparisonCriteria::with_defaults(""),
    ) else {
        return false;
    };
    let cells = comparison.pairs.iter().flat_map(|pair| &pair.cells);
    cells.filter_map(|cell| cell.main_figure()).all(|main| is_narrow(&main.effect, precision))
}

fn build_job(session: &Session<'_>, workload: &VisitCell, time: Nanos) -> Job {
    let job = session.part_job(&workload.part, workload.depth);
    Job { warm_up: WARM_UP, stop: Stop::after(time), ..job }
}

fn build_plan(session: &Session<'_>, ask: &MeasureRequest, request: &InterleaveRequest) -> Plan {
    let mut block_sizes: Vec<Bytes> = request.workloads.iter().map(|w| w.part.block_size).collect();
    block_sizes.sort_unstable();
    block_sizes.dedup();
    let mut depths: Vec<u32> = request.workloads.iter().map(|w| w.depth).collect();
    depths.sort_unstable();
    depths.dedup();
    let purpose = Purpose::Sweep(SweepPlan {
        parts: request.workloads.iter().map(|w| w.part.clone()).collect(),
        block_sizes,
        depths,
        precision: request.precision,
        cell_time: (request.cell_time, request.cell_time),
        write_shares: Vec::new(),
    });
    Plan { seed: session.seed, ..ask.plan(purpose, &[], request.budget) }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use engine::SimulatedDevice;
    use engine::simulated::{DeviceModel, Medium, NoisyNeighbour, Quirks, Ssd};
    use record::compare::Outcome;

    use super::*;

    const CAPACITY: Bytes = Bytes::gib(1);

    fn device(read_ns: u64) -> SimulatedDevice {
        with_quirks(read_ns, Quirks::default())
    }

    fn with_quirks(read_ns: u64, quirks: Quirks) -> SimulatedDevice {
        let medium = Medium::Ssd(Ssd {
            read_ns,
            write_ns: read_ns,
            bytes_per_second: 4e9,
            flush_ns: read_ns,
            ..Ssd::FLASH
        });
        SimulatedDevice::with_quirks(DeviceModel::new(CAPACITY.0, medium), quirks, 5)
    }

    /// Keeps which side was visited, once for each visit.
    #[derive(Default)]
    struct Log(Vec<String>);

    impl Observer for Log {
        fn on_phase(&mut self, name: &message::Message, _: f64) {
            let visit = name.text().split(':').next().unwrap_or_default().to_owned();
            if self.0.last() != Some(&visit) {
                self.0.push(visit);
            }
        }
        fn on_progress(&mut self, _: &engine::Progress, _: f64) {}
        fn on_note(&mut self, _: &str) {}
        fn confirm(&mut self, _: &str, _: &str) -> bool {
            true
        }
    }

    fn request() -> InterleaveRequest {
        let ask = MeasureRequest {
            path: PathBuf::from("simulated"),
            size: None,
            read_only: false,
            destroy_data_on: None,
            max_written: None,
            seed: Seed(1),
            command: record::CommandLine::default(),
            version: "0".to_owned(),
        };
        InterleaveRequest {
            sides: [ask.clone(), MeasureRequest { seed: Seed(1 << 31), ..ask }],
            workloads: default_visit_cells(false),
            cell_time: Nanos::millis(300),
            budget: Nanos::secs(3600),
            precision: 0.024,
            visits: None,
        }
    }

    fn measured(
        [a, b]: [SimulatedDevice; 2],
        request: &InterleaveRequest,
        log: &mut Log,
    ) -> (Option<Message>, [Vec<Record>; 2]) {
        let (stop, mut silent) = (StopSignal::default(), SilentObserver);
        let sessions = vec![
            Session::simulated(a, CAPACITY, &stop, log),
            Session::simulated(b, CAPACITY, &stop, &mut silent),
        ];
        let runs = [Vec::new(), Vec::new()];
        let mut turns = Interleaver { sessions, request, runs, ended: None, observed: 0 };
        let mut block = 0;
        while turns.ended.is_none() && !turns.is_done() {
            turns.run_block(block).unwrap();
            block += 1;
        }
        (turns.ended, turns.runs)
    }

    #[test]
    fn visits_go_there_and_back_until_the_ratios_are_known() {
        let (request, mut log) = (request(), Log::default());
        let (ended, runs) = measured([device(100_000), device(50_000)], &request, &mut log);
        assert_eq!(ended, None);
        let order: String = log.0.iter().filter_map(|visit| visit.chars().next()).collect();
        assert_eq!(order, "ABBABAAB", "four visits each are enough without noise: {:?}", log.0);
        let ids: std::collections::BTreeSet<&str> =
            runs.iter().flatten().map(|record| record.measured.id.as_str()).collect();
        assert_eq!(ids.len(), 8, "runs have names of their own: {ids:?}");
        let groups = runs.each_ref().map(|runs| group_records(runs));
        let comparison = compare_groups(&groups, &ComparisonCriteria::with_defaults("0")).unwrap();
        let main = comparison.pairs[0].cells[0].main_figure().unwrap();
        assert_eq!(main.effect.outcome, Outcome::Faster, "{main:#?}");
        assert!(main.effect.ratio.value > 1.5, "{main:#?}");
    }

    #[test]
    fn cells_that_others_disturb_are_measured_again() {
        let request = InterleaveRequest { visits: Some(2), ..request() };
        let busy = NoisyNeighbour {
            start_ns: 500_000_000,
            every_ns: 0,
            lasts_ns: 700_000_000,
            iops: 60_000.0,
            length: 4096,
        };
        let noisy = with_quirks(100_000, Quirks { neighbour: Some(busy), ..Quirks::default() });
        let (ended, [a, b]) = measured([noisy, device(100_000)], &request, &mut Log::default());
        assert_eq!((ended, a.len(), b.len()), (None, 2, 2));
        let disturbed = |record: &Record| {
            record.measured.cells.iter().filter(|cell| cell.role == CellRole::Disturbed).count()
        };
        let again: Vec<usize> = a.iter().chain(&b).map(disturbed).collect();
        assert!((1..=4).contains(&again[0]) && again[1..] == [0, 0, 0], "{again:?}");
        let groups = [group_records(&a), group_records(&b)];
        let comparison = compare_groups(&groups, &ComparisonCriteria::with_defaults("")).unwrap();
        let pair = &comparison.pairs[0];
        assert_eq!((pair.cells.len(), pair.excluded.len()), (3, 0), "{:#?}", pair.excluded);
        for cell in &pair.cells {
            let effect = &cell.main_figure().unwrap().effect;
            assert_eq!(effect.runs, (2, 2), "{effect:#?}");
            assert!((effect.ratio.value - 1.0).abs() < 0.02, "{effect:#?}");
        }
    }

    #[test]
    fn a_raised_stop_flag_ends_it_and_keeps_whole_visits_only() {
        let (stop, mut log) = (StopSignal::default(), Log::default());
        let request = request();
        let session = Session::simulated(device(100_000), CAPACITY, &stop, &mut log);
        stop.raise();
        let sessions = vec![session];
        let runs = [Vec::new(), Vec::new()];
        let mut turns = Interleaver { sessions, request: &request, runs, ended: None, observed: 0 };
        turns.run_visit(0).unwrap();
        assert_eq!(turns.ended.as_ref().map(message::Message::text), Some("interrupted"));
        assert!(turns.runs[0].is_empty());
    }
}
