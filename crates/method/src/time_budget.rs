//! How the time of a check is divided.

use record::Effort;
use stats::search::{Grid, SearchLimits};
use units::{Bytes, Nanos};

use crate::defaults::THROTTLE_SLICE;

/// The times and depths of a check; every effort has its own.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeBudget {
    /// The whole run, as announced.
    pub budget: Nanos,
    /// Largest test file unless a size was asked for.
    pub size: Bytes,
    pub depth_1: Nanos,
    pub step: Nanos,
    /// Depths that the search for the most within the bound may try.
    pub depths: Grid,
    /// Probes of that search beside depth 1, at most, and how many of these confirm its answer.
    pub probes: (u32, u32),
    /// All sequential cells of one direction.
    pub sequential: Nanos,
    pub sync: Nanos,
    /// Each of two, of depth 1 and of the depth of the most.
    pub repeat: Nanos,
    /// Requests with an idle target between them, and their spacing.
    pub idle: (u64, Nanos),
    /// All trials together: what the truth checks cost.
    pub trials: Nanos,
    pub warm_up: Nanos,
    /// Rounds of random writing until the five-round rule holds, at most; 0 for none.
    pub rounds: u32,
    pub round: Nanos,
    /// Cells at a plateau, long enough to see whether it is a cap; zero for none.
    pub look: Nanos,
}

impl TimeBudget {
    /// Cells of each direction of sequential operations: near the start, in the middle and at the
    /// end of the run.
    pub(crate) const STREAM_VISITS: u64 = 3;

    /// The times of an effort.
    pub fn for_effort(effort: Effort) -> Self {
        let standard = Self {
            budget: Nanos::secs(60),
            size: Bytes::gib(4),
            depth_1: Nanos::millis(2_900),
            step: Nanos::millis(700),
            depths: Grid::depths(256),
            probes: (10, 1),
            sequential: Nanos::millis(2_100),
            sync: Nanos::millis(2_700),
            repeat: Nanos::millis(1_200),
            idle: (20, Nanos::millis(100)),
            trials: Nanos::millis(7_500),
            warm_up: Nanos::millis(150),
            rounds: 0,
            round: Nanos::ZERO,
            look: Nanos::secs(2),
        };
        match effort {
            Effort::Standard => standard,
            Effort::Quick => Self {
                budget: Nanos::secs(15),
                size: Bytes::gib(1),
                depth_1: Nanos::millis(1_000),
                step: Nanos::millis(400),
                depths: Grid::new([1.0, 4.0, 16.0, 64.0]),
                probes: (3, 0),
                sequential: Nanos::millis(750),
                sync: Nanos::millis(600),
                repeat: Nanos::millis(400),
                idle: (10, Nanos::millis(50)),
                trials: Nanos::millis(1_750),
                warm_up: Nanos::millis(100),
                look: Nanos::ZERO,
                ..standard
            },
            Effort::Thorough => Self {
                budget: Nanos::secs(360),
                depth_1: Nanos::secs(10),
                step: Nanos::secs(3),
                depths: Grid::depths(1024),
                probes: (16, 2),
                sequential: Nanos::secs(10),
                sync: Nanos::secs(10),
                repeat: Nanos::secs(5),
                idle: (50, Nanos::millis(100)),
                trials: Nanos::secs(45),
                warm_up: Nanos::millis(500),
                rounds: 15,
                round: Nanos::secs(5),
                ..standard
            },
        }
    }

    /// What the search of a curve may spend.
    pub fn search_limits(&self) -> SearchLimits {
        let (probes, confirm_probes) = self.probes;
        // The first probe is the cell at depth 1.
        SearchLimits { probes_max: probes + 1, confirm_probes, ..SearchLimits::for_depths() }
    }

    /// What the cells after the layout take, without what early saturation saves.
    pub fn total_cell_time(&self, read_only: bool) -> Nanos {
        let workloads = if read_only { 1 } else { 3 };
        let ladder = (self.step.0 + self.warm_up.0) * u64::from(self.probes.0);
        let stream = self.sequential.0 + Self::STREAM_VISITS * self.warm_up.0;
        let once = if read_only { stream } else { 2 * stream + self.sync.0 };
        let idle = self.idle.0 * self.idle.1.0;
        let curves = workloads * (self.depth_1.0 + self.warm_up.0 + ladder);
        Nanos(curves + once + idle + 2 * self.repeat.0 + self.trials.0)
    }

    /// The same plan with every cell's time scaled so that the cells fit into `remaining`; not
    /// below 40 %, for a shorter cell says nothing, and never above what was planned.
    pub fn fit_to(mut self, remaining: Nanos, read_only: bool) -> Self {
        let scale = (remaining.0 as f64 / self.total_cell_time(read_only).0 as f64).clamp(0.4, 1.0);
        for time in [
            &mut self.depth_1,
            &mut self.step,
            &mut self.sequential,
            &mut self.sync,
            &mut self.repeat,
        ] {
            let slices = time.0 as f64 * scale / THROTTLE_SLICE.0 as f64;
            time.0 = slices as u64 * THROTTLE_SLICE.0;
        }
        self.trials.0 = (self.trials.0 as f64 * scale) as u64;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_fit_their_budgets() {
        for (effort, layout_mb_per_second) in
            [(Effort::Quick, 500), (Effort::Standard, 500), (Effort::Thorough, 500)]
        {
            let times = TimeBudget::for_effort(effort);
            let layout = Nanos(times.size.0 * 1000 / layout_mb_per_second);
            let all =
                layout.0 + times.total_cell_time(false).0 + u64::from(times.rounds) * times.round.0;
            assert!(all <= times.budget.0 * 105 / 100, "{effort:?}: {}", Nanos(all));
        }
    }

    #[test]
    fn short_time_shortens_cells_but_not_to_nothing() {
        let times = TimeBudget::for_effort(Effort::Standard);
        let half = times.clone().fit_to(Nanos(times.total_cell_time(false).0 / 2), false);
        assert_eq!(half.step, Nanos::millis(300));
        assert_eq!(times.clone().fit_to(Nanos::ZERO, false).step, Nanos::millis(200));
        assert_eq!(times.clone().fit_to(Nanos::secs(1000), false), times);
    }
}
