//! A check while it goes: cell after cell.

use message::{Message, label};
use record::{Cell, CellRole};
use stats::check_five_rounds;
use stats::search::{NextStep, Search};
use units::{Bytes, Depth, Nanos};
use workload::{Access, Bound, Job, Mix, Pacing, Span, Stop, SyncKind, SyncPolicy};

use crate::error::HaltResult;
use crate::phase::{Again, AtDepth, Commits, ForCap, Rounds, UntilThrottled};
use crate::session::Session;
use crate::time_budget::TimeBudget;
use crate::truth_probe::{self, ProbePhase};

/// Depth of the sequential cells: 8 MiB outstanding keeps any single disk streaming.
const SEQUENTIAL_DEPTH: Depth = Depth(8);
const STREAM_BLOCK: Bytes = Bytes::mib(1);
const ROUND_DEPTH: Depth = Depth(32);

const MIX: Mix = Mix::Mixed { read_percent: 75 };

/// Rounds end when they have written the span this often.
const ROUND_SPANS: u64 = 4;
const SOAK_DEPTH: Depth = Depth(64);
const SOAK_INTERVAL: Nanos = Nanos::secs(1);
/// How much larger the operations of the contrast are: a cap on operations does not see it.
const CONTRAST_FACTOR: u64 = 2;
/// What is measured again for a run that has drifted: long enough for four half seconds, which tell
/// a burst's end from noise.
const REPEAT_TIME: Nanos = Nanos::millis(2_200);
/// Number of long cells at a plateau that must agree to show a cap, or that there is none.
const CAP_CELLS: usize = 3;
const AGREEMENT_MIN: f64 = 0.995;
/// A queue below this share of the most is either too deep, or came after the end of a burst.
const MUCH_LESS: f64 = 0.8;

pub(crate) struct CheckRun<'run, 'session> {
    pub(crate) session: &'run mut Session<'session>,
    pub(crate) times: TimeBudget,
    pub(crate) bounds: &'run [Bound],
    pub(crate) until_throttled: Option<Nanos>,
    /// Time of the budget that the cells do not need.
    pub(crate) spare: Nanos,
}

impl CheckRun<'_, '_> {
    pub(crate) fn measure_cells(&mut self) -> HaltResult {
        let base = &Job {
            warm_up: self.times.warm_up,
            stop: Stop::after(self.times.depth_1),
            depth: self.on_each(Depth(1)),
            ..self.session.base_job()
        };
        self.run_truth_probes(base, ProbePhase::First)?;
        self.measure_idle(base)?;
        self.run_soak(base)?;
        let writable = self.session.facts.writable;
        self.measure_curve(base, Mix::Read)?;
        if !writable {
            self.visit_stream(base, Mix::Read)?;
        }
        self.run_truth_probes(base, ProbePhase::AfterReads)?;
        if writable {
            self.measure_rounds(base)?;
            self.measure_curve(base, Mix::Write)?;
            self.visit_stream(base, Mix::Read)?;
            self.measure_curve(base, MIX)?;
            self.visit_stream(base, Mix::Write)?;
            self.measure_commits(base)?;
        }
        self.repeat_reference(base)?;
        self.repeat_disturbed_rungs(0)?;
        self.visit_stream(base, Mix::Read)?;
        if writable {
            self.visit_stream(base, Mix::Write)?;
        }
        self.run_truth_probes(base, ProbePhase::Last)
    }

    /// Hosts with disks of their own each get what one disk is asked for: the depth is that of all.
    fn on_each(&self, depth: Depth) -> Depth {
        Depth(depth.0 * self.session.site.separate_targets())
    }

    fn run_truth_probes(&mut self, base: &Job, when: ProbePhase) -> HaltResult {
        match self.session.site.local() {
            Some(_) => truth_probe::run_truth_probes(self.session, base, when, self.times.trials),
            None => Ok(()),
        }
    }

    fn measure_cell(&mut self, job: &Job, role: CellRole, what: impl Into<Message>) -> HaltResult {
        self.session.measure_cell(std::slice::from_ref(job), role, &what.into())
    }

    fn measure_idle(&mut self, base: &Job) -> HaltResult {
        let (count, interval) = self.times.idle;
        let job = Job {
            name: format!("idle-read-{}", base.block_size.to_compact()),
            pacing: Pacing::Spaced { interval },
            warm_up: Nanos::ZERO,
            stop: Stop {
                time: None,
                bytes: None,
                operations: Some(count * u64::from(base.depth.0)),
            },
            ..base.clone()
        };
        self.measure_cell(&job, CellRole::Idle, label("progress-idle"))
    }

