//! Blocks of which some are more likely than others.

use workload::Distribution;

use super::permutation::Permutation;
use super::random_stream::RandomStream;

/// Draws blocks of `0..n` by a distribution.
#[derive(Debug, Clone)]
pub(super) struct Sampler {
    n: u64,
    law: SamplerLaw,
    /// Ranks to places, so that hot blocks lie scattered.
    scatter: Permutation,
    /// How far all places are moved.
    shift: u64,
}

#[derive(Debug, Clone)]
enum SamplerLaw {
    Zipf(Zipf),
    Pareto {
        /// `ln h / ln (1 - h)`.
        power: f64,
    },
    Normal {
        deviation: f64,
    },
    Zones(Vec<Zone>),
}

/// Blocks `first..first + count`, up to the cumulated share of the accesses.
#[derive(Debug, Clone, Copy)]
struct Zone {
    up_to_percent: u64,
    first: u64,
    count: u64,
}

impl Sampler {
    pub(super) fn new(distribution: &Distribution, n: u64, block: u64, seed: u64) -> Self {
        let scatter = Permutation::new(n, seed);
        if let Distribution::Around { centre, law } = distribution {
            let sampler = Self::new(law, n, block, seed);
            let likeliest = match sampler.law {
                SamplerLaw::Normal { .. } => n / 2,
                _ => scatter.at(0),
            };
            let centre = (centre * n as f64) as u64;
            return Self { shift: (centre % n + n - likeliest) % n, ..sampler };
        }
        let law = match distribution {
            Distribution::Zipf { theta } => SamplerLaw::Zipf(Zipf::new(n, *theta)),
            Distribution::Pareto { h } => SamplerLaw::Pareto { power: h.ln() / (1.0 - h).ln() },
            Distribution::Normal { deviation_percent } => {
                SamplerLaw::Normal { deviation: deviation_percent / 100.0 * n as f64 }
            }
            // What it moves is made above.
            Distribution::Around { law, .. } => return Self::new(law, n, block, seed),
            Distribution::ZonedByShare(zones) => {
                let parts = zones.iter().map(|z| {
                    let share = u128::from(n) * u128::from(z.span_percent) / 100;
                    (u64::from(z.access_percent), share as u64)
                });
                SamplerLaw::Zones(make_zones(parts, n))
            }
            Distribution::ZonedBySize(zones) => {
                let parts =
                    zones.iter().map(|z| (u64::from(z.access_percent), z.size.0 / block.max(1)));
                SamplerLaw::Zones(make_zones(parts, n))
            }
        };
        Self { n, law, scatter, shift: 0 }
    }

    #[inline]
    pub(super) fn sample(&self, draw: &mut RandomStream) -> u64 {
        let place = self.shift + self.place(draw);
        if place < self.n { place } else { place - self.n }
    }

    fn place(&self, draw: &mut RandomStream) -> u64 {
        match &self.law {
            SamplerLaw::Zipf(zipf) => self.scatter.at(zipf.sample(draw) - 1),
            SamplerLaw::Pareto { power } => {
                let rank = (draw.next_unit().powf(*power) * self.n as f64) as u64;
                self.scatter.at(rank.min(self.n - 1))
            }
            SamplerLaw::Normal { deviation } => loop {
                // What falls outside the span is drawn again.
                let place = self.n as f64 / 2.0 + draw.next_normal() * deviation;
                if (0.0..self.n as f64).contains(&place) {
                    return place as u64;
                }
            },
            SamplerLaw::Zones(zones) => {
                let share = draw.next_below(100);
                let zone = zones.iter().find(|zone| share < zone.up_to_percent);
                zone.map_or(0, |zone| zone.first + draw.next_below(zone.count.max(1)))
            }
        }
    }
}

/// Consecutive zones of at least a block each, within `n` blocks.
fn make_zones(parts: impl Iterator<Item = (u64, u64)>, n: u64) -> Vec<Zone> {
    let (mut percent, mut first) = (0, 0);
    parts
        .map(|(access_percent, count)| {
            percent += access_percent;
            let start = first;
            first += count;
            let start = start.min(n - 1);
            Zone { up_to_percent: percent, first: start, count: count.clamp(1, n - start) }
        })
        .collect()
}

/// Zipf's law by rejection and inversion (Hoermann and Derflinger 1996): exact for every exponent
/// but 1, without a table, with less than 1.1 tries on average.
#[derive(Debug, Clone, Copy)]
struct Zipf {
    n: f64,
    theta: f64,
    integral_first: f64,
    integral_last: f64,
    squeeze: f64,
}

impl Zipf {
    fn new(n: u64, theta: f64) -> Self {
        let mut zipf =
            Self { n: n as f64, theta, integral_first: 0.0, integral_last: 0.0, squeeze: 0.0 };
        zipf.integral_first = zipf.integral(1.5) - 1.0;
        zipf.integral_last = zipf.integral(zipf.n + 0.5);
        zipf.squeeze = 2.0 - zipf.inverse(zipf.integral(2.5) - zipf.density(2.0));
        zipf
    }

    fn density(self, x: f64) -> f64 {
        (-self.theta * x.ln()).exp()
    }

    /// The integral of the density from 1 to x.
    fn integral(self, x: f64) -> f64 {
        let slope = 1.0 - self.theta;
        (slope * x.ln()).exp_m1() / slope
    }

