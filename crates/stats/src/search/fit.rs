//! A robust line through the probes near a level.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::series::median;

/// One probe: `ln(level)`, `ln(statistic / limit)`, and the standard error within the probe.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    pub x: f64,
    pub y: f64,
    pub error: f64,
}

/// `ln(slope)` and its standard deviation are expected before probes are seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Prior {
    pub slope: f64,
    pub slope_sd: f64,
    /// The smallest half-width of the window (ln): how far the curve is about straight.
    pub straight: f64,
}

/// A straight line near `center`, with the uncertainty of both its parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Line {
    center: f64,
    height: f64,
    /// Never negative: a queue does not get faster by being longer.
    pub slope: f64,
    covariance: [f64; 3],
    /// Standard deviation between probes of the same level.
    pub scale: f64,
    /// Degrees of freedom behind `scale`.
    freedom: f64,
    /// Half the width of the window of probes used, in `ln(level)`.
    width: f64,
}

/// Residuals are taken as Student's t with this many degrees of freedom (Lange, Little & Taylor
/// 1989): 95 % efficient where noise is normal, and a spike of many sigma has next to no weight.
const TAIL: f64 = 4.0;
/// By what a t sample of that scale tells less than a normal one.
const T_INFORMATION_LOSS: f64 = (TAIL + 3.0) / (TAIL + 1.0);
/// The noise between probes before any is seen, how many probes that guess is worth, and the
/// multiple of a probe's own error that is guessed where that is smaller: chosen in the campaign,
/// not measured.
const SCALE_GUESS: f64 = 0.05;
const SCALE_GUESS_MIN: f64 = 0.03;
const SCALE_PER_ERROR: f64 = 3.0;
const SCALE_GUESS_WEIGHT: f64 = 4.0;
/// Probes the window holds at least, where there are as many.
const WINDOW_PROBES_MIN: usize = 5;
/// Levels it holds at least: the probes of one level know no slope.
const WINDOW_LEVELS_MIN: usize = 3;
const SLOPE_MIN: f64 = 0.02;
const FIT_ROUNDS: usize = 30;

impl Line {
    /// The line through the probes near `center`; `None` for fewer than two of them.
    pub(crate) fn fit_near(points: &[Point], center: f64, prior: Prior) -> Option<Self> {
        if points.len() < 2 {
            return None;
        }
        let width = window_width(points, center, prior.straight);
        let near: Vec<Point> =
            points.iter().filter(|p| (p.x - center).abs() < width).copied().collect();
        let kernel: Vec<f64> = near.iter().map(|p| tricube((p.x - center).abs() / width)).collect();
        let typical = median(near.iter().map(|p| p.error))?;
        // What a probe says of itself bounds the noise between probes from below.
        let floor = typical.max(1e-4).powi(2);
        let guess = guess_scale(typical).powi(2);
        let mut variance = f64::max(0.2_f64.powi(2), floor);
        let mut line = Self::start(&near, center, width)?;
        for _ in 0..FIT_ROUNDS {
            let spread = |p: &Point| variance + (p.error.powi(2) - typical.powi(2)).max(0.0);
            // By distance, and by how far it is from the line.
            let shares: Vec<f64> = near
                .iter()
                .zip(&kernel)
                .map(|(p, k)| k * ((TAIL + 1.0) / (TAIL + line.residual(p).powi(2) / spread(p))))
                .collect();
            let weights: Vec<f64> = near.iter().zip(&shares).map(|(p, s)| s / spread(p)).collect();
            line = line.solve(&near, &weights, prior)?;
            let squares = near.iter().zip(&shares).map(|(p, s)| s * line.residual(p).powi(2));
            let seen: f64 = squares.sum();
            line.freedom = SCALE_GUESS_WEIGHT + (kernel.iter().sum::<f64>() - 1.5).max(0.0);
            variance = ((SCALE_GUESS_WEIGHT * guess + seen) / line.freedom).max(floor);
        }
        line.scale = variance.sqrt();
        Some(line)
    }

    /// The line whose centre is its own crossing of the bound, searched for from `start`.
    pub(crate) fn fit_at_crossing(
        points: &[Point],
        start: f64,
        (shallowest, deepest): (f64, f64),
        prior: Prior,
    ) -> Option<Self> {
        let mut line = Self::fit_near(points, start, prior)?;
        for _ in 0..6 {
            let step = (line.crossing() - line.center).clamp(-line.width, line.width);
            let center = (line.center + step).clamp(shallowest, deepest);
            if (center - line.center).abs() < 0.01 {
                break;
            }
            line = Self::fit_near(points, (center + line.center) / 2.0, prior)?;
        }
        Some(line)
    }

    pub(crate) fn crossing(&self) -> f64 {
        self.center - self.height / self.slope
    }

    /// The height at `x` and its standard error, widened as Student's 95 % interval is: readers
    /// double it.
    pub(crate) fn reported_at(&self, x: f64) -> (f64, f64) {
        let (height, error) = self.at(x);
        (height, error * self.quantile(0.025) / 1.96)
    }

    /// The height at `x` and its standard error.
    pub(crate) fn at(&self, x: f64) -> (f64, f64) {
        let u = x - self.center;
        let [a, b, c] = self.covariance;
        (self.height + self.slope * u, (a + 2.0 * b * u + c * u * u).max(0.0).sqrt())
    }