    /// Depth 1, then the depths that the search for the most within the bounds asks for.
    fn measure_curve(&mut self, base: &Job, mix: Mix) -> HaltResult {
        let (name, workload) = analysis::curve_name(&Access::Random, mix, base.block_size);
        let mut search =
            Search::new(self.times.depths.clone(), self.bounds.len(), self.times.search_limits());
        let (mut role, mut time) = (CellRole::Main, self.times.depth_1);
        let (begun, mut used, mut again) = (self.session.cells.len(), 0, true);
        while let NextStep::Probe { level, value, .. } = search.next_step() {
            let depth = self.on_each(Depth(value as u32));
            let job = Job {
                name: format!("{name}-qd{depth}"),
                mix,
                depth,
                stop: Stop::after(time),
                ..base.clone()
            };
            let before = self.session.cells.len();
            let what = AtDepth { workload: workload.clone(), depth };
            self.measure_cell(&job, role, what)?;
            let [cell] = &self.session.cells[before..] else {
                // Once, this process or the device may have been stopped; then deeper will not do
                // better.
                if std::mem::take(&mut again) {
                    continue;
                }
                return Ok(());
            };
            search.add_probe(analysis::judge_probe(&[cell], self.bounds, level));
            used += usize::from(role == CellRole::Ladder);
            if role == CellRole::Main && mix != MIX {
                // Not before: what streams may leave what it read in a cache.
                self.visit_stream(base, mix)?;
            }
            (role, time) = (CellRole::Ladder, self.times.step);
        }
        let unused = (self.times.probes.0 as usize).saturating_sub(used) as u64;
        self.spare.0 += unused * (self.times.step.0 + self.times.warm_up.0);
        self.repeat_disturbed_rungs(begun)?;
        if mix != Mix::Read {
            self.repeat_most_writes(begun)?;
        }
        self.measure_cap(base, mix, begun)
    }

    /// Where the deepest queue gave clearly fewer writes, the depth of the most is measured again,
    /// as far as there is time: a cache that was full by then looks like a queue that is too deep.
    fn repeat_most_writes(&mut self, begun: usize) -> HaltResult {
        let points = self.session.cells[begun..].iter().filter(|cell| is_undisturbed_point(cell));
        let Some(most) = points.clone().max_by(|a, b| a.iops().total_cmp(&b.iops())) else {
            return Ok(());
        };
        let falls =
            |cell: &Cell| cell.job.depth > most.job.depth && cell.iops() < MUCH_LESS * most.iops();
        let has_fallen = points.max_by_key(|cell| cell.job.depth).is_some_and(falls);
        let job = Job { stop: Stop::after(self.times.step), ..most.job.clone() };
        if !has_fallen || !self.spend_spare(self.times.step) {
            return Ok(());
        }
        let what = Message::from_text(job.name.as_str());
        self.measure_cell(&job, CellRole::Ladder, Again { what })
    }

    /// Measures the points of curves among the cells from `begun` on again that others disturbed,
    /// once each, as far as there is time.
    fn repeat_disturbed_rungs(&mut self, begun: usize) -> HaltResult {
        for place in begun..self.session.cells.len() {
            let cell = &self.session.cells[place];
            let is_rung = matches!(cell.role, CellRole::Main | CellRole::Ladder)
                && cell.job.access == Access::Random
                && analysis::is_disturbed(cell, Some(&self.session.facts.info));
            let (job, role) = (cell.job.clone(), cell.role);
            if !is_rung || !self.spend_spare(job.stop.time.unwrap_or(self.times.step)) {
                continue;
            }
            let before = self.session.cells.len();
            let what = Message::from_text(job.name.as_str());
            let result = self.measure_cell(&job, role, Again { what });
            self.session.replace_cells(place..place + 1, before);
            result?;
        }
        Ok(())
    }

