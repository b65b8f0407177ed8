//! The result of jobs that a host ran for another, and its checks.

use std::fmt;

use fio::plan::{Section, expand_instances};
use fio::results::{
    DirectionResult, DiskUse, JobResult, PriorityResult, RunResult, Samples, SteadyState,
};
use record::Finding;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use stats::LatencyHistogram;
use units::Nanos;

use super::request::JobsOutcome;

/// Histograms of an instance take a third of a MiB.
pub(super) const INSTANCES_MAX: usize = 1024;
/// A day of a hundred million operations a second.
const OPS_MAX: u64 = 1 << 43;
/// A day of ten gigabytes a second.
const BYTES_MAX: u64 = 1 << 50;
/// Nanoseconds of a hundred days.
const COUNT_MAX: u64 = 1 << 53;
/// A day.
const SECONDS_MAX: usize = 86_400;
/// Devices of a host, including those below others.
const DISKS_MAX: usize = 1024;
/// Lines of each kind.
const LINES_MAX: usize = 256;
/// Priorities of a direction: classes by levels.
const PRIORITIES_MAX: usize = 32;
const LINE_MAX: usize = 400;

/// The result of one host.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RemoteResult {
    /// In the order of the starts.
    #[serde(deserialize_with = "deserialize_bounded")]
    pub(super) instances: Vec<RemoteInstance>,
    disks: Vec<DiskUse>,
    /// Warnings of the truth checks.
    pub findings: Vec<Finding>,
    /// Instances that failed, and why.
    pub failures: Vec<String>,
    /// Deviations from fio.
    pub notes: Vec<String>,
    /// Number of failures.
    pub failed: u32,
    /// Delay of the first wave after its planned start; absent if nothing began.
    pub began: Option<Nanos>,
    /// Its end in milliseconds since 1970, by that host's clock.
    pub finished_ms: u64,
    /// Why it ended early.
    pub early: Option<String>,
}

/// The figures of one instance.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RemoteInstance {
    section: usize,
    pub(super) result: JobResult,
}

/// Stops at the limit: each instance takes memory before it can be checked.
fn deserialize_bounded<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Vec<RemoteInstance>, D::Error> {
    from.deserialize_seq(BoundedInstances(INSTANCES_MAX))
}

struct BoundedInstances(usize);

impl<'de> Visitor<'de> for BoundedInstances {
    type Value = Vec<RemoteInstance>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at most {} instances", self.0)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut instances = Vec::new();
        while let Some(instance) = list.next_element()? {
            if instances.len() == self.0 {
                let what = format!("more than {} instances", self.0);
                return Err(serde::de::Error::custom(what));
            }
            instances.push(instance);
        }
        Ok(instances)
    }
}

impl RemoteResult {
    /// `notes` are those on the options.
    pub(super) fn from_outcome(ran: JobsOutcome, notes: &[String]) -> Self {
        let mut all: Vec<String> = notes.iter().chain(&ran.notes).cloned().collect();
        all.truncate(LINES_MAX);
        let mut failures = [ran.wrong_blocks, ran.failures].concat();
        failures.truncate(LINES_MAX);
        let instances = ran.run.instances.into_iter().zip(ran.sections);
        Self {
            instances: instances
                .map(|(result, section)| RemoteInstance { section, result })
                .collect(),
            disks: ran.run.disks,
            findings: ran.findings,
            failures,
            notes: all,
            failed: ran.failed,
            began: ran.start_delay,
            finished_ms: ran.run.finished_ms,
            early: None,
        }
    }

    /// Marks an early end.
    pub fn with_early_end(mut self, reason: Option<String>) -> Self {
        self.early = reason;
        self
    }

