//! Waits of a request for which one arm goes to a random place, and then waits for a turn.
//!
//! The law: `wait = start + slope * sqrt(distance) + turn * U`, with U even between 0 and 1, and
//! the distance that between two places drawn evenly from a share of the whole (density `2 (1 -
//! x)`). A log-normal factor blurs it, and two waits in a thousand are anything.

use message::{Message, label};

use crate::estimate::Estimate;
use crate::series::is_positive;
use crate::simplex::minimize;

/// Fewest waits for a fit: four parameters, and twenty samples for each of their edges.
const WAITS_MIN: f64 = 40.0;
/// Share of waits that the law does not explain, spread evenly up to twice the longest.
const STRAY_SHARE: f64 = 0.002;
/// Least and largest blur, as a standard deviation of the logarithm: buckets of waits are 0.8 %
/// wide.
const BLUR_RANGE: (f64, f64) = (0.003, 0.1);
/// Seven numbers that stand for a normal distribution: the middles of its sevenths, stretched to
/// a variance of 1.
const NORMAL_SEVENTHS: [f64; 7] = [-1.607, -0.869, -0.402, 0.0, 0.402, 0.869, 1.607];
/// Blur expected before anything is seen: without it, few waits give too much blur and a short
/// turn.
const BLUR_EXPECTED: f64 = 0.015;
/// Moves of the simplex from each start, and then each time from the best so far.
const MOVES: (u32, u32) = (60, 150);
const RESTARTS: usize = 4;
/// Turns to start from, as shares of the spread of the narrowest stretch, and blurs.
const START_ROTATIONS: [f64; 8] = [0.4, 0.55, 0.7, 0.8, 0.88, 0.94, 1.0, 1.1];
const START_BLURS: [f64; 2] = [0.006, 0.025];
/// Half of the log-likelihood that a 95 % interval gives away (chi-squared, one degree of freedom).
const PROFILE_DROP: f64 = 1.92;
/// Intervals are wider than the curvature says: with this factor nine in ten hold the truth (see
/// tests).
const INTERVAL_FACTOR: f64 = 1.3;
/// The mean of the root of the distance between two places, over the root of their share.
const MEAN_ROOT: f64 = 8.0 / 15.0;

const INTERVAL: &str = "maximum likelihood of travel and turn, curvature of its logarithm, 95 %";

/// Waits at places drawn from one share of the whole.
#[derive(Debug, Clone, PartialEq)]
pub struct SeekSample {
    /// The share, above 0 and at most 1.
    pub share: f64,
    pub waits: Vec<(f64, f64)>,
}

impl SeekSample {
    fn count(&self) -> f64 {
        self.waits.iter().map(|wait| wait.1).sum()
    }

    fn mean(&self) -> f64 {
        self.waits.iter().map(|wait| wait.0 * wait.1).sum::<f64>() / self.count()
    }

    /// The 5th and 95th percentile of the waits.
    fn spread(&self) -> (f64, f64) {
        let all = self.count();
        let at = |quantile: f64| {
            let mut below = 0.0;
            let found = self.waits.iter().find(|wait| {
                below += wait.1;
                below >= quantile * all
            });
            found.map_or(0.0, |wait| wait.0)
        };
        (at(0.05), at(0.95))
    }
}

/// The law, fitted. In the unit of the waits.
#[derive(Debug, Clone, PartialEq)]
pub struct SeekFit {
    pub rotation: Estimate,
    /// The mean travel between places drawn from the whole, with what every request takes.
    pub mean_seek: Estimate,
    /// What every request takes, and the travel to the very next place.
    pub overhead: f64,
    /// Travel over the whole, without the start.
    pub slope: Estimate,
    /// Standard deviation of the logarithm of the blur.
    pub blur: f64,
    /// How much likelier the waits are by this law than as log-normals, as a logarithm of the
    /// ratio.
    pub gain: f64,
}

impl SeekFit {
    /// The mean wait at places drawn from a share of the whole.
    pub fn mean_wait(&self, share: f64) -> f64 {
        self.overhead + self.slope.value * MEAN_ROOT * share.sqrt() + self.rotation.value / 2.0
    }
}

/// Parameters: logarithm of the turn, start, slope, logarithm of the blur.
type SeekLaw = [f64; 4];

