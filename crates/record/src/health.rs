//! What a disk says of its own health.

use message::{Message, label, messages};
use serde::{Deserialize, Serialize};
use units::{JsonSchema, Nanos};

use crate::absent::is_unset;

/// The health of a disk at one moment; absent where it is not known.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiskHealth {
    /// Its temperature, in degrees Celsius.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub celsius: Option<f64>,
    /// The highest that its maker allows: beyond it an NVMe disk slows itself down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub celsius_max: Option<f64>,
    /// The disk itself says that it is too hot.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub has_heat_alarm: bool,
    /// The health log of an NVMe disk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nvme: Option<NvmeHealth>,
}

/// The NVMe log page 02h (SMART / Health Information). Counters are of the disk's whole life.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NvmeHealth {
    /// What is critical now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<NvmeWarning>,
    /// Spare blocks that remain.
    pub spare_percent: u8,
    /// Below this the maker calls the spare critical.
    pub spare_min_percent: u8,
    /// Share of the rated life that is used, by the maker's estimate: it may exceed 100.
    pub used_percent: u8,
    /// Errors of data that could not be recovered.
    pub media_errors: u64,
    /// Losses of power without notice.
    pub unsafe_shutdowns: u64,
    /// Time at or above the maker's warning temperature, in whole minutes.
    pub warning_temperature: Nanos,
    /// Time above the maker's critical temperature, in whole minutes.
    pub critical_temperature: Nanos,
    /// Changes to a slower state because of heat, with little effect on performance.
    pub light_throttles: u64,
    /// Changes to a slower state because of heat, whatever the effect on performance.
    pub heavy_throttles: u64,
    /// Time in the former, in whole seconds.
    pub light_throttled: Nanos,
    /// Time in the latter, in whole seconds.
    pub heavy_throttled: Nanos,
}

/// A bit of the critical warnings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NvmeWarning {
    SpareLow,
    Temperature,
    Unreliable,
    ReadOnly,
    /// What keeps the volatile memory over a loss of power has failed.
    BackupFailed,
    MemoryRegion,
}

/// The health of a disk at the start and at the end of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunHealth {
    /// Kernel name of the disk.
    pub device: String,
    pub start: DiskHealth,
    pub end: DiskHealth,
}

impl DiskHealth {
    /// Whether nothing at all is known.
    pub fn is_unknown(&self) -> bool {
        *self == Self::default()
    }

    fn is_too_hot(&self) -> bool {
        let is_over = self.celsius.zip(self.celsius_max).is_some_and(|(now, max)| now >= max);
        is_over || self.has_heat_alarm
    }

    /// That it is too hot, where it is.
    pub fn describe_heat(&self) -> Option<Message> {
        let celsius = self.celsius.filter(|_| self.is_too_hot())?;
        Some(match self.celsius_max.filter(|max| celsius >= *max) {
            Some(celsius_max) => TooHotOf { celsius, celsius_max }.into(),
            None => TooHot { celsius }.into(),
        })
    }

    /// What is wrong with it.
    pub fn describe_problems(&self) -> Vec<Message> {
        let of_log = self.nvme.iter().flat_map(NvmeHealth::describe_problems);
        self.describe_heat().into_iter().chain(of_log).collect()
    }

    /// What is known of it.
    pub fn describe(&self) -> Vec<Message> {
        let celsius = self.celsius.map(|celsius| HealthCelsius { celsius }.into());
        celsius.into_iter().chain(self.nvme.iter().flat_map(NvmeHealth::describe)).collect()
    }
}

