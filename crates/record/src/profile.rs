//! The profile of a live load: what a capture keeps of it, and what a replay draws requests from.
//!
//! A profile is one TOML file for one disk. It has distributions only: nothing of what was read or
//! written, no names of files, no single request.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::trace::RequestKind;

/// The first line of every profile.
pub const PROFILE_HEADER: &str = "# truedisk profile of a live load (docs/capture.md)\n";
/// Most bytes of a profile's file.
pub const PROFILE_BYTES_MAX: u64 = 1 << 20;
/// The version that is written. A file of a later one is refused.
pub const PROFILE_VERSION: u32 = 2;

/// Most numbers in one list of a profile.
const LIST_MAX: usize = 4096;
/// A disk of an exabyte: sums of offsets do not overflow.
const DISK_BYTES_MAX: u64 = 1 << 60;
/// More than any disk serves.
const REQUESTS_PER_MILLISECOND_MAX: u64 = 100_000;
/// The gaps of an interval are drawn at once, before its first request: some seconds of work.
const REQUESTS_PER_INTERVAL_MAX: u64 = 100_000_000;
/// Rounded shares may miss their sum by this much.
const SHARES_TOLERANCE: f64 = 0.01;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Profile {
    /// The version of this format.
    pub version: u32,
    pub captured: Timestamp,
    pub length_ns: u64,
    pub requests: u64,
    /// Requests that completed and were not captured.
    pub lost: u64,
    /// Requests per second.
    pub rate: f64,
    /// Half of the 95 % interval of the rate, as a share of it; absent where the capture is too
    /// short to have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_uncertainty: Option<f64>,
    pub disk: ProfiledDisk,
    pub arrivals: Arrivals,
    pub outstanding: Outstanding,
    pub zones: Zones,
    /// By kind; a kind without a request is absent.
    pub kinds: BTreeMap<RequestKind, KindProfile>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ProfiledDisk {
    /// The kernel's name: `vda`.
    pub name: String,
    pub size_bytes: u64,
    /// Bytes of a logical block.
    pub block_bytes: u32,
}

/// When requests come. A gap is the time from one start to the next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Arrivals {
    /// Variance of the requests per window divided by their mean, by the window's length: `10ms`.
    /// 1 of independent arrivals, more of bursts.
    pub dispersion: Vec<(String, f64)>,
    /// Percentiles of all gaps: `p50`.
    pub gaps_ns: BTreeMap<String, u64>,
    /// The rate over time: milliseconds and requests of each part of the capture.
    pub intervals: Vec<(u64, u64)>,
    /// The pattern of gaps, apart for intervals of different rates.
    pub levels: Vec<RateLevel>,
}

/// The pattern of gaps in intervals of about this rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RateLevel {
    /// Requests per second.
    pub rate: f64,
    pub classes: Vec<GapClass>,
    /// Of the gaps before flushes. Those of version 1, and of a load that is nothing but flushes,
    /// are among the others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flush_classes: Vec<GapClass>,
}

/// Gaps of about the same length and of one pattern.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GapClass {
    /// Share of the pattern's gaps.
    pub share: f64,
    /// Quantiles at equal distances, from the shortest gap to the longest.
    pub quantiles_ns: Vec<u64>,
    /// How many shorter gaps lie between two of this class: where this is a pause, the lengths of
    /// bursts.
    pub between: Distribution,
}

/// Numbers in ascending order in parts: the share of each part, and the mean of its numbers.
pub type Distribution = Vec<(f64, f64)>;

/// Requests outstanding at the start of a request, without itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Outstanding {
    pub mean: f64,
    pub p50: u64,
    pub p99: u64,
    pub max: u64,
}

/// Equal parts of the touched range of the disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Zones {
    /// Where the first zone begins.
    pub start_bytes: u64,
    /// Of one zone.
    pub zone_bytes: u64,
    /// Touched bytes, counted in pieces of `piece_bytes`: at most this much was in use.
    pub working_set_bytes: u64,
    pub piece_bytes: u64,
    /// The touched share of each zone.
    pub touched: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct KindProfile {
    /// Share of all requests.
    pub share: f64,
    /// Share of these that were to be durable once they completed (FUA).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub fua: f64,
    /// Percentiles of the latency there, as far as the sample supports them: `p50`, `p99`, `p99.9`.
    pub latency_ns: BTreeMap<String, u64>,
    /// Of flushes: how many requests lie between two; how many writes where there are writes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub between: Distribution,
    /// Absent of flushes, which have no place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<Places>,
}

