//! Simulated devices with a known law, noise by seed, and the campaign over them.
#![allow(dead_code, reason = "every test binary uses its own part")]

pub mod rivals;

use stats::Decision;
use stats::search::{NextStep, ProbeResult, Search, Verdict};

/// splitmix64: enough for noise, and the same on every machine.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66)
    }

    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Box-Muller.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    pub fn log_uniform(&mut self, low: f64, high: f64) -> f64 {
        (low.ln() + self.uniform() * (high / low).ln()).exp()
    }
}

/// A law of IOPS and p99 over queue depth.
#[derive(Debug, Clone, Copy)]
pub enum Law {
    /// `X = max * q/(q + half)`; the p99 is 1.5 to 4 times the mean, the more the busier.
    Smooth { max: f64, half: f64 },
    /// `X = max * min(q/knee, 1)`.
    HardCap { max: f64, knee: f64 },
    /// IOPS grow with the logarithm of the depth: a disk that sorts its queue.
    Disk { base: f64, growth: f64 },
    /// Rises to a peak, then falls to 54 % within a doubling and stays there.
    Thrashing { peak: f64 },
}

impl Law {
    pub const NAMES: [&str; 4] = ["smooth", "hard cap", "disk", "thrashing"];

    pub fn draw(kind: usize, rng: &mut Rng) -> Self {
        match kind {
            0 => Self::Smooth { max: 200_000.0, half: rng.log_uniform(8.0, 128.0) },
            1 => Self::HardCap { max: 100_000.0, knee: rng.log_uniform(4.0, 64.0) },
            2 => Self::Disk { base: 120.0, growth: 0.2 + 0.2 * rng.uniform() },
            _ => Self::Thrashing { peak: rng.log_uniform(8.0, 64.0) },
        }
    }

    pub fn iops(&self, depth: f64) -> f64 {
        match *self {
            Self::Smooth { max, half } => max * depth / (depth + half),
            Self::HardCap { max, knee } => max * (depth / knee).min(1.0),
            Self::Disk { base, growth } => base * (1.0 + growth * depth.ln()),
            Self::Thrashing { peak } => {
                let rising = 6500.0 * (depth / peak).powf(0.3);
                let falling = 6500.0 * (3500.0_f64 / 6500.0).powf((depth / peak).log2());
                rising.min(falling.max(3500.0))
            }
        }
    }

    /// Seconds, from the mean latency by Little's law.
    pub fn p99(&self, depth: f64) -> f64 {
        let mean = depth / self.iops(depth);
        let tail = match *self {
            Self::Smooth { half, .. } => 1.5 + 2.5 * depth / (depth + half),
            Self::HardCap { .. } => 2.0,
            Self::Disk { .. } => 3.0,
            Self::Thrashing { .. } => 2.5,
        };
        tail * mean
    }

    /// A bound whose deepest depth is drawn evenly on the logarithmic axis from 2 to 512.
    pub fn draw_bound(&self, rng: &mut Rng) -> f64 {
        let low = if let Self::HardCap { knee, .. } = *self { knee } else { 2.0 };
        self.p99(rng.log_uniform(low, 512.0))
    }

    /// The most IOPS of all depths within the bound.
    pub fn best_iops(&self, bound: f64) -> f64 {
        (1..=1024)
            .map(f64::from)
            .filter(|d| self.p99(*d) <= bound)
            .map(|d| self.iops(d))
            .fold(0.0, f64::max)
    }
}

/// How probes of a device are disturbed.
#[derive(Debug, Clone, Copy)]
pub struct Noise {
    /// Standard deviation of ln(p99), common to a whole probe.
    pub sd: f64,
    /// The share of probes with twice the p99.
    pub spikes: f64,
    /// What a probe knows of its own error.
    pub own_error: f64,
    pub iops_sd: f64,
}

impl Noise {
    pub fn of(sd: f64) -> Self {
        Self { sd, spikes: 0.05, own_error: 0.03, iops_sd: 0.01 }
    }

    pub fn quiet() -> Self {
        Self { sd: 0.005, spikes: 0.0, own_error: 0.005, iops_sd: 0.002 }
    }
}

/// A device being measured.
pub struct Device {
    pub law: Law,
    pub noise: Noise,
    pub rng: Rng,
    pub probes: u32,
}

impl Device {
    pub fn new(law: Law, noise: Noise, seed: u64) -> Self {
        Self { law, noise, rng: Rng::new(seed), probes: 0 }
    }

    /// One probe: the measured p99 and IOPS.
    pub fn measure(&mut self, depth: f64) -> (f64, f64) {
        self.probes += 1;
        let spike = if self.rng.uniform() < self.noise.spikes { 2.0 } else { 1.0 };
        let p99 = self.law.p99(depth) * spike * (self.noise.sd * self.rng.normal()).exp();
        let iops = self.law.iops(depth) * (self.noise.iops_sd * self.rng.normal()).exp();
        (p99, iops)
    }

    pub fn probe(&mut self, level: usize, depth: f64, bounds: &[f64]) -> ProbeResult {
        let (p99, iops) = self.measure(depth);
        let verdicts = bounds.iter().map(|b| self.verdict(p99 / b)).collect();
        ProbeResult { level, iops, iops_rel_error: Some(self.noise.iops_sd), verdicts }
    }

    fn verdict(&self, ratio: f64) -> Verdict {
        let error = self.noise.own_error;
        let decision = match ratio.ln() {
            y if y <= -1.645 * error => Decision::Pass,
            y if y > 1.645 * error => Decision::Fail,
            _ => Decision::Undecided,
        };
        Verdict { decision, log_ratio: Some(ratio.ln()), log_ratio_error: Some(error) }
    }
}

/// Runs a search to its end.
pub fn run(search: &mut Search, device: &mut Device, bounds: &[f64]) {
    while let NextStep::Probe { level, value, .. } = search.next_step() {
        search.add_probe(device.probe(level, value, bounds));
        assert!(device.probes < 500, "the search does not end");
    }
}
