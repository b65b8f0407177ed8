//! Runs of the same jobs on several hosts: each by itself, and all of them as one.

use super::types::{JobResult, RunResult};

/// The name of the entry that all hosts are added up in; fio's.
const ALL_CLIENTS: &str = "All clients";

/// What several hosts did at the same time.
#[derive(Debug, Clone, Default)]
pub struct ClientRuns {
    /// When the last ended, milliseconds since 1970.
    pub finished_ms: u64,
    /// The hosts, in the order of the output.
    pub hosts: Vec<ClientRun>,
    /// What there is to say of the run as a whole: the JSON value of the extra key `truedisk`.
    pub truedisk: Option<serde_json::Value>,
    pub findings: Vec<String>,
}

/// What one host did.
#[derive(Debug, Clone)]
pub struct ClientRun {
    pub hostname: String,
    pub run: RunResult,
}

impl ClientRuns {
    /// All hosts added up, one entry for each reporting group; none where there is but one entry
    /// to add up, as fio has it.
    /// Groups are kept apart because they may have run one after the other: rates of both
    /// together would be those of no time at all. Within a group counts, bytes and histograms are
    /// added up, bucket by bucket, and the longest run time counts, as in `group_reporting`.
    pub fn totals(&self) -> Vec<JobResult> {
        let entries: usize = self.hosts.iter().map(|host| host.run.entries().len()).sum();
        if entries < 2 {
            return Vec::new();
        }
        let all = || self.hosts.iter().flat_map(|host| &host.run.instances);
        let mut groups: Vec<u32> = all().map(|instance| instance.group).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
            .iter()
            .filter_map(|group| sum_instances(all().filter(|of| of.group == *group)))
            .collect()
    }
}

fn sum_instances<'a>(mut instances: impl Iterator<Item = &'a JobResult>) -> Option<JobResult> {
    let first = instances.next()?;
    let mut total = JobResult {
        name: ALL_CLIENTS.to_owned(),
        description: None,
        options: Vec::new(),
        // A process of no single host.
        pid: 0,
        steady: None,
        ..first.clone()
    };
    for instance in instances {
        total.add(instance);
        total.job_start_ms = total.job_start_ms.min(instance.job_start_ms);
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use stats::LatencyHistogram;

    use super::*;

    fn instance(group: u32, latencies: impl Iterator<Item = u64>) -> JobResult {
        let mut job = JobResult { group, ..JobResult::default() };
        latencies.for_each(|ns| job.read.clat.record(ns));
        job.read.ops = job.read.clat.count();
        job.read.bytes = job.read.ops * 4096;
        job.read.runtime_ms = 1000 + u64::from(group);
        job
    }

    fn host(name: &str, instances: Vec<JobResult>) -> ClientRun {
        let run = RunResult { instances, ..RunResult::default() };
        ClientRun { hostname: name.to_owned(), run }
    }

    #[test]
    fn a_percentile_of_all_is_that_of_all_operations_and_not_one_of_percentiles() {
        // Two hosts that could not be more different: the mean of their p99 is nowhere near.
        let (fast, slow) = (10_000..20_000_u64, (1_000_000..9_000_000_u64).step_by(8000));
        let runs = ClientRuns {
            hosts: vec![
                host("a", vec![instance(0, fast.clone())]),
                host("b", vec![instance(0, slow.clone())]),
            ],
            ..ClientRuns::default()
        };
        let totals = runs.totals();
        let [total] = &totals[..] else { panic!("{totals:?}") };
        let mut heap: Vec<u64> = fast.chain(slow).collect();
        heap.sort_unstable();
        assert_eq!(total.read.ops, heap.len() as u64);
        for q in [0.5, 0.9, 0.99, 0.999] {
            let truth = heap[(heap.len() as f64 * q).ceil() as usize - 1] as f64;
            let merged = total.read.clat.quantile(q).unwrap() as f64;
            // A bucket is 0.78 % wide.
            assert!((merged / truth - 1.0).abs() < 0.0079, "{q}: {merged}, {truth}");
        }
        let own = |of: usize| runs.hosts[of].run.instances[0].read.clat.quantile(0.99).unwrap();
        let averaged = (own(0) + own(1)) as f64 / 2.0;
        let merged = total.read.clat.quantile(0.99).unwrap() as f64;
        assert!((averaged / merged - 1.0).abs() > 0.1, "the test would not see an average");
        let all: LatencyHistogram = total.read.clat.clone();
        assert_eq!(all.max_ns(), heap.last().copied());
    }

    #[test]
    fn groups_that_ran_one_after_the_other_are_not_added_up() {
        let of = |name| host(name, vec![instance(0, 0..10), instance(1, 0..20)]);
        let runs = ClientRuns { hosts: vec![of("a"), of("b")], ..ClientRuns::default() };
        let brief: Vec<_> = runs
            .totals()
            .iter()
            .map(|t| (t.name.clone(), t.group, t.jobs, t.read.ops, t.read.runtime_ms))
            .collect();
        let all = ALL_CLIENTS.to_owned();
        assert_eq!(brief, [(all.clone(), 0, 2, 20, 1000), (all, 1, 2, 40, 1001)]);
    }

    #[test]
    fn one_entry_needs_no_total() {
        let runs = ClientRuns {
            hosts: vec![host("a", vec![instance(0, 0..10)])],
            ..ClientRuns::default()
        };
        assert!(runs.totals().is_empty());
    }

    #[test]
    fn a_result_arrives_as_it_was_but_for_what_the_other_side_knows() {
        let mut sent = instance(3, 100..5000);
        sent.options = vec![("bs".to_owned(), "4k".to_owned())];
        sent.error_text = "pwrite: no".to_owned();
        sent.latency.record(1 << 40);
        let text = serde_json::to_string(&sent).unwrap();
        let came: JobResult = serde_json::from_str(&text).unwrap();
        assert_eq!(came.read.clat, sent.read.clat);
        assert_eq!((came.latency.clone(), came.error_text), (sent.latency, sent.error_text));
        assert_eq!((came.group, came.options.len()), (0, 0));
        // A histogram whose count is not that of its buckets.
        let damaged = text.replace("\"count\":4900", "\"count\":4901");
        assert_ne!(damaged, text);
        let error = serde_json::from_str::<JobResult>(&damaged).unwrap_err();
        assert!(error.to_string().contains("damaged"), "{error}");
    }
}