/// Fits the law to the waits of all stretches together, by maximum likelihood; `None` with fewer
/// than forty waits, or when the likelihood has no summit. `turn` is what is known from elsewhere:
/// one turn, and the standard deviation of its logarithm. Intervals follow from the curvature at
/// the summit; a slope whose interval holds 0 means that no travel was seen.
pub fn fit_seek(stretches: &[SeekSample], turn: Option<(f64, f64)>) -> Option<SeekFit> {
    let stretches: Vec<SeekSample> = stretches.iter().filter_map(clean_sample).collect();
    let count: f64 = stretches.iter().map(SeekSample::count).sum();
    if count < WAITS_MIN {
        return None;
    }
    let scale = stretches.iter().map(|s| s.spread().1).fold(0.0, f64::max);
    let expected = |law: &SeekLaw| {
        let of_turn = turn.map_or(0.0, |(turn, width)| (law[0] - turn.ln()) / width);
        ((law[3].exp() / BLUR_EXPECTED).powi(2) + of_turn.powi(2)) / 2.0
    };
    let unlikely = |law: &SeekLaw| expected(law) - log_likelihood(&stretches, law, scale);
    let best = starting_laws(&stretches, turn)
        .into_iter()
        .map(|start| minimize(&unlikely, start, first_steps(&start), MOVES.0))
        .min_by(|a, b| a.1.total_cmp(&b.1))?;
    let (mut law, height) = (0..RESTARTS)
        .fold(best, |best, _| minimize(&unlikely, best.0, first_steps(&best.0), MOVES.1));
    law[2] = law[2].max(0.0);
    if !height.is_finite() {
        return None;
    }
    // A likelihood with edges may be no hill at one scale, and be one at the next.
    let deviations = [1.0, 1.6, 2.5]
        .into_iter()
        .find_map(|scale| standard_deviations(&unlikely, &law, height, scale));
    let turn = law[0].exp();
    let estimate = |value: f64, deviation: Option<f64>| {
        let half = deviation.map(|d| INTERVAL_FACTOR * (2.0 * PROFILE_DROP).sqrt() * d);
        let method: Message = match half {
            Some(_) => Message::from_text(INTERVAL),
            None => label("no-interval-flat"),
        };
        let bare = Estimate::without_interval(value, count as u64, method);
        Estimate { low: half.map(|h| value - h), high: half.map(|h| value + h), ..bare }
    };
    let [of_turn, of_slope, of_travel] =
        deviations.map_or([None; 3], |deviations| deviations.map(Some));
    Some(SeekFit {
        rotation: estimate(turn, of_turn.map(|d| d * turn)),
        mean_seek: estimate(law[1] + MEAN_ROOT * law[2], of_travel),
        overhead: law[1],
        slope: estimate(law[2], of_slope),
        blur: law[3].exp(),
        gain: -height - log_normal_likelihood(&stretches, scale),
    })
}

fn clean_sample(stretch: &SeekSample) -> Option<SeekSample> {
    let mut waits: Vec<(f64, f64)> =
        stretch.waits.iter().copied().filter(|w| is_positive(w.0) && is_positive(w.1)).collect();
    waits.sort_by(|a, b| a.0.total_cmp(&b.0));
    let fits = is_positive(stretch.share) && !waits.is_empty();
    fits.then(|| SeekSample { share: stretch.share.min(1.0), waits })
}

/// Laws to start from: start and slope from the means over the root of the share (least squares).
fn starting_laws(stretches: &[SeekSample], known: Option<(f64, f64)>) -> Vec<SeekLaw> {
    let narrowest = stretches.iter().min_by(|a, b| a.share.total_cmp(&b.share));
    let Some((low, high)) = narrowest.map(SeekSample::spread) else { return Vec::new() };
    let all: f64 = stretches.iter().map(SeekSample::count).sum();
    let mean = |of: &dyn Fn(&SeekSample) -> f64| {
        stretches.iter().map(|s| of(s) * s.count()).sum::<f64>() / all
    };
    let (x, y) = (mean(&|s| s.share.sqrt()), mean(&SeekSample::mean));
    let (xx, xy) =
        (mean(&|s| (s.share.sqrt() - x).powi(2)), mean(&|s| (s.share.sqrt() - x) * (s.mean() - y)));
    let slope = if xx > 1e-12 { (xy / xx).max(0.0) / MEAN_ROOT } else { 0.0 };
    START_ROTATIONS
        .iter()
        .flat_map(|share| START_BLURS.map(|blur| (share, blur)))
        .map(|(share, blur)| {
            // A twentieth is cut off on both sides.
            let seen = ((high - low) / 0.9 * share).max(high * 1e-3);
            let turn = known.map_or(seen, |(turn, _)| turn);
            let start = (y - slope * MEAN_ROOT * x - turn / 2.0).max(low * 0.05);
            [turn.ln(), start, slope, blur.ln()]
        })
        .collect()
}

fn first_steps(law: &SeekLaw) -> SeekLaw {
    let turn = law[0].exp();
    [0.05, 0.1 * turn, (0.2 * law[2]).max(0.1 * turn), 0.7]
}

