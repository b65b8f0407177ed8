//! A preset while it goes: step after step, pass after pass.

use std::time::{Duration, Instant};

use engine::StopFlag;
use record::{CellRole, Plan, Purpose, Record, StepCell, StepWork};
use stats::five_rounds;
use target::{Roots, bypass_cache, drop_cache};
use units::{Bytes, Nanos};
use workload::{BackendChoice, Job};

use super::{FLUSHES, Preset, PresetRequest, Step};
use crate::error::MethodError;
use crate::metadata::{MetadataRequest, metadata};
use crate::stage::{Ask, Flow, Room, Stage};
use crate::surface::{SurfacePlan, surface};
use crate::trial::{Fresh, flushes};
use crate::{RESERVE, Watch};

/// The shortest time that a job or a slice of a surface may be shortened to.
const SHORTEST: Nanos = Nanos::millis(50);
/// Of a budget, what laying out may take.
const LAYOUT_SHARE: u64 = 4;
/// A pause is looked at so often, so that a signal ends it.
const NAP: Duration = Duration::from_millis(20);
/// Weak places of a surface that are read again, at most.
const SUSPECTS: usize = 3;

/// Measures what a preset asks.
///
/// # Errors
/// When the target is wrong, writing is refused, or the budget is too short.
pub fn preset(
    request: &PresetRequest,
    roots: &Roots,
    stop: &StopFlag,
    watch: &mut dyn Watch,
) -> Result<Record, MethodError> {
    if let Some(plan) = request.preset.small_files() {
        let (ask, budget) = (request.ask.clone(), request.budget);
        let small = MetadataRequest { ask, plan: plan.clone(), budget };
        return metadata(&small, roots, stop, watch);
    }
    let (preset, ask) = fitted(request)?;
    let time = preset.time();
    let layout = layout_time(&preset, &ask, request.budget);
    let budget = Nanos(time.0.saturating_add(layout.0).saturating_add(RESERVE.0));
    let block_sizes = aligned_sizes(&preset);
    let size = preset.plan.size;
    let name = preset.plan.name.clone();
    let room = Room {
        block_sizes: &block_sizes,
        size,
        layout,
        budget,
        measures_writes: preset.writes(),
        name: Some(&name),
    };
    let (mut stage, flow) = Stage::set(&ask, room, roots, stop, watch)?;
    let departures = match flow {
        Flow::GoOn => {
            stage.budget = Nanos(stage.used().0.saturating_add(time.0));
            measure(&mut stage, &preset)?
        }
        Flow::End => Vec::new(),
    };
    let plan = planned(preset, &ask, stage.span.length, departures, budget);
    Ok(stage.finish(&ask, plan))
}

/// The plan of the record.
pub(super) fn planned(
    preset: Preset,
    ask: &Ask,
    span: Bytes,
    departures: Vec<String>,
    budget: Nanos,
) -> Plan {
    let mut plan = preset.plan;
    plan.departures.extend(departures);
    Plan {
        purpose: Purpose::Preset(Box::new(plan)),
        budget,
        bounds: Vec::new(),
        read_only: ask.read_only,
        span,
        seed: ask.seed,
    }
}

/// The preset and the request as this run can have them: what only reads needs no leave to write,
/// what may not write leaves that out, what has less time is shortened.
fn fitted(request: &PresetRequest) -> Result<(Preset, Ask), MethodError> {
    let (mut preset, mut ask) = (request.preset.clone(), request.ask.clone());
    let folder = std::fs::metadata(&ask.path).is_ok_and(|metadata| metadata.is_dir());
    if !folder && !preset.writes() && ask.destroy.is_none() {
        ask.read_only = true;
    }
    if ask.read_only {
        let name = preset.plan.name.clone();
        preset = preset.only_reading().ok_or_else(|| {
            MethodError::WritesForbidden(format!("every step of the preset '{name}'"))
        })?;
    }
    if let Some(budget) = request.budget {
        let layout = layout_time(&preset, &ask, Some(budget));
        let laid_out = layout_time(&preset, &ask, None);
        preset = shortened(preset, budget, layout, laid_out)?;
    }
    Ok((preset, ask))
}