    /// Where more depth gave no more: larger operations at the shallowest depth of the plateau, and
    /// long cells deeper in it, as far as there is time. A cap on operations shows in that larger
    /// ones are as many, and in how even it is over seconds. Deeper in it a device of little noise
    /// is as even.
    fn measure_cap(&mut self, base: &Job, mix: Mix, begun: usize) -> HaltResult {
        let points = self.session.cells[begun..].iter().filter(|cell| is_undisturbed_point(cell));
        let depth = find_plateau(points);
        let Some(depth) = depth.filter(|_| self.times.look > Nanos::ZERO) else {
            return Ok(());
        };
        let size = Bytes(base.block_size.0 * CONTRAST_FACTOR);
        let (step, look) = (self.times.step, self.times.look);
        if self.spend_spare(step) {
            let job = Job { mix, block_size: size, ..base.clone() };
            self.measure_plateau(&job, CellRole::Contrast, depth, step)?;
        }
        let job = Job { mix, ..base.clone() };
        let first = self.session.cells.len();
        // Once more where a busy host spoiled one of them.
        for depth in [depth, 2 * depth, 4 * depth].into_iter().cycle().take(2 * CAP_CELLS) {
            if count_agreeing(&self.session.cells[first..]) >= CAP_CELLS || !self.spend_spare(look)
            {
                break;
            }
            self.measure_plateau(&job, CellRole::Ladder, depth, look)?;
        }
        Ok(())
    }

    fn measure_plateau(
        &mut self,
        job: &Job,
        role: CellRole,
        depth: u32,
        time: Nanos,
    ) -> HaltResult {
        let (name, workload) = analysis::curve_name(&Access::Random, job.mix, job.block_size);
        let job = Job {
            name: format!("{name}-qd{depth}"),
            depth: Depth(depth),
            stop: Stop::after(time),
            ..job.clone()
        };
        let before = self.session.cells.len();
        let what = AtDepth { workload, depth: Depth(depth) }.into();
        let result = self.measure_cell(&job, role, ForCap { what });
        let info = &self.session.facts.info;
        let newest = self.session.cells[before..].iter_mut();
        newest.filter(|cell| analysis::is_disturbed(cell, Some(info))).for_each(|cell| {
            cell.role = CellRole::Disturbed;
        });
        result
    }

    fn spend_spare(&mut self, time: Nanos) -> bool {
        let cost = time.0 + self.times.warm_up.0;
        let enough = self.spare.0 >= cost;
        if enough {
            self.spare.0 -= cost;
        }
        enough
    }

    /// Random reads at a depth that saturates go on until a burst has ended and what comes after it
    /// is certain, or until the time for that is up. Reads, because clouds count them with writes,
    /// and they wear nothing.
    fn run_soak(&mut self, base: &Job) -> HaltResult {
        let Some(longest) = self.until_throttled else { return Ok(()) };
        let (name, workload) = analysis::curve_name(&Access::Random, Mix::Read, base.block_size);
        let job = Job {
            name: format!("{name}-until-throttled"),
            depth: self.on_each(SOAK_DEPTH),
            interval: SOAK_INTERVAL,
            stop: Stop::after(longest),
            ..base.clone()
        };
        let what = AtDepth { workload, depth: job.depth }.into();
        let what = UntilThrottled { what }.into();
        self.session.measure_soak(&job, &what, &mut analysis::has_burst_ended)
    }

    /// A part of the sequential reads or writes: the rate of one moment is not that of the run.
    fn visit_stream(&mut self, base: &Job, mix: Mix) -> HaltResult {
        let verb = if mix == Mix::Read { "read" } else { "write" };
        let name = format!("seq{verb}-1m");
        let visits = self.session.cells.iter().filter(|cell| cell.name.starts_with(&name));
        let moved = visits.map(|cell| cell.ledger.read_bytes.0 + cell.ledger.write_bytes.0).sum();
        let job = Job {
            name,
            access: Access::Sequential,
            mix,
            block_size: STREAM_BLOCK,
            depth: self.on_each(SEQUENTIAL_DEPTH),
            span: skip_visited(base.span, moved),
            stop: Stop::after(Nanos(self.times.sequential.0 / TimeBudget::STREAM_VISITS)),
            ..base.clone()
        };
        let workload = analysis::curve_name(&job.access, job.mix, job.block_size).1;
        self.measure_cell(&job, CellRole::Main, workload)
    }