/// Where requests of a kind go, and how long they are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Places {
    /// Bytes and share of each size.
    pub sizes: Vec<(u32, f64)>,
    /// All offsets and sizes are multiples of it.
    pub alignment_bytes: u64,
    /// Share of requests that begin where one of the last 32 of this kind ended.
    pub sequential: f64,
    /// Requests in a sequential run: `p50`, `p90`, `max`.
    pub run_lengths: BTreeMap<String, u64>,
    /// Which kind with a place comes after one of this kind.
    pub next: BTreeMap<RequestKind, f64>,
    /// Share of these requests in each zone.
    pub zones: Vec<f64>,
    /// Share of a zone's requests that begin where the last request of this kind ended.
    pub follows: Vec<f64>,
    /// Share of a zone's requests that begin where an earlier one ended.
    pub resumes: Vec<f64>,
}

fn is_zero(share: &f64) -> bool {
    *share == 0.0
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    #[error("it is no profile of truedisk: {0}")]
    Syntax(String),
    #[error(
        "it is a profile of version {0}, and this truedisk reads versions up to \
         {PROFILE_VERSION}; use a newer truedisk"
    )]
    Newer(u32),
    #[error("the profile is damaged: {0}")]
    Value(String),
    #[error("the profile cannot be written: {0}")]
    Write(String),
}

impl Profile {
    pub fn to_toml(&self) -> Result<String, ProfileError> {
        let body = toml::to_string(self).map_err(|error| ProfileError::Write(error.to_string()))?;
        Ok(format!("{PROFILE_HEADER}{body}"))
    }

    /// Reads the text of a profile; every figure that a replay uses is checked.
    pub fn from_toml(text: &str) -> Result<Self, ProfileError> {
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        let version: Version = toml::from_str(text).map_err(describe_syntax)?;
        if version.version > PROFILE_VERSION {
            return Err(ProfileError::Newer(version.version));
        }
        let profile: Self = toml::from_str(text).map_err(describe_syntax)?;
        profile.validate().map_err(ProfileError::Value)?;
        Ok(profile)
    }

    fn validate(&self) -> Result<(), String> {
        check(self.length_ns > 0, || "length-ns is 0".to_owned())?;
        check(self.rate.is_finite() && self.rate >= 0.0, || "rate is no rate".to_owned())?;
        check((1..=DISK_BYTES_MAX).contains(&self.disk.size_bytes), || {
            format!("disk.size-bytes is {}", self.disk.size_bytes)
        })?;
        check(self.disk.block_bytes.is_power_of_two(), || {
            "disk.block-bytes is no power of two".to_owned()
        })?;
        self.arrivals.validate()?;
        self.zones.validate(self.disk.size_bytes)?;
        let zones = self.zones.touched.len();
        for (kind, profile) in &self.kinds {
            profile.validate(*kind, zones).map_err(|what| format!("kinds.{kind:?}.{what}"))?;
        }
        check_shares("kinds.*.share", self.kinds.values().map(|kind| kind.share))
    }
}

fn describe_syntax(error: toml::de::Error) -> ProfileError {
    let text = error.to_string();
    let line: Vec<&str> = text.split_whitespace().collect();
    ProfileError::Syntax(input::shorten_message(&line.join(" ")).into_owned())
}

fn check(is_right: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if is_right { Ok(()) } else { Err(what()) }
}

fn check_length<T>(name: &str, list: &[T], expected: Option<usize>) -> Result<(), String> {
    let fits = list.len() <= LIST_MAX && expected.is_none_or(|length| list.len() == length);
    check(fits, || match expected {
        Some(length) => format!("{name} has {} numbers, and not {length}", list.len()),
        None => format!("{name} has {} numbers, more than {LIST_MAX}", list.len()),
    })
}

fn check_each_share(name: &str, shares: impl IntoIterator<Item = f64>) -> Result<f64, String> {
    let mut sum = 0.0;
    for share in shares {
        check((0.0..=1.0 + SHARES_TOLERANCE).contains(&share), || {
            format!("{name} has {share}, which is no share")
        })?;
        sum += share;
    }
    Ok(sum)
}

/// Shares of a whole: none at all, or 1 together.
fn check_shares(name: &str, shares: impl IntoIterator<Item = f64>) -> Result<(), String> {
    let sum = check_each_share(name, shares)?;
    check(sum == 0.0 || (sum - 1.0).abs() <= SHARES_TOLERANCE, || {
        format!("{name} adds up to {sum}, and not to 1")
    })
}

fn check_distribution(name: &str, parts: &Distribution) -> Result<(), String> {
    check_length(name, parts, None)?;
    check_shares(name, parts.iter().map(|(share, _)| *share))?;
    let are_numbers = parts.iter().all(|(_, mean)| mean.is_finite() && *mean >= 0.0);
    check(are_numbers && parts.is_sorted_by_key(|(_, mean)| *mean), || {
        format!("{name} is not in ascending order")
    })
}