/// How long laying out may take.
fn layout_time(preset: &Preset, ask: &Ask, budget: Option<Nanos>) -> Nanos {
    if ask.read_only {
        return Nanos::ZERO;
    }
    let time = Preset::layout_time(ask.size.unwrap_or(preset.plan.size));
    budget.map_or(time, |budget| time.min(Nanos(budget.0 / LAYOUT_SHARE)))
}

/// The same within a budget, of which `layout` goes to the file; without one, `laid_out` would.
fn shortened(
    preset: Preset,
    budget: Nanos,
    layout: Nanos,
    laid_out: Nanos,
) -> Result<Preset, MethodError> {
    let time = preset.time();
    let left = Nanos(budget.0.saturating_sub(layout.0).saturating_sub(RESERVE.0));
    if left >= time {
        return Ok(preset);
    }
    let share = left.0 as f64 / time.0.max(1) as f64;
    let shortest = preset.steps.iter().filter_map(Step::shortest).min().unwrap_or(SHORTEST);
    if (shortest.0 as f64 * share) < SHORTEST.0.min(shortest.0) as f64 {
        let what = format!(
            "the preset '{}' takes {time}; in {budget} its shortest step would be below {SHORTEST}",
            preset.plan.name
        );
        let least = time.0 as f64 * (SHORTEST.0.min(shortest.0) as f64 / shortest.0.max(1) as f64);
        let least = least + RESERVE.0 as f64;
        let least = least + (laid_out.0 as f64).min(least / (LAYOUT_SHARE - 1) as f64);
        let hint = format!("give more time: --budget {:.0}s", (least / 1e9).ceil());
        return Err(MethodError::request(what, hint));
    }
    let mut preset = preset.shortened(share);
    let percent = units::Ratio(share);
    let words = format!("all times are {percent} of the preset's, to end within {budget}");
    preset.plan.departures.push(words);
    Ok(preset)
}

/// The sizes that must be whole sectors: those of direct I/O.
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

/// Measures on a stage that is ready; in what this departs from the preset.
pub(super) fn measure(stage: &mut Stage<'_>, preset: &Preset) -> Result<Vec<String>, MethodError> {
    let mut run = Run { stage, departures: Vec::new() };
    run.size(preset);
    // What does not fit is refused before anything is measured.
    let steps: Vec<Step> =
        preset.steps.iter().filter(|step| !run.is_skipped(step)).cloned().collect();
    for step in steps.iter().filter(|step| step.plan.fresh.is_none()) {
        run.shaped(step)?;
    }
    let same = |a: &Step, b: &Step| a.plan.group.is_some() && a.plan.group == b.plan.group;
    let mut flow = Flow::GoOn;
    let mut groups = steps.chunk_by(same).peekable();
    while let Some(group) = groups.next() {
        flow = run.group(group)?;
        if flow == Flow::End {
            break;
        }
        // After the last there is nothing to rest for.
        if let (Some(last), Some(_)) = (group.last(), groups.peek()) {
            run.pause(last.plan.rest);
        }
    }
    if flow == Flow::GoOn && preset.syncs() {
        // What commits are worth where a flush does nothing, a finding says.
        let base = run.stage.base_job();
        flushes(run.stage, &base, FLUSHES.min(Nanos(preset.time().0 / 10)))?;
    }
    Ok(run.departures)
}

/// A preset while it goes.
struct Run<'run, 'stage> {
    stage: &'run mut Stage<'stage>,
    departures: Vec<String>,
}

impl Run<'_, '_> {
    fn depart(&mut self, words: String) {
        if !self.departures.contains(&words) {
            self.departures.push(words);
        }
    }

    /// A file of our own that is not of the preset's size.
    fn size(&mut self, preset: &Preset) {
        let (wanted, got) = (preset.plan.size, self.stage.span.length);
        if self.stage.layout.is_some() && got != wanted {
            self.depart(format!("the test file has {got} instead of {wanted}"));
        }
    }

