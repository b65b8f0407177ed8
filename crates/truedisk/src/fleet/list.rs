//! `truedisk fleet list`: the agents at a server, and the records that they keep.

use ::output::Destination;
use fleet::{AgentInfo, Coordinator, FoundAgent, HostSelection, RunName};
use message::{Message, Names, messages};
use serde_json::{Value, json};
use units::ErrorKind;

use crate::exit::{Exit, Outcome};
use crate::output::write_json;
use crate::terminal::{self, say, tell};

pub(super) fn print_agents(
    coordinator: &Coordinator,
    who: &HostSelection,
    json: Option<Destination>,
) -> Outcome {
    let found = coordinator.list_agents(who)?;
    // The agents are listed even if the server's stream cannot be read.
    let runs = match coordinator.list_stream_runs() {
        Ok(runs) => runs,
        Err(error) => {
            terminal::eprint_line(format_args!("truedisk: {error}"))?;
            Vec::new()
        }
    };
    if let Some(file) = json {
        write_json(file, &agents_json(&found, &runs))?;
        let is_empty = found.is_empty();
        return Ok(if is_empty { Exit::Error(ErrorKind::Failed) } else { Exit::Done });
    }
    if found.is_empty() {
        terminal::print_line(say("fleet-no-agent"))?;
        terminal::print(&stream_lines(&runs))?;
        let hint = "hint: start one on each host: truedisk agent --nats URL --allow PATH";
        terminal::eprint_line(hint)?;
        return Ok(Exit::Error(ErrorKind::Failed));
    }
    terminal::print(&agent_table(&found))?;
    terminal::print(&stream_lines(&runs))?;
    Ok(Exit::Done)
}

fn agents_json(found: &[FoundAgent], runs: &[(RunName, usize)]) -> Value {
    let agent = |found: &FoundAgent| match &found.agent {
        Ok(agent) => json!(agent),
        Err(other) => json!({"name": other.name, "incompatible": other.version.to_string()}),
    };
    let run = |(run, hosts): &(RunName, usize)| json!({"run": run, "records": hosts});
    json!({
        "agents": found.iter().map(agent).collect::<Vec<_>>(),
        "kept_by_server": runs.iter().map(run).collect::<Vec<_>>(),
    })
}

fn stream_lines(runs: &[(RunName, usize)]) -> String {
    let line = |(run, hosts): &(RunName, usize)| {
        let run = run.to_string();
        offer_collection(StreamKeeps { hosts: *hosts, run: run.clone() }, &run)
    };
    runs.iter().map(line).collect()
}

/// Who keeps records of a run, and the command that fetches them, which is never broken.
fn offer_collection(words: impl Into<Message>, run: &str) -> String {
    let words = report::wrap_paragraph(&tell(words), terminal::style());
    format!("{words}  truedisk fleet collect {run}\n")
}

fn agent_table(found: &[FoundAgent]) -> String {
    let head = ["head-name", "head-host", "head-labels", "head-allows", "head-state"].map(say);
    let mut text = String::new();
    let width = terminal::style().width;
    report::TextTable::fitting(head, found.iter().map(agent_row), width).write(&mut text);
    for agent in found.iter().filter_map(|found| found.agent.as_ref().ok()) {
        for kept in &agent.kept {
            let (name, run) = (agent.name.to_string(), kept.run.to_string());
            let words = AgentKeeps { name, run: run.clone(), purpose: kept.purpose.clone() };
            text.push_str(&offer_collection(words, &run));
        }
    }
    text
}

fn agent_row(found: &FoundAgent) -> Vec<String> {
    let AgentInfo { name, labels, environment, allow, read_only, busy, relay, .. } = match &found
        .agent
    {
        Ok(agent) => agent,
        Err(other) => {
            let state = tell(CannotLead { version: other.version.to_string() });
            return vec![other.name.clone(), String::new(), String::new(), String::new(), state];
        }
    };
    let labels: Vec<String> = labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let paths = allow.join(", ");
    let paths = if *read_only && !relay { tell(ReadOnlyPaths { paths }) } else { paths };
    vec![
        name.to_string(),
        environment.hostname.clone().unwrap_or_default(),
        labels.join(", "),
        paths,
        match busy {
            None if *relay => say("fleet-relay"),
            Some(run) => tell(BusyRun { run: run.to_string() }),
            None => say("fleet-idle"),
        },
    ]
}

messages! {
    StreamKeeps = "fleet-stream-keeps" { hosts: usize, run: String };
    AgentKeeps = "fleet-agent-keeps" { name: String, run: String, purpose: String };
    CannotLead = "fleet-cannot-lead" { version: String };
    ReadOnlyPaths = "fleet-read-only" { paths: String };
    BusyRun = "fleet-busy" { run: String };
    Stopped = "fleet-stopped" { names: Names };
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use fleet::message::KeptRun;
    use fleet::{IncompatibleAgent, Version};
    use record::Environment;

    use super::*;

    #[test]
    fn the_table_says_who_is_there_and_who_cannot_be_led() {
        let relay = AgentInfo {
            name: "r1".parse().unwrap(),
            instance: 7,
            labels: BTreeMap::new(),
            environment: Environment::default(),
            allow: Vec::new(),
            read_only: true,
            busy: None,
            relay: true,
            kept: Vec::new(),
        };
        let agent = AgentInfo {
            name: "db1".parse().unwrap(),
            instance: 7,
            labels: BTreeMap::from([("rack".to_owned(), "b4".to_owned())]),
            environment: Environment {
                hostname: Some("db1.example.com".to_owned()),
                ..Environment::default()
            },
            allow: vec!["/srv".to_owned()],
            read_only: true,
            busy: None,
            relay: false,
            kept: vec![KeptRun {
                run: "r1".parse().unwrap(),
                started: "2026-11-21T02:03:04Z".parse().unwrap(),
                purpose: "limit".to_owned(),
            }],
        };
        let version = Version { protocol: 9, program: "9.0".to_owned() };
        let other = IncompatibleAgent { name: "old".to_owned(), version };
        let text =
            agent_table(&[Ok(agent), Err(other), Ok(relay)].map(|agent| FoundAgent { agent }));
        let expected = "\
name  host             labels   allows            state
db1   db1.example.com  rack=b4  /srv (read-only)  idle
old                                               cannot be led: its version is
                                                  truedisk 9.0 (messages 9)
r1                                                relay: measures nothing
db1 keeps its record of run r1 (limit):
  truedisk fleet collect r1
";
        assert_eq!(text, expected);
    }

    #[test]
    fn what_only_the_server_has_is_told() {
        let runs = [("r1".parse().unwrap(), 1), ("r2".parse().unwrap(), 8)];
        let expected = "\
the server keeps 1 record of run r1, too:
  truedisk fleet collect r1
the server keeps 8 records of run r2, too:
  truedisk fleet collect r2
";
        assert_eq!(stream_lines(&runs), expected);
        assert_eq!(stream_lines(&[]), "");
    }
}