fn log_likelihood(stretches: &[SeekSample], law: &SeekLaw, scale: f64) -> f64 {
    let [log_turn, start, slope, log_blur] = *law;
    let (turn, blur) = (log_turn.exp(), log_blur.exp());
    if !(BLUR_RANGE.0..=BLUR_RANGE.1).contains(&blur) {
        return f64::NEG_INFINITY;
    }
    stretches
        .iter()
        .map(|stretch| sample_log_likelihood(stretch, turn, start, slope, blur, scale))
        .sum()
}

fn sample_log_likelihood(
    stretch: &SeekSample,
    turn: f64,
    start: f64,
    slope: f64,
    blur: f64,
    scale: f64,
) -> f64 {
    let reach = (slope * stretch.share.sqrt()).max(1e-6 * turn);
    // The share of travels that end within a time: `1 - (1 - x)^2` of distances `x`.
    let within = |time: f64| {
        let left = 1.0 - (time.max(0.0) / reach).powi(2).min(1.0);
        1.0 - left * left
    };
    // Even over a turn: what travelled before the wait, and not before a turn less.
    let density = |wait: f64| (within(wait - start) - within(wait - start - turn)) / turn;
    let blurred = |wait: f64| {
        let sum: f64 = NORMAL_SEVENTHS.iter().map(|z| density(wait * (1.0 + z * blur))).sum();
        sum / NORMAL_SEVENTHS.len() as f64
    };
    let stray = STRAY_SHARE / (2.0 * scale);
    stretch
        .waits
        .iter()
        .map(|&(wait, n)| n * ((1.0 - STRAY_SHARE) * blurred(wait) + stray).ln())
        .sum()
}

/// The logarithm of the likelihood by a log-normal for each stretch, with the same strays.
fn log_normal_likelihood(stretches: &[SeekSample], scale: f64) -> f64 {
    let stray = STRAY_SHARE / (2.0 * scale);
    let of = |stretch: &SeekSample| {
        let all = stretch.count();
        let mean = |of: &dyn Fn(f64) -> f64| {
            stretch.waits.iter().map(|w| of(w.0.ln()) * w.1).sum::<f64>() / all
        };
        let middle = mean(&|log| log);
        let width = mean(&|log| (log - middle).powi(2)).sqrt().max(BLUR_RANGE.0);
        let density = |wait: f64| {
            let z = (wait.ln() - middle) / width;
            (-z * z / 2.0).exp() / (wait * width * (2.0 * std::f64::consts::PI).sqrt())
        };
        let log = |&(wait, n): &(f64, f64)| n * ((1.0 - STRAY_SHARE) * density(wait) + stray).ln();
        stretch.waits.iter().map(log).sum::<f64>()
    };
    stretches.iter().map(of).sum()
}

/// Standard deviations of the logarithm of the turn, of the slope, and of the mean travel.
fn standard_deviations(
    unlikely: &dyn Fn(&SeekLaw) -> f64,
    law: &SeekLaw,
    height: f64,
    scale: f64,
) -> Option<[f64; 3]> {
    // At smaller steps likelihoods with edges are rough.
    let step: SeekLaw =
        std::array::from_fn(|axis| scale * likelihood_reach(unlikely, law, height, axis));
    let at = |first: usize, by: f64, second: usize, by_second: f64| {
        let mut moved = *law;
        moved[first] += by * step[first];
        moved[second] += by_second * step[second];
        unlikely(&moved)
    };
    let mut curvature = [[0.0; 3]; 3];
    for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
        curvature[i][j] = if i == j {
            (at(i, 1.0, i, 0.0) - 2.0 * height + at(i, -1.0, i, 0.0)) / (step[i] * step[i])
        } else {
            let even = at(i, 0.7, j, 0.7) + at(i, -0.7, j, -0.7);
            let odd = at(i, 0.7, j, -0.7) + at(i, -0.7, j, 0.7);
            (even - odd) / (4.0 * 0.49 * step[i] * step[j])
        };
    }
    let inverse = invert_matrix(&curvature)?;
    let of_travel =
        inverse[1][1] + 2.0 * MEAN_ROOT * inverse[1][2] + MEAN_ROOT * MEAN_ROOT * inverse[2][2];
    let variances = [inverse[0][0], inverse[2][2], of_travel];
    variances.iter().all(|v| *v > 0.0 && v.is_finite()).then(|| variances.map(f64::sqrt))
}

/// How far along an axis the likelihood falls by `PROFILE_DROP`, on the side where it falls first.
fn likelihood_reach(
    unlikely: &dyn Fn(&SeekLaw) -> f64,
    law: &SeekLaw,
    height: f64,
    axis: usize,
) -> f64 {
    let mut step = first_steps(law)[axis] * 1e-3;
    for _ in 0..20 {
        let falls = [1.0, -1.0].iter().any(|side| {
            let mut moved = *law;
            moved[axis] += side * step;
            unlikely(&moved) - height > PROFILE_DROP
        });
        if falls {
            return step;
        }
        step *= 1.6;
    }
    step
}