    /// Whether a step is left out because its blocks are no whole sectors of this target.
    fn is_skipped(&mut self, step: &Step) -> bool {
        if !step.plan.skips_unaligned || !step.plan.direct {
            return false;
        }
        let sector = self.stage.opened().map_or(Bytes(1), |opened| opened.offset_align);
        let sizes = step.jobs.iter().map(|shape| shape.job.block_size);
        let odd: Vec<Bytes> = sizes.filter(|size| size.0 % sector.0.max(1) != 0).collect();
        let Some(size) = odd.first() else { return false };
        let name = &step.plan.name;
        self.depart(format!("'{name}' is left out: {size} is no whole sector of {sector}"));
        true
    }

    /// The passes of steps that take turns; of one step, if it has no group.
    fn group(&mut self, steps: &[Step]) -> Result<Flow, MethodError> {
        let Some(first) = steps.first() else { return Ok(Flow::GoOn) };
        let (discarded, passes) = (first.plan.discarded, first.plan.passes);
        for number in 1..=discarded + passes {
            for step in steps {
                let (pass, counts) = match number.checked_sub(discarded) {
                    Some(pass) if pass > 0 => (pass, true),
                    _ => (number, false),
                };
                let words = match discarded + passes {
                    1 => step.plan.label.clone(),
                    _ if counts => format!("{}, pass {pass} of {passes}", step.plan.label),
                    _ => format!("{}, warming up", step.plan.label),
                };
                let cell = |job: &str| StepCell {
                    step: step.plan.name.clone(),
                    job: job.to_owned(),
                    pass,
                    discarded: !counts,
                };
                if self.pass(step, &cell, &words)? == Flow::End {
                    return Ok(Flow::End);
                }
                self.pause(step.plan.pause);
            }
            if number >= discarded && self.is_steady(steps) {
                break;
            }
        }
        Ok(Flow::GoOn)
    }

    /// Whether all of the steps that are to become steady are; `false` where none is to.
    fn is_steady(&self, steps: &[Step]) -> bool {
        let mut awaited = steps.iter().filter(|step| step.plan.until_steady).peekable();
        awaited.peek().is_some()
            && awaited.all(|step| {
                let rates = analysis::pass_rates(&self.stage.cells, &step.plan.name);
                rates.last_chunk::<5>().is_some_and(|last| five_rounds(*last).steady)
            })
    }

    fn pass(
        &mut self,
        step: &Step,
        cell: &dyn Fn(&str) -> StepCell,
        words: &str,
    ) -> Result<Flow, MethodError> {
        self.settle(step)?;
        if let StepWork::Surface { places, slice, access } = step.plan.work {
            let (block, depth) = step.stream;
            let plan = SurfacePlan { places, slice, block, depth, access, suspects: SUSPECTS };
            return self.surface(&plan, cell);
        }
        let Some(length) = step.plan.fresh else { return self.jobs(step, cell, words) };
        let Some(fresh) = Fresh::find(self.stage, length) else {
            self.depart(format!(
                "'{}' writes where was written before: there is no room for a fresh file",
                step.plan.name
            ));
            return self.jobs(step, cell, words);
        };
        let departures = &mut self.departures;
        let measured = self.stage.span;
        let span = fresh.span();
        fresh.on(self.stage, |stage| {
            stage.span = span;
            let mut run = Run { stage, departures: std::mem::take(departures) };
            let flow = run.jobs(step, cell, words);
            *departures = run.departures;
            stage.span = measured;
            flow
        })
    }

    /// Runs the jobs of a step beside each other, and keeps their cells.
    fn jobs(
        &mut self,
        step: &Step,
        cell: &dyn Fn(&str) -> StepCell,
        words: &str,
    ) -> Result<Flow, MethodError> {
        let jobs = self.shaped(step)?;
        if step.plan.cache_dropped
            && let Some(opened) = self.stage.opened()
        {
            drop_cache(&opened.file);
        }
        let before = self.stage.cells.len();
        self.through_cache(step)?;
        self.stage.bench.end_sync = step.plan.end_sync;
        let flow = if self.stage.opened().is_none() {
            self.in_turn(&jobs, words)
        } else {
            self.stage.cell(&jobs, CellRole::Step, words)
        };
        self.stage.bench.end_sync = None;
        self.past_cache(step)?;
        let flow = flow?;
        let measured = &mut self.stage.cells[before..];
        for (shape, found) in step.jobs.iter().zip(measured.iter_mut()) {
            found.step = Some(cell(&shape.name));
        }
        if measured.is_empty() && flow == Flow::GoOn {
            self.stage.silent(words);
            return Ok(Flow::End);
        }
        Ok(flow)
    }