impl Arrivals {
    fn validate(&self) -> Result<(), String> {
        check_length("arrivals.dispersion", &self.dispersion, None)?;
        check_length("arrivals.intervals", &self.intervals, None)?;
        let mut left = u64::MAX;
        for (milliseconds, requests) in &self.intervals {
            let ns = milliseconds.checked_mul(1_000_000).filter(|ns| *ns > 0);
            left = ns
                .and_then(|ns| left.checked_sub(ns))
                .ok_or_else(|| format!("arrivals.intervals has one of {milliseconds} ms"))?;
            check(requests / milliseconds <= REQUESTS_PER_MILLISECOND_MAX, || {
                format!("arrivals.intervals has {requests} requests in {milliseconds} ms")
            })?;
            check(*requests <= REQUESTS_PER_INTERVAL_MAX, || {
                format!("arrivals.intervals has {requests} requests in one interval")
            })?;
            check(*requests == 0 || !self.levels.is_empty(), || {
                "arrivals.levels is empty".to_owned()
            })?;
        }
        check_length("arrivals.levels", &self.levels, None)?;
        self.levels.iter().try_for_each(RateLevel::validate)
    }
}

impl RateLevel {
    fn validate(&self) -> Result<(), String> {
        let is_rate = self.rate.is_finite() && self.rate > 0.0;
        check(is_rate && !(self.classes.is_empty() && self.flush_classes.is_empty()), || {
            "arrivals.levels has one without a rate or gaps".to_owned()
        })?;
        check_length("arrivals.levels.classes", &self.classes, None)?;
        check_length("arrivals.levels.flush-classes", &self.flush_classes, None)?;
        for class in self.classes.iter().chain(&self.flush_classes) {
            let gaps = &class.quantiles_ns;
            check_length("quantiles-ns", gaps, None)?;
            check(gaps.len() >= 2 && gaps.is_sorted(), || {
                "quantiles-ns is not two numbers or more in ascending order".to_owned()
            })?;
            check_distribution("arrivals.levels.classes.between", &class.between)?;
        }
        Ok(())
    }
}

impl Zones {
    fn validate(&self, size_bytes: u64) -> Result<(), String> {
        // The last zone may go beyond the end of the disk.
        check((1..=2 * DISK_BYTES_MAX).contains(&self.zone_bytes), || {
            format!("zones.zone-bytes is {}", self.zone_bytes)
        })?;
        check(self.start_bytes < size_bytes, || {
            "zones.start-bytes is beyond the end of the disk".to_owned()
        })?;
        check_length("zones.touched", &self.touched, None)?;
        check_each_share("zones.touched", self.touched.iter().copied())?;
        let end = self.zone_bytes.checked_mul(self.touched.len().saturating_sub(1) as u64);
        let end = end.and_then(|bytes| bytes.checked_add(self.start_bytes));
        check(end.is_some_and(|last| last < size_bytes), || {
            "zones has zones beyond the end of the disk".to_owned()
        })
    }
}

impl KindProfile {
    fn validate(&self, kind: RequestKind, zones: usize) -> Result<(), String> {
        check_each_share("fua", [self.fua])?;
        check_distribution("between", &self.between)?;
        match (&self.places, kind) {
            (None, RequestKind::Flush) => {
                check(!self.between.is_empty(), || "between is missing".to_owned())
            }
            (Some(_), RequestKind::Flush) => Err("places: a flush has none".to_owned()),
            (Some(places), _) => places.validate(zones),
            (None, _) => Err("places is missing".to_owned()),
        }
    }
}

