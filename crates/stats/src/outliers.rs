//! Outliers among figures that are alike: how far each lies beyond the others, how likely that is
//! by chance, and what remains of that where many are looked at.

use statrs::distribution::{Continuous as _, ContinuousCDF as _, StudentsT};
use statrs::function::factorial::ln_binomial;

use crate::batch::student_quantile;
use crate::series::{median, quantile_of};

/// The median absolute deviation of a normal distribution, as a share of its standard deviation.
const NORMAL_MAD: f64 = 0.674_5;
/// Efficiency of the median absolute deviation: what a figure is worth, in those of a variance.
const MAD_EFFICIENCY: f64 = 0.37;
/// Figures on the good side that show how heavy the tails are; fewer do not.
const TAIL_FIGURES_MIN: usize = 50;
/// Share of the figures on the good side whose values count; of the others only that they lie
/// beyond, so that a few that are far too good do not make the tails heavy.
const TAIL_SHARE: f64 = 0.98;
/// Assumed where the figures are too few to show their tails.
const FREEDOM_UNKNOWN: f64 = 8.0;
/// Degrees of freedom that are tried: from the heaviest tails to nearly normal ones, each this
/// many times the one before.
const FREEDOM_STEP: f64 = 1.2;
const FREEDOM_STEPS: i32 = 25;

/// What is known of a spread before any figure is looked at. It keeps a few figures that agree by
/// luck from making an outlier of the next one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PriorSpread {
    pub scale: f64,
    /// How many figures this knowledge is worth.
    pub freedom: f64,
    /// No figure repeats better than this.
    pub scale_min: f64,
}

/// Centre and spread of figures that are alike, hardly moved by the outliers among them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RobustSpread {
    pub median: f64,
    /// In units of a standard deviation.
    pub scale: f64,
    /// Degrees of freedom of the Student's t that the figures follow: few where their tails are
    /// heavy, or where they are few.
    pub freedom: f64,
}

impl RobustSpread {
    /// `None` without figures. Larger figures are the bad ones: how heavy the tails are is taken
    /// from the good side, where no outlier is.
    pub fn fit(figures: &[f64], prior: PriorSpread) -> Option<Self> {
        let middle = median(figures.iter().copied())?;
        let deviations = figures.iter().map(|figure| (figure - middle).abs());
        let own = median(deviations)? / NORMAL_MAD;
        let own_freedom = MAD_EFFICIENCY * (figures.len() as f64 - 1.0);
        let freedom = prior.freedom + own_freedom;
        let variance = (prior.freedom * prior.scale.powi(2) + own_freedom * own.powi(2)) / freedom;
        let scale = variance.sqrt().max(prior.scale_min);
        let good = figures.iter().map(|figure| middle - figure).filter(|good| *good > 0.0);
        let own = own.max(prior.scale_min);
        let tail = tail_freedom(&Vec::from_iter(good), own * NORMAL_MAD);
        Some(Self { median: middle, scale, freedom: freedom.min(tail.unwrap_or(FREEDOM_UNKNOWN)) })
    }

    /// Deviation from the median, in units of the spread; positive is bad.
    pub fn z_score(&self, figure: f64) -> f64 {
        (figure - self.median) / self.scale
    }

    /// Probability that a figure alike is at least as bad.
    pub fn upper_tail(&self, figure: f64) -> f64 {
        let to_student = student_quantile(self.freedom, 0.75) / NORMAL_MAD;
        let student = StudentsT::new(0.0, 1.0, self.freedom);
        student.map_or(1.0, |t| t.sf(self.z_score(figure) * to_student))
    }
}

/// The likeliest degrees of freedom of a Student's t with this median deviation.
fn tail_freedom(good: &[f64], median_deviation: f64) -> Option<f64> {
    if good.len() < TAIL_FIGURES_MIN {
        return None;
    }
    let last = quantile_of(good, TAIL_SHARE)?;
    let within: Vec<f64> = good.iter().copied().filter(|figure| *figure <= last).collect();
    let beyond = (good.len() - within.len()) as f64;
    let likelihood = |freedom: &f64| {
        let scale = median_deviation / student_quantile(*freedom, 0.75);
        let Ok(student) = StudentsT::new(0.0, scale, *freedom) else { return f64::NEG_INFINITY };
        let each: f64 = within.iter().map(|figure| student.ln_pdf(*figure)).sum();
        each + beyond * student.sf(last).max(f64::MIN_POSITIVE).ln()
    };
    let all = (0..FREEDOM_STEPS).map(|step| FREEDOM_STEP.powi(step));
    let all: Vec<(f64, f64)> = all.map(|freedom| (freedom, likelihood(&freedom))).collect();
    all.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(freedom, _)| freedom)
}

/// One probability for several figures of one thing, which may depend on each other (Simes 1986);
/// 1 of none.
pub fn combine_simes(p_values: &[f64]) -> f64 {
    let sorted = crate::series::sorted(p_values.iter().copied());
    let count = sorted.len() as f64;
    let each = (1_u32..).zip(&sorted).map(|(rank, p)| p * count / f64::from(rank));
    each.fold(1.0, f64::min)
}

/// What each of several probabilities is worth when all are looked at (Benjamini and Hochberg
/// 1995): of those at or below a share, at most that share is expected to be wrong.
pub fn adjust_benjamini_hochberg(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&i, &j| p_values[j].total_cmp(&p_values[i]));
    let mut adjusted = vec![1.0; p_values.len()];
    let mut least: f64 = 1.0;
    for (from_worst, &place) in order.iter().enumerate() {
        let rank = p_values.len() - from_worst;
        least = least.min(p_values[place] * p_values.len() as f64 / rank as f64);
        adjusted[place] = least;
    }
    adjusted
}

