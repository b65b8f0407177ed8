//! Instances of a group into one, and directions into one.

use stats::LatencyHistogram;

use super::types::{
    DirectionResult, JobResult, LatencyTarget, PriorityResult, RunResult, Samples, SyncResult,
};
use crate::options::job::JobOptions;
use crate::options::report::Unified;

/// Whole bytes per second; 0 without a run time.
pub(crate) fn bytes_per_second(bytes: u64, runtime_ms: u64) -> u64 {
    let rate = (u128::from(bytes) * 1000).checked_div(u128::from(runtime_ms)).unwrap_or(0);
    u64::try_from(rate).unwrap_or(u64::MAX)
}

/// Operations per second; 0 without a run time.
pub(crate) fn ops_per_second(ops: u64, runtime_ms: u64) -> f64 {
    if runtime_ms == 0 { 0.0 } else { ops as f64 * 1000.0 / runtime_ms as f64 }
}

/// Whose figures: one direction's, or those of all three as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportedDirection {
    Read,
    Write,
    Trim,
    Mixed,
}

impl ReportedDirection {
    /// The directions that a job has listed, in this order.
    pub fn listed(unified: Unified) -> &'static [Self] {
        match unified {
            Unified::None => &[Self::Read, Self::Write, Self::Trim],
            Unified::Mixed => &[Self::Mixed],
            Unified::Both => &[Self::Read, Self::Write, Self::Trim, Self::Mixed],
        }
    }

    /// Its name in the normal output and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Trim => "trim",
            Self::Mixed => "mixed",
        }
    }
}

impl RunResult {
    /// What is printed as one: instances side by side, except that neighbours of a group that
    /// ask for `group_reporting` become one, with the first one's name and
    /// display, and the last one's options.
    pub fn entries(&self) -> Vec<JobResult> {
        let mut entries: Vec<JobResult> = Vec::new();
        for instance in &self.instances {
            match entries.last_mut() {
                Some(last)
                    if last.group_reporting
                        && instance.group_reporting
                        && last.group == instance.group =>
                {
                    last.add(instance);
                    last.options.clone_from(&instance.options);
                }
                _ => entries.push(instance.clone()),
            }
        }
        entries
    }

    /// How much of its group's bandwidth an entry has, in percent, 0 to 100: fio's `bw_agg`,
    /// and `per=` of the normal output.
    /// As in fio the mean counts in whole KiB/s, the group's bandwidth in whole bytes/s over the
    /// longest run time; and beside the single directions (`both`) the mixed mean is compared
    /// with the group's *reads*, which is of little meaning.
    pub fn bw_agg(&self, entry: &JobResult, direction: ReportedDirection) -> f64 {
        let both = entry.display.unified == Unified::Both;
        let of_group = match direction {
            ReportedDirection::Mixed if both => ReportedDirection::Read,
            other => other,
        };
        let (mut bytes, mut runtime_ms) = (0, 0);
        for instance in self.instances.iter().filter(|i| i.group == entry.group) {
            let (more, longest) = instance.bytes_and_runtime(of_group);
            bytes += more;
            runtime_ms = runtime_ms.max(longest);
        }
        let group_kib = bytes_per_second(bytes, runtime_ms) as f64 / 1024.0;
        let mean = entry.direction(direction).bw.mean.trunc();
        if mean > 0.0 && group_kib > 0.0 { (mean * 100.0 / group_kib).min(100.0) } else { 0.0 }
    }
}

impl JobResult {
    /// The figures of one direction.
    pub fn direction(&self, direction: ReportedDirection) -> DirectionResult {
        match direction {
            ReportedDirection::Read => self.read.clone(),
            ReportedDirection::Write => self.write.clone(),
            ReportedDirection::Trim => self.trim.clone(),
            ReportedDirection::Mixed => self.mixed(),
        }
    }

    /// Reads, writes and trims as one.
    pub fn mixed(&self) -> DirectionResult {
        let mut mixed = self.read.clone();
        mixed.add(&self.write);
        mixed.add(&self.trim);
        mixed
    }

    /// Operations of all directions.
    pub fn total_ops(&self) -> u64 {
        self.read.ops + self.write.ops + self.trim.ops
    }

    /// Bytes and run time without a look at the latencies.
    fn bytes_and_runtime(&self, direction: ReportedDirection) -> (u64, u64) {
        let all = [&self.read, &self.write, &self.trim];
        let parts = match direction {
            ReportedDirection::Mixed => &all[..],
            one => &all[one as usize..][..1],
        };
        let longest = parts.iter().map(|part| part.runtime_ms).max().unwrap_or(0);
        (parts.iter().map(|part| part.bytes).sum(), longest)
    }