    /// The standard error at `x` after further probes there.
    pub(crate) fn error_after(&self, x: f64, probes: u32) -> f64 {
        let variance = self.at(x).1.powi(2);
        let more = f64::from(probes) / (self.scale.powi(2) * T_INFORMATION_LOSS);
        (variance / (1.0 + variance * more)).sqrt()
    }

    /// The factor on a standard error that is exceeded with this probability on one side.
    pub(crate) fn quantile(&self, probability: f64) -> f64 {
        let normal_enough = 3.0;
        StudentsT::new(0.0, 1.0, self.freedom)
            .map_or(normal_enough, |t| t.inverse_cdf(1.0 - probability))
    }

    /// How much less the variance at `x` would be after one more probe at `probed`.
    pub(crate) fn variance_gain(&self, x: f64, probed: f64) -> f64 {
        let (u, v) = (x - self.center, probed - self.center);
        let [a, b, c] = self.covariance;
        let between = a + b * (u + v) + c * u * v;
        let own = a + 2.0 * b * v + c * v * v;
        between.powi(2) * tricube(v.abs() / self.width) / (own + self.scale.powi(2))
    }

    fn start(near: &[Point], center: f64, width: f64) -> Option<Self> {
        let height = median(near.iter().map(|p| p.y))?;
        let covariance = [0.0; 3];
        let (slope, scale, freedom) = (SLOPE_MIN, 0.0, 1.0);
        Some(Self { center, height, slope, covariance, scale, freedom, width })
    }

    fn residual(&self, p: &Point) -> f64 {
        p.y - self.height - self.slope * (p.x - self.center)
    }

    fn solve(self, near: &[Point], weights: &[f64], prior: Prior) -> Option<Self> {
        let precision = prior.slope_sd.powi(-2);
        let (mut w, mut wu, mut wuu) = (0.0, 0.0, precision);
        let (mut wy, mut wuy) = (0.0, precision * prior.slope);
        for (p, weight) in near.iter().zip(weights) {
            let u = p.x - self.center;
            w += weight;
            wu += weight * u;
            wuu += weight * u * u;
            wy += weight * p.y;
            wuy += weight * u * p.y;
        }
        let determinant = w * wuu - wu * wu;
        if w <= 0.0 || determinant <= 0.0 {
            return None;
        }
        let slope = ((w * wuy - wu * wy) / determinant).max(SLOPE_MIN);
        let height = (wy - slope * wu) / w;
        let covariance = [wuu, -wu, w].map(|c| c * T_INFORMATION_LOSS / determinant);
        Some(Self { slope, height, covariance, ..self })
    }
}

/// Wide enough for [`WINDOW_PROBES_MIN`] probes and [`WINDOW_LEVELS_MIN`] levels.
fn window_width(points: &[Point], center: f64, straight: f64) -> f64 {
    let mut distances: Vec<(f64, f64)> =
        points.iter().map(|p| ((p.x - center).abs(), p.x)).collect();
    distances.sort_by(|a, b| a.0.total_cmp(&b.0));
    let last = distances.last().map_or(0.0, |d| d.0);
    let probes = distances.get(WINDOW_PROBES_MIN - 1).map_or(last, |d| d.0);
    distances.dedup_by_key(|d| d.1);
    let levels = distances.get(WINDOW_LEVELS_MIN - 1).map_or(last, |d| d.0);
    (1.3 * probes.max(levels)).max(straight)
}

fn guess_scale(error: f64) -> f64 {
    if error > 0.0 {
        (SCALE_PER_ERROR * error).clamp(SCALE_GUESS_MIN, SCALE_GUESS)
    } else {
        SCALE_GUESS
    }
}

fn tricube(distance: f64) -> f64 {
    (1.0 - distance.min(1.0).powi(3)).powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRIOR: Prior = Prior { slope: 0.7, slope_sd: 0.4, straight: 0.4 };

    fn points(of: &[(f64, f64)]) -> Vec<Point> {
        of.iter().map(|&(x, y)| Point { x, y, error: 0.01 }).collect()
    }

    #[test]
    fn finds_the_crossing_of_a_straight_line() {
        let straight: Vec<(f64, f64)> =
            (0..9).map(|i| (f64::from(i) * 0.25, f64::from(i) * 0.25 - 1.1)).collect();
        let line = Line::fit_at_crossing(&points(&straight), 0.9, (0.0, 2.0), PRIOR).unwrap();
        assert!((line.crossing() - 1.1).abs() < 0.02, "{line:?}");
        assert!(line.at(1.1).1 < 0.05);
    }

    #[test]
    fn a_spike_moves_it_little() {
        let clean = [(0.8, -0.2), (0.9, -0.1), (1.0, 0.0), (1.0, 0.0), (1.1, 0.1), (1.2, 0.2)];
        let mut spiked = clean;
        spiked[2].1 = 0.69;
        let line = Line::fit_at_crossing(&points(&spiked), 1.0, (0.0, 2.0), PRIOR).unwrap();
        assert!((line.crossing() - 1.0).abs() < 0.05, "{line:?}");
    }

    #[test]
    fn too_few_probes_give_none() {
        assert_eq!(Line::fit_near(&[], 1.0, PRIOR), None);
        assert_eq!(Line::fit_near(&points(&[(1.0, 0.0)]), 1.0, PRIOR), None);
    }
}
