//! A preset while it goes: step after step, pass after pass.

use engine::StopSignal;
use message::{Message, label};
use record::{CellRole, Plan, Purpose, Record, StepCell, StepWork};
use stats::check_five_rounds;
use target::{PathHandle, Roots, drop_file_cache, set_direct_io};
use units::{Bytes, Nanos, Ratio};
use workload::{BackendChoice, Job};

use super::departures::{
    NoFreshFile, NoWholeSector, OtherSize, ShorterTimes, StepAgain, TooSmallForSurface,
};
use super::plan::{FLUSH_TRIAL_TIME, JobTemplate, Preset, PresetRequest, Step};
use crate::defaults::REPORT_RESERVE;
use crate::error::{Halt, HaltResult, MethodError, refuse};
use crate::metadata::{MetadataRequest, metadata};
use crate::observer::Observer;
use crate::phase::{Again, Pass, WarmingUp};
use crate::request::{LayoutBudget, MeasureRequest};
use crate::session::Session;
use crate::surface::{SurfacePlan, measure_surface};
use crate::truth_probe::{FreshSpan, probe_flush};

/// The shortest time that a job or a slice of a surface may be shortened to.
const MEASUREMENT_MIN: Nanos = Nanos::millis(50);
const LAYOUT_DIVISOR: u64 = 4;
const SUSPECTS_MAX: usize = 3;

pub fn preset(
    request: &PresetRequest,
    roots: &Roots,
    stop: &StopSignal,
    observer: &mut dyn Observer,
) -> Result<Record, MethodError> {
    if let Some(plan) = request.preset.small_files() {
        let (ask, budget) = (request.ask.clone(), request.budget);
        let small = MetadataRequest { ask, plan: plan.clone(), budget };
        return metadata(&small, roots, stop, observer);
    }
    let (preset, ask) = fit_request(request)?;
    let time = preset.time_max();
    let layout = layout_time_max(&preset, &ask, request.budget);
    let repeats = request.budget.map_or(preset.repeat_time(), |_| Nanos::ZERO);
    let around = layout.0.saturating_add(repeats.0).saturating_add(REPORT_RESERVE.0);
    let budget = Nanos(time.0.saturating_add(around));
    let room = LayoutBudget {
        block_sizes: aligned_sizes(&preset),
        size: preset.plan.size,
        layout,
        budget,
        measures_writes: preset.has_writes(),
        known_writes: None,
        name: Some(preset.plan.name.clone()),
    };
    let handle = PathHandle::open(&ask.path)?;
    let mut session = Session::open_on(&ask, &handle, &room, roots, stop, observer)?;
    let mut departures = Vec::new();
    session.run_steps(|session| {
        let budget = session.elapsed().0.saturating_add(time.0).saturating_add(repeats.0);
        session.clock.budget = Nanos(budget);
        measure_preset(session, &preset, repeats, &mut departures)
    })?;
    let plan = build_plan(preset, &ask, departures, budget);
    Ok(session.finish(&ask, plan))
}

pub(crate) fn build_plan(
    preset: Preset,
    ask: &MeasureRequest,
    departures: Vec<Message>,
    budget: Nanos,
) -> Plan {
    let mut plan = preset.plan;
    plan.departures.extend(departures);
    ask.plan(Purpose::Preset(Box::new(plan)), &[], budget)
}

/// The preset and the request as this run can have them: what only reads needs no leave to write,
/// what may not write leaves that out, what has less time is shortened.
fn fit_request(request: &PresetRequest) -> Result<(Preset, MeasureRequest), MethodError> {
    let (mut preset, mut ask) = (request.preset.clone(), request.ask.clone());
    let folder = std::fs::metadata(&ask.path).is_ok_and(|metadata| metadata.is_dir());
    if !folder && !preset.has_writes() && ask.destroy_data_on.is_none() {
        ask.read_only = true;
    }
    if ask.read_only {
        let name = preset.plan.name.clone();
        preset = preset.without_writes().ok_or_else(|| {
            let what =
                format!("every step of the preset '{name}' writes, but --read-only forbids it");
            MethodError::invalid_request(what, "leave --read-only out")
        })?;
    }
    if let Some(budget) = request.budget {
        let layout = layout_time_max(&preset, &ask, Some(budget));
        let laid_out = layout_time_max(&preset, &ask, None);
        preset = fit_to_budget(preset, budget, layout, laid_out)?;
    }
    Ok((preset, ask))
}

