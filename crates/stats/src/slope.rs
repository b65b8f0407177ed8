//! A curve that falls from one end to the other, and the points that lie off it.

use crate::series::median;

/// How a curve falls over the share of the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurveShape {
    /// `y = first * sqrt(1 - x (1 - ratio^2))`: a ring shrinks with the radius.
    Root,
    /// `y = first * (1 - x (1 - ratio))`.
    Straight,
}

/// A falling curve, fitted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slope {
    /// Height at 0.
    pub first: f64,
    /// Height at 1, over that at 0.
    pub ratio: f64,
    /// The form that misses the points less.
    pub shape: CurveShape,
    /// Share of the variance of the points near the curve that it explains.
    pub r_squared: f64,
    /// 1.4826 times the median of the sizes of the relative distances from the curve.
    pub spread: f64,
}

impl Slope {
    /// The height at a share of the way.
    pub fn at(&self, x: f64) -> f64 {
        let Self { first, ratio, .. } = *self;
        match self.shape {
            CurveShape::Root => first * (1.0 - x * (1.0 - ratio * ratio)).max(0.0).sqrt(),
            CurveShape::Straight => first * (1.0 - x * (1.0 - ratio)),
        }
    }
}

/// Fewest points: two parameters, and enough left that a third of them may be off.
const POINTS_MIN: usize = 7;
/// A point is off where it is further from the curve than this many robust deviations, and this
/// share.
const DEVIATIONS: f64 = 5.0;
const DEVIATION_SHARE_MIN: f64 = 0.10;

/// Fits both forms to (share of the way, height) and gives the one that misses less, by medians of
/// the slopes between all pairs (Theil 1950, Sen 1968). `None` with fewer than seven points above
/// 0.
pub fn fit_slope(points: &[(f64, f64)]) -> Option<Slope> {
    let usable = |p: &&(f64, f64)| p.0.is_finite() && p.1.is_finite() && p.1 > 0.0;
    let points: Vec<(f64, f64)> = points.iter().filter(usable).copied().collect();
    if points.len() < POINTS_MIN {
        return None;
    }
    let fits = [CurveShape::Root, CurveShape::Straight]
        .into_iter()
        .filter_map(|bend| fit_shape(&points, bend));
    fits.min_by(|a, b| a.spread.total_cmp(&b.spread))
}

/// Whether a height lies off a curve: negative below, positive above, 0 for on it.
pub fn deviation_sign(slope: &Slope, point: (f64, f64)) -> i8 {
    let distance = point.1 / slope.at(point.0).max(f64::MIN_POSITIVE) - 1.0;
    let near = distance.abs() <= (DEVIATIONS * slope.spread).max(DEVIATION_SHARE_MIN);
    if near { 0 } else { distance.signum() as i8 }
}

fn fit_shape(points: &[(f64, f64)], bend: CurveShape) -> Option<Slope> {
    // Both forms are straight lines: the root in the square of the height.
    let height = |y: f64| if bend == CurveShape::Root { y * y } else { y };
    let line: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x, height(y))).collect();
    let pairs = line.iter().enumerate().flat_map(|(i, a)| line[..i].iter().map(move |b| (a, b)));
    let slopes: Vec<f64> =
        pairs.filter(|(a, b)| a.0 != b.0).map(|(a, b)| (a.1 - b.1) / (a.0 - b.0)).collect();
    let rise = median(slopes.into_iter())?;
    let first = median(line.iter().map(|p| p.1 - rise * p.0))?;
    let last = first + rise;
    if first <= 0.0 || last <= 0.0 {
        return None;
    }
    let (first, ratio) = match bend {
        CurveShape::Root => (first.sqrt(), (last / first).sqrt()),
        CurveShape::Straight => (first, last / first),
    };
    let mut fitted = Slope { first, ratio, shape: bend, r_squared: 0.0, spread: 0.0 };
    let sizes = points.iter().map(|p| (p.1 / fitted.at(p.0) - 1.0).abs());
    fitted.spread = 1.4826 * median(sizes)?;
    fitted.r_squared = r_squared(points, &fitted);
    Some(fitted)
}

fn r_squared(points: &[(f64, f64)], fitted: &Slope) -> f64 {
    let near: Vec<(f64, f64)> =
        points.iter().copied().filter(|point| deviation_sign(fitted, *point) == 0).collect();
    let mean = near.iter().map(|p| p.1).sum::<f64>() / near.len().max(1) as f64;
    let all: f64 = near.iter().map(|p| (p.1 - mean).powi(2)).sum();
    let left: f64 = near.iter().map(|p| (p.1 - fitted.at(p.0)).powi(2)).sum();
    if all > 0.0 { 1.0 - left / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(n: u32) -> impl Iterator<Item = f64> {
        (0..n).map(move |i| f64::from(i) / f64::from(n - 1))
    }

    /// Small, the same every time, and without a trend.
    fn noise(i: usize) -> f64 {
        1.0 + 0.004 * ((i * 13 % 7) as f64 - 3.0)
    }

    #[test]
    fn the_zones_of_the_reference_are_met() {
        // Methodology 7.3: 1.00, .90, .79, .66, .50 at a quarter each.
        let law =
            Slope { first: 1.0, ratio: 0.5, shape: CurveShape::Root, r_squared: 1.0, spread: 0.0 };
        for (x, y) in [(0.0, 1.0), (0.25, 0.90), (0.5, 0.79), (0.75, 0.66), (1.0, 0.5)] {
            assert!((law.at(x) - y).abs() < 0.006, "{x}");
        }
    }

    #[test]
    fn both_forms_are_told_apart_and_found_again() {
        for bend in [CurveShape::Root, CurveShape::Straight] {
            let law = Slope { first: 250.0, ratio: 0.5, shape: bend, r_squared: 1.0, spread: 0.0 };
            let points: Vec<(f64, f64)> =
                shares(17).enumerate().map(|(i, x)| (x, law.at(x) * noise(i))).collect();
            let found = fit_slope(&points).unwrap();
            assert_eq!(found.shape, bend);
            assert!((found.first / 250.0 - 1.0).abs() < 0.02, "{found:?}");
            assert!((found.ratio / 0.5 - 1.0).abs() < 0.03, "{found:?}");
            assert!(found.r_squared > 0.98, "{found:?}");
        }
    }

    #[test]
    fn weak_places_are_off_and_do_not_bend_the_curve() {
        let mut points: Vec<(f64, f64)> =
            shares(11).enumerate().map(|(i, x)| (x, 200.0 * (1.0 - x / 2.0) * noise(i))).collect();
        points[3].1 *= 0.4;
        points[9].1 *= 0.6;
        let found = fit_slope(&points).unwrap();
        let marks: Vec<i8> = points.iter().map(|p| deviation_sign(&found, *p)).collect();
        assert_eq!(marks, [0, 0, 0, -1, 0, 0, 0, 0, 0, -1, 0]);
        assert!((found.ratio - 0.5).abs() < 0.05 && found.r_squared > 0.95, "{found:?}");
    }

    #[test]
    fn a_flat_line_has_no_slope_to_explain() {
        let points: Vec<(f64, f64)> =
            shares(11).enumerate().map(|(i, x)| (x, 500.0 * noise(i))).collect();
        let found = fit_slope(&points).unwrap();
        assert!((found.ratio - 1.0).abs() < 0.03 && found.r_squared < 0.5, "{found:?}");
        assert!(fit_slope(&points[..6]).is_none());
        assert!(fit_slope(&[(0.0, f64::NAN); 9]).is_none());
    }
}