    /// Writes at random until five rounds agree, in a thorough check, within bounds of time and
    /// volume.
    fn measure_rounds(&mut self, base: &Job) -> HaltResult {
        let mut rates: Vec<f64> = Vec::new();
        let most = self.session.facts.span.length.0.saturating_mul(ROUND_SPANS);
        let mut written = 0;
        for round in 1..=self.times.rounds {
            let job = Job {
                name: format!("randwrite-{}-round-{round}", base.block_size.to_compact()),
                mix: Mix::Write,
                depth: self.on_each(ROUND_DEPTH),
                warm_up: Nanos::ZERO,
                stop: Stop::after(self.times.round),
                ..base.clone()
            };
            let before = self.session.cells.len();
            self.measure_cell(&job, CellRole::Round, Rounds { round })?;
            if let Some(cell) = self.session.cells.get(before) {
                rates.push(cell.iops());
                written += cell.ledger.write_bytes.0;
            }
            let steady =
                rates.last_chunk::<5>().is_some_and(|last| check_five_rounds(*last).steady);
            if steady || (rates.len() >= 5 && written >= most) {
                break;
            }
        }
        Ok(())
    }

    fn measure_commits(&mut self, base: &Job) -> HaltResult {
        let job = Job {
            name: format!("syncwrite-{}", base.block_size.to_compact()),
            access: Access::Sequential,
            mix: Mix::Write,
            sync: Some(SyncPolicy { kind: SyncKind::Fdatasync, every: 1 }),
            stop: Stop::after(self.times.sync),
            // A client that waits for each call: plain system calls, as databases make them.
            backend: self.session.call_backend(),
            ..base.clone()
        };
        let size = base.block_size.to_compact();
        self.measure_cell(&job, CellRole::Main, Commits { size })
    }

    fn repeat_reference(&mut self, base: &Job) -> HaltResult {
        let (name, workload) = analysis::curve_name(&Access::Random, Mix::Read, base.block_size);
        let job = Job {
            name: format!("{name}-qd{}-repeat", base.depth),
            stop: Stop::after(self.times.repeat),
            ..base.clone()
        };
        let at = |depth| AtDepth { workload: workload.clone(), depth }.into();
        self.measure_cell(&job, CellRole::Repeat, Again { what: at(base.depth) })?;
        // What a baseline above the rate of depth 1 takes away shows at the depth of the most.
        let reads = |cell: &&Cell| cell.role == CellRole::Ladder && cell.job.mix == Mix::Read;
        let most = self.session.cells.iter().filter(reads);
        let most = most.max_by(|a, b| a.iops().total_cmp(&b.iops())).map(|cell| cell.job.depth);
        // Where the first has drifted, whether something paces the disk now takes some seconds to
        // see.
        let drifted = analysis::has_drifted(&self.session.cells);
        let Some(depth) = most else {
            return Ok(());
        };
        let time = self.times.repeat.max(if drifted { REPEAT_TIME } else { Nanos::ZERO });
        let stop = Stop::after(time);
        let job = Job { name: format!("{name}-qd{depth}-repeat"), depth, stop, ..job };
        self.measure_cell(&job, CellRole::Repeat, Again { what: at(depth) })
    }
}

/// The part of a span after what was read of it before, as long as enough of it is left: a cache
/// may hold the rest.
fn skip_visited(span: Span, moved: u64) -> Span {
    let skipped = moved % span.length.0.max(1) / STREAM_BLOCK.0 * STREAM_BLOCK.0;
    if skipped > span.length.0 / 4 * 3 {
        return span;
    }
    Span { offset: Bytes(span.offset.0 + skipped), length: Bytes(span.length.0 - skipped) }
}

fn count_agreeing(cells: &[Cell]) -> usize {
    let quiet = || cells.iter().filter(|cell| cell.role != CellRole::Disturbed);
    let most = quiet().map(Cell::iops).fold(0.0, f64::max);
    quiet().filter(|cell| cell.iops() >= AGREEMENT_MIN * most).count()
}

/// Whether a cell is a point of a curve that others did not disturb.
fn is_undisturbed_point(cell: &Cell) -> bool {
    cell.job.access == Access::Random && cell.role != CellRole::Disturbed
}

/// The shallowest depth of a plateau: where twice the depth and more gave no more; `None` where
/// operations rose to the end.
fn find_plateau<'c>(cells: impl Iterator<Item = &'c Cell> + Clone) -> Option<u32> {
    let most = cells.clone().map(Cell::iops).fold(0.0, f64::max);
    let deepest = cells.clone().map(|cell| cell.job.depth.0).max()?;
    let flat = cells.filter(|cell| cell.iops() * analysis::RISE_MIN >= most);
    let shallowest = flat.map(|cell| cell.job.depth.0).min()?;
    (shallowest <= deepest / 2).then_some(shallowest)
}