    /// Adds another instance of the same group: what ran at the same time, here or elsewhere.
    pub(super) fn add(&mut self, other: &Self) {
        self.jobs = self.jobs.saturating_add(other.jobs);
        if self.errno == 0 {
            self.errno = other.errno;
            self.error_text.clone_from(&other.error_text);
        }
        self.elapsed_s = self.elapsed_s.max(other.elapsed_s);
        self.eta_s = self.eta_s.max(other.eta_s);
        self.read.add(&other.read);
        self.write.add(&other.write);
        self.trim.add(&other.trim);
        self.sync.ops = self.sync.ops.saturating_add(other.sync.ops);
        self.sync.lat.merge(&other.sync.lat);
        self.job_runtime_ms = self.job_runtime_ms.saturating_add(other.job_runtime_ms);
        self.user_ns = self.user_ns.saturating_add(other.user_ns);
        self.system_ns = self.system_ns.saturating_add(other.system_ns);
        self.ctx = self.ctx.saturating_add(other.ctx);
        self.majf = self.majf.saturating_add(other.majf);
        self.minf = self.minf.saturating_add(other.minf);
        add_counts(&mut self.depth_level, &other.depth_level);
        add_counts(&mut self.submit, &other.submit);
        add_counts(&mut self.complete, &other.complete);
        self.latency.merge(&other.latency);
        self.continued = match (self.continued, other.continued) {
            (Some((n, first)), Some((more, theirs))) => {
                Some((n.saturating_add(more), if first == 0 { theirs } else { first }))
            }
            (mine, theirs) => mine.or(theirs),
        };
        // fio shows the depth of the instance that came last.
        self.target.depth = other.target.depth;
    }
}

impl DirectionResult {
    /// Adds another's: sums, but the longer of the run times.
    pub fn add(&mut self, other: &Self) {
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.ops = self.ops.saturating_add(other.ops);
        self.runtime_ms = self.runtime_ms.max(other.runtime_ms);
        self.short = self.short.saturating_add(other.short);
        self.dropped = self.dropped.saturating_add(other.dropped);
        self.slat.merge(&other.slat);
        self.clat.merge(&other.clat);
        self.lat.merge(&other.lat);
        PriorityResult::merge_all(&mut self.prios, other.prios.iter().cloned());
        self.bw.add(&other.bw);
        self.iops.add(&other.iops);
    }
}

impl Samples {
    /// Adds the windows of something that ran at the same time, as fio does: least, largest and
    /// mean add up, and the squares around each one's own mean are pooled.
    pub fn add(&mut self, other: &Self) {
        if other.samples == 0 {
            return;
        }
        let squares = self.squares() + other.squares();
        self.min = self.min.saturating_add(other.min);
        self.max = self.max.saturating_add(other.max);
        self.mean += other.mean;
        self.samples = self.samples.saturating_add(other.samples);
        self.dev =
            if self.samples > 1 { (squares / (self.samples - 1) as f64).sqrt() } else { 0.0 };
    }

    /// Sum of the squared distances from the mean.
    fn squares(&self) -> f64 {
        self.dev * self.dev * self.samples.saturating_sub(1) as f64
    }
}

fn add_counts(mine: &mut [u64; 7], theirs: &[u64; 7]) {
    for (a, b) in mine.iter_mut().zip(theirs) {
        *a = a.saturating_add(*b);
    }
}

impl Default for LatencyTarget {
    fn default() -> Self {
        Self { target_us: 0, window_us: 0, percentile: 100.0, depth: 1 }
    }
}

