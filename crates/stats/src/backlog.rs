//! Backlogs: whether what arrives is also served.

/// Above this growth, as a share of the arrivals, a backlog is not stable: half a per cent of what
/// arrives is never served (methodology 2.9).
const STABLE_MAX: f64 = 0.005;
/// Fewest points of a slope that noise alone does not make.
const POINTS_MIN: usize = 3;

/// How a backlog grows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// Growth as a share of the arrivals: 0.1 when one arrival of ten stays; negative while an
    /// older backlog drains.
    pub share: f64,
    /// The growth is less than 0.5 % of the arrivals.
    pub stable: bool,
}

/// How a backlog grows over the last two thirds of its time: the slope of the least-squares line
/// through (seconds, operations waiting), divided by `rate`, the arrivals per second.
///
/// The first third is left out because a queue that started empty fills up even when it is stable.
/// `None` for a rate that is not above zero, or with fewer than three moments in that time.
#[must_use]
pub fn growth(points: &[(f64, f64)], rate: f64) -> Option<Growth> {
    let given = points.iter().copied().filter(|(t, backlog)| t.is_finite() && backlog.is_finite());
    let (start, end) = given
        .clone()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |span, (t, _)| (span.0.min(t), span.1.max(t)));
    let late: Vec<(f64, f64)> = given.filter(|(t, _)| *t >= start + (end - start) / 3.0).collect();
    if late.len() < POINTS_MIN || !(rate > 0.0 && rate.is_finite()) {
        return None;
    }
    let share = slope(&late)? / rate;
    share.is_finite().then_some(Growth { share, stable: share < STABLE_MAX })
}

/// The slope of the least-squares line; `None` when all x are one.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let n = points.len() as f64;
    let x_mean = points.iter().map(|p| p.0).sum::<f64>() / n;
    let y_mean = points.iter().map(|p| p.1).sum::<f64>() / n;
    let spread: f64 = points.iter().map(|p| (p.0 - x_mean).powi(2)).sum();
    let along: f64 = points.iter().map(|p| (p.0 - x_mean) * (p.1 - y_mean)).sum();
    (spread > 0.0).then(|| along / spread)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::tests::Normal;

    fn line(slope: f64, n: u32) -> Vec<(f64, f64)> {
        (0..n).map(f64::from).map(|t| (t, 7.0 + slope * t)).collect()
    }

    #[test]
    fn growth_is_a_share_of_the_arrivals() {
        let check = |points: &[(f64, f64)], rate: f64, expected: Option<(f64, bool)>| {
            let found = growth(points, rate);
            let near = match (found, expected) {
                (None, None) => true,
                (Some(a), Some((share, stable))) => {
                    (a.share - share).abs() < 1e-9 && a.stable == stable
                }
                _ => false,
            };
            assert!(near, "{found:?}, expected {expected:?}");
        };
        check(&line(0.0, 30), 100.0, Some((0.0, true)));
        check(&line(0.4, 30), 100.0, Some((0.004, true)));
        check(&line(0.6, 30), 100.0, Some((0.006, false)));
        check(&line(50.0, 30), 100.0, Some((0.5, false)));
        check(&line(-50.0, 30), 100.0, Some((-0.5, true)));
        // A queue that fills for a third of the time and then holds is stable.
        let filled: Vec<_> = (0..31).map(f64::from).map(|t| (t, t.min(10.0))).collect();
        check(&filled, 100.0, Some((0.0, true)));
        check(&line(1.0, 3), 100.0, None); // two of three are late
        check(&[], 100.0, None);
        check(&[(1.0, 5.0); 9], 100.0, None);
        check(&line(1.0, 30), 0.0, None);
        check(&line(1.0, 30), f64::NAN, None);
        check(&[(f64::NAN, 1.0); 9], 100.0, None);
    }

    #[test]
    fn shares_follow_the_unit_of_the_rate_and_ignore_shifts() {
        let mut normal = Normal(51);
        for _ in 0..100 {
            let points: Vec<_> =
                (0..40).map(f64::from).map(|t| (t, 3.0 * t + normal.draw())).collect();
            let (shift, factor) = (normal.draw() * 1e3, 0.1 + normal.uniform());
            let moved: Vec<_> =
                points.iter().map(|(t, y)| (t + shift, factor * (y + shift))).collect();
            let plain = growth(&points, 100.0).unwrap().share;
            let moved = growth(&moved, 100.0 * factor).unwrap().share;
            assert!((plain - moved).abs() < 1e-9, "{plain} {moved}");
        }
    }

    /// Operations waiting in a queue of one exponential server, once a second for `seconds`.
    fn queue(normal: &mut Normal, arrivals: f64, served: f64, seconds: u32) -> Vec<(f64, f64)> {
        let (mut waiting, mut now) = (0.0, 0.0);
        let mut points = Vec::new();
        for second in 0..seconds {
            while now < f64::from(second) {
                now += -normal.uniform().ln() / (arrivals + served);
                // A service without anyone waiting is idle time.
                let arrives = normal.uniform() * (arrivals + served) < arrivals;
                waiting = if arrives { waiting + 1.0 } else { f64::max(waiting - 1.0, 0.0) };
            }
            points.push((f64::from(second), waiting));
        }
        points
    }

    #[test]
    fn overload_is_told_from_load() {
        let mut normal = Normal(53);
        let mut check = |arrivals: f64, served: f64, stable: bool| {
            for _ in 0..20 {
                let found = growth(&queue(&mut normal, arrivals, served, 60), arrivals).unwrap();
                assert_eq!(found.stable, stable, "{arrivals} {served}: {found:?}");
                let truth = (1.0 - served / arrivals).max(0.0);
                // Chance alone moves 40 s of 4,100 events per second by 0.006 of the arrivals.
                assert!((found.share - truth).abs() < 0.025, "{arrivals} {served}: {found:?}");
            }
        };
        check(1000.0, 2000.0, true);
        check(1800.0, 2000.0, true);
        check(2100.0, 2000.0, false);
        check(4000.0, 2000.0, false);
    }
}