fn layout_time_max(preset: &Preset, ask: &MeasureRequest, budget: Option<Nanos>) -> Nanos {
    if ask.read_only {
        return Nanos::ZERO;
    }
    let time = Preset::layout_time(ask.size.unwrap_or(preset.plan.size));
    budget.map_or(time, |budget| time.min(Nanos(budget.0 / LAYOUT_DIVISOR)))
}

fn fit_to_budget(
    preset: Preset,
    budget: Nanos,
    layout: Nanos,
    laid_out: Nanos,
) -> Result<Preset, MethodError> {
    let time = preset.time_max();
    let left = Nanos(budget.0.saturating_sub(layout.0).saturating_sub(REPORT_RESERVE.0));
    if left >= time {
        return Ok(preset);
    }
    let share = left.0 as f64 / time.0.max(1) as f64;
    let shortest =
        preset.steps.iter().filter_map(Step::shortest_measurement).min().unwrap_or(MEASUREMENT_MIN);
    if (shortest.0 as f64 * share) < MEASUREMENT_MIN.0.min(shortest.0) as f64 {
        let what = format!(
            "the preset '{}' takes {time}; in {budget} its shortest step would be below \
             {MEASUREMENT_MIN}",
            preset.plan.name
        );
        let least =
            time.0 as f64 * (MEASUREMENT_MIN.0.min(shortest.0) as f64 / shortest.0.max(1) as f64);
        let least = least + REPORT_RESERVE.0 as f64;
        let least = least + (laid_out.0 as f64).min(least / (LAYOUT_DIVISOR - 1) as f64);
        let hint = format!("give more time: --budget {:.0}s", (least / 1e9).ceil());
        return refuse(what, hint);
    }
    let mut preset = preset.with_scaled_times(share);
    preset.plan.departures.push(ShorterTimes { share: Ratio(share), budget }.into());
    Ok(preset)
}

