//! Several hosts, as `fio --client` tells them: each by itself, then all of them as one.

use super::VERSION;
use super::figures::all_disks;
use super::group::GroupSummary;
use super::json;
use super::json_write::{JsonNode, JsonObject};
use super::normal::{self, render_normal};
use super::numbers::format_ctime;
use crate::results::{ClientRuns, JobResult, RunResult};

/// fio has a port of each host here; ours have none, and tools that read a number find one.
const PORT: u64 = 0;
/// Our own lines of the whole run; more would hide the figures.
const MAX_LINES: usize = 8;

/// The runs as fio 3.42 prints those of its clients with `--output-format=json`, or `json+`
/// (`plus`): `client_stats` with a `hostname` in each entry and entries called `All clients` at
/// its end, `global options` a list, `disk_util` of each host.
pub fn render_clients_json(runs: &ClientRuns, plus: bool) -> String {
    let mut root = JsonObject::default();
    root.text("fio version", VERSION);
    root.int("timestamp", runs.finished_ms / 1000);
    root.text("time", &json::format_utc(runs.finished_ms / 1000));
    let (mut globals, mut stats, mut disks) = (Vec::new(), Vec::new(), Vec::new());
    for host in &runs.hosts {
        let (name, run) = (&host.hostname, &host.run);
        if !run.global_options.is_empty() {
            let mut object = with_hostname(name, JsonObject::default());
            object.extend(json::options_object(&run.global_options));
            globals.push(JsonNode::Object(object));
        }
        for entry in &run.entries() {
            stats.push(JsonNode::Object(with_hostname(name, json::job_object(run, entry, plus))));
        }
        disks.extend(
            all_disks(&run.disks)
                .iter()
                .map(|d| JsonNode::Object(with_hostname(name, json::disk_object(d)))),
        );
    }
    for total in runs.totals() {
        let whole = single_entry_run(&total);
        stats.push(JsonNode::Object(with_hostname(
            &total.name,
            json::job_object(&whole, &total, plus),
        )));
    }
    if !globals.is_empty() {
        root.node("global options", JsonNode::List(globals));
    }
    root.node("client_stats", JsonNode::List(stats));
    if !disks.is_empty() {
        root.node("disk_util", JsonNode::List(disks));
    }
    if let Some(ours) = &runs.truedisk {
        root.node("truedisk", ours.into());
    }
    root.into_document()
}

/// An object with the name of its host, at its end as in fio.
fn with_hostname(hostname: &str, mut object: JsonObject) -> JsonObject {
    object.text("hostname", hostname);
    object.int("port", PORT);
    object
}

/// A run that a total is the whole of: it has all of its group's bandwidth.
fn single_entry_run(total: &JobResult) -> RunResult {
    RunResult { instances: vec![total.clone()], ..RunResult::default() }
}

/// Everything after the run: each host's output under a line with its name, then the sums.
pub fn render_clients_normal(runs: &ClientRuns) -> String {
    let mut out = String::new();
    for host in &runs.hosts {
        let entries = host.run.entries();
        out.push_str(&format!("\n<{}>", host.hostname));
        out.push_str(&render_normal(&host.run, &entries));
    }
    let totals = runs.totals();
    if !totals.is_empty() {
        out.push('\n');
    }
    let at_end = format_ctime(runs.finished_ms);
    for total in &totals {
        let group = GroupSummary::from_entries(total.group, std::slice::from_ref(total));
        out.push_str(&normal::render_job(total, &group, &at_end));
    }
    out.push_str(&normal::render_findings(&runs.findings, MAX_LINES));
    out
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::results::{ClientRun, DiskUse};

    fn runs() -> ClientRuns {
        let host = |name: &str, ops: u64| {
            let mut job = JobResult { name: "a".to_owned(), ..JobResult::default() };
            (0..ops).for_each(|n| job.read.clat.record(50_000 + n));
            job.latency = job.read.clat.clone();
            (job.read.ops, job.read.bytes, job.read.runtime_ms) = (ops, ops * 4096, 1000);
            (job.job_runtime_ms, job.user_ns) = (1000, 500_000_000);
            let run = RunResult {
                global_options: vec![("bs".to_owned(), "4k".to_owned())],
                instances: vec![job],
                disks: vec![DiskUse { name: "sda".to_owned(), ..DiskUse::default() }],
                ..RunResult::default()
            };
            ClientRun { hostname: name.to_owned(), run }
        };
        ClientRuns {
            finished_ms: 1_000,
            hosts: vec![host("db1", 1000), host("db2", 3000)],
            truedisk: Some(serde_json::json!({ "fleet": { "run": "r" } })),
            findings: vec!["degraded: db3 was lost".to_owned()],
        }
    }

    #[test]
    fn json_has_the_shape_of_fios_clients() {
        let root: Value = serde_json::from_str(&render_clients_json(&runs(), false)).unwrap();
        let keys: Vec<&String> = root.as_object().unwrap().keys().collect();
        let expected = [
            "fio version",
            "timestamp",
            "time",
            "global options",
            "client_stats",
            "disk_util",
            "truedisk",
        ];
        assert_eq!(keys, expected);
        let stats = root["client_stats"].as_array().unwrap();
        let brief: Vec<_> = stats
            .iter()
            .map(|of| (of["jobname"].as_str().unwrap(), of["hostname"].as_str().unwrap()))
            .collect();
        assert_eq!(brief, [("a", "db1"), ("a", "db2"), ("All clients", "All clients")]);
        assert_eq!(stats[2]["read"]["total_ios"], 4000);
        assert_eq!(stats[2]["read"]["clat_ns"]["N"], 4000);
        assert_eq!(stats[2]["read"]["iops"], 4000.0);
        // Of the time of both, half was spent in user mode.
        assert_eq!((&stats[2]["job_runtime"], &stats[2]["usr_cpu"]), (&2000.into(), &50.0.into()));
        let globals = root["global options"].as_array().unwrap();
        assert_eq!((&globals[1]["hostname"], &globals[1]["bs"]), (&"db2".into(), &"4k".into()));
        assert_eq!(root["disk_util"][1]["hostname"], "db2");
        assert_eq!(root["truedisk"]["fleet"]["run"], "r");
    }

    #[test]
    fn text_names_each_host_and_ends_with_all_of_them() {
        let text = render_clients_normal(&runs());
        let places: Vec<usize> = ["<db1>", "<db2>", "All clients: (groupid=0, jobs=2): err= 0"]
            .iter()
            .map(|words| text.find(words).unwrap_or_else(|| panic!("{words}: {text}")))
            .collect();
        assert!(places.is_sorted(), "{text}");
        assert!(text.ends_with("\ntruedisk: degraded: db3 was lost\n"), "{text}");
        assert_eq!(text.matches("issued rwts: total=4000,0,0,0").count(), 1, "{text}");
    }
}