    /// A contradiction in the result, or between it and the jobs.
    pub fn find_contradiction(&self, sections: &[Section]) -> Option<String> {
        let lines = [self.failures.len(), self.notes.len(), self.findings.len()];
        if lines.iter().any(|count| *count > LINES_MAX) {
            return Some("it says more than anybody reads".to_owned());
        }
        if self.finished_ms > COUNT_MAX || self.failed as usize > INSTANCES_MAX {
            return Some("its end is out of range".to_owned());
        }
        if !are_disks_plausible(&self.disks, &mut 0) {
            return Some("its disk statistics are out of range".to_owned());
        }
        self.instances.iter().find_map(|instance| {
            let section = sections.get(instance.section);
            let named = section.filter(|section| section.name == instance.result.name);
            match named {
                None => Some("it has figures of a job that it was not given".to_owned()),
                Some(section) => job_contradiction(&instance.result, has_rate(section))
                    .map(|what| format!("its figures of job '{}' {what}", section.name)),
            }
        })
    }

    /// The run as it is printed, for a result without contradictions.
    pub fn into_run(self, sections: &[Section], global_options: &[(String, String)]) -> RunResult {
        let numbered = expand_instances(sections);
        let group = |place: usize| numbered.iter().find(|of| of.section == place).map(|i| i.group);
        let told = |RemoteInstance { section: place, result }: RemoteInstance| {
            let section = sections.get(place)?;
            let options = &section.options;
            Some(JobResult {
                description: options.run.description.clone(),
                group: group(place)?,
                group_reporting: options.run.group_reporting,
                options: section.own.clone(),
                display: options.report.clone(),
                error_text: sanitize_line(&result.error_text),
                steady: result
                    .steady
                    .map(|steady| SteadyState { kind: sanitize_line(&steady.kind), ..steady }),
                ..result
            })
        };
        RunResult {
            finished_ms: self.finished_ms,
            global_options: global_options.to_vec(),
            instances: self.instances.into_iter().filter_map(told).collect(),
            disks: self.disks.into_iter().map(sanitize_disk).collect(),
            ..RunResult::default()
        }
    }
}

/// A host's text, bounded and without control characters.
pub fn sanitize_line(text: &str) -> String {
    let plain = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().take(LINE_MAX).map(plain).collect()
}

fn sanitize_disk(disk: DiskUse) -> DiskUse {
    let slaves = disk.slaves.into_iter().map(sanitize_disk).collect();
    DiskUse { name: sanitize_line(&disk.name), slaves, ..disk }
}

fn are_disks_plausible(disks: &[DiskUse], seen: &mut usize) -> bool {
    *seen += disks.len();
    *seen <= DISKS_MAX
        && disks.iter().all(|disk| {
            let counts = [disk.ios, disk.sectors, disk.merges, disk.ticks].concat();
            counts.iter().chain([&disk.in_queue]).all(|count| *count <= COUNT_MAX)
                && (0.0..=100.0).contains(&disk.util)
                && are_disks_plausible(&disk.slaves, seen)
        })
}

/// With a rate, operations that were due and never started are among the latencies, but not among
/// the operations.
fn has_rate(section: &Section) -> bool {
    let rate = &section.options.rate;
    rate.rate.iter().chain(&rate.rate_iops).any(|rate| *rate > 0)
}

fn job_contradiction(job: &JobResult, planned: bool) -> Option<String> {
    let wrong = |what: &str| Some(what.to_owned());
    let directions = [("reads", &job.read), ("writes", &job.write), ("trims", &job.trim)];
    for (name, direction) in directions {
        if let Some(what) = direction_contradiction(direction, planned) {
            return Some(format!("have {name} that {what}"));
        }
    }
    let operations = match planned {
        true => 3 * OPS_MAX,
        false => job.read.ops + job.write.ops + job.trim.ops,
    };
    if !is_histogram_plausible(&job.latency, operations)
        || !is_histogram_plausible(&job.sync.lat, job.sync.ops)
    {
        return wrong("have more latencies than operations");
    }
    let shares = [job.depth_level, job.submit, job.complete].concat();
    let counts = [
        job.job_start_ms,
        job.elapsed_s,
        job.eta_s,
        job.job_runtime_ms,
        job.user_ns,
        job.system_ns,
        job.ctx,
        job.majf,
        job.minf,
        job.continued.map_or(0, |(count, _)| count),
    ];
    if shares.iter().chain(&counts).any(|count| *count > COUNT_MAX) {
        return wrong("are out of range");
    }
    if job.jobs != 1 || !(0.0..=100.0).contains(&job.target.percentile) {
        return wrong("are not those of one instance");
    }
    match &job.steady {
        Some(steady) if !is_steady_plausible(steady) => wrong("have a steady state out of range"),
        _ => None,
    }
}