    /// Jobs one after the other: on a simulated device, which has one clock.
    fn in_turn(&mut self, jobs: &[Job], words: &str) -> Result<Flow, MethodError> {
        for job in jobs {
            let alone = std::slice::from_ref(job);
            if self.stage.cell(alone, CellRole::Step, words)? == Flow::End {
                return Ok(Flow::End);
            }
        }
        Ok(Flow::GoOn)
    }

    /// The jobs of a step on this target.
    fn shaped(&mut self, step: &Step) -> Result<Vec<Job>, MethodError> {
        let base = self.stage.base_job();
        if step.plan.direct && !base.direct {
            self.depart("this target knows no direct I/O: the page cache is in the way".to_owned());
        }
        let shaped = |shape: &super::JobShape| {
            let job = shape.job(self.stage.span)?;
            let name = match step.jobs.len() {
                1 => step.plan.name.clone(),
                _ => format!("{}-{}", step.plan.name, shape.name),
            };
            // A simulated device has one way in only.
            let simulated = self.stage.opened().is_none();
            let backend = if simulated { BackendChoice::Auto } else { job.backend };
            let direct = step.plan.direct && base.direct;
            Ok(Job { name, direct, backend, seed: base.seed, ..job })
        };
        step.jobs.iter().map(shaped).collect()
    }

    /// Switches direct I/O off for a step that goes through the page cache.
    fn through_cache(&mut self, step: &Step) -> Result<(), MethodError> {
        self.switch(step, false, "let pass through the page cache")
    }

    /// Sends what a step left in the page cache to the disk, so that the next one does not meet it,
    /// and switches direct I/O on again.
    fn past_cache(&mut self, step: &Step) -> Result<(), MethodError> {
        let writes = step.writes() && !step.plan.direct;
        if writes && let Some(opened) = self.stage.opened() {
            let synced = opened.file.sync_data();
            synced.map_err(|source| self.failed("sync", source))?;
        }
        self.switch(step, true, "bypass the page cache of")
    }

    fn switch(&self, step: &Step, direct: bool, attempt: &'static str) -> Result<(), MethodError> {
        if step.plan.direct || !self.stage.direct {
            return Ok(());
        }
        let Some(opened) = self.stage.opened() else { return Ok(()) };
        bypass_cache(&opened.file, direct).map_err(|source| self.failed(attempt, source))
    }

    fn failed(&self, attempt: &'static str, source: std::io::Error) -> MethodError {
        let path = std::path::PathBuf::from(&self.stage.info().path);
        target::TargetError::Io { attempt, path, source }.into()
    }

    /// Reads the surface; the cells of its places say so themselves.
    fn surface(
        &mut self,
        plan: &SurfacePlan,
        cell: &dyn Fn(&str) -> StepCell,
    ) -> Result<Flow, MethodError> {
        let before = self.stage.cells.len();
        let flow = surface(self.stage, &self.stage.base_job(), plan)?;
        let places = &mut self.stage.cells[before..];
        if places.is_empty() && flow == Flow::GoOn {
            let places = plan.places;
            self.depart(format!("the target is too small for {places} places of a surface"));
            return Ok(flow);
        }
        places.iter_mut().for_each(|place| place.step = Some(cell("surface")));
        Ok(flow)
    }

    /// Lets the target end what it has to do for what came before.
    fn settle(&mut self, step: &Step) -> Result<(), MethodError> {
        if step.plan.settle != Nanos::ZERO
            && let Some(opened) = self.stage.opened()
        {
            opened.file.sync_all().map_err(|source| self.failed("sync", source))?;
        }
        self.pause(step.plan.settle);
        Ok(())
    }

    /// Lets the target rest; a simulated one has no time between cells.
    fn pause(&mut self, pause: Nanos) {
        if pause == Nanos::ZERO || self.stage.opened().is_none() {
            return;
        }
        let done = self.stage.done();
        self.stage.watch.phase("pause", done);
        let until = Instant::now() + Duration::from(pause);
        while !self.stage.bench.stop.is_raised() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            std::thread::sleep(left.min(NAP));
        }
    }
}