    fn inverse(self, y: f64) -> f64 {
        let slope = 1.0 - self.theta;
        ((slope * y).max(-1.0 + f64::EPSILON).ln_1p() / slope).exp()
    }

    fn sample(self, draw: &mut RandomStream) -> u64 {
        loop {
            let y =
                self.integral_last + draw.next_unit() * (self.integral_first - self.integral_last);
            let x = self.inverse(y);
            let rank = x.round().clamp(1.0, self.n);
            if rank - x <= self.squeeze || y >= self.integral(rank + 0.5) - self.density(rank) {
                return rank as u64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use workload::{ShareZone, SizeZone};

    const DRAWS: u32 = 200_000;

    /// How often each of `n` blocks comes in [`DRAWS`] draws, most first.
    fn counts(distribution: &Distribution, n: u64) -> Vec<u32> {
        let sampler = Sampler::new(distribution, n, 4096, 5);
        let mut draw = RandomStream::new(11, 0);
        let mut counts = vec![0; n as usize];
        (0..DRAWS).for_each(|_| counts[sampler.sample(&mut draw) as usize] += 1);
        counts
    }

    #[test]
    fn zipf_follows_its_law() {
        for theta in [0.5, 0.99, 1.2, 2.5] {
            let mut seen = counts(&Distribution::Zipf { theta }, 1000);
            seen.sort_unstable_by(|a, b| b.cmp(a));
            let sum: f64 = (1..=1000).map(|k| f64::from(k).powf(-theta)).sum();
            for rank in [1_u32, 2, 5, 20] {
                let expected = f64::from(rank).powf(-theta) / sum * f64::from(DRAWS);
                let got = f64::from(seen[rank as usize - 1]);
                // Sorting favours the luckier of near equals: 5 sigma.
                let off = (got - expected).abs();
                assert!(off < 5.0 * expected.sqrt() + 3.0, "{theta} {rank}: {got} {expected}");
            }
        }
    }

    #[test]
    fn pareto_gives_a_fifth_of_the_blocks_four_fifths_of_the_accesses() {
        let mut seen = counts(&Distribution::Pareto { h: 0.2 }, 1000);
        seen.sort_unstable_by(|a, b| b.cmp(a));
        let hot: u32 = seen[..200].iter().sum();
        let share = f64::from(hot) / f64::from(DRAWS);
        assert!((share - 0.8).abs() < 0.02, "{share}");
    }

    #[test]
    fn hot_blocks_lie_scattered() {
        let seen = counts(&Distribution::Zipf { theta: 1.2 }, 1000);
        let mut places: Vec<usize> = (0..1000).collect();
        places.sort_by_key(|&place| std::cmp::Reverse(seen[place]));
        let spread = places[..10].iter().max().unwrap() - places[..10].iter().min().unwrap();
        assert!(spread > 400, "{places:?}");
    }

    #[test]
    fn normal_is_around_the_middle() {
        let seen = counts(&Distribution::Normal { deviation_percent: 10.0 }, 1000);
        let within: u32 = seen[400..600].iter().sum();
        let share = f64::from(within) / f64::from(DRAWS);
        assert!((share - 0.6827).abs() < 0.01, "{share}");
    }

    #[test]
    fn the_likeliest_block_lies_at_the_centre() {
        let around = |centre, law| Distribution::Around { centre, law: Box::new(law) };
        let hottest = |law: Distribution| {
            let seen = counts(&law, 1000);
            (0..1000).max_by_key(|&place| seen[place]).unwrap()
        };
        for (centre, place) in [(0.0, 0), (0.3, 300), (0.5, 500), (1.0, 0)] {
            assert_eq!(hottest(around(centre, Distribution::Zipf { theta: 1.2 })), place);
            assert_eq!(hottest(around(centre, Distribution::Pareto { h: 0.2 })), place);
        }
        // As often as without a centre, and as scattered.
        let sorted = |law: &Distribution| {
            let mut seen = counts(law, 1000);
            seen.sort_unstable();
            seen
        };
        let zipf = Distribution::Zipf { theta: 1.2 };
        assert_eq!(sorted(&around(0.3, zipf.clone())), sorted(&zipf));
        let seen = counts(&around(0.2, Distribution::Normal { deviation_percent: 5.0 }), 1000);
        let within = f64::from(seen[150..250].iter().sum::<u32>()) / f64::from(DRAWS);
        assert!((within - 0.6827).abs() < 0.01, "{within}");
    }

    #[test]
    fn zones_get_their_shares_in_their_places() {
        let zone = |access_percent, span_percent| ShareZone { access_percent, span_percent };
        let seen = counts(&Distribution::ZonedByShare(vec![zone(60, 10), zone(40, 90)]), 1000);
        let share = |counts: &[u32]| f64::from(counts.iter().sum::<u32>()) / f64::from(DRAWS);
        assert!((share(&seen[..100]) - 0.6).abs() < 0.01);
        let size = |access_percent, blocks: u64| SizeZone {
            access_percent,
            size: units::Bytes(blocks * 4096),
        };
        let seen = counts(&Distribution::ZonedBySize(vec![size(90, 50), size(10, 200)]), 1000);
        assert!((share(&seen[..50]) - 0.9).abs() < 0.01);
        assert_eq!(share(&seen[250..]), 0.0, "beyond the zones nothing is touched");
    }
}
