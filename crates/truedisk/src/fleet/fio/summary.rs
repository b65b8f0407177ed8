//! Results of fio's jobs from many hosts: the runs to be printed, and the number of failures.

use fio::request::Jobs;
use fio::results::{ClientRun, ClientRuns};
use fio_run::sanitize_line;
use fleet::HostJobsResult;
use record::Finding;
use serde_json::{Value, json};
use units::Nanos;

use crate::fio::format_finding;
use crate::terminal;

pub(super) struct FleetSummary<'a> {
    pub(super) run: String,
    pub(super) jobs: &'a Jobs,
    pub(super) notes: &'a [String],
    pub(super) collected: bool,
    pub(super) findings: bool,
}

impl FleetSummary<'_> {
    /// The runs as they are printed, and how many jobs failed; a lost host counts as one.
    pub(super) fn client_runs(&self, hosts: Vec<HostJobsResult>) -> (ClientRuns, u32) {
        let degraded = self.find_degradations(&hosts);
        let skew = start_skew(&hosts);
        let mut findings: Vec<Value> = Vec::new();
        let mut notes: Vec<String> = self.notes.to_vec();
        let mut about: Vec<Value> = Vec::new();
        let (mut clients, mut failed, mut finished_ms) = (Vec::new(), 0_u32, 0);
        for host in hosts {
            let hostname = host.name.to_string();
            about.push(host_summary(&host));
            let Some(given) = host.given else { continue };
            findings.extend(given.findings.iter().map(|of| finding_of_host(of, &hostname)));
            let own = given.notes.iter().map(|note| sanitize_line(note));
            let own = own.filter(|note| !self.notes.contains(note));
            notes.extend(own.map(|note| format!("{hostname}: {note}")));
            failed = failed.saturating_add(given.failed);
            let line = |of: &Finding| sanitize_line(&format_finding(of));
            let lines = given.findings.iter().map(line).collect();
            for trouble in given.failures.iter().map(|failure| sanitize_line(failure)) {
                let _ = terminal::eprint_line(format_args!("fio: <{hostname}> {trouble}"));
            }
            let mut run = given.into_run(&self.jobs.sections, &self.jobs.global_options);
            run.findings = if self.findings { lines } else { Vec::new() };
            finished_ms = finished_ms.max(run.finished_ms);
            clients.push(ClientRun { hostname, run });
        }
        let mut lines: Vec<String> =
            degraded.iter().map(|what| format!("DEGRADED: {what}")).collect();
        if let Some((skew, error)) = skew {
            let count = clients.len();
            let run = &self.run;
            lines.push(format!("run {run}: {count} hosts began within {skew}, known to ±{error}"));
        }
        let truedisk = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "findings": findings,
            "notes": notes,
            "fleet": {
                "run": self.run,
                "hosts": about,
                "skew_ns": skew.map(|(skew, _)| skew.0),
                "skew_error_ns": skew.map(|(_, error)| error.0),
                "degraded": degraded,
            },
        });
        let lost = u32::from(!degraded.is_empty() && !self.collected);
        let (truedisk, findings) = (Some(truedisk), lines);
        (ClientRuns { finished_ms, hosts: clients, truedisk, findings }, failed.max(lost))
    }

    fn find_degradations(&self, hosts: &[HostJobsResult]) -> Vec<String> {
        let mut words = Vec::new();
        if self.collected {
            words.push("its coordinator was gone before it was over".to_owned());
        }
        for HostJobsResult { name, lost, given, .. } in hosts {
            if let Some(lost) = lost {
                let reason = sanitize_line(lost.reason.text());
                let when = match lost.at {
                    Nanos::ZERO => String::new(),
                    at => format!(" {at} into the run"),
                };
                words.push(format!("{name} was lost{when}: {reason}; the sums are without it"));
            } else if let Some(early) = given.as_ref().and_then(|given| given.early.as_ref()) {
                let early = sanitize_line(early);
                words.push(format!("{name} did not come to its end: {early}"));
            }
        }
        words
    }
}

/// From the first host's begin to the last's, and its error: the two largest of the clocks.
fn start_skew(hosts: &[HostJobsResult]) -> Option<(Nanos, Nanos)> {
    let began = hosts.iter().filter_map(|host| {
        Some((host.given.as_ref()?.began?, host.clock_error.unwrap_or(Nanos(u64::MAX))))
    });
    let began: Vec<(Nanos, Nanos)> = began.collect();
    if began.len() < 2 {
        return None;
    }
    let times = || began.iter().map(|(at, _)| at.0);
    let mut errors: Vec<u64> = began.iter().map(|(_, error)| error.0).collect();
    errors.sort_unstable_by(|a, b| b.cmp(a));
    let error = errors[0].saturating_add(errors[1]);
    Some((Nanos(times().max()? - times().min()?), Nanos(error)))
}

fn finding_of_host(finding: &Finding, hostname: &str) -> Value {
    let mut value = json!(finding);
    value["host"] = hostname.into();
    value
}

fn host_summary(host: &HostJobsResult) -> Value {
    let mut about = json!({ "name": host.name });
    let mut add = |key: &str, value: Value| about[key] = value;
    if let Some(error) = host.clock_error {
        add("clock_error_ns", error.0.into());
    }
    if let Some(given) = &host.given {
        if let Some(began) = given.began {
            add("began_ns", began.0.into());
        }
        if let Some(early) = &given.early {
            add("early", early.as_str().into());
        }
        add("failed", given.failed.into());
    }
    if let Some(lost) = &host.lost {
        add("lost", json!({ "at_ns": lost.at.0, "reason": lost.reason.text() }));
    }
    about
}

#[cfg(test)]
mod tests {
    use record::Lost;

    use super::*;

    fn host(name: &str, lost: Option<&str>) -> HostJobsResult {
        let reason = |words: &str| Lost {
            at: Nanos::secs(3),
            cell: None,
            reason: message::Message::from_text(words),
        };
        HostJobsResult {
            name: name.parse().unwrap(),
            clock_error: None,
            lost: lost.map(reason),
            given: None,
        }
    }

    #[test]
    fn a_lost_host_is_named_in_text_and_json_and_makes_the_status_1() {
        let jobs = Jobs { sections: Vec::new(), global_options: Vec::new(), notes: Vec::new() };
        let mut told = FleetSummary {
            run: "r1".to_owned(),
            jobs: &jobs,
            notes: &[],
            collected: false,
            findings: true,
        };
        let (runs, status) =
            told.client_runs(vec![host("a", None), host("b", Some("silent\u{1b}[2J"))]);
        assert_eq!(status, 1);
        let [line] = &runs.findings[..] else { panic!("{:?}", runs.findings) };
        assert!(line.starts_with("DEGRADED: b was lost 3.00 s into the run: silent"), "{line}");
        assert!(!line.contains('\u{1b}'), "{line:?}");
        let about = &runs.truedisk.unwrap()["fleet"];
        assert_eq!((about["run"].as_str(), &about["skew_ns"]), (Some("r1"), &Value::Null));
        assert_eq!(about["hosts"][1]["lost"]["at_ns"], 3_000_000_000_u64);
        assert!(about["hosts"][0].get("lost").is_none());
        assert_eq!(told.client_runs(vec![host("a", None)]).1, 0);
        // Who collects knows that it is not whole: that is why it is collected.
        told.collected = true;
        assert_eq!(told.client_runs(vec![host("a", None)]).1, 0);
    }
}