/// Probability that a random part of `part` out of `all` holds `marked_in_part` or more of the
/// `marked` ones: the hypergeometric distribution, which is Fisher's exact test, one-sided.
pub fn hypergeometric_tail(all: u64, marked: u64, part: u64, marked_in_part: u64) -> f64 {
    if marked > all || part > all {
        return 1.0;
    }
    let ways = ln_binomial(all, part);
    let probability = |count: u64| {
        (ln_binomial(marked, count) + ln_binomial(all - marked, part - count) - ways).exp()
    };
    let least = part.saturating_sub(all - marked).max(marked_in_part);
    (least..=marked.min(part)).map(probability).sum::<f64>().min(1.0)
}

/// Probability of `count` or more out of `n`, each of which is one with probability `share`, below
/// 1: one-sided.
pub fn binomial_tail(n: u64, share: f64, count: u64) -> f64 {
    if count as f64 <= n as f64 * share {
        return 1.0;
    }
    let (ln_one, ln_none) = (share.ln(), (-share).ln_1p());
    let probability = |ones: u64| {
        (ln_binomial(n, ones) + ones as f64 * ln_one + (n - ones) as f64 * ln_none).exp()
    };
    // Beyond the mean they fall: what follows a negligible one adds nothing.
    (count..=n).map(probability).take_while(|one| *one > f64::EPSILON).sum::<f64>().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::tests::Normal;

    const PRIOR: PriorSpread = PriorSpread { scale: 0.05, freedom: 3.0, scale_min: 0.01 };

    #[test]
    fn the_tail_of_a_binomial_is_that_of_the_textbook() {
        let check = |n, share, count, expected: f64| {
            let tail = binomial_tail(n, share, count);
            assert!((tail - expected).abs() < 1e-4, "{count} of {n} at {share}: {tail}");
        };
        // Ten throws of a coin; 1 - 0.99^20; three of 100 with 1 %.
        check(10, 0.5, 8, 56.0 / 1024.0);
        check(20, 0.01, 1, 0.1821);
        check(100, 0.01, 3, 0.0794);
        check(1_000_000, 0.01, 10_500, 2.6e-7);
        check(5, 0.01, 0, 1.0);
        check(5, 0.0, 1, 0.0);
    }

    #[test]
    fn adjusted_probabilities_are_those_of_the_textbook() {
        let adjusted = adjust_benjamini_hochberg(&[0.01, 0.04, 0.03, 0.005]);
        for (is, expected) in adjusted.iter().zip([0.02, 0.04, 0.04, 0.02]) {
            assert!((is - expected).abs() < 1e-12, "{adjusted:?}");
        }
        assert!(adjust_benjamini_hochberg(&[]).is_empty());
        assert!((combine_simes(&[0.04, 0.01, 0.5]) - 0.03).abs() < 1e-12);
        assert_eq!(combine_simes(&[]), 1.0);
    }

    /// Fisher's lady: four cups right by luck are one in seventy.
    #[test]
    fn a_share_in_a_part_is_counted_exactly() {
        assert!((hypergeometric_tail(8, 4, 4, 4) - 1.0 / 70.0).abs() < 1e-12);
        assert!((hypergeometric_tail(8, 4, 4, 3) - 17.0 / 70.0).abs() < 1e-12);
        assert!((hypergeometric_tail(8, 4, 4, 0) - 1.0).abs() < 1e-12);
        assert!(hypergeometric_tail(4000, 17, 300, 15) < 1e-13);
        assert_eq!(hypergeometric_tail(4, 5, 1, 1), 1.0);
    }

    #[test]
    fn a_spread_follows_most_figures_and_their_tails() {
        let mut normal = Normal(3);
        let draw = |normal: &mut Normal| 7.0 + 0.04 * normal.draw();
        let mut figures: Vec<f64> = (0..2_000).map(|_| draw(&mut normal)).collect();
        figures.iter_mut().take(20).for_each(|figure| *figure += 5.0);
        let spread = RobustSpread::fit(&figures, PRIOR).unwrap();
        assert!((spread.median - 7.0).abs() < 0.01 && (spread.scale - 0.04).abs() < 0.004);
        assert!(spread.freedom > 6.0, "{spread:?}");
        // Student's t of 3 degrees: a normal figure over the root of a mean of three squares.
        let mut heavy = || {
            let squares: f64 = (0..3).map(|_| normal.draw().powi(2)).sum();
            0.04 * normal.draw() / (squares / 3.0).sqrt()
        };
        let figures: Vec<f64> = (0..2_000).map(|_| heavy()).collect();
        let spread = RobustSpread::fit(&figures, PRIOR).unwrap();
        assert!((2.2..4.0).contains(&spread.freedom), "{spread:?}");
    }

    #[test]
    fn equal_figures_have_the_least_spread_and_few_have_a_wide_one() {
        let ties = RobustSpread::fit(&[2.0; 500], PRIOR).unwrap();
        assert_eq!((ties.median, ties.scale), (2.0, PRIOR.scale_min));
        let few = RobustSpread::fit(&[2.0, 2.0, 2.0, 2.1], PRIOR).unwrap();
        assert!((0.03..0.06).contains(&few.scale) && few.freedom < 5.0, "{few:?}");
        assert!(few.upper_tail(2.1) > 0.02 && few.upper_tail(3.0) < 1e-3, "{few:?}");
        assert!(RobustSpread::fit(&[], PRIOR).is_none());
    }
}
