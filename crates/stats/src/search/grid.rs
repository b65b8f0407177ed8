use crate::series::{is_positive, sorted};

/// Load levels in ascending order: queue depths, or arrival rates.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    levels: Vec<f64>,
}

/// Depths per octave: 32 (2.2 % steps) cost about as little as the answer can be known.
const DEPTHS_PER_OCTAVE: f64 = 32.0;

impl Grid {
    /// A grid of the given levels; those that are not positive and finite are left out.
    pub fn new(levels: impl IntoIterator<Item = f64>) -> Self {
        let mut levels = sorted(levels.into_iter().filter(|l| is_positive(*l)));
        levels.dedup();
        Self { levels }
    }

    /// Every queue depth from 1 at first, then steps of about 2 %; every power of two is on it.
    pub fn depths(depth_max: u32) -> Self {
        let octaves = f64::from(depth_max.max(1)).log2();
        let steps = (octaves * DEPTHS_PER_OCTAVE).floor() as u32;
        let depths = (0..=steps).map(|i| (f64::from(i) / DEPTHS_PER_OCTAVE).exp2().round());
        Self::new(depths.chain([f64::from(depth_max.max(1))]))
    }

    /// Arrival rates from `lowest` to `highest` in steps of 2 %.
    pub fn rates(lowest: f64, highest: f64) -> Self {
        let steps = ((highest / lowest).ln() / 1.02_f64.ln()).max(0.0).floor() as u32;
        let rates = (0..=steps).map(|i| lowest * 1.02_f64.powf(f64::from(i)));
        Self::new(rates.chain([highest]))
    }

    pub fn len(&self) -> usize {
        self.levels.len()
    }

    /// Whether there is no level at all.
    pub fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    /// The value of a level; that of the deepest one past the end, NaN on an empty grid.
    pub fn value(&self, level: usize) -> f64 {
        self.levels.get(level).or(self.levels.last()).copied().unwrap_or(f64::NAN)
    }

    /// The natural logarithm of a level's value: the axis on which levels are compared.
    pub fn ln(&self, level: usize) -> f64 {
        self.value(level).ln()
    }

    /// The level nearest to a value given by its logarithm.
    pub fn nearest_ln(&self, ln: f64) -> usize {
        let above = self.levels.partition_point(|l| l.ln() < ln);
        if above == 0 {
            return 0;
        }
        let above = above.min(self.levels.len() - 1);
        let below = above.saturating_sub(1);
        if ln - self.ln(below) <= self.ln(above) - ln { below } else { above }
    }

    /// The deepest level not above a value given by its logarithm.
    pub fn below_ln(&self, ln: f64) -> Option<usize> {
        // A hair of slack, so that the logarithm of a level finds that level.
        self.levels.partition_point(|l| l.ln() <= ln + 1e-9).checked_sub(1)
    }

    /// The level nearest to the middle of two on the logarithmic axis, strictly between them.
    pub fn between(&self, shallow: usize, deep: usize) -> Option<usize> {
        (deep > shallow + 1).then(|| {
            let middle = self.nearest_ln((self.ln(shallow) + self.ln(deep)) / 2.0);
            middle.clamp(shallow + 1, deep - 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_hold_small_depths_and_powers_of_two() {
        let grid = Grid::depths(1024);
        for depth in (1..=40).chain([64, 128, 256, 512, 1024]).map(f64::from) {
            assert_eq!(grid.value(grid.nearest_ln(depth.ln())), depth);
        }
        let steps = (0..grid.len() - 1).map(|i| grid.ln(i + 1) - grid.ln(i));
        assert!(steps.skip(50).all(|s| s < 0.04), "steps stay fine");
    }

    #[test]
    fn between_is_strictly_between() {
        let grid = Grid::depths(1024);
        assert_eq!(grid.between(3, 4), None);
        assert_eq!(grid.between(3, 5), Some(4));
        let (shallow, deep) = (grid.nearest_ln(64f64.ln()), grid.nearest_ln(128f64.ln()));
        let middle = grid.between(shallow, deep).map(|l| grid.value(l));
        assert!(middle.is_some_and(|d| (89.0..=92.0).contains(&d)), "{middle:?}");
    }

    #[test]
    fn rates_step_by_two_percent() {
        let grid = Grid::rates(1000.0, 2000.0);
        assert_eq!((grid.value(0), grid.value(grid.len())), (1000.0, 2000.0));
        assert!((grid.value(1) - 1020.0).abs() < 1e-9);
    }
}