impl Default for JobResult {
    fn default() -> Self {
        Self {
            name: String::new(),
            description: None,
            group: 0,
            group_reporting: false,
            jobs: 1,
            errno: 0,
            error_text: String::new(),
            pid: 0,
            job_start_ms: 0,
            elapsed_s: 0,
            eta_s: 0,
            options: Vec::new(),
            display: JobOptions::default().report,
            read: DirectionResult::default(),
            write: DirectionResult::default(),
            trim: DirectionResult::default(),
            sync: SyncResult::default(),
            job_runtime_ms: 0,
            user_ns: 0,
            system_ns: 0,
            ctx: 0,
            majf: 0,
            minf: 0,
            depth_level: [0; 7],
            submit: [0; 7],
            complete: [0; 7],
            latency: LatencyHistogram::new(),
            continued: None,
            target: LatencyTarget::default(),
            steady: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(min: u64, max: u64, mean: f64, dev: f64, samples: u64) -> Samples {
        Samples { min, max, mean, dev, samples }
    }

    fn instance(group: u32, group_reporting: bool, bytes: u64, runtime_ms: u64) -> JobResult {
        let mut job = JobResult { group, group_reporting, ..JobResult::default() };
        job.read.bytes = bytes;
        job.read.ops = bytes / 512;
        job.read.runtime_ms = runtime_ms;
        job.read.clat.record(bytes);
        job.job_runtime_ms = runtime_ms;
        job
    }

    #[test]
    fn windows_add_up_as_measured_with_fio() {
        // read, write and mixed of one `unified_rw_reporting=both` run of fio 3.33.
        let check = |mut sum: Samples, more: Samples, expected: Samples| {
            sum.add(&more);
            let counts = |s: Samples| (s.min, s.max, s.samples);
            assert_eq!(counts(sum), counts(expected));
            assert!((sum.mean - expected.mean).abs() < 1e-5, "{sum:?}");
            assert!((sum.dev - expected.dev).abs() < 1e-5, "{sum:?}");
        };
        check(
            samples(12_000, 12_016, 12_008.0, 8.0, 3),
            samples(4000, 4008, 4_002.666_667, 4.618_802, 3),
            samples(16_000, 16_024, 16_010.666_667, 5.842_374, 6),
        );
        check(
            samples(3000, 3004, 3002.0, 2.0, 3),
            samples(1000, 1002, 1_000.666_667, 1.154_701, 3),
            samples(4000, 4006, 4_002.666_667, 1.460_593, 6),
        );
        let one = samples(5, 6, 5.5, 0.5, 2);
        check(one, Samples::default(), one);
        check(Samples::default(), one, one);
    }

    #[test]
    fn share_of_the_groups_bandwidth_as_measured_with_fio() {
        let mut a = instance(0, false, 20_480, 2001);
        a.read.bw = samples(10, 11, 10.333_333, 0.57735, 3);
        let mut b = instance(0, false, 7168, 2002);
        b.read.bw = samples(3, 4, 3.5, 0.57735, 4);
        let run = RunResult {
            instances: vec![a, b, instance(1, false, 1 << 30, 1)],
            ..RunResult::default()
        };
        let check = |i: usize, direction, expected: f64| {
            let share = run.bw_agg(&run.instances[i], direction);
            assert!((share - expected).abs() < 5e-7, "{i} {share}");
        };
        check(0, ReportedDirection::Read, 74.149_167);
        check(1, ReportedDirection::Read, 22.244_750);
        check(2, ReportedDirection::Read, 0.0);
        check(0, ReportedDirection::Write, 0.0);
        check(0, ReportedDirection::Mixed, 74.149_167);
    }

    #[test]
    fn share_is_never_above_100() {
        let mut a = instance(0, false, 1024, 1000);
        a.read.bw = samples(9, 9, 9.0, 0.0, 1);
        let run = RunResult { instances: vec![a.clone()], ..RunResult::default() };
        assert_eq!(run.bw_agg(&a, ReportedDirection::Read), 100.0);
    }

    #[test]
    fn beside_single_directions_mixed_is_compared_with_reads() {
        // fio 3.33: 75.068766 % of the reads, 80.090025 % "of all".
        let mut a = instance(0, false, 24_576_000, 2001);
        a.read.bw = samples(12_000, 12_016, 12_005.333_333, 0.0, 3);
        a.write.bw = samples(800, 804, 802.666_667, 0.0, 3);
        a.display.unified = Unified::Both;
        let other = instance(0, false, 8_192_000, 2001);
        let run = RunResult { instances: vec![a.clone(), other], ..RunResult::default() };
        assert!((run.bw_agg(&a, ReportedDirection::Read) - 75.068_766).abs() < 1e-5);
        assert!((run.bw_agg(&a, ReportedDirection::Mixed) - 80.090_025).abs() < 1e-5);
    }

    #[test]
    fn instances_of_a_group_become_one() {
        let mut list = vec![
            instance(0, true, 4096, 1000),
            instance(0, true, 2048, 1500),
            instance(1, true, 512, 1),
            instance(2, false, 512, 1),
            instance(2, false, 512, 1),
        ];
        list[0].name = "first".to_owned();
        list[0].target.depth = 16;
        list[1].name = "second".to_owned();
        list[1].target.depth = 4;
        list[1].errno = 5;
        list[1].continued = Some((3, 5));
        list[1].depth_level[2] = 7;
        let run = RunResult { instances: list, ..RunResult::default() };
        let entries = run.entries();
        let brief: Vec<_> = entries.iter().map(|e| (e.group, e.jobs, e.read.bytes)).collect();
        assert_eq!(brief, [(0, 2, 6144), (1, 1, 512), (2, 1, 512), (2, 1, 512)]);
        let merged = &entries[0];
        assert_eq!((merged.name.as_str(), merged.errno), ("first", 5));
        assert_eq!((merged.read.runtime_ms, merged.job_runtime_ms), (1500, 2500));
        assert_eq!((merged.read.clat.count(), merged.target.depth), (2, 4));
        assert_eq!((merged.continued, merged.depth_level[2]), (Some((3, 5)), 7));
    }

    #[test]
    fn directions_fold_into_one() {
        let mut job = instance(0, false, 1024, 1000);
        job.write.bytes = 512;
        job.write.ops = 1;
        job.write.runtime_ms = 1200;
        job.write.lat.record(5);
        job.trim.short = 3;
        let mixed = job.mixed();
        assert_eq!((mixed.bytes, mixed.ops, mixed.runtime_ms, mixed.short), (1536, 3, 1200, 3));
        assert_eq!((mixed.clat.count(), mixed.lat.count()), (1, 1));
    }
}