fn aligned_sizes(preset: &Preset) -> Vec<Bytes> {
    let direct = preset.steps.iter().filter(|step| step.plan.direct && !step.plan.skips_unaligned);
    let mut sizes: Vec<Bytes> = direct
        .flat_map(|step| &step.jobs)
        .flat_map(|shape| {
            let (least, most) = shape.job.sizes.bounds(shape.job.block_size);
            [least, most]
        })
        .collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Measures the steps; passes that others disturb again for up to `repeats`.
pub(crate) fn measure_preset(
    session: &mut Session<'_>,
    preset: &Preset,
    repeats: Nanos,
    departures: &mut Vec<Message>,
) -> HaltResult {
    let mut run = PresetRun { session, departures, repeats };
    run.note_size_departure(preset);
    // What does not fit is refused before anything is measured.
    let steps: Vec<Step> =
        preset.steps.iter().filter(|step| !run.skip_unaligned(step)).cloned().collect();
    for step in steps.iter().filter(|step| step.plan.fresh.is_none()) {
        run.build_jobs(step)?;
    }
    let same = |a: &Step, b: &Step| a.plan.group.is_some() && a.plan.group == b.plan.group;
    let mut groups = steps.chunk_by(same).peekable();
    while let Some(group) = groups.next() {
        run.run_group(group)?;
        // After the last there is nothing to rest for.
        if let (Some(last), Some(_)) = (group.last(), groups.peek()) {
            run.pause_target(last.plan.rest);
        }
    }
    if preset.has_syncs() {
        // What commits are worth where a flush does nothing, a finding says.
        let base = run.session.base_job();
        probe_flush(run.session, &base, FLUSH_TRIAL_TIME.min(Nanos(preset.time_max().0 / 10)))?;
    }
    Ok(())
}

struct PresetRun<'run, 'session> {
    session: &'run mut Session<'session>,
    departures: &'run mut Vec<Message>,
    /// Time left for passes that others disturbed.
    repeats: Nanos,
}

impl PresetRun<'_, '_> {
    fn add_departure(&mut self, departure: impl Into<Message>) {
        let departure = departure.into();
        if !self.departures.contains(&departure) {
            self.departures.push(departure);
        }
    }

    fn note_size_departure(&mut self, preset: &Preset) {
        let (wanted, size) = (preset.plan.size, self.session.facts.span.length);
        if self.session.facts.layout.is_some() && size != wanted {
            self.add_departure(OtherSize { size, wanted });
        }
    }

    fn skip_unaligned(&mut self, step: &Step) -> bool {
        if !step.plan.skips_unaligned || !step.plan.direct {
            return false;
        }
        let sector = self.session.opened().map_or(Bytes(1), |opened| opened.offset_align);
        let sizes = step.jobs.iter().map(|shape| shape.job.block_size);
        let odd: Vec<Bytes> = sizes.filter(|size| size.0 % sector.0.max(1) != 0).collect();
        let Some(size) = odd.first() else { return false };
        self.add_departure(NoWholeSector { step: step.plan.name.clone(), size: *size, sector });
        true
    }

    /// The passes of steps that take turns; of one step, if it has no group.
    fn run_group(&mut self, steps: &[Step]) -> HaltResult {
        let Some(first) = steps.first() else { return Ok(()) };
        let (discarded, passes) = (first.plan.discarded, first.plan.passes);
        for number in 1..=discarded + passes {
            for step in steps {
                let (pass, counts) = match number.checked_sub(discarded) {
                    Some(pass) if pass > 0 => (pass, true),
                    _ => (number, false),
                };
                let words = match discarded + passes {
                    1 => step.plan.label.clone(),
                    _ if counts => Pass { step: step.plan.label.clone(), pass, passes }.into(),
                    _ => WarmingUp { step: step.plan.label.clone() }.into(),
                };
                let (step_name, job) = (step.plan.name.clone(), String::new());
                let cell = StepCell { step: step_name, job, pass, discarded: !counts };
                let begun = self.session.cells.len();
                self.run_pass(step, &cell, &words)?;
                self.repeat_disturbed_pass(step, &cell, begun)?;
                self.pause_target(step.plan.pause);
            }
            if number >= discarded && self.is_steady(steps) {
                break;
            }
        }
        Ok(())
    }

    /// Runs a pass once more whose cells, those from `begun` on, others disturbed.
    fn repeat_disturbed_pass(&mut self, step: &Step, cell: &StepCell, begun: usize) -> HaltResult {
        let is_disturbed = self.session.is_disturbed_since(begun);
        // Below a bound on what is written, each write is one that a later pass lacks.
        let is_bounded = step.writes() && self.session.write_budget.is_some();
        let is_surface = matches!(step.plan.work, StepWork::Surface { .. });
        let (time, end) = (step.pass_time(), self.session.cells.len());
        let is_too_long = self.repeats < time;
        if cell.discarded || !is_disturbed || is_bounded || is_surface || is_too_long {
            return Ok(());
        }
        self.repeats.0 -= time.0;
        self.pause_target(step.plan.pause);
        let words = Again { what: step.plan.label.clone() }.into();
        let result = self.run_pass(step, cell, &words);
        self.session.replace_cells(begun..end, end);
        result
    }

    fn is_steady(&self, steps: &[Step]) -> bool {
        let mut awaited = steps.iter().filter(|step| step.plan.until_steady).peekable();
        awaited.peek().is_some()
            && awaited.all(|step| {
                let rates = analysis::pass_rates(&self.session.cells, &step.plan.name);
                rates.last_chunk::<5>().is_some_and(|last| check_five_rounds(*last).steady)
            })
    }

    /// Runs a step once; `cell` says which pass it is, without the name of a job.
    fn run_pass(&mut self, step: &Step, cell: &StepCell, words: &Message) -> HaltResult {
        self.settle_target(step)?;
        if let StepWork::Surface { places, slice, access } = step.plan.work {
            let (block, depth) = step.stream;
            let plan = SurfacePlan { places, slice, block, depth, access, suspects: SUSPECTS_MAX };
            return self.run_surface(&plan, cell);
        }
        let Some(length) = step.plan.fresh else { return self.run_jobs(step, cell, words) };
        let Some(fresh) = FreshSpan::find(self.session, length) else {
            self.add_departure(NoFreshFile { step: step.plan.name.clone() });
            return self.run_jobs(step, cell, words);
        };
        let (departures, repeats) = (&mut *self.departures, self.repeats);
        let measured = self.session.facts.span;
        let span = fresh.span;
        fresh.measure_on(self.session, |session| {
            session.facts.span = span;
            let result = PresetRun { session, departures, repeats }.run_jobs(step, cell, words);
            session.facts.span = measured;
            result
        })
    }

    /// Where nothing completed in the time of the step, once more: meanwhile all of its requests
    /// came back, and what they waited for, such as a full cache, is over.
    fn run_jobs(&mut self, step: &Step, cell: &StepCell, words: &Message) -> HaltResult {
        let before = self.session.cells.len();
        self.run_jobs_once(step, cell, words)?;
        if self.session.cells.len() > before {
            return Ok(());
        }
        if !self.session.has_write_shortfall() {
            self.add_departure(StepAgain { step: step.plan.name.clone() });
            self.run_jobs_once(step, cell, words)?;
        }
        match self.session.cells.len() > before {
            true => Ok(()),
            false => Err(self.session.end_without_completions(words)),
        }
    }

    fn run_jobs_once(&mut self, step: &Step, cell: &StepCell, words: &Message) -> HaltResult {
        let jobs = self.build_jobs(step)?;
        if step.plan.cache_dropped
            && let Some(opened) = self.session.opened()
        {
            drop_file_cache(&opened.file);
        }
        let before = self.session.cells.len();
        self.set_direct_io(step, false, "let pass through the page cache")?;
        self.session.set_end_sync(step.plan.end_sync);
        let result = if self.session.opened().is_none() {
            // A simulated device has one clock: one job after the other.
            let mut alone = jobs.chunks(1);
            alone.try_for_each(|job| self.session.measure_cell(job, CellRole::Step, words))
        } else {
            self.session.measure_cell(&jobs, CellRole::Step, words)
        };
        self.session.set_end_sync(None);
        self.disable_cache(step)?;
        if let Err(Halt::Failed(_)) = result {
            return result;
        }
        let measured = &mut self.session.cells[before..];
        for (shape, found) in step.jobs.iter().zip(measured.iter_mut()) {
            found.step = Some(StepCell { job: shape.name.clone(), ..cell.clone() });
        }
        result
    }

    fn build_jobs(&mut self, step: &Step) -> Result<Vec<Job>, MethodError> {
        let base = self.session.base_job();
        if step.plan.direct && !base.direct {
            self.add_departure(label("preset-no-direct-io"));
        }
        let shaped = |shape: &JobTemplate| {
            let job = shape.instantiate(self.session.facts.span)?;
            let name = match step.jobs.len() {
                1 => step.plan.name.clone(),
                _ => format!("{}-{}", step.plan.name, shape.name),
            };
            // A simulated device has one way in only.
            let simulated = self.session.opened().is_none();
            let backend = if simulated { BackendChoice::Auto } else { job.backend };
            let direct = step.plan.direct && base.direct;
            Ok(Job { name, direct, backend, seed: base.seed, ..job })
        };
        step.jobs.iter().map(shaped).collect()
    }

    /// Sends what a step left in the page cache to the disk, so that the next one does not meet it,
    /// and switches direct I/O on again.
    fn disable_cache(&mut self, step: &Step) -> Result<(), MethodError> {
        let writes = step.writes() && !step.plan.direct;
        if writes && let Some(opened) = self.session.opened() {
            let synced = opened.file.sync_data();
            synced.map_err(|source| self.io_error("sync", source))?;
        }
        self.set_direct_io(step, true, "bypass the page cache of")
    }

    fn set_direct_io(
        &self,
        step: &Step,
        direct: bool,
        attempt: &'static str,
    ) -> Result<(), MethodError> {
        if step.plan.direct || !self.session.facts.direct {
            return Ok(());
        }
        let Some(opened) = self.session.opened() else { return Ok(()) };
        set_direct_io(&opened.file, direct).map_err(|source| self.io_error(attempt, source))
    }

    fn io_error(&self, attempt: &'static str, source: std::io::Error) -> MethodError {
        let path = std::path::PathBuf::from(&self.session.facts.info.path);
        target::TargetError::Io { attempt, path, source }.into()
    }

    fn run_surface(&mut self, plan: &SurfacePlan, cell: &StepCell) -> HaltResult {
        let before = self.session.cells.len();
        let result = measure_surface(self.session, &self.session.base_job(), plan);
        let places = &mut self.session.cells[before..];
        if places.is_empty() && result.is_ok() {
            let places = plan.places;
            self.add_departure(TooSmallForSurface { places });
            return Ok(());
        }
        let job = "surface".to_owned();
        let cell = StepCell { job, ..cell.clone() };
        places.iter_mut().for_each(|place| place.step = Some(cell.clone()));
        result
    }

    fn settle_target(&mut self, step: &Step) -> Result<(), MethodError> {
        if step.plan.settle != Nanos::ZERO
            && let Some(opened) = self.session.opened()
        {
            opened.file.sync_all().map_err(|source| self.io_error("sync", source))?;
        }
        self.pause_target(step.plan.settle);
        Ok(())
    }

    fn pause_target(&mut self, pause: Nanos) {
        if pause == Nanos::ZERO {
            return;
        }
        self.session.observer.on_phase(&label("progress-pause"), self.session.clock.share_used());
        self.session.pause(pause);
    }
}
