//! The search over the speed: how many times a load a target carries within its bounds.

use record::reasons::TimeUp;
use record::{Cell, ReplayLimit};
use stats::search::{Grid, NextStep, Search, SearchLimits};
use units::Nanos;
use workload::Bound;

use super::{Part, Player, SpeedSearch};
use crate::error::HaltResult;
use crate::limit::required_samples;
use crate::record_builder::ended_early;
use crate::session::REPEATS_MAX;

/// The lowest speed that a search tries, as a multiple of the load's own.
const SPEED_MIN: f64 = 1.0 / 32.0;
/// Requests of the slowest probe, as a multiple of what a percentile needs at least: each direction
/// is judged for itself.
const PROBE_SAMPLES: f64 = 4.0;
/// Probes of this time are kept back for the confirmation of each bound.
const CONFIRM_PROBES_KEPT: u64 = 4;
/// Probes that confirm the answer to a bound, at most.
const CONFIRM_PROBES_MAX: u32 = 10;
/// How far above the answer the speed lies that has to break the bound.
const STEP_ABOVE: f64 = 1.05;

impl Player<'_, '_> {
    /// Searches the highest speed that keeps each bound, and confirms it.
    pub(super) fn search_speeds(&mut self, search: &SpeedSearch) -> HaltResult {
        let began = self.session.elapsed().0;
        let until = Nanos(began.saturating_add(search.budget.0));
        let kept = search.probe_max.0 * CONFIRM_PROBES_KEPT * search.bounds.len() as u64;
        let search_until = Nanos(until.0 - kept.min(search.budget.0 / 2));
        let mut prober = Prober { player: self, search, until, repeats: REPEATS_MAX };
        let is_whole = prober.search(search_until)?;
        for bound in &search.bounds {
            prober.confirm(bound)?;
        }
        if is_whole {
            return Ok(());
        }
        self.session.end(ended_early(TimeUp { limit: search.budget }))
    }
}

struct Prober<'a, 'run, 'session> {
    player: &'a mut Player<'run, 'session>,
    search: &'a SpeedSearch,
    /// The end of the budget.
    until: Nanos,
    repeats: u32,
}

impl Prober<'_, '_, '_> {
    /// Whether it came to its end in time.
    fn search(&mut self, until: Nanos) -> HaltResult<bool> {
        let bounds = &self.search.bounds;
        let grid = Grid::rates(self.lowest_speed(), analysis::REPLAY_SPEED_MAX);
        let mut driver = Search::new(grid, bounds.len(), SearchLimits::for_rates());
        while let NextStep::Probe { level, value, length, .. } = driver.next_step() {
            if self.player.session.elapsed() > until {
                return Ok(false);
            }
            let Some(cell) = self.probe(value, length)? else { return Ok(true) };
            driver.add_probe(analysis::judge_probe(&[&cell], bounds, level));
        }
        Ok(true)
    }

    /// Probes the speed of the answer and one above it, until both are sure or the time is up.
    fn confirm(&mut self, bound: &Bound) -> HaltResult {
        for _ in 0..CONFIRM_PROBES_MAX {
            let probe_max = self.search.probe_max.0;
            if self.player.session.elapsed().0.saturating_add(probe_max) > self.until.0 {
                return Ok(());
            }
            let Some(speed) = self.unconfirmed_speed(bound) else { return Ok(()) };
            if self.probe(speed, 1.0)?.is_none() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The speed that needs a further probe.
    fn unconfirmed_speed(&self, bound: &Bound) -> Option<f64> {
        let session = &self.player.session;
        let load = &self.player.load.load;
        let speeds = analysis::ReplaySpeeds::new(&session.cells, load, Some(&session.facts.info));
        let limit = speeds.find_limit(*bound);
        match limit {
            ReplayLimit { confirmed: true, .. } => None,
            ReplayLimit { keeps: Some(keeps), .. } if !speeds.is_kept_for_sure(keeps, bound) => {
                Some(keeps)
            }
            ReplayLimit { keeps: Some(keeps), breaks, .. } => {
                let above = (keeps * STEP_ABOVE).min(analysis::REPLAY_SPEED_MAX);
                Some(breaks.filter(|breaks| *breaks <= above).unwrap_or(above))
            }
            ReplayLimit { breaks, .. } => breaks,
        }
    }

    /// The newest cell; `None` where nothing may be written any more. A disturbed or late probe is
    /// measured again; without time or writes left, it counts.
    fn probe(&mut self, speed: f64, length: f64) -> HaltResult<Option<Cell>> {
        let time_max = Nanos((self.search.probe_max.0 as f64 * length.max(1.0)) as u64);
        let mut disturbed = None;
        loop {
            let before = self.player.session.cells.len();
            let part = Part { from: self.choose_start(speed, time_max), time_max };
            self.player.play(speed, part, &format!("replay-x{speed:.3}"))?;
            let session = &mut *self.player.session;
            if let Some(old) = disturbed {
                session.replace_cells(old..before, before);
            }
            let Some(cell) = session.cells.get(before) else {
                return Ok(disturbed.and_then(|old| session.cells.get(old).cloned()));
            };
            let is_disturbed = analysis::is_disturbed(cell, Some(&session.facts.info));
            if !is_disturbed || self.repeats == 0 || self.time_left() <= time_max {
                return Ok(Some(self.player.session.cells[before].clone()));
            }
            disturbed = Some(before);
            self.repeats -= 1;
            self.player.session.wait_before_repeat(REPEATS_MAX - self.repeats);
        }
    }

    fn time_left(&self) -> Nanos {
        Nanos(self.until.0.saturating_sub(self.player.session.elapsed().0))
    }

    /// Where in the capture a probe begins: another place each time, by the seed.
    fn choose_start(&self, speed: f64, time_max: Nanos) -> Nanos {
        let session = &self.player.session;
        let room = self.player.load.load.length.0 as f64 - time_max.0 as f64 * speed;
        let place = engine::finalize64(session.seed.0.wrapping_add(session.cells.len() as u64));
        Nanos((room.max(0.0) * (place as f64 / u64::MAX as f64)) as u64)
    }

    /// The lowest speed at which a probe has enough requests to judge every bound.
    fn lowest_speed(&self) -> f64 {
        let search = self.search;
        let samples = search.bounds.iter().map(required_samples).max().unwrap_or(1);
        let rate = analysis::load_rate(&self.player.load.load).0;
        let needed =
            PROBE_SAMPLES * samples as f64 / (rate * search.probe_max.as_secs_f64()).max(1e-9);
        needed.clamp(SPEED_MIN, analysis::REPLAY_SPEED_MAX / 2.0)
    }
}