impl Places {
    fn validate(&self, zones: usize) -> Result<(), String> {
        check_length("places.sizes", &self.sizes, None)?;
        check(!self.sizes.is_empty(), || "places.sizes is empty".to_owned())?;
        check_shares("places.sizes", self.sizes.iter().map(|(_, share)| *share))?;
        let has_none = self.sizes.iter().any(|(bytes, _)| *bytes == 0);
        check(!has_none, || "places.sizes has a size of 0".to_owned())?;
        let is_alignment = self.alignment_bytes.is_power_of_two();
        check(is_alignment && self.alignment_bytes <= DISK_BYTES_MAX, || {
            "places.alignment-bytes is no power of two".to_owned()
        })?;
        check_each_share("places.sequential", [self.sequential])?;
        check_shares("places.next", self.next.values().copied())?;
        let lists =
            [("zones", &self.zones), ("follows", &self.follows), ("resumes", &self.resumes)];
        for (name, list) in lists {
            check_length(&format!("places.{name}"), list, Some(zones))?;
            check_each_share(&format!("places.{name}"), list.iter().copied())?;
        }
        check_shares("places.zones", self.zones.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"# truedisk profile
version = 2
captured = "2026-11-26T09:00:00Z"
length-ns = 2000000000
requests = 3
lost = 0
rate = 1.5

[disk]
name = "vda"
size-bytes = 1073741824
block-bytes = 512

[arrivals]
dispersion = [["1s", 1.0]]
gaps-ns = { p50 = 500000000 }
intervals = [[1000, 2], [1000, 1]]

[[arrivals.levels]]
rate = 1.5

[[arrivals.levels.classes]]
share = 1.0
quantiles-ns = [400000000, 600000000]
between = [[0.5, 1.0], [0.5, 4.5]]

[[arrivals.levels.flush-classes]]
share = 1.0
quantiles-ns = [9000, 9500]
between = [[1.0, 0.0]]

[outstanding]
mean = 0.0
p50 = 0
p99 = 0
max = 0

[zones]
start-bytes = 0
zone-bytes = 1048576
working-set-bytes = 16384
piece-bytes = 16384
touched = [1.0, 0.5]

[kinds.read]
share = 0.75
latency-ns = { p50 = 100000 }

[kinds.read.places]
sizes = [[4096, 0.25], [8192, 0.75]]
alignment-bytes = 4096
sequential = 0.5
run-lengths = { max = 2 }
next = { read = 1.0 }
zones = [0.5, 0.5]
follows = [0.5, 0.5]
resumes = [0.0, 0.0]

[kinds.flush]
share = 0.25
latency-ns = {}
between = [[1.0, 3.0]]
"#;

    #[test]
    fn a_profile_is_read_as_it_was_written() {
        let profile = Profile::from_toml(SMALL).unwrap();
        assert_eq!(profile.kinds[&RequestKind::Read].share, 0.75);
        let text = profile.to_toml().unwrap();
        assert!(text.starts_with(PROFILE_HEADER), "{text}");
        assert_eq!(Profile::from_toml(&text).unwrap(), profile);
    }

    /// In version 1 the gaps before flushes were among the others.
    #[test]
    fn profiles_of_version_1_are_read() {
        let (before, rest) = SMALL.split_once("[[arrivals.levels.flush-classes]]").unwrap();
        let (_, after) = rest.split_once("[outstanding]").unwrap();
        let older = format!("{before}[outstanding]{after}").replace("version = 2", "version = 1");
        let level = &Profile::from_toml(&older).unwrap().arrivals.levels[0];
        assert_eq!((level.classes.len(), level.flush_classes.len()), (1, 0));
    }

    #[test]
    fn wrong_profiles_are_refused_with_the_place() {
        let check = |from: &str, to: &str, expected: &str| {
            assert!(SMALL.contains(from), "{from}");
            let error = Profile::from_toml(&SMALL.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.contains(expected), "{to}: {error}");
        };
        check("version = 2", "version = 3", "version 3, and this truedisk reads versions up to 2");
        check("version = 2", "versions = 2", "missing field `version`");
        check("lost = 0", "lost = -1", "lost");
        check("lost = 0", "lost = 0\nfound = 1", "unknown field `found`");
        check("length-ns = 2000000000", "length-ns = 0", "length-ns is 0");
        check("block-bytes = 512", "block-bytes = 500", "no power of two");
        check("[[1000, 2]", "[[0, 2]", "one of 0 ms");
        check("[[1000, 2]", "[[9000000000000000000, 2]", "one of 9000000000000000000 ms");
        check("[400000000, 600000000]", "[600000000, 400000000]", "ascending order");
        check("[9000, 9500]", "[9500, 9000]", "ascending order");
        check("[0.5, 4.5]", "[0.5, 0.5]", "between is not in ascending order");
        check("[0.5, 4.5]", "[0.5, nan]", "between is not in ascending order");
        check("[0.5, 4.5]", "[0.25, 4.5]", "between adds up to 0.75");
        check("rate = 1.5\n\n[[", "rate = 0.0\n\n[[", "without a rate");
        check("start-bytes = 0", "start-bytes = 1073741824", "beyond the end of the disk");
        check("zone-bytes = 1048576", "zone-bytes = 1000000000000000000", "beyond the end");
        check("zone-bytes = 1048576", "zone-bytes = 0", "zone-bytes is 0");
        check("[[1000, 2]", "[[1000, 200000000]", "200000000 requests in 1000 ms");
        check("[[1000, 2]", "[[100000000, 200000000]", "200000000 requests in one interval");
        check("share = 0.75\nlat", "share = 0.7\nlat", "kinds.*.share adds up to 0.95");
        check("[[4096, 0.25]", "[[0, 0.25]", "a size of 0");
        check("follows = [0.5, 0.5]", "follows = [0.5]", "follows has 1 numbers, and not 2");
        check("follows = [0.5, 0.5]", "follows = [inf, 0.5]", "no share");
        check("between = [[1.0, 3.0]]", "between = []", "Flush.between is missing");
        assert!(matches!(Profile::from_toml("\0"), Err(ProfileError::Syntax(_))));
    }
}
