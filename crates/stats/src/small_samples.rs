//! The mean of a few independent figures.

use message::Message;

use crate::batch::{student_95, student_quantile};
use crate::estimate::Estimate;
use crate::no_interval::{FewMeasurements, FewRounds};
use crate::series::sorted;

/// With fewer figures Student's interval is wider than its subject.
const FIGURES_MIN: usize = 3;
/// Probability left out at either end of the interval of a median.
const MEDIAN_TAIL: f64 = 0.025;

/// The mean of a few independent figures, with its 95 % interval by Student's t; none below three.
fn mean_of_few(figures: &[f64]) -> Estimate {
    let n = figures.len();
    let mean = figures.iter().sum::<f64>() / n.max(1) as f64;
    if n < FIGURES_MIN {
        let reason = FewMeasurements { made: n, needed: FIGURES_MIN };
        return Estimate::without_interval(mean, n as u64, reason);
    }
    let freedom = n as f64 - 1.0;
    let variance = figures.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / freedom;
    let half = student_95(freedom) * (variance / n as f64).sqrt();
    let method = "between measurements, Student t, 95 %";
    Estimate::with_interval(mean, (mean - half, mean + half), n as u64, method).worth(n as f64)
}

/// The geometric mean of a few independent rates or ratios, with its 95 % interval by Student's t
/// on the logarithms; none below three. What is no positive number is left out.
pub fn geometric_mean_of_few(figures: &[f64]) -> Estimate {
    let usable = figures.iter().filter(|figure| figure.is_finite() && **figure > 0.0);
    let logarithms: Vec<f64> = usable.map(|figure| figure.ln()).collect();
    let of_logarithms = mean_of_few(&logarithms);
    let method = match of_logarithms.interval() {
        Some(_) => Message::from_text("between measurements, Student t of logarithms, 95 %"),
        None => of_logarithms.method,
    };
    Estimate {
        value: of_logarithms.value.exp(),
        low: of_logarithms.low.map(f64::exp),
        high: of_logarithms.high.map(f64::exp),
        method,
        ..of_logarithms
    }
}

/// What nine of ten further figures of the same kind stay below, by Student's t on the logarithms;
/// `None` below three. What is no positive number is left out.
pub fn upper_prediction_of_few(figures: &[f64]) -> Option<f64> {
    let usable = figures.iter().filter(|figure| figure.is_finite() && **figure > 0.0);
    let logarithms: Vec<f64> = usable.map(|figure| figure.ln()).collect();
    if logarithms.len() < 3 {
        return None;
    }
    let n = logarithms.len() as f64;
    let mean = logarithms.iter().sum::<f64>() / n;
    let squares: f64 = logarithms.iter().map(|value| (value - mean).powi(2)).sum();
    let spread = (squares / (n - 1.0) * (1.0 + 1.0 / n)).sqrt();
    Some((mean + student_quantile(n - 1.0, 0.9) * spread).exp())
}

/// The median of a few independent figures, with the narrowest interval of two of them that holds
/// the true median with at least 95 %; none below six. Figures that are no numbers are left out.
pub fn median_of_few(figures: &[f64]) -> Estimate {
    let sorted = sorted(figures.iter().copied().filter(|x| x.is_finite()));
    let n = sorted.len();
    let middle = crate::series::median(sorted.iter().copied()).unwrap_or(0.0);
    // Each figure lies below the median like a thrown coin: at most k - 1 do with a probability of
    // sum(C(n, i), i < k) / 2^n.
    let (mut term, mut tail, mut k) = (0.5_f64.powi(i32::try_from(n).unwrap_or(i32::MAX)), 0.0, 0);
    while k < n / 2 && tail + term <= MEDIAN_TAIL {
        tail += term;
        term *= (n - k) as f64 / (k + 1) as f64;
        k += 1;
    }
    if k == 0 {
        let reason = FewRounds { made: n, needed: 6 };
        return Estimate::without_interval(middle, n as u64, reason);
    }
    let covered = (1.0 - 2.0 * tail) * 100.0;
    let method = format!("median of rounds, order statistics, {covered:.0} %");
    let ends = (sorted[k - 1], sorted[n - k]);
    Estimate::with_interval(middle, ends, n as u64, method).worth(n as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::tests::Normal;

    #[test]
    fn the_interval_is_that_of_the_textbook() {
        // t of two degrees of freedom is 4.303; the standard error of 1, 2, 3 is 0.5774.
        let of_three = mean_of_few(&[1.0, 2.0, 3.0]);
        let (low, high) = of_three.interval().unwrap();
        assert!((low + 0.4841).abs() < 1e-3 && (high - 4.4841).abs() < 1e-3, "{of_three:?}");
        assert_eq!(mean_of_few(&[1.0, 2.0]).interval(), None);
        assert_eq!(mean_of_few(&[]).value, 0.0);
    }

    #[test]
    fn the_median_has_the_interval_of_the_sign_test() {
        let of = |n: u32| median_of_few(&(1..=n).map(f64::from).collect::<Vec<_>>());
        // Ranks of the tables of the sign test at 5 %: 6 of 6, 8 of 9 from rank 2, 17 from rank 5.
        assert_eq!((of(6).value, of(6).interval()), (3.5, Some((1.0, 6.0))));
        assert_eq!((of(9).value, of(9).interval()), (5.0, Some((2.0, 8.0))));
        assert_eq!(of(17).interval(), Some((5.0, 13.0)));
        assert_eq!(of(5).interval(), None);
        assert!(of(5).method.text().contains("too few") && of(6).method.text().contains("97 %"));
        assert_eq!(median_of_few(&[f64::NAN, 2.0]).value, 2.0);
        assert_eq!(median_of_few(&[]).value, 0.0);
    }

    #[test]
    fn it_holds_what_it_promises() {
        let mut normal = Normal(11);
        let covers = (0..2000)
            .filter(|_| {
                let figures: Vec<f64> = (0..4).map(|_| 100.0 + 10.0 * normal.draw()).collect();
                let (low, high) = mean_of_few(&figures).interval().unwrap();
                (low..=high).contains(&100.0)
            })
            .count();
        assert!((0.935..0.965).contains(&(covers as f64 / 2000.0)), "{covers}");
    }

    #[test]
    fn nine_of_ten_further_figures_stay_below_the_prediction() {
        let mut normal = Normal(11);
        let below = (0..4000)
            .filter(|_| {
                let few: Vec<f64> = (0..4).map(|_| normal.draw().exp()).collect();
                normal.draw().exp() < upper_prediction_of_few(&few).unwrap()
            })
            .count();
        assert!((0.885..0.915).contains(&(below as f64 / 4000.0)), "{below}");
        assert_eq!(upper_prediction_of_few(&[1.0, 2.0, f64::NAN]), None);
    }

    #[test]
    fn twice_and_half_cancel() {
        let ratio = geometric_mean_of_few(&[2.0, 0.5, 1.0]);
        assert!((ratio.value - 1.0).abs() < 1e-12, "{ratio:?}");
        let (low, high) = ratio.interval().unwrap();
        assert!((low * high - 1.0).abs() < 1e-9, "symmetric as a ratio: {ratio:?}");
        let steady = geometric_mean_of_few(&[3.0, 3.3, 2.7, f64::NAN, 0.0, f64::INFINITY]);
        assert!((steady.value - 2.99).abs() < 0.01 && steady.n == 3, "{steady:?}");
        assert!(steady.low.unwrap() > 2.3 && steady.high.unwrap() < 3.9, "{steady:?}");
        assert_eq!(geometric_mean_of_few(&[2.0, 2.0]).interval(), None);
    }
}