impl NvmeHealth {
    fn describe_problems(&self) -> Vec<Message> {
        let (spare, spare_min) = (self.spare_percent.into(), self.spare_min_percent.into());
        let has = |warning| self.warnings.contains(&warning);
        let is_low = has(NvmeWarning::SpareLow) || self.spare_percent < self.spare_min_percent;
        [
            is_low.then(|| SpareLow { spare, spare_min }.into()),
            has(NvmeWarning::Unreliable).then(|| label("health-unreliable")),
            has(NvmeWarning::ReadOnly).then(|| label("health-read-only")),
            has(NvmeWarning::BackupFailed).then(|| label("health-backup-failed")),
            (self.used_percent >= 100).then(|| Worn { used: self.used_percent.into() }.into()),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    fn describe(&self) -> [Message; 4] {
        [
            HealthSpare { spare: self.spare_percent.into() }.into(),
            HealthUsed { used: self.used_percent.into() }.into(),
            HealthMediaErrors { count: self.media_errors }.into(),
            HealthUnsafeShutdowns { count: self.unsafe_shutdowns }.into(),
        ]
    }

    fn throttled(&self) -> Nanos {
        Nanos(self.light_throttled.0.saturating_add(self.heavy_throttled.0))
    }

    const fn throttles(&self) -> u64 {
        self.light_throttles.saturating_add(self.heavy_throttles)
    }

    fn hot(&self) -> Nanos {
        Nanos(self.warning_temperature.0.saturating_add(self.critical_temperature.0))
    }
}

impl RunHealth {
    /// That it was slow because of heat, or hot, by counters of its own that grew in the run. One
    /// that fell began anew.
    pub fn describe_heat(&self) -> Option<Message> {
        let (start, end) = self.start.nvme.as_ref().zip(self.end.nvme.as_ref())?;
        let grew = |of: fn(&NvmeHealth) -> Nanos| of(end).0.saturating_sub(of(start).0);
        // What is counted in whole seconds and minutes: a minute may begin before a short run does.
        let seconds = grew(NvmeHealth::throttled) / Nanos::secs(1).0;
        let minutes = grew(NvmeHealth::hot) / Nanos::secs(60).0;
        if seconds > 0 {
            return Some(Throttled { seconds }.into());
        }
        if end.throttles() > start.throttles() {
            return Some(label("health-throttled-briefly"));
        }
        (minutes > 0).then(|| HotMinutes { minutes }.into())
    }

    /// What may have made it slow in the run.
    pub fn describe_causes(&self) -> Vec<Message> {
        let errors = |health: &DiskHealth| health.nvme.as_ref().map(|nvme| nvme.media_errors);
        let more = errors(&self.start).zip(errors(&self.end));
        let count = more.map_or(0, |(start, end)| end.saturating_sub(start));
        let lost = (count > 0).then(|| MediaErrorsOfRun { count }.into());
        let heat = [self.describe_heat(), self.end.describe_heat()];
        heat.into_iter().flatten().chain(lost).collect()
    }

    /// With what is wrong with it at the end.
    pub fn describe_problems(&self) -> Vec<Message> {
        let log = self.end.nvme.iter().flat_map(NvmeHealth::describe_problems);
        self.describe_causes().into_iter().chain(log).collect()
    }

    /// `nvme0n1: it reports ...`; `None` where nothing is wrong.
    pub fn describe_disk(&self) -> Option<Message> {
        let what = self.describe_problems();
        (!what.is_empty()).then(|| DiskSays { disk: self.device.clone(), what }.into())
    }
}

messages! {
    DiskSays = "health-disk" { disk: String, what: Vec<Message> };
    TooHot = "watch-too-hot" { celsius: f64 };
    TooHotOf = "watch-too-hot-of" { celsius: f64, celsius_max: f64 };
    Throttled = "health-throttled" { seconds: u64 };
    HotMinutes = "health-hot-minutes" { minutes: u64 };
    MediaErrorsOfRun = "health-media-errors-of-run" { count: u64 };
    SpareLow = "health-spare-low" { spare: u64, spare_min: u64 };
    Worn = "health-worn" { used: u64 };
    HealthCelsius = "health-celsius" { celsius: f64 };
    HealthSpare = "health-spare" { spare: u64 };
    HealthUsed = "health-used" { used: u64 };
    HealthMediaErrors = "health-media-errors" { count: u64 };
    HealthUnsafeShutdowns = "health-unsafe-shutdowns" { count: u64 };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn health(nvme: NvmeHealth) -> DiskHealth {
        DiskHealth { nvme: Some(nvme), ..DiskHealth::default() }
    }

    #[test]
    fn heat_is_what_the_counters_grew_by() {
        let check = |start: Option<NvmeHealth>, end: Option<NvmeHealth>, expected: Option<&str>| {
            let of = |nvme| DiskHealth { nvme, ..DiskHealth::default() };
            let run = RunHealth { device: "nvme0n1".to_owned(), start: of(start), end: of(end) };
            let found = run.describe_heat().map(|said| said.text().to_owned());
            assert_eq!(found.as_deref(), expected);
        };
        let time = Nanos::secs;
        let count = |light: u64, heavy: u64| NvmeHealth {
            light_throttles: light,
            heavy_throttles: heavy,
            ..NvmeHealth::default()
        };
        let slow = |light: u64, heavy: u64| NvmeHealth {
            light_throttled: time(light),
            heavy_throttled: time(heavy),
            ..count(light, heavy)
        };
        let hot = |warning: u64, critical: u64| NvmeHealth {
            warning_temperature: time(60 * warning),
            critical_temperature: time(60 * critical),
            ..NvmeHealth::default()
        };
        let slowed = "by its own count it slowed itself down because of heat";
        check(
            Some(slow(5, 0)),
            Some(slow(9, 30)),
            Some(&format!("{slowed} for about 34 s of this run")),
        );
        let brief = format!("{slowed} in this run, for less than a second");
        check(Some(count(0, 2)), Some(count(0, 3)), Some(&brief));
        let warm = "its own count of minutes at or above its maker's warning temperature grew by 3 \
                    in this run";
        check(Some(hot(4, 1)), Some(hot(6, 2)), Some(warm));
        check(Some(slow(5, 7)), Some(slow(5, 7)), None);
        // Counters that began anew, and a log that could not be read.
        check(Some(slow(5, 7)), Some(slow(0, 0)), None);
        check(None, Some(slow(5, 7)), None);
        check(Some(slow(5, 7)), None, None);
    }

    #[test]
    fn a_sound_disk_has_no_problem_and_each_problem_is_said() {
        let sound = NvmeHealth {
            spare_percent: 100,
            spare_min_percent: 10,
            used_percent: 3,
            media_errors: 7,
            ..NvmeHealth::default()
        };
        let check = |health: DiskHealth, expected: &[&str]| {
            let said = health.describe_problems();
            let said = message::texts(&said);
            assert_eq!(said.len(), expected.len(), "{said:?}");
            for (said, words) in said.iter().zip(expected) {
                assert!(said.contains(words), "{said}: {words}");
            }
        };
        check(health(sound.clone()), &[]);
        check(DiskHealth::default(), &[]);
        let low = NvmeHealth { spare_percent: 9, used_percent: 104, ..sound.clone() };
        check(health(low), &["at 9 %, below its maker's minimum of 10 %", "104 %"]);
        use NvmeWarning::{
            BackupFailed, MemoryRegion, ReadOnly, SpareLow, Temperature, Unreliable,
        };
        let warnings =
            vec![SpareLow, Temperature, Unreliable, ReadOnly, BackupFailed, MemoryRegion];
        let bad = health(NvmeHealth { warnings, ..sound.clone() });
        let said = ["spare blocks", "reliability", "read-only", "loss of power"];
        check(bad, &said);
        let hot = DiskHealth { celsius: Some(84.0), has_heat_alarm: true, ..health(sound.clone()) };
        check(hot, &["84.0 \u{b0}C"]);
        let more = NvmeHealth { media_errors: 9, ..sound.clone() };
        let (start, end) = (health(sound), health(more));
        let run = RunHealth { device: "nvme0n1".to_owned(), start, end };
        let said = run.describe_disk().unwrap();
        let words = "nvme0n1: it could not recover data in this run (media errors: 2)";
        assert_eq!(said.text(), words);
    }
}