fn is_steady_plausible(steady: &SteadyState) -> bool {
    let floats = [steady.limit, steady.criterion, steady.max_deviation, steady.slope];
    let lengths = [steady.bw.len(), steady.iops.len(), steady.lat.len()];
    floats.iter().chain(&steady.lat).all(|value| value.is_finite())
        && lengths.iter().all(|length| *length <= SECONDS_MAX)
        && steady.bw.iter().chain(&steady.iops).all(|value| *value <= BYTES_MAX)
}

fn direction_contradiction(direction: &DirectionResult, planned: bool) -> Option<&'static str> {
    let DirectionResult { bytes, ops, runtime_ms, short, dropped, .. } = *direction;
    if ops > OPS_MAX || bytes > BYTES_MAX || [runtime_ms, short, dropped].iter().max()? > &COUNT_MAX
    {
        return Some("are out of range");
    }
    if bytes / u64::from(u32::MAX) > ops || (ops > 0 && runtime_ms == 0) {
        return Some("moved more than they could");
    }
    // Operations under way at the end were submitted, too.
    let sent = ops.saturating_add(u32::MAX.into());
    let most = if planned { OPS_MAX } else { ops };
    let latencies = [(&direction.slat, sent), (&direction.clat, most), (&direction.lat, most)];
    if !latencies.iter().all(|(of, most)| is_histogram_plausible(of, *most))
        || !is_sum_plausible(&direction.lat)
    {
        return Some("have other latencies than operations");
    }
    let prios = &direction.prios;
    let plausible = |of: &PriorityResult| {
        is_histogram_plausible(&of.clat, most) && is_histogram_plausible(&of.lat, most)
    };
    if prios.len() > PRIORITIES_MAX || !prios.iter().all(plausible) {
        return Some("have priorities that they cannot have");
    }
    (!are_samples_plausible(&direction.bw) || !are_samples_plausible(&direction.iops))
        .then_some("have false samples")
}

/// Whether a histogram can be one of at most `operations`.
fn is_histogram_plausible(histogram: &LatencyHistogram, operations: u64) -> bool {
    let longest = u128::from(COUNT_MAX) * u128::from(histogram.count());
    histogram.count() <= operations
        && histogram.max_ns().unwrap_or(0) <= COUNT_MAX
        && histogram.sum_ns() <= longest
        && histogram.stddev_ns().is_none_or(f64::is_finite)
}

/// Whether the sum of a measured histogram is possible.
fn is_sum_plausible(histogram: &LatencyHistogram) -> bool {
    let most = u128::from(histogram.max_ns().unwrap_or(0)) * u128::from(histogram.count());
    // A sum is sent as a float: its last bits may be lost.
    histogram.sum_ns() <= most + most / 1_000_000 + 1
}

fn are_samples_plausible(samples: &Samples) -> bool {
    let Samples { min, max, mean, dev, samples } = *samples;
    min <= max
        && max <= BYTES_MAX
        && samples <= COUNT_MAX
        && [mean, dev].iter().all(|value| value.is_finite() && *value >= 0.0)
        && mean <= max as f64 + 1.0
}

#[cfg(test)]
mod tests {
    use fio::options::job::JobOptions;

    use super::*;

    fn sections() -> Vec<Section> {
        let mut options = JobOptions::default();
        options.run.description = Some("ours".to_owned());
        options.run.group_reporting = true;
        let own = vec![("bs".to_owned(), "4k".to_owned())];
        let (name, file_name) = ("a".to_owned(), "a".to_owned());
        vec![Section { name, file_name, options, own, new_source: false }]
    }