/// The inverse of a matrix, by elimination with the largest pivot; `None` where it has none.
fn invert_matrix(matrix: &[[f64; 3]; 3]) -> Option<[[f64; 3]; 3]> {
    let mut left = *matrix;
    let mut right = [[0.0; 3]; 3];
    (0..3).for_each(|i| right[i][i] = 1.0);
    for column in 0..3 {
        let size = |row: &usize| left[*row][column].abs();
        let pivot = (column..3).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        left.swap(column, pivot);
        right.swap(column, pivot);
        let by = left[column][column];
        if !by.is_finite() || by.abs() < f64::MIN_POSITIVE {
            return None;
        }
        left[column] = left[column].map(|x| x / by);
        right[column] = right[column].map(|x| x / by);
        for row in (0..3).filter(|row| *row != column) {
            let by = left[row][column];
            let (from_left, from_right) = (left[column], right[column]);
            (0..3).for_each(|j| left[row][j] -= by * from_left[j]);
            (0..3).for_each(|j| right[row][j] -= by * from_right[j]);
        }
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SplitMix64, for draws between 0 and 1.
    struct Rng(u64);

    impl Rng {
        fn unit(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((word ^ (word >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
        }

        fn normal(&mut self) -> f64 {
            (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
        }
    }

    fn draw_sample(rng: &mut Rng, share: f64, n: usize, blur: f64) -> SeekSample {
        let waits = (0..n)
            .map(|_| {
                let distance = (rng.unit() - rng.unit()).abs() * share;
                let wait = 0.6 + 14.0 * distance.sqrt() + 8.333 * rng.unit();
                (wait * (blur * rng.normal()).exp(), 1.0)
            })
            .collect();
        SeekSample { share, waits }
    }

    #[test]
    fn turn_and_travel_are_found_again() {
        let mut off = Vec::new();
        for seed in 0..20 {
            let mut rng = Rng(seed);
            let shares = [1.0, 0.25, 1.0 / 16.0, 1.0 / 64.0, 1e-4];
            let drawn = shares.map(|share| draw_sample(&mut rng, share, 60, 0.02));
            let fit = fit_seek(&drawn, None).unwrap();
            let truth = 0.6 + 14.0 * MEAN_ROOT;
            assert!((fit.rotation.value / 8.333 - 1.0).abs() < 0.08, "{fit:?}");
            // Off by half a per cent, as what is known may be.
            let told = fit_seek(&drawn, Some((8.333 * 1.005, 0.005))).unwrap();
            off.push((told.rotation.value / 8.333 - 1.0, told.mean_seek.value / truth - 1.0));
            assert!(fit.gain > 10.0, "{fit:?}");
            assert!(fit.slope.low.is_some_and(|low| low > 0.0), "{fit:?}");
        }
        assert!(off.iter().all(|o| o.0.abs() < 0.015 && o.1.abs() < 0.10), "{off:?}");
    }

    #[test]
    fn intervals_hold_the_truth_about_as_often_as_they_say() {
        let truth = (8.333, 0.6 + 14.0 * MEAN_ROOT);
        let mut held = (0, 0);
        for seed in 100..160 {
            let mut rng = Rng(seed);
            let drawn = [1.0, 0.1, 0.01].map(|share| draw_sample(&mut rng, share, 80, 0.03));
            let fit = fit_seek(&drawn, None).unwrap();
            let holds = |of: &Estimate, truth: f64| {
                of.interval().is_some_and(|(low, high)| low <= truth && truth <= high)
            };
            held.0 += u32::from(holds(&fit.rotation, truth.0));
            held.1 += u32::from(holds(&fit.mean_seek, truth.1));
        }
        assert!(held.0 >= 54 && held.1 >= 54, "{held:?} of 60");
    }

    #[test]
    fn what_neither_turns_nor_travels_is_likelier_as_something_else() {
        for seed in 0..20 {
            let mut rng = Rng(seed);
            let drawn = [1.0, 0.25, 0.01].map(|share| {
                let waits = (0..100).map(|_| ((0.2 * rng.normal()).exp(), 1.0)).collect();
                SeekSample { share, waits }
            });
            let gain = fit_seek(&drawn, None).map_or(f64::NEG_INFINITY, |fit| fit.gain);
            assert!(gain < 8.0, "{gain}");
        }
    }

    #[test]
    fn too_few_waits_say_nothing() {
        let mut rng = Rng(1);
        assert_eq!(fit_seek(&[draw_sample(&mut rng, 1.0, 39, 0.0)], None), None);
        assert_eq!(fit_seek(&[], None), None);
        let odd = SeekSample { share: 0.0, waits: vec![(f64::NAN, 1.0), (1.0, -1.0)] };
        assert_eq!(fit_seek(&[odd], None), None);
    }
}
