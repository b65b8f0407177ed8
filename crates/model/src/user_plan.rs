//! The user's own plans: a TOML file, one table per plan. Every transfer counts as one operation
//! unless the plan has an `io-unit`.
//!
//! ```toml
//! [nhp-5k]
//! title = "NHP 5K IOPS"
//! iops = 5000
//! mbps = 200                # 10^6 bytes per second
//! latency = "p99<10ms"
//! io-unit = "256KiB"        # the longest transfer that counts as one operation
//! tolerance = 0.95          # the share of the promised rates that must be there
//! burst = { iops = 10000, mbps = 400, seconds = 60 }
//! source = "https://example.net/plans"
//! date = "2026-11-01"
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;
use units::Bytes;

use crate::catalogue::nearest_names;
use crate::error::ModelError;
use crate::plan::{Burst, BurstDuration, Caps, MB, Plan, Tolerance};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct UserPlan {
    title: Option<String>,
    iops: Option<f64>,
    mbps: Option<f64>,
    latency: Option<String>,
    io_unit: Option<String>,
    tolerance: Option<f64>,
    burst: Option<UserBurst>,
    source: Option<String>,
    date: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct UserBurst {
    iops: Option<f64>,
    mbps: Option<f64>,
    seconds: Option<f64>,
    credits: Option<f64>,
}

/// The plan `name` of a file's text; `file` is its name for errors.
///
/// # Errors
/// When the text is no such file, has no plan of that name, or the plan makes no sense.
pub fn from_toml(file: &str, text: &str, name: &str) -> Result<Plan, ModelError> {
    let broken = |error: toml::de::Error| ModelError::File {
        file: file.to_owned(),
        reason: error.to_string().lines().collect::<Vec<_>>().join(" "),
    };
    let mut plans: BTreeMap<String, UserPlan> = toml::from_str(text).map_err(broken)?;
    let whole = format!("{file}:{name}");
    let Some(own) = plans.remove(name) else {
        return Err(ModelError::Unknown {
            asked: whole,
            near: nearest_names(name, plans.keys().map(String::as_str)),
        });
    };
    own.into_plan(&whole, name).map_err(|reason| ModelError::Parameter { plan: whole, reason })
}

impl UserPlan {
    fn into_plan(self, whole: &str, name: &str) -> Result<Plan, String> {
        if self.iops.is_none() && self.mbps.is_none() && self.latency.is_none() {
            return Err("it promises nothing; give iops, mbps or latency".to_owned());
        }
        let base = parse_caps("", self.iops, self.mbps)?;
        let title = self.title.unwrap_or_else(|| name.to_owned());
        let mut plan = Plan::new(whole, title, base);
        plan.latency = self.latency;
        if let Some(share) = self.tolerance {
            if !(share > 0.0 && share <= 1.0) {
                return Err(format!("tolerance is a share above 0 and up to 1, not {share}"));
            }
            plan.tolerance = Some(Tolerance { share, of_time: 1.0 });
        }
        if let Some(text) = self.io_unit {
            let unit: Bytes = text.parse().map_err(|error: units::ParseError| {
                format!("io-unit '{text}': {}", error.reason)
            })?;
            if unit.0 == 0 {
                return Err("an io-unit of 0 counts nothing".to_owned());
            }
            plan.accounting.unit = Some(unit);
        }
        if let Some(burst) = self.burst {
            plan.burst = Some(burst.into_burst(&base)?);
        }
        let date = self.date.unwrap_or_else(|| "no date".to_owned());
        Ok(match self.source {
            Some(url) => plan.source(&url, &date),
            None => plan,
        })
    }
}

impl UserBurst {
    fn into_burst(self, base: &Caps) -> Result<Burst, String> {
        let most = parse_caps("burst.", self.iops, self.mbps)?;
        let iops = most.read.iops.or(base.read.iops);
        let bytes = most.read.bytes_per_second.or(base.read.bytes_per_second);
        let below =
            |most: Option<f64>, base: Option<f64>| most.zip(base).is_some_and(|(m, b)| m < b);
        if below(iops, base.read.iops) || below(bytes, base.read.bytes_per_second) {
            return Err("its burst is less than what there is always".to_owned());
        }
        let lasts = match (self.seconds, self.credits) {
            (Some(seconds), None) if seconds > 0.0 => BurstDuration::Time { seconds, rest: None },
            (None, Some(credits)) if credits > 0.0 => {
                BurstDuration::Credits { operations: Some(credits), bytes: None }
            }
            _ => return Err("its burst needs seconds, or credits, above 0".to_owned()),
        };
        Ok(Burst { caps: Caps::both(iops, bytes), lasts })
    }
}

fn parse_caps(prefix: &str, iops: Option<f64>, mbps: Option<f64>) -> Result<Caps, String> {
    for (name, number) in [("iops", iops), ("mbps", mbps)] {
        if number.is_some_and(|n| !(n > 0.0 && n.is_finite())) {
            return Err(format!("{prefix}{name} must be above 0"));
        }
    }
    Ok(Caps::both(iops, mbps.map(|mb| mb * MB)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{IoDirection, Order};

    const FILE: &str = r#"
        [nhp-5k]
        title = "NHP 5K IOPS"
        iops = 5000
        mbps = 200
        latency = "p99<10ms"
        io-unit = "64KiB"
        tolerance = 0.95
        burst = { iops = 10000, seconds = 60 }
        source = "https://example.net"
        date = "2026-11-01"

        [nhp-10k]
        iops = 10000
    "#;

    #[test]
    fn a_plan_of_ones_own_is_like_any_other() {
        let plan = from_toml("./plans.toml", FILE, "nhp-5k").unwrap();
        assert_eq!(plan.name, "./plans.toml:nhp-5k");
        assert_eq!(plan.title, "NHP 5K IOPS");
        let rates = |kib| plan.base_rates(Bytes::kib(kib), Order::Random, IoDirection::Read);
        assert_eq!(rates(4).iops, 5000.0);
        // Two units each; then the bytes rule.
        assert_eq!(rates(65).iops, 2500.0);
        assert_eq!(rates(1024).bytes_per_second, 200e6);
        assert_eq!(
            plan.empties_after(Bytes::kib(4), Order::Random, IoDirection::Write),
            Some(60.0)
        );
        assert_eq!(plan.tolerance.unwrap().share, 0.95);
        assert!(from_toml("p", FILE, "nhp-10k").unwrap().burst.is_none());
    }

    #[test]
    fn bad_files_are_refused_with_what_and_why() {
        let check = |text: &str, name: &str, words: &str| {
            let error = from_toml("p.toml", text, name).unwrap_err().to_string();
            assert!(error.contains(words) && error.contains("p.toml"), "{error}");
            assert!(!error.contains('\n'), "{error}");
        };
        check(FILE, "nhp-5", "unknown plan 'p.toml:nhp-5'; nearest: nhp-5k");
        check("[x", "x", "is not a file of plans");
        check("[x]\niops = 'many'", "x", "is not a file of plans");
        check("[x]\niopss = 5", "x", "unknown field");
        check("[x]\n", "x", "it promises nothing");
        check("[x]\niops = 0", "x", "iops must be above 0");
        check("[x]\niops = nan", "x", "iops must be above 0");
        check("[x]\niops = 5\ntolerance = 2", "x", "tolerance is a share");
        check("[x]\niops = 5\nio-unit = 'big'", "x", "io-unit 'big'");
        check("[x]\niops = 5\nburst = { iops = 3, seconds = 1 }", "x", "less than what");
        check("[x]\niops = 5\nburst = { iops = 9 }", "x", "seconds, or credits");
        check("[x]\niops = 5\nburst = { seconds = 5, mbps = -1 }", "x", "burst.mbps");
    }
}
