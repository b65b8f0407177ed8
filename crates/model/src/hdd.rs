//! Rotating disks: `T = seek + 30 s / rpm + size / rate + controller`, and one operation at a time
//! gives `1 / T` of them a second (Bryant and O'Hallaron, Computer Systems, chapter 6).
//!
//! The arm: short seeks go with the square root of the way (Ruemmler and Wilkes, IEEE Computer
//! 27:3, 1994). Over a share `f` of the surface, with the average `S` and the track-to-track time
//! `a` of the data sheet: `seek(f) = a + (S - a) sqrt(f)`.
//!
//! Zones: with an innermost radius of `r` outermost ones, the rate at the share `c` of the space is
//! `rate(0) sqrt(1 - c (1 - r^2))`.

use serde::Serialize;
use units::{Bytes, BytesPerSecond, Nanos};

use crate::error::ModelError;

/// A rotating disk as its data sheet has it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Hdd {
    pub rpm: f64,
    /// Average seek over the whole surface.
    pub seek: Nanos,
    /// Seek to the next track.
    pub track: Nanos,
    /// What electronics and interface take.
    pub controller: Nanos,
    /// Rate of the medium; without it the transfer is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<BytesPerSecond>,
    /// The share of the surface that is used, above 0 and up to 1.
    pub stretch: f64,
}

/// The parts of the time of one operation, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ServiceTime {
    /// The arm.
    pub seek: f64,
    /// Half a rotation.
    pub rotation: f64,
    pub transfer: f64,
    pub controller: f64,
}

impl ServiceTime {
    pub fn total(&self) -> f64 {
        self.seek + self.rotation + self.transfer + self.controller
    }

    /// Operations per second, one at a time.
    pub fn iops(&self) -> f64 {
        1.0 / self.total()
    }
}

/// Rotations per minute of disks that exist or existed, with room on both sides.
const RPM: std::ops::RangeInclusive<f64> = 1000.0..=30_000.0;
/// Longer than any disk's arm takes.
const SEEK_MAX: Nanos = Nanos::millis(100);

impl Hdd {
    /// Refuses what is no disk.
    ///
    /// # Errors
    /// With the parameter and its range.
    pub fn validate(self) -> Result<Self, ModelError> {
        let Self { rpm, seek, track, rate, stretch, .. } = self;
        let reason = match () {
            () if !RPM.contains(&rpm) => {
                format!("{rpm} rotations per minute; it is 1,000 to 30,000")
            }
            () if seek > SEEK_MAX => format!("a seek of {seek}; it is up to {SEEK_MAX}"),
            () if track > seek => {
                format!("a seek to the next track of {track} is longer than the average, {seek}")
            }
            () if !(stretch > 0.0 && stretch <= 1.0) => {
                "the part that is used must be more than nothing and at most all".to_owned()
            }
            () if rate.is_some_and(|rate| rate.0 <= 0.0 || !rate.0.is_finite()) => {
                "a rate must be above 0 MB/s".to_owned()
            }
            () => return Ok(self),
        };
        Err(ModelError::Parameter { plan: "hdd".to_owned(), reason })
    }

    pub fn service_time(&self, size: Bytes) -> ServiceTime {
        let (seek, track) = (self.seek.as_secs_f64(), self.track.as_secs_f64());
        ServiceTime {
            seek: track + (seek - track) * self.stretch.sqrt(),
            rotation: 30.0 / self.rpm,
            transfer: self.rate.map_or(0.0, |rate| size.0 as f64 / rate.0),
            controller: self.controller.as_secs_f64(),
        }
    }
}

/// The rate at a share of the space, as a share of the outermost; `inner` is the ratio of the
/// radii.
pub fn surface_rate(at: f64, inner: f64) -> f64 {
    (1.0 - at.clamp(0.0, 1.0) * (1.0 - inner * inner)).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DISK: Hdd = Hdd {
        rpm: 7200.0,
        seek: Nanos::micros(8500),
        track: Nanos::millis(1),
        controller: Nanos::ZERO,
        rate: None,
        stretch: 1.0,
    };

    /// The mean root of the way between two random places, by a sum over a grid.
    #[test]
    fn the_mean_root_of_a_way_is_8_15ths() {
        let n = 1000;
        let way = |i: i32, j: i32| (f64::from((i - j).abs()) / f64::from(n)).sqrt();
        let sum: f64 = (0..n).map(|i| (0..n).map(|j| way(i, j)).sum::<f64>()).sum();
        let mean = sum / f64::from(n).powi(2);
        assert!((mean - 8.0 / 15.0).abs() < 1e-3, "{mean}");
    }

    #[test]
    fn a_short_stroke_looks_like_a_faster_disk() {
        let whole = DISK.service_time(Bytes::kib(4)).iops();
        let short = Hdd { stretch: 0.002, ..DISK }.service_time(Bytes::kib(4));
        assert!((whole - 78.9).abs() < 0.1, "{whole}");
        assert!((short.seek - 1.335e-3).abs() < 1e-5 && short.iops() > 2.2 * whole, "{short:?}");
    }

    #[test]
    fn inner_tracks_are_slower() {
        for (at, expected) in [(0.0, 1.0), (0.25, 0.90), (0.5, 0.79), (0.75, 0.66), (1.0, 0.5)] {
            assert!((surface_rate(at, 0.5) - expected).abs() < 0.005, "{at}");
        }
    }

    #[test]
    fn what_is_no_disk_is_refused() {
        let check = |disk: Hdd, words: &str| {
            let error = disk.validate().unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        };
        check(Hdd { rpm: 0.0, ..DISK }, "it is 1,000 to 30,000");
        check(Hdd { rpm: f64::NAN, ..DISK }, "it is 1,000 to 30,000");
        check(Hdd { seek: Nanos::secs(1), ..DISK }, "a seek of 1.00 s");
        check(Hdd { track: Nanos::millis(9), ..DISK }, "longer than the average");
        check(Hdd { stretch: 0.0, ..DISK }, "more than nothing");
        check(Hdd { stretch: 1.5, ..DISK }, "at most all");
        check(Hdd { rate: Some(BytesPerSecond(0.0)), ..DISK }, "above 0 MB/s");
        assert!(DISK.validate().is_ok());
    }
}
