//! Selection of hosts.

use crate::error::FleetError;
use crate::message::{AgentInfo, Version};
use crate::name::{AgentName, Label};

/// Selection of hosts.
#[derive(Debug, Clone, Default)]
pub struct HostSelection {
    /// These hosts; all must be present.
    pub names: Vec<AgentName>,
    /// Hosts with all of these labels.
    pub labels: Vec<Label>,
}

/// An answer to the discovery.
#[derive(Debug, Clone)]
pub struct FoundAgent {
    /// The agent, or why it cannot be used.
    pub agent: Result<AgentInfo, IncompatibleAgent>,
}

/// An agent of another version.
#[derive(Debug, Clone)]
pub struct IncompatibleAgent {
    /// Its name; `?` if unreadable.
    pub name: String,
    /// Its version.
    pub version: Version,
}

impl FoundAgent {
    /// Its name.
    pub fn name(&self) -> &str {
        match &self.agent {
            Ok(introduction) => introduction.name.as_str(),
            Err(other) => &other.name,
        }
    }

    fn has_name(&self, name: &AgentName) -> bool {
        self.name() == name.as_str()
    }
}

const SHOWN_MAX: usize = 8;

pub(super) fn select_hosts(
    found: Vec<FoundAgent>,
    who: &HostSelection,
    ours: &Version,
) -> Result<Vec<AgentInfo>, FleetError> {
    let mut chosen = Vec::new();
    for found in found.into_iter().filter(|found| is_selected(found, who)) {
        match found.agent {
            Ok(introduction) => chosen.push(introduction),
            Err(other) => {
                let what = format!("agent {} is {}, this is {ours}", other.name, other.version);
                return Err(FleetError::wrong_request(what, "install one version on all hosts"));
            }
        }
    }
    check_present(&chosen, who)?;
    if let Some(pair) = chosen.windows(2).find(|pair| pair[0].name == pair[1].name) {
        let what = format!("two agents are called {}", pair[0].name);
        return Err(FleetError::wrong_request(
            what,
            "give each its own: truedisk agent --name NAME",
        ));
    }
    if let Some((name, run)) = chosen.iter().find_map(|a| Some((&a.name, a.busy.as_ref()?))) {
        let what = format!("agent {name} is busy with run {run}");
        let hint = format!("wait for it, or end it: truedisk fleet stop {run}");
        return Err(FleetError::failed(what, hint));
    }
    Ok(chosen)
}

/// Labels of another version are unreadable: such an agent counts only if no label is asked for.
fn is_selected(found: &FoundAgent, who: &HostSelection) -> bool {
    let named = who.names.is_empty() || who.names.iter().any(|name| found.has_name(name));
    let labelled = match &found.agent {
        Ok(agent) => {
            who.labels.iter().all(|label| agent.labels.get(&label.key) == Some(&label.value))
        }
        Err(_) => who.labels.is_empty() || !who.names.is_empty(),
    };
    named && labelled
}

fn check_present(chosen: &[AgentInfo], who: &HostSelection) -> Result<(), FleetError> {
    let missing: Vec<&str> = who
        .names
        .iter()
        .filter(|name| !chosen.iter().any(|agent| agent.name == **name))
        .map(|name| name.as_str())
        .collect();
    if !missing.is_empty() {
        let more = match missing.len().saturating_sub(SHOWN_MAX) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let shown = missing.iter().take(SHOWN_MAX).copied().collect::<Vec<_>>().join(", ");
        let what = format!("no agent answers to {shown}{more}");
        return Err(FleetError::failed(what, "who is there: truedisk fleet list"));
    }
    if chosen.is_empty() {
        let what =
            if who.labels.is_empty() { "no agent is there" } else { "no agent has that label" };
        let hint = "start one on each host: truedisk agent --nats URL --allow PATH";
        return Err(FleetError::failed(what, hint));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use record::Environment;

    use super::*;

    fn agent(name: &str, rack: &str) -> FoundAgent {
        let agent = AgentInfo {
            name: name.parse().unwrap(),
            instance: 1,
            labels: BTreeMap::from([("rack".to_owned(), rack.to_owned())]),
            environment: Environment::default(),
            allow: Vec::new(),
            read_only: false,
            busy: None,
            kept: Vec::new(),
        };
        FoundAgent { agent: Ok(agent) }
    }

    fn selection(names: &[&str], labels: &[&str]) -> HostSelection {
        HostSelection {
            names: names.iter().map(|name| name.parse().unwrap()).collect(),
            labels: labels.iter().map(|label| label.parse().unwrap()).collect(),
        }
    }

    #[test]
    fn agents_are_chosen_by_name_and_by_label() {
        let found = || vec![agent("a", "1"), agent("b", "2"), agent("c", "2")];
        let check = |names: &[&str], labels: &[&str], expected: Result<&str, &str>| {
            let came = select_hosts(found(), &selection(names, labels), &Version::current("1"));
            match (came, expected) {
                (Ok(agents), Ok(names)) => {
                    let of: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
                    assert_eq!(of.join(","), names);
                }
                (Err(error), Err(words)) => {
                    assert!(error.to_string().contains(words) && error.hint().is_some(), "{error}");
                }
                (came, _) => panic!("{names:?} {labels:?}: {came:?}"),
            }
        };
        check(&[], &[], Ok("a,b,c"));
        check(&["c", "a"], &[], Ok("a,c"));
        check(&[], &["rack=2"], Ok("b,c"));
        check(&["a", "d"], &[], Err("no agent answers to d"));
        check(&[], &["rack=9"], Err("no agent has that label"));
        check(&["a"], &["rack=2"], Err("no agent answers to a"));
    }

    #[test]
    fn what_cannot_be_led_is_refused() {
        let refused = |found: Vec<FoundAgent>| {
            select_hosts(found, &HostSelection::default(), &Version::current("2"))
                .unwrap_err()
                .to_string()
        };
        assert!(refused(Vec::new()).contains("no agent is there"));
        assert!(
            refused(vec![agent("a", "1"), agent("a", "2")]).contains("two agents are called a")
        );
        let other = IncompatibleAgent { name: "old".to_owned(), version: Version::current("1") };
        let words = refused(vec![agent("a", "1"), FoundAgent { agent: Err(other) }]);
        assert!(
            words.contains("agent old is truedisk 1") && words.contains("truedisk 2"),
            "{words}"
        );
        let mut busy = agent("a", "1");
        busy.agent.as_mut().unwrap().busy = Some("r7".parse().unwrap());
        assert!(refused(vec![busy]).contains("busy with run r7"));
    }
}