    fn remote_result(change: impl FnOnce(&mut JobResult)) -> RemoteResult {
        let mut job = JobResult { name: "a".to_owned(), ..JobResult::default() };
        (0..1000).for_each(|n| job.read.lat.record(10_000 + n));
        job.read.clat = job.read.lat.clone();
        job.latency = job.read.lat.clone();
        (job.read.ops, job.read.bytes, job.read.runtime_ms) = (1000, 4_096_000, 500);
        change(&mut job);
        RemoteResult {
            instances: vec![RemoteInstance { section: 0, result: job }],
            disks: Vec::new(),
            findings: Vec::new(),
            failures: Vec::new(),
            notes: Vec::new(),
            failed: 0,
            began: Some(Nanos(5)),
            finished_ms: 7,
            early: None,
        }
    }

    #[test]
    fn what_is_sound_arrives_with_what_we_know_better() {
        let sent = remote_result(|job| job.error_text = "no\n\u{1b}[2Jway".to_owned());
        let text = serde_json::to_string(&sent).unwrap();
        let came: RemoteResult = serde_json::from_str(&text).unwrap();
        assert_eq!(came.find_contradiction(&sections()), None);
        let run = came.into_run(&sections(), &[]);
        let job = &run.instances[0];
        assert_eq!((job.read.ops, job.read.lat.count()), (1000, 1000));
        assert_eq!((job.description.as_deref(), job.group_reporting), (Some("ours"), true));
        assert_eq!(job.options.len(), 1);
        assert!(!job.error_text.contains(['\n', '\u{1b}']), "{:?}", job.error_text);
    }

    #[test]
    fn figures_that_contradict_themselves_are_not_merged() {
        let check = |change: &dyn Fn(&mut JobResult), words: &str| {
            let found = remote_result(change).find_contradiction(&sections()).unwrap_or_default();
            assert!(found.contains(words), "{found:?} is not {words}");
        };
        check(&|job| job.name = "b".to_owned(), "was not given");
        check(&|job| job.read.ops = 999, "other latencies than operations");
        // Of a plan, those that never began are counted as late.
        let mut planned = sections();
        planned[0].options.rate.rate_iops = [100, 0, 0];
        assert_eq!(remote_result(|job| job.read.ops = 999).find_contradiction(&planned), None);
        check(&|job| job.write.lat.record(1), "writes that have other latencies");
        check(&|job| job.read.bytes = BYTES_MAX + 1, "out of range");
        check(&|job| job.trim.bytes = 1 << 40, "moved more than they could");
        check(&|job| job.read.runtime_ms = 0, "moved more than they could");
        check(&|job| job.read.bw.mean = f64::NAN, "false samples");
        check(&|job| job.read.iops.min = 1, "false samples");
        check(&|job| job.user_ns = u64::MAX, "out of range");
        check(&|job| job.sync.lat.record(3), "more latencies");
        check(&|job| job.jobs = 2, "one instance");
        let late = |job: &mut JobResult| {
            job.write.ops = 1;
            job.write.runtime_ms = 1;
            job.write.lat.record(u64::MAX);
        };
        check(&late, "other latencies");
        let other = RemoteResult {
            disks: vec![DiskUse { util: 101.0, ..DiskUse::default() }],
            ..remote_result(|_| {})
        };
        assert!(other.find_contradiction(&sections()).unwrap().contains("disk"));
        assert!(remote_result(|_| {}).find_contradiction(&[]).is_some());
    }

    #[test]
    fn more_instances_than_are_reasonable_are_not_even_read() {
        let many = vec![remote_result(|_| {}).instances[0].clone(); 3];
        let text = serde_json::to_string(&many).unwrap();
        let read = |most: usize| {
            serde_json::Deserializer::from_str(&text).deserialize_seq(BoundedInstances(most))
        };
        assert_eq!(read(3).unwrap().len(), 3);
        assert!(read(2).unwrap_err().to_string().contains("more than 2 instances"));
    }
}
